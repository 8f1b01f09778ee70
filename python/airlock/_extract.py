"""The bulk job: paths go out in batches, a few at a time, and rows come back in the order of the paths. Memory holds these batches alone,
however long the list is.

Paths are taken ahead of their rows, in the thread of whoever takes the rows. So a producer must not wait for a row before it gives the next
path, unless it is asynchronous: such paths are taken while rows are waited for (Feeding). One that takes its time, LONGEST_WAIT for a path, is
asked for no other before the rows of those that it gave are there.

What a producer raises, and a path that is none, is raised after the rows of the paths before it."""
from __future__ import annotations

import collections
import itertools
import os
import re
import time
from typing import Any, Deque, Dict, Iterator, List, Optional

from . import _arguments as arguments
from ._connection import Connection, Request
from ._engine import Engine, send
from ._steps import UNDERSTOOD, Inbox, Steps, Wait, expect
from .errors import Refused, Usage
from .results import Row

FIRST_BATCH, LARGEST_BATCH = 64, 2048  # paths; the first rows come soon
MOST_BYTES = 1024 * 1024  # of paths in a batch
LONGEST_WAIT = 0.02  # seconds that a path waits for others to go with
MOST_AT_ONCE = 256  # paths that are taken without looking at the time
RULES = (".yaml", ".yml")
CODE = re.compile(r"[():=]")  # nothing that a name can have
TOO_LARGE = "ask for fewer paths"  # the engine's words about rows that do not fit into one answer


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
    name = arguments.file_path("extractor", extractor)
    if not name.endswith((".py", *RULES)):
        if isinstance(extractor, str) and CODE.search(extractor):
            raise arguments.wrong("extractor", extractor, "a source with a line end, which tells it from a name: add '\\n' at its end")
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
        self.begun = 0.0  # when its first path was asked for

    def __len__(self) -> int:
        return len(self.paths) + len(self.own_rows)


class UnderWay:
    def __init__(self, batch: Batch, connection: Connection, inbox: Inbox, request: Request) -> None:
        self.batch, self.connection, self.inbox, self.request = batch, connection, inbox, request


class Extraction:
    """take() paths until is_over, send() when it says so, and take the rows of the oldest batch while is_full; then those of all that
    is_under_way, and raise_failure()."""

    def __init__(self, engine: Engine, extractor: Any) -> None:
        self._engine = engine
        self._members = {"do": "extract", **extractor_members(extractor)}
        self._batch = Batch()
        self._size = FIRST_BATCH
        self._at_once = 1
        self._taken: Deque[Any] = collections.deque()  # paths that are in no batch yet
        self._under_way: Deque[UnderWay] = collections.deque()
        self._most = (engine.workers or os.cpu_count() or 2) + 2
        self._seen = 0
        self._is_slow = False  # the producer, at the moment
        self._has_ended = False
        self._failure: Optional[Exception] = None
        self._pid = os.getpid()

    # ---- paths

    def take(self, paths: Iterator[Any]) -> bool:
        """Some more; whether the batch is to be sent now. What the producer raises is kept for later."""
        begun = time.monotonic()
        if not self._batch:
            self._batch.begun = begun
        if not self._taken:
            wanted = min(self._at_once, self._size - len(self._batch))
            try:
                self._taken.extend(itertools.islice(paths, wanted))  # those before one that is raised stay
                self._has_ended = len(self._taken) < wanted
            except Exception as error:
                self.fail(error)
            took = time.monotonic() - begun
            self._is_slow = took > LONGEST_WAIT
            if self._is_slow:
                self._at_once = 1
            elif 2 * took < LONGEST_WAIT:
                self._at_once = min(self._at_once * 2, MOST_AT_ONCE)
        return self._add_taken() or self.is_over or time.monotonic() - self._batch.begun > LONGEST_WAIT

    def add(self, path: Any) -> bool:
        """One; whether the batch is to be sent now."""
        self._taken.append(path)
        return self._add_taken()

    def fail(self, error: Exception) -> None:
        """Of the producer: no more paths, and the rows of those before it are not lost."""
        self._failure = self._failure or error

    @property
    def is_over(self) -> bool:
        """Whether there are no more paths."""
        return not self._taken and (self._has_ended or self._failure is not None)

    def raise_failure(self) -> None:
        if self._failure is not None:
            raise self._failure

    def _add_taken(self) -> bool:
        """Whether the batch is full."""
        batch, taken = self._batch, self._taken
        if set(map(type, taken)) == {str}:
            text = "".join(taken)
            if text.isascii() and "\0" not in text and batch.bytes + len(text) < MOST_BYTES:
                batch.paths.extend(taken)
                batch.bytes += len(text)
                self._seen += len(taken)
                taken.clear()
        try:
            while taken and batch.bytes < MOST_BYTES:
                self._add(batch, arguments.path_text(f"paths[{self._seen}]", taken.popleft()))
                self._seen += 1
        except Usage as error:
            taken.clear()
            self.fail(error)
        return len(batch) >= self._size or batch.bytes >= MOST_BYTES

    def _add(self, batch: Batch, name: str) -> None:
        problem = ("ValueError", "the path has a NUL byte, which no path can have") if "\0" in name else None
        try:
            batch.bytes += len(name.encode())
        except UnicodeEncodeError:
            problem = ("EncodingError", "the path is not UTF-8, and cannot be sent")
            batch.bytes += len(name)
        if problem is None:
            batch.paths.append(name)
        else:
            batch.own_rows[len(batch)] = {"path": name, "ok": False, "error": {"type": problem[0], "message": problem[1]}}

    # ---- batches

    def send(self) -> Steps[None]:
        """What has been taken."""
        batch, self._batch = self._batch, Batch()
        self._size = min(self._size * 2, LARGEST_BATCH)
        if batch:
            yield from self._send(batch, at_front=False)

    def _send(self, batch: Batch, at_front: bool) -> Steps[None]:
        self._check_process()
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

    def _check_process(self) -> None:
        if self._pid != os.getpid():
            raise Usage(f"these rows were asked for by process {self._pid}, and this is {os.getpid()}, forked from it: ask for them here")

    @property
    def is_under_way(self) -> bool:
        return bool(self._under_way)

    @property
    def has_room(self) -> bool:
        """For another batch."""
        return len(self._under_way) < self._most

    @property
    def is_full(self) -> bool:
        """Whether rows are to be taken before the next path."""
        return not self.has_room or (self.is_under_way and (self._is_slow or not self._under_way[0].inbox.is_empty()))

    # ---- rows

    def rows(self) -> Steps[List[Row]]:
        """Of the oldest batch."""
        self._check_process()
        one = self._under_way[0]
        message = yield Wait(one.inbox)
        self._under_way.popleft()
        try:
            told = expect(message)
        except Usage as error:
            if TOO_LARGE not in error.message or len(one.batch.paths) < 2:
                raise
            return (yield from self._in_halves(one.batch))
        with UNDERSTOOD:
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
