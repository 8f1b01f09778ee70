"""Rows as typed columns, for airlock.pandas and airlock.dask.

The types are the engine's (the request `schema`): text, integer, number, boolean, date, datetime, json. Rules have them from the start. The
rows of a program say them, and `kind_of` widens as the engine does (src/engine/bulk/schema.h): tests hold the two against each other."""
from __future__ import annotations

import itertools
import json
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _arguments as arguments
from ._default import _default_pool
from ._extract import Members, extractor_members
from ._steps import UNDERSTOOD, drive
from .errors import Refused, Usage
from .pool import Pool
from .results import Row, RowError

KINDS = ("text", "integer", "number", "boolean", "date", "datetime", "json")
TABLE_COLUMNS = ("path", "ok", "error", "rule")  # what a table has beside the fields; `rule` is kept free
SAMPLES = 1000  # paths that are looked at before the types are told
MISSING: RowError = {"type": "ValueError", "message": "there is no path here, but a missing value"}
LEAST, MOST = -2**63, 2**63 - 1


class Column(NamedTuple):
    name: str  # in the table
    field: str  # in a row's data
    type: str


class Schema(NamedTuple):
    columns: List[Column]
    is_final: bool  # rules say it; other rows can say more


def ask_schema(pool: Pool, members: Members, paths: Sequence[str]) -> Schema:
    """What the engine says of an extractor. Raises Refused."""
    request: Dict[str, Any] = {"do": "schema", **members}
    if paths and "rules" not in members:
        request["paths"] = list(paths)
    told = drive(pool._engine.ask(request))
    with UNDERSTOOD:
        if told.get("refused"):
            raise refusal(told["refused"])
        if told.get("columns_left_out"):
            raise Usage(f"the rows have more than {len(told['columns']):,} different fields, too many for columns: does the extractor use values as names?")
        return Schema([Column(one["name"], one["field"], one["type"]) for one in told["columns"]], told["said_by"] == "rules")


def is_missing(path: Any) -> bool:
    """None, NaN, pandas.NA and NaT."""
    return path is None or (isinstance(path, float) and path != path) or type(path).__name__ in ("NAType", "NaTType")


def is_source(members: Members) -> bool:
    """Of which nothing is known before its rows are there."""
    return "\n" in members.get("extractor", "")


def rows_of(pool: Pool, members: Members, paths: Sequence[Any]) -> List[Row]:
    """One for each; a missing value is no path."""
    there = [one if type(one) is str else arguments.path_text(f"paths[{place}]", one) for place, one in enumerate(paths) if not is_missing(one)]
    rows = list(pool.extract(members, there))  # type: ignore[arg-type]
    if len(there) == len(paths):
        return rows
    found = iter(rows)
    none: Any = None
    return [Row(path=none, ok=False, error=MISSING) if is_missing(one) else next(found) for one in paths]


def pool_or_default(pool: Any) -> Pool:
    if pool is None:
        return _default_pool()
    if not isinstance(pool, Pool):
        raise arguments.wrong("pool", pool, "an airlock.Pool")
    return pool


def refusal(told: Mapping[str, Any]) -> Refused:
    findings = told.get("findings", [])
    return Refused("the extractor is refused: " + "; ".join(str(one["message"]) for one in findings[:5]), findings=findings,
                   about={"code": told.get("code", "")})


def declared(columns: Any) -> Optional[List[Column]]:
    """What the caller says about types: {field: type}."""
    if columns is None:
        return None
    if not isinstance(columns, Mapping):
        raise arguments.wrong("columns", columns, "a dict of fields and types, such as {'year': 'integer'}")
    for field, kind in columns.items():
        arguments.text("a field in columns", field)
        if kind not in KINDS:
            raise arguments.wrong(f"columns[{field!r}]", kind, "one of " + ", ".join(KINDS))
    return named([(field, kind) for field, kind in columns.items()])


def named(fields: Iterable[Tuple[str, str]]) -> List[Column]:
    """With names that are free in a table."""
    fields = list(fields)
    taken = {*TABLE_COLUMNS, *(field for field, _ in fields)}
    found = []
    for field, kind in fields:
        name = field
        if field in TABLE_COLUMNS:
            while name in taken:
                name = "field_" + name
            taken.add(name)
        found.append(Column(name, field, kind))
    return found


def kind_of(values: Sequence[Any]) -> str:
    """The narrowest type that holds all of them."""
    kinds = set(map(type, values)) - {type(None)}
    if not kinds or kinds == {str}:
        return "text"
    if kinds == {bool}:
        return "boolean"
    if kinds <= {int, float}:
        whole = [one for one in values if type(one) is int] if float in kinds else [one for one in values if one is not None]
        if whole and not (LEAST <= min(whole) and max(whole) <= MOST):
            return "json"
        return "number" if float in kinds else "integer"
    return "json"


def columns_of(rows: Sequence[Row]) -> List[Column]:
    """Those of all rows, in the order in which fields first appear."""
    data = [row["data"] for row in rows if row["ok"]]
    fields = dict.fromkeys(itertools.chain.from_iterable(data))
    found = named([(field, kind_of([one.get(field) for one in data])) for field in fields])
    if any("tags" in row for row in rows) and "tags" not in fields:
        found.append(Column("tags", "tags", "json"))
    return found


def as_text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


FITS: Dict[str, Callable[[Any], bool]] = {
    "text": lambda value: type(value) is str,
    "integer": lambda value: type(value) is int and LEAST <= value <= MOST,
    "number": lambda value: type(value) is float or (type(value) is int and LEAST <= value <= MOST),
    "boolean": lambda value: type(value) is bool,
    "date": lambda value: type(value) is str,
    "datetime": lambda value: type(value) is str,
    "json": lambda value: True,
}


def misfits(data: Mapping[str, Any], known: Mapping[str, Column]) -> Dict[str, str]:
    """Fields that do not fit into columns that were told before they came, and why."""
    found = {}
    for field, value in data.items():
        column = known.get(field)
        if column is None:
            found[field] = f"the field {field!r} has no column; tell all of them: columns={{{field!r}: …}}"
        elif value is not None and not FITS[column.type](value):
            found[field] = f"the field {field!r} is {as_text(value)[:80]}, and its column is of type {column.type}; tell another one: columns={{{field!r}: 'json'}}"
    return found


Value = Union[str, int, float, bool, None]


class Table:
    """Lists of values, one for each column. A row with a value that does not fit has the others, and an error."""

    def __init__(self, rows: Sequence[Row], columns: Optional[Sequence[Column]]) -> None:
        self.ok = [bool(row["ok"]) for row in rows]
        self.path = [row["path"] for row in rows]
        self.error: List[Optional[str]] = [None if row["ok"] else f"{row['error']['type']}: {row['error']['message']}" for row in rows]
        data: List[Mapping[str, Any]] = [row["data"] if row["ok"] else {} for row in rows]
        if columns is None:
            self.columns = columns_of(rows)
        else:
            self.columns = list(columns)
            known = {column.field: column for column in self.columns}
            for place, row in enumerate(rows):
                found = misfits(row["data"], known) if row["ok"] else {}
                if found:
                    self.ok[place], self.error[place] = False, "ColumnError: " + "; ".join(found.values())
                    data[place] = {field: value for field, value in data[place].items() if field not in found}
        self.values: Dict[str, List[Any]] = {}
        for column in self.columns:
            values: List[Any] = [one.get(column.field) for one in data]
            if column.field == "tags" and any("tags" in row for row in rows):
                values = [row.get("tags") for row in rows]
            if column.type == "json":
                values = [None if one is None else as_text(one) for one in values]
            self.values[column.name] = values
