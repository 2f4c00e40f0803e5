"""The training step of a torch module as a graph: forward and backward pass in ATen operators.

One run of the step under a dispatch mode records every operator that torch calls, with the storages
that it reads, writes and allocates. There are no rules for single operators but the FLOPs of convolutions
and products. Debian: python3-torch 1.13.1.
"""

import contextlib
import math
import traceback

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
from torch.multiprocessing.reductions import StorageWeakRef
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten, tree_map

from ._calls import Call, Storage, Value, graph, lower, values

PRODUCTS = {"mm", "addmm", "bmm", "baddbmm", "mv", "addmv"}
Tag, aten = torch.Tag, torch.ops.aten


def raw(tensor):
    """The storage of a tensor, without a type."""
    return tensor.untyped_storage() if hasattr(tensor, "untyped_storage") else tensor._storage()


def octets(storage):
    """The bytes of a storage as a numpy array, in place."""
    return torch.empty(0, dtype=torch.uint8).set_(storage, 0, (storage.nbytes(),), (1,)).numpy()


def line():
    """The line of the user's program that is being executed."""
    inside = torch.__path__[0] + "/", __file__.rpartition("/")[0] + "/"
    frames = [f for f in traceback.extract_stack() if not f.filename.startswith(inside)]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else "?"


def flops(func, args, outs):
    """FLOPs: two for each multiplication of a product or convolution; else one for each element of the
    largest tensor that is read or made."""
    name = func.overloadpacket.__name__
    read = list(values(args))
    made = [v.elements for v in outs if v]
    if name in PRODUCTS:
        return 2 * made[0] * read[-2].size[-1] + made[0] * name.startswith(("addm", "badd"))
    if name == "convolution":
        pixels = args[0].elements if args[6] else made[0]
        return 2 * pixels * math.prod(args[1].size[1:]) + made[0] * (args[2] is not None)
    if name == "convolution_backward":
        gradient, pixels, weight = (v.elements for v in args[:3])
        pixels = pixels if args[7] else gradient
        return sum(args[10][:2]) * 2 * pixels * math.prod(args[2].size[1:]) + gradient * args[10][2]
    return 0 if name.startswith(("empty", "new_empty")) else max([v.elements for v in read] + made)


def depends(func, described):
    """True if a call returns a number, or if shapes depend on values; those of an index by integers do not."""
    masks = any(v.dtype in (torch.bool, torch.uint8) for v in list(values(described))[1:])
    shapes = getattr(Tag, "dynamic_output_shape", None) in func.tags
    return Tag.data_dependent_output in func.tags or shapes and (masks or func.overloadpacket is not aten.index)


