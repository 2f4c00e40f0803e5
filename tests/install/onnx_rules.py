"""Every row of the importer's table of ONNX operators, executed by torch.

A case is one operator with inputs and the same in torch. Checked are the shape and the bytes of the output, and
what the gradient of each input reads: after the forward pass everything in memory that the rule does not
read is overwritten, and the gradient has to come out the same, bit by bit. What torch saved for itself has to be
what the rule reads, unless that is all inputs, of which the forward pass can be had again. What the rule reads
has to be needed: overwritten, the gradient is another one.
"""

import collections

import numpy
import onnx
import onnx.numpy_helper
import torch
import torch.nn.functional as F
from poetbnb import _backward, _fold, _onnx, _rules

torch.manual_seed(1)
Case = collections.namedtuple("Case", "op function inputs attributes opset domain outputs integers loose")
CASES = []


def case(op, function, *inputs, opset=17, domain="", outputs=1, integers=False, loose="", **attributes):
    """integers: torch computes on numbers what ONNX does on integers. loose: tokens of reads that this
    case alone does not need."""
    CASES.append(Case(op, function, inputs, attributes, opset, domain, outputs, integers, loose))


class Constant:
    def __init__(self, values, dtype=torch.float32):
        self.tensor = torch.tensor(values, dtype=dtype)


def real(*shape):
    return torch.randn(*shape)


def positive(*shape):
    return torch.rand(*shape) + 0.5


def within(*shape):
    return torch.rand(*shape) * 0.8 + 0.1


def whole(high, *shape, dtype=torch.int64):
    return torch.randint(0, high, shape).to(dtype)


def numbers(*values):
    return Constant(list(values), torch.int64)


def straight(function):
    """A function whose values are rounded, with the derivative of the function."""
    def rounded(*x):
        y = function(*x)
        return y + (torch.round(y) - y).detach()
    return rounded


# ---- one operator each -----------------------------------------------------------------------------

for name, function in {
    "Relu": torch.relu, "Sigmoid": torch.sigmoid, "Tanh": torch.tanh, "Exp": torch.exp, "LeakyRelu": F.leaky_relu,
    "Elu": F.elu, "Selu": F.selu, "Celu": F.celu, "Softplus": F.softplus, "Softsign": F.softsign, "Mish": F.mish,
    "HardSwish": F.hardswish, "Gelu": F.gelu, "Swish": F.silu, "Erf": torch.erf,
    "Abs": torch.abs, "Sin": torch.sin, "Cos": torch.cos, "Tan": torch.tan, "Sinh": torch.sinh,
    "Cosh": torch.cosh, "Atan": torch.atan, "Asinh": torch.asinh, "Neg": torch.neg, "Floor": torch.floor,
    "Ceil": torch.ceil, "Round": torch.round, "Sign": torch.sign,
}.items():
    case(name, function, real(3, 5))
case("HardSigmoid", F.hardsigmoid, 4 * real(3, 5))
for name, function in {"Sqrt": torch.sqrt, "Log": torch.log, "Reciprocal": torch.reciprocal}.items():
    case(name, function, positive(3, 5))
for name, function in {"Asin": torch.asin, "Acos": torch.acos, "Atanh": torch.atanh}.items():
    case(name, function, within(3, 5))
case("Acosh", torch.acosh, positive(3, 5) + 1)
case("ThresholdedRelu", lambda x: F.threshold(x, 1.0, 0.0), real(3, 5))
case("Shrink", lambda x: F.hardshrink(x, 0.5), real(3, 5))
case("Clip", lambda x, low, high: torch.clamp(x, low.item(), high.item()), real(3, 5), Constant(-1.0), Constant(1.0))
case("PRelu", F.prelu, real(2, 4, 3), real(4), loose="1")
case("Pow", torch.pow, positive(3, 5), real(3, 5))
case("Max", torch.maximum, real(3, 5), real(3, 5))
case("Min", torch.minimum, real(3, 5), real(3, 5))
case("Softmax", lambda x: torch.softmax(x, -1), real(3, 5))
case("LogSoftmax", lambda x: torch.log_softmax(x, -1), real(3, 5))
case("Hardmax", lambda x: F.one_hot(x.argmax(-1), 5).float(), real(3, 5))

