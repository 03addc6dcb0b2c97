"""Microdata: counts of groups within groups that add up, in every level and in tables beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from . import _native, _number, _table, _words
from ._columns import Frame
from ._estimate import Cost


class Level(NamedTuple):
    """One level of a tree: all rows are level 0, and have no column."""

    name: str
    groups: int
    measurement: str | None  #: None: the level is not measured
    noise: float  #: standard deviation of a noisy count
    deviation: float  #: of the estimate: the largest of its groups
    half_width: float  #: of the interval of the estimate: the largest
    lower: float  #: no private table with as accurate a total has a smaller error here; 0: not known


class Node:
    """A group of a level. ``count`` adds up; ``low`` to ``high`` is the interval of the true count.

    ``keys`` are those of the levels from the first on; None is a missing value. ``estimate`` is that of least squares, ``noisy``
    the count as measured, or None. ``standing`` is ``noisy``, ``known`` (declared) or ``revealed`` (follows from what was
    declared). ``simulated`` is a simulated interval of ``count``, without a guarantee, or None.
    """

    __slots__ = ("level", "keys", "count", "low", "high", "estimate", "noisy", "standing", "simulated")

    def __init__(
        self, level: int, keys: tuple[str | None, ...], count: int, low: float, high: float, estimate: float,
        noisy: int | None, standing: str, simulated: tuple[int, int] | None,
    ):  # fmt: skip
        self.level: int = level
        self.keys: tuple[str | None, ...] = keys
        self.count: int = count
        self.low: float = low
        self.high: float = high
        self.estimate: float = estimate
        self.noisy: int | None = noisy
        self.standing: str = standing
        self.simulated: tuple[int, int] | None = simulated

    def __repr__(self) -> str:
        return f"<Node {', '.join(map(str, self.keys)) or 'total'}: {self.count}, {self.low:.6g} to {self.high:.6g}>"


class Table(Frame):
    """A table of counts that each group has: the levels' keys, the table's own columns, the count and its interval."""

    def __init__(self, tree: Microdata, facts: dict[str, Any]):
        self.columns: list[str] = facts["columns"]
        self._tree = tree
        self._cells: list[tuple[Any, ...]] = facts["rows"]

    def __len__(self) -> int:
        return len(self._cells)

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        nodes = [self._tree.nodes[cell[0]] for cell in self._cells]
        yield from _keys(self._tree, nodes)
        for place, name in enumerate(self.columns):
            yield name, "text", [cell[1][place] for cell in self._cells]
        for name, place in (("count", 2), ("low", 5), ("high", 6)):
            yield name, "number", [cell[place] for cell in self._cells]

    def __str__(self) -> str:
        return _table.sheet(self)

    def _repr_html_(self) -> str:
        return _table.html_sheet(self)

    def __repr__(self) -> str:
        return f"<Table of {', '.join(self.columns)}: {len(self)} counts>"


class Microdata(Frame):
    """A released tree of counts: ``nodes`` has all groups, ``levels`` what was measured, ``tables`` the tables of counts.

    As a frame it has a row for each group of the last level; ``level(1)`` has those of another one. All counts add up, and no
    count is negative. ``guarantee`` is a sentence about counts that were declared as known, and ``doubt`` one about
    a known count that is far from what was measured; both are None without any.
    """

    def __init__(self, facts: dict[str, Any], *, is_repeated: bool = False):
        self.facts = facts
        self.release: int = facts["release"]
        self.cost: Cost = Cost(facts["cost"])
        self.confidence: str = facts["confidence"]
        self.is_repeated: bool = is_repeated
        self.guarantee: str | None = facts["guarantee"]
        self.doubt: str | None = facts["doubt"]
        self.levels: list[Level] = [
            Level(row["name"], row["groups"], row["measurement"], row["noise"], row["deviation"], row["half_width"], row["lower"])
            for row in facts["levels"]
        ]
        self.nodes: list[Node] = []
        for level, parent, key, count, noisy, standing, estimate, _, low, high, least, most in facts["nodes"]:
            keys = () if level == 0 else (*self.nodes[parent].keys, key)
            simulated = (least, most) if facts["is_simulated"] else None
            self.nodes.append(Node(level, keys, count, low, high, estimate, noisy, standing, simulated))
        self.tables: list[Table] = [Table(self, row) for row in facts["tables"]]

    @property
    def total(self) -> Node:
        """All rows."""
        return self.nodes[0]

    def level(self, level: int | str) -> list[Node]:
        """The groups of a level, by its number or the name of its column."""
        names = [each.name for each in self.levels]
        number = names.index(level) if level in names else level
        if not isinstance(number, int) or not 0 <= number < len(names):
            raise KeyError(f"no level {level!r}; there are {', '.join(names)}")
        return [node for node in self.nodes if node.level == number]

    def __len__(self) -> int:
        return self.levels[-1].groups

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        nodes = self.level(len(self.levels) - 1)
        yield from _keys(self, nodes)
        for name in ("count", "low", "high"):
            yield name, "number", [getattr(node, name) for node in nodes]

    def _notes(self) -> list[str]:
        charged = "repeated free of charge" if self.is_repeated else "charged"
        levels = ", ".join(level.name for level in self.levels)
        notes = [f"release {self.release}, {self.cost.amounts()}, {charged}; intervals at {self.confidence}; levels: {levels}"]
        if self.guarantee:
            notes.append(f"known: {self.guarantee}")
        if self.doubt:
            notes.append(f"caution: {self.doubt}; do not publish it so")
        return notes

    def __str__(self) -> str:
        return "\n".join([_table.sheet(self), *_table.folded(self._notes())])

    def _repr_html_(self) -> str:
        return _table.html_sheet(self) + "".join(f"<p>{_table.escape(line)}</p>" for line in self._notes())

    def __repr__(self) -> str:
        return f"<Microdata, release {self.release}: {len(self.nodes)} groups in {len(self.levels)} levels>"


def _keys(tree: Microdata, nodes: Sequence[Node]) -> Iterator[tuple[str, str, list[Any]]]:
    for place, level in enumerate(tree.levels[1:]):
        if any(node.level > place for node in nodes):
            yield level.name, "text", [node.keys[place] if node.level > place else None for node in nodes]


class MicrodataPlan(Frame):
    """What a tree would cost, and its error in each level, free: ``levels``, ``cost``, and ``left`` of the budget."""

    def __init__(self, tree: dict[str, Any], plan: dict[str, Any]):
        self.facts = plan
        self.cost: Cost = Cost(tree["cost"])
        self.left: _number.Amount | None = _number.amount(plan["left"])
        self.levels: list[Level] = Microdata(tree).levels

    def __len__(self) -> int:
        return len(self.levels)

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        yield "level", "text", [level.name for level in self.levels]
        for name in ("groups", "noise", "half_width", "lower"):
            yield name, "number", [getattr(level, name) for level in self.levels]

    def __str__(self) -> str:
        return f"{_table.sheet(self)}\ncosts {self.cost!r}; left: {self.left}"

    def _repr_html_(self) -> str:
        return f"{_table.html_sheet(self)}<p>{_table.escape(f'costs {self.cost!r}; left: {self.left}')}</p>"

    def __repr__(self) -> str:
        return f"<MicrodataPlan: {len(self.levels)} levels, {self.cost!r}>"


class CountsSide(NamedTuple):
    """The errors of a flat table by one mechanism. Radii hold with the confidence that was asked for."""

    mechanism: str  #: its line
    cell_error: float  #: root of the mean squared error of a cell, the largest over all data
    sum_error: float  #: that of the total
    cell_radius: float  #: of each cell
    all_radius: float  #: of all cells at once
    sum_radius: float
    is_certain: bool  #: radii always hold
    other_lower: float  #: no private table whose favoured error is as small has a smaller error on the other side; 0: not known


class CountsPlan(NamedTuple):
    """``points`` favours the cells (point-first), ``sums`` the total (sum-first). There is no third way."""

    points: CountsSide
    sums: CountsSide
    bound: int | None  #: no noise of sum-first is larger; None: no bound


def plan_counts(
    cells: int,
    *,
    epsilon: _number.Number | None = None,
    delta: _number.Number | None = None,
    rho: _number.Number | None = None,
    rows_per_unit: int = 1,
    neighbours: _words.Neighbours = "add-remove",
    confidence: _number.Number = "0.95",
) -> CountsPlan:
    """How accurate a flat table of counts that add up can be, and what no private table can have. It uses no data.

    - ``cells`` is how many counts there are, ``rows_per_unit`` the most rows of one unit.
    - ``epsilon``, perhaps with ``delta``, or ``rho`` is the cost; ``neighbours`` the relation.
    - ``confidence`` is that of the radii.

    ``scrim.mechanism("sum-first", ...)`` makes such a table; ``vault.microdata`` a tree of groups.
    """
    facts = _native.microdata_plan(
        neighbours, _words.count("cells", cells), _number.optional(epsilon), _number.optional(delta),
        _number.optional(rho), _words.count("rows_per_unit", rows_per_unit), _number.text(confidence),
    )  # fmt: skip

    def side(row: dict[str, Any]) -> CountsSide:
        return CountsSide(
            row["text"], float(row["cell_error"]), float(row["sum_error"]), float(row["cell_radius"]),
            float(row["all_radius"]), float(row["sum_radius"]), row["is_certain"], float(row["other_lower"]),
        )  # fmt: skip

    return CountsPlan(side(facts["points"]), side(facts["sums"]), facts["bound"] or None)
