"""Cuts by mixed-integer rounding of a sum of rows: steps 1 to 4 of certificate/FORMAT.md."""

from fractions import Fraction

from verifier.model import KINDS, Sum
from verifier.problem import Wrong


INTEGERS = (*KINDS, "T")


class Line:
    """A column, or equal ones as one, and the side from which it is counted: "", "up" or "off"; a total's
    origin is a value that it is not below, or above."""

    def __init__(self, coefficient, columns, side, origin=None):
        self.coefficient, self.columns, self.side, self.origin = coefficient, columns, side, origin
        self.a = self.d = Fraction(0)  # in the sum of the rows, and in what follows from it


class Summand:
    """Y times a row; H is the coefficient of its slack in the cut, or less."""

    def __init__(self, y, h, row, equality=False):
        self.y, self.h, self.row, self.equality = y, h, row, equality


def origin(node, line):
    """From where it is counted."""
    column = line.columns[0]
    if column[0] == "T":
        low, high = node.span(column)
        if line.origin < high if line.side == "up" else line.origin > low:
            raise Wrong("a total is not counted from a bound that it has")
        return line.origin
    return 0 if line.side != "up" else node.model.budget if column[0] == "L" else 1


def best(node, column, a):
    """The least that a times the column can be, as rounding takes it."""
    if column[0] == "T":
        return min(a * value for value in node.span(column))
    return 0 if known_zero(node, column) else min(0, a * (node.model.budget if column[0] == "L" else 1))


def known_zero(node, column):
    if column[0] == "L":
        return False
    if column[0] == "T":
        return node.span(column)[1] == 0
    return node.get(column) == 0 if column[0] in KINDS else node.most(column) == 0


def most_of(node, column, d):
    """The most that d times the column can be."""
    if column[0] == "L":
        return max(0, d) * node.model.budget
    if column[0] == "T":
        return max(d * value for value in node.span(column))
    if column[0] not in KINDS:
        return max(0, d) * node.most(column)
    value = node.get(column)
    return d * value if value is not None else max(0, d)


def whole_slack(node, row):
    """Whether rhs - row x is an integer."""
    return Fraction(row.constant).denominator == 1 and all(
        column[0] in INTEGERS and Fraction(value).denominator == 1
        for column, value in row.terms.items() if value and not known_zero(node, column))


def collected(node, lines, summands):
    """Every column that occurs has a line: its own, or one with no coefficient that is `off'."""
    where = {}
    for line in lines:
        for column in line.columns:
            if column in where:
                raise Wrong("a column is in two lines")
            if column[0] in KINDS and node.find(column) != node.find(line.columns[0]):
                raise Wrong("cells of a line are not known to be equal")
            where[column] = line
    for summand in summands:
        for column in summand.row.terms:
            if column not in where:
                where[column] = Line(0, [column], "off")
    return where


def least_side(node, divisor, summands, lines):
    """The least right side that the cut can have; node is node 0."""
    where = collected(node, lines, summands)
    every = list({id(line): line for line in where.values()}.values())
    b = Fraction(0)
    for s in summands:
        b -= s.y * s.row.constant
        for column, value in s.row.terms.items():
            where[column].a += s.y * value
    for line in every:
        b -= best(node, line.columns[0], line.a) if line.side == "off" else line.a * origin(node, line)
    whole, r0 = divmod(b, divisor)
    scale = divisor - r0

    def integral(a):
        q, r = divmod(a, divisor)
        return q * scale + max(0, r - r0)

    e = whole * scale
    for line in every:
        if line.side == "off":
            continue
        sign = -1 if line.side == "up" else 1
        g = integral(sign * line.a) if line.columns[0][0] in INTEGERS else min(0, sign * line.a)
        line.d += sign * g
        e += sign * g * origin(node, line)
    for s in summands:
        kh = scale * s.h
        granted = kh == 0 if s.equality else kh <= min(0, s.y) or (
            whole_slack(node, s.row) and kh <= integral(s.y))
        if not granted:
            raise Wrong("the coefficient of a slack is too large")
        e += kh * s.row.constant
        for column, value in s.row.terms.items():
            where[column].d -= kh * value
    e += sum(most_of(node, line.columns[0], scale * line.coefficient - line.d) for line in every)
    return e / scale


def rounded(node, divisor, rhs, summands, lines):
    """The cut as a row."""
    if rhs < least_side(node, divisor, summands, lines):
        raise Wrong("the cut does not follow by rounding")
    return Sum(((line.columns[0], line.coefficient) for line in lines), -rhs)
