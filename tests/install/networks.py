"""Real networks, as ONNX models and as torch modules: MobileNetV2, ResNet-50, a block of GPT-2.

For images of 224 x 224 and 512 tokens. What is known of them:
  MobileNetV2  300 M multiply-adds (Sandler et al., CVPR 2018, table 4)
  ResNet-50    4.09 G multiply-adds (torchvision's documentation of resnet50; the stride is in the
               3 x 3 convolutions), 53 convolutions
  GPT-2        24 s h^2 + 4 s^2 h FLOPs for s tokens and width h in the products of matrices of a
               block (Narayanan et al., SC 2021, appendix)
"""

# (expansion, channels, blocks, stride), (middle, blocks, stride): tables of the papers.
MOBILE = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2),
          (6, 320, 1, 1))
RESIDUAL = ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2))
TOKENS, WIDTH, HEADS = 512, 768, 12


class Onnx:
    """A model under construction by onnx.helper; values are (name, channels)."""

    def __init__(self, name, shape, batch=None):
        import onnx

        self.onnx, self.name, self.nodes, self.weights = onnx, name, [], []
        kind = onnx.TensorProto.FLOAT
        sides = [batch or shape[0], *shape[1:]]
        self.inputs = [onnx.helper.make_tensor_value_info("x", kind, sides)]

    def node(self, op, *inputs, **attributes):
        out = f"{op}{len(self.nodes)}"
        self.nodes.append(self.onnx.helper.make_node(op, inputs, [out], name=out, **attributes))
        return out

    def weight(self, *shape):
        """Of no values: importers look at shapes."""
        tensor = self.onnx.TensorProto(dims=shape, data_type=1, name=f"w{len(self.weights)}")
        self.weights.append(tensor)
        return tensor.name

    def numbers(self, values, kind=1, dims=None):
        name = f"w{len(self.weights)}"
        dims = [len(values)] if dims is None else dims
        self.weights.append(self.onnx.helper.make_tensor(name, kind, dims, values))
        return name

    def conv(self, x, inside, out, kernel=1, stride=1, group=1):
        pad = [kernel // 2] * 4
        weight = self.weight(out, inside // group, kernel, kernel)
        y = self.node("Conv", x, weight, kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=pad,
                      group=group)
        return self.node("BatchNormalization", y, *(self.weight(out) for _ in range(4)))

    def clip(self, x):
        return self.node("Clip", x, self.numbers([0.0], dims=[]), self.numbers([6.0], dims=[]))

    def linear(self, x, inside, out):
        y = self.node("MatMul", x, self.weight(inside, out))
        return self.node("Add", y, self.weight(out))

    def reshape(self, x, *shape):
        return self.node("Reshape", x, self.numbers(shape, kind=7))

    def model(self, y):
        onnx = self.onnx
        out = onnx.helper.make_tensor_value_info(y, onnx.TensorProto.FLOAT, None)
        graph = onnx.helper.make_graph(self.nodes, self.name, self.inputs, [out], self.weights)
        return onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])


def onnx_mobilenet_v2(batch=None):
    b = Onnx("mobilenet_v2", [1, 3, 224, 224], batch)
    x, channels = b.clip(b.conv("x", 3, 32, 3, 2)), 32
    for expansion, out, blocks, first in MOBILE:
        for k in range(blocks):
            y, wide, stride = x, channels * expansion, first if k == 0 else 1
            if expansion > 1:
                y = b.clip(b.conv(y, channels, wide))
            y = b.clip(b.conv(y, wide, wide, 3, stride, wide))
            y = b.conv(y, wide, out)
            x = b.node("Add", x, y) if stride == 1 and channels == out else y
            channels = out
    x = b.node("GlobalAveragePool", b.clip(b.conv(x, channels, 1280)))
    x = b.node("Flatten", x)
    return b.model(b.node("Gemm", x, b.weight(1000, 1280), b.weight(1000), transB=1))


