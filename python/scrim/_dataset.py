"""A dataset of a vault, and questions that are built from parts."""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, time
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from . import _plot, _policy, _question, _table, _words
from ._errors import Error
from ._question import Column, Expression, Value
from ._releases import ReleaseVault

if TYPE_CHECKING:  # Python 3.9 has neither
    from typing import Concatenate, ParamSpec

    _P = ParamSpec("_P")
_R = TypeVar("_R")


class _Borrowed:
    """A method of the vault with fewer arguments; its signature is made when somebody looks at it."""

    def __init__(self, own: Callable[..., Any], method: Callable[..., Any], without: tuple[str, ...]):
        self.__func__ = own
        self.__name__ = own.__name__
        self.__qualname__ = own.__qualname__
        self.__module__ = own.__module__
        self.__doc__ = own.__doc__ or method.__doc__
        self._method = method
        self._without = without

    @property
    def __signature__(self) -> Any:
        import inspect  # slow to import, and rarely needed

        given = inspect.signature(self._method)
        return given.replace(parameters=[each for each in given.parameters.values() if each.name not in self._without])

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        return self.__func__(*arguments, **named)


def _like(
    method: Callable[Concatenate[ReleaseVault, str, _P], _R],
) -> Callable[[Callable[..., _R]], Callable[Concatenate[Any, _P], _R]]:
    """A method of the vault without the name of the dataset: with its arguments, types and description."""

    def make(own: Callable[..., _R]) -> Callable[Concatenate[Any, _P], _R]:
        return _Borrowed(own, method, ("name",))

    return make


def _asks(
    method: Callable[Concatenate[ReleaseVault, str, Any, _P], _R],
) -> Callable[[Callable[..., _R]], Callable[Concatenate[Any, _P], _R]]:
    """A method of the vault without the dataset and the query."""

    def make(own: Callable[..., _R]) -> Callable[Concatenate[Any, _P], _R]:
        return _Borrowed(own, method, ("name", "query", "parameters"))

    return make


