"""Runs beside each other: graphs that are made, other programs, choice of points, tables."""

import json
import math
import pathlib
import subprocess
import unittest
import unittest.mock

from paper import beside, graphs, solvers
from paper import points as grid
from paper.run import Runner, between
from paper.store import Store
from support import BENCH, PROGRAM, ROOT, Case, FakeCase, bench, record


def solve(path, *words):
    return json.loads(subprocess.run([PROGRAM, "solve", f"--graph={path}", "--quiet", "--json", *words],
                                     capture_output=True, text=True, check=True).stdout)


class Made(Case):
    def test_graphs_are_those_that_the_tests_in_c_make(self):
        lines = (ROOT / "tests/data/made_graphs.txt").read_text().splitlines()
        self.assertGreater(len(lines), 5)
        for line in lines:
            name, platform, checksum = line.split()
            graphs.write(name, self.folder / "g.json")
            costs = [f"--platform={platform}"] * name.startswith("layered")
            said = solve(self.folder / "g.json", *costs, "--ram-budget=100%")
            self.assertEqual((said["graph_checksum"], said["network"]), (checksum, name))

    def test_chains_in_the_least_memory_recompute_quadratically(self):
        """With three bytes the gradient of node i computes nodes 0 to i - 1 again."""
        for n in (4, 7):
            graphs.write(f"chain-n{n}", self.folder / "c.json")
            said = solve(self.folder / "c.json", "--ram-budget=3", "--no-paging")
            self.assertEqual((said["status"], said["overhead_joules"]), ("optimal", n * (n - 1) / 2 - n + 1))

    def test_other_names_are_no_graphs(self):
        for name in ("layered-n50", "chain-nx", "vgg16", "layered-n50-w3-d3-s1.json"):
            self.assertIsNone(graphs.make(name))


class Answers(unittest.TestCase):
    def check(self, read, out, status, **more):
        said = read(out)
        self.assertEqual({"status": said["status"]} | {k: said[k] for k in more}, {"status": status} | more)

    def test_clp(self):
        read = solvers.from_clp
        self.check(read, "0  Obj 1.5 Dual inf 2 (3)\nOptimal objective 49.5 - 5033 iterations time 0.7, "
                   "Presolve 0.09\n", "optimal", objective=49.5, iterations=5033)
        self.check(read, "900  Obj 1.5\nStopped objective 12 - 7 iterations time 60\n", "time limit",
                   objective=None, iterations=900)
        self.check(read, "PrimalInfeasible objective 0 - 3 iterations time 0\n", "infeasible", objective=None)
        self.check(read, "Problem is infeasible\n", "infeasible")
        self.check(read, "", "unknown")

    def test_glpk(self):
        read = solvers.from_glpk
        self.check(read, "#  3675: obj =   4.5e+01 inf =   0\n*  3960: obj =   4.25e+01 inf = 0\n"
                   "OPTIMAL LP SOLUTION FOUND\n", "optimal", objective=42.5, iterations=3960)
        self.check(read, "   100: obj = 3\nTIME LIMIT EXCEEDED; SEARCH TERMINATED\n", "time limit",
                   objective=None, iterations=100)
        self.check(read, "PROBLEM HAS NO PRIMAL FEASIBLE SOLUTION\n", "infeasible")

    def test_cbc(self):
        read, tail = solvers.from_cbc, "Enumerated nodes:               5\nTotal iterations:               77\n"
        self.check(read, f"Result - Optimal solution found\n\nObjective value:                2.5\n{tail}",
                   "optimal", objective=2.5, bound=2.5, nodes=5, iterations=77)
        self.check(read, "Result - Stopped on time limit\n\nObjective value:                2.5\n"
                   f"Lower bound:                    1.5\n{tail}", "time limit", objective=2.5, bound=1.5)
        self.check(read, "Result - Stopped on time limit\n\nNo feasible solution found\n"
                   f"Lower bound:                    1.5\n{tail}", "time limit", objective=None, bound=1.5)
        self.check(read, "Result - Problem proven infeasible\n", "infeasible", objective=None)

    def test_json(self):
        self.check(solvers.from_json, '{"status": "optimal", "objective": 1.5, "rows": 3}', "optimal",
                   objective=1.5, nodes=None)
        self.check(solvers.from_json, "Traceback", "unknown")


