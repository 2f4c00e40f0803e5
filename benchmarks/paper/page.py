"""A page of headings, sentences, tables and pictures in HTML."""

import html
import math

from . import claims
from .store import write as write_file

CSS = """
:root { color-scheme: light dark; --ink: #111; --paper: #fff; --line: #ccc; --faint: #555;
  --link: #0b57d0; --good: #116329; --bad: #a40e26; }
@media (prefers-color-scheme: dark) { :root { --ink: #eee; --paper: #16181c; --line: #3a3d44;
  --faint: #aaa; --link: #8ab4f8; --good: #7ee2a8; --bad: #ff9d9d; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 0 1rem 3rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
a { color: var(--link); }
h1 { font-size: 1.6rem; line-height: 1.25; } h2 { font-size: 1.2rem; margin-top: 2.2rem; }
img { width: 100%; min-width: 40rem; height: auto; display: block; }
figure { margin: 1rem 0; } figcaption, .note, .said { color: var(--faint); font-size: .9rem; }
.said { padding-left: 1.2rem; } .rule { opacity: .8; font-style: italic; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .85rem; }
.wide td, .wide th { overflow-wrap: normal; }
th, td { border: 1px solid var(--line); padding: .25rem .5rem; text-align: left;
  vertical-align: top; }
td.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.short { white-space: nowrap; } td.text { min-width: 9rem; }
.holds { color: var(--good); font-weight: 600; } .fails { color: var(--bad); font-weight: 600; }
"""


def text(value):
    """For readers: four digits, or all before the point, nothing for what is unknown."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if not isinstance(value, (int, float)):
        return str(value)
    whole = float(value).is_integer() and abs(value) < 1e3
    return f"{value:,.0f}" if whole or 1e3 <= abs(value) < 1e7 else f"{value:.4g}"


def kilobytes(value):
    """Bytes in the report's one unit, 1000 of them."""
    return None if value is None or value != value else value / 1e3


class Page:
    def __init__(self, title):
        self.title = title
        self.html = []

    def heading(self, words):
        self.html.append(f"<h2>{html.escape(words)}</h2>")

    def say(self, words, note=False):
        self.html.append(f"<p{' class=note' if note else ''}>{html.escape(words)}</p>")

    def says(self, sentences):
        """Sentences that are computed, each with its rule."""
        if sentences:
            self.html.append("<ul class=said>" + "".join(
                f"<li>{html.escape(s.text)} <span class=rule>Rule: {html.escape(s.rule)}.</span></li>"
                for s in sentences) + "</ul>")

    def table(self, heads, rows, marked=None):
        """rows: lists of cells; marked: the column whose cells are verdicts."""
        out = ["<div class=wide tabindex=0><table><tr>", *(f"<th>{html.escape(h)}</th>" for h in heads), "</tr>"]
        for row in rows:
            out.append("<tr>")
            for k, cell in enumerate(row):
                kind = "number" if isinstance(cell, (int, float)) else \
                    "text" if len(str(cell or "")) > 24 else \
                    "short" if len(str(cell or "")) < 12 else ""
                if k == marked:
                    kind = {claims.HOLDS: "holds", claims.FAILS: "fails"}.get(cell, "")
                out.append(f"<td class='{kind}'>{html.escape(text(cell))}</td>")
            out.append("</tr>")
        self.html.append("".join(out) + "</table></div>")

    def picture(self, name, caption, data):
        """data: CSV files beside the report."""
        links = " · ".join(f"<a href='{html.escape(f)}'>{html.escape(f)}</a>" for f in
                           [f"{name}.pdf", f"{name}.png", *data])
        self.html.append(
            f"<figure><div class=wide tabindex=0><a href='{html.escape(data[0])}'><picture>"
            f"<source srcset='{name}-dark.svg' media='(prefers-color-scheme: dark)'>"
            f"<img src='{name}.svg' alt='{html.escape(caption, quote=True)}'></picture></a></div>"
            f"<figcaption>{html.escape(caption)}<br>{links}</figcaption></figure>")

    def write(self, folder):
        write_file(folder / "report.html", (
            "<!DOCTYPE html><html lang=en><meta charset=utf-8>"
            "<meta name=viewport content='width=device-width, initial-scale=1'>"
            f"<title>{html.escape(self.title)}</title><style>{CSS}</style>"
            f"<h1>{html.escape(self.title)}</h1>" + "\n".join(self.html) + "</html>\n"))
