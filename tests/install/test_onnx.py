"""Networks from ONNX: from import to schedule and plan, in the installed module."""

import json
import subprocess
import unittest

from onnx_scripts import Scripts


class FromOnnx(Scripts):
    def test_every_rule_is_executed(self):
        self.needs("onnx", "torch")
        self.run_script("""
import onnx_rules
count = onnx_rules.run()
assert count["cases"] >= 147 and count["kept"] >= 107 and count["again"] >= 65 and count["products"] >= 9, count
""")

    def test_mobilenet_v2(self):
        self.needs("onnx")
        self.run_script("""
g = poetbnb.import_onnx(networks.onnx_mobilenet_v2())
known("mobilenet_v2", g, MOBILENET, 300e6)
assert abs(g["resident_bytes"] / 4 - 3.5e6) < 0.05e6  # its parameters, and the statistics of its norms
solved(poetbnb.import_onnx(networks.onnx_mobilenet_v2(), weight_gradients="applied"))
""")

    def test_resnet50(self):
        self.needs("onnx")
        self.run_script("""
g = poetbnb.import_onnx(networks.onnx_resnet50())
known("resnet50", g, RESNET, 4.09e9)
# 25.6 M parameters, of which the 53120 statistics of norms have no gradient
weights = sum(n["bytes"] if "bytes" in n else sum(o["bytes"] for o in n["outputs"])
              for n in g["nodes"] if n["name"].endswith(".weights"))
assert weights == 4 * 25557032 and g["resident_bytes"] == weights + 4 * 53120
solved(poetbnb.import_onnx(networks.onnx_resnet50(), weight_gradients="applied"))
""")

    def test_gpt2_block(self):
        self.needs("onnx")
        self.run_script("""
g = poetbnb.import_onnx(networks.onnx_gpt2_block())
node = by_name(g)
there = forward(g)
assert abs(flops(g, "matmul") / 2 - BLOCK) < 0.03 * BLOCK
first = next(n for n in g["nodes"] if n["op"] == "matmul")
assert first["bytes"] == 4 * 512 * 3 * 768 and first["shape"] == [1, 512, 3 * 768]
# The gradients of the product of queries and keys, one for each, read both and cost as much each.
scores = next(n for n in there if n["op"] == "matmul" and n["shape"] == [1, 12, 512, 512])
gradient = node["grad_" + scores["name"]]
assert [o["bytes"] for o in gradient["outputs"]] == [4 * 512 * 768] * 2 and gradient["flops"] == 2 * scores["flops"]
assert set(scores["inputs"]) <= set(gradient["inputs"]) and len(scores["inputs"]) == 2
assert all(g["nodes"][k]["view"] and g["nodes"][k]["op"] == "transpose" for k in scores["inputs"])
# of queries, keys and values together, from three parts
whole = node["grad_" + first["name"] + ".weights"]
sums = [n for n in g["nodes"] if n["name"].startswith("sum_") and n["bytes"] == 4 * 512 * 3 * 768]
assert len(sums) == 3
solved(g)
""")

    def test_the_papers_chain_of_gradients(self):
        self.needs("onnx")
        self.run_script("""
g = poetbnb.import_onnx(networks.onnx_mobilenet_v2(), backward="published")
n = len(forward(g))
there, made = operators(g), lowered(g)
assert len(there) == len(made) == 2 * n - 1
for k, node in enumerate(there[n:]):
    later = n - 1 - k
    assert made[n + k]["inputs"] == [later - 1, later] + ([n + k - 1] if k else [])
    assert node["flops"] == 2 * there[later - 1]["flops"]
    assert node["bytes"] == there[later]["bytes"]
""")

    def test_the_program_solves_what_the_module_imports(self):
        self.needs("onnx")
        self.run_script("""
import onnx
onnx.save(networks.onnx_mobilenet_v2(batch="batch"), "mobile.onnx")
""")
        command = ("/usr/bin/python3", "-m", "poetbnb", "import", "mobile.onnx")
        graph = self.tree.run(*command, "--size", "batch=2")
        (self.tree.path / "mobile.json").write_text(graph)
        self.assertEqual(json.loads(graph)["name"], "mobile")
        self.assertEqual(json.loads(graph)["nodes"][0]["bytes"], 4 * 2 * 3 * 224 * 224)
        info = self.tree.run(self.tree.usr / "bin/poetbnb", "info", "--graph", "mobile.json",
                             "--platform", "a72")
        self.assertIn("305", info)
        bad = {
            "import nowhere.onnx": ("nowhere.onnx", "No such file"),
            "import mobile.json": ("mobile.json", "expected an ONNX model"),
            "import mobile.onnx": ("mobile.onnx", "the dimension 'batch' is free", "--size"),
            "import mobile.onnx --size bath=2": ("mobile.onnx", "no input has a dimension called 'bath'"),
            "import mobile.onnx --size batch=x": ("expected NAME=N", "batch=x"),
            "import mobile.onnx --backward none": ("autodiff",),
        }
        for words, expected in bad.items():
            with self.subTest(words):
                ran = subprocess.run(
                    ["/usr/bin/python3", "-m", "poetbnb", *words.split()], capture_output=True,
                    text=True, check=False, env=self.tree.environment, cwd=self.tree.path)
                self.assertEqual((ran.returncode, ran.stdout), (2, ""))
                for word in expected:
                    self.assertIn(word, ran.stderr)

    def test_several_outputs(self):
        self.needs("onnx")
        self.run_script("""
b = networks.Onnx("several", [1, 8, 8, 8])
make = b.onnx.helper.make_node
first = b.conv("x", 8, 8)
b.nodes.append(make("MaxPool", [first], ["max", "index"], name="pool", kernel_shape=[2, 2], strides=[2, 2]))
b.nodes.append(make("Split", ["max"], ["left", "right"], name="split", axis=1))
b.nodes.append(make("Mul", ["left", "right"], ["product"], name="product"))
g = poetbnb.import_onnx(b.model("product"))
node = {n["name"]: n for n in g["nodes"]}
names = [n["name"] for n in g["nodes"]]
assert node["pool"]["outputs"] == [{"name": "max", "bytes": 4 * 8 * 16}, {"name": "index", "bytes": 8 * 8 * 16}]
pool = names.index("pool")
assert node["split.left"]["view"] and node["split.left"]["inputs"] == [[pool, 0]]
assert [names[k] for k in node["product"]["inputs"]] == ["split.left", "split.right"]
# the derivative of the pool needs the indices, and neither its input nor its output
assert [k for k in node["grad_pool"]["inputs"] if isinstance(k, list)] == [[pool, 1]]
assert len(node["grad_pool"]["inputs"]) == 2
made = poetbnb.from_dict(g, platform="m4")
small = {n["name"]: n for n in made.to_dict()["nodes"]}
assert small["pool"]["bytes"] == 12 * 8 * 16 and "workspace_bytes" not in small["pool"]
assert made.aliases["pool.index"][1] == "output" and made.aliases["split.left"][1] == "view"
assert poetbnb.solve(g, platform="m4", ram_budget="100%").status == "optimal"
# what nobody reads is a workspace: the paper's gradients read all outputs
b.nodes[-1] = make("Relu", ["left"], ["product"], name="product")
b.nodes.insert(-1, make("Dropout", ["left", "", "training"], ["dropped", "mask"], name="dropout"))
b.nodes[-1].input[0] = "dropped"
b.weights.append(b.onnx.helper.make_tensor("training", b.onnx.TensorProto.BOOL, [], [True]))
g = poetbnb.import_onnx(b.model("product"))
node = {n["name"]: n for n in g["nodes"]}
at = [n["name"] for n in g["nodes"]].index("dropout")
assert node["grad_dropout"]["inputs"][0] == [at, 1] and node["grad_product"]["inputs"][0] == at + 1
small = {n["name"]: n for n in lowered(g)}
assert small["dropout"]["bytes"] == 5 * 64
""")

    def test_recurrent_layers_from_onnx(self):
        """Counts of Sak et al. (INTERSPEECH 2014): an LSTM with peepholes takes nc nc 4 + ni nc 4 + nc 3
        multiply-adds for a step."""
        self.needs("onnx")
        self.run_script("""
steps, batch, width, hidden = 7, 2, 40, 800
def model(op, gates, directions, peepholes=0, outputs=("y", "h", "c"), out="y"):
    b = networks.Onnx("recurrent", [steps, batch, width])
    w = [b.weight(directions, gates * hidden, width), b.weight(directions, gates * hidden, hidden),
         b.weight(directions, 2 * gates * hidden)]
    more = ["", "", "", b.weight(directions, 3 * hidden)] if peepholes else []
    direction = {"direction": "bidirectional"} if directions == 2 else {}
    b.nodes.append(b.onnx.helper.make_node(op, ["x", *w, *more], outputs, name="cell", hidden_size=hidden,
                                           **direction))
    return poetbnb.import_onnx(b.model(out))
for op, gates in ("LSTM", 4), ("GRU", 3), ("RNN", 1):
    outputs = ("y", "h", "c")[: 3 if op == "LSTM" else 2]
    one, two = (model(op, gates, d, outputs=outputs) for d in (1, 2))
    for g, directions in (one, 1), (two, 2):
        made = forward(g)[1]
        assert made["op"] == "recurrent"
        counted = directions * gates * hidden * (width + hidden)
        assert abs(made["flops"] / 2 / steps / batch - counted) < 0.01 * counted, (op, made["flops"])
    # the derivative reads the input, the states and the reserve
    node = {n["name"]: k for k, n in enumerate(one["nodes"])}
    read = one["nodes"][node["grad_cell.weights"]]["inputs"]
    assert "grad_cell" not in node  # nothing that is trained stands before the cell
    cell, reserve = node["cell"], len(outputs)
    assert node["x"] in read and [cell, 0] in read and ([cell, reserve] in read) == (op != "RNN"), read
    assert one["nodes"][cell]["outputs"][0]["bytes"] == 4 * steps * batch * hidden
    if op != "RNN":
        kept = {"LSTM": 5, "GRU": 4}[op] * steps * batch * hidden
        assert one["nodes"][cell]["outputs"][-1] == {"name": "reserve", "bytes": 4 * kept}
    assert poetbnb.solve(one, platform="m4", ram_budget="100%").status == "optimal"
made = forward(model("LSTM", 4, 1, peepholes=3))[1]
sak = hidden * hidden * 4 + width * hidden * 4 + hidden * 3
more = made["flops"] - forward(model("LSTM", 4, 1))[1]["flops"]
assert more == 2 * 3 * hidden * steps * batch
assert abs(made["flops"] / 2 / steps / batch - sak) < 0.01 * sak
# without its first output the states of the steps are kept all the same
g = model("LSTM", 4, 1, outputs=("", "h", ""), out="h")
node = {n["name"]: n for n in g["nodes"]}
assert node["cell"]["outputs"][-1]["bytes"] == 4 * 6 * steps * batch * hidden
cell = [n["name"] for n in g["nodes"]].index("cell")
assert [cell, 1] in node["grad_cell.weights"]["inputs"] and [cell, 0] not in node["grad_cell.weights"]["inputs"]
""")

    def test_operators_without_a_rule(self):
        self.needs("onnx")
        self.run_script("""
b = networks.Onnx("strange", [1, 8, 4, 4])
y = b.node("NonMaxFancy", b.conv("x", 8, 8))
b.nodes.append(b.onnx.helper.make_node("Relu", [y], ["out"], name="last"))
model = b.model("out")
refused(lambda: poetbnb.import_onnx(model), "node 'NonMaxFancy2'", "no rule")
model.graph.value_info.append(b.onnx.helper.make_tensor_value_info(y, 1, [1, 8, 4, 4]))
refused(lambda: poetbnb.import_onnx(model), "node 'NonMaxFancy2'", "no rule")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    g = poetbnb.import_onnx(model, unknown="warn")
    assert [n["op"] for n in forward(g)] == ["input", "conv", "norm", "unknown", "activation", "loss"]
    del model.graph.value_info[:]
    refused(lambda: poetbnb.import_onnx(model, unknown="warn"), "node 'NonMaxFancy2'", "no shape is known")
b = networks.Onnx("strange", [1, 8, 4, 4])
model = b.model(b.node("Relu", b.node("Det", b.conv("x", 8, 8))))
refused(lambda: poetbnb.import_onnx(model), "node 'Det2'", "operator Det", "unknown='warn'")
with warnings.catch_warnings(record=True) as told:
    warnings.simplefilter("always")
    g = poetbnb.import_onnx(model, unknown="warn")
assert len(told) == 1 and "Det" in str(told[0].message)
strange = next(n for n in g["nodes"] if n["op"] == "unknown")
assert strange["flops"] == 8 and strange["bytes"] == 32
gradient = next(n for n in g["nodes"] if n["name"] == "grad_Det2")
assert len(gradient["inputs"]) == 3 and gradient["bytes"] == 4 * 8 * 16
refused(lambda: poetbnb.import_onnx(model, unknown="x"), "unknown", "'warn'")
refused(lambda: poetbnb.import_onnx(model, backward="x"), "backward", "'published'")
refused(lambda: poetbnb.import_onnx(17), "ModelProto", "int")
""")


if __name__ == "__main__":
    unittest.main()
