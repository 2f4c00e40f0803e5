"""Linear functions."""


class Sum:
    """A linear function of columns: coefficients, and a constant."""

    def __init__(self, terms=(), constant=0):
        self.terms, self.constant = dict(terms), constant

    def plus(self, other, times):
        """Adds to this one."""
        for column, value in other.terms.items():
            self.terms[column] = self.terms.get(column, 0) + times * value
        self.constant += times * other.constant
        return self

    def __add__(self, other):
        return self.__radd__(0).plus(other if isinstance(other, Sum) else Sum((), other), 1)

    def __radd__(self, zero):
        return Sum(self.terms, self.constant + zero)

    def __sub__(self, other):
        return self + -1 * other

    def __rmul__(self, times):
        return Sum().plus(self, times)
