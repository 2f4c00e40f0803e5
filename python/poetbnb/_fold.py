"""Shapes of an ONNX model: inference by onnx, arithmetic on shapes by numpy, functions written out."""

import copy
import itertools

# Bytes of an element by the number of its type in ONNX, and whether it has a gradient.
ITEMS = {1: (4, True), 2: (1, False), 3: (1, False), 4: (2, False), 5: (2, False), 6: (4, False),
         7: (8, False), 9: (1, False), 10: (2, True), 11: (8, True), 12: (4, False), 13: (8, False),
         14: (8, True), 15: (16, True), 16: (2, True), 17: (1, True), 18: (1, True), 19: (1, True),
         20: (1, True), 21: (0.5, False), 22: (0.5, False), 23: (0.5, True)}  # fmt: skip
# Types of constants that are computed, by numpy's names.
NUMPY = {1: "f4", 2: "u1", 3: "i1", 4: "u2", 5: "i2", 6: "i4", 7: "i8", 9: "?", 10: "f2", 11: "f8", 12: "u4", 13: "u8"}
SMALL = 4096  # elements of a constant that is computed


def _axes(x, given, attributes):
    axes = given if given is not None else attributes.get("axes")
    return None if axes is None else tuple(int(a) for a in axes)


def _slice(x, starts=None, ends=None, axes=None, steps=None, **a):
    starts, ends = (a.get(k) if v is None else v for k, v in (("starts", starts), ("ends", ends)))
    axes = axes if axes is not None else a.get("axes", range(len(starts)))
    where = [slice(None)] * x.ndim
    for k, axis in enumerate(axes):
        step = 1 if steps is None else int(steps[k])
        # an end before the beginning, which Python would count from the end
        end = None if step < 0 and ends[k] < -x.shape[axis] else int(ends[k])
        where[int(axis)] = slice(int(starts[k]), end, step)
    return x[tuple(where)]


