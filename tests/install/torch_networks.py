"""Networks as torch modules, each with a loss and a batch: small ones of our own, large ones of torchvision.

SMALL and LARGE: name -> a function that returns (module, loss, (inputs, *targets)) for a TrainingStep.
"""

import torch
from torch import nn

F = nn.functional


def conv(inside, out, kernel=3, stride=1, groups=1):
    return nn.Sequential(nn.Conv2d(inside, out, kernel, stride, kernel // 2, groups=groups, bias=False),
                         nn.BatchNorm2d(out), nn.ReLU(inplace=True))


class Residual(nn.Module):
    """Convolutions, batch norms, ReLUs in place, sums in place, dropout."""

    def __init__(self):
        super().__init__()
        self.stem = conv(3, 16)
        self.blocks = nn.ModuleList(
            nn.Sequential(conv(16, 16), nn.Conv2d(16, 16, 3, padding=1), nn.BatchNorm2d(16)) for _ in range(2))
        self.head = nn.Sequential(nn.MaxPool2d(2), nn.Dropout(0.3), nn.Flatten(), nn.Linear(16 * 64, 10))

    def forward(self, x):
        x = self.stem(x)
        for block in self.blocks:
            y = block(x)
            y += x
            x = F.relu(y, inplace=True)
        return self.head(x)


class UNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.down = nn.ModuleList([conv(3, 8), conv(8, 16), conv(16, 32)])
        self.up = nn.ModuleList([nn.ConvTranspose2d(32, 16, 2, 2), nn.ConvTranspose2d(16, 8, 2, 2)])
        self.merge = nn.ModuleList([conv(32, 16), conv(16, 8)])
        self.last = nn.Conv2d(8, 3, 1)

    def forward(self, x):
        kept = []
        for k, block in enumerate(self.down):
            x = block(x if k == 0 else F.max_pool2d(x, 2))
            kept.append(x)
        for k, (up, merge) in enumerate(zip(self.up, self.merge)):
            x = merge(torch.cat([up(x), kept[1 - k]], 1))
        return self.last(x)


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(50, 32)
        layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2)
        self.last = nn.Linear(32, 5)

    def forward(self, x):
        return self.last(self.layers(self.embed(x), src_key_padding_mask=x == 0).mean(1))


class Gpt(nn.Module):
    """Two blocks with a causal mask; the last product shares the weight of the embedding."""

    def __init__(self, width=32, heads=4, tokens=24):
        super().__init__()
        self.embed, self.place = nn.Embedding(60, width), nn.Embedding(tokens, width)
        self.parts = nn.ModuleList(nn.ModuleDict({
            "one": nn.LayerNorm(width), "qkv": nn.Linear(width, 3 * width), "mix": nn.Linear(width, width),
            "two": nn.LayerNorm(width), "wide": nn.Linear(width, 4 * width),
            "narrow": nn.Linear(4 * width, width),
        }) for _ in range(2))
        self.norm, self.last, self.heads = nn.LayerNorm(width), nn.Linear(width, 60, bias=False), heads
        self.last.weight = self.embed.weight
        self.register_buffer("mask", torch.ones(tokens, tokens).tril() == 0)

    def forward(self, x):
        n, tokens = x.shape
        x = self.embed(x) + self.place(torch.arange(tokens, device=x.device))
        for p in self.parts:
            parts = p["qkv"](p["one"](x)).chunk(3, -1)
            q, k, v = (t.view(n, tokens, self.heads, -1).transpose(1, 2) for t in parts)
            scores = (q @ k.transpose(-2, -1) / q.shape[-1] ** 0.5).masked_fill(self.mask, float("-inf"))
            mixed = F.dropout(scores.softmax(-1), 0.1, self.training) @ v
            x = x + p["mix"](mixed.transpose(1, 2).reshape(n, tokens, -1))
            x = x + p["narrow"](F.gelu(p["wide"](p["two"](x))))
        return self.last(self.norm(x)).flatten(0, 1)