class Recorder(TorchDispatchMode):
    """Records the calls of operators within it.

    calls: in order, without views. module: names of the modules that are running, the innermost last.
    seen: address of a storage -> (a weak reference, so that the address is not used again; its Storage).
    generator: the generator's state after the last random call.
    """

    def __init__(self, fail):
        super().__init__()
        self.fail, self.calls, self.backward, self.module, self.seen = fail, [], False, [], {}
        self.generator = torch.get_rng_state()

    def know(self, tensor, kind, name):
        """The Storage of a tensor; a new one of this kind and name at the first sight of it."""
        if tensor.layout != torch.strided or tensor.is_conj() or tensor.is_neg():
            raise self.fail(f"{line()}: expected strided tensors, got {tensor.layout} or a lazy conjugate")
        memory = raw(tensor)
        if memory._cdata not in self.seen:
            if kind == "constant" and tensor.requires_grad:
                raise self.fail(f"{line()}: reads a trained tensor that is no parameter of the module")
            made = Storage(memory.nbytes(), kind, name, tensor.detach() if kind == "constant" else None)
            self.seen[memory._cdata] = StorageWeakRef(memory), made
        return self.seen[memory._cdata][1]

    def value(self, tensor, kind="constant", name=""):
        storage = self.know(tensor, kind, name)
        return Value(storage, tensor.dtype, tuple(tensor.size()), tensor.stride(), tensor.storage_offset())

    def written(self, func, args, kwargs):
        """The Storages that a call writes: by the operator's schema, or the statistics of a batch norm."""
        schema, found = func._schema.arguments, []
        given = dict(zip((a.name for a in schema), args), **kwargs)
        for a in schema:
            if a.alias_info is not None and a.alias_info.is_write:
                found += values(given.get(a.name))
        name = func._schema.name
        if "batch_norm" in name and "backward" not in name and given.get("training"):
            found += [given[n] for n in ("running_mean", "running_var") if given.get(n) is not None]
        refused = {"parameter": "the parameter", "input": "an input of the step",
                   "constant": "a tensor that is neither parameter nor buffer"}
        for s in (v.storage for v in found):
            if s.kind in refused:
                raise self.fail(f"{line()}: {func}: writes to {refused[s.kind]} {s.name}")
        return {v.storage for v in found}

    def same_generator(self):
        """Refuses random numbers that no operator is marked for, and a generator that is set."""
        if not torch.equal(self.generator, torch.get_rng_state()):
            raise self.fail(f"{line()}: the state of the random generator was set, or changed by an operator "
                            "that is not marked as random (torch.utils.checkpoint sets it)")

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is aten.lift_fresh.default:  # looks at a constant, which may be written to
            func = aten.lift_fresh_copy.default
        kwargs = kwargs or {}
        described = tree_map(lambda a: self.value(a) if isinstance(a, torch.Tensor) else a, (args, kwargs))
        read = {v.storage for v in values(described)}
        if depends(func, described) and any(s.kind != "constant" and not s.fixed for s in read):
            raise self.fail(f"{line()}: {func}: the next operators, or their shapes, would depend on values of the "
                            "batch or of a buffer")
        writes, random = self.written(func, *described), Tag.nondeterministic_seeded in func.tags
        if random:
            self.same_generator()
            if any(isinstance(a, torch.Generator) for a in [*args, *kwargs.values()]):
                raise self.fail(f"{line()}: {func}: expected torch's default generator, got another")
        out = func(*args, **kwargs)
        self.generator = torch.get_rng_state() if random else self.generator
        outs = [o if isinstance(o, torch.Tensor) else None for o in tree_flatten(out)[0]]
        outs = [None if o is None else self.value(o, "inner", func.overloadpacket.__name__) for o in outs]
        makes = list(dict.fromkeys(v.storage for v in outs if v and v.storage not in read))
        for s in makes:
            s.fixed = not random and all(r.fixed or r.kind == "constant" for r in read)
        if makes or writes or random:
            self.record(func, *described, outs, makes, writes, random)
        return out

    def record(self, func, args, kwargs, outs, makes, writes, random):
        where = self.module[-1] if self.module else ""
        if self.backward:  # the module of the parameter that it reads
            names = [v.storage.name for v in values(args) if v.storage.kind == "parameter"]
            where = names[0].rpartition(".")[0] if names else ""
        parts = [(args, outs, makes)]
        if func is aten.convolution_backward.default and args[10][0] and any(args[10][1:]):
            # The gradient of the weight may survive the step, that of the input does not: two calls.
            masks = [True, False, False], [False, *args[10][1:]]
            parts = [([*args[:10], mask], [v if m else None for v, m in zip(outs, mask)], None)
                     for mask in masks]
        for args, outs, makes in parts:
            makes = [v.storage for v in outs if v] if makes is None else makes
            self.calls.append(Call(func, args, kwargs, outs, makes, writes, random, self.backward, where,
                                   flops(func, args, outs)))


def unchanged(before, after):
    """Compares bits; true for tensors without values."""
    return isinstance(after, FakeTensor) or octets(raw(before)).tobytes() == octets(raw(after)).tobytes()


@contextlib.contextmanager
def _borrowed(module, replace, recorder):
    """Gives a module other parameters, buffers and tensors as attributes, and takes them back afterwards.
    replace(tensor, kind): what takes the place of one. Yields pairs of name and tensor of the parameters
    that are trained."""
    names = {m: name for name, m in module.named_modules()}
    before = [(m, name, t, kind) for m in names for kind, there in
              (("parameter", m._parameters), ("buffer", m._buffers), ("constant", m.__dict__))
              for name, t in there.items() if isinstance(t, torch.Tensor)]
    made = {}

    def enter(m, _):
        recorder.module.append(names.get(m, ""))

    def leave(*_):
        recorder.module.pop()

    hooks = [register_module_forward_pre_hook(enter), register_module_forward_hook(leave)]
    try:
        for m, name, t, kind in before:
            if id(t) not in made:
                made[id(t)] = replace(t, kind)
                if kind != "constant":
                    recorder.know(made[id(t)], kind, f"{names[m]}.{name}".lstrip("."))
            if made[id(t)] is not t:
                setattr(m, name, made[id(t)])
        yield [(recorder.value(t).storage.name, t) for t in made.values()
               if isinstance(t, torch.nn.Parameter) and t.requires_grad]
        written = {s for c in recorder.calls for s in c.writes}
        for m, name, t, kind in before:
            mine, label = made[id(t)], "the buffer " + f"{names[m]}.{name}".lstrip(".")
            if kind == "buffer" and getattr(m, name) is not mine:
                raise recorder.fail(f"{label} is assigned: expected a write to the tensor that is there")
            if kind == "buffer" and recorder.value(mine).storage not in written and not unchanged(t, mine):
                raise recorder.fail(f"{label} is changed by an operator whose schema does not say so")
    finally:
        for m, name, t, _ in before:
            if getattr(m, name, None) is not t:
                setattr(m, name, t)
        for hook in hooks:
            hook.remove()


