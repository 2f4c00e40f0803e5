"""What a training step of poetbnb.torch did, beside the same step of plain torch."""

import copy

import torch
from torch.multiprocessing.reductions import StorageWeakRef
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_flatten

import poetbnb.torch

SEED = 7


class Held(TorchDispatchMode):
    """Bytes of the living storages that operators have allocated within it; peak: the most."""

    def __init__(self):
        super().__init__()
        self.living, self.peak = {}, 0

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        out = func(*args, **(kwargs or {}))
        before = [t.storage() for t in tree_flatten((args, kwargs))[0] if isinstance(t, torch.Tensor)]
        known = {s._cdata for s in before}
        for t in tree_flatten(out)[0]:
            if isinstance(t, torch.Tensor) and t.storage()._cdata not in known and "set_" not in str(func):
                self.living[t.storage()._cdata] = StorageWeakRef(t.storage()), t.storage().nbytes()
        self.living = {key: (ref, size) for key, (ref, size) in self.living.items() if not ref.expired()}
        self.peak = max(self.peak, sum(size for _, size in self.living.values()))
        return out


def plain(module, loss, example):
    """Loss, peak of the living storages with the batch, and the generator's state after a step of torch."""
    torch.manual_seed(SEED)
    with Held() as held:
        inputs, *targets = [tuple(map(torch.clone, part)) if isinstance(part, tuple) else part.clone()
                            for part in example]
        value = loss(module(*inputs) if isinstance(inputs, tuple) else module(inputs), *targets)
        value.backward()
    return value.detach(), held.peak, torch.get_rng_state()


def same(a, b):
    return a is b is None or torch.equal(a, b)


def budgets(graph, parts):
    """Bytes of all RAM: parts of the way from the least that a node needs to keeping everything."""
    least, most = graph.minimum_bytes, graph.peak_bytes
    return [graph.resident_bytes + least + int(part * (most - least)) for part in parts]


def compare(build, parts, platform="a72", storage=None, **options):
    """A line for each budget, of which "equal" says whether loss, gradients, buffers and generator are
    bit by bit those of plain torch, and "measured" the peak of the living storages."""
    torch.manual_seed(SEED)
    module, loss, example = build()
    torch.manual_seed(SEED)
    twin = build()[0]
    value, held, generator = plain(twin, loss, example)
    step = poetbnb.torch.TrainingStep(module, loss, example, "100%", platform, check=True, storage=storage)
    graph = poetbnb.from_dict(step.graph, platform=platform)
    first, lines = copy.deepcopy(module.state_dict()), []
    for budget in budgets(graph, parts):
        result = step.solve(budget, **options)
        module.load_state_dict(first)
        module.zero_grad(set_to_none=True)
        torch.manual_seed(SEED)
        got = step(*example)
        equal = (same(got, value) and same(torch.get_rng_state(), generator)
                 and all(same(p.grad, q.grad) for p, q in zip(module.parameters(), twin.parameters()))
                 and all(same(a, b) for a, b in zip(module.buffers(), twin.buffers())))
        lines.append({
            "nodes": len(graph), "keep": graph.peak_bytes, "least": graph.minimum_bytes, "held": held,
            "budget": result.ram_budget_bytes, "status": result.status, "gap": result.gap,
            "again": result.recompute_count, "pages": result.pagein_count,
            "replayed": sum(step.step.nodes[k].stateful for k in step.again),
            "overhead": result.overhead_joules / graph.joules,
            "peak": result.peak_bytes, "measured": step.peak_bytes, "equal": equal,
        })
    return lines
