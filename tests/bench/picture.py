"""What gnuplot has drawn, read from its SVG, and the styles of plots/style.gp."""

import collections
import re
import xml.etree.ElementTree as xml

from support import ROOT

SVG = "{http://www.w3.org/2000/svg}"
LINK = "{http://www.w3.org/1999/xlink}href"
STYLE = (ROOT / "plots" / "style.gp").read_text()
LETTER = 0.55  # width of a letter of a sans serif, in its height


class Picture:
    """An SVG of gnuplot's: its texts with their boxes; of what is plotted the places of marks by (shape, colour), and
    lines by colour. panels: how many."""

    def __init__(self, path):
        root = xml.parse(path).getroot()
        self.width, self.height = map(float, root.get("viewBox").split()[2:])
        self.texts, self.lines, self.panels = [], collections.defaultdict(list), set()
        self.places = collections.defaultdict(list)
        self._walk(root, None, None)
        self.panels = len(self.panels)
        self.marks = collections.Counter({mark: len(places) for mark, places in self.places.items()})

    def _walk(self, element, title, place):
        if element.tag == f"{SVG}defs":
            return
        if element.get("id", "").startswith("gnuplot_plot_"):
            title = element.find(f"{SVG}title").text
            self.panels.add(element.get("id")[-1])
        if element.tag == f"{SVG}g" and element.get("transform"):
            place = element
        words = (element.text or "").strip()
        if element.tag == f"{SVG}text" and words:
            self.texts.append((words, *box(place, words)))
        if element.tag == f"{SVG}use" and title:
            at = re.search(r"translate\(([-\d.]+),([-\d.]+)\)", element.get("transform")).groups()
            self.places[element.get(LINK)[1:], colour(element.get("color"))].append(tuple(map(float, at)))
        if element.tag in (f"{SVG}path", f"{SVG}polygon") and title:
            self.lines[colour(element.get("stroke") or element.get("fill"))].append(
                corners(element.get("d") or element.get("points")))
        for child in element:
            self._walk(child, title, place)

    def words(self):
        return [words for words, *_ in self.texts]

    def legend(self, among):
        """Texts that are among the names of series, in their order."""
        return [words for words in self.words() if words in among]

    def series(self):
        """Marks by what the legend has."""
        return {name: self.marks[MARK[name]] for name in self.legend(MARK)}


def colour(text):
    """#rrggbb, or what is there."""
    parts = re.findall(r"\d+", text or "")
    return "#" + "".join(f"{int(p):02x}" for p in parts) if len(parts) == 3 else text


def corners(path):
    return [(float(x), float(y)) for x, y in re.findall(r"([-\d.]+),([-\d.]+)", path)]


def box(place, words):
    """Left, right, top and bottom of a text, about."""
    x, y = map(float, re.search(r"translate\(([-\d.]+),([-\d.]+)\)", place.get("transform")).groups())
    size = float(place.get("font-size"))
    long = LETTER * size * len(words)
    start = {"start": 0, "middle": -0.5, "end": -1}[place.get("text-anchor")] * long
    if "rotate" in place.get("transform"):
        return x - 0.8 * size, x + 0.2 * size, y - start - long, y - start
    return x + start, x + start + long, y - 0.8 * size, y + 0.2 * size


SERIES = re.findall(r"(?m)^series\[\d+\] = '([^']*)'", STYLE)


STYLES = {int(k): rest for k, rest in re.findall(r"set style line (\d+) linecolor rgb (.*)", STYLE)}
COLOURS = {name: value.replace("0x", "#").strip("'") for name, value in
           re.findall(r"^(\w+) = (?:dark \? \S+ : )?('#\w+'|0x\w+)$", STYLE, re.MULTILINE)}
MARK = {name: (f"gpPt{int(re.search('pointtype (.?[0-9]+)', STYLES[k])[1]) - 1}", COLOURS[STYLES[k].split()[0]])
        for k, name in enumerate(SERIES, 1)}
INK = COLOURS["ink"]
PAGING = [("gpPt10", COLOURS["blue"]), ("gpPt8", COLOURS["blue"])]  # out, in
