"""Figures as gnuplot draws them: what is in the legend, how many marks there are, that all texts are on
the page and apart, and that gnuplot has nothing to say."""

import csv
import itertools
import json
import os
import re
import subprocess

from frames import frame, row
from paper import points as grid
from paper import report
from paper.points import Refused
from picture import COLOURS, INK, MARK, PAGING, SERIES, STYLES, Picture
from plots import tables
from support import PROGRAM, ROOT, Case


class Table:
    families = {"DTR": ["dtr", "dtr_eq"], "Checkmate": ["checkmate"], "Capuchin": ["capuchin"]}

    @staticmethod
    def name(word):
        return word


class Drawn(Case):
    def figure(self, name, data):
        """The picture of a figure from these rows."""
        df = frame(data)
        rows = getattr(tables, name)(df[df["experiment"] == name], Table)
        self.assertEqual(report.draw(name, self.folder, rows), "")
        return Picture(self.folder / f"{name}.svg")

    def assert_on_page_and_apart(self, picture):
        for k, (words, left, right, top, bottom) in enumerate(picture.texts):
            self.assertTrue(left >= -1 and right <= picture.width + 1 and top >= -1 and
                            bottom <= picture.height + 1, words)
            for other, a, b, c, d in picture.texts[:k]:
                self.assertFalse(min(right, b) - max(left, a) > 1 and min(bottom, d) - max(top, c) > 1,
                                 (words, other))


def points():
    """Ours in every state, Checkmate at an end and cut off."""
    data = {"dtr": row("fig3", "dtr", 60), "dtr_eq": row("fig3", "dtr_eq", 50)}
    for k, (budget, status) in enumerate((("90%", "optimal"), ("70%", "feasible"), ("60%", "optimal"))):
        data[f"p{k}"] = row("fig3", "poetbnb", 0.1 + k, budget=budget, status=status, gap=0.4,
                            lower_bound_overhead_joules=0.05 + k / 2)
        data[f"c{k}"] = row("fig3", "checkmate", 0.1 + k, budget=budget,
                            stopped_by="time limit" if k == 1 else None)
    data["p3"] = row("fig3", "poetbnb", None, budget="80%")
    data["far"] = row("fig3", "poetbnb", 9, budget="40%", status="feasible", gap=0.51,
                      lower_bound_overhead_joules=4.41)
    return data


