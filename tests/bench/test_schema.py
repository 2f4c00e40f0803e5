"""One schema for solve, compare, sweep and the experiments, that pandas reads as it is."""

import json
import math
import subprocess

import pandas as pd
from paper.table import COLUMNS, write_csv
from support import PROGRAM, ROOT, Case

TEXTS = {"network", "platform", "graph_checksum", "method", "options", "version", "status",
         "stopped_by", "reason"}


def said(*words):
    return subprocess.run([PROGRAM, *words, "--model=linear", "--platform=a72", "--quiet"],
                          capture_output=True, text=True, check=False).stdout


class Schema(Case):
    def test_all_commands_have_the_columns_in_order(self):
        answer = json.loads(said("solve", "--ram-budget=50%", "--json"))
        self.assertEqual(list(answer)[:len(COLUMNS)], COLUMNS)
        compared = json.loads(said("compare", "--ram-budget=50%,1%", "--json"))["methods"]
        swept = json.loads(said("sweep", "--ram-budget=50%,1%", "--json"))["points"]
        self.assertGreater(len(compared), 10)
        for record in compared + swept:
            self.assertEqual(list(record), COLUMNS)
        for command in ("compare", "sweep"):
            heading = said(command, "--ram-budget=50%", "--csv").splitlines()[0]
            self.assertEqual(heading.split(","), COLUMNS)

    def test_pandas_reads_numbers_as_numbers(self):
        path = self.write("c.csv", said("compare", "--ram-budget=50%,1%",
                                        "--runtime-budget=none,1.0005", "--csv"))
        df = pd.read_csv(path)
        for column in df.columns:
            if column in TEXTS:
                self.assertTrue(df[column].map(lambda v: isinstance(v, str) or v != v).all(), column)
            elif column != "feasible":
                self.assertTrue(pd.api.types.is_numeric_dtype(df[column]), column)
        self.assertEqual(set(df["feasible"].dropna()), {True, False})
        self.assertEqual(sorted(df["runtime_budget"].dropna().unique()), [1.0005])
        self.assertEqual(df["graph_checksum"].nunique(), 1)

    def test_csv_and_json_are_the_same(self):
        path = self.write("c.csv", said("compare", "--ram-budget=50%", "--methods=dtr,pofo,poetbnb",
                                        "--csv"))
        records = json.loads(said("compare", "--ram-budget=50%", "--methods=dtr,pofo,poetbnb",
                                  "--json"))["methods"]
        for record, (_, row) in zip(records,
                                         pd.read_csv(path, float_precision="round_trip").iterrows()):
            for key, value in record.items():
                if value is None:
                    self.assertTrue(row[key] != row[key], key)
                elif key not in ("seconds", "cpu_seconds"):
                    self.assertEqual(row[key], value, key)

    def test_figures_are_related_as_documented(self):
        r = json.loads(said("solve", "--ram-budget=50%", "--json", "--no-paging", "--seed=7",
                            "--threads=1", "--node-limit=50", "--runtime-budget=1.5"))
        self.assertTrue(math.isclose(r["energy_joules"], r["base_joules"] + r["overhead_joules"]))
        self.assertTrue(math.isclose(r["overhead_percent"],
                                     100 * r["overhead_joules"] / r["base_joules"]))
        self.assertLessEqual(r["lower_bound_overhead_joules"], r["overhead_joules"])
        windows = json.loads(said("solve", "--ram-budget=50%", "--json", "--no-paging",
                                  "--set=exact.coarse=off", "--set=exact.labels=off")
                             )["windows_bound_overhead_joules"]
        self.assertLess(windows, r["base_joules"] / 2)  # an overhead
        self.assertIsNone(r["windows_bound_overhead_joules"])  # it was not needed
        self.assertLessEqual(r["peak_bytes"], r["ram_budget_bytes"])
        self.assertEqual((r["options"], r["seed"], r["threads"], r["runtime_budget"]),
                         ("no-paging node-limit=50", 7, 1, 1.5))

    def test_what_a_limit_cut_off_says_so(self):
        words = ["--model=bert", "--platform=m4", "--ram-budget=15%", "--json", "--quiet",
                 "--time-limit-s=0.5", "--threads=1"]
        for command, more in (("solve", []), ("compare", ["--methods=checkmate"])):
            out = subprocess.run([PROGRAM, command, *words, *more], capture_output=True, text=True,
                                 check=False).stdout
            record = json.loads(out)
            record = record.get("methods", [record])[0]
            self.assertIn("limit", record["stopped_by"] or "", command)
            self.assertNotEqual(record["status"], "optimal")

    def test_searches_that_end_before_their_limit_say_so(self):
        out = subprocess.run(
            [PROGRAM, "compare", "--model=resnet18_cifar", "--platform=m4", "--ram-budget=20%",
             "--json", "--quiet", "--methods=checkmate", "--memory-limit=20M", "--threads=1"],
            capture_output=True, text=True, check=False).stdout
        record = json.loads(out)["methods"][0]
        self.assertIn("limit", record["stopped_by"] or "", record["reason"])

    def test_every_column_is_documented(self):
        text = (ROOT / "docs" / "formats.md").read_text()
        for column in COLUMNS:
            self.assertIn(f"\n| `{column}` |", text)

    def test_checksums_tell_graphs_apart(self):
        one = json.loads(said("solve", "--ram-budget=90%", "--json"))
        same = json.loads(said("solve", "--ram-budget=50%", "--json"))
        other = json.loads(said("solve", "--ram-budget=90%", "--json", "--mem-power-scale=2"))
        self.assertEqual(one["graph_checksum"], same["graph_checksum"])
        self.assertNotEqual(one["graph_checksum"], other["graph_checksum"])

    def test_texts_that_begin_like_formulas_are_guarded(self):
        path = self.folder / "t.csv"
        write_csv(pd.DataFrame({"a": ["=1+1", "x", None], "b": [-1.5, 2, 3]}), path)
        self.assertEqual(path.read_text(), "a,b\n'=1+1,-1.5\nx,2.0\n,3.0\n")


