"""Schedules of rematerialisation and paging at least energy, proven optimal.

    import poetbnb
    result = poetbnb.solve("mine.json", ram_budget="50%")
    result.status, result.overhead_joules, result.R

A graph is a Graph (`builtin`, `read`, `from_dict`, `from_networkx`), or what one can be made of:
the path of a JSON file, a dictionary of its form, or a networkx graph. Everything that goes wrong
with what was given is a poetbnb.Error, whose text names the place and what was expected.
"""

import ctypes
import importlib
import json
import os
import sys
import threading

from . import _library, _onnx

_lib = _library.Library()

__version__ = _lib.version().decode()
__all__ = [
    "Error",
    "Graph",
    "Result",
    "builtin",
    "from_dict",
    "from_networkx",
    "import_onnx",
    "import_torch",
    "read",
    "settings",
    "solve",
    "sweep",
]


def __getattr__(name):
    """poetbnb.torch is imported at its first use: it needs torch."""
    if name == "torch":
        return importlib.import_module(".torch", __name__)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class Error(ValueError):
    """What was given is not what was expected."""


def _fail(error):
    raise Error(error.text.decode(errors="replace"))


def _bytes(value):
    return os.fsencode(value) if isinstance(value, os.PathLike) else str(value).encode()


# ---- graphs ------------------------------------------------------------------------------------


class Graph:
    """A training graph with its costs; made by the functions below, never changed."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        if getattr(self, "_handle", None):
            _lib.graph_free(self._handle)

    def __len__(self):
        return _lib.graph_nodes(self._handle)

    def __repr__(self):
        return f"<poetbnb.Graph {self.name!r}: {len(self)} nodes, {self.peak_bytes} bytes>"

    @property
    def name(self):
        return _lib.graph_name(self._handle).decode()

    @property
    def joules(self):
        """Energy of computing every node once."""
        return _lib.graph_joules(self._handle)

    @property
    def seconds(self):
        """Time of computing every node once."""
        return _lib.graph_seconds(self._handle)

    @property
    def peak_bytes(self):
        """What keeping everything takes: 100 % of a budget."""
        return _lib.graph_peak_bytes(self._handle)

    @property
    def resident_bytes(self):
        """In RAM all the time beside the nodes' outputs; a budget in bytes includes them."""
        return _lib.graph_resident_bytes(self._handle)

    @property
    def minimum_bytes(self):
        """No schedule fits into less."""
        return _lib.graph_minimum_bytes(self._handle)

    @property
    def aliases(self):
        """What else goes by the memory of a node: name -> (number of the node, kind).

        Views, what is overwritten in place, and the several outputs of a node (NODE.OUTPUT) are no
        nodes of the graph; this tells where they went. The kind is "view", "overwritten", "output"
        or "unread", as docs/formats.md has it.
        """
        found, alias, node, k = {}, _library.Alias(), _library.Node(), 0
        while _lib.graph_alias(self._handle, k, alias) == 0:
            name = alias.name.decode()
            if alias.kind in (b"output", b"unread"):
                _lib.graph_node(self._handle, alias.node, node)
                name = f"{node.name.decode()}.{name}"
            found[name] = (alias.node, alias.kind.decode())
            k += 1
        return found

    def to_dict(self):
        """The graph in the form of graph files."""
        error = _library.Error()
        text = _lib.graph_json(self._handle, error)
        return json.loads(_lib.text(text)) if text else _fail(error)

    def table(self):
        """The nodes as a pandas.DataFrame."""
        import pandas

        table = pandas.DataFrame(self.to_dict()["nodes"])
        table.index.name = "node"
        return table


def _graph(handle, error):
    return Graph(handle) if handle else _fail(error)


def builtin(model, platform, batch_size=1, mem_power_scale=1.0, backward="published"):
    """The graph of a built-in network on a platform (a name, or the path of a JSON file)."""
    error = _library.Error()
    how = _library.Builtin(batch_size, mem_power_scale, backward.encode())
    return _graph(_lib.graph_builtin(_bytes(model), _bytes(platform), how, error), error)


