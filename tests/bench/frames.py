"""Results made up for tests: a data frame in which every claim of the paper can be judged."""

import pandas as pd

from paper.claims import TABLE_1
from paper.table import COLUMNS, EXTRA, POINT, state

WATTS = {"flops_per_second": 100.0, "flops_per_joule": 100.0, "compute_watts": 1.0}
PLATFORMS = {"a72": WATTS, "m4": WATTS, "methods": [
    {"name": name} | dict(zip(("general_graphs", "compute_aware", "memory_aware", "power_aware"), words.split()))
    for name, words in TABLE_1.items()]}


def row(experiment, method, overhead, network="resnet18_cifar", platform="jetsontx2", budget="50%",
        deadline="none", run=None, **more):
    """Of a schedule with that overhead, beside a base of 100 J; without one with None."""
    found = dict.fromkeys(POINT + COLUMNS + EXTRA)
    status = "optimal" if method == "poetbnb" else "feasible"
    if overhead is None:
        status = "infeasible" if method == "poetbnb" else "none"
    have = overhead is not None
    percent = float(budget.rstrip("%")) if budget.endswith("%") else None
    found.update(
        experiment=experiment, run=run or ("poetbnb" if method == "poetbnb" else "baselines"),
        label=run or method, budget=budget, deadline=deadline, network=network, platform=platform,
        method=method, status=status, feasible=have, seed=1, base_joules=100.0,
        ram_budget_percent=percent, graph_nodes=10, time_limit_seconds=12.0, seconds=1.0,
        cpu_seconds=1.0,
        options={"paging_only": "no-remat", "remat_only": "no-paging"}.get(run))
    if have:
        found.update(overhead_joules=float(overhead), energy_joules=100.0 + overhead,
                     overhead_percent=float(overhead), peak_bytes=250e6, compute_seconds=1.0,
                     transfer_seconds=0.0, ram_budget_bytes=1000)
        if method == "poetbnb":
            found.update(lower_bound_overhead_joules=float(overhead), gap=0.0)
    found.update(more)
    return found


def results():
    """By name, so that a test can change a datum."""
    tx2, m4 = {"platform": "jetsontx2"}, {"platform": "m4"}
    return {
        "ours": row("fig3", "poetbnb", 0.5, **tx2),
        "dtr": row("fig3", "dtr", 60, **tx2),
        "ours tight": row("fig3", "poetbnb", 0.6, budget="40%", **tx2),
        "checkmate": row("fig3", "checkmate", 0.7, **tx2),
        "bert": row("fig3", "poetbnb", 0.9, network="bert", platform="m4", status="feasible",
                    lower_bound_overhead_joules=0.5, gap=0.4, stopped_by="time limit",
                    time_limit_seconds=600.0),
        "paging": row("fig4", "poetbnb", 70, network="vgg16_cifar", run="paging_only", **m4),
        "remat": row("fig4", "poetbnb", 69, network="vgg16_cifar", run="remat_only", **m4),
        "both": row("fig4", "poetbnb", 1, network="vgg16_cifar", run="both", **m4),
        "tight paging": row("fig4", "poetbnb", 8, network="vgg16_cifar", run="paging_only",
                            deadline="1", **m4),
        "tight remat": row("fig4", "poetbnb", None, network="vgg16_cifar", run="remat_only",
                           deadline="1", **m4),
        "tight both": row("fig4", "poetbnb", 8, network="vgg16_cifar", run="both", deadline="1",
                          **m4),
        "fig5 ours": row("fig5", "poetbnb", 0.2, platform="a72", counted_again=3),
        "fig5 capuchin": row("fig5", "capuchin", 80, platform="a72", counted_again=0),
        "fig5 tight": row("fig5", "capuchin", 4, platform="a72", budget="40%", counted_again=1),
        "fig5 m4": row("fig5", "capuchin_sync", 75, platform="m4"),
        "table3": row("table3", "poetbnb", 1, network="resnet18"),
        "pofo": row("table3", "pofo", 20, network="resnet18", peak_bytes=290e6,
                    compute_seconds=1.2),
        "device": row("devices", "poetbnb", 1, platform="m0", budget="32K", peak_bytes=30000,
                      ram_budget_bytes=32768),
        "ten": row("longer", "poetbnb", 9, network="bert", run="ten_minutes", status="feasible"),
        "thirty": row("longer", "poetbnb", 8, network="bert", run="half_an_hour", status="feasible"),
        "training": row("inference", "checkpoint_all", 0, network="resnet50", peak_bytes=4000),
        "forward": row("inference", "checkpoint_all", 0, network="forward-resnet50", peak_bytes=20),
        "chain": row("chains", "poetbnb", 10, network="chain-n10", platform="", budget="min"),
        "longer chain": row("chains", "poetbnb", 40, network="chain-n20", platform="", budget="min"),
        "batch": row("batch", "poetbnb", 1, run="batch_8"),
        "small model": row("size", "published_size", None, graph_nodes=10, graph_edges=20, model_rows=100,
                           model_columns=100),
        "large model": row("size", "published_size", None, graph_nodes=20, graph_edges=40, model_rows=400,
                           model_columns=390),
        "executed": row("torch", "executed", 1, equal=True),
        "executed too": row("torch", "executed", 1, equal=True),
    }


def frame(data):
    rows = [r | {"state": state(r)} for r in data.values()]
    df = pd.DataFrame(rows, columns=POINT + COLUMNS + EXTRA)
    for column in ("overhead_joules", "overhead_percent", "energy_joules", "base_joules", "gap",
                   "lower_bound_overhead_joules", "peak_bytes", "compute_seconds", "seconds",
                   "transfer_seconds", "ram_budget_percent", "minimum_bytes", "cpu_seconds",
                   "ram_budget_bytes", "time_limit_seconds", "graph_nodes",
                   "windows_bound_overhead_joules", "counted_again", "graph_edges", "model_rows",
                   "model_columns"):
        df[column] = pd.to_numeric(df[column])
    return df
