"""The problem of a certificate: graph, budget, deadline, options, and what a schedule is."""

import math
import re
from fractions import Fraction

MAX_NODES, MAX_BYTES, MAX_BUDGET = 1000, 1 << 49, 1 << 52
ANY_NUMBER = (1 << 31) - 1  # of computations
MAX_DEADLINE, LEAST_COST, MOST_COST, MOST_RATIO = 1e50, 1e-30, 1e30, 1e15


class Wrong(Exception):
    """A step, the schedule or the whole does not hold."""


class Malformed(Exception):
    """No certificate, or none of this format."""


# ---- the problem ---------------------------------------------------------------------


def strict(value, required, optional=()):
    """An object with all the required keys, and none beside these and the optional ones."""
    if not isinstance(value, dict) or not set(required) <= set(value) <= {*required, *optional}:
        raise Malformed(f"an object with the keys {', '.join(required)} is expected")
    return value


def whole(value, most):
    if type(value) is not int or not 0 <= value <= most:
        raise Malformed(f"an integer from 0 to {most} is expected, not {value!r:.40}")
    return value


def number(value):
    if type(value) not in (int, float) or not 0 <= float(value) < math.inf:
        raise Malformed(f"a number >= 0 is expected, not {value!r:.40}")
    return float(value)


def flag(value):
    if type(value) is not bool:
        raise Malformed(f"true or false is expected, not {value!r:.40}")
    return value


def items(value, least=0, most=1 << 40):
    if type(value) is not list or not least <= len(value) <= most:
        raise Malformed(f"an array of {least} to {most} elements is expected")
    return value


def text(value):
    """A string that does nothing to a terminal."""
    if type(value) is not str or re.search("[\0-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]", value):
        raise Malformed("a text without control characters is expected")
    return value


def input_of(value, named):
    """The number of an input that is given by its position, or by the name of one node."""
    if type(value) is str and len(named.get(value, [])) == 1:
        return named[value][0]
    return whole(value, MAX_NODES)


def check_notes(thing):
    text(thing.get("op", ""))
    for side in items(thing.get("shape", []), 0, 64):
        whole(side, MAX_BYTES)


def check_aliases(node):
    """Names of what was made into the node: outputs are its bytes in sum, unread ones within its workspace."""
    size = {"output": [], "unread": []}
    for alias in items(node.get("aliases", [])):
        strict(alias, ["name", "kind"], ["bytes", "op", "shape", "notes"])
        text(alias["name"])
        check_notes(alias)
        if alias["kind"] not in ("view", "overwritten", "output", "unread"):
            raise Malformed("an alias is a view, overwritten, an output or unread")
        if ("bytes" in alias) != (alias["kind"] in size):
            raise Malformed("outputs have bytes, and no other alias")
        if "bytes" in alias:
            size[alias["kind"]].append(whole(alias["bytes"], MAX_BYTES))
    if size["output"] and sum(size["output"]) != whole(node["bytes"], MAX_BYTES):
        raise Malformed("outputs are the bytes of their node")
    if sum(size["unread"]) > whole(node.get("workspace_bytes", 0), MAX_BYTES):
        raise Malformed("unread outputs are within the workspace of their node")


def names_of(node):
    """What inputs may call it."""
    yield node.get("name")
    for alias in node.get("aliases", []):
        if alias["kind"] == "view":
            yield alias["name"]
        elif alias["kind"] == "output":
            yield f"{node.get('name', '')}.{alias['name']}"


def base_seconds(seconds):
    """Their sum in node order, each partial sum rounded to 64 bits, the last one to a double."""
    total = Fraction(0)
    for term in seconds:
        total += Fraction(term)
        if total:
            unit = Fraction(2) ** (math.floor(math.log2(total)) - 70)
            while total >= unit * 2**64:
                unit *= 2
            total = round(total / unit) * unit
    return float(total)


