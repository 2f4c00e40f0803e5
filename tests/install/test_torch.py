"""The torch importer and the executor of its schedules, in the installed module, against torch itself."""

import importlib.util
import pathlib
import unittest

from tree import ROOT, installed

HERE = pathlib.Path(__file__).resolve().parent

HEAD = f"""
import copy, sys, tempfile
sys.path.insert(0, {str(HERE)!r})
import torch
from torch import nn
import poetbnb
import networks, torch_networks, torch_steps
torch.set_num_threads(1)  # sums in one order
F = nn.functional

def refused(call, *words):
    try:
        call()
    except poetbnb.Error as error:
        for word in words:
            assert word in str(error), (word, str(error))
    else:
        raise AssertionError("nothing was refused: " + repr(words))

def products(graph, backward=False):
    kinds = ("convolution", "mm", "addmm", "bmm", "baddbmm", "mv")
    return [n for n in graph["nodes"] if n.get("backward", False) == backward
            and any(part.removesuffix("_backward") in kinds for part in n["op"].split("+"))]

def flops(nodes):
    return sum(n["flops"] for n in nodes)

def reads(graph, name):
    names = [n["name"] for n in graph["nodes"]]
    return [names[k] for k in graph["nodes"][names.index(name)]["inputs"]]

class Of(nn.Module):
    def __init__(self, function, *layers):
        super().__init__()
        self.function, self.layers = function, nn.ModuleList(layers)
    def forward(self, *x):
        return self.function(*self.layers, *x)

def graph_of(function, *layers, x=None, **more):
    return poetbnb.import_torch(Of(function, *layers), torch.rand(8, 16) if x is None else x, **more)
"""


