"""The paper's claims: what is measured for each, and the rule that makes a verdict of it.

No verdict is written down anywhere: each follows from the data by the claim's rule."""

import math
from typing import Callable, NamedTuple

import pandas as pd

from .table import OURS, SAME, below_ours, beside_ours

HOLDS, WEAKER, FAILS = "holds", "weaker here", "does not hold"
PROVEN = ["proven", "infeasible"]  # states
UNDECIDED, NO_DATA, INCOMPARABLE = "undecided", "no data", "not comparable"


class Rule(NamedTuple):
    """A verdict for a number beside the paper's."""

    text: str  # with {paper}
    verdict: Callable  # (paper, ours) -> verdict


AT_LEAST = Rule("holds from {paper} on, weaker here above 0, else does not hold",
                lambda paper, ours: HOLDS if ours >= paper else WEAKER if ours > 0 else FAILS)
AT_MOST = Rule("holds up to {paper}, else does not hold", lambda paper, ours: HOLDS if ours <= paper else FAILS)
ABOVE = Rule("holds above {paper}, else does not hold", lambda paper, ours: HOLDS if ours > paper else FAILS)
NEAR = Rule("holds within 0.25 of {paper}, else does not hold",
            lambda paper, ours: HOLDS if abs(ours - paper) <= 0.25 else FAILS)


class Measured(NamedTuple):
    value: float = math.nan
    detail: str = ""
    possible: tuple = ()  # values that it may have when every unproven point is at its end
    because: str = ""  # why it may be so
    incomparable: str = ""  # why it is not the paper's experiment; empty: it is


class Claim(NamedTuple):
    source: str
    text: str  # what the paper says
    quantity: str  # what is measured here
    paper: float
    unit: str
    rule: Rule
    measure: Callable  # Data -> Measured


class Data(NamedTuple):
    df: pd.DataFrame
    platforms: dict  # cost models by name
    plans: pd.DataFrame  # of execution plans, with binary_bytes


class Verdict(NamedTuple):
    claim: Claim
    measured: Measured
    verdict: str
    why: str


class NoData(Exception):
    """Why there is nothing to measure."""


def some(rows, otherwise):
    """The rows, of which there must be one."""
    if len(rows) == 0:
        raise NoData(otherwise)
    return rows


def judge(claim, data):
    try:
        m = claim.measure(data)
    except NoData as why:
        return Verdict(claim, Measured(detail=str(why)), NO_DATA, str(why))
    if m.incomparable:
        return Verdict(claim, m, INCOMPARABLE, m.incomparable)
    if math.isnan(m.value):
        return Verdict(claim, m, NO_DATA, m.detail)
    verdict = claim.rule.verdict(claim.paper, m.value)
    other = [v for v in m.possible if claim.rule.verdict(claim.paper, v) != verdict]
    if other:
        return Verdict(claim, m, UNDECIDED, m.because or "the bounds of unproven points allow "
                       f"{number(other[0])}{claim.unit}")
    return Verdict(claim, m, verdict, claim.rule.text.format(paper=f"{number(claim.paper)}{claim.unit}"))


def number(value):
    return "–" if value is None or math.isnan(value) else f"{value:.4g}"


def percent(budget):
    return float(str(budget).rstrip("%")) if str(budget).endswith("%") else math.nan


def where(row):
    platform = f" on {row['platform']}" if row["platform"] else ""
    return f"{row['network']}{platform} at {row['budget']}"


# ---- measures ------------------------------------------------------------------------------------


def ours_of(df, *experiments):
    return df[df["experiment"].isin(experiments) & (df["method"] == OURS)]


def points_of(data, *experiments):
    """Ours with an answer."""
    df = ours_of(data.df, *experiments)
    return some(df[~df["state"].isin(["missing", "failed"])], "no point")