def read(path, platform=None):
    """The graph of a JSON file; a platform costs the nodes that have FLOPs."""
    error = _library.Error()
    return _graph(_lib.graph_read(_bytes(path), platform and _bytes(platform), error), error)


def from_dict(graph, name="graph", platform=None):
    """The graph of a dictionary in the form of graph files; errors call it `name`.

    A platform costs the nodes that have "flops".
    """
    error = _library.Error()
    try:
        text = json.dumps(graph, allow_nan=False).encode()
    except (TypeError, ValueError) as why:
        raise Error(f"{name}: expected what JSON can hold: {why}") from None
    where = platform and _bytes(platform)
    return _graph(_lib.graph_parse(text, len(text), name.encode(), where, error), error)


def from_networkx(graph, name=None, platform=None):
    """The graph of a networkx.DiGraph.

    An edge (a, b) says that b reads the output of a. The attributes of a node are the keys of a
    node of a graph file: bytes, seconds, joules, pagein_joules and so on, or flops, which a platform
    costs; backward, workspace_bytes, pin, output, stateful, op, shape, notes; view, in_place (the node
    that is overwritten), outputs. resident_bytes is an attribute of the graph. An edge may have the attribute output, the index of the output of a that b
    reads. Nodes are computed in the order in which the graph lists them where that is topological,
    else in networkx's topological order.
    """
    import networkx

    if not graph.is_directed() or graph.is_multigraph():
        raise Error("from_networkx: expected a networkx.DiGraph")
    name = name or str(graph.graph.get("name", ""))
    order = list(graph)
    place = {node: k for k, node in enumerate(order)}
    if any(place[a] >= place[b] for a, b in graph.edges):
        try:
            order = list(networkx.topological_sort(graph))
        except networkx.NetworkXUnfeasible:
            cycle = " reads ".join(str(b) for _, b in reversed(networkx.find_cycle(graph)))
            raise Error(f"from_networkx: the graph has a cycle: {cycle}") from None
        place = {node: k for k, node in enumerate(order)}
    nodes = [
        {
            "name": str(node),
            **graph.nodes[node],
            "inputs": [
                [place[a], edge["output"]] if "output" in edge else place[a]
                for a, edge in sorted(graph.pred[node].items(), key=lambda item: place[item[0]])
            ],
        }
        for node in order
    ]
    for node in nodes:
        if node.get("in_place") in place:
            node["in_place"] = place[node["in_place"]]
        for key, value in node.items():
            if hasattr(value, "item"):  # numpy's numbers
                node[key] = value.item()
    resident = {key: graph.graph[key] for key in ("resident_bytes",) if key in graph.graph}
    return from_dict({"name": name, **resident, "nodes": nodes}, name or "networkx graph", platform)


def import_onnx(model, backward="autodiff", sizes=None, unknown="error", name=None, *, shapes=None,
                weight_gradients="kept", input_flops=None):
    """The training graph of an ONNX model, as the dictionary of a graph file with FLOPs for costs.

        graph = poetbnb.import_onnx("net.onnx", sizes={"batch": 8})
        poetbnb.solve(graph, platform="a72", ram_budget="50%")

    model: a path or an onnx.ModelProto, of the forward pass. backward: "autodiff", gradients along the real
    edges, or "published", the paper's chain. sizes: of dimensions that the inputs leave free; shapes: of
    inputs. unknown: "error", or "warn" to count one FLOP for each element that an operator without a rule
    puts out. weight_gradients: "kept" in RAM until the step ends, or "applied" where they are computed.
    input_flops: of reading an input again; None: inputs are not read again. docs/library.md has the rules.
    """
    options = {"backward": backward, "sizes": sizes, "shapes": shapes, "unknown": unknown, "name": name,
               "weight_gradients": weight_gradients, "input_flops": input_flops}
    return _onnx.training_graph(model, options, Error)


