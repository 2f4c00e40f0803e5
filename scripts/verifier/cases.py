"""The cases of a proof: certificate/FORMAT.md, "Cases"."""

from verifier.node import Node
from verifier.problem import Wrong
from verifier.sums import Sum

EVERY = 8  # facts between nodes that are saved


def copy(node):
    other = Node(node.model, node)
    other.closed = node.closed
    return other


class Cases:
    """Of a Certificate. A tensor that is kept is neither computed again nor paged in; one that is away is."""

    def __init__(self, certificate):
        self.proof, self.start = certificate, None
        self.facts = []  # pairs of a tensor (None: the cells) and a word: "first" and "second" of two cases, "kept", "away"
        self.cells, self.kept, self.away = [], set(), set()
        self.waits = self.clash = False
        self.saved = []  # pairs: so many of the facts, and node 0 with them

    def row(self):
        if (None, "second") not in self.facts:
            return None
        row = Sum((), 1)
        for cell in self.cells:
            row.plus(Sum({cell: 1}), -1)
        return row

    def check_complete(self):
        for tensor, word in reversed(self.facts):
            if word == "first":
                what = "the second case" if tensor is None else f"the case with node {tensor} away"
                raise Wrong(f"the proof is not complete: {what} is missing")

    def begin(self):
        """The present case, anew; what its node knows waits for ready()."""
        proof, (cuts, totals, points) = self.proof, self.start
        proof.ended_cuts += len(proof.cuts) - cuts
        del proof.cuts[cuts:]
        proof.model.forget(totals, points)
        proof.prices.clear()
        proof.nodes = [Node(proof.model)]
        self.waits = True
        self.kept = {i for i, word in self.facts if word in ("first", "kept")}
        away = {i for i, word in self.facts if word in ("second", "away")}
        self.clash, self.away = bool(self.kept & away - {None}), away - self.kept

    def ready(self):
        """Node 0 with what is known before all cases, and what follows from the facts."""
        if not self.waits:
            return
        depth, node = self.saved[-1]
        node, self.waits = copy(node), False
        for fact in self.facts[depth:]:
            self.apply(node, *fact)
            depth += 1
            if depth % EVERY == 0:
                node.settle()
                self.saved.append((depth, copy(node)))
        node.closed |= self.clash
        node.settle()
        self.proof.nodes = [node]

    def apply(self, node, tensor, word):
        cells = self.cells if tensor is None else [
            (kind, t, tensor) for kind in ("R", "In") for t in range(tensor + 1, self.proof.model.n)]
        for cell in cells if word in ("first", "kept") else ():
            if not node.closed:
                node.fix(cell, 0)

    def add(self, tensor, word):
        proof = self.proof
        if len(proof.nodes) > 1:
            raise Wrong("cases begin before node 0 is branched")
        if self.start is None:
            self.start = len(proof.cuts), len(proof.model.totals), len(proof.model.points)
            self.saved = [(0, copy(proof.nodes[0]))]
        self.facts.append((tensor, word))
        self.begin()

    def split_cells(self, cells):
        if self.facts or len(self.proof.nodes) > 1:
            raise Wrong("cases come once, before all others and before node 0 is branched")
        self.cells = cells
        self.add(None, "first")

    def split_tensor(self, i):
        self.add(i, "first")

    def second(self):
        """The other one of the two cases that began last."""
        while self.facts and self.facts[-1][1] != "first":
            self.facts.pop()
        if not self.facts:
            raise Wrong("there is no first case")
        self.facts[-1] = self.facts[-1][0], "second"
        while self.saved[-1][0] >= len(self.facts):
            self.saved.pop()
        self.begin()

    def follow(self, a, b):
        """What follows where a is the outer one of two nested tensors."""
        why = self.not_nested(a, b)
        if why:
            raise Wrong(f"nested tensors: {why}")
        if a in self.kept:
            self.add(b, "kept")
        elif b in self.away:
            self.add(a, "away")
        else:
            raise Wrong("neither is the outer tensor kept nor the inner one away")

    def once(self, k):
        return k in self.kept or not self.proof.problem.may_recompute(k)

    def stays(self, i):
        return self.once(i) and (i in self.kept or not self.proof.problem.may_page(i))

    def not_nested(self, a, b):
        """The first condition that does not hold."""
        p = self.proof.problem
        if not self.proof.model.canonical or a >= b:
            return "an earlier tensor and a later one are expected, with exchanges"
        if any(values[a] != values[b] for values in (p.bytes, p.pin, *p.joules.values(), *p.seconds.values())):
            return "their sizes, costs, times and pins differ"
        if p.workspace[a]:
            return "the outer one has a workspace"
        last = max([b, *p.users[b]])
        if any(b < k <= last for k in p.users[a]):
            return "the outer one is read before the last use of the inner one"
        later = [k for k in p.users[a] if k > last]
        if not later:
            return "the outer one is not read after the inner one"
        if not all(map(self.once, p.users[a] + p.users[b])):
            return "a node that reads one of them may be computed again"
        if not all(self.stays(i) and max(p.users[i]) >= min(later) for i in p.inputs[a]):
            return "an input of the outer one may be away at its next use"
        return None
