"""Both checkers of certificates say the same, of what is right and of what is nearly right."""

import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import samples

MUTANTS = 100  # of each certificate


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


for each in range(len(samples.OPTIONS)):
    setattr(Agree, f"test_mutants_{each}", make_mutants(each))

if __name__ == "__main__":
    sys.exit(unittest.main())
