"""torch modules as forward passes, through torch.fx (Debian: python3-torch)."""

import copy
import math
import re

from ._training import (
    Cell, Forward, Tensor, conv_flops, matmul_flops, pool_flops, transposed_conv_flops,
)

# Names are those of modules in small letters, functions and methods, without a final _ and the
# number of dimensions: Conv2d and conv2d are "conv".
VIEWS = set(
    "view reshape flatten unflatten squeeze unsqueeze transpose permute t contiguous expand chunk split "
    "getitem identity detach to float unbind movedim view_as expand_as narrow select".split()
)
KINDS = {
    kind: set(names.split())
    for kind, names in {
        "norm": "batchnorm batch_norm layernorm layer_norm groupnorm group_norm instancenorm "
        "instance_norm syncbatchnorm",
        "softmax": "softmax log_softmax logsoftmax",
        "activation": "relu relu6 sigmoid tanh exp sqrt rsqrt reciprocal elu selu softplus hardtanh clamp "
        "leakyrelu leaky_relu",
        "smooth": "gelu erf log pow abs silu hardswish hardsigmoid mish celu softsign prelu sin cos "
        "maximum minimum",
        "add": "add sub iadd isub rsub",
        "scale": "neg floor ceil round sign eq ne lt le gt ge logical_not cumsum masked_fill tril triu type",
        "select": "where",
        "reduce": "mean sum",
        "extreme": "max min amax amin norm logsumexp argmax argmin",
        "concat": "cat concat stack",
        "move": "pad interpolate upsample pixelshuffle pixel_shuffle roll repeat zeropad",
        "gather": "gather",
        "loss": "cross_entropy crossentropyloss nll_loss nllloss mse_loss mseloss",
    }.items()
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}
IN_PLACE = {"iadd", "isub", "imul", "itruediv"}  # of the module operator; those of torch end in _
PRODUCTS = {"mul", "div", "truediv", "imul", "itruediv"}
MATMULS = {"matmul", "bmm", "mm"}
RECURRENT = {"LSTM", "GRU", "RNN", "LSTMCell", "GRUCell", "RNNCell"}


def plain(name):
    """conv2d, Conv2d, relu_: as the tables above have them."""
    return re.sub(r"(_)?[123]d$", "", name.lower().strip("_"))


