"""Tables, figures and the report, from the results that are there."""

import html
import json
import math
import subprocess

import pandas as pd

from plots import figures, layered

from . import claims
from .store import write as write_file
from .table import OURS, below_ours, effort, frame, platforms, write_csv

CSS = """
:root { color-scheme: light dark; --ink: #111; --paper: #fff; --line: #ccc; --faint: #555;
  --link: #0b57d0; --good: #116329; --bad: #a40e26; }
@media (prefers-color-scheme: dark) { :root { --ink: #eee; --paper: #16181c; --line: #3a3d44;
  --faint: #aaa; --link: #8ab4f8; --good: #7ee2a8; --bad: #ff9d9d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 0 1rem 3rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
img { width: 100%; min-width: 40rem; height: auto; display: block; }
figure { margin: 1rem 0; } figcaption, .note { color: var(--faint); font-size: .9rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; }
.wide td, .wide th { overflow-wrap: normal; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left;
  vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.short { white-space: nowrap; } td.text { min-width: 9rem; }
.holds { color: var(--good); font-weight: 600; } .fails { color: var(--bad); font-weight: 600; }
"""


def text(value):
    """For readers: four digits, or all before the point, nothing for what is unknown."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if not isinstance(value, (int, float)):
        return str(value)
    whole = float(value).is_integer() and abs(value) < 1e3
    return f"{value:,.0f}" if whole or 1e3 <= abs(value) < 1e7 else f"{value:.4g}"


class Page:
    """The same blocks as HTML and as Markdown."""

    def __init__(self, title):
        self.title = title
        self.html, self.md = [], [f"# {title}\n"]

    def heading(self, words):
        self.html.append(f"<h2>{html.escape(words)}</h2>")
        self.md.append(f"\n## {words}\n")

    def say(self, words, note=False):
        self.html.append(f"<p{' class=note' if note else ''}>{html.escape(words)}</p>")
        self.md.append(f"\n{md(words)}\n")

    def table(self, heads, rows, marked=None):
        """rows: lists of cells; marked: the column whose cells are verdicts."""
        out = ["<div class=wide tabindex=0><table><tr>",
               *(f"<th>{html.escape(h)}</th>" for h in heads), "</tr>"]
        for row in rows:
            out.append("<tr>")
            for k, cell in enumerate(row):
                kind = "number" if isinstance(cell, (int, float)) else \
                    "text" if len(str(cell or "")) > 24 else \
                    "short" if len(str(cell or "")) < 12 else ""
                if k == marked:
                    kind = {claims.HOLDS: "holds", claims.FAILS: "fails"}.get(cell, "")
                out.append(f"<td class='{kind}'>{html.escape(text(cell))}</td>")
            out.append("</tr>")
        self.html.append("".join(out) + "</table></div>")
        self.md.append("\n| " + " | ".join(md(h) for h in heads) + " |")
        self.md.append("|" + "---|" * len(heads))
        self.md += ["| " + " | ".join(md(text(c)) for c in row) + " |" for row in rows]

    def picture(self, name, caption, data):
        """data: CSV files beside the report."""
        links = " · ".join(f"<a href='{html.escape(f)}'>{html.escape(f)}</a>" for f in
                           [f"{name}.pdf", f"{name}.png", *data])
        self.html.append(
            f"<figure><div class=wide tabindex=0><a href='{html.escape(data[0])}'><picture>"
            f"<source srcset='{name}-dark.svg' media='(prefers-color-scheme: dark)'>"
            f"<img src='{name}.svg' alt='{html.escape(caption, quote=True)}'></picture></a></div>"
            f"<figcaption>{html.escape(caption)}<br>{links}</figcaption></figure>")
        self.md.append(f"\n![{md(name)}]({name}.png)\n\n{md(caption)}\n\n"
                       + " ".join(f"[{f}]({f})" for f in [f"{name}.pdf", *data]) + "\n")

    def write(self, folder):
        write_file(folder / "report.html", (
            "<!DOCTYPE html><html lang=en><meta charset=utf-8>"
            "<meta name=viewport content='width=device-width, initial-scale=1'>"
            f"<title>{html.escape(self.title)}</title><style>{CSS}</style>"
            f"<h1>{html.escape(self.title)}</h1>" + "\n".join(self.html) + "</html>\n"))
        write_file(folder / "report.md", "\n".join(self.md) + "\n")


def md(words):
    """Text as text, whatever is in it."""
    words = html.escape(words, quote=False).replace("\n", " ")
    return "".join(f"\\{c}" if c in "\\`*_[]|" else c for c in words)


# ---- sections ------------------------------------------------------------------------------------


def claim_section(page, df, costs, plans):
    page.heading("The paper's claims")
    page.table(["claim", "verdict", "the paper", "ours", "by the rule, because", "measured here",
                "detail", "where"],
               [[v.claim.text, v.verdict, f"{claims.number(v.claim.paper)}{v.claim.unit}",
                 f"{claims.number(v.measured.value)}{v.claim.unit}", v.why, v.claim.quantity,
                 v.measured.detail, v.claim.source] for v in claims.verdicts(df, costs, plans)],
               marked=1)
    page.say("Every verdict is computed from the data by the rule beside it. Costs are those of the "
             "paper's published artifact; nothing was tuned to meet a figure, but the speed of the "
             "TX2, which was never published: it is set so that ResNet-18 takes the 82.36 ms of the "
             "paper's Table 3.", note=True)


def open_text(df, experiment):
    """What is not proven in a figure, counted."""
    part = df[df["experiment"] == experiment]
    ours = part[part["method"] == OURS]
    counts = ours["state"].value_counts()
    known = ", ".join(f"{n} {s}" for s, n in counts.items())
    words = f"Ours: {len(ours)} points, {known}."
    checkmate = part[(part["method"] == "checkmate") & (part["state"] != "missing")]
    late = checkmate[checkmate["state"] == "cut off"]
    if experiment == "fig3" and len(checkmate):  # where it is drawn
        words += (" Checkmate is our own search without paging, with the same limit. It was cut off "
                  f"at {len(late)} of {len(checkmate)} points, marked by a cross: it may do better "
                  "there.")
    far = (ours["state"] == "best known") & ~(ours["gap"] <= figures.FAR)
    if far.any():
        words += (f" Stars: ours with a gap above {100 * figures.FAR:g} % ({far.sum()} of them), which "
                  "say little about the optimum.")
    return words


def listed(words):
    """a, b and c"""
    words = list(words)
    return " and ".join([", ".join(words[:-1])] * (len(words) > 1) + words[-1:])


def named(df, table, column):
    return listed(table.name(n) for n in df[column].unique() if n)


def span(values, unit=""):
    low, high = min(values), max(values)
    return f"{low:.3g}{unit}" if low == high else f"{low:.3g} to {high:.3g}{unit}"


def caption(name, df, table, costs):
    """What a figure shows, from its own rows."""
    part = df[df["experiment"] == name]
    nets, devices = named(part, table, "network"), named(part, table, "platform")
    on = f" on the {devices}" if devices else ""
    memory = span(part["ram_budget_percent"].dropna(), " %")
    calibrated = " The TX2's speed is calibrated." if "jetsontx2" in set(part["platform"]) else ""
    if name == "fig3":
        return ("Figure 3: energy over full memory against RAM; logarithmic down to "
                f"{figures.FOOT:g} %, linear below. Of methods with variants the best is shown; a "
                f"method without a mark has no schedule at that budget.{calibrated}")
    if name == "fig4":
        return (f"Figure 4: paging, rematerialisation and both, {nets}{on}, under "
                "deadlines in multiples of the time of computing every node once; axes as in Figure "
                "3. The paper names no device for it, and its times fit none of the four."
                + calibrated)
    if name == "fig5":
        odd = [said for said in (claims.power_differs(costs, p) for p in part["platform"].unique())
               if said]
        return (f"Figure 5: ours and Capuchin, {nets}{on}; axes as in Figure 3."
                + "".join(f" B{said[1:]}." for said in odd) + calibrated)
    if name == "scaling":
        return (f"Processor time to the proof against the size of the network{on} at "
                f"{memory} of the memory, one thread.{calibrated}")
    if name == "trace":
        return ("Best schedule and bounds while the search runs. The LP over the windows bounds only "
                "schedules within them, and may fall when they grow; the proven bound holds for "
                f"all.{calibrated}")
    if name == "ablation":
        whole = figures.complete(part, "label", ["network", "platform", "budget"])
        places = whole.drop_duplicates(["network", "platform", "budget"])
        return (f"Processor time and proofs with parts left out, over the {len(places)} instances of "
                f"{named(places, table, 'network')}{on} that were run with every one left out; dashed: "
                "with nothing left out.")
    count = part["seed"].nunique()
    return (f"Processor time with {count} seed{'s' if count > 1 else ''}: random choices only change the "
            f"order in which things are tried, one mark a seed.{calibrated}")


def drawable(name, part):
    """Is there anything to draw?"""
    if name == "ablation":
        part = figures.complete(part, "label", ["network", "platform", "budget"])
    return part["state"].isin(["proven", "best known", "feasible"]).any()


def figure_section(page, store, table, points, df, costs, name):
    part = df[df["experiment"] == name]
    if not drawable(name, part):
        return
    data = [f"{name}.csv"]
    words = caption(name, df, table, costs)
    if name == "trace":
        events = figures.trace_events(store, points)
        write_csv(events, store.folder / "trace_events.csv")
        data.insert(0, "trace_events.csv")
        make = lambda ink: figures.trace(events, table, ink)  # noqa: E731
    else:
        make = lambda ink: getattr(figures, name)(df, table, ink)  # noqa: E731
        words += " " + open_text(df, name)
    figures.draw(name, make, store.folder)
    page.heading(words.split(":")[0] if name.startswith("fig") else name.capitalize())
    page.picture(name, words, data)


def fig2_section(page, store, table, points):
    for p in points:
        path = store.schedule(p.key)
        if p.experiment == "fig2" and store.load(p) and path.exists():
            schedule = json.loads(path.read_text())
            rows = [{"stage": t, "node": i, "name": schedule["graph"]["nodes"][i]["name"],
                     "event": event} for key, event in
                    (("R", "computed"), ("S", "in RAM"), ("A", "on storage"), ("In", "paged in"),
                     ("Out", "paged out")) for t, i in figures.matrix_cells(schedule[key])]
            write_csv(pd.DataFrame(rows), store.folder / "fig2.csv")
            figures.draw("fig2", lambda ink: figures.fig2(path, table, ink), store.folder)
            page.heading("Figure 2: a schedule")
            page.picture("fig2", f"Figure 2: {len(schedule['graph']['nodes'])} layers and gradients "
                         f"with {p.budget} of the memory. The costs are made up, so that some layers "
                         "are cheap to compute again and others are not.", ["fig2.csv"])
            return


def tables_section(page, store, table, df, costs):
    page.heading("Table 2: the devices")
    rows = [[d["name"], d["clock"], d["ram"], d["fpu"]] + [costs.get(d["platform"], {}).get(k) for k in
            ("flops_per_second", "flops_per_joule", "storage_watts", "pagein_bytes_per_second",
             "pageout_bytes_per_second")] for d in table.devices]
    heads = ["device", "clock", "RAM", "FPU", "FLOP/s", "FLOP/J", "storage W", "page-in bytes/s",
             "page-out bytes/s"]
    page.table(heads, rows)
    write_csv(pd.DataFrame(rows, columns=heads), store.folder / "table2.csv")
    page.say("Clock, RAM and FPU are the paper's, the rest the costs used here; the TX2's speed is "
             "calibrated.", note=True)
    part = df[(df["experiment"] == "table3") & df["method"].isin([OURS, "pofo", "pofo_ap"])]
    order = {budget: k for k, budget in enumerate(part["budget"].unique())}
    part = part.sort_values("budget", key=lambda b: b.map(order), kind="stable")
    if len(part):
        page.heading(f"Table 3: {named(part, table, 'network')} on the "
                     f"{named(part, table, 'platform')}, ours and POFO")
        page.table(["budget", "method", "state", "peak kB", "computation ms", "transfers ms",
                    "together ms", "overhead %", "remark"],
                   [[r["budget"], r["method"], r["state"], r["peak_bytes"] / 1e3,
                     1e3 * r["compute_seconds"], 1e3 * r["transfer_seconds"],
                     1e3 * (r["compute_seconds"] + r["transfer_seconds"]), r["overhead_percent"],
                     r["reason"]] for _, r in part.iterrows()])
        page.say("The paper has 285,873 kB and 82.36 ms for POET, 311,808 kB and 94.79 ms for POFO. "
                 "\"Together\" adds computation and transfers, as on storage that blocks; the TX2's "
                 "speed is calibrated.", note=True)


PLAN_COLUMNS = ["network", "platform", "steps", "binary_bytes", "peak_bytes", "arena_bytes",
                "seconds_without_dma", "seconds_with_dma", "stall_seconds"]


def plans_of(store, points):
    """Plans of the schedules at half the memory: what a device would execute."""
    rows, seen = [], set()
    for p in points:
        path = store.schedule(p.key)
        if p.key in seen or p.experiment != "fig3" or p.run != "poetbnb" or p.budget != "50%" or \
                p.platform not in ("m4", "a72") or not (store.load(p) and path.exists()):
            continue
        seen.add(p.key)
        said = subprocess.run([store.program, "plan", str(path), "--format=json"],
                              capture_output=True, check=False)
        size = len(subprocess.run([store.program, "plan", str(path), "--format=binary", "--quiet",
                                   "--out=/dev/stdout"], capture_output=True, check=False).stdout)
        if said.returncode == 0:
            plan = json.loads(said.stdout)
            rows.append([p.network, p.platform, len(plan["steps"]), size, plan["peak_bytes"],
                         plan["arena_bytes"], plan["seconds"]["sequential"],
                         plan["seconds"]["overlapped"], plan["seconds"]["stall"]])
    return pd.DataFrame(rows, columns=PLAN_COLUMNS)


def plan_section(page, store, plans):
    if len(plans):
        write_csv(plans, store.folder / "plans.csv")
        page.heading("Execution plans at half the memory")
        page.table([c.replace("_", " ").replace("dma", "DMA") for c in plans.columns], plans.values.tolist())


def rootbound_section(page, df):
    part = df[df["experiment"] == "rootbound"]
    wide = part.drop_duplicates(["network", "platform", "run"]).set_index(
        ["network", "platform", "budget", "run"])
    rows = []
    for key in wide.index.droplevel("run").unique():
        row = list(key)
        for run in ("published_lp", "tight_lp"):
            at = wide.loc[(*key, run)] if (*key, run) in wide.index else None
            row += [None, None] if at is None else [at["lower_bound_overhead_joules"], at["seconds"]]
        at = wide.loc[(*key, OURS)] if (*key, OURS) in wide.index else None
        row += [None] * 3 if at is None else [
            at["windows_bound_overhead_joules"], at["lower_bound_overhead_joules"],
            at["overhead_joules"]]
        rows.append(row)
    if rows:
        page.heading("Root bounds by formulation, in joules of overhead")
        page.table(["network", "platform", "budget", "published LP", "s", "tight LP", "s",
                    "LP over windows: no bound", "proven bound", "best schedule"], rows)


def layered_section(page, store, points):
    df = layered.courses(store, points)
    if df.empty:
        return
    write_csv(df, store.folder / "layered_course.csv")
    figures.draw("layered", lambda ink: layered.draw(df, ink), store.folder)
    table = layered.summary(df)
    budgets = " and ".join(f"{b} ({label})" for label, b in
                           df.drop_duplicates(["label", "budget"])[["label", "budget"]].values)
    page.heading("Layered: random graphs that are no chains")
    page.picture("layered", "Gap between best schedule and proven bound while the search runs, and "
                 f"seconds until there is a schedule, and until the gap is at most {layered.CLOSE} %, "
                 f"by the number of nodes; budgets of {budgets} of the memory. A gap of 100 % is a "
                 "schedule without a bound.", ["layered_course.csv", "layered.csv"])
    page.table(list(table.columns), table.values.tolist())


def seeds_section(page, df):
    part = df[df["experiment"] == "seeds"]
    if part.empty:
        return
    page.table(["network", "platform", "budget", "seeds", "proven", "least s", "median s", "most s (or limit)",
                "overheads differ by %"],
               [[*key, len(g), int((g["state"] == "proven").sum()), *effort(g).agg(
                    ["min", "median", "max"]),
                 100 * (g["overhead_joules"].max() / g["overhead_joules"].min() - 1)]
                for key, g in part.groupby(["network", "platform", "budget"], sort=False)])


def open_section(page, df):
    page.heading("Cut off, failed and missing points")
    part = df[df["state"].isin(["cut off", "failed", "missing", "best known", "unknown"])]
    part = part.drop_duplicates(["network", "platform", "budget", "deadline", "method", "options",
                                 "seed"])
    page.table(["experiment", "network", "platform", "budget", "deadline", "run", "method", "state",
                "overhead %", "bound %", "gap %", "limit s", "remark"],
               [[r["experiment"], r["network"], r["platform"], r["budget"], r["deadline"], r["label"],
                 r["method"], r["state"], r["overhead_percent"],
                 100 * r["lower_bound_overhead_joules"] / r["base_joules"], 100 * r["gap"],
                 r["time_limit_seconds"], r["reason"]] for _, r in part.iterrows()])
    page.say(f"{len(part)} of {len(df)} results. Baselines without a schedule at a budget are no "
             "failure; the CSV files give their reasons.", note=True)


def write(table, store, points, setting):
    """Writes everything; what came of it, in numbers."""
    df = frame(store, points)
    costs = platforms(store.program, [d["platform"] for d in table.devices])
    for name, part in df.groupby("experiment"):
        write_csv(part, store.folder / f"{name}.csv")
    write_csv(df, store.folder / "results.csv")
    plans = plans_of(store, points)
    below = below_ours(df)
    ours = df[(df["method"] == OURS)].drop_duplicates(
        ["network", "platform", "budget", "deadline", "options", "seed"])
    page = Page("POET's evaluation, computed with poetbnb")
    versions = ", ".join(sorted(v for v in df["version"].dropna().unique()))
    page.say(f"Setting {setting}: {len(df)} results of {len({p.key for p in points})} points, each a run "
             f"with one thread, by version {versions or '?'}. Every schedule has passed the validator, "
             "ours once more by poetbnb check. All results: results.csv, in the columns of "
             "docs/formats.md.")
    if len(below):
        page.say(f"{len(below)} baselines have less overhead than ours: {claims.where(below.iloc[0])}, "
                 f"{below.iloc[0]['method']}.")
    claim_section(page, df, costs, plans)
    fig2_section(page, store, table, points)
    for name in ("fig3", "fig4", "fig5"):
        figure_section(page, store, table, points, df, costs, name)
    tables_section(page, store, table, df, costs)
    plan_section(page, store, plans)
    for name in ("trace", "scaling", "ablation", "seeds"):
        figure_section(page, store, table, points, df, costs, name)
    seeds_section(page, df)
    layered_section(page, store, points)
    rootbound_section(page, df)
    open_section(page, df)
    page.write(store.folder)
    return {"points": len({p.key for p in points}), "below": len(below),
            "missing": len({p.key for p in points if store.load(p) is None}), "searched": len(ours),
            "proven": int(ours["state"].isin(["proven", "infeasible"]).sum())}
