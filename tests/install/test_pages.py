"""The manual page and the completion of bash, against the program's help."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parent.parent.parent / "scripts"


def output(*words):
    return subprocess.run([str(w) for w in words], capture_output=True, text=True, check=True).stdout


def names(*words):
    """Names of options that begin a line of a help text, with = where they take an argument."""
    return set(re.findall(r"^ {6}(--[a-z-]+=?)", output(os.environ["POETBNB"], *words, "--help"), re.MULTILINE))


def commands():
    return re.findall(r"^  ([a-z]+)  ", output(os.environ["POETBNB"], "--help"), re.MULTILINE)


class Page(unittest.TestCase):
    def setUp(self):
        self.page = output(SCRIPTS / "program-manual", os.environ["POETBNB"])

    def test_every_option_has_an_entry_that_names_the_commands_that_take_it(self):
        taken = {}
        for entry in self.page.split("\n.TP\n")[1:]:
            words, takers = re.match(r"\.B (.*)\n.*\n\((.*)\)", entry).groups()
            option = re.match(r"--[a-z-]+=?", words.replace("\\", ""))[0]
            taken.setdefault(option, []).extend(takers.split(", "))
        for command in commands():
            self.assertIn(f"\n.SS poetbnb {command} ", self.page)
            self.assertEqual({o for o, takers in taken.items() if command in takers}, names(command) - {"--usage"})
            self.assertEqual([o for o, takers in taken.items() if takers.count(command) > 1], [])
        self.assertIn("\\-\\-time\\-limit=", self.page)

    def test_the_page_is_roff(self):
        known = re.compile(r"\.(TH|SH|SS|B|BR|I) |\.(PP|TP)$|[^.']|$")
        for line in self.page.split("\n"):
            self.assertTrue(known.match(line), line)
        if shutil.which("groff"):
            ran = subprocess.run(["groff", "-ww", "-z", "-man"], input=self.page, capture_output=True, text=True,
                                 check=True)
            self.assertEqual(ran.stderr, "")


class Completion(unittest.TestCase):
    def offered(self, words, last):
        """What bash offers for the words, of which the one with this number is being typed."""
        script = (f". {SCRIPTS / 'completion.bash'}; COMP_WORDS=({words}); COMP_CWORD={last}; _poetbnb; "
                  "printf '%s\\n' \"${COMPREPLY[@]}\"")
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "poetbnb").symlink_to(os.path.abspath(os.environ["POETBNB"]))
            pathlib.Path(folder, "a plan.json").touch()
            ran = subprocess.run(["bash", "-c", script], cwd=folder, capture_output=True, text=True, check=True,
                                 env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}"))
        self.assertEqual(ran.stderr, "")
        return set(ran.stdout.split("\n")) - {""}

    def test_each_command_is_offered_its_options_and_no_others(self):
        self.assertGreater(len(commands()), 9)
        for command in commands():
            offered = self.offered(f"poetbnb {command} --", 2)
            aliases = {"--threads=", "--time-limit="}
            self.assertEqual(offered - aliases, names(command) | {"--help", "--version"} - aliases)

    def test_values_are_completed(self):
        self.assertEqual(self.offered("poetbnb s", 1), {"solve", "sweep"})
        self.assertIn("resnet50", self.offered("poetbnb solve --model res", 3))
        self.assertIn("bert", self.offered("poetbnb solve --model =", 3))
        self.assertEqual(self.offered("poetbnb solve --model = vgg", 4), {"vgg16", "vgg16_cifar"})
        self.assertEqual(self.offered("poetbnb solve --platform = m", 4), {"m0", "m4"})
        self.assertEqual(self.offered("poetbnb solve --trust = r", 4), {"rules"})
        self.assertEqual(self.offered("poetbnb solve --without = late,mer", 4), {"late,merge"})
        self.assertEqual(self.offered("poetbnb compare --methods = dtr,poe", 4), {"dtr,poetbnb"})

    def test_files_are_completed_where_they_are_expected(self):
        for words, last in ("poetbnb check a", 2), ("poetbnb solve --graph = a", 4):
            self.assertEqual(self.offered(words, last), {"a plan.json"})
        self.assertEqual(self.offered("poetbnb solve --gap = a", 4), set())
