"""Paths in a bag, series or frame of Dask, rows as a bag or a frame with typed columns. Needs dask, and imports it when it is used.

    import airlock.dask
    frame = airlock.dask.extract(paths, "client_reports")       # nothing has run yet but a look at the first paths
    frame.to_parquet("rows/")

The driver vets the extractor, once, and it travels as text with its hash; a name travels as a signed bundle, which runs where its key is
trusted (airlock keys trust). Each worker process has one engine, which ends with it. Whatever
happens to a worker, Dask gives its partitions to another one: a partition is made whole or not at all, so that nothing is lost and nothing
is there twice."""
from __future__ import annotations

import hashlib
import importlib
import os
import subprocess
import threading
import warnings
from typing import Any, Iterable, List, Mapping, NamedTuple, Optional, Sequence

from ._arguments import StrPath
from ._extract import Members, extractor_members
from ._program import find_program
from ._steps import drive
from ._tables import SAMPLES, Column, ask_schema, declared, is_missing, is_source, pool_or_default, refusal, rows_of
from .errors import Refused, SessionLost, Usage
from .pandas import column_of, empty_frame, frame_of, needed
from .pool import Pool
from .results import Row

__all__ = ["extract"]

ATTEMPTS = 3  # for a partition whose engine somebody ends


class Carried(NamedTuple):
    """An extractor on its way to the workers."""
    members: Members
    sha256: str

    def checked(self) -> Members:
        if digest(self.members) != self.sha256:
            raise Refused("the extractor that came here is not the one that was vetted: its SHA-256 differs")
        return self.members


def digest(members: Members) -> str:
    return hashlib.sha256(repr(sorted(members.items())).encode()).hexdigest()


def extract(paths: Any, extractor: StrPath, *, column: Optional[str] = None, columns: Optional[Mapping[str, str]] = None, pool: Optional[Pool] = None) -> Any:
    """The rows of paths, lazily, in their order. A bag of paths gives a bag of rows (dicts, as Pool.extract() gives them); a series, or a
    frame that has them in `column` ("path", or its only one), a frame as airlock.pandas.extract() makes it.

    The types of a frame's columns are told before it is computed: by the rules, by `columns` ({"year": "integer"}), or by what the extractor
    gives for its samples and the first paths. A later row that does not fit has an error that says so. Code that is refused raises Refused
    here, before anything is computed. `pool` is for this look; workers have their own."""
    pool = pool_or_default(pool)
    members = bundled(extractor_members(extractor))
    told = declared(columns)
    carried = Carried(members, digest(members))
    if is_bag(paths):
        for name, given in (("column", column), ("columns", columns)):
            if given is not None:
                raise Usage(f"{name} is for a frame, and these paths are a bag, which gives a bag of rows")
        vet(pool, members)
        return paths.map_partitions(rows_of_partition, carried)
    pandas, dask_frames = needed("pandas"), needed("dask.dataframe")
    if isinstance(paths, dask_frames.DataFrame):
        paths = paths[column_of(paths.columns, column)]
    elif not isinstance(paths, dask_frames.Series):
        raise Usage(f"paths is a {type(paths).__name__}; wanted a bag, a series or a frame of Dask")
    elif column is not None:
        raise Usage("column is for a frame, and these paths are a series")
    if told is None:
        told = ask_schema(pool, members, first_paths(paths) if "rules" not in members else ()).columns
    else:
        vet(pool, members)
    return paths.map_partitions(frame_of_partition, carried, told, meta=empty_frame(told, pandas))


def bundled(members: Members) -> Members:
    """A name means something to this user on this machine. It travels as a signed bundle, which runs where its key is trusted."""
    name = members.get("extractor", "")
    if is_source(members) or not name:
        return members
    done = subprocess.run([find_program(), "extractors", "export", "--", name], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode != 0:
        raise (Refused if done.returncode == 1 else Usage)(done.stderr.decode(errors="replace").strip().removeprefix("airlock: "))
    return Members(bundle=done.stdout.decode())


def is_bag(paths: Any) -> bool:
    return isinstance(paths, needed("dask.bag").Bag)


def vet(pool: Pool, members: Members) -> None:
    """Raises what is wrong with it."""
    if is_source(members):
        checked = pool.check(members["extractor"], policy="extractor")
        if not checked.accepted:
            raise refusal({"findings": [one for one in checked.findings if one.get("severity") == "error"], "code": checked.code})
    elif "bundle" in members:
        drive(pool._engine.ask({"do": "extract", "paths": ["/"], **members}))  # whatever it gives for it
    else:
        ask_schema(pool, members, ())


def first_paths(paths: Any) -> List[str]:
    """Of the first partition that has any."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that there are fewer than were asked for
        head = paths.head(SAMPLES, npartitions=1, compute=True)
        if len(head) == 0:
            head = paths.head(SAMPLES, npartitions=-1, compute=True)
    found = [one for one in head.tolist() if not is_missing(one)]
    if not found:
        raise Usage("there are no paths to learn the columns from; tell them: columns={'year': 'integer'}")
    return found


_lock = threading.Lock()
_pool: Optional[Pool] = None


def renew() -> None:
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=renew)


def worker_pool() -> Pool:
    """One for this process, with as much at once as the worker has threads."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = Pool(workers=worker_threads())
        return _pool


def worker_threads() -> Optional[int]:
    try:
        worker: Any = importlib.import_module("distributed").get_worker()
        return max(1, int(getattr(worker, "state", worker).nthreads))
    except (ImportError, ValueError, AttributeError):
        return None  # not on a worker: threads or processes of this machine


def rows_here(members: Members, paths: Sequence[Any]) -> List[Row]:
    for attempt in range(ATTEMPTS):
        try:
            return rows_of(worker_pool(), members, paths)
        except SessionLost:
            if attempt + 1 == ATTEMPTS:
                raise
    raise AssertionError("unreachable")


def rows_of_partition(paths: Iterable[Any], carried: Carried) -> List[Row]:
    """All of them, or none: a partition that is begun again must not have been heard of."""
    return rows_here(carried.checked(), list(paths))


def frame_of_partition(series: Any, carried: Carried, columns: Sequence[Column]) -> Any:
    pandas = needed("pandas")
    return frame_of(rows_here(carried.checked(), series.tolist()) if len(series) else [], columns, series.index, pandas)
