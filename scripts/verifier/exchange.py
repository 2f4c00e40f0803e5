"""Why an optimum may be assumed to obey the rows of canonical schedules: certificate/FORMAT.md, "Exchanges"."""

import itertools
from collections import namedtuple

# A tensor in two stages. Cells of the first and second, S of the third; stored: paged out before the first; last:
# the last user computed in the stage (0: none). Users are numbers from 1, the tensor itself is 0 at its event.
State = namedtuple("State", "S R In Out stored last")
# What they depend on: for each stage the number of its node, whether it is the tensor's own, the one after that,
# there at all, the last of all, and has the tensor for an input; then the users' numbers, and the option.
Frame = namedtuple("Frame", "node own after there final uses users charge")
FAULTS = range(1, 12)
KNOWN = (1, 2, 3, 4, 5, 7)  # faults that can be seen in a stage alone
BOTH = (0, 1)


def idle(x, b):
    return not x.last[b] and not x.S[b + 1]


def count(f, x, b, k):
    """Copies at the event of node k of the stage."""
    if not f.own[b] and idle(x, b) and not (x.Out[b] and f.after[b]):
        return 0
    released = 0 < x.last[b] < k and not x.S[b + 1]
    return x.S[b] + (f.charge and x.In[b]) + (x.R[b] and k >= 0) - released


def obeys(f, x):
    """The rules."""
    for b in BOTH:
        cells = x.S[b], x.In[b], x.Out[b], x.last[b]
        if not f.there[b]:
            if any(cells) or x.R[b] or x.S[b + 1]:
                return False
            continue
        if f.own[b] and (not x.R[b] or any(cells)):
            return False
        stored = x.stored or b and x.Out[0]
        present = x.S[b] or x.R[b]
        if (x.S[b + 1] and not (present or x.In[b]) or x.In[b] and not stored or x.Out[b] and not x.S[b] or
                x.last[b] and not present or f.uses[b] and x.last[b] != f.node[b] or f.final[b] and x.S[b + 1]):
            return False
    return True


def has(f, x, fault, b):
    """The fault in stage b."""
    if f.own[b] or not f.there[b]:
        return False
    S, R, In, Out = x.S[b], x.R[b], x.In[b], x.Out[b]
    return {1: R and idle(x, b), 2: R and S, 3: In and (S or R), 4: In and not x.S[b + 1],
            5: Out and (x.stored or b and x.Out[0]), 6: Out and not b and not x.In[1],
            7: S and idle(x, b) and not Out, 8: In and not b and not x.last[1],
            9: b and Out and not f.after[1] and not x.R[0],
            10: b and Out and not f.after[1] and (x.S[0] or not f.after[0]),
            11: not b and R and not x.last[0] and f.there[1] and not x.Out[1]}[fault]


def without(x, name, b, value=False):
    cells = list(getattr(x, name))
    cells[b] = value
    return x._replace(**{name: tuple(cells)})


def change(f, x, fault):
    if fault in (1, 2):
        return without(x, "R", 0)
    if fault in (3, 4):
        return without(x, "In", 0)
    if fault in (5, 6):
        return without(x, "Out", 0)
    if fault == 7:
        return without(x, "S", 1)
    if fault in (9, 10):
        y = without(x, "Out", 1)
        return without(y, "Out", 0, True) if fault == 9 or f.after[0] else y._replace(stored=True)
    name = "In" if fault == 8 else "R"
    return without(without(without(x, name, 0), "S", 1), name, 1, True)


def no_more(f, x, y, gone=None):
    """At no event that is left does more count."""
    return all(y.S[b] <= x.S[b] and count(f, y, b, k) <= count(f, x, b, k)
               for b in BOTH if f.there[b] for k in events(f, b) if b or k != gone)


def events(f, b):
    """Those of users, and ones between them."""
    return [k + half for k in range(-1, int(f.node[b]) + 1) for half in (0, 0.5) if k + half <= f.node[b]]


def makes_room(f, x, y, i):
    """The new event of i in the second stage has no more than the next one had."""
    return all(count(f, y, 1, i) <= count(f, x, 1, k) for k in events(f, 1) if k > i and not i < x.last[1] < k)


def less(x, y, elsewhere):
    """y comes before x; elsewhere: one page-out more in an earlier stage."""
    more = [sum(getattr(y, kind)) - sum(getattr(x, kind)) for kind in ("R", "In", "Out", "S")]
    more[2] += elsewhere
    return max(more[:3]) <= 0 and (sum(more[:3]) < 0 or more[3] < 0 or
                                   more[3] == 0 and (elsewhere or y.Out[1] < x.Out[1]))


