"""Memory and time of `poetbnb verify' are bounded by the size of the file: files that grow, and files that ask for much."""

import gzip
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import samples

MEGABYTE = 1 << 20
NODE = {"inputs": [], "bytes": 4, "seconds": 1, "joules": 1, "pagein_joules": 2, "pageout_joules": 3, "pagein_seconds": 1,
        "pageout_seconds": 1}


def chain(n, deadline=None):
    """The beginning of a certificate that no schedule keeps 12 bytes, about a chain of n nodes."""
    problem = {"graph": {"name": "chain", "nodes": [{**NODE, "inputs": [k - 1] * (k > 0)} for k in range(n)]},
               "ram_budget_bytes": 12, "deadline_seconds": deadline, "R": [], "S": [], "A": [], "In": [], "Out": []}
    return f"poetbnb certificate 2\n{json.dumps(problem)}\ntrust exchanges\ninfeasible\nscale 1\n"


class Bounds(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())

    def verify(self, data, packed=False):
        """Exit status, message and processor seconds of `verify', which may hold 40 bytes for each of the file's (of a
        packed one that is there already, 400), and what the program and the largest of these graphs take."""
        path = pathlib.Path(self.folder, "file")
        if not packed:
            path.write_bytes(data)
        most = 64 * MEGABYTE + (400 if packed else 40) * path.stat().st_size
        before = os.times()
        run = subprocess.run(["sh", "-c", 'ulimit -v $1 && shift && exec "$@"', "sh", str(most // 1024),
                              samples.PROGRAM, "verify", "--quiet", path], capture_output=True, text=True, check=False)
        after = os.times()
        return run.returncode, run.stderr, after.children_user - before.children_user

    def test_growing_files(self):
        """Ten times as many steps take as much memory for each byte, and little more than ten times as long."""
        head = chain(8)
        for steps in ("propagate 0 memory 7 7\n", "reduce 0 1\n1 load 3\n", "event 4 2 9 2 1 1 3 2\n",
                      "total R 2 1 1 2 3\n", "total R 2 1 1 2 3\npropagate 0 total 0\n",
                      "round 1 4 1 1\n1 0 used_r 3 1\n1 R 3 1\n"):
            with self.subTest(steps):
                seconds = []
                for times in (2000, 20000):
                    status, message, spent = self.verify((head + steps * times + "end\n").encode())
                    self.assertEqual(status, 1, message)
                    self.assertIn("not complete", message)
                    seconds.append(spent)
                self.assertLess(seconds[1], 30 * seconds[0] + 1)

    def test_hostile_files(self):
        """Each ends with a message, little memory and little time."""
        head = chain(8)
        wide = chain(200, deadline=201.5)
        for name, data, status, word in (
                ("count", head + "reduce 0 2147483647\n1 load 3\n", 2, "ends here"),
                ("cases", head + "cases 999999999\n", 2, "integer"),
                ("event", head + "event 4 2 9 2147483647 1 1\n", 2, ""),
                ("round", head + "round 1 1 2147483647 2147483647\n", 2, ""),
                ("total", head + "total R 2147483647 1 1\n", 2, ""),
                ("words", head + "x " * MEGABYTE + "\n", 2, "words"),
                ("line", head + "x" * MEGABYTE, 2, "cut off"),
                ("depth", "poetbnb certificate 2\n" + "[" * MEGABYTE, 2, ""),
                ("objects", "poetbnb certificate 2\n" + '{"a":' * MEGABYTE, 2, ""),
                ("nodes", head.replace('"ram_budget_bytes": 12', '"ram_budget_bytes": 1e300'), 2, ""),
                # each second line makes a node know 20000 cells
                ("kept", wide + "".join(
                    f"branch {max(0, 2 * k - 1)} R 199 {k}\npropagate {2 * k + 2} deadline\n" for k in range(198)) + "end\n", 1, "too many cells")):
            with self.subTest(name):
                done = self.verify(data.encode())
                self.assertEqual(done[0], status, done[1])
                self.assertIn(word, done[1])
                self.assertLess(done[2], 5)

    def test_packed(self):
        """What unpacks to far more than a proof does is refused before it is unpacked."""
        path = pathlib.Path(self.folder, "file")
        with gzip.open(path, "wb") as file:
            file.write(chain(8).encode())
            for _ in range(256):
                file.write(b"x " * MEGABYTE)
        status, message, _ = self.verify(None, packed=True)
        self.assertEqual(status, 2, message)
        self.assertIn("longer than", message)


if __name__ == "__main__":
    unittest.main()