class Energy(Drawn):
    def test_legend_and_marks_are_those_of_the_data(self):
        picture = self.figure("fig3", points())
        self.assertEqual(picture.legend(SERIES), [
            "DTR", "Checkmate", "cut off", "poetbnb proven", "poetbnb best known", "poetbnb gap above 50 %",
            "poetbnb infeasible"])
        self.assertEqual(picture.series(), {"DTR": 1, "Checkmate": 3, "cut off": 1, "poetbnb proven": 2,
                                 "poetbnb best known": 1, "poetbnb gap above 50 %": 1, "poetbnb infeasible": 1})
        alone = self.figure("fig3", {"a": row("fig3", "poetbnb", 1)})
        self.assertEqual(alone.legend(SERIES), ["poetbnb proven"])

    def test_the_line_passes_by_what_is_far_from_proven(self):
        picture = self.figure("fig3", points())
        line, = (line for line in picture.lines[INK] if len(line) > 2)
        self.assertEqual(len(line), 3)  # of two proven ones and the best known between

    def test_bars_go_down_to_the_bound(self):
        picture = self.figure("fig3", points())
        bars = [path[k:k + 2] for path in picture.lines[COLOURS["shade"]] for k in range(0, len(path), 2)]
        marks = [picture.places[MARK[f"poetbnb {state}"]][0] for state in ("best known", "gap above 50 %")]
        self.assertEqual(sorted(min(bar, key=lambda end: end[1]) for bar in bars), sorted(marks))
        for (x, y), (a, b) in bars:
            self.assertEqual(x, a)
            self.assertGreater(abs(y - b), 2)

    def test_infeasible_budgets_are_below_zero_at_their_word(self):
        picture = self.figure("fig3", points())
        none = next(t for t in picture.texts if t[0] == "none")
        zero = next(t for t in picture.texts if t[0] == "0")
        self.assertGreater(none[3], zero[3])
        (_, y), = picture.places[MARK["poetbnb infeasible"]]
        self.assertTrue(none[3] < y < none[4], (none, y))
        del (data := points())["p3"]
        self.assertNotIn("none", self.figure("fig3", data).legend(["none"])[1:])

    def test_the_axis_is_logarithmic(self):
        """A tenth is as far below ten as ten is below a thousand."""
        picture = self.figure("fig3", {"a": row("fig3", "poetbnb", 900), "b": row("fig3", "poetbnb", 1, budget="20%")})
        at = {words: bottom for words, _, _, _, bottom in picture.texts}
        self.assertAlmostEqual(at["0.1"] - at["10"], at["10"] - at["1000"], delta=0.2)

    def test_the_best_of_a_family_is_drawn(self):
        rows = list(tables.fig3(frame(points()), Table))
        self.assertEqual([r[6] for r in rows if r[4] == "DTR"], [50])

    def test_figure_4_has_a_row_for_each_platform(self):
        data = {f"{p}{d}{r}": row("fig4", "poetbnb", None if r == "remat_only" and d == "1" else 1, platform=p,
                                  deadline=d, run=r, status="optimal" if r == "both" else
                                  "feasible" if r == "paging_only" else "infeasible" if d == "1" else "optimal")
                for p in ("m0", "m4") for d in ("1", "none") for r in ("both", "paging_only", "remat_only")}
        picture = self.figure("fig4", data)
        words = picture.words()
        for text, count in (("1 × base time", 1), ("no deadline", 1), ("m0: overhead [%]", 1),
                            ("m4: overhead [%]", 1), ("RAM [% of peak]", 2)):
            self.assertEqual(words.count(text), count, text)
        self.assertEqual(picture.series(), {
            "paging only": 4, "rematerialisation only": 2, "cut off": 4,
            "rematerialisation only infeasible": 2, "poetbnb proven": 4})
        self.assertEqual(picture.panels, 4)

    def test_figure_5_tells_both_kinds_of_transfer_apart(self):
        data = {m + b: row("fig5", m, 1, budget=b) for m in ("capuchin", "capuchin_sync", "poetbnb", "dtr")
                for b in ("50%", "40%")}
        picture = self.figure("fig5", data)
        self.assertEqual(picture.series(),
                         {"Capuchin transfers block": 2, "Capuchin transfers overlap": 2, "poetbnb proven": 2})

    def test_axes_begin_at_the_smallest_budget_with_a_schedule(self):
        picture = self.figure("fig3", {"a": row("fig3", "poetbnb", 1, budget="90%"),
                                       "b": row("fig3", "poetbnb", 2, budget="45%"),
                                       "c": row("fig3", "poetbnb", None, budget="15%")})
        self.assertEqual([w for w in ("90", "50", "40", "20") if w in picture.words()], ["90", "50"])

    def test_texts_are_on_the_page_and_apart(self):
        data = points()
        for network in ("vgg16_cifar", "bert"):
            for platform in ("m0", "m4", "a72", "jetsontx2"):
                for budget in ("90%", "40%"):
                    data[network + platform + budget] = row("fig3", "poetbnb", 900, network=network,
                                                            platform=platform, budget=budget)
        self.assert_on_page_and_apart(self.figure("fig3", data))
        data = {f"f{k}": row("fig4", "poetbnb", 1, budget=b, network="vgg16_cifar", platform="m4", run=r,
                             deadline=d) for k, (b, r, d) in enumerate(itertools.product(
                                 ("95%", "45%"), ("both", "paging_only"),
                                 ("1", "1.0005", "1.002", "1.01", "none")))}
        self.assert_on_page_and_apart(self.figure("fig4", data))

    def test_names_of_others_stay_text(self):
        name = "$\\frac{1$_^<b>&`touch x`',\"@x"
        picture = self.figure("fig3", {"a": row("fig3", "poetbnb", 1, network=name)})
        self.assertIn(f"{tables.cell(name)} on jetsontx2", picture.words())


