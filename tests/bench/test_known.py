"""Best known values, and the instance library."""

import csv
import gzip
import json
import os
import re
import subprocess

from paper import known
from support import EXPERIMENT, PROGRAM, ROOT, TABLE, Case, bench


def best(status="best", overhead=2.0, bound=1.0):
    return {"instance": "i", "graph_checksum": "fnv:1", "ram_budget_bytes": 10, "status": status,
            "overhead_joules": overhead, "lower_bound_overhead_joules": bound, "version": "0", "found_by": "f"}


def record(status="feasible", overhead=2.0, bound=1.0, method="poetbnb", **more):
    return {"method": method, "graph_checksum": "fnv:1", "ram_budget_bytes": 10, "status": status,
            "feasible": overhead is not None, "overhead_joules": overhead, "version": "1",
            "lower_bound_overhead_joules": bound, "runtime_budget": None, "options": None} | more


class Judged(Case):
    CASES = (
        (record(), best(), []),
        (record(overhead=1.9), best(), ["a better schedule"]),
        (record(bound=1.1), best(), ["a better bound"]),
        (record("optimal", 1.5, 1.5), best(), ["a better schedule", "a better bound", "a proof"]),
        (record(overhead=1.9, method="dtr", bound=None), best(), ["a better schedule"]),
        (record(), best(overhead=None), ["the first schedule"]),
        (record(bound=2.001), best(), ["wrong: a bound of 2.001 J above the known schedule of 2 J"]),
        (record(bound=2 + 1e-10), best(bound=2.0), []),
        (record(overhead=0.9, bound=0.5), best(), ["wrong: a schedule of 0.9 J below the known bound of 1 J"]),
        (record("infeasible", None, None), best(), ["wrong: infeasible, and a schedule of 2 J is known"]),
        (record(), best("infeasible", None, None),
         ["wrong: a schedule of 2 J of what is known to be infeasible"]),
        (record("optimal", 2.0, 2.0), best("optimal", 2.0, 2.0), []),
        # The bound of a baseline is one of its own problem.
        (record(bound=3.0, method="checkmate"), best(), []),
    )

    def test_words(self):
        for r, b, expected in self.CASES:
            self.assertEqual(known.judge(r, b), expected, (r, b))

    def test_other_problems_do_not_count(self):
        table = {known.key(best()): best()}
        for more in ({"options": "no-paging"}, {"runtime_budget": 1.5}, {"options": "x max-computations=2"},
                     {"graph_checksum": "fnv:2"}, {"ram_budget_bytes": 11}):
            self.assertEqual(known.review([("n", record(bound=3.0, **more))], table, "g"), [], more)
        self.assertEqual(len(known.review([("n", record(bound=3.0, options="warm-start=auto"))], table, "g")), 1)

    def test_merged_takes_the_better_of_each(self):
        def values(row):
            return row["status"], row["overhead_joules"], row["lower_bound_overhead_joules"], row["found_by"]
        self.assertEqual(values(known.merged("i", record(overhead=1.9, bound=0.5), best(), "g")),
                         ("best", 1.9, 1.0, "g"))
        self.assertEqual(values(known.merged("i", record(overhead=3.0, bound=1.5), best(), "g")),
                         ("best", 2.0, 1.5, "g"))
        self.assertEqual(values(known.merged("i", record("optimal", 1.5, 1.5), best(), "g")),
                         ("optimal", 1.5, 1.5, "g"))
        self.assertEqual(values(known.merged("i", record("optimal", 1.5, 1.7, method="checkmate"), best(), "g")),
                         ("best", 1.5, 1.0, "g"))
        self.assertEqual(known.merged("i", record(bound=3.0), best(), "g"), best())
        self.assertEqual(values(known.merged("i", record("unknown", None, 1.5), best(), "g")), ("best", 2.0, 1.5, "g"))
        self.assertEqual(values(known.merged("i", record("unknown", None, 0.1), None, "g")),
                         ("unknown", None, 0.1, "g"))

    def test_files_are_read_as_written(self):
        rows = [best(), best("infeasible", None, None) | {"ram_budget_bytes": 9}]
        known.write(rows, self.folder / "k.csv")
        self.assertEqual([{k: str(v) for k, v in r.items()} for r in known.read(self.folder / "k.csv").values()],
                         [{k: str(v) for k, v in r.items()} for r in rows])


