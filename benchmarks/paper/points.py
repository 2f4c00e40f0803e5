"""The experiments' table, and the points that it expands to."""

import dataclasses
import hashlib
import itertools
import json
import math
import pathlib
import re
import subprocess
import tomllib

SETTINGS = ("dense", "full", "smoke")


class Refused(Exception):
    """Bad input: the text says where, and what was expected."""


def is_text(value):
    return isinstance(value, str)


def is_number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0


def texts(value):
    return isinstance(value, list) and all(map(is_text, value))


def numbers(value):
    return isinstance(value, list) and all(isinstance(v, int) and is_number(v) for v in value)


WORDS = {is_text: "a text", is_number: "a number", texts: "a list of texts",
         numbers: "a list of whole numbers"}

# Keys of a table of experiments.toml; "?" after one that may be left out.
EXPERIMENT = {"name": is_text, "networks": texts, "platforms": texts, "budgets": texts,
              "deadlines?": texts, "seeds?": numbers, "runs": texts, "limit?": is_number,
              "settings": texts}
RUN = {"command": is_text, "options?": texts, "methods?": texts, "from?": texts,
       "limit": is_number, "typical": is_number, "open?": is_number, "label?": is_text}


def check_keys(where, table, keys):
    for key, kind in keys.items():
        name = key.rstrip("?")
        if name not in table and name == key:
            raise Refused(f"{where}: no '{name}'")
        if name in table and not kind(table[name]):
            raise Refused(f"{where}: '{name}': expected {WORDS[kind]}, got {table[name]!r}")
    for name in table:
        if name not in keys and f"{name}?" not in keys:
            raise Refused(f"{where}: unknown key '{name}': expected "
                          f"{', '.join(k.rstrip('?') for k in keys)}")


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
    command: str  # solve, compare or relax
    network: str  # a name, or the path of a graph
    platform: str
    budget: str  # as --ram-budget takes it
    deadline: str  # as --runtime-budget takes it, or "none"
    seed: int
    options: tuple
    methods: tuple
    sources: tuple  # names of the runs whose best schedule it starts from
    limit: float  # seconds
    typical: float  # processor seconds that it is expected to take

    @property
    def phase(self):
        """Points of phase 2 start from results of phase 1."""
        return 2 if self.sources else 1

    @property
    def key(self):
        """Names the result: the same for whatever asks for the same computation."""
        what = [self.command, content(self.network), content(self.platform), self.budget,
                self.deadline, self.seed, self.options, self.methods, self.sources]
        digest = hashlib.sha256(json.dumps(what).encode()).hexdigest()[:12]
        words = [pathlib.Path(self.network.removesuffix(".gz")).stem,
                 pathlib.Path(self.platform).stem, self.budget,
                 self.deadline, self.run]
        slug = "-".join(re.sub(r"[^A-Za-z0-9._]+", "", word) for word in words if word)
        return f"{slug}-{digest}"

    @property
    def longest(self):
        """Seconds after which its processes are killed at the latest, but for a minute."""
        steps = {"solve": 1, "compare": len(self.methods), "relax": 3}
        return self.limit * steps[self.command]

    def is_search(self):
        """May it use up its limit?"""
        return self.command == "solve" or self.methods == ("checkmate",)


def is_file(name):
    """Of a graph or platform, not something built in."""
    return name.endswith((".json", ".json.gz"))


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
        self.runs = data["run"]
        self.experiments = data["experiment"]
        self.settings = data["setting"]
        self.families = data["family"]
        self.devices = data["device"]
        self.names = data["names"]
        for name, run in self.runs.items():
            check_keys(f"{path}: [run.{name}]", run, RUN)
            check_names(f"{path}: [run.{name}]: 'command'", [run["command"]],
                        ("solve", "compare", "relax"))
            check_names(f"{path}: [run.{name}]: 'from'", run.get("from", []), self.runs)
        for experiment in self.experiments:
            where = f"{path}: experiment '{experiment.get('name', '?')}'"
            check_keys(where, experiment, EXPERIMENT)
            check_names(f"{where}: 'runs'", experiment["runs"], self.runs)
            check_names(f"{where}: 'settings'", experiment["settings"], SETTINGS)

    def name(self, word):
        """What readers call a network or platform."""
        return self.names.get(word, word)

    def _file(self, name):
        if not is_file(name):
            return name
        if not (self.path.parent / name).is_file():
            raise Refused(f"{self.path}: no file {self.path.parent / name}")
        return str(self.path.parent / name)

    def points(self, setting, program, only=None, most=math.inf):
        """All points of the setting, with limits of searches of at most so many seconds; those of
        one experiment with only."""
        if only:
            check_names("--only", [only], list(dict.fromkeys(
                e["name"] for e in self.experiments if setting in e["settings"])))
        found = []
        for e in self.experiments:
            if setting in e["settings"] and only in (None, e["name"]):
                for run in e["runs"]:
                    found += self._expand(e, run, setting, program, most)
        return found

    def _expand(self, e, run, setting, program, most):
        r = self.runs[run]
        parts = [(None, None)]
        if any("{off}" in o for o in r.get("options", [])):
            parts = switches(program)
        for network, platform, budget, deadline, seed, (part, off) in itertools.product(
                e["networks"], e["platforms"], e["budgets"], e.get("deadlines", ["none"]),
                e.get("seeds", [1]), parts):
            fill = {"part": part, "off": off}
            point = Point(
                e["name"], run, r.get("label", run).format(**fill), r["command"],
                self._file(network), self._file(platform), budget, deadline, seed,
                tuple(o.format(**fill) for o in r.get("options", [])),
                tuple(r.get("methods", [])),
                tuple(s for s in r.get("from", []) if s in e["runs"]), r["limit"], r["typical"])
            if point.is_search():
                limit = e.get("limit", self.settings[setting].get("limit", point.limit))
                point = dataclasses.replace(point, limit=min(limit, most))
                share = r.get("open", 0)
                point = dataclasses.replace(point, typical=(1 - share) * min(
                    r["typical"], point.limit) + share * point.limit)
            yield point


def sources(points, point):
    """The points that this one starts from."""
    return [p for p in points if p.run in point.sources and p.experiment == point.experiment and
            (p.network, p.platform, p.budget, p.deadline, p.seed) ==
            (point.network, point.platform, point.budget, point.deadline, point.seed)]


def unique(points):
    """One of each key: the one with the longest limit."""
    best = {}
    for p in points:
        if p.key not in best or p.limit > best[p.key].limit:
            best[p.key] = p
    return list(best.values())


def switches(program):
    """What can be left out: the name of each feature and of each parameter that is on or off, and
    the option of `solve' that turns it off. Those that are off already are not among them."""
    def listed(what):
        said = subprocess.run([program, "info", f"--{what}", "--json"], capture_output=True,
                              text=True, check=False)
        if said.returncode:
            raise Refused(f"{program} does not list its {what}: {said.stderr.strip()}")
        return json.loads(said.stdout)[what]
    found = [(f["name"], f"--without={f['name']}") for f in listed("features") if f["default"]]
    return found + [(p["name"], f"--set={p['name']}=off") for p in listed("parameters")
                    if p["kind"] == "switch" and p["default"]]