class Schedules(Drawn):
    def draw_schedule(self, budget):
        """The picture of Figure 2's graph in this budget, and its answer; a node has a hostile name."""
        graph = json.loads((ROOT / "benchmarks/eight_layers.json").read_text())
        graph["nodes"][3]["name"] = 'd, "e"'
        words = [f"--graph={self.write('g.json', json.dumps(graph))}", f"--out={self.folder / 's.json'}"]
        said = subprocess.run([PROGRAM, "solve", *words, f"--ram-budget={budget}", "--quiet", "--json"],
                              capture_output=True, text=True, check=True)
        self.assertEqual(report.draw_schedule(PROGRAM, self.folder / "s.json", self.folder), "")
        return Picture(self.folder / "fig2.svg"), json.loads(said.stdout)

    def test_figure_2(self):
        picture, answer = self.draw_schedule("50%")
        legend = ["in RAM", "computed", "recomputed", "on storage", "page out", "page in"]
        self.assertEqual(picture.legend(legend), legend)
        self.assertEqual([picture.marks[m] for m in PAGING],  # one in the legend
                         [1 + answer["pageout_count"], 1 + answer["pagein_count"]])
        names = ["conv1", 'd, "e"', "grad1"]
        self.assertEqual(picture.legend(names), names)
        self.assert_on_page_and_apart(picture)
        memory = re.search(r"^\$memory << EOD\n(.*?)^EOD$", (self.folder / "fig2.gp").read_text(), re.M | re.S)[1]
        self.assertEqual(max(int(r["bytes"]) for r in csv.DictReader(memory.splitlines())), answer["peak_bytes"])
        for name in ("fig2.pdf", "fig2.png", "fig2-dark.svg"):
            self.assertTrue((self.folder / name).exists(), name)
        self.assertIn("#16181c", (self.folder / "fig2-dark.svg").read_text())

    def test_what_does_not_happen_is_not_in_the_legend(self):
        picture, _ = self.draw_schedule("100%")
        self.assertEqual(picture.legend(["in RAM", "computed", "recomputed", "on storage", "page out", "page in"]),
                         ["in RAM", "computed"])

    def test_what_is_no_schedule_is_refused(self):
        with self.assertRaisesRegex(Refused, "s.json"):
            report.draw_schedule(PROGRAM, self.write("s.json", "{}"), self.folder)


