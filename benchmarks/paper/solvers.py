"""The programs that solve a model file, poetbnb among them: command lines, and answers read from what
they print."""

import json
import math
import pathlib
import re

HIGHS = pathlib.Path(__file__).resolve().parent / "highs.py"


def answer(status="unknown", **more):
    """objective, bound: None where there is none; -1 of iterations and nodes: not said."""
    return {"status": status, "objective": None, "bound": None, "iterations": None, "nodes": None} | more


def from_json(out):
    try:
        said = json.loads(out)
    except ValueError:
        return answer()
    return answer(**{k: said.get(k) for k in answer()})


def number(pattern, text):
    """The last number that the pattern captures; None without one."""
    found = re.findall(pattern, text)
    return float(found[-1]) if found else None


def count(pattern, text):
    value = number(pattern, text)
    return None if value is None else int(value)


def from_clp(out):
    found = re.search(r"^(Optimal|PrimalInfeasible|DualInfeasible|Stopped) objective (\S+) - (\d+) iter", out, re.M)
    if not found:
        return answer("infeasible" if "infeasible" in out else "unknown")
    status = {"Optimal": "optimal", "PrimalInfeasible": "infeasible", "DualInfeasible": "unbounded",
              "Stopped": "time limit"}[found[1]]
    optimal = status == "optimal"
    # Where a limit stopped it before the model was as before presolve, the last line counts from there.
    logged = [0 if optimal else int(n) for n in re.findall(r"^(\d+)  Obj ", out, re.M)]
    return answer(status, objective=float(found[2]) if optimal else None, iterations=max([int(found[3]), *logged]))


def from_glpk(out):
    """The log has lines like `#  3675: obj =   4.97e+01 inf = ...', of which the last is the answer."""
    status = "optimal" if "OPTIMAL LP SOLUTION FOUND" in out else \
        "time limit" if "TIME LIMIT EXCEEDED" in out else \
        "infeasible" if re.search("NO (PRIMAL )?FEASIBLE SOLUTION", out) else "unknown"
    return answer(status, iterations=count(r"(?m)^[#* ]*(\d+): obj =", out), objective=number(
        r"(?m)^[#* ]*\d+: obj = +(\S+)", out) if status == "optimal" else None)


def from_cbc(out):
    found = re.search(r"^Result - (.*)$", out, re.M)
    if not found:
        return answer("infeasible" if "infeasible" in out else "unknown")
    limited = found[1].startswith("Stopped")
    status = "optimal" if found[1].startswith("Optimal solution found") else \
        "infeasible" if "infeasible" in found[1] else "time limit" if limited else "unknown"
    objective = None if limited and "No feasible solution found" in out else \
        number(r"Objective value: +(\S+)", out)
    return answer(status, objective=objective, iterations=count(r"Total iterations: +(\d+)", out),
                  bound=number(r"Lower bound: +(\S+)", out) if limited else objective,
                  nodes=count(r"Enumerated nodes: +(\d+)", out))


# Name: (words(program, file, seconds), answer(what it printed)). program is poetbnb's path.
SOLVERS = {
    "poetbnb": (lambda program, file, limit: [program, "lp", file, f"--time-limit-s={limit:.9g}", "--json", "--quiet"],
                from_json),
    "clp": (lambda _, file, limit: ["clp", file, "-seconds", str(math.ceil(limit)), "-dualsimplex"],
            from_clp),
    "glpk": (lambda _, file, limit: ["glpsol", "--dual", "--nomip", "--tmlim", str(math.ceil(limit)),
                                     "--freemps", file], from_glpk),
    "cbc": (lambda _, file, limit: ["cbc", file, "-sec", str(math.ceil(limit)), "-threads", "0",
                                    "-ratio", "1e-9", "-allow", "1e-9", "-solve"], from_cbc),
    "highs": (lambda _, file, limit: ["/usr/bin/python3", str(HIGHS), file, str(limit)], from_json),
}


def scale_objective(source, target, factor):
    """A model as poetbnb writes it with all costs times the factor, so that the absolute tolerances of
    other programs are small beside them."""
    section = ""
    with open(source, encoding="utf-8") as lines, open(target, "w", encoding="utf-8") as out:
        for line in lines:
            section = section if line[:1] == " " else line.split()[0]
            word = line.split()
            if section in ("COLUMNS", "RHS") and "obj" in word[1::2]:
                for k in range(1, len(word) - 1, 2):
                    if word[k] == "obj":
                        word[k + 1] = repr(factor * float(word[k + 1]))
                line = f" {' '.join(word)}\n"
            out.write(line)
