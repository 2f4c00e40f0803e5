"""Running points: order, starts, limits, kills."""

import dataclasses
import json
import os
import re
import signal
import subprocess
import time
import unittest.mock

from paper import points as grid
from paper import run
from support import BENCH, PROGRAM, FakeCase, bench, record


class Starts(FakeCase):
    def test_ours_starts_from_the_best_baseline(self):
        self.run_all()
        for line in self.calls("solve"):
            start = line.split("--warm-start=auto,")[1].split()[0]
            with open(start) as file:
                self.assertEqual(json.load(file), {"of": "revolve"})
            budget = "50" if "--ram-budget=50%" in line else "70"
            self.assertIn(f"linear-a72-{budget}-", start)

    def test_the_best_of_several_sources_counts(self):
        ours = dataclasses.replace([p for p in self.points if p.run == "ours"][0],
                                   sources=("base", "base2"))
        base = [p for p in self.points if p.run == "base" and p.budget == ours.budget][0]
        other = dataclasses.replace(base, run="base2", options=("--dtr-thrash=5",))
        for first, second, best in ((3.0, 2.0, other), (2.0, 3.0, base)):
            runner = self.runner([base, other, ours])
            for point, overhead in ((base, first), (other, second)):
                self.write("compare.json", json.dumps({"methods": [
                    record("dtr", None), record("revolve", overhead)]}))
                runner.run(point)
            self.assertEqual(runner.best_schedule(ours), runner.store.schedule(best.key))

    def test_sources_run_first(self):
        ours = [p for p in self.points if p.run == "ours"][0]
        self.runner().run(ours)
        self.assertEqual([c.split()[0] for c in self.calls()], ["compare", "solve", "check"])

    def test_no_start_without_schedules(self):
        self.write("compare.json", json.dumps({"methods": [
            record("dtr", None), record("revolve", None)]}))
        self.run_all()
        self.assertFalse(any("--warm-start" in line for line in self.calls("solve")))

    def test_phases(self):
        words = [self.program, self.results, "--experiments", self.folder / "experiments.toml"]
        lines = bench(*words, "--list").stdout.splitlines()
        self.assertEqual([line.split("\t")[1] for line in lines], ["1", "1", "2", "2"])
        keys = [line.split("\t")[0] for line in lines]
        self.assertEqual(keys, [p.key for p in self.points])
        self.assertEqual(bench(*words, "--point", keys[3]).returncode, 0)
        left = [line.split("\t")[0] for line in bench(*words, "--list").stdout.splitlines()]
        self.assertEqual(left, [keys[0], keys[2]])  # its source was run, too
        self.assertEqual(bench(*words, "--list", "--phase", 2).stdout.split()[0], keys[2])
        self.assertEqual(bench(*words, "--point", "no-such").returncode, 2)


class Ends(FakeCase):
    def test_hanging_program_is_killed(self):
        self.write("delay", "30")
        with unittest.mock.patch.object(run, "GRACE", 0.2):
            started = time.monotonic()
            result = self.runner().run(dataclasses.replace(self.points[0], limit=0.1, methods=("dtr",)))
        self.assertLess(time.monotonic() - started, 20)
        self.assertTrue(result["failed"])
        self.assertEqual(result["exit"], 128 + signal.SIGKILL)

    def words(self):
        return [str(BENCH), str(self.program), str(self.results), "--experiments",
                str(self.folder / "experiments.toml"), "--jobs=1"]

    def started(self, calls):
        process = subprocess.Popen(self.words(), stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL)
        while len(self.calls()) < calls:
            time.sleep(0.01)
        return process

    def test_killed_bench_goes_on(self):
        self.write("delay", "0.3")
        process = self.started(2)
        process.kill()
        process.wait()
        (self.folder / "delay").unlink()
        kept = len(grid.unique(self.points)) - len(
            bench(*self.words()[1:], "--list").stdout.splitlines())
        self.assertEqual(kept, 1)
        self.assertEqual(self.run_all()["ran"], 3)

    def test_programs_die_with_the_bench(self):
        self.write("delay", "60")
        process = self.started(1)
        child = int(subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True,
                                   check=True).stdout.split()[0])
        process.kill()
        process.wait()
        for _ in range(200):
            try:
                with open(f"/proc/{child}/stat") as file:
                    if file.read().rsplit(")", 1)[1].split()[0] == "Z":
                        return
            except OSError:
                return
            time.sleep(0.05)
        os.kill(child, signal.SIGKILL)
        self.fail("the program outlived the bench")

    def test_ended_point_leaves_nothing(self):
        self.write("delay", "60")
        process = subprocess.Popen([*self.words(), "--point", self.points[0].key])
        while not self.calls():
            time.sleep(0.01)
        process.terminate()
        self.assertEqual(process.wait(20), 130)
        self.assertEqual(list((self.results / "points").iterdir()), [])

    def test_interrupt_keeps_what_is_done(self):
        self.write("delay", "0.3")
        process = self.started(2)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(20), 130)
        self.assertGreaterEqual(sum(map(self.store().serves, self.points)), 1)