class Language(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed, self.last = nn.Embedding(40, 16), nn.Linear(24, 40)
        self.layers = nn.LSTM(16, 24, 2, dropout=0.2, batch_first=True)

    def forward(self, x):
        return self.last(self.layers(self.embed(x))[0]).flatten(0, 1)


class Mixer(nn.Module):
    def __init__(self, patches=16, width=32):
        super().__init__()
        self.stem = nn.Conv2d(3, width, 4, 4)
        self.norms = nn.ModuleList(nn.LayerNorm(width) for _ in range(5))
        self.mix = nn.ModuleList(nn.Sequential(nn.Linear(n, 2 * n), nn.GELU(), nn.Linear(2 * n, n))
                                 for _ in range(2) for n in (patches, width))
        self.last = nn.Linear(width, 10)

    def forward(self, x):
        x = self.stem(x).flatten(2).transpose(1, 2)
        for k, (norm, mix) in enumerate(zip(self.norms, self.mix)):
            y = norm(x)
            x = x + (mix(y.transpose(1, 2)).transpose(1, 2) if k % 2 == 0 else mix(y))
        return self.last(self.norms[4](x).mean(1))


class Vae(nn.Module):
    """Its loss is part of what it puts out; the sample is drawn within."""

    def __init__(self):
        super().__init__()
        self.encode = nn.Sequential(nn.Linear(64, 48), nn.Tanh(), nn.Linear(48, 16))
        self.decode = nn.Sequential(nn.Linear(8, 48), nn.Tanh(), nn.Linear(48, 64), nn.Sigmoid())

    def forward(self, x):
        mean, spread = self.encode(x).chunk(2, 1)
        sample = mean + torch.randn_like(mean) * (0.5 * spread).exp()
        divergence = -0.5 * (1 + spread - mean**2 - spread.exp()).sum()
        return F.binary_cross_entropy(self.decode(sample), x, reduction="sum") + divergence


class Siamese(nn.Module):
    """One body for two images: shared weights, and a batch norm whose statistics are updated twice."""

    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(conv(3, 8), nn.MaxPool2d(2), conv(8, 16), nn.AdaptiveAvgPool2d(2),
                                  nn.Flatten())

    def forward(self, x, y):
        return F.pairwise_distance(self.body(x), self.body(y))


class Where(nn.Module):
    """Gradients through torch.where, around detach, clamp and an extreme."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(32, 32), nn.Linear(32, 32), nn.Linear(32, 6)

    def forward(self, x):
        a, b = self.a(x), self.b(x)
        y = torch.where(a > b, a.exp().clamp(max=3.0), b * a.detach())
        return self.c(y) * y.max(1, keepdim=True)[0]


class Views(nn.Module):
    """Writes in place through slices and transposes, also between two reads."""

    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = nn.Linear(32, 32), nn.Linear(32, 16), nn.Linear(32, 4)

    def forward(self, x):
        y = self.a(x)
        before = y.sum(1, keepdim=True)
        y[:, :16].add_(self.b(x))
        y.t()[20:24].mul_(0.5)
        z = torch.zeros_like(y)
        z[:, ::2] = y[:, 1::2].tanh()
        z[0] = y[0]
        return self.c(torch.relu_(z + y)) + before


def images(n, side, classes=10):
    return torch.randn(n, 3, side, side), torch.randint(0, classes, (n,))


def tokens(n, length, words):
    x = torch.randint(1, words, (n, length))
    return x, torch.randint(0, words, (n * length,))


def small(make, loss, example):
    def build():
        return make(), loss, example()
    return build


SMALL = {
    "residual": small(Residual, F.cross_entropy, lambda: images(8, 16)),
    "unet": small(UNet, F.mse_loss, lambda: (torch.randn(4, 3, 16, 16), torch.randn(4, 3, 16, 16))),
    "encoder": small(Encoder, F.cross_entropy, lambda: (
        torch.randint(0, 50, (8, 12)), torch.randint(0, 5, (8,)))),
    "gpt": small(Gpt, F.cross_entropy, lambda: tokens(4, 24, 60)),
    "lstm": small(Language, F.cross_entropy, lambda: tokens(4, 6, 40)),
    "mixer": small(Mixer, F.cross_entropy, lambda: images(8, 16)),
    "vae": small(Vae, lambda out: out, lambda: (torch.rand(32, 64),)),
    "siamese": small(Siamese, lambda d, same: (same * d + (1 - same) * F.relu(1 - d)).mean(), lambda: (
        (torch.randn(6, 3, 16, 16), torch.randn(6, 3, 16, 16)), torch.randint(0, 2, (6,)).float())),
    "where": small(Where, F.cross_entropy, lambda: (torch.randn(64, 32), torch.randint(0, 6, (64,)))),
    "views": small(Views, F.cross_entropy, lambda: (torch.randn(64, 32), torch.randint(0, 4, (64,)))),
}


def classifier(name, n=4, side=64, **more):
    def build():
        import torchvision

        module = getattr(torchvision.models, name)(weights=None, num_classes=10, **more)
        return module, F.cross_entropy, images(n, side)
    return build


def googlenet():
    """With the losses of its branches."""
    import torchvision

    def loss(out, y):
        branches = F.cross_entropy(out.aux_logits1, y) + F.cross_entropy(out.aux_logits2, y)
        return F.cross_entropy(out.logits, y) + 0.3 * branches
    module = torchvision.models.googlenet(weights=None, num_classes=10, aux_logits=True, init_weights=False)
    return module, loss, images(4, 64)


def segmentation():
    import torchvision

    module = torchvision.models.segmentation.fcn_resnet50(weights=None, weights_backbone=None, num_classes=5)
    batch = torch.randn(2, 3, 64, 64), torch.randint(0, 5, (2, 64, 64))
    return module, lambda out, y: F.cross_entropy(out["out"], y), batch


LARGE = {
    "resnet18": classifier("resnet18", 8),
    "mobilenet_v2": classifier("mobilenet_v2"),
    "efficientnet_b0": classifier("efficientnet_b0"),
    "densenet121": classifier("densenet121"),
    "googlenet": googlenet,
    "inception_v3": classifier("inception_v3", 2, 80, aux_logits=False, init_weights=False),
    "squeezenet1_1": classifier("squeezenet1_1", 8),
    "convnext_tiny": classifier("convnext_tiny", 2),
    "fcn_resnet50": segmentation,
    "vgg16_bn": classifier("vgg16_bn", 2),
    "swin_t": classifier("swin_t", 2),
    "vit_b_16": classifier("vit_b_16", 2, image_size=64),
}
