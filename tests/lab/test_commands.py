"""The commands of README.md and docs/*.md are run, and what a page shows of their output is compared.

A block of commands is an indented block whose first line is one. Those of a page run in its order, in
one folder that has the graph of README. Lines below a command that begins with "$ " are its output, in
which "..." stands for any lines. Figures that depend on the time, the machine or the number of its
processors are masked: seconds with two decimals, and the lines of MASKED. Commands that are not run
stand in NOT_RUN with the reason."""

import decimal
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
README = ROOT / "README.md"
MAKEFILE = (ROOT / "Makefile").read_text()
PAGES = [README, *sorted((ROOT / "docs").glob("*.md"))]
ELSEWHERE = {"execute.md": "tests/install/test_execute.py runs its interpreter, `make check-device` its plans in C",
             "lab.md": "tests/lab/test_lab.py runs its commands on a copy of the sources",
             "parameters.md": "a program writes it (`make docs`), which tests/cli compare"}
# Lines of a search, and of a proof: its size, and the rows that it uses. The first word is compared.
MASKED = re.compile(r"^ *(Lower bound|Found by|Work|Proof|Exchanges|Presolve|reductions,) .*")
SECONDS = re.compile(r"(?<![\d.])\d+\.\d\d( s\b|$)")
COMMAND = re.compile(r"(\$ )?(poetbnb|make|cbc|cc|python3|export|scripts/\S+|benchmarks/\S+|build/\S+)( |$)")
NOT_RUN = (
    (r"make\b", "builds, tests and measures for minutes to hours; the target is looked up"),
    (r"export PATH=", "the test sets it"),
    (r"benchmarks/bench |(BENCH_PARALLEL=.* )?scripts/bench-", "the paper's experiments: hours, other machines; the file is looked up"),
    (r"cc example\.c", "tests/install compiles and starts it"),
    (r"python3 -m poetbnb import|poetbnb solve --graph net\.json", "needs torch or ONNX: tests/install"),
)
NUMBER = re.compile(r"(?<![\w.^-])\d+(?:\.\d+)?(?:e[-+]?\d+)?(?![\w^]|\.\d)")
# Numbers of pages' sentences that no command prints.
CONSTANTS = {"0.3333333", "6.75", "127", "128", "256", "1024", "1e-9", "2017", "2022", "20000"}


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


def masked(line):
    """A line as it is compared."""
    return " ".join(MASKED.sub(r"\1", SECONDS.sub("N", line)).split()) + "\n"


def is_shown(shown, said):
    """Whether the lines said are those that a page shows."""
    pattern = "".join("(?:.*\n)*" if line.strip() == "..." else re.escape(masked(line)) for line in shown)
    return re.fullmatch(pattern, "".join(map(masked, said)))


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
                self.assertTrue(is_shown(shown, done.stdout.rstrip().splitlines()),
                                f"{page.name}: {command}\n{done.stdout}")
            printed += done.stdout
        return printed

    def check(self, page):
        """Runs the commands, and looks for the sentences' figures of three digits in what they print."""
        printed = self.run_page(page)
        prose = re.sub(r"^    .*$|\]\([^)]*\)", "", page.read_text(), flags=re.M)
        words = set(NUMBER.findall(printed))
        for number in NUMBER.findall(prose):
            if len(digits(number)) >= 3 and number not in CONSTANTS:
                self.assertTrue(number in words or any(is_rounded(number, word) for word in words),
                                f"{page.name}: no command prints {number}")

    def test_readme(self):
        self.check(README)

    def test_commands(self):
        self.check(ROOT / "docs" / "commands.md")

    def test_no_other_page_has_commands_that_are_to_be_run(self):
        for page in PAGES:
            if page.name in ("README.md", "commands.md", *ELSEWHERE):
                continue
            for command, _ in commands(page):
                self.assertTrue(reason(command), f"{page.name}: {command}")


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

    def test_every_section_of_measurements_names_what_measures(self):
        page = (ROOT / "docs" / "benchmarks.md").read_text()
        for section in page.split("\n## ")[1:]:
            if "|---" in section:
                self.assertRegex(section, r"`(make bench|make lab|make instances|solve |poetbnb )",
                                 section.splitlines()[0])
