"""Tables, figures and the report, from the results that are there."""

import datetime
import os
import pathlib
import platform
import re
import shutil
import subprocess

import pandas as pd

from plots import tables

from . import claims, sentences
from .page import Page, kilobytes
from .points import Refused, asked
from .table import OURS, below_ours, frame, platforms, write_csv

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


# ---- where it comes from ---------------------------------------------------------------------------


def machine():
    """Processor, its number, memory and system."""
    with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
        model = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 1e9
    return (f"{model[1] if model else platform.machine()}, {len(os.sched_getaffinity(0))} processors, "
            f"{memory:.0f} GB, {platform.system()} {platform.release()}")


def origin(folder=ROOT):
    """Commit, date and machine."""
    commit = shutil.which("git") and subprocess.run(["git", "describe", "--always", "--dirty", "--abbrev=12"], cwd=folder,
                                                    capture_output=True, text=True, check=False).stdout.strip()
    return {"commit": commit or "unknown: not in a git checkout",
            "written": datetime.datetime.now().astimezone().isoformat(" ", "minutes"),
            "machine": machine()}


def origin_section(page):
    page.heading("Where this comes from")
    found = origin()
    page.table(list(found), [list(found.values())])
    page.say("Kept results may be older than the report: each point's file says which build computed it. "
             "CITATION.cff says how to cite the program and the paper whose experiments these are.")
    page.say("1 kB is 1000 bytes.", note=True)


# ---- sections --------------------------------------------------------------------------------------


def claim_section(page, df, costs, plans):
    page.heading("The paper's claims")
    verdicts = claims.verdicts(df, costs, plans)
    measured = [v for v in verdicts if v.verdict != claims.NO_DATA]
    if df["experiment"].nunique() == 1 and len(measured) < len(verdicts):  # bench --only
        page.say(f"{len(verdicts) - len(measured)} claims are about other experiments.")
        verdicts = measured
    page.table(["claim", "verdict", "the paper", "ours", "by the rule, because", "measured here",
                "detail", "where"],
               [[v.claim.text, v.verdict, f"{claims.number(v.claim.paper)}{v.claim.unit}",
                 f"{claims.number(v.measured.value)}{v.claim.unit}", v.why, v.claim.quantity,
                 v.measured.detail, v.claim.source] for v in verdicts],
               marked=1)
    page.say("Every verdict is computed from the data by the rule beside it. Costs are those of the paper's published "
             "artifact; nothing was tuned to meet a figure, but the speed of the TX2, which was never published: it is "
             "set so that ResNet-18 takes the 82.36 ms of the paper's Table 3.", note=True)


CAPTIONS = {"fig3": "Figure 3: overhead in energy over full memory against RAM; logarithmic down to 0.001 %, linear "
            "below. Of methods with variants the best is shown; a method without a mark has no schedule at that "
            "budget. Grey bars lead from the best known schedule to the proven bound; \"none\" is proven to have no "
            "schedule.", "fig4": "Figure 4: paging, rematerialisation and both, under deadlines in multiples of the "
            "time of computing every node once; axes as in Figure 3. The paper names no device for it, and its times "
            "fit none of the four.", "fig5": "Figure 5: ours and Capuchin; axes as in Figure 3.",}


def gnuplot(words, folder):
    """Runs it in the folder; what it warns of."""
    if not shutil.which("gnuplot"):
        raise Refused("gnuplot, which draws the figures, was not found")
    said = subprocess.run(["gnuplot", "-d", *words], capture_output=True, text=True, check=False, cwd=folder,
                          env=os.environ | {"LC_ALL": "C.UTF-8"})
    if said.returncode:
        raise Refused(f"gnuplot: {words[-1]}: {said.stderr.strip()}")
    return said.stderr


def draw(name, folder, rows):
    """A figure from its table, which is kept in the folder."""
    write_csv(pd.DataFrame(rows, columns=tables.ENERGY).applymap(tables.cell), folder / f"{name}_drawn.csv")
    return gnuplot(["-c", str(ROOT / "plots/energy.gp"), ".", name], folder)


def figure_section(page, folder, df, context, name, rows):
    """A figure from the rows of its table."""
    draw(name, folder, rows)
    page.heading(CAPTIONS[name].split(":")[0])
    page.picture(name, CAPTIONS[name], [f"{name}.csv", f"{name}_drawn.csv"])
    page.says(sentences.said(name, df, context))


def draw_schedule(program, path, folder):
    """Figure 2, by the script that poetbnb writes for a schedule; what gnuplot warns of."""
    said = subprocess.run([program, "check", "--quiet", path, f"--plot={folder / 'fig2.gp'}"], capture_output=True,
                          text=True, check=False)
    if said.returncode:
        raise Refused(f"{path}: {said.stderr.strip()}")
    return "".join(gnuplot(["-e", f"kind = '{kind}'; folder = '.'; name = 'fig2'", "fig2.gp"], folder)
                   for kind in ("pdf", "png", "svg", "dark"))


def fig2_section(page, store, points):
    for p in points:
        path = store.schedule(p.key)
        if p.experiment == "fig2" and store.load(p) and path.exists():
            draw_schedule(store.program, path, store.folder)
            page.heading("Figure 2: a schedule")
            page.picture("fig2", "Figure 2: a schedule of a small network. Its costs are made up, so that some "
                         "layers are cheap to compute again and others are not.", ["fig2.gp"])
            return


KILOBYTES = {"KB": 1, "MB": 1e3, "GB": 1e6}


