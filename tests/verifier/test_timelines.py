"""Both checkers have the same rows of timelines, and no others, and know the same of their columns."""

import itertools
import json
import random
import unittest

import samples
from verifier.model import Model

PROBLEMS = 40
FINE = 2.0**-100  # divides all numbers: a rounding of one row by it is the row, divided


def problem(rng):
    """JSON object of an instance, and a claim; if that is a bound, below the cost of computing all in every stage."""
    graph = samples.random_graph(rng, 7)
    n, (least, whole) = len(graph["nodes"]), samples.room_needed(graph)
    seconds = sum(node["seconds"] for node in graph["nodes"])
    kept = [[t, i] for t in range(n) for i in range(t)]
    R = [[t, i] for t, i in kept if graph["nodes"][i].get("pin") not in ("keep", "no-recompute")]
    tight = rng.random() < 0.5
    bound = min(0.7, sum(graph["nodes"][i]["joules"] for _, i in R))
    return "infeasible" if tight else f"bound {bound}", {
        "graph": graph, "ram_budget_bytes": rng.randint(least, max(least, whole - 1)) if tight else 2 * whole,
        "deadline_seconds": rng.choice([None, 1.3 * seconds]) if tight else None, "allow_paging": rng.random() < 0.8,
        "deadline_includes_paging": rng.random() < 0.5, "max_computations": rng.choice([2, 3, 1000]) if tight else 1000,
        "R": [[k, k] for k in range(n)] + R, "S": kept, "A": [], "In": [], "Out": []}


def stages(rng, n):
    """Some of them, many of which follow each other."""
    first = rng.randrange(n)
    return sorted({first, min(first + 1, n - 1), *rng.sample(range(n), rng.randint(0, 2))})


def rounding(name, row, more=(), less=0):
    """The row as a rounding, with 1 more times each of these columns, on the right side, too, but for so much."""
    terms = dict(row.terms)
    for column, _ in more:
        terms[column] = terms.get(column, 0) + 1
    lines = [f"{(float(value) / FINE).hex()} T {column[1]} 0" for column, value in terms.items() if value]
    side = (float(-row.constant) + sum(most for _, most in more) - less) / FINE
    return [f"round {FINE.hex()} {side.hex()} 1 {len(lines)}", f"1 0 {name}", *lines]


class Beginning:
    """A claim, and timelines as its first steps; c: the second checker's Certificate then."""

    def __init__(self, rng):
        claim, instance = problem(rng)
        self.head = "\n".join(["poetbnb certificate 2", json.dumps(instance), "trust exchanges", claim, "scale 1"])
        self.c = samples.second.Certificate(self.head + "\n", None)
        self.c.begin()
        cells = rng.sample(self.c.model.cells(), 4)
        self.steps = []
        self.step(f"cases {len(cells)}", *(" ".join(map(str, cell)) for cell in cells))
        kept = sorted(rng.sample(range(self.c.problem.n), 2)) if rng.random() < 0.5 else []
        for i in kept:
            self.step(f"keep {i}")
        for points in stages(rng, self.c.problem.n), stages(rng, self.c.problem.n):
            away = ["away", *kept[:rng.randint(0, 2)]] if kept else []
            self.step(" ".join(map(str, ["timeline", len(points), *points, *away])))
        if claim != "infeasible":
            self.step("reduce 0 0" if kept else f"eliminate 0 at {rng.randrange(len(self.c.model.points))}")

    def step(self, *lines):
        self.steps += lines
        self.c.lines, self.c.line = [*lines, ""], 0
        self.c.next_words()
        self.c.step()


class Timelines(unittest.TestCase):
    def holds(self, begun, *steps):
        """Whether the first checker finds nothing to say against them, but that they prove nothing."""
        status, said = self.first.verdict("\n".join([begun.head, *begun.steps, *steps, "end\n"]).encode())
        self.assertEqual(status, 1, said)
        return "not complete" in said

    def compare(self, begun, name, arguments):
        """A row of the second checker: the first one's says as much, and no more; or it has none."""
        words, c = " ".join(map(str, [name, *arguments])), begun.c
        row = c.model.row(name, arguments)
        if row is None:
            self.assertFalse(self.holds(begun, "reduce 0 1", f"0 {words}"), words)
            return 0
        every = [(column, c.nodes[0].span(column)[1]) for column in [("T", k) for k in range(len(c.model.totals))]]
        self.assertTrue(self.holds(begun, *rounding(words, row)), words)
        self.assertFalse(self.holds(begun, *rounding(words, row, every, 2**-20)), words)
        return 1

    def compare_ranges(self, rng, begun):
        """Probes hold where a column, or a cell, has no such value."""
        node, model = begun.c.nodes[0], begun.c.model
        known, open_ = [], []
        for k in range(len(model.totals)):
            low, high = node.span(("T", k))
            known += [f"total {k} most {low - 1}", f"total {k} least {high + 1}"]
            open_ += [f"total {k} most {low}", f"total {k} least {high}"]
        for cell in model.cells():
            value, words = node.get(cell), " ".join(map(str, cell))
            known += [] if value is None else [f"{words} {1 - value}"]
            open_ += [f"{words} {v}" for v in ((0, 1) if value is None else (value,))]
        self.assertTrue(self.holds(begun, *(f"probe 0 {words} 0" for words in known)))
        for words in rng.sample(open_, 60):
            self.assertFalse(self.holds(begun, f"probe 0 {words} 0"), words)

    def test_rows_and_ranges(self):
        self.first = samples.Judge()
        compared = dict.fromkeys((name for name in Model.families if name.startswith("point_")), 0)
        for seed in range(PROBLEMS):
            rng = random.Random(seed)
            begun = Beginning(rng)
            if begun.c.nodes[0].closed:
                continue
            self.compare_ranges(rng, begun)
            model = begun.c.model
            for name in compared:
                given, absent = [], []
                for arguments in itertools.product(range(len(model.points)),
                                                   *[range(model.n)] * (model.families[name][1] - 1)):
                    (given if model.row(name, arguments) else absent).append(arguments)
                for arguments in [*rng.sample(given, min(8, len(given))), *rng.sample(absent, min(5, len(absent)))]:
                    compared[name] += self.compare(begun, name, arguments)
        self.first.close()
        self.assertGreater(min(compared.values()), 20, compared)
