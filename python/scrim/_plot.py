"""Plots: the drawings of a label's page, each by itself."""

from __future__ import annotations

import os
import re
from html import unescape


class Plot:
    """A drawing as SVG: a notebook shows it, ``save`` writes it. ``title`` says what it shows."""

    def __init__(self, title: str, svg: str):
        self.title = title
        self.svg = svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file.

        - ``path``: the file.
        """
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self.svg)

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return f"<Plot of {self.title}>"


def _styles(page: str) -> dict[str, str]:
    """The style of each class, in the colours of a light page."""
    found = re.search("<style>(.*?)</style>", page, re.S)
    style = "" if found is None else found[1]
    colours: dict[str, str] = {}
    for name, value in re.findall(r"(--\w+):([^;}]+)", style):
        colours.setdefault(name, value)  # those of the dark page come later
    rules = re.findall(r"^(?:svg )?\.(\w+)\{([^}]*)\}", style, re.M)
    return {name: re.sub(r"var\((--\w+)\)", lambda match: colours[match[1]], rule) for name, rule in rules}


def of_page(page: str) -> list[Plot]:
    """The plots of a page. Each has its styles in itself, so that it stands alone and changes no other drawing."""
    styles = _styles(page)

    def styled(match: re.Match[str]) -> str:
        rules = [styles[name] for name in match[1].split() if name in styles]
        return f'style="{";".join(rules)}"'

    made = []
    for drawing in re.findall("<svg .*?</svg>", page, re.S):
        title = re.search("<title[^>]*>(.*?)</title>", drawing, re.S)
        body = re.sub('class="([^"]*)"', styled, drawing)
        head = '<svg xmlns="http://www.w3.org/2000/svg" style="font:13px sans-serif;background:#fff" '
        made.append(Plot(unescape(title[1]) if title is not None else "", head + body.removeprefix("<svg ")))
    return made
