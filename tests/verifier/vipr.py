"""A checker of certificates in the format VIPR 1.0, in exact arithmetic, after the format's public description."""

from fractions import Fraction


class Wrong(Exception):
    pass


def need(condition, why):
    if not condition:
        raise Wrong(why)


class Words:
    def __init__(self, text):
        lines = text.split("\n")
        while lines and lines[0].startswith("%"):
            lines.pop(0)
        self.words = " ".join(lines).split()
        self.at = 0

    def next(self):
        need(self.at < len(self.words), "the file is cut off")
        self.at += 1
        return self.words[self.at - 1]

    def expect(self, *words):
        for word in words:
            found = self.next()
            need(found == word, f"{word} expected, {found} found")

    def index(self, most):
        """An integer from 0 to most - 1."""
        word = self.next()
        need(word.isdecimal() and int(word) < most, f"an index below {most} expected, {word} found")
        return int(word)

    def count(self):
        return self.index(1 << 60)

    def value(self):
        word = self.next()
        try:
            return Fraction(word)
        except (ValueError, ZeroDivisionError):
            raise Wrong(f"a number expected, {word} found") from None

    def sparse(self, most):
        """{index: value}, the indices distinct."""
        entries = {}
        for _ in range(self.count()):
            at = self.index(most)
            need(at not in entries, f"{at} comes twice")
            entries[at] = self.value()
        return entries


class Constraint:
    """coefficients x SENSE side, under the assumptions (indices of constraints)."""

    def __init__(self, sense, side, coefficients, assumptions=frozenset()):
        self.sense, self.side, self.assumptions = sense, side, assumptions
        self.coefficients = {i: a for i, a in coefficients.items() if a != 0}

    def is_absurd(self):
        return not self.coefficients and {"G": self.side > 0, "L": self.side < 0, "E": self.side != 0}[self.sense]

    def dominates(self, other):
        if self.is_absurd():
            return True
        if self.coefficients != other.coefficients:
            return False
        if other.sense == "E":
            return self.sense == "E" and self.side == other.side
        if self.sense not in (other.sense, "E"):
            return False
        return self.side >= other.side if other.sense == "G" else self.side <= other.side


SIGN = {"G": 1, "E": 0, "L": -1}


def combine(constraints, weights):
    signs = {weight * SIGN[constraints[i].sense] for i, weight in weights.items()}
    need(not (min(signs, default=0) < 0 < max(signs, default=0)), "a sum of constraints that point both ways")
    sense = "G" if max(signs, default=0) > 0 else "L" if min(signs, default=0) < 0 else "E"
    total, side = {}, Fraction(0)
    for i, weight in weights.items():
        side += weight * constraints[i].side
        for j, a in constraints[i].coefficients.items():
            total[j] = total.get(j, 0) + weight * a
    assumptions = frozenset().union(*(constraints[i].assumptions for i in weights))
    return Constraint(sense, side, total, assumptions)


def is_whole(constraint, integers):
    return all(j in integers and a.denominator == 1 for j, a in constraint.coefficients.items())


def rounded(constraint, integers):
    need(constraint.sense != "E" and is_whole(constraint, integers), "a sum that cannot be rounded")
    side = constraint.side
    side = Fraction(side.__ceil__() if constraint.sense == "G" else side.__floor__())
    return Constraint(constraint.sense, side, constraint.coefficients, constraint.assumptions)


def are_alternatives(one, other, integers):
    """One is a x <= b, the other a x >= b + 1, in any order, and a x is an integer as b is."""
    low, high = (one, other) if one.sense == "L" else (other, one)
    return (low.sense == "L" and high.sense == "G" and low.coefficients == high.coefficients and
            is_whole(low, integers) and low.side.denominator == 1 and high.side == low.side + 1)


