"""From a forward pass to a training graph: gradients by the rules of _rules.py, their sums, what survives.

Forward.training turns operators on tensors into the dictionary of a graph file, with FLOPs for costs.
docs/library.md says the rules to users.
"""

import math


class Tensor:
    """What an operator reads: output number `output` of another (source), or a constant (None).

    view: the View that it is of that output, None: the output itself. size: bytes of an element, gradient: of
    an element of its gradient, 0: it has none. Of a constant, weights: the names of what is trained and it is
    computed of, perhaps it itself; initial: of all that it is computed of.
    """

    def __init__(self, shape, size, gradient=0, source=None, output=0, view=None, weights=(), initial=()):
        self.shape, self.size, self.gradient = tuple(int(side) for side in shape), size, gradient
        self.source, self.output, self.view = source, output, view
        self.weights, self.initial = tuple(weights), frozenset(initial)

    elements = property(lambda self: math.prod(self.shape))
    bytes = property(lambda self: math.ceil(self.elements * self.size))
    gradient_bytes = property(lambda self: self.elements * self.gradient)

    def entry(self):
        """The View or Operator that it comes from."""
        return self.view or self.source


class View:
    """Another look at the memory of a tensor, itself a view perhaps."""

    def __init__(self, name, kind, base, out):
        self.name, self.kind, self.base = name, kind, base
        self.out = Tensor(out.shape, out.size, out.gradient, base.source, base.output, self)


class Operator:
    """A node of the forward pass. inputs: by position, None where one is left out. reads: what the
    gradient of each reads (_rules.TABLE). each_flops: of the gradient of one input; all_flops: of
    those of all of them together."""

    def __init__(self, name, kind, inputs, outs, labels, flops, reads):
        self.name, self.kind, self.inputs, self.flops, self.reads = name, kind, inputs, flops, reads
        self.outs = [Tensor(o.shape, o.size, o.gradient, self, k) for k, o in enumerate(outs)]
        self.labels, self.workspace, self.stateful = labels, 0, False
        self.again = self.inside = 0  # FLOPs and bytes of the inside, which the gradient computes again

    def needs(self, k):
        """Tensors that the gradient of input k reads; None: there is none."""
        text = self.reads[min(k, len(self.reads) - 1)] if self.reads else "stop"
        if text == "stop" or not self.inputs[k].gradient:
            return None
        found = []
        for c in text if text != "-" else "":
            positions = range(len(self.inputs)) if c == "a" else [int(c)] if c.isdigit() else []
            found += [self.inputs[p] for p in positions if p < len(self.inputs) and self.inputs[p]]
            found += [self.outs[k] for k in ({"y": [0], "m": [len(self.outs) - 1]}.get(c, []))]
        return [t for t in found if t.source]


class Forward:
    """A forward pass under construction; entries (operators and views) stand behind those that they read."""

    def __init__(self, name, fail):
        self.name, self.fail, self.entries = name, fail, []
        self.weights = {}  # name -> Tensor

    operators = property(lambda self: [e for e in self.entries if isinstance(e, Operator)])

    def look(self, name, kind, base, out):
        """Appends a view of a tensor, shaped as `out`; returns it."""
        self.entries.append(View(name, kind, base, out))
        return self.entries[-1].out

    def add(self, name, kind, inputs, outs, labels, flops, reads):
        self.entries.append(Operator(name, kind, inputs, outs, labels, flops, reads))
        return self.entries[-1]

    def finish(self, outputs):
        """Closes the pass with a loss over the outputs (unless the only one is a number), and drops what no
        output needs."""
        outputs = [t for t in outputs if t.source]
        if not outputs:
            raise self.fail("no output depends on an input")
        wanted = [t for t in outputs if t.gradient] or outputs
        if len(wanted) > 1 or wanted[0].elements > 1:
            number = Tensor((1,), wanted[0].size, wanted[0].gradient)
            flops = sum(t.elements for t in wanted)
            wanted = self.add("loss", "loss", wanted, [number], ["loss"], flops, ["a"]).outs
        needed = {t.entry() for t in wanted}
        for entry in reversed(self.entries):
            if entry in needed:
                read = [entry.base] if isinstance(entry, View) else entry.inputs
                needed.update(t.entry() for t in read if t and t.source)
        self.entries = [e for e in self.entries if e in needed]
        self.loss = wanted[0]

    def initial(self):
        """Names of the constants that operators read."""
        return {name for o in self.operators for t in o.inputs if t for name in t.initial}

    def trained(self):
        """The operators whose gradients training computes: those behind a weight."""
        trained = set()
        for o in self.operators:
            if any(t and (t.weights or t.source in trained) for t in o.inputs):
                trained.add(o)
        return trained or {o for o in self.operators if o.kind != "input" and o.outs[0].gradient}

    def training(self, backward, weights_kept, input_flops):
        """The nodes of the training graph in the form of graph files. weights_kept: gradients of weights stay
        in RAM to the end, else they are applied where they are computed."""
        made = Nodes(self.entries, self.weights, input_flops)
        if backward == "published":
            made.chain(self.operators)
        else:
            made.nodes[made.number[self.loss.source]]["output"] = True
            made.gradients(self.operators, self.trained(), self.loss.source, weights_kept)
        return made.named_apart()


