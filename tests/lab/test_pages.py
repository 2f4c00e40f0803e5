"""What the pages say of the program, where it can be asked: README's example and commands, links."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text()
COMMANDS = (ROOT / "docs" / "commands.md").read_text()
DIGITS = re.compile(r"[0-9]+")  # of counts, which change with the program
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("benchmarks/*.md"),
         ROOT / "certificate" / "FORMAT.md"]


def poetbnb(*words):
    return subprocess.run([os.environ["POETBNB"], *words], capture_output=True, text=True,
                          check=False)


def anchors(page):
    """As GitHub makes them of headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", t.strip().lower()).replace(" ", "-") for t in titles}


class Pages(unittest.TestCase):
    def test_readme_is_short(self):
        self.assertLess(len(README.split()), 1500)

    def test_readme_names_every_command_and_no_other(self):
        listed = re.findall(r"^  (\w+) +\S", poetbnb("--help").stdout.split("Commands:")[1], re.M)
        self.assertGreater(len(listed), 8)
        self.assertEqual(set(re.findall(r"`poetbnb ([a-z]+)", README)), set(listed))

    def test_the_certificate_of_the_page(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        proof = str(folder / "proof.txt")
        problem = ["--model", "vgg16_cifar", "--platform", "a72", "--ram-budget", "50%"]
        self.assertIn(f"$ poetbnb solve {' '.join(problem)} --certificate proof.txt\n", COMMANDS)
        done = poetbnb("solve", *problem, "--quiet", "--certificate", proof)
        self.assertEqual(done.returncode, 0, done.stderr)
        text = poetbnb("verify", proof).stdout.replace(str(folder) + "/", "")
        lines = [line for line in text.splitlines() if "reductions, " not in line]  # and families
        self.assertGreater(len(lines), 5)
        for line in lines:
            self.assertIn(DIGITS.sub("N", f"    {line}\n"), DIGITS.sub("N", COMMANDS))

    def test_the_graph_of_readme_is_solved(self):
        text = re.search(r'^    \{"name": "mine".*?\}\]\}$', README, re.M | re.S)[0]
        folder = self.enterContext(tempfile.TemporaryDirectory())
        path = pathlib.Path(folder) / "mine.json"
        path.write_text(text)
        done = poetbnb("solve", "--graph", str(path), "--platform", "m4", "--ram-budget", "75%", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        again = 2400000 * 255.6237 * 0.003328 * 3.3 / 1628300000  # conv, computed twice
        self.assertIn(f"Proven optimal: no schedule within the budget has less than {again:.10g} J",
                      done.stdout)

    def test_the_first_example_of_readme(self):
        """But for the last lines, of the search: they change with it."""
        done = poetbnb("solve", "--model=vgg16_cifar", "--platform=a72", "--ram-budget=50%",
                       "--quiet")
        lines = done.stdout.splitlines()
        self.assertGreater(len(lines), 7)
        for line in lines[:7]:
            self.assertIn(f"\n    {line}\n", README)

    def test_links_lead_somewhere(self):
        count = 0
        for page in PAGES:
            text = re.sub(r"^    .*$", "", page.read_text(), flags=re.M)  # code is no link
            for target in re.findall(r"\]\(([^)]+)\)", text):
                if target.startswith("http"):
                    continue
                path, _, anchor = target.partition("#")
                to = (page.parent / path).resolve() if path else page
                self.assertTrue(to.exists(), f"{page.name}: {target}")
                if anchor:
                    self.assertIn(anchor, anchors(to), f"{page.name}: {target}")
                count += 1
        self.assertGreater(count, 30)


class Sources(unittest.TestCase):
    def test_every_file_opens_with_what_it_is_for(self):
        opening = {".c": r"/\*", ".h": r"/\*", ".py": r"(#!.*\n)?\s*(\"\"\"|#)"}
        files = [path for path in ROOT.rglob("*.*") if path.suffix in opening
                 and path.relative_to(ROOT).parts[0] not in ("build", ".git")]
        self.assertGreater(len(files), 500)
        for path in files:
            self.assertRegex(path.read_text()[:200], rf"\A{opening[path.suffix]}", path)
