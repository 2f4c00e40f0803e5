"""The commands of README.md and docs/*.md are run, and what a page shows of their output is compared.

A block of commands is an indented block whose first line is one. Those of a page run in its order, in
one folder that has the graph of README. Lines below a command that begins with "$ " are its output, as
tests/pages.py compares it: everything but seconds of this machine. Commands that are not run stand in
NOT_RUN with the reason. A figure in the sentences of a page is printed by one of its commands, or
stands in CONSTANTS."""

import decimal
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import pages

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
README = ROOT / "README.md"
MAKEFILE = (ROOT / "Makefile").read_text()
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
ELSEWHERE = {"execute.md": "tests/install/test_execute.py runs its interpreter, `make check-device` its plans in C",
             "lab.md": "tests/lab/test_lab.py runs its commands on a copy of the sources",
             "benchmarks.md": "measurements; each section names its command",
             "parameters.md": "a program writes it (`make docs`), which tests/cli compare"}
COMMAND = re.compile(r"(\$ )?(poetbnb|make|cbc|cc|python3|export|scripts/\S+|benchmarks/\S+|build/\S+)( |$)")
NOT_RUN = (
    (r"make\b", "builds, tests and measures for minutes to hours; the target is looked up"),
    (r"export PATH=", "the test sets it"),
    (r"benchmarks/bench |(BENCH_PARALLEL=.* )?scripts/bench-", "the paper's experiments: hours, other machines; the file is looked up"),
    (r"cc example\.c", "tests/install compiles and starts it"),
    (r"python3 -m poetbnb import|poetbnb solve --graph net\.json", "needs torch or ONNX: tests/install"),
)
NUMBER = re.compile(r"(?<![\w.^-])\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w^]|\.\d)")
# Figures of sentences that no command of the page prints: the phrase, a file, and the text that it has, too.
SOURCES = {
    "README.md": (
        ("within a relative 1e-9", "exact/exact.h", "OPTIMAL_GAP 1e-9"),
        ("network in 256 KB", "examples/cortex-m4/Makefile", "RAM = 256K"),
        ("2.5 KB of code on a Cortex-M4", "tests/emulated/test_cortex_m4.py", "KB of code on a Cortex-M4")),
    "algorithm.md": (("half of the smaller of the gap and 1e-9", "exact/exact.h", "OPTIMAL_GAP 1e-9"),
                     ("up to 1000 nodes", "exact/labels/labels.c", "MOST_NODES = 1000"),
                     ("at most 0.3 of all work", "exact/beside.c", "#define PASS 0.3"),
                     ("a gap of at most 1e-4", "exact/beside.c", "#define TAIL_GAP 1e-4"),
                     ("with 2, and 500 labels", "exact/labels/polish.c", "FIRST_WIDTH = 500"),
                     ("after 30000 iterations", "exact/cells/grow.c", "LONG_ITERATIONS = 30000")),
    "annealing.md": (("blocks of 64 stages", "heuristics/intervals.h", "INTERVALS_BLOCK = 64"),),
    "baselines.md": (
        ("100 %, 98 %, ... of the budget", "baselines/dtr.c", "100 %, 98 %"),
        ("for 90 % of the budget", "baselines/checkmate.c", "for 90 % of the"),
        ("thresholds 0.1, 0.2, ... 0.9", "baselines/checkmate.c", "thresholds 0.1, 0.2, ... 0.9"),
        ("`--checkmate-draws` times (100)", "library/options.h", '"checkmate-draws", "N", 100,'),
        ("`--dtr-thrash` times the base time (10)", "library/options.h", '"dtr-thrash", "X", 10.0,'),
        ("`--pofo-slots` slots (50)", "library/options.h", '"pofo-slots", "N", 50,')),
    "commands.md": (
        ("units of 1024", "library/options.h", "1024"),
        ("are of 1000", "library/options.h", "of 1000"),
        ("by gnuplot, 6.75 inches", "plots/style.gp", "width = 6.75"),
        ("graphs up to 60 nodes", "exact/engine.c", "CHECKED_NODES = 60"),
        ("at most 20000 nodes", "problem/graph.h", "GRAPH_MAX_NODES = 20000"),
        ("10⁻⁶ · (1 + min(|side|, 1000))", "cli/engine.h", "min(|side|, 1000)"),
        ("by 127/128 of that tolerance", "cli/engine.h", "127.0 / 128.0"),
        ("1/128 is left", "cli/engine.h", "127.0 / 128.0"),
        ("at most 10⁻⁹", "bnb/bnb.c", ".gap_relative = 1e-9"),
        ("A `--gap` below 10⁻¹² counts as 10⁻¹²", "cli/mip.c", "least_gap = 1e-12"),
        ("An objective below 10⁻⁹ of the least cost", "bnb/bnb.c", "counts_as_zero = 1e-9")),
    "formats.md": (
        ("1 to 20000;", "problem/graph.h", "GRAPH_MAX_NODES = 20000"),
        ("for certificates 1000", "certificate/model.h", "CERT_MAX_NODES = 1000"),
        ("0, or 1e-30 to 1e30", "problem/graph.h", "GRAPH_LEAST_COST 1e-30"),
        ("1e-30 to 1e30, latencies", "problem/graph.h", "GRAPH_MOST_COST 1e30"),
        ("at most 1e15", "problem/graph.h", "GRAPH_MOST_RATIO 1e15"),
        ("1e-9 to 1e9", "problem/graph.h", "PROBLEM_LEAST_FACTOR 1e-9"),
        ("120 MFLOPS", "problem/platform.c", "120"),
        ("82.36 ms", "problem/platform.c", "82.36 ms"),
        ("has base 128", "plan/binary.c", "value >= 128"),
        ("(at most 127)", "plan/binary.c", "TEXT_SIZE = 128")),
}
# Others: years, names, inputs of examples, and what another test compares.
PLAIN = {
    "README.md": ("ICML 2022", "32 x 32"),
    "algorithm.md": ("work of 128 instances",),
    "baselines.md": ("et al., 2016", "TOMS 2000", "MLSys 2020", "ICLR 2021", "ASPLOS 2020", "NeurIPS 2021", "NeurIPS 2023",
                     "the 100 % of which", "(Algorithm 799)"),
    "commands.md": ("`1.2M` is 1.2 x 2^20", "`90:20:10` stands for 90 %, 80 % and so on to 20 %",
                    "`90:min:10` are 90 %, 80 %", "--ram-budget 50%`", "`R_t20_n5_linear3`", "in stage 20 of node",
                    "`0.3333333 x` for a third"),
    "formats.md": ("4096, not 4096.0 or 4e3", "IEEE 802.3", "`50%`, `1.0005`",
                   "70 % of a peak of 7416 bytes are 5191 bytes, and this column says 69.9973"),
    "formulation.md": ("stage 43, node 16, called relu7", "`used_r_t43_n16_relu7`", "`used_r 43 16`", "ICML 2023"),
    "library.md": ("with status 127", "h[:, :16]", "cut_rounds\": 10}"),
    "timeline.md": ("Operations Research 65, 2017",),
}
# Tables and sections that other tests compare.
TABLES = {
    "README.md": r"^\| problems \| proven within \|\n(\|.*\n)+",
    "algorithm.md": r"^\| part \| off by \| worth \|\n(\|.*\n)+",
    "formulation.md": r"\A(.*\n)*?## The claims|without\s+it\s+[\d.]+\s+times\s+as\s+long",
}


