"""Runs points: poetbnb in processes with a limit, and what they found as a result."""

import concurrent.futures
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import threading
import time

from . import graphs
from . import points as grid
from .solvers import SOLVERS, scale_objective

GRACE = 60  # seconds beyond its limit before a process is killed


class Interrupted(Exception):
    pass


class Processes:
    """Starts processes that die with this one, and can end all of them."""

    def __init__(self):
        self.running = set()
        self.lock = threading.Lock()
        self.stopped = False
        setpriv = shutil.which("setpriv")
        self.prefix = [setpriv, "--pdeathsig", "KILL"] if setpriv else []

    def run(self, words, folder, limit, name):
        """Exit status (128 + signal), seconds, processor seconds and peak kilobytes; standard
        output and error are in folder/NAME.out and NAME.err."""
        started = time.monotonic()
        with open(folder / f"{name}.out", "wb") as out, open(folder / f"{name}.err", "wb") as err:
            with self.lock:
                if self.stopped:
                    raise Interrupted
                process = subprocess.Popen(self.prefix + words, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
                self.running.add(process)
        timer = threading.Timer(limit, process.kill)
        timer.start()
        try:
            _, status, usage = os.wait4(process.pid, 0)
        except KeyboardInterrupt:
            process.kill()
            raise
        finally:
            timer.cancel()
        code = os.waitstatus_to_exitcode(status)
        process.returncode = code
        with self.lock:
            self.running.discard(process)
            if self.stopped:
                raise Interrupted
        return {"exit": code if code >= 0 else 128 - code,
                "seconds": time.monotonic() - started,
                "cpu_seconds": usage.ru_utime + usage.ru_stime, "peak_kilobytes": usage.ru_maxrss}

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                process.kill()


def read_json(path):
    try:
        return json.loads(path.read_text())
    except (OSError, ValueError):
        return None


def last_line(path):
    lines = path.read_text(errors="replace").split("\n")
    return next((line for line in reversed(lines) if line.strip()), "")[:500]


STEPS = pathlib.Path(__file__).resolve().parent.parent / "torch-steps"
FORWARD = "forward-"  # before a network: without its gradients
UNIT = 1e4  # costs that other programs get: this over the energy of computing every node once


def between(asked, words, part):
    """Bytes of all RAM: the least of any schedule, and a part of the way from there to keeping everything.
    asked(words): what the program prints as JSON; words: the options that name the graph."""
    whole = asked(["compare", *words, "--quiet", "--methods=checkpoint_all", "--ram-budget=100%"])["methods"][0]
    resident = whole["resident_bytes"]
    least = asked(["solve", *words, "--quiet", f"--ram-budget={resident + 1}"])["minimum_bytes"]
    return resident + least + int((whole["ram_budget_bytes"] - least) * part)


def limits(point, limit):
    return [f"--time-limit-s={limit:.9g}", "--threads=1", f"--seed={point.seed}", "--json"]


class Runner:
    proof = "proof.cert"  # a certificate's name; packed if it ends in .gz

    def __init__(self, store, points):
        self.store = store
        self.points = points
        self.processes = Processes()
        self.counted = {}  # by network: the nodes that point.counts means

    # ---- one point ---------------------------------------------------------------------------

    def run(self, point, limit=None):
        """Runs the point, those that it starts from first where they are missing, and keeps its
        result, which is returned."""
        for source in grid.sources(self.points, point):
            if not self.store.serves(source):
                self.run(source)
        granted = limit or point.limit
        with tempfile.TemporaryDirectory(dir=self.store.points, prefix=".run-") as scratch:
            folder = pathlib.Path(scratch)
            step = {"solve": self._solve, "certify": self._certify, "compare": self._compare, "relax": self._model,
                    "mip": self._model, "export": self._model, "execute": self._execute}
            result = {"point": dict(vars(point)), "limit": point.limit, "granted": granted,
                      "records": [], "failed": True}
            schedule = step[point.command](point, granted, folder, result)
            records = result["records"]
            result["cut_off"] = granted < point.limit and not records or any(r.get("stopped_by") for r in records)
            result["error"] = last_line(folder / "run.err") if result["failed"] else ""
            self.store.save(point, result, schedule)
        return result

    def _process(self, words, folder, limit, name="run"):
        return self.processes.run([self.store.program] + words, folder, limit + GRACE, name)

    def _asked(self, words, folder, name="asked"):
        """What the program prints as JSON; None: it fails."""
        said = self._process([*words, "--json"], folder, GRACE, name)
        return read_json(folder / f"{name}.out") if said["exit"] in (0, 3) else None

    def _graph(self, point, folder):
        """The options that name the graph; one that is made is written into the folder."""
        name, platform = point.network, [f"--platform={point.platform}"] if point.platform else []
        if grid.is_file(name):
            return [f"--graph={name}", *platform]
        path = folder / "graph.json"
        if graphs.NAME.fullmatch(name):
            graphs.write(name, path)
            return [f"--graph={path}", *platform]
        whole = name.removeprefix(FORWARD)
        if whole == name:
            return [f"--model={name}", *platform]
        graph = self._asked(["info", f"--model={whole}", *platform], folder)
        graph.update(name=name, nodes=[n for n in graph["nodes"] if not n["backward"]])
        path.write_text(json.dumps(graph))
        return [f"--graph={path}"]

    def _instance(self, point, folder):
        words, budget = self._graph(point, folder), point.budget
        if budget.startswith("+"):
            budget = between(lambda asked: self._asked(asked, folder), words, float(budget[1:].rstrip("%")) / 100)
        words.append(f"--ram-budget={budget}")
        return words + [f"--runtime-budget={point.deadline}"] * (point.deadline != "none")

    def _again(self, point, folder, schedule):
        """How often a schedule computes nodes again whose names begin with point.counts; None where the
        graph has none."""
        if not point.counts or not schedule:
            return None
        if point.network not in self.counted:
            graph = self._asked(["info", *self._graph(point, folder)], folder)
            self.counted[point.network] = [k for k, node in enumerate(graph["nodes"] if graph else [])
                                           if node["name"].startswith(point.counts)]
        nodes = set(self.counted[point.network])
        runs = (read_json(schedule) or {}).get("R", [])  # [t, i] or [t, i, u]: node i in stages t to u
        return sum(sum(t != run[1] for t in range(run[0], (run[2:] or run)[0] + 1))
                   for run in runs if run[1] in nodes) if nodes else None

    def _solve(self, point, limit, folder, result, *more):
        schedule = folder / "schedule.json"
        words = ["solve", *self._instance(point, folder), *limits(point, limit), f"--out={schedule}"]
        start = self.best_schedule(point)
        if start:
            words.append(f"--warm-start=auto,{start}")
        words.append("--quiet")
        result.update(self._process([*words, *point.options, *more], folder, limit))
        record = read_json(folder / "run.out")
        if record is None or result["exit"] not in (0, 3, 4, 5):
            return None
        result["incumbents"] = record.pop("incumbents")
        result["started_from"] = start.name if start else None
        if start:  # a name that is the same wherever the folder is
            record["options"] = record["options"].replace(str(start), start.name)
        result["records"] = [record]
        found = schedule.exists()
        checked = not found or self._process(["check", "--quiet", str(schedule)], folder, GRACE, "check")["exit"] == 0
        result["failed"] = not checked or found != (result["exit"] in (0, 4))
        if not checked:
            shutil.copyfile(folder / "check.err", folder / "run.err")
        record["peak_kilobytes"] = result["peak_kilobytes"]
        record["counted_again"] = self._again(point, folder, schedule if found else None)
        return schedule if found and checked else None

    def _certify(self, point, limit, folder, result):
        """Solves with a certificate and verifies it."""
        proof = folder / self.proof
        schedule = self._solve(point, limit, folder, result, f"--certificate={proof}")
        if result["failed"] or not proof.exists():
            return schedule
        record = result["records"][0]
        said = self._process(["verify", "--json", str(proof)], folder, 10 * limit, "verify")
        verdict = (read_json(folder / "verify.out") or {}).get("verdict")
        record.update(proof_bytes=proof.stat().st_size, verify_seconds=said["cpu_seconds"], verdict=verdict)
        result["failed"] = said["exit"] != 0 or verdict != "holds"
        if result["failed"]:
            (folder / "run.err").write_text(f"verify: {verdict or last_line(folder / 'verify.err')}")
        return schedule

    def _compare(self, point, limit, folder, result):
        words = ["compare", *self._instance(point, folder), *limits(point, limit), "--quiet",
                 f"--methods={','.join(point.methods)}", f"--schedules={folder}", *point.options]
        result.update(self._process(words, folder, limit * len(point.methods)))
        output = read_json(folder / "run.out")
        if output is None or result["exit"] not in (0, 4):
            return None
        result["records"] = output["methods"]
        result["failed"] = [r["method"] for r in output["methods"]] != list(point.methods)
        files = {r["method"]: next(folder.glob(f"{r['method']}-[0-9]*.json"), None)
                 for r in output["methods"] if r["feasible"]}
        for r in output["methods"]:
            r["counted_again"] = self._again(point, folder, files.get(r["method"]))
        best = min((r for r in output["methods"] if r["feasible"]), key=lambda r: r["overhead_joules"], default=None)
        return files[best["method"]] if best else None

    def _model(self, point, limit, folder, result):
        """A model's size, the bound of its relaxation, or its optimum by another program, as a record
        of the common columns."""
        model, scaled = folder / "model.mps", folder / "scaled.mps"
        words = self._instance(point, folder)
        template = self._asked(["compare", *words, "--quiet", "--methods=checkpoint_all"], folder)
        said = self._process(["export", *words, f"--out={model}", "--objective=overhead",
                              *["--relax"] * (point.command == "relax"), *point.options], folder, limit)
        size = re.search(r"(\d+) rows, (\d+) columns", (folder / "run.err").read_text())
        result.update(said)
        if not template or said["exit"] != 0 or not size:
            return None
        kept = ("network", "platform", "graph_checksum", "graph_nodes", "ram_budget_bytes", "ram_budget_percent",
                "runtime_budget", "deadline_seconds", "version", "base_joules")
        record = {k: v if k in kept else None for k, v in template["methods"][0].items()}
        record.update(method=point.run, options=" ".join(o.lstrip("-") for o in point.options),
                      seed=point.seed, threads=1, time_limit_seconds=limit, status="feasible",
                      model_rows=int(size[1]), model_columns=int(size[2]))
        result.update(records=[record], failed=False)
        if point.command == "export":
            graph = self._asked(["info", *self._graph(point, folder)], folder)
            record["graph_edges"] = sum(len(node["inputs"]) for node in graph["nodes"])
            return None
        unit = UNIT / record["base_joules"] if record["base_joules"] else 1
        scale_objective(model, scaled, unit)
        words, read = SOLVERS[point.solver]
        said = self.processes.run(words(self.store.program, str(scaled), limit), folder, 2 * limit + GRACE, "solver")
        result.update(said)
        answer = read((folder / "solver.out").read_text(errors="replace"))
        shutil.copyfile(folder / "solver.err", folder / "run.err")
        solved, optimal = answer["status"] in ("optimal", "infeasible"), answer["status"] == "optimal"

        def joules(name):
            return None if answer[name] is None else max(0.0, answer[name] / unit)

        record.update(
            status=answer["status"], stopped_by=None if solved else "limit",
            lower_bound_overhead_joules=joules("objective") if optimal else joules("bound"),
            overhead_joules=joules("objective") if point.command == "mip" else None,
            lp_iterations=answer["iterations"], nodes=answer["nodes"], seconds=said["seconds"],
            cpu_seconds=said["cpu_seconds"], peak_kilobytes=said["peak_kilobytes"])
        return None

    def _execute(self, point, limit, folder, result):
        """Training steps of a torch network, a record for each budget."""
        result.update(self.processes.run(["/usr/bin/python3", str(STEPS), point.network], folder,
                                         3 * limit + GRACE, "run"))
        lines = [json.loads(line) for line in (folder / "run.out").read_text().splitlines() if line.startswith("{")]
        result.update(records=lines, failed=result["exit"] != 0 or not lines)
        return None

    def best_schedule(self, point):
        """The file with the best schedule of the points that this one starts from; None without."""
        best, path = math.inf, None
        for source in grid.sources(self.points, point):
            result = self.store.load(source)
            values = [r["overhead_joules"] for r in result["records"] if r["feasible"]] \
                if result else []
            if result and result["schedule"] and values and min(values) < best:
                best, path = min(values), self.store.schedule(source.key)
        return path

    # ---- all of them -------------------------------------------------------------------------

    def run_all(self, jobs, total_seconds=None, say=print):
        """Runs what is not there yet, a phase after the other; how many ran and failed."""
        todo = [p for p in grid.unique(self.points) if not self.store.serves(p)]
        done, failed, spent, started, shown = 0, 0, 0.0, time.monotonic(), 0.0
        waiting = set(todo)
        cost = {p: estimate(p, self.store) for p in todo}
        todo.sort(key=lambda p: (p.phase, -cost[p]))  # what takes long first, so that processes end together

        def granted(point):
            """The limit; of a search a smaller one where the time left is too short for what waits."""
            if not total_seconds or not point.is_search():
                return point.limit
            rest = started + total_seconds - time.monotonic()
            expected = cost[point] + sum(cost[p] for p in list(waiting))
            return min(point.limit, max(1.0, point.limit * rest * jobs / expected))

        def one(point):
            waiting.discard(point)
            return self.run(point, granted(point))

        say(f"{len(todo)} points to run, {len(grid.unique(self.points)) - len(todo)} kept; "
            f"about {sum(cost.values()) / jobs / 60:.0f} minutes on {jobs} idle processors")
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            try:
                for phase in (1, 2):
                    futures = {pool.submit(one, p): p for p in todo if p.phase == phase}
                    for future in concurrent.futures.as_completed(futures):
                        result, point = future.result(), futures[future]
                        done += 1
                        spent += result.get("cpu_seconds", 0)
                        if result["failed"]:
                            failed += 1
                            say(f"failed: {point.key}: exit status {result.get('exit')}: {result['error']}")
                        if time.monotonic() - shown > 15:
                            shown = time.monotonic()
                            left = sum(cost[p] for p in list(waiting)) / jobs
                            say(f"{done} of {len(todo)} points done, about {left:.0f} s left")
            except (KeyboardInterrupt, Interrupted):
                self.processes.stop()
                pool.shutdown(cancel_futures=True)
                say("interrupted; call it again to go on")
                raise KeyboardInterrupt from None
        return {"ran": done, "failed": failed, "cpu_seconds": spent, "seconds": time.monotonic() - started}


def estimate(point, store):
    """Processor seconds: the limit for what was cut off before, else what the table expects."""
    result = store.load(point)
    return point.limit if result and result["cut_off"] else point.typical