case("Conv", F.conv2d, real(2, 4, 7, 7), real(6, 2, 3, 3), real(6), group=2, kernel_shape=[3, 3])
CASES[-1] = CASES[-1]._replace(function=lambda x, w, b: F.conv2d(x, w, b, groups=2))
case("ConvTranspose", F.conv_transpose2d, real(2, 4, 5, 5), real(4, 3, 2, 2), real(3), kernel_shape=[2, 2])
case("ConvInteger", straight(F.conv2d), whole(9, 1, 2, 5, 5, dtype=torch.uint8), whole(9, 3, 2, 3, 3, dtype=torch.uint8),
     integers=True)
case("MatMul", torch.matmul, real(2, 3, 4), real(2, 4, 5))
case("Gemm", lambda a, b, c: a.t() @ b + c, real(4, 3), real(4, 5), real(5), transA=1)
case("MatMulInteger", straight(torch.matmul), whole(9, 3, 4, dtype=torch.uint8), whole(9, 4, 5, dtype=torch.uint8),
     integers=True)
case("Einsum", lambda a, b: torch.einsum("bik,bkj->bij", a, b), real(2, 3, 4), real(2, 4, 5),
     equation="bik,bkj->bij", loose="01")

case("MaxPool", lambda x: F.max_pool2d(x, 2), real(2, 3, 6, 6), kernel_shape=[2, 2], strides=[2, 2])
case("MaxPool", lambda x: F.max_pool2d(x, 2, return_indices=True), real(2, 3, 6, 6), outputs=2, kernel_shape=[2, 2],
     strides=[2, 2])
case("AveragePool", lambda x: F.avg_pool2d(x, 2), real(2, 3, 6, 6), kernel_shape=[2, 2], strides=[2, 2])
case("LpPool", lambda x: F.lp_pool2d(x, 2, 2), real(2, 3, 6, 6), kernel_shape=[2, 2], strides=[2, 2], p=2, loose="y")
case("GlobalAveragePool", lambda x: x.mean((2, 3), keepdim=True), real(2, 3, 6, 6))
case("GlobalMaxPool", lambda x: F.adaptive_max_pool2d(x, 1), real(2, 3, 6, 6))

case("BatchNormalization", lambda x, s, b, m, v: F.batch_norm(x, m.clone(), v.clone(), s, b, True), real(4, 3, 5, 5), real(3),
     real(3), Constant([0.0] * 3), Constant([1.0] * 3), training_mode=1, outputs=3)
case("BatchNormalization", lambda x, s, b, m, v: F.batch_norm(x, m, v, s, b), real(4, 3, 5, 5), real(3), real(3),
     Constant([0.5] * 3), Constant([1.5] * 3), loose="0")
case("InstanceNormalization", lambda x, s, b: F.instance_norm(x, weight=s, bias=b), real(4, 3, 5, 5), real(3), real(3))
case("LayerNormalization", lambda x, s, b: F.layer_norm(x, (5,), s, b), real(4, 3, 5), real(5), real(5))
case("GroupNormalization", lambda x, s, b: F.group_norm(x, 2, s, b), real(4, 6, 5), real(6), real(6), num_groups=2)


def rms_norm(x, s):
    return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + 1e-5) * s


case("RMSNormalization", rms_norm, real(4, 3, 5), real(5))
case("SimplifiedLayerNormalization", rms_norm, real(4, 3, 5), real(5), domain="com.microsoft")
case("LRN", lambda x: F.local_response_norm(x, 3), real(2, 5, 4, 4), size=3)
case("LpNormalization", lambda x: F.normalize(x, dim=-1), real(3, 5))
case("MeanVarianceNormalization", lambda x: (x - x.mean((0, 2, 3), keepdim=True)) / (
    x.std((0, 2, 3), unbiased=False, keepdim=True) + 1e-9), real(2, 3, 4, 4))


class MaskedDropout(torch.autograd.Function):
    """With its mask as an output."""

    @staticmethod
    def forward(context, x):
        mask = torch.rand_like(x) > 0.5
        context.save_for_backward(mask)
        context.mark_non_differentiable(mask)
        return x * mask * 2, mask

    @staticmethod
    def backward(context, gradient, _):
        return gradient * context.saved_tensors[0] * 2


case("Dropout", MaskedDropout.apply, real(3, 5), Constant(0.5), Constant(True, torch.bool), outputs=2)
CASES[-1] = CASES[-1]._replace(function=lambda x, *_: MaskedDropout.apply(x))
CASES.append(CASES[-1]._replace(outputs=1))  # its mask is kept all the same

