"""Certificates of small random problems, and mutations of them."""

import functools
import importlib.machinery
import importlib.util
import json
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ.get("POETBNB", str(ROOT / "build/release/poetbnb"))

_loader = importlib.machinery.SourceFileLoader("verify_certificate", str(ROOT / "scripts/verify-certificate"))
second = importlib.util.module_from_spec(importlib.util.spec_from_loader("verify_certificate", _loader))
_loader.exec_module(second)

# Of `solve', one for each certificate in turn; {d} is a deadline.
OPTIONS = ["", "--runtime-budget {d}", "--no-paging", "--trust=rules", "--charge-pagein=transfer",
           "--no-remat", "--trust=rules --charge-pagein=transfer", "--trust=rules --runtime-budget {d}",
           "--runtime-budget {d} --deadline-includes-paging --charge-pagein=transfer", "--trust=rules --no-paging",
           "--no-paging --max-computations=2"]


def change_kind(rng, node, unit):
    """Another workspace and another pin of a node, often none, and names of what was made into it."""
    node.update(workspace_bytes=rng.choice([0, 0, 1, unit, 3 * unit]),
                pin=rng.choice([None, None, None, "keep", "no-recompute", "no-page"]))
    if node["pin"] is None:
        del node["pin"]
    size, work = node["bytes"], node["workspace_bytes"]
    node["aliases"] = rng.choice([
        [], [{"name": "v", "kind": "view", "op": "flatten"}, {"name": "o", "kind": "overwritten"}],
        [{"name": "a", "kind": "output", "bytes": size // 2}, {"name": "b", "kind": "output", "bytes": size - size // 2},
         {"name": "c", "kind": "unread", "bytes": work}]])


def random_graph(rng, most):
    """A chain with skips, as a JSON object; sizes with common divisors, some 0, cheap or dear transfers."""
    n, unit, paging = rng.randint(3, most), rng.choice([1, 1, 4, 12]), rng.choice([0.25, 1, 4])
    nodes = []
    for k in range(n):
        inputs = sorted(rng.sample(range(k), min(k, rng.randint(0, 2))) + [k - 1] * (k > 0 and rng.random() < 0.8))
        size = rng.choice([unit * rng.randint(1, 6), unit * rng.randint(1, 6), rng.randint(0, 2)])
        costs = {name: rng.randint(0, 16) / 8 * scale
                 for name, scale in (("seconds", 1), ("joules", 1), ("pagein_joules", paging),
                                     ("pageout_joules", paging), ("pagein_seconds", 1), ("pageout_seconds", 1))}
        nodes.append({"inputs": sorted(set(inputs)), "bytes": size, **costs})
    if rng.random() < 0.5:
        for node in nodes:
            change_kind(rng, node, unit)
    return {"name": "random", "nodes": nodes}


def room_needed(graph):
    """Of the largest node with its inputs, and of everything at once."""
    size = [node["bytes"] for node in graph["nodes"]]
    work = [node.get("workspace_bytes", 0) for node in graph["nodes"]]
    return (max(size[k] + work[k] + sum(size[i] for i in node["inputs"]) for k, node in enumerate(graph["nodes"])),
            sum(size) + max(work))


def solve(graph, budget, options, folder):
    """Path of the certificate; None: the solver was stopped."""
    source, target = pathlib.Path(folder, "graph.json"), pathlib.Path(folder, "certificate")
    source.write_text(json.dumps(graph))
    target.unlink(missing_ok=True)
    subprocess.run([PROGRAM, "solve", "--graph", source, "--ram-budget", str(budget), "--quiet", "--solve-threads=1",
                    "--time-limit-s=20", "--certificate", target, *options], capture_output=True, check=False)
    return target if target.exists() else None


def certificate(rng, number, folder, most=8, lines=40):
    """Bytes of a certificate with the number-th options, of a graph of at most so many nodes and more than
    so many lines."""
    while True:
        graph = random_graph(rng, most)
        least, whole = room_needed(graph)
        options = OPTIONS[number % len(OPTIONS)].format(d=rng.choice([1, 1.125, 1.5])).split()
        path = solve(graph, rng.randint(least, max(least, (2 * least + whole) // 3)), options, folder)
        if path and path.read_bytes().count(b"\n") > lines:
            return path.read_bytes()


# ---- mutations -------------------------------------------------------------------------


NUMBER = re.compile(r"-?(0x[0-9a-f.]+(p[+-]?\d+)?|\d+(\.\d+)?(e[+-]?\d+)?)")
ROWS = ("input source_c source_p stored_p stored_in out_from out_first out_once one twice used_r used_s used_in "
        "free_use free_keep free_once free_or late load memory case deadline computations cut overhead total "
        "point_kept point_left point_live point_input point_stored point_used point_back point_load point_memory point_room "
        "point_deadline point_computations point_again point_later point_from point_stays point_there "
        "point_event point_away").split()
WORDS = ROWS + ("R C P In Out if kept out reduce probe propagate branch leaf schedule cases next event source "
                "timeline away keep nested eliminate at end most least T up off to trust rules exchanges bound infeasible scale").split()


def changed_number(rng, word):
    if "0x" in word or "." in word or "e" in word:
        value = float.fromhex(word) if "0x" in word else float(word)
        return rng.choice([value * 2, value / 2, -value, 0.0, value * (1 + 2**-40), value * (1 - 2**-40), value + 1,
                           value * 1.01, value * 0.99, value * 2.0**-190]).hex()
    return str(rng.choice([int(word) + 1, int(word) - 1, int(word) + 1, int(word) - 1, 0, 1, -1, 2 * int(word),
                           rng.randint(0, 9), 1 << 51]))


def change_word(rng, line):
    words = line.split(" ")
    k = rng.randrange(len(words))
    if NUMBER.fullmatch(words[k]):
        words[k] = changed_number(rng, words[k])
    elif words[k] in ("R", "C", "P", "In", "Out"):
        words[k] = rng.choice(["R", "C", "P", "In", "Out"])
    else:
        words[k] = rng.choice(ROWS if words[k] in ROWS else WORDS)
    return " ".join(words)


def change_instance(rng, text):
    """Of the JSON object: a number, a flag, a cell."""
    instance = json.loads(text)
    kind = rng.randrange(10)
    if kind == 9:
        instance["max_computations"] = rng.randint(0, 4)
    elif kind == 8:
        node = rng.choice(instance["graph"]["nodes"])
        change_kind(rng, node, 1)
        for alias in node["aliases"]:
            if "bytes" in alias and rng.random() < 0.3:
                alias["bytes"] += rng.choice([-1, 1])
            if rng.random() < 0.1:
                alias["kind"] = rng.choice(["view", "unread", "output", "copy"])
    elif kind == 0:
        instance["ram_budget_bytes"] = max(0, instance["ram_budget_bytes"] + rng.choice([-1, 1, -3, 3, 12, 100]))
    elif kind == 1:
        base = sum(node["seconds"] for node in instance["graph"]["nodes"])
        instance["deadline_seconds"] = rng.choice([None, base, base * 1.25, base * 0.75, base * (1 - 2**-45)])
    elif kind == 2:
        key = rng.choice(["allow_paging", "allow_remat", "charge_pagein_transfer", "deadline_includes_paging"])
        instance[key] = not instance.get(key, key.startswith("allow"))
    elif kind == 3:
        matrix = instance[rng.choice(["R", "S", "A", "In", "Out"])]
        if matrix and rng.random() < 0.7:
            matrix.pop(rng.randrange(len(matrix)))
        else:
            n = len(instance["graph"]["nodes"])
            matrix.append([rng.randrange(n), rng.randrange(n)])
    elif kind == 4:
        node = rng.choice(instance["graph"]["nodes"])
        node["inputs"] = sorted(set(node["inputs"]) ^ {rng.randrange(len(instance["graph"]["nodes"]))})
    else:
        node = rng.choice(instance["graph"]["nodes"])
        key = rng.choice(["bytes"] * 3 + ["joules", "joules", "pagein_joules", "pageout_joules", "seconds"])
        if key == "bytes":
            node[key] = max(0, node[key] + rng.choice([-1, 1, 1, -4, 4]))
        else:
            node[key] = rng.choice([node[key] + 0.5, node[key] / 2, node[key] * 1.01, 0])
    return json.dumps(instance)


def change_lines(rng, lines):
    """Of the steps and the claim; the list is changed."""
    k, kind = rng.randrange(len(lines)), rng.randrange(10)
    if kind == 0:
        lines.pop(k)
    elif kind == 1:
        lines.insert(rng.randrange(len(lines) + 1), lines[k])
    elif kind == 2:
        j = rng.randrange(len(lines))
        lines[j], lines[k] = lines[k], lines[j]
    elif kind == 3:  # the claim
        k = rng.randrange(3)
        if k == 0:
            lines[0] = rng.choice(["trust rules", "trust exchanges"])
        elif rng.random() < 0.2:
            lines[1] = rng.choice(["infeasible", "bound 0x1p+0", "bound 0", "bound -1"])
        else:
            lines[k] = change_word(rng, lines[k])
    elif kind == 4:  # the count above, too
        for j in range(k, -1, -1):
            head = lines[j].split(" ")
            place = head.index("at") - 1 if "at" in head[1:] else len(head) - 1
            if head[0] in ("reduce", "eliminate", "probe", "leaf", "cases") and head[place].isdigit():
                count = int(head[place])
                if count and j < k <= j + count:
                    lines[j] = " ".join([*head[:place], str(count - 1), *head[place + 1:]])
                    lines.pop(k)
                break
    elif kind == 5:  # a step earlier
        steps = [j for j, line in enumerate(lines) if line.split(" ")[0] in ("propagate", "event", "source", "schedule")]
        if steps:
            lines.insert(rng.randrange(3, len(lines)), lines.pop(rng.choice(steps)))
    else:
        lines[k] = change_word(rng, lines[k])


def mutate(rng, data):
    """One change or two; at times of any byte."""
    head, rest = data.decode().split("\n", 1)
    end = rest.index("\ntrust ")
    instance, lines = rest[:end], rest[end + 1:].split("\n")[:-1]
    for _ in range(rng.choice([1, 1, 1, 2])):
        if not lines:
            break
        if rng.random() < 0.25:
            instance = change_instance(rng, instance)
        else:
            change_lines(rng, lines)
    text = "\n".join([head, instance, *lines]) + "\n"
    if rng.random() < 0.05:
        k = rng.randrange(len(text))
        text = text[:k] + rng.choice(["", " ", "\n", "0", "-", "x", text[k]]) + text[k + 1:]
    return text.encode()


# ---- both checkers -----------------------------------------------------------------------


def first_verdict(path):
    """What `poetbnb verify' says: (exit status, proven figures)."""
    run = subprocess.run([PROGRAM, "verify", "--json", path], capture_output=True, text=True, check=False)
    said = json.loads(run.stdout) if run.stdout else {}
    keys = ("claim", "trust", "lower_bound_overhead_joules", "steps", "nodes", "cuts", "multipliers")
    if run.returncode:
        return run.returncode, run.stderr.strip()
    exchanges = said["exchanges"] or {"rows": 0, "cases": 0}
    return 0, [said[key] for key in keys] + [exchanges["rows"], exchanges["cases"], *sorted(said["families"])]


class Judge:
    """The first checker in one process for many certificates: that of `make fuzz-twin'."""

    def __init__(self):
        self.run = subprocess.Popen([os.environ.get("CERT_JUDGE", ROOT / "build/release/tests/cert_judge")],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def close(self):
        self.run.stdin.close()
        self.run.stdout.close()
        self.run.wait()

    def verdict(self, data):
        """As first_verdict."""
        self.run.stdin.write(b"%d\n" % len(data) + data)
        self.run.stdin.flush()
        status, *words = self.run.stdout.readline().decode(errors="replace").rstrip("\n").split("\t")
        if status != "0":
            return int(status), words[0]
        claim, trust, bound, *rest = words
        return 0, [claim, trust, None if claim == "infeasible" else float.fromhex(bound), *map(int, rest[:6]),
                   *sorted(rest[6:])]


def second_verdict(data):
    """The same of the second checker, and its Certificate."""
    status, message, c = second.check(data)
    exchanges = second.Exchanges(c.model) if status == 0 and c.model.canonical else None
    if fault := exchanges and exchanges.fault():
        status, message = 1, fault
    if status:
        return status, message, c
    claim = "infeasible" if c.bound is None else "optimal" if c.optimal() else "bound"
    return 0, [claim, c.trust, None if c.bound is None else float(c.bound),
               c.steps, c.node_count, c.cut_count(), c.multipliers, *((exchanges.rows, exchanges.cases) if exchanges else (0, 0)), *sorted(c.families())], c


def judge(data, folder, first=None):
    """Exit status of the second checker, and what is wrong: that the first (a Judge; None: the command) says
    something else, or that a schedule contradicts what both accept; None: nothing."""
    if first:
        first = first.verdict(data)
    else:
        path = pathlib.Path(folder, "mutant")
        path.write_bytes(data)
        first = first_verdict(path)
    status, said, c = second_verdict(data)
    unfinished = ["not complete" in str(words) for words in (first[1], said)]
    if first[0] != status or status == 0 and first[1] != said or unfinished[0] != unfinished[1]:
        return status, f"first {first}, second {status, said}"
    return status, refuted(c, folder) if status == 0 else None


@functools.lru_cache(maxsize=1000)
def best_known(graph, budget, options, folder):
    """Overhead of a schedule; None: none was found."""
    source = pathlib.Path(folder, "claim.json")
    source.write_text(graph)
    run = subprocess.run([PROGRAM, "solve", "--graph", source, "--ram-budget", str(budget), "--json", "--quiet",
                          "--solve-threads=1", "--time-limit-s=5", *options],
                         capture_output=True, text=True, check=False)
    return json.loads(run.stdout)["overhead_joules"] if run.returncode in (0, 4) else None


def refuted(c, folder):
    """A schedule that contradicts the accepted Certificate; None: none was found."""
    if c.builtin:
        return None
    p, options = c.problem, []
    for given, option in ((not p.paging, "--no-paging"), (not p.remat, "--no-remat"),
                          (p.charge, "--charge-pagein=transfer"), (p.timed_paging, "--deadline-includes-paging")):
        options += [option] * given
    options.append(f"--max-computations={p.computations}")
    if p.deadline is not None:  # at most as long: what is found meets it
        seconds = sum(p.seconds["R"])
        if not seconds or p.deadline / seconds < 1e-6:
            return None
        options.append(f"--runtime-budget={p.deadline / seconds * (1 - 1e-13)!r}")
    found = best_known(json.dumps(c.graph), p.budget, tuple(options), folder)
    if found is None or c.bound is not None and found * (1 + 1e-12) >= c.bound:
        return None
    return f"accepted, but there is a schedule of {found} J"
