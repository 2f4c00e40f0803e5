"""ONNX models as forward passes (Debian: python3-onnx)."""

import math
import os

from ._training import (
    Cell, Forward, Tensor, conv_flops, matmul_flops, pool_flops, transposed_conv_flops,
)

# Operators whose output is, or can be, their input's memory: no nodes.
VIEWS = {
    "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Transpose", "Split", "Slice", "Expand",
}
# The kind (_training.RULES) of operators that need no more than that.
KINDS = {
    kind: set(names.split())
    for kind, names in {
        "norm": "BatchNormalization InstanceNormalization LayerNormalization GroupNormalization LRN "
        "LpNormalization MeanVarianceNormalization",
        "softmax": "Softmax LogSoftmax Hardmax",
        "activation": "Relu LeakyRelu Sigmoid Tanh Exp Sqrt Reciprocal Elu Selu Softplus Clip "
        "ThresholdedRelu",
        "smooth": "Gelu Erf Log Pow Abs HardSwish HardSigmoid Mish Celu Softsign PRelu Sin Cos Max Min",
        "add": "Add Sub Sum Mean",
        "scale": "Neg Cast Floor Ceil Round Sign Not And Or Xor Equal Less LessOrEqual Greater "
        "GreaterOrEqual IsNaN IsInf Range CumSum",
        "select": "Where",
        "reduce": "ReduceMean ReduceSum GlobalAveragePool ReduceSumSquare ReduceL1 ReduceL2",
        "extreme": "ReduceMax ReduceMin GlobalMaxPool ReduceProd ReduceLogSumExp ArgMax ArgMin",
        "concat": "Concat",
        "move": "Pad Resize Upsample DepthToSpace SpaceToDepth Tile",
        "gather": "Gather GatherElements GatherND",
        "loss": "SoftmaxCrossEntropyLoss NegativeLogLikelihoodLoss",
    }.items()
}
KIND_OF = {name: kind for kind, names in KINDS.items() for name in names}
# Those whose FLOPs need more than a table.
COUNTED = set("Conv ConvTranspose MatMul Gemm MaxPool AveragePool Mul Div Dropout LSTM GRU RNN".split())
SQUARES = {"ReduceSumSquare", "ReduceL1", "ReduceL2"}  # their derivatives read the input


