"""The Python module over the installed library, on a tree that is not the source tree."""

import subprocess
import unittest

from tree import ROOT, installed

HEAD = """
import math, sys, threading, signal, os, time
import numpy, pandas, networkx
import poetbnb

def refused(call, *words):
    try:
        call()
    except poetbnb.Error as error:
        for word in words:
            assert word in str(error), (word, str(error))
    else:
        raise AssertionError("nothing was refused")
"""

CHAIN = """
def chain(n=12, size=1000):
    g = networkx.DiGraph(name="chain")
    for i in range(n):
        g.add_node(f"f{i}", bytes=numpy.int64(size), seconds=1e-3, joules=2e-3, pagein_joules=1e-4,
                   pageout_joules=1e-4, pagein_seconds=1e-3, pageout_seconds=1e-3)
        if i:
            g.add_edge(f"f{i - 1}", f"f{i}")
    for i in reversed(range(n)):
        g.add_node(f"b{i}", bytes=size, seconds=1e-3, joules=numpy.float64(2e-3), pagein_joules=1e-4,
                   pageout_joules=1e-4, pagein_seconds=1e-3, pageout_seconds=1e-3, backward=True)
        g.add_edge(f"f{i}", f"b{i}")
        if i < n - 1:
            g.add_edge(f"b{i + 1}", f"b{i}")
    return g
"""