class Certificate:
    def __init__(self, text):
        w = self.words = Words(text)
        w.expect("VER", "1.0", "VAR")
        self.names = [w.next() for _ in range(w.count())]
        self.columns = len(self.names)
        w.expect("INT")
        self.integers = {w.index(self.columns) for _ in range(w.count())}
        w.expect("OBJ")
        self.goal = w.next()
        need(self.goal in ("min", "max"), "min or max expected")
        self.objective = {i: c for i, c in w.sparse(self.columns).items() if c != 0}
        w.expect("CON")
        count, bounds = w.count(), w.count()
        self.constraints = [self.constraint() for _ in range(count)]
        need(all(len(c.coefficients) == 1 for c in self.constraints[:bounds]), "a bound of several columns")
        w.expect("RTP")
        self.claim = w.next()
        need(self.claim in ("infeas", "range"), "infeas or range expected")
        self.least = self.largest = None
        if self.claim == "range":
            self.least, self.largest = self.limit("-inf"), self.limit("inf")
        w.expect("SOL")
        self.check_solutions(w.count())
        w.expect("DER")
        self.check_derivations(w.count())
        need(w.at == len(w.words), "something behind the end")

    def limit(self, none):
        if self.words.words[self.words.at:self.words.at + 1] == [none]:
            self.words.next()
            return None
        return self.words.value()

    def constraint(self):
        w = self.words
        w.next()  # its name
        sense = w.next()
        need(sense in SIGN, "a sense expected")
        side = w.value()
        if w.words[w.at:w.at + 1] == ["OBJ"]:
            w.next()
            return Constraint(sense, side, self.objective)
        return Constraint(sense, side, w.sparse(self.columns))

    def check_solutions(self, count):
        best = None
        for _ in range(count):
            self.words.next()  # its name
            x = self.words.sparse(self.columns)
            need(self.claim == "range", "a solution of what has none")
            need(all(v.denominator == 1 for j, v in x.items() if j in self.integers), "not integral")
            for c in self.constraints:
                value = sum(a * x.get(j, 0) for j, a in c.coefficients.items())
                need({"G": value >= c.side, "L": value <= c.side, "E": value == c.side}[c.sense], "not feasible")
            value = sum(c * x.get(j, 0) for j, c in self.objective.items())
            if best is None or (value < best) == (self.goal == "min"):
                best = value
        if self.goal == "min" and self.largest is not None:
            need(best is not None and best <= self.largest, "no solution is as good as claimed")
        if self.goal == "max" and self.least is not None:
            need(best is not None and best >= self.least, "no solution is as good as claimed")

    def check_derivations(self, count):
        first = len(self.constraints)
        for _ in range(count):
            self.derive()
        last = self.constraints[-1] if count else None
        need(last is None or not last.assumptions, "the last constraint rests on assumptions")
        if self.claim == "infeas":
            need(last is not None and last.is_absurd(), "the last constraint is not absurd")
            return
        wanted = self.least if self.goal == "min" else self.largest
        if wanted is not None:
            goal = Constraint("G" if self.goal == "min" else "L", wanted, self.objective)
            need(len(self.constraints) > first and last.dominates(goal), "the last constraint is not the bound")

    def derive(self):
        w, at, known = self.words, len(self.constraints), self.constraints
        c = self.constraint()
        w.expect("{")
        reason = w.next()
        if reason == "asm":
            c.assumptions = frozenset([at])
        elif reason in ("lin", "rnd"):
            found = combine(known, w.sparse(at))
            if reason == "rnd":
                found = rounded(found, self.integers)
            need(found.dominates(c), f"constraint {at} does not follow")
            c.assumptions = found.assumptions
        elif reason == "uns":
            one, low, other, high = (w.index(at) for _ in range(4))
            need(known[one].dominates(c) and known[other].dominates(c), f"constraint {at} does not follow")
            need(are_alternatives(known[low], known[high], self.integers), "what is assumed is not all there is")
            c.assumptions = (known[one].assumptions - {low}) | (known[other].assumptions - {high})
        else:
            raise Wrong(f"{reason} is no reason")
        w.expect("}")
        w.next()  # the last constraint that names this one, or -1
        known.append(c)


def check(text):
    """The certificate, which holds; else Wrong."""
    return Certificate(text)