class Reader:
    def __init__(self, module, inputs, unknown, backward, name, fail):
        import torch
        import torch.fx
        from torch.fx.passes.shape_prop import ShapeProp

        self.torch, self.fail = torch, fail
        module = copy.deepcopy(module)  # running it changes running statistics
        try:
            self.traced = torch.fx.symbolic_trace(module)
        except Exception as why:  # noqa: BLE001 - whatever the module's code raises
            raise fail(f"torch.fx cannot trace it: {' '.join(str(why).split())}") from None
        try:
            with torch.no_grad():
                ShapeProp(self.traced).propagate(*inputs)
        except Exception as why:  # noqa: BLE001
            raise fail(f"it does not run on these inputs: {' '.join(str(why).split())}") from None
        self.forward = Forward(name, fail, unknown, backward)
        self.values = {}

    def tensor(self, meta):
        size = self.torch.empty((), dtype=meta.dtype).element_size()
        floating = meta.dtype.is_floating_point or meta.dtype.is_complex
        return Tensor(None, meta.shape, size, floating)

    def parameter(self, value):
        """A parameter or buffer."""
        floating = value.dtype.is_floating_point
        weight = floating and isinstance(value, self.torch.nn.Parameter) and value.requires_grad
        return Tensor(None, value.shape, value.element_size(), floating, weight)

    def read(self):
        for node in self.traced.graph.nodes:
            if node.op == "output":
                out = [self.values.get(n) for n in node.all_input_nodes]
                self.forward.finish([t for t in out if isinstance(t, Tensor)])
            else:
                self.values[node] = self.value(node)
        return self.forward

    def value(self, node):
        """A tensor, a list of them, or None for what is no tensor."""
        if node.op == "get_attr":
            value = self.traced
            for part in node.target.split("."):
                value = getattr(value, part)
            return self.parameter(value) if isinstance(value, self.torch.Tensor) else None
        meta = node.meta.get("tensor_meta")
        if meta is None:
            return None
        if node.op == "placeholder":
            return self.forward.add(node.name, "input", [], self.tensor(meta))
        return self.operator(node, meta)

    def operator(self, node, meta):
        module = self.traced.get_submodule(node.target) if node.op == "call_module" else None
        called = type(module).__name__ if module else getattr(node.target, "__name__", node.target)
        name = plain(called)
        inputs = [self.values.get(n) for n in node.all_input_nodes]
        several = inputs[0] if inputs and isinstance(inputs[0], list) else None
        inputs = [t for t in inputs if isinstance(t, Tensor)]
        if name == "getitem" and several:
            return several[node.args[1]]
        if not any(t.source for t in inputs):
            weight = any(t.weight for t in inputs)
            return self.constants(meta, weight)
        if name in VIEWS or (name == "dropout" and not self.drops(node, module)):
            return self.views(meta, node.name, name, inputs[0])
        if called in RECURRENT and module is not None:
            return self.recurrent(node, module, inputs, meta)
        outs = [meta] if hasattr(meta, "dtype") else meta
        if not all(hasattr(m, "dtype") for m in outs):
            raise self.fail(f"node '{node.name}': {called}: expected tensors")
        out, *more = [self.tensor(m) for m in outs]  # indices, weights of attention
        made = self.computed(node, module, name, called, inputs, out, more)
        if self.overwrites(node, module, called):
            made.source.over = 0
            self.values[node.args[0]] = made  # whoever reads it later reads what was written
        return made if hasattr(meta, "dtype") else list(made.source.outs)

    def recurrent(self, node, module, inputs, meta):
        """Layers, or a cell; what it returns: the outputs, nested as torch has them."""
        called = type(module).__name__
        flat = self.flat(meta)
        if not all(hasattr(m, "dtype") for m in flat):
            raise self.fail(f"node '{node.name}': {called}: expected tensors, no packed sequence")
        outs = [self.tensor(m) for m in flat]
        hidden, biases = module.hidden_size, 2 * bool(module.bias)
        inputs = inputs + [self.parameter(p) for p in module.parameters()]
        steps = outs[0].elements // outs[0].shape[-1]
        if called.endswith("Cell"):
            cells, kept = [Cell(module.input_size, hidden, hidden, biases)], 0
        else:
            state = getattr(module, "proj_size", 0) or hidden
            both = 2 if module.bidirectional else 1
            widths = [module.input_size] + (module.num_layers - 1) * [both * state]
            cells = both * [Cell(width, hidden, state, biases) for width in widths]
            kept = both * state * (module.num_layers - 1)
        kind = called.removesuffix("Cell").lower()
        made = self.forward.recur(node.target, kind, inputs, outs, cells, steps, kept).source
        if called in ("LSTMCell", "GRUCell"):  # the state before is an input
            made.reads_outputs.remove(0)
        return self.nested(meta, iter(made.outs))

    def flat(self, meta):
        if not isinstance(meta, (tuple, list)) or hasattr(meta, "dtype"):
            return [meta]
        return [m for part in meta for m in self.flat(part)]

    def nested(self, meta, outs):
        return next(outs) if hasattr(meta, "dtype") else [self.nested(m, outs) for m in meta]

    def overwrites(self, node, module, called):
        """Does it work in place, on a tensor that a node of the trace puts out?"""
        first = self.values.get(node.args[0]) if node.args else None
        if not isinstance(first, Tensor) or first.source is None:
            return False
        if module is not None:
            return bool(getattr(module, "inplace", False))
        written = called in IN_PLACE or (called[-1] == "_" and called[0] != "_")
        return written or bool(node.kwargs.get("inplace"))

    def constants(self, meta, weight):
        if not hasattr(meta, "dtype"):
            return [self.constants(m, weight) for m in meta]
        made = self.tensor(meta)
        made.weight = weight and made.floating
        return made

    def views(self, meta, label, kind, base):
        if not hasattr(meta, "dtype"):
            return [self.views(m, f"{label}.{k}", kind, base) for k, m in enumerate(meta)]
        out = self.tensor(meta)
        if (out.size, out.floating) != (base.size, base.floating):  # another type is another tensor
            return self.forward.add(label, "scale", [base], out)
        return self.forward.look(label, kind, base, out)

    def drops(self, node, module):
        if module is not None:
            return module.training and module.p > 0
        training = node.kwargs.get("training", node.args[2] if len(node.args) > 2 else True)
        return bool(training) and node.kwargs.get("p", node.args[1] if len(node.args) > 1 else 0.5) > 0

    def window(self, node, module, dimensions):
        size = module.kernel_size if module else node.kwargs.get("kernel_size", (*node.args, 1)[1])
        return math.prod(size) if isinstance(size, (tuple, list)) else size**dimensions

    def computed(self, node, module, name, called, inputs, out, more):
        """Appends the operator of a node, whose outputs are out and more; the first."""
        forward, label = self.forward, node.target if module else node.name
        weights = list(module.parameters(recurse=False)) if module else []
        inputs = inputs + [self.parameter(p) for p in weights]
        bias = inputs[2:]
        if name == "conv":
            return forward.add(label, "conv", inputs, out, conv_flops(out, inputs[1], bias))
        if name in ("convtranspose", "conv_transpose"):
            flops = transposed_conv_flops(inputs[0], inputs[1], out, bias)
            return forward.add(label, "conv", inputs, out, flops)
        if name == "linear" or name in MATMULS:
            return forward.add(label, "matmul", inputs, out, matmul_flops(out, inputs[0].shape[-1], bias))
        if name in ("addmm", "baddbmm"):
            flops = matmul_flops(out, inputs[1].shape[-1], True)
            return forward.add(label, "matmul", inputs, out, flops)
        if name in ("maxpool", "max_pool", "avgpool", "avg_pool"):
            kind = "maxpool" if name.startswith("max") else "avgpool"
            flops = pool_flops(out, self.window(node, module, len(out.shape) - 2))
            return forward.add(label, kind, inputs, out, flops, more)
        if name in ("adaptiveavgpool", "adaptive_avg_pool"):
            return forward.add(label, "reduce", inputs, out)
        if name in ("adaptivemaxpool", "adaptive_max_pool"):
            return forward.add(label, "extreme", inputs, out, more=more)
        if name in PRODUCTS:
            return forward.multiply(label, inputs, out)
        if name == "embedding":
            return forward.add(label, "gather", inputs, out)
        if name == "dropout":
            return forward.add(label, "dropout", inputs, out, more=more)
        if name not in KIND_OF:
            return forward.strange(label, called, inputs, out, more)
        return forward.add(label, KIND_OF[name], inputs, out, more=more)


def training_graph(module, inputs, backward, unknown, name, error):
    """The dictionary of a graph file. inputs: example tensors of a call of the module."""
    try:
        import torch
    except ImportError:
        raise error("import from torch: the package torch is missing (Debian: python3-torch)") from None
    if not isinstance(module, torch.nn.Module):
        raise error(f"expected a torch.nn.Module, got {type(module).__name__}")
    inputs = list(inputs) if isinstance(inputs, (tuple, list)) else [inputs]
    name = name or type(module).__name__

    def fail(text):
        return error(f"{name}: {text}")

    return Reader(module, inputs, unknown, backward, name, fail).read().training()
