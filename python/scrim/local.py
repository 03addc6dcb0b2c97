"""Local privacy: devices that trust nobody add the noise themselves, and a server estimates from their reports.

    from scrim import local
    plan = local.plan(epsilon=2, users=2000, domain=5, question="colour")
    reports = plan.config.encode([0, 0, 1, 2, 4] * 400)  # simulated devices
    print(local.collect(plan.config, reports).decode(names=["red", "green", "blue", "yellow", "other"]))

Reports are private already: nothing here is charged, and no vault is needed. Real devices use the C code of ``scrim_local.h``,
which keeps a budget on the device; ``encode`` is for simulations, tests and gateways. docs/local.md explains the models.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Union, overload

from . import _native, _number, _progress, _table, _words
from ._columns import Frame
from ._errors import ParameterError

__all__ = ["Amplification", "Collection", "Config", "Decoded", "Estimates", "Plan", "Protocol", "Texts", "amplify", "collect", "plan"]

Reports = Union[bytes, bytearray, memoryview, str, "os.PathLike[str]"]
"""Reports or sums: bytes, or the path of a file."""

Post = Literal["simplex", "norm-sub", "em", "em-smooth"]
"""How counts of at least 0 that add up are made of unbiased ones."""

_HEADER = 16  # bytes before the reports of a message or a batch
_PIECE = 1 << 20


class Config:
    """A configuration: one public line that all devices of a question have.

    ``text`` is that line, ``protocol`` and ``question`` are names, ``epsilon`` is the loss of one report, rounded up,
    ``report_bytes`` its length. ``values`` is how many values there are, or 0 for texts of at most ``text_bytes`` bytes.
    """

    def __init__(self, text: str):
        self.text: str = text if text.endswith("\n") else text + "\n"
        facts = _native.local_config(self.text)
        self.question: str = facts["question"]
        self.protocol: str = facts["protocol"]
        self.values: int = facts["values"]
        self.text_bytes: int = facts["text"]
        self.report_bytes: int = facts["report_bytes"]
        self.epsilon: float = facts["epsilon"]

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Config:
        """The configuration in a file."""
        with open(path, encoding="utf-8") as file:
            return cls(file.read())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the line to a file, as ``scrim local plan --out`` does.

        - ``path``: the file.
        """
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self.text)

    def encode(self, values: Iterable[Any], *, names: Sequence[str] | None = None) -> bytes:
        """The reports of simulated devices, one for each value, as one batch: ``Collection.read`` takes it.

        - ``values`` are numbers from 0 on, or texts where the protocol is about texts. No value is an error: what is outside
          counts as the last value, and a longer text is cut.
        - ``names`` are the names of values 0, 1, ...: then ``values`` are names, and any other counts as the last one.

        Each call draws anew from the system's random bits, as if each device reported for the first time.
        """
        if self.text_bytes:
            return _native.local_encode(self.text, b"".join(_padded(value, self.text_bytes) for value in values))
        places = None if names is None else {name: place for place, name in enumerate(names)}
        return _native.local_encode(self.text, array("I", [_place(value, places) for value in values]).tobytes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Config) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> Any:
        return Config, (self.text,)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Config {self.text.strip()}>"


def _place(value: Any, places: dict[str, int] | None) -> int:
    """The number of a value; the largest number, which counts as the last value, if it has none."""
    last = 2**32 - 1
    try:
        number = int(value) if places is None else places.get(value, last)
    except Exception:
        return last
    return number if 0 <= number <= last else last


def _padded(value: Any, size: int) -> bytes:
    text = value if isinstance(value, bytes) else str("" if value is None else value).encode("utf-8", "surrogateescape")
    return text[:size].ljust(size, b"\0")


def _config(given: Config | str) -> Config:
    return given if isinstance(given, Config) else Config(given)


class Protocol:
    """One protocol of a plan: its ``config``, None if it cannot have this domain or epsilon, and what to expect of it.

    ``standard_error`` is that of the estimated share of a rare value, ``detectable`` the share that is found with a chance of
    0.9. ``epsilon`` is the loss of one report, ``lifetime`` that of all periods. ``raised`` is how far 0.1 %, 1 % and 5 %
    of forged reports can raise one estimate.
    """

    def __init__(self, facts: dict[str, Any]):
        self.facts: dict[str, Any] = facts
        self.protocol: str = facts["protocol"]
        self.answers: str = facts["answers"]
        self.config: Config | None = None if facts["config"] is None else Config(facts["config"])
        self.report_bytes: int = facts["report_bytes"]
        self.standard_error: float = facts["standard_error"]
        self.detectable: float = facts["detectable"]
        self.epsilon: float = facts["epsilon"]
        self.lifetime: float = facts["lifetime"]
        self.raised: list[float] = facts["raised"]

    def __repr__(self) -> str:
        return f"<Protocol {self.protocol}, standard error {self.standard_error:.4g}>"


