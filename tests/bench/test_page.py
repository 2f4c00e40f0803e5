"""docs/benchmarks.md and the program that writes its tables: blocks, their columns and rows, and what is by hand."""

import itertools
import re
import subprocess
import unittest
import unittest.mock

from paper import beside
from paper import points as grid
from support import BENCH, EXPERIMENT, PROGRAM, ROOT, TABLE, Case, bench

TEXT = (ROOT / "docs" / "benchmarks.md").read_text()
BLOCKS = dict(re.findall(r"<!-- bench-(\w+) -->\n(.*?)<!-- end -->", TEXT, re.S))
BY_HAND = r"[Bb]y hand[^|]*?commit\s[0-9a-f]{7}(,\s20\d\d-\d\d-\d\d)?"


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


class Page(unittest.TestCase):
    def test_blocks_are_targets_and_experiments(self):
        table = grid.Table(BENCH.parent / "experiments.toml")
        targets = re.search(r"^BESIDE = (.*)$", (ROOT / "Makefile").read_text(), re.M)[1].split() + ["torch"]
        known = {e["name"] for e in table.experiments if beside.SETTING in e["settings"]}
        self.assertGreater(len(BLOCKS), 5)
        self.assertLessEqual(set(BLOCKS), set(targets) & known)
        said = subprocess.run(["make", "-n", "MAKE=true", "benchmarks-page"], cwd=ROOT, capture_output=True, text=True, check=True)
        self.assertEqual(re.search("for name in (.*); do", said.stdout)[1].split(), list(BLOCKS))

    def test_tables_of_the_program_have_its_columns_and_rows(self):
        table = grid.Table(BENCH.parent / "experiments.toml")
        written = {name: text for name, text in BLOCKS.items() if not re.search(BY_HAND, text)}
        self.assertIn("torch", written)
        for name, text in written.items():
            lines = [line for line in text.splitlines() if line.startswith("|")]
            with unittest.mock.patch.object(grid, "there", return_value=True):
                points = table.points(beside.SETTING, PROGRAM, name)
            row = dict.fromkeys(beside.COLUMNS) | dict.fromkeys(
                ["options", "time_limit_seconds", "windows_bound_cuts_overhead_joules"])
            row |= {"status": "optimal", "cpu_seconds": 1.0, "base_joules": 1.0, "incumbents": [], "gap": 0.0,
                    "peak_kilobytes": 1, "method": "m", "ram_budget_bytes": 1}
            rows = {}
            for p in points:
                rows.setdefault(p.label, {})[p.key] = row | {"group": p.group, "network": p.network, "instance": p.name}
            expected, _ = beside.described(name, rows)
            self.assertEqual(lines[0], expected[0], name)
            first = list(itertools.takewhile(lambda line: line.startswith("|"), text.splitlines()))
            mine = list(itertools.takewhile(lambda line: line.startswith("|"), expected))
            self.assertEqual({cells(line)[0] for line in first}, {cells(line)[0] for line in mine}, name)
            self.assertRegex(text, r"\*Commit [^*]*20\d\d-\d\d-\d\d", name)

    def test_other_tables_say_that_they_are_by_hand(self):
        rest = re.sub(r"(<!-- bench-\w+ -->\n)(.*?)<!-- end -->",
                      lambda m: m[2] if re.search(BY_HAND, m[2]) else "", TEXT, flags=re.S)
        for section in rest.split("\n## ")[1:]:
            tables = len(re.findall(r"^\|---", section, re.M))
            if section.startswith("Comparing and measuring") or section.startswith("The instance library"):
                continue  # these tables list targets and files
            self.assertGreaterEqual(len(re.findall(BY_HAND, section)), tables, section[:40])


class Written(Case):
    def test_a_table_is_put_into_its_block(self):
        table = self.write("e.toml", EXPERIMENT + TABLE)
        page = self.write("page.md", "before\n<!-- bench-exact -->\nold\n<!-- end -->\nafter\n")

        def written(*more, page=page):
            return bench(PROGRAM, self.folder / "out", "--setting", "beside", "--only", "exact", "--experiments", table,
                         "--page", page, *more)

        said = written("--report")
        self.assertEqual(said.returncode, 2)
        self.assertRegex(said.stderr, r"^bench: exact: 2 of 2 points are missing, first linear-a72-70-ours-\w+\n$")
        self.assertIn("\nold\n", page.read_text())
        said = written()
        self.assertEqual(said.returncode, 0, said.stderr)
        text = page.read_text()
        self.assertRegex(text, r"^before\n<!-- bench-exact -->\n\| group \|[^\n]*\n[^\n]*\n\| small \| 2 \| 2 \|")
        self.assertTrue(text.endswith("<!-- end -->\nafter\n"))
        self.assertNotIn("old", text)
        self.assertEqual(written().returncode, 0)
        self.assertEqual(page.read_text().count("| small |"), 1)
        said = written(page=self.write("other.md", "<!-- bench-mip -->\n<!-- end -->\n"))
        self.assertEqual((said.returncode, "other.md: no block <!-- bench-exact -->" in said.stderr), (2, True))
        self.assertEqual(written("linear").returncode, 2)
