"""From recorded calls of operators to the nodes of a training graph; independent of any framework.

A node is a call, or all calls that write to one storage. So a write in place needs no key in the graph
file, and a write through a view is like any other.
"""

import collections
import dataclasses
import math
import typing


class Storage:
    """Memory of tensors. kind: "inner" (allocated in the step), "input", "parameter", "buffer" or
    "constant" (tensor holds it). fixed: the same at each step."""

    def __init__(self, size, kind, name, tensor=None):
        self.bytes, self.kind, self.name, self.tensor, self.fixed = size, kind, name, tensor, False


@dataclasses.dataclass(frozen=True)
class Value:
    """A tensor: a storage and how it is looked at."""

    storage: Storage
    dtype: typing.Any
    size: tuple
    stride: tuple
    offset: int

    elements = property(lambda self: math.prod(self.size))


def values(arguments):
    """All values in nested arguments."""
    if isinstance(arguments, Value):
        yield arguments
    elif isinstance(arguments, (tuple, list)):
        for a in arguments:
            yield from values(a)
    elif isinstance(arguments, dict):
        yield from values(list(arguments.values()))


def mapped(arguments, function):
    """Nested arguments with function(value) in place of each value."""
    if isinstance(arguments, Value):
        return function(arguments)
    if isinstance(arguments, (tuple, list)):
        return type(arguments)([mapped(a, function) for a in arguments])
    if isinstance(arguments, dict):
        return {k: mapped(a, function) for k, a in arguments.items()}
    return arguments


def replaced(arguments, moved):
    """Nested arguments with values on other storages."""
    return mapped(arguments, lambda v: dataclasses.replace(v, storage=moved.get(v.storage, v.storage)))


class Call:
    """A call of an operator. outs: its values, None for what is no tensor. makes, writes: storages that it
    allocates, and those that it changes. dies: storages without a use in the node after it."""

    def __init__(self, func, args, kwargs, outs, makes, writes, random, backward, module, flops):
        self.func, self.args, self.kwargs, self.outs = func, args, kwargs, outs
        self.makes, self.writes, self.random, self.backward = makes, writes, random, backward
        self.module, self.flops, self.dies = module, flops, []
        self.stateful = random

    @property
    def reads(self):
        return {v.storage for v in values((self.args, self.kwargs))}

    def touches(self):
        return self.reads | self.writes | set(self.makes)


class Node:
    """Calls that are computed together. outs: storages that are read later; inputs: nodes; changes:
    buffers that its calls read or write and that some call of the step writes; applies: gradients that
    are used up in it, after their last call."""

    def __init__(self, name, op, calls, outs):
        self.name, self.op, self.calls, self.outs = name, op, calls, outs
        self.inputs, self.changes, self.applies = [], [], []
        self.workspace, self.output = 0, False

    stateful = property(lambda self: any(c.stateful for c in self.calls))
    bytes = property(lambda self: sum(s.bytes for s in self.outs))


def lower(step, calls, applied, clone):
    """Sets step.nodes; of step are taken loss, gradients and inputs, whose storages may be replaced. applied:
    gradients are used up where they are made; clone: the operator that copies a tensor."""
    finals = {v.storage for v in [step.loss] + [v for _, v in step.gradients if v and not applied]}
    changed = {s: k for k, c in enumerate(calls) for s in c.writes if s.kind == "buffer"}  # k: the last
    for k, c in enumerate(calls):
        c.stateful = c.random or any(k <= changed.get(s, -1) for s in c.touches())
    together, moved = apart(groups(calls), finals, clone)
    step.loss, step.gradients = replaced((step.loss, step.gradients), moved)
    finals = {moved.get(s, s) for s in finals}
    nodes = [Node(v.storage.name, "input", [], [v.storage]) for v in step.inputs]
    for members in together:
        main = max(members, key=lambda c: c.flops)
        op = "+".join(dict.fromkeys(c.func.overloadpacket.__name__ for c in members))
        name = "grad_" * main.backward + f"{main.module}.{op}".lstrip(".")
        nodes.append(Node(name, op, members, [s for c in members for s in c.makes]))
    for name, v in step.gradients if applied else ():
        if v:
            next(n for n in nodes if v.storage in n.outs).applies.append((name, v))
    step.nodes = connect(nodes, finals, changed)
    measure(step.nodes)


def apart(together, finals, clone):
    """Copies small outputs of a group that outlive its largest: outputs of a node are released together.
    Returns the groups, and which storages took the place of which."""
    last = {s: k for k, members in enumerate(together) for c in members for s in c.touches()}
    last.update((s, len(together)) for s in finals)
    moved, out = {}, []
    for k, members in enumerate(together):
        for c in members:
            c.args, c.kwargs, c.outs = replaced((c.args, c.kwargs, c.outs), moved)
        out.append(members)
        made = [v for c in members for v in c.outs if v and v.storage in c.makes]
        kept = {v.storage: v for v in made if last[v.storage] > k}
        main = max(kept, key=lambda s: s.bytes, default=None)
        late = [v for s, v in kept.items() if last[s] > last[main]]
        if not late or sum(v.storage.bytes for v in late) >= main.bytes:
            continue
        copies = []
        for v in late:
            moved[v.storage] = copy = Storage(v.storage.bytes, "inner", v.storage.name)
            copies.append(Call(clone, (v,), {}, [dataclasses.replace(v, storage=copy)], [copy], set(), False,
                               members[-1].backward, members[-1].module, v.elements))
        out.append(copies)
    return out, moved


