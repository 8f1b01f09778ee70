"""Paths in a Series or DataFrame, rows as a DataFrame with typed columns. Needs pandas, and imports it when it is used.

    import airlock.pandas
    frame = airlock.pandas.extract(paths, "client_reports")
    frame[~frame.ok]                      # what failed, and why
"""
from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, List, Mapping, Optional, Sequence

from . import _arguments as arguments
from ._arguments import StrPath
from ._extract import extractor_members
from ._tables import Column, Table, ask_schema, declared, is_source, pool_or_default, rows_of
from .errors import Usage
from .pool import Pool
from .results import Row

if TYPE_CHECKING:
    import pandas  # type: ignore[import]

__all__ = ["extract"]

DTYPES = {"text": "string", "integer": "Int64", "number": "Float64", "boolean": "boolean", "date": "datetime64[ns]", "datetime": "datetime64[ns]",
          "json": "string"}


def extract(paths: Any, extractor: StrPath, *, column: Optional[str] = None, columns: Optional[Mapping[str, str]] = None,
            pool: Optional[Pool] = None) -> "pandas.DataFrame":
    """A DataFrame with one row for each path, in their order and with their index: `path`, `ok`, `error` ("Type: message") and a column
    for each field.

    `paths` is a Series (or Index, or list) of paths, or a DataFrame that has them in `column` ("path", or its only one). `extractor` is a
    source, a file (.py or .yaml) or the name of an approved one. Types are those of the rules, or what holds all values of a field: Int64,
    Float64, boolean, string, datetime64[ns]; lists, objects and mixtures are JSON text. `columns` tells them beforehand ({"year":
    "integer"}): a row that does not fit then has its error. A field called path, ok, error or rule is in the column field_….

    Code that is refused raises Refused; a path on which the code fails is a row with its error."""
    pool = pool_or_default(pool)
    module = needed("pandas")
    series = series_of(paths, column, module)
    members = extractor_members(extractor)
    told = declared(columns)
    if told is None and not is_source(members):
        schema = ask_schema(pool, members, ())
        told = schema.columns if schema.is_final else None
    return frame_of(rows_of(pool, members, series.tolist()), told, series.index, module)


def needed(module: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise Usage(f"{module} is needed for this, and cannot be imported: {error}") from None


def series_of(paths: Any, column: Optional[str], pandas: Any) -> Any:
    if isinstance(paths, pandas.DataFrame):
        return paths[column_of(paths.columns, column)]
    if column is not None:
        raise Usage("column is for a DataFrame, and these paths are " + type(paths).__name__)
    if isinstance(paths, pandas.Series):
        return paths
    if isinstance(paths, (str, bytes)):
        raise arguments.wrong("paths", paths, "a Series or a DataFrame of paths")
    return pandas.Series(list(arguments.path_source(paths)), dtype=object)


def column_of(columns: Any, column: Optional[str]) -> Any:
    """Where a frame has its paths."""
    names: List[Any] = list(columns)
    if column is None and "path" not in names and len(names) != 1:
        raise Usage("column: which column has the paths? There are: " + ", ".join(map(str, names[:20])))
    found = column if column is not None else "path" if "path" in names else names[0]
    if found not in names:
        raise Usage(f"column: there is no column {found!r}; there are: {', '.join(map(str, names[:20]))}")
    if names.count(found) > 1:
        raise Usage(f"column: there are {names.count(found)} columns called {found!r}; give one of them another name")
    return found


def frame_of(rows: Sequence[Row], columns: Optional[Sequence[Column]], index: Any, pandas: Any) -> Any:
    table = Table(rows, columns)
    arrays = {column.name: array_of(column, table, pandas) for column in table.columns}
    own = {"path": pandas.array(table.path, dtype="string"), "ok": pandas.array(table.ok, dtype="bool"),
           "error": pandas.array(table.error, dtype="string")}
    return pandas.DataFrame({**own, **arrays}, index=index)


def array_of(column: Column, table: Table, pandas: Any) -> Any:
    values = table.values[column.name]
    if column.type not in ("date", "datetime"):
        return pandas.array(values, dtype=DTYPES[column.type])
    times = pandas.to_datetime(pandas.Series(values, dtype=object), errors="coerce", cache=True)
    for place in [place for place, one in enumerate(values) if one is not None and times[place] is pandas.NaT]:
        table.ok[place] = False
        table.error[place] = f"ColumnError: the field {column.field!r} is {values[place]}, which datetime64[ns] cannot hold; " \
                             f"tell another type: columns={{{column.field!r}: 'text'}}"
    return times.array


def empty_frame(columns: Sequence[Column], pandas: Any) -> Any:
    """What Dask is told beforehand."""
    return frame_of([], columns, None, pandas)