class Grid(FakeCase):
    def test_dense_setting_is_the_papers_grid(self):
        table = grid.Table(BENCH.parent / "experiments.toml")
        points = table.points("dense", PROGRAM)
        ours = {(p.network, p.platform, p.budget) for p in points if
                p.experiment == "fig3" and p.run == "poetbnb"}
        self.assertEqual(len(ours), 3 * 4 * 10)
        fig4 = {(p.budget, p.deadline, p.run) for p in points if p.experiment == "fig4"}
        self.assertEqual(len(fig4), 10 * 5 * 3)
        fig5 = {p.budget for p in points if p.experiment == "fig5" and p.platform == "a72"}
        self.assertEqual(len(fig5), 10)
        said = subprocess.run([PROGRAM, "compare", "--model=linear", "--platform=a72",
                               "--ram-budget=50%", "--methods=?"], capture_output=True, text=True,
                              check=False).stderr
        for method in {m for p in points for m in p.methods}:
            self.assertIn(method, said)

    def test_ablation_leaves_every_feature_out(self):
        switches = {name: off for name, off, _, on in grid.switches(PROGRAM) if on}
        self.assertEqual(switches["release"], "--without=release")
        self.assertEqual(switches["exact.coarse"], "--set=exact.coarse=off")
        table = grid.Table(BENCH.parent / "experiments.toml")
        options = {o for p in table.points("beside", PROGRAM, "ablation") for o in p.options}
        self.assertLessEqual(set(switches.values()), options)

    def test_points_asked_for_twice_are_run_once(self):
        table = grid.Table(BENCH.parent / "experiments.toml")
        fig5 = {p.key for p in table.points("dense", PROGRAM, "fig5")}
        fig3 = {p.key for p in table.points("dense", PROGRAM, "fig3")}
        self.assertLessEqual(fig5, fig3)

    def test_an_experiment_is_a_few_lines(self):
        text = (self.folder / "experiments.toml").read_text()
        more = '[[experiment]]\nname = "mine"\nnetworks = ["bert"]\nplatforms = ["m4"]\n' \
            'budgets = ["60%"]\nruns = ["ours"]\nsettings = ["dense"]\n'
        table = grid.Table(self.write("more.toml", more + text))
        self.assertEqual([p.network for p in table.points("dense", str(self.program), "mine")],
                         ["bert"])

    def test_bad_input_is_refused_with_its_place(self):
        text = (self.folder / "experiments.toml").read_text()
        for old, new, said in (
                ('networks = ["linear"]\n', "", "experiment 'e': no 'networks'"),
                ('["linear"]', '1', "'networks': expected a list of texts"),
                ('["linear"]', '["mine.json"]', "no file "),
                ('runs = ["base"', 'deadline = ["1"]\nruns = ["base"', "unknown key 'deadline'"),
                ('runs = ["base"', 'runs = ["bass"', "'runs': unknown 'bass': expected base, ours"),
                ('settings = ["dense"]', 'settings = ["dens"]', "unknown 'dens'"),
                ("limit = 10", "limit = true", "[run.base]: 'limit': expected a number"),
                ('command = "compare"', 'solver = "clip"', "'solver': unknown 'clip'"),
                ('from = ["base"]', 'from = ["bas"]', "'from': unknown 'bas'"),
                ('"compare"', '"compar"', "'command': unknown 'compar'"),
                ("[names]", "", "no 'names'"), ("[names]", "[names", "line ")):
            self.assertIn(old, text)
            path = self.write("broken.toml", text.replace(old, new, 1))
            answer = bench(self.program, self.results, "--experiments", path, "--list")
            self.assertEqual(answer.returncode, 2, new)
            self.assertRegex(answer.stderr, r"^bench: [^\n]*" + re.escape(said) + r"[^\n]*\n$")
            self.assertIn("broken.toml", answer.stderr)

    def test_bad_arguments_are_refused(self):
        words = [self.program, self.results, "--experiments", self.folder / "experiments.toml"]
        for more, said in ((["--only", "f"], "bench: --only: unknown 'f': expected e\n"),
                           (["--jobs", "0"], "--jobs"), (["--limit", "-1"], "--limit")):
            answer = bench(*words, *more)
            self.assertEqual(answer.returncode, 2, more)
            self.assertIn(said, answer.stderr)
        self.assertEqual(bench("/no/program", self.results).stderr,
                         "bench: /no/program: No such file or directory\n")

    def test_readers_may_stop_early(self):
        words = [str(BENCH), PROGRAM, str(self.results), "--list"]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
            process.stdout.close()
            self.assertEqual(process.wait(), 141)
            self.assertEqual(process.stderr.read(), b"")

    def test_estimates_know_what_was_cut_off(self):
        ours = self.points[-1]
        self.assertEqual(run.estimate(ours, self.store()), 1)
        self.write("solve.json", json.dumps(self.answer | {"stopped_by": "time limit"}))
        self.write("exit", "4")
        self.run_all([ours])
        longer = dataclasses.replace(ours, limit=600)
        self.assertEqual([run.estimate(p, self.store()) for p in (longer, self.points[0])], [600, 1])

    def test_estimates_grow_with_the_limit(self):
        text = (self.folder / "experiments.toml").read_text()
        table = grid.Table(self.write("open.toml", text.replace(
            "[setting.dense]", "open = 0.25\n[setting.dense]\nlimit = 50")))
        for most, expected in ((50, 0.75 + 0.25 * 50), (20, 0.75 + 0.25 * 20), (0.5, 0.5)):
            points = table.points("dense", str(self.program), most=most)
            ours = [p for p in points if p.run == "ours"][0]
            base = [p for p in points if p.run == "base"][0]
            self.assertEqual((ours.limit, base.limit, base.typical), (most, 10, 1))
            self.assertEqual(ours.typical, expected)
        said = bench(self.program, self.results, "--experiments", self.folder / "open.toml", "--limit", 20, "--list")
        self.assertEqual([line.split("\t")[2:] for line in said.stdout.splitlines()],
                         [["20", "1"]] * 2 + [["20", "5.75"]] * 2)

    def test_limits_are_at_most_those_asked_for(self):
        words = [self.program, self.results, "--experiments", self.folder / "experiments.toml"]
        for point in self.points:
            self.assertEqual(bench(*words, "--limit=3", "--point", point.key).returncode, 0)
        self.assertTrue(all("--time-limit-s=3 " in c for c in self.calls("solve")))
        self.assertEqual(bench(*words, "--limit", 3, "--list").stdout, "")
        self.assertEqual(bench(*words, "--list").stdout, "")  # none was cut off
        for bad in ("0", "-1", "nan", "x"):
            self.assertEqual(bench(*words, f"--limit={bad}").returncode, 2, bad)

    def granted(self, points, total):
        """What run_all calls with a total of so many seconds: points with their limits, in its order."""
        runner = self.runner(points)
        with unittest.mock.patch.object(runner, "run", side_effect=lambda p, limit: {"failed": False}) as ran:
            runner.run_all(1, total, lambda text: None)
        return [c.args for c in ran.call_args_list]

    def test_limits_shrink_where_the_time_is_short(self):
        def limits(total):
            return [limit for p, limit in self.granted(self.points, total) if p.run == "ours"]
        self.assertEqual(limits(3), [10, 10])  # 2 s are expected
        self.assertLess(limits(1)[0], 6)
        self.assertEqual([limit for p, limit in self.granted(self.points, 0.01) if p.run == "base"], [10, 10])

    def test_long_points_start_first(self):
        points = [dataclasses.replace(p, typical=typical) for p, typical in zip(self.points, (1, 2, 3, 4))]
        self.assertEqual([p.typical for p, _ in self.granted(points, None)], [2, 1, 4, 3])

    def test_the_longest_limit_of_a_point_counts(self):
        text = (self.folder / "experiments.toml").read_text()
        more = '[[experiment]]\nname = "e"\nnetworks = ["linear"]\nplatforms = ["a72"]\n' \
            'budgets = ["70%"]\nruns = ["ours"]\nlimit = 30\nsettings = ["dense"]\n'
        points = grid.Table(self.write("more.toml", text + more)).points("dense", str(self.program))
        self.assertEqual([(p.run, p.budget, p.limit) for p in points],
                         [("base", "50%", 10), ("base", "70%", 10), ("ours", "50%", 10), ("ours", "70%", 30)])
        self.assertEqual([p.key for p in points], [p.key for p in self.points])

    def test_half_an_hour_begins_with_ten_minutes(self):
        points = grid.Table(BENCH.parent / "experiments.toml").points("full", PROGRAM, "longer")
        self.assertEqual({(p.run, p.limit, p.sources) for p in points},
                         {("ten_minutes", 600, ()), ("half_an_hour", 1200, ("ten_minutes",))})
        for p in points:
            self.assertEqual(len(grid.sources(points, p)), len(p.sources))
