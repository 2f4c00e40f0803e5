"""The Debian source package: it builds, lintian has nothing to say, and what it splits is there. It is
built without optimisation, in half the time."""

import fnmatch
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

from tree import ROOT

TOOLS = ("dpkg-buildpackage", "dh", "dh_python3", "lintian")
MISSING = [t for t in TOOLS if not shutil.which(t)]
PACKAGES = {
    "poetbnb": ["usr/bin/poetbnb", "usr/share/man/man1/poetbnb.1.gz", "usr/share/doc/poetbnb/README.md",
                "usr/share/doc/poetbnb/CHANGELOG.md", "usr/share/doc/poetbnb/CITATION.cff",
                "usr/share/bash-completion/completions/poetbnb"],
    "libpoetbnb0": ["usr/lib/*/libpoetbnb.so.0"],
    "libpoetbnb-dev": ["usr/include/poetbnb.h", "usr/lib/*/libpoetbnb.a", "usr/lib/*/libpoetbnb.so",
                       "usr/lib/*/pkgconfig/poetbnb.pc", "usr/share/man/man3/poetbnb.3.gz"],
    "python3-poetbnb": ["usr/lib/python3/dist-packages/poetbnb/__init__.py"],
}


def run(*command, cwd=None):
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("MAKE", "MFLAGS", "POETBNB"))}
    environment["PATH"] = "/usr/sbin:/usr/bin:/sbin:/bin"
    environment["DEB_BUILD_OPTIONS"] = "noopt"
    ran = subprocess.run([str(c) for c in command], cwd=cwd, env=environment, stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, text=True, check=False)
    if ran.returncode != 0:
        raise AssertionError(f"{command}: status {ran.returncode}\n{ran.stdout[-4000:]}")
    return ran.stdout


def copy_sources(folder):
    """What git holds, as it is now; without git, all but build/."""
    ignore = shutil.ignore_patterns("build", ".git", "__pycache__")
    if not (ROOT / ".git").exists() or not shutil.which("git"):
        shutil.copytree(ROOT, folder, ignore=ignore)
        return
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, check=True).stdout
    for name in filter(None, os.fsdecode(listed).split("\0")):
        if (ROOT / name).exists():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


class Version(unittest.TestCase):
    def test_the_package_has_the_version_of_the_program(self):
        package = re.match(r"poetbnb \(([^)]*)\)", (ROOT / "debian/changelog").read_text())
        header = re.search(r'BASE_VERSION "([^"]*)"', (ROOT / "base/base.h").read_text())
        self.assertEqual(package[1], header[1])


@unittest.skipIf(MISSING, f"not installed: {', '.join(MISSING)} (Debian: debhelper, dh-python, lintian)")
class Debian(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = pathlib.Path(cls.folder.name)
        copy_sources(cls.path / "poetbnb")
        cls.said = run("dpkg-buildpackage", "-us", "-uc", "-J", cwd=cls.path / "poetbnb")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_each_file_is_compiled_once(self):
        """The flags of the build come from outside, and `make install` calls make again."""
        compiled = re.findall(r" -c -o (\S+)", self.said)
        self.assertGreater(len(compiled), 200)
        self.assertEqual(len(compiled), len(set(compiled)))

    def test_lintian_shows_no_error_and_no_warning(self):
        changes, = self.path.glob("*.changes")
        shown = run("lintian", "--allow-root", "--fail-on", "error,warning", changes)
        self.assertEqual(re.findall(r"^[EW]: .*", shown, re.MULTILINE), [])

    def test_each_package_has_its_files(self):
        for package, files in PACKAGES.items():
            deb, = self.path.glob(f"{package}_*.deb")
            names = re.findall(r" \./(\S+)", run("dpkg-deb", "-c", deb))
            for file in files:
                self.assertEqual(len(fnmatch.filter(names, file)), 1, f"{package}: {file}")

    def test_the_packages_work_together(self):
        together = self.path / "together"
        for package in PACKAGES:
            deb, = self.path.glob(f"{package}_*.deb")
            run("dpkg-deb", "-x", deb, together)
        example = together / "usr/share/doc/poetbnb/example.py"
        self.assertIn("optimal", run("env", f"PYTHONPATH={together}/usr/lib/python3/dist-packages",
                                     "/usr/bin/python3", example))
        self.assertIn("vgg16_cifar", run(together / "usr/bin/poetbnb", "info"))


if __name__ == "__main__":
    unittest.main()
