"""List tables that differ from a given one in one row, the extreme ones first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from dp_lib.domain import DomainError

MOST = 24  # neighbours that are tried
EACH = 8  # rows that are replaced, and rows of the table that replace them


def of(table: Any, values: Iterable[Any]) -> list[tuple[Any, str]]:
    """Return neighbours of a table, each with the row that was replaced in words.

    A row is replaced by one of `values`, or else by a row that occurs in the table, because a row outside the range of
    the data may be one for which nothing is promised.

    >>> of([1, 0, 1], [])
    [([1, 1, 1], 'table[1] = 1 in place of 0'), ([0, 0, 1], 'table[0] = 0 in place of 1')]
    """
    if not isinstance(table, np.ndarray | list | tuple) or not len(table):
        got = (
            f"{type(table).__name__} without rows"
            if hasattr(table, "__len__") and not len(table)
            else type(table).__name__
        )
        raise DomainError(
            f"neighbour must be given unless table is a list or an array of rows, got a table of type {got}"
        )
    rows = list(table)
    places = list(_telling(rows))[:EACH]
    found = [
        (_replaced(table, place, value), f"table[{place}] = {_plain(value)!r} in place of {_plain(rows[place])!r}")
        for place in places
        for value in [*values, *(rows[place] for place in places)]
        if not _same(value, rows[place])
    ]
    if not found:
        raise DomainError("values must name a row to put in place of another, because all rows of table are equal")
    return found[:MOST]


def _telling(rows: list[Any]) -> Iterator[int]:
    """Yield where rows stand that differ from each other: the extreme ones, the first and the last, then the others."""
    seen: list[str] = []
    for place in [*_extreme(rows), 0, len(rows) - 1, *range(len(rows))]:
        name = repr(_plain(rows[place]))
        if name not in seen:
            seen.append(name)
            yield place


def _extreme(rows: list[Any]) -> list[int]:
    """Return where the smallest and the largest entry of each column stand, if the rows are numbers."""
    try:
        columns = np.array(rows, dtype=float).reshape(len(rows), -1).T
    except (TypeError, ValueError):
        return []
    return [int(place) for column in columns for place in (np.argmin(column), np.argmax(column))]


def _replaced(table: Any, place: int, value: Any) -> Any:
    if not isinstance(table, np.ndarray):
        return type(table)([*table[:place], value, *table[place + 1 :]])
    copy = table.copy()
    try:
        copy[place] = value
        fits = _same(copy[place], value)
    except (TypeError, ValueError):
        fits = False
    if not fits:
        raise DomainError(f"values must be rows of the table, which holds {table.dtype}, got {_plain(value)!r}")
    return copy


def _same(one: Any, other: Any) -> bool:
    return bool(np.array_equal(one, other))


def _plain(row: Any) -> Any:
    """Return a row as Python writes it."""
    return row.tolist() if isinstance(row, np.ndarray | np.generic) else row
