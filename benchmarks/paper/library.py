"""The instance library: graphs, models, values, certificates, and what is open.

The folder of the results gets graphs/ (with costs), published/ and tight/ (MPS), certificates/ and schedules/ of what
is proven and found, poetbnb.solu, instances.csv and open.txt."""

import json
import os
import pathlib
import shutil
import sys
import threading

from . import known
from .run import GRACE, Interrupted, Runner, last_line
from .store import write as write_file

SETTING = "library"
ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
MODELS = ("published", "tight")
FILES = {"graphs": "json", "schedules": "json", "certificates": "cert.gz"} | dict.fromkeys(MODELS, "mps.gz")
PROVEN = ("optimal", "infeasible")


def imported(name):
    """The training graph of a network of tests/install, from ONNX or torch; None: the name is not one of these."""
    kind, _, network = name.partition("-")
    if kind not in ("onnx", "torch"):
        return None
    sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/install")]
    import poetbnb
    if kind == "onnx":
        import networks
        return poetbnb.import_onnx(networks.ONNX[network]())
    import torch
    import torch_networks
    torch.manual_seed(1)
    module, loss, (inputs, *targets) = torch_networks.SMALL[network]()
    return poetbnb.import_torch(module, inputs, loss, targets)


class Library(Runner):
    """Solves and verifies, and puts what comes of it in the folders of FILES."""

    proof = "proof.cert.gz"

    def __init__(self, store, points, models):
        super().__init__(store, points)
        self.models = MODELS if models else ()
        self.writes = threading.Lock()
        for kind in FILES:
            (store.folder / kind).mkdir(exist_ok=True)

    def path(self, kind, point):
        name = point.name if kind != "graphs" else "-".join(filter(None, (point.network, point.platform)))
        return self.store.folder / kind / f"{name}.{FILES[kind]}"

    def whole(self, point, result):
        """Are the files there that the result comes with?"""
        kinds = ["graphs", *self.models, *["schedules"] * bool(result["schedule"]),
                 *["certificates"] * (result["records"][0]["status"] in PROVEN)]
        return all(self.path(kind, point).exists() for kind in kinds)

    def run_all(self, *arguments):
        for p, result in self.store.answers(self.points):
            if not self.whole(p, result):
                self.store.path(p.key).unlink()
        return super().run_all(*arguments)

    def _graph(self, point, folder):
        """Its file, which is written where it is not newer than the program."""
        path = self.path("graphs", point)
        with self.writes:
            if not path.exists() or path.stat().st_mtime <= os.stat(self.store.program).st_mtime:
                made = imported(point.network)
                if made:
                    (folder / "imported.json").write_text(json.dumps(made))
                words = [f"--graph={folder / 'imported.json'}", f"--platform={point.platform}"] if made else \
                    super()._graph(point, folder)
                if self._process(["info", *words, "--json"], folder, GRACE, "graph")["exit"]:
                    raise RuntimeError(last_line(folder / "graph.err"))
                write_file(path, (folder / "graph.out").read_text())
        return [f"--graph={path}"]

    def _certify(self, point, limit, folder, result):
        try:
            return self._files(point, limit, folder, result)
        except Interrupted:
            raise
        except Exception as error:  # of the importers, too: the others go on
            (folder / "run.err").write_text(f"{error}\n")
            return None

    def _files(self, point, limit, folder, result):
        for kind in FILES:
            if kind != "graphs":
                self.path(kind, point).unlink(missing_ok=True)
        schedule = super()._certify(point, limit, folder, result)
        for form in self.models:
            if not result["failed"]:
                words = ["export", *self._instance(point, folder), f"--formulation={form}", "--quiet"]
                result["exit"] = self._process([*words, f"--out={folder / form}.mps.gz"], folder, limit)["exit"]
                result["failed"] = result["exit"] != 0
        if result["failed"]:
            return schedule
        if schedule:
            shutil.copyfile(schedule, self.path("schedules", point))
        if result["records"][0]["status"] in PROVEN:
            (folder / self.proof).rename(self.path("certificates", point))
        for form in self.models:
            (folder / f"{form}.mps.gz").rename(self.path(form, point))
        return schedule

    def write(self, best, wrong):
        """Values as solvers of MPS files see them: joules of everything, the better ones of the run's and the best
        known ones, but for the instances that are wrong. Returns what came of it."""
        rows, lines, open_ones = [], [], []
        for p, result in self.store.answers(self.points):
            record, name = result["records"][0], p.name
            if name in wrong:
                continue
            row = best[known.key(record)] | {"instance": name, "graph": self.path("graphs", p).name} | {
                k: record[k] for k in ("base_joules", "resident_bytes", "verdict") if k in record}
            rows.append(row)
            base, overhead = row["base_joules"], row["overhead_joules"]
            value = None if overhead is None else base + overhead
            bound = base + (row["lower_bound_overhead_joules"] or 0)
            if row["status"] in PROVEN:
                lines.append(f"=opt= {name} {value!r}" if row["status"] == "optimal" else f"=inf= {name}")
                continue
            lines += [f"=unkn= {name}" if value is None else f"=best= {name} {value!r}", f"=bestdual= {name} {bound!r}"]
            open_ones.append(f"{name}: no schedule" if value is None else
                             f"{name}: gap {100 * (value - bound) / max(overhead, 1e-300):.3g} % of the overhead")
        for name, text in (("poetbnb.solu", lines), ("open.txt", open_ones)):
            write_file(self.store.folder / name, "".join(f"{line}\n" for line in text))
        known.write(rows, self.store.folder / "instances.csv",
                    ["instance", "graph", "base_joules", "resident_bytes", *known.COLUMNS[1:]])
        return (f"{len(rows)} instances, {len(rows) - len(open_ones)} solved, {len(open_ones)} open; "
                f"{sum(r.get('verdict') == 'holds' for r in rows)} certificates verified")