for name, function in {"Add": torch.add, "Sub": torch.sub}.items():
    case(name, function, real(3, 5), real(3, 5))
    case(name, function, real(3, 5), real(5))
case("Sum", lambda a, b, c: a + b + c, real(3, 5), real(3, 5), real(5))
case("Mean", lambda a, b: (a + b) / 2, real(3, 5), real(3, 5))
case("Mul", torch.mul, real(3, 5), real(3, 5))
case("Mul", torch.mul, real(3, 5), real(5))
case("Div", torch.div, real(3, 5), positive(3, 5))
case("Cast", lambda x: x.double(), real(3, 5), to=11)
case("CastLike", lambda x, like: x.to(like.dtype), real(3, 5), whole(3, 2).double())
case("CumSum", lambda x, axis: x.cumsum(axis.item()), real(3, 5), Constant(1, torch.int64))
case("Where", torch.where, whole(2, 3, 5, dtype=torch.bool), real(3, 5), real(3, 5))

scale, zero = Constant(0.1), Constant(0, torch.int8)
case("QuantizeLinear", straight(lambda x, s, z: x / s), real(3, 5), scale, zero, integers=True)
case("DequantizeLinear", lambda x, s, z: (x - z) * s, whole(9, 3, 5, dtype=torch.int8), scale, zero, integers=True)
case("DynamicQuantizeLinear", straight(lambda x: x / 0.1), real(3, 5), integers=True, outputs=3)
case("QLinearConv", straight(lambda x, a, b, w, *_: F.conv2d(x, w)), whole(9, 1, 2, 5, 5, dtype=torch.int8), scale, zero,
     whole(9, 3, 2, 3, 3, dtype=torch.int8), scale, zero, scale, zero, integers=True)
case("QLinearMatMul", straight(lambda x, a, b, w, *_: x @ w), whole(9, 3, 4, dtype=torch.int8), scale, zero,
     whole(9, 4, 5, dtype=torch.int8), scale, zero, scale, zero, integers=True)
for name, function in {"QLinearAdd": torch.add, "QLinearMul": torch.mul}.items():
    case(name, straight(lambda x, a, b, y, *_, f=function: f(x, y)), whole(9, 3, 4, dtype=torch.int8), scale, zero,
         whole(9, 3, 4, dtype=torch.int8), scale, zero, scale, zero, integers=True, domain="com.microsoft")

case("ReduceMean", lambda x: x.mean(1, keepdim=True), real(3, 5), axes=[1])
case("ReduceSum", lambda x, axes: x.sum(1, keepdim=True), real(3, 5), numbers(1))
case("ReduceSumSquare", lambda x: (x * x).sum(1, keepdim=True), real(3, 5), axes=[1])
case("ReduceL1", lambda x: x.abs().sum(1, keepdim=True), real(3, 5), axes=[1])
case("ReduceL2", lambda x: x.norm(2, 1, keepdim=True), real(3, 5), axes=[1], loose="y")
case("ReduceLogSum", lambda x: x.sum(1, keepdim=True).log(), positive(3, 5), axes=[1])
case("ReduceMax", lambda x: x.amax(1, keepdim=True), real(3, 5), axes=[1], loose="y")
case("ReduceMin", lambda x: x.amin(1, keepdim=True), real(3, 5), axes=[1], loose="y")
case("ReduceProd", lambda x: x.prod(1, keepdim=True), real(3, 5), axes=[1], loose="y")
case("ReduceLogSumExp", lambda x: x.logsumexp(1, keepdim=True), real(3, 5), axes=[1], loose="y")
case("ArgMax", lambda x: x.argmax(1, keepdim=True), real(3, 5), axis=1)
case("ArgMin", lambda x: x.argmin(1, keepdim=True), real(3, 5), axis=1)
case("TopK", lambda x, k: x.topk(2), real(3, 5), numbers(2), outputs=2)

