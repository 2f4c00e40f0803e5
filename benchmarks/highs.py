#!/usr/bin/python3
"""Solves a free MPS file as poetbnb writes it with the HiGHS in SciPy.

highs.py FILE SECONDS prints one JSON object with status, objective, bound, nodes and seconds, which
are processor time of the search alone: reading is not counted."""

import json
import sys
import time

import numpy
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import csc_array


def read(path):
    """Costs, rows, columns, entries and bounds of a minimisation in the order of the file."""
    rows, sense, columns, integer = {}, [], {}, []
    entries, right, bounds, ranges = [], {}, [], {}
    objective, section, marked = None, None, False
    with open(path) as lines:
        for line in lines:
            word = line.split()
            if not word or line.startswith("*"):
                continue
            if not line[0].isspace():
                section = word[0]
                continue
            if section == "ROWS":
                if word[0] == "N":
                    objective = word[1]
                else:
                    rows[word[1]] = len(sense)
                    sense.append(word[0])
            elif section == "COLUMNS":
                if len(word) > 1 and word[1] == "'MARKER'":
                    marked = word[2] == "'INTORG'"
                    continue
                if word[0] not in columns:
                    columns[word[0]] = len(integer)
                    integer.append(marked)
                for row, value in zip(word[1::2], word[2::2]):
                    entries.append((row, columns[word[0]], float(value)))
            elif section in ("RHS", "RANGES"):
                into = right if section == "RHS" else ranges
                for row, value in zip(word[1::2], word[2::2]):
                    into[row] = float(value)
            elif section == "BOUNDS":
                bounds.append((word[0], word[2], float(word[3]) if len(word) > 3 else 0.0))
    return objective, rows, sense, columns, integer, entries, right, ranges, bounds


def sides(rows, sense, right, ranges):
    """Lower and upper sides of the rows."""
    lower = numpy.full(len(sense), -numpy.inf)
    upper = numpy.full(len(sense), numpy.inf)
    for name, r in rows.items():
        value, width = right.get(name, 0.0), ranges.get(name)
        if sense[r] in "GE":
            lower[r] = value
        if sense[r] in "LE":
            upper[r] = value
        if width is not None:
            if sense[r] == "L":
                lower[r] = value - abs(width)
            elif sense[r] == "G":
                upper[r] = value + abs(width)
            else:
                lower[r], upper[r] = sorted((value, value + width))
    return lower, upper


def column_bounds(columns, integer, bounds):
    """Lower and upper bounds of the columns."""
    lower, upper = numpy.zeros(len(columns)), numpy.full(len(columns), numpy.inf)
    for kind, name, value in bounds:
        j = columns[name]
        if kind in ("LO", "LI", "FX"):
            lower[j] = value
        if kind in ("UP", "UI", "FX"):
            upper[j] = value
        if kind == "BV":
            upper[j] = 1.0
        if kind in ("FR", "MI"):
            lower[j] = -numpy.inf
        if kind in ("BV", "LI", "UI"):
            integer[j] = True
    return lower, upper


def main():
    path, limit = sys.argv[1], float(sys.argv[2])
    objective, rows, sense, columns, integer, entries, right, ranges, bounds = read(path)
    cost = numpy.zeros(len(columns))
    inner = [e for e in entries if e[0] != objective]
    for row, j, value in entries:
        if row == objective:
            cost[j] = value
    matrix = csc_array(
        ([e[2] for e in inner], ([rows[e[0]] for e in inner], [e[1] for e in inner])),
        shape=(len(sense), len(columns)))
    lower, upper = column_bounds(columns, integer, bounds)
    low, high = sides(rows, sense, right, ranges)
    started = time.process_time()
    answer = milp(cost, integrality=numpy.array(integer, dtype=int), bounds=Bounds(lower, upper),
                  constraints=LinearConstraint(matrix, low, high),
                  options={"time_limit": limit, "mip_rel_gap": 1e-9})
    status = {0: "optimal", 1: "time limit", 2: "infeasible", 3: "unbounded"}
    bound = getattr(answer, "mip_dual_bound", None)
    print(json.dumps({
        "status": status.get(answer.status, "unknown"),
        "objective": None if answer.x is None else answer.fun,
        "bound": bound if bound is not None and numpy.isfinite(bound) else None,
        "nodes": getattr(answer, "mip_node_count", None),
        "seconds": time.process_time() - started}))


main()
