"""The runtime's source and the C form of plans, with the compilers of this machine."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RUNTIME = ROOT / "runtime"
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", f"-I{RUNTIME}"]


def run(*command, status=0, **how):
    ran = subprocess.run([str(c) for c in command], capture_output=True, check=False, **how)
    if ran.returncode != status:
        raise AssertionError(f"{command}: status {ran.returncode}\n{ran.stdout}{ran.stderr}")
    return ran


def node(name, inputs, **more):
    return {"name": name, "inputs": inputs, "bytes": 4, "flops": 10, **more}


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def plan(self, graph, form, budget="100%", status=0):
        """The file that `plan --format=FORM` writes for an optimal schedule."""
        poetbnb = os.environ["POETBNB"]
        source, schedule, out = (self.folder / n for n in ("graph.json", "s.json", f"net.{form}"))
        source.write_text(json.dumps(graph))
        run(poetbnb, "solve", "--graph", source, "--platform", "m4", "--ram-budget", budget,
            "--quiet", "--out", schedule)
        self.ran = run(poetbnb, "plan", schedule, f"--format={form}", "--out", out, status=status)
        return out

    def compile(self, text, *flags, compiler="gcc", language="c"):
        program, source = self.folder / "program", self.folder / f"program.{language}"
        source.write_text(text)
        run(compiler, *flags, f"-I{RUNTIME}", f"-I{self.folder}", source, RUNTIME / "poet_runtime.c",
            "-o", program)
        return program


class Source(Files):
    def test_the_example_of_the_header_runs_as_it_stands(self):
        header = (RUNTIME / "poet_runtime.h").read_text()
        example = header.split(" * EXAMPLE.")[1].split(" * KERNELS")[0]
        lines = [line[7:] for line in example.splitlines() if line.startswith(" *     ")]
        self.assertLess(len(lines), 40)
        graph = {"name": "net", "nodes": [node("x", []), node("y", ["x"]), node("loss", ["y"])]}
        self.plan(graph, "c", budget="min").rename(self.folder / "net.h")
        program = self.compile("\n".join(lines) + "\n", *STRICT)
        self.assertEqual(run(program, text=True).stdout, "loss 36\n")

    def test_strict_c99_and_a_header_for_cplusplus(self):
        compilers = [c for c in ("gcc", "clang") if shutil.which(c)]
        for compiler in compilers:
            run(compiler, *STRICT, "-Wconversion", "-Wno-sign-conversion", "-Wshadow", "-ffreestanding",
                "-O2", "-c", RUNTIME / "poet_runtime.c", "-o", self.folder / "runtime.o")
        self.compile('#include "poet_runtime.h"\nint main() { return 0; }\n', "-x", "c++", "-Wall",
                     "-Wextra", "-pedantic", "-Werror", "-fsyntax-only")

    def test_it_stays_small(self):
        text = "".join((RUNTIME / f"poet_runtime.{k}").read_text() for k in "ch")
        code = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
        self.assertLess(len([line for line in code.splitlines() if line.strip()]), 600)
        for word in ("float", "double", "malloc", "<stdio", "<stdlib"):
            self.assertNotIn(word, code)


class Form(Files):
    NASTY = ["nodes", "a */ b", "a -- b", "a /* b", "conv", "CONV", "", "registers", "9", "relu\\"]

    def nasty(self):
        nodes = [node(n, [i - 1] if i else []) for i, n in enumerate(self.NASTY)]
        return {"name": "7 of */ them", "nodes": nodes}

    def test_the_array_is_the_binary_file(self):
        binary = self.plan(self.nasty(), "binary").read_bytes()
        self.plan(self.nasty(), "c").rename(self.folder / "net.h")
        text = """#include <stdio.h>
#include "net.h"
int main(void)
{
    (void)net_7_of____them_nodes;
    return fwrite(net_7_of____them_plan, 1, sizeof net_7_of____them_plan, stdout) == 0;
}
"""
        self.assertEqual(run(self.compile(text, *STRICT)).stdout, binary)
        run("g++", "-x", "c++", "-std=c++11", "-Wall", "-Wextra", "-pedantic", "-Werror",
            f"-I{RUNTIME}", "-fsyntax-only", self.folder / "program.c")

    def test_the_bytes_of_the_page_are_those_of_the_plan(self):
        page = (ROOT / "docs/formats.md").read_text().split("### Binary plans")[1].split("### Plans as C")[0]
        graph = {"name": "net", "nodes": [node("x", []), node("y", ["x"]), node("loss", ["y"])]}
        lines = re.findall(r"^    ((?:[0-9a-f]{2} )+)", page, re.M)
        self.assertEqual(bytes.fromhex("".join(lines)), self.plan(graph, "binary", "min").read_bytes())

    def test_every_node_has_a_name_of_its_own(self):
        header = self.plan(self.nasty(), "c").read_text()
        names = re.findall(r"^    (\w+) = (\d+),?$", header, re.M)
        self.assertEqual([int(k) for _, k in names], [*range(len(self.NASTY)), len(self.NASTY)])
        self.assertEqual(len({n for n, _ in names}), len(names))
        self.assertIn(("NET_7_OF____THEM_NODES", str(len(self.NASTY))), names)
        self.assertIn(("NET_7_OF____THEM_CONV", "4"), names)
        self.assertIn(("NET_7_OF____THEM_NODE_6", "6"), names)

    def test_tables_and_memory(self):
        graph = {"name": "G", "nodes": [node("a", [], bytes=8), node("b", ["a"], workspace_bytes=16),
                                        node("c", ["b", "a"], bytes=12)]}
        header = self.plan(graph, "c").read_text()
        self.assertIn("#define G_ARENA_BYTES 28u", header)
        self.assertIn("#define G_PEAK_BYTES 28u", header)
        self.assertIn("#define G_REGISTERS 3", header)
        self.assertIn("#define G_STORED_BYTES 1", header)
        self.assertIn("{12u, 0u, g_inputs + 1, 2}, /* c: a, b */", header)
        self.assertIn("{4u, 16u, g_inputs + 0, 1}, /* b: a */", header)
        self.assertRegex(header, r"/\* %1 @\d+ = compute b\(%0\) in @\d+ \*/")

    def test_what_32_bits_do_not_hold_is_refused(self):
        self.plan({"name": "g", "nodes": [node("a", [], bytes=2**32)]}, "c", status=2)
        self.assertIn(b"expected less than 4 GiB", self.ran.stderr)
        self.assertEqual([p.name for p in self.folder.glob("net*")], [])


if __name__ == "__main__":
    unittest.main()
