"""The figures: 6.75 inches wide at 8 points for print (PDF), and for screens in light and dark (SVG,
PNG). Marks and dashes alone tell methods apart, also where they coincide."""

import dataclasses
import itertools
import json

import matplotlib
import numpy as np
import pandas as pd

from paper.table import OURS, effort, family_rows

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402

WIDTH = 6.75  # inches
EVERYTHING = "nothing left out"  # the label of such a run in ablations
FOOT = 1e-3  # percent: below it the axes are linear down to 0
FAR = 0.5  # gap from which a schedule is drawn as far from proven

STYLE = {"font.size": 8, "axes.titlesize": 8, "axes.labelsize": 8, "xtick.labelsize": 7,
         "ytick.labelsize": 7, "legend.fontsize": 7.5, "lines.linewidth": 1.0,
         "axes.spines.top": False, "axes.spines.right": False, "axes.linewidth": 0.6,
         "xtick.minor.pad": 4.9, "xtick.major.width": 0.6, "ytick.major.width": 0.6,
         "axes.grid": True, "axes.grid.axis": "y", "grid.linewidth": 0.4, "axes.axisbelow": True,
         "pdf.fonttype": 42, "svg.fonttype": "path",
         "svg.hashsalt": "poetbnb", "legend.frameon": False, "legend.handlelength": 2.6,
         "text.parse_math": False}
LIGHT = {"ink": "#000000", "paper": "#ffffff", "grid": "#dddddd"}
DARK = {"ink": "#eeeeee", "paper": "#16181c", "grid": "#3a3d44"}

# label: colour, mark, size, dash, filled; ours and Checkmate are drawn by state as well
BASELINES = {
    "checkpoint all": ("#888888", "P", 4.5, (0, (1, 1)), True),
    "Chen et al. √n": ("#56b4e9", "v", 4, (0, (1, 1.5)), True),
    "Chen et al. greedy": ("#e69f00", "^", 4, (0, (4, 1.5)), True),
    "Griewank & Walther": ("#888888", "*", 5, (0, (4, 1, 1, 1)), True),
    "DTR": ("#0072b2", "D", 3.2, (0, (3, 1)), True),
    "Capuchin": ("#009e73", "h", 4, (0, (2, 1)), True),
    "POFO": ("#cc79a7", ">", 4, (0, (5, 1, 1, 1)), True),
    "Checkmate, rounded LP": ("#d55e00", "d", 3.4, (0, (1, 2)), True),
    "Checkmate": ("#d55e00", "s", 6.5, (0, (6, 1)), False),
}
CUT_OFF = ("#d55e00", "X", 5)


@dataclasses.dataclass
class Canvas:
    """A figure being drawn, and the samples of its legend: only what was drawn has one."""

    figure: object
    ink: dict
    samples: dict = dataclasses.field(default_factory=dict)

    def plot(self, axes, x, y, label=None, **style):
        """Draws where there is something, and keeps the sample for the legend."""
        x, y = np.asarray(x, float), np.asarray(y, float)
        if not np.isfinite(y).any():
            return
        axes.plot(x, y, **style)
        if label and not self.samples.get(label):
            self.samples[label] = Line2D([], [], **style)

    def expect(self, *labels):
        """Keeps their places in the legend, whatever is drawn first."""
        for label in labels:
            self.samples.setdefault(label, None)


def ours(canvas, axes, df, label=OURS):
    """A line over the budget, filled marks where proven, open ones with a bar down to the bound where
    best known, stars beside the line where the gap is above FAR, crosses at the foot where proven
    infeasible."""
    x, y, colour = "ram_budget_percent", "overhead_percent", canvas.ink["ink"]
    far_words = f"far from proven (gap above {100 * FAR:g} %)"
    canvas.expect(*(f"{label}, {state}" for state in (
        "proven", "best known (bar: to bound)", far_words, "proven infeasible")))
    df = df.sort_values(x)
    drawn = df[df[y].notna()]
    late = drawn["state"] == "best known"
    known, far = drawn[late], drawn[late & ~(drawn["gap"] <= FAR)]
    drawn = drawn.drop(far.index)
    canvas.plot(axes, drawn[x], drawn[y], color=colour, zorder=4)
    shape = {"color": colour, "marker": "o", "linestyle": "none", "markersize": 3.4, "zorder": 5}
    done = drawn[drawn["state"] == "proven"]
    canvas.plot(axes, done[x], done[y], f"{label}, proven", **shape)
    low = 100 * known["lower_bound_overhead_joules"].clip(lower=0) / known["base_joules"]
    for at, value, bound in zip(known[x], known[y], low):
        axes.plot([at, at], [bound, value], color=colour, linewidth=1.6, alpha=0.45, zorder=3,
                  solid_capstyle="butt")
    hollow = shape | {"markerfacecolor": canvas.ink["paper"]}
    known = known.drop(far.index)
    canvas.plot(axes, known[x], known[y], f"{label}, best known (bar: to bound)", **hollow)
    canvas.plot(axes, far[x], far[y], f"{label}, {far_words}",
                **hollow | {"marker": "*", "markersize": 6})
    infeasible(canvas, axes, df, colour, "x", f"{label}, proven infeasible")


