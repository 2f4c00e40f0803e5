"""Both checkers of certificates say the same, of what is right and of what is nearly right."""

import functools
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import unittest

import grow
import samples

from verifier.model import Model

MUTANTS = 60  # of each certificate
GROWN_MUTANTS = 10


class Agree(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def agreed(self, data):
        """Exit status."""
        status, fault = samples.judge(data, self.folder)
        if fault:
            self.fail(f"{fault}\n{data.decode(errors='replace')[:4000]}")
        return status

    def test_the_certificates_of_the_first_checkers_tests(self):
        for path in sorted((samples.ROOT / "tests/data/certificates").glob("*.cert")):
            with self.subTest(path.name):
                self.assertEqual(self.agreed(path.read_bytes()), 0)

    def test_the_slack_of_an_equality(self):
        """Rows that are equalities count with any sign in a rounding, but have no slack in its cut."""
        text = (samples.ROOT / "tests/data/certificates/rounded.cert").read_text()
        for before, after in (("0x1p+0 0x1p+0 source_c 3 1", "0x1p+0 0x1.8p+0 source_c 3 1"),
                              ("-0x1.5555555555555p-2 0x0p+0 load 3", "-0x1.5555555555555p-2 -0x1p-9 load 3"),
                              ("-0x1.5555555555555p-2 0x0p+0 load 3", "-0x1.5555555555555p-2 -0x1p+9 load 3"),
                              ("-0x1.999999999998bp-1 0x0p+0 load 3", "-0x1.999999999998bp-1 0x1p-9 load 3")):
            with self.subTest(after):
                self.assertIn(before, text)
                self.assertEqual(self.agreed(text.replace(before, after).encode()), 1)

    def test_memory_beside_the_budget(self):
        """resident_bytes of a graph change nothing, and are bytes."""
        text = (samples.ROOT / "tests/data/certificates/rounded.cert").read_text()
        self.assertEqual(text.count('"nodes": ['), 1)
        for value, status in (("1000", 0), ("0", 0), ("-1", 2), ("1.5", 2), ('"1"', 2)):
            with self.subTest(value):
                data = text.replace('"nodes": [', f'"resident_bytes": {value}, "nodes": [')
                self.assertEqual(self.agreed(data.encode()), status)

    def test_marks_of_nodes(self):
        """Outputs survive the step: the last node reads them. What is stateful is computed once."""
        text = (samples.ROOT / "tests/data/certificates/rounded.cert").read_text()
        first, last = (f(text, '"bytes": ') for f in (str.index, str.rindex))
        for place, mark, statuses in (
                (last, '"output": true, ', {0}), (last, '"output": 1, ', {2}), (first, '"stateful": "replayed", ', {0}),
                (first, '"stateful": false, ', {0}), (first, '"stateful": "no", ', {2}), (first, '"stateful": true, ', {0, 1})):
            with self.subTest(mark):
                self.assertIn(self.agreed((text[:place] + mark + text[place:]).encode()), statuses)

    def test_the_cost_of_a_page_in(self):
        """With it is paid a page-out before it, unless one is known. Of five nodes that all fit, where a
        page-in costs 2 and a page-out 3; the probe that ends each proof holds if the cell is known to be 0."""
        node = {"inputs": [], "bytes": 1, "seconds": 1, "joules": 1, "pagein_joules": 2, "pageout_joules": 3,
                "pagein_seconds": 1, "pageout_seconds": 1}
        kept = [[t, i] for t in range(5) for i in range(t)]
        problem = {"graph": {"name": "five", "nodes": [{**node, "inputs": [k - 1] * (k > 0)} for k in range(5)]},
                   "ram_budget_bytes": 9, "R": [[k, k] for k in range(5)] + kept, "S": kept, "A": [], "In": [],
                   "Out": []}
        for trust in ("rules", "exchanges"):
            for bound, steps, cell, known in ((5, "", "In 3 0", True), (5.001, "", "In 3 0", False),
                                              (6, "branch 0 Out 1 0", "In 3 0", False),
                                              (6, "branch 0 Out 2 0", "In 3 0", False),
                                              (6, "branch 0 Out 1 0", "In 3 1", True),
                                              (6, "branch 0 Out 3 0", "In 3 0", True),
                                              (6, "branch 0 In 3 0", "In 2 0", True),
                                              (6, "branch 0 In 3 0", "Out 2 0", False),
                                              (5, "branch 0 In 3 0", "Out 2 0", True)):
                with self.subTest(trust=trust, bound=bound, steps=steps, cell=cell):
                    at = 2 if steps else 0
                    lines = ["poetbnb certificate 2", json.dumps(problem), f"trust {trust}", f"bound {bound}", "scale 4",
                             *steps.split("\n"), f"propagate {at} overhead", f"probe {at} {cell} 1 0", "end\n"]
                    data = "\n".join(line for line in lines if line).encode()
                    self.assertEqual(self.agreed(data), 1)
                    self.assertEqual("not complete" in samples.second_verdict(data)[1], known)

    def test_what_follows_for_neighbours(self):
        """Cells that are 0 tell of the tensor's users and inputs. Of a chain of five nodes; the probe holds if its
        cell is known to be 0."""
        node = {"bytes": 1, "seconds": 1, "joules": 1, "pagein_joules": 2, "pageout_joules": 3, "pagein_seconds": 1,
                "pageout_seconds": 1}
        kept = [[t, i] for t in range(5) for i in range(t)]
        problem = {"graph": {"name": "five", "nodes": [{**node, "inputs": [k - 1] * (k > 0)} for k in range(5)]},
                   "ram_budget_bytes": 9, "R": [[k, k] for k in range(5)] + kept, "S": kept, "A": [], "In": [],
                   "Out": []}
        for trust, zeros, cell, known in (("rules", ["C 3 0", "P 3 0", "R 3 0"], "R 3 1", True),
                                          ("rules", ["C 3 0", "P 3 0"], "R 3 1", False),
                                          ("exchanges", ["R 4 1"], "C 4 0", True),
                                          ("exchanges", ["R 4 2"], "R 4 1", True),
                                          ("exchanges", ["R 3 2"], "C 4 0", False),
                                          ("exchanges", ["R 3 1", "C 4 0"], "R 3 0", True),
                                          ("exchanges", ["P 4 0"], "In 3 0", True),
                                          ("exchanges", ["R 2 1", "R 2 0", "C 3 0"], "C 2 0", False),
                                          ("exchanges", ["R 2 1", "R 2 0", "Out 2 0", "C 3 0"], "C 2 0", True)):
            with self.subTest(trust=trust, zeros=zeros, cell=cell):
                lines = ["poetbnb certificate 2", json.dumps(problem), f"trust {trust}", "bound 9", "scale 4",
                         f"cases {len(zeros)}", *zeros, f"probe 0 {cell} 1 0", "end\n"]
                data = "\n".join(lines).encode()
                self.assertEqual(self.agreed(data), 1)
                self.assertEqual("not complete" in samples.second_verdict(data)[1], known)

    def test_the_command(self):
        path = samples.ROOT / "tests/data/certificates/linear.cert"
        script = str(samples.ROOT / "scripts/verify-certificate")
        run = subprocess.run([script, path], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("the proof holds", run.stdout)
        self.assertIn("9.65422052663e-06 J of overhead: optimal", run.stdout)
        self.assertIn("exchanges: reductions, event, late", run.stdout)
        graph = pathlib.Path(self.folder, "g.json")
        for platform, status in (("a72", 0), ("m4", 1)):
            graph.write_text(subprocess.run([samples.PROGRAM, "info", "--model=linear", "--platform", platform,
                                             "--json"], capture_output=True, text=True, check=True).stdout)
            run = subprocess.run([script, "--graph", graph, path], capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, status, run.stderr)
        run = subprocess.run([script, "-"], input="poetbnb certificate 1\n", capture_output=True, text=True,
                             check=False)
        self.assertEqual(run.returncode, 2)
        self.assertIn("-: line 1: no certificate", run.stderr)

    def test_what_a_proof_rests_on_has_one_word(self):
        """In what `solve' is asked for and says, in the file, and in what both checkers say."""
        path = pathlib.Path(self.folder, "c.txt")
        for trust in ("exchanges", "rules"):
            with self.subTest(trust):
                said = [json.loads(subprocess.run(
                    [samples.PROGRAM, *command.split(), path, "--json"], capture_output=True, text=True, check=True).stdout)
                    for command in ("solve --model=linear --platform=a72 --ram-budget=80% --no-paging --quiet "
                                    f"--trust={trust} --certificate", "verify")]
                texts = [subprocess.run([*command, path], capture_output=True, text=True, check=True).stdout
                         for command in ([samples.PROGRAM, "verify"], [samples.ROOT / "scripts/verify-certificate"])]
                words = [said[0]["certificate_trust"], said[1]["trust"],
                         *re.findall("^trust (.*)$", path.read_text(), re.M),
                         *(re.findall(r"^  Rests on +(\w+)", text, re.M)[0] for text in texts)]
                self.assertEqual(words, [trust] * 5)

    def exchanges(self, path, **rows):
        """What the second checker says of the certificate's graph, with other rows; and how many rows and cases."""
        c = samples.second.Certificate(path.read_text(), samples.second.ask)
        c.begin()
        for name, row in rows.items():
            setattr(c.model, name, functools.partial(row, c.model))
        e = samples.second.Exchanges(c.model)
        return e.fault(), {"rows": e.rows, "cases": e.cases}

    def test_exchanges(self):
        """Both carry them out, and rows that say more are refused."""
        folder = samples.ROOT / "tests/data/certificates"
        for name in ("tree", "totals", "infeasible"):
            run = subprocess.run([samples.PROGRAM, "verify", "--json", folder / f"{name}.cert"], capture_output=True,
                                 text=True, check=True)
            fault, done = self.exchanges(folder / f"{name}.cert")
            self.assertIsNone(fault)
            self.assertEqual(done, json.loads(run.stdout)["exchanges"])

        def late(m, t, i):
            """Without what is paged out in the next stage."""
            row = Model.row_late(m, t, i)
            return row and row + m.total(m.Out(t + 1, u) for u in m.p.inputs[i])

        def used_s(m, t, i):
            row = Model.row_used_s(m, t, i)
            return row and row + m.Out(t, i)

        for given, name in ((late, "late"), (used_s, "used_s")):
            fault, _ = self.exchanges(folder / "tree.cert", **{f"row_{name}": given})
            self.assertIn(f"row {name}", fault)

    def test_single_lines(self):
        """What the format says of one word or two, and mutations seldom reach."""
        path = samples.ROOT / "tests/data/certificates/linear.cert"
        lines = path.read_text().split("\n")
        event = next(k for k, line in enumerate(lines) if line.startswith("event"))
        reader, path = 5, "4 out 3"
        for line, status in ((f"source {reader} 7 12 {path}", 0), (f"source {reader} 7 12 4 out out 3", 2),
                             (f"source {reader} 7 12 out 4", 2), (f"source {reader} 7 12 kept {path}", 0),
                             (f"source {reader} 5 12 {path}", 1), (f"source {reader} 7 12 2", 1),
                             (f"source {reader} 7 27 {path}", 2), (f"source {reader} 7 12", 2),
                             ("event 20 20 0 0", 0), ("event 20 20 -1 0", 1), ("event 20 21 0 0", 1),
                             ("event 20 19 if 0 1 19 1", 1), ("event 20 20 0 1 20 0", 1),
                             ("propagate 0 source_c 26 0", 0), ("propagate 0 source_c 5 5", 1),
                             ("propagate 0 free_use 5 4 -1", 1), ("propagate 0 free_use 6 4 -1", 0),
                             ("probe 0 R 5 4 2 0", 2), ("branch 0 R 5 5", 2), ("reduce 0 1\n-1 load 3", 0),
                             ("total R 1 0 1", 0), ("total R 1 0 0", 2), ("total R 1 27 1", 2),
                             ("total R 2 1 1 0 1", 2), ("total R 2 1 1", 2), ("total L 1 0 1", 2),
                             ("total R 1 0 1073741825", 2), ("propagate 0 total 0", 2),
                             ("total R 1 0 1\npropagate 0 total 0", 0), ("total R 1 0 1\npropagate 0 total 1", 2),
                             ("total R 1 0 1\nreduce 0 1\n-1 total 0", 0),
                             ("total R 1 0 1\nprobe 0 total 0 most -1 0", 0),
                             ("total R 1 0 1\nprobe 0 total 0 least 1000 0", 0),
                             ("total R 1 0 1\nprobe 0 total 0 most 0 0", 1),
                             ("total R 1 0 1\nprobe 0 total 0 least 1 0", 1),
                             ("total R 1 0 1\nprobe 0 total 0 least 0 0", 1),
                             ("total R 1 0 1\nprobe 0 total 0 above 1 0", 2),
                             ("total R 1 0 1\nprobe 0 total 0 most 0", 2), ("branch 0 total 0 1", 2),
                             ("total R 1 0 1\nbranch 0 total 0", 2), ("reduce 0 1\n-1 one 3 0", 1), ("reduce 0 1\n0x1p-201 one 3 0", 2),
                             ("timeline 1 5", 0), ("timeline 0", 2), ("timeline 1 27", 2), ("timeline 2 5 5", 2),
                             ("timeline 2 5", 2), ("propagate 0 point_load 0", 2), ("reduce 0 0 at 0", 2),
                             ("timeline 1 5\npropagate 0 point_load 0", 1), ("eliminate 0", 1),
                             ("timeline 2 5 9\npropagate 0 point_load 0", 0), ("eliminate 0 at 0", 2),
                             ("timeline 2 5 9\npropagate 0 point_kept 0 6", 1),
                             ("timeline 2 5 9\npropagate 0 point_kept 1 3", 1),
                             ("timeline 2 5 9\npropagate 0 point_kept 0 5", 0),
                             ("timeline 2 5 9\npropagate 0 point_used 0 5", 1),
                             ("timeline 1 5\npropagate 0 point_input 0 5 6", 1),
                             ("timeline 1 5\npropagate 0 point_input 0 4 5", 0),
                             ("timeline 1 5\npropagate 0 point_room 0 6", 1),
                             ("timeline 1 5\npropagate 0 point_deadline 0", 1),
                             ("timeline 1 5\npropagate 0 total 0", 1), ("timeline 1 5\nreduce 0 1\n0 total 0", 1),
                             ("timeline 1 5\npropagate 0 total 136", 2), ("timeline 1 5\npropagate 0 total 135", 1),
                             ("timeline 1 5\nreduce 0 0 at 0", 0), ("timeline 1 5\nreduce 0 0 at 1", 2),
                             ("timeline 1 5\nreduce 0 0 on 0", 2), ("timeline 1 5\nreduce 0 0 at", 2),
                             ("timeline 1 5\neliminate 0 at 0", 0), ("timeline 1 5\neliminate 0", 1),
                             ("timeline 1 5\nprobe 0 total 135 least 1 0 at 0", 0),
                             ("timeline 1 5\nprobe 0 total 85 least 1 0 at 0", 1),
                             ("timeline 1 5\nreduce 0 1\n-1 point_used 0 5", 1),
                             ("timeline 1 5\npropagate 0 point_back 0 5", 1),
                             ("timeline 2 5 9\npropagate 0 point_back 1 5", 1),
                             ("timeline 2 5 9\npropagate 0 point_back 0 6", 1),
                             ("timeline 2 5 9\npropagate 0 point_back 0 5", 0)):
            with self.subTest(line):
                changed = "\n".join([*lines[:event], *line.split("\n"), *lines[event:]])
                if line.startswith(("event", "source")):  # the last cut keeps the numbers of the others
                    changed = "\n".join([*lines[:-2], line, *lines[-2:]])
                self.assertEqual(self.agreed(changed.encode()), status)


def make_mutants(number):
    def test(self):
        rng = random.Random(number)
        original = samples.certificate(rng, number, self.folder)
        self.assertEqual(self.agreed(original), 0)
        accepted = 0
        for _ in range(MUTANTS):
            accepted += self.agreed(samples.mutate(rng, original)) == 0
        self.assertLess(accepted, MUTANTS)

    return test


def make_grown(number):
    def test(self):
        rng = random.Random(number)
        original, *refused = grow.proofs(rng, number, self.folder)
        self.agreed(original)
        for data in refused:
            self.assertNotEqual(self.agreed(data), 0)
        for data in grow.shown(rng, number, self.folder):
            self.agreed(data)
        for _ in range(GROWN_MUTANTS):
            self.agreed(samples.mutate(rng, original))

    return test


for each in range(len(samples.OPTIONS)):
    setattr(Agree, f"test_grown_{each}", make_grown(each))
    setattr(Agree, f"test_mutants_{each}", make_mutants(each))

if __name__ == "__main__":
    sys.exit(unittest.main())