def graph_of_readme():
    return re.search(r'^    \{"name": "mine".*?\}\]\}$', README.read_text(), re.M | re.S)[0]


def blocks(page):
    """Indented blocks of lines, without the indentation."""
    for block in re.findall(r"(?:^    .*\n)+", page.read_text(), re.M):
        yield re.sub(r"^    ", "", block, flags=re.M).replace("\\\n", " ").splitlines()


def commands(page):
    """(command, lines of its output) in the order of the page; without "$ " there are none."""
    found = []
    for lines in blocks(page):
        prompts = lines[0].startswith("$ ")
        for line in lines if COMMAND.match(lines[0]) else ():
            if line.startswith("$ ") or not prompts:
                found.append((line.removeprefix("$ "), []))
            else:
                found[-1][1].append(line)
    return found


def reason(command):
    return next((why for pattern, why in NOT_RUN if re.match(pattern, command)), None)


def digits(number):
    """The significant ones."""
    return re.sub(r"e.*|\.", "", number).strip("0")


def is_rounded(number, word):
    """Whether number is word with as few digits."""
    return decimal.Context(prec=len(digits(number))).create_decimal(word) == decimal.Decimal(number)


class Commands(unittest.TestCase):
    """Each page once."""

    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "poetbnb").symlink_to(pathlib.Path(os.environ["POETBNB"]).resolve())
        (self.folder / "mine.json").write_text(graph_of_readme())

    def run_page(self, page):
        """All that its commands print."""
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        printed = ""
        for command, shown in commands(page):
            if reason(command):
                continue
            done = subprocess.run(["bash", "-c", command], cwd=self.folder, env={**os.environ, "PATH": path},
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, f"{page.name}: {command}\n{done.stdout}{done.stderr}")
            if shown:
                pages.compare(self, page, shown, done.stdout.rstrip().splitlines(), command)
            printed += done.stdout
        return printed

    def check(self, page):
        """Runs the commands of a page, and looks for the source of each figure of its sentences."""
        words = set(NUMBER.findall(self.run_page(page)))
        prose = re.sub(r"^    [^\n]*$|^```.*?^```$|\]\([^)]*\)", "", page.read_text(), flags=re.M | re.S)
        prose = " ".join(re.sub(TABLES.get(page.name, "$^"), "", prose, flags=re.M).split())
        for phrase, source, text in SOURCES.get(page.name, ()):
            self.assertIn(text, (ROOT / source).read_text(), f"{page.name}: {phrase}")
        for phrase in [p for p, _, _ in SOURCES.get(page.name, ())] + list(PLAIN.get(page.name, ())):
            self.assertIn(phrase, prose, page.name)
            prose = prose.replace(phrase, "")
        lost = [n for n in NUMBER.findall(prose) if len(n.replace(".", "")) > 1 and n not in words
                and not any(is_rounded(n, word) for word in words)]
        self.assertEqual(lost, [], f"{page.name}: no command prints these figures")

    def test_pages(self):
        for page in PAGES:
            with self.subTest(page.name):
                if page.name not in ELSEWHERE:
                    self.check(page)
                elif page.name == "benchmarks.md":
                    for command, _ in commands(page):
                        self.assertTrue(reason(command), command)