class Plan(Frame):
    """The protocols that answer a question, and what they cost and show. It uses no data.

    ``config`` is that of the recommended protocol, ``reason`` says why it is, ``protocols`` has all of them.
    """

    def __init__(self, facts: dict[str, Any]):
        self.protocols: list[Protocol] = [Protocol(row) for row in facts["rows"]]
        self.recommended: Protocol = self.protocols[facts["recommended"]]
        self.reason: str = facts["reason"]

    @property
    def config(self) -> Config:
        """The configuration of the recommended protocol."""
        assert self.recommended.config is not None
        return self.recommended.config

    def __getitem__(self, protocol: _words.LocalProtocol) -> Protocol:
        found = [row for row in self.protocols if row.protocol == protocol]
        if not found:
            raise KeyError(f"no protocol {protocol!r}; there are {', '.join(row.protocol for row in self.protocols)}")
        return found[0]

    def __len__(self) -> int:
        return len(self.protocols)

    def __iter__(self) -> Iterator[Protocol]:
        return iter(self.protocols)

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        usable = [row for row in self.protocols if row.config is not None]
        yield "protocol", "text", [row.protocol for row in usable]
        yield "answers", "text", [row.answers for row in usable]
        yield "report_bytes", "number", [row.report_bytes for row in usable]
        for name in ("standard_error", "detectable", "epsilon", "lifetime"):
            yield name, "number", [getattr(row, name) for row in usable]

    def __str__(self) -> str:
        return f"{_table.sheet(self)}\nrecommended: {self.recommended.protocol}; {self.reason}"

    def _repr_html_(self) -> str:
        return _table.html_sheet(self) + f"<p>recommended: {_table.escape(self.recommended.protocol)}; {_table.escape(self.reason)}</p>"

    def __repr__(self) -> str:
        return f"<Plan for local privacy: {self.recommended.protocol}>"


def plan(
    *,
    epsilon: _number.Number,
    users: int,
    domain: int | None = None,
    length: int | None = None,
    periods: int = 1,
    is_constant: bool = False,
    is_ordered: bool = False,
    question: str = "question",
) -> Plan:
    """Compares protocols for a question and recommends one, without data.

    - ``epsilon`` is the loss of one report, above 0 and at most 8; ``users`` the reports of a period.
    - ``domain`` is how many values there are; left out, values are unknown texts of at most ``length`` bytes (8).
    - ``periods`` is how often a device reports; with ``is_constant=True`` its value never changes.
    - With ``is_ordered=True`` values are numbers, and their distribution and mean are wanted.
    - ``question`` is its name in the configuration.
    """
    if users < 1 or periods < 1:
        raise ParameterError("users and periods must be at least 1", "range", "users" if users < 1 else "periods")
    return Plan(
        _native.local_plan(
            _number.text(epsilon), users, _words.count("domain", domain, 2),
            _words.count("length", length), periods, is_constant, is_ordered, question,
        )
    )  # fmt: skip


