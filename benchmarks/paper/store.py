"""Results of points: one file each, folder/points/KEY.json, whole or not there.

A file names all that it rests on, so that folders of several machines are merged by copying."""

import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import time


class Store:
    def __init__(self, folder, program, any_build=False):
        self.folder = pathlib.Path(folder)
        self.points = self.folder / "points"
        self.points.mkdir(parents=True, exist_ok=True)
        self.program = str(pathlib.Path(program).resolve())
        self.build = hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()[:16]
        self.any_build = any_build

    def path(self, key):
        return self.points / f"{key}.json"

    def schedule(self, key):
        """Where the point's best schedule is."""
        return self.points / f"{key}.schedule.json"

    def load(self, point):
        """The point's result, whatever its limit was; None without a whole one."""
        try:
            result = json.loads(self.path(point.key).read_text())
            mine = result["build"] == self.build or self.any_build
            whole = result["complete"] is True and result["key"] == point.key and \
                result["schedule"] == digest(self.schedule(point.key))
            return result if whole and mine else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def answers(self, points):
        """Each of the points that has a result, which did not fail, and the result."""
        for point in points:
            result = self.load(point)
            if result and not result["failed"]:
                yield point, result

    def serves(self, point):
        """Need the point not be run again? A failure must, and what a shorter limit cut off."""
        result = self.load(point)
        if result is None or result["failed"]:
            return False
        return not result["cut_off"] or result["limit"] >= point.limit

    def save(self, point, result, schedule):
        """schedule: the path of a file that is moved here, or None."""
        if schedule:
            os.replace(schedule, self.schedule(point.key))
        else:
            self.schedule(point.key).unlink(missing_ok=True)
        result.update(key=point.key, build=self.build, complete=True, schedule=digest(self.schedule(point.key)))
        write(self.path(point.key), json.dumps(result, indent=1))

    def sweep(self):
        """Removes what points that were killed a day ago or more have left."""
        for path in self.points.glob(".*"):
            with contextlib.suppress(FileNotFoundError):  # it has just ended
                if path.stat().st_mtime < time.time() - 86400:
                    shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink()


def digest(path):
    """Of a file; None without one."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        return None


def write(path, text):
    """The file appears whole, or stays as it was."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    with open(beside, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(beside, path)
