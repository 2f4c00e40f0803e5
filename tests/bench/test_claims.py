"""Verdicts follow from the data: a datum is changed, and the verdict with it."""

import unittest

import pandas as pd

from frames import PLATFORMS, WATTS, frame, results, row
from paper import claims
from paper.table import below_ours, family_rows

NONE = {"overhead_joules": None, "overhead_percent": None, "energy_joules": None,
        "status": "infeasible", "peak_bytes": None}

UNKNOWN = NONE | {"status": "unknown"}


def overhead(value):
    return {"overhead_joules": value, "overhead_percent": value, "energy_joules": 100 + value,
            "lower_bound_overhead_joules": value}


def best_known(value, bound):
    return overhead(value) | {"status": "feasible", "lower_bound_overhead_joules": bound}


# Claim, the row that is changed (None: nothing is), how, and the verdict then. Every claim first
# with the data of results().
CASES = [
    ("most energy-optimal", None, {}, claims.HOLDS),
    ("most energy-optimal", "checkmate", overhead(0.4), claims.FAILS),
    ("less energy than DTR", None, {}, claims.HOLDS),
    ("less energy than DTR", "dtr", overhead(20), claims.WEAKER),
    ("less energy than DTR", "dtr", overhead(0.1), claims.FAILS),
    ("less energy than DTR", "ours", best_known(30, 0.1), claims.UNDECIDED),
    ("tighter memory budgets", None, {}, claims.HOLDS),
    ("tighter memory budgets", "ours tight", UNKNOWN, claims.UNDECIDED),
    ("tighter memory budgets", "ours tight", NONE, claims.FAILS),
    ("tighter memory budgets", "ours tight", {"budget": "50%"}, claims.UNDECIDED),
    ("less energy than paging only", None, {}, claims.HOLDS),
    ("less energy than paging only", "paging", overhead(30), claims.WEAKER),
    ("less energy than paging only", "paging", best_known(70, 2), claims.UNDECIDED),
    ("less energy than rematerialisation only", None, {}, claims.HOLDS),
    ("less energy than rematerialisation only", "remat", overhead(1), claims.FAILS),
    ("rematerialisation is energy-optimal", None, {}, claims.HOLDS),
    ("rematerialisation is energy-optimal", "remat", overhead(71), claims.FAILS),
    ("paging is preferable", None, {}, claims.HOLDS),
    ("paging is preferable", "tight remat", overhead(9) | {"status": "optimal"}, claims.FAILS),
    ("POET less than 1 %", None, {}, claims.HOLDS),
    ("POET less than 1 %", "fig5 ours", overhead(1.5), claims.FAILS),
    ("POET less than 1 %", "fig5 ours", best_known(1.5, 0.5), claims.UNDECIDED),
    ("on the A72: Capuchin", None, {}, claims.HOLDS),
    ("on the A72: Capuchin", "fig5 capuchin", overhead(5), claims.WEAKER),
    ("a device with consistent costs", None, {}, claims.HOLDS),
    ("a device with consistent costs", "fig5 m4", overhead(60), claims.WEAKER),
    ("for all architectures", None, {}, claims.HOLDS),
    ("for all architectures", "ours", overhead(1.01), claims.WEAKER),
    ("for all architectures", "ours", best_known(1.01, None), claims.UNDECIDED),
    ("less peak memory than POFO", None, {}, claims.HOLDS),
    ("less peak memory than POFO", "pofo", {"peak_bytes": 255e6}, claims.WEAKER),
    ("less peak memory than POFO", "table3", {"peak_bytes": 26e6}, claims.INCOMPARABLE),
    ("more throughput than POFO", None, {}, claims.HOLDS),
    ("more throughput than POFO", "pofo", {"compute_seconds": 1.1}, claims.WEAKER),
    ("more throughput than POFO", "table3", {"peak_bytes": 26e6}, claims.INCOMPARABLE),
    ("under ten minutes", "bert", {"status": "optimal"}, claims.HOLDS),
    ("under ten minutes", None, {}, claims.WEAKER),
    ("under ten minutes", "bert", {"time_limit_seconds": 12.0}, claims.UNDECIDED),
    ("does not end within ten minutes", None, {}, claims.HOLDS),
    ("does not end within ten minutes", "bert", {"time_limit_seconds": 12.0}, claims.UNDECIDED),
    ("does not end within ten minutes", "bert", {"status": "optimal"}, claims.FAILS),
    ("with up to 30 minutes", None, {}, claims.HOLDS),
    ("with up to 30 minutes", "thirty", overhead(9), claims.FAILS),
    ("with up to 30 minutes", "ten", {"status": "optimal"}, claims.NO_DATA),
    ("more memory than inference", None, {}, claims.HOLDS),
    ("more memory than inference", "forward", {"peak_bytes": 21}, claims.WEAKER),
    ("at a rate of O(n²)", None, {}, claims.HOLDS),
    ("at a rate of O(n²)", "longer chain", overhead(25), claims.FAILS),
    ("at a rate of O(n²)", "longer chain", best_known(40, 25), claims.UNDECIDED),
    ("arbitrary batch sizes", None, {}, claims.HOLDS),
    ("arbitrary batch sizes", "batch", best_known(2, 1), claims.UNDECIDED),
    ("arbitrary batch sizes", "batch", NONE, claims.FAILS),
    ("variables and constraints", None, {}, claims.HOLDS),
    ("variables and constraints", "large model", {"model_rows": 700}, claims.FAILS),
    ("much earlier than", None, {}, claims.HOLDS),
    ("much earlier than", "fig5 capuchin", {"counted_again": 1}, claims.FAILS),
    ("much earlier than", "fig5 ours", {"counted_again": 0}, claims.FAILS),
    ("value preserving", None, {}, claims.HOLDS),
    ("value preserving", "executed too", {"equal": False}, claims.WEAKER),
    ("reduced by up to 2x", None, {}, claims.HOLDS),
    ("reduced by up to 2x", "ours tight", {"ram_budget_percent": 90.0}, claims.HOLDS),
    ("Cortex-M", None, {}, claims.HOLDS),
    ("Cortex-M", "device", UNKNOWN, claims.UNDECIDED),
    ("Cortex-M", "device", NONE | {"minimum_bytes": 65536}, claims.FAILS),
]


