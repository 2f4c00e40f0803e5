"""examples/cortex-m4 under qemu: the plan on a device with 256 KB gives the bits that this machine
gives with all activations kept, and does what the plan says."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLE = ROOT / "examples/cortex-m4"


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

    def test_the_runtime_is_small(self):
        runtime = self.out / "poet_runtime.o"
        line = subprocess.run(["arm-none-eabi-size", runtime], capture_output=True, text=True, check=True)
        text, data, bss = (int(k) for k in line.stdout.splitlines()[1].split()[:3])
        self.assertLess(text, 4096)
        self.assertEqual((data, bss), (0, 0))
        used = subprocess.run(["arm-none-eabi-nm", "-u", runtime], capture_output=True, text=True, check=True)
        self.assertEqual(used.stdout.split(), ["U", "memcpy"])


if __name__ == "__main__":
    unittest.main()
