"""Both checkers of certificates say the same, of what is right and of what is nearly right."""

import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import grow
import samples

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

    def test_the_command(self):
        path = samples.ROOT / "tests/data/certificates/linear.cert"
        script = str(samples.ROOT / "scripts/verify-certificate")
        run = subprocess.run([script, path], capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("the proof holds", run.stdout)
        self.assertIn("9.65422052663e-06 J of overhead: optimal", run.stdout)
        self.assertIn("canonical: reductions, event, late", run.stdout)
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

    def test_single_lines(self):
        """What the format says of one word, and mutations seldom reach."""
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
                             ("reduce 0 1\n-1 one 3 0", 1), ("reduce 0 1\n0x1p-201 one 3 0", 2)):
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
