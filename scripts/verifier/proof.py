"""The steps of a certificate."""

import inspect
import json
import math
import re
from fractions import Fraction

from verifier.cases import Cases
from verifier.model import KINDS, Model, Sum, Total
from verifier.node import Node
from verifier.problem import Malformed, Problem, Wrong, items, strict, whole
from verifier.rounding import Line, Summand, rounded

BITS = 200  # multipliers are multiples of 2^-BITS
MAX_COLUMNS = 1 << 24
MAX_WEIGHT, MAX_TOTAL = 1 << 30, 1 << 60
INT64 = 1 << 63
EQUALITIES = "load", "total"
CALLED_BY_EVENT = "memory", "point_room", "point_there", "point_event"  # without a tensor
# Rows and cuts that, with `trust exchanges', hold for canonical schedules only.
ASSUMED = {name for name, (rules, _) in Model.families.items() if not rules} | {
    "stored_in", "out_from", "one", "event", "source", "nested"}


def integer(word, least=-INT64, most=INT64 - 1):
    if not re.fullmatch(r"[+-]?[0-9]+", word) or not least <= int(word) <= most:
        raise Malformed(f"{word:.40}: an integer from {least} to {most} is expected")
    return int(word)


def real(word):
    """A double, as the exact number it is."""
    decimal = r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?"
    hexadecimal = r"[+-]?0[xX]([0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)([pP][+-]?[0-9]+)?"
    try:
        if re.fullmatch(decimal, word):
            return Fraction(float(word))
        if re.fullmatch(hexadecimal, word):
            return Fraction(float.fromhex(word))
    except OverflowError:
        pass
    raise Malformed(f"{word:.40}: a finite number is expected")


def plain(value):
    """An integer if it is one: far faster than a fraction."""
    return value.numerator if isinstance(value, Fraction) and value.denominator == 1 else value


def read_json(text, start):
    """The object that starts there, and where it ends."""
    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key appears twice")
        return dict(pairs)

    def refuse(word):
        raise ValueError(f"{word:.40} is out of range")

    def fraction(word):
        value = float(word)
        lost = value < 2.0**-1022 and re.search("[1-9]", re.split("[eE]", word)[0])
        return refuse(word) if math.isinf(value) or lost else value

    def count(word):
        return int(word) if len(word) < 20 and -INT64 <= int(word) < INT64 else refuse(word)

    try:
        return json.JSONDecoder(object_pairs_hook=once, parse_constant=refuse, parse_float=fraction,
                                parse_int=count).raw_decode(text, start)
    except (ValueError, RecursionError) as error:
        raise Malformed(f"JSON: {error}") from error