def baselines_below(data):
    pairs = beside_ours(data.df, "fig3")
    some(pairs[pairs["overhead_joules"].notna() & pairs["overhead_joules_ours"].notna()], "no instance has both")
    worse = below_ours(data.df[data.df["experiment"] == "fig3"])
    first = f", first {worse.iloc[0]['method']}, {where(worse.iloc[0])}" if len(worse) else ""
    best = pairs.groupby(["network", "platform", "budget", "deadline"])[
        ["overhead_joules", "overhead_joules_ours"]].min()
    ours, other = best["overhead_joules_ours"], best["overhead_joules"]
    less = (ours < other * (1 - SAME)).sum()
    alone = (other.isna() & ours.notna()).sum()
    more = (other < ours * (1 - SAME)).sum()
    same = (ours.notna() & other.notna()).sum() - less - more
    return Measured(len(worse), f"beside the best baseline of each of {len(best)} points ours is "
                    f"lower at {less}, equal at {same}, higher at {more}, and has the only schedule "
                    f"at {alone}{first}. It cannot be higher: our search starts from the best "
                    "schedule of the baselines. Checkmate is our own search without paging")


def tighter_budgets(data):
    df = data.df[(data.df["experiment"] == "fig3") & (data.df["network"] == "resnet18_cifar") &
                 (data.df["platform"] == "jetsontx2")]
    df = df.assign(percent=df["budget"].map(percent))
    found = df[df["overhead_joules"].notna()]
    ours = found[found["method"] == OURS]["percent"].min()
    dtr = found[found["method"].str.startswith("dtr")]["percent"].min()
    least = df["percent"].min()
    same = "both have a schedule at the smallest budget that was tried" if dtr == least else ""
    return Measured(dtr - ours, f"smallest budget with a schedule: ours {number(ours)} %, DTR {number(dtr)} %, of "
                    f"{df['percent'].nunique()} from {number(df['percent'].max())} to {number(least)} %", because=same,
                    possible=(dtr if same else dtr - least_possible(df, "percent"),))


def least_possible(df, column):
    """Least budget that is not proven infeasible."""
    open_or_found = df["state"].isin(["proven", "best known", "unknown"])
    return df[(df["method"] == OURS) & open_or_found][column].min()


def saving(pairs, name):
    """Most that ours saves of the other's total energy, in percent, and where."""
    pairs = some(pairs[pairs["energy_joules"].notna() & pairs["energy_joules_ours"].notna()], "no instance has both")

    def share(joules):  # differences of rounding are none
        part = 1 - joules / pairs["energy_joules"]
        return 100 * part.where(part.abs() > SAME, 0)

    def least(suffix=""):
        return pairs["base_joules"] + pairs["lower_bound_overhead_joules" + suffix].fillna(0)

    saved = share(pairs["energy_joules_ours"])
    # The other may be as good as its bound where it is one of our searches that did not end.
    still = share(pairs["energy_joules_ours"]).where(
        pairs["state"] != "best known", 100 * (1 - pairs["energy_joules_ours"] / least()))
    overhead = 100 * (1 - pairs["overhead_joules_ours"] / pairs["overhead_joules"])
    at = pairs.loc[saved.idxmax()]
    return Measured(saved.max(), f"{name}: {saved.max():.3g} % of the total energy, {where(at)}, "
                    f"deadline {at['deadline']}; of the overhead at most {overhead.max():.3g} %",
                    possible=(still.max(), share(least("_ours")).max()))


def dtr_saving(data):
    pairs = beside_ours(data.df, "fig3")
    return saving(pairs[(pairs["network"] == "resnet18_cifar") & (pairs["method"] == "dtr") &
                        (pairs["platform"] == "jetsontx2")], "DTR")


def variant_pairs(data, run):
    keys = ["network", "platform", "budget", "deadline"]
    part = data.df[data.df["experiment"] == "fig4"]
    return part[part["run"] == run].merge(part[part["run"] == "both"], on=keys, suffixes=("", "_ours"))