class Torch(unittest.TestCase):
    def run_script(self, script):
        if importlib.util.find_spec("torch") is None:
            self.skipTest("the Python package torch is missing (Debian: python3-torch)")
        tree = installed()
        path = tree.path / "torch_script.py"
        path.write_text(HEAD + script)
        return tree.run("/usr/bin/python3", path)

    def test_counts_of_known_networks(self):
        """Published counts; the backward pass has twice as many, without the gradient of the batch."""
        self.run_script("""
made = networks.torch_networks()
known = {"mobilenet_v2": 300e6, "resnet50": 4.09e9, "gpt2_block": (24 * 512 * 768**2 + 4 * 512**2 * 768) / 2}
for name, multiply_adds in known.items():
    module, image = made[name]
    before = copy.deepcopy(module.state_dict())
    graph = poetbnb.import_torch(module, image, name=name)
    assert graph["name"] == name and all(torch.equal(t, before[k]) for k, t in module.state_dict().items())
    forward = products(graph)
    assert abs(flops(forward) / 2 - multiply_adds) < 0.03 * multiply_adds, (name, flops(forward))
    again = 2 * flops(forward) - (forward[0]["flops"] if name != "gpt2_block" else 0)
    counted = flops(products(graph, True))
    assert abs(counted - again) < 0.002 * again, (name, counted, again)
    # a convolution has a gradient for its input and one for its weight: the first is not kept with the other
    convolutions = sum(n["op"] == "convolution" for n in forward)
    assert sum(n["op"] == "convolution_backward" for n in graph["nodes"]) == max(2 * convolutions - 1, 0)
    resident = sum(t.numel() * t.element_size() for t in module.state_dict().values())
    assert graph["resident_bytes"] - resident in range(0, 64), (graph["resident_bytes"], resident)
    size = sum(p.numel() * 4 for p in module.parameters())
    outputs = [n for n in graph["nodes"] if n.get("output")]
    assert sum(n.get("bytes", 0) + sum(o["bytes"] for o in n.get("outputs", [])) for n in outputs) >= size + 4
""")

    def test_gradients_are_those_of_torch(self):
        self.run_script("""
line = lambda: nn.Linear(16, 16)
# detach ends the gradient: a has none, and nothing of a is computed backwards
g = graph_of(lambda a, b, x: b(a(x).detach()) + a(x).detach(), line(), line())
assert flops(products(g, True)) == 2 * 8 * 16 * 16
# the mask of masked_fill and of where is read by the gradient
for f in (lambda a, x: a(x).masked_fill(x > 0.5, 0.0), lambda a, x: torch.where(x > 0.5, a(x), x)):
    g = graph_of(f, line())
    mask = next(n["name"] for n in g["nodes"] if n["op"] == "gt")
    assert any(mask in reads(g, n["name"]) for n in g["nodes"] if n.get("backward"))
# a write through a slice is part of what it writes to, and reads what is added
def slices(a, c, b, x):
    y = a(x)
    h = y[:, :8]
    h.add_(c(x))
    return b(y)
g = graph_of(slices, line(), nn.Linear(16, 8), line())
both = next(n["name"] for n in g["nodes"] if n["op"] == "addmm+add_")
assert "layers.1.addmm" in reads(g, both) and both in reads(g, "layers.2.addmm"), reads(g, both)
# the gradient of a tensor with two readers is a node with memory of its own
g = graph_of(lambda a, b, c, x: (lambda y: b(y) + c(y))(a(x).relu()), line(), line(), line())
assert [n["op"] for n in g["nodes"] if n.get("backward")].count("add") == 1
# attention by its shapes: projections, scores, mixing; and gradients of twice that, but none of the batch
g = graph_of(lambda a, x: a(x, x, x)[0], nn.MultiheadAttention(16, 4, batch_first=True), x=torch.rand(2, 6, 16))
assert 0 <= flops(products(g)) - (2 * 12 * 16 * 64 + 2 * 2 * 2 * 4 * 6 * 6 * 4) <= 12 * 64
one = lambda x: x
cases = {
    "cat of a list": (lambda a, x: torch.cat([a(x), x], 1), line()),
    "weight norm": (lambda a, x: a(x), nn.utils.weight_norm(line())),
    "spectral norm": (lambda a, x: a(x), nn.utils.spectral_norm(line())),
    "einsum": (lambda a, x: torch.einsum("ij,kj->ik", a(x), x), line()),
    "clone, var": (lambda a, x: a(x).clone().var(1), line()),
    "bfloat16": (lambda a, x: a(x.bfloat16()), line().bfloat16()),
    "binary cross entropy": (lambda a, x: F.binary_cross_entropy_with_logits(a(x), x), line()),
    "L1": (lambda a, x: F.l1_loss(a(x), x), line()),
    "encoder": (lambda a, x: a(x.view(2, 4, 16)), nn.TransformerEncoderLayer(16, 4, 32, batch_first=True)),
    "norms": (lambda a, b, x: b(a(x.view(2, 4, 16))), nn.GroupNorm(2, 4), nn.InstanceNorm1d(4, affine=True)),
    "GRU": (lambda a, x: a(x.view(2, 4, 16))[0], nn.GRU(16, 8, 2, bidirectional=True, dropout=0.1)),
    "complex": (lambda a, x: torch.fft.rfft(a(x)).abs(), line()),
}
for name, (function, *layers) in cases.items():
    g = graph_of(function, *layers)
    trained = [p for m in layers for p in m.parameters() if p.requires_grad]
    got = sum(s["bytes"] for n in g["nodes"] if n.get("output") for s in n.get("outputs", [n]))
    need = sum(p.numel() * p.element_size() for p in trained)
    assert need <= got <= need + 64, (name, got, need)
    assert poetbnb.from_dict(g, platform="a72").peak_bytes > got
""")

    def test_state_and_what_survives(self):
        self.run_script("""
torch.manual_seed(1)
net = nn.Sequential(nn.Linear(16, 16), nn.BatchNorm1d(16), nn.Dropout(0.5), nn.Linear(16, 4))
x, state = torch.rand(8, 16), torch.get_rng_state()
g = poetbnb.import_torch(net, x)
assert torch.equal(state, torch.get_rng_state()) and net[1].num_batches_tracked == 0
marked = {n["name"]: n["stateful"] for n in g["nodes"] if "stateful" in n}
assert len(marked) == 2 and set(marked.values()) == {True} and "1." in "".join(marked), marked
assert [n.get("pin") for n in g["nodes"] if n["op"] == "input"] == ["no-recompute"]
for n in poetbnb.from_dict(g, platform="a72").to_dict()["nodes"]:
    assert n.get("pin") == ("no-recompute" if n["op"] == "input" else None) or n["name"] in marked, n
g = poetbnb.import_torch(net.eval(), x, input_flops=77)
assert not any("stateful" in n for n in g["nodes"])
assert [(n["flops"], "pin" in n) for n in g["nodes"] if n["op"] == "input"] == [(77, False)]
# gradients that are applied at once are workspaces, and only the loss survives
net.train()
kept, gone = (poetbnb.import_torch(net, x, weight_gradients=w) for w in ("kept", "applied"))
assert [n["shape"] for n in gone["nodes"] if n.get("output")] == [[]]
last = gone["nodes"][-1]
assert last["bytes"] == 0 and last["workspace_bytes"] >= 4 * 16, last
size = [poetbnb.from_dict(h, platform="a72").peak_bytes for h in (kept, gone)]
assert size[1] < size[0] and gone["resident_bytes"] == kept["resident_bytes"]
# the state of an optimiser: Adam keeps two tensors as large as the parameter, and its step
weights = sum(p.numel() for p in net.parameters())
for make, each, fixed in ((torch.optim.SGD, 0, 0), (torch.optim.Adam, 8, 4)):
    with_state = poetbnb.import_torch(net, x, optimizer=make(net.parameters(), lr=0.1))
    assert with_state["resident_bytes"] - kept["resident_bytes"] == each * weights + 6 * fixed, make
momentum = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
assert poetbnb.import_torch(net, x, optimizer=momentum)["resident_bytes"] - kept["resident_bytes"] == 4 * weights
r = poetbnb.solve(kept, platform="m4", ram_budget="80%")
assert r.status == "optimal"
""")

    def test_bad_input(self):
        """Each is refused with its place, where it has one: the line of this script."""
        self.run_script("""
line = lambda: nn.Linear(16, 16)
here = __file__ + ":"
refused(lambda: poetbnb.import_torch(17, torch.zeros(1)), "torch.nn.Module", "int")
refused(lambda: poetbnb.import_torch(line(), torch.zeros(1, 5)), "Linear: it does not run", "shapes")
refused(lambda: graph_of(lambda a, x: a(x.relu_()), line()), here, "relu_", "an input of the step")
def doubled(a, x):
    with torch.no_grad():
        a.weight.mul_(2)
    return a(x)
refused(lambda: graph_of(doubled, line()), here, "mul_", "the parameter layers.0.weight")
refused(lambda: graph_of(lambda a, x: a(x) if x.sum() > 0 else x, line()), here, "values of the batch")
refused(lambda: graph_of(lambda a, x: a(x)[x > 0.5], line()), here, "values of the batch")
graph_of(lambda a, x: a(x)[torch.arange(3), x[:3].argmax(1)], line())  # a choice, but not of shapes
average = nn.BatchNorm1d(16, momentum=None)  # a factor that changes from step to step
refused(lambda: graph_of(lambda a, b, x: b(a(x)), line(), average), "_local_scalar_dense", "of a buffer")
refused(lambda: graph_of(lambda x: x * 2), "no parameter that is trained")
refused(lambda: graph_of(lambda a, x: a(x), line(), loss=lambda out: out), "one element")
refused(lambda: graph_of(lambda a, x: a(x), line(), weight_gradients="lost"), "'applied'", "lost")
from torch.utils.checkpoint import checkpoint
drop = nn.Sequential(line(), nn.Dropout(0.5))
training = lambda module: poetbnb.torch.TrainingStep(module, torch.sum, (torch.rand(8, 16),), "100%")
again = Of(lambda a, b, x: checkpoint(b, a(x), use_reentrant=False), line(), drop)
refused(lambda: training(again), "the random generator was set", "checkpoint")
own = torch.Generator()
noisy = Of(lambda a, x: a(x) + torch.rand(8, 16, generator=own), line())
refused(lambda: training(noisy), here, "torch's default generator")
loose = nn.Parameter(torch.ones(16))
refused(lambda: training(Of(lambda a, x: a(x) * loose, line())), here, "no parameter of the module")
class Assigns(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = line()
        self.register_buffer("mean", torch.zeros(8, 16))
    def forward(self, x):
        self.mean = 0.9 * self.mean + 0.1 * x
        return self.layer(x - self.mean)
module = Assigns()
mean = module.mean
refused(lambda: poetbnb.import_torch(module, torch.rand(8, 16)), "the buffer mean is assigned")
assert module.mean is mean and not mean.any()
step = lambda **more: poetbnb.torch.TrainingStep(line(), torch.sum, (torch.rand(8, 16),), **more)
refused(lambda: step(ram_budget="1%"), "no schedule for 1%", "infeasible")
refused(lambda: step(weight_gradients="applied"), "apply=")
refused(lambda: step(ram_budget="100%")(torch.rand(9, 16)), "batch like the example", "(8, 16)")
other = step(ram_budget="100%")
other.module.eval()
refused(lambda: other(torch.rand(8, 16)), "train or eval")
refused(lambda: poetbnb.torch.TrainingStep(line(), torch.sum, torch.rand(8, 16)), "(inputs, *targets)", "Tensor")
""")

    def test_steps_are_those_of_torch(self):
        """Loss, gradients, buffers and generator bit by bit; the measured peak is the schedule's. What
        torch holds is within 5 % of what the graph says of keeping everything, but of where: there the
        forward pass has the peak, and its variables in Python hold tensors that nothing reads any more."""
        self.run_script("""
for name, build in torch_networks.SMALL.items():
    with tempfile.TemporaryDirectory() as folder:
        lines = torch_steps.compare(build, (0.75, 0.5, 0.25), solve_threads=1, work_limit=0.3, storage=folder)
    for line in lines:
        assert line["equal"], (name, line)
        assert line["measured"] == line["peak"] <= line["budget"] < line["keep"], (name, line)
        assert name == "where" or abs(line["keep"] / line["held"] - 1) < 0.05, (name, line)
""")

    def test_what_is_computed_again_is_the_same(self):
        self.run_script("""
replayed = 0
for name in "residual", "encoder", "vae", "siamese":
    for line in torch_steps.compare(torch_networks.SMALL[name], (0.6,), "m4", paging=False, solve_threads=1,
                                    work_limit=0.3):
        assert line["equal"] and line["measured"] == line["peak"], (name, line)
        assert line["again"] > 0 == line["pages"], (name, line)
        replayed += line["replayed"]
assert replayed > 4, replayed

normed = lambda: nn.Sequential(nn.utils.weight_norm(nn.Linear(64, 64)), nn.Dropout(0.3), nn.Linear(64, 64))
class Spectral(nn.Module):  # its buffers are read after they are written
    def __init__(self):
        super().__init__()
        self.a, self.b = nn.utils.spectral_norm(nn.Linear(64, 256)), nn.utils.spectral_norm(nn.Linear(256, 64))
        self.drop = nn.Dropout(0.3)
    def forward(self, x):
        for _ in range(2):
            x = x + self.b(self.drop(F.gelu(self.a(x))))
        return x
def drawn(a, x):  # the first numbers are written to after the second are drawn
    one, two = torch.rand_like(x), torch.rand_like(x)
    one.mul_(two > 0.5)
    return a(x * one) * two
for make, parts in (normed, (0.7,)), (Spectral, (0.7, 0.5)), (lambda: Of(drawn, nn.Linear(64, 64)), (1.0,)):
    build = lambda: (make(), torch.sum, (torch.randn(64, 64),))
    for line in torch_steps.compare(build, parts, "m4", paging=False, solve_threads=1, work_limit=0.3):
        assert line["equal"] and line["measured"] == line["peak"], line
""")

    def test_twenty_steps_of_training(self):
        self.run_script("""
for name, make in (("residual", torch.optim.Adam), ("encoder", torch.optim.SGD), ("mixer", torch.optim.AdamW)):
    torch.manual_seed(3)
    module, loss, example = torch_networks.SMALL[name]()
    twin = copy.deepcopy(module)
    one, two = make(module.parameters(), lr=1e-2), make(twin.parameters(), lr=1e-2)
    step = poetbnb.torch.TrainingStep(module, loss, example, "50%", "m4", check=True, optimizer=one,
                                      solve_threads=1, work_limit=0.3)
    for k in range(20):
        x, y = torch_networks.SMALL[name]()[2]
        torch.manual_seed(k)
        one.zero_grad()
        value = step(x, y)
        one.step()
        torch.manual_seed(k)
        two.zero_grad()
        other = loss(twin(x), y)
        other.backward()
        two.step()
        assert torch.equal(value, other), (name, k, value, other)
    assert step.peak_bytes == step.result.peak_bytes <= step.result.ram_budget_bytes
    assert 2 * step.result.ram_budget_bytes <= poetbnb.from_dict(step.graph, platform="m4").peak_bytes
""")

    def test_options_of_the_executor(self):
        self.run_script("""
module, loss, example = torch_networks.SMALL["gpt"]()  # its embedding is used twice: gradients are summed
module.eval()
twin = copy.deepcopy(module)
loss(twin(example[0]), example[1]).backward()
step = poetbnb.torch.TrainingStep(module, loss, example, "60%", check=True, solve_threads=1, work_limit=0.3)
for _ in range(2):  # gradients add up as those of backward() do
    step(*example)
assert all(torch.equal(p.grad, 2 * q.grad) for p, q in zip(module.parameters(), twin.parameters()))
# a tensor that is not released breaks the budget, and check says so
planned = list(step.planned)
step.planned = [s for s in planned if s[0] != "free"]
refused(lambda: step(*example), "bytes were in use", str(step.result.ram_budget_bytes))
step.planned = planned
# measured costs: all of them, for the same nodes
graph = step.profile(repeats=2, watts=3.0)
assert len(graph["nodes"]) == len(step.graph["nodes"]) + 1
assert all(n["joules"] == 3.0 * n["seconds"] > 0 for n in graph["nodes"][:-1])
assert step.solve("60%", graph, work_limit=0.3).peak_bytes <= step.result.ram_budget_bytes
module.zero_grad(set_to_none=True)
step(*example)
assert all(torch.equal(p.grad, q.grad) for p, q in zip(module.parameters(), twin.parameters()))
# gradients have memory of their own, even where they are one tensor; without a gradient there is none
class Shared(nn.Module):
    def __init__(self):
        super().__init__()
        self.a, self.b, self.c = (nn.Parameter(torch.ones(8, 16)) for _ in range(3))
    def forward(self, x):
        return (x + self.a + self.b) * x
shared, x = Shared(), torch.rand(8, 16)
poetbnb.torch.TrainingStep(shared, torch.sum, (x,), "100%")(x)
shared.a.grad.mul_(2)
assert torch.equal(shared.a.grad, 2 * x) and torch.equal(shared.b.grad, x)
assert shared.c.grad is None
# updates where the gradients are computed
for name in "residual", "mixer":
    module, loss, example = torch_networks.SMALL[name]()
    module.eval()
    twin = copy.deepcopy(module)
    def apply(parameter, gradient):
        parameter -= 0.1 * gradient
    step = poetbnb.torch.TrainingStep(module, loss, example, "90%", weight_gradients="applied", apply=apply)
    value = step(*example)
    other = loss(twin(example[0]), example[1])
    other.backward()
    assert torch.equal(value, other) and all(p.grad is None for p in module.parameters())
    for p, q in zip(module.parameters(), twin.parameters()):
        assert torch.equal(p, q.detach() - 0.1 * q.grad)
late = next(k for k, n in enumerate(step.step.nodes) if n.calls and n.op == "convolution")
refused(lambda: step._keep_order_of_updates([*step.planned, ("compute", late)]), "after the update of stem.bias")
""")

    def test_the_example(self):
        if importlib.util.find_spec("torch") is None:
            self.skipTest("the Python package torch is missing (Debian: python3-torch)")
        out = installed().run("/usr/bin/python3", ROOT / "examples/train.py").split()
        self.assertLess(float(out[-1]), 0.5 * float(out[0]))


if __name__ == "__main__":
    unittest.main()
