"""What the ONNX importer makes of single constructs: gradients, functions, shapes, bodies, quantised models, what
is drawn at random; and old and new packages."""

import unittest

from onnx_scripts import Scripts


class Constructs(Scripts):
    def test_gradients_are_summed_kept_and_applied(self):
        self.needs("onnx")
        self.run_script("""
# a residual block: c is read twice, w by two products
b = networks.Onnx("shared", [2, 8])
w = b.weight(8, 8)
make = b.onnx.helper.make_node
for op, read, out in (("MatMul", ["x", w], "a"), ("Tanh", ["a"], "t"), ("MatMul", ["t", w], "c"),
                      ("Sigmoid", ["c"], "s"), ("Mul", ["c", "s"], "m"), ("Add", ["m", "t"], "y")):
    b.nodes.append(make(op, read, [out], name=out))
model = b.model("y")
g = poetbnb.import_onnx(model)
assert [n["name"] for n in operators(g)] == [
    "x", "a", "t", "c", "s", "m", "y", "loss", "grad_loss", "grad_m", "grad_s", "sum_c", "grad_c", "sum_t",
    "grad_c.weights", "grad_t", "grad_a.weights", "sum_" + w]
# an addition hands the gradient on as it is; a product reads the other factor
assert inputs_of(g, "grad_m") == ["c", "s", "grad_loss"]
assert inputs_of(g, "grad_s") == ["s", ("grad_m", 1)]
assert inputs_of(g, "sum_c") == [("grad_m", 0), "grad_s"] and by_name(g)["sum_c"]["bytes"] == 64
assert inputs_of(g, "grad_c") == ["sum_c"]  # only the weight is read beside it
assert inputs_of(g, "sum_t") == ["grad_loss", "grad_c"]
assert inputs_of(g, "grad_c.weights") == ["t", "sum_c"] and inputs_of(g, "grad_a.weights") == ["x", "grad_t"]
assert inputs_of(g, "grad_t") == ["t", "sum_t"]  # of tanh, from its output
assert [n["name"] for n in g["nodes"] if n.get("output")] == ["loss", "grad_" + w]
assert g["resident_bytes"] == 256 and inputs_of(g, "sum_" + w) == ["grad_c.weights", "grad_a.weights"]
made = poetbnb.from_dict(g, platform="m4")
assert made.resident_bytes == 256 and made.to_dict()["nodes"][-1]["op"] == "outputs"
# applied where they are computed
h = poetbnb.import_onnx(model, weight_gradients="applied")
node = by_name(h)["grad_a.weights"]
assert node["bytes"] == 0 and node["workspace_bytes"] == 256 and not any("sum_w" in n["name"] for n in h["nodes"])
assert [n["name"] for n in h["nodes"] if n.get("output")] == ["loss"]
# the batch is not read again, unless its cost is given
assert by_name(g)["x"]["pin"] == "no-recompute"
read_again = by_name(poetbnb.import_onnx(model, input_flops=77))["x"]
assert "pin" not in read_again and read_again["flops"] == 77
for budget in "100%", "85%":
    one = poetbnb.solve(g, platform="m4", ram_budget=budget, paging=False)
    assert one.status in ("optimal", "infeasible") and (one.R is None or one.R[:, 0].sum() == 1)
refused(lambda: poetbnb.import_onnx(model, weight_gradients="x"), "weight_gradients", "'applied'")
# a bias that is broadcast is summed up, and its gradient reads nothing else
b = networks.Onnx("bias", [2, 8])
y = b.linear("x", 8, 4)
g = poetbnb.import_onnx(b.model(y))
assert inputs_of(g, "grad_" + y + ".weights") == ["grad_loss"]
assert inputs_of(g, "grad_MatMul0.weights") == ["x", "grad_loss"]
""")

    def test_functions_of_the_model(self):
        self.needs("onnx")
        self.run_script("""
import onnx
make, opset = onnx.helper.make_node, onnx.helper.make_opsetid
slope = make("LeakyRelu", ["s"], ["l"])
slope.attribute.append(onnx.AttributeProto(name="alpha", ref_attr_name="steep", type=onnx.AttributeProto.FLOAT))
inner = onnx.helper.make_function("own", "Gate", ["a"], ["b"], [make("Sigmoid", ["a"], ["s"]), make("Mul", ["a", "s"], ["b"])],
                                  [opset("", 16)])
outer = onnx.helper.make_function("own", "Twice", ["a"], ["b"], [
    make("Gate", ["a"], ["s"], domain="own"), slope, make("Gate", ["l"], ["b"], domain="own")],
    [opset("", 16), opset("own", 1)], ["steep"])
b = networks.Onnx("functions", [3, 8])
b.nodes.append(make("MatMul", ["x", b.weight(8, 4)], ["p"]))
b.nodes.append(make("Twice", ["p"], ["y"], domain="own", name="twice", steep=0.25))
model = b.model("y")
model.opset_import.append(opset("own", 1))
model.functions.extend([outer, inner])
g = poetbnb.import_onnx(model)
assert [n["op"] for n in forward(g)] == ["input", "matmul", "activation", "product", "smooth", "activation", "product", "loss"]
assert flops(g, "activation", "product", "smooth") == 5 * 12
inner.node[0].op_type = "Twice"  # without an end
inner.node[0].domain = "own"
del model.functions[:]
model.functions.extend([outer, inner])
refused(lambda: poetbnb.import_onnx(model), "a function of the model calls itself")
""")

    def test_shapes_that_the_graph_computes(self):
        self.needs("onnx")
        self.run_script("""
import onnx
b = networks.Onnx("computed", [2, 6, 4], batch="n")
b.inputs[0].type.tensor_type.shape.dim[1].ClearField("value")  # has no name either
int64 = 7
sides = b.node("Shape", "x")
rows = b.node("Gather", sides, b.numbers([0, 1], kind=int64))
product = b.node("ReduceProd", rows, keepdims=1)
half = b.node("Div", b.node("Mul", product, b.numbers([4], kind=int64)), b.numbers([8], kind=int64))
to = b.node("Concat", half, b.node("Cast", b.numbers([8.0]), to=int64), axis=0)
y = b.node("MatMul", b.node("Reshape", "x", to), b.weight(8, 3))
model = b.model(y)
refused(lambda: poetbnb.import_onnx(model), "--shape NAME=1,3,224,224")
refused(lambda: poetbnb.import_onnx(model, sizes={"n": 2}), "without a name is free")
g = poetbnb.import_onnx(model, shapes={"x": (2, 6, 4)})
assert [n["shape"] for n in g["nodes"][:3]] == [[2, 6, 4], [6, 8], [6, 3]] and g["nodes"][1]["view"]
assert g["resident_bytes"] == 96  # what shapes are computed of is no weight
refused(lambda: poetbnb.import_onnx(model, shapes={"z": (1,)}), "no input is called 'z'")
refused(lambda: poetbnb.import_onnx(model, shapes={"x": (1, 2)}), "input 'x' has 3 dimensions, not 2")
# sizes that are none
for side in 0, -1:
    zero = networks.Onnx("zero", [side, 3, 8, 8])
    model = zero.model(zero.conv("x", 3, 4))
    refused(lambda: poetbnb.import_onnx(model), f"input 'x': a dimension of {side} is no size", "--shape x=")
    assert poetbnb.import_onnx(model, shapes={"x": (1, 3, 8, 8)})["nodes"][0]["bytes"] == 768
empty = networks.Onnx("empty", [2, 8])
empty.nodes.append(onnx.helper.make_node("Slice", ["x", *(empty.numbers([k], kind=int64) for k in (3, 3, 1))], ["y"], name="cut"))
refused(lambda: poetbnb.import_onnx(empty.model("y")), "node 'cut': a dimension of 0", "[2, 0]")
# a condition that the shapes decide takes its branch
b = networks.Onnx("branch", [2, 8])
w = b.weight(8, 8)
one = b.node("Equal", b.node("Gather", b.node("Shape", "x"), b.numbers([0], kind=int64, dims=[])), b.numbers([2], kind=int64, dims=[]))
value = onnx.ValueInfoProto(name="o")
branches = [onnx.helper.make_graph([onnx.helper.make_node("MatMul", ["x", w], ["t"]), onnx.helper.make_node(op, ["t"], ["o"])],
                                   op, [], [value]) for op in ("Relu", "Tanh")]
b.nodes.append(onnx.helper.make_node("If", [one], ["y"], then_branch=branches[0], else_branch=branches[1], name="if"))
g = poetbnb.import_onnx(b.model("y"))
assert [n["op"] for n in forward(g)] == ["input", "matmul", "activation", "loss"]
""")

    def test_bodies_read_what_is_around_them(self):
        self.needs("onnx")
        self.run_script("""
import onnx
make, info = onnx.helper.make_node, onnx.helper.make_tensor_value_info
out = onnx.ValueInfoProto

def body(nodes, outs, inputs=()):
    return onnx.helper.make_graph(nodes, "body", list(inputs), [out(name=o) for o in outs])

b = networks.Onnx("bodies", [4, 8])
w, v = b.weight(8, 8), b.weight(8, 8)
b.nodes.append(make("MatMul", ["x", w], ["big"], name="big"))
mean = b.node("ReduceMean", "big", keepdims=0)
test = b.node("Greater", mean, b.numbers([0.5], dims=[]))
dear = body([make("MatMul", ["big", v], ["p"]), make("Relu", ["p"], ["o"])], ["o"])
cheap = body([make("Relu", ["big"], ["o"])], ["o"])
b.nodes.append(make("If", [test], ["y"], then_branch=cheap, else_branch=dear, name="if"))
g = poetbnb.import_onnx(b.model("y"))
node = by_name(g)["if"]
assert inputs_of(g, "if") == ["big", test] and node["flops"] == 2 * 4 * 8 * 8 + 32
assert node["workspace_bytes"] == 2 * 128 and node["bytes"] == 128
assert by_name(g)["grad_if"]["flops"] == 3 * node["flops"] and inputs_of(g, "grad_if")[0] == "big"
assert {n["name"] for n in g["nodes"] if n.get("output")} == {"loss", "grad_" + w, "grad_" + v}

# five trips of a product and a sum with what is around; one sum of each trip comes out
b = networks.Onnx("trips", [4, 8])
w, v = b.weight(8, 8), b.weight(8, 8)
b.nodes += [make("MatMul", ["x", w], ["a"], name="a"), make("Relu", ["a"], ["s"], name="s")]
loop = body([make("MatMul", ["in", v], ["p"]), make("Reshape", ["a", "sides"], ["r"]), make("Add", ["p", "r"], ["next"]),
             make("Identity", ["on"], ["still"]), make("ReduceSum", ["next"], ["each"], keepdims=0)],
            ["still", "next", "each"], [info("k", 7, []), info("on", 9, []), info("in", 1, None)])
b.weights += [onnx.helper.make_tensor("sides", 7, [2], [4, 8]), onnx.helper.make_tensor("five", 7, [], [5]),
              onnx.helper.make_tensor("true", 9, [], [True])]
b.nodes.append(make("Loop", ["five", "true", "s"], ["last", "all"], body=loop, name="loop"))
b.nodes.append(make("Tanh", ["all"], ["y"], name="y"))
model = b.model("y")
model.graph.output.append(out(name="last"))
g = poetbnb.import_onnx(model)
node = by_name(g)["loop"]
assert inputs_of(g, "loop") == ["a", "s"] and node["flops"] == 5 * (2 * 4 * 8 * 8 + 2 * 32)
assert [o["bytes"] for o in node["outputs"]] == [128, 20]
assert by_name(g)["grad_loop"]["workspace_bytes"] == 5 * node["workspace_bytes"]
assert inputs_of(g, "sum_a") == [("grad_loop", 1), "grad_s"]
for tensor in model.graph.initializer:
    if tensor.name == "five":
        model.graph.initializer.remove(tensor)
model.graph.input.append(info("five", 7, []))
refused(lambda: poetbnb.import_onnx(model), "node 'loop'", "how often the body runs")
g, told = warned(lambda: poetbnb.import_onnx(model, unknown="warn"))
assert 5 * by_name(g)["loop"]["flops"] == node["flops"] and any("counts once" in text for text in told)

# a scan goes along the rows
b = networks.Onnx("rows", [6, 8])
w, v = b.weight(8, 8), b.weight(8, 8)
b.nodes.append(make("MatMul", ["x", w], ["a"], name="a"))
step = body([make("Add", ["h", "row"], ["q"]), make("MatMul", ["q", v], ["n"]), make("Identity", ["n"], ["o"])], ["n", "o"],
            [info("h", 1, None), info("row", 1, None)])
b.nodes.append(make("Scan", [b.weight(8), "a"], ["end", "y"], body=step, num_scan_inputs=1, name="scan"))
g = poetbnb.import_onnx(b.model("y"))
assert inputs_of(g, "scan") == ["a"] and by_name(g)["scan"]["flops"] == 6 * (8 + 2 * 8 * 8)
assert by_name(g)["grad_scan"]["bytes"] == 6 * 8 * 4 and inputs_of(g, "grad_a.weights") == ["x", "grad_scan"]
""")

    def test_quantised_models(self):
        self.needs("onnx")
        self.run_script("""
def graph(quantised):
    b = networks.Onnx("quantised", [1, 4, 6, 6])
    scale, zero = b.numbers([0.1], dims=[]), b.numbers([0], kind=3, dims=[])
    weight = b.onnx.TensorProto(dims=[8, 4, 3, 3], data_type=3, name="w8")
    b.weights.append(weight)
    q = b.node("QuantizeLinear", "x", scale, zero)
    if quantised:
        y = b.node("DequantizeLinear", b.node("QLinearConv", q, scale, zero, "w8", scale, zero, scale, zero), scale, zero)
    else:
        y = b.node("Conv", b.node("DequantizeLinear", q, scale, zero), b.node("DequantizeLinear", "w8", scale, zero))
    return poetbnb.import_onnx(b.model(b.node("Relu", y)))
for quantised in False, True:
    g = graph(quantised)
    assert flops(g, "conv", "qconv") == 2 * 8 * 4 * 4 * 4 * 9
    # the gradient of the weights, in numbers of four bytes, reads what the convolution does
    node = next(n for n in g["nodes"] if n["op"] in ("conv", "qconv") and n["name"].endswith(".weights"))
    assert node["bytes"] == 4 * 8 * 4 * 9 and g["resident_bytes"] == 8 * 4 * 9 + 5
    assert by_name(g)["QuantizeLinear0"]["bytes"] == 4 * 36
    assert inputs_of(g, node["name"])[0] == ("QuantizeLinear0" if quantised else "DequantizeLinear1")
    assert poetbnb.solve(g, platform="m4", ram_budget="100%").status == "optimal"
# through what is quantised the gradient goes straight on
b = networks.Onnx("through", [4, 8])
scale, zero = b.numbers([0.1], dims=[]), b.numbers([0], kind=3, dims=[])
y = b.node("DequantizeLinear", b.node("QuantizeLinear", b.node("MatMul", "x", b.weight(8, 4)), scale, zero), scale, zero)
g = poetbnb.import_onnx(b.model(b.node("Relu", y)))
assert inputs_of(g, "grad_QuantizeLinear1") == ["grad_DequantizeLinear2"] and by_name(g)["grad_QuantizeLinear1"]["bytes"] == 64
assert by_name(g)["grad_DequantizeLinear2"]["bytes"] == 64  # of what has 16 bytes
assert inputs_of(g, "grad_MatMul0.weights") == ["x", "grad_QuantizeLinear1"]
""")

    def test_what_changes_at_each_call(self):
        self.needs("onnx")
        self.run_script("""
def graph(training, norm=0):
    b = networks.Onnx("drawn", [2, 3, 4, 4])
    y = b.node("Conv", "x", b.weight(5, 3, 1, 1))
    if norm is not None:
        b.nodes.append(b.onnx.helper.make_node("BatchNormalization", [y, *(b.weight(5) for _ in range(4))],
                                               ["n", "mean", "var"][: 3 if norm else 1], name="norm", training_mode=norm))
        y = "n"
    more = [] if training is None else ["", b.numbers([training], kind=9, dims=[])]
    y = b.node("Dropout", y, *more)
    model = b.model(b.node("Relu", y))
    if norm:
        model.graph.output.extend(b.onnx.ValueInfoProto(name=name) for name in ("mean", "var"))
    return warned(lambda: poetbnb.import_onnx(model))
g, told = graph(True)
drop = next(n for n in g["nodes"] if n["op"] == "dropout")
assert drop["stateful"] is True and drop["outputs"][1] == {"name": "mask", "bytes": 2 * 5 * 16} and not told
assert inputs_of(g, "grad_" + drop["name"])[0] == (drop["name"], 1)
for training in None, False:
    g, told = graph(training)
    assert not told and not any(n.get("stateful") for n in g["nodes"])
    assert [n.get("view") for n in g["nodes"] if n["op"] == "dropout"] == [True]
g, told = graph(True, norm=1)
node = by_name(g)["norm"]
assert node["stateful"] is True and [o["bytes"] for o in node["outputs"]] == [4 * 160, 20, 20]
loss = by_name(g)["loss"]
assert len(loss["inputs"]) == 1  # statistics are no part of it
assert poetbnb.from_dict(g, platform="m4").to_dict()["nodes"][2]["pin"] == "no-recompute"
g, told = graph(None, norm=None)
assert len(told) == 1 and "neither a dropout nor a norm" in told[0]
b = networks.Onnx("noise", [2, 3])
y = b.node("Add", b.node("MatMul", "x", b.weight(3, 4)), b.node("RandomNormal", shape=[2, 4]))
g = poetbnb.import_onnx(b.model(y))
assert by_name(g)["RandomNormal1"]["stateful"] is True and inputs_of(g, y) == ["MatMul0", "RandomNormal1"]
""", quiet=False)

    def test_old_and_new_packages(self):
        self.needs("onnx")
        self.run_script("""
import onnx
import onnx.helper, onnx.shape_inference
model = networks.onnx_mobilenet_v2()
wanted = poetbnb.import_onnx(model)
for name in "mapping", "numpy_helper":  # gone, or of no use to the importer
    sys.modules["onnx." + name] = None
    if hasattr(onnx, name):
        delattr(onnx, name)
assert poetbnb.import_onnx(model) == wanted
hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "onnx"}
sys.modules["onnx"] = None
refused(lambda: poetbnb.import_onnx("mobile.onnx"), "the Python package onnx is missing (Debian: python3-onnx)")
sys.modules.update(hidden)
sys.modules["onnx.shape_inference"] = None
refused(lambda: poetbnb.import_onnx("mobile.onnx"), "the Python package onnx has no module onnx.shape_inference")
# bfloat16, and numbers of four bits, which an old package has no name of
b = networks.Onnx("halves", [2, 8])
b.inputs[0].type.tensor_type.elem_type = 16
b.nodes.append(onnx.helper.make_node("MatMul", ["x", b.weight(8, 4)], ["y"], name="y"))
b.weights[0].data_type = 16
sys.modules.update(hidden)
model = b.model("y")
model.graph.output[0].type.tensor_type.elem_type = 16
g = poetbnb.import_onnx(model)
assert [n["bytes"] for n in g["nodes"][:2]] == [32, 16] and g["resident_bytes"] == 64
assert by_name(g)["grad_y.weights"]["bytes"] == 64
""")

    def test_what_torch_exports(self):
        """Every parameter has a gradient of its size, and what the module draws is marked."""
        self.needs("onnx", "torch")
        self.run_script("""
import io, onnx, torch
from torch import nn

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2))
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.1)
        self.last = nn.Linear(8, 5)
    def forward(self, x):
        y = self.first(x)
        return self.last(self.layer(y.flatten(2).permute(2, 0, 1)).mean(0))

net, x = Net().train(), torch.zeros(2, 3, 8, 8)
file = io.BytesIO()
torch.onnx.export(net, x, file, training=torch.onnx.TrainingMode.TRAINING, do_constant_folding=False, opset_version=16,
                  input_names=["x"], dynamic_axes={"x": {0: "n"}})
model = onnx.load_model_from_string(file.getvalue())
g = poetbnb.import_onnx(model, sizes={"n": 2})
parameters = {name: p.numel() * 4 for name, p in net.named_parameters()}
kept = poetbnb.from_dict(g, platform="m4").to_dict()["nodes"]
outputs = sum(kept[k]["bytes"] for k in kept[-1]["inputs"])
assert outputs == sum(parameters.values()) + 4, (outputs, sum(parameters.values()))
statistics = sum(b.numel() * 4 for name, b in net.named_buffers() if "running" in name)
assert 0 <= g["resident_bytes"] - sum(parameters.values()) - statistics < 200, g["resident_bytes"]  # and constants
assert sum(n.get("stateful") is True for n in g["nodes"]) == 5  # norm, three dropouts, that of the attention
assert sum(bool(n.get("output")) for n in g["nodes"]) == len(parameters) + 1
batch = poetbnb.import_onnx(model, shapes={"x": (4, 3, 8, 8)})
assert len(batch["nodes"]) == len(g["nodes"]) and batch["resident_bytes"] == g["resident_bytes"]
""")


if __name__ == "__main__":
    unittest.main()
