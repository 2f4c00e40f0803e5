"""ONNX models as training graphs (Debian: python3-onnx)."""

import os
import sys
import warnings

from ._backward import Forward, Tensor
from ._fold import ITEMS, Types
from ._rules import MARKED, MASKED, RANDOM, RECURRENT, RULES, VIEWS, Rule, einsum_sides, product_flops, recurrent

# The output is as the first input where onnx infers nothing: its version is older than the operator.
ALIKE = ("activation", "smooth", "norm", "softmax", "dropout")
BODIES = {"If": ("then_branch", "else_branch"), "Loop": ("body",), "Scan": ("body",)}


def captured(graph):
    """Names that a body, and bodies in it, read of what is around it; in the order of their first use."""
    inner = {v.name for v in [*graph.input, *graph.initializer]}
    found = []
    for node in graph.node:
        names = list(node.input)
        for a in node.attribute:
            for body in [a.g] if a.HasField("g") else a.graphs:
                names += captured(body)
        found += [name for name in names if name and name not in inner]
        inner.update(node.output)
    found += [v.name for v in graph.output if v.name not in inner]
    return list(dict.fromkeys(found))


class Reader:
    """Reads a graph, or the body of an operator with one. values: name -> Tensor, of what is around it."""

    def __init__(self, types, forward, unknown, values=()):
        self.types, self.graph, self.forward, self.fail = types, types.graph, forward, forward.fail
        self.unknown, self.values = unknown, {"": None, **dict(values)}

    # ---- tensors ----

    def item(self, kind, what):
        """Bytes of an element, and of one of its gradient."""
        if kind not in ITEMS:
            raise self.fail(f"{what}: expected a tensor of numbers")
        size, floating = ITEMS[kind]
        return size, size if floating else 0

    def shaped(self, name, what):
        """A tensor of no operator with the shape and type that were inferred for a name."""
        kind, sides = self.types.types.get(name), self.types.sides(name)
        if sides is None:
            free = [d.dim_param for d in kind.shape.dim if not d.HasField("dim_value")] if kind else []
            if kind is None or not kind.HasField("shape"):
                raise self.fail(
                    f"{what}: no shape is known; shapes={{...}} (--shape NAME=1,3,224,224) gives those of inputs"
                )
            called = "without a name is free; shapes"
            if free[0]:
                called = f"'{free[0]}' is free; sizes={{'{free[0]}': N}} (--size) or shapes"
            raise self.fail(f"{what}: the dimension {called} (--shape NAME=1,3,224,224) fixes one of an input")
        if min(sides, default=1) < 1:
            raise self.fail(f"{what}: a dimension of {min(sides)} is no size; {list(sides)} was inferred")
        return Tensor(sides, *self.item(kind.elem_type, what))

    def read(self, inputs=True):
        for weight in self.graph.initializer:
            size, gradient = self.item(weight.data_type, f"initializer '{weight.name}'")
            # one number is a constant of an expression
            made = Tensor(weight.dims, size, gradient, initial=[weight.name])
            if gradient and made.elements > 1 and weight.name not in self.types.computed:
                self.train(made, weight.name)
            self.values.setdefault(weight.name, made)
        for value in self.graph.input if inputs else ():
            if value.name not in self.values:
                out = self.shaped(value.name, f"input '{value.name}'")
                made = self.forward.add(value.name, "input", [], [out], [value.name], 0, [])
                self.values[value.name] = made.outs[0]
        for node in self.graph.node:
            self.operator(node)
        return [self.value(v.name, f"output '{v.name}'") for v in self.graph.output]

    def train(self, tensor, name):
        tensor.weights, self.forward.weights[name] = (name,), tensor

    def value(self, name, what):
        if name not in self.values:
            raise self.fail(f"{what}: '{name}' is no output that can be read")
        return self.values[name]

    # ---- operators ----

    def operator(self, node):
        what = f"node '{node.name or node.output[0]}'"
        inputs = [self.value(name, what) for name in node.input]
        if node.op_type in BODIES and self.standard(node):
            self.control(node, inputs, what)
            return
        if node.op_type not in RANDOM and all(t is None or t.source is None for t in inputs):
            self.constant(node, inputs, what)
            return
        if self.standard(node) and (node.op_type in VIEWS or self.idle_dropout(node)):
            for name in [node.output[0]] if node.op_type == "Dropout" else filter(None, node.output):
                label = node.name or name
                if len(node.output) > 1 and node.op_type != "Dropout":
                    label = f"{label}.{name}" if node.name else name
                self.values[name] = self.forward.look(label, node.op_type.lower(), inputs[0], self.shaped(name, what))
            return
        self.computed(node, inputs, what)

    def standard(self, node):
        return node.domain in ("", "ai.onnx", "com.microsoft")

    def rule(self, node, what):
        """The row of the table; None, with a warning, where there is none."""
        rule = RULES.get(node.op_type) if self.standard(node) else None
        if rule is None:
            if self.unknown == "error":
                raise self.fail(
                    f"{what}: no rule for the operator {node.op_type}; with unknown='warn' it counts one FLOP for each "
                    "element of its output, and its gradient reads inputs and output"
                )
            warnings.warn(
                f"{self.forward.name}: {what}: no rule for the operator {node.op_type}; it counts one FLOP for each "
                "element of its output", stacklevel=6,
            )  # fmt: skip
        return rule or Rule()

    def constant(self, node, inputs, what):
        """What depends on no input is no node; what is computed of a weight is trained with it."""
        weights = dict.fromkeys(name for t in inputs if t for name in t.weights)
        initial = [name for t in inputs if t for name in t.initial]
        for name in filter(None, node.output):
            if self.types.sides(name) is None:
                self.values[name] = Tensor((1,), 4, initial=initial)
                continue
            sides, kind = self.types.sides(name), self.types.types[name].elem_type
            made = Tensor(sides, *self.item(kind, what), initial=initial)
            if node.op_type == "DequantizeLinear" and len(inputs[0].initial) == 1 and len(sides) > 1:
                self.train(made, min(inputs[0].initial))
            elif made.gradient:
                made.weights = tuple(weights)
            self.values[name] = made

    def flag(self, node, position):
        """A constant input; None: not known."""
        name = node.input[position] if len(node.input) > position else ""
        return self.types.known[name].item() if name in self.types.known else None

    def idle_dropout(self, node):
        """Is it a dropout outside of training? From version 12 on the third input switches it on."""
        return node.op_type == "Dropout" and (len(node.input) < 3 or not node.input[2] or self.flag(node, 2) is False)

    def outputs(self, node, what):
        """Names and shapes: of further outputs (masks, statistics) those whose shape is known."""
        first, *others = [name for name in node.output if name]
        names = [first, *(name for name in others if self.types.sides(name) is not None)]
        return names, [self.shaped(name, what) for name in names]

    def computed(self, node, inputs, what):
        """Appends the operator of a node."""
        op, rule, attributes = node.op_type, self.rule(node, what), self.types.attributes(node)
        names, outs = self.outputs(node, what)
        labels, reads = list(names), rule.reads
        flops = product_flops(op, [t for t in inputs if t] if op != "QLinearConv" else inputs, outs, attributes.get)
        if op in RECURRENT:
            flops, reads = self.recurrent(node, inputs, outs, labels)
        elif flops is None:
            there = [t for t in inputs if t]
            flops = rule.each * (outs[0] if rule.basis == "out" or not there else there[0]).elements
        if len(outs) > 1 and op in MARKED:
            reads = [MARKED[op]]
        if op in MASKED and len(outs) == 1:
            label, size = MASKED[op]
            outs.append(Tensor(outs[0].shape, size))
            labels.append(label)
        self.gradients_of_integers(op, inputs, outs)
        made = self.forward.add(node.name or names[0], rule.kind, inputs, outs, labels, flops, reads)
        trained_norm = op == "BatchNormalization" and attributes.get("training_mode")
        made.stateful = op in RANDOM or bool(trained_norm)
        self.values.update(zip(names, made.outs))

    def gradients_of_integers(self, op, inputs, outs):
        """Gradients pass straight through what is quantised, as numbers of four bytes."""
        if op.startswith("QLinear") or op.endswith("Integer") or op in ("QuantizeLinear", "DynamicQuantizeLinear"):
            outs[0].gradient = outs[0].gradient or 4
            for t in inputs:
                if t and t.source is None and len(t.shape) > 1 and len(t.initial) == 1:
                    t.gradient = t.gradient or 4
                    self.train(t, min(t.initial))
        for out in outs[1:] if op in ("BatchNormalization", "LayerNormalization") else ():
            out.gradient = 0  # statistics

    def recurrent(self, node, inputs, outs, labels):
        """The derivative reads the states of all steps, and an output more: what training keeps of the cells."""
        named = bool(node.output[0])
        flops, kept = recurrent(node.op_type, inputs, named)
        if kept:
            outs.append(Tensor((kept,), outs[0].size))
            labels.append("reserve")
        return flops, ["a" + "y" * named + "m" * bool(kept)]

    # ---- If, Loop and Scan ----

    def trips(self, node, what):
        if node.op_type == "If":
            return 1
        if node.op_type == "Scan":
            return scan_trips(self.types, node)
        count = self.flag(node, 0)
        if count is not None and count < 2**31:
            return max(int(count), 1)
        if self.unknown == "error":
            raise self.fail(f"{what}: how often the body runs is no constant; with unknown='warn' it counts once")
        text = f"{self.forward.name}: {what}: how often the body runs is no constant; it counts once"
        warnings.warn(text, stacklevel=6)
        return 1

    def control(self, node, inputs, what):
        """One operator that reads what its bodies read, and costs its dearer branch or all its trips."""
        trips, insides = self.trips(node, what), []
        for key in BODIES[node.op_type]:
            types = body_types(self.types, node, self.types.attributes(node)[key])
            if types is None:
                raise self.fail(f"{what}: no shape is known of what its body reads")
            insides.append(self.inside(types, node, inputs))
        read, flops, held = [], max(flops for _, flops, _ in insides), max(held for *_, held in insides)
        for tensors, *_ in insides:
            read += tensors
        once = {(t.source, t.output, t.view) if t.source else id(t): t for t in [*inputs, *read] if t}
        names, outs = self.outputs(node, what)
        label = node.name or names[0]
        made = self.forward.add(label, "control", list(once.values()), outs, names, trips * flops, ["a"])
        made.workspace, made.inside, made.again = held, trips * held, trips * flops
        made.stateful = any(n.op_type in RANDOM for key in BODIES[node.op_type]
                            for n in self.types.attributes(node)[key].node)  # fmt: skip
        self.values.update(zip(names, made.outs))

    def inside(self, types, node, inputs):
        """What a body reads of what is around it, its FLOPs, and the bytes of what it computes."""
        formal, outer = zip(types.formal, inputs[2:] if node.op_type == "Loop" else inputs), {}
        values = {**self.values, **{name: None for name in types.first}}
        for name, tensor in formal:
            sides = types.sides(name)
            values[name] = tensor and Tensor(sides, tensor.size, tensor.gradient, tensor.source, tensor.output,
                                             tensor.view, tensor.weights, tensor.initial)  # fmt: skip
            outer[values[name]] = tensor
        forward = Forward(self.forward.name, self.fail)
        # two formal inputs of a loop count its trips and say whether it goes on
        values.update((name, Tensor((), 8)) for name in types.first)
        Reader(types, forward, self.unknown, values).read(inputs=False)
        inner, views = forward.operators, set(forward.entries)
        read = {}
        for t in (t for o in inner for t in o.inputs if t and t.source not in views):
            while t.view in views:
                t = t.view.base
            t = outer.get(t, t)
            if t.source or t.initial:
                read[t] = None
        self.forward.weights.update(forward.weights)
        return list(read), sum(o.flops for o in inner), sum(t.bytes for o in inner for t in o.outs)