def device_row(device, costs):
    """Of Table 2, all bytes in kB."""
    amount, _, unit = device["ram"].partition(" ")
    return [device["name"], device["clock"], float(amount) * KILOBYTES[unit] if amount else None, device["fpu"],
            *(costs[k] / 1e9 if k in costs else None for k in ("flops_per_second", "flops_per_joule")),
            costs.get("storage_watts"),
            *(kilobytes(costs.get(k)) for k in ("pagein_bytes_per_second", "pageout_bytes_per_second"))]


def tables_section(page, store, table, df, costs):
    page.heading("Table 2: the devices")
    rows = [device_row(d, costs.get(platform, {})) for platform, d in table.devices.items()]
    heads = ["device", "clock", "RAM kB", "FPU", "GFLOP/s", "GFLOP/J", "storage W", "page-in kB/s", "page-out kB/s"]
    page.table(heads, rows)
    write_csv(pd.DataFrame(rows, columns=heads), store.folder / "table2.csv")
    page.say("Clock, RAM and FPU are the paper's, the rest the costs used here; the TX2's speed is "
             "calibrated.", note=True)
    part = df[(df["experiment"] == "table3") & df["method"].isin([OURS, "pofo", "pofo_ap"])]
    order = {budget: k for k, budget in enumerate(part["budget"].unique())}
    part = part.sort_values("budget", key=lambda b: b.map(order), kind="stable")
    if len(part):
        where = tables.instance_name(table, part["network"].iloc[0], part["platform"].iloc[0])
        page.heading(f"Table 3: {where}, ours and POFO")
        page.table(["budget", "method", "state", "peak kB", "computation ms", "transfers ms",
                    "together ms", "overhead %", "remark"],
                   [[r["budget"], r["method"], r["state"], kilobytes(r["peak_bytes"]),
                     1e3 * r["compute_seconds"], 1e3 * r["transfer_seconds"],
                     1e3 * (r["compute_seconds"] + r["transfer_seconds"]), r["overhead_percent"],
                     r["reason"]] for _, r in part.iterrows()])
        page.say("The paper has 285,873 kB and 82.36 ms for POET, 311,808 kB and 94.79 ms for POFO. \"Together\" adds "
                 "computation and transfers, as on storage that blocks; the TX2's speed is calibrated.", note=True)


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
        plan = asked(store.program, "plan", str(path))
        size = len(subprocess.run([store.program, "plan", str(path), "--format=binary", "--quiet",
                                   "--out=/dev/stdout"], capture_output=True, check=False).stdout)
        if plan:
            rows.append([p.network, p.platform, len(plan["steps"]), size, plan["peak_bytes"],
                         plan["arena_bytes"], plan["seconds"]["sequential"],
                         plan["seconds"]["overlapped"], plan["seconds"]["stall"]])
    return pd.DataFrame(rows, columns=PLAN_COLUMNS)


def plan_section(page, store, plans):
    if len(plans):
        write_csv(plans, store.folder / "plans.csv")
        page.heading("Execution plans at half the memory")
        page.table([c.replace("_bytes", "_kB").replace("_", " ").replace("dma", "DMA") for c in plans.columns],
                   [[kilobytes(value) if c.endswith("_bytes") else value for c, value in zip(plans.columns, row)]
                    for row in plans.values.tolist()])


def open_section(page, df, context):
    page.heading("Cut off, failed and missing points")
    page.says(sentences.said("open", df, context))
    page.table(["experiment", "network", "platform", "budget", "deadline", "run", "method", "state",
                "overhead %", "bound %", "gap %", "limit s", "remark"],
               [[r["experiment"], r["network"], r["platform"], r["budget"], r["deadline"], r["label"],
                 r["method"], r["state"], r["overhead_percent"],
                 100 * r["lower_bound_overhead_joules"] / r["base_joules"], 100 * r["gap"],
                 r["time_limit_seconds"], r["reason"]] for _, r in sentences.open_rows(df).iterrows()])
    page.say("Baselines without a schedule at a budget are no failure; the CSV files give their reasons.", note=True)


def write(table, store, points, setting):
    """Writes everything; what came of it, in numbers."""
    df = frame(store, points)
    costs = platforms(store.program, table.devices)
    for name, part in df.groupby("experiment"):
        write_csv(part, store.folder / f"{name}.csv")
    write_csv(df, store.folder / "results.csv")
    plans = plans_of(store, points)
    below = below_ours(df)
    ours = df[(df["method"] == OURS)].drop_duplicates(["network", "platform", "budget", "deadline", "options", "seed"])
    context = sentences.Context(costs, len({p.key for p in points}), setting)
    page = Page("POET's evaluation, computed with poetbnb")
    page.says(sentences.said("all", df, context))
    page.say("Every schedule has passed the validator, ours once more by poetbnb check. All results: "
             "results.csv, in the columns of docs/formats.md.")
    origin_section(page)
    claim_section(page, df, costs, plans)
    fig2_section(page, store, points)
    for name in ("fig3", "fig4", "fig5"):
        part = df[df["experiment"] == name]
        if part["state"].isin(["proven", "best known", "feasible"]).any():
            figure_section(page, store.folder, df, context, name, getattr(tables, name)(part, table))
    tables_section(page, store, table, df, costs)
    plan_section(page, store, plans)
    open_section(page, df, context)
    page.write(store.folder)
    return {"points": len({p.key for p in points}), "below": len(below),
            "missing": len({p.key for p in points if store.load(p) is None}), "searched": len(ours),
            "proven": int(ours["state"].isin(["proven", "infeasible"]).sum())}