class Collection:
    """The reports of many devices, as sums. It may grow by files, bytes and the sums of others; it keeps no report.

    Protocols about texts that nobody has listed (``text-hashing``, ``prefix``) have no sums: their reports are kept.
    """

    def __init__(self, config: Config | str):
        self.config: Config = _config(config)
        self._reports: list[bytes] | None = [] if self.config.protocol in ("text-hashing", "prefix") else None
        self._handle = None if self._reports is not None else _native.collection_new(self.config.text)

    def read(self, *sources: Reports) -> Collection:
        """Adds reports or sums: bytes, or paths of files. Returns the collection.

        A source that is no file of this configuration is refused (InputError), and ends the collection: it has a part of it.

        - ``sources``: bytes, or paths.
        """
        for source in sources:
            if self._reports is not None:
                self._reports.append(_bare(_whole(source), self.config))
            elif isinstance(source, (bytes, bytearray, memoryview)):
                _native.collection_read(self._handle, bytes(source), True)
            else:
                with open(source, "rb") as file:
                    while piece := file.read(_PIECE):
                        _native.collection_read(self._handle, piece, False)
                _native.collection_read(self._handle, b"", True)
        return self

    def sums(self) -> bytes:
        """The sums as a file, for ``save`` on another server or ``scrim local decode``; equal sums are equal bytes."""
        if self._reports is not None:
            raise ParameterError(f"reports of {self.config.protocol} have no sums; keep the reports", "unsupported", "protocol")
        return _native.collection_sums(self._handle)

    @property
    def facts(self) -> dict[str, Any]:
        """``reports``, ``dropped`` (out of range), ``flagged`` (of a rare shape), ``epsilon`` of a device, and how far one forged
        report can ``raise`` or ``drop`` an estimate, of how many ``targets`` at once."""
        if self._reports is None:
            return _native.collection_describe(self._handle)
        count = sum(map(len, self._reports)) // self.config.report_bytes
        return {"question": self.config.question, "protocol": self.config.protocol, "reports": count, "epsilon": self.config.epsilon}

    def __len__(self) -> int:
        return int(self.facts["reports"])

    def decode(
        self,
        *,
        confidence: _number.Number | None = None,
        names: Sequence[str] | None = None,
        significant: bool = False,
        post: Post | None = None,
        updates: int | None = None,
    ) -> Estimates:
        """Estimates how many devices hold each value, with intervals. Free of charge.

        - ``confidence`` of the intervals is 0.95 if left out.
        - ``names`` are the names of values 0, 1, ..., in the order in which they were encoded.
        - ``significant=True`` lists only values that somebody holds, at that confidence.
        - ``post`` adds counts of at least 0 that add up (column ``refined``); ``updates`` is how many steps ``em`` takes (200).

        Texts have ``texts()``.
        """
        if self.config.text_bytes:
            raise ParameterError(f"{self.config.protocol} is about texts; use texts()", "unsupported", "protocol")
        found = _native.collection_decode(
            self._handle, _number.optional(confidence), significant, post, _words.count("updates", updates)
        )
        return Estimates(self.facts, found, names, significant, post is not None)

    def texts(
        self,
        candidates: Sequence[str | bytes] | None = None,
        *,
        keep: int | None = None,
        alpha: float = 0.05,
        is_rate: bool = False,
    ) -> Texts:
        """Estimates how many devices hold each text. Free of charge.

        - ``candidates`` are the texts to look for; ``prefix`` finds texts that nobody has listed, and needs none.
        - ``alpha`` bounds the chance that any listed text is held by nobody; with ``is_rate=True`` their expected share.
        - ``keep`` is how many prefixes of each length go on (64).
        """
        size = self.config.text_bytes
        if not size:
            raise ParameterError(f"{self.config.protocol} is about values; use decode()", "unsupported", "protocol")
        listed = None if candidates is None else b"".join(_padded(text, size) for text in candidates)
        if self._reports is None:
            if candidates is None or listed is None:
                raise ParameterError(f"{self.config.protocol} needs the texts to look for: texts([...])", "missing", "candidates")
            rows, rest, error = _native.collection_candidates(self._handle, listed, len(candidates))
            made = [(_text(_padded(text, size)), *row[:3]) for text, row in zip(candidates, rows) if row[4]]
            return Texts(made, {"unexplained": rest, "unexplained_error": error})
        found = _native.local_texts(
            self.config.text, b"".join(self._reports), listed, _words.count("keep", keep), alpha, is_rate
        )
        return Texts([(_text(row[0]), *row[1:]) for row in found.pop("rows")], found)

    def __repr__(self) -> str:
        return f"<Collection {self.config.question}: {len(self)} reports by {self.config.protocol}>"


def _text(text: bytes) -> str:
    return text.rstrip(b"\0").decode("utf-8", "surrogateescape")


def _whole(source: Reports) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        return bytes(source)
    with open(source, "rb") as file:
        return file.read()


def _bare(data: bytes, config: Config) -> bytes:
    """Reports without headers: of one batch, or of messages one after another."""
    head = _native.local_encode(config.text, b"")
    each = _HEADER + config.report_bytes
    if data[:_HEADER] == head and (len(data) - _HEADER) % config.report_bytes == 0:
        return data[_HEADER:]
    message = head[:3] + b"\0" + head[4:]
    starts = range(0, len(data), each)
    if len(data) % each or any(data[start : start + _HEADER] != message for start in starts):
        from ._errors import InputError

        raise InputError("these are no reports of this configuration", "unsupported", "reports")
    return b"".join(data[start + _HEADER : start + each] for start in starts)


class Decoded(NamedTuple):
    """How many devices hold a value: an unbiased estimate, which may be below 0, and its interval."""

    value: Any
    estimate: float
    low: float
    high: float
    standard_error: float
    joint_low: float  #: intervals that hold for all values together
    joint_high: float
    p: float | None  #: the chance of so large an estimate if nobody holds the value, where it was asked for
    refined: float | None  #: the count that ``post`` made