def onnx_resnet50():
    b = Onnx("resnet50", [1, 3, 224, 224])
    x, channels = b.node("Relu", b.conv("x", 3, 64, 7, 2)), 64
    x = b.node("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1] * 4)
    for middle, blocks, first in RESIDUAL:
        for k in range(blocks):
            stride, out = first if k == 0 else 1, 4 * middle
            y = b.node("Relu", b.conv(x, channels, middle))
            y = b.node("Relu", b.conv(y, middle, middle, 3, stride))
            y = b.conv(y, middle, out)
            x = b.conv(x, channels, out, 1, stride) if k == 0 else x
            x, channels = b.node("Relu", b.node("Add", y, x)), out
    x = b.node("Flatten", b.node("GlobalAveragePool", x))
    return b.model(b.node("Gemm", x, b.weight(1000, 2048), b.weight(1000), transB=1))


def onnx_gpt2_block():
    b = Onnx("gpt2_block", [1, TOKENS, WIDTH])

    def norm(x):
        return b.node("LayerNormalization", x, b.weight(WIDTH), b.weight(WIDTH))

    def heads(x, *order):
        return b.node("Transpose", b.reshape(x, 1, TOKENS, HEADS, WIDTH // HEADS), perm=order)

    qkv = b.linear(norm("x"), WIDTH, 3 * WIDTH)
    sides = b.numbers([WIDTH] * 3, kind=7)
    b.nodes.append(b.onnx.helper.make_node("Split", [qkv, sides], ["q", "k", "v"], axis=2))
    scores = b.node("MatMul", heads("q", 0, 2, 1, 3), heads("k", 0, 2, 3, 1))
    scores = b.node("Mul", scores, b.numbers([0.125], dims=[]))
    mask = b.numbers([1] * TOKENS * TOKENS, kind=9, dims=[1, 1, TOKENS, TOKENS])
    scores = b.node("Where", mask, scores, b.numbers([-1e9], dims=[]))
    mixed = b.node("MatMul", b.node("Softmax", scores, axis=-1), heads("v", 0, 2, 1, 3))
    mixed = b.reshape(b.node("Transpose", mixed, perm=[0, 2, 1, 3]), 1, TOKENS, WIDTH)
    x = b.node("Add", "x", b.linear(mixed, WIDTH, WIDTH))
    y = b.linear(norm(x), WIDTH, 4 * WIDTH)
    half = b.node("Add", b.node("Erf", b.node("Div", y, b.numbers([1.414], dims=[]))), b.numbers([1.0]))
    y = b.node("Mul", b.node("Mul", y, half), b.numbers([0.5], dims=[]))
    return b.model(b.node("Add", x, b.linear(y, 4 * WIDTH, WIDTH)))


ONNX = {"mobilenet_v2": onnx_mobilenet_v2, "resnet50": onnx_resnet50, "gpt2_block": onnx_gpt2_block}


def torch_networks():
    """The same as torch modules: name -> (module, input)."""
    import torch
    from torch import nn

    def conv(inside, out, kernel=1, stride=1, groups=1, act=None):
        layers = [nn.Conv2d(inside, out, kernel, stride, kernel // 2, groups=groups, bias=False),
                  nn.BatchNorm2d(out)]
        return nn.Sequential(*layers, *([act()] if act else []))

    class Inverted(nn.Module):
        def __init__(self, inside, out, stride, expansion):
            super().__init__()
            wide = inside * expansion
            first = [conv(inside, wide, act=nn.ReLU6)] if expansion > 1 else []
            self.body = nn.Sequential(*first, conv(wide, wide, 3, stride, wide, nn.ReLU6), conv(wide, out))
            self.skip = stride == 1 and inside == out

        def forward(self, x):
            return x + self.body(x) if self.skip else self.body(x)

    class Bottleneck(nn.Module):
        def __init__(self, inside, middle, stride, first):
            super().__init__()
            self.body = nn.Sequential(conv(inside, middle, act=nn.ReLU),
                                      conv(middle, middle, 3, stride, act=nn.ReLU),
                                      conv(middle, 4 * middle))
            self.skip = conv(inside, 4 * middle, 1, stride) if first else nn.Identity()

        def forward(self, x):
            return torch.relu(self.body(x) + self.skip(x))

    class Block(nn.Module):
        def __init__(self):
            super().__init__()
            self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in range(2))
            self.qkv, self.mix = nn.Linear(WIDTH, 3 * WIDTH), nn.Linear(WIDTH, WIDTH)
            self.wide, self.narrow = nn.Linear(WIDTH, 4 * WIDTH), nn.Linear(4 * WIDTH, WIDTH)
            self.register_buffer("mask", torch.ones(TOKENS, TOKENS).tril() == 0)

        def forward(self, x):
            parts = self.qkv(self.norms[0](x)).split(WIDTH, dim=2)
            sides = (x.size(0), TOKENS, HEADS, WIDTH // HEADS)
            q, k, v = [parts[n].view(*sides).transpose(1, 2) for n in range(3)]
            scores = (q @ k.transpose(-2, -1)) * 0.125
            scores = torch.softmax(scores.masked_fill(self.mask, -1e9), dim=-1)
            mixed = (scores @ v).transpose(1, 2).contiguous().view(x.size(0), TOKENS, WIDTH)
            x = x + self.mix(mixed)
            return x + self.narrow(nn.functional.gelu(self.wide(self.norms[1](x))))

    mobile, channels = [conv(3, 32, 3, 2, act=nn.ReLU6)], 32
    for expansion, out, blocks, first in MOBILE:
        for k in range(blocks):
            mobile.append(Inverted(channels, out, first if k == 0 else 1, expansion))
            channels = out
    mobile.append(conv(channels, 1280, act=nn.ReLU6))
    residual, channels = [conv(3, 64, 7, 2, act=nn.ReLU), nn.MaxPool2d(3, 2, 1)], 64
    for middle, blocks, first in RESIDUAL:
        for k in range(blocks):
            residual.append(Bottleneck(channels, middle, first if k == 0 else 1, k == 0))
            channels = 4 * middle

    def classifier(layers, features):
        return nn.Sequential(*layers, nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(features, 1000))

    image = torch.zeros(1, 3, 224, 224)
    return {
        "mobilenet_v2": (classifier(mobile, 1280), image),
        "resnet50": (classifier(residual, 2048), image),
        "gpt2_block": (Block(), torch.zeros(1, TOKENS, WIDTH)),
    }
