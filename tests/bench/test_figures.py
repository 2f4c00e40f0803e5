"""Figures as they are printed: sizes, legends, marks, and texts as they are."""

import itertools
import unittest

import matplotlib.pyplot as plt
import pandas as pd
from frames import frame, results, row
from plots import figures
from support import Case


class Table:
    families = [{"label": "DTR", "methods": ["dtr", "dtr_eq"]},
                {"label": "Checkmate", "methods": ["checkmate"]},
                {"label": "Capuchin", "methods": ["capuchin"]}]

    @staticmethod
    def name(word):
        return word


def points():
    """Ours in every state, Checkmate at an end and cut off."""
    data = results()
    for k, (budget, status) in enumerate((("90%", "optimal"), ("70%", "feasible"),
                                          ("60%", "optimal"))):
        data[f"p{k}"] = row("fig3", "poetbnb", 0.1 + k, budget=budget, status=status,
                            lower_bound_overhead_joules=0.05 + k / 2)
        data[f"c{k}"] = row("fig3", "checkmate", 0.1 + k, budget=budget,
                            stopped_by="time limit" if k == 1 else None)
    data["p3"] = row("fig3", "poetbnb", None, budget="80%")
    return data


def drawn(make, ink=figures.LIGHT):
    with plt.rc_context(figures.STYLE):
        figure = make(ink)
        figure.canvas.draw()
    return figure


def labels(figure):
    return [t.get_text() for legend in figure.legends for t in legend.get_texts()]


def fig3(data):
    return drawn(lambda ink: figures.fig3(frame(data), Table, ink))