class Nodes:
    """The nodes of a graph file while gradients are added. A reference is the number of a node, or a list of
    it and the index of an output."""

    def __init__(self, entries, weights, input_flops):
        self.weights = weights
        self.number = {e: k for k, e in enumerate(entries)}
        self.nodes = []
        for e in entries:
            shape = list((e.out if isinstance(e, View) else e.outs[0]).shape)
            if isinstance(e, View):
                self.view(e.name, e.kind, self.references([e.base])[0], shape=shape)
                continue
            flops, more = e.flops, {}
            if e.kind == "input":
                more = {"pin": "no-recompute"} if input_flops is None else {}
                flops = input_flops or 0
            self.node(e.name, e.kind, self.references(e.inputs), [t.bytes for t in e.outs], flops, e.labels,
                      shape=shape, workspace_bytes=e.workspace, stateful=e.stateful, **more)  # fmt: skip

    def node(self, name, kind, inputs, sizes, flops, labels=None, **more):
        outputs = [{"name": label, "bytes": size} for label, size in zip(labels or "abcdefghijk", sizes)]
        size = {"outputs": outputs} if len(sizes) > 1 else {"bytes": sizes[0] if sizes else 0}
        more = {key: value for key, value in more.items() if value or key == "backward"}
        self.nodes.append({"name": name, "op": kind, "inputs": inputs, **size, "flops": flops, **more})
        return len(self.nodes) - 1

    def view(self, name, kind, base, **more):
        self.nodes.append({"name": name, "op": kind, "inputs": [base], "view": True, **more})
        return len(self.nodes) - 1

    def references(self, tensors):
        """Of tensors, each once, in the order of the nodes."""
        read = {}
        for t in tensors:
            if t and t.source:
                several = t.view is None and len(t.source.outs) > 1
                read[self.number[t.entry()], t.output if several else -1] = None
        return [[n, k] if k >= 0 else n for n, k in sorted(read)]

    def chain(self, operators):
        """The paper's: a gradient for each pair of neighbours in the list, reading both and the gradient
        before it."""
        previous = []
        for e, later in reversed(list(zip(operators, operators[1:]))):
            inputs = [self.number[e], self.number[later], *previous]
            flops = 2 * e.flops
            previous = [self.node("grad_" + e.name, e.kind, inputs, [later.outs[0].bytes], flops,
                                  shape=list(later.outs[0].shape), backward=True)]  # fmt: skip

    # ---- gradients along the real edges ----

    def arrive(self, key, name, tensor, reference):
        """Adds a gradient to what has arrived for a tensor, or for weights, by a node where that is an
        addition, or where only a part was read. key: an operator and which output, or names of weights."""
        owners = [self.weights[w] for w in tensor.weights] or [tensor.source.outs[tensor.output]]
        elements, size = sum(t.elements for t in owners), sum(t.gradient_bytes for t in owners)
        there = self.arrived.get(key)
        if there is not None or tensor.elements != elements:
            inputs = sorted_references([r for r in (there, reference) if r is not None])
            reference = self.node("sum_" + name, "add", inputs, [size], elements, backward=True)
        self.arrived[key] = reference

    def gradients(self, operators, trained, loss, weights_kept):
        """Of each trained operator one node for the gradients of what it reads, and one for those of its
        weights."""
        self.arrived = {}
        for o in reversed(operators):
            coming = [self.arrived[o, k] for k in range(len(o.outs)) if (o, k) in self.arrived]
            if o not in trained or o.kind == "input" or not (coming or o is loss):
                continue
            inner, weights = {}, {}
            for k, t in enumerate(o.inputs):
                needs = o.needs(k) if t else None
                if needs is None:
                    continue
                if t.source and t.source in trained:
                    inner.setdefault((t.source, t.output, t.view), []).append((t, needs))
                elif t.weights:
                    weights.setdefault((t.weights, t.shape), []).append((t, needs))
            self.of_inputs(o, coming, inner)
            self.of_weights(o, coming, weights, weights_kept)
        if weights_kept:
            for key, reference in [(k, r) for k, r in self.arrived.items() if isinstance(k[0], str)]:
                self.view("grad_" + "+".join(key), "weight", reference, output=True)

    def flops(self, o, count, together):
        """Products cost as much for each input, other operators twice as much for all."""
        each = ("conv", "matmul", "qconv", "qmatmul", "einsum")
        return o.flops * (count if o.kind in each else together) + (o.again if together == 2 else 0)

    def of_inputs(self, o, coming, inner):
        made = {}
        for key, uses in inner.items():
            t = uses[0][0]
            if o.kind == "add" and len(uses) == 1 and t.elements == o.outs[0].elements:
                self.arrive(key[:2], t.source.name, t, coming[0])  # handed on as it is
            else:
                made[key] = uses
        if not made:
            return
        kept = [t for uses in made.values() for _, needs in uses for t in needs]
        tensors = [uses[0][0] for uses in made.values()]
        labels = [str(k) for k in range(len(tensors))]
        inputs = self.references(kept) + sorted_references(coming)
        number = self.node("grad_" + o.name, o.kind, inputs, [t.gradient_bytes for t in tensors],
                           self.flops(o, len(made), 2), labels, workspace_bytes=o.inside, backward=True)  # fmt: skip
        for k, (key, t) in enumerate(zip(made, tensors)):
            self.arrive(key[:2], t.source.name, t, [number, k] if len(made) > 1 else number)

    def of_weights(self, o, coming, weights, weights_kept):
        if not weights:
            return
        tensors = [uses[0][0] for uses in weights.values()]
        kept = [t for uses in weights.values() for _, needs in uses for t in needs]
        if o.kind == "add" and len(tensors) == 1 and tensors[0].elements == o.outs[0].elements:
            if weights_kept:
                self.arrive(tensors[0].weights, tensors[0].weights[0], tensors[0], coming[0])
            return
        sizes = [t.gradient_bytes for t in tensors]
        inputs = self.references(kept) + sorted_references(coming)
        # a bias takes one addition for each element of the gradient
        large = sum(len(t.shape) > 1 for t in tensors) or 1
        number = self.node("grad_" + o.name + ".weights", o.kind, inputs, sizes if weights_kept else [0],
                           self.flops(o, large, 1), ["+".join(t.weights) for t in tensors], backward=True,
                           workspace_bytes=0 if weights_kept else sum(sizes))  # fmt: skip
        for k, t in enumerate(tensors if weights_kept else []):
            self.arrive(t.weights, t.weights[0], t, [number, k] if len(tensors) > 1 else number)

    def named_apart(self):
        """Each name once: a second 'relu' is 'relu_2'."""
        taken = set()
        for node in self.nodes:
            name, k = node["name"], 1
            while node["name"] in taken:
                k += 1
                node["name"] = f"{name}_{k}"
            taken.add(node["name"])
        return self.nodes


def sorted_references(references):
    once = {(r[0], r[1]) if isinstance(r, list) else (r, -1): r for r in references}
    return [once[key] for key in sorted(once)]
