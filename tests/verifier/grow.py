"""Proofs that are made step by step, of what the second checker knows: trees of branches, propagation and
combinations of any rows. They reach what the solver's proofs do not."""

import itertools
import math

from fractions import Fraction

import samples
from verifier.rounding import least_side

Certificate = samples.second.Certificate
MOST_NODES = 100
MOST_REFUSED = 10


class Grower:
    """A certificate's problem and claim, and steps of our own."""

    def __init__(self, rng, data):
        text = data.decode()
        self.rng, self.lines, self.refused = rng, [], []
        claim = text.index("\ntrust ")
        self.head = text[:claim + 1] + "\n".join(text[claim + 1:].split("\n")[:3]) + "\n"
        self.c = Certificate(self.head, None)
        self.c.begin()
        self.rows = self.all_rows()

    def text(self):
        return (self.head + "".join(line + "\n" for line in [*self.lines, "end"])).encode()

    def step(self, *lines):
        c = self.c
        self.lines += lines
        c.lines, c.line = [*lines, ""], 0
        c.next_words()
        c.step()

    def all_rows(self):
        """Names with arguments, as words; what the model does not have is left out."""
        model, n, result = self.c.model, self.c.problem.n, []
        for name, (_, count) in model.families.items():
            if name.startswith("point_"):
                continue
            for arguments in itertools.product(range(-1, n), repeat=count):
                if name != "case" and (model.families[name][0] or model.canonical) and model.row(name, arguments):
                    result.append(" ".join([name, *map(str, arguments)]))
        return result

    def timeline(self):
        """A random one, and its rows."""
        model, n, before = self.c.model, self.c.problem.n, len(self.c.model.points)
        stages = sorted(self.rng.sample(range(n), min(n, self.rng.choice([1, 1, 2, 3]))))
        self.step(" ".join(map(str, ["timeline", len(stages), *stages])))
        for name in [name for name in model.families if name.startswith("point_")]:
            for arguments in itertools.product(range(before, len(model.points)),
                                               *[range(-1, n)] * (model.families[name][1] - 1)):
                if -1 not in arguments and model.row(name, arguments):
                    self.rows.append(" ".join([name, *map(str, arguments)]))

    def at(self):
        """Where the overhead is counted: words behind a count."""
        points = len(self.c.model.points)
        return f" at {self.rng.randrange(points)}" if points and self.rng.random() < 0.6 else ""

    def combination(self, most):
        """Lines of a random one."""
        lines = []
        for _ in range(self.rng.randint(0, most)):
            row = self.rng.choice(self.rows)
            factor = self.rng.choice([1, 1, 2, 0.5, 3, 0.125, 40])
            equality = row.startswith(("load", "total"))
            lines.append(f"{float(factor * self.rng.choice([1, -1]) if equality else factor).hex()} {row}")
        return lines

    def cut(self, side):
        """Words of an event cut with that right side."""
        rng, n = self.rng, self.c.problem.n
        t = rng.randrange(1, n)
        k = rng.randint(0, t)
        conditional = k < t and rng.random() < 0.4
        certain = self.c.problem.inputs[k] + [k] * (k == t)
        tensors = [i for i in range(t) if rng.random() < 0.7 and not ((k == t or conditional) and i in certain)]
        if rng.random() < 0.05:
            tensors.append(rng.randrange(n))
        values = [rng.choice([1, 1, 1, 2, 3, 5, -1]) for _ in tensors]
        others = [rng.choice([value, value, 0, 1, -2]) for value in values]  # of what is computed, by the rules
        terms = zip(tensors, values) if self.c.model.canonical else zip(tensors, values, others)
        words = [w for term in terms for w in term]
        return " ".join(map(str, ["event", t, k, *["if"] * conditional, side, len(tensors), *words]))

    def tight_cut(self):
        """The one with the least right side that holds, after one that does not."""
        state = self.rng.getstate()
        for side in range(-1, 40):
            self.rng.setstate(state)
            if self.try_step(self.cut(side), kept=True):
                return

    def source(self):
        rng, p = self.rng, self.c.problem
        k = rng.randrange(p.n - 1)
        a = rng.randint(k + 1, p.n - 1)
        words, v = ["source", k, a, rng.randint(a, p.n - 1)] + ["kept"] * rng.randint(0, 1), k
        for _ in range(rng.randint(1, 3)):
            if p.inputs[v]:
                v = rng.choice(p.inputs[v])
                words += [v] + ["out"] * rng.randint(0, 1)
        return " ".join(map(str, words))

    def rounding(self):
        """Lines of a rounding whose right side is the least one, or a bit less."""
        rng, c = self.rng, self.c
        rows = [row.split(" ") for row in rng.choices(self.rows, k=rng.randint(1, 4)) if not row.startswith("case")]
        divisor = rng.choice([1, 2, 3, 0.5, 1.5, 7])
        summands, lines = [], []
        for words in rows:
            y, equality = rng.choice([1, 1, 0.5, 2, 0.25, -1, -0.5, 3]), words[0] in ("load", "total")
            h = 0 if equality or rng.random() < 0.5 else rng.choice([-4, -1, -0.5, -0.25, 0.5, 1])
            summands.append((y, h, words))
        columns = sorted({column for words in rows for column in c.row(*c.read_row(words)).terms}, key=str)
        for column in rng.sample(columns, rng.randint(0, len(columns))):
            side = rng.choice([[], [], ["up"], ["off"]])
            if column[0] == "T":  # mostly from one of its bounds
                side.insert(0, c.nodes[0].span(column)[side == ["up"]] + rng.choice([0, 0, 0, 1, -1]))
            lines.append([rng.choice([1, 1, 2, -1, 0.5, -2]), *column, *side])
        head = ["round", float(divisor).hex()]
        tail = [len(summands), len(lines)]
        rest = [" ".join([float(y).hex(), float(h).hex(), *words]) for y, h, words in summands]
        rest += [" ".join([float(line[0]).hex(), *map(str, self.kept(line[1:]))]) for line in lines]
        side = self.least_side(divisor, rest, len(summands))
        if side is None:
            return None
        side = rng.choice([side, math.nextafter(side, -math.inf), math.nextafter(side, math.inf), side + 1])
        return [" ".join(map(str, [*head, side.hex(), *tail])), *rest]

    def kept(self, line):
        """With `to', at times."""
        if line[0] == "T":
            return line
        kind, t, i = [*line, 0, 0][:3]
        root, last = self.c.nodes[0], t
        while kind in ("C", "P") and last + 1 < self.c.problem.n and (
                root.find((kind, last + 1, i)) == root.find((kind, t, i))):
            last += 1
        if last == t or self.rng.random() < 0.3:
            return line
        return [*line[:3], "to", self.rng.randint(t + 1, last), *line[3:]]

    def least_side(self, divisor, rest, count):
        """Rounded to a double; None: the derivation is wrong whatever the side."""
        c = self.c
        c.lines, c.line = [*rest, ""], 0
        try:
            summands, lines = c.read_rounding(count, len(rest) - count)
            side = least_side(c.nodes[0], Fraction(divisor), c.with_rows(summands), lines)
        except (samples.second.Wrong, samples.second.Malformed):
            return None
        return math.ldexp(round(float(side) * 2.0**60), -60)

    def try_step(self, *lines, kept=False):
        """Only if it holds, and whether it does; of the others some are kept (with kept: the last one, if
        steps of that kind fail in a row) as ends of proofs that are wrong there."""
        try:
            self.step(*lines)
            return True
        except (samples.second.Wrong, samples.second.Malformed):
            if kept and self.refused and self.refused[-1][0] == len(self.lines):
                self.refused.pop()
            if len(self.refused) < MOST_REFUSED and (kept or self.rng.random() < 0.3):
                self.refused.append((len(self.lines), self.text()))
            del self.lines[-len(lines):]
            return False

    def show(self, number):
        """Probes without rows, which hold where the cell has the other value already: they show what a
        checker knows. One of an open cell is tried, too."""
        node = self.c.nodes[number]
        for cell in self.c.model.cells():
            value = node.get(cell)
            if value is not None and not node.closed:
                self.step(f"probe {number} " + " ".join(map(str, cell)) + f" {1 - value} 0")
        for k in range(len(self.c.model.totals)):
            low, high = node.span(("T", k))
            for side, value in (("most", low - 1), ("least", high + 1)):
                if not node.closed:
                    self.step(f"probe {number} total {k} {side} {value} 0")
        free = [cell for cell in self.c.model.cells() if node.get(cell) is None]
        if free and not node.closed:
            kind, t, i = self.rng.choice(free)
            self.try_step(f"probe {number} {kind} {t} {i} {self.rng.randint(0, 1)} 0")

    def work(self, number):
        """Steps at a node."""
        rng = self.rng
        for row in rng.sample(self.rows, rng.choice([3, 30, 80, 400]) % (len(self.rows) + 1)):
            if not self.c.nodes[number].closed:
                self.try_step(f"propagate {number} {row}")
        if self.c.bound is not None and rng.random() < 0.7:
            self.step(f"propagate {number} overhead")
        if self.c.model.canonical and not self.c.nodes[0].branched and rng.random() < 0.5:
            self.timeline()
        for _ in range(rng.randint(0, 3)):
            lines = self.combination(4)
            self.step(f"reduce {number} {len(lines)}{self.at()}", *lines)
            at = self.at()
            if at and self.c.bound is not None and number == 0 and not self.c.nodes[0].branched:
                self.step(f"eliminate {len(lines)}{at}", *lines)
        for _ in range(rng.randint(0, 4)):
            lines = self.combination(2)
            kind, t, i = rng.choice(self.c.model.cells())
            self.try_step(f"probe {number} {kind} {t} {i} {rng.randint(0, 1)} {len(lines)}{self.at()}", *lines)
        if self.c.model.totals:
            k = rng.randrange(len(self.c.model.totals))
            low, high = self.c.nodes[number].span(("T", k))
            sums = [] if self.c.model.totals[k].row is None else [f"{rng.choice([-2, -1, 0.5, 1])} total {k}"]
            lines = self.combination(2) + sums
            side, value = rng.choice(["most", "least"]), rng.randint(low, max(low, high))
            self.try_step(f"probe {number} total {k} {side} {value} {len(lines)}{self.at()}", *lines)
        if rng.random() < 0.5:
            self.show(number)

    def total(self):
        rng, n = self.rng, self.c.problem.n
        tensors = sorted(rng.sample(range(n), rng.randint(1, n)))
        weights = [str(word) for i in tensors for word in (i, rng.choice([1, 1, 2, 3]))]
        number = len(self.c.model.totals)
        self.step(" ".join(["total", rng.choice(["R", "R", "In", "Out", "C", "P"]), str(len(tensors)), *weights]))
        self.rows += [f"total {number}"] * 8

    def branch(self, number, free):
        """By a cell that is open, or at times by a total or a column of a timeline."""
        totals = range(len(self.c.model.totals))
        spans = [(k, *self.c.nodes[number].span(("T", k))) for k in totals]
        spans = [span for span in spans if span[1] < span[2]]
        if spans and self.rng.random() < 0.4:
            k, low, high = self.rng.choice(spans)
            self.step(f"branch {number} total {k} {self.rng.randint(low, high - 1)}")
        else:
            self.step(f"branch {number} " + " ".join(map(str, self.rng.choice(free))))

    def cuts(self):
        for _ in range(self.rng.randint(0, 3)):
            self.total()
            if self.c.model.canonical:
                self.timeline()
        for _ in range(self.rng.randint(0, 4)):
            before = len(self.c.cuts)
            self.tight_cut()
            if self.c.model.canonical:
                self.try_step(self.source())
            lines = self.rounding()
            if lines:
                self.try_step(*lines)
            self.rows += [f"cut {k}" for k in range(before, len(self.c.cuts))] * 5

    def tree(self):
        """Works at open nodes and branches them, until none is open; False: it is too large, or there is a
        leaf that cannot be closed."""
        while True:
            number = next((k for k, node in enumerate(self.c.nodes) if not node.closed and not node.branched), None)
            if number is None:
                return True
            if len(self.c.nodes) > MOST_NODES:
                return False
            node = self.c.nodes[number]
            self.work(number)
            free = [cell for cell in self.c.model.cells() if node.get(cell) is None]
            if node.closed:
                continue
            if free:
                self.branch(number, free)
                continue
            try:
                self.step(f"schedule {number}")
            except samples.second.Wrong:
                return False

    def grow(self):
        """A whole proof, or one that fails at its end."""
        self.cuts()
        done = True
        if self.rng.random() < 0.4:
            cells = self.rng.sample(self.c.model.cells(), self.rng.randint(1, 4))
            if self.rng.random() < 0.5:
                self.work(0)
            rows = list(self.rows)
            self.step(f"cases {len(cells)}", *(" ".join(map(str, cell)) for cell in cells))
            done = self.tree()
            if done:
                self.step("next")
                self.rows = rows + ["case"] * 3
        return done and self.tree()


def proofs(rng, number, folder):
    """One of a small graph with the number-th options, as bytes; it holds, or a node of it is open. Then some
    that are wrong in their last step."""
    grower = Grower(rng, samples.certificate(rng, number, folder, 4, 24))
    grower.show(0)
    grower.grow()
    return [grower.text(), *(text for _, text in grower.refused)]


def shown(rng, number, folder):
    """A proof about a larger graph that does not end, and says on the way what is known at node 0."""
    grower = Grower(rng, samples.certificate(rng, number, folder))
    grower.show(0)
    grower.cuts()
    for k in range(3):
        if k == 2 and rng.random() < 0.5:
            cells = rng.sample(grower.c.model.cells(), 3)
            grower.step(f"cases {len(cells)}", *(" ".join(map(str, cell)) for cell in cells))
        grower.work(0)
        grower.show(0)
    return [grower.text(), *(text for _, text in grower.refused)]
