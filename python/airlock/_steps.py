"""One logic for two faces: an operation is a generator that yields what it waits for and is sent the message that came.

`drive` waits by blocking a thread, `drive_async` by awaiting. What interrupts the waiting (Ctrl-C, a cancelled task) is raised inside the
generator at its `yield`: there it can tell the engine, and wait for a last message."""
from __future__ import annotations

import collections
import queue
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Deque, Generator, Optional, Type, TypeVar

from . import errors
from ._connection import Message

if TYPE_CHECKING:
    import asyncio  # which takes its time: only who awaits needs it

T = TypeVar("T")


class Inbox:
    """The messages of one request. post() is called by any thread."""
    post: Callable[[Message], None]

    def is_empty(self) -> bool:
        raise NotImplementedError


class Wait:
    """For the next message of an inbox. `seconds` is None for as long as it takes; when they are over, no message is sent."""
    __slots__ = ("inbox", "seconds")

    def __init__(self, inbox: Inbox, seconds: Optional[float] = None) -> None:
        self.inbox, self.seconds = inbox, seconds


Steps = Generator[Wait, Optional[Message], T]


class ThreadInbox(Inbox):
    def __init__(self) -> None:
        self._queue: "queue.SimpleQueue[Message]" = queue.SimpleQueue()
        self.post = self._queue.put

    def is_empty(self) -> bool:
        return self._queue.empty()

    def get(self, seconds: Optional[float]) -> Optional[Message]:
        try:
            return self._queue.get(timeout=seconds)
        except queue.Empty:
            return None


class LoopInbox(Inbox):
    """Of whoever runs in an event loop."""

    def __init__(self) -> None:
        import asyncio
        self._loop = asyncio.get_running_loop()
        self._messages: Deque[Message] = collections.deque()
        self._waiter: Optional["asyncio.Future[None]"] = None
        self.post = self._post

    def _post(self, message: Message) -> None:
        self._messages.append(message)
        try:
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:
            pass  # the loop is closed: nobody waits any more

    def is_empty(self) -> bool:
        return not self._messages

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def get(self, seconds: Optional[float]) -> Optional[Message]:
        if not self._messages:
            self._waiter = self._loop.create_future()
            timer = None if seconds is None else self._loop.call_later(seconds, self._wake)
            try:
                if not self._messages:  # or it came just now
                    await self._waiter
            finally:
                self._waiter = None
                if timer is not None:
                    timer.cancel()
        return self._messages.popleft() if self._messages else None


def drive(steps: Steps[T]) -> T:
    try:
        wait = next(steps)
        while True:
            try:
                message = wait.inbox.get(wait.seconds)  # type: ignore[attr-defined]
            except BaseException as error:
                wait = steps.throw(error)
            else:
                wait = steps.send(message)
    except StopIteration as done:
        value: T = done.value
        return value


async def drive_async(steps: Steps[T]) -> T:
    try:
        wait = next(steps)
        while True:
            try:
                message = await wait.inbox.get(wait.seconds)  # type: ignore[attr-defined]
            except BaseException as error:
                wait = steps.throw(error)
            else:
                wait = steps.send(message)
    except StopIteration as done:
        value: T = done.value
        return value


class Understood:
    """`with UNDERSTOOD:` around what takes an answer apart: one that has not what it must have is an Error that says so."""

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        if isinstance(error, (LookupError, TypeError, ValueError, AttributeError)):
            raise errors.Error(f"a bug in airlock: an answer of the engine cannot be understood ({type(error).__name__}: {error})") from error


UNDERSTOOD = Understood()


def expect(message: Optional[Message]) -> Any:
    """The result of a request that is over; raises what it ended with."""
    if message is not None and "result" in message:
        return message["result"]
    if message is None:
        raise errors.SessionLost("the engine did not answer in time")
    if "lost" in message:
        raise errors.SessionLost(message["lost"])
    with UNDERSTOOD:
        told = message["error"]
        text = str(told.get("message", ""))
        kind = {"Usage": errors.Usage, "NoIsolation": errors.NoIsolation, "Refused": errors.Refused, "Cancelled": errors.SessionLost}.get(told.get("type"))
    raise kind(text) if kind else errors.Error(f"a bug in airlock: {text}")
