"""mip --certificate: a checker of VIPR files accepts what is written, and what it accepts is true."""

import json
import pathlib
import random
import subprocess
import tempfile
import unittest
from fractions import Fraction

import samples
import vipr

MODELS = samples.ROOT / "tests/data/mip"
LONG = ("lotsize10",)  # to check: half a minute
RANDOM_MODELS = 60
MUTANTS = 150  # of each certificate

# max x + y with 2 x + 2 y <= 3, x and y integers from 0 on: 1, by rounding; and by a branching on x.
ROUNDED = """% by hand
VER 1.0 VAR 2 x y INT 2 0 1 OBJ max 2 0 1 1 1
CON 3 2 bx G 0 1 0 1 by G 0 1 1 1 row L 3 2 0 2 1 2
RTP range 1 1 SOL 1 one 1 0 1
DER 1 d3 L 1 OBJ { rnd 1 2 1/2 } -1
"""
BRANCHED = """VER 1.0 VAR 2 x y INT 2 0 1 OBJ max 2 0 1 1 1
CON 3 2 bx G 0 1 0 1 by G 0 1 1 1 row L 3 2 0 2 1 2
RTP range 1 1 SOL 2 one 1 0 1 none 0
DER 7 d3 L 0 1 0 1 { asm } -1 d4 G 1 1 0 1 { asm } -1
d5 L 1 1 1 1 { rnd 2 2 1/2 0 -1 } -1
d6 L 1 OBJ { lin 2 3 1 5 1 } -1
d7 L 0 1 1 1 { rnd 2 2 1/2 4 -1 } -1
d8 L 1 OBJ { rnd 2 2 1/2 4 0 } -1
d9 L 1 OBJ { uns 6 3 8 4 } -1
"""


def optima():
    """{name: (status, optimum)}"""
    found = {}
    for line in (MODELS / "optima.txt").read_text().splitlines():
        if line.startswith("="):
            status, name, optimum = line.split()[:3]
            found[name] = status, None if optimum == "-" else float(optimum)
    return found


def offset_of(text):
    return next((Fraction(line.split("+")[1].strip()) for line in text.splitlines() if "is OBJ +" in line), Fraction(0))


def random_model(draw):
    """A small model in LP format, of integer and continuous columns, with rows of all senses and ranges."""
    columns = draw.randint(1, 6)
    lines = [draw.choice(("minimize", "maximize")), " obj: " + terms(draw, columns, 9), "subject to"]
    for r in range(draw.randint(1, 5)):
        row, side = terms(draw, columns, 7), draw.randint(-10, 20)
        lines.append(f" r{r}: " + draw.choice((f"{row} <= {side}", f"{row} >= {side - 20}", f"{row} = {side}",
                                               f"{side - draw.randint(1, 9)} <= {row} <= {side}")))
    lines.append("bounds")
    for j in range(columns):
        least = draw.randint(-3, 2) + draw.choice((0, 0, 0.5))
        lines.append(f" {least} <= x{j} <= {least + draw.randint(0, 7)}" if draw.random() < 0.8 else f" x{j} >= {least}")
    integers = [f"x{j}" for j in range(columns) if draw.random() < 0.7]
    return "\n".join(lines + ["general", " " + " ".join(integers)] * bool(integers) + ["end", ""]
                     if integers else lines + ["end", ""])


def terms(draw, columns, size):
    chosen = [j for j in range(columns) if draw.random() < 0.7] or [0]
    scale = draw.choice((1, 1, 1, 4))  # fractions that are doubles
    return " ".join(f"{'+' if a >= 0 else '-'} {abs(a) / scale:g} x{j}"
                    for j in chosen for a in [draw.choice([k for k in range(-size, size + 1) if k])])


def mutant(draw, text):
    """The text with a word behind the model changed, left out, doubled, or swapped with another."""
    at = text.index("RTP ")
    words = text[at:].split(" ")
    k = draw.randrange(len(words))
    kind = draw.randrange(5)
    if kind == 0:
        words[k] = str(draw.randint(-3, 40))
    elif kind == 1:
        words[k] = words[draw.randrange(len(words))]
    elif kind == 2:
        del words[k]
    elif kind == 3:
        other = draw.randrange(len(words))
        words[k], words[other] = words[other], words[k]
    else:
        words[k] = {"G": "L", "L": "G", "lin": "rnd", "rnd": "lin", "asm": "lin 0", "range": "infeas"}.get(
            words[k], words[k].removeprefix("-") if words[k].startswith("-") else "-" + words[k])
    return text[:at] + " ".join(words)


