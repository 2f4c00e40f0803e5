"""examples/cortex-m4 under qemu: the plan on a device with 256 KB gives the bits that this machine
gives with all activations kept, and does what the plan says."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "examples/cortex-m4"
PAGES = [ROOT / "README.md", ROOT / "docs/execute.md"]


class CortexM4(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.out = pathlib.Path(folder.name)
        cls.device, cls.large, cls.host = (cls.make(t) for t in ("run", "large", "reference"))

    @classmethod
    def start(cls, target):
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "VARIANT"))}
        return subprocess.run(["make", "-s", "-C", EXAMPLE, f"OUT={cls.out}",
                               f"POETBNB={os.environ['POETBNB']}", target], env=environment,
                              capture_output=True, text=True, timeout=600, check=False)

    @classmethod
    def make(cls, target):
        made = cls.start(target)
        if made.returncode != 0:
            raise RuntimeError(made.stdout + made.stderr)
        return made.stdout

    def number(self, text, words):
        return int(re.search(words + r" (\d+)", text)[1])

    def plan(self, name):
        planned = subprocess.run([os.environ["POETBNB"], "plan", self.out / f"{name}.json", "--format=json"],
                                 capture_output=True, text=True, check=True)
        return json.loads(planned.stdout)

    def steps(self, text):
        return re.findall(r"^step .*$", text, re.M)

    def test_with_everything_kept_it_does_not_fit(self):
        made = self.start("keep")
        self.assertNotEqual(made.returncode, 0)
        self.assertIn("region `RAM' overflowed by", made.stderr)
        self.assertIn(re.search(r"region `RAM' overflowed by \d+ bytes", PAGES[1].read_text())[0], made.stderr)

    def test_the_pages_show_what_it_prints(self):
        for page in PAGES:
            shown = re.search(r"^    \$ make -C examples/cortex-m4 run\n((?:    .*\n)+)", page.read_text(), re.M)[1]
            pages.compare(self, page, [line[4:] for line in shown.splitlines()],
                          [line for line in self.device.splitlines() if not line.startswith(("parameters", "instructions"))],
                          "make -C examples/cortex-m4 run")

    def test_losses_and_weights_have_the_bits_of_the_host(self):
        self.assertEqual(len(self.steps(self.host)), 50)
        self.assertEqual(self.steps(self.device), self.steps(self.host))
        weights = [(self.out / k / "weights.bin").read_bytes() for k in ("device", "host")]
        self.assertEqual(len(weights[0]), 6160)
        self.assertEqual(weights[0], weights[1])

    def test_the_loss_falls(self):
        losses = [float(line.split()[3]) for line in self.steps(self.device)]
        self.assertLess(max(losses[-5:]), 0.1 * losses[0])

    def test_the_device_does_what_the_plan_says(self):
        plan = self.plan("plan")
        moved = {"pagein": 0, "pageout": 0}
        computed = 0
        for step in plan["steps"]:
            computed += step["op"] == "compute"
            if step["op"] in moved:
                moved[step["op"]] += plan["buffers"][step["buffer"]]["bytes"]
        nodes = len(plan["graph"]["nodes"])
        self.assertGreater(computed, nodes)
        self.assertGreater(moved["pagein"], 0)
        self.assertEqual(self.number(self.device, "computations"), computed)
        self.assertEqual(self.number(self.device, "again"), computed - nodes)
        self.assertEqual(self.number(self.device, "paged in"), moved["pagein"])
        self.assertEqual(self.number(self.device, "out"), moved["pageout"])
        self.assertEqual(self.number(self.device, "peak"), plan["peak_bytes"])
        self.assertEqual(self.number(self.device, "arena"), plan["arena_bytes"])
        self.assertEqual(self.number(self.device, "written up to"), plan["arena_bytes"])

    def test_instructions_grow_as_the_plan_predicts(self):
        counted = self.number(self.device, "instructions") / self.number(self.large, "instructions")
        seconds = [self.plan(k)["seconds"]["compute"] for k in ("plan", "keep")]
        self.assertGreater(counted, 1.1)
        self.assertAlmostEqual(counted, seconds[0] / seconds[1], delta=0.05)

    def size(self, name):
        """Bytes of code and constants, of initialised and of other data."""
        said = subprocess.run(["arm-none-eabi-size", self.out / name], capture_output=True, text=True, check=True)
        return tuple(int(k) for k in said.stdout.splitlines()[1].split()[:3])

    def test_the_table_of_sizes(self):
        """As of the compiler that docs/execute.md names; README has the first one in KB."""
        said = subprocess.run(["arm-none-eabi-gcc", "-dumpversion"], capture_output=True, text=True, check=True).stdout
        if not said.startswith("12.2."):
            self.skipTest(f"arm-none-eabi-gcc {said.strip()}")
        page, plan = PAGES[1].read_text(), self.plan("plan")
        runtime, kernels, (text, data, bss) = (self.size(k) for k in ("poet_runtime.o", "kernels.o", "train.elf"))
        parameters, steps, table = (self.number(self.device, k) for k in ("parameters", "plan", "table of nodes"))
        self.assertIn(f" {runtime[0] / 1000:.1f} KB of code on a Cortex-M4", PAGES[0].read_text())
        self.assertIn(f"\n| the runtime, `-Os` | {runtime[0]} | none of its own; stack below {self.stack()} |", page)
        self.assertIn(f"\n| kernels, `-O2` | {kernels[0]} | |", page)
        self.assertIn(f"\n| the whole example | {text + data} | {data + bss}: arena {plan['arena_bytes']}, weights and "
                      f"gradients {parameters}, stack 4096 |", page)
        kept = 8 * plan["registers"] + (len(plan["graph"]["nodes"]) + 7) // 8
        self.assertIn(f"\n| of that plan, and table of nodes | {steps} + {table} | registers and `stored` {kept} |", page)
        self.assertIn(f" {parameters // 8} parameters)", page)
        self.assertIn(f" {len(plan['graph']['nodes'])} nodes with", page)

    def stack(self):
        """Bytes of the longest chain of calls within the runtime, rounded up to hundreds."""
        subprocess.run(["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb", "-Os", "-ffreestanding", "-std=c99",
                        "-fcallgraph-info=su", "-c", "-o", self.out / "calls.o", ROOT / "runtime/poet_runtime.c"], check=True)
        graph = (self.out / "calls.ci").read_text()
        frame = {name: int(size) for name, size in re.findall(r'title: "(\S+)" label: ".*?(\d+) bytes \(static\)', graph)}
        calls = re.findall(r'sourcename: "(\S+)" targetname: "(\S+)"', graph)

        def deepest(name):
            return frame.get(name, 0) + max((deepest(to) for of, to in calls if of == name), default=0)

        return 100 * (max(map(deepest, frame)) // 100 + 1)

    def test_the_table_of_instructions(self):
        page = PAGES[1].read_text()
        counted = [self.number(k, "instructions") for k in (self.large, self.device)]
        plans = [self.plan(k) for k in ("keep", "plan")]
        seconds = [p["seconds"]["compute"] for p in plans]
        for k, words in enumerate(("everything kept, 328 KiB (on a board with 1 MB)", "with paging, 200 KiB")):
            self.assertIn(f"\n| {words} | {counted[k] / 1e9:.3f}e9 | {counted[k] / counted[0]:.4g} | 50 x {seconds[k]:.3f} "
                          f"| {seconds[k] / seconds[0]:.4g} |", page)
            self.assertEqual(int(re.search(r"(\d+) KiB", words)[1]) * 1024, plans[k]["peak_bytes"])
        found = re.search(r"predicts ([\d.]+) s a step for them, of\s+which the processor waits for ([\d.]+) s", page)
        self.assertEqual(found.groups(), tuple(f"{plans[1]['seconds'][k]:.3f}" for k in ("transfer", "stall")))

    def test_the_runtime_is_small(self):
        runtime = self.out / "poet_runtime.o"
        text, data, bss = self.size(runtime.name)
        self.assertLess(text, 4096)
        self.assertEqual((data, bss), (0, 0))
        used = subprocess.run(["arm-none-eabi-nm", "-u", runtime], capture_output=True, text=True, check=True)
        self.assertEqual(used.stdout.split(), ["U", "memcpy"])


if __name__ == "__main__":
    unittest.main()
