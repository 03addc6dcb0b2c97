"""Labels: whom a release protects and how well, as facts that a machine can check."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from . import _native, _plot, _table
from ._errors import CheckError
from ._opened import OpenVault


class Label:
    """The label of a release: ``facts`` by name, its ``text``, and a page of HTML with the plots."""

    def __init__(self, handle: Any):
        self._handle = handle
        self.text: str
        self.facts: Mapping[str, str]
        self.is_signed: bool
        self.text, self.facts, self.is_signed = _native.label_read(handle)

    def __getitem__(self, fact: str) -> str:
        return self.facts[fact]

    def html(self) -> str:
        """The whole page, as ``scrim report --html`` writes it."""
        return _native.label_html(self._handle)

    @property
    def plots(self) -> list[_plot.Plot]:
        """The plots of the page: each released column, and the budget."""
        return _plot.of_page(self.html())

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page; ``scrim report verify`` checks it.

        - ``path``: the file.
        """
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(self.html())

    def verify(self, vault: OpenVault | None = None, key: str | None = None) -> None:
        """Recomputes what the label claims, and compares it with a vault or with the owner's key.

        Raises CheckError if anything differs. Get the key from the owner: ``vault.key``.
        """
        _native.label_check(self._handle, None if vault is None else vault._handle, key)

    def compare(self, other: Label) -> None:
        """Raises PolicyError, with the reason, if the costs of two labels cannot be compared.

        - ``other``: another label.
        """
        _native.label_compare(self._handle, other._handle)

    def _repr_html_(self) -> str:
        # The page has styles of its own; in a frame they cannot meet those of the notebook.
        return (
            '<iframe sandbox="" style="width:100%;height:40em;border:0" '
            f'title="label of release {_table.escape(self.facts.get("release.number", ""))}" '
            f'srcdoc="{_table.escape(self.html())}"></iframe>'
        )

    def __reduce__(self) -> Any:
        return read_label, (self.text.encode("utf-8", "surrogateescape"),)

    def __str__(self) -> str:
        rows = [[name, fact if len(fact) <= 90 else fact[:89] + "…"] for name, fact in self.facts.items()]
        return _table.plain(["fact", "value"], rows, [False, False])

    def __repr__(self) -> str:
        return f"<Label of release {self.facts.get('release.number', '?')}>"


def read_label(source: bytes | str | os.PathLike[str]) -> Label:
    """The label in a file that ``scrim report`` wrote: text, YAML, CSV, JSON or HTML; or in its bytes.

    - ``source``: the file, as a path or bytes.
    """
    if isinstance(source, bytes):
        return Label(_native.label_find(source))
    with open(source, "rb") as file:
        return Label(_native.label_find(file.read()))


def verify(
    source: bytes | str | os.PathLike[str], *, vault: OpenVault | None = None, key: str | None = None
) -> Label:
    """Checks every byte of a file: a label in any form, a body, or a file of synthetic rows, their report or counts.

    ``vault`` or ``key``, the one that the owner publishes, must be given. The label of a file that is not JSON is beside
    it, in FILE.label. Returns the label; raises CheckError if anything does not hold or could not be checked.

    - ``source``: the file, as a path or bytes.
    """
    if vault is not None and not hasattr(vault, "_handle"):
        raise TypeError("vault must be a Vault, such as scrim.open('scrim.vault')")
    beside = None
    if not isinstance(source, bytes):
        if os.path.exists(os.fspath(source) + ".label"):
            with open(os.fspath(source) + ".label", "rb") as file:
                beside = file.read()
        with open(source, "rb") as file:
            source = file.read()
    label, unchecked = _native.label_verify(source, beside, None if vault is None else vault._handle, key)
    if unchecked:
        reason = unchecked[0].replace("--vault", "vault=").replace("--key", "key=")
        raise CheckError(f"not checked: {reason}")
    return Label(label)