class Python(unittest.TestCase):
    def run_script(self, script):
        tree = installed()
        path = tree.path / "script.py"
        path.write_text(HEAD + CHAIN + script)
        return tree.run("/usr/bin/python3", path)

    def test_the_example(self):
        out = installed().run("/usr/bin/python3", ROOT / "python/example.py")
        self.assertTrue(out.startswith("optimal: 0.00877899 J of overhead\n"), out)

    def test_the_call_of_the_papers_artifact(self):
        self.run_script("""
r = poetbnb.solve(model="vgg16_cifar", platform="a72", ram_budget=1232916, runtime_budget=1.5)
assert r.status == "optimal" and abs(r.overhead_joules - 0.008778992274) < 1e-11, r
assert r.R.dtype == numpy.uint8 and r.R.shape == (len(r.S), len(r.S))
assert (numpy.diag(r.R) == 1).all() and not numpy.triu(r.R, 1).any()
assert r.R.sum() - len(r.R) == r.recompute_count > 0
assert r.In.sum() == r.pagein_count and r.Out.sum() == r.pageout_count
assert r.memory().max() == r.peak_bytes <= r.ram_budget_bytes
t = r.table()
assert len(t) == len(r.R) and sum(map(len, t["again"])) == r.recompute_count and t["bytes"].max() == r.peak_bytes
try:
    r.R[0, 0] = 0
except ValueError:
    pass
else:
    raise AssertionError("a schedule was changed")
R = r.R
del r, t
assert (numpy.diag(R) == 1).all()  # the matrix keeps the memory
""")

    def test_graphs_from_networkx(self):
        self.run_script("""
g = chain()
made = poetbnb.from_networkx(g)
assert made.name == "chain" and len(made) == 24 and made.minimum_bytes == 3000
nodes = made.to_dict()["nodes"]
assert nodes[13]["name"] == "b10" and nodes[13]["inputs"] == [10, 12] and nodes[13]["backward"]
assert list(made.table()["bytes"]) == [1000] * 24
one = poetbnb.solve(g, ram_budget="60%", paging=False)
two = poetbnb.solve(made.to_dict(), ram_budget=one.ram_budget_bytes, paging="off")
assert one.status == "optimal" and one.overhead_joules == two.overhead_joules > 0
assert one.pagein_count == 0
# nodes in another order than they are computed in
h = networkx.DiGraph()
h.add_nodes_from(reversed(list(g.nodes(data=True))))
h.add_edges_from(g.edges)
assert poetbnb.solve(h, ram_budget="60%", paging=False).overhead_joules == one.overhead_joules
# with all nodes pinned nothing can be given up, and a workspace takes room
pinned = chain()
for node in pinned:
    pinned.nodes[node]["pin"] = "keep"
assert poetbnb.solve(pinned, ram_budget=one.ram_budget_bytes).status == "infeasible"
pinned.nodes["f3"]["workspace_bytes"] = 10**6
assert poetbnb.from_networkx(pinned).minimum_bytes > 10**6
r = poetbnb.solve(g, ram_budget="100%")
assert r.status == "optimal" and r.overhead_joules == 0
# what survives is read by a node of its own, and what is resident takes room of a budget in bytes
g.nodes["f3"]["output"] = g.nodes["b10"]["output"] = True
g.nodes["f5"]["stateful"] = True
g.graph["resident_bytes"] = 500
made = poetbnb.from_networkx(g)
assert len(made) == 25 and made.resident_bytes == 500
assert made.to_dict()["nodes"][5]["pin"] == "no-recompute" and made.to_dict()["nodes"][24]["op"] == "outputs"
assert poetbnb.solve(g, ram_budget=made.peak_bytes + 500).ram_budget_bytes == made.peak_bytes
""")

    def test_memory_is_shared(self):
        self.run_script("""
g = networkx.DiGraph(name="shared")
costs = dict(flops=1000)
g.add_node("conv", bytes=4096, **costs)
g.add_node("flat", view=True, op="flatten", shape=[1, 1024])
g.add_node("relu", bytes=4096, in_place="flat", **costs)
g.add_node("pool", outputs=[{"name": "max", "bytes": 1024}, {"name": "index", "bytes": 512}], **costs)
g.add_node("end", bytes=4, backward=True, **costs)
g.add_edges_from([("conv", "flat"), ("flat", "relu"), ("relu", "pool"), ("relu", "end")])
g.add_edge("pool", "end", output=0)
made = poetbnb.from_networkx(g, platform="m4")
assert len(made) == 3 and made.minimum_bytes == 4096 + 1024 + 512, made.minimum_bytes
assert made.aliases == {"conv": (0, "overwritten"), "flat": (0, "view"), "pool.max": (1, "output"),
                        "pool.index": (1, "unread")}, made.aliases
assert list(made.table()["bytes"]) == [4096, 1024, 4]
again = poetbnb.from_dict(made.to_dict())
assert again.aliases == made.aliases
assert poetbnb.solve(again, ram_budget="100%").status == "optimal"
g.add_edge("conv", "end")
refused(lambda: poetbnb.from_networkx(g, platform="m4"), "shared: nodes: node 2 (relu) overwrites node 0",
        "node 4 (end) reads")
g.remove_edge("conv", "end")
g.edges["pool", "end"]["output"] = 2
refused(lambda: poetbnb.from_networkx(g, platform="m4"), "shared: nodes[4].inputs", "0 to 1")
g.edges["pool", "end"]["output"] = 1
g.nodes["flat"]["bytes"] = 4096
refused(lambda: poetbnb.from_networkx(g, platform="m4"), "shared: nodes[1]", "a view has no")
""")

    def test_flops_are_costed_by_a_platform(self):
        self.run_script("""
g = networkx.DiGraph(name="flops")
for i in range(6):
    g.add_node(f"n{i}", bytes=4096, flops=10**6 * (i + 1), op="conv", shape=[1, 32, 32], backward=i > 2)
g.add_edges_from([("n0", "n1"), ("n1", "n2"), ("n2", "n3"), ("n1", "n4"), ("n3", "n4"), ("n0", "n5"), ("n4", "n5")])
made = poetbnb.from_networkx(g, platform="m4")
node = made.to_dict()["nodes"][5]
assert node["op"] == "conv" and node["shape"] == [1, 32, 32] and "flops" not in node
conv = made.to_dict()["nodes"][0]
assert abs(node["seconds"] - 6 * conv["seconds"]) < 1e-12 < conv["seconds"]
one = poetbnb.solve(g, platform="m4", ram_budget="80%")
two = poetbnb.solve(made, ram_budget="80%")
assert one.status == "optimal" and one.overhead_joules == two.overhead_joules
refused(lambda: poetbnb.solve(g, ram_budget="80%"), "nodes[0].flops", "platform")
refused(lambda: poetbnb.solve(made, platform="m4", ram_budget="80%"), "platform")
refused(lambda: poetbnb.solve(chain(), platform="m4", ram_budget="80%"), "no node has")
g.nodes["n2"]["seconds"] = 1.0
refused(lambda: poetbnb.from_networkx(g, platform="m4"), "nodes[2]", "flops")
""")

    def test_numbers_keep_their_value(self):
        """Doubles that no short decimal has, in and out: graphs, figures, schedules, sweeps, settings."""
        self.run_script("""
import json, random
rng = random.Random(3)
def odd(scale):
    return scale * (1 + rng.random())
g = chain(4)
for i, node in enumerate(g.nodes):
    costs = {key: odd(1e-3) for key in ("seconds", "joules", "pagein_joules", "pageout_joules",
                                        "pagein_seconds", "pageout_seconds")}
    g.nodes[node].update({k: numpy.float64(v) if i % 2 else v for k, v in costs.items()},
                         bytes=2**45 + rng.randrange(2**20))
made = poetbnb.from_networkx(g)
nodes = made.to_dict()["nodes"]
for node in nodes:
    assert all(node[key] == value for key, value in g.nodes[node["name"]].items()), node
assert made.seconds == poetbnb.from_dict(made.to_dict()).seconds
json.dump(made.to_dict(), open("g.json", "w"))
assert poetbnb.read("g.json").to_dict() == made.to_dict()

mine = {"name": "mine", "flops_per_second": 1e9 / 3, "flops_per_joule": 0.1 + 0.2, "storage_watts": 1 / 7,
        "pagein_latency_seconds": 1e-4 / 3, "pagein_bytes_per_second": 1e7 / 3,
        "pageout_latency_seconds": 0, "pageout_bytes_per_second": 1e7 / 7}
json.dump(mine, open("mine.json", "w"))
node = poetbnb.from_dict({"nodes": [{"inputs": [], "bytes": 7, "flops": 1}]}, platform="./mine.json").to_dict()["nodes"][0]
assert node["seconds"] == 1 / mine["flops_per_second"] and node["joules"] == 1 / mine["flops_per_joule"]
assert node["pagein_seconds"] == mine["pagein_latency_seconds"] + 7 / mine["pagein_bytes_per_second"]

for factor in (1.1052631578947367, numpy.float64(1.1052631578947367), math.nextafter(1.2, 2)):
    r = poetbnb.solve(made, ram_budget="70%", runtime_budget=factor)
    assert r.deadline_seconds == factor * made.seconds
    written = r.to_dict()
    for key, figure in {"energy_joules": r.energy_joules, "overhead_joules": r.overhead_joules,
                        "compute_seconds": r.compute_seconds, "deadline_seconds": r.deadline_seconds,
                        "ram_budget_bytes": r.ram_budget_bytes, "peak_bytes": r.peak_bytes}.items():
        assert written[key] == figure, (key, written[key], figure)
    r.write("s.json")
    assert json.load(open("s.json")) == written and written["graph"]["nodes"] == r.to_dict_graph()["nodes"]
    table = poetbnb.sweep(made, ["70%"], runtime_budget=factor)
    assert table["deadline_seconds"][0] == r.deadline_seconds
    assert table["overhead_joules"][0] == r.overhead_joules and table["peak_bytes"][0] == r.peak_bytes
""")

    def test_files_go_to_the_program_and_back(self):
        tree = installed()
        self.run_script("""
r = poetbnb.solve(chain(), ram_budget="70%", certificate="proof.cert")
assert r.certified
r.write("schedule.json")
assert r.to_dict()["status"] == "optimal" and r.plan()["steps"]
again = poetbnb.solve(chain(), ram_budget="70%", warm_start="schedule.json")
assert again.overhead_joules == r.overhead_joules
""")
        program = tree.usr / "bin/poetbnb"
        self.assertIn("every rule holds", tree.run(program, "check", "schedule.json"))
        tree.run(program, "plan", "schedule.json")
        self.assertIn("optimal", tree.run(program, "verify", "proof.cert"))

    def test_what_is_infeasible_says_why(self):
        self.run_script("""
r = poetbnb.solve(chain(), ram_budget=2999)
assert r.status == "infeasible" and r.minimum_bytes == 3000 and r.reason, r.reason
assert r.R is None and r.table() is None and r.memory() is None and math.isnan(r.overhead_joules)
refused(r.to_dict, "there is no schedule")
refused(r.plan, "there is no schedule")
""")

    def test_sweeps_are_tables(self):
        self.run_script("""
t = poetbnb.sweep(chain(), ["90%", "70%", 2999], paging=False)
assert list(t["status"]) == ["optimal", "optimal", "infeasible"]
assert t["overhead_joules"][0] < t["overhead_joules"][1]
""")

    def test_callbacks(self):
        self.run_script("""
lines, found, asked = [], [], []
r = poetbnb.solve(model="vgg16_cifar", platform="a72", ram_budget="50%", log=lines.append,
                  on_incumbent=found.append, stop=lambda: asked.append(1))
assert len(lines) > 3 and asked
values = [f.overhead_joules for f in found]
assert values == sorted(values, reverse=True) and values[-1] == r.overhead_joules
assert found[-1].peak_bytes <= r.ram_budget_bytes and found[0].source
began = time.monotonic()
r = poetbnb.solve(model="bert", platform="a72", ram_budget="40%", stop=lambda: True)
assert r.status in ("feasible", "unknown") and r.reason == "interrupt" and time.monotonic() < began + 20
def fails(line):
    raise KeyError(line)
try:
    poetbnb.solve(model="bert", platform="a72", ram_budget="40%", log=fails)
except KeyError:
    assert time.monotonic() < began + 40
else:
    raise AssertionError("an exception of a callback is lost")
""")

    def test_interrupts_stop_it(self):
        self.run_script("""
threading.Timer(1.0, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
began = time.monotonic()
try:
    poetbnb.solve(model="bert", platform="m4", ram_budget="15%")
except KeyboardInterrupt:
    assert time.monotonic() < began + 20
else:
    raise AssertionError("no interrupt")
""")

    def test_threads(self):
        self.run_script("""
budgets = ["50%", "60%", "70%"]
alone = [poetbnb.solve(chain(16), ram_budget=b, paging=False).overhead_joules for b in budgets]
beside = [None] * 3
def work(k):
    beside[k] = poetbnb.solve(chain(16), ram_budget=budgets[k], paging=False).overhead_joules
threads = [threading.Thread(target=work, args=(k,)) for k in range(3)]
[t.start() for t in threads], [t.join() for t in threads]
assert alone == beside, (alone, beside)
""")

    def test_bad_input_names_the_place(self):
        self.run_script("""
refused(lambda: poetbnb.solve(chain()), "ram-budget: missing; expected")
refused(lambda: poetbnb.solve(chain(), ram_budget="much"), "ram-budget", "much")
refused(lambda: poetbnb.solve(chain(), ram_budget="50%", rum=1), "no setting is called 'rum'")
refused(lambda: poetbnb.solve(chain(), ram_budget="50%", paging="maybe"), "paging: expected on or off")
refused(lambda: poetbnb.solve(model="vgg16_cifar"), "model= and platform=")
refused(lambda: poetbnb.solve(chain(), model="linear", platform="a72"), "both")
refused(lambda: poetbnb.solve(17, ram_budget=1), "int")
refused(lambda: poetbnb.solve("/nowhere.json", ram_budget=1), "/nowhere.json")
refused(lambda: poetbnb.builtin("none", "a72"), "none")
refused(lambda: poetbnb.from_dict({"nodes": []}, "mine"), "mine: nodes")
refused(lambda: poetbnb.from_dict({"nodes": [math.nan]}), "JSON")
g = chain()
g.add_edge("b0", "f0")
refused(lambda: poetbnb.from_networkx(g), "cycle", "f0")
g = chain()
del g.nodes["f3"]["bytes"]
refused(lambda: poetbnb.from_networkx(g), "chain: nodes[3]", "bytes")
g = chain()
g.nodes["f3"]["weight"] = 2
refused(lambda: poetbnb.from_networkx(g), "chain: nodes[3]", "weight")
g = chain()
g.nodes["f3"]["pin"] = "stay"
refused(lambda: poetbnb.from_networkx(g), "chain: nodes[3].pin", "no-recompute")
refused(lambda: poetbnb.from_networkx(networkx.Graph()), "DiGraph")
""")

    def test_parameters_of_the_search(self):
        self.run_script("""
def searched(**more):
    r = poetbnb.solve(model="vgg16_cifar", platform="a72", ram_budget="50%", solve_threads=1, **more)
    assert r.status == "optimal"
    return r.cuts, r.work
assert searched() == searched(set={"exact.cut_rounds": 60})
without = searched(set={"exact.cut_rounds": 0, "bnb.rins": False})
assert without == searched(set="exact.cut_rounds=0,bnb.rins=off") != searched()
refused(lambda: searched(set={"exact.cut_round": 1}), "exact.cut_round'", "exact.cut_rounds")
""")

    def test_settings_are_those_of_the_command_line(self):
        tree = installed()
        out = self.run_script("""
for name, (values, initial, help) in poetbnb.settings().items():
    print(name, values == "on, off", sep="\\t")
""")
        help_text = tree.run(tree.usr / "bin/poetbnb", "solve", "--help")
        lines = out.splitlines()
        self.assertGreater(len(lines), 20)
        for line in lines:
            name, _ = line.split("\t")
            self.assertIn(f"--{name}", help_text)

    def test_bad_values_are_refused_in_the_words_of_the_command_line(self):
        tree = installed()
        values = {"ram-budget": "x", "runtime-budget": "-1", "gap": "2", "seed": "-1",
                  "node-limit": "1.5", "work-limit": "-1", "memory-limit": "0", "solve-threads": "300",
                  "charge-pagein": "x", "max-computations": "0", "order": "x", "trust": "x", "time-limit-s": "0",
                  "without": "x", "set": "bnb.rins=maybe"}
        for name, value in values.items():
            with self.subTest(name):
                out = self.run_script(f"""
try:
    poetbnb.solve(model="linear", platform="a72", **{{"ram_budget": "50%", {name.replace('-', '_')!r}: {value!r}}})
except poetbnb.Error as error:
    print(str(error).lstrip("-"))
""")
                ran = subprocess.run(
                    [tree.usr / "bin/poetbnb", "solve", "--model=linear", "--platform=a72",
                     "--ram-budget=50%", f"--{name}={value}"],
                    capture_output=True, text=True, check=False)
                self.assertEqual(ran.returncode, 2)
                self.assertEqual(ran.stderr.strip(), "poetbnb: --" + out.strip())


if __name__ == "__main__":
    unittest.main()
