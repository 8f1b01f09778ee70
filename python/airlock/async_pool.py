"""The same pool and sessions, for programs with an event loop. Functions may be coroutine functions: they run on the loop that awaits."""
import time
import weakref
from types import TracebackType
from typing import TYPE_CHECKING, Any, AsyncGenerator, AsyncIterable, Dict, Iterable, Iterator, Mapping, Optional, Sequence, Type, Union

from . import _arguments as arguments
from ._arguments import AnyPath, StrPath
from ._engine import Engine, SessionCore
from ._extract import LONGEST_WAIT, Extraction
from ._steps import drive_async
from .results import Check, Out, Report, Row, Rule
from .session import Files, Functions, Inputs, OnPrint

if TYPE_CHECKING:
    import asyncio  # which takes its time: only who awaits needs it


class AsyncSession:
    """One live cell, as `Session` is one. Made by `AsyncPool.session()`; it is opened by `async with`, or by its first piece."""

    def __init__(self, pool: "AsyncPool", functions: Optional[Functions], files: Optional[Files], limits: Mapping[str, Any]) -> None:
        self._pool = pool  # which ends its engine when nobody has it any more
        self._core = SessionCore(pool._engine, functions, files, limits)

    async def run(self, code: str, inputs: Optional[Inputs] = None, timeout: Optional[float] = None, on_print: Optional[OnPrint] = None) -> Out:
        """As Session.run(). When it is cancelled, the piece is, and the session stays."""
        return await drive_async(self._core.run(code, inputs, timeout, on_print))

    def describe(self) -> str:
        """What code in this session may use, as text for a model."""
        return self._core.describe()

    async def close(self) -> None:
        """Ends the cell; a piece that another task runs in it, too."""
        await drive_async(self._core.close())

    async def __aenter__(self) -> "AsyncSession":
        await drive_async(self._core.open())
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        await self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a session cannot be pickled: it is a living process. Open one where it is needed")


class AsyncPool:
    """As `Pool`, with await.

        async with airlock.AsyncPool() as pool:
            async with pool.session(functions={"fetch": fetch}) as session:
                out = await session.run("await fetch(1)")

    The engine is started by `async with`, or by the first use."""

    def __init__(self, policy: str = "node", packages: Sequence[str] = (), packages_from: Optional[StrPath] = None, workers: Optional[int] = None) -> None:
        self._engine = Engine(policy, packages, packages_from, workers, is_async=True)
        weakref.finalize(self, self._engine.close, False).atexit = False

    def session(self, timeout: Optional[float] = None, memory_mb: Optional[float] = None, functions: Optional[Functions] = None,
                files: Optional[Files] = None, deadline: Optional[float] = None, output_bytes: Optional[int] = None,
                max_calls: Optional[int] = None, strict: Optional[bool] = None) -> AsyncSession:
        """A session, for `async with`; what the arguments mean is in Pool.session()."""
        return AsyncSession(self, functions, files, {"timeout": timeout, "memory_mb": memory_mb, "deadline": deadline,
                                                             "output_bytes": output_bytes, "max_calls": max_calls, "strict": strict})

    async def run(self, code: str, inputs: Optional[Inputs] = None, functions: Optional[Functions] = None, files: Optional[Files] = None,
                  timeout: Optional[float] = None, memory_mb: Optional[float] = None, on_print: Optional[OnPrint] = None,
                  deadline: Optional[float] = None, output_bytes: Optional[int] = None, max_calls: Optional[int] = None,
                  strict: Optional[bool] = None) -> Out:
        """Runs one piece of code in a session of its own, which is closed afterwards. help(airlock.run) has all arguments."""
        return await drive_async(self._engine.run(code, inputs, functions, files, on_print, {
            "timeout": timeout, "memory_mb": memory_mb, "deadline": deadline, "output_bytes": output_bytes, "max_calls": max_calls, "strict": strict}))

    async def check(self, source: str, policy: str = "extractor", signature: bool = True) -> Check:
        """Judges code, or the code in a model's answer, without running it."""
        return await drive_async(self._engine.check(source, policy, signature))

    async def validate(self, source: str, paths: Iterable[AnyPath], policy: str = "extractor", timeout: float = 5.0, memory_mb: float = 100,
                       explore: int = 0, scan: bool = True) -> Report:
        """Judges an extractor and runs it on paths."""
        return await drive_async(self._engine.validate(source, paths, policy, timeout, memory_mb, explore, scan))

    def extract(self, extractor: StrPath, paths: Union[Iterable[AnyPath], AsyncIterable[AnyPath]]) -> AsyncGenerator[Row, None]:
        """The rows of an extractor, for `async for`; what they are is in Pool.extract().

        `paths` may be asynchronous: they are taken in a task of their own, while rows are waited for, and may depend on rows. Others are taken
        on the loop, which stands still while one is waited for."""
        job = Extraction(self._engine, extractor)
        if isinstance(paths, AsyncIterable):
            return self._rows_meanwhile(job, paths)
        return self._rows(job, iter(arguments.path_source(paths)))

    async def _rows(self, job: Extraction, paths: Iterator[Any]) -> AsyncGenerator[Row, None]:
        turn = Turn()
        try:
            while not job.is_over:
                if job.take(paths):
                    await drive_async(job.send())
                    while job.is_full and not job.is_over:
                        for row in await drive_async(job.rows()):
                            yield row
                            await turn.give()
                await turn.give(looks=True)
            while job.is_under_way:
                for row in await drive_async(job.rows()):
                    yield row
                    await turn.give()
            job.raise_failure()
        finally:
            job.cancel()

    async def _rows_meanwhile(self, job: Extraction, paths: AsyncIterable[Any]) -> AsyncGenerator[Row, None]:
        turn, feeding = Turn(), Feeding(job)
        feeding.begin(paths)
        try:
            while await feeding.has_rows():
                for row in await drive_async(job.rows()):
                    yield row
                    await turn.give()
                feeding.make_room()
            job.raise_failure()
        finally:
            feeding.end()
            job.cancel()

    async def admit(self, document: Any, root: Optional[StrPath] = None, bare: bool = False) -> Dict[str, Any]:
        """Judges a JSON document at the output's trust boundary, and gives the sanitized one. Raises Refused with `errors`."""
        return await drive_async(self._engine.admit(document, root, bare))

    async def infer(self, paths: Iterable[AnyPath], hint: Optional[str] = None) -> Rule:
        """Rules that say what the paths are made of."""
        return await drive_async(self._engine.infer(paths, hint))

    async def close(self) -> None:
        """Ends the engine with all its sessions. Whoever still waits for it gets SessionLost."""
        await drive_async(self._engine.close_steps())

    async def __aenter__(self) -> "AsyncPool":
        await drive_async(self._engine.connected())
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        await self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a pool cannot be pickled: it is a living process. Make one where it is needed; after a fork a pool starts its own engine")


