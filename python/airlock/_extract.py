"""The bulk job: paths go out in batches, a few at a time, and rows come back in the order of the paths. Memory holds these batches alone,
however long the list is. A producer that is slower than the engine sees each row before the next path is asked for."""
from __future__ import annotations

import collections
import os
import time
from typing import Any, Deque, Dict, List

from . import _arguments as arguments
from ._connection import Connection, Request
from ._engine import Engine, send
from ._steps import Inbox, Steps, Wait, expect
from .errors import Refused, Usage

FIRST_BATCH, LARGEST_BATCH = 64, 2048  # paths; the first rows come soon
MOST_BYTES = 1024 * 1024  # of paths in a batch
LONGEST_WAIT = 0.02  # seconds that a path waits for others to go with
RULES = (".yaml", ".yml")
TOO_LARGE = "ask for fewer paths"  # the engine's words about rows that do not fit into one answer

Row = Dict[str, Any]


class Members(Dict[str, str]):
    """What a request says of an extractor: made once, and sent many times, from other processes too."""


def extractor_members(extractor: Any) -> Members:
    """A source, the file that holds one, or a name."""
    if isinstance(extractor, Members):
        return extractor
    return Members(told_of(extractor))


def told_of(extractor: Any) -> Dict[str, str]:
    if isinstance(extractor, str) and "\n" in extractor:
        return {"extractor": arguments.text("extractor", extractor)}
    name = arguments.path_text("extractor", extractor)
    if not name.endswith((".py", *RULES)):
        if not isinstance(extractor, str) or not name:
            raise arguments.wrong("extractor", extractor, "a source (a text with a line end), a file that ends in .py or .yaml, or the name of an approved one")
        return {"extractor": arguments.text("extractor", name)}
    try:
        with open(name, encoding="utf-8-sig") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"extractor: {name} cannot be read: {error}") from None
    if name.endswith(RULES):
        return {"rules": text}
    return {"extractor": text if "\n" in text else text + "\n"}


class Batch:
    def __init__(self) -> None:
        self.paths: List[str] = []
        self.own_rows: Dict[int, Row] = {}  # by their place in the batch: of paths that cannot be sent
        self.bytes = 0
        self.begun = 0.0

    def __len__(self) -> int:
        return len(self.paths) + len(self.own_rows)


class UnderWay:
    def __init__(self, batch: Batch, connection: Connection, inbox: Inbox, request: Request) -> None:
        self.batch, self.connection, self.inbox, self.request = batch, connection, inbox, request


class Extraction:
    """add() every path, send() when it says so, and take the rows of the oldest batch while is_full; finish with what is_under_way."""

    def __init__(self, engine: Engine, extractor: Any) -> None:
        self._engine = engine
        self._members = {"do": "extract", **extractor_members(extractor)}
        self._batch = Batch()
        self._size = FIRST_BATCH
        self._under_way: Deque[UnderWay] = collections.deque()
        self._most = (engine.workers or os.cpu_count() or 2) + 2
        self._seen = 0
        self._is_slow = False  # the producer, at the moment

    def add(self, path: Any) -> bool:
        """Whether the batch is to be sent now."""
        name = path if type(path) is str else arguments.path_text(f"paths[{self._seen}]", path)
        batch, paths = self._batch, self._batch.paths
        now = time.monotonic()
        if not paths and not batch.own_rows:
            batch.begun = now
        self._seen += 1
        if name.isascii() and "\0" not in name:
            paths.append(name)
        else:
            self._look_closer(batch, name)
        batch.bytes += len(name)
        self._is_slow = is_slow = now - batch.begun > LONGEST_WAIT
        return is_slow or len(paths) + len(batch.own_rows) >= self._size or batch.bytes >= MOST_BYTES

    def _look_closer(self, batch: Batch, name: str) -> None:
        if "\0" in name:
            raise arguments.wrong(f"paths[{self._seen - 1}]", name, "a path: it has a NUL byte, which no path can have")
        try:
            batch.bytes += len(name.encode()) - len(name)
            batch.paths.append(name)
        except UnicodeEncodeError:
            batch.own_rows[len(batch)] = {"path": name, "ok": False, "error": {"type": "EncodingError", "message": "the path is not UTF-8, and cannot be sent"}}

    def send(self) -> Steps[None]:
        """What has been added."""
        batch, self._batch = self._batch, Batch()
        self._size = min(self._size * 2, LARGEST_BATCH)
        if batch:
            yield from self._send(batch, at_front=False)

    def _send(self, batch: Batch, at_front: bool) -> Steps[None]:
        connection = yield from self._engine.connected()
        inbox = self._engine.make_inbox()
        if not batch.paths:
            inbox.post({"result": {"rows": []}})
            one = UnderWay(batch, connection, inbox, Request(0, inbox.post, None, b"", False))
        else:
            one = UnderWay(batch, connection, inbox, send(connection, {**self._members, "paths": batch.paths}, inbox))
        if at_front:
            self._under_way.appendleft(one)
        else:
            self._under_way.append(one)

    @property
    def is_under_way(self) -> bool:
        return bool(self._under_way)

    @property
    def is_full(self) -> bool:
        """Whether rows are to be taken before the next path."""
        waiting = len(self._under_way)
        return waiting >= self._most or (waiting > 0 and (self._is_slow or not self._under_way[0].inbox.is_empty()))

    def rows(self) -> Steps[List[Row]]:
        """Of the oldest batch."""
        one = self._under_way[0]
        message = yield Wait(one.inbox)
        self._under_way.popleft()
        try:
            told = expect(message)
        except Usage as error:
            if TOO_LARGE not in error.message or len(one.batch.paths) < 2:
                raise
            return (yield from self._in_halves(one.batch))
        if told.get("refused"):
            findings = told["refused"].get("findings", [])
            raise Refused("the extractor is refused: " + "; ".join(str(each["message"]) for each in findings[:5]), findings=findings,
                          about={"code": told["refused"].get("code", "")})
        return merged(told["rows"], one.batch.own_rows)

    def _in_halves(self, batch: Batch) -> Steps[List[Row]]:
        half = len(batch.paths) // 2
        first, second = Batch(), Batch()
        first.paths, second.paths = batch.paths[:half], batch.paths[half:]
        yield from self._send(second, at_front=True)
        yield from self._send(first, at_front=True)
        rows = yield from self.rows()
        return merged(rows + (yield from self.rows()), batch.own_rows)

    def cancel(self) -> None:
        """What nobody waits for any more."""
        for one in self._under_way:
            one.connection.cancel_soon(one.request)
        self._under_way.clear()


def merged(rows: List[Row], own_rows: Dict[int, Row]) -> List[Row]:
    for place in sorted(own_rows):
        rows.insert(place, own_rows[place])
    return rows
