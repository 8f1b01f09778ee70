"""The same pool and sessions, for programs with an event loop. Functions may be coroutine functions: they run on the loop that awaits."""
from __future__ import annotations

import weakref
from types import TracebackType
from typing import Any, AsyncIterable, AsyncIterator, Dict, Iterable, Mapping, Optional, Sequence, Type, Union

from . import _arguments as arguments
from ._arguments import StrPath
from ._engine import Engine, SessionCore
from ._extract import Extraction, Row
from ._steps import drive_async
from .results import Check, Out, Report, Rule
from .session import Files, Functions, Inputs, OnPrint


class AsyncSession:
    """One live cell, as `Session` is one. Made by `AsyncPool.session()`; it is opened by `async with`, or by its first piece."""

    def __init__(self, engine: Engine, functions: Optional[Functions], files: Optional[Files], limits: Mapping[str, Any]) -> None:
        self._core = SessionCore(engine, functions, files, limits)

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
        return AsyncSession(self._engine, functions, files, {"timeout": timeout, "memory_mb": memory_mb, "deadline": deadline,
                                                             "output_bytes": output_bytes, "max_calls": max_calls, "strict": strict})

    async def run(self, code: str, inputs: Optional[Inputs] = None, functions: Optional[Functions] = None, files: Optional[Files] = None,
                  timeout: Optional[float] = None, memory_mb: Optional[float] = None, on_print: Optional[OnPrint] = None,
                  deadline: Optional[float] = None, output_bytes: Optional[int] = None, max_calls: Optional[int] = None,
                  strict: Optional[bool] = None) -> Out:
        """Runs one piece of code in a session of its own, which is closed afterwards."""
        return await drive_async(self._engine.run(code, inputs, functions, files, on_print, {
            "timeout": timeout, "memory_mb": memory_mb, "deadline": deadline, "output_bytes": output_bytes, "max_calls": max_calls, "strict": strict}))

    async def check(self, source: str, policy: str = "extractor", signature: bool = True) -> Check:
        """Judges code, or the code in a model's answer, without running it."""
        return await drive_async(self._engine.check(source, policy, signature))

    async def validate(self, source: str, paths: Iterable[StrPath], policy: str = "extractor", timeout: float = 5.0, memory_mb: float = 100,
                       explore: int = 0, scan: bool = True) -> Report:
        """Judges an extractor and runs it on paths."""
        return await drive_async(self._engine.validate(source, paths, policy, timeout, memory_mb, explore, scan))

    def extract(self, extractor: StrPath, paths: Union[Iterable[StrPath], AsyncIterable[StrPath]]) -> AsyncIterator[Row]:
        """The rows of an extractor, for `async for`; what they are is in Pool.extract(). `paths` may be asynchronous."""
        job = Extraction(self._engine, extractor)
        if not isinstance(paths, AsyncIterable):
            paths = each(arguments.path_source(paths))
        return self._rows(job, paths)

    async def _rows(self, job: Extraction, paths: AsyncIterable[Any]) -> AsyncIterator[Row]:
        try:
            async for path in paths:
                if not job.add(path):
                    continue
                await drive_async(job.send())
                while job.is_full:
                    for row in await drive_async(job.rows()):
                        yield row
            await drive_async(job.send())
            while job.is_under_way:
                for row in await drive_async(job.rows()):
                    yield row
        finally:
            job.cancel()

    async def admit(self, document: Any, root: Optional[StrPath] = None, bare: bool = False) -> Dict[str, Any]:
        """Judges a JSON document at the output's trust boundary, and gives the sanitized one. Raises Refused with `errors`."""
        return await drive_async(self._engine.admit(document, root, bare))

    async def infer(self, paths: Iterable[StrPath], hint: Optional[str] = None) -> Rule:
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


async def each(paths: Iterable[Any]) -> AsyncIterator[Any]:
    for path in paths:
        yield path
