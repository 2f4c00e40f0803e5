"""Training steps of torch modules within a budget of RAM: the executor of a schedule.

    step = poetbnb.torch.TrainingStep(module, loss, (x, y), ram_budget="50%", platform="a72")
    value = step(x, y)  # sets every .grad as backward() would

Works on CPU; Debian: python3-torch 1.13.1. docs/execute.md has the rules that it follows.
"""

import contextlib
import os
import pathlib
import statistics
import tempfile
import time

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

from . import Error, _calls, _torch, from_dict, solve
from ._torch import octets, raw


class Live(TorchDispatchMode):
    """Counts the bytes of the living storages that operators have allocated within it; peak: the most."""

    def __init__(self):
        super().__init__()
        self.made, self.peak = {}, 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        if func.overloadpacket is not torch.ops.aten.set_:  # which looks at a storage that is there
            read = tree_flatten((args, kwargs or {}))[0]
            given = {raw(t)._cdata for t in read if isinstance(t, torch.Tensor)}
            for t in tree_flatten(out)[0]:
                if isinstance(t, torch.Tensor) and raw(t)._cdata not in given:
                    self.made[raw(t)._cdata] = StorageWeakRef(raw(t)), raw(t).nbytes()
        self.made = {key: pair for key, pair in self.made.items() if not pair[0].expired()}
        self.peak = max(self.peak, sum(size for _, size in self.made.values()))
        return out


class Pages:
    """Secondary storage: host memory, or a file in a folder that is deleted with the object."""

    def __init__(self, folder):
        self.file = tempfile.TemporaryFile(dir=folder) if folder else None
        self.there = {}

    def out(self, key, storage):
        if self.file is None:
            self.there[key] = octets(storage).copy()
        else:
            self.there[key] = self.file.seek(0, os.SEEK_END), storage.nbytes()
            self.file.write(octets(storage))

    def back(self, key):
        """A new storage with what was written."""
        kept = self.there[key]
        made = torch.empty(len(kept) if self.file is None else kept[1], dtype=torch.uint8)
        if self.file is None:
            made.numpy()[:] = kept
        else:
            self.file.seek(kept[0])
            self.file.readinto(made.numpy())
        return raw(made)


def steps(result, inputs):
    """The schedule of a Result as a list of (what, node): "compute", "free", "pageout", "pagein".

    inputs: of each node. The rules of docs/formats.md: nodes of a stage are computed in their order, an input
    that nobody needs any more is released after its reader, the rest when the stage ends."""
    R, S, In, Out = result.R, result.S, result.In, result.Out
    n, done, there = len(R), [], set()

    def free(k):
        there.discard(k)
        done.append(("free", k))

    for t in range(n):
        done += [("pageout", int(k)) for k in Out[t].nonzero()[0]]
        computed = [int(k) for k in R[t].nonzero()[0]]
        stay = set(S[t + 1].nonzero()[0]) if t + 1 < n else set(inputs[t])
        last = {i: k for k in computed for i in inputs[k]}
        for k in computed:
            done.append(("compute", k))
            there.add(k)
            for i in inputs[k]:
                if last[i] == k and i not in stay and i in there:
                    free(i)
        for k in sorted(there - stay):
            free(k)
        for k in map(int, In[t].nonzero()[0]):
            if k in stay and k not in there:
                there.add(k)
                done.append(("pagein", k))
    return done


