"""From a forward pass to a training graph: what operators cost, and what their derivatives read.

The importers describe a forward pass as operators on tensors; Forward.training turns it into the
dictionary of a graph file, with FLOPs for costs. docs/library.md says the rules to users.
"""

import math
import warnings


class Tensor:
    """What an operator reads: output number `output` of another (source), or a constant (None).

    view: the View that it is of that output, None: the output itself. size: bytes of an element.
    weight: a constant that is trained. floating: has a gradient.
    """

    def __init__(self, source, shape, size, floating, weight=False, output=0, view=None):
        self.source, self.output, self.view = source, output, view
        self.shape = tuple(int(side) for side in shape)
        self.size = size
        self.floating = floating
        self.weight = weight

    @property
    def elements(self):
        return math.prod(self.shape)

    @property
    def bytes(self):
        return self.elements * self.size

    def entry(self):
        """The View or Operator that it comes from."""
        return self.view or self.source


class View:
    """Another look at the memory of a tensor, itself a view perhaps."""

    def __init__(self, name, kind, base):
        self.name, self.kind, self.base = name, kind, base
        self.out = None


class Operator:
    """A node of the forward pass: reads are the positions of the inputs that its derivative reads,
    reads_outputs those of the outputs. over: the position of the input that the output
    overwrites, None: none."""

    def __init__(self, name, kind, inputs, outs, flops, reads, reads_outputs):
        self.name, self.kind, self.inputs, self.flops = name, kind, inputs, flops
        self.outs = [
            Tensor(self, out.shape, out.size, out.floating, output=k) for k, out in enumerate(outs)
        ]
        self.labels = [str(k) for k in range(len(outs))]
        self.reads, self.reads_outputs, self.over = reads, reads_outputs, None

    @property
    def out(self):
        return self.outs[0]

    def sources(self):
        """The operators that it reads, each once."""
        return list(dict.fromkeys(t.source for t in self.inputs if t.source))

    def gradient_bytes(self):
        """Of the gradients with respect to what it reads; an addition hands one tensor on to all."""
        sizes = [t.bytes for t in self.inputs if t.source and t.floating]
        return max(sizes, default=0) if self.kind in ("add", "loss") else sum(sizes)


# What a derivative reads beside the incoming gradient.
NOTHING, INPUTS, OUTPUT, BOTH = (False, False), (True, False), (False, True), (True, True)

# kind: FLOPs for each element, of the output or of the first input, and what the derivative reads.
# Of conv, matmul, pools and recurrent layers the FLOPs are counted below.
RULES = {
    "conv": (0, "out", INPUTS),
    "matmul": (0, "out", INPUTS),
    "maxpool": (0, "out", BOTH),
    "avgpool": (0, "out", NOTHING),
    "norm": (2, "in", INPUTS),
    "softmax": (3, "out", OUTPUT),
    "activation": (1, "out", OUTPUT),  # its derivative follows from the output, as of ReLU
    "smooth": (1, "out", INPUTS),  # ... from the input, as of GELU
    "dropout": (1, "out", OUTPUT),  # the zeros of the output are the mask
    "add": (1, "out", NOTHING),
    "scale": (1, "out", NOTHING),  # by a constant number
    "product": (1, "out", INPUTS),
    "select": (1, "out", INPUTS),
    "reduce": (1, "in", NOTHING),
    "extreme": (1, "in", BOTH),
    "concat": (1, "out", NOTHING),
    "move": (1, "out", NOTHING),
    "gather": (1, "out", INPUTS),
    "lstm": (0, "out", BOTH),
    "gru": (0, "out", BOTH),
    "rnn": (0, "out", BOTH),
    "unknown": (1, "out", BOTH),
    "input": (0, "out", NOTHING),
    "loss": (1, "in", BOTH),
}


def conv_flops(out, weight, bias):
    """Two for each product of a window; the weight is (channels out, channels in of a group, window)."""
    return out.elements * (2 * math.prod(weight.shape[1:]) + bool(bias))


def transposed_conv_flops(first, weight, out, bias):
    return 2 * first.elements * math.prod(weight.shape[1:]) + bool(bias) * out.elements


def matmul_flops(out, depth, bias):
    return out.elements * (2 * depth + bool(bias))


def pool_flops(out, window):
    """As the networks of the paper count it."""
    return 2 * window * out.elements


# Of recurrent layers, for each element of the state: gates, FLOPs beside the products and the sums of
# a gate, and elements that training keeps: the gates; the cell's state, or what a reset gate scales.
RECURRENT = {"lstm": (4, 9, 5), "gru": (3, 8, 4), "rnn": (1, 1, 0)}