class Programs(Case):
    """All of them on one model of a small graph."""

    def test_all_have_the_same_optimum(self):
        graphs.write("layered-n12-w3-d3-s4", self.folder / "g.json")
        words = [f"--graph={self.folder / 'g.json'}", "--platform=a72nocache", "--ram-budget=80%"]
        expected = json.loads(subprocess.run([PROGRAM, "solve", *words, "--json", "--quiet"], check=True,
                                             capture_output=True, text=True).stdout)
        model, scaled = self.folder / "m.mps", self.folder / "s.mps"
        self.assertGreater(expected["overhead_joules"], 0)
        subprocess.run([PROGRAM, "export", *words, f"--out={model}", "--objective=overhead", "--quiet"],
                       check=True, capture_output=True)
        factor = 1e4 / expected["base_joules"]
        solvers.scale_objective(model, scaled, factor)
        for name in ("cbc", "highs"):
            if not grid.there({"highs": "scipy"}.get(name, name)):
                continue
            words, read = solvers.SOLVERS[name]
            out = subprocess.run(words(PROGRAM, str(scaled), 20), capture_output=True, text=True,
                                 check=False).stdout
            said = read(out)
            self.assertEqual(said["status"], "optimal", name)
            self.assertAlmostEqual(said["objective"] / factor / expected["overhead_joules"], 1, 6, name)

    def test_highs_refuses_what_poetbnb_does_not_write(self):
        path = self.write("m.mps", "NAME x FREE\nROWS\n N obj\nCOLUMNS\n x obj 1\nRANGES\n R r 1\nENDATA\n")
        run = subprocess.run(["/usr/bin/python3", solvers.HIGHS, path, "1"], capture_output=True, text=True,
                             check=False)
        self.assertNotEqual(run.returncode, 0)
        self.assertIn("RANGES", run.stderr)


class Choice(FakeCase):
    def test_names_and_groups_choose(self):
        names = [p.name for p in self.points]
        self.assertEqual(set(names), {"linear-a72-50", "linear-a72-70"})
        self.assertEqual({p.name for p in grid.chosen(self.points, ["a72-5"])}, {"linear-a72-50"})
        self.assertEqual(grid.chosen(self.points, ["e"]), [p for p in self.points])  # the group
        self.assertEqual(grid.chosen(self.points, []), self.points)
        with self.assertRaisesRegex(grid.Refused, "'m4'"):
            grid.chosen(self.points, ["a72", "m4"])

    def test_names_tell_deadlines_and_made_graphs(self):
        table = grid.Table(BENCH.parent / "experiments.toml")
        names = {p.name for p in table.points("beside", PROGRAM, "exact")}
        for name in ("vgg16_cifar-m4-60-t1.0001", "layered-n100-w3-d3-s2-a72nocache-40", "bert-a72-30",
                     "scattered-n100-w6-d3-s1-40"):
            self.assertTrue(any(name in known for known in names), name)

    def test_one_feature_has_two_sides(self):
        table = grid.Table(BENCH.parent / "experiments.toml")
        for feature, sides in (("late", {("--without=late",), ()}),
                               ("exact.coarse", {("--set=exact.coarse=off",), ()})):
            points = table.points("beside", PROGRAM, "lab", feature=feature, seeds=range(1, 3))
            self.assertEqual({p.options for p in points}, sides)
            self.assertEqual({p.seed for p in points}, {1, 2})
        for word in (None, "nonsense"):
            with self.assertRaisesRegex(grid.Refused, "info --features"):
                table.points("beside", PROGRAM, "lab", feature=word)

    def test_what_is_not_there_is_left_out(self):
        text = (self.folder / "experiments.toml").read_text()
        for need, count in (("bash", 4), ("json", 4), ("PATH", 4), ("no-such-thing", 2)):
            path = self.write("n.toml", text.replace("[run.ours]\n", f'[run.ours]\nneeds = ["{need}"]\n'))
            self.assertEqual(len(grid.Table(path).points("dense", str(self.program))), count, need)

    def test_beside_needs_an_experiment(self):
        said = bench(PROGRAM, self.results, "--setting", "beside")
        self.assertEqual((said.returncode, said.stderr),
                         (2, "bench: --setting beside: expected --only EXPERIMENT\n"))


def row(status="optimal", overhead=2.0, seconds=1.0, **more):
    return dict.fromkeys(beside.COLUMNS) | record("poetbnb", overhead) | {
        "status": status, "cpu_seconds": seconds, "work": seconds / 2, "nodes": 3, "base_joules": 10.0,
        "time_limit_seconds": 60, "lower_bound_overhead_joules": overhead, "incumbents": [],
        "windows_bound_cuts_overhead_joules": 1.0} | more