class Question:
    """A question of a dataset that is built from parts. Each method returns a new question; ``sql`` is its text.

    ::

        adults = dataset.where("age >= ?", 18).group_by("sex")
        adults.agg(n=scrim.count(), age=scrim.mean("age")).explain(epsilon="0.5")
    """

    def __init__(self, dataset: Dataset):
        self._dataset = dataset
        self._joins: tuple[str, ...] = ()
        self._conditions: tuple[str, ...] = ()
        self._keys: tuple[str, ...] = ()
        self._groups: tuple[str, ...] = ()
        self._outputs: tuple[str, ...] = ()
        self._having: tuple[str, ...] = ()
        self._kept: tuple[tuple[str, str], ...] = ()  # columns that where() compares with listed values, and the condition
        self._order: tuple[str, ...] = ()
        self._limit: int | None = None
        self._renamed: dict[str, str] = {}

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            raise _words.no_attribute(self, name)

    def _changed(self, /, **parts: Any) -> Question:
        made = Question.__new__(Question)
        made.__dict__.update(self.__dict__)
        made.__dict__.update(parts)
        return made

    def where(self, /, condition: str | None = None, *values: Value, **equal: Value | Sequence[Value]) -> Question:
        """Only the rows for which a condition holds: ``where("age > ?", 30)``, ``where(sex="Female")``.

        ``column=value`` compares, ``column=None`` means missing, and ``column=[...]`` means one of the values; a key of
        ``group_by`` then has these groups alone. Conditions of several calls must all hold. A time at midnight stands for its day
        where the column is a date.
        """
        types_of = self._dataset.columns if equal or values else {}
        made = [] if condition is None else [_question.part(condition, *_days(condition, values, types_of))]
        kept = []
        for column, value in equal.items():
            stem, _, word = column.partition("__")
            if word and column not in types_of and column != self._dataset.unit:
                sign = {"gt": ">", "gte": ">=", "ge": ">=", "lt": "<", "lte": "<=", "le": "<=", "ne": "<>"}.get(word, "=")
                raise TypeError(f"no column {column!r}; write where('{stem} {sign} ?', VALUE)")
            made.append(_equal(_question.name(column), _day(value, types_of.get(column, ""))))
            kept.append((_question.name(column), made[-1]))
        if not made or (condition is None and values):
            raise TypeError("where needs a condition, such as where('age > ?', 30) or where(sex='Female')")
        return self._changed(_conditions=(*self._conditions, *made), _kept=(*self._kept, *kept))

    def joined(self, table: str, *, on: str, how: Literal["inner", "left"] = "inner") -> Question:
        """Rows with what a public table says of them: ``joined("regions", on="city").group_by("region")``.

        - ``table``: a table that the owner has declared with ``vault.join``, or one of ``tables=`` of ``query`` and ``explain``.
        - ``on``: the column that both have; ``"city=town"`` where the table calls it otherwise.
        - ``how``: ``inner`` drops rows that the table does not know, ``left`` keeps them.
        """
        if how not in ("inner", "left"):
            raise ValueError(f"how must be 'inner' or 'left', not {how!r}")
        column, _, key = (part.strip() for part in on.partition("="))
        own, other = _question.name(self._dataset.name), _question.name(table)
        both = f"USING ({_question.name(column)})" if not key else f"ON {own}.{_question.name(column)} = {other}.{_question.name(key)}"
        return self._changed(_joins=(*self._joins, f"{'LEFT ' if how == 'left' else ''}JOIN {other} {both}"))

    def group_by(self, /, *columns: str, **named: Column) -> Question:
        """A group for each combination of columns: ``group_by("sex")``, ``group_by(decade=scrim.expr("BUCKET(age, 10)"))``."""
        for column in columns:
            words = column.sql if isinstance(column, Expression) else column
            if words is not column or (isinstance(words, str) and "(" in words and words not in (*self._dataset.columns, self._dataset.unit)):
                raise TypeError(f"group_by takes names of columns; name an expression: group_by(key=scrim.expr({words!r}))")
        keys = [_question.name(column) for column in columns]
        made = {name: _question.column(given) for name, given in named.items()}
        shown = [*keys, *(f"{sql} AS {_question.name(name)}" for name, sql in made.items())]
        groups = [*keys, *(_question.name(name) for name in made)]
        return self._changed(_keys=(*self._keys, *shown), _groups=(*self._groups, *groups))

    def agg(self, /, *unnamed: Any, **named: Expression) -> Question:
        """The numbers to release, by name: ``agg(n=scrim.count(), age=scrim.mean("age"))``.

        In the text of a query no number may have the name of a column; there it is ``age_``, and ``age`` in the answer.

        - ``unnamed``: refused: each number needs a name.
        """
        if unnamed:
            given = unnamed[0]
            words = _written(given.sql) if isinstance(given, Expression) else "scrim.count()"
            raise TypeError(f"each number needs a name: agg(n={words})")
        for given in named.values():
            if not isinstance(given, Expression):
                raise TypeError(f"expected an aggregate such as scrim.count() or scrim.expr('...'), not {type(given).__name__}")
        renamed = {self._alias(name): name for name in named}
        made = [f"{given.sql} AS {_question.name(alias)}" for alias, given in zip(renamed, named.values())]
        return self._changed(_outputs=(*self._outputs, *made), _renamed={**self._renamed, **renamed})

    def _alias(self, name: str) -> str:
        """The name that a number has in the text: not that of a column."""
        taken = {*self._dataset.columns, self._dataset.unit}
        while name in taken:
            name += "_"
        return name

    def having(self, condition: str, *values: Value) -> Question:
        """Only the groups whose released numbers fulfil a condition: ``having("n > ?", 100)``.

        - ``values``: values in place of ``?``, in their order.
        """
        return self._changed(_having=(*self._having, _question.part(condition, *values)))

    def order_by(self, *columns: str, descending: bool = False) -> Question:
        """Sorted by columns of the answer.

        - ``descending``: the largest first.
        """
        aliases = {name: alias for alias, name in self._renamed.items()}
        made = [_question.name(aliases.get(column, column)) + (" DESC" if descending else "") for column in columns]
        return self._changed(_order=(*self._order, *made))

    def limit(self, rows: int) -> Question:
        """At most so many rows."""
        return self._changed(_limit=int(rows))

    @property
    def sql(self) -> str:
        """The same question as text."""
        if not self._outputs:
            raise TypeError("a question needs a number to release: .agg(n=scrim.count())")
        tables = (_question.name(self._dataset.name), *self._joins) if self._joins else ()
        clauses = [("SELECT ", (*self._keys, *self._outputs), ", "), (" FROM ", tables, " "), (" WHERE ", _joined(self._conditions), " AND ")]
        having = (*(condition for column, condition in self._kept if column in self._groups), *self._having)
        clauses += [(" GROUP BY ", self._groups, ", "), (" HAVING ", _joined(having), " AND ")]
        clauses += [(" ORDER BY ", self._order, ", "), (" LIMIT ", () if self._limit is None else (str(self._limit),), "")]
        return "".join(word + between.join(parts) for word, parts, between in clauses if parts)

    @_asks(ReleaseVault.explain)
    def explain(self, **options: Any) -> Any:
        """The expected error and the cost, free: arguments as ``Vault.explain``."""
        plan = self._dataset.explain(self.sql, **options)
        for column in plan.facts["statements"][0]["columns"]:
            column["name"] = self._renamed.get(column["name"], column["name"])
        return plan

    @_asks(ReleaseVault.query)
    def query(self, **options: Any) -> Any:
        """Charges the question and answers it: arguments as ``Vault.query``."""
        result = self._dataset.query(self.sql, **options)
        for column in result.columns:
            column.name = self._renamed.get(column.name, column.name)
        return result

    def __repr__(self) -> str:
        return f"<Question of {self._dataset.name}: {self.sql if self._outputs else 'no aggregate yet'}>"


