"""Runs points: poetbnb in processes with a limit, and what they found as a result."""

import concurrent.futures
import json
import math
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
import time

from . import points as grid

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
                process = subprocess.Popen(self.prefix + words, stdin=subprocess.DEVNULL,
                                           stdout=out, stderr=err)
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


def instance(point):
    words = [f"--graph={point.network}"] if grid.is_file(point.network) else \
        [f"--model={point.network}", f"--platform={point.platform}"]
    words.append(f"--ram-budget={point.budget}")
    if point.deadline != "none":
        words.append(f"--runtime-budget={point.deadline}")
    return words


def limits(point, limit):
    return [f"--time-limit-s={limit:.9g}", "--threads=1", f"--seed={point.seed}", "--json"]


class Runner:
    def __init__(self, store, points):
        self.store = store
        self.points = points
        self.processes = Processes()

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
            step = {"solve": self._solve, "compare": self._compare, "relax": self._relax}
            result = {"point": dict(vars(point)), "limit": point.limit, "granted": granted,
                      "records": [], "failed": True}
            schedule = step[point.command](point, granted, folder, result)
            records = result["records"]
            result["cut_off"] = granted < point.limit and not records or any(
                r.get("stopped_by") for r in records)
            result["error"] = last_line(folder / "run.err") if result["failed"] else ""
            self.store.save(point, result, schedule)
        return result

    def _process(self, words, folder, limit, name="run"):
        return self.processes.run([self.store.program] + words, folder, limit + GRACE, name)

    def _solve(self, point, limit, folder, result):
        schedule = folder / "schedule.json"
        words = ["solve", *instance(point), *limits(point, limit), f"--out={schedule}"]
        start = self.best_schedule(point)
        if start:
            words.append(f"--warm-start=auto,{start}")
        words.append("--quiet")
        result.update(self._process(words + list(point.options), folder, limit))
        record = read_json(folder / "run.out")
        if record is None or result["exit"] not in (0, 3, 4, 5):
            return None
        result["incumbents"] = record.pop("incumbents")
        result["bounds"] = record.pop("bounds", [])
        result["started_from"] = start.name if start else None
        if start:  # a name that is the same wherever the folder is
            record["options"] = record["options"].replace(str(start), start.name)
        result["records"] = [record]
        found = schedule.exists()
        checked = not found or self._process(
            ["check", "--quiet", str(schedule)], folder, GRACE, "check")["exit"] == 0
        result["failed"] = not checked or found != (result["exit"] in (0, 4))
        if not checked:
            shutil.copyfile(folder / "check.err", folder / "run.err")
        return schedule if found and checked else None

    def _compare(self, point, limit, folder, result):
        words = ["compare", *instance(point), *limits(point, limit), "--quiet",
                 f"--methods={','.join(point.methods)}", f"--schedules={folder}", *point.options]
        result.update(self._process(words, folder, limit * len(point.methods)))
        output = read_json(folder / "run.out")
        if output is None or result["exit"] not in (0, 4):
            return None
        result["records"] = output["methods"]
        result["failed"] = [r["method"] for r in output["methods"]] != list(point.methods)
        best = min((r for r in output["methods"] if r["feasible"]),
                   key=lambda r: r["overhead_joules"], default=None)
        return next(folder.glob(f"{best['method']}-[0-9]*.json"), None) if best else None

    def _relax(self, point, limit, folder, result):
        """The bound of a linear programme, as a record of the common columns."""
        model = folder / "model.mps"
        words = ["compare", *instance(point), "--json", "--quiet", "--methods=checkpoint_all"]
        self._process(words, folder, limit)
        template = read_json(folder / "run.out")
        words = ["export", *instance(point), "--relax", f"--out={model}", "--quiet",
                 *point.options]
        if not template or self._process(words, folder, limit)["exit"] != 0:
            return None
        result.update(self._process(["lp", str(model), f"--time-limit-s={limit:.9g}", "--json"],
                                    folder, limit))
        answer = read_json(folder / "run.out")
        if answer is None or result["exit"] not in (0, 3, 4, 5):
            return None
        record = template["methods"][0]
        kept = ("network", "platform", "graph_checksum", "graph_nodes", "ram_budget_bytes",
                "ram_budget_percent", "runtime_budget", "deadline_seconds", "version",
                "base_joules")
        record = {k: record[k] if k in kept else None for k in record}
        solved = answer["status"] == "optimal"
        record.update(
            method=point.run, options=" ".join(o.lstrip("-") for o in point.options),
            seed=point.seed, threads=1, time_limit_seconds=limit, status=answer["status"],
            stopped_by=None if result["exit"] in (0, 3) else "limit",
            lower_bound_overhead_joules=max(0.0, answer["objective"] - record["base_joules"])
            if solved else None, lp_iterations=answer["iterations"], seconds=answer["seconds"],
            cpu_seconds=result["cpu_seconds"])
        result["records"] = [record]
        result["failed"] = False
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
        todo.sort(key=lambda p: (p.phase, p.is_search()))
        done, failed, spent, started, shown = 0, 0, 0.0, time.monotonic(), 0.0
        waiting = set(todo)
        cost = {p: estimate([p], self.store) for p in todo}

        def granted(point):
            """The limit, but for a search at most its share of the time that is left."""
            if not total_seconds or not point.is_search():
                return point.limit
            searches = sum(p.is_search() for p in waiting)
            rest = started + total_seconds - time.monotonic()
            return min(point.limit, max(1.0, 3 * rest * jobs / (searches + jobs)))

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
                            say(f"failed: {point.key}: exit status {result.get('exit')}: "
                                f"{result['error']}")
                        if time.monotonic() - shown > 15:
                            shown = time.monotonic()
                            left = sum(cost[p] for p in list(waiting)) / jobs
                            say(f"{done} of {len(todo)} points done, about {left:.0f} s left")
            except (KeyboardInterrupt, Interrupted):
                self.processes.stop()
                pool.shutdown(cancel_futures=True)
                raise
        return {"ran": done, "failed": failed, "cpu_seconds": spent,
                "seconds": time.monotonic() - started}


def estimate(points, store):
    """Processor seconds: the limit for what was cut off before, else what the table expects."""
    def one(p):
        result = store.load(p)
        return p.limit if result and result["cut_off"] else p.typical
    return sum(map(one, points))
