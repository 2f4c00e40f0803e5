"""Results as files: what is kept, and what is done again."""

import dataclasses
import json
import os
import shutil
import time

from paper import points as grid
from support import FakeCase


class Kept(FakeCase):
    def test_second_run_does_nothing(self):
        self.assertEqual(self.run_all()["ran"], 4)
        calls = len(self.calls())
        self.assertEqual(calls, 6)  # two compare, two solve, two check
        self.assertEqual(self.run_all()["ran"], 0)
        self.assertEqual(len(self.calls()), calls)

    def test_other_build_runs_again(self):
        self.run_all()
        with open(self.program, "a") as file:
            file.write("# changed\n")
        self.assertEqual(self.run_all()["ran"], 4)

    def test_truncated_files_are_done_again(self):
        self.run_all()
        path = self.store().path(self.points[0].key)
        whole = path.read_bytes()
        for length in (0, 1, len(whole) // 2, len(whole) - 2):
            path.write_bytes(whole[:length])
            self.assertFalse(self.store().serves(self.points[0]), length)
            self.assertEqual(self.run_all()["ran"], 1)
        self.assertTrue(self.store().serves(self.points[0]))

    def test_json_of_something_else_is_no_result(self):
        self.run_all()
        path = self.store().path(self.points[0].key)
        other = self.store().path(self.points[1].key).read_text()
        for text in ("[]", "{}", "null", "7", other):
            path.write_text(text)
            self.assertFalse(self.store().serves(self.points[0]), text[:20])

    def test_changed_schedule_is_done_again(self):
        self.run_all()
        path = self.store().schedule(self.points[0].key)
        path.write_bytes(path.read_bytes()[:-3])
        self.assertFalse(self.store().serves(self.points[0]))
        path.unlink()
        self.assertFalse(self.store().serves(self.points[0]))
        self.assertEqual(self.run_all()["ran"], 1)

    def test_longer_limit_runs_what_was_cut_off(self):
        ours = self.points[-1]
        self.write("solve.json", json.dumps(self.answer | {"stopped_by": "time limit"}))
        self.write("exit", "4")
        self.run_all([ours])
        self.assertTrue(self.store().serves(ours))
        longer = dataclasses.replace(ours, limit=20)
        self.assertEqual(longer.key, ours.key)
        self.assertFalse(self.store().serves(longer))
        self.write("solve.json", json.dumps(self.answer))
        self.write("exit", "0")
        self.run_all([longer])
        self.assertTrue(self.store().serves(dataclasses.replace(ours, limit=40)))

    def test_failures_are_told_and_done_again(self):
        for name, word in (("reject", "exit status 0"), ("broken", "it broke"),
                           ("empty", "exit status 0")):
            self.write(name, "")
            told = self.run_all([self.points[-1]])
            self.assertEqual(told["failed"], 1, name)
            self.assertTrue(any(word in line for line in told["said"]), told["said"])
            self.assertFalse(self.store().serves(self.points[-1]))
            (self.folder / name).unlink()
        self.assertEqual(self.run_all([self.points[-1]])["failed"], 0)

    def test_files_name_graphs_by_content(self):
        graph = self.write("g.json", "{}")
        point = dataclasses.replace(self.points[0], network=str(graph))
        before = point.key
        graph.write_text('{"other": 1}')
        self.assertNotEqual(point.key, before)


    def test_leftovers_of_killed_points_go_after_a_day(self):
        kept = self.store()
        for name, hours in ((".run-old", 25), (".run-new", 23)):
            (kept.points / name).mkdir()
            (kept.points / name / "model.mps").touch()
            then = time.time() - 3600 * hours
            os.utime(kept.points / name, (then, then))
        self.run_all()
        kept.sweep()
        self.assertEqual([p.name for p in kept.points.glob(".*")], [".run-new"])
        self.assertTrue(all(map(kept.serves, self.points)))


class Merged(FakeCase):
    def test_points_of_two_machines_make_one_table(self):
        self.run_all([p for p in self.points if p.budget == "50%"])
        first = self.results
        self.results = self.folder / "second"
        self.run_all([p for p in self.points if p.budget == "70%"])
        for path in (first / "points").iterdir():
            shutil.copy(path, self.results / "points")
        self.assertEqual(self.run_all()["ran"], 0)
        self.assertTrue(all(self.store().serves(p) for p in grid.unique(self.points)))