def single_saving(run, name):
    return lambda data: saving(variant_pairs(data, run), name)


def fig4_share(test, deadline, quantity):
    """Percentage of Figure 4's platforms and budgets at which, under a deadline, a test of both single
    runs holds."""
    def measure(data):
        pairs = variant_pairs(data, "paging_only").merge(
            variant_pairs(data, "remat_only"), on=["platform", "budget", "deadline"],
            suffixes=("_paging", "_remat"))
        pairs = pairs[pairs["deadline"] == deadline]
        known = some(pairs[pairs["state_paging"].isin(PROVEN) & pairs["state_remat"].isin(PROVEN)],
                     "no point with both proven")
        holds = known.apply(test, axis=1)
        count = holds.sum()
        by_platform = holds.groupby(known["platform"], sort=False)
        return Measured(100 * count / len(known), f"{quantity} at {count} of {len(known)} points "
                        f"where both are proven (of {len(pairs)}): "
                        + ", ".join(f"{name} {part.sum()} of {len(part)}" for name, part in by_platform),
                        possible=(100 * count / len(pairs),
                                  100 * (count + len(pairs) - len(known)) / len(pairs)))
    return measure


def remat_cheaper(row):
    return row["state_remat"] == "proven" and not (
        row["overhead_joules_paging"] < row["overhead_joules_remat"] * (1 - SAME))


def only_paging(row):
    return row["state_remat"] == "infeasible" and row["state_paging"] == "proven"


def power_differs(platforms, name):
    """The costs of a platform are not of one device when computing draws another power than it
    has."""
    p = platforms.get(name)
    if not p or not p.get("compute_watts"):
        return ""
    implied = p["flops_per_second"] / p["flops_per_joule"]
    if 0.5 <= implied / p["compute_watts"] <= 2:
        return ""
    return (f"by the published costs the {name.upper()} draws {implied:.3g} W while it computes, and has "
            f"{p['compute_watts']:.3g} W: paging looks {'cheaper' if implied > p['compute_watts'] else 'dearer'} than "
            "it is (rule: comparable within a factor of 2)")


def fig5_overhead(platform, methods, reduce):
    def measure(data):
        df = some(data.df[(data.df["experiment"] == "fig5") & (data.df["platform"] == platform) &
                          data.df["method"].isin(methods) & data.df["overhead_percent"].notna()], "no schedule")
        values = df["overhead_percent"]
        bounds = 100 * df["lower_bound_overhead_joules"].fillna(0) / df["base_joules"]
        return Measured(reduce(values), f"{values.min():.3g} to {values.max():.3g} % over full memory at "
                        f"{df['budget'].nunique()} budgets", possible=(reduce(bounds),) if methods == [OURS] else (),
                        incomparable=power_differs(data.platforms, platform))
    return measure


def below_one_percent(data):
    df = ours_of(data.df, "fig3")
    df = some(df[df["overhead_percent"].notna()], "no schedule")
    proven = df[df["overhead_percent"] < 1]
    bound = 100 * df["lower_bound_overhead_joules"].fillna(0) / df["base_joules"] < 1
    return Measured(100 * len(proven) / len(df), f"{len(proven)} of {len(df)} schedules",
                    possible=(100 * bound.mean(),))


def pofo_pairs(data):
    df = data.df[(data.df["experiment"] == "table3") & data.df["overhead_joules"].notna()]
    together = df["compute_seconds"] + df["transfer_seconds"]
    df = df.assign(together=together)
    return df[df["method"] == OURS], df[df["method"].isin(["pofo", "pofo_ap"])]


def other_size(df, paper_kilobytes):
    if df.empty:
        return ""
    largest = df["peak_bytes"].max() / 1e3
    if 0.5 <= largest / paper_kilobytes <= 2:
        return ""
    return (f"the paper's schedule takes {paper_kilobytes:,.0f} kB, the largest here {largest:,.0f} kB: at a batch of "
            "1 the network is not the paper's (rule: comparable within a factor of 2)")