def infeasible(canvas, axes, df, colour, mark, label):
    """Marks at the foot, where the axis has the budget."""
    none = df[df["state"] == "infeasible"]
    canvas.plot(axes, none["ram_budget_percent"], np.full(len(none), FOOT / 3), label,
                color=colour, marker=mark, linestyle="none", markersize=4.5, zorder=6)


def energy_axes(axes, top):
    axes.set_yscale("symlog", linthresh=FOOT, linscale=0.5)
    axes.set_ylim(0, max(top * 2.5, 10 * FOOT))
    decades = [10.0 ** k for k in range(-3, 6, 2) if 10.0 ** k <= max(top * 2.5, 10 * FOOT)]
    axes.set_yticks([0] + decades, [f"{v:g}" for v in [0] + decades])
    axes.set_yticks([], minor=True)


def budget_axes(axes, values):
    """From the most memory to the smallest budget with a schedule."""
    values = [v for v in values if np.isfinite(v)]
    if values:
        room = max(1.5, 0.06 * (max(values) - min(values)))
        axes.set_xlim(max(values) + room, min(values) - room)
        axes.xaxis.set_major_locator(matplotlib.ticker.MaxNLocator(6, steps=[1, 2, 5, 10]))


def short(name):
    """Without the data set, for titles of panels."""
    return name.split(" (")[0]


def instance_name(table, network, platform, budget=""):
    """An instance, for titles and ticks; graphs with costs of their own have no platform."""
    return ", ".join(filter(None, (short(table.name(network)), table.name(platform), budget)))


def plain_numbers(axis):
    """1 and 0.1 for 10^0 and 10^-1 on a logarithmic axis; 2 and 5 too where it is short."""
    def between(value, _):
        low, high = axis.get_view_interval()
        digit = value / 10 ** np.floor(np.log10(value) + 1e-9)
        return f"{value:.3g}" if high < 200 * low and round(digit) in (2, 5) else ""

    axis.set_major_formatter(lambda value, _: f"{value:g}")
    axis.set_minor_formatter(between)


def highest(df):
    value = df["overhead_percent"].max()
    return value if np.isfinite(value) else 1.0


def baselines(canvas, axes, df, table):
    best = family_rows(df, table)
    canvas.expect(*(f"{label}{state}" for label in BASELINES for state in ("", ", cut off")))
    for label, (colour, mark, size, dash, filled) in BASELINES.items():
        part = best[(best["family"] == label) & best["overhead_percent"].notna()]
        part = part.sort_values("ram_budget_percent")
        face = colour if filled else "none"
        canvas.plot(axes, part["ram_budget_percent"], part["overhead_percent"], label,
                    color=colour, marker=mark, markersize=size, linestyle=dash,
                    markerfacecolor=face, markeredgewidth=0.9 if not filled else 0, linewidth=0.9)
        late = part[part["state"] == "cut off"]
        canvas.plot(axes, late["ram_budget_percent"], late["overhead_percent"],
                    f"{label}, cut off", color=CUT_OFF[0], marker="x", linestyle="none",
                    markersize=6.5, markeredgewidth=0.9)


