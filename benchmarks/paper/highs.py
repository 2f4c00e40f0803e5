#!/usr/bin/python3
"""Solves a free MPS file as poetbnb writes it (no ranges, upper bounds and fixed columns alone) with the
HiGHS in SciPy.

highs.py FILE SECONDS prints one JSON object with status, objective, bound and nodes."""

import json
import sys

import numpy
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array


def read(path):
    """Rows' senses and right sides by name; columns: integer, lower and upper bound, by name; entries
    (row, column, value) by name."""
    senses, right, columns, entries, section, integer = {}, {}, {}, [], None, False
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            word = line.split()
            if line[0] != " ":
                section = word[0]
            elif section == "ROWS":
                senses[word[1]] = word[0]
            elif section == "COLUMNS" and word[1] == "'MARKER'":
                integer = word[2] == "'INTORG'"
            elif section == "COLUMNS":
                columns.setdefault(word[0], [integer, 0.0, numpy.inf])
                entries += [(row, word[0], float(value)) for row, value in zip(word[1::2], word[2::2])]
            elif section == "RHS":
                right.update((row, float(value)) for row, value in zip(word[1::2], word[2::2]))
            elif section == "BOUNDS":
                if word[0] not in ("UP", "FX"):
                    sys.exit(f"{path}: a bound {word[0]}: expected UP or FX")
                columns[word[2]][2] = float(word[3])
                if word[0] == "FX":
                    columns[word[2]][1] = float(word[3])
            elif section not in ("NAME", "ENDATA"):
                sys.exit(f"{path}: section {section}: expected those that poetbnb writes")
    return senses, right, columns, entries


def main():
    path, limit = sys.argv[1], float(sys.argv[2])
    senses, right, columns, entries = read(path)
    objective = next(name for name, sense in senses.items() if sense == "N")
    row = {name: k for k, name in enumerate(n for n in senses if n != objective)}
    column = {name: k for k, name in enumerate(columns)}
    cost = numpy.zeros(len(columns))
    for _, name, value in (e for e in entries if e[0] == objective):
        cost[column[name]] = value
    inner = [e for e in entries if e[0] != objective]
    matrix = csc_array(([e[2] for e in inner], ([row[e[0]] for e in inner], [column[e[1]] for e in inner])),
                       shape=(len(row), len(column)))
    low = [right.get(r, 0.0) if senses[r] in "EG" else -numpy.inf for r in row]
    high = [right.get(r, 0.0) if senses[r] in "EL" else numpy.inf for r in row]
    integer, lower, upper = zip(*columns.values())
    answer = milp(cost, integrality=numpy.array(integer, dtype=int), bounds=Bounds(lower, upper),
                  constraints=LinearConstraint(matrix, low, high),
                  options={"time_limit": limit, "mip_rel_gap": 1e-9})
    status = {0: "optimal", 1: "time limit", 2: "infeasible", 3: "unbounded"}
    bound = getattr(answer, "mip_dual_bound", None)
    # An objective's right side is its constant with the other sign.
    constant = -right.get(objective, 0.0)
    print(json.dumps({
        "status": status.get(answer.status, "unknown"),
        "objective": None if answer.x is None else answer.fun + constant,
        "bound": bound + constant if bound is not None and numpy.isfinite(bound) else None,
        "nodes": getattr(answer, "mip_node_count", None)}))


main()