case("Concat", lambda a, b: torch.cat([a, b], 1), real(3, 5), real(3, 2), axis=1)
case("Resize", lambda x, *_: F.interpolate(x, scale_factor=2.0), real(1, 2, 3, 3), Constant([]), Constant([1.0, 1.0, 2.0, 2.0]))
case("Upsample", lambda x, _: F.interpolate(x, scale_factor=2.0), real(1, 2, 3, 3), Constant([1.0, 1.0, 2.0, 2.0]), opset=9)
case("DepthToSpace", lambda x: F.pixel_shuffle(x, 2), real(1, 8, 3, 3), blocksize=2, mode="CRD")
case("SpaceToDepth", lambda x: F.pixel_unshuffle(x, 2), real(1, 2, 4, 4), blocksize=2)
case("Tile", lambda x, t: x.repeat(2, 1), real(3, 5), numbers(2, 1))
case("Trilu", torch.triu, real(5, 5))
case("ReverseSequence", lambda x, n: x.flip(0), real(4, 3), numbers(4, 4, 4))
case("Pad", lambda x, p: F.pad(x, (1, 1)), real(3, 5), numbers(0, 1, 0, 1))
case("Gather", lambda x, i: x[:, i], real(3, 5), whole(5, 4), axis=1)
case("GatherElements", lambda x, i: x.gather(1, i), real(3, 5), whole(5, 3, 2), axis=1)
case("GatherND", lambda x, i: x[i[:, 0], i[:, 1]], real(3, 5), whole(3, 4, 2))
case("ScatterElements", lambda x, i, u: x.scatter(1, i, u), real(3, 5), Constant([[1, 3], [0, 2], [4, 1]], torch.int64), real(3, 2), axis=1)
case("ScatterElements", lambda x, i, u: x.scatter(1, i, u), real(3, 5), torch.tensor([[1, 3], [0, 2], [4, 1]]), real(3, 2), axis=1)
case("Scatter", lambda x, i, u: x.scatter(1, i, u), real(3, 5), torch.tensor([[1, 3], [0, 2], [4, 1]]), real(3, 2), axis=1, opset=10)
case("ScatterND", lambda x, i, u: x.index_put((i[:, 0],), u), real(3, 5), torch.tensor([[2], [0]]), real(2, 5))
case("GridSample", lambda x, g: F.grid_sample(x, g, align_corners=False), real(1, 2, 5, 5), within(1, 3, 3, 2))
case("SoftmaxCrossEntropyLoss", F.cross_entropy, real(4, 6), whole(6, 4))
case("NegativeLogLikelihoodLoss", F.nll_loss, real(4, 6), whole(6, 4))

H, W = 3, 4  # units and width


def unrolled(gates, step):
    """A recurrent layer in one direction: all states, and the last one(s)."""
    def layer(x, w, r):
        h, c, states = torch.zeros(x.shape[1], H), torch.zeros(x.shape[1], H), []
        for k in range(x.shape[0]):
            h, c = step((x[k] @ w[0].t()).chunk(gates, 1), (h @ r[0].t()).chunk(gates, 1), h, c)
            states.append(h)
        return torch.stack(states).unsqueeze(1)
    return layer


def lstm(x, h, _, c):
    i, o, f, g = (a + b for a, b in zip(x, h))
    c = f.sigmoid() * c + i.sigmoid() * g.tanh()
    return o.sigmoid() * c.tanh(), c


def gru(x, h, state, c):
    z, r = (x[0] + h[0]).sigmoid(), (x[1] + h[1]).sigmoid()
    return (1 - z) * (x[2] + r * h[2]).tanh() + z * state, c


for name, gates, step in (("LSTM", 4, lstm), ("GRU", 3, gru), ("RNN", 1, lambda x, h, _, c: ((x[0] + h[0]).tanh(), c))):
    case(name, unrolled(gates, step), real(5, 2, W), real(1, gates * H, W), real(1, gates * H, H), hidden_size=H, loose="aym")

for name, function in {"And": torch.logical_and, "Or": torch.logical_or, "Xor": torch.logical_xor}.items():
    case(name, function, whole(2, 3, 5, dtype=torch.bool), whole(2, 3, 5, dtype=torch.bool))
case("Not", torch.logical_not, whole(2, 3, 5, dtype=torch.bool))
for name, function in {"Equal": torch.eq, "Less": torch.lt, "LessOrEqual": torch.le, "Greater": torch.gt,
                       "GreaterOrEqual": torch.ge}.items():
    case(name, function, real(3, 5), real(3, 5))