class Programs(Drawn):
    """Pictures of poetbnb itself."""

    def poetbnb(self, *words):
        said = subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertEqual(said.stderr, "")
        return said.stdout

    def test_a_schedule(self):
        out = self.poetbnb("solve", "--model=linear", "--platform=a72", "--ram-budget=50%", "--quiet", "--json",
                           "--plot=s.svg", "--out=s.json")
        counts = json.loads(out)
        picture = Picture(self.folder / "s.svg")
        self.assertEqual([picture.marks[m] for m in PAGING],
                         [counts["pageout_count"] + 1, counts["pagein_count"] + 1])  # one in the legend
        (_, out), (_, back) = (max(picture.places[m], key=lambda place: place[1]) for m in PAGING)
        self.assertLess(out, back)
        self.assertIn("cross_entropy1", picture.words())
        self.assert_on_page_and_apart(picture)

    def test_long_names_of_nodes_are_on_the_page(self):
        nodes = [{"name": f"{'long' * 6}{k}" + "x" * 30 * (k == 2), "inputs": [k - 1] if k else [], "bytes": 10,
                  "flops": 1000} for k in range(5)]
        self.write("g.json", json.dumps({"name": "g" * 150, "nodes": nodes}))
        self.poetbnb("solve", "--graph=g.json", "--platform=m4", "--ram-budget=100%", "--quiet", "--plot=s.svg")
        picture = Picture(self.folder / "s.svg")
        self.assertIn("longlonglonglonglonglong0", picture.words())
        self.assertIn("longlonglonglong…xxxxxxxxxxxxxxx", picture.words())
        self.assert_on_page_and_apart(picture)

    def test_a_frontier_has_steps_and_bytes(self):
        self.poetbnb("sweep", "--model=vgg16_cifar", "--platform=m4", "--ram-budget=90%,80%,60%", "--plot=f.svg",
                     "--quiet")
        picture = Picture(self.folder / "f.svg")
        self.assertIn("RAM budget [KiB]", picture.words())
        self.assertFalse([words for words in picture.words() if "side by side" in words])
        self.assertEqual(picture.legend(["vgg16_cifar on m4", "proven optimal", "best known", "gap above 50 %",
                                         "lower bound of these"]), ["vgg16_cifar on m4", "proven optimal"])
        self.assertEqual(picture.marks["gpPt6", COLOURS["blue"]], 3)
        line, = picture.lines[COLOURS["blue"]]
        self.assertEqual(len(line), 5)
        for (a, b), (c, d) in itertools.pairwise(line):
            self.assertTrue(a == c or b == d, line)
        (first, high), (second, level) = line[:2]
        self.assertTrue(first < second and high == level, line)  # good for larger budgets, too
        self.assert_on_page_and_apart(picture)

    def comparison(self, *methods):
        self.poetbnb("compare", "--model=linear", "--platform=a72", "--ram-budget=90%,50%", "--quiet",
                     f"--methods={','.join(methods)}", "--plot=c.svg")
        return Picture(self.folder / "c.svg")

    def test_a_comparison_names_its_graph_and_marks_proofs_as_a_sweep_does(self):
        picture = self.comparison("dtr", "poetbnb")
        self.assertIn("linear on a72", picture.words())
        self.assertEqual(picture.legend(["dtr", "poetbnb", "proven optimal", "best known", "gap above 50 %",
                                         "lower bound of these"]), ["dtr", "poetbnb", "proven optimal"])
        self.assertEqual(picture.marks["gpPt6", INK], 2)
        self.assertEqual(picture.marks["gpPt4", COLOURS["blue"]], 2)
        self.assert_on_page_and_apart(picture)

    def test_methods_with_the_same_overhead_stand_side_by_side(self):
        picture = self.comparison("dtr", "dtr_eq", "dtr_simrd", "anneal", "poetbnb")
        self.assertTrue([words for words in picture.words() if "side by side" in words])
        places = sorted(place for mark in picture.places.values() for place in mark)
        self.assertEqual(len(places), 10)
        for (x, y), (right, other) in itertools.combinations(places, 2):
            self.assertGreater(abs(right - x) + abs(other - y), 5, places)
        self.assertGreater(max(len(list(g)) for _, g in itertools.groupby(sorted(y for _, y in places))), 3)

    def test_methods_without_a_schedule_are_named(self):
        picture = self.comparison("checkpoint_all", "dtr", "poetbnb")
        self.assertIn("checkpoint_all: no schedule", picture.words())
        self.assert_on_page_and_apart(picture)

    def test_bytes_stand_on_the_axis_where_they_belong(self):
        self.poetbnb("sweep", "--model=linear", "--platform=m4", "--ram-budget=4096,6144", "--plot=f.svg", "--quiet")
        picture = Picture(self.folder / "f.svg")
        place = {words: (left + right) / 2 for words, left, right, _, _ in picture.texts}
        low, high = sorted({x for x, _ in picture.lines[COLOURS["blue"]][0]})
        self.assertAlmostEqual(place["4"], low, delta=3)
        self.assertAlmostEqual((place["5"] - place["4"]) / (high - low), 0.5, delta=0.01)

    def test_networks_of_other_sizes_share_no_axis_of_bytes(self):
        self.poetbnb("sweep", "--model=linear,transformer", "--platform=m4", "--ram-budget=90%", "--plot=f.svg",
                     "--quiet")
        picture = Picture(self.folder / "f.svg")
        self.assertFalse([w for w in picture.words() if w.startswith("RAM budget [") and "%" not in w])
        self.assertEqual(picture.legend(["linear on m4", "transformer on m4"]), ["linear on m4", "transformer on m4"])