def _written(sql: str) -> str:
    """An aggregate as the functions of this package write it, or as an expression."""
    return "scrim.count()" if sql == "COUNT(*)" else f"scrim.expr({sql!r})"


def _day(value: Any, kind: str) -> Any:
    """A time at midnight, as pandas has days, is its day where the column is a date."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_day(each, kind) for each in value]
    is_midnight = isinstance(value, datetime) and value.tzinfo is None and value.time() == time()
    return value.date() if is_midnight and kind.startswith("date") else value


def _days(condition: str, values: Sequence[Any], kinds: Mapping[str, str]) -> list[Any]:
    """The values of a condition, each by the column that stands before its mark."""
    made = list(values)
    if not any(isinstance(value, datetime) for value in made):
        return made
    at, kind = 0, ""
    for word in re.findall(r"'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|[\w.]+|\S", condition):
        name = word[1:-1].replace('""', '"') if word.startswith('"') else word
        if word == "?" and at < len(made):
            made[at] = _day(made[at], kind)
            at += 1
        kind = kinds.get(name, kind)
    return made


def _joined(conditions: tuple[str, ...]) -> tuple[str, ...]:
    """One condition as it is written; several in parentheses."""
    return conditions if len(conditions) < 2 else tuple(f"({condition})" for condition in conditions)


def _equal(column: str, value: Any) -> str:
    if value is None:
        return f"{column} IS NULL"
    if isinstance(value, (list, tuple, set, frozenset)):
        if not value:
            raise ValueError(f"{column} needs at least one value")
        return _question.bind(f"{column} IN ({', '.join('?' for _ in value)})", *value)
    return _question.bind(f"{column} = ?", value)


class Dataset:
    """A dataset of a vault: ``vault["adult"]``. Methods are those of the vault, about this dataset.

    ``where``, ``group_by`` and ``agg`` begin a ``Question`` that is built from parts.
    """

    def __init__(self, vault: ReleaseVault, name: str):
        self.vault = vault
        self.name = name

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if not name.startswith("_") and name in self._names():
                raise AttributeError(f"columns are named in text: where('{name} = ?', VALUE), group_by('{name}'), scrim.mean('{name}')")
            raise _words.no_attribute(self, name)

    @_like(ReleaseVault.explain)
    def explain(self, *query: Any, **options: Any) -> Any:
        return self.vault.explain(self.name, *query, **options)

    @_like(ReleaseVault.query)
    def query(self, *query: Any, **options: Any) -> Any:
        return self.vault.query(self.name, *query, **options)

    @_like(ReleaseVault.batch)
    def batch(self, *queries: Any, **options: Any) -> Any:
        return self.vault.batch(self.name, *queries, **options)

    @_like(ReleaseVault.suggest)
    def suggest(self, *columns: Any, **options: Any) -> Any:
        return self.vault.suggest(self.name, *columns, **options)

    @_like(ReleaseVault.synth)
    def synth(self, *given: Any, **options: Any) -> Any:
        return self.vault.synth(self.name, *given, **options)

    @_like(ReleaseVault.explain_synth)
    def explain_synth(self, *given: Any, **options: Any) -> Any:
        return self.vault.explain_synth(self.name, *given, **options)

    @_like(ReleaseVault.body)
    def body(self, *columns: Any, **options: Any) -> Any:
        return self.vault.body(self.name, *columns, **options)

    @_like(ReleaseVault.deep_point)
    def deep_point(self, *columns: Any, **options: Any) -> Any:
        return self.vault.deep_point(self.name, *columns, **options)

    @_like(ReleaseVault.microdata)
    def microdata(self, *levels: Any, **options: Any) -> Any:
        return self.vault.microdata(self.name, *levels, **options)

    @_like(ReleaseVault.explain_microdata)
    def explain_microdata(self, *levels: Any, **options: Any) -> Any:
        return self.vault.explain_microdata(self.name, *levels, **options)

    @_like(ReleaseVault.check)
    def check(self, *given: Any, **options: Any) -> Any:
        return self.vault.check(self.name, *given, **options)

    @_like(ReleaseVault.risk)
    def risk(self, *given: Any, **options: Any) -> Any:
        return self.vault.risk(self.name, *given, **options)

    @_like(ReleaseVault.check_bounds)
    def check_bounds(self, *given: Any, **options: Any) -> Any:
        return self.vault.check_bounds(self.name, *given, **options)

    @_like(ReleaseVault.mock)
    def mock(self, *given: Any, **options: Any) -> Any:
        return self.vault.mock(self.name, *given, **options)

    def where(self, /, condition: str | None = None, *values: Value, **equal: Value | Sequence[Value]) -> Question:
        """A question about some rows: ``where("age > ?", 30)``, ``where(sex="Female")``.

        - ``condition``: text, perhaps with ``?``.
        - ``values``: values in place of ``?``, in their order.
        """
        return Question(self).where(condition, *values, **equal)

    def joined(self, table: str, *, on: str, how: Literal["inner", "left"] = "inner") -> Question:
        """A question with a public table: ``joined("regions", on="city").group_by("region")``.

        - ``table``: a table that the owner has declared, or one of ``tables=`` of ``query``.
        - ``on``: the column that both have; ``"city=town"`` where the table calls it otherwise.
        - ``how``: ``inner`` drops rows that the table does not know, ``left`` keeps them.
        """
        return Question(self).joined(table, on=on, how=how)

    def group_by(self, /, *columns: str, **named: Column) -> Question:
        """A question by groups: ``group_by("sex")``.

        - ``columns``: names of columns; ``name=expr(...)`` is an expression.
        """
        return Question(self).group_by(*columns, **named)

    def agg(self, /, *unnamed: Any, **named: Expression) -> Question:
        """A question about all rows: ``agg(n=scrim.count())``.

        - ``unnamed``: refused: each number needs a name.
        """
        return Question(self).agg(*unnamed, **named)

    def _names(self) -> Mapping[str, str]:
        """Its columns; none while the vault is closed, or before there is one."""
        try:
            return self.columns if "vault" in self.__dict__ else {}
        except Error:
            return {}

    def _row(self) -> dict[str, Any]:
        return next(row for row in self.vault.datasets() if row["name"] == self.name)

    @property
    def version(self) -> int:
        """The version of its contents."""
        return int(self._row()["version"])

    @property
    def population(self) -> str:
        """The population whose budget it uses."""
        return str(self._row()["population"])

    @property
    def unit(self) -> str:
        """The column of the privacy unit, or ``"row"``."""
        return _policy.read(self.policy)["unit"]

    @property
    def columns(self) -> dict[str, str]:
        """The declared type of each column."""
        return _policy.types(self.policy)

    @property
    def policy(self) -> str:
        """Its policy as text: one line for each option of ``scrim dataset add``."""
        return self.vault.policy(self.name)

    def budget(self) -> _table.Rows:
        """What is spent and left: as a whole, then for each analyst."""
        return self.vault.budget(self.population)

    def plot_budget(self) -> _plot.Plot:
        """What charges have added up to, charge by charge, beside the budget."""
        return self.vault.plot_budget(self.population)

    def ledger(self) -> _table.Rows:
        """All charges about it, in their order."""
        return self.vault.ledger(self.name)

    def __repr__(self) -> str:
        try:
            columns = ", ".join(f"{name} {kind}" for name, kind in self.columns.items())
            whole = self.budget()[0]
        except Error:  # the vault is closed, or the dataset was removed
            return f"<Dataset {self.name} of {self.vault.path}>"
        left = f"{whole['unit']} {_table.shown(whole['left'])} of {_table.shown(whole['total'])} left"
        return f"<Dataset {self.name} of {self.vault.path}: unit {self.unit}; {columns}; {left}>"