class Kept(Case):
    """What this build finds does not contradict what is known."""

    def test_all_points_of_figure_3_are_known(self):
        table = known.read()
        figure = [r for r in table.values() if re.match("(resnet18_cifar|vgg16_cifar|bert)-", r["instance"])]
        self.assertEqual(len(figure), 120)
        for row in table.values():
            if row["overhead_joules"] is not None:
                self.assertFalse(known.less(row["overhead_joules"], row["lower_bound_overhead_joules"]), row)
            if row["status"] == "optimal":
                self.assertAlmostEqual(row["lower_bound_overhead_joules"], row["overhead_joules"],
                                       delta=2e-9 * row["overhead_joules"] + 1e-15)

    def test_solves_agree_with_what_is_known(self):
        rows = [r for r in known.read().values() if re.match("(resnet18|vgg16)_cifar-", r["instance"])]
        for row in rows[::4]:
            network, platform, _ = row["instance"].split("-")
            said = subprocess.run(
                [PROGRAM, "solve", f"--model={network}", f"--platform={platform}", "--threads=1", "--json",
                 "--quiet", f"--ram-budget={row['ram_budget_bytes']}", "--work-limit=0.1"],
                capture_output=True, text=True, check=False)
            found = json.loads(said.stdout)
            self.assertEqual(found["graph_checksum"], row["graph_checksum"])
            words = known.judge(found, row)
            self.assertFalse([w for w in words if w.startswith("wrong")], row["instance"])
            if found["status"] == row["status"] == "optimal":
                self.assertAlmostEqual(found["overhead_joules"], row["overhead_joules"],
                                       delta=2e-9 * row["overhead_joules"] + 1e-15)

    def test_bench_ends_with_1_where_a_bound_is_above_a_known_schedule(self):
        said = json.loads(subprocess.run(
            [PROGRAM, "solve", "--model=linear", "--platform=m4", "--ram-budget=50%", "--json", "--quiet"],
            capture_output=True, text=True, check=True).stdout)
        self.assertGreater(said["overhead_joules"], 0)
        out, path = self.folder / "out", self.folder / "k.csv"
        row = known.merged("i", said, None, "f")
        for factor, status, words in ((1.0, 0, ""), (1.5, 0, "linear-m4-50: a better schedule"),
                                      (0.5, 1, "linear-m4-50: wrong: a bound of ")):
            known.write([row | {"status": "best", "overhead_joules": factor * said["overhead_joules"],
                                "lower_bound_overhead_joules": 0.0}], path)
            run = bench(PROGRAM, out, "--setting", "smoke", "--only", "smoke", "--known", path)
            self.assertEqual(run.returncode, status, run.stdout + run.stderr)
            self.assertIn(words, run.stdout)
        known.write([row | {"overhead_joules": 9.0, "status": "best"}], path)
        bench(PROGRAM, out, "--setting", "smoke", "--only", "smoke", "--known", path, "--record")
        self.assertEqual(next(iter(known.read(path).values()))["overhead_joules"], said["overhead_joules"])


    def test_runs_beside_each_other_are_compared_too(self):
        said = json.loads(subprocess.run(
            [PROGRAM, "solve", "--model=linear", "--platform=a72", "--ram-budget=50%", "--json", "--quiet"],
            capture_output=True, text=True, check=True).stdout)
        row = known.merged("i", said, None, "f") | {
            "status": "best", "overhead_joules": said["overhead_joules"] / 2, "lower_bound_overhead_joules": 0.0}
        known.write([row], self.folder / "k.csv")
        table = self.write("e.toml", EXPERIMENT + TABLE)
        run = bench(PROGRAM, self.folder / "out", "--setting", "beside", "--only", "exact", "--experiments", table,
                    "--known", self.folder / "k.csv")
        self.assertEqual(run.returncode, 1, run.stderr)
        self.assertIn("linear-a72-50: wrong: a bound of ", run.stdout)


