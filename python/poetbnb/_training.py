"""From a forward pass to a training graph: what operators cost, and what their derivatives read.

The importers describe a forward pass as operators on tensors; Forward.training turns it into the
dictionary of a graph file, with FLOPs for costs. docs/library.md says the rules to users.
"""

import math
import warnings


class Tensor:
    """What an operator reads: the output of another (source), a view of it, or a constant (None).

    size: bytes of an element. weight: a constant that is trained. floating: has a gradient.
    """

    def __init__(self, source, shape, size, floating, weight=False):
        self.source = source
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


class Operator:
    """A node of the forward pass: reads are the positions of the inputs that its derivative reads,
    reads_output whether it reads the output."""

    def __init__(self, name, kind, inputs, out, flops, reads, reads_output):
        self.name, self.kind, self.inputs, self.flops = name, kind, inputs, flops
        self.out = Tensor(self, out.shape, out.size, out.floating)
        self.reads, self.reads_output = reads, reads_output

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
# Of conv, matmul and pools the FLOPs are counted below.
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


class Forward:
    """A forward pass under construction; operators stand behind those that they read."""

    def __init__(self, name, fail, unknown, backward):
        if unknown not in ("error", "warn"):
            raise fail(f"unknown: expected 'error' or 'warn', got {unknown!r}")
        if backward not in ("autodiff", "published"):
            raise fail(f"backward: expected 'autodiff' or 'published', got {backward!r}")
        self.name = name
        self.fail = fail
        self.unknown = unknown
        self.backward = backward
        self.operators = []

    def add(self, name, kind, inputs, out, flops=None):
        """Appends an operator; returns its output. out: its shape, and the type of its elements."""
        each, basis, (reads_inputs, reads_output) = RULES[kind]
        if flops is None:
            flops = each * (out if basis == "out" or not inputs else inputs[0]).elements
        reads = [k for k, t in enumerate(inputs) if t.source] if reads_inputs else []
        if kind == "gather":  # the indices say where the gradient belongs
            reads = [k for k in reads if not inputs[k].floating]
        operator = Operator(name, kind, inputs, out, flops, reads, reads_output)
        self.operators.append(operator)
        return operator.out

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

    def strange(self, name, operator, inputs, out):
        """An operator without a rule: one FLOP for each element, its derivative reads all."""
        if self.unknown == "error":
            self.refuse(name, operator)
        warnings.warn(
            f"{self.name}: node '{name}': no rule for the operator {operator}; it counts one FLOP "
            "for each element of its output",
            stacklevel=4,
        )
        return self.add(name, "unknown", inputs, out)

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
        needed = {t.source for t in outputs}
        for operator in reversed(self.operators):
            if operator in needed:
                needed.update(operator.sources())
        self.operators = [o for o in self.operators if o in needed]

    def trained(self):
        """The operators whose gradients training computes: those behind a weight."""
        trained = set()
        for o in self.operators:
            if any(t.weight for t in o.inputs) or any(s in trained for s in o.sources()):
                trained.add(o)
        return trained or {o for o in self.operators if o.kind != "input" and o.out.floating}

    def training(self):
        """The training graph in the form of graph files."""
        number = {o: k for k, o in enumerate(self.operators)}
        nodes = [
            _node(o.name, o, [number[s] for s in o.sources()], o.out.bytes, o.flops, False)
            for o in self.operators
        ]
        if self.backward == "published":
            self._chain(nodes)
        else:
            self._autodiff(nodes, number)
        _name_apart(nodes)
        return {"name": self.name, "nodes": nodes}

    def _chain(self, nodes):
        """The paper's: a gradient for each pair of neighbours in the list, reading both and the
        gradient before it."""
        previous = []
        for later in range(len(self.operators) - 1, 0, -1):
            e, l = self.operators[later - 1], self.operators[later]
            inputs = [later - 1, later, *previous]
            previous = [len(nodes)]
            nodes.append(_node("grad_" + e.name, e, inputs, l.out.bytes, 2 * e.flops, True))

    def _autodiff(self, nodes, number):
        """A gradient for each trained operator: it reads the gradients of its readers and what its
        derivative needs."""
        trained, gradient, incoming = self.trained(), {}, {o: [] for o in self.operators}
        for o in reversed(self.operators):
            if o not in trained or o.kind == "input":
                continue
            kept = {number[o.inputs[k].source] for k in o.reads}
            kept |= {number[o]} if o.reads_output else set()
            inputs = sorted(kept) + sorted(incoming[o])
            gradient[o] = len(nodes)
            nodes.append(_node("grad_" + o.name, o, inputs, o.gradient_bytes(), 2 * o.flops, True))
            for s in o.sources():
                incoming[s].append(gradient[o])


def _node(name, operator, inputs, size, flops, backward):
    return {
        "name": name,
        "op": operator.kind,
        "shape": list(operator.out.shape),
        "inputs": inputs,
        "bytes": size,
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