class Tables(Case):
    def test_answers_that_differ(self):
        for other, expected in ((row(), False), (row(overhead=2.0001), True), (row("infeasible", None), True),
                                (row("feasible", 5.0), False), (row(overhead=2 + 1e-9), False)):
            self.assertEqual(beside.differ(row(), other), expected, other["overhead_joules"])

    def test_what_is_cut_off_counts_with_the_limit(self):
        self.assertEqual(beside.spent(row(seconds=3.0)), 3.0)
        self.assertEqual(beside.spent(row("feasible", seconds=3.0)), 60)

    def test_means_and_intervals(self):
        self.assertAlmostEqual(beside.shifted([1.0, 7.0], 1), 3)
        mean, low, high = beside.interval([1.0, 2.0, 3.0])
        self.assertAlmostEqual(mean, 2)
        self.assertAlmostEqual(high - mean, 4.303 / math.sqrt(3), 3)
        self.assertAlmostEqual(high - mean, mean - low)
        self.assertEqual(beside.interval([1.0])[2], math.inf)
        many = [float(k % 2) for k in range(60)]
        self.assertAlmostEqual(beside.interval(many)[2] - 0.5, 2.0010 * math.sqrt(15 / 59 / 60), 3)

    def test_time_to_a_near_schedule(self):
        steps = [{"overhead_joules": 3.0, "cpu_seconds": 1}, {"overhead_joules": 2.05, "cpu_seconds": 4}]
        self.assertEqual(beside.near_seconds({"incumbents": steps}, 2.0), 4)
        self.assertIsNone(beside.near_seconds({"incumbents": steps[:1]}, 2.0))

    def test_summary_counts(self):
        rows = {"one": {"a": row(), "b": row(seconds=4.0)},
                "two": {"a": row(seconds=3.0), "b": row("feasible", 4.0, 9.0)},
                "three": {"a": row(overhead=1.0)}}
        lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in beside.summary(rows)]
        table = {line[0]: dict(zip(lines[0], line)) for line in lines[2:]}
        self.assertEqual([table["two"][k] for k in ("instances", "proven", "s / first", "above the best %")],
                         ["2", "1", "3", "100"])
        self.assertEqual([t["other answer"] for t in table.values()], ["0", "0", "1"])

    def test_groups_list_what_is_open_or_long(self):
        def of(group, name, **more):
            return row(**more) | {"group": group, "instance": name, "peak_kilobytes": 4000, "gap": 0.25}
        rows = {"one": {1: of("g", "a", seconds=2.0), 2: of("g", "b", seconds=12.0), 3: of("h", "c")},
                "two": {1: of("g", "a", status="feasible", seconds=4.0, lower_bound_overhead_joules=1.5)}}
        text = beside.by_group(rows)
        self.assertEqual([line for line in text[2:] if line.startswith(("| g", "| h"))],
                         ["| g | 2 | 2 | 3.5 | 6 | - |", "| g, two | 1 | 0 | - | - | 25 |", "| h | 1 | 1 | 0.5 | 0.5 | - |"])
        self.assertEqual(text[-2:], ["| b | one | 6 | 20 | 20 | 0 | 4 |", "| a | two | 2 | 20 | 15 | 25 | 4 |"])

    def test_seeds_of_a_point_share_a_row(self):
        def of(name, **more):
            return row(**more) | {"instance": name, "gap": 0.25}
        rows = {"one": {1: of("a", seconds=2.0), 2: of("b", seconds=6.0),
                        3: of("a", status="feasible", seconds=8.0, overhead=2.5, lower_bound_overhead_joules=1.5)},
                "two": {1: of("a", status="feasible", overhead=None, seconds=4.0) | {"gap": None}}}
        self.assertEqual(beside.by_seed(rows)[2:], [
            "| a | one | 1 of 2 | 2 | 2 | 0 | 25 | 2.5 | 4 | 5 |", "| a | two | 0 of 1 | - | - | - | - | 2 | 2 | 4 |",
            "| b | one | 1 of 1 | 2 | 2 | 0 | 0 | 3 | 3 | 6 |"])

    def test_other_problems_have_other_answers(self):
        self.assertFalse(beside.differ(row() | {"options": "work-limit=2 no-paging"}, row(overhead=3.0)))
        self.assertTrue(beside.differ(row() | {"options": "work-limit=2"}, row(overhead=3.0)))

    def test_effects_are_over_instances(self):
        def instance(name, seed):
            return (name, seed)
        pairs = [(instance(name, seed), row(seconds=1.0), row(seconds=1.0 + 0.1 * (name == "b")))
                 for name in "ab" for seed in (1, 2)]
        text = "\n".join(beside.effect_table(pairs))
        self.assertIn("| root bound after cuts, % of the overhead | 50 | 50 | 0 | 0 to 0 |", text)
        self.assertIn("| nodes | 3 | 3 | x 1 | 1 to 1 |", text)
        self.assertRegex(text, r"processor seconds \| 1 \| 1.0489 \| x 1.044 \| 0.")


