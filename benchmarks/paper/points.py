"""The experiments' table, and the points that it expands to."""

import dataclasses
import hashlib
import importlib.util
import itertools
import json
import math
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tomllib

from .solvers import SOLVERS

# Lists of experiments in the table: the settings of those that name none.
LISTS = {"experiment": ["dense", "full"], "beside": ["beside"], "library": ["library"]}
SETTINGS = (*itertools.chain(*LISTS.values()), "smoke")


class Refused(Exception):
    """Bad input: the text says where, and what was expected."""


def command(name, run):
    """A program's exit status: what run() returns, or that of what it raises, which is said."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        status = run()
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        return 130
    except Refused as error:
        print(f"{name}: {error}", file=sys.stderr)
    except BrokenPipeError:  # who reads has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        print(f"{name}: {where}{error.strerror}", file=sys.stderr)
    return 2


def asked(program, *words):
    """What the program prints as JSON; None: it fails."""
    said = subprocess.run([program, *words, "--json"], capture_output=True, check=False)
    return json.loads(said.stdout) if said.returncode == 0 else None


def above_zero(kind):
    """Reads the value of an option."""
    def read(word):
        value = kind(word)
        if not value > 0:
            raise ValueError
        return value
    return read


def is_text(value):
    return isinstance(value, str)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


TEXTS = "a list of texts"
KINDS = {"a text": is_text, "a number": is_number,
         TEXTS: lambda value: isinstance(value, list) and all(map(is_text, value)),
         "a list of whole numbers": lambda value: isinstance(value, list) and all(
             isinstance(v, int) and is_number(v) for v in value)}

# Keys of a table of experiments.toml; "?" after one that may be left out.
EXPERIMENT = {"name": "a text", "group?": "a text", "networks": TEXTS, "platforms?": TEXTS, "budgets": TEXTS,
              "deadlines?": TEXTS, "seeds?": "a list of whole numbers", "runs": TEXTS, "limit?": "a number",
              "settings?": TEXTS}
RUN = {"command?": "a text", "options?": TEXTS, "methods?": TEXTS, "from?": TEXTS, "solver?": "a text", "needs?": TEXTS,
       "counts?": "a text", "limit?": "a number", "typical?": "a number", "open?": "a number", "label?": "a text"}
# Processes that a point starts beside one another's end, in times of its limit.
COMMANDS = {"solve": 1, "certify": 12, "compare": 1, "relax": 3, "mip": 3, "export": 1, "execute": 3}


def words(value, sets):
    """Of a text: the set of that name, or its words."""
    return sets.get(value, value.split() or [""]) if is_text(value) else value


def check_keys(where, table, keys, sets):
    """The table has the keys and no others; texts in the place of lists are replaced."""
    for key, kind in keys.items():
        name = key.rstrip("?")
        if name not in table and name == key:
            raise Refused(f"{where}: no '{name}'")
        if name in table and kind == TEXTS:
            table[name] = words(table[name], sets)
        if name in table and not KINDS[kind](table[name]):
            raise Refused(f"{where}: '{name}': expected {kind}, got {table[name]!r}")
    for name in table:
        if name not in keys and f"{name}?" not in keys:
            raise Refused(f"{where}: unknown key '{name}': expected {', '.join(k.rstrip('?') for k in keys)}")


def check_names(where, names, known):
    for name in names:
        if name not in known:
            raise Refused(f"{where}: unknown '{name}': expected {', '.join(known)}")


@dataclasses.dataclass(frozen=True)
class Point:
    """One process, or a short chain of them: a run on an instance."""

    experiment: str
    run: str
    label: str
    group: str  # of the experiment, for the choice of points
    command: str  # one of COMMANDS
    network: str  # a name, of a graph that is made, too, or the path of a graph
    platform: str
    budget: str  # as --ram-budget takes it
    deadline: str  # as --runtime-budget takes it, or "none"
    seed: int
    options: tuple
    methods: tuple
    solver: str  # of relax and mip
    sources: tuple  # names of the runs whose best schedule it starts from
    limit: float  # seconds
    counts: str  # beginning of nodes' names; empty: none are counted
    typical: float  # processor seconds that it is expected to take

    @property
    def phase(self):
        """Points of phase 2 start from results of phase 1."""
        return 2 if self.sources else 1

    @property
    def name(self):
        """Of the instance, as in vgg16_cifar-m4-60-t1.001."""
        words = [pathlib.Path(self.network.removesuffix(".gz")).name.removesuffix(".json"),
                 pathlib.Path(self.platform).stem, self.budget.rstrip("%"),
                 "" if self.deadline == "none" else f"t{self.deadline}"]
        return "-".join(re.sub(r"[^A-Za-z0-9._-]+", "", word) for word in words if word)

    @property
    def key(self):
        """Names the result: the same for whatever asks for the same computation."""
        what = [self.command, content(self.network), content(self.platform), self.budget,
                self.deadline, self.seed, self.options, self.methods, self.solver, self.sources]
        digest = hashlib.sha256(json.dumps(what).encode()).hexdigest()[:12]
        return f"{self.name}-{self.run}-{digest}"

    @property
    def instance(self):
        """What the runs that are set beside each other have in common."""
        return (self.network, self.platform, self.budget, self.deadline, self.seed)

    @property
    def longest(self):
        """Seconds after which its processes are killed at the latest, but for a minute."""
        return self.limit * max(COMMANDS[self.command], len(self.methods))

    def is_search(self):
        """May it use up its limit?"""
        return self.command in ("solve", "certify", "mip") or self.methods == ("checkmate",)


def is_file(name):
    """Of a graph or platform, not something built in."""
    return name.endswith((".json", ".json.gz"))


def there(word):
    """Is what a run needs there: a program, a Python module, or a variable of the environment?"""
    return bool(os.environ.get(word)) or bool(shutil.which(word)) or \
        importlib.util.find_spec(word) is not None


def content(name):
    """The name of what is built in; of a file what is in it."""
    if not is_file(name):
        return name
    return hashlib.sha256(pathlib.Path(name).read_bytes()).hexdigest()


class Table:
    """experiments.toml, checked."""

    def __init__(self, path):
        self.path = pathlib.Path(path).resolve()
        with open(self.path, "rb") as file:
            try:
                data = tomllib.load(file)
            except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
                raise Refused(f"{path}: {error}") from None
        for key in ("run", "experiment", "setting", "family", "device", "names"):
            if key not in data:
                raise Refused(f"{path}: no '{key}'")
        self.runs, self.settings, self.families, self.devices, self.names = (
            data[key] for key in ("run", "setting", "family", "device", "names"))
        sets = {name: words(value, {}) for name, value in data.get("sets", {}).items()}
        self.experiments = [{"settings": settings} | e for name, settings in LISTS.items() for e in data.get(name, [])]
        for name, run in self.runs.items():
            where = f"{path}: [run.{name}]"
            check_keys(where, run, RUN, sets)
            run.setdefault("command", "solve")
            run.setdefault("limit", 30)
            run.setdefault("typical", 1)
            check_names(f"{where}: 'command'", [run["command"]], COMMANDS)
            check_names(f"{where}: 'solver'", [run.get("solver", "poetbnb")], SOLVERS)
            check_names(f"{where}: 'from'", run.get("from", []), self.runs)
        for experiment in self.experiments:
            where = f"{path}: experiment '{experiment.get('name', '?')}'"
            check_keys(where, experiment, EXPERIMENT, sets)
            check_names(f"{where}: 'runs'", experiment["runs"], self.runs)
            check_names(f"{where}: 'settings'", experiment["settings"], SETTINGS)

    def name(self, word):
        """What readers call a network or platform."""
        return self.names.get(word, word)

    def _file(self, name):
        if not is_file(name) or pathlib.Path(name).is_absolute():
            return name
        if not (self.path.parent / name).is_file():
            raise Refused(f"{self.path}: no file {self.path.parent / name}")
        return str(self.path.parent / name)

    def points(self, setting, program, only=None, most=math.inf, feature=None, seeds=None):
        """All points of the setting, with limits of searches of at most so many seconds; those of
        one experiment with only. feature: of the experiment lab; seeds: in the place of its own.
        Runs that need what is not there are left out."""
        if only:
            check_names("--only", [only], list(dict.fromkeys(
                e["name"] for e in self.experiments if setting in e["settings"])))
        found = []
        if setting == "beside" and not only:
            raise Refused("--setting beside: expected --only EXPERIMENT")
        for e in self.experiments:
            if setting in e["settings"] and only in (None, e["name"]):
                for run in e["runs"]:
                    if all(map(there, self.runs[run].get("needs", []))):
                        found += self._expand(e, run, setting, program, most, feature, seeds)
        names = dict.fromkeys(p.experiment for p in found)
        return [p for name in names for p in unique([p for p in found if p.experiment == name])]

    def _sources(self, name, run):
        """The runs of the experiment of that name that a run starts from."""
        runs = {r for e in self.experiments if e["name"] == name for r in e["runs"]}
        return tuple(s for s in self.runs[run].get("from", []) if s in runs)

    def _expand(self, e, run, setting, program, most, feature, seeds):
        r = self.runs[run]
        parts = [{}]
        if any("{off}" in o for o in r.get("options", [])):
            parts = [{"part": name, "off": off} for name, off, _, on in switches(program) if on]
        if any("{with}" in o for o in r.get("options", [])) or "{without}" in r.get("options", []):
            parts = [one_switch(program, feature)]
        for network, platform, budget, deadline, seed, fill in itertools.product(
                e["networks"], e.get("platforms", [""]), e["budgets"], e.get("deadlines", ["none"]),
                seeds or e.get("seeds", [1]), parts):
            point = Point(
                e["name"], run, r.get("label", run).format(**fill), e.get("group", e["name"]),
                r["command"], self._file(network), self._file(platform), budget, deadline, seed,
                tuple(filter(None, (o.format(**fill) for o in r.get("options", [])))),
                tuple(r.get("methods", [])), r.get("solver", "poetbnb"),
                self._sources(e["name"], run), r["limit"],
                r.get("counts", ""), r["typical"])
            if point.is_search():
                limit = e.get("limit", self.settings.get(setting, {}).get("limit", point.limit))
                point = dataclasses.replace(point, limit=min(limit, most))
                share = r.get("open", 0)
                point = dataclasses.replace(point, typical=(1 - share) * min(
                    r["typical"], point.limit) + share * point.limit)
            yield point


def sources(points, point):
    """The points that this one starts from."""
    return [p for p in points if p.run in point.sources and p.experiment == point.experiment and
            p.instance == point.instance]


def chosen(points, words):
    """Those whose instance's name or group contains one of the words; all without words."""
    for word in words:
        if not any(word in p.name or word == p.group for p in points):
            raise Refused(f"expected a group or a part of an instance's name, got '{word}'")
    return [p for p in points if not words or any(w in p.name or w == p.group for w in words)]


def unique(points):
    """One of each key: the one with the longest limit."""
    best = {}
    for p in points:
        if p.key not in best or p.limit > best[p.key].limit:
            best[p.key] = p
    return list(best.values())


def switches(program):
    """Each feature and each parameter that is on or off: its name, the options that turn it off and on,
    and whether it is on."""
    def listed(what):
        said = asked(program, "info", f"--{what}")
        if not said:
            raise Refused(f"{program} does not list its {what}")
        return said[what]
    found = [(f["name"], f"--without={f['name']}", f"--with={f['name']}", f["default"]) for f in listed("features")]
    return found + [(p["name"], f"--set={p['name']}=off", f"--set={p['name']}=on", p["default"])
                    for p in listed("parameters") if p["kind"] == "switch"]


def one_switch(program, feature):
    """What fills {without} and {with}: the one that is the default is no option."""
    for name, off, on, default in switches(program):
        if name == feature:
            return {"part": name, "without": off if default else "", "with": "" if default else on}
    raise Refused(f"NAME: expected a feature or a switch, got '{feature or ''}'; `poetbnb info "
                  "--features' and `--parameters' list them")