def groups(calls):
    """The calls of each node, as lists, in an order in which they can be computed.

    A group holds the call that allocates a storage, all that write to it, and all that touch it before the
    last write. It also holds the calls between two of its own on a path, and those with state that
    would change their order otherwise. A group stands at the place of its last call.
    """
    parent = list(range(len(calls)))

    def find(k):
        while parent[k] != k:
            parent[k] = k = parent[parent[k]]
        return k

    def join(a, b):
        a, b = sorted((find(a), find(b)))
        parent[a] = b  # the root is the last call of its group
        return a != b

    touching, latest, edges = collections.defaultdict(list), {}, []  # latest: writer of a buffer
    for k, c in enumerate(calls):
        for s in c.touches():
            if s.kind == "inner":
                touching[s].append(k)
            elif s in latest:
                edges.append((latest[s], k))
        latest.update((s, k) for s in c.writes)
    stateful = [k for k, c in enumerate(calls) if c.stateful]
    for k, later in zip(stateful, stateful[1:]):
        if not calls[k].makes and all(s.kind != "inner" for s in calls[k].writes):
            join(k, later)  # it only changes buffers
    for s, those in touching.items():
        last = max((k for k in those if s in calls[k].writes), default=-1)
        for k in those:
            if k < last:
                join(k, last)
    edges += [(those[0], k) for those in touching.values() for k in those[1:]]
    edges += list(zip(stateful, stateful[1:]))
    while any([find(a) > find(b) and join(a, b) for a, b in edges]):
        pass
    members = collections.defaultdict(list)
    for k, c in enumerate(calls):
        members[find(k)].append(c)
    return [members[k] for k in sorted(members)]


def connect(nodes, finals, changed):
    """Sets inputs, outs and changes; returns the nodes that are needed, each with a name of its own."""
    maker = {s: n for n in nodes for s in n.outs}
    wanted, needed, taken = set(finals), [], set()
    for n in reversed(nodes):
        mine = set(n.outs)
        n.outs = [s for s in n.outs if s in wanted]
        if n.outs or n.stateful or n.applies:
            needed.append(n)
            wanted |= {s for c in n.calls for s in c.touches() if s in maker} - mine
    for n in reversed(needed):
        touched = {s for c in n.calls for s in c.touches()}
        n.inputs = [m for m in dict.fromkeys(maker[s] for s in touched if s in maker) if m is not n]
        n.changes = [s for s in touched if s in changed]
        n.output = any(s in finals for s in n.outs)
        name, k = n.name, 1
        while n.name in taken:
            k += 1
            n.name = f"{name}_{k}"
        taken.add(n.name)
    return needed[::-1]


def measure(nodes):
    """Sets the workspaces, the most that a node's calls hold beside its outputs, and what dies after a call."""
    for n in nodes:
        uses = {s: c for c in n.calls for s in c.touches()}
        uses.update((v.storage, n.calls[-1]) for _, v in n.applies)
        inside = {s for c in n.calls for s in c.makes}
        live = most = 0
        for c in n.calls:
            live += sum(s.bytes for s in c.makes)
            most = max(most, live)
            c.dies = [s for s in inside if uses[s] is c and s not in n.outs]
            live -= sum(s.bytes for s in c.dies)
        n.workspace = most - n.bytes if n.calls else 0


def graph(step, name, input_flops, replayed, generator, extra):
    """The dictionary of a graph file. input_flops: of reading an input again, None: it is not computed again;
    replayed: the executor computes stateful nodes again as they were, for which it keeps the buffers that
    they change, and a generator's state of that many bytes; extra: of resident_bytes."""
    number = {n: k for k, n in enumerate(step.nodes)}
    resident, nodes = step.resident + extra, []
    for n in step.nodes:
        made = [v for v in step.inputs + [v for c in n.calls for v in c.outs if v] if v.storage in n.outs]
        flops = sum(c.flops for c in n.calls) if n.calls else input_flops or 0
        node = {"name": n.name, "op": n.op, "shape": list(made[0].size) if made else [],
                "inputs": sorted(number[m] for m in n.inputs), "flops": flops}
        if len(n.outs) > 1:
            node["outputs"] = [{"name": str(k), "bytes": s.bytes} for k, s in enumerate(n.outs)]
        else:
            node["bytes"] = n.bytes
        more = {"workspace_bytes": n.workspace, "output": n.output,
                "backward": any(c.backward for c in n.calls),
                "stateful": n.stateful and ("replayed" if replayed else True),
                "pin": n.op == "input" and input_flops is None and "no-recompute"}
        nodes.append({**node, **{key: value for key, value in more.items() if value}})
        if replayed:
            resident += generator * any(c.random for c in n.calls) + sum(s.bytes for s in n.changes)
    return {"name": name, "resident_bytes": resident, "nodes": nodes}