def import_torch(module, inputs, loss=None, targets=(), *, weight_gradients="kept", optimizer=None,
                 input_flops=None, name=None, unknown=None):
    """The training graph of a torch.nn.Module, forward and backward pass as torch computes them.

    inputs: example tensors of a call. loss(out, *targets): a tensor of one element; None: the sum of what
    the module puts out. weight_gradients: "kept" in RAM until the step ends, or "applied" where they are
    computed. optimizer: of torch, whose state counts as resident. input_flops: of reading an input again;
    None: inputs are not read again. unknown: without effect, every operator has its costs. The module is
    not changed. docs/library.md has the rules.
    """
    try:
        from . import _torch
    except ImportError as why:
        raise Error(f"import from torch: the package torch is missing (Debian: python3-torch) for {sys.executable}: "
                    f"{why}") from None
    inputs = list(inputs) if isinstance(inputs, (tuple, list)) else [inputs]
    return _torch.training_step(module, loss, inputs, targets, Error, False, weight_gradients, optimizer,
                                input_flops, name)[1]


def _as_graph(graph, platform=None):
    if isinstance(graph, Graph):
        if platform:
            raise Error("a poetbnb.Graph has its costs: no platform is expected beside it")
        return graph
    if isinstance(graph, dict):
        return from_dict(graph, platform=platform)
    if isinstance(graph, (str, os.PathLike)):
        return read(graph, platform)
    if hasattr(graph, "is_directed"):
        return from_networkx(graph, platform=platform)
    raise Error(
        "expected a poetbnb.Graph, the path of a graph file, a dictionary or a networkx graph, "
        f"got {type(graph).__name__}"
    )


# ---- results -----------------------------------------------------------------------------------


