"""Random layered graphs: how the gap closes, and what it takes until then, by their size."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from .figures import WIDTH, Canvas, finish, plain_numbers

CLOSE = 5  # percent: the gap that counts as small
COLUMNS = ["label", "budget", "nodes", "seconds", "overhead_percent", "bound_percent",
           "gap_percent"]


def course(result):
    """Best schedule and bound after each step of one run, in percent of computing every node once;
    the gap between them in percent of the schedule's overhead."""
    record = result["records"][0]
    steps = [(i["seconds"], "schedule", i["overhead_joules"]) for i in result["incumbents"]]
    steps += [(b["seconds"], "bound", b["overhead_joules"]) for b in result["bounds"]
              if b["of"] == "all"]
    steps.append((record["seconds"], "bound", record["lower_bound_overhead_joules"] or 0.0))
    if record["overhead_joules"] is not None:
        steps.append((record["seconds"], "schedule", record["overhead_joules"]))
    best, bound = np.inf, 0.0
    for seconds, kind, joules in sorted(steps):
        best = min(best, joules) if kind == "schedule" else best
        bound = max(bound, joules) if kind == "bound" else bound
        if np.isfinite(best):
            part = 100 / record["base_joules"]
            yield seconds, best * part, bound * part, \
                100 * max(best - bound, 0) / best if best > 0 else 0.0


def courses(store, points):
    rows = []
    for p in points:
        result = store.load(p) if p.experiment == "layered" else None
        if result and result["records"]:
            nodes = result["records"][0]["graph_nodes"]
            rows += [(p.label, p.budget, nodes, *step) for step in course(result)]
    return pd.DataFrame(rows, columns=COLUMNS)


def first(rows, most):
    """When the gap was at most that; NaN: never."""
    reached = rows[rows["gap_percent"] <= most]["seconds"]
    return reached.min()


def summary(df):
    """A row for each run, in the order of the sizes."""
    rows = [[label, budget, int(nodes), g["seconds"].min(), g["overhead_percent"].iloc[-1],
             g["bound_percent"].iloc[-1], g["gap_percent"].iloc[-1], first(g, CLOSE),
             g["seconds"].max()]
            for (label, budget, nodes), g in df.groupby(["label", "budget", "nodes"], sort=False)]
    return pd.DataFrame(rows, columns=[
        "run", "budget", "nodes", "first schedule s", "overhead %", "bound %", "gap %",
        f"gap of {CLOSE} % s", "end s"])


def draw(df, ink):
    """The gap over time, a panel for each run; and seconds to schedule and small gap by size."""
    labels = list(df["label"].unique())
    sizes = sorted(df["nodes"].unique())
    shades = plt.get_cmap("viridis")(np.linspace(0.85, 0.1, len(sizes)))
    figure, grid = plt.subplots(1, len(labels) + 1, squeeze=False, figsize=(WIDTH, 2.6))
    canvas = Canvas(figure, ink)
    for axes, label in zip(grid[0], labels):
        for k, nodes in enumerate(sizes):
            rows = df[(df["label"] == label) & (df["nodes"] == nodes)]
            canvas.plot(axes, rows["seconds"], rows["gap_percent"], f"{nodes} nodes",
                        color=shades[k], drawstyle="steps-post",
                        linestyle=(0, (1 + k, 0.6 * (k > 0))))
        axes.set_xscale("log")
        plain_numbers(axes.xaxis)
        axes.set_ylim(-3, 103)
        axes.set_title(label, pad=4)
        axes.set_xlabel("seconds")
    grid[0][0].set_ylabel("gap, %")
    axes = grid[0][-1]
    table = summary(df)
    for k, label in enumerate(labels):
        part = table[table["run"] == label].sort_values("nodes")
        for column, words, face in (("first schedule s", "first schedule", "none"),
                                    (f"gap of {CLOSE} % s", f"gap of {CLOSE} %", ink["ink"])):
            canvas.plot(axes, part["nodes"], part[column], f"{words}, {label}", color=ink["ink"],
                        marker="os^D"[k % 4], markersize=4, markerfacecolor=face,
                        linestyle="-" if k == 0 else (0, (3, 1)), linewidth=0.7)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xticks(sizes, [f"{n}" for n in sizes])
    axes.set_xticks([], minor=True)
    plain_numbers(axes.yaxis)
    axes.set_xlabel("nodes")
    axes.set_ylabel("seconds")
    finish(canvas)
    return figure
