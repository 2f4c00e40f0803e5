"""What the tests share: a folder of their own, a program in the place of poetbnb, and a table of
experiments."""

import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import unittest

from paper import points, run, store

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PROGRAM = os.environ["POETBNB"]
BENCH = ROOT / "benchmarks" / "bench"

TABLE = """
[[experiment]]
name = "e"
networks = ["linear"]
platforms = ["a72"]
budgets = ["50%", "70%"]
runs = ["base", "ours"]
settings = ["dense"]

[run.base]
command = "compare"
methods = ["dtr", "revolve"]
limit = 10
typical = 1

[run.ours]
command = "solve"
from = ["base"]
limit = 10
typical = 1

[setting.dense]

[family]
DTR = ["dtr"]

[device]
a72 = { name = "A72", clock = "", ram = "", fpu = "" }

[names]
"""

# Before TABLE: runs beside each other.
EXPERIMENT = """
[[experiment]]
name = "exact"
group = "small"
networks = ["linear"]
platforms = ["a72"]
budgets = ["70%", "50%"]
runs = ["ours"]
settings = ["beside"]
"""

# In the place of poetbnb: notes its calls, waits as long as `delay` says, answers with the records
# in the files NAME.json (solve.json, compare.json) beside it, or nonsense when there is `broken`;
# its check refuses when there is `reject`. `exit` holds the exit status of solve.
FAKE = """#!/bin/bash
here=$(dirname "$0")
echo "$*" >>"$here/calls"
[ -f "$here/delay" ] && sleep "$(cat "$here/delay")"
for word; do
    case $word in
    --out=*) [ -f "$here/empty" ] || echo '{"a": "schedule"}' >"${word#--out=}" ;;
    --schedules=*) echo '{"of": "dtr"}' >"${word#--schedules=}/dtr-5.json"
        echo '{"of": "revolve"}' >"${word#--schedules=}/revolve-5.json" ;;
    esac
done
[ -f "$here/broken" ] && { echo nonsense; echo "it broke" >&2; exit 0; }
case $1 in
check) [ ! -f "$here/reject" ] ;;
solve) cat "$here/solve.json"; exit "$(cat "$here/exit")" ;;
compare) cat "$here/compare.json" ;;
esac
"""


def record(method, overhead, **more):
    return {"method": method, "overhead_joules": overhead, "feasible": overhead is not None,
            "status": "feasible", "stopped_by": None, "base_joules": 10.0, "options": ""} | more


class Case(unittest.TestCase):
    """A test with a folder."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="poetbnb-bench-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text)
        return path


class FakeCase(Case):
    """... and with a fake program and two points that start from two others."""

    def setUp(self):
        import json
        super().setUp()
        self.program = self.write("program", FAKE)
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)
        self.write("exit", "0")
        self.answer = record("poetbnb", 2.5, incumbents=[], status="optimal")
        self.write("solve.json", json.dumps(self.answer))
        self.write("compare.json", json.dumps(
            {"methods": [record("dtr", 3.5), record("revolve", 3.0)]}))
        self.table = points.Table(self.write("experiments.toml", TABLE))
        self.points = self.table.points("dense", str(self.program))
        self.results = self.folder / "results"

    def store(self):
        return store.Store(self.results, self.program)

    def runner(self, chosen=None):
        return run.Runner(self.store(), chosen or self.points)

    def run_all(self, chosen=None):
        said = []
        return self.runner(chosen).run_all(2, None, said.append) | {"said": said}

    def calls(self, command=None):
        path = self.folder / "calls"
        lines = path.read_text().splitlines() if path.exists() else []
        return [line for line in lines if command in (None, line.split()[0])]


def bench(*words, **more):
    return subprocess.run([str(BENCH), *map(str, words)], capture_output=True, text=True,
                          check=False, **more)