def pofo_peak(data):
    ours, pofo = pofo_pairs(data)
    best = [100 * (1 - ours[ours["together"] <= row["together"] * (1 + SAME)]["peak_bytes"].min() /
                   row["peak_bytes"]) for _, row in pofo.iterrows()]
    best = some([b for b in best if not math.isnan(b)], "no pair of schedules")
    return Measured(max(best), f"up to {max(best):.3g} % less peak in no more time",
                    incomparable=other_size(ours, 285873))


def pofo_throughput(data):
    ours, pofo = pofo_pairs(data)
    pairs = some(pofo.merge(ours, on="budget", suffixes=("", "_ours")), "no pair of schedules")
    # The paper's 13 % is 1 - 82.36 / 94.79, the share of the time that is saved.
    gain = 100 * (1 - pairs["together_ours"] / pairs["together"])
    return Measured(gain.max(), f"{gain.min():.3g} to {gain.max():.3g} % at {len(pairs)} pairs "
                    "with the same budget", incomparable=other_size(ours, 285873))


SHORT_LIMITS = "points were cut off before the paper's ten minutes"


def limits(df):
    least, most = df["time_limit_seconds"].min(), df["time_limit_seconds"].max()
    return f"{number(least)} s" if least == most else f"{number(least)} to {number(most)} s"


def solved_share(data):
    df = points_of(data, "fig3", "fig4", "fig5")
    done = df["state"].isin(PROVEN)
    late = ~done & (df["time_limit_seconds"] >= 600)
    slowest = df[done]["seconds"].max()
    return Measured(100 * done.mean(), f"{done.sum()} of {len(df)} points proven, the slowest in {number(slowest)} s "
                    f"on one thread; limits of {limits(df)}", possible=(100 * (1 - late.mean()),), because=SHORT_LIMITS)


def bert_cut_off(data):
    df = points_of(data, "fig3")
    df = some(df[(df["network"] == "bert") & df["platform"].isin(["m4", "jetsontx2"])], "no point")
    open_points = df[df["state"].isin(["best known", "unknown"])]
    late = (open_points["time_limit_seconds"] >= 600).sum()
    return Measured(len(open_points), f"{len(open_points)} of {len(df)} points cut off, at limits "
                    f"of {limits(df)}", possible=(late,), because=SHORT_LIMITS)


def memory_factor(data):
    df = ours_of(data.df, "fig3")
    df = some(df[df["peak_bytes"].notna()], "no schedule")
    best = df.loc[df["ram_budget_percent"].idxmin()]
    least = least_possible(ours_of(data.df, "fig3"), "ram_budget_percent")
    return Measured(100 / best["ram_budget_percent"], where(best), possible=(100 / least,))


def fits_devices(data):
    df = points_of(data, "devices")
    fits, possible = df["peak_bytes"].notna(), df["state"] != "infeasible"
    least = "; ".join(f"{r['network']} needs at least {r['minimum_bytes'] / 1000:.0f} kB of the "
                      f"{r['ram_budget_bytes'] / 1000:.0f} kB of the {r['platform'].upper()}"
                      for _, r in df[df["minimum_bytes"].notna()].iterrows())
    return Measured(100 * fits.mean(), f"{fits.sum()} of {len(df)} fit{'; ' if least else ''}"
                    f"{least}", possible=(100 * possible.mean(),))


def plan_bytes(data):
    sizes = some(data.plans, "no plan")["binary_bytes"]
    return Measured(sizes.max(), f"{sizes.min()} to {sizes.max()} bytes, {len(sizes)} schedules")


