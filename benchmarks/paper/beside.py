"""Runs beside each other on the same instances: a table of all, and what each run takes beside the first."""

import math
import re
import statistics

import numpy as np
import pandas as pd

from .known import RULES
from .points import Refused
from .report import origin
from .store import write as write_file
from .table import EXTRA, OURS, SAME, frame, write_csv

SETTING = "beside"  # the setting of runs that are compared with each other
LONG = 5  # 10^9 steps of work
BY_GROUP = ("exact", "large", "root")  # experiments with a table by group
BY_SEED = ("hard",)  # experiments with a row for all seeds of a point
NEAR = 0.05  # of the best schedule: from there on a start has done its part
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262)  # 97.5 %, by degrees of freedom
COLUMNS = ["network", "platform", "budget", "deadline", "seed", "label", "status", "overhead_joules",
           "lower_bound_overhead_joules", "gap", "nodes", "lp_iterations", "work", "seconds", "cpu_seconds", *EXTRA]
# What is compared: name, shift of the geometric mean (None: a plain mean), digits.
FIGURES = (("root bound after cuts, % of the overhead", None), ("nodes", 10), ("work, 10^9 steps", 0.1),
           ("processor seconds", 0.1))
known = pd.notna


def shown(value):
    return f"{value:.4g}" if isinstance(value, float) and known(value) else str(value) if known(value) else "-"


def table(heads, rows):
    """Lines of Markdown."""
    return ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|",
            *("| " + " | ".join(map(shown, row)) + " |" for row in rows)]


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
    """Two proven answers to one problem that are not the same."""
    rules = [set(RULES.findall(r["options"] or "")) for r in (a, b)]
    if not (proven(a) and proven(b)) or rules[0] != rules[1]:
        return False
    if a["status"] != b["status"]:
        return True
    # Of relaxations the bound is the answer. Other programs have tolerances.
    x, y = (r["overhead_joules"] if known(r["overhead_joules"]) else r["lower_bound_overhead_joules"] for r in (a, b))
    same = SAME if a["method"] == b["method"] == OURS else 1e-6
    return known(x) and known(y) and abs(x - y) > 100 * same * max(abs(x), 1e-12 * a["base_joules"])


def figures(row, best):
    root = row["windows_bound_cuts_overhead_joules"]
    root = root if known(root) else row["lower_bound_overhead_joules"]
    share = 100 * min(max(root / best, 0), 1) if known(root) and best > 0 else 100.0
    return share, row["nodes"], row["work"], row["cpu_seconds"]


def effect_table(pairs):
    """pairs: of rows with figures, first and second run, by instance and seed."""
    lines = []
    for k, (name, shift) in enumerate(FIGURES):
        df = pd.DataFrame([(str(instance[:-1]), *(figures(r, best_of((a, b)))[k] for r in (a, b)))
                           for instance, a, b in pairs], columns=["instance", "first", "second"]).dropna()
        if df.empty:
            continue
        means = df.set_index("instance").astype(float).transform(lambda v: np.log(v + shift) if shift else v).groupby(
            "instance").mean()
        sides, effect = means.mean(), interval(list(means["second"] - means["first"]))
        if shift:
            sides, effect = np.exp(sides) - shift, np.exp(effect)
        lines.append([name, *(f"{side:.5g}" for side in sides), f"{'x ' if shift else ''}{effect[0]:.4g}",
                      f"{effect[1]:.4g} to {effect[2]:.4g}"])
    return table(["figure", "first", "second", "effect", "95 % confidence"], lines)


def summary(rows):
    """rows: label -> instance -> row, the first run's first."""
    first = next(iter(rows.values()))
    heads = ["run", "instances", "proven", "work", "s", "work / first", "s / first", "worst",
             f"within {NEAR:.0%}", "after s", "above the best %", "proofs KiB", "verify s", "other answer"]
    lines = []
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
        lines.append([
            label, len(mine), sum(map(proven, mine.values())),
            shifted([r["work"] for r in mine.values() if known(r["work"])], 0.1),
            shifted([spent(r) for r in mine.values()], 1),
            shifted(work[1], 0.1) / shifted(work[0], 0.1) if work else math.nan,
            shifted(seconds[1], 1) / shifted(seconds[0], 1) if both else math.nan,
            max((b / a for a, b in zip(*seconds) if a > 0.05), default=math.nan),
            sum(map(known, near)), shifted([n for n in near if known(n)], 1),
            max(above, default=math.nan), max(proofs, default=math.nan), shifted(checks, 1),
            sum(differ(mine[k], first[k]) for k in mine if k in first)])
    return table(heads, lines)


def parts(rows, key):
    """(value of the key, run, its rows), values in the order in which they come."""
    df = pd.DataFrame([r | {"run": label, "done": proven(r)} for label, mine in rows.items() for r in mine.values()])
    df["gap"] = 100 * df["gap"].astype(float)
    for value, of in df.groupby(key, sort=False):
        for label, part in of.groupby("run", sort=False):
            yield value, label, part


def by_group(rows):
    """Counted work by group and run, and the instances that are open or took more than LONG."""
    lines, slow = [], []
    for group, label, part in parts(rows, "group"):
        work, gap = part["work"][part["done"]].dropna(), part["gap"].where(~part["done"])
        lines.append([group + f", {label}" * (label != next(iter(rows))), len(part), part["done"].sum(),
                      work.median() if len(work) else None, work.max(), gap.max()])
        late = part[~part["done"] | (part["work"] > LONG)]
        slow += zip(late["instance"], late["run"], late["work"], *(
            100 * late[k].astype(float) / late["base_joules"] for k in ("overhead_joules", "lower_bound_overhead_joules")),
            late["gap"].where(~late["done"], 0), late["peak_kilobytes"] / 1000)
    return [*table(["group", "instances", "proven", "median work", "largest work", "largest gap %"], lines), "",
            *table(["open, or long", "run", "work", "overhead %", "bound %", "gap %", "MB"], slow)]