class Schedules(Case):
    def test_compare_writes_schedules_that_solve_starts_from(self):
        folder = self.folder / "s"
        records = json.loads(said("compare", "--ram-budget=50%,1%", "--json",
                                  "--methods=dtr,pofo,poetbnb", f"--schedules={folder}"))["methods"]
        names = {f"{r['method']}-{r['ram_budget_bytes']}.json" for r in records if r["feasible"]}
        self.assertEqual({p.name for p in folder.iterdir()}, names)
        self.assertEqual(len(names), 3)
        best = next(folder.glob("poetbnb-*"))
        pofo = next(folder.glob("pofo-*"))
        answer = json.loads(said("solve", "--ram-budget=50%", "--json", "--no-heuristics",
                                 "--set=exact.coarse=off", "--set=exact.labels=off",
                                 f"--warm-start={pofo},{best}"))
        sources = [i["source"] for i in answer["incumbents"]]
        self.assertIn(str(best), sources)
        self.assertEqual([e["effort"] for e in answer["profile"]],
                         ["begin", "anneal", "polish", "grow", "coarse", "cases", "labels", "windows", "rest"])
        self.assertLessEqual(sum(e["work"] for e in answer["profile"]), answer["work"] * 1.001)
        for whose in ("all", "windows"):
            bounds = [b["overhead_joules"] for b in answer["bounds"] if b["of"] == whose]
            times = [b["seconds"] for b in answer["bounds"] if b["of"] == whose]
            self.assertEqual(bounds, sorted(set(bounds)), whose)
            self.assertEqual(times, sorted(times))
            self.assertTrue(bounds, whose)
        last = [b for b in answer["bounds"] if b["of"] == "all"][-1]
        self.assertAlmostEqual(last["overhead_joules"], answer["lower_bound_overhead_joules"],
                               delta=1e-9 * answer["overhead_joules"])
        self.assertLessEqual(last["seconds"], answer["seconds"])
        self.assertIn("overhead", subprocess.run(
            [PROGRAM, "check", str(best)], capture_output=True, text=True, check=True).stdout.lower())

    def test_bad_words_of_a_list_are_refused(self):
        for words in ("auto,nonsense", "auto,,dtr", f"auto,{self.folder}/none.json"):
            run = subprocess.run([PROGRAM, "solve", "--model=linear", "--platform=a72",
                                  "--ram-budget=50%", f"--warm-start={words}"],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 2, words)
            self.assertIn("--warm-start", run.stderr)

    def test_a_name_with_a_comma_is_one_file(self):
        said("compare", "--ram-budget=50%", "--methods=dtr", f"--schedules={self.folder}")
        odd = next(self.folder.glob("dtr-*")).rename(self.folder / "a,b.json")
        answer = json.loads(said("solve", "--ram-budget=50%", "--json", f"--warm-start={odd}"))
        self.assertEqual(answer["incumbents"][0]["source"], str(odd))
