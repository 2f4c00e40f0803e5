"""What the pages say of the program, where it can be asked: README's commands, links."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
README = (ROOT / "README.md").read_text()
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
        self.assertLess(len(README.split()), 1300)

    def test_readme_names_every_command_and_no_other(self):
        listed = re.findall(r"^  (\w+) +\S", poetbnb("--help").stdout.split("Commands:")[1], re.M)
        self.assertGreater(len(listed), 8)
        self.assertEqual(set(re.findall(r"`poetbnb ([a-z]+)", README)), set(listed))

    def test_links_lead_somewhere(self):
        count = 0
        for page in PAGES:
            text = re.sub(r"^    [^\n]*$|^```.*?^```$", "", page.read_text(), flags=re.M | re.S)  # no code
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

    def test_example_of_the_formulation(self):
        """The page's rows are those of the exported model, a row of each family; its schedule is optimal."""
        page = (ROOT / "docs" / "formulation.md").read_text().split("## The claims")[0]
        rows = re.findall(r"^\| `(\w+)` \| `(.*?)` \|", page, re.M)
        with tempfile.TemporaryDirectory() as folder:
            command = re.search(r"`poetbnb (export .*?)`", page, re.S)[1].split()
            command[command.index("four.lp")] = f"{folder}/four.lp"
            command[command.index("docs/four.json")] = str(ROOT / "docs" / "four.json")
            self.assertEqual(poetbnb(*command).returncode, 0)
            model = pathlib.Path(folder, "four.lp").read_text()
            for family, row in rows:
                self.assertIn(f" {row.removesuffix(' ...')}" + ("" if row.endswith("...") else "\n"), model, family)
            of = {re.sub(r"(_[tnk]\d.*)?$", "", name) for name in re.findall(r"^ (\w+): ", model.split("Subject To")[1], re.M)}
            self.assertEqual({family for family, _ in rows}, of)
            out = f"{folder}/schedule.json"
            solved = poetbnb("solve", "--quiet", "--graph", str(ROOT / "docs" / "four.json"), "--ram-budget", "13", "--out", out)
            self.assertIn("less than 3 J", solved.stdout)
            self.assertEqual(json.loads(pathlib.Path(out).read_text())["S"], [[1, 0, 3], [3, 2]])


class Sources(unittest.TestCase):
    def test_every_file_opens_with_what_it_is_for(self):
        opening = {".c": r"/\*", ".h": r"/\*", ".py": r"(#!.*\n)?\s*(\"\"\"|#)"}
        files = [path for path in ROOT.rglob("*.*") if path.suffix in opening
                 and path.relative_to(ROOT).parts[0] not in ("build", ".git")]
        self.assertGreater(len(files), 500)
        for path in files:
            self.assertRegex(path.read_text()[:200], rf"\A{opening[path.suffix]}", path)