class Names(unittest.TestCase):
    """What the pages call by name is there."""

    def help(self, *words):
        return subprocess.run([os.environ["POETBNB"], *words, "--help"], capture_output=True, text=True,
                              check=True).stdout

    def test_targets_of_make(self):
        targets = set(re.findall(r"^\.PHONY: (.*)$", MAKEFILE, re.M))
        known = {t for line in targets for t in line.split()}
        known |= {f"bench-{t}" for t in re.search(r"^BESIDE = (.*)$", MAKEFILE, re.M)[1].split()}
        known |= {f"run-{folder.name}" for folder in (ROOT / "tests").iterdir()}
        for page in [*PAGES, ROOT / "CONTRIBUTING.md"]:
            for target in re.findall(r"(?:`|^    )make ([a-z][a-z-]*[a-z])(?![\w-])", page.read_text(), re.M):
                self.assertIn(target, known, page.name)

    def test_programs_of_the_project(self):
        for page in PAGES:
            for name in re.findall(r"(?:`|^    )((?:benchmarks|scripts)/[\w.-]+)", page.read_text(), re.M):
                self.assertTrue((ROOT / name).exists(), f"{page.name}: {name}")

    def test_options(self):
        """Of the commands in the sentences; what runs in blocks shows by itself."""
        count = 0
        for page in PAGES:
            for span in re.findall(r"`poetbnb ([^`]*)`", page.read_text()):
                command, options = span.split()[0], re.findall(r"(?<!\S)--[a-z][a-z-]*", span)
                if not options or not command.islower():
                    continue
                text = self.help(command)
                for option in options:
                    self.assertRegex(text, rf"{option}\b", f"{page.name}: {span}")
                    count += 1
        self.assertGreater(count, 10)

    def test_names_of_cells_and_rows(self):
        """Each says the number and the name of a node of one of the networks that the pages export."""
        nodes = set()
        for source in (["--model", "linear"], ["--model", "vgg16_cifar"], ["--graph", str(ROOT / "docs" / "four.json")]):
            platform = ["--platform", "a72"] if source[0] == "--model" else []
            said = subprocess.run([os.environ["POETBNB"], "info", *source, *platform, "--json"],
                                  capture_output=True, text=True, check=True).stdout
            nodes |= {(i, node["name"]) for i, node in enumerate(json.loads(said)["nodes"])}
        texts = {page.name: page.read_text() for page in PAGES} | {"export --help": self.help("export")}
        for name, text in texts.items():
            for number, node in re.findall(r"_t\d+_n(\d+)_([a-z0-9_]+?)(?:_k\d+_\w+)?\b", text):
                self.assertIn((int(number), node), nodes, name)

    def test_worth_of_features_is_that_of_the_table(self):
        """docs/formulation.md takes it from benchmarks/ABLATION.md, which `make bench-ablation` measures."""
        table = dict(re.findall(r"^\| without ([\w-]+) \|.* ([\d.]+) \| \d+ \|$",
                                (ROOT / "benchmarks" / "ABLATION.md").read_text(), re.M))
        sections = (ROOT / "docs" / "formulation.md").read_text().split("\n### `")[1:]
        count = 0
        for section in sections:
            worth = re.search(r"without\s+it\s+([\d.]+)\s+times\s+as\s+long", section)
            if worth:
                self.assertEqual(worth[1], table[section.split("`")[0]], section[:60])
                count += 1
        self.assertGreater(count, 8)

    def test_worth_of_parts_is_that_of_the_table(self):
        """docs/algorithm.md takes it from a table of benchmarks/ABLATION.md."""
        table = (ROOT / "benchmarks" / "ABLATION.md").read_text().split("## Parts of the search")[1].split("\n## ")[0]
        shifted = dict(re.findall(r"^\| [^|]* \| (`.*`)? ?\| \d+ \| ([\d.]+) \|", table, re.M))
        self.assertIn("", shifted)
        rows = re.findall(r"^\| [^|]* \| (`.*`) \| ([\d.]+) \|$", (ROOT / "docs" / "algorithm.md").read_text(), re.M)
        self.assertGreater(len(rows), 4)
        for option, worth in rows:
            self.assertAlmostEqual(float(worth), float(shifted[option]) / float(shifted[""]), delta=0.051, msg=option)

    def test_a_percentage_is_rounded_down(self):
        """The example of docs/formats.md."""
        said = subprocess.run([os.environ["POETBNB"], "compare", "--model", "linear", "--platform", "a72", "--ram-budget",
                               "70%,100%", "--methods", "checkpoint_all", "--json"], capture_output=True, text=True, check=True)
        part, whole = json.loads(said.stdout)["methods"]
        self.assertIn(f"70 % of a peak of {whole['ram_budget_bytes']} bytes are {part['ram_budget_bytes']} bytes, and this "
                      f"column says {part['ram_budget_percent']:.6g}", (ROOT / "docs" / "formats.md").read_text())

    def test_every_section_of_measurements_names_what_measures(self):
        page = (ROOT / "docs" / "benchmarks.md").read_text()
        for section in page.split("\n## ")[1:]:
            if "|---" in section:
                self.assertRegex(section, r"`(make bench|make lab|make instances|solve |poetbnb )",
                                 section.splitlines()[0])
