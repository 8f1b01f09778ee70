"""Host functions: where the user's functions run when code inside calls them.

Ordinary functions run in worker threads, one for each call under way; coroutine functions on the loop of the caller, or, when the caller
has none, on a loop of this pool's own, in one more thread. Each call sees the context variables of whoever ran the piece. All threads are
daemons: a function that never returns keeps no program from ending.

Every call is answered, whatever its function raises. When the piece is over, its coroutine functions that are still under way are cancelled;
an ordinary function cannot be, and its answer is dropped."""
from __future__ import annotations

import contextvars
import inspect
import queue
import threading
from typing import TYPE_CHECKING, Any, Callable, Dict, Mapping, Optional, Set, Tuple

from ._connection import Connection, Message, Request
from ._values import MOST_LEVELS, NotJson, as_json
from .errors import SessionLost

if TYPE_CHECKING:
    import asyncio  # which takes its time: only who has coroutine functions needs it

IDLE_SECONDS = 30.0  # after which a worker ends
LONGEST_MESSAGE = 16 * 1024  # characters of what a function raised

# What waits for the function that runs here: session.run() of one of these cannot be answered.
waiting_here: "contextvars.ContextVar[Tuple[object, ...]]" = contextvars.ContextVar("airlock_waiting_here", default=())


class Workers:
    """Threads that are kept for a while."""

    def __init__(self) -> None:
        self._tasks: "queue.SimpleQueue[Optional[Callable[[], None]]]" = queue.SimpleQueue()  # None: go
        self._lock = threading.RLock()  # the collector of garbage may close a pool at any moment, in any thread
        self._idle = 0
        self._is_closed = False
        self._loop: Optional[asyncio.AbstractEventLoop] = None
        self._is_ending = threading.Event()  # the loop is not to go on

    def run(self, task: Callable[[], None]) -> None:
        """Raises RuntimeError when there is no thread to be had."""
        with self._lock:
            is_new = self._idle == 0
            if not is_new:
                self._idle -= 1
        if is_new:
            threading.Thread(target=self._work, args=(task,), name="airlock-function", daemon=True).start()
        else:
            self._tasks.put(task)

    def _work(self, task: Optional[Callable[[], None]]) -> None:
        while task is not None:
            task()
            task = None
            with self._lock:
                if self._is_closed:
                    return
                self._idle += 1
            try:
                task = self._tasks.get(timeout=IDLE_SECONDS)
            except queue.Empty:
                with self._lock:
                    if self._idle == 0:  # a task was promised meanwhile
                        is_promised = True
                    else:
                        is_promised = False
                        self._idle -= 1
                if not is_promised:
                    return
                task = self._tasks.get()

    def loop(self) -> asyncio.AbstractEventLoop:
        """One that runs, for coroutine functions of whoever has none. Raises RuntimeError when there is no thread to be had."""
        import asyncio
        with self._lock:
            if self._loop is None or self._loop.is_closed():
                loop = asyncio.new_event_loop()
                try:
                    threading.Thread(target=run_loop, args=(loop, self._is_ending), name="airlock-loop", daemon=True).start()
                except RuntimeError:
                    loop.close()
                    raise
                self._loop = loop
            return self._loop

    def close(self) -> None:
        """Threads end when they have nothing to do any more."""
        with self._lock:
            self._is_closed = True
            idle, self._idle = self._idle, 0
            loop, self._loop = self._loop, None
        for _ in range(idle):
            self._tasks.put(None)
        self._is_ending.set()
        if loop is not None:
            try:
                loop.call_soon_threadsafe(loop.stop)
            except RuntimeError:
                pass


def run_loop(loop: "asyncio.AbstractEventLoop", is_ending: threading.Event) -> None:
    import asyncio
    asyncio.set_event_loop(loop)
    try:
        while not is_ending.is_set():
            try:
                loop.run_forever()
            except BaseException:  # SystemExit of a task that some function left behind costs that task alone
                pass
        for task in asyncio.all_tasks(loop):
            task.cancel()
        loop.run_until_complete(asyncio.sleep(0))
    finally:
        loop.close()


def is_coroutine_function(function: Any) -> bool:
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))


