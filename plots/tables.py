"""The small tables that the figures are drawn from: a line for each mark or step, as CSV files that
plots/*.gp read."""

import itertools
import math

from paper.table import OURS, family_rows

FAR = 0.5  # gap from which a schedule is drawn as far from proven
CLOSE = 5  # percent: the gap that counts as small
ENERGY = ["row", "column", "above", "beside", "series", "ram_percent", "overhead_percent", "bound_percent"]


def short(name):
    """Without the data set, for titles of panels."""
    return name.split(" (")[0]


def instance_name(table, network, platform, budget=""):
    """An instance, for titles and ticks; graphs with costs of their own have no platform."""
    name = " on ".join(filter(None, (short(table.name(network)), table.name(platform))))
    return f"{name} at {budget}" if budget else name


FOR_GNUPLOT = str.maketrans({",": "\u201a", '"': "\u201d", "\\": "\u2216"})


def cell(value):
    """For gnuplot, which cuts texts at commas and quotes and drops backslashes, within quotes or not; "" for
    nothing."""
    if value is None or value != value:
        return ""
    return value.translate(FOR_GNUPLOT) if isinstance(value, str) else value


# ---- energy against memory -----------------------------------------------------------------------


def ours(df):
    """Series, and percent of RAM, overhead and bound where it is not proven, of our rows."""
    for r in df.to_dict("records"):
        if r["state"] == "proven":
            yield "poetbnb proven", r["ram_budget_percent"], r["overhead_percent"], None
        elif r["state"] == "infeasible":
            yield "poetbnb infeasible", r["ram_budget_percent"], None, None
        elif r["state"] == "best known":
            bound = r["lower_bound_overhead_joules"]
            yield ("poetbnb best known" if r["gap"] <= FAR else "poetbnb gap above 50 %",
                   r["ram_budget_percent"], r["overhead_percent"],
                   max(100 * bound / r["base_joules"], 0) if bound == bound and bound else 0)


def others(df, series):
    """The same of rows of another method; what a limit cut off is marked as well."""
    for r in df.to_dict("records"):
        if r["state"] == "infeasible":
            yield f"{series} infeasible", r["ram_budget_percent"], None, None
        elif r["overhead_percent"] == r["overhead_percent"]:
            yield series, r["ram_budget_percent"], r["overhead_percent"], None
            if r["state"] in ("cut off", "best known"):
                yield "cut off", r["ram_budget_percent"], r["overhead_percent"], None


def panels(df, down, across):
    """Numbers, values and rows of the panels of a figure."""
    for (row, y), (column, x) in itertools.product(enumerate(df[down].unique(), 1), enumerate(df[across].unique(), 1)):
        yield row, column, y, x, df[(df[down] == y) & (df[across] == x)].sort_values(
            "ram_budget_percent", kind="stable")


def fig3(df, table):
    for row, column, network, platform, part in panels(df, "network", "platform"):
        best = family_rows(part, table)
        marks = itertools.chain(*(others(g.sort_values("ram_budget_percent"), family.replace(",", ""))
                                  for family, g in best.groupby("family")),
                                ours(part[part["method"] == OURS]))
        for mark in marks:
            yield row, column, instance_name(table, network, platform), "overhead [%]", *mark


def fig4(df, table):
    for row, column, platform, deadline, part in panels(df, "platform", "deadline"):
        above = "no deadline" if deadline == "none" else f"{deadline} × base time"
        for mark in itertools.chain(
                others(part[part["run"] == "paging_only"], "paging only"),
                others(part[part["run"] == "remat_only"], "rematerialisation only"),
                ours(part[part["run"] == "both"])):
            yield row, column, above if row == 1 else "", f"{table.name(platform)}: overhead [%]", *mark


def fig5(df, table):
    for row, column, network, platform, part in panels(df, "network", "platform"):
        for mark in itertools.chain(
                others(part[part["method"] == "capuchin_sync"], "Capuchin transfers block"),
                others(part[part["method"] == "capuchin"], "Capuchin transfers overlap"),
                ours(part[part["method"] == OURS])):
            yield row, column, instance_name(table, network, platform), "overhead [%]", *mark


# ---- searches -------------------------------------------------------------------------------------

COURSE = ["panel", "above", "beside", "top", "series", "called", "seconds", "value"]


def trace(store, points, table):
    """Schedules and bounds over time: those of the windows, which prove nothing about schedules that
    leave them, and those over all cells."""
    traces = [(p, result) for p, result in store.answers(points) if p.run == "trace"]
    for panel, (p, result) in enumerate(traces, 1):
        record = result["records"][0]
        end, best, bound = (record[k] for k in ("seconds", "overhead_joules", "lower_bound_overhead_joules"))
        bounds = result.get("bounds", ())
        windows = [b["overhead_joules"] for b in bounds if b["of"] == "windows"]
        events = [("best schedule", i["seconds"], i["overhead_joules"]) for i in result["incumbents"]]
        events += [("proven bound" if b["of"] == "all" else "bound within the windows", b["seconds"], b["overhead_joules"])
                   for b in bounds]
        events += [("bound within the windows", end, v) for v in windows[-1:]]  # the last one held to the end
        events += [("best schedule", end, best)] * (best is not None)
        events += [("proven bound", end, bound)] * (bound is not None)
        events += [("proven optimal", end, best)] * (record["status"] == "optimal")
        name = instance_name(table, record["network"], record["platform"] or "", p.budget)
        top = 1.6 * min((joules for event, _, joules in events if event == "best schedule"), default=1)
        for event, seconds, joules in sorted(events, key=lambda e: e[1]):
            yield panel, name, "overhead [J]", top, event, event, seconds, joules


# ---- random layered graphs -------------------------------------------------------------------------

def course(result):
    """Best schedule and bound after each step of one run, in percent of computing every node once;
    the gap between them in percent of the schedule's overhead."""
    record = result["records"][0]
    steps = [(i["seconds"], "schedule", i["overhead_joules"]) for i in result["incumbents"]]
    steps += [(b["seconds"], "bound", b["overhead_joules"]) for b in result["bounds"] if b["of"] == "all"]
    steps.append((record["seconds"], "bound", record["lower_bound_overhead_joules"] or 0.0))
    if record["overhead_joules"] is not None:
        steps.append((record["seconds"], "schedule", record["overhead_joules"]))
    best, bound = math.inf, 0.0
    for seconds, kind, joules in sorted(steps):
        best = min(best, joules) if kind == "schedule" else best
        bound = max(bound, joules) if kind == "bound" else bound
        if math.isfinite(best):
            part = 100 / record["base_joules"]
            yield seconds, best * part, bound * part, \
                100 * max(best - bound, 0) / best if best > 0 else 0.0


def layered(store, points):
    """The gaps of all runs over time, a panel for each label and a series for each number of nodes, and a line for each
    run: in the order of the points."""
    steps_of, lines, panels_of, sizes = [], [], {}, {}
    for p, result in store.answers(points):
        if p.experiment == "layered":
            panel = panels_of.setdefault(p.label, len(panels_of) + 1)
            nodes = result["records"][0]["graph_nodes"]
            series = f"size {sizes.setdefault(nodes, len(sizes) + 1)}"
            steps = list(course(result))
            steps_of += [(panel, p.label, "gap [%]", 105, series, f"{nodes} nodes", seconds, gap)
                         for seconds, _, _, gap in steps]
            if steps:
                close = [s for s, _, _, gap in steps if gap <= CLOSE]
                lines.append((p.label, p.budget, nodes, steps[0][0], *steps[-1][1:], min(close, default=None), steps[-1][0]))
    return steps_of, lines