class Problem:
    def __init__(self, file, graph):
        self.read_graph(graph)
        self.budget = whole(file["ram_budget_bytes"], MAX_BUDGET)
        self.paging = flag(file.get("allow_paging", True))
        self.remat = flag(file.get("allow_remat", True))
        self.computations = whole(file.get("max_computations", ANY_NUMBER), ANY_NUMBER)
        if self.computations < 1:
            raise Malformed("a node is computed at least once")
        self.charge = flag(file.get("charge_pagein_transfer", False))
        self.timed_paging = flag(file.get("deadline_includes_paging", False))
        self.slack = self.deadline = None
        if file.get("deadline_seconds") is not None:
            self.deadline = deadline = number(file["deadline_seconds"])
            if deadline > MAX_DEADLINE:
                raise Malformed("the deadline is out of range")
            self.slack = deadline - base_seconds(self.seconds["R"]) + 1e-12 * deadline

    def read_graph(self, graph):
        nodes = items(strict(graph, ["nodes"], ["name", "notes", "resident_bytes"])["nodes"], 1, MAX_NODES)
        whole(graph.get("resident_bytes", 0), MAX_BYTES)  # beside the budget, which is for nodes
        self.name, self.n = text(graph.get("name", "")), len(nodes)
        costs = {f"{p}{q}" for p in ("", "pagein_", "pageout_") for q in ("seconds", "joules")}
        for node in nodes:
            strict(node, ["inputs", "bytes", *sorted(costs)],
                   ["name", "backward", "op", "shape", "notes", "workspace_bytes", "pin", "aliases", "output",
                    "stateful"])
            flag(node.get("output", False))
            if node.get("stateful", "replayed") != "replayed":
                flag(node["stateful"])
            if node.get("pin", "keep") not in ("keep", "no-recompute", "no-page"):
                raise Malformed("a pin is keep, no-recompute or no-page")
            check_notes(node)
            check_aliases(node)
            flag(node.get("backward", False))
            text(node.get("name", ""))
        self.bytes = [whole(node["bytes"], MAX_BYTES) for node in nodes]
        self.workspace = [whole(node.get("workspace_bytes", 0), MAX_BYTES) for node in nodes]
        self.pin = [node.get("pin") for node in nodes]
        self.once = [node.get("stateful") is True or node.get("pin") in ("keep", "no-recompute") for node in nodes]
        self.joules, self.seconds = ({kind: [number(node[f"{word}{unit}"]) for node in nodes]
                                      for kind, word in (("R", ""), ("In", "pagein_"), ("Out", "pageout_"))}
                                     for unit in ("joules", "seconds"))
        named = {}
        for k, node in enumerate(nodes):
            for name in names_of(node):
                named.setdefault(name, []).append(k)
        self.inputs = [sorted(input_of(i, named) for i in items(node["inputs"])) for node in nodes]
        for k, inputs in enumerate(self.inputs):
            if len(set(inputs)) < len(inputs) or any(i >= k for i in inputs):
                raise Malformed(f"inputs of node {k}: smaller numbers, each once, are expected")
        self.users = [[k for k in range(self.n) if i in self.inputs[k]] for i in range(self.n)]
        if any(node.get("output") and self.n - 1 not in (i, *self.users[i]) for i, node in enumerate(nodes)):
            raise Malformed("an output is the last node, or is read by it")
        self.reach = list(range(self.n))  # the last node to which its users, and theirs, lead
        for i in reversed(range(self.n)):
            self.reach[i] = max([i, *(self.reach[k] for k in self.users[i])])
        if sum(self.bytes) + sum(self.workspace) > MAX_BYTES:
            raise Malformed("the sum of bytes is out of range")
        for cost in self.joules, self.seconds:
            given = [x for values in cost.values() for x in values if x]
            if given and not (LEAST_COST <= min(given) and max(given) <= MOST_COST and
                              max(given) <= MOST_RATIO * min(given)):
                raise Malformed("costs are out of range")

    def may_recompute(self, i):
        return self.remat and self.computations > 1 and not self.once[i]

    def may_page(self, i):
        return self.paging and self.pin[i] not in ("keep", "no-page")

    def edges(self):
        return sum(map(len, self.inputs))

    def broken(self, R, S, A, In, Out, early=False):
        """The first rule that sets of pairs (stage, node) break; None: it is a schedule. early: a tensor that is idle
        and written out after the first chance takes no memory in that stage."""
        n = self.n
        for t in range(n):
            if (t, t) not in R:
                return f"stage {t} does not compute its own node"
        for t, k in R:
            if k < t and not self.may_recompute(k):
                return f"stage {t}: node {k} is recomputed"
            for i in self.inputs[k]:
                if (t, i) not in R and (t, i) not in S:
                    return f"stage {t}: input {i} of node {k} is not there"
        if not all(self.may_page(i) for _, i in A | In | Out):
            return "a tensor is paged that must not be"
        for (t, i) in S:
            if not any((t - 1, i) in cells for cells in (S, R, In)):
                return f"stage {t}: tensor {i} in RAM has no source"
        for (t, i) in A:
            if (t - 1, i) not in A and (t - 1, i) not in Out:
                return f"stage {t}: tensor {i} on storage has no source"
        for i in range(n):
            if sum((t, i) in R for t in range(n)) > self.computations:
                return f"node {i} is computed too often"
        if In - A or Out - S:
            return "a transfer has no source"
        for t in range(n):
            gone = {(t, i) for i in range(t - 1) if early and (t, i) in Out and self.idle(t, i, R, S)}
            if self.peak(t, R, S - gone, In) > self.budget:
                return f"stage {t} exceeds the budget"
        spent = sum(Fraction(self.seconds["R"][i]) for t, i in R if i < t)
        if self.timed_paging:
            spent += sum(Fraction(self.seconds[kind][i])
                         for kind, cells in (("In", In), ("Out", Out)) for t, i in cells)
        if self.slack is not None and spent > self.slack:
            return "the deadline is exceeded"
        return None

    def idle(self, t, i, R, S):
        return (t + 1, i) not in S and not any((t, k) in R for k in self.users[i])

    def peak(self, t, R, S, In):
        size = self.bytes
        computed = [k for k in range(t + 1) if (t, k) in R]
        now = sum(size[i] for i in range(t) if (t, i) in S)
        if self.charge:
            now += sum(size[i] for i in range(t) if (t, i) in In)
        peak = 0
        for k in computed:
            now += size[k]
            peak = max(peak, now + self.workspace[k])
            for i in self.inputs[k]:
                if (t + 1, i) not in S and not any(j > k for j in self.users[i] if (t, j) in R):
                    now -= size[i]
        return peak

    def overhead(self, R, In, Out):
        return sum(Fraction(self.joules[kind][i]) for kind, cells in (("R", R), ("In", In), ("Out", Out))
                   for t, i in cells if i < t)