class Drawn(unittest.TestCase):
    def tearDown(self):
        plt.close("all")

    def test_legends_have_what_is_drawn_and_nothing_else(self):
        found = labels(fig3(points()))
        for label in ("poetbnb, proven", "poetbnb, best known (bar: to bound)",
                      "poetbnb, proven infeasible", "DTR", "Checkmate", "Checkmate, cut off"):
            self.assertIn(label, found)
        self.assertNotIn("Capuchin", found)
        self.assertNotIn("POFO", found)
        data = {"a": row("fig3", "poetbnb", 1)}
        self.assertEqual(labels(fig3(data)), ["poetbnb, proven"])

    def test_legends_have_one_order(self):
        data = points()
        first = {"a": row("fig3", "poetbnb", 1, status="feasible", platform="m0",
                          lower_bound_overhead_joules=0.5),
                 "b": row("fig3", "checkmate", 1, platform="m0")}
        orders = [[label for label in labels(fig3(d)) if label != "poetbnb, proven infeasible"]
                  for d in (data, first | data)]
        self.assertEqual(*orders)

    def test_samples_are_as_drawn(self):
        figure = fig3(points())
        lines = [line for axes in figure.axes for line in axes.lines]
        for legend in figure.legends:
            for sample in legend.legend_handles if hasattr(legend, "legend_handles") \
                    else legend.legendHandles:
                style = [(line.get_color(), line.get_marker(), line.get_markerfacecolor(),
                          line.get_markersize(), line.get_linestyle()) for line in lines]
                self.assertIn((sample.get_color(), sample.get_marker(),
                               sample.get_markerfacecolor(), sample.get_markersize(),
                               sample.get_linestyle()), style)

    def test_states_differ_without_colour(self):
        figure = fig3(points())
        marks = {}
        for legend in figure.legends:
            handles = legend.legend_handles if hasattr(legend, "legend_handles") \
                else legend.legendHandles
            for text, sample in zip(legend.get_texts(), handles):
                hollow = sample.get_markerfacecolor() in ("none", figures.LIGHT["paper"])
                marks[text.get_text()] = (sample.get_marker(), sample.get_markersize(), hollow,
                                          str(sample.get_linestyle()))
        self.assertEqual(len(set(marks.values())), len(marks), marks)

    def test_checkmate_is_seen_around_ours(self):
        self.assertIn("Checkmate", labels(fig3(points())))
        _, _, size, _, filled = figures.BASELINES["Checkmate"]
        self.assertFalse(filled)
        self.assertGreater(size, 1.5 * 3.4)

    def test_a_bar_goes_down_to_the_bound(self):
        figure = fig3(points())
        bars = [list(line.get_ydata()) for line in figure.axes[0].lines
                if line.get_linewidth() == 1.6]
        bars += [list(line.get_ydata()) for axes in figure.axes[1:] for line in axes.lines
                 if line.get_linewidth() == 1.6]
        self.assertIn([0.55, 1.1], bars)

    def test_schedules_far_from_proven_are_stars_beside_the_line(self):
        figure = fig3({"a": row("fig3", "poetbnb", 1, budget="90%"),
                       "b": row("fig3", "poetbnb", 2, budget="50%", status="feasible", gap=0.5,
                                lower_bound_overhead_joules=1),
                       "c": row("fig3", "poetbnb", 9, budget="20%", status="feasible", gap=0.51,
                                lower_bound_overhead_joules=4.41)})
        marks = {line.get_marker(): list(line.get_ydata()) for line in figure.axes[0].lines
                 if line.get_linestyle() == "None"}
        self.assertEqual((marks["o"], marks["*"]), ([2], [9]))
        lines = [list(line.get_ydata()) for line in figure.axes[0].lines
                 if line.get_linestyle() == "-" and line.get_linewidth() != 1.6]
        self.assertEqual(lines, [[2, 1]])
        self.assertIn("poetbnb, far from proven (gap above 50 %)", labels(figure))

    def test_figure_4_has_a_row_for_each_platform(self):
        data = {f"{p}{d}": row("fig4", "poetbnb", k + 1, platform=p, deadline=d, run="both")
                for k, p in enumerate(("m0", "m4")) for d in ("1", "none")}
        figure = drawn(lambda ink: figures.fig4(frame(data), Table, ink))
        self.assertEqual([(a.get_title(), a.get_ylabel()) for a in figure.axes],
                         [("1 × base time", "m0: overhead, %"), ("no deadline", ""),
                          ("", "m4: overhead, %"), ("", "")])
        drawn_values = [[v for line in a.lines for v in line.get_ydata()] for a in figure.axes]
        self.assertEqual([set(v) for v in drawn_values], [{1}, {1}, {2}, {2}])

    def test_axes_begin_at_the_smallest_budget_with_a_schedule(self):
        figure = fig3({"a": row("fig3", "poetbnb", 1, budget="90%"),
                       "b": row("fig3", "poetbnb", 2, budget="45%"),
                       "c": row("fig3", "poetbnb", None, budget="15%")})
        crosses = [line for line in figure.axes[0].lines if line.get_marker() == "x"]
        self.assertTrue(all(line.get_clip_on() for line in crosses))
        high, low = figure.axes[0].get_xlim()
        self.assertTrue(90 < high < 95 and 40 < low < 45, (high, low))

    def test_no_titles_on_tick_labels_and_all_within_the_paper(self):
        data = points() | {f"f{k}": row("fig4", "poetbnb", 1, budget=b, network="vgg16_cifar",
                                        platform="m4", run=r, deadline=d)
                           for k, (b, r, d) in enumerate(itertools.product(
                               ("95%", "45%"), ("both", "paging_only"),
                               ("1", "1.0005", "1.002", "1.01", "none")))}
        for network in ("vgg16_cifar", "bert"):
            for platform in ("m0", "m4", "a72", "jetsontx2"):
                for budget in ("90%", "40%"):
                    data[network + platform + budget] = row(
                        "fig3", "poetbnb", 900, network=network, platform=platform, budget=budget)
        for make in (lambda ink: figures.fig3(frame(data), Table, ink),
                     lambda ink: figures.fig4(frame(data), Table, ink),
                     lambda ink: figures.fig5(frame(data), Table, ink)):
            figure = drawn(make)
            self.assertEqual(figure.get_figwidth(), 6.75)
            renderer = figure.canvas.get_renderer()
            texts = [(t.get_text(), t.get_window_extent(renderer)) for axes in figure.axes
                     for t in (axes.title, axes.xaxis.label, axes.yaxis.label,
                               *axes.get_xticklabels(), *axes.get_yticklabels())
                     if t.get_text() and t.get_visible() and on_axes(t, axes)]
            texts += [(legend.get_texts()[0].get_text(), legend.get_window_extent(renderer))
                      for legend in figure.legends]
            for k, (name, box) in enumerate(texts):
                self.assertTrue(figure.bbox.x0 - 1 <= box.x0 and box.x1 <= figure.bbox.x1 + 1 and
                                figure.bbox.y0 - 1 <= box.y0 and box.y1 <= figure.bbox.y1 + 1, name)
                for other, its in texts[:k]:
                    across = min(box.x1, its.x1) - max(box.x0, its.x0)
                    along = min(box.y1, its.y1) - max(box.y0, its.y0)
                    self.assertFalse(across > 1 and along > 1, (name, other))


    def test_ablations_compare_the_same_instances(self):
        data = {f"{k} {budget}": row("ablation", "poetbnb", 1, budget=budget, run=label,
                                     cpu_seconds=seconds)
                for k, (label, seconds) in enumerate((("nothing left out", 1.0), ("without a", 7.0),
                                                      ("without b", 3.0)))
                for budget in ("50%", "30%")}
        data["1 30%"].update(status="missing", cpu_seconds=None)
        data["0 30%"].update(cpu_seconds=1000.0)
        data["2 50%"].update(status="feasible")
        left, right = drawn(lambda ink: figures.ablation(frame(data), Table, ink)).axes
        names = [t.get_text() for t in left.get_yticklabels()]
        self.assertEqual(names, ["without b", "without a", "nothing left out"])
        for bars, expected in ((left, [12, 7, 1]), (right, [0, 100, 100])):
            widths = [bar.get_width() for bar in bars.patches]
            self.assertTrue(all(abs(w - e) < 1e-9 for w, e in zip(widths, expected)), widths)

    def test_seeds_are_marks_in_lines(self):
        data = {f"{b}{s}": row("seeds", "poetbnb", 1, budget=b, seed=s, cpu_seconds=s + 1.0,
                               status="feasible" if s == 2 else "optimal")
                for b in ("50%", "30%") for s in (1, 2, 3)}
        figure = drawn(lambda ink: figures.seeds(frame(data), Table, ink))
        marks = {tuple(line.get_ydata()): list(line.get_xdata()) for line in figure.axes[0].lines}
        self.assertEqual(marks, {(0, 0, -1, -1): [2, 4, 2, 4], (0, -1): [12, 12]})
        self.assertEqual(labels(figure), ["proven", "stopped by the limit"])

    def test_a_trace_is_what_the_answer_says(self):
        """The last bound within the windows holds to the end; older results have none."""
        import types
        answer = {"records": [row("trace", "poetbnb", 2, seconds=5.0,
                                  lower_bound_overhead_joules=2, status="optimal")],
                  "incumbents": [{"seconds": 0.5, "overhead_joules": 2}],
                  "bounds": [{"of": "windows", "seconds": 1, "overhead_joules": 1.5},
                             {"of": "all", "seconds": 3, "overhead_joules": 2}]}
        store = types.SimpleNamespace(load=lambda point: answer)
        point = types.SimpleNamespace(run="trace", budget="50%")
        found = figures.trace_events(store, [point])
        events = {e: list(zip(f["seconds"], f["overhead_joules"])) for e, f in found.groupby("event")}
        self.assertEqual(events, {"schedule": [(0.5, 2), (5, 2)], "windows": [(1, 1.5), (5, 1.5)],
                                  "bound": [(3, 2), (5, 2)], "proof": [(5, 2)]})
        del answer["bounds"]
        self.assertNotIn("windows", set(figures.trace_events(store, [point])["event"]))

    def test_layered_courses(self):
        """Gap, first schedule and time to a small gap are those of the answer."""
        import types
        from plots import layered
        record = row("layered", "poetbnb", 2, seconds=9.0, lower_bound_overhead_joules=1.95,
                     base_joules=100.0, graph_nodes=50)
        answer = {"records": [record], "incumbents": [{"seconds": 0.5, "overhead_joules": 4},
                                                      {"seconds": 2, "overhead_joules": 2}],
                  "bounds": [{"of": "windows", "seconds": 0.1, "overhead_joules": 1.9},
                             {"of": "all", "seconds": 1, "overhead_joules": 1},
                             {"of": "all", "seconds": 3, "overhead_joules": 1.95}]}
        store = types.SimpleNamespace(load=lambda point: answer)
        point = types.SimpleNamespace(experiment="layered", label="all", budget="60%")
        df = layered.courses(store, [point])
        self.assertEqual(list(zip(df["seconds"], df["gap_percent"].round(9))),
                         [(0.5, 100), (1, 75), (2, 50), (3, 2.5), (9, 2.5), (9, 2.5)])
        table = layered.summary(df).iloc[0]
        self.assertEqual([table["first schedule s"], table["gap of 5 % s"], table["end s"]],
                         [0.5, 3, 9])
        self.assertEqual([table["overhead %"], table["bound %"]], [2, 1.95])
        figure = drawn(lambda ink: layered.draw(df, ink))
        self.assertEqual(labels(figure), ["50 nodes", "first schedule, all", "gap of 5 %, all"])

    def test_numbers_are_plain(self):
        data = {str(n): row("scaling", "poetbnb", 1, network=str(n), graph_nodes=n,
                            cpu_seconds=0.001 * n ** 2) for n in (20, 100, 300)}
        events = pd.DataFrame([["n", "m4", "50%", e, t, v] for e, t, v in (
            ("schedule", 1e-4, 3), ("schedule", 9, 1), ("bound", 1e-3, 0), ("bound", 9, 1),
            ("proof", 9, 1))], columns=["network", "platform", "budget", "event", "seconds",
                                        "overhead_joules"])
        for make in (lambda ink: figures.scaling(frame(data), Table, ink),
                     lambda ink: figures.trace(events, Table, ink)):
            figure = drawn(make)
            texts = [t.get_text() for axes in figure.axes for t in
                     (*axes.get_xticklabels(), *axes.get_yticklabels())]
            self.assertNotIn("$", "".join(texts))
            self.assertTrue({"1", "0.1"} & set(texts), texts)