def longer_search(data):
    df = data.df[data.df["experiment"] == "longer"]
    pairs = df[df["run"] == "ten_minutes"].merge(df[df["run"] == "half_an_hour"], on=["platform", "budget"],
                                                 suffixes=("", "_after"))
    pairs = some(pairs[(pairs["state"] == "best known") & pairs["overhead_joules_after"].notna()],
                 "no point was cut off after ten minutes and searched for twenty more: `make bench-full' does that")
    better = pairs["overhead_joules_after"] < pairs["overhead_joules"] * (1 - SAME)
    return Measured(100 * better.mean(), f"{better.sum()} of {len(pairs)} points of BERT on the M4 and the TX2")


def training_memory(data):
    df = data.df[data.df["experiment"] == "inference"].set_index("network")["peak_bytes"].dropna()
    if not {"resnet50", "forward-resnet50"} <= set(df.index):
        return Measured(detail="no peaks")
    training, inference = df["resnet50"], df["forward-resnet50"]
    return Measured(training / inference, f"{training / 1000:,.0f} kB of activations and gradients with everything "
                    f"kept, {inference / 1000:,.0f} kB for the forward pass alone with everything released at once, both "
                    f"at a batch of 1; a batch of {math.ceil(200 * inference / training)} in training takes 200 "
                    "times the inference of one example")


def exponent(x, y):
    """Of the power of x that y grows with, by the two largest."""
    (a, b), (c, d) = sorted(zip(x, y))[-2:]
    return math.log(d / b) / math.log(c / a)


def chain_growth(data):
    df = data.df[(data.df["experiment"] == "chains") & (data.df["overhead_joules"] > 0)]
    if len(df) < 2:
        return Measured(detail="no two chains")
    layers = df["network"].str.removeprefix("chain-n").astype(int)
    still = df["lower_bound_overhead_joules"].clip(lower=1e-9)
    return Measured(exponent(layers, df["overhead_joules"]), "overhead of unit chains in the least memory, in "
                    "multiples of computing every node once: " + ", ".join(
                        f"{n} layers {r['overhead_joules'] / r['base_joules']:.3g}"
                        for n, (_, r) in zip(layers, df.iterrows())), possible=(exponent(layers, still),))


def batch_sizes(data):
    df = points_of(data, "batch")
    done = df["state"] == "proven"
    return Measured(100 * done.mean(), f"{done.sum()} of {len(df)} points proven, of "
                    f"{df['run'].nunique()} sizes: {', '.join(df['run'].str.replace('_', ' of ').unique())}",
                    possible=(100 * (df["state"] != "infeasible").mean(),))


def model_growth(data):
    df = data.df[(data.df["experiment"] == "size") & data.df["model_columns"].notna()]
    if len(df) < 2:
        return Measured(detail="no two models")
    product = df["graph_nodes"] * df["graph_edges"]
    counts = "; ".join(f"{r['network']}: {r['graph_nodes']:.0f} nodes, {r['graph_edges']:.0f} edges, "
                       f"{r['model_columns']:,.0f} variables, {r['model_rows']:,.0f} constraints"
                       for _, r in df.iterrows())
    return Measured(max(exponent(product, df[c]) for c in ("model_columns", "model_rows")), counts)


def first_relu(data):
    df = data.df[(data.df["experiment"] == "fig5") & (data.df["platform"] == "a72")]
    df = df.assign(percent=df["budget"].map(percent))
    known = some(df[df["counted_again"].notna()], "no schedule")

    def loosest(methods):
        return known[known["method"].isin(methods) & (known["counted_again"] > 0)]["percent"].max()

    ours, other = loosest([OURS]), loosest(CAPUCHIN)
    shown = [f"{number(v)} %" if v == v else "no budget" for v in (ours, other)]
    return Measured((0 if math.isnan(ours) else ours) - (0 if math.isnan(other) else other),
                    f"the loosest budget at which a ReLU is computed again: ours {shown[0]}, Capuchin {shown[1]}")


# The columns of Table 1 in the order of `info --methods'.
TABLE_1 = {"checkpoint_all": "yes no no no", "revolve": "no no no no", "chen_sqrtn": "no no no no", "chen_greedy":
           "no no partly no", "checkmate": "yes yes yes no", "pofo": "no yes yes no", "dtr": "yes yes yes no"}


