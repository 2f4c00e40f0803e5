"""The problem on a coarse timeline: certificate/FORMAT.md, "Timelines"."""

from collections import namedtuple
from fractions import Fraction

from verifier.sums import Sum

# Of its timeline the numbers of points and the first total; its own first total; with columns for tensors that are away
# the nodes that never come again, else None.
Point = namedtuple("Point", "first last stage end base own once")


class Coarse:
    """A column of a timeline."""

    row = None

    def __init__(self, most, span, cells=(), costs=0):
        self.most, self.span, self.cells, self.costs = most, span, cells, costs


class Timelines:
    """Of a Model: its points, columns among its totals, and rows."""

    def interval(self, q):
        """Its stages."""
        return range(self.points[q].stage + 1, self.points[q].end + 1)

    def add_timeline(self, stages, zero, once, away):
        """zero(kind, t, i): whether node 0 knows that. once: None, or nodes that never come again, and then the tensors
        that are away."""
        p, first, base = self.p, len(self.points), len(self.totals)
        for stage, end in zip(stages, [*stages[1:], self.n - 1]):
            own = self.points[-1].own + self.columns(len(self.points) - 1) if len(self.points) > first else base + self.n
            self.points.append(Point(first, first + len(stages) - 1, stage, end, base, own, once))
        one_of = lambda cells: int(not all(zero(*cell) for cell in cells))  # noqa: E731
        for i in range(self.n):
            cells = [("Out", t, i) for t in range(i + 1, self.n)]
            self.totals.append(Coarse(1, (0, one_of(cells)), cells if once is None else (), p.joules["Out"][i]))
        live = [[self.may_be_live(t, i, zero) if i < t else 1 for i in range(self.n)] for t in stages]
        for k, stage in enumerate(stages):
            columns, none = [[], [], [], []], Coarse(0, (0, 0))
            for i in range(self.n):
                R = [("R", t, i) for t in self.interval(first + k)]
                In = [("In", t - 1, i) for t in self.interval(first + k) if t - 1 > i]
                there, follows = i <= stage, k + 1 < len(stages)
                columns[0].append(Coarse(1, (int(i in p.inputs[stage]), live[k][i])) if i < stage else none)
                columns[1].append(Coarse(1, (0, live[k + 1][i])) if there and follows else none)
                columns[2].append(Coarse(1, (0, one_of(R)), R, p.joules["R"][i]) if there else none)
                columns[3].append(Coarse(1, (0, one_of(In)), In, p.joules["In"][i]) if there else none)
            most = self.budget if k + 1 < len(stages) else 0
            self.totals += [*sum(columns, []), Coarse(most, (0, most))]
            if self.has_events(first + k):
                self.add_events(first + k, zero)
        if once is not None:
            self.add_fates(stages, away)
        return range(base, len(self.totals))

    def add_fates(self, stages, away):
        """early and stay: a tensor that is first computed at a point, or last, has no early."""
        self.totals += [Coarse(1, (0, int(i not in [*stages, self.n - 1])), (), self.least_away(i))
                        for i in range(self.n)]
        self.totals += [Coarse(1, (0, int(i not in away))) for i in range(self.n)]

    def least_away(self, i):
        """Joules that it costs at least if i is away."""
        again, paged = Fraction(self.p.joules["R"][i]), Fraction(self.p.joules["In"][i]) + Fraction(self.p.joules["Out"][i])
        if not self.p.may_page(i) or self.p.may_recompute(i) and again < paged:
            return again
        return paged

    def forget(self, totals, points):
        """All from these numbers on."""
        del self.totals[totals:], self.points[points:]
        self.known = {key: row for key, row in self.known.items() if not key[0].startswith("point_")}

    def has_events(self, q):
        return q < self.points[q].last and self.points[q].end == self.points[q].stage + 1

    def columns(self, q):
        return 4 * self.n + 1 + (self.p.edges() + 2 * self.n if self.has_events(q) else 0)

    def again(self, q, k):
        """It may come again in the interval."""
        return 0 <= k <= self.points[q].stage < self.p.reach[k] and self.p.may_recompute(k) and (
            k not in (self.points[q].once or ()))

    def add_events(self, q, zero):
        none, end = Coarse(0, (0, 0)), self.points[q].end
        self.totals += [Coarse(1, (0, 1)) if self.again(q, k) else none for i in range(self.n) for k in self.p.users[i]]
        self.totals += [Coarse(1, (0, int(not zero("S", end, i)))) if self.again(q, i) else none for i in range(self.n)]
        self.totals += [Coarse(self.budget, (0, self.budget)) if self.again(q, k) else none for k in range(self.n)]

    def may_be_live(self, t, i, zero):
        """It is there, and not released before the event: it is read by t, or kept, or being written out."""
        there = not (zero("S", t, i) and zero("R", t, i))
        return int(there and (i in self.p.inputs[t] or not (zero("S", t + 1, i) and zero("Out", t, i))))

    def coarse(self, kind, q, i):
        """live, kept, compute and pagein of point q."""
        return self.own_total(q, kind * self.n + i)

    def own_total(self, q, number):
        place = self.points[q].own + number
        return Sum({("T", place): 1}) if self.totals[place].most else Sum()

    def live_at(self, q, i):
        return Sum((), 1) if i == self.points[q].stage else self.coarse(0, q, i)

    def kept_to(self, q, i):
        return self.coarse(1, q, i)

    def compute(self, q, i):
        return Sum((), 1) if i > self.points[q].stage else self.coarse(2, q, i)

    def pagein(self, q, i):
        return self.coarse(3, q, i)

    def coarse_load(self, q):
        return self.coarse(4, q, 0)

    def out(self, q, i):
        return Sum({("T", self.points[q].base + i): 1})

    def here_at(self, q, i):
        """Whether i, computed before, is there within the interval."""
        return self.live_at(q, i) + self.compute(q, i) + self.pagein(q, i)

    def goes_on(self, q, i=0):
        return q < self.points[q].last and 0 <= i <= self.points[q].stage

    def row_point_kept(self, q, i):
        return self.goes_on(q, i) and self.kept_to(q, i) - self.live_at(q, i)

    def row_point_left(self, q, i):
        return self.goes_on(q, i) and self.kept_to(q, i) - self.live_at(q + 1, i)

    def row_point_live(self, q, i):
        return self.goes_on(q, i) and (
            self.live_at(q + 1, i) - self.kept_to(q, i) - self.compute(q, i) - self.pagein(q, i))

    def row_point_input(self, q, i, k):
        return i < self.points[q].stage and 0 <= k <= self.points[q].end and i in self.p.inputs[k] and (
            self.compute(q, k) - self.here_at(q, i))

    def row_point_stored(self, q, i):
        return i <= self.points[q].stage and self.pagein(q, i) - self.out(q, i)

    def row_point_used(self, q, i):
        users = [k for k in self.p.users[i] if k <= self.points[q].end]
        return i <= self.points[q].stage and all(k <= self.points[q].stage for k in users) and (
            self.pagein(q, i) - self.total(self.compute(q, k) for k in users))

    def row_point_back(self, q, i):
        behind = [k for k in self.p.users[i] if k > self.points[q].end]
        if i > self.points[q].stage or not behind:
            return None
        last = next(r for r in self.points_with(q) if self.points[r].end >= behind[0])
        return 1 + -1 * (self.kept_to(q, i) + self.out(q, i) + self.total(self.compute(r, i) for r in range(q, last + 1)))

    def row_point_load(self, q):
        return self.goes_on(q) and self.weighed(range(self.points[q].stage + 1), lambda i: self.kept_to(q, i)) - (
            self.coarse_load(q))

    def row_point_memory(self, q):
        stage = self.points[q].stage
        return self.weighed(range(stage + 1), lambda i: self.live_at(q, i)) + (self.workspace[stage] - self.budget)

    def row_point_room(self, q, k):
        if not self.goes_on(q) or not 0 <= k <= self.points[q].end:
            return None
        inputs = self.p.inputs[k]
        needed = self.workspace[k] + sum(self.size[i] for i in [k, *inputs])
        taken = self.weighed((i for i in inputs if i <= self.points[q].stage), lambda i: self.kept_to(q, i))
        return needed * self.compute(q, k) + self.coarse_load(q) - taken + -self.budget

    def needed(self, q, i, k):
        """Whether i is needed at event k or later, in an interval of one stage."""
        for user in self.p.users[i]:
            if user >= k and self.again(q, user):
                before = sum(len(users) for users in self.p.users[:i])
                return self.own_total(q, 4 * self.n + 1 + before + self.p.users[i].index(user))
        return self.live_at(q + 1, i)

    def begins(self, q, i):
        """Whether it is there as that stage begins."""
        if not self.again(q, i):
            return self.needed(q, i, 0)
        return self.own_total(q, 4 * self.n + 1 + self.p.edges() + i)

    def there(self, q, k):
        return self.own_total(q, 4 * self.n + 1 + self.p.edges() + self.n + k)

    def beside(self, q, k):
        """Bytes in RAM at event k, k's own but for its copy from before left out."""
        return self.weighed(range(self.points[q].stage + 1),
                            lambda i: self.needed(q, i, k) if i < k else self.begins(q, i))

    def at_event(self, q, k):
        return self.has_events(q) and self.again(q, k)

    def row_point_again(self, q, i, k):
        return self.at_event(q, k) and i in self.p.inputs[k] and self.compute(q, k) - self.needed(q, i, k)

    def row_point_later(self, q, i, k):
        return self.at_event(q, k) and i in self.p.inputs[k] and self.needed(q, i, k + 1) - self.needed(q, i, k)

    def row_point_from(self, q, i):
        return self.at_event(q, i) and self.needed(q, i, 0) - self.compute(q, i) - self.begins(q, i)

    def row_point_stays(self, q, i):
        return self.at_event(q, i) and self.kept_to(q, i) - self.begins(q, i)

    def row_point_there(self, q, k):
        if not self.at_event(q, k):
            return None
        earlier = [j for j in range(k) if self.again(q, j)]
        row = self.beside(q, k) - self.there(q, k)
        return row + self.there(q, earlier[-1]) - self.beside(q, earlier[-1]) if earlier else row

    def row_point_event(self, q, k):
        return self.at_event(q, k) and -self.budget + (
            self.there(q, k) + (self.size[k] + self.workspace[k]) * self.compute(q, k))

    def points_with(self, q):
        """All of its timeline."""
        return range(self.points[q].first, self.points[q].last + 1)

    def row_point_deadline(self, q):
        if self.p.slack is None:
            return None
        seconds, row = self.p.seconds, Sum((), -Fraction(self.p.slack))
        for p in self.points_with(q):
            for i in range(self.points[p].stage + 1):
                row.plus(self.compute(p, i), Fraction(seconds["R"][i]))
                if self.p.timed_paging:
                    row.plus(self.pagein(p, i), Fraction(seconds["In"][i]))
        for i in range(self.n if self.p.timed_paging else 0):
            row.plus(self.out(q, i), Fraction(seconds["Out"][i]))
        return row

    def row_point_computations(self, q, i):
        return self.p.computations < self.n and -(self.p.computations - 1) + (
            self.total(self.coarse(2, p, i) for p in self.points_with(q)))

    def fates_of(self, q):
        """The number of early 0 on its timeline."""
        last = self.points[q].last
        return self.points[last].own + self.columns(last)

    def row_point_away(self, q, i):
        if self.points[q].once is None:
            return None
        early = self.fates_of(q)
        actions = self.total(self.coarse(kind, p, i) for kind in (2, 3) for p in self.points_with(q))
        return 1 + -1 * (Sum({("T", early + i): 1, ("T", early + self.n + i): 1}) + actions)

    def priced(self, q):
        """The overhead, counted on its timeline: the costs of its columns, and of cells that they do not stand for."""
        base, fates = self.points[q].base, self.points[q].once is not None
        columns = range(base, self.fates_of(q) + 2 * self.n * fates)
        if fates:
            return Sum({("T", k): Fraction(self.totals[k].costs) for k in columns if self.totals[k].costs})
        covered = {cell for k in columns for cell in self.totals[k].cells}
        cost = Sum({("T", k): Fraction(self.totals[k].costs) for k in columns if self.totals[k].costs})
        return cost.plus(Sum({cell: value for cell, value in self.cost(self.p.joules).terms.items()
                              if cell not in covered}), 1)