class Turn:
    """Of others on the loop, when this one has taken its time."""
    LONGEST = 0.002  # seconds
    LOOK = 32  # at the clock, one time in so many

    def __init__(self) -> None:
        import asyncio
        self._sleep = asyncio.sleep
        self._count = 0
        self._since = time.monotonic()

    async def give(self, looks: bool = False) -> None:
        self._count += 1
        if (looks or self._count % self.LOOK == 0) and time.monotonic() - self._since > self.LONGEST:
            await self._sleep(0)
            self._since = time.monotonic()


class Feeding:
    """Takes asynchronous paths in a task of its own. A batch goes when it is full, or when its first path has waited for LONGEST_WAIT."""

    def __init__(self, job: Extraction) -> None:
        import asyncio
        self._job = job
        self._asyncio = asyncio
        self._changed = asyncio.Event()  # a batch is under way, or none will be any more
        self._has_room = asyncio.Event()
        self._sending = asyncio.Lock()
        self._timer: Optional["asyncio.TimerHandle"] = None
        self._tasks: "set[asyncio.Task[None]]" = set()
        self._is_over = False

    def begin(self, paths: AsyncIterable[Any]) -> None:
        self._spawn(self._feed(paths))

    def _spawn(self, work: Any) -> None:
        task = self._asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _feed(self, paths: AsyncIterable[Any]) -> None:
        turn = Turn()
        try:
            async for path in paths:
                if self._job.add(path) or self._job.is_over:
                    await self._send()
                    if self._job.is_over:
                        break
                    while not self._job.has_room:
                        self._has_room.clear()
                        await self._has_room.wait()
                elif self._timer is None:
                    self._timer = self._asyncio.get_running_loop().call_later(LONGEST_WAIT, lambda: self._spawn(self._send()))
                await turn.give()
            await self._send()
        except Exception as error:
            self._job.fail(error)
            await self._send()
        finally:
            self._is_over = True
            self._changed.set()

    async def _send(self) -> None:
        """One after the other, in their order."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        async with self._sending:
            try:
                await drive_async(self._job.send())
            except Exception as error:
                self._job.fail(error)
        self._changed.set()

    async def has_rows(self) -> bool:
        """When a batch is under way, or all are done."""
        while not self._job.is_under_way:
            if self._is_over and not self._sending.locked():
                return False
            self._changed.clear()
            await self._changed.wait()
        return True

    def make_room(self) -> None:
        self._has_room.set()

    def end(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        for task in list(self._tasks):
            task.cancel()
