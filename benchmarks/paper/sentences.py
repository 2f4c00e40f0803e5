"""Sentences of the report that follow from the data, each with the rule by which it does.

A rule is a function of the results that a figure draws, or of all of them: it returns the text, or ""
where there is nothing to say. Its docstring is the rule as readers see it."""

import dataclasses

from plots.tables import FAR, INSTANCE, complete

from . import claims
from .table import OURS, below_ours


@dataclasses.dataclass(frozen=True)
class Sentence:
    text: str
    rule: str


@dataclasses.dataclass(frozen=True)
class Context:
    """What rules know beside the results."""

    table: object  # of experiments
    costs: dict  # cost models by platform
    points: int = 0  # of the setting
    setting: str = ""


def listed(words):
    """a, b and c"""
    words = list(words)
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])


def named(df, table, column):
    return listed(table.name(n) for n in df[column].unique() if n)


def span(values, unit=""):
    low, high = min(values), max(values)
    return f"{low:.4g}{unit}" if low == high else f"{low:.4g} to {high:.4g}{unit}"


def times(count, word):
    return f"{count} {word}{'' if count == 1 else 's'}"


# ---- rules -----------------------------------------------------------------------------------------


def drawn(df, context):
    """networks and platforms of the rows drawn"""
    nets, devices = named(df, context.table, "network"), named(df, context.table, "platform")
    return f"It shows {nets}{' on the ' + devices if devices else ''}."


def states(df, context):
    """column state of our rows, counted"""
    counts = df[df["method"] == OURS]["state"].value_counts()
    return f"Ours: {times(counts.sum(), 'point')}, {', '.join(f'{n} {s}' for s, n in counts.items())}."


def late_checkmate(df, context):
    """rows of checkmate with a reason in stopped_by"""
    rows = df[(df["method"] == "checkmate") & (df["state"] != "missing")]
    late = rows[rows["state"] == "cut off"]
    return ("Checkmate is our own search without paging, with the same limit. It was cut off at "
            f"{len(late)} of {times(len(rows), 'point')}, marked by a cross: it may do better there."
            if len(rows) else "")


def far_from_proven(df, context):
    rows = df[(df["method"] == OURS) & (df["state"] == "best known") & ~(df["gap"] <= FAR)]
    return (f"Stars: ours with a gap above {100 * FAR:g} % ({len(rows)} of them), which say little about "
            "the optimum." if len(rows) else "")


far_from_proven.__doc__ = f"our rows that are best known, with a gap above {100 * FAR:g} % or without a bound"


def calibrated(df, context):
    """a row of the platform jetsontx2 is drawn"""
    return "The TX2's speed is calibrated." if "jetsontx2" in set(df["platform"]) else ""


def inconsistent_power(df, context):
    """flops_per_second / flops_per_joule is more than twice compute_watts, or less than half"""
    said = [claims.power_differs(context.costs, p) for p in df["platform"].unique()]
    return " ".join(f"{words[0].upper()}{words[1:]}." for words in said if words)


def memory_range(df, context):
    """least and largest ram_budget_percent"""
    return f"The budgets are {span(df['ram_budget_percent'].dropna(), ' %')} of the memory."


def sizes(df, context):
    """least and largest graph_nodes"""
    return f"The graphs have {span(df['graph_nodes'].dropna())} nodes."


def budgets(df, context):
    """columns budget and label of our rows"""
    pairs = df[df["method"] == OURS].drop_duplicates(["label", "budget"])
    return f"The budgets are {listed(f'{b} ({label})' for label, b in zip(pairs['label'], pairs['budget']))}."


def complete_instances(df, context):
    """instances with a result for every label, neither missing nor failed"""
    whole = complete(df)
    places = whole.drop_duplicates(INSTANCE)
    return (f"It is over {times(len(places), 'instance')} of {named(places, context.table, 'network')} that "
            "were run with every part left out.")


def seed_count(df, context):
    """distinct values of seed"""
    return f"Each instance was run with {times(df['seed'].nunique(), 'seed')}."


def everything(df, context):
    """rows of results.csv, points of the setting, and versions of the rows"""
    versions = ", ".join(sorted(v for v in df["version"].dropna().unique()))
    return (f"Setting {context.setting}: {times(len(df), 'result')} of {times(context.points, 'point')}, each a "
            f"run with one thread, by version {versions or '?'}.")


def baselines_below(df, context):
    """overhead below ours at the same instance by more than 1e-9 of ours"""
    below = below_ours(df)
    return (f"{times(len(below), 'baseline')} below ours: {claims.where(below.iloc[0])}, "
            f"{below.iloc[0]['method']}." if len(below) else "No baseline has less overhead than ours.")


def open_results(df, context):
    """state is cut off, failed, missing, best known or unknown; the same computation counts once"""
    return f"{len(open_rows(df))} of {times(len(df), 'result')} are open."


def open_rows(df):
    part = df[df["state"].isin(["cut off", "failed", "missing", "best known", "unknown"])]
    return part.drop_duplicates(["network", "platform", "budget", "deadline", "method", "options", "seed"])


OF = {"fig2": (sizes, budgets),
      "fig3": (drawn, states, late_checkmate, far_from_proven, calibrated),
      "fig4": (drawn, states, far_from_proven, calibrated),
      "fig5": (drawn, states, far_from_proven, inconsistent_power, calibrated),
      "scaling": (drawn, states, memory_range, calibrated),
      "layered": (sizes, budgets, states),
      "trace": (drawn, states, calibrated),
      "ablation": (drawn, states, complete_instances),
      "seeds": (drawn, states, seed_count, calibrated),
      "all": (everything, baselines_below),
      "open": (open_results,)}


def said(name, df, context):
    """The sentences of a figure, about its rows; of all and open, about all rows."""
    part = df if name in ("all", "open") else df[df["experiment"] == name]
    texts = ((rule(part, context), rule.__doc__) for rule in OF[name])
    return [Sentence(words, rule) for words, rule in texts if words]
