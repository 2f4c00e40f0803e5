"""Sentences of the report that follow from the data, each with the rule by which it does.

A rule is a function of the results that a figure draws, or of all of them: it returns the text, or ""
where there is nothing to say. Its docstring is the rule as readers see it."""

import collections

from plots.tables import FAR

from . import claims
from .table import OURS, below_ours


Sentence = collections.namedtuple("Sentence", "text rule")
# Beside the results: cost models by platform, points of the setting, and its name.
Context = collections.namedtuple("Context", "costs points setting", defaults=(0, ""))


def times(count, word):
    return f"{count} {word}{'' if count == 1 else 's'}"


# ---- rules -----------------------------------------------------------------------------------------


def states(df, context):
    """column state of our rows, counted"""
    counts = df[df["method"] == OURS]["state"].value_counts()
    return f"Ours: {times(counts.sum(), 'point')}, {', '.join(f'{n} {s}' for s, n in counts.items())}."


def late_checkmate(df, context):
    """rows of checkmate with a reason in stopped_by"""
    rows = df[(df["method"] == "checkmate") & (df["state"] != "missing")]
    late = rows[rows["state"] == "cut off"]
    return (f"Checkmate is our own search without paging, with the same limit. It was cut off at {len(late)} of "
            f"{times(len(rows), 'point')}, marked by a cross: it may do better there." if len(rows) else "")


def far_from_proven(df, context):
    rows = df[(df["method"] == OURS) & (df["state"] == "best known") & ~(df["gap"] <= FAR)]
    return (f"Stars: ours with a gap above {100 * FAR:g} % ({len(rows)} of them), which say little about "
            "the optimum." if len(rows) else "")


far_from_proven.__doc__ = f"our rows that are best known, with a gap above {100 * FAR:g} % or without a bound"


def inconsistent_power(df, context):
    """flops_per_second / flops_per_joule is more than twice compute_watts, or less than half"""
    said = [claims.power_differs(context.costs, p) for p in df["platform"].unique()]
    return " ".join(f"{words[0].upper()}{words[1:]}." for words in said if words)


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


OF = {"fig3": (states, late_checkmate, far_from_proven),
      "fig4": (states, far_from_proven),
      "fig5": (states, far_from_proven, inconsistent_power),
      "all": (everything, baselines_below),
      "open": (open_results,)}


def said(name, df, context):
    """The sentences of a figure, about its rows; of all and open, about all rows."""
    part = df if name in ("all", "open") else df[df["experiment"] == name]
    texts = ((rule(part, context), rule.__doc__) for rule in OF[name])
    return [Sentence(words, rule) for words, rule in texts if words]