def on_axes(text, axes):
    """Tick labels beyond the limits are not drawn."""
    ticks = [*axes.get_xticklabels(), *axes.get_yticklabels()]
    if text not in ticks:
        return True
    x, y = text.get_position()
    low, high = sorted(axes.get_xlim())
    return low <= x <= high if text in axes.get_xticklabels() else \
        axes.get_ylim()[0] <= y <= axes.get_ylim()[1]


class Files(Case):
    def test_pdf_is_as_wide_as_the_text(self):
        figures.draw("f", lambda ink: figures.fig3(frame(points()), Table, ink), self.folder)
        self.assertEqual({p.name for p in self.folder.iterdir()},
                         {"f.pdf", "f.png", "f.svg", "f-dark.svg"})
        self.assertIn(b"/MediaBox [ 0 0 486 ", (self.folder / "f.pdf").read_bytes())
        self.assertIn(figures.DARK["paper"], (self.folder / "f-dark.svg").read_text())
        self.assertNotIn(figures.DARK["paper"], (self.folder / "f.svg").read_text())

    def test_names_are_no_mathematics(self):
        data = {"a": row("fig3", "poetbnb", 1, network="$\\frac{1$_^<b>&")}
        figures.draw("f", lambda ink: figures.fig3(frame(data), Table, ink), self.folder)


class Stages(unittest.TestCase):
    def test_memory_of_stages_is_that_of_the_rules(self):
        nodes = [{"bytes": 5, "inputs": []}, {"bytes": 3, "inputs": [0]},
                 {"bytes": 2, "inputs": [1]}]
        keep = {"R": [[0, 0], [1, 1], [2, 2]], "S": [[1, 0], [2, 1]]}
        self.assertEqual(figures.stage_memory(keep, nodes), [5, 8, 5])
        again = {"R": [[0, 0], [1, 0], [1, 1], [2, 0], [2, 1], [2, 2]], "S": []}
        self.assertEqual(figures.stage_memory(again, nodes), [5, 8, 8])
        nodes.append({"bytes": 1, "inputs": [0, 2]})
        kept = {"R": [[0, 0], [1, 1], [2, 1], [2, 2], [3, 3]],
                "S": [[1, 0, 3], [3, 2]]}
        self.assertEqual(figures.stage_memory(kept, nodes), [5, 8, 10, 8])