def helps(f, x, fault):
    y = change(f, x, fault)
    elsewhere = fault == 10 and not f.after[0]
    if elsewhere and x.stored or not obeys(f, y) or not no_more(f, x, y) or not less(x, y, elsewhere):
        return False
    if fault != 6 and (x.stored or any(x.Out)) and not (y.stored or any(y.Out)):
        return False
    return fault != 11 or makes_room(f, x, y, 0)


def input_fits(f, x, i, late):
    """i, which is computed in the first stage, is not any more; late: but in the second."""
    if x.last[0] < i or late and (not x.S[1] or x.Out[1] or 0 < x.last[1] <= i):
        return True
    second = max(x.last[1], i) if late else x.last[1]
    changed = [x._replace(last=(first, second)) for first in (range(i) if x.last[0] == i else [x.last[0]])]
    return all(obeys(f, y) and no_more(f, x, y, i) and (not late or makes_room(f, x, y, i)) for y in changed)


def weightless_fits(f, x):
    """What takes no memory is kept to its last use, and has no action."""
    if f.own[1]:
        return True
    for later in (False, True)[:1 + (f.there[1] and not f.final[1])]:
        third = later
        second = f.there[1] and (later or bool(x.last[1]))
        first = not f.own[0] and (second or bool(x.last[0]))
        if not obeys(f, State((first, second, third), (f.own[0], False), (False, False), (False, False), x.stored,
                              x.last)):
            return False
    return True


def follows(f, x):
    """What is said of a tensor that has no fault, for both origins that its copy may have."""
    return all(origin_follows(f, x, paged) for paged in (False, True)[:1 + (x.S[0] and x.stored)])


def origin_follows(f, x, paged):
    S, R, In, Out = x.S[0], x.R[0], x.In[0], x.Out[0]
    own, used, kept = f.own[0], bool(x.last[0]), x.S[1]
    C, P = S and not paged, paged
    P1 = kept and (P or In)
    C1 = kept and not P1
    early = not own and not f.after[0] and Out and idle(x, 0)
    rows = [C1 <= (C or R), P1 <= (P or In), P1 <= (x.stored or Out), In <= (x.stored and P1), Out <= C,
            R + In + S <= 1, own or R + S <= used + kept + Out]
    for k in events(f, 0):
        released = early + (0 < x.last[0] < k and not kept)
        live = S + (R and k >= 0) + (f.charge and In) - released
        rows += [live in (0, 1), live == count(f, x, 0, k), k <= 0 or (k <= x.last[0]) + released <= S + R]
    released = early + (0 < x.last[0] < f.node[0] and not kept)
    rows += [released + kept <= S + R + (In and not f.final[0]), released <= S + R, released + kept <= 1]
    if own:
        return all(rows)
    rows += [R <= (used or C1), S <= (used or kept or Out), In <= bool(x.last[1]),
             not x.Out[1] or f.after[1] or x.R[0]]
    if not used and not Out:
        rows += [R or C == C1, In or P == P1]
    return all(rows)


def all_states(f, fault):
    """Those that obey the rules and have none of the faults before."""
    known = [e for e in KNOWN if e < fault]
    pairs = list(itertools.product((False, True), repeat=2))
    for S, R, In, Out in itertools.product(itertools.product((False, True), repeat=3), pairs, pairs, pairs):
        if S[1] > (S[0] or R[0] or In[0]) or S[2] > (S[1] or R[1] or In[1]) or Out[0] > S[0] or Out[1] > S[1]:
            continue
        for stored, a, b in itertools.product((False, True), range(f.users + 1), range(f.users + 1)):
            x = State(S, R, In, Out, stored, (a, b))
            if a <= f.node[0] and b <= f.node[1] and obeys(f, x) and not any(
                    has(f, x, e, stage) for e in known for stage in BOTH) and not (
                        fault > 11 and (has(f, x, 8, 0) or has(f, x, 9, 1))):
                yield x


tried = {}  # a frame and what was tried in it: the number of states, all of them good; of any graph


