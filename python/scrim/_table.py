"""Tables of text and of HTML, for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from fractions import Fraction
from typing import Any, Dict, List


def plain(header: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool]) -> str:
    """Aligned columns; numbers to the right."""
    widths = [max([len(name), *(len(row[i]) for row in rows)]) for i, name in enumerate(header)]

    def line(cells: Sequence[str]) -> str:
        aligned = [
            cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(cells, widths, numeric)
        ]
        return "  ".join(aligned).rstrip()

    return "\n".join([line(header), *(line(row) for row in rows)])


MOST, ENDS = 60, 10  # a table with more rows is shown by its ends


def is_long(count: int) -> bool:
    """Has a table more rows than are shown?"""
    return count > MOST


def abridged(rows: Sequence[Sequence[str]]) -> list[Sequence[str]]:
    """All rows, or the first and the last ones of many."""
    if not is_long(len(rows)):
        return list(rows)
    return [*rows[:ENDS], ["…"] * len(rows[0]), *rows[-ENDS:]]


def folded(lines: Iterable[str]) -> list[str]:
    """Sentences in lines of at most 100 characters."""
    from textwrap import fill  # slow to import, and rarely needed

    return [line if len(line) <= 100 else fill(line, 100, break_long_words=False, break_on_hyphens=False) for line in lines]


def escape(words: str) -> str:
    """Text for HTML, also in an attribute between double quotes."""
    for plain_character, entity in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ('"', "&quot;"), ("'", "&#39;")):
        words = words.replace(plain_character, entity)
    return words


def html(header: Sequence[str], rows: Sequence[Sequence[str]], numeric: Sequence[bool], caption: str = "") -> str:
    """A table of HTML without styles of its own."""

    def cells(kind: str, texts: Sequence[str]) -> str:
        return "".join(
            f'<{kind} style="text-align:{"right" if right else "left"}">{escape(text)}</{kind}>'
            for text, right in zip(texts, numeric)
        )

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in rows)
    head = f"<thead><tr>{cells('th', header)}</tr></thead>"
    title = f'<caption style="text-align:left">{escape(caption)}</caption>' if caption else ""
    return f"<table>{title}{head}<tbody>{body}</tbody></table>"


def _columns(frame: Any) -> tuple[list[str], list[Sequence[str]], list[bool]]:
    flat = list(frame._flat())
    body = [[_cell(cell) for cell in row] for row in zip(*(values for _, _, values in flat))]
    return [name for name, _, _ in flat], abridged(body), [kind in ("number", "real") for _, kind, _ in flat]


def _cell(cell: Any) -> str:
    return "-" if cell is None else f"{cell:.6g}" if isinstance(cell, float) else str(cell)


def sheet(frame: Any) -> str:
    """The columns of a ``Frame`` as text, abridged."""
    return plain(*_columns(frame))


def html_sheet(frame: Any) -> str:
    """The same as HTML."""
    return html(*_columns(frame))


class Rows(List[Dict[str, Any]]):
    """Facts, such as those of ``vault.budget()``: a list of dictionaries, of which a table shows the main ones."""

    def __init__(self, rows: Iterable[dict[str, Any]], shown: Sequence[str]):
        super().__init__(rows)
        self._shown = tuple(shown)

    def to_pandas(self) -> Any:
        """A pandas.DataFrame with all facts: exact amounts stay ``Fraction``."""
        import pandas

        return pandas.DataFrame(list(self))

    def _sheet(self) -> tuple[list[str], list[Sequence[str]], list[bool]]:
        names = [name for name in self._shown if any(row.get(name) is not None for row in self)]
        numeric = [all(isinstance(row.get(name), (int, Fraction, type(None))) for row in self) for name in names]
        return names, abridged([[shown(row.get(name)) for name in names] for row in self]), numeric

    def __repr__(self) -> str:
        return plain(*self._sheet()) if self else "[]"

    def _repr_html_(self) -> str:
        return html(*self._sheet()) if self else "<p>no rows</p>"


def shown(value: Any) -> str:
    """A fact for people."""
    if isinstance(value, Fraction):
        return f"{float(value):.6g}"
    if isinstance(value, datetime):
        return value.strftime("%Y-%m-%d %H:%M:%S UTC")
    words = "-" if value is None else str(value)
    return words if len(words) <= 80 else words[:79] + "…"