case("IsNaN", torch.isnan, real(3, 5))
case("IsInf", torch.isinf, real(3, 5))
case("Mod", torch.fmod, whole(9, 3, 5), whole(9, 3, 5) + 1)
case("BitShift", lambda x, y: x << y, whole(9, 3, dtype=torch.uint8), whole(3, 3, dtype=torch.uint8), direction="LEFT")
case("OneHot", lambda i, *_: F.one_hot(i, 6).float(), whole(6, 3), numbers(6), Constant([0.0, 1.0]))
case("EyeLike", lambda x: torch.eye(*x.shape), real(3, 5))
case("RandomNormalLike", torch.randn_like, real(3, 5))
case("RandomUniformLike", torch.rand_like, real(3, 5))
case("RandomNormal", lambda: torch.randn(3, 5), shape=[3, 5])
case("RandomUniform", lambda: torch.rand(3, 5), shape=[3, 5])
case("Multinomial", lambda x: torch.multinomial(x.exp(), 4, True).int(), real(3, 5), sample_size=4)
case("Bernoulli", torch.bernoulli, within(3, 5))

# No node: what they compute is a constant, or a sum that no network is trained through.
ELSEWHERE = {"Range"}

# ---- execution -------------------------------------------------------------------------------------

KINDS = {torch.float32: 1, torch.uint8: 2, torch.int8: 3, torch.int32: 6, torch.int64: 7, torch.bool: 9, torch.float64: 11}


def operator_of(c):
    """The importer's operator of a model with that one."""
    names, graph_inputs, weights = [], [], []
    for k, x in enumerate(c.inputs):
        tensor = x.tensor if isinstance(x, Constant) else x
        names.append("" if isinstance(x, Constant) and not tensor.numel() else f"x{k}")
        if isinstance(x, Constant):
            weights.append(onnx.numpy_helper.from_array(tensor.numpy(), names[-1]) if names[-1] else None)
        else:
            graph_inputs.append(onnx.helper.make_tensor_value_info(names[-1], KINDS[tensor.dtype], tensor.shape))
    outs = [f"y{k}" for k in range(c.outputs)]
    node = onnx.helper.make_node(c.op, names, outs, domain=c.domain, **c.attributes)
    last = [onnx.ValueInfoProto(name=outs[0])]
    graph = onnx.helper.make_graph([node], c.op, graph_inputs, last, [w for w in weights if w])
    versions = [onnx.helper.make_opsetid("", c.opset), onnx.helper.make_opsetid("com.microsoft", 1)]

    def fail(text):
        return AssertionError(text)

    model = onnx.helper.make_model(graph, opset_imports=versions)
    forward = _backward.Forward(c.op, fail)
    types = _fold.Types(onnx, model, {}, {}, fail, _onnx.more_types)
    _onnx.Reader(types, forward, "error").read()
    o = forward.operators[-1]
    for x, t in zip(c.inputs, o.inputs):
        if c.integers and not isinstance(x, Constant):
            t.gradient = 4  # as of what comes from QuantizeLinear
    return o


def storage(tensor):
    return tensor.storage().data_ptr()


def overwrite(tensor):
    """Writes other values where the tensor is, past autograd's back."""
    values = tensor.detach().numpy()  # the same memory, and no version is counted
    if values.dtype.kind == "f":
        values[...] = numpy.nan
    else:
        values[...] = values.max() if values.min() < values.max() else 1 - values.astype(bool)


class Run:
    """A forward pass on copies of a case's inputs, the same each time."""

    def __init__(self, c):
        torch.manual_seed(7)
        self.inputs = [(x.tensor if isinstance(x, Constant) else x).clone() for x in c.inputs]
        if c.integers:
            self.inputs = [x.float() for x in self.inputs]
        for x, given in zip(self.inputs, c.inputs):
            if x.is_floating_point() and not isinstance(given, Constant):
                x.requires_grad_()
        self.saved = []
        with torch.autograd.graph.saved_tensors_hooks(lambda t: self.saved.append(t) or t, lambda t: t):
            outs = c.function(*self.inputs)
        self.outs = list(outs) if isinstance(outs, tuple) else [outs]

    def gradient(self, k):
        """Of input k; None: there is none. The incoming gradient is the same each time."""
        if not self.outs[0].requires_grad:
            return None
        g = torch.Generator().manual_seed(3)
        incoming = torch.randn(self.outs[0].shape, generator=g, dtype=self.outs[0].dtype)
        return torch.autograd.grad(self.outs[0], self.inputs[k], incoming, allow_unused=True)[0]


