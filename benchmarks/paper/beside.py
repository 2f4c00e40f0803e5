"""Runs beside each other on the same instances: a table of all, and what each run takes beside the first."""

import math
import statistics

from .store import write as write_file
from .table import EXTRA, OURS, SAME, frame, write_csv

NEAR = 0.05  # of the best schedule: from there on a start has done its part
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)  # 97.5 %, by degrees of freedom
COLUMNS = ["network", "platform", "budget", "deadline", "seed", "label", "status", "overhead_joules",
           "lower_bound_overhead_joules", "gap", "nodes", "lp_iterations", "work", "seconds",
           "cpu_seconds", *EXTRA]
# What is compared: name, shift of the geometric mean (None: a plain mean), digits.
FIGURES = (("root bound after cuts, % of the overhead", None), ("nodes", 10), ("work, 10^9 steps", 0.1),
           ("processor seconds", 0.1))


def known(value):
    return value is not None and not (isinstance(value, float) and math.isnan(value))


def shown(value):
    return f"{value:.4g}" if isinstance(value, float) and known(value) else str(value) if known(value) else "-"


def interval(values):
    """Mean, and the ends of Student's interval of 95 %."""
    mean = statistics.fmean(values)
    free = len(values) - 1
    if free < 1:
        return mean, -math.inf, math.inf
    z = 1.959964
    t = STUDENT[free - 1] if free <= len(STUDENT) else z + (z**3 + z) / (4 * free)
    half = t * statistics.stdev(values) / math.sqrt(len(values))
    return mean, mean - half, mean + half


def shifted(values, shift):
    """Shifted geometric mean."""
    return math.exp(statistics.fmean(math.log(v + shift) for v in values)) - shift if values else math.nan


def proven(row):
    return row["status"] in ("optimal", "infeasible")


def spent(row):
    """Processor seconds; the limit where it came before a proof."""
    least = 0 if proven(row) or not known(row["time_limit_seconds"]) else row["time_limit_seconds"]
    return max(row["cpu_seconds"], least)


def best_of(rows):
    values = [r["overhead_joules"] for r in rows if known(r["overhead_joules"])]
    return min(values, default=math.nan)


def near_seconds(row, best):
    """Processor seconds to a schedule within NEAR of the best; None: there was none."""
    return next((i["cpu_seconds"] for i in row["incumbents"]
                 if i["overhead_joules"] <= best * (1 + NEAR) + 1e-15), None)


def differ(a, b):
    """Two proven answers that are not the same."""
    if not (proven(a) and proven(b)):
        return False
    if a["status"] != b["status"]:
        return True
    # Of relaxations the bound is the answer. Other programs have tolerances.
    x, y = (r["overhead_joules"] if known(r["overhead_joules"]) else r["lower_bound_overhead_joules"]
            for r in (a, b))
    same = SAME if a["method"] == b["method"] == OURS else 1e-6
    return known(x) and known(y) and abs(x - y) > 100 * same * max(abs(x), 1e-12 * a["base_joules"])


def figures(row, best):
    root = row["windows_bound_cuts_overhead_joules"]
    root = root if known(root) else row["lower_bound_overhead_joules"]
    share = 100 * min(max(root / best, 0), 1) if known(root) and best > 0 else 100.0
    return share, row["nodes"], row["work"], row["cpu_seconds"]


def effect_table(pairs):
    """pairs: of rows with figures, first and second run, by instance and seed."""
    lines = ["| figure | first | second | effect | 95 % confidence |", "|---|---|---|---|---|"]
    for k, (name, shift) in enumerate(FIGURES):
        by_instance = {}
        for instance, a, b in pairs:
            best = best_of((a, b))
            values = [figures(r, best)[k] for r in (a, b)]
            if all(map(known, values)):
                by_instance.setdefault(instance[:-1], []).append(
                    [math.log(v + shift) if shift else v for v in values])
        if not by_instance:
            continue
        means = [[statistics.fmean(side) for side in zip(*runs)] for runs in by_instance.values()]
        sides = [statistics.fmean(side) for side in zip(*means)]
        effect = interval([b - a for a, b in means])
        if shift:
            sides, effect = [math.exp(s) - shift for s in sides], [math.exp(e) for e in effect]
        lines.append(f"| {name} | {sides[0]:.5g} | {sides[1]:.5g} | {'x ' if shift else ''}{effect[0]:.4g} "
                     f"| {effect[1]:.4g} to {effect[2]:.4g} |")
    return lines