class TrainingStep:
    """Computes a loss and the gradients of a module's parameters within a budget.

    module: on the CPU, in the mode in which it is trained. loss(out, *targets) returns a tensor of one
    element. example: (inputs, *targets), whose shapes all batches have; inputs is a tensor or a tuple of
    them. Options are those of poetbnb.solve. storage: a folder for a file to page to, None: host memory.
    check: compare the living storages of each call with the budget. apply(parameter, gradient): with
    weight_gradients="applied" is called for each gradient as soon as it is there, and .grad is not set.

    graph (a dictionary), result (poetbnb.Result), peak_bytes (measured by check, of the last call).
    """

    def __init__(self, module, loss, example, ram_budget="50%", platform="a72", *, check=False, storage=None,
                 weight_gradients="kept", apply=None, optimizer=None, input_flops=None, name=None, **options):
        self.module, self.check, self.storage, self.apply = module, check, storage, apply
        self.platform, self.peak_bytes = platform, None
        if (weight_gradients == "applied") != (apply is not None):
            raise Error("TrainingStep: expected apply= with weight_gradients='applied', and only then")
        if not isinstance(example, (tuple, list)) or not example:
            raise Error(f"TrainingStep: example: expected (inputs, *targets), got {type(example).__name__}")
        inputs, *targets = example
        inputs = inputs if isinstance(inputs, (tuple, list)) else [inputs]
        self.step, self.graph = _torch.training_step(
            module, loss, inputs, targets, Error, True, weight_gradients, optimizer, input_flops, name)
        if any(t.device.type != "cpu" for _, t in self.step.outside(module)):
            raise Error("TrainingStep: expected a module on the CPU")
        self.modes = [m.training for m in module.modules()]
        self.solve(ram_budget, **options)

    def solve(self, ram_budget, graph=None, **options):
        """Another schedule: for another budget, or with the costs of another graph, as of profile()."""
        made = from_dict(graph or self.graph, platform=None if graph else self.platform)
        if len(made) != len(self.step.nodes) + 1:
            raise Error("TrainingStep: expected the graph of this step")
        result = solve(made, ram_budget=ram_budget, **options)
        if result.R is None:
            raise Error(f"TrainingStep: no schedule for {ram_budget}: {result.status}: {result.reason}")
        inputs = [node["inputs"] for node in made.to_dict()["nodes"]]
        planned = steps(result, inputs)
        self._keep_order_of_updates(planned)
        self.result, self.planned = result, planned
        computed = [k for what, k in planned if what == "compute"]
        self.again = {k for k in computed if computed.count(k) > 1} if len(computed) > len(made) else set()
        return result

    def _keep_order_of_updates(self, planned):
        updated = set()
        for k in [k for what, k in planned if what == "compute" and k < len(self.step.nodes)]:
            node = self.step.nodes[k]
            late = updated & {s.name for c in node.calls for s in c.reads if s.kind == "parameter"}
            if late:
                raise Error(f"TrainingStep: {node.name} is computed after the update of {min(late)}, which it "
                            "reads: take weight_gradients='kept' or a larger budget")
            updated |= {name for name, _ in node.applies}

    def __call__(self, *batch):
        if [m.training for m in self.module.modules()] != self.modes:
            raise Error("TrainingStep: expected the module in the mode, train or eval, that it had at first")
        parameters = dict(self.module.named_parameters())
        live = Live() if self.check else None
        with torch.no_grad(), live or contextlib.nullcontext():
            run = Run(self, batch, parameters)
            for what, k in self.planned:
                if k < len(self.step.nodes):
                    getattr(run, what)(k)
        if live:
            self.peak_bytes = live.peak
            if live.peak > self.result.ram_budget_bytes:
                raise Error(f"TrainingStep: {live.peak} bytes were in use, "
                            f"{self.result.ram_budget_bytes} are allowed")
        with torch.no_grad():
            for name, v in self.step.gradients if self.apply is None else ():
                if v and parameters[name].grad is None:
                    parameters[name].grad = run.tensor(v)
                elif v:
                    parameters[name].grad += run.tensor(v)
            return run.tensor(self.step.loss).clone()

    def profile(self, repeats=5, watts=None):
        """The graph with measured costs: seconds of each node on this machine (medians), and joules.

        watts: of the processor; None: from the RAPL counters of Linux, where they can be read. Transfers
        cost what they do on the platform of this step. Batches are zeros; nothing of the module changes.
        """
        seconds = [[] for _ in self.step.nodes]
        batch = [torch.zeros(v.size, dtype=v.dtype) for v in self.step.inputs]
        counter, begin = _energy(), time.perf_counter()
        with torch.no_grad(), torch.random.fork_rng(devices=[]):
            for _ in range(repeats + 1):  # the first warms up
                run = Run(self, batch, dict(self.module.named_parameters()))
                with run.unchanged({s for node in self.step.nodes for s in node.changes}):
                    for k in range(len(self.step.nodes)):
                        start = time.perf_counter()
                        run.compute(k)
                        seconds[k].append(time.perf_counter() - start)
        if watts is None and counter is None:
            raise Error("profile: expected watts=, since no RAPL counter can be read")
        watts = watts or (_energy() - counter) / (time.perf_counter() - begin)
        graph = from_dict(self.graph, platform=self.platform).to_dict()
        for node, times in zip(graph["nodes"], seconds):
            node["seconds"] = statistics.median(times[1:])
            node["joules"] = node["seconds"] * watts
        return graph


