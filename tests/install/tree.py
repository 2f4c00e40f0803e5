"""An installed tree, made once for all tests of a run."""

import os
import pathlib
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def make(*arguments):
    """make in the sources, as from a shell, with what was built before."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS"))}
    made = subprocess.run(["make", "-s", "-C", ROOT, *arguments], env=environment, capture_output=True,
                          text=True, check=False)
    if made.returncode != 0:
        raise RuntimeError(made.stdout + made.stderr)


class Tree:
    """`make install` into a folder of its own, as a distribution would; what it says of itself is
    read through pkg-config only."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = pathlib.Path(self.folder.name)
        make("install", f"DESTDIR={self.path}", "PREFIX=/usr")
        self.usr = self.path / "usr"
        self.environment = dict(
            os.environ,
            PKG_CONFIG_PATH=str(self.usr / "lib/pkgconfig"),
            PKG_CONFIG_SYSROOT_DIR=str(self.path),
            LD_LIBRARY_PATH=str(self.usr / "lib"),
            PYTHONPATH=str(self.usr / "lib/python3/dist-packages"),
            PYTHONDONTWRITEBYTECODE="1",
        )
        self.environment.pop("POETBNB_LIBRARY", None)

    def run(self, *command, cwd=None, status=0):
        """What a command writes on standard output."""
        ran = subprocess.run(
            [str(c) for c in command], env=self.environment, cwd=cwd or self.path,
            capture_output=True, text=True, check=False,
        )
        if ran.returncode != status:
            raise AssertionError(f"{command}: status {ran.returncode}\n{ran.stdout}{ran.stderr}")
        return ran.stdout

    def flags(self, *options):
        # The sysroot stands before the paths of other packages too: those are the system's.
        words = self.run("pkg-config", *options, "poetbnb").split()
        return [w for w in words if "x86_64-linux-gnu" not in w]


_tree = []


def installed():
    if not _tree:
        _tree.append(Tree())
    return _tree[0]
