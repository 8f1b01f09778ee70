"""For FastMCP's code mode: its sandbox, behind walls of the kernel and with all of Python.

    from fastmcp import FastMCP
    from fastmcp.experimental.transforms.code_mode import CodeMode
    from airlock.fastmcp import SandboxProvider

    server = FastMCP("orders", transforms=[CodeMode(sandbox_provider=SandboxProvider(timeout=10))])

Each run is a session of its own: nothing stays from one to the next."""
from __future__ import annotations

import asyncio
import functools
import inspect
from types import TracebackType
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Type

from . import _arguments as arguments
from ._arguments import StrPath, wrong
from ._frameworks import raise_as, value_of
from ._functions import is_coroutine_function
from ._return import as_it_was, with_function
from .async_pool import AsyncPool
from .errors import Error, Usage
from .session import Files


class SandboxProvider:
    """What `CodeMode(sandbox_provider=…)` takes. The engine starts with the first run and ends with the program, or with close().

    `pool` shares a pool of yours; without it `policy`, `packages`, `packages_from` and `workers` are those of `airlock.AsyncPool`. The other
    arguments are those of `AsyncPool.session()`."""

    def __init__(self, pool: Optional[AsyncPool] = None, *, policy: str = "node", packages: Sequence[str] = (), packages_from: Optional[StrPath] = None,
                 workers: Optional[int] = None, timeout: Optional[float] = None, deadline: Optional[float] = None, memory_mb: Optional[float] = None,
                 max_calls: Optional[int] = None, files: Optional[Files] = None) -> None:
        self._files = files
        self._limits: Dict[str, Any] = {"timeout": timeout, "deadline": deadline, "memory_mb": memory_mb, "max_calls": max_calls}
        arguments.adapter_options(pool, AsyncPool, {"policy": policy, "packages": packages, "packages_from": packages_from, "workers": workers},
                                  {**self._limits, "files": files})
        self._is_own = pool is None
        self._pool = AsyncPool(policy, packages, packages_from, workers) if pool is None else pool

    async def run(self, code: str, *, inputs: Optional[Mapping[str, Any]] = None,
                  external_functions: Optional[Mapping[str, Callable[..., Any]]] = None) -> Any:
        """Runs the code and gives what it returns at its top level, or else the value of its last expression; of one that is no JSON, its repr.

        Inside every function is awaited, whether it is a coroutine function here or not. What fails is FastMCP's ToolError with the text
        for a model, or where FastMCP is not loaded an airlock.Error."""
        if external_functions is not None and not isinstance(external_functions, Mapping):
            raise wrong("external_functions", external_functions, "a dict of names and functions")
        functions = {name: awaited(one) for name, one in (external_functions or {}).items()}
        wrapped = with_function(code) if isinstance(code, str) else None
        try:
            return value_of(await self._pool.run(wrapped or code, inputs, functions, self._files, **self._limits))
        except Usage:
            raise
        except Error as error:
            raise_as(as_it_was(error, code) if wrapped else error, "fastmcp.exceptions", "ToolError")

    async def close(self) -> None:
        """Ends the engine, unless it is that of a pool that was given."""
        if self._is_own:
            await self._pool.close()

    async def __aenter__(self) -> "SandboxProvider":
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        await self.close()


def awaited(function: Any) -> Any:
    """As a coroutine function; an ordinary one runs in a thread, so that it holds up nobody. What cannot be called is left to the pool to refuse."""
    if not callable(function) or is_coroutine_function(function):
        return function

    async def call(*args: Any, **kwargs: Any) -> Any:
        value = await asyncio.to_thread(function, *args, **kwargs)
        return await value if inspect.isawaitable(value) else value
    try:
        functools.update_wrapper(call, function)
        call.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    except (TypeError, ValueError):
        pass  # Python cannot tell
    return call
