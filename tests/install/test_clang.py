"""Another compiler, without optimisation: clang has nothing to say of any file, and its program takes
the same steps to the same answers. `make check-portable` asks the same of more compilers, C libraries
and processors."""

import json
import os
import shutil
import subprocess
import tempfile
import unittest

from tree import ROOT

FLAGS = "-O0 -fPIC -fvisibility=hidden -ffp-contract=off -DNDEBUG"
POINTS = (("vgg16_cifar", "a72", "70%"), ("linear", "m4", "50%"))


def answer(program, model, platform, budget):
    ran = subprocess.run(
        [program, "solve", "--model", model, "--platform", platform, "--ram-budget", budget, "--threads",
         "1", "--json"],
        capture_output=True, text=True, check=True,
    )
    said = json.loads(ran.stdout)
    return {k: said[k] for k in ("status", "overhead_joules", "nodes", "lp_iterations", "cuts", "work")}


@unittest.skipUnless(shutil.which("clang"), "needs clang")
class Clang(unittest.TestCase):
    def test_no_warnings_and_the_same_answers(self):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
        environment["CFLAGS"] = "-Werror"
        with tempfile.TemporaryDirectory() as folder:
            made = subprocess.run(
                ["make", "-s", "-C", ROOT, f"-j{os.cpu_count()}", "CC=clang", "VARIANT=portable",
                 f"FLAGS_portable={FLAGS}", f"OUT={folder}", f"{folder}/poetbnb", f"{folder}/libpoetbnb.so.0"],
                env=environment, capture_output=True, text=True, check=False,
            )
            self.assertEqual((made.returncode, made.stderr), (0, ""), made.stdout[-4000:])
            for point in POINTS:
                got = answer(f"{folder}/poetbnb", *point)
                self.assertEqual(got, answer(os.environ["POETBNB"], *point), point)
                self.assertEqual(got["status"], "optimal")


if __name__ == "__main__":
    unittest.main()
