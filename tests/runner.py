"""Runs the tests in Python of one folder."""

import os
import pathlib
import signal
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent


def every(suite):
    for item in suite:
        yield from every(item) if isinstance(item, unittest.TestSuite) else [item]


def run(folder):
    """Runs the tests of test_*.py there, or those whose names contain an argument. POETBNB is the
    program (default: build/release/poetbnb). Ends with a summary as Check writes it, for
    scripts/run-tests."""
    os.environ.setdefault("POETBNB", str(ROOT / "build/release/poetbnb"))
    # A shell's background jobs ignore it, and what the tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.dont_write_bytecode = True
    loaded = unittest.defaultTestLoader.discover(str(folder), "test_*.py")
    chosen = [t for t in every(loaded) if not sys.argv[1:] or any(a in t.id() for a in sys.argv[1:])]
    result = unittest.TextTestRunner(stream=sys.stdout, verbosity=0).run(unittest.TestSuite(chosen))
    for test, why in result.skipped:
        print(f"skipped: {test.id()}: {why}")
    failures, errors, ran = len(result.failures), len(result.errors), result.testsRun
    share = 100 * (ran - failures - errors) // ran if ran else 0
    print(f"{share}%: Checks: {ran}, Failures: {failures}, Errors: {errors}")
    sys.exit(0 if ran and not failures and not errors else 1)
