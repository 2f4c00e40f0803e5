"""README's table of what is proven in which time: the hardest instances of each row, by counted work.

A second of one thread counts as STEPS 10^9 steps. `REACH=all tests/lab/run test_reach` solves the rows that
take minutes, too, and every budget of the others."""

import json
import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
ALL = os.environ.get("REACH") == "all"
STEPS = 0.6
SECONDS = {"a second": 1, "two seconds": 2, "three seconds": 3, "fifteen seconds": 15, "half a minute": 30}
DEVICES = ("a72", "m0", "m4", "jetsontx2")


def grid(networks, devices, most, least, by=10):
    return [(n, d, b) for n in networks for d in devices for b in range(most, least - 1, -by)]


# Row: its hardest instances (network, platform, budget), none where these take too long; all of them.
ROWS = {
    "VGG16, 32 x 32, each device, 90 to 45 %": (
        [("vgg16_cifar", "a72", 50), ("vgg16_cifar", "a72", 45), ("vgg16_cifar", "m4", 45)],
        grid(["vgg16_cifar"], DEVICES, 90, 45, by=5)),
    "ResNet-18, 32 x 32, 90 to 30 %": (
        [("resnet18_cifar", "jetsontx2", 30), ("resnet18_cifar", "a72", 30)],
        grid(["resnet18_cifar"], DEVICES, 90, 30)),
    "BERT, each device, 90 to 70 %; Cortex-A72 and M0, to 10 %": (
        [("bert", "m4", 70), ("bert", "a72", 10), ("bert", "m0", 10)],
        grid(["bert"], DEVICES, 90, 70) + grid(["bert"], ("a72", "m0"), 60, 10)),
    "BERT, M4 and TX2, 60 and 50 %": ([], grid(["bert"], ("m4", "jetsontx2"), 60, 50)),
    "VGG16, ResNet-18, ResNet-50 for ImageNet, Cortex-A72, 90 to 30 %": (
        [("vgg16", "a72", 50)],
        grid(["resnet18", "resnet50"], ["a72"], 90, 30, by=20) + grid(["vgg16"], ["a72"], 90, 50)),
    "dear paging, little memory: BERT, 25 to 15 %; ResNet-18, 20 to 11 %": (
        [], grid(["bert"], ("m4", "jetsontx2"), 25, 15, by=5) +
        [("resnet18_cifar", d, b) for d in ("m4", "jetsontx2") for b in (20, 15, 11)]),
    "graphs of thousands of nodes": ([], []),  # measured in docs/benchmarks.md
}


def solve(network, device, budget, work):
    said = subprocess.run([os.environ["POETBNB"], "solve", "--model", network, "--platform", device, "--ram-budget",
                           f"{budget}%", "--threads", "1", "--work-limit", f"{work:g}", "--json"],
                          capture_output=True, text=True, check=False)
    return json.loads(said.stdout)


class Reach(unittest.TestCase):
    def test_the_table(self):
        table = (ROOT / "README.md").read_text().split("| problems | proven within |\n|---|---|\n")[1]
        rows = re.findall(r"^\| (.*?) \| (.*) \|\n", table.split("\n\n")[0] + "\n", re.M)
        self.assertEqual([row for row, _ in rows], list(ROWS))
        for row, words in rows:
            gap = re.fullmatch(r"gaps of 1 to (\d+) %", words)
            for instance in ROWS[row][ALL]:
                with self.subTest(instance):
                    result = solve(*instance, STEPS * (30 if gap else SECONDS[words]))
                    if gap:
                        self.assertLess(100 * result["gap"], int(gap[1]))
                    else:
                        self.assertEqual(result["status"], "optimal")