def finish(canvas, columns=5):
    """The legend above the panels, in as many columns as there is room for; panels below it."""
    figure = canvas.figure
    samples = {label: line for label, line in canvas.samples.items() if line}
    lines = 0
    while samples:
        legend = figure.legend(
            samples.values(), samples.keys(), loc="upper center", ncol=columns,
            columnspacing=1.2, handletextpad=0.5, borderaxespad=0.5, borderpad=0.1)
        lines = -(-len(samples) // columns)
        if columns == 1 or legend.get_window_extent(
                figure.canvas.get_renderer()).width <= figure.bbox.width:
            break
        legend.remove()
        columns -= 1
    room = (0.16 * lines + 0.09) / figure.get_figheight()
    figure.tight_layout(pad=0.3, w_pad=0.6, h_pad=0.8, rect=(0, 0, 1, 1 - room))


# ---- the figures ---------------------------------------------------------------------------------


def fig3(df, table, ink):
    df = df[df["experiment"] == "fig3"]
    networks, platforms = list(df["network"].unique()), list(df["platform"].unique())
    figure, grid = plt.subplots(len(networks), len(platforms), squeeze=False,
                                figsize=(WIDTH, 0.9 + 1.75 * len(networks)))
    canvas = Canvas(figure, ink)
    for r, network in enumerate(networks):
        for c, platform in enumerate(platforms):
            axes = grid[r][c]
            part = df[(df["network"] == network) & (df["platform"] == platform)]
            baselines(canvas, axes, part, table)
            ours(canvas, axes, part[part["method"] == OURS])
            axes.set_title(instance_name(table, network, platform), pad=4)
            energy_axes(axes, highest(df[df["network"] == network]))
            budget_axes(axes, part[part["overhead_percent"].notna()]["ram_budget_percent"])
            if r == len(networks) - 1:
                axes.set_xlabel("RAM, % of peak")
            if c == 0:
                axes.set_ylabel("energy over full memory, %")
    finish(canvas)
    return figure


def fig4(df, table, ink):
    df = df[df["experiment"] == "fig4"]
    deadlines, platforms = list(df["deadline"].unique()), list(df["platform"].unique())
    figure, grid = plt.subplots(len(platforms), len(deadlines), squeeze=False, sharey="row",
                                figsize=(WIDTH, 0.9 + 1.45 * len(platforms)))
    canvas = Canvas(figure, ink)
    canvas.expect(*(f"{run}{state}" for run in ("paging only", "rematerialisation only")
                    for state in ("", ", cut off", ", proven infeasible")))
    for (row, platform), (column, deadline) in itertools.product(
            enumerate(platforms), enumerate(deadlines)):
        axes, here = grid[row][column], df[df["platform"] == platform]
        part = here[here["deadline"] == deadline]
        for run, label, colour, mark, none, dash in (
                ("paging_only", "paging only", "#0072b2", "s", "+", (0, (2, 1))),
                ("remat_only", "rematerialisation only", "#d55e00", "^", "x", (0, (5, 1)))):
            single = part[part["run"] == run].sort_values("ram_budget_percent")
            drawn = single[single["overhead_percent"].notna()]
            canvas.plot(axes, drawn["ram_budget_percent"], drawn["overhead_percent"], label,
                        color=colour, marker=mark, markersize=6.5, linestyle=dash,
                        markerfacecolor="none", markeredgewidth=0.9)
            late = drawn[drawn["state"] == "best known"]
            canvas.plot(axes, late["ram_budget_percent"], late["overhead_percent"],
                        f"{label}, cut off", color=colour, marker="1", markersize=6,
                        linestyle="none")
            infeasible(canvas, axes, single, colour, none, f"{label}, proven infeasible")
        ours(canvas, axes, part[part["run"] == "both"], "both")
        if row == 0:
            axes.set_title("no deadline" if deadline == "none" else f"{deadline} × base time",
                           pad=4)
        energy_axes(axes, highest(here))
        budget_axes(axes, part[part["overhead_percent"].notna()]["ram_budget_percent"])
        if row == len(platforms) - 1:
            axes.set_xlabel("RAM, % of peak")
        if column == 0:
            axes.set_ylabel(f"{table.name(platform)}: overhead, %")
    finish(canvas, columns=4)
    return figure


def fig5(df, table, ink):
    df = df[df["experiment"] == "fig5"]
    platforms = list(df["platform"].unique())
    figure, grid = plt.subplots(1, len(platforms), squeeze=False, figsize=(WIDTH, 2.7))
    canvas = Canvas(figure, ink)
    for axes, platform in zip(grid[0], platforms):
        part = df[df["platform"] == platform]
        for method, label, colour, mark, dash in (
                ("capuchin_sync", "Capuchin, transfers block", "#d55e00", "^", (0, (4, 1))),
                ("capuchin", "Capuchin, transfers overlap", "#009e73", "s", (0, (2, 1)))):
            rows = part[(part["method"] == method) & part["overhead_percent"].notna()]
            rows = rows.sort_values("ram_budget_percent")
            canvas.plot(axes, rows["ram_budget_percent"], rows["overhead_percent"], label,
                        color=colour, marker=mark, markersize=4.5, linestyle=dash)
        ours(canvas, axes, part[part["method"] == OURS])
        axes.set_title(instance_name(table, part["network"].iloc[0], platform), pad=4)
        shown = part[part["method"].isin([OURS, "capuchin", "capuchin_sync"])]
        energy_axes(axes, highest(shown))
        budget_axes(axes, shown[shown["overhead_percent"].notna()]["ram_budget_percent"])
        axes.set_xlabel("RAM, % of peak")
    grid[0][0].set_ylabel("energy over full memory, %")
    finish(canvas)
    return figure


def scaling(df, table, ink):
    df = df[(df["experiment"] == "scaling") & df["state"].isin(["proven", "best known"])]
    figure, axes = plt.subplots(figsize=(WIDTH, 2.6))
    canvas = Canvas(figure, ink)
    for state, label, face in (("proven", "proven", ink["ink"]),
                               ("best known", "stopped by the limit", "none")):
        part = df[df["state"] == state]
        canvas.plot(axes, part["graph_nodes"], effort(part), label, color=ink["ink"],
                    marker="o", linestyle="none", markerfacecolor=face, markersize=4)
    axes.set_xscale("log")
    axes.set_yscale("log")
    plain_numbers(axes.yaxis)
    sizes = df.drop_duplicates("network")
    axes.set_xticks(sizes["graph_nodes"], [f"{short(table.name(n))}\n{k:.0f}" for n, k in
                                           zip(sizes["network"], sizes["graph_nodes"])])
    axes.set_xticks([], minor=True)
    axes.set_xlim(sizes["graph_nodes"].min() / 1.25, sizes["graph_nodes"].max() * 1.25)
    axes.set_xlabel("network, nodes")
    axes.set_ylabel("processor seconds or limit")
    finish(canvas)
    return figure


def trace(df, table, ink):
    keys = ["network", "platform", "budget"]
    runs = list(df.drop_duplicates(keys)[keys].itertuples(index=False))
    figure, grid = plt.subplots(1, len(runs), squeeze=False, figsize=(WIDTH, 2.6))
    canvas = Canvas(figure, ink)
    for axes, run in zip(grid[0], runs):
        part = df[(df[keys] == list(run)).all(axis=1)]
        for event, label, style in (
                ("schedule", "best schedule", {"color": "#d55e00"}),
                ("windows", "bound within the windows: none of all yet",
                 {"color": "#56b4e9", "linestyle": (0, (2, 1))}),
                ("bound", "proven bound", {"color": "#0072b2"}),
                ("proof", "proven optimal", {"color": ink["ink"], "marker": "o",
                                             "linestyle": "none"})):
            rows = part[part["event"] == event].sort_values("seconds")
            steps = {} if event == "proof" else {"drawstyle": "steps-post"}
            canvas.plot(axes, rows["seconds"], rows["overhead_joules"], label, **steps, **style)
        best = part[part["event"] == "schedule"]["overhead_joules"].min()
        axes.set_ylim(-0.03 * best, 1.6 * best)
        axes.set_xscale("log")
        plain_numbers(axes.xaxis)
        axes.set_title(instance_name(table, *run), pad=4)
        axes.set_xlabel("seconds")
    grid[0][0].set_ylabel("overhead, J")
    finish(canvas)
    return figure


def complete(df, by, keys):
    """The rows of the instances that have a result with everything in the column `by`."""
    done = df[~df["state"].isin(["missing", "failed"])]
    count = done.groupby(keys)[by].transform("nunique")
    return done[count == df[by].nunique()]


def ablation(df, table, ink):
    """Shifted geometric mean of the processor time and share decided, by what is left out, over the
    instances that were run with every part left out."""
    df = complete(df[df["experiment"] == "ablation"], "label", ["network", "platform", "budget"])
    groups = df.assign(effort=effort(df)).groupby("label", sort=False)
    mean = groups["effort"].apply(lambda v: np.exp(np.log(v + 1).mean()) - 1)
    decided = groups["state"].apply(lambda s: 100 * s.isin(["proven", "infeasible"]).mean())
    labels = list(mean.sort_values(ascending=False, kind="stable").index)
    figure, (left, right) = plt.subplots(1, 2, sharey=True, width_ratios=[2, 1],
                                         figsize=(WIDTH, 0.5 + 0.16 * len(labels)))
    place = np.arange(len(labels))[::-1]
    left.barh(place, mean[labels], color="#0072b2", height=0.6)
    right.barh(place, decided[labels], color="#009e73", height=0.6)
    left.set_yticks(place, labels)
    left.set_ylim(-0.6, len(labels) - 0.4)
    left.set_xlabel("processor seconds or limit, shifted geometric mean")
    right.set_xlabel("proven, % of the instances")
    right.set_xlim(0, 100)
    for axes, values in ((left, mean), (right, decided)):
        if EVERYTHING in values:
            axes.axvline(values[EVERYTHING], color=ink["ink"], linewidth=0.8, linestyle=(0, (3, 2)))
        axes.grid(axis="x")
        axes.grid(False, axis="y")
    figure.tight_layout(pad=0.4)
    return figure


def seeds(df, table, ink):
    """Processor time of every seed, a line an instance."""
    df = df[(df["experiment"] == "seeds") & df["cpu_seconds"].notna()]
    keys = ["network", "platform", "budget"]
    names = df.drop_duplicates(keys)[keys].itertuples(index=False)
    line = {tuple(name): -k for k, name in enumerate(names)}
    place = [line[key] for key in zip(*(df[k] for k in keys))]
    figure, axes = plt.subplots(figsize=(WIDTH, 0.75 + 0.2 * len(line)))
    canvas = Canvas(figure, ink)
    done = df["state"].isin(["proven", "infeasible"])
    for rows, label, face in ((done, "proven", ink["ink"]), (~done, "stopped by the limit", "none")):
        canvas.plot(axes, effort(df)[rows], np.array(place)[rows], label, color=ink["ink"],
                    marker="o", linestyle="none", markerfacecolor=face, markersize=3.4, alpha=0.8)
    axes.set_xscale("log")
    plain_numbers(axes.xaxis)
    axes.set_yticks(list(line.values()), [instance_name(table, *name) for name in line])
    axes.set_ylim(-len(line) + 0.4, 0.6)
    axes.grid(True, axis="both")
    axes.set_xlabel("processor seconds to the proof, or limit")
    finish(canvas)
    return figure


def matrix_cells(runs):
    """The cells (stage, node) of a schedule file's [t, i] and [t, i, u], for stages t to u."""
    return [(t, run[1]) for run in runs for t in range(run[0], (run[2:] or run)[0] + 1)]


def stage_memory(schedule, nodes):
    """Peak bytes of every stage: inputs stay until their last reader of the stage, and over its end
    where the next one keeps them."""
    n = len(nodes)
    kept = [set() for _ in range(n + 1)]
    for t, i in matrix_cells(schedule["S"]):
        kept[t].add(i)
    computed = [[] for _ in range(n)]
    for t, i in matrix_cells(schedule["R"]):
        computed[t].append(i)
    peaks = []
    for t in range(n):
        held = sum(nodes[i]["bytes"] for i in kept[t])
        peak, order = held, sorted(computed[t])
        alive = set(kept[t])
        for k in order:
            held += nodes[k]["bytes"]
            alive.add(k)
            peak = max(peak, held)
            for i in nodes[k]["inputs"]:
                if i in alive and i not in kept[t + 1] and not any(
                        j > k and i in nodes[j]["inputs"] for j in order):
                    held -= nodes[i]["bytes"]
                    alive.discard(i)
        peaks.append(peak)
    return peaks


def fig2(schedule_path, table, ink):
    schedule = json.loads(schedule_path.read_text())
    nodes = schedule["graph"]["nodes"]
    n = len(nodes)
    figure, (axes, memory) = plt.subplots(1, 2, sharey=True, figsize=(WIDTH, 3.0),
                                          gridspec_kw={"width_ratios": [3, 1]})
    canvas = Canvas(figure, ink)
    cells = {key: np.array(matrix_cells(schedule[key]) or np.empty((0, 2)), float) for key in
             ("R", "S", "A", "In", "Out")}
    again = cells["R"][cells["R"][:, 0] != cells["R"][:, 1]]
    first = cells["R"][cells["R"][:, 0] == cells["R"][:, 1]]
    for data, label, style in (
            (cells["S"], "in RAM", {"marker": "s", "color": "#a9cce3", "markersize": 9}),
            (cells["A"], "on storage", {"marker": "_", "color": "#cc79a7", "markersize": 8,
                                        "markeredgewidth": 1.5}),
            (first, "computed", {"marker": "o", "color": ink["ink"], "markersize": 5}),
            (again, "computed again", {"marker": "o", "color": ink["ink"], "markersize": 6,
                                       "markerfacecolor": ink["paper"]}),
            (cells["Out"], "paged out", {"marker": "v", "color": "#d55e00", "markersize": 5}),
            (cells["In"], "paged in", {"marker": "^", "color": "#009e73", "markersize": 5})):
        if len(data):
            canvas.plot(axes, data[:, 1], data[:, 0], label, linestyle="none", **style)
    axes.set_xticks(range(n), [node["name"] for node in nodes], rotation=60, ha="right",
                    rotation_mode="anchor")
    axes.set_yticks(range(0, n, 2))
    axes.set_ylim(n - 0.4, -0.6)
    axes.set_ylabel("stage")
    axes.grid(True, axis="both")
    peaks = stage_memory(schedule, nodes)
    memory.barh(range(n), np.array(peaks) / 1024, color="#a9cce3", height=0.7)
    budget = schedule["ram_budget_bytes"] / 1024
    canvas.plot(memory, [budget, budget], [-0.6, n - 0.4], "budget", color="#d55e00")
    memory.set_xlabel("peak of the stage, KiB")
    memory.grid(True, axis="x")
    finish(canvas, columns=7)
    return figure


# ---- files ----------------------------------------------------------------------------------------


def draw(name, make, folder):
    """NAME.pdf for print; NAME.png and .svg for screens, and NAME-dark.svg. make(ink) draws."""
    for ink, suffix, kinds in ((LIGHT, "", ("pdf", "svg", "png")), (DARK, "-dark", ("svg",))):
        colours = {"text.color": ink["ink"], "axes.labelcolor": ink["ink"],
                   "axes.edgecolor": ink["ink"], "xtick.color": ink["ink"],
                   "ytick.color": ink["ink"], "axes.facecolor": ink["paper"],
                   "figure.facecolor": ink["paper"], "savefig.facecolor": ink["paper"],
                   "grid.color": ink["grid"]}
        with plt.rc_context(STYLE | colours):
            figure = make(ink)
            for kind in kinds:
                plain = {"pdf": {"CreationDate": None}, "svg": {"Date": None}, "png": None}[kind]
                figure.savefig(folder / f"{name}{suffix}.{kind}", dpi=200, metadata=plain)
            plt.close(figure)


def trace_events(store, points):
    """Schedules and bounds over time: those of the windows, which prove nothing about schedules that
    leave them, and those over all cells."""
    found = []
    for p in points:
        result = store.load(p) if p.run == "trace" else None
        if not result or not result["records"]:
            continue
        record = result["records"][0]
        end = record["seconds"]

        def add(event, seconds, joules):
            found.append({"network": record["network"], "platform": record["platform"] or "",
                          "budget": p.budget,
                          "event": event, "seconds": seconds, "overhead_joules": joules})

        for i in result["incumbents"]:
            add("schedule", i["seconds"], i["overhead_joules"])
        windows = None
        for b in result.get("bounds", ()):
            add("bound" if b["of"] == "all" else "windows", b["seconds"], b["overhead_joules"])
            windows = b["overhead_joules"] if b["of"] == "windows" else windows
        if windows is not None:  # the last one held to the end
            add("windows", end, windows)
        if record["overhead_joules"] is not None:
            add("schedule", end, record["overhead_joules"])
        if record["lower_bound_overhead_joules"] is not None:
            add("bound", end, record["lower_bound_overhead_joules"])
        if record["status"] == "optimal":
            add("proof", end, record["overhead_joules"])
    return pd.DataFrame(found, columns=["network", "platform", "budget", "event", "seconds",
                                        "overhead_joules"])
