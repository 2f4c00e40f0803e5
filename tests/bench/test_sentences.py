"""The report's sentences follow from the data: a datum is changed, and the sentence with it."""

import unittest

from frames import PLATFORMS, WATTS, frame, row
from paper import sentences

OPEN = {"status": "feasible", "stopped_by": "time limit"}


def results():
    """By name, so that a test can change a datum: three rows of each figure, and one of Checkmate."""
    data = {f"{name} {budget}": row(name, "poetbnb", 1, platform="a72", budget=f"{budget}%", version="1.0",
                                    cpu_seconds=1.0)
            for name in sentences.OF if name not in ("all", "open") for budget in (30, 40, 50)}
    data["checkmate"] = row("fig3", "checkmate", 2, platform="a72", budget="30%")
    return data


# Rule, figure, what it says of results(), the row that is changed, how, and what it says then.
CASES = [
    ("states", "fig4", "Ours: 3 points, 3 proven.", "fig4 30", OPEN, "Ours: 3 points, 2 proven, 1 best known."),
    ("late_checkmate", "fig3", "cut off at 0 of 1 point,", "checkmate", {"stopped_by": "time limit"},
     "cut off at 1 of 1 point,"),
    ("far_from_proven", "fig3", "", "fig3 30", OPEN | {"gap": 0.51}, "gap above 50 % (1 of them)"),
    ("far_from_proven", "fig3", "", "fig3 30", OPEN | {"gap": None}, "gap above 50 % (1 of them)"),
    ("far_from_proven", "fig3", "", "fig3 30", OPEN | {"gap": 0.5}, ""),
    ("inconsistent_power", "fig5", "", "fig5 30", {"platform": "odd"}, "By the published costs the ODD draws 1 W"),
    ("everything", "all", "10 results of 7 points", "checkmate", None, "9 results of 7 points"),
    ("everything", "all", "by version 1.0.", "fig3 30", {"version": "2.0"}, "by version 1.0, 2.0."),
    ("baselines_below", "all", "No baseline", "checkmate", {"overhead_joules": 0.5},
     "1 baseline below ours: resnet18_cifar on a72 at 30%, checkmate."),
    ("open_results", "open", "0 of 10 results", "fig3 30", OPEN, "1 of 10 results"),
    ("open_results", "open", "0 of 10 results", "checkmate", {"stopped_by": "time limit"}, "1 of 10 results"),
]


def said(rule, name, data):
    costs = PLATFORMS | {"odd": WATTS | {"compute_watts": 0.1}}
    context = sentences.Context(costs, 7, "dense")
    words = getattr(sentences, rule).__doc__
    found = [s.text for s in sentences.said(name, frame(data), context) if s.rule == words]
    assert len(found) <= 1
    return found[0] if found else ""


class Sentences(unittest.TestCase):
    def test_a_changed_datum_changes_the_sentence(self):
        for rule, name, before, row_of, change, after in CASES:
            with self.subTest(rule=rule, change=change):
                data = results()
                first = said(rule, name, data)
                self.assertIn(before, first)
                self.assertTrue(before or not first, first)
                data.pop(row_of) if change is None else data[row_of].update(change)
                second = said(rule, name, data)
                self.assertIn(after, second)
                self.assertEqual(first == second, before == after)

    def test_every_rule_has_a_case_and_says_what_it_is(self):
        rules = {rule for of in sentences.OF.values() for rule in of}
        self.assertEqual({rule.__name__ for rule in rules}, {rule for rule, *_ in CASES})
        self.assertEqual(len({rule.__doc__ for rule in rules}), len(rules))

    def test_consistent_costs_are_not_mentioned(self):
        for watts, words in ((0.1, "paging looks cheaper"), (10, "paging looks dearer"), (1, "")):
            context = sentences.Context({"a72": WATTS | {"compute_watts": watts}})
            text = sentences.inconsistent_power(frame(results()), context)
            self.assertIn(words, text)
            self.assertEqual(bool(words), bool(text))