class Certificate:
    """A text, read and checked step by step by prove(); `number' is the line that is being read.

    named(builtin): the graph of a built-in name, as the JSON object of a graph file."""

    def __init__(self, text, named):
        self.text, self.named, self.number = text, named, 1
        self.steps = self.multipliers = self.node_count = self.ended_cuts = 0
        self.used = set()  # rows and kinds of cuts that steps rested on
        self.cuts, self.cases = [], Cases(self)

    def prove(self):
        self.begin()
        while self.next_words() != ["end"]:
            self.step()
        if self.line < len(self.lines) - 1 or self.lines[-1] != "":
            raise Malformed("nothing is expected after end")
        self.cases.check_complete()
        self.cases.ready()
        self.all_closed()

    def begin(self):
        self.read_instance()
        self.read_claim()
        self.check_schedule()
        self.nodes = [self.first_node()]

    def step(self):
        """The one whose line was read."""
        word, *arguments = self.words
        step = getattr(self, "step_" + word, None)
        if not step:
            raise Malformed(f"{word:.40} is no step")
        try:
            inspect.signature(step).bind(*arguments)
        except TypeError:
            raise Malformed("another number of words in this line") from None
        self.steps += 1
        if word not in ("keep", "nested"):
            self.cases.ready()
        step(*arguments)
        if not self.nodes[0].branched and not self.cases.waits:
            self.nodes[0].settle()

    # ---- lines

    def next_words(self):
        self.number += 1
        if self.line >= len(self.lines) - 1:
            raise Malformed("the certificate is cut off")
        self.words = self.lines[self.line].split(" ")
        self.line += 1
        if "" in self.words:
            raise Malformed("words with one space between them are expected")
        return self.words

    def read_instance(self):
        head = "poetbnb certificate 2\n"
        if not self.text.startswith(head) or "\0" in self.text:
            raise Malformed("no certificate")
        file, end = read_json(self.text, len(head))
        self.number = 1 + self.text.count("\n", 0, end)
        self.lines, self.line = self.text[end:].split("\n"), 1  # all but the last end with a newline
        if self.lines[0] != "":
            raise Malformed("the end of the line is expected after the schedule")
        matrices = ["R", "S", "A", "In", "Out"]
        strict(file, ["ram_budget_bytes", *matrices],
               ["graph", "builtin", "deadline_seconds", "method", "status", "energy_joules",
                "overhead_joules", "lower_bound_overhead_joules", "peak_bytes", "compute_seconds",
                "allow_paging", "allow_remat", "max_computations", "charge_pagein_transfer",
                "deadline_includes_paging"])
        if ("graph" in file) == ("builtin" in file):
            raise Malformed("either graph or builtin is expected")
        self.builtin = file.get("builtin")
        self.graph = file["graph"] if "graph" in file else self.named(self.builtin)
        self.problem = p = Problem(file, self.graph)
        self.schedule = [self.read_cells(file[name], name == "R") for name in matrices]
        if p.edges() > MAX_COLUMNS // p.n - 7 * p.n - 1:
            raise Malformed("too many columns")

    def read_cells(self, runs, diagonal):
        cells = set()
        for run in items(runs):
            t, i, *end = (whole(x, self.problem.n - 1) for x in items(run, 2, 3))
            more = {(s, i) for s in range(t, max(end, default=t) + 1)}
            if i > t or i == t and not diagonal or not more or more & cells:
                raise Malformed(f"no cells, or some twice: {run}")
            cells |= more
        return cells

    def read_claim(self):
        if self.next_words() not in (["trust", "rules"], ["trust", "exchanges"]):
            raise Malformed("trust rules or trust exchanges is expected")
        self.trust = self.words[1]
        self.model = Model(self.problem, self.trust == "exchanges")
        self.bound = None
        if self.next_words() != ["infeasible"]:
            if self.words[0] != "bound" or len(self.words) != 2:
                raise Malformed("bound or infeasible is expected")
            self.bound = real(self.words[1])
        if self.next_words()[0] != "scale" or len(self.words) != 2:
            raise Malformed("scale is expected")
        scale = real(self.words[1])
        if scale <= 0:
            raise Malformed("a positive scale is expected")
        self.unit = unit = scale * 2**BITS
        self.prices = {}
        self.cost = self.model.cost(self.problem.joules)
        self.scaled_cost = Sum((column, plain(unit * value)) for column, value in self.cost.terms.items())
        self.goal = None if self.bound is None else plain(unit * self.bound)

    def check_schedule(self):
        if self.bound is None:
            return
        R, S, A, In, Out = self.schedule
        why = self.problem.broken(R, S, A, In, Out)
        if why:
            raise Wrong(f"the schedule: {why}")
        self.overhead = self.problem.overhead(R, In, Out)
        if self.bound > self.overhead:
            raise Wrong("the bound is above the overhead of the schedule")

    def cut_count(self):
        return self.ended_cuts + len(self.cuts)

    def optimal(self):
        return self.bound is not None and self.bound * 10**9 >= self.overhead * (10**9 - 1)

    def families(self):
        """What the proof assumes of canonical schedules."""
        return ["reductions", *sorted(self.used & ASSUMED)] if self.model.canonical else []

    # ---- nodes, cells, rows

    def first_node(self):
        """What is known without a step."""
        node, p = Node(self.model), self.problem
        for k, inputs in enumerate(p.inputs):
            if sum(p.bytes[i] for i in inputs) + p.bytes[k] + p.workspace[k] > p.budget:
                node.closed = True
        if p.slack is not None and p.slack < 0 or self.bound is not None and self.bound <= 0:
            node.closed = True
        node.settle()
        return node

    def all_closed(self):
        for number, node in enumerate(self.nodes):
            if not node.closed and not node.branched:
                raise Wrong(f"the proof is not complete: node {number} is open")
        self.node_count += len(self.nodes)

    def node(self, word):
        return self.nodes[integer(word, 0, len(self.nodes) - 1)]

    @staticmethod
    def idle(node):
        """Whether a step, which has been read, does nothing at the node."""
        if node.branched:
            raise Wrong("the node has been branched")
        return node.closed

    def cell(self, kind, t, i):
        if kind not in KINDS:
            raise Malformed(f"{kind:.40}: R, C, P, In or Out is expected")
        t = integer(t, 1, self.problem.n - 1)
        return kind, t, integer(i, 0, t - 1)

    def read_row(self, words):
        """Name and arguments of a row or cut."""
        name, *arguments = words or [""]
        if name == "cut":
            if len(arguments) != 1:
                raise Malformed("the number of a cut is expected")
            return name, (integer(arguments[0], 0, len(self.cuts) - 1),)
        if name == "total":
            if len(arguments) != 1:
                raise Malformed("the number of a total is expected")
            return name, (self.total_number(arguments[0]),)
        if name not in Model.families or len(arguments) != Model.families[name][1]:
            raise Malformed(f"{name:.40}: no row, or another number of arguments")
        least = [0, 0, -1] if len(arguments) == 3 else [0, -1] if name in CALLED_BY_EVENT else [0, 0]
        most = [self.problem.n - 1] * len(arguments)
        if name.startswith("point_"):
            most[0] = len(self.model.points) - 1
        return name, tuple(map(integer, arguments, least, most))

    def row(self, name, arguments):
        if name == "cut":
            kind, row = self.cuts[arguments[0]]
            self.used.add(kind)
            return row
        if name == "total":
            if self.model.totals[arguments[0]].row is None:
                raise Wrong("a column of a timeline is no sum")
            return self.model.totals[arguments[0]].row
        self.used.add(name)
        row = self.cases.row() if name == "case" else self.model.row(name, arguments)
        if row is None:
            raise Wrong(f"there is no row {name} {arguments}")
        return row

    def read_combination(self, count):
        """Pairs of a multiplier, in units of 2^-BITS, and a row's name and arguments."""
        result = []
        for _ in range(integer(count, 0, (1 << 31) - 1)):
            factor = real(self.next_words()[0]) * 2**BITS
            row = self.read_row(self.words[1:])
            if factor.denominator != 1:
                raise Malformed("a multiple of 2^-200 is expected")
            if factor < 0 and row[0] not in EQUALITIES:
                raise Wrong("a negative multiplier on an inequality")
            result.append((factor.numerator, row))
        self.multipliers += len(result)
        return result

    def price(self, at):
        """What "at Q" behind a combination's count says: the costs, scaled, and Q."""
        if not at:
            return self.scaled_cost, None
        if len(at) != 2 or at[0] != "at":
            raise Malformed("at and a point are expected")
        q = integer(at[1], 0, len(self.model.points) - 1)
        first = self.model.points[q].first
        if first not in self.prices:
            cost = self.model.priced(q)
            self.prices[first] = Sum((column, plain(self.unit * value)) for column, value in cost.terms.items())
        return self.prices[first], q

    def combined(self, combination):
        total = Sum()
        for factor, row in combination:
            total.plus(self.row(*row), factor)
        total.terms = {column: plain(value) for column, value in total.terms.items()}
        total.constant = plain(total.constant)
        return total

    def refutes(self, node, d, cost):
        """The Sum d <= 0 leaves nothing of the node that is better than the claim, or nothing at all."""
        return (self.bound is not None and node.least(cost + d)[0] >= self.goal
                or node.least(d)[0] > 0)

    # ---- steps

    def step_reduce(self, node, count, *at):
        node, (cost, _), combination = self.node(node), self.price(at), self.read_combination(count)
        if self.idle(node):
            return
        d = self.combined(combination)
        if self.bound is None:
            node.reduce(d, lambda least: least > 0, KINDS if at else ())
        else:
            node.reduce(cost + d, lambda least: least >= self.goal, KINDS if at else ())

    def step_eliminate(self, count, *at):
        root, (cost, q), combination = self.nodes[0], self.price(at), self.read_combination(count)
        if self.bound is None or q is None or root.branched or self.model.points[q].once is not None:
            raise Wrong("cells are eliminated on a timeline of no case, by costs, before node 0 is branched")
        if root.closed:
            return
        d, enough = cost + self.combined(combination), lambda least: least >= self.goal
        least, _ = root.least(d)
        root.reduce(d, enough)
        if not root.closed:
            root.reduce_page_ins(q, d, least, enough)

    def step_leaf(self, node, count, *at):
        node, (cost, _), combination = self.node(node), self.price(at), self.read_combination(count)
        if not self.idle(node) and not self.refutes(node, self.combined(combination), cost):
            raise Wrong("the combination does not refute the node")
        node.closed = True

    def step_probe(self, node, kind, t, i, value, count, *at):
        if kind == "total":
            self.probe_total(self.node(node), self.total_number(t), i, value, count, at)
            return
        node, cell, value = self.node(node), self.cell(kind, t, i), integer(value, 0, 1)
        (cost, _), combination = self.price(at), self.read_combination(count)
        if self.idle(node):
            return
        probe = Node(self.model, node)
        probe.fix(cell, value)
        if not probe.closed and not self.refutes(probe, self.combined(combination), cost):
            raise Wrong("the combination does not refute that value")
        node.fix(cell, 1 - value)

    def probe_total(self, node, k, side, value, count, at):
        if side not in ("most", "least"):
            raise Malformed("most or least is expected")
        value, (cost, _) = integer(value, -MAX_TOTAL, MAX_TOTAL), self.price(at)
        combination = self.read_combination(count)
        if self.idle(node):
            return
        probe = Node(self.model, node)
        probe.narrow(("T", k), **{"high" if side == "most" else "low": value})
        if not probe.closed and not self.refutes(probe, self.combined(combination), cost):
            raise Wrong("the combination does not refute those values")
        node.narrow(("T", k), **{"low": value + 1} if side == "most" else {"high": value - 1})

    def reduce_by_cost(self, node):
        """A page-in costs a page-out more if none before it is known."""
        least, _ = node.least(self.cost)
        node.closed |= least >= self.bound
        for kind, t, i in self.model.cells():
            if node.closed or node.get((kind, t, i)) is not None:
                continue
            value = self.cost.terms.get((kind, t, i), 0)
            if kind == "In" and not any(node.get(("Out", s, i)) for s in range(i + 1, t)):
                value += self.cost.terms.get(("Out", t, i), 0)
            if least + value >= self.bound:
                node.fix((kind, t, i), 0)

    def step_propagate(self, node, *words):
        node = self.node(node)
        if words == ("overhead",):
            if not self.idle(node):
                if self.bound is None:
                    raise Wrong("a proof that there is no schedule has no bound")
                self.reduce_by_cost(node)
            return
        name, arguments = self.read_row(words)
        if self.idle(node):
            return
        row = self.row(name, arguments)
        if name == "total":
            node.propagate_total(*arguments)
            return
        if name == "cut" and self.cuts[arguments[0]][0] == "round":
            raise Wrong("roundings do not propagate")
        if name == "load":
            row = self.model.kept(arguments[0]) + -self.model.budget
        if name == "memory":
            row = row - self.model.L(arguments[0]) + self.model.kept(arguments[0])
        node.reduce(row, lambda least: least > 0)

    def step_branch(self, node, kind, t, i):
        """A cell, or total K and a value."""
        node = self.node(node)
        split = (("T", self.total_number(t)), integer(i, -MAX_TOTAL, MAX_TOTAL)) if kind == "total" else (
            self.cell(kind, t, i))
        closed = self.idle(node)
        for above in (0, 1):
            child = Node(self.model, node)
            if kind == "total":
                child.narrow(split[0], **{"low": split[1] + 1} if above else {"high": split[1]})
            else:
                child.fix(split, above)
            child.closed |= closed
            self.nodes.append(child)
        node.branched = True

    def step_schedule(self, node):
        node = self.node(node)
        if self.idle(node):
            return
        cells = {kind: set() for kind in KINDS}
        for kind, t, i in self.model.cells():
            value = node.get((kind, t, i))
            if value is None:
                raise Wrong(f"{kind} {t} {i} is not fixed")
            if value:
                cells[kind].add((t, i))
        n = self.problem.n
        R = cells["R"] | {(t, t) for t in range(n)}
        stored = {(s, i) for t, i in cells["Out"] for s in range(t + 1, n)}
        broken = self.problem.broken(R, cells["C"] | cells["P"], stored, cells["In"], cells["Out"],
                                     early=self.model.canonical)
        if not broken and (self.bound is None or
                           self.problem.overhead(R, cells["In"], cells["Out"]) < self.bound):
            raise Wrong("the schedule of the node is better than the claim")
        node.closed = True

    def total_number(self, word):
        return integer(word, 0, len(self.model.totals) - 1)

    def step_total(self, kind, count, *words):
        n = self.problem.n
        if kind not in KINDS:
            raise Malformed(f"{kind:.40}: R, C, P, In or Out is expected")
        if len(words) != 2 * integer(count, 0, n):
            raise Malformed("another number of words in this line")
        tensors = [integer(word, 0, n - 1) for word in words[::2]]
        weights = [integer(word, 1, MAX_WEIGHT) for word in words[1::2]]
        if any(b <= a for a, b in zip(tensors, tensors[1:])):
            raise Malformed("tensors in ascending order are expected")
        self.model.totals.append(Total(self.model, len(self.model.totals), kind, dict(zip(tensors, weights))))

    def ascending(self, words, what):
        numbers = [integer(word, 0, self.problem.n - 1) for word in words]
        if any(b <= a for a, b in zip(numbers, numbers[1:])):
            raise Malformed(f"{what} in ascending order are expected")
        return numbers

    def step_timeline(self, count, *words):
        root, count, once = self.nodes[0], integer(count, 1, self.problem.n), None
        if len(words) > count and words[count] == "away":
            once = self.ascending(words[count + 1:], "nodes")
        elif len(words) != count:
            raise Malformed("another number of words in this line")
        stages = self.ascending(words[:count], "stages")
        if not self.model.canonical or root.branched:
            raise Wrong("there is no timeline with these rows, or not any more")
        if not set(once or ()) <= self.cases.kept:
            raise Wrong("a node that is not kept may be computed again")
        for k in self.model.add_timeline(stages, root.zero, once, self.cases.away):
            if not root.closed:
                root.narrow(("T", k), *self.model.totals[k].span)

    def step_cases(self, count):
        cells = []
        for _ in range(integer(count, 0, MAX_COLUMNS)):
            if len(self.next_words()) != 3:
                raise Malformed("a cell is expected")
            cells.append(self.cell(*self.words))
        self.cases.split_cells(cells)

    def step_keep(self, i):
        self.cases.split_tensor(integer(i, 0, self.problem.n - 1))

    def step_nested(self, outer, inner):
        self.cases.follow(integer(outer, 0, self.problem.n - 1), integer(inner, 0, self.problem.n - 1))
        self.used.add("nested")

    def step_next(self):
        self.all_closed()
        self.cases.second()

    def step_event(self, t, k, *words):
        n = self.problem.n
        conditional = words[:1] == ("if",)
        if len(words) < 2 + conditional:
            raise Malformed("a longer line is expected")
        t, k, rhs = integer(t, 0, n - 1), integer(k, 0, n - 1), integer(words[conditional])
        count, terms, each = integer(words[conditional + 1], 0, n), words[conditional + 2:], 2 if self.model.canonical else 3
        if len(terms) != each * count:
            raise Malformed("another number of words in this line")
        tensors = [integer(word, 0, n - 1) for word in terms[::each]]
        coefficients = [(integer(terms[k + 1]), integer(terms[k + each - 1])) for k in range(0, len(terms), each)]
        self.cuts.append(("event", self.model.event(t, k, conditional, rhs, tensors, coefficients)))

    def grid(self, word):
        """A multiple of 2^-BITS."""
        value = real(word)
        if (value * 2**BITS).denominator != 1:
            raise Malformed("a multiple of 2^-200 is expected")
        return value

    def read_line(self):
        """COEF COLUMN [to T] [up|off] of a rounding."""
        n = self.problem.n
        if len(self.next_words()) < 3:
            raise Malformed("a longer line is expected")
        coefficient, kind, *words = self.words
        side = words.pop() if words[-1:] in (["up"], ["off"]) else ""
        last = words.pop() if words[-2:-1] == ["to"] and words.pop(-2) else None
        coefficient = self.grid(coefficient)
        if kind == "T" and len(words) == 2:
            column = "T", self.total_number(words[0])
            return Line(coefficient, [column], side, integer(words[1], -MAX_TOTAL, MAX_TOTAL))
        if len(words) != {"L": 1, "F": 3}.get(kind, 2):
            raise Malformed("another number of words in this line")
        if kind == "L":
            columns = [("L", integer(words[0], 0, n - 1))]
        elif kind == "F":
            t = integer(words[0], 0, n - 1)
            i, k = integer(words[1], 0, t - 1), integer(words[2], 0, t - 1)
            columns = [("F", t, i, k)]
            if i not in self.problem.inputs[k]:
                raise Malformed("a user of the tensor is expected")
        elif kind == ("E" if self.model.canonical else "D"):
            t = integer(words[0], 0, n - 1)
            columns = [(kind, t, integer(words[1], 0, t - 1))]
        else:
            columns = [self.cell(kind, *words)]
        if last is not None:
            if kind not in ("C", "P"):
                raise Malformed("only C and P are kept")
            _, t, i = columns[0]
            columns = [(kind, s, i) for s in range(t, integer(last, t + 1, n - 1) + 1)]
        return Line(coefficient, columns, side)

    def step_round(self, divisor, rhs, count, terms):
        divisor, rhs = self.grid(divisor), self.grid(rhs)
        terms = integer(terms, 0, MAX_COLUMNS)
        if divisor <= 0:
            raise Malformed("a positive divisor is expected")
        summands, lines = self.read_rounding(integer(count, 0, (1 << 31) - 1), terms)
        self.multipliers += len(summands)
        row = None
        if any(not node.closed and not node.branched for node in self.nodes):
            row = rounded(self.nodes[0], divisor, rhs, self.with_rows(summands), lines)
        self.cuts.append(("round", row))

    def read_rounding(self, count, terms):
        """Its summands, with names in the place of rows, and its lines."""
        summands = []
        for _ in range(count):
            if len(self.next_words()) < 3:
                raise Malformed("a longer line is expected")
            row = self.read_row(self.words[2:])
            summands.append(Summand(self.grid(self.words[0]), self.grid(self.words[1]), row))
        return summands, [self.read_line() for _ in range(terms)]

    def with_rows(self, summands):
        return [Summand(s.y, s.h, self.row(*s.row), s.row[0] in EQUALITIES) for s in summands]

    def step_source(self, k, a, b, *words):
        last = self.problem.n - 1
        k, a, b = integer(k, 0, last), integer(a, 0, last), integer(b, 0, last)
        kept = words[:1] == ("kept",)
        path = []
        for word in words[kept:]:
            if word == "out" and path and not path[-1][1]:
                path[-1] = path[-1][0], True
            else:
                path.append((integer(word, 0, last), False))
        if not path:
            raise Malformed("a path is expected")
        self.cuts.append(("source", self.model.source(k, a, b, kept, path)))
