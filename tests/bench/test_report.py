"""The whole bench on small networks, its report, and the scripts for several machines."""

import json
import os
import re
import shutil
import subprocess
import unittest

import pandas as pd
from paper import page, report
from paper.sentences import Sentence
from paper.table import COLUMNS, EXTRA, POINT
from support import PROGRAM, ROOT, Case, bench

HOSTILE = "<script>alert('x')</script>&\"|`=1+1"
GRAPH = {"name": HOSTILE, "nodes": [
    {"name": f"{HOSTILE}{i}", "inputs": [i - 1] if i else [], "bytes": 10, "seconds": 1, "joules": 1,
     "pagein_joules": 0.1, "pageout_joules": 0.1, "pagein_seconds": 1, "pageout_seconds": 1,
     "backward": False} for i in range(5)]}


class Smoke(unittest.TestCase):
    """One run for all tests of it."""

    @classmethod
    def setUpClass(cls):
        cls.case = Case()
        cls.case.setUp()
        cls.folder = cls.case.folder / "with blank"
        cls.first = bench(PROGRAM, cls.folder, "--setting", "smoke")
        cls.page = (cls.folder / "report.html").read_text() if cls.first.returncode == 0 else ""

    @classmethod
    def tearDownClass(cls):
        cls.case.doCleanups()

    def test_everything_is_done_and_nothing_below_ours(self):
        self.assertEqual(self.first.returncode, 0, self.first.stderr)
        summary = json.loads((self.folder / "summary.json").read_text())
        self.assertEqual((summary["failed"], summary["missing"], summary["below"]), (0, 0, 0))
        self.assertEqual(summary["ran"], summary["points"])
        self.assertEqual(summary["proven"], summary["searched"])
        again = bench(PROGRAM, self.folder, "--setting", "smoke")
        self.assertIn(" 0 run in 0 s", again.stdout)

    def test_tables_are_read_by_pandas(self):
        df = pd.read_csv(self.folder / "results.csv")
        self.assertEqual(list(df.columns), POINT + COLUMNS + EXTRA)
        self.assertLessEqual(set(df["state"]), {"proven", "infeasible", "feasible", "none"})
        smoke = df[(df["experiment"] == "smoke") & (df["method"] == "poetbnb")]
        self.assertEqual(len(smoke), 8)
        self.assertTrue((smoke["energy_joules"] >= smoke["base_joules"]).all())
        lp = df[df["run"] == "tight_lp"].merge(smoke, on=["platform", "budget", "deadline"])
        self.assertEqual(len(lp), 8)
        self.assertTrue((lp["lower_bound_overhead_joules_x"] <=
                         lp["overhead_joules_y"] * (1 + 1e-6) + 1e-12).all())

    def test_links_lead_to_files(self):
        links = set(re.findall(r"(?:href|src|srcset)='([^']*)'", self.page))
        self.assertIn("fig2.gp", links)
        self.assertIn("fig2-dark.svg", links)
        for link in links:
            self.assertTrue((self.folder / link).is_file(), link)

    def test_phones_and_dark_rooms(self):
        self.assertIn("width=device-width", self.page)
        self.assertIn("prefers-color-scheme: dark", self.page)
        for wide in re.finditer("<table>|<a href='[^']*'><picture>", self.page):
            before = self.page[:wide.start()]
            self.assertRegex(before[-60:], r"<div class=wide[^>]*>$")
        self.assertIn(".wide { overflow-x: auto; }", self.page)


class Texts(Case):
    def test_hostile_names_stay_text(self):
        self.write("g.json", json.dumps(GRAPH))
        table = (ROOT / "benchmarks" / "experiments.toml").read_text()
        mine = 'experiment = [{ name = "fig3", networks = ["g.json"], budgets = ["100%", "60%"], ' \
            'runs = ["baselines", "poetbnb"], settings = ["smoke"] },'
        self.write("e.toml", table.replace("experiment = [", mine, 1))
        run = bench(PROGRAM, self.folder / "out", "--setting", "smoke", "--only", "fig3",
                    "--experiments", self.folder / "e.toml")
        self.assertEqual(run.returncode, 0, run.stderr)
        page = (self.folder / "out" / "report.html").read_text()
        self.assertNotIn("<script", page)
        self.assertIn("&lt;script&gt;", page)
        df = pd.read_csv(self.folder / "out" / "fig3.csv")
        self.assertEqual(set(df["network"]), {HOSTILE})
        svg = (self.folder / "out" / "fig3.svg").read_text()
        self.assertIn("DTR", svg)
        self.assertNotIn("<script", svg)

    def test_numbers_for_readers(self):
        for value, said in ((None, ""), (float("nan"), ""), (0, "0"), (7, "7"), (1.5, "1.5"),
                            (0.123456, "0.1235"), (17093.4, "17,093"), (285873, "285,873"),
                            (2e9, "2e+09"), (999.96, "1000"), ("x", "x")):
            self.assertEqual(page.text(value), said)

    def test_sentences_stand_with_their_rules(self):
        made = page.Page("t")
        made.says([Sentence("5 of <6> hold.", "those that & those")])
        made.write(self.folder)
        self.assertIn("<li>5 of &lt;6&gt; hold. <span class=rule>Rule: those that &amp; those.</span></li>",
                      (self.folder / "report.html").read_text())

    def test_bytes_have_one_unit(self):
        for value, said in ((0, 0), (1500, 1.5), (None, None), (float("nan"), None)):
            self.assertEqual(page.kilobytes(value), said)

    def test_devices_have_bytes_in_one_unit(self):
        costs = {"flops_per_second": 2e9, "storage_watts": 0.5, "pagein_bytes_per_second": 3000}
        for ram, kilobytes in (("32 KB", 32), ("2 GB", 2e6), ("", None)):
            device = {"name": "a", "clock": "1 GHz", "ram": ram, "fpu": "no"}
            self.assertEqual(report.device_row(device, costs),
                             ["a", "1 GHz", kilobytes, "no", 2, None, 0.5, 3, None])

    def test_origin_is_the_commit_the_time_and_the_machine(self):
        def git(*words):
            return subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", *words], cwd=self.folder,
                                  capture_output=True, text=True, check=True).stdout.strip()
        self.assertIn("unknown", report.origin(self.folder)["commit"])
        git("init", "-q")
        self.write("a", "1")
        git("add", "a")
        git("commit", "-qm", "a")
        found = report.origin(self.folder)
        self.assertTrue(git("rev-parse", "HEAD").startswith(found["commit"]), found)
        self.write("a", "2")
        self.assertRegex(report.origin(self.folder)["commit"], "-dirty$")
        self.assertRegex(found["written"], r"^20\d\d-\d\d-\d\d \d\d:\d\d")
        self.assertRegex(found["machine"], r"\d+ processors, \d+ GB, Linux")

    def test_cells_are_escaped(self):
        made = page.Page("<t>")
        made.heading("a & b")
        made.table(["<x'>"], [["<i>|`"], [1.5], [None]])
        made.picture("f", "'\"<", ["d.csv"])
        made.write(self.folder)
        text = (self.folder / "report.html").read_text()
        for piece in ("&lt;t&gt;", "a &amp; b", "&lt;x&#x27;&gt;</th>", "&lt;i&gt;|`",
                      ">1.5<", "alt='&#x27;&quot;&lt;'"):
            self.assertIn(piece, text)


