"""The interpreter of docs/execute.md, taken from that page: a small network is trained with it."""

import unittest

from tree import ROOT, installed

# A network in float32: x -> a (64 units) -> view -> relu in place -> dropout (values and mask, and a sum that
# nobody reads) -> two layers, noise on one of them -> loss; its backward pass with a sum of two gradients.
SCRIPT = """
import numpy, poetbnb
N, IN, WIDE, OUT = 32, 16, 64, 8
size = lambda *sides: 4 * int(numpy.prod(sides))
graph = {"name": "mlp", "nodes": [
    {"name": "x", "inputs": [], "bytes": size(N, IN), "flops": 0, "pin": "no-recompute"},
    {"name": "a", "inputs": ["x"], "bytes": size(N, WIDE), "flops": 2 * N * IN * WIDE},
    {"name": "flat", "inputs": ["a"], "view": True},
    {"name": "relu", "inputs": ["flat"], "in_place": "flat", "bytes": size(N, WIDE), "flops": N * WIDE},
    {"name": "drop", "inputs": ["relu"], "flops": N * WIDE, "stateful": "replayed", "outputs": [
        {"name": "sum", "bytes": size(16)}, {"name": "y", "bytes": size(N, WIDE)},
        {"name": "mask", "bytes": size(N, WIDE)}]},
    {"name": "b", "inputs": ["drop.y"], "bytes": size(N, OUT), "flops": 2 * N * WIDE * OUT},
    {"name": "c", "inputs": [[4, 1]], "bytes": size(N, OUT), "flops": 2 * N * WIDE * OUT},
    {"name": "noisy", "inputs": ["c"], "bytes": size(N, OUT), "flops": N * OUT, "stateful": "replayed"},
    {"name": "loss", "inputs": ["b", "noisy"], "bytes": size(16), "flops": 2 * N * OUT, "output": True},
    {"name": "grad_b", "inputs": ["b", "noisy"], "bytes": size(N, OUT), "flops": N * OUT,
     "backward": True, "workspace_bytes": size(N, OUT)},
    {"name": "grad_B", "inputs": ["grad_b", "drop.y"], "bytes": size(WIDE, OUT), "flops": 2 * N * WIDE * OUT,
     "backward": True, "output": True},
    {"name": "one", "inputs": ["grad_b"], "bytes": size(N, WIDE), "flops": 2 * N * WIDE * OUT, "backward": True},
    {"name": "two", "inputs": ["grad_b"], "bytes": size(N, WIDE), "flops": 2 * N * WIDE * OUT, "backward": True},
    {"name": "both", "inputs": ["one", "two"], "bytes": size(N, WIDE), "flops": N * WIDE, "backward": True},
    {"name": "grad_a", "inputs": ["both", "drop.mask", "relu"], "bytes": size(N, WIDE), "flops": 2 * N * WIDE, "backward": True},
    {"name": "grad_A", "inputs": ["grad_a", "x"], "bytes": size(IN, WIDE), "flops": 2 * N * IN * WIDE,
     "backward": True, "output": True},
]}
data = numpy.random.default_rng(1)
weight = {k: data.standard_normal(sides, dtype="f4") for k, sides in
          {"A": (IN, WIDE), "B": (WIDE, OUT), "C": (WIDE, OUT)}.items()}
batch = data.standard_normal((N, IN), dtype="f4")
f = lambda array, *sides: array.view("f4").reshape(sides)

def kernel(shape, function):
    def run(inputs, outputs, workspace, random):
        made = function([i.view("f4") for i in inputs], random)
        for out, value in zip(outputs, made if isinstance(made, tuple) else (made,)):
            out.view("f4")[:] = numpy.asarray(value, dtype="f4").reshape(-1)
        workspace[:] = 255  # is free to use
    return run

def dropout(i, random):
    mask = (random.random(N * WIDE, dtype="f4") < 0.7) / numpy.float32(0.7)
    return numpy.full(16, i[0].sum()), i[0] * mask, mask

def noise(random):
    return random.standard_normal(N * OUT, dtype="f4")

def product(left, k, *, back=False):
    w = weight[k].T if back else weight[k]
    return f(left, N, w.shape[0]) @ w

kernels = {name: kernel(None, function) for name, function in {
    "x": lambda i, r: batch,
    "a": lambda i, r: product(i[0], "A"),
    "relu": lambda i, r: numpy.maximum(i[0], 0),
    "drop": dropout,
    "b": lambda i, r: product(i[0], "B"),
    "c": lambda i, r: product(i[0], "C"),
    "noisy": lambda i, r: i[0] + noise(r),
    "loss": lambda i, r: numpy.full(16, ((i[0] - i[1]) ** 2).sum()),
    "grad_b": lambda i, r: 2 * (i[0] - i[1]),
    "grad_B": lambda i, r: f(i[1], N, WIDE).T @ f(i[0], N, OUT),
    "one": lambda i, r: product(i[0], "B", back=True),
    "two": lambda i, r: -product(i[0], "C", back=True),
    "both": lambda i, r: i[0] + i[1],
    "grad_a": lambda i, r: i[0] * i[1] * (i[2] > 0),
    "grad_A": lambda i, r: f(i[1], N, IN).T @ f(i[0], N, WIDE),
}.items()}

def directly(random):
    a = numpy.maximum(batch @ weight["A"], 0)
    _, y, mask = dropout([a.reshape(-1)], random)
    y = y.reshape(N, WIDE)
    b, c = y @ weight["B"], y @ weight["C"] + noise(random).reshape(N, OUT)
    g = 2 * (b - c)
    back = (g @ weight["B"].T + -(g @ weight["C"].T)) * mask.reshape(N, WIDE) * (a > 0)
    loss = numpy.full(16, ((b - c) ** 2).sum(), dtype="f4")
    return {"loss": loss, "grad_B": y.T @ g, "grad_A": batch.T @ back}

right = directly(numpy.random.default_rng(7))
made = poetbnb.from_dict(graph, platform="m4")
again = paged = 0
for paging in True, False:
    for budget in range(100, 40, -5):
        budget = made.peak_bytes * budget // 100 // 64 * 64
        result = poetbnb.solve(made, ram_budget=budget, paging=paging)
        if result.status == "infeasible":
            continue
        plan = result.plan()
        assert all(b["offset"] % 64 == 0 for b in plan["buffers"]) and plan["arena_bytes"] <= budget
        random = numpy.random.default_rng(7)
        got = Interpreter(graph, plan, kernels, random).run()
        assert set(got) == set(right)
        for name in right:
            bits = numpy.ascontiguousarray(right[name]).reshape(-1).view("u1")
            assert (got[name] == bits).all(), (budget, paging, name)
        fresh = numpy.random.default_rng(7)
        directly(fresh)
        assert random.bit_generator.state == fresh.bit_generator.state
        computed = [s["node"] for s in plan["steps"] if s["op"] == "compute"]
        drop = [n["name"] for n in plan["graph"]["nodes"]].index("drop")
        again += computed.count(drop) > 1
        paged += any(s["op"] == "pagein" for s in plan["steps"])
assert again and paged, (again, paged)
"""


class Execute(unittest.TestCase):
    def test_the_interpreter_of_the_page(self):
        page = (ROOT / "docs/execute.md").read_text()
        section = page.partition("## An interpreter")[2].partition("\n## ")[0]
        code = [line[4:] for line in section.splitlines() if line.startswith("    ") or not line]
        self.assertLess(sum(bool(line) for line in code), 100)
        tree = installed()
        path = tree.path / "execute_script.py"
        path.write_text("\n".join(code) + SCRIPT)
        tree.run("/usr/bin/python3", path)


if __name__ == "__main__":
    unittest.main()