def table_1(data):
    columns = ("general_graphs", "compute_aware", "memory_aware", "power_aware")
    methods = {m["name"]: [m[c] for c in columns] for m in data.platforms.get("methods", [])}
    if not set(TABLE_1) <= set(methods):
        return Measured(detail="the program lists no methods")
    other = [f"{name} {column.replace('_', ' ')}: {mine} here, {theirs} there" for name, words in TABLE_1.items() for
             column, mine, theirs in zip(columns, methods[name], words.split()) if mine != theirs]
    return Measured(len(other), "; ".join(other) + " (by articulation points)" * bool(other))


def stalls(data):
    if data.plans.empty or "stall_seconds" not in data.plans:
        return Measured(detail="no plan")
    share = 100 * data.plans["stall_seconds"] / data.plans["seconds_with_dma"]
    moved = 100 * (1 - data.plans["seconds_with_dma"] / data.plans["seconds_without_dma"])
    return Measured(share.max(), f"waiting: {number(share.min())} to {number(share.max())} % of the time of "
                    f"{len(share)} plans; transfers beside the computation save up to {number(moved.max())} %. "
                    "A plan's transfers use the bus one after the other, which is what may make it wait")


def executed(data):
    df = some(data.df[(data.df["experiment"] == "torch") & data.df["equal"].notna()],
              "no schedule was executed: install torch (Debian: python3-torch) and call `make bench' again")
    equal = df["equal"].astype(bool)
    return Measured(100 * equal.mean(), f"{equal.sum()} of {len(df)} schedules of training steps of "
                    f"{df['network'].nunique()} networks, executed beside plain torch: loss, gradients and "
                    "buffers have the same bits")


CAPUCHIN = ["capuchin", "capuchin_sync"]

