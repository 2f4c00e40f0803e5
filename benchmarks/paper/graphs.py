"""Graphs that are made: random layered training graphs, scattered ones, unit chains.

Their names say all: layered-n100-w3-d3-s2 has 100 nodes, at most 3 in a layer, at most 3 inputs that a
node chooses, seed 2. layered graphs have bytes and FLOPs, which a platform costs; the others have costs."""

import json
import re

NAME = re.compile(r"(layered|scattered)-n(\d+)-w(\d+)-d(\d+)-s(\d+)|(chain)-n(\d+)")
WORD = (1 << 64) - 1


class Random:
    """splitmix64."""

    def __init__(self, seed):
        self.state = seed

    def below(self, bound):
        while True:
            self.state = (self.state + 0x9e3779b97f4a7c15) & WORD
            z = self.state
            z = ((z ^ (z >> 30)) * 0xbf58476d1ce4e5b9) & WORD
            z = ((z ^ (z >> 27)) * 0x94d049bb133111eb) & WORD
            z ^= z >> 31
            if z >= (1 << 64) % bound:  # of the others none is likelier than another
                return z % bound


def connect(inputs, node):
    if node not in inputs:
        inputs.append(node)


def layered(nodes, width, degree, draw):
    """Layers that read the three before, a loss, and the gradients in reverse order."""
    forward = (nodes + 1) // 2
    inputs, size, flops, used = [[] for _ in range(nodes)], [64] * nodes, [4096] * nodes, [False] * nodes

    def costs(i):
        size[i] = (16384 << draw.below(4)) * (1 + draw.below(3))
        flops[i] = size[i] // 4 * (1 + draw.below(4) if draw.below(2) else 32 << draw.below(6))

    costs(0)
    flops[0] = 0
    starts, begin, loss = [0] * 4, 1, forward - 1  # of the layers so far, the newest last
    while begin < loss:
        end = begin + 1 + draw.below(min(loss - begin, width))
        before = starts[3]
        for i in range(begin, end):
            chosen = [before + draw.below(begin - before)]
            chosen += [starts[1] + draw.below(begin - starts[1]) for _ in range(draw.below(degree))]
            for node in chosen:
                connect(inputs[i], node)
                used[node] = True
            costs(i)
        for i in range(before, begin):
            if not used[i]:
                connect(inputs[begin + draw.below(end - begin)], i)
        starts, begin = [*starts[1:], begin], end
    for i in range(starts[3], loss):
        connect(inputs[loss], i)
    for i in range(forward - 1, 2 * forward - 1 - nodes, -1):
        gradient = 2 * forward - 1 - i
        if gradient >= nodes:
            continue
        for user in range(i + 1, forward):
            if i in inputs[user]:
                connect(inputs[gradient], 2 * forward - 1 - user)
        alone = i == forward - 1 or not inputs[i] or draw.below(2)
        for node in [i] if alone else inputs[i]:
            connect(inputs[gradient], node)
        size[gradient], flops[gradient] = size[i], 2 * flops[i]
    return [{"name": f"grad{2 * forward - 1 - i}" if i >= forward else f"node{i}" if i else "input0",
             "inputs": inputs[i], "bytes": size[i], "flops": flops[i], "backward": i >= forward}
            for i in range(nodes)]


def scattered(nodes, width, degree, draw):
    """Layers without gradients, in a random order of those that keep to the edges."""
    inputs, used, before, begin = [[] for _ in range(nodes)], [False] * nodes, 0, 1
    while begin < nodes:
        end = begin + 1 + draw.below(min(nodes - begin, width))
        for i in range(begin, end):
            chosen = [before + draw.below(begin - before) if draw.below(8) else draw.below(begin)
                      for _ in range(1 + draw.below(2 * degree - 1))]
            chosen += [u for u in range(before + i - begin, begin, end - begin) if not used[u] and u not in chosen]
            for node in chosen:
                connect(inputs[i], node)
                used[node] = True
        before, begin = begin, end
    waiting, ready, order = [len(i) for i in inputs], [0], []
    while ready:
        order.append(ready.pop())
        count = len(ready)
        for user in (u for u in range(nodes) if order[-1] in inputs[u]):
            waiting[user] -= 1
            if waiting[user] == 0:
                other = count + draw.below(len(ready) - count + 1)
                ready.append(user)
                ready[-1], ready[other] = ready[other], ready[-1]
    place = {node: k for k, node in enumerate(order)}
    made = []
    for i in order:
        cost = 1 + draw.below(1000)
        size = 10 * (1 + abs(sum(draw.below(3000) for _ in range(3)) - 4500) // 6)
        made.append(costed(f"node{i}", [place[u] for u in inputs[i]], size, cost))
    return made


def costed(name, inputs, size, cost, **more):
    costs = {f"{what}_{unit}": cost for what in ("pagein", "pageout") for unit in ("seconds", "joules")}
    return {"name": name, "inputs": inputs, "bytes": size, "seconds": cost, "joules": cost, **costs, **more}


def chain(layers):
    """A forward chain of nodes of one byte and one joule and its gradients, each of which reads the gradient
    before and the node before its own."""
    nodes = [costed(f"node{i}", [i - 1] if i else [], 1, 1, backward=False) for i in range(layers)]
    for k in range(layers):
        read = [layers + k - 1] + [layers - 2 - k] * (k < layers - 1)
        nodes.append(costed(f"grad{layers - 1 - k}", read, 1, 1, backward=True))
    return nodes


def make(name):
    """The graph of that name as a graph file has it; None: the name is not one of these."""
    found = NAME.fullmatch(name)
    if not found:
        return None
    kind, *numbers = [part for part in found.groups() if part]
    nodes, *shape = map(int, numbers)
    if kind == "chain":
        made = chain(nodes)
    else:
        width, degree, seed = shape
        draw = Random((seed << 12) + nodes)
        made = (layered if kind == "layered" else scattered)(nodes, width, degree, draw)
    for node in made:
        node["inputs"].sort()
    return {"name": name, "nodes": made}


def write(name, path):
    path.write_text(json.dumps(make(name)))