class Result:
    """What a solve found.

    status: "optimal", "within gap", "infeasible", "feasible", "unknown" or "failed"; reason: why
    it is infeasible, or which limit ended the search. The figures of poetbnb_figures (poetbnb.h)
    are attributes: overhead_joules, bound_joules, gap, peak_bytes, ...; NaN and -1 without a
    schedule. R, S, A, In and Out are numpy arrays of shape (n, n) that must not be changed, None
    without a schedule: cell (t, i) says what happens to node i in stage t.
    """

    def __init__(self, handle, graph):
        self._handle = handle
        self._given = graph
        self.status = _lib.result_status_name(handle).decode()
        self.reason = _lib.result_reason(handle).decode()
        self.certified = bool(_lib.result_certified(handle, None))
        self.figures = _library.Figures()
        _lib.result_figures(handle, self.figures)

    def __del__(self):
        if getattr(self, "_handle", None):
            _lib.result_free(self._handle)

    def __getattr__(self, name):
        if name.startswith("_") or name == "figures":
            raise AttributeError(name)
        return getattr(self.figures, name)

    def __dir__(self):
        return [*super().__dir__(), *(name for name, _ in _library.Figures._fields_)]

    def __repr__(self):
        return f"<poetbnb.Result {self.status}: {self.overhead_joules:.6g} J of overhead>"

    def _nodes(self):
        return _lib.graph_nodes(_lib.result_graph(self._handle))

    def _matrix(self, which):
        try:
            import numpy
        except ImportError as why:
            raise Error(f"matrices: the package numpy is missing (Debian: python3-numpy) for {sys.executable}: "
                        f"{why}") from None
        address = _lib.result_matrix(self._handle, which)
        if not address:
            return None
        n = self._nodes()
        cells = (ctypes.c_uint8 * (n * n)).from_address(address)
        cells._keep = self  # the memory is the result's
        matrix = numpy.frombuffer(cells, dtype=numpy.uint8).reshape(n, n)
        matrix.flags.writeable = False
        return matrix

    R = property(lambda self: self._matrix(0), doc="computed")
    S = property(lambda self: self._matrix(1), doc="in RAM when the stage begins")
    A = property(lambda self: self._matrix(2), doc="on storage when the stage begins")
    In = property(lambda self: self._matrix(3), doc="paged in")
    Out = property(lambda self: self._matrix(4), doc="paged out")

    def memory(self):
        """Most bytes in use during each stage, a numpy array; None without a schedule."""
        import numpy

        bytes_used = (ctypes.c_int64 * self._nodes())()
        if _lib.result_memory(self._handle, bytes_used) != 0:
            return None
        return numpy.array(bytes_used, dtype=numpy.int64)

    def table(self):
        """What each stage does, a pandas.DataFrame with a line a stage.

        Columns: computes (the node), again, pages_in, pages_out (lists of nodes), bytes (most in
        use). None without a schedule.
        """
        import pandas

        R = self.R
        if R is None:
            return None
        names = [node["name"] for node in self.to_dict_graph()["nodes"]]

        def listed(matrix, stage):
            return [names[i] for i in matrix[stage].nonzero()[0] if matrix is not R or i < stage]

        In, Out = self.In, self.Out
        return pandas.DataFrame(
            {
                "computes": names,
                "again": [listed(R, t) for t in range(len(names))],
                "pages_in": [listed(In, t) for t in range(len(names))],
                "pages_out": [listed(Out, t) for t in range(len(names))],
                "bytes": self.memory(),
            }
        ).rename_axis("stage")

    def to_dict_graph(self):
        """The graph in whose order the schedule is, in the form of graph files."""
        error = _library.Error()
        text = _lib.graph_json(_lib.result_graph(self._handle), error)
        return json.loads(_lib.text(text)) if text else _fail(error)

    def _json(self, function):
        error = _library.Error()
        text = function(self._handle, error)
        return _lib.text(text) if text else _fail(error)

    def to_dict(self):
        """The schedule in the form of schedule files."""
        return json.loads(self._json(_lib.result_json))

    def plan(self):
        """What the device executes, in the form of plan files."""
        return json.loads(self._json(_lib.result_plan))

    def write(self, path):
        """Writes the schedule as a file for `poetbnb plan` and `poetbnb check`."""
        text = self._json(_lib.result_json)
        beside = f"{os.fspath(path)}.{os.getpid()}.partial"
        try:
            with open(beside, "w", encoding="utf-8") as file:
                file.write(text)
            os.replace(beside, path)
        finally:
            if os.path.exists(beside):
                os.unlink(beside)


# ---- solving -----------------------------------------------------------------------------------


def settings():
    """All settings of a solve: name -> (what is expected, initial value or None, help)."""
    known, info, k = {}, _library.Setting(), 0
    while _lib.setting(k, info) == 0:
        initial = info.initial.decode() if info.initial else None
        known[info.name.decode()] = (info.values.decode(), initial, info.help.decode())
        k += 1
    return known


def _setting(name, value):
    """Name and value as poetbnb_set takes them."""
    if isinstance(value, dict):
        value = [f"{key}={_setting(key, of)[1]}" for key, of in value.items()]
    if isinstance(value, bool):
        value = "on" if value else "off"
    elif isinstance(value, (list, tuple)):
        value = ",".join(str(word) for word in value)
    elif isinstance(value, float) and name != "runtime_budget":
        value = repr(value)
    return name.replace("_", "-"), value


_ALIASES = {"time_limit": "time_limit_s", "threads": "solve_threads"}