class Calls:
    """The calls that one piece makes. take() is what the reading thread calls; end() is called when the piece is over, and waits for no lock."""

    def __init__(self, connection: Connection, functions: Mapping[str, Callable[..., Any]], workers: Workers,
                 loop: Optional[asyncio.AbstractEventLoop], session: object) -> None:
        self._connection, self._functions, self._workers, self._loop = connection, functions, workers, loop
        self._context = contextvars.copy_context()
        self._context.run(waiting_here.set, (*waiting_here.get(), session))
        self._is_over = False
        self._their_loop: Optional[asyncio.AbstractEventLoop] = None  # where coroutine functions have been begun
        self._awaited: Set[int] = set()  # calls of coroutine functions that are under way
        self._tasks: "Set[asyncio.Task[None]]" = set()  # of them; touched by their loop alone, which keeps only weak references

    def take(self, request: Request, message: Message) -> None:
        function = self._functions.get(message["name"])
        context = self._context.copy()
        if function is not None and "problem" not in message and is_coroutine_function(function):
            self._begin_task(request, context, function, message)
            return
        self._run_aside(request, message, lambda: self._call(request, context, function, message))

    def _run_aside(self, request: Request, message: Message, task: Callable[[], None]) -> None:
        try:
            self._workers.run(task)
        except RuntimeError as error:  # no thread. This one reads, and writes when nobody else can
            self._answer_error(request, message, error)

    def end(self) -> None:
        self._is_over = True
        if self._awaited and self._their_loop is not None:
            try:
                self._their_loop.call_soon_threadsafe(self._cancel_tasks)
            except RuntimeError:
                pass  # the loop is closed

    def _cancel_tasks(self) -> None:
        for task in list(self._tasks):
            task.cancel()

    def _call(self, request: Request, context: contextvars.Context, function: Optional[Callable[..., Any]], message: Message) -> None:
        """In a worker thread."""
        if "problem" in message:
            return self._answer_error(request, message, ValueError(message["problem"]))
        if function is None:
            return self._answer_error(request, message, NameError(f"there is no function {message['name']}"))
        given = message["arguments"]
        try:
            value = context.run(function, *given.get("args", ()), **given.get("kwargs", {}))
            if inspect.isawaitable(value):
                return self._begin_task(request, context, lambda: value, message, value)
        except BaseException as error:
            return self._answer_error(request, message, error)
        self._answer(request, message, value)

    def _begin_task(self, request: Request, context: contextvars.Context, function: Callable[..., Any], message: Message,
                    given_up: Any = None) -> None:
        """`given_up` is closed when there is no loop for it."""
        import asyncio
        given = message["arguments"] if function is self._functions.get(message["name"]) else {}

        async def perform() -> None:
            try:
                value = await function(*given.get("args", ()), **given.get("kwargs", {}))
            except GeneratorExit:
                raise  # the loop is gone
            except BaseException as error:
                self._answer_error(request, message, error)
                # Ctrl-C is for the program that runs the loop, too; what else there is belongs to the piece alone.
                if isinstance(error, asyncio.CancelledError) or (isinstance(error, KeyboardInterrupt) and self._loop is not None):
                    raise
            else:
                self._answer(request, message, value)

        def begin() -> None:
            task = loop.create_task(perform())
            self._tasks.add(task)
            task.add_done_callback(done)
            if self._is_over:
                task.cancel()

        def done(task: "asyncio.Task[None]") -> None:
            self._tasks.discard(task)
            self._awaited.discard(message["call"])

        self._awaited.add(message["call"])
        try:
            loop = self._their_loop = self._loop or self._workers.loop()
            loop.call_soon_threadsafe(begin, context=context)
        except RuntimeError as error:
            if inspect.iscoroutine(given_up):
                given_up.close()
            told = RuntimeError("the event loop that this function belongs to is closed") if self._loop is not None else error
            self._run_aside(request, message, lambda: self._answer_error(request, message, told))

    def _answer(self, request: Request, message: Message, value: Any) -> None:
        try:
            text = as_json(value, MOST_LEVELS)
        except NotJson as problem:
            return self._answer_error(request, message, TypeError(f"{message['name']}() returned what cannot be passed on: {problem}"))
        self._send(request, message, {}, {"value": text})

    def _answer_error(self, request: Request, message: Message, error: BaseException) -> None:
        self._send(request, message, {"error": {"type": type(error).__name__, "message": message_of(error)}}, {})

    def _send(self, request: Request, message: Message, members: Dict[str, Any], texts: Dict[str, str]) -> None:
        try:
            self._connection.answer(request, message["call"], members, texts)
        except NotJson as problem:
            return self._answer_error(request, message, TypeError(f"{message['name']}() returned what cannot be passed on: {problem}"))
        except SessionLost:
            pass  # whoever ran the piece is told


def message_of(error: BaseException) -> str:
    """What it says. A KeyError shows its key in quotes, and would again inside."""
    try:
        text = error.args[0] if len(error.args) == 1 and isinstance(error.args[0], str) else str(error)
    except Exception:
        text = ""
    return text[:LONGEST_MESSAGE].encode("utf-8", "replace").decode()
