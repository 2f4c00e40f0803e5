"""The small tables that the figures are drawn from: a line for each mark, as CSV files that plots/energy.gp reads."""

import itertools

from paper.table import OURS, family_rows

FAR = 0.5  # gap from which a schedule is drawn as far from proven
ENERGY = ["row", "column", "above", "beside", "series", "ram_percent", "overhead_percent", "bound_percent"]


def instance_name(table, network, platform):
    """An instance, for titles; graphs with costs of their own have no platform."""
    return " on ".join(filter(None, (table.name(network), table.name(platform))))


FOR_GNUPLOT = str.maketrans({",": "\u201a", '"': "\u201d", "\\": "\u2216"})


def cell(value):
    """For gnuplot, which cuts texts at commas and quotes and drops backslashes, within quotes or not; "" for
    nothing."""
    if value is None or value != value:
        return ""
    return value.translate(FOR_GNUPLOT) if isinstance(value, str) else value


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
        marks = itertools.chain(*(others(g.sort_values("ram_budget_percent"), family.replace(",", "")) for family, g in
                                  best.groupby("family")), ours(part[part["method"] == OURS]))
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
