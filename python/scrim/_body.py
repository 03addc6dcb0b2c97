"""Floating bodies: the region of several columns that is central from every direction."""

from __future__ import annotations

import os
from array import array
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Union

from . import _command, _native, _number, _words
from ._estimate import Cost
from ._label import Label, verify
from ._opened import OpenVault

Point = Union[Sequence[float], Mapping[str, float]]
"""A number for each column, in their order, or by name."""


class Nearest(NamedTuple):
    """The nearest point of a body, and its distance in scaled columns."""

    point: dict[str, float]
    distance: float


class Minimum(NamedTuple):
    """Where a function is least in a body. No point of the body has a value below ``value - gap``."""

    point: dict[str, float]
    value: float
    gap: float


class Support(NamedTuple):
    """How far a body reaches in a direction: the point that is farthest, and its value."""

    point: dict[str, float]
    value: float


class Depth(NamedTuple):
    """Bounds of the smallest share of units that lie beyond a point in any direction of a body."""

    low: float
    high: float


class Volume(NamedTuple):
    """The share of the public bounds that a body fills, and its relative standard error; 0 is exact."""

    share: float
    error: float


class Distance(NamedTuple):
    """Bounds of Hausdorff's distance of two bodies, in scaled columns; equal up to two columns."""

    low: float
    high: float


