"""The one table of ONNX operators: what they cost, and what their derivatives read.

tests/install/onnx_rules.py executes every row. A row: kind, FLOPs for each element, of the first output
("out") or of the first input ("in"), what the gradient of each input reads beside the incoming one,
and the operators. Of several inputs the last entry stands for all others. An entry is "-" for nothing,
"stop" for no derivative, or a text of digits (positions of inputs), a (all inputs), y (the first output)
and m (the second output: mask, indices, what training keeps).
"""

import math

TABLE = [
    ("conv", 0, "out", "1 0 -", "Conv ConvTranspose ConvInteger"),
    ("matmul", 0, "out", "1 0 -", "MatMul Gemm MatMulInteger"),
    ("qconv", 0, "out", "3 stop stop 0 stop stop stop stop -", "QLinearConv"),
    ("qmatmul", 0, "out", "3 stop stop 0 stop", "QLinearMatMul"),
    ("einsum", 0, "out", "a", "Einsum"),
    ("maxpool", 0, "out", "0", "MaxPool"),
    ("avgpool", 0, "out", "-", "AveragePool"),
    ("lppool", 0, "out", "0y", "LpPool"),
    ("norm", 2, "in", "01 0 - stop", "BatchNormalization"),
    ("norm", 2, "in", "01 0 -", "InstanceNormalization LayerNormalization GroupNormalization "
     "RMSNormalization SimplifiedLayerNormalization"),
    ("norm", 2, "in", "0", "LRN LpNormalization MeanVarianceNormalization"),
    ("softmax", 3, "out", "y", "Softmax LogSoftmax"),
    ("activation", 1, "out", "y", "Relu Sigmoid Tanh Exp Sqrt Reciprocal"),
    ("smooth", 1, "out", "0 stop", "LeakyRelu Elu Selu Celu Softplus Softsign Mish HardSwish HardSigmoid "
     "ThresholdedRelu Clip Gelu Swish Shrink Erf Log Abs Sin Cos Tan Sinh Cosh Asin Acos Atan Asinh Acosh Atanh"),
    ("smooth", 1, "out", "01 0", "PRelu"),
    ("smooth", 1, "out", "01 01y", "Pow"),
    ("smooth", 1, "out", "a", "Max Min"),
    ("dropout", 1, "out", "m stop", "Dropout"),
    ("add", 1, "out", "-", "Add Sum"),
    ("scale", 1, "out", "-", "Sub Neg Mean Cast"),
    ("scale", 1, "out", "- stop", "CastLike CumSum QuantizeLinear DequantizeLinear DynamicQuantizeLinear"),
    ("add", 1, "out", "- stop stop - stop", "QLinearAdd"),
    ("product", 1, "out", "1 0", "Mul"),
    ("product", 1, "out", "1 01", "Div"),
    ("product", 1, "out", "3 stop stop 0 stop", "QLinearMul"),
    ("select", 1, "out", "stop 0 0", "Where"),
    ("reduce", 1, "in", "- stop", "ReduceMean ReduceSum GlobalAveragePool"),
    ("reduce", 1, "in", "0 stop", "ReduceSumSquare ReduceL1 ReduceLogSum GlobalMaxPool"),
    ("reduce", 1, "in", "0y stop", "ReduceL2 ReduceMax ReduceMin ReduceProd ReduceLogSumExp"),
    ("sort", 1, "in", "m stop", "TopK"),
    ("concat", 1, "out", "-", "Concat"),
    ("move", 1, "out", "- stop", "Resize Upsample DepthToSpace SpaceToDepth Tile Trilu ReverseSequence"),
    ("move", 1, "out", "- stop - stop", "Pad"),
    ("gather", 1, "out", "1 stop", "Gather GatherElements GatherND"),
    ("scatter", 1, "out", "1 stop 1", "ScatterElements ScatterND Scatter"),
    ("sample", 8, "out", "1 01", "GridSample"),
    ("loss", 1, "in", "01 stop", "SoftmaxCrossEntropyLoss"),
    ("loss", 1, "in", "1 stop", "NegativeLogLikelihoodLoss"),
    ("recurrent", 0, "out", "aym", "LSTM GRU RNN"),
    ("random", 1, "out", "stop", "RandomNormal RandomUniform RandomNormalLike RandomUniformLike Multinomial Bernoulli"),
    ("scale", 1, "out", "stop", "Floor Ceil Round Sign Not And Or Xor Equal Less LessOrEqual Greater GreaterOrEqual "
     "BitShift IsNaN IsInf Mod Hardmax OneHot EyeLike Range"),
    ("reduce", 1, "in", "stop", "ArgMax ArgMin"),
]  # fmt: skip
# Whose derivative reads the second output alone where the model has one: the indices of the maxima.
MARKED = {"MaxPool": "m"}
# What training keeps of an operator beside its outputs: name, bytes of an element.
MASKED = {"Dropout": ("mask", 1)}
# Whose output is, or can be, their input's memory: no nodes.
VIEWS = set("Reshape Flatten Squeeze Unsqueeze Identity Transpose Split Slice Expand".split())