class Machines(Case):
    def test_gnu_parallel(self):
        folder = self.folder / "a folder"
        command = [str(ROOT / "scripts/bench-parallel"), PROGRAM, str(folder), "--setting", "smoke",
                   "--only", "fig2"]
        environment = os.environ | {"PARALLEL_HOME": str(self.folder), "BENCH_PARALLEL": "--jobs 2"}
        run = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertTrue((folder / "fig2.pdf").exists())
        self.assertIn("0 missing", run.stdout)

    def test_scripts_say_how_they_are_called(self):
        for script in ("bench-slurm", "bench-parallel"):
            for words in ([], [PROGRAM], ["--help"], [PROGRAM, "--setting", "full"]):
                answer = subprocess.run([str(ROOT / "scripts" / script), *words],
                                        capture_output=True, text=True, check=False)
                self.assertEqual(answer.returncode, 2)
                self.assertIn(f"usage: {script} PROGRAM FOLDER", answer.stderr)

    def slurm(self, folder):
        """sbatch in the place of Slurm's: runs arrays at once, as its tasks would be."""
        tools = self.folder / "tools"
        tools.mkdir(exist_ok=True)
        fake = tools / "sbatch"
        fake.write_text("""#!/bin/bash
printf '%s\\n' "$*" >>"$(dirname "$0")/calls"
last=1
while [[ $1 == --* ]]; do
    case $1 in
    --array=*) last=${1#--array=1-} ;;
    --output=*) mkdir -p "$(dirname "${1#--output=}")" ;;
    esac
    shift
done
copy=$(dirname "$0")/slurm_script # as Slurm does
cp "$1" "$copy"
shift
for task in $(seq "$last"); do
    SLURM_ARRAY_TASK_ID=$task "$copy" "$@" >>"$(dirname "$0")/log" 2>&1
done
echo "4$last;cluster"
""")
        fake.chmod(0o755)
        queue = tools / "squeue"  # an array's tasks, while there is `waiting`
        queue.write_text("""#!/bin/bash
[ -f "$(dirname "$0")/waiting" ] || exit 1
for word; do
    case $word in --jobs=*) tr , '\\n' <<<"${word#--jobs=}" ;; esac
done
""")
        queue.chmod(0o755)
        environment = os.environ | {"PATH": f"{tools}:{os.environ['PATH']}", "BENCH_TASKS": "4"}
        run = subprocess.run(
            [str(ROOT / "scripts/bench-slurm"), PROGRAM, str(folder), "--setting", "smoke", "linear-m4-50"],
            capture_output=True, text=True, check=False, env=environment)
        return run, (tools / "calls").read_text().splitlines()

    def test_slurm_arrays_make_all_points_and_go_on(self):
        folder = self.folder / "out"
        run, calls = self.slurm(folder)
        self.assertEqual(run.returncode, 0, run.stderr)
        self.assertEqual(len(calls), 3)
        self.assertIn("--array=1-4", calls[0])
        self.assertIn("--dependency=afterany:44", calls[1])
        self.assertIn("--dependency=afterany:42", calls[2])
        self.assertIn(" report ", calls[2])
        self.assertRegex(run.stdout, r"points in 4 jobs, array 44;cluster, about 0\.0 hours")
        summary = json.loads((folder / "summary.json").read_text())
        self.assertEqual((summary["missing"], summary["below"]), (0, 0))
        victim = next(p for p in (folder / "points").iterdir() if "-poetbnb-" in p.name)
        victim.unlink()
        run, calls = self.slurm(folder)
        self.assertEqual(len(calls), 5)  # one array, which waits for nothing, and the report
        self.assertIn("--array=1-1", calls[3])
        self.assertNotIn("--dependency", calls[3])
        self.assertTrue(victim.exists())
        (self.folder / "tools/waiting").touch()
        victim.unlink()
        run, calls = self.slurm(folder)
        self.assertEqual((run.returncode, len(calls)), (1, 5))
        self.assertIn("scancel 41", run.stderr)


assert shutil.which("parallel"), "GNU parallel is missing: scripts/install-deps"
