"""The installed library, header and program."""

import json
import os
import shutil
import subprocess
import unittest

from tree import ROOT, installed, make

EXAMPLE = ROOT / "library/example/example.c"
OPTIMUM = "optimal: 0.00877899 J of overhead\n"


class Installed(unittest.TestCase):
    def setUp(self):
        self.tree = installed()

    def compile(self, name, compiler, *flags):
        program = self.tree.path / name
        self.tree.run(compiler, "-Wall", "-Werror", EXAMPLE, *flags, "-o", program)
        return program

    def test_how_to_cite_is_installed(self):
        cited = self.tree.usr / "share/doc/poetbnb/CITATION.cff"
        self.assertEqual(cited.read_bytes(), (ROOT / "CITATION.cff").read_bytes())

    def test_a_program_of_a_few_lines_with_the_shared_library(self):
        program = self.compile("shared", "gcc", *self.tree.flags("--cflags", "--libs"))
        self.assertEqual(self.tree.run(program), OPTIMUM)
        self.assertIn("libpoetbnb.so.0", self.tree.run("ldd", program))

    def test_a_private_prefix_is_found_when_the_program_starts(self):
        """As docs/library.md says it is done: with pkg-config alone, and with the flag or variable."""
        prefix = self.tree.path / "private"
        make("install", f"PREFIX={prefix}")
        clean = {k: v for k, v in self.tree.environment.items()
                 if k not in ("LD_LIBRARY_PATH", "PKG_CONFIG_SYSROOT_DIR")}
        clean["PKG_CONFIG_PATH"] = str(prefix / "lib/pkgconfig")

        def run(*command, **more):
            return subprocess.run([str(c) for c in command], env={**clean, **more}, cwd=self.tree.path,
                                  capture_output=True, text=True, check=False)

        flags = run("pkg-config", "--cflags", "--libs", "poetbnb").stdout.split()
        program, bare = self.tree.path / "found", self.tree.path / "bare"
        self.assertEqual(run("gcc", EXAMPLE, *flags, "-o", program).returncode, 0)
        self.assertEqual(run(program).stdout, OPTIMUM)
        bare_flags = [f"-I{prefix}/include", f"-L{prefix}/lib", "-lpoetbnb"]
        self.assertEqual(run("gcc", EXAMPLE, *bare_flags, "-o", bare).returncode, 0)
        self.assertEqual(run(bare).returncode, 127)
        self.assertEqual(run(bare, LD_LIBRARY_PATH=f"{prefix}/lib").stdout, OPTIMUM)
        for flag in ("-Wl,-rpath,PREFIX/lib", "LD_LIBRARY_PATH=PREFIX/lib", "PREFIX/lib/pkgconfig"):
            self.assertIn(flag, (ROOT / "docs/library.md").read_text())
        self.assertNotIn("rpath", (self.tree.usr / "lib/pkgconfig/poetbnb.pc").read_text())

    def test_the_same_with_the_static_library(self):
        flags = self.tree.flags("--static", "--cflags", "--libs")
        flags[flags.index("-lpoetbnb")] = "-l:libpoetbnb.a"
        program = self.compile("static", "gcc", *flags)
        self.assertNotIn("libpoetbnb", self.tree.run("ldd", program))
        self.assertEqual(self.tree.run(program), OPTIMUM)

    def test_the_header_is_c99_and_cplusplus(self):
        flags = self.tree.flags("--cflags")
        for language, standard in (("c", "c99"), ("c++", "c++11")):
            subprocess.run(
                ["gcc", "-x", language, f"-std={standard}", "-Wall", "-Wextra", "-pedantic", "-Werror",
                 "-fsyntax-only", *flags, "-"],
                input="#include <poetbnb.h>\n", text=True, check=True, env=self.tree.environment,
            )

    def declared(self):
        header = (self.tree.usr / "include/poetbnb.h").read_text()
        names = set()
        for declaration in header.split("POETBNB_API")[1:]:
            before = declaration.split("(")[0]
            names.add(before.replace("*", " ").split()[-1])
        return {n for n in names if n.startswith("poetbnb_")}

    def test_only_what_the_header_declares_is_exported(self):
        shared = self.tree.run("nm", "-D", "--defined-only", self.tree.usr / "lib/libpoetbnb.so.0")
        static = self.tree.run("nm", "-g", "--defined-only", self.tree.usr / "lib/libpoetbnb.a")
        declared = self.declared()
        self.assertGreater(len(declared), 30)
        self.assertEqual({line.split()[-1] for line in shared.splitlines()}, declared)
        self.assertEqual({line.split()[-1] for line in static.splitlines() if " T " in line}, declared)
        self.assertEqual([line for line in static.splitlines() if " D " in line or " B " in line], [])

    def test_the_manual_page_has_all_that_the_header_declares(self):
        page = self.tree.usr / "share/man/man3/poetbnb.3"
        text = page.read_text()
        for name in self.declared():
            self.assertIn(name + "(", text)
        for part in ("THREADS", "enum poetbnb_pin", ".SH GRAPHS", "pkg\\-config"):
            self.assertIn(part, text)
        for alien in ("POETBNB_API", "#if", "__cplusplus"):
            self.assertNotIn(alien, text)
        if shutil.which("groff"):
            ran = subprocess.run(["groff", "-ww", "-z", "-man", page], capture_output=True, check=True)
            self.assertEqual(ran.stderr, b"")

    def test_nothing_ends_the_process_or_changes_its_state(self):
        used = self.tree.run("nm", "-D", "-u", self.tree.usr / "lib/libpoetbnb.so.0")
        names = {line.split()[-1].split("@")[0] for line in used.splitlines()}
        ends = {"exit", "_exit", "quick_exit", "signal", "sigaction", "setlocale", "mallopt"}
        self.assertEqual(names & ends, set())

    def test_the_program_answers_as_the_one_for_this_machine(self):
        answers = []
        for program in (self.tree.usr / "bin/poetbnb", os.environ["POETBNB"]):
            out = self.tree.run(program, "solve", "--model", "vgg16_cifar", "--platform", "m4",
                                "--ram-budget", "45%", "--json")
            answer = json.loads(out)
            answers.append([answer[k] for k in ("status", "overhead_joules", "nodes", "lp_iterations",
                                                "cuts", "work")])
        self.assertEqual(answers[0], answers[1])

    def test_the_sources_for_devices(self):
        share = self.tree.usr / "share/poetbnb"
        for folder in ("runtime", "examples/kernels", "examples/cortex-m4"):
            there = {p.name for p in (share / folder).iterdir()}
            self.assertEqual(there, {p.name for p in (ROOT / folder).iterdir() if p.is_file()})
        for source in ("runtime/poet_runtime.c", "examples/kernels/kernels.c"):
            self.tree.run("gcc", "-std=c99", "-Wall", "-Werror", "-c", share / source)

    def test_uninstall_leaves_nothing(self):
        other = self.tree.path / "other"
        for target in ("install", "uninstall"):
            make(target, f"DESTDIR={other}", "PREFIX=/opt/p")
            files = [p for p in other.rglob("*") if not p.is_dir()]
            self.assertEqual(len(files) > 20, target == "install", files)


if __name__ == "__main__":
    unittest.main()