def summary(rows):
    """rows: label -> instance -> row, the first run's first."""
    first = next(iter(rows.values()))
    heads = ["run", "instances", "proven", "work", "s", "work / first", "s / first", "worst",
             f"within {NEAR:.0%}", "after s", "above the best %", "proofs KiB", "verify s", "other answer"]
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for label, mine in rows.items():
        both = [k for k in mine if k in first and proven(mine[k]) and proven(first[k])]
        work = [[r[k]["work"] for k in both] for r in (first, mine)]
        work = work if all(map(known, [*work[0], *work[1]])) and both else None
        seconds = [[spent(r[k]) for k in both] for r in (first, mine)]
        best = {k: best_of([r[k] for r in rows.values() if k in r]) for k in mine}
        found = [k for k in mine if known(mine[k]["overhead_joules"])]
        near = [near_seconds(mine[k], best[k]) for k in mine if mine[k]["incumbents"]]
        above = [100 * (mine[k]["overhead_joules"] / best[k] - 1) for k in found if best[k] > 0]
        proofs = [r["proof_bytes"] / 1024 for r in mine.values() if known(r.get("proof_bytes"))]
        checks = [r["verify_seconds"] for r in mine.values() if known(r.get("verify_seconds"))]
        cells = [label, len(mine), sum(map(proven, mine.values())),
                 shifted([r["work"] for r in mine.values() if known(r["work"])], 0.1),
                 shifted([spent(r) for r in mine.values()], 1),
                 shifted(work[1], 0.1) / shifted(work[0], 0.1) if work else math.nan,
                 shifted(seconds[1], 1) / shifted(seconds[0], 1) if both else math.nan,
                 max((b / a for a, b in zip(*seconds) if a > 0.05), default=math.nan),
                 sum(map(known, near)), shifted([n for n in near if known(n)], 1),
                 max(above, default=math.nan), max(proofs, default=math.nan), shifted(checks, 1),
                 sum(differ(mine[k], first[k]) for k in mine if k in first)]
        lines.append("| " + " | ".join(map(shown, cells)) + " |")
    return lines


def collect(store, points):
    """label -> instance -> row with its incumbents, of what has a result; how many differ."""
    rows = {}
    for p in points:
        result = store.load(p)
        if result and not result["failed"]:
            for record in result["records"]:
                row = dict.fromkeys(COLUMNS) | dict.fromkeys(
                    ("windows_bound_cuts_overhead_joules", "time_limit_seconds", "base_joules")) | record
                row["incumbents"] = result.get("incumbents", [])
                rows.setdefault(p.label, {})[(*p.instance[:-1], record["method"] if p.methods else "",
                                              record["ram_budget_bytes"], p.seed)] = row
    return rows


def write(store, points):
    """NAME.csv with all results and NAME.md with what they come to, of each experiment; the text, and how many
    proven answers differ or failed."""
    text, wrong = [], 0
    for name in dict.fromkeys(p.experiment for p in points):
        part = [p for p in points if p.experiment == name]
        rows = collect(store, part)
        df = frame(store, part)
        write_csv(df[[c for c in COLUMNS if df[c].notna().any()]], store.folder / f"{name}.csv")
        if not rows:
            continue
        first, *others = rows.values()
        other = sum(differ(r[k], first[k]) for r in others for k in r if k in first)
        lines = [f"# {name}: runs beside each other, one thread\n"]
        if name == "torch":
            lines += torch_table(first)
        elif len(rows) == 2 and all(known(r["work"]) for r in first.values()):
            pairs = [(k, first[k], others[0][k]) for k in first if k in others[0]]
            lines += effect_table(pairs)
            lines.append(f"\nFirst: {', second: '.join(rows)}. {len(pairs)} pairs of runs; proven "
                         f"{sum(proven(a) for _, a, _ in pairs)} and {sum(proven(b) for _, _, b in pairs)}. "
                         "The effect is the mean over the instances of that over the seeds, the interval is "
                         "Student's, over instances.")
        else:
            lines += summary(rows)
            lines.append("\nShifted geometric means (shifts 0.1 of work, 1 s; a run that a limit cut off counts with "
                         "the limit); quotients over the instances that both prove.")
        lines.append(f"Proven answers that differ, which must be 0: {other}.\n")
        write_file(store.folder / f"{name}.md", "\n".join(lines))
        text += lines
        wrong += other
    return "\n".join(text), wrong


def torch_table(rows):
    heads = ["network", "nodes", "torch holds", "keeping everything", "budget", "status", "overhead %", "again",
             "page-ins", "replayed", "equal", "peak"]
    keys = ["network", "graph_nodes", "held_bytes", "keep_bytes", "ram_budget_bytes", "status",
            "overhead_percent", "again", "pages", "replayed", "equal", "peak_equal"]
    return ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|",
            *("| " + " | ".join(shown(r.get(k)) for k in keys) + " |" for r in rows.values())]
