"""The best schedule and bound of each instance that any run has found: benchmarks/best_known.csv."""

import csv
import pathlib
import re

from .store import write as write_file
from .table import OURS, SAME

WRONG = "wrong"  # begins what judge() says of a contradiction; then all of it does
FILE = pathlib.Path(__file__).resolve().parent.parent / "best_known.csv"
COLUMNS = ["instance", "graph_checksum", "ram_budget_bytes", "status", "overhead_joules",
           "lower_bound_overhead_joules", "version", "found_by"]
# Options that make another problem of the graph and the budget.
RULES = re.compile(r"\b(no-paging|no-remat|max-computations|charge-pagein|deadline|order)\b")


def key(row):
    return row["graph_checksum"], int(row["ram_budget_bytes"])


def read(path=FILE):
    """By checksum and bytes."""
    with open(path, encoding="utf-8", newline="") as file:
        found = {}
        for row in csv.DictReader(file):
            for name in ("overhead_joules", "lower_bound_overhead_joules"):
                row[name] = float(row[name]) if row[name] else None
            found[key(row)] = row
        return found


def write(rows, path=FILE, columns=COLUMNS):
    lines = [",".join(columns)]
    for row in rows:
        cells = ["" if row[c] is None else repr(row[c]) if isinstance(row[c], float) else str(row[c]) for c in columns]
        lines.append(",".join(cells))
    write_file(pathlib.Path(path), "\n".join(lines) + "\n")


def counts(record):
    """Is the record about the problem of its graph and budget alone?"""
    return record.get("graph_checksum") and record.get("runtime_budget") is None and \
        not RULES.search(record.get("options") or "")


def less(a, b):
    """a is less than b, by more than rounding makes of a sum."""
    return a < b - SAME * max(abs(a), abs(b)) - 1e-15


def judge(record, best):
    """What a record says that is not known: words, of which those that are wrong must not be.
    best: the instance's row."""
    schedule = record["overhead_joules"] if record.get("feasible") else None
    bound = record.get("lower_bound_overhead_joules") if record["method"] == OURS else None
    infeasible = record["method"] == OURS and record["status"] == "infeasible"
    known, known_bound, said = best["overhead_joules"], best["lower_bound_overhead_joules"], []
    if infeasible and known is not None:
        said.append(f"wrong: infeasible, and a schedule of {known:.12g} J is known")
    if schedule is not None and best["status"] == "infeasible":
        said.append(f"wrong: a schedule of {schedule:.12g} J of what is known to be infeasible")
    if bound is not None and known is not None and less(known, bound):
        said.append(f"wrong: a bound of {bound:.12g} J above the known schedule of {known:.12g} J")
    if schedule is not None and known_bound is not None and less(schedule, known_bound):
        said.append(f"wrong: a schedule of {schedule:.12g} J below the known bound of {known_bound:.12g} J")
    if said:
        return said
    if schedule is not None and (known is None or less(schedule, known)):
        said.append("a better schedule" if known is not None else "the first schedule")
    if bound is not None and known_bound is not None and less(known_bound, bound) and \
            best["status"] != "optimal":
        said.append("a better bound")
    if best["status"] not in ("optimal", "infeasible") and record["method"] == OURS and \
            record["status"] in ("optimal", "infeasible"):
        said.append("a proof")
    return said


def review(named, best, found_by, new=False):
    """named: (name, record); (name, words) of each that says what is not known, or must not be. best gets what is
    better, and with new the instances that it does not have."""
    said, names = [], {row["instance"] for row in best.values()}
    for name, record in named:
        row = best.get(key(record)) if counts(record) else None
        if row or (new and counts(record)):
            words = judge(record, row) if row else ["a new instance" if name not in names else
                                                    "another graph or budget than that of its best known values"]
            said += [(name, w) for w in words]
            best[key(record)] = merged(row["instance"] if row else name, record, row, f"{found_by} {name}")
    return said


def merged(instance, record, best, found_by):
    """The row of an instance after a record. best: its row before, or None."""
    ours = record["method"] == OURS  # of others bound and proof are of their own problems
    new = {"instance": instance, "graph_checksum": record["graph_checksum"],
           "ram_budget_bytes": record["ram_budget_bytes"], "status": record["status"],
           "overhead_joules": record["overhead_joules"],
           "lower_bound_overhead_joules": record["lower_bound_overhead_joules"] if ours else None,
           "version": record["version"], "found_by": found_by}
    if not ours or record["status"] not in ("optimal", "infeasible"):
        new["status"] = "unknown" if record["overhead_joules"] is None else "best"
    if best is None:
        return new
    said = judge(record, best)
    if not said or said[0].startswith(WRONG):
        return best
    if best["overhead_joules"] is not None and (
            new["overhead_joules"] is None or less(best["overhead_joules"], new["overhead_joules"])):
        new["overhead_joules"] = best["overhead_joules"]
        new["status"] = "best" if new["status"] == "unknown" else new["status"]
    bounds = [b["lower_bound_overhead_joules"] for b in (best, new) if b["lower_bound_overhead_joules"] is not None]
    new["lower_bound_overhead_joules"] = max(bounds, default=None)
    return new
