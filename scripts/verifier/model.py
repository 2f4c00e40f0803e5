"""The rows of the model: the table of certificate/FORMAT.md, and its cuts."""

import math
from fractions import Fraction

from verifier.problem import Wrong
from verifier.sums import Sum
from verifier.timeline import Timelines

KINDS = ("R", "C", "P", "In", "Out")
MAX_COEFFICIENT = 1 << 50


class Total:
    """A sum of weights times cells of a kind, and its row, which is an equality."""

    def __init__(self, model, number, kind, weights):
        self.most = sum(w * (model.n - 1 - i) for i, w in weights.items())
        self.row = Sum({(kind, t, i): w for i, w in weights.items() for t in range(i + 1, model.n)})
        self.row.plus(Sum({("T", number): 1}), -1)


class Model(Timelines):
    """Its rows are Sums that are at most 0. A column is a tuple (kind, stage, node), F's (F, stage, node,
    user)."""

    def __init__(self, p, canonical):
        self.p, self.canonical, self.n = p, canonical, p.n
        self.size, self.workspace, self.budget = self.rounded()
        self.known, self.totals, self.points = {}, [], []
        self.near = [{i, *p.inputs[i], *p.users[i]} for i in range(self.n)]  # whose cells tell of each other

    def rounded(self):
        budget, size = self.p.budget, self.p.bytes + self.p.workspace
        divisor, best = 0, (1, 0)
        for least in sorted(set(size), reverse=True):
            divisor = math.gcd(divisor, least)
            small = sum(b for b in size if b < least) * (1 if self.canonical else 3)
            if divisor > best[0] and small <= budget % divisor:
                best = divisor, least
        left = [b if b >= best[1] else 0 for b in size]
        return left[:self.n], left[self.n:], budget - budget % best[0]

    def cells(self):
        return [(kind, t, i) for kind in KINDS for t in range(self.n) for i in range(t)]

    def column(self, kind, t, i):
        return Sum({(kind, t, i): 1}) if 0 <= i < t < self.n else Sum()

    def R(self, t, i):
        return Sum((), 1) if i == t < self.n else self.column("R", t, i)

    def C(self, t, i):
        return self.column("C", t, i)

    def P(self, t, i):
        return self.column("P", t, i)

    def S(self, t, i):
        return self.C(t, i) + self.P(t, i)

    def In(self, t, i):
        return self.column("In", t, i)

    def Out(self, t, i):
        return self.column("Out", t, i)

    def D(self, t, i):
        return Sum() if self.canonical else self.column("D", t, i)

    def has_early(self, t, i):
        return self.canonical and self.p.may_recompute(i) and t > i + 1

    def E(self, t, i):
        return self.column("E", t, i) if self.has_early(t, i) else Sum()

    def L(self, t):
        return Sum({("L", t): 1})

    def here(self, t, i):
        return self.S(t, i) + self.R(t, i) - self.D(t, i)

    def rel(self, t, i, k):
        return self.E(t, i) + Sum({("F", t, i, j): 1 for j in self.p.users[i] if j < k})

    def use(self, t, i):
        return self.total(self.R(t, k) for k in self.p.users[i] if k <= t)

    def written(self, i, stages):
        return self.total(self.Out(s, i) for s in stages)

    @staticmethod
    def total(sums):
        result = Sum()
        for term in sums:
            result.plus(term, 1)
        return result

    def weighed(self, nodes, literal):
        return self.total(self.size[i] * literal(i) for i in nodes if self.size[i])

    def row(self, name, a):
        """The row of that name and arguments; None: the model has none."""
        if (name, a) not in self.known:
            make = self.families.get(name)
            good = make[0] or self.canonical
            self.known[name, a] = good and getattr(self, "row_" + name)(*a) or None
        return self.known[name, a]

    # name: (with trust rules, too, number of arguments)
    families = {"input": (1, 3), "source_c": (1, 2), "source_p": (1, 2), "stored_p": (1, 2),
                "stored_in": (1, 2), "out_from": (1, 2), "out_first": (0, 2), "out_once": (0, 1),
                "one": (1, 2), "twice": (1, 2), "used_r": (0, 2), "used_s": (0, 2), "used_in": (0, 2),
                "free_use": (1, 3), "free_keep": (1, 2), "free_once": (1, 2), "free_or": (1, 2),
                "late": (0, 2), "load": (1, 1), "memory": (1, 2), "case": (1, 0), "deadline": (1, 0),
                "computations": (1, 1), "point_kept": (0, 2), "point_left": (0, 2), "point_live": (0, 2),
                "point_input": (0, 3), "point_stored": (0, 2), "point_used": (0, 2), "point_back": (0, 2), "point_load": (0, 1),
                "point_memory": (0, 1), "point_room": (0, 2), "point_deadline": (0, 1),
                "point_computations": (0, 2), "point_again": (0, 3), "point_later": (0, 3), "point_from": (0, 2),
                "point_stays": (0, 2), "point_there": (0, 2), "point_event": (0, 2), "point_away": (0, 2)}

    def inside(self, t, i):
        return 0 <= i < t < self.n

    def row_input(self, t, i, k):
        return 0 <= k <= t < self.n and i in self.p.inputs[k] and (
            self.R(t, k) + self.rel(t, i, k) - self.here(t, i))

    def row_source_c(self, t, i):
        return self.inside(t, i) and self.C(t + 1, i) - self.C(t, i) - self.R(t, i)

    def row_source_p(self, t, i):
        return self.inside(t, i) and self.P(t + 1, i) - self.P(t, i) - self.In(t, i)

    def row_stored_p(self, t, i):
        return self.inside(t, i) and self.P(t, i) - self.written(i, range(t))

    def row_stored_in(self, t, i):
        return self.inside(t, i) and self.In(t, i) - (
            self.P(t + 1, i) if self.canonical else self.written(i, range(t)))

    def row_out_from(self, t, i):
        return self.inside(t, i) and self.Out(t, i) - (self.C if self.canonical else self.S)(t, i)

    def row_out_first(self, t, i):
        return self.inside(t, i + 1) and i >= 0 and self.Out(t, i) - self.R(t - 1, i)

    def row_out_once(self, i):
        return 0 <= i < self.n and self.C(i + 1, i) + self.written(i, range(i + 2, self.n)) + -1

    def row_one(self, t, i):
        return self.inside(t, i) and -1 + (
            self.R(t, i) + self.In(t, i) + self.S(t, i) if self.canonical else self.here(t, i))

    def row_twice(self, t, i):
        return self.inside(t, i) and not self.canonical and self.D(t, i) - self.S(t, i)

    def row_used_r(self, t, i):
        return self.inside(t, i) and self.R(t, i) - self.use(t, i) - self.S(t + 1, i)

    def row_used_s(self, t, i):
        return self.inside(t, i) and self.S(t, i) - self.use(t, i) - self.S(t + 1, i) - self.Out(t, i)

    def row_used_in(self, t, i):
        return self.inside(t, i) and self.In(t, i) - self.use(t + 1, i)

    def row_free_use(self, t, i, k):
        if not self.inside(t, i):
            return None
        if k < 0:
            return self.has_early(t, i) and self.E(t, i) - self.Out(t, i)
        return k < t and i in self.p.inputs[k] and Sum({("F", t, i, k): 1}) - self.R(t, k)

    def row_free_keep(self, t, i):
        return self.inside(t, i) and (
            self.rel(t, i, t) + self.S(t + 1, i) - self.here(t, i) - (self.In(t, i) if t < self.n - 1 else Sum()))

    def row_free_once(self, t, i):
        return self.inside(t, i) and self.rel(t, i, t) - self.here(t, i)

    def row_free_or(self, t, i):
        return self.inside(t, i) and self.rel(t, i, t) + self.S(t + 1, i) + -1

    def row_late(self, t, i):
        return self.inside(t, i) and t < self.n - 1 and self.workspace[i] == 0 and (
            self.R(t, i) - self.use(t, i) - self.Out(t + 1, i) - self.total(
                self.S(t, u) + self.R(t, u) + self.In(t, u) - self.S(t + 1, u) + self.Out(t + 1, u) +
                self.total(self.R(t + 1, j) for j in self.p.users[u] if j < i)
                for u in self.p.inputs[i]))

    def kept(self, t):
        return self.weighed(range(t), lambda i: self.S(t, i))

    def row_load(self, t):
        return 0 <= t < self.n and self.kept(t) - self.L(t)

    def row_memory(self, t, k):
        if not 0 <= k <= t < self.n:
            return None
        row = self.L(t) + self.weighed(range(k + 1), lambda i: self.R(t, i))
        if self.workspace[k]:
            row.plus(self.R(t, k), self.workspace[k])
        row.plus(self.weighed(range(t), lambda i: self.rel(t, i, k)), -1)
        if self.p.charge:
            row.plus(self.weighed(range(t), lambda i: self.In(t, i)), 1)
        return row + -self.budget

    def row_deadline(self):
        return self.p.slack is not None and self.cost(self.p.seconds, self.p.timed_paging) + -Fraction(self.p.slack)

    def row_computations(self, i):
        return 0 <= i < self.n and self.p.computations < self.n and (
            self.total(self.R(t, i) for t in range(i + 1, self.n)) + -(self.p.computations - 1))

    def cost(self, of, transfers=True):
        return Sum({(kind, t, i): Fraction(of[kind][i]) for t in range(self.n) for i in range(t)
                    for kind in ("R", "In", "Out")[:3 if transfers else 1] if of[kind][i]})

    # ---- cuts

    def live(self, t, i, k, there, made):
        """What tensor i counts in stage t once node k is computed, with these coefficients of what is there as the
        stage begins and of what is computed."""
        terms = there * self.S(t, i) - max(there, made) * self.rel(t, i, k)
        if i <= k:
            terms.plus(self.R(t, i), made)
        if self.canonical and self.p.charge:
            terms.plus(self.In(t, i), there)
        return terms

    def event(self, t, k, conditional, rhs, tensors, coefficients):
        """coefficients: for each tensor a pair, of one number twice with canonical rows."""
        if k > t or conditional and k == t:
            raise Wrong("there is no such event")
        if max(map(abs, [rhs, *sum(coefficients, ())])) > MAX_COEFFICIENT:
            raise Wrong("a coefficient of the cut is too large")
        certain = [k, *self.p.inputs[k]] if conditional or k == t else []
        if len(set(tensors)) < len(tensors) or any(
                i >= t or i in certain and not (conditional and i == k) for i in tensors):
            raise Wrong("a tensor of the cut is no literal of it, or comes twice")
        together = self.workspace[k] + sum(self.size[i] for i in [k, *self.p.inputs[k]])
        room = self.budget - (together if k == t else 0)
        best = {0: 0} if room >= 0 else {}  # the most that sets of a weight come to
        row = Sum((), -rhs)
        for i, (there, made) in zip(tensors, coefficients):
            if conditional and i == k:
                row.plus(self.R(t, k), made)
                weight, values = together, [made]
            else:
                row.plus(self.live(t, i, k, there, made), 1)
                weight, values = self.size[i], [there] if self.canonical or i > k else [there, made]
            for value in values:
                if value > 0:
                    best = self.extended(best, weight, value, room)
        if best and max(best.values()) > rhs:
            raise Wrong("tensors that fit into the budget violate the cut")
        return row

    @staticmethod
    def extended(best, weight, value, room):
        """With one more tensor; without what weighs more than another and is worth no more."""
        both = dict(best)
        for w, v in best.items():
            if w + weight <= room:
                both[w + weight] = max(both.get(w + weight, 0), v + value)
        kept, most = {}, -1
        for w, v in sorted(both.items()):
            if v > most:
                kept[w] = most = v
        return kept

    def source(self, k, a, b, kept, path):
        """path: pairs of a node, and whether the term of page-outs stands for its copies from storage."""
        if not self.canonical or not k < a <= b or len(path) > 16:
            raise Wrong("there is no such source cut")
        row = self.C(b, k) + self.R(b, k) - self.C(a, k) if kept else self.total(
            self.R(t, k) - (self.use(t, k) + self.total(self.Out(t, i) for i in [k, *self.p.inputs[k]])
                            if t < b else Sum()) for t in range(a, b + 1))
        reader = k
        for v, out in path:
            if v not in self.p.inputs[reader]:
                raise Wrong(f"{v} is not an input of {reader}")
            row.plus(self.C(a, v), -1)
            row.plus(self.written(v, range(b - 1)) if out else
                     self.P(a, v) + self.total(self.In(t, v) for t in range(a, b)), -1)
            reader = v
        return row - self.total(self.R(t, reader) for t in range(a, b + 1))