class Rule:
    """kind, and of operators without a row: one FLOP an element, the gradient reads all."""

    def __init__(self, kind="unknown", each=1, basis="out", reads="ay"):
        self.kind, self.each, self.basis, self.reads = kind, each, basis, reads.split()


RULES = {op: Rule(*row) for *row, names in TABLE for op in names.split()}
RANDOM = {op for op, rule in RULES.items() if rule.kind in ("random", "dropout")}


# ---- FLOPs of what no element count says ---------------------------------------------------------


def product_flops(op, inputs, outs, attribute):
    """Two for each product of a window or a row, one for each sum with a bias; None: not such an operator."""
    out = outs[0]
    if op in ("Conv", "ConvInteger"):
        return out.elements * (2 * math.prod(inputs[1].shape[1:]) + (op == "Conv" and len(inputs) > 2))
    if op == "QLinearConv":
        return out.elements * (2 * math.prod(inputs[3].shape[1:]) + (len(inputs) > 8))
    if op == "ConvTranspose":
        return 2 * inputs[0].elements * math.prod(inputs[1].shape[1:]) + (len(inputs) > 2) * out.elements
    if op in ("MatMul", "Gemm", "MatMulInteger", "QLinearMatMul"):
        across = 0 if op == "Gemm" and attribute("transA", 0) else -1
        return out.elements * (2 * inputs[0].shape[across] + (op == "Gemm" and len(inputs) > 2))
    if op == "Einsum":
        return einsum_flops(attribute("equation", b"").decode(), inputs)
    if op in ("MaxPool", "AveragePool", "LpPool"):  # as the networks of the paper count it
        return 2 * math.prod(attribute("kernel_shape", [1])) * out.elements
    return None


def einsum_sides(equation, shapes):
    """Sides of the result; None where they are not all written as letters."""
    terms, _, result = equation.replace(" ", "").partition("->")
    sides = {c: n for term, shape in zip(terms.split(","), shapes) for c, n in zip(term, shape)}
    return [sides[c] for c in result] if result and "." not in equation else None


def einsum_flops(equation, inputs):
    """Of one loop over all letters; dots stand for what broadcasts."""
    sides, dots = {}, 1
    for term, tensor in zip(equation.replace(" ", "").split("->")[0].split(","), inputs):
        letters = term.replace("...", "")
        first = term.find("...") if "..." in term else len(term)
        more = len(tensor.shape) - len(letters)
        dots = max(dots, math.prod(tensor.shape[first : first + more]))
        sides.update(zip(letters, tensor.shape[:first] + tensor.shape[first + more :]))
    return max(2, len(inputs)) * dots * math.prod(sides.values())


# Of recurrent layers: gates, FLOPs for each unit beside the products and the sums of a gate, and elements that
# training keeps of a unit: the gates; the cell's state, or what a reset gate scales.
RECURRENT = {"LSTM": (4, 9, 5), "GRU": (3, 8, 4), "RNN": (1, 1, 0)}


def recurrent(op, inputs, named):
    """FLOPs, and the elements that training keeps beside the states that it puts out at each step.

    X, W (directions, gates x hidden, width), R (..., hidden); B, lengths, states, peepholes. named: the
    states of all steps are an output."""
    x, w, r, bias, *_, peepholes = [*inputs, *[None] * 8][:8]
    gates, each, kept = RECURRENT[op]
    hidden, steps = r.shape[2], math.prod(x.shape[:2]) * w.shape[0]
    products = gates * (2 * (w.shape[2] + hidden) + 1 + 2 * (bias is not None)) + 6 * (peepholes is not None)
    return steps * hidden * (products + each), steps * hidden * (kept + (not named))