class Estimates(Sequence[Decoded], Frame):
    """Estimates of all values, in their order. ``mean`` is that of numbers, or None; ``facts`` are those of the collection.

    Intervals cover the noise of honest devices, not forged reports: see ``facts["raise"]``. ``bias`` says how far the
    counts of ``post`` are from the truth on average, from simulations.
    """

    def __init__(
        self, facts: dict[str, Any], found: dict[str, Any], names: Sequence[str] | None, significant: bool, refined: bool
    ):
        self.facts: dict[str, Any] = facts
        self.bias: dict[str, Any] | None = found["bias"]
        mean = found["mean"]
        self.mean: Decoded | None = None if mean is None else Decoded("mean", mean[0], mean[2], mean[3], mean[1], mean[2], mean[3], None, None)
        self._refined = refined
        self._significant = significant
        self._rows = [
            Decoded(
                names[value] if names is not None and value < len(names) else value,
                row[0], row[2], row[3], row[1], row[4], row[5], row[6] if significant else None, row[7] if refined else None,
            )
            for value, row in enumerate(found["rows"])
            if not significant or row[8]
        ]  # fmt: skip

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, index: int) -> Decoded: ...
    @overload
    def __getitem__(self, index: slice) -> list[Decoded]: ...
    def __getitem__(self, index: Any) -> Any:
        return self._rows[index]

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        shown = ["estimate", "low", "high", "standard_error", "joint_low", "joint_high"]
        shown += [*(["p"] if self._significant else []), *(["refined"] if self._refined else [])]
        is_text = any(isinstance(row.value, str) for row in self._rows)
        values = [row.value for row in self._rows]
        yield "value", "text" if is_text else "number", list(map(str, values)) if is_text else values
        for name in shown:
            yield name, "number", [getattr(row, name) for row in self._rows]

    def __str__(self) -> str:
        lines = [] if self.mean is None else [f"mean {self.mean.estimate:.6g}, {self.mean.low:.6g} to {self.mean.high:.6g}"]
        return "\n".join([*([_table.sheet(self)] if self._rows else []), *lines])

    def _repr_html_(self) -> str:
        return f"<pre>{_table.escape(str(self))}</pre>" if not self._rows else _table.html_sheet(self)

    def __repr__(self) -> str:
        return f"<Estimates of {len(self)} values from {self.facts['reports']} reports>"


class Texts(Frame):
    """Texts with the estimated number of devices that hold them, the most frequent first; ``facts`` are about all of them."""

    def __init__(self, rows: list[tuple[str, float, float, float]], facts: dict[str, Any]):
        self.rows: list[tuple[str, float, float, float]] = sorted(rows, key=lambda row: -row[1])
        self.facts: dict[str, Any] = facts

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[tuple[str, float, float, float]]:
        return iter(self.rows)

    def _flat(self) -> Iterator[tuple[str, str, list[Any]]]:
        yield "text", "text", [row[0] for row in self.rows]
        for place, name in enumerate(("estimate", "standard_error", "p"), 1):
            yield name, "number", [row[place] for row in self.rows]

    def __str__(self) -> str:
        return _table.sheet(self)

    def _repr_html_(self) -> str:
        return _table.html_sheet(self)

    def __repr__(self) -> str:
        return f"<Texts: {len(self)} found>"


def collect(config: Config | str, *sources: Reports) -> Collection:
    """Adds up the reports of devices: bytes or files of messages, of one batch, or of sums.

    - ``config``: the configuration.
    - ``sources``: bytes, or paths of files.
    """
    return Collection(config).read(*sources)


class Amplification(NamedTuple):
    """The epsilon of a shuffled batch: ``upper`` is claimed, ``lower`` is the least that this proof could give."""

    lower: float
    upper: float


def amplify(
    *,
    devices: int,
    epsilon: _number.Number,
    delta: _number.Number,
    protocol: str | None = None,
    progress: _progress.Progress = None,
) -> Amplification:
    """How much many reports together reveal about one device, if a shuffler hides who sent which.

    - ``devices`` is how many are honest, ``epsilon`` the loss of one report, ``delta`` that of the shuffled batch.
    - ``protocol`` is such as ``"randomised-response values=1024"``; left out, any protocol with that epsilon.

    It is a claim only where a shuffler works that is not the collector's: docs/local.md says what must hold.

    - ``progress``: ``True`` for a line that shows how far it is, a bar such as that of tqdm, or a function of (done,
      total).
    """
    if devices < 1:
        raise ParameterError("devices must be at least 1", "range", "devices")
    found = _native.local_amplify(
        devices, _number.text(epsilon), _number.text(delta), protocol, _progress.listener(progress)
    )
    return Amplification(*found)