def _folders(np):
    def divide(x, y):
        return x / y if x.dtype.kind == "f" else (np.sign(x) * np.sign(y) * (abs(x) // abs(y))).astype(x.dtype)

    def reshape(x, shape, **a):
        return x.reshape([x.shape[k] if n == 0 and not a.get("allowzero") else n for k, n in enumerate(shape)])

    def unsqueeze(x, axes=None, **a):
        axes = _axes(x, axes, a)
        return np.expand_dims(x, axes)

    def reduce(f):
        return lambda x, axes=None, **a: f(x, axis=_axes(x, axes, a), keepdims=bool(a.get("keepdims", 1)))

    return {
        "Identity": lambda x, **a: x,
        "Gather": lambda x, i, **a: np.take(x, i.astype(np.int64), axis=a.get("axis", 0)),
        "Concat": lambda *x, **a: np.concatenate([np.atleast_1d(y) for y in x], axis=a["axis"]),
        "Slice": _slice,
        "Unsqueeze": unsqueeze,
        "Squeeze": lambda x, axes=None, **a: np.squeeze(x, axis=_axes(x, axes, a)),
        "Reshape": reshape,
        "Flatten": lambda x, **a: x.reshape([int(np.prod(x.shape[: a.get("axis", 1)])), -1]),
        "Transpose": lambda x, **a: np.transpose(x, a.get("perm")),
        "Add": lambda x, y, **a: x + y,
        "Sub": lambda x, y, **a: x - y,
        "Mul": lambda x, y, **a: x * y,
        "Div": lambda x, y, **a: divide(x, y),
        "Mod": lambda x, y, **a: np.fmod(x, y) if a.get("fmod") else x % y,
        "Min": lambda *x, **a: np.minimum.reduce(np.broadcast_arrays(*x)),
        "Max": lambda *x, **a: np.maximum.reduce(np.broadcast_arrays(*x)),
        "Neg": lambda x, **a: -x,
        "Abs": lambda x, **a: abs(x),
        "Floor": lambda x, **a: np.floor(x),
        "Ceil": lambda x, **a: np.ceil(x),
        "Sqrt": lambda x, **a: np.sqrt(x),
        "Not": lambda x, **a: ~x,
        "And": lambda x, y, **a: x & y,
        "Or": lambda x, y, **a: x | y,
        "Equal": lambda x, y, **a: np.asarray(x == y),
        "Less": lambda x, y, **a: np.asarray(x < y),
        "LessOrEqual": lambda x, y, **a: np.asarray(x <= y),
        "Greater": lambda x, y, **a: np.asarray(x > y),
        "GreaterOrEqual": lambda x, y, **a: np.asarray(x >= y),
        "Where": lambda c, x, y, **a: np.where(c, x, y),
        "Range": lambda x, y, z, **a: np.arange(x.item(), y.item(), z.item(), dtype=x.dtype),
        "ReduceProd": reduce(np.prod),
        "ReduceSum": reduce(np.sum),
        "ReduceMax": reduce(np.max),
        "ReduceMin": reduce(np.min),
        "Expand": lambda x, shape, **a: x * np.ones(tuple(shape), dtype=x.dtype),
        "Tile": lambda x, times, **a: np.tile(x, times),
    }


class _Outer:
    """New names of what a body computes; what it reads of what is around it keeps its own."""

    def __init__(self, label, inner):
        self.label, self.inner = label, inner

    def __getitem__(self, name):
        return f"{self.label}/{name}" if name in self.inner else name


class Types:
    """The graph of a model with the values that are small constants and the types of all others.

    graph: without functions and computed constants. types: name -> tensor type; known: name -> numpy array.
    shapes: name -> sides, of inputs; sizes: of free dimensions. more(types, node): called with
    operators of which no type is known, names -> (type, sides) or None.
    """

    def __init__(self, onnx, model, shapes, sizes, fail, more):
        import numpy as np

        self.onnx, self.np, self.fail, self.more = onnx, np, fail, more
        self.folders = _folders(np)
        self.model = self.light(model)
        self.inline()
        self.fix_inputs(dict(shapes or {}), dict(sizes or {}))
        self.known, self.computed = {}, set()
        for tensor in self.model.graph.initializer:
            value = self.array(tensor)
            if value is not None and (value.dtype.kind != "f" or value.size == 1):  # others are weights
                self.known[tensor.name] = value
        self.settle()

    # ---- constants without their values, where they are large ----

    @staticmethod
    def elements(dims):
        count = 1
        for side in dims:
            count *= side
        return count

    def light(self, model):
        """A copy without the values of large constants."""
        made = self.onnx.ModelProto()
        made.ir_version, made.producer_name = max(model.ir_version, 4), model.producer_name
        for key in ("opset_import", "functions"):
            getattr(made, key).extend(getattr(model, key, []))
        graph = made.graph
        graph.name = model.graph.name
        for key in ("node", "input", "output", "value_info"):
            getattr(graph, key).extend(getattr(model.graph, key))
        for tensor in model.graph.initializer:
            if self.elements(tensor.dims) <= SMALL:
                graph.initializer.append(tensor)
            else:
                graph.initializer.add(name=tensor.name, data_type=tensor.data_type, dims=tensor.dims)
        for sparse in model.graph.sparse_initializer:
            graph.initializer.add(name=sparse.values.name, data_type=sparse.values.data_type, dims=sparse.dims)
        return made

    # ---- functions of the model ----

    def inline(self):
        functions = {(f.domain, f.name): f for f in self.model.functions}
        called = self.model.graph.node
        for _ in range(len(functions) + 1):  # so deep calls can be that come to an end
            called = {k: functions[k] for k in ((n.domain, n.op_type) for n in called) if k in functions}
            called = [n for f in called.values() for n in f.node]
        if called:
            raise self.fail(f"a function of the model calls itself: {called[0].op_type}")
        while any((n.domain, n.op_type) in functions for n in self.model.graph.node):
            nodes = []
            for k, node in enumerate(self.model.graph.node):
                body = functions.get((node.domain, node.op_type))
                nodes += self.write_out(node, body, k) if body else [node]
            self.replace(nodes)
        versions = {o.domain for o in self.model.opset_import}
        for f in functions.values():
            self.model.opset_import.extend(o for o in f.opset_import if o.domain not in versions)
            versions.update(o.domain for o in f.opset_import)
        del self.model.functions[:]

    def write_out(self, node, function, number):
        """The nodes of a function in place of a node that calls it."""
        label = node.name or f"{node.op_type}{number}"
        names = {"": ""}
        names.update(zip(function.input, itertools.chain(node.input, itertools.repeat(""))))
        names.update((o, n) for o, n in zip(function.output, node.output) if n)
        given = {a.name: a for a in [*getattr(function, "attribute_proto", []), *node.attribute]}
        return self.renamed(function.node, label, names, given)

    def branch(self, node, number):
        """The nodes of the branch that an If always takes; what it reads keeps its name."""
        body = self.attributes(node)["then_branch" if self.known[node.input[0]].item() else "else_branch"]
        label = node.name or f"{node.op_type}{number}"
        names = _Outer(label, {t.name for t in body.initializer} | {o for n in body.node for o in n.output})
        for tensor in body.initializer:
            made = self.model.graph.initializer.add()
            made.CopyFrom(tensor)
            made.name = names[tensor.name]
        nodes = self.renamed(body.node, label, names, {})
        ends = zip(body.output, node.output)
        return nodes + [self.onnx.helper.make_node("Identity", [names[o.name]], [n]) for o, n in ends]

    def renamed(self, nodes, label, names, given):
        """Copies of nodes with other names of their values; given: attributes that they refer to."""

        def to(name):
            return names[name] if isinstance(names, _Outer) else names.setdefault(name, f"{label}/{name}")

        def rename(nodes):
            for made in nodes:
                for k, name in enumerate(made.input):
                    made.input[k] = to(name)
                for k, name in enumerate(made.output):
                    made.output[k] = to(name)
                if made.name:
                    made.name = f"{label}/{made.name}"
                kept = []
                for a in made.attribute:
                    if a.ref_attr_name:
                        if a.ref_attr_name not in given:
                            continue
                        name = a.name
                        a = copy.deepcopy(given[a.ref_attr_name])
                        a.name = name
                    if a.HasField("g"):
                        rename(a.g.node)
                        for value in [*a.g.input, *a.g.output, *a.g.initializer]:
                            value.name = to(value.name)
                    kept.append(copy.deepcopy(a))
                del made.attribute[:]
                made.attribute.extend(kept)
            return nodes

        return rename([copy.deepcopy(n) for n in nodes])

    def replace(self, nodes):
        nodes = [copy.deepcopy(n) for n in nodes]
        del self.model.graph.node[:]
        self.model.graph.node.extend(nodes)

    # ---- shapes ----

    def fix_inputs(self, shapes, sizes):
        graph, given = self.model.graph, bool(shapes or sizes)
        constants, free = {t.name for t in graph.initializer}, set(sizes)
        for value in graph.input:
            shape = value.type.tensor_type.shape
            if value.name in shapes:
                sides = shapes.pop(value.name)
                if len(shape.dim) not in (0, len(sides)):
                    raise self.fail(f"shapes: input '{value.name}' has {len(shape.dim)} dimensions, not {len(sides)}")
                value.type.tensor_type.shape.Clear()
                for side in sides:
                    value.type.tensor_type.shape.dim.add(dim_value=int(side))
            for side in value.type.tensor_type.shape.dim:
                if side.dim_param in sizes:
                    free.discard(side.dim_param)
                    side.dim_value = sizes[side.dim_param]
                if side.HasField("dim_value") and side.dim_value < 1 and value.name not in constants:
                    raise self.fail(
                        f"input '{value.name}': a dimension of {side.dim_value} is no size; "
                        f"shapes={{'{value.name}': (...)}} (--shape {value.name}=...) gives one"
                    )
        if free:
            raise self.fail(f"sizes: no input has a dimension called '{min(free)}'")
        if shapes:
            raise self.fail(f"shapes: no input is called '{min(shapes)}'")
        if given:  # what the file says of later tensors was for free dimensions
            del graph.value_info[:]
            for value in graph.output:
                value.type.tensor_type.ClearField("shape")

    def settle(self):
        """Inference and arithmetic in turns until nothing more becomes known."""
        again = True
        while again:
            try:
                inferred = self.onnx.shape_inference.infer_shapes(self.model, strict_mode=True, data_prop=True)
            except Exception as why:  # noqa: BLE001 - onnx raises its own kinds
                raise self.fail(f"no shapes: {' '.join(str(why).split())}") from None
            values = [*inferred.graph.input, *inferred.graph.value_info, *inferred.graph.output]
            self.types = {v.name: v.type.tensor_type for v in values if v.type.HasField("tensor_type")}
            self.weights = {t.name: t for t in self.model.graph.initializer}
            again = self.fold()
        self.graph = self.model.graph

    def sides(self, name):
        """Sides of a tensor; None where one is not known."""
        kind = self.types.get(name)
        if name in self.known:
            return self.known[name].shape
        if name in self.weights:
            return tuple(self.weights[name].dims)
        if kind is None or not kind.HasField("shape") or not kind.elem_type:
            return None
        if not all(d.HasField("dim_value") for d in kind.shape.dim):
            return None
        return tuple(d.dim_value for d in kind.shape.dim)

    def kind(self, name):
        """The number of a tensor's type."""
        return self.weights[name].data_type if name in self.weights else self.types[name].elem_type

    def attributes(self, node):
        return {a.name: self.onnx.helper.get_attribute_value(a) for a in node.attribute}

    def constant(self, node):
        """The value of a node's only output, of what is known; None: not known, or large."""
        np, a = self.np, self.attributes(node)
        if node.domain not in ("", "ai.onnx"):
            return None
        if node.op_type == "Constant":
            if "value" in a:
                return self.array(a["value"])
            for key, kind in (("value_int", np.int64), ("value_ints", np.int64), ("value_float", np.float32),
                              ("value_floats", np.float32)):  # fmt: skip
                if key in a:
                    return np.array(a[key], dtype=kind)
            return None
        if node.op_type in ("Shape", "Size"):
            sides = self.sides(node.input[0])
            if sides is None:
                return None
            if node.op_type == "Size":
                return np.array(self.elements(sides), dtype=np.int64)
            return np.array(sides[a.get("start", 0) : a.get("end", len(sides))], dtype=np.int64)
        if not all(name == "" or name in self.known for name in node.input) or len(node.output) != 1:
            return None
        inputs = [self.known.get(name) for name in node.input]
        if node.op_type == "ConstantOfShape":
            value = self.array(a["value"]) if "value" in a else np.zeros(1, np.float32)
            return None if value is None else np.full([int(n) for n in inputs[0]], value.item(), value.dtype)
        if node.op_type == "Cast":
            return inputs[0].astype(NUMPY[a["to"]]) if a["to"] in NUMPY else None
        if node.op_type not in self.folders or not inputs:
            return None
        return self.np.asarray(self.folders[node.op_type](*inputs, **a))

    def array(self, tensor):
        """The values of a constant; None: it has none, is large, or of a type that no shape is of."""
        fields = (tensor.float_data, tensor.int32_data, tensor.int64_data, tensor.double_data, tensor.uint64_data)
        given = next((f for f in fields if len(f)), ())
        if tensor.data_type not in NUMPY or tensor.data_type == 10 or self.elements(tensor.dims) > SMALL:
            return None
        dtype = self.np.dtype(NUMPY[tensor.data_type])
        if len(tensor.raw_data):
            flat = self.np.frombuffer(tensor.raw_data, dtype=dtype.newbyteorder("<"))
        else:
            flat = self.np.array(given)
        fits = flat.size == self.elements(tensor.dims) and tensor.data_location != 1
        return flat.astype(dtype).reshape(tuple(tensor.dims)) if fits else None

    def tensor(self, name, value):
        """A constant of the model."""
        kind = next(k for k, code in NUMPY.items() if self.np.dtype(code) == value.dtype)
        data = value.astype(value.dtype.newbyteorder("<")).tobytes()
        return self.onnx.TensorProto(name=name, dims=value.shape, data_type=kind, raw_data=data)

    def fold(self):
        """Takes out nodes whose value is known, and says what inference does not; whether there were any."""
        graph, nodes, told = self.model.graph, [], False
        for node in graph.node:
            try:
                value = self.constant(node)
            except (ValueError, IndexError, TypeError, KeyError, ZeroDivisionError) as why:
                raise self.fail(f"node '{node.name or node.output[0]}': its constants do not fit: {why}") from None
            if value is not None and value.size <= SMALL and value.dtype.char in "fdbhilqBHILQ?e":
                self.known[node.output[0]] = value
                self.computed.add(node.output[0])
                graph.initializer.append(self.tensor(node.output[0], value))
                told = True
                continue
            if node.op_type == "If" and node.input[0] in self.known:
                nodes += self.branch(node, len(nodes))
                told = True
                continue
            nodes.append(node)
            unknown = [name for name in node.output if name and self.sides(name) is None]
            found = self.more(self, node) if unknown else None
            for name, (kind, sides) in (found or {}).items():
                if name in unknown:
                    self.say(name, kind, sides)
                    told = True
        if told:
            self.replace(nodes)
        return told

    def say(self, name, kind, sides):
        """The type of a tensor, for this and the next inference."""
        value = self.onnx.helper.make_tensor_value_info(name, kind, sides)
        for values in (self.model.graph.output, self.model.graph.value_info):
            for there in values:
                if there.name == name:
                    there.CopyFrom(value)
                    self.types[name] = value.type.tensor_type
                    return
        self.model.graph.value_info.append(value)
        self.types[name] = value.type.tensor_type