def by_seed(rows):
    """A row for the seeds of a point and a run: what they prove and find together, and how long they take."""
    lines = []
    for name, label, part in parts(rows, "instance"):
        gap, work = part["gap"].where(~part["done"], 0), part["work"].dropna()
        lines.append([name, label, f"{part['done'].sum()} of {len(part)}", part["overhead_joules"].min(),
                      part["lower_bound_overhead_joules"].max(), gap.min(), gap.max(),
                      work.median() if len(work) else None, work.max(), part["cpu_seconds"].median()])
    return table(["point", "run", "proven", "overhead, J", "bound, J", "least gap %", "largest gap %", "median work",
                  "largest work", "median s"], lines)


def collect(store, points):
    """label -> instance -> row with its incumbents, of what has a result; how many differ."""
    rows = {}
    for p, result in store.answers(points):
        for record in result["records"]:
            row = dict.fromkeys(COLUMNS) | dict.fromkeys(
                ("options", "windows_bound_cuts_overhead_joules", "time_limit_seconds", "base_joules")) | record
            row.update(incumbents=result.get("incumbents", []), group=p.group, instance=p.name)
            rows.setdefault(p.label, {})[(*p.instance[:-1], record["method"] if p.methods else "",
                                          record["ram_budget_bytes"], p.seed)] = row
    return rows


def torch_table(rows):
    """A row a network: its schedules from the largest budget to the least."""
    networks = {}
    for r in rows.values():
        networks.setdefault(r["network"], []).append(r)
    lines = []
    for name, steps in networks.items():
        steps.sort(key=lambda r: -r["ram_budget_bytes"])
        held, keep = steps[0].get("held_bytes"), steps[0].get("keep_bytes")

        def each(key, steps=steps):
            return ", ".join(shown(r.get(key)) for r in steps)

        def counted(key, steps=steps):
            return f"{sum(bool(r.get(key)) for r in steps)} of {len(steps)}"
        overheads = ", ".join(f"{shown(r.get('overhead_percent'))}" + (
            f" (gap {100 * r['gap']:.2g} %)" if r.get("gap") else "") for r in steps)
        lines.append([name, steps[0].get("graph_nodes"), held, keep, f"{keep / held:.3f}" if held and keep else None,
                      overheads, each("again"), each("pages"), each("replayed"), counted("equal"),
                      counted("peak_equal")])
    return table(["network", "nodes", "torch holds", "keeping everything", "ratio", "overhead % at 75, 50, 25 %", "again",
                  "page-ins", "replayed", "equal", "peak"], lines)


MEANS = "Shifted geometric means (shifts 0.1 of work, 1 s; a run that a limit cut off counts with the limit); " \
    "quotients over the instances that both prove."


def described(name, rows):
    """An experiment's table, and what its figures are."""
    first, *others = rows.values()
    if name == "torch":
        return torch_table(first), "Bytes; a row has one number for each of its budgets."
    if name in BY_GROUP:
        return by_group(rows), f"Work of what is proven, in 10^9 counted steps; long: more than {LONG}."
    if name in BY_SEED:
        return by_seed(rows), ("Least overhead and largest bound of all seeds. Work in 10^9 counted steps and processor "
                               "seconds, of runs without a proof, too.")
    if len(rows) == 2 and all(known(r["work"]) for r in first.values()):
        pairs = [(k, first[k], others[0][k]) for k in first if k in others[0]]
        return effect_table(pairs), (
            f"First: {', second: '.join(rows)}. {len(pairs)} pairs of runs; proven "
            f"{sum(proven(a) for _, a, _ in pairs)} and {sum(proven(b) for _, _, b in pairs)}. The effect is the mean "
            "over the instances of that over the seeds, the interval is Student's, over instances.")
    return summary(rows), MEANS


def put(page, name, lines):
    """Puts the lines into the block of a page that is the experiment's."""
    text, count = re.subn(rf"(?<=<!-- bench-{name} -->\n).*?(?=<!-- end -->)", lambda _: "\n".join([*lines, ""]),
                          page.read_text(encoding="utf-8"), flags=re.S)
    if not count:
        raise Refused(f"{page}: no block <!-- bench-{name} -->")
    write_file(page, text)


def write(store, points, page=None):
    """NAME.csv with all results of the experiment and NAME.md with what they come to, which goes into the page, too;
    the text, and how many proven answers differ or failed."""
    name, missing = points[0].experiment, [p.key for p in points if not store.serves(p)]
    if page and missing:
        raise Refused(f"{name}: {len(missing)} of {len(points)} points are missing, first {missing[0]}")
    rows = collect(store, points)
    df = frame(store, points)
    write_csv(df[[c for c in COLUMNS if df[c].notna().any()]], store.folder / f"{name}.csv")
    if not rows:
        return "", 0
    first, *others = rows.values()
    other = sum(differ(r[k], first[k]) for r in others for k in r if k in first)
    lines, words = described(name, rows)
    if page:
        found = origin()
        put(page, name, [*lines, "", f"{words} *Commit {found['commit']}, {found['written'][:10]}, {found['machine']}.*"])
    text = "\n".join([f"# {name}: runs beside each other, one thread\n", *lines, f"\n{words}",
                      f"Proven answers that differ, which must be 0: {other}.\n"])
    write_file(store.folder / f"{name}.md", text)
    return text, other