class Vipr(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def solve(self, model, *options):
        """The process, and the certificate's text (None without one)."""
        path = self.folder / "c.vipr"
        path.unlink(missing_ok=True)
        run = subprocess.run([samples.PROGRAM, "mip", "--json", f"--certificate={path}", *options, str(model)],
                             capture_output=True, text=True, check=False)
        return run, path.read_text() if path.exists() else None

    def accepted(self, text):
        try:
            return vipr.check(text)
        except vipr.Wrong as why:
            self.fail(f"{why}\n{text[:3000]}")

    def holds(self, text, answer):
        """Accepted, and says what the program does."""
        c = self.accepted(text)
        if answer["status"] == "infeasible":
            self.assertEqual(c.claim, "infeas")
            return c
        self.assertEqual(c.claim, "range")
        offset = float(offset_of(text))
        proven, known = (c.least, c.largest) if c.goal == "min" else (c.largest, c.least)
        tolerance = 1e-9 * max(1, abs(answer["objective"]))
        self.assertLessEqual(abs(float(proven) + offset - answer["objective"]), 2 * tolerance)
        if known is not None:
            self.assertLessEqual(abs(float(known) + offset - answer["objective"]), tolerance)
        return c

    def test_the_checker(self):
        for text in (ROUNDED, BRANCHED):
            self.assertEqual(self.accepted(text).largest, 1)
        for text, before, after in (
                (ROUNDED, "rnd", "lin"), (ROUNDED, "2 1/2 }", "2 -1/2 }"), (ROUNDED, "INT 2 0 1", "INT 1 0"),
                (ROUNDED, "range 1 1", "range 1 0"), (ROUNDED, "range 1 1", "range 2 1"), (ROUNDED, "one 1 0 1", "one 1 0 2"),
                (ROUNDED, "one 1 0 1", "one 1 0 1/2"), (ROUNDED, "range 1 1", "infeas"), (ROUNDED, "d3 L 1 OBJ", "d3 L 0 OBJ"),
                (ROUNDED, "2 1/2 }", "3 1/2 }"), (BRANCHED, "d9 L 1 OBJ { uns 6 3 8 4 } -1\n", ""),
                (BRANCHED, "d4 G 1 1 0 1", "d4 G 2 1 0 1"), (BRANCHED, "uns 6 3 8 4", "uns 6 3 6 4"),
                (BRANCHED, "uns 6 3 8 4", "uns 6 3 5 4"), (BRANCHED, "d4 G 1 1 0 1", "d4 G 1 1 1 1"),
                (BRANCHED, "rnd 2 2 1/2 0 -1", "rnd 2 2 1/2 0 1"), (ROUNDED, "2 0 1 1 1", "2 0 1 0 1")):
            with self.subTest(before=before, after=after):
                self.assertIn(before, text)
                broken = text.replace(before, after).replace("DER 7", "DER 6" if not after else "DER 7")
                self.assertRaises(vipr.Wrong, vipr.check, broken)

    def test_models_with_known_optima(self):
        for name, (status, optimum) in optima().items():
            if name in LONG:
                continue
            with self.subTest(name):
                run, text = self.solve(MODELS / (name if "." in name else name + ".mps"))
                answer = json.loads(run.stdout)
                if status == "=unb=":
                    self.assertEqual((run.returncode, text), (3, None))
                    self.assertIn("nothing is proven", run.stderr)
                    continue
                self.assertEqual(run.returncode, 3 if status == "=inf=" else 0, run.stderr)
                self.holds(text, answer)
                if optimum is not None:
                    self.assertAlmostEqual(answer["objective"], optimum, delta=1e-6 * abs(optimum))

    def test_random_models(self):
        draw, seen = random.Random(5), {}
        for _ in range(RANDOM_MODELS):
            model = random_model(draw)
            path = self.folder / "m.lp"
            path.write_text(model)
            with self.subTest(model=model):
                run, text = self.solve(path)
                answer = json.loads(run.stdout)
                plain = json.loads(subprocess.run([samples.PROGRAM, "mip", "--json", str(path)], capture_output=True,
                                                  text=True, check=False).stdout)
                self.assertEqual(answer["status"], plain["status"])
                seen[answer["status"]] = seen.get(answer["status"], 0) + 1
                if answer["status"] == "unbounded":
                    self.assertIsNone(text)
                    continue
                self.assertIsNotNone(text, run.stderr)
                c = self.holds(text, answer)
                if answer["status"] == "optimal":
                    self.assertAlmostEqual(answer["objective"], plain["objective"], delta=1e-6)
                    self.assertIsNotNone(c.largest if c.goal == "min" else c.least)
        self.assertGreaterEqual(seen.get("optimal", 0), RANDOM_MODELS // 4)
        self.assertGreaterEqual(seen.get("infeasible", 0), 3)

    def test_mutants(self):
        """What is accepted of certificates that were tampered with is true all the same."""
        draw, rejected = random.Random(7), 0
        for name in ("generalint.mps", "market.lp", "stein9.mps", "jeroslow9.mps"):
            run, text = self.solve(MODELS / name)
            answer = json.loads(run.stdout)
            offset = offset_of(text)
            for _ in range(MUTANTS):
                broken = mutant(draw, text)
                try:
                    c = vipr.check(broken)
                except vipr.Wrong:
                    rejected += 1
                    continue
                with self.subTest(broken):
                    self.assertEqual(c.claim == "infeas", answer["status"] == "infeasible")
                    if c.claim == "range":
                        optimum = Fraction(answer["objective"]) - offset
                        self.assertTrue(c.least is None or c.least <= optimum)
                        self.assertTrue(c.largest is None or c.largest >= optimum)
        self.assertGreaterEqual(rejected, 2 * MUTANTS)

    def test_what_is_not_proven_is_not_written(self):
        run, text = self.solve(MODELS / "stein27.mps", "--node-limit=20")
        self.assertEqual((run.returncode, text), (4, None))
        self.assertIn("nothing is proven", run.stderr)
        for path, word in (("-", "name of a file"), ("/nonexistent/c.vipr", "/nonexistent/c.vipr")):
            run = subprocess.run([samples.PROGRAM, "mip", f"--certificate={path}", str(MODELS / "stein9.mps")],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 2)
            self.assertIn(word, run.stderr)


if __name__ == "__main__":
    unittest.main()