class Cell:
    """One layer of a recurrent network in one direction: sides of its matrices, and biases of a gate.
    state: what it hands on, less than hidden where it is projected. peepholes: gates with one."""

    def __init__(self, width, hidden, state, biases, peepholes=0):
        self.width, self.hidden, self.state = width, hidden, state
        self.biases, self.peepholes = biases, peepholes

    def flops(self, kind):
        """Of a step for an example."""
        gates, each, _ = RECURRENT[kind]
        products = gates * (2 * (self.width + self.state) + 1 + self.biases) + 2 * self.peepholes
        projected = 2 * self.state if self.state != self.hidden else 0
        return self.hidden * (products + each + projected)


# Operators whose second output, where they have one, is what the derivative reads instead: the
# indices of the maxima, the mask.
MARKED = {"maxpool", "dropout"}


class Forward:
    """A forward pass under construction; entries (operators and views) stand behind those that they
    read."""

    def __init__(self, name, fail, unknown, backward):
        if unknown not in ("error", "warn"):
            raise fail(f"unknown: expected 'error' or 'warn', got {unknown!r}")
        if backward not in ("autodiff", "published"):
            raise fail(f"backward: expected 'autodiff' or 'published', got {backward!r}")
        self.name = name
        self.fail = fail
        self.unknown = unknown
        self.backward = backward
        self.entries = []

    @property
    def operators(self):
        return [e for e in self.entries if isinstance(e, Operator)]

    def look(self, name, kind, base, out):
        """Appends a view of a tensor; returns it. out: its shape."""
        if base.source is None:
            return Tensor(None, out.shape, out.size, out.floating, base.weight and out.floating)
        view = View(name, kind, base)
        self.entries.append(view)
        view.out = Tensor(base.source, out.shape, out.size, out.floating, output=base.output, view=view)
        return view.out

    def add(self, name, kind, inputs, out, flops=None, more=()):
        """Appends an operator; returns its output. out, more: the shapes of its outputs, and the
        types of their elements. The others are outs[1:] of the source."""
        each, basis, (reads_inputs, reads_output) = RULES[kind]
        if flops is None:
            flops = each * (out if basis == "out" or not inputs else inputs[0]).elements
        reads = [k for k, t in enumerate(inputs) if t.source] if reads_inputs else []
        if kind == "gather":  # the indices say where the gradient belongs
            reads = [k for k in reads if not inputs[k].floating]
        if more and kind in MARKED:
            reads, reads_outputs = [], [1]
        else:
            reads_outputs = [0] if reads_output else []
        operator = Operator(name, kind, inputs, [out, *more], flops, reads, reads_outputs)
        self.entries.append(operator)
        return operator.out

    def recur(self, name, kind, inputs, outs, cells, steps, kept=0):
        """Appends a recurrent layer, or several: steps (times examples) of all cells. Its derivative
        reads the states that it puts out at each step (the first of outs) and an output more: what
        training keeps of the cells, and kept elements (states of each step that are not put out)."""
        kept = steps * (kept + sum(RECURRENT[kind][2] * cell.hidden for cell in cells))
        flops = steps * sum(cell.flops(kind) for cell in cells)
        reserve = [Tensor(None, (kept,), outs[0].size, False)] if kept else []
        made = self.add(name, kind, inputs, outs[0], flops, [*outs[1:], *reserve])
        operator = made.source
        if reserve:
            operator.labels[-1] = "reserve"
            operator.reads_outputs.append(len(outs))
        return made

    def multiply(self, name, inputs, out):
        """A product or quotient; that by a number needs nothing for its derivative."""
        number = len(inputs) < 2 or any(t.source is None and t.elements == 1 for t in inputs[1:])
        number = number or (inputs[0].source is None and inputs[0].elements == 1)
        return self.add(name, "scale" if number else "product", inputs, out)

    def refuse(self, name, operator):
        raise self.fail(
            f"node '{name}': no rule for the operator {operator}; with unknown='warn' it counts one "
            "FLOP for each element of its output, and its gradient reads inputs and output"
        )

    def strange(self, name, operator, inputs, out, more=()):
        """An operator without a rule: one FLOP for each element, its derivative reads all."""
        if self.unknown == "error":
            self.refuse(name, operator)
        warnings.warn(
            f"{self.name}: node '{name}': no rule for the operator {operator}; it counts one FLOP "
            "for each element of its output",
            stacklevel=4,
        )
        return self.add(name, "unknown", inputs, out, more=more)

    def finish(self, outputs):
        """Closes the pass with a loss over the outputs (unless the only one is a number), and drops
        what no output needs."""
        outputs = [t for t in outputs if t.source]
        if not outputs:
            raise self.fail("no output depends on an input")
        wanted = [t for t in outputs if t.floating] or outputs
        if len(wanted) > 1 or wanted[0].elements > 1:
            loss = Tensor(None, (1,), wanted[0].size, True)
            flops = sum(t.elements for t in wanted)
            outputs = [self.add("loss", "loss", wanted, loss, flops)]
        needed = {t.entry() for t in outputs}
        for entry in reversed(self.entries):
            if entry in needed:
                read = [entry.base] if isinstance(entry, View) else entry.inputs
                needed.update(t.entry() for t in read if t.source)
        self.entries = [e for e in self.entries if e in needed]

    def trained(self):
        """The operators whose gradients training computes: those behind a weight."""
        trained = set()
        for o in self.operators:
            if any(t.weight for t in o.inputs) or any(s in trained for s in o.sources()):
                trained.add(o)
        return trained or {o for o in self.operators if o.kind != "input" and o.out.floating}

    def training(self):
        """The training graph in the form of graph files."""
        number = {e: k for k, e in enumerate(self.entries)}
        nodes = []
        for e in self.entries:
            if isinstance(e, View):
                nodes.append(_view(e, _references([e.base], number)))
            else:
                inputs = _references(e.inputs, number)
                nodes.append(_node(e.name, e, inputs, e.outs, e.labels, e.flops, False))
        if self.backward == "published":
            self._chain(nodes, number)
        else:
            self._autodiff(nodes, number)
        self._overwrite(nodes, number)
        _name_apart(nodes)
        return {"name": self.name, "nodes": nodes}

    def _chain(self, nodes, number):
        """The paper's: a gradient for each pair of neighbours in the list, reading both and the
        gradient before it."""
        previous = []
        operators = self.operators
        for e, later in reversed(list(zip(operators, operators[1:]))):
            inputs = [number[e], number[later], *previous]
            previous = [len(nodes)]
            nodes.append(_node("grad_" + e.name, e, inputs, [later.out], [], 2 * e.flops, True))

    def _autodiff(self, nodes, number):
        """A gradient for each trained operator: it reads the gradients of its readers and what its
        derivative needs."""
        operators = self.operators
        trained, gradient, incoming = self.trained(), {}, {o: [] for o in operators}
        for o in reversed(operators):
            if o not in trained or o.kind == "input":
                continue
            kept = [o.inputs[k] for k in o.reads]
            kept += [o.outs[k] for k in o.reads_outputs]
            inputs = _references(kept, number) + sorted(incoming[o])
            gradient[o] = len(nodes)
            out = Tensor(None, (o.gradient_bytes(),), 1, True)
            nodes.append(_node("grad_" + o.name, o, inputs, [out], [], 2 * o.flops, True))
            for s in o.sources():
                incoming[s].append(gradient[o])

    def _overwrite(self, nodes, number):
        """Marks outputs in place where the rule of graph files allows it; else a note says why not."""
        readers = [[] for _ in nodes]  # of the memory of each node that is no view
        base = {number[e]: number[e.base.source] for e in self.entries if isinstance(e, View)}
        for k, node in enumerate(nodes):
            for read in () if "view" in node else node["inputs"]:
                read = read[0] if isinstance(read, list) else read
                readers[base.get(read, read)].append(k)
        for o in self.operators:
            if o.over is None:
                continue
            over, k = o.inputs[o.over], number[o]
            other = [r for r in readers[number[over.source]] if r != k]
            if over.source.kind == "input":
                why = "it would overwrite an input of the network"
            elif over.source.out.bytes != o.out.bytes or len(over.source.outs) + len(o.outs) > 2:
                why = "it would overwrite a part of an output"
            elif other:
                why = f"{nodes[other[0]]['name']} reads what it would overwrite"
            else:
                nodes[k]["in_place"] = number[over.entry()]
                continue
            nodes[k]["notes"] = {"not in place": why}


def _references(tensors, number):
    """What node inputs say of tensors, each once, in the order of the nodes."""
    read = {}
    for t in tensors:
        if t.source is None:
            continue
        several = t.view is None and len(t.source.outs) > 1
        read[number[t.entry()], t.output if several else -1] = None
    return [[n, k] if k >= 0 else n for n, k in sorted(read)]


def _view(view, inputs):
    return {
        "name": view.name,
        "op": view.kind,
        "shape": list(view.out.shape),
        "inputs": inputs,
        "view": True,
    }


def _node(name, operator, inputs, outs, labels, flops, backward):
    outputs = [{"name": label, "bytes": out.bytes} for label, out in zip(labels, outs)]
    return {
        "name": name,
        "op": operator.kind,
        "shape": list(operator.out.shape),
        "inputs": inputs,
        **({"bytes": outs[0].bytes} if len(outs) == 1 else {"outputs": outputs}),
        "flops": flops,
        "backward": backward,
    }


def _name_apart(nodes):
    """Each name once: a second 'relu' is 'relu_2'."""
    taken = set()
    for node in nodes:
        name, k = node["name"], 1
        while node["name"] in taken:
            k += 1
            node["name"] = f"{name}_{k}"
        taken.add(node["name"])