def changed(c, positions):
    """The case with other values of those inputs."""
    def other(x):
        if x.dtype == torch.bool:
            return ~x
        return x.flatten().roll(1).reshape(x.shape) * 1.25 if x.is_floating_point() else (x - 1).clamp(min=0)
    return c._replace(inputs=[other(x) if k in positions else x for k, x in enumerate(c.inputs)])


def same(a, b):
    return a is not None and b is not None and torch.equal(a, b)


def check_forward(c, o):
    run = Run(c)
    y = run.outs[0]
    assert tuple(y.shape) == o.outs[0].shape or y.numel() == o.outs[0].elements == 1, (c.op, y.shape, o.outs[0].shape)
    if not c.integers:
        assert y.numel() * y.element_size() == o.outs[0].bytes, (c.op, y.dtype, o.outs[0].size)
        for out, made in zip(run.outs[1 : c.outputs], o.outs[1:]):
            assert out.numel() * out.element_size() == made.bytes, (c.op, out.dtype, made.size)


def check_products(c, o):
    """Of ones each product adds one to the sum of what a product of matrices puts out."""
    pairs = {"ConvTranspose": (0, 1), "QLinearConv": (0, 3), "QLinearMatMul": (0, 3)}.get(c.op, (0, 1))
    inputs = [torch.full(x.shape, float(k in pairs)) if not isinstance(x, Constant) else x for k, x in enumerate(c.inputs)]
    products = c.function(*[x.tensor if isinstance(x, Constant) else x for x in inputs]).sum().item()
    bias = o.outs[0].elements * (len(c.inputs) == 3)
    assert o.flops == 2 * products + bias, (c.op, o.flops, products, bias)


def check_gradient(c, o, k):
    """The gradient of input k from what the rule says that it reads."""
    wanted = Run(c).gradient(k)
    needs = o.needs(k)
    if needs is None:
        assert wanted is None or not wanted.any(), f"{c.op}: input {k} has a derivative"
        return "none"
    assert wanted is not None and wanted.any(), f"{c.op}: input {k} has no derivative"
    assert wanted.numel() == o.inputs[k].elements, (c.op, k)
    inputs = [p for p, t in enumerate(o.inputs) if t and t in needs]
    outputs = [p for p, t in enumerate(o.outs) if t in needs]
    variable = [p for p, x in enumerate(c.inputs) if not isinstance(x, Constant)]
    again = set(variable) <= set(inputs)  # the gradient may compute the operator again

    unread = [p for p in variable if p not in inputs]

    def after(inputs_over, outputs_over):
        """The gradient when those were overwritten, and what else torch keeps that depends on what is not
        read: all else can be had again."""
        run, other = Run(c), Run(changed(c, unread))
        mine = {storage(x) for x in [*run.inputs, *run.outs]}
        for one, two in zip(run.saved, other.saved):
            if storage(one) not in mine and not same(one, two):
                overwrite(one)
        for p in inputs_over:
            overwrite(run.inputs[p])
        for p in outputs_over:
            if p < len(run.outs):
                overwrite(run.outs[p])
        return run.gradient(k)

    if not again:
        got = after(unread, [p for p in range(len(Run(c).outs)) if p not in outputs])
        assert same(got, wanted), f"{c.op}: the gradient of input {k} reads more than {o.reads}"
    for p in inputs:  # computed from another value it is another one
        if str(p) not in c.loose and not isinstance(c.inputs[p], Constant):
            assert not same(Run(changed(c, [p])).gradient(k), wanted), f"{c.op}: the gradient of input {k} needs no {p}"
    for p in outputs:
        if "ym"[p > 0] not in c.loose:
            assert not same(after([], [p]), wanted), f"{c.op}: the gradient of input {k} needs no output {p}"
    return "again" if again else "kept"


def run():
    """How many cases and gradients were executed."""
    missing = set(_rules.RULES) - {c.op for c in CASES} - ELSEWHERE
    assert not missing, f"rules without a case: {sorted(missing)}"
    count = collections.Counter()
    for c in CASES:
        o = operator_of(c)
        count["cases"] += 1
        check_forward(c, o)
        if o.kind in ("conv", "matmul", "einsum", "qconv", "qmatmul"):
            check_products(c, o)
            count["products"] += 1
        for k, x in enumerate(c.inputs):
            if not isinstance(x, Constant) and (x.is_floating_point() or c.integers):
                count[check_gradient(c, o, k)] += 1
    return count


if __name__ == "__main__":
    print(dict(run()))