class Executed(Case):
    def test_training_steps_have_a_table_of_their_own(self):
        table = grid.Table(BENCH.parent / "experiments.toml")
        with unittest.mock.patch.object(grid, "there", return_value=True):
            points = grid.chosen(table.points("beside", PROGRAM, "torch"), ["unet"])
        kept = Store(self.folder, PROGRAM)
        step = {"network": "unet", "method": "executed", "status": "optimal", "feasible": True, "equal": True,
                "ram_budget_bytes": 5, "held_bytes": 7, "keep_bytes": 14, "overhead_percent": 2.0, "gap": 0.5,
                "peak_equal": True}
        kept.save(points[0], {"failed": False, "cut_off": False, "limit": 1,
                              "records": [step, step | {"ram_budget_bytes": 6, "equal": False, "gap": 0.0, "overhead_percent": 3.0}]}, None)
        text, wrong = beside.write(kept, points)
        self.assertEqual(wrong, 0)
        self.assertIn("| unet | - | 7 | 14 | 2.000 | 3, 2 (gap 50 %) | -, - | -, - | -, - | 1 of 2 | 2 of 2 |", text)
        self.assertIn("held_bytes", (self.folder / "torch.csv").read_text().splitlines()[0])


class Whole(Case):
    """Through the command line, with the program itself."""

    def bench(self, *words):
        return bench(PROGRAM, self.folder, "--setting", "beside", "--limit", "20", *words)

    def test_lab_and_names(self):
        run = self.bench("--only", "lab", "--feature", "late", "--seeds", "1", "bert-a72-60")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertIn("| work, 10^9 steps |", run.stdout)
        self.assertIn("must be 0: 0.", run.stdout)
        self.assertTrue((self.folder / "lab.csv").exists() and (self.folder / "lab.md").exists())
        self.assertEqual(self.bench("--only", "lab", "--feature", "late", "nothing").returncode, 2)

    def test_certificates_are_verified(self):
        run = self.bench("--only", "certificates", "vgg16_cifar-a72-90")
        self.assertEqual(run.returncode, 0, run.stderr)
        found = [json.loads(p.read_text())["records"][0] for p in (self.folder / "points").glob("*certified*")
                 if "schedule" not in p.name]
        self.assertEqual([r["verdict"] for r in found], ["holds"] * 2)

    def test_models_of_small_graphs(self):
        run = self.bench("--only", "mip", "small")
        self.assertEqual(run.returncode, 0, run.stderr + run.stdout)
        self.assertIn("must be 0: 0.", run.stdout)

    def test_budgets_count_what_is_resident(self):
        def asked(words):
            return json.loads(subprocess.run([PROGRAM, *words, "--json"], capture_output=True, text=True,
                                             check=False).stdout)
        graph = graphs.make("chain-n5")
        least, whole = 3, 6  # bytes: a gradient with its inputs; the five nodes and a gradient
        for resident in (0, 1000):
            path = self.write("g.json", json.dumps(graph | {"resident_bytes": resident}))
            found = [between(asked, [f"--graph={path}"], part) for part in (0, 0.5, 1)]
            self.assertEqual(found, [resident + b for b in (least, least + int((whole - least) / 2), whole)])

    def test_budgets_between_the_least_and_all(self):
        table = grid.Table(BENCH.parent / "experiments.toml")
        point = next(p for p in table.points("beside", PROGRAM, "exact") if p.group == "scattered")
        words = Runner(Store(self.folder, PROGRAM), [point])._instance(point, pathlib.Path(self.folder))
        path, budget = words[0].split("=")[1], int(words[1].split("=")[1])
        whole = solve(path, "--ram-budget=100%")["ram_budget_bytes"]
        said = subprocess.run([PROGRAM, "solve", f"--graph={path}", "--ram-budget=1", "--json", "--quiet"],
                              capture_output=True, text=True, check=False)
        least = json.loads(said.stdout)["minimum_bytes"]
        self.assertEqual(budget, least + int((whole - least) * 0.4))