def scan_trips(types, node):
    a = types.attributes(node)
    axis = (a.get("scan_input_axes") or [0])[0]
    sides = types.sides(node.input[len(node.input) - a["num_scan_inputs"]])
    return sides[axis] if sides else 1


def formal_sides(types, node, body):
    """Sides of the inputs of a body by name, without those of a loop that no tensor is handed to."""
    if node.op_type == "If":
        return {}
    given = list(node.input)[2 * (node.op_type == "Loop") :]
    names = [v.name for v in body.input][2 * (node.op_type == "Loop") :]
    sides = {name: types.sides(outer) for name, outer in zip(names, given)}
    if node.op_type == "Scan":
        a = types.attributes(node)
        count = a["num_scan_inputs"]
        axes = a.get("scan_input_axes") or [0] * count
        for name, axis in zip(names[-count:], axes):
            one = sides[name]
            sides[name] = one and tuple(s for k, s in enumerate(one) if k != axis % len(one))
    return sides


def body_types(types, node, body):
    """The Types of a body; None where a shape is not known yet."""
    onnx = types.onnx
    model = onnx.ModelProto()
    model.ir_version = types.model.ir_version
    model.opset_import.extend(types.model.opset_import)
    graph = model.graph
    graph.name = body.name
    graph.node.extend(body.node)
    graph.initializer.extend(body.initializer)
    graph.output.extend(body.output)
    formal = formal_sides(types, node, body)
    first = [v.name for v in body.input if v.name not in formal]
    kinds = {v.name: v.type.tensor_type.elem_type for v in body.input}
    outer = {t.name: t for t in types.model.graph.initializer}
    helper = onnx.helper.make_tensor_value_info
    for name in first:
        graph.input.append(helper(name, kinds[name] or 7, []))
    for name, sides in formal.items():
        if sides is None:
            return None
        graph.input.append(helper(name, kinds[name] or types.kind(dict(zip(formal, node.input))[name]), sides))
    for name in captured(body):
        if name in outer:
            graph.initializer.append(outer[name])
        elif types.sides(name) is not None:
            graph.input.append(helper(name, types.kind(name), types.sides(name)))
        else:
            return None
    made = Types(onnx, model, {}, {}, types.fail, more_types)
    made.formal, made.first = list(formal), first
    return made