class _Solver:
    """A solver of the library with its callbacks."""

    def __init__(self, graph, options):
        error = _library.Error()
        self.graph = graph
        self.failure = None  # an exception of a callback
        self.callbacks = []
        self.handle = _lib.solver_create(graph._handle, error) or _fail(error)
        for name, value in options.items():
            if value is None:
                continue
            name, value = _setting(_ALIASES.get(name, name), value)
            if _lib.set(self.handle, _bytes(name), _bytes(value), error) != 0:
                _fail(error)

    def __del__(self):
        if getattr(self, "handle", None):
            _lib.solver_free(self.handle)

    def on(self, register, kind, function):
        if function is None:
            return

        def guarded(*arguments):
            try:
                return int(bool(function(*arguments[1:]))) if kind is _library.STOP else function(
                    *arguments[1:]
                )
            except BaseException as why:  # noqa: BLE001 - raised again where solve was called
                self.failure = self.failure or why
                _lib.stop(self.handle)
                return 1 if kind is _library.STOP else None

        callback = kind(guarded)
        self.callbacks.append(callback)
        register(self.handle, callback, None)

    def run(self):
        """Solves in another thread, so that Ctrl-C finds this one."""
        error, found = _library.Error(), []
        thread = threading.Thread(target=lambda: found.append(_lib.solve(self.handle, error)))
        thread.start()
        interrupted = None
        while thread.is_alive():
            try:
                thread.join(0.1)
            except KeyboardInterrupt as why:
                interrupted = why
                _lib.stop(self.handle)
        result = Result(found[0], self.graph) if found and found[0] else None
        if interrupted or self.failure:
            raise interrupted or self.failure
        return result or _fail(error)


def solve(
    graph=None,
    *,
    model=None,
    platform=None,
    batch_size=1,
    mem_power_scale=1.0,
    backward="published",
    log=None,
    on_incumbent=None,
    stop=None,
    **options,
):
    """The schedule with the least energy, with a proof: a Result.

    Either a graph, with a platform if its nodes have FLOPs instead of costs, or the names of a
    model and a platform, as in the paper's artifact:

        poetbnb.solve(graph, ram_budget="50%")
        poetbnb.solve(graph, platform="a72", ram_budget="50%")
        poetbnb.solve(model="vgg16_cifar", platform="a72", ram_budget=3000000, runtime_budget=1.5)

    ram_budget: bytes, or a text as on the command line ("1.2M", "50%"). Further options are the
    settings of the library (poetbnb.settings() lists them) with _ for -: runtime_budget, paging,
    remat, time_limit_s, gap, solve_threads, warm_start, ...; True and False stand for on and off.
    set={"exact.cut_rounds": 10} changes parameters of the search.

    log(line), on_incumbent(what) and stop() -> bool are called during the solve, by other threads.
    Ctrl-C stops the solve.
    """
    if graph is None:
        if not model or not platform:
            raise Error("solve: expected a graph, or model= and platform=")
        graph, platform = builtin(model, platform, batch_size, mem_power_scale, backward), None
    elif model:
        raise Error("solve: expected a graph or model=, got both")
    solver = _Solver(_as_graph(graph, platform), options)
    solver.on(_lib.on_log, _library.LOG, log and (lambda line: log(line.decode(errors="replace"))))
    solver.on(_lib.on_incumbent, _library.FOUND, on_incumbent and (lambda p: on_incumbent(_copy(p))))
    solver.on(_lib.on_stop, _library.STOP, stop)
    return solver.run()


class Incumbent:
    """A schedule that was the best for a while: overhead_joules, seconds, peak_bytes, source."""

    def __init__(self, what):
        self.overhead_joules = what.overhead_joules
        self.seconds = what.seconds
        self.peak_bytes = what.peak_bytes
        self.source = what.source.decode(errors="replace")


def _copy(pointer):
    return Incumbent(pointer.contents)


def sweep(graph, ram_budgets, platform=None, **options):
    """A solve at each budget: a pandas.DataFrame with a line a budget.

    Columns: ram_budget (as given), status, reason and the figures of poetbnb.h. options as of
    solve.
    """
    import pandas

    graph = _as_graph(graph, platform)
    lines = []
    for budget in ram_budgets:
        result = solve(graph, ram_budget=budget, **options)
        line = {"ram_budget": budget, "status": result.status, "reason": result.reason}
        line.update((name, getattr(result, name)) for name, _ in _library.Figures._fields_)
        lines.append(line)
    return pandas.DataFrame(lines)