def own_memory(tensors, recorder):
    """The tensors, copied where one shares its memory or does not fill it, as backward() does."""
    taken = set()
    for t in tensors:
        if t is None:
            yield None
            continue
        mine = recorder.value(t).storage
        whole = mine.kind == "inner" and mine.bytes == t.numel() * t.element_size()
        t = t if whole and raw(t)._cdata not in taken else t.clone(memory_format=torch.contiguous_format)
        taken.add(raw(t)._cdata)
        yield t


class Step:
    """A recorded training step: nodes (of _calls.lower), values of inputs and loss, and gradients, pairs of a
    parameter's name and a value, None where it has none. meta: torch runs it without values. external:
    storages from outside, of resident bytes in sum.
    """

    def __init__(self, module, loss, inputs, targets, meta, applied, fail):
        fake = FakeTensorMode() if meta else contextlib.nullcontext()

        def replace(t, kind):
            return fake.from_tensor(t) if meta else t.clone() if kind == "buffer" else t

        recorder = Recorder(fail)
        batch = [fake.from_tensor(t) if meta else t.detach().clone() for t in (*inputs, *targets)]
        self.inputs = [recorder.value(t, "input", f"input{k}") for k, t in enumerate(batch)]
        with _borrowed(module, replace, recorder) as parameters, torch.random.fork_rng(devices=[]):
            with torch.enable_grad(), fake, recorder:
                out = module(*batch[: len(inputs)])
                result = loss(out, *batch[len(inputs):])
                if not isinstance(result, torch.Tensor) or result.numel() != 1:
                    raise fail("the loss: expected a tensor of one element")
                if not result.requires_grad:
                    raise fail("the loss depends on no parameter that is trained")
                recorder.backward = True
                gradients = torch.autograd.grad(result, [p for _, p in parameters], allow_unused=True)
                found = list(own_memory([result.detach(), *gradients], recorder))
            recorder.same_generator()
        self.loss, *gradients = [t if t is None else recorder.value(t) for t in found]
        self.gradients = [(name, v) for (name, _), v in zip(parameters, gradients)]
        self.external = [s for _, s in recorder.seen.values() if s.kind in ("parameter", "buffer", "constant")]
        self.resident = sum(s.bytes for s in self.external)
        lower(self, recorder.calls, applied, aten.clone.default)

    def outside(self, module):
        """Pairs of an external storage and a tensor on it."""
        named = {**dict(module.named_parameters()), **dict(module.named_buffers())}
        return [(s, named[s.name] if s.kind != "constant" else s.tensor) for s in self.external]


def optimizer_bytes(optimizer):
    """Bytes of an optimizer's state after its first step, from a step on parameters of eight elements."""
    groups = [{**group, "params": [torch.zeros(8, dtype=p.dtype, requires_grad=True) for p in group["params"]]}
              for group in optimizer.param_groups]
    small = [p for group in groups for p in group["params"]]
    for p in small:
        p.grad = torch.zeros_like(p)
    twin = type(optimizer)(groups)
    twin.step()
    real = [p for group in optimizer.param_groups for p in group["params"]]
    state = [(p, t) for p, q in zip(real, small) for t in twin.state[q].values() if isinstance(t, torch.Tensor)]
    return sum((p.numel() if t.numel() == 8 else t.numel()) * t.element_size() for p, t in state)


def total(out):
    """The sum of all elements that a module puts out: a loss for want of another."""
    tensors = [t for t in tree_flatten(out)[0] if isinstance(t, torch.Tensor) and t.is_floating_point()]
    first, *more = [t.sum() for t in tensors]
    return sum(more, first)


def training_step(module, loss, inputs, targets, error, real=False, weight_gradients="kept", optimizer=None,
                  input_flops=None, name=None):
    """A Step and the dictionary of its graph. real: for an executor, which replays stateful nodes: torch runs the
    step with values; else without them where it can. Errors, of type error, name the module."""
    if not isinstance(module, torch.nn.Module):
        raise error(f"expected a torch.nn.Module, got {type(module).__name__}")
    if weight_gradients not in ("kept", "applied"):
        raise error(f"weight_gradients: expected 'kept' or 'applied', got {weight_gradients!r}")
    name = name or type(module).__name__

    def fail(text):
        return error(f"{name}: {text}")

    for fake in (False,) if real else (True, False):
        try:
            step = Step(module, loss or total, inputs, targets, fake, weight_gradients == "applied", fail)
            break
        except Exception as why:  # noqa: BLE001 - whatever the module's code raises
            if fake:  # an operator that torch cannot run without values
                continue
            if isinstance(why, error):
                raise
            raise fail(f"it does not run on these inputs: {' '.join(str(why).split())}") from why
    more = optimizer_bytes(optimizer) if optimizer else 0
    return step, graph(step, name, input_flops, real, torch.get_rng_state().numel(), more)