class Library(Case):
    def instances(self, *words, program=PROGRAM):
        environment = {k: v for k, v in os.environ.items() if k != "POETBNB_LIBRARY"}
        return bench("--setting", "library", program, self.folder / "lib", *words, env=environment)

    def solu(self, kind):
        return dict(re.findall(rf"^={kind}= (\S+) (\S+)$", (self.folder / "lib" / "poetbnb.solu").read_text(), re.M))

    def changed(self, name, **values):
        """A file of best known values with others for an instance, which are returned."""
        row = next(r for r in known.read().values() if r["instance"] == name) | values
        known.write([row], self.folder / "k.csv")
        return row

    def test_files_of_an_instance(self):
        name, lib = "vgg16_cifar-m4-90", self.folder / "lib"
        run = self.instances(name, "layered-n50-w3-d3-s1")
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(run.stdout, "2 instances, 2 solved, 0 open; 2 certificates verified, 0 failed, "
                         f"0 contradict best known values: {lib}\n")
        values, best = self.solu("opt"), {r["instance"]: r for r in known.read().values()}
        with open(lib / "instances.csv", encoding="utf-8", newline="") as file:
            rows = {r["instance"]: r for r in csv.DictReader(file)}
        self.assertEqual(set(values), set(rows))
        for instance, row in rows.items():
            self.assertAlmostEqual(float(values[instance]) / (float(row["base_joules"])
                                   + best[instance]["overhead_joules"]), 1, 12)
            verified = subprocess.run(
                [PROGRAM, "verify", str(lib / "certificates" / f"{instance}.cert.gz"), "--quiet",
                 f"--graph={lib / 'graphs' / row['graph']}", f"--ram-budget={row['ram_budget_bytes']}"],
                capture_output=True, text=True, check=False)
            self.assertEqual(verified.returncode, 0, verified.stdout + verified.stderr)
            schedule = lib / "schedules" / f"{instance}.json"
            self.assertEqual(subprocess.run([PROGRAM, "check", schedule, "--quiet"], check=False,
                                            capture_output=True).returncode, 0)
            for form in ("published", "tight"):
                with gzip.open(lib / form / f"{instance}.mps.gz", "rt") as model:
                    self.assertTrue(model.read(4), "NAME")
        self.assertEqual((lib / "open.txt").read_text(), "")
        before = {p: p.stat().st_mtime_ns for p in lib.rglob("*.gz")}
        missing = lib / "tight" / f"{name}.mps.gz"
        missing.unlink()
        self.assertIn("1 points to run, 1 kept", self.instances(name, "layered-n50-w3-d3-s1").stderr)
        self.assertEqual({p.name for p in before if p.stat().st_mtime_ns != before[p]},
                         {f"{name}.mps.gz", f"{name}.cert.gz"})

    def test_models_have_the_optimum(self):
        lib = self.folder / "lib"
        self.assertEqual(self.instances("layered-n50-w3-d3-s1").returncode, 0)
        (name, value), = self.solu("opt").items()
        said = json.loads(subprocess.run([PROGRAM, "mip", lib / "tight" / f"{name}.mps.gz", "--json", "--quiet",
                                          "--node-limit=20"], capture_output=True, text=True, check=False).stdout)
        self.assertLessEqual(said["bound"], float(value) * (1 + 1e-9))
        if said["status"] == "optimal":
            self.assertAlmostEqual(said["objective"] / float(value), 1, 8)

    def test_open_ones_are_listed(self):
        name = next(r["instance"] for r in known.read().values()
                    if r["status"] == "best" and r["instance"].startswith("resnet18_cifar"))
        table = self.write("e.toml", (ROOT / "benchmarks/experiments.toml").read_text().replace(
            "work-limit=5", "work-limit=0.01"))
        run = self.instances(name, "--no-models", "--experiments", table)
        self.assertEqual(run.returncode, 0, run.stderr)
        lib = self.folder / "lib"
        self.assertRegex((lib / "open.txt").read_text(), rf"^{re.escape(name)}: gap \d")
        self.assertRegex((lib / "poetbnb.solu").read_text(), r"^=best= \S+ \S+\n=bestdual= \S+ \S+\n$")
        self.assertEqual(list((lib / "certificates").iterdir()), [])

    def test_values_are_compared_with_the_best_known(self):
        name, other = "vgg16_cifar-m4-90", "vgg16_cifar-m4-95"
        optimum = self.changed(name)["overhead_joules"]
        both = name, other, "--no-models", "--known", self.folder / "k.csv"
        self.changed(name, overhead_joules=optimum / 2, status="best", lower_bound_overhead_joules=0.0)
        run = self.instances(*both)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stdout, rf"(?m)^{name}: wrong: a bound of \S+ J above the known schedule")
        self.assertIn("1 contradict", run.stdout)
        self.assertEqual(list(self.solu("opt")), [other])
        self.assertNotIn(name, (self.folder / "lib" / "poetbnb.solu").read_text())
        self.changed(name, overhead_joules=optimum * 2, status="best", lower_bound_overhead_joules=0.0)
        run = self.instances(*both, "--record")
        self.assertEqual(run.returncode, 0, run.stderr)
        for words in ("a better schedule", "a better bound", "a proof"):
            self.assertIn(f"{name}: {words}\n", run.stdout)
        self.assertIn(f"{other}: a new instance\n", run.stdout)
        self.assertEqual({r["instance"]: r["status"] for r in known.read(self.folder / "k.csv").values()},
                         {name: "optimal", other: "optimal"})
        self.changed(name, graph_checksum="fnv:1")
        self.assertIn(f"{name}: another graph or budget than", self.instances(*both).stdout)

    def test_a_failure_does_not_stop_the_others(self):
        name, other = "vgg16_cifar-m0-90", "vgg16_cifar-m4-90"
        for command, words in (("info", "exit status None: broken"), ("export", "9: broken"),
                               ("verify", "verify: broken")):
            program = self.write(command, f"""#!/bin/sh
if [ "$1" = {command} ] && ! [ -f $0.once ]; then touch $0.once; echo broken >&2; exit 9; fi
exec {PROGRAM} "$@"
""")
            program.chmod(0o755)
            run = self.instances(name, other, "--jobs", 1, program=program)
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn(words, run.stderr)
            self.assertIn("1 instances, 1 solved, 0 open; 1 certificates verified, 1 failed", run.stdout)
            self.assertEqual(list(self.solu("opt")), [other])

    def test_bad_names_are_refused(self):
        run = self.instances("no-such-instance")
        self.assertEqual((run.returncode, run.stderr),
                         (2, "bench: expected a group or a part of an instance's name, got 'no-such-instance'\n"))
