"""Cases of tensors that are kept or away: both checkers refuse what is nearly right, and say why."""

import json
import tempfile
import unittest

import samples


def chain():
    """Node 1 is the outer and node 2 the inner one of two equal tensors, which 4 and 3 read."""
    node = {"inputs": [0], "bytes": 1, "seconds": 1, "joules": 1, "pagein_joules": 2, "pageout_joules": 3,
            "pagein_seconds": 1, "pageout_seconds": 1}
    return [{**node, "inputs": [], "pin": "keep"}, dict(node), dict(node),
            {**node, "inputs": [2], "pin": "no-recompute"}, {**node, "inputs": [0, 1], "pin": "no-recompute"}]


class Cases(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(tempfile.TemporaryDirectory())
        self.text = (samples.ROOT / "tests/data/certificates/away.cert").read_text()
        head, *self.parts = self.text.split("next\n")
        start = head.index("timeline")
        self.head, self.parts[:0] = head[:start], [head[start:]]

    def refused(self, text, why=""):
        """Both checkers say that it is wrong, and why."""
        status, fault = samples.judge(text.encode(), self.folder)
        self.assertIsNone(fault)
        self.assertEqual(status, 1, text)
        path = samples.pathlib.Path(self.folder, "mutant")
        path.write_text(text)
        for said in (samples.first_verdict(path)[1], samples.second_verdict(text.encode())[1]):
            self.assertIn(why, said)

    def joined(self, parts):
        return self.head + "next\n".join(parts)

    def with_part(self, k, part):
        return self.joined([*self.parts[:k], part, *self.parts[k + 1:]])

    def test_every_case_is_needed(self):
        self.assertEqual(self.joined(self.parts), self.text)
        for k in range(4):
            with self.subTest(k):
                self.refused(self.joined(self.parts[:k] + self.parts[k + 1:]))
                self.refused(self.with_part(k, ""), "is not complete")
        self.refused(self.joined(self.parts[:-1]) + "end\n", "the case with node 1 away is missing")
        self.refused(self.text.replace("end\n", "next\nend\n"), "there is no first case")

    def test_the_proof_of_another_case(self):
        """That node 1, or 2, is not away proves nothing where it is kept, nor a contradiction there where it is away."""
        for k in range(4):
            for other in range(5):
                part = self.parts[other].removesuffix("end\n")
                if k != other and (k, other) != (2, 1):
                    with self.subTest(k=k, other=other):
                        self.refused(self.with_part(k, part), "" if other else "not kept")

    def test_other_tensors(self):
        for line, other, why in (
                ("keep 2\n", "keep 4\n", ""), ("keep 5\n", "keep 7\n", "not kept"), ("keep 5\n", "", "not kept"),
                ("nested 1 3\n", "nested 1 5\n", "nested tensors"), ("nested 1 3\n", "nested 3 1\n", "an earlier tensor"),
                ("nested 1 3\n", "", "not kept"), ("keep 2\nnested 1 3\n", "nested 1 3\nkeep 2\n", "computed again"),
                ("away 1 2 3 5 6\n", "away 1 2 3 5 6 7\n", "a node that is not kept may be computed again"),
                ("away\nleaf 0 9", "away\neliminate 9", "on a timeline of no case"),
                ("timeline 1 6 away\nleaf 0 1 at", "timeline 1 6\nleaf 0 1 at", "no")):
            with self.subTest(line=line, other=other):
                self.assertIn(line, self.text)
                self.refused(self.text.replace(line, other), why)

    def test_a_bound_that_is_too_high(self):
        """Of a case; with a dearer schedule of the whole."""
        for k in range(1, 5):
            lines = self.parts[k].split("\n")
            for j, line in enumerate(lines):
                if line.startswith("0x"):
                    word, rest = line.split(" ", 1)
                    lines[j] = f"{(float.fromhex(word) * (1 - 2**-20 if k == 4 else 0.25)).hex()} {rest}"
            with self.subTest(k):
                self.refused(self.with_part(k, "\n".join(lines)))
        dearer = self.text.replace('[8,8]],\n"S"', '[8,8],[8,1]],\n"S"')
        self.assertEqual(samples.judge(dearer.encode(), self.folder), (0, None))
        bound = "bound 0x1.7ffffffcc5b79p-1"
        self.refused(dearer.replace(bound, "bound 0x1.9p-1"))
        self.refused(dearer.replace(bound, "bound 2"), "the bound is above")

    def test_conditions_of_nested_tensors(self):
        def pair(steps, change=lambda nodes: None, trust="exchanges"):
            nodes = chain()
            change(nodes)
            kept = [[t, i] for t in range(5) for i in range(t)]
            problem = {"graph": {"name": "five", "nodes": nodes}, "ram_budget_bytes": 9,
                       "R": [[k, k] for k in range(5)], "S": kept, "A": [], "In": [], "Out": []}
            return "\n".join(["poetbnb certificate 2", json.dumps(problem), f"trust {trust}", "infeasible", "scale 1",
                              *steps, "end\n"])

        def change(k, key, value):
            return lambda nodes: nodes[k].update({key: value})

        steps, open_case = ["keep 1", "nested 1 2"], "is not complete"
        self.refused(pair(steps), open_case)
        self.refused(pair(["keep 2", "timeline 1 2 away 2"]), open_case)
        for k, key, value, why in (
                (2, "bytes", 2, "their sizes, costs, times and pins differ"), (1, "joules", 2, "costs"),
                (1, "seconds", 2, "times"), (1, "pagein_joules", 1, "costs"), (1, "pageout_joules", 1, "costs"),
                (2, "pagein_seconds", 2, "times"), (2, "pageout_seconds", 2, "times"), (2, "pin", "no-page", "pins"),
                (1, "workspace_bytes", 1, "the outer one has a workspace"),
                (3, "inputs", [1, 2], "read before the last use of the inner one"),
                (4, "inputs", [0], "is not read after the inner one"),
                (3, "pin", "no-page", "a node that reads one of them may be computed again"),
                (4, "pin", "no-page", "may be computed again"),
                (0, "pin", "no-page", "an input of the outer one may be away at its next use"),
                (0, "pin", "no-recompute", "an input of the outer one may be away at its next use"),
                (4, "inputs", [1], "an input of the outer one may be away at its next use")):
            with self.subTest(k=k, key=key):
                self.refused(pair(steps, change(k, key, value)), why)
        self.refused(pair(["keep 3", *steps], change(3, "pin", "no-page")), open_case)
        self.refused(pair(["keep 0", *steps], change(0, "pin", "no-page")), open_case)
        self.refused(pair(["nested 1 2"]), "neither is the outer tensor kept nor the inner one away")
        self.refused(pair(["keep 1", "nested 2 1"]), "an earlier tensor and a later one are expected")
        self.refused(pair(steps, trust="rules"), "with exchanges")


if __name__ == "__main__":
    unittest.main()