class Exchanges:
    def __init__(self, model):
        self.model, self.p, self.n = model, model.p, model.n
        self.seen, self.cases, self.rows = set(), 0, 0

    def frame(self, j, t, i=None):
        """Of tensor j in stages t and t+1, and the number of its user i. One user stands for all that lie
        between."""
        early = [k for k in self.p.users[j] if k < t]
        sides = sorted({(k > i) - (k < i) for k in early}) if i is not None else [1] * bool(early)
        node, users, uses = [], len(sides), [t + b in self.p.users[j] for b in BOTH]
        for b in BOTH:
            users += uses[b]
            node.append(users + (0 if uses[b] or t + b == j else 0.25 * (b + 1)))
        f = Frame(tuple(node), (t == j, False), (t == j + 1, t == j), (t < self.n, t + 1 < self.n),
                  (t == self.n - 1, t == self.n - 2), tuple(uses), users, self.p.charge)
        return f, sides.index(0) + 1 if 0 in sides else None

    def holds(self, key, states, good):
        if key not in tried:
            cases = 0
            for cases, x in enumerate(states, 1):
                if not good(x):
                    return False
            tried[key] = cases
        self.cases += 0 if key in self.seen else tried[key]
        self.seen.add(key)
        return True

    def own(self, t, i, fault):
        place = fault in (7, 9, 10)
        f, _ = self.frame(i, t - place)
        good = self.holds((f, fault), all_states(f, fault), lambda x: not has(f, x, fault, place) or helps(f, x, fault))
        if fault == 10 and t == i + 1:  # the page-out of this stage in place of a later one
            f, _ = self.frame(i, t)
            good = good and self.holds((f, "first"), all_states(f, 10), lambda x: (
                not x.S[0] or x.Out[0] or x.stored or self.paged_out(f, x)))
        return good

    @staticmethod
    def paged_out(f, x):
        y = without(x, "Out", 0, True)
        return obeys(f, y) and no_more(f, x, y)

    def inputs(self, t, i, late):
        for j in self.p.inputs[i]:
            f, user = self.frame(j, t, i)
            if not self.holds((f, user, late), all_states(f, 11 if late else 1),
                              lambda x, f=f, user=user: input_fits(f, x, user, late)):
                return False
        return True

    def rest(self, t, i):
        """What the proof says beside the faults."""
        f, _ = self.frame(i, t)
        return self.holds((f, "rest"), all_states(f, 12), lambda x: follows(f, x))

    def weightless(self, t, i):
        f, _ = self.frame(i, t)
        return self.holds((f, "weightless"), all_states(f, 0), lambda x: weightless_fits(f, x)) and (
            self.inputs(t, i, False))

    def fault(self):
        """What does not hold; None: everything does."""
        for i in range(self.n):
            if not self.rest(i, i):
                return f"canonical schedules for node {i}"
            for t in range(i + 1, self.n):
                for name in ("used_r", "used_s", "used_in", "out_first", "one", "late", "stored_in", "out_from"):
                    if not self.says_no_more(name, t, i):
                        return f"row {name} for node {i}, stage {t}"
                if not self.rest(t, i) or not self.model.size[i] and not self.weightless(t, i):
                    return f"canonical schedules for node {i}, stage {t}"
                for fault in FAULTS:
                    if fault == 11 and self.model.workspace[i]:
                        continue
                    if not self.own(t, i, fault) or fault in (1, 2, 11) and not self.inputs(t, i, fault == 11):
                        return f"canonical schedules for node {i}, stage {t}"
            if i + 1 < self.n and not self.says_no_more("out_once", None, i):
                return f"row out_once for node {i}"
        return None

    # ---- rows, which are at most 0

    def says_no_more(self, name, t, i):
        """Wherever one of the cells that make the fault has the other value the row holds."""
        row = self.model.row(name, (i,) if t is None else (t, i))
        if not row:
            return True
        self.rows += 1
        m, users = self.model, self.p.users
        terms = row + m.total(m.S(t, u) + m.R(t, u) + m.In(t, u) - m.S(t + 1, u) for u in self.p.inputs[i]) if (
            name == "late") else row
        if name in ("one", "out_once"):  # two of them make the fault
            return terms.constant <= 0 and all(v + terms.constant <= 0 for v in terms.terms.values())
        begin = {"used_s": [("C", t, i), ("P", t, i)], "used_in": [("In", t, i)], "out_first": [("Out", t, i)],
                 "stored_in": [("In", t, i)], "out_from": [("Out", t, i)]}.get(name, [("R", t, i)])
        others = {"used_r": m.use(t, i) + m.S(t + 1, i), "used_in": m.use(t + 1, i),
                  "used_s": m.use(t, i) + m.S(t + 1, i) + m.Out(t, i)}
        if name == "out_first":
            others[name] = m.R(t - 1, i)
        elif name == "stored_in":
            others[name] = m.P(t + 1, i)
        elif name == "out_from":
            others[name] = m.C(t, i)
        if name == "late":
            others[name] = m.use(t, i) + m.Out(t + 1, i) + m.total(
                m.Out(t + 1, u) + m.total(m.R(t + 1, k) for k in users[u] if k < i) for u in self.p.inputs[i])
        # the most that it can be without these cells, and with them: of C and P one is 1
        most = terms.constant + sum(max(v, 0) for c, v in terms.terms.items() if c not in begin)
        top = most + max(0, *(terms.terms.get(c, 0) for c in begin), 0)
        if others[name].constant > 0:  # a user is computed anyway: the row says nothing
            return top <= 0
        return most <= 0 and all(top + terms.terms.get(c, 0) <= 0 for c in others[name].terms)