def more_types(types, node):
    """Types of outputs that onnx does not infer, name -> (type, sides); None: not known either."""
    if node.op_type in BODIES:
        return control_types(types, node)
    rule, first = RULES.get(node.op_type), types.sides(node.input[0]) if node.input else None
    if rule is None or first is None:
        return None
    kind = types.kind(node.input[0])
    if rule.kind in ALIKE:
        return {node.output[0]: (kind, first)}
    if node.op_type == "Einsum" and all(types.sides(name) for name in node.input):
        equation = types.attributes(node)["equation"].decode()
        sides = einsum_sides(equation, [types.sides(name) for name in node.input])
        return sides and {node.output[0]: (kind, sides)}
    if node.op_type == "OneHot" and node.input[1] in types.known:
        axis = types.attributes(node).get("axis", -1) % (len(first) + 1)
        sides = (*first[:axis], types.known[node.input[1]].item(), *first[axis:])
        return {node.output[0]: (types.kind(node.input[2]), sides)}
    if node.op_type in ("QLinearAdd", "QLinearMul") and types.sides(node.input[3]) is not None:
        return {node.output[0]: (kind, types.np.broadcast_shapes(first, types.sides(node.input[3])))}
    return None


def control_types(types, node):
    bodies = [types.attributes(node)[key] for key in BODIES[node.op_type]]
    found = {}
    for body in bodies:
        inner = body_types(types, node, body)
        if inner is None:
            return None
        outs = [v.name for v in body.output][node.op_type == "Loop" :]
        stacked = len(outs) - (len(node.input) - 2) if node.op_type == "Loop" else 0
        trips = 1
        if node.op_type == "Scan":
            trips = scan_trips(types, node)
            stacked = len(outs) - (len(node.input) - types.attributes(node)["num_scan_inputs"])
        elif node.op_type == "Loop" and node.input[0] in types.known:
            trips = max(int(types.known[node.input[0]].item()), 1)
        for k, (name, out) in enumerate(zip(node.output, outs)):
            sides = inner.sides(out)
            if sides is None or not name:
                continue
            sides = (trips, *sides) if k >= len(outs) - stacked else sides
            there = found.get(name, (0, ()))[1]
            if types.elements(sides) > types.elements(there) or name not in found:
                found[name] = (inner.kind(out), sides)
    return found