CLAIMS = [
    Claim("Section 6.2, Figure 3", "POET generates the most energy-optimal schedule on all "
          "platforms", "baselines with less overhead than ours", 0, "", AT_MOST, baselines_below),
    Claim("Figure 3", "ResNet-18 on the TX2: up to 35 % less energy than DTR",
          "most that ours saves of the total energy of DTR", 35, " %", AT_LEAST, dtr_saving),
    Claim("Figure 3", "... while discovering solutions at tighter memory budgets",
          "DTR's smallest budget less ours, points of the peak", 0, "", ABOVE, tighter_budgets),
    Claim("Section 6.4, Figure 4", "up to 40 % less energy than paging only",
          "most that both save of the total energy of paging only", 40, " %", AT_LEAST,
          single_saving("paging_only", "paging only")),
    Claim("Section 6.4, Figure 4", "up to 40 % less energy than rematerialisation only",
          "most that both save of the total energy of rematerialisation only", 40, " %", AT_LEAST,
          single_saving("remat_only", "rematerialisation only")),
    Claim("Section 6.4, Figure 4", "rematerialisation is energy-optimal compared to paging at loose "
          "deadlines", "share of the platforms' budgets, without a deadline, at which rematerialisation "
          "alone costs no more than paging alone", 100, " %", AT_LEAST,
          fig4_share(remat_cheaper, "none", "rematerialisation costs no more")),
    Claim("Section 6.4, Figure 4", "at the tightest deadline rematerialisation becomes infeasible and "
          "paging is preferable", "share of the platforms' budgets, at a deadline of the base time, at which only "
          "paging is possible", 100, " %", AT_LEAST,
          fig4_share(only_paging, "1", "only paging is possible")),
    Claim("Section 6.3, Figure 5", "ResNet-18 on the A72: POET less than 1 % over full memory",
          "largest overhead of ours, % of full memory", 1, " %", AT_MOST,
          fig5_overhead("a72", [OURS], max)),
    Claim("Section 6.3, Figure 5", "ResNet-18 on the A72: Capuchin 73 to 141 % over full memory",
          "largest overhead of Capuchin, % of full memory", 73, " %", AT_LEAST,
          fig5_overhead("a72", CAPUCHIN, max)),
    Claim("Figure 5, on the M4", "Capuchin 73 to 141 % over full memory, on a device with consistent "
          "costs", "largest overhead of Capuchin, % of full memory", 73, " %", AT_LEAST,
          fig5_overhead("m4", CAPUCHIN, max)),
    Claim("Section 6.3", "less than 1 % over full memory for all architectures and platforms",
          "share of our schedules of Figure 3 below 1 %", 100, " %", AT_LEAST, below_one_percent),
    Claim("Table 3", "8.3 % less peak memory than POFO", "most that ours saves of POFO's peak in no "
          "more time", 8.3, " %", AT_LEAST, pofo_peak),
    Claim("Table 3", "13 % more throughput than POFO", "most that ours saves of POFO's time at the "
          "same budget (1 - 82.36 / 94.79 in the paper)", 13, " %", AT_LEAST, pofo_throughput),
    Claim("Section 1", "solved to optimality in under ten minutes",
          "share of the points of Figures 3 to 5 that are proven", 100, " %", AT_LEAST, solved_share),
    Claim("Section 6.2", "BERT on the M4 and the TX2 does not end within ten minutes",
          "points of these that are cut off", 0, "", ABOVE, bert_cut_off),
    Claim("Section 6.2", "with up to 30 minutes POET finds more optimal solutions of these",
          "share of the points cut off after ten minutes that have a better schedule after thirty", 100,
          " %", AT_LEAST, longer_search),
    Claim("Section 1", "a training iteration of ResNet-50 requires 200x more memory than inference",
          "activations of training over those of inference", 200, " x", AT_LEAST, training_memory),
    Claim("Section 1", "rematerialisation increases energy at a rate of O(n²) as the memory budget shrinks",
          "power of the number of layers with which the overhead of unit chains in the least memory grows", 2,
          "", NEAR, chain_growth),
    Claim("Section 6.1", "easily scaled to arbitrary batch sizes", "share of points at other batch sizes that "
          "are proven", 100, " %", AT_LEAST, batch_sizes),
    Claim("Algorithm 1", "O(|V||E|) variables and constraints", "power of |V||E| with which variables and "
          "constraints of the published model grow", 1, "", NEAR, model_growth),
    Claim("Section 6.3, Figure 5", "POET begins rematerialising cheap operations like ReLU much earlier than "
          "Capuchin", "loosest budget with a recomputed ReLU, ours less Capuchin's, points of the peak", 0, "",
          ABOVE, first_relu),
    Claim("Table 1", "what the baselines are aware of", "entries that are others here", 0, "", AT_MOST, table_1),
    Claim("Section 5.5", "activations are paged in just in time, in parallel, without contention for the bus",
          "largest share of a plan's time that waits for transfers", 0, " %", AT_MOST, stalls),
    Claim("Sections 1 and 2", "mathematically value preserving", "share of executed schedules with the bits of "
          "plain torch", 100, " %", AT_LEAST, executed),
    Claim("Section 1", "memory reduced by up to 2x", "peak of keeping everything over the smallest "
          "budget with a schedule of ours", 2, " x", AT_LEAST, memory_factor),
    Claim("Section 5", "the schedule that is shipped to the device is only a few hundred bytes",
          "largest binary plan of the schedules below", 1000, " bytes", AT_MOST, plan_bytes),
    Claim("Abstract, Section 7", "ResNet-18 and BERT within the memory of Cortex-M devices (32 KB, 256 "
          "KB)", "share of the four pairs with a schedule of ours", 100, " %", AT_LEAST, fits_devices),
]


def verdicts(df, platforms, plans):
    data = Data(df, platforms, plans)
    return [judge(claim, data) for claim in CLAIMS]