class Reader:
    def __init__(self, model, sizes, unknown, backward, name, fail):
        import onnx

        self.onnx, self.fail = onnx, fail
        self.graph = self.inferred(model, sizes or {})
        self.forward = Forward(name or self.graph.name or "onnx", fail, unknown, backward)
        self.types = {
            v.name: v.type.tensor_type
            for v in [*self.graph.input, *self.graph.value_info, *self.graph.output]
        }
        self.values = {"": None}

    def inferred(self, model, sizes):
        """The graph with all shapes, its free dimensions as `sizes` says."""
        onnx = self.onnx
        copy = onnx.ModelProto()
        copy.CopyFrom(model)
        unused = set(sizes)
        for value in copy.graph.input:
            for side in value.type.tensor_type.shape.dim:
                if side.dim_param in sizes:
                    unused.discard(side.dim_param)
                    side.dim_value = sizes[side.dim_param]
        if unused:
            raise self.fail(f"sizes: no input has a dimension called '{min(unused)}'")
        if sizes:  # what the file says of later tensors was for free dimensions
            del copy.graph.value_info[:]
            for value in copy.graph.output:
                value.type.tensor_type.ClearField("shape")
        try:
            return onnx.shape_inference.infer_shapes(copy, strict_mode=True, data_prop=True).graph
        except Exception as why:  # noqa: BLE001 - onnx raises its own kinds
            raise self.fail(f"no shapes: {' '.join(str(why).split())}") from None

    def item(self, kind, what):
        """Bytes of an element, and whether it has a gradient."""
        known = self.onnx.mapping.TENSOR_TYPE_TO_NP_TYPE
        if kind not in known:
            raise self.fail(f"{what}: expected a tensor of numbers")
        dtype = known[kind]
        if kind == self.onnx.TensorProto.BFLOAT16:
            return 2, True
        return dtype.itemsize, dtype.kind in "fc"

    def shaped(self, name, what):
        """A tensor of no operator with the shape and type that were inferred for a name."""
        kind = self.types.get(name)
        if kind is None or not kind.HasField("shape"):
            raise self.fail(f"{what}: no shape is known; export the model with fixed shapes")
        for side in kind.shape.dim:
            if not side.HasField("dim_value"):
                raise self.fail(
                    f"{what}: the dimension '{side.dim_param}' is free; sizes={{'{side.dim_param}': N}} "
                    "(--size) fixes one of an input"
                )
        return Tensor(None, [d.dim_value for d in kind.shape.dim], *self.item(kind.elem_type, what))

    def read(self):
        for weight in self.graph.initializer:
            size, floating = self.item(weight.data_type, f"initializer '{weight.name}'")
            self.values[weight.name] = Tensor(None, weight.dims, size, floating, weight=floating)
        for value in self.graph.input:
            if value.name not in self.values:
                out = self.shaped(value.name, f"input '{value.name}'")
                self.values[value.name] = self.forward.add(value.name, "input", [], out)
        for node in self.graph.node:
            self.operator(node)
        self.forward.finish([self.value(v.name, f"output '{v.name}'") for v in self.graph.output])
        return self.forward

    def value(self, name, what):
        if name not in self.values:
            raise self.fail(f"{what}: '{name}' is no output that can be read")
        return self.values[name]

    def operator(self, node):
        what = f"node '{node.name or node.output[0]}'"
        inputs = [self.value(name, what) for name in node.input]
        if node.op_type in ("Shape", "Size") or all(t is None or t.source is None for t in inputs):
            if node.op_type not in ("RandomNormal", "RandomUniform"):
                self.constant(node, inputs)
                return
        if node.op_type in VIEWS or self.idle_dropout(node):
            for name in [node.output[0]] if node.op_type == "Dropout" else filter(None, node.output):
                out, label = self.shaped(name, what), node.name or name
                if len(node.output) > 1 and node.op_type != "Dropout":
                    label = f"{label}.{name}" if node.name else name
                self.values[name] = self.forward.look(label, node.op_type.lower(), inputs[0], out)
            return
        if not self.known(node) and self.forward.unknown == "error":
            self.forward.refuse(node.name or node.output[0], node.op_type)
        # Of further outputs (masks, statistics) those count whose shape is known.
        first, *others = [name for name in node.output if name]
        names = [first, *(name for name in others if self.sized(name))]
        out, *more = [self.shaped(name, what) for name in names]
        operator = self.computed(node, inputs, out, more).source
        operator.labels[: len(names)] = names
        self.values.update(zip(names, operator.outs))

    def sized(self, name):
        kind = self.types.get(name)
        return (
            name
            and kind is not None
            and kind.HasField("shape")
            and all(side.HasField("dim_value") for side in kind.shape.dim)
        )

    def known(self, node):
        return node.domain in ("", "ai.onnx") and (node.op_type in KIND_OF or node.op_type in COUNTED)

    def constant(self, node, inputs):
        """What depends on no input is no node; what is computed of a weight is trained with it."""
        weight = any(t and t.weight for t in inputs)
        for name in filter(None, node.output):
            kind = self.types.get(name)
            if kind is None or not kind.HasField("shape"):
                self.values[name] = Tensor(None, (1,), 4, False)
                continue
            sides = [d.dim_value for d in kind.shape.dim]
            size, floating = self.item(kind.elem_type, f"node '{node.name}'")
            self.values[name] = Tensor(None, sides, size, floating, weight and floating)

    def idle_dropout(self, node):
        """Is it a dropout outside of training? From version 12 on the third input switches it on."""
        return node.op_type == "Dropout" and (len(node.input) < 3 or node.input[2] == "")

    def attribute(self, node, name, default):
        for a in node.attribute:
            if a.name == name:
                return self.onnx.helper.get_attribute_value(a)
        return default

    def recurrent(self, node, inputs, outs):
        """X, W (directions, gates x hidden, width), R (..., hidden); B, lengths, states, peepholes."""
        x, w, r = inputs[:3]
        inputs = inputs + [None] * (8 - len(inputs))
        hidden, directions, steps = r.shape[2], w.shape[0], math.prod(x.shape[:2])
        peepholes = 3 if inputs[7] else 0
        cell = Cell(w.shape[2], hidden, hidden, 2 if inputs[3] else 0, peepholes)
        kept = 0 if node.output[0] else directions * hidden
        given = [t for t in inputs if t is not None]
        name = node.name or next(filter(None, node.output))
        made = self.forward.recur(
            name, node.op_type.lower(), given, outs, directions * [cell], steps, kept
        )
        if kept:  # the last state is no state of each step
            made.source.reads_outputs.remove(0)
        return made

    def computed(self, node, inputs, out, more):
        """Appends the operator of a node, whose outputs are out and more; the first."""
        name, op, forward = node.name or node.output[0], node.op_type, self.forward
        if op in ("LSTM", "GRU", "RNN") and self.known(node):
            return self.recurrent(node, inputs, [out, *more])
        inputs = [t for t in inputs if t is not None]
        if not self.known(node):
            return forward.strange(name, op, inputs, out, more)
        if op == "Conv":
            return forward.add(name, "conv", inputs, out, conv_flops(out, inputs[1], inputs[2:]))
        if op == "ConvTranspose":
            flops = transposed_conv_flops(inputs[0], inputs[1], out, inputs[2:])
            return forward.add(name, "conv", inputs, out, flops)
        if op in ("MatMul", "Gemm"):
            across = 0 if self.attribute(node, "transA", 0) else -1
            flops = matmul_flops(out, inputs[0].shape[across], inputs[2:])
            return forward.add(name, "matmul", inputs, out, flops)
        if op in ("MaxPool", "AveragePool"):
            flops = pool_flops(out, math.prod(self.attribute(node, "kernel_shape", [1])))
            kind = "maxpool" if op == "MaxPool" else "avgpool"
            return forward.add(name, kind, inputs, out, flops, more)
        if op in ("Mul", "Div"):
            return forward.multiply(name, inputs, out)
        if op == "Dropout":
            return forward.add(name, "dropout", inputs[:1], out, more=more)
        return forward.add(name, "extreme" if op in SQUARES else KIND_OF[op], inputs, out, more=more)


def training_graph(model, backward, sizes, unknown, name, error):
    """The dictionary of a graph file. model: a path or an onnx.ModelProto."""
    try:
        import onnx
        import onnx.mapping
        import onnx.shape_inference
    except ImportError:
        raise error("import of ONNX: the Python package onnx is missing (Debian: python3-onnx)") from None
    where = os.fspath(model) if isinstance(model, (str, os.PathLike)) else "ONNX model"

    def fail(text):
        return error(f"{where}: {text}")

    if isinstance(model, (str, os.PathLike)):
        name = name or os.path.splitext(os.path.basename(where))[0]
        try:
            model = onnx.load(where, load_external_data=False)
        except OSError as why:
            raise fail(why.strerror) from None
        except Exception:  # noqa: BLE001 - protobuf raises its own kinds
            raise fail("expected an ONNX model") from None
        if not model.graph.node:
            raise fail("expected an ONNX model with nodes")
    elif not isinstance(model, onnx.ModelProto):
        raise error(f"expected a path or an onnx.ModelProto, got {type(model).__name__}")
    return Reader(model, sizes, unknown, backward, name, fail).read().training()
