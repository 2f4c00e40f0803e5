"""Scripts of the tests of the ONNX importer, which run in the installed module."""

import importlib.util
import pathlib
import unittest

from tree import installed

HERE = pathlib.Path(__file__).resolve().parent
MISSING = {"onnx": "python3-onnx", "torch": "python3-torch"}

QUIET = "warnings.simplefilter('ignore')\n"
HEAD = f"""
import sys, warnings
sys.path.insert(0, {str(HERE)!r})
import poetbnb, networks

def forward(graph):
    return [n for n in operators(graph) if not n["backward"]]

def operators(graph):
    return [dict(n, backward=n.get("backward", False)) for n in graph["nodes"] if not n.get("view")]

def by_name(graph):
    return {{n["name"]: n for n in graph["nodes"]}}

def inputs_of(graph, name):
    "Names of what a node reads, and of which output."
    names = [n["name"] for n in graph["nodes"]]
    read = by_name(graph)[name]["inputs"]
    return [names[k] if isinstance(k, int) else (names[k[0]], k[1]) for k in read]

def warned(call):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        made = call()
    return made, [str(w.message) for w in told]

def lowered(graph):
    return poetbnb.from_dict(graph, platform="a72").to_dict()["nodes"]

def flops(graph, *ops):
    return sum(n["flops"] for n in forward(graph) if not ops or n["op"] in ops)

def refused(call, *words):
    try:
        call()
    except poetbnb.Error as error:
        for word in words:
            assert word in str(error), (word, str(error))
    else:
        raise AssertionError("nothing was refused")
"""

# What a graph of each network has to have: nodes of the forward pass by operator, and the published
# count (networks.py), which is of convolutions and products of matrices, within a part of 0.03.
KNOWN = """
def known(name, graph, nodes, multiply_adds):
    there = forward(graph)
    count = {}
    for n in there:
        count[n["op"]] = count.get(n["op"], 0) + 1
    assert count == nodes, count
    got = flops(graph, "conv", "matmul") / 2
    assert abs(got - multiply_adds) < 0.03 * multiply_adds, (name, got)
    assert len(operators(graph)) + 1 == len(lowered(graph))  # one reads the outputs
    # each convolution and product once more for its weights, and again for its input but the first one
    back = sum(n["flops"] for n in operators(graph) if n["backward"] and n["op"] in ("conv", "matmul"))
    first = next(n["flops"] for n in there if n["op"] in ("conv", "matmul"))
    assert back == 2 * flops(graph, "conv", "matmul") - first, (back, first)

MOBILENET = {"input": 1, "conv": 52, "norm": 52, "smooth": 35, "add": 10, "reduce": 1, "matmul": 1,
             "loss": 1}
RESNET = {"input": 1, "conv": 53, "norm": 53, "activation": 49, "add": 16, "maxpool": 1, "reduce": 1,
          "matmul": 1, "loss": 1}
BLOCK = (24 * 512 * 768**2 + 4 * 512**2 * 768) / 2
"""

# With the first schedule the solve is stopped: what is asked of it depends on no clock. That of a tight
# budget may be too dense for addresses; one plan at least there has to be for each platform.
SOLVED = """
def solved(graph, parts=(95, 90, 80)):
    for platform in "a72", "m4":
        made = poetbnb.from_dict(graph, platform=platform)
        plans = 0
        for part in parts:
            found = []
            r = poetbnb.solve(made, ram_budget=f"{part}%", on_incumbent=found.append,
                              stop=lambda: found, solve_threads=1)
            assert r.status in ("optimal", "feasible"), (platform, part, r.status)
            assert r.peak_bytes <= r.ram_budget_bytes == made.peak_bytes * part // 100
            assert r.bound_joules <= r.overhead_joules * (1 + 1e-9)
            try:
                plans += len(r.plan()["steps"]) > len(made)
            except poetbnb.Error as error:
                assert "no addresses were found" in str(error), error
        assert plans, platform
"""


class Scripts(unittest.TestCase):
    def setUp(self):
        self.tree = installed()

    def needs(self, *modules):
        for module in modules:
            if importlib.util.find_spec(module) is None:
                self.skipTest(f"the Python package {module} is missing (Debian: {MISSING[module]})")

    def run_script(self, script, quiet=True):
        path = self.tree.path / "onnx_script.py"
        path.write_text(HEAD + KNOWN + SOLVED + (QUIET if quiet else "") + script)
        return self.tree.run("/usr/bin/python3", path)