class Body:
    """A released body. All that is computed from it is free, and needs neither vault nor data.

    Points are in the units of the columns; distances are in scaled columns, so that years and euros can be compared.
    ``facts`` holds everything that the library says, ``half_spaces`` the normals and offsets. Save it with ``save``.
    A file whose signature does not hold is refused: CheckError.
    """

    def __init__(self, text: bytes, cost: Cost | None = None, is_repeated: bool = False):
        label = _native.label_of_file(text)
        self._handle = _native.body_read(text)
        self.text = text
        #: The signed label of the file; None: the file is not signed.
        self.label: Label | None = None if label is None else Label(label)
        self.facts: dict[str, Any] = _native.body_describe(self._handle)
        self.names: list[str] = [column["name"] for column in self.facts["columns"]]
        self.release: int = self.facts["release"]
        self.cost = cost
        self.is_repeated = is_repeated

    @property
    def half_spaces(self) -> list[tuple[list[float], float]]:
        """Points of the body have a product with each normal of at most its offset."""
        return list(self.facts["half_spaces"])

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file that ``read_body`` and ``scrim body`` read.

        - ``path``: the file.
        """
        with open(path, "wb") as file:
            file.write(self.text)

    @property
    def key(self) -> str | None:
        """The key that has signed the file; compare it with the one that the owner publishes. None: not signed."""
        return None if self.label is None else self.label["ledger.key"]

    def verify(self, *, vault: OpenVault | None = None, key: str | None = None) -> Label:
        """Raises CheckError unless the vault has this release, or the key has signed this file."""
        return verify(self.text, vault=vault, key=key)

    def _point(self, point: Point) -> list[float]:
        if isinstance(point, Mapping):
            return [float(point[name]) for name in self.names]
        return [float(value) for value in point]

    def _named(self, point: list[float]) -> dict[str, float]:
        return dict(zip(self.names, point))

    def center(self, method: str = "steiner") -> dict[str, float]:
        """A central point: ``steiner``, ``chebyshev`` (of the largest ball) or ``frame`` (least squares).

        - ``method``: which of them.
        """
        return self._named(_native.body_center(self._handle, method))

    def project(self, point: Point) -> Nearest:
        """The nearest point of the body, and how far it is: ``point`` and ``distance``."""
        nearest, distance = _native.body_project(self._handle, self._point(point))
        return Nearest(self._named(nearest), distance)

    def excess(self, point: Point) -> float:
        """How far a point is beyond the half-space that it violates most; at most 0 in the body.

        If the point is a row of the data, the answer is about that row: show it to its owner alone.
        """
        return _native.body_excess(self._handle, self._point(point))

    def support(self, direction: Point) -> Support:
        """How far it reaches in a direction: the largest value of the sum of its numbers times the columns, and where it is.

        ``body.support({"age": 1, "hours": 0})`` has the largest age in the body, ``{"age": -1, ...}`` minus the smallest one.

        - ``direction``: a number for each column, in their order or by name.
        """
        place, value = _native.body_support(self._handle, self._point(direction))
        return Support(self._named(place), value)

    def depth(self, point: Point, *others: Body) -> Depth:
        """Bounds of the depth of a public point: the smallest share of units beyond it in any direction of the body.

        One body tells whether the depth is at least 1 - q; bodies at several q bracket it.

        - ``point``: a number for each column.
        - ``others``: bodies of the same columns at other q.
        """
        import tempfile  # slow to import, and rarely needed

        at = ",".join(_number.text(number) for number in self._point(point))
        with tempfile.TemporaryDirectory() as place:
            paths = [os.path.join(place, f"{number}.json") for number in range(1 + len(others))]
            for path, body in zip(paths, (self, *others)):
                body.save(path)
            (row,) = _command.Listing("depth", _command.run(["body", "depth", *paths, f"--at={at}"])).rows
        return Depth(row["depth_low"], row["depth_high"])

    def outliers(self, points: Any) -> list[Point]:
        """Those of public points that are outside: of a sequence, or of a frame or mapping with the columns of the body.

        Of rows of the data the list is for their owner alone.
        """
        if isinstance(points, Mapping) or hasattr(points, "columns"):
            points = [self._named(list(row)) for row in zip(*(points[name] for name in self.names))]
        return [point for point in points if point not in self]

    def __contains__(self, point: Any) -> bool:
        return self.excess(point) <= 0

    def minimise(self, objective: str, *, tolerance: float | None = None) -> Minimum:
        """Where a convex function of the columns is least: ``point``, ``value``, and ``gap``, by which it could be less at most.

        ``body.minimise("(age - 40)^2 + 3 * abs(hours - 38)")``.

        - ``objective``: the function, such as ``"(age - 30)^2"``.
        - ``tolerance``: how far the value may be from the least one.
        """
        place, value, gap = _native.body_minimise(self._handle, objective, 0 if tolerance is None else tolerance)
        return Minimum(self._named(place), value, gap)

    def sample(
        self, count: int, *, method: str | None = None, weight: str | None = None, workers: int | None = None
    ) -> dict[str, array[float]]:
        """Random points of the region, by column; with ``weight``, a convex function phi, of the density exp(-phi).

        They tell nothing about how data lie in the region.

        - ``count``: how many points.
        - ``method``: ``hit-and-run`` (the default) or ``langevin``.
        - ``workers``: how many threads read rows (one per processor).
        """
        points = array("d", _native.body_sample(self._handle, count, method, weight, _words.count("workers", workers)))
        return {name: points[i :: len(self.names)] for i, name in enumerate(self.names)}

    def volume(self) -> Volume:
        """The ``share`` of the public bounds that it fills, and the relative standard ``error`` of that; 0 is exact."""
        return Volume(*_native.body_volume(self._handle))

    def distance(self, other: Body) -> Distance:
        """Bounds of Hausdorff's distance of two bodies of the same columns: ``low`` and ``high``.

        - ``other``: the other body.
        """
        return Distance(*_native.body_compare(self._handle, other._handle))

    def svg(self, columns: str | Sequence[str] | None = None) -> str:
        """A drawing: the shadow of the body for each pair of columns, 2 to 6 of them; all if none are named.

        No row of the data is in it. A notebook shows it by itself; ``plot`` writes it to a file.
        """
        names = columns if columns is None or isinstance(columns, str) else ",".join(columns)
        return _native.body_svg(self._handle, names)

    def plot(self, path: str | os.PathLike[str], columns: str | Sequence[str] | None = None) -> None:
        """Writes the drawing of ``svg`` to a file.

        - ``path``: a file to write; a notebook draws the body by itself.
        - ``columns``: which two columns are drawn.
        """
        drawing = self.svg(columns)
        with open(path, "w", encoding="utf-8") as file:
            file.write(drawing)

    def _repr_svg_(self) -> str | None:
        return self.svg() if len(self.names) <= 6 else None

    def __reduce__(self) -> Any:
        return Body, (self.text, self.cost, self.is_repeated)

    def __repr__(self) -> str:
        return f"<Body of {', '.join(self.names)}: {len(self.facts['half_spaces'])} directions>"


def read_body(source: bytes | str | os.PathLike[str]) -> Body:
    """A body from a file that scrim wrote, or from its bytes.

    - ``source``: the file, as a path or bytes.
    """
    if isinstance(source, bytes):
        return Body(source)
    with open(source, "rb") as file:
        return Body(file.read())


def exact_body(
    points: Any,
    columns: Mapping[str, tuple[_number.Number, _number.Number]],
    *,
    q: _number.Number | None = None,
    directions: str | int | None = None,
) -> Body:
    """The exact body of public points, without noise: for simulated data, published tables and examples. It is not private.

    ``exact_body(points, {"age": (17, 90), "hours": (1, 99)}, q="0.6")``. A table of a dataset must not be used.

    - ``points``: a sequence of points, or a frame or mapping that has these columns.
    - ``columns``: the columns and their ranges; numbers outside are clamped.
    - ``q``: the share of points on the inner side of each half-space (9/10).
    - ``directions``: how many, or ``frames``, ``axes``, ``pairs``, ``equiangular`` or ``sequence``, perhaps as in ``"frames:80"``.
    """
    import csv
    import tempfile

    if isinstance(points, Mapping) or hasattr(points, "columns"):
        points = zip(*(points[name] for name in columns))
    ranges = ",".join(f"{name}={_number.text(low)}..{_number.text(high)}" for name, (low, high) in columns.items())
    with tempfile.TemporaryDirectory() as place:
        path = os.path.join(place, "points.csv")
        with open(path, "w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(columns)
            rows.writerows([_number.text(point[name] if isinstance(point, Mapping) else point[i]) for i, name in enumerate(columns)] for point in points)
        line = ["body", "exact", path, "--public", "--columns", ranges, *_command.option("q", q), *_command.option("directions", directions)]
        return Body(_command.run(line).encode())