def training_graph(model, options, fail_with):
    """The dictionary of a graph file. model: a path or an onnx.ModelProto; options: those of import_onnx."""
    try:
        import onnx
        import onnx.helper
        import onnx.shape_inference
    except ModuleNotFoundError as why:
        missing = f"is missing (Debian: python3-onnx) for {sys.executable}" if why.name == "onnx" \
            else f"has no module {why.name}"
        raise fail_with(f"import of ONNX: the Python package onnx {missing}") from None
    path = isinstance(model, (str, os.PathLike))
    where, name = os.fspath(model) if path else "ONNX model", options["name"]

    def fail(text):
        return fail_with(f"{where}: {text}")

    for key, known in (("unknown", ("error", "warn")), ("backward", ("autodiff", "published")),
                       ("weight_gradients", ("kept", "applied"))):  # fmt: skip
        if options[key] not in known:
            raise fail(f"{key}: expected '{known[0]}' or '{known[1]}', got {options[key]!r}")
    if path:
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
        raise fail_with(f"expected a path or an onnx.ModelProto, got {type(model).__name__}")
    types = Types(onnx, model, options["shapes"], options["sizes"], fail, more_types)
    forward = Forward(name or model.graph.name or "onnx", fail)
    forward.finish(Reader(types, forward, options["unknown"]).read())
    return assemble(forward, types, options)


def assemble(forward, types, options):
    if not any(o.kind in ("norm", "dropout") for o in forward.operators):
        warnings.warn(
            f"{forward.name}: a graph for training with neither a dropout nor a norm: exporters leave them out "
            "unless they are told that the model is to be trained", stacklevel=4,
        )  # fmt: skip
    sizes = {t.name: Tensor(t.dims, ITEMS.get(t.data_type, (0, 0))[0]).bytes for t in types.graph.initializer}
    resident = sum(sizes.get(name, 0) for name in forward.initial())
    kept = options["weight_gradients"] == "kept"
    nodes = forward.training(options["backward"], kept, options["input_flops"])
    return {"name": forward.name, "resident_bytes": resident, "nodes": nodes}
