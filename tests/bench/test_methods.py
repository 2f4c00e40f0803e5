"""docs/baselines.md and `info --methods`: the same methods, options and columns of Table 1."""

import json
import re
import subprocess
import unittest

from support import PROGRAM, ROOT

PAGE = (ROOT / "docs" / "baselines.md").read_text()


def methods():
    return json.loads(subprocess.run([PROGRAM, "info", "--methods", "--json"], capture_output=True,
                                     text=True, check=True).stdout)["methods"]


class Methods(unittest.TestCase):
    def test_every_method_has_its_section(self):
        headings = re.findall(r"^##+ (\w+)$", PAGE, re.M)
        named = [m["name"] for m in methods()]
        self.assertEqual([h for h in headings if h not in ("Checkmate", "DTR", "Capuchin", "POFO")],
                         named)
        for m in methods():
            self.assertEqual(m["section"], f"docs/baselines.md#{m['name']}")

    def test_they_are_those_of_compare(self):
        said = subprocess.run([PROGRAM, "compare", "--model=linear", "--platform=a72", "--quiet",
                               "--ram-budget=60%", "--json"], capture_output=True, text=True, check=True)
        compared = [r["method"] for r in json.loads(said.stdout)["methods"]]
        self.assertEqual([m["name"] for m in methods()] + ["poetbnb"], compared)

    def test_options_that_a_section_names_belong_to_its_family(self):
        for section in re.split(r"^## ", PAGE, flags=re.M)[1:]:
            own = {word for m in methods() if re.search(rf"^(### )?{m['name']}$", section, re.M)
                   for word in m["options"].split()}
            named = set(re.findall(r"`(--[a-z-]+)", section)) - {"--no-paging", "--no-remat"}
            self.assertEqual(named - own, set(), section[:30])
            self.assertEqual(own - named - {"--seed"}, set(), section[:30])

    def test_pins_and_pages(self):
        pinned = re.search(r"respected by (.*?); the", PAGE)[1]
        self.assertEqual(set(re.findall(r"`(\w+)`", pinned)), {m["name"] for m in methods() if m["pins"]})
        table = {name: line.split("|")[2].strip() for line in re.findall(r"^\| `.*$", PAGE, re.M)
                 for name in re.findall(r"`(\w+)`", line)}
        self.assertEqual(table, {m["name"]: "yes" if m["pages"] else "no" for m in methods()})

    def test_text_has_every_method(self):
        said = subprocess.run([PROGRAM, "info", "--methods"], capture_output=True, text=True,
                              check=True).stdout.splitlines()
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in said if line.startswith("| ")]
        columns = ("name", "general_graphs", "compute_aware", "memory_aware", "power_aware")
        self.assertEqual([row[:5] for row in rows[1:len(methods()) + 1]], [[m[k] for k in columns] for m in methods()])
        columns = ("name", "title", "options", "operations", "citation", "section")
        self.assertEqual(rows[len(methods()) + 2:], [[m[k] for k in columns] for m in methods()])
