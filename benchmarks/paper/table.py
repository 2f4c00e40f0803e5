"""Results as a data frame: a row for every method at every point, in the columns of docs/formats.md
behind those that name the point."""

import pandas as pd

from .points import asked

POINT = ["experiment", "run", "label", "budget", "deadline", "state"]
COLUMNS = ["network", "platform", "graph_checksum", "graph_nodes", "ram_budget_bytes", "ram_budget_percent",
           "runtime_budget", "deadline_seconds", "method", "options", "seed", "threads", "time_limit_seconds",
           "version", "status", "stopped_by", "feasible", "reason", "base_joules", "energy_joules", "overhead_joules",
           "overhead_percent", "lower_bound_overhead_joules", "gap", "windows_bound_overhead_joules",
           "windows_bound_cuts_overhead_joules", "minimum_bytes", "peak_bytes", "compute_seconds", "transfer_seconds",
           "recompute_count", "pagein_count", "pageout_count", "nodes", "lp_iterations", "cuts", "work", "span",
           "seconds", "cpu_seconds", "resident_bytes"]
# Figures that only some runs have.
EXTRA = ["counted_again", "graph_edges", "model_rows", "model_columns", "peak_kilobytes", "proof_bytes",
         "verify_seconds", "verdict", "held_bytes", "keep_bytes", "again", "pages", "replayed", "equal", "peak_equal"]
OURS = "poetbnb"

# Relative difference below which two overheads are the same.
SAME = 1e-9


def state(row):
    """proven, best known, infeasible and unknown of ours; feasible, cut off and none of the others;
    missing and failed of both."""
    if row["status"] in ("missing", "failed"):
        return row["status"]
    if row["method"] == OURS:
        return {"optimal": "proven", "infeasible": "infeasible", "unknown": "unknown"}.get(row["status"], "best known")
    if row["stopped_by"]:
        return "cut off"
    return "feasible" if row["feasible"] else "none"


def rows(store, points):
    for p in points:
        result = store.load(p)
        methods = p.methods or ((OURS,) if p.command == "solve" else (p.run,))
        name = {"experiment": p.experiment, "run": p.run, "label": p.label, "budget": p.budget, "deadline": p.deadline}
        empty = dict.fromkeys(COLUMNS) | {"network": p.network, "platform": p.platform, "seed": p.seed}
        if result is not None and not result["failed"]:
            for record in result["records"]:
                yield name | dict.fromkeys(COLUMNS) | record
            continue
        for method in methods:
            yield name | empty | {"method": method,
                                  "status": "failed" if result else "missing",
                                  "reason": result["error"] if result else None}


def frame(store, points):
    data = [row | {"state": state(row)} for row in rows(store, points)]
    df = pd.DataFrame(data, columns=POINT + COLUMNS + EXTRA)
    df["platform"] = df["platform"].fillna("")  # of graphs that have their own costs
    texts = set(POINT) | {"network", "platform", "graph_checksum", "method", "options", "version",
                          "status", "stopped_by", "feasible", "reason", "verdict", "equal"}
    for column in df.columns:
        if column not in texts:
            df[column] = pd.to_numeric(df[column])
    return df


def guarded(value):
    """No spreadsheet takes a text behind an apostrophe for a formula."""
    return f"'{value}" if isinstance(value, str) and value[:1] in tuple("=+-@") else value


def write_csv(df, path):
    df.applymap(guarded).to_csv(path, index=False)


def platforms(program, names):
    """The cost models, as the program prints them; with the name "methods" its methods."""
    found = {name: asked(program, "info", f"--platform={name}") for name in names}
    return (asked(program, "info", "--methods") or {}) | {name: costs for name, costs in found.items() if costs}


def family_rows(df, table):
    """Of every family of baselines the row with the least overhead at each instance; rows without a
    schedule count last. A column `family` is added."""
    names = {m: label for label, methods in table.families.items() for m in methods}
    best = df[df["method"].isin(names)].assign(family=lambda d: d["method"].map(names))
    best = best.sort_values("overhead_joules", na_position="last", kind="stable")
    keys = ["experiment", "network", "platform", "budget", "deadline", "family"]
    return best.drop_duplicates(keys)


def beside_ours(df, experiment):
    """Every baseline's row of an experiment beside ours at the same instance (suffix _ours). Our
    search with paging alone or rematerialisation alone is a baseline, too."""
    keys = ["network", "platform", "budget", "deadline"]
    part = df[df["experiment"] == experiment]
    ours = (part["method"] == OURS) & ~part["options"].fillna("").str.contains(r"\bno-(?:paging|remat)\b")
    return part[~ours].merge(part[ours].drop_duplicates(keys), on=keys, suffixes=("", "_ours"))


def below_ours(df):
    """Baselines with less overhead than ours: there must not be any."""
    pairs = pd.concat([beside_ours(df, e) for e in sorted(df["experiment"].unique())])
    margin = SAME * pairs["overhead_joules_ours"].abs()
    return pairs[pairs["overhead_joules"] < pairs["overhead_joules_ours"] - margin]
