"""Queries as text: values in place of ``?``, aggregates, and conditions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timezone
from decimal import Decimal
from fractions import Fraction
from typing import Any, Protocol, Union

from . import _native, _number

Value = Union[str, int, float, bool, Decimal, Fraction, date, datetime, None]
"""A value of a query: it stands in place of a ``?``."""


class HasSql(Protocol):
    """Anything that is a query as text, such as ``Question``."""

    @property
    def sql(self) -> str:
        """The text."""
        ...


Query = Union[str, HasSql]
"""A query: its text, or a ``Question``."""

# The kinds of scrim_query_value.
_NULL, _NUMBER, _TEXT, _BOOL, _DATE, _TIMESTAMP = range(6)


def _kind(value: Any) -> tuple[int, str]:
    """The kind of a value, and its text; the library writes the literal."""
    if value is None:
        return _NULL, ""
    if isinstance(value, str):
        return _TEXT, value
    if isinstance(value, bool) or type(value).__name__ in ("bool_", "bool"):
        return _BOOL, "true" if value else "false"
    if isinstance(value, datetime):
        return _TIMESTAMP, _moment(value)
    if isinstance(value, date):
        return _DATE, value.isoformat()
    if isinstance(value, float) and value != value:
        raise ValueError("nan is not a finite number; None means missing")
    text = _number.text(value)
    if "/" in text:
        text = _number.decimal(Fraction(text))
        if "/" in text:
            raise ValueError(f"{value} has no end as a decimal; write it as a quotient, as in ? / ?")
    return _NUMBER, text


def _moment(value: datetime) -> str:
    """A time without a zone is local time of the dataset; one with a zone is that moment."""
    if value.tzinfo is None:
        return value.isoformat(sep=" ")
    return value.astimezone(timezone.utc).replace(tzinfo=None).isoformat(sep=" ") + "Z"


def bind(query: str, *values: Value) -> str:
    """The query with a value in place of each ``?``: ``bind("SELECT COUNT(*) WHERE age > ?", 30)``.

    Each value is written by the rules of the language: text, numbers, booleans, dates, times, and None as ``NULL``. Whatever it
    is, it stays one value, and never becomes another word of the query.

    - ``values``: values in place of ``?``, in their order.
    """
    return _native.query_bind(query, [_kind(value) for value in values])


def text(query: Query, parameters: Sequence[Value] = ()) -> str:
    """The text of a query with its values."""
    if isinstance(parameters, (str, bytes)):
        raise TypeError("parameters must be a list of values, such as [30]")
    words = query if isinstance(query, str) else getattr(query, "sql", None)
    if not isinstance(words, str):
        raise TypeError("query must be text or a Question; batch() takes several queries")
    return bind(words, *parameters) if parameters else words


def texts(queries: Query | Iterable[Query]) -> list[str]:
    """The texts of one query, or of several."""
    if isinstance(queries, str):
        return [queries]
    if isinstance(queries, Iterable):
        return [text(query) for query in queries]
    return [text(queries)]


def name(column: str) -> str:
    """A column as the language writes it: in double quotes, unless it is a plain word that is not reserved."""
    if not isinstance(column, str):
        raise TypeError(f"expected the name of a column, not {type(column).__name__}")
    is_plain = column.isascii() and column.isidentifier()
    if is_plain and bind(column.lower()) == column.lower():  # the library raises reserved words
        return column
    return '"' + column.replace('"', '""') + '"'


class Expression:
    """A part of a query: ``scrim.expr("age - ?", 18)``, or an aggregate such as ``scrim.mean("age")``; ``sql`` is its text.

    ``+ - * /`` with numbers and other expressions make an expression: ``scrim.sum("a") / scrim.count()``.
    """

    __slots__ = ("sql",)

    sql: str

    def __init__(self, sql: str):
        self.sql = sql

    def where(self, condition: str, *values: Value) -> Expression:
        """An aggregate of the rows for which a condition holds: ``scrim.count().where("age > ?", 30)``.

        - ``values``: values in place of ``?``, in their order.
        """
        return Expression(f"{self.sql} FILTER (WHERE {part(condition, *values)})")

    def _with(self, sign: str, other: Any, is_left: bool = True) -> Expression:
        words = other.sql if isinstance(other, Expression) else part("?", other)
        sides = (self.sql, words) if is_left else (words, self.sql)
        return Expression(f"({sides[0]} {sign} {sides[1]})")

    def __add__(self, other: Any) -> Expression:
        return self._with("+", other)

    def __radd__(self, other: Any) -> Expression:
        return self._with("+", other, False)

    def __sub__(self, other: Any) -> Expression:
        return self._with("-", other)

    def __rsub__(self, other: Any) -> Expression:
        return self._with("-", other, False)

    def __mul__(self, other: Any) -> Expression:
        return self._with("*", other)

    def __rmul__(self, other: Any) -> Expression:
        return self._with("*", other, False)

    def __truediv__(self, other: Any) -> Expression:
        return self._with("/", other)

    def __rtruediv__(self, other: Any) -> Expression:
        return self._with("/", other, False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Expression) and self.sql == other.sql

    def __hash__(self) -> int:
        return hash(self.sql)

    def __repr__(self) -> str:
        return f"<Expression {self.sql}>"


def part(words: str, *values: Value) -> str:
    """A part of a query, with its values and without comments. Its parentheses are its own."""
    bound = bind(words, *values)
    depth, quote = 0, ""
    for character in bound:
        if quote:
            quote = "" if character == quote else quote  # a doubled quote ends and begins again
        elif character in "'\"":
            quote = character
        elif character in "()":
            depth += 1 if character == "(" else -1
            if depth < 0:
                break
    if depth or not bound:
        raise ValueError(f"not a part of a query: {words!r}; its parentheses do not match" if bound else "a part of a query is empty")
    return bound


Column = Union[str, Expression]
"""The name of a column, or an expression."""


def column(given: Column) -> str:
    return given.sql if isinstance(given, Expression) else name(given)


def expr(sql: str, *values: Value) -> Expression:
    """An expression of the query language: ``scrim.expr("BUCKET(age, 10)")``, ``scrim.expr("income / ?", 12)``.

    - ``sql``: an expression of the query language.
    - ``values``: values in place of ``?``, in their order.
    """
    return Expression(part(sql, *values))


def _call(function: str, *arguments: str) -> Expression:
    return Expression(f"{function}({', '.join(arguments)})")


def count(given: Column | None = None) -> Expression:
    """The number of rows, or of those in which a column is not missing.

    - ``given``: the column or expression.
    """
    return _call("COUNT", "*" if given is None else column(given))


def count_distinct(unit: str) -> Expression:
    """The number of people; ``unit`` is the column of the privacy unit.

    Of any other column it is how many different values there are.
    """
    return Expression(f"COUNT(DISTINCT {name(unit)})")


def sum(given: Column) -> Expression:
    """The sum of a column.

    - ``given``: the column or expression.
    """
    return _call("SUM", column(given))


def mean(given: Column) -> Expression:
    """The average of a column.

    - ``given``: the column or expression.
    """
    return _call("AVG", column(given))


def var(given: Column) -> Expression:
    """The variance of a column, as of a sample.

    - ``given``: the column or expression.
    """
    return _call("VAR", column(given))


def std(given: Column) -> Expression:
    """The standard deviation of a column, as of a sample.

    - ``given``: the column or expression.
    """
    return _call("STDDEV", column(given))


def median(given: Column) -> Expression:
    """The median of a column.

    - ``given``: the column or expression.
    """
    return _call("MEDIAN", column(given))


def quantile(given: Column, p: _number.Number) -> Expression:
    """The value below which a fraction ``p`` of the rows is.

    - ``given``: the column or expression.
    """
    return _call("QUANTILE", column(given), _kind(Fraction(_number.text(p)))[1])


def min(given: Column) -> Expression:
    """The smallest value, but for a few people; ``Column.certificate`` says how many.

    - ``given``: the column or expression.
    """
    return _call("MIN", column(given))


def max(given: Column) -> Expression:
    """The largest value, but for a few people; ``Column.certificate`` says how many.

    - ``given``: the column or expression.
    """
    return _call("MAX", column(given))
