"""What is known of the cells in a node of the proof."""

from verifier.model import KINDS


class Node:
    """Cells that are 0 or 1 in all solutions, and cells that are equal to others."""

    def __init__(self, model, parent=None):
        self.model = model
        self.value = dict(parent.value) if parent else {}
        self.same = dict(parent.same) if parent else {}
        self.spans = dict(parent.spans) if parent else {}  # of totals: least and largest value
        self.closed = self.branched = False
        self.fallen = []  # columns of timelines that became 0
        self.due = set(parent.due) if parent else set(range(model.n))  # tensors that settle has to look at

    def find(self, cell):
        while cell in self.same:
            cell = self.same[cell]
        return cell

    def get(self, cell):
        return self.value.get(self.find(cell))

    def fix(self, cell, value):
        """Closes the node if the cell has the other value."""
        cell = self.find(cell)
        if cell not in self.value:
            self.due |= self.model.near[cell[2]]
        self.closed |= self.value.setdefault(cell, value) != value

    def span(self, column):
        """Of a total; one that came later than what is known has the values that it has anywhere."""
        return self.spans.get(column, (0, self.model.totals[column[1]].most))

    def narrow(self, column, low=None, high=None):
        """Closes the node if no value is left."""
        before = self.span(column)
        span = (max(before[0], before[0] if low is None else low), min(before[1], before[1] if high is None else high))
        if span != before:
            self.spans[column] = span
            self.fallen += [column[1]] * (span[1] <= 0)
        self.closed |= span[0] > span[1]

    def merge(self, a, b):
        a, b = self.find(a), self.find(b)
        if a == b:
            return
        self.same[a] = b
        self.due |= self.model.near[a[2]]
        value = self.value.pop(a, None)
        if value is not None:
            self.fix(b, value)

    def zero(self, kind, t, i):
        """Known to be 0."""
        if kind == "S":
            return self.zero("C", t, i) and self.zero("P", t, i)
        if not 0 <= i < t < self.model.n:
            return not (kind == "R" and i == t)
        return self.get((kind, t, i)) == 0

    def most(self, column):
        """Of a column beside the cells: 0 where what it is at most is known to be."""
        kind, t, i = column if column[0] != "F" else ("R", column[1], column[3])
        if kind == "E":
            return 0 if self.zero("Out", t, i) else 1
        return 0 if self.zero("R", t, i) or kind == "D" and self.zero("S", t, i) else 1

    def least(self, d):
        """The least of the Sum d over the node, each column by itself, and pairs of a cell that is
        open, or a total, and its coefficient, equal cells taken together."""
        least, cells, totals = d.constant, {}, []
        for column, value in d.terms.items():
            if column[0] in KINDS:
                cell = self.find(column)
                cells[cell] = cells.get(cell, 0) + value
            elif column[0] == "T":
                totals.append((column, value))
                least += value * self.span(column)[value < 0]
            elif value < 0:
                least += value * (self.model.budget if column[0] == "L" else self.most(column))
        least += sum(value for cell, value in cells.items() if self.value.get(cell) == 1)
        free = [(cell, value) for cell, value in cells.items() if cell not in self.value]
        return least + sum(min(0, value) for _, value in free), free + totals

    def reduce(self, d, enough, but=()):
        """Closes the node if the least of the Sum d is `enough'; else fixes the cells, `but' those of such kinds,
        whose other value would make it so, and takes such values from totals."""
        least, free = self.least(d)
        if enough(least):
            self.closed = True
            return
        for cell, value in free:
            if cell[0] == "T":
                self.shorten(cell, value, lambda steps, d=abs(value): enough(least + steps * d))
            elif cell[0] not in but and enough(least + abs(value)):
                self.fix(cell, 0 if value > 0 else 1)

    def reduce_page_ins(self, q, d, least, enough):
        """By the Sum d, whose least that was: a page-in needs a page-out, which is paid for beside it; q: a point of
        the timeline on which the overhead is counted."""
        m, point = self.model, self.model.points[q]
        for i in range(m.n):
            out = ("T", point.base + i)
            extra = d.terms.get(out, 0)
            if extra <= 0 or self.span(out) != (0, 1):
                continue
            for p in range(point.first, point.last + 1):
                for column in m.pagein(p, i).terms:
                    if self.span(column) == (0, 1) and enough(least + extra + max(0, d.terms.get(column, 0))):
                        self.narrow(column, high=0)
            covered = {cell for p in range(point.first, point.last + 1) for column in m.pagein(p, i).terms
                       for cell in m.totals[column[1]].cells}
            for cell in [("In", t, i) for t in range(i + 1, m.n)]:
                if cell not in covered and self.get(cell) is None and (
                        enough(least + extra + max(0, self.coefficient(d, cell)))):
                    self.fix(cell, 0)

    def coefficient(self, d, cell):
        """Of all cells that are equal to this one."""
        return sum(value for other, value in d.terms.items() if other[0] == cell[0] and other[2] == cell[2]
                   and self.find(other) == self.find(cell))

    def shorten(self, column, value, enough):
        """The total stays so near to its better side that it is not `enough'."""
        low, high = self.span(column)
        near, far = 0, high - low + 1
        if not value or not enough(far - 1):
            return
        while far - near > 1:
            middle = (near + far) // 2
            near, far = (near, middle) if enough(middle) else (middle, far)
        if value > 0:
            self.narrow(column, high=low + near)
        else:
            self.narrow(column, low=high - near)

    def propagate_total(self, k):
        """Until nothing follows: the total is no less than its cells, and no more."""
        row, before = self.model.totals[k].row, None
        while not self.closed and before != (self.value, self.span(("T", k))):
            before = dict(self.value), self.span(("T", k))
            for side in (row, -1 * row):
                if not self.closed:
                    self.reduce(side, lambda least: least > 0)

    def settle(self):
        """What follows from columns and cells that are 0, until nothing does."""
        while self.fallen and not self.closed:
            for cell in getattr(self.model.totals[self.fallen.pop()], "cells", ()):
                self.fix(cell, 0)
        while self.due and not self.closed:
            i = self.due.pop()
            for t in range(i + 1, self.model.n):
                for kind in KINDS:
                    if not self.zero(kind, t, i) and self.must_be_zero(kind, t, i):
                        self.fix((kind, t, i), 0)
                if self.model.canonical:
                    self.merge_kept(t, i)

    def unused(self, t, i):
        """No user of i can be computed in stage t."""
        return all(self.zero("R", t, k) for k in self.model.p.users[i])

    def must_be_zero(self, kind, t, i):
        m, zero = self.model, self.zero
        transfer = kind in ("In", "Out", "P")
        if transfer and not m.p.may_page(i) or kind == "R" and not m.p.may_recompute(i):
            return True
        if kind in ("P", "In") and all(zero("Out", s, i) for s in range(i + 1, t)):
            return True
        if kind == "R":
            return (any(zero("S", t, u) and zero("R", t, u) for u in m.p.inputs[i]) or m.canonical and
                    (not m.size[i] or self.unused(t, i) and zero("C", t + 1, i)))
        if kind in ("C", "P"):
            return (zero(kind, t - 1, i) and zero("R" if kind == "C" else "In", t - 1, i) or m.canonical and
                    self.unused(t, i) and zero("Out", t, i) and zero("S", t + 1, i))
        if not m.canonical:
            return kind == "Out" and zero("S", t, i)
        if kind == "In":
            return not m.size[i] or zero("P", t + 1, i) or self.unused(t + 1, i)
        return (not m.size[i] or zero("C", t, i) or t > i + 1 and zero("R", t - 1, i) or
                all(zero("In", s, i) for s in range(t + 1, m.n)))

    def merge_kept(self, t, i):
        """Residency that nothing can end or renew in stage t - 1 is equal in both."""
        if t - 1 > i and self.unused(t - 1, i) and self.zero("Out", t - 1, i):
            for kind, source in (("C", "R"), ("P", "In")):
                if self.zero(source, t - 1, i):
                    self.merge((kind, t - 1, i), (kind, t, i))