def plans(largest):
    return pd.DataFrame({"binary_bytes": [200, largest]})


def verdict(words, data, platforms=None, largest=900):
    found = [v for v in claims.verdicts(frame(data), platforms or PLATFORMS, plans(largest))
             if words in v.claim.text]
    assert len(found) == 1, words
    return found[0]


class Verdicts(unittest.TestCase):
    def test_a_changed_datum_changes_the_verdict(self):
        for words, name, change, expected in CASES:
            with self.subTest(claim=words, row=name):
                data = results()
                if name:
                    data[name].update(change)
                self.assertEqual(verdict(words, data).verdict, expected)

    def test_every_claim_has_cases_with_different_verdicts(self):
        for claim in claims.CLAIMS:
            verdicts = {v for words, _, _, v in CASES if words in claim.text}
            if claim.measure not in (claims.memory_factor, claims.plan_bytes, claims.table_1,
                                     claims.stalls):  # see below
                self.assertGreaterEqual(len(verdicts), 2, claim.text)

    def test_memory_needs_a_schedule_at_half_the_peak(self):
        data = {"only": row("fig3", "poetbnb", 0.5, budget="60%")}
        self.assertEqual(verdict("2x", data).verdict, claims.WEAKER)
        data["open"] = row("fig3", "poetbnb", None, budget="45%", status="unknown")
        self.assertEqual(verdict("2x", data).verdict, claims.UNDECIDED)

    def test_open_budgets_of_figure_4_leave_shares_undecided(self):
        data = results()
        data["other paging"] = row("fig4", "poetbnb", 9, network="vgg16_cifar", platform="m4",
                                   run="paging_only", budget="60%", status="feasible")
        data["other remat"] = data["other paging"] | {"run": "remat_only"}
        data["other both"] = data["other paging"] | {"run": "both"}
        self.assertEqual(verdict("rematerialisation is energy-optimal", data).verdict,
                         claims.UNDECIDED)

    def test_plans_are_measured(self):
        for largest, expected in ((1000, claims.HOLDS), (1001, claims.FAILS)):
            self.assertEqual(verdict("hundred bytes", results(), largest=largest).verdict, expected)

    def test_waiting_is_measured(self):
        for waiting, expected in ((0.0, claims.HOLDS), (0.1, claims.FAILS)):
            table = plans(9).assign(stall_seconds=[0.0, waiting], seconds_with_dma=2.0, seconds_without_dma=3.0)
            found = claims.judge(next(c for c in claims.CLAIMS if c.measure is claims.stalls),
                                 claims.Data(frame(results()), PLATFORMS, table))
            self.assertEqual((found.verdict, found.measured.value), (expected, 50 * waiting))

    def test_table_1_is_that_of_the_program(self):
        self.assertEqual(verdict("aware of", results()).verdict, claims.HOLDS)
        other = [m | {"power_aware": "yes"} if m["name"] == "dtr" else m for m in PLATFORMS["methods"]]
        found = verdict("aware of", results(), PLATFORMS | {"methods": other})
        self.assertEqual((found.verdict, found.measured.value), (claims.FAILS, 1))
        self.assertIn("dtr power aware: yes here, no there", found.measured.detail)

    def test_rounding_is_no_saving(self):
        data = results()
        data["remat"].update(overhead(1))
        data["both"].update(overhead(1) | {"lower_bound_overhead_joules": 1 - 1e-10})
        self.assertEqual(verdict("less energy than rematerialisation only", data).verdict,
                         claims.FAILS)

    def test_throughput_is_the_share_of_the_time_that_is_saved(self):
        data = results()
        data["pofo"].update(compute_seconds=0.09479)
        data["table3"].update(compute_seconds=0.08236)
        self.assertAlmostEqual(verdict("more throughput", data).measured.value, 13.11, 2)

    def test_ours_is_counted_beside_the_best_baseline_of_a_point(self):
        data = results()
        data["more"] = row("fig3", "chen_greedy", 0.5)
        data["alone"] = row("fig3", "dtr", None, budget="40%")
        detail = verdict("most energy-optimal", data).measured.detail
        self.assertIn("each of 2 points ours is lower at 0, equal at 1, higher at 0, and has the only "
                      "schedule at 1", detail)

    def test_shares_of_figure_4_are_of_all_platforms(self):
        data = results()
        for name in ("paging", "remat", "both"):
            data[f"{name} m0"] = data[name] | {"platform": "m0"}
        self.assertEqual(verdict("rematerialisation is energy-optimal", data).measured.value, 100)
        data["remat m0"].update(overhead(71))
        measured = verdict("rematerialisation is energy-optimal", data).measured
        self.assertEqual(measured.value, 50)
        self.assertIn("m4 1 of 1, m0 0 of 1", measured.detail)

    def test_without_data_nothing_is_said(self):
        for v in claims.verdicts(frame({}), {}, plans(0)[:0]):
            self.assertEqual(v.verdict, claims.NO_DATA, v.claim.text)

    def test_missing_points_say_nothing(self):
        data = {name: row(r["experiment"], r["method"], None, r["network"], r["platform"], r["budget"],
                          r["deadline"], r["run"], status="missing") for name, r in results().items()}
        for v in claims.verdicts(frame(data), {}, plans(0)[:0]):
            self.assertEqual(v.verdict, claims.NO_DATA, v.claim.text)

    def test_inconsistent_costs_are_not_comparable(self):
        costs = PLATFORMS | {"a72": WATTS | {"compute_watts": 0.1}}
        self.assertEqual(verdict("on the A72: Capuchin", results(), costs).verdict,
                         claims.INCOMPARABLE)

    def test_the_rule_is_shown_with_its_numbers(self):
        v = verdict("less energy than DTR", results())
        self.assertIn("35 %", v.why)
        self.assertIn("37.2 %", v.measured.detail)

    def test_details_follow_the_data(self):
        for claim in claims.CLAIMS:
            table = plans(9).assign(stall_seconds=0.0, seconds_with_dma=2.0, seconds_without_dma=3.0)
            a = claims.judge(claim, claims.Data(frame(results()), PLATFORMS, table))
            b = claims.judge(claim, claims.Data(frame({}), {}, plans(0)[:0]))
            self.assertNotEqual((a.measured.detail, a.why), (b.measured.detail, b.why), claim.text)


class Comparisons(unittest.TestCase):
    def test_baselines_below_ours_are_found(self):
        data = results()
        self.assertEqual(len(below_ours(frame(data))), 0)
        data["checkmate"].update(overhead(0.5))
        self.assertEqual(len(below_ours(frame(data))), 0)
        data["checkmate"].update(overhead(0.5 - 1e-6))
        self.assertEqual(list(below_ours(frame(data))["method"]), ["checkmate"])

    def test_half_of_our_search_is_a_baseline(self):
        data = results()
        data["remat"].update(overhead(0.5))
        self.assertEqual(len(below_ours(frame(data))), 1)

    def test_families_show_their_best_variant(self):
        class Table:
            families = {"DTR": ["dtr", "dtr_eq"]}
        data = {"a": row("fig3", "dtr", 3), "b": row("fig3", "dtr_eq", 2),
                "c": row("fig3", "dtr_eq", None, budget="40%"),
                "d": row("fig3", "dtr", 9, budget="40%")}
        best = family_rows(frame(data), Table)
        self.assertEqual(sorted(best["overhead_joules"]), [2, 9])
