"""The worked example of docs/lab.md, from the patch to the table, on a copy of the sources."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = pathlib.Path(os.environ["POETBNB"]).resolve()
VARIANT = PROGRAM.parent.name
LAB_PAGE = ROOT / "docs" / "lab.md"
PAGE = LAB_PAGE.read_text()
PATCHES = re.findall(r"^```diff\n(.*?)^```$", PAGE, re.M | re.S)
LAB = 'make lab NAME=reread BENCH_ARGS="--seeds=2 vgg16_cifar-a72-50 vgg16_cifar-m4-60 bert-m0-60"'
NUMBERS = ("none", "one", "two", "three", "four")
PROBLEM = "--model vgg16_cifar --platform a72 --ram-budget 50%"


def hunks(patch):
    """(lines before, lines after, as the header says; the same as counted) of every hunk."""
    for old, new, body in re.findall(r"^@@ -\d+,(\d+) \+\d+,(\d+) @@.*\n((?:(?:[ +-].*)?\n)*)",
                                     patch, re.M):
        lines = re.split(r"^--- ", body, maxsplit=1, flags=re.M)[0].splitlines()
        yield (int(old), int(new), sum(not line.startswith("+") for line in lines),
               sum(not line.startswith("-") for line in lines))


class Patches(unittest.TestCase):
    def test_their_headers_count_right(self):
        """patch(1) forgives wrong ones, other programs do not."""
        counted = [hunk for patch in PATCHES for hunk in hunks(patch)]
        self.assertEqual(len(counted), 5)
        for old, new, before, after in counted:
            self.assertEqual((old, new), (before, after))


class Lab(unittest.TestCase):
    """In the order of the page."""

    def setUp(self):
        self.copy = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "copy"
        shutil.copytree(ROOT, self.copy, ignore=shutil.ignore_patterns("build", ".git"))
        # What is built already is not built again.
        built = f"build/{VARIANT}"
        shutil.copytree(ROOT / built, self.copy / built)

    def run_words(self, words):
        environment = {k: v for k, v in os.environ.items()
                       if k not in ("MAKEFLAGS", "MFLAGS", "MAKELEVEL", "POETBNB")}
        environment["CK_RUN_CASE"] = "canonical schedules"
        return subprocess.run(words, cwd=self.copy, env=environment, capture_output=True,
                              text=True, check=False)

    def say(self, command):
        """Runs a command of the page's, which must be there."""
        self.assertIn(command, PAGE)
        words = command.replace("build/release/", f"build/{VARIANT}/")
        return self.run_words(["bash", "-c", words.replace("make ", f"make VARIANT={VARIANT} ")])

    def build(self, *targets):
        done = self.run_words(["make", "-j2", f"VARIANT={VARIANT}", "all",
                               *(f"build/{VARIANT}/{t}" for t in targets)])
        self.assertEqual(done.returncode, 0, done.stderr)

    def patch(self, text):
        done = subprocess.run(["patch", "-p1", "--fuzz=0"], cwd=self.copy, input=text, capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        moved = re.findall(r"^Hunk #\d+ succeeded at (\d+) \(offset (-?\d+) lines?\)", done.stdout, re.M)
        if moved and not pages.WRITE:
            self.fail(f"a patch in docs/lab.md has old line numbers (PAGES=write writes them):\n{done.stdout}")
        for now, offset in moved:  # of hunks one file each
            before = int(now) - int(offset)
            LAB_PAGE.write_text(re.sub(rf"^@@ -{before},(\d+) \+{before},", rf"@@ -{now},\1 +{now},",
                                       LAB_PAGE.read_text(), count=1, flags=re.M))

    def shows(self, said, after, indent="    "):
        """Compares the lines `said` with the block that follows a text of the page."""
        block = re.search(rf"{re.escape(after)}\n\n((?:{indent or '[|]'}.*\n)+)", LAB_PAGE.read_text())
        self.assertTrue(block, after)
        pages.compare(self, LAB_PAGE, [line[len(indent):] for line in block[1].splitlines()], said, after, indent)

    def sentence(self, said):
        """Compares a sentence of the page, but for its line breaks."""
        self.assertIn(said, " ".join(LAB_PAGE.read_text().split()))

    def check_rows(self):
        return self.say(f"build/release/poetbnb solve {PROBLEM} --with=reread --check-rows best.json")

    def check_verdict(self, text):
        """Of a table: the root bound does not move, nor do the nodes and the work by more than a few per cent."""
        for row, none, most in (("root bound after cuts, % of the overhead", 0, 0.01), ("nodes", 1, 0.05),
                                ("work, 10^9 steps", 1, 0.1), ("processor seconds", 1, 1)):
            found = re.search(rf"^\| {re.escape(row)} \|(?: [-+0-9.e]+ \|){{2}} (?:x )?([-+0-9.e]+) \|", text, re.M)
            self.assertTrue(found, row)
            self.assertLess(abs(float(found[1]) - none), most, row)

    def test_from_the_patch_to_the_table(self):
        self.assertEqual(len(PATCHES), 2)
        self.patch(PATCHES[0])
        self.build("tests/run-formulation")
        done = self.say(f"build/release/poetbnb solve {PROBLEM} --quiet --out best.json")
        self.assertEqual(done.returncode, 0, done.stderr)

        valid = self.check_rows()
        self.assertEqual(valid.returncode, 0, valid.stdout + valid.stderr)
        self.shows(valid.stdout.splitlines(), "says")
        tests = self.say("make run-formulation")
        self.assertEqual(tests.returncode, 0, tests.stdout)
        book = self.run_words(["bash", "-c", 'CK_RUN_CASE="formulation: the book" '
                               f"build/{VARIANT}/tests/run-formulation"])
        self.assertEqual(book.returncode, 0, book.stdout)
        refused = self.run_words(["bash", "-c", f"build/{VARIANT}/poetbnb solve {PROBLEM} "
                                  "--with=reread --certificate proof.txt"])
        self.assertEqual(refused.returncode, 2)
        self.assertIn("reread", refused.stderr)

        table = self.say(LAB)
        self.assertEqual(table.returncode, 0, table.stderr)
        self.assertIn("must be 0: 0.", table.stdout)
        self.check_verdict(table.stdout)
        self.shows([line for line in table.stdout.splitlines() if line.startswith("|")],
                   "runs each instance without and with the feature and ends with a table, within a minute:", "")

        self.patch(PATCHES[1])
        self.build("tests/run-formulation")
        wrong = self.check_rows()
        self.assertEqual(wrong.returncode, 1, wrong.stdout + wrong.stderr)
        self.assertIn("\nreread: ", wrong.stdout)
        self.shows(wrong.stdout.splitlines()[1:], "then the first check ends with status 1 and")
        tests = self.say("make run-formulation")
        self.assertNotEqual(tests.returncode, 0)
        self.assertIn("it breaks a row of reread", tests.stdout)
        ran, failed = re.search(r"Checks: (\d+), Failures: (\d+), Errors: 0", tests.stdout).groups()
        self.sentence(f"{NUMBERS[int(failed)]} of the {NUMBERS[int(ran)]} tests of canonical schedules fail")
        wrong = self.say(f"build/release/poetbnb solve {PROBLEM} --threads 1 --quiet --with=reread")
        right = self.run_words(f"build/{VARIANT}/poetbnb solve {PROBLEM} --quiet".split())
        claims = [re.match(r"Proven optimal: .* less than (\S+) J ", done.stdout)[1] for done in (wrong, right)]
        self.sentence("calls {} J optimal, where {} J is right.".format(*claims))
