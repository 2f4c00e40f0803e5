"""What a page shows of the output of commands: compared, or written into the page.

A line "..." stands for any lines. All other text is compared, but for seconds that depend on the machine:
one token in each of MASKS, the figures of SECONDS_ROW. With PAGES=write in the environment, what the page shows is replaced by what the
commands print, in place of the comparison."""

import os
import re

WRITE = os.environ.get("PAGES") == "write"
MASKS = (
    re.compile(r"(?<=the first schedule after )\d+\.\d\d(?= s$)"),
    re.compile(r"(?<= cuts, )\d+\.\d\d(?= s$)"),  # the line Work
)
SECONDS_ROW = "| processor seconds |"  # of a table of `make lab`: its figures
TOOK = re.compile(r"(?<= )\d+\.\d\d$")  # the last column of a table of `compare`


def tokens(line, took):
    """The words of a line, with the masked ones as N."""
    for mask in MASKS + ((TOOK,) if took else ()):
        line = mask.sub("N", line)
    if line.startswith(SECONDS_ROW):
        line = re.sub(r"(?<= )\d+(\.\d+)?(?= )", "N", line)
    return " ".join(line.split())


def lines_of(lines):
    took = False
    for line in lines:
        yield tokens(line, took)
        took = took or line.rstrip().endswith(" took s")


def is_shown(shown, said):
    """Returns whether the lines `said` are those that a page shows."""
    pattern = "".join("(?:.*\n)*" if line == "..." else re.escape(line + "\n") for line in lines_of(shown))
    return re.fullmatch(pattern, "".join(line + "\n" for line in lines_of(said))) is not None


def label(line):
    """The words before the first figure, by which a line of an output is found again."""
    return " ".join(re.split(r"\d", line)[0].split()[:3])


def keep_masked(old, new, took):
    """The new line with the masked tokens of the old one."""
    if old.startswith(SECONDS_ROW):
        return old
    for mask in MASKS + ((TOOK,) if took else ()):
        kept = mask.search(old)
        if kept:
            new = mask.sub(kept[0].replace("\\", r"\\"), new)
    return new


def fresh(shown, said):
    """Returns the lines that the page has to show: those of `said` between the same lines "..."."""
    rest = [line.strip() for line in shown].count("...")
    found, next_line, took = [], 0, any(line.rstrip().endswith(" took s") for line in shown)
    if not rest and len(shown) != len(said):
        return said
    for line in shown:
        if line.strip() == "...":
            found.append(line)
            continue
        k = next(k for k in range(next_line, len(said)) if not rest or label(said[k]) == label(line))
        found.append(keep_masked(line, said[k], took))
        next_line = k + 1
    return found


def compare(test, page, shown, said, what, indent="    "):
    """Fails `test` unless `page` (a path) is right in showing the lines `shown` of the lines `said`, or
    writes the page."""
    if is_shown(shown, said):
        return
    if not WRITE:
        said = "\n".join(said)
        test.fail(f"{page.name} shows other lines of {what} (PAGES=write writes them):\n{said}")
    text, old = page.read_text(), "".join(f"{indent}{line}\n" for line in shown)
    test.assertEqual(text.count(old), 1, f"{page.name}: {what}: the lines are not unique")
    page.write_text(text.replace(old, "".join(f"{indent}{line}".rstrip() + "\n" for line in fresh(shown, said))))