class Files(Drawn):
    def test_a_figure_is_four_files_of_one_size(self):
        self.figure("fig3", points())
        self.assertEqual({p.name for p in self.folder.iterdir()},
                         {"fig3_drawn.csv", "fig3.pdf", "fig3.png", "fig3.svg", "fig3-dark.svg"})
        self.assertIn(b"/MediaBox [ 0 0 486 ", (self.folder / "fig3.pdf").read_bytes())
        png = (self.folder / "fig3.png").read_bytes()
        self.assertEqual(int.from_bytes(png[16:20], "big"), 1350)
        self.assertEqual(Picture(self.folder / "fig3.svg").width, 648)

    def test_dark_figures_have_no_dark_ink(self):
        for name, data in (("fig3", points()), ("fig5", {"a": row("fig5", "poetbnb", 1)})):
            self.figure(name, data)
            dark, light = ((self.folder / f"{name}{s}.svg").read_text() for s in ("-dark", ""))
            self.assertIn("#16181c", dark)
            self.assertNotIn("#16181c", light)
            inks = re.findall(r'fill="(rgb\([^"]*\)|black)" font-family[^>]*>\s*<text>[^<]*[^<\s]', dark)
            self.assertGreater(len(inks), 5)
            self.assertEqual(set(inks), {"rgb(238,238,238)"})

    def test_a_script_runs_by_hand(self):
        self.figure("fig3", points())
        (self.folder / "fig3.pdf").unlink()
        said = subprocess.run(["gnuplot", "-c", "plots/energy.gp", str(self.folder), "fig3"], cwd=ROOT, capture_output=True,
                              text=True, check=False, env=os.environ | {"LC_ALL": "C.UTF-8"})
        self.assertEqual((said.returncode, said.stderr), (0, ""))
        self.assertTrue((self.folder / "fig3.pdf").exists())
        said = subprocess.run(["gnuplot", "-c", "plots/energy.gp", str(self.folder), "fig4"], cwd=ROOT, capture_output=True,
                              text=True, check=False)
        self.assertEqual(said.returncode, 2)
        self.assertIn("where make bench has written fig4_drawn.csv", said.stderr)


class Styles(Case):
    def test_series_of_a_figure_differ_without_colour(self):
        """By mark and size, or by the dashes of their lines."""
        styles = {k: rest.split(maxsplit=1)[1] for k, rest in STYLES.items()}
        self.assertEqual(sorted(styles), list(range(1, len(SERIES) + 1)))
        number = {name: k for k, name in enumerate(SERIES, 1)}
        states = [s for s in SERIES if s.startswith("poetbnb ")]
        baselines = SERIES[:SERIES.index("Checkmate") + 1]
        singles = [s for s in SERIES if s.startswith(("paging only", "rematerialisation only"))]
        for together in (baselines + ["cut off"] + states, singles + ["cut off"] + states,
                         [s for s in SERIES if s.startswith("Capuchin ")] + states):
            drawn = [styles[number[s]] for s in together]
            self.assertEqual(len(set(drawn)), len(drawn), (together, drawn))

    def test_families_of_the_experiments_have_styles(self):
        families = grid.Table(ROOT / "benchmarks/experiments.toml").families
        self.assertGreater(len(families), 5)
        self.assertLessEqual({f.replace(",", "") for f in families}, set(SERIES))