def _energy():
    """Joules of the processors since some moment, by RAPL; None where no counter can be read."""
    try:
        counters = pathlib.Path("/sys/class/powercap").glob("intel-rapl:?/energy_uj")
        return sum(int(p.read_text()) for p in counters) / 1e6 or None
    except OSError:
        return None


class Run:
    """The memory of a call of a TrainingStep, and what its steps do with it."""

    def __init__(self, owner, batch, parameters):
        self.nodes, self.again, self.apply = owner.step.nodes, owner.again, owner.apply
        self.parameters, self.memory, self.kept, self.done = parameters, {}, {}, set()
        self.outside = {s: raw(t) for s, t in owner.step.outside(owner.module)}
        self.pages = Pages(owner.storage)
        flat = [t for part in batch for t in (part if isinstance(part, (tuple, list)) else [part])]
        if [(tuple(t.size()), t.dtype) for t in flat] != [(v.size, v.dtype) for v in owner.step.inputs]:
            expected = [(v.size, v.dtype) for v in owner.step.inputs]
            raise Error(f"TrainingStep: expected a batch like the example, {expected}")
        self.batch = dict(zip((v.storage for v in owner.step.inputs), zip(owner.step.inputs, flat)))

    def tensor(self, v):
        storage = self.memory[v.storage] if v.storage in self.memory else self.outside[v.storage]
        return torch.empty(0, dtype=v.dtype).set_(storage, v.offset, v.size, v.stride)

    def compute(self, k):
        node = self.nodes[k]
        if node.op == "input":  # a copy: the caller's tensor may live on
            v, given = self.batch[node.outs[0]]
            copy = torch.empty_strided(v.size, v.stride, dtype=v.dtype).copy_(given)
            self.memory[v.storage] = raw(copy)
        elif k in self.done and node.stateful:
            generator, contents = self.kept[k]
            with self.unchanged(node.changes):
                torch.set_rng_state(generator)
                for s, bytes_then in zip(node.changes, contents):
                    octets(self.outside[s])[:] = bytes_then
                self.calls(node, False)
        else:
            if k in self.again and node.stateful:
                self.kept[k] = torch.get_rng_state(), [octets(self.outside[s]).copy() for s in node.changes]
            self.calls(node, k not in self.done)
        self.done.add(k)

    def calls(self, node, first):
        for c in node.calls:
            self.call(c, node.name)
            if c is node.calls[-1] and first and self.apply:
                for name, v in node.applies:
                    self.apply(self.parameters[name], self.tensor(v))
            for s in c.dies:
                del self.memory[s]

    def call(self, c, name):
        """Calls an operator. A function of its own: no tensor outlives it but in the memory."""
        args, kwargs = _calls.mapped((c.args, c.kwargs), self.tensor)
        for v, t in zip(c.outs, tree_flatten(c.func(*args, **kwargs))[0]):
            if v is not None and v.storage in c.makes:
                if (t.stride(), t.storage_offset()) != (v.stride, v.offset):
                    raise Error(f"TrainingStep: {name}: the layout differs from that of the example")
                self.memory[v.storage] = raw(t)

    @contextlib.contextmanager
    def unchanged(self, buffers):
        """Generator and buffers are afterwards as they were."""
        generator, contents = torch.get_rng_state(), [(s, octets(self.outside[s]).copy()) for s in buffers]
        yield
        torch.set_rng_state(generator)
        for s, then in contents:
            octets(self.outside[s])[:] = then

    def free(self, k):
        for s in self.nodes[k].outs:
            del self.memory[s]

    def pageout(self, k):
        for s in self.nodes[k].outs:
            self.pages.out(s, self.memory[s])

    def pagein(self, k):
        for s in self.nodes[k].outs:
            self.memory[s] = self.pages.back(s)
