"""The functions of the module: those of a pool that starts with the first use and ends with the program."""
import os
import threading
from typing import Any, Dict, Generator, Iterable, Optional

from ._arguments import AnyPath, StrPath
from .pool import Pool
from .results import Check, Out, Report, Row, Rule
from .session import Files, Functions, Inputs, OnPrint

_lock = threading.Lock()
_pool: Optional[Pool] = None


def _default_pool() -> Pool:
    global _pool
    with _lock:
        if _pool is None:
            _pool = Pool()
        return _pool


def _renew_lock() -> None:
    """Whoever held it is not in the child of a fork."""
    global _lock
    _lock = threading.Lock()


os.register_at_fork(after_in_child=_renew_lock)


def run(code: str, inputs: Optional[Inputs] = None, functions: Optional[Functions] = None, files: Optional[Files] = None, timeout: Optional[float] = None,
        memory_mb: Optional[float] = None, on_print: Optional[OnPrint] = None, deadline: Optional[float] = None, output_bytes: Optional[int] = None,
        max_calls: Optional[int] = None, strict: Optional[bool] = None) -> Out:
    """Runs one piece of code in a session of its own.

        >>> airlock.run("sum(range(n))", inputs={"n": 5}).value
        10

        code            any Python; the value of its last expression is `out.value`, and `await` may stand at top level
        inputs          names inside, with JSON values: {"n": 3}
        functions       what it may call, by name; they run here, and may be coroutine functions
        files           what it may read: name in /data -> path
        timeout         seconds; waiting for a function does not count (5)
        deadline        seconds; everything counts (60)
        memory_mb       megabytes that it may add (256)
        on_print        called with each line that it prints, while it runs
        output_bytes    how much of what it prints is kept (1 MiB)
        max_calls       of functions (1000)
        strict          one system call that is denied is a failure, though the code goes on

    What fails is raised: see airlock.Error."""
    return _default_pool().run(code, inputs, functions, files, timeout, memory_mb, on_print, deadline, output_bytes, max_calls, strict)


def check(source: str, policy: str = "extractor", signature: bool = True) -> Check:
    """Judges code, or the code in a model's answer, without running it."""
    return _default_pool().check(source, policy, signature)


def validate(source: str, paths: Iterable[AnyPath], policy: str = "extractor", timeout: float = 5.0, memory_mb: float = 100, explore: int = 0,
             scan: bool = True) -> Report:
    """Judges an extractor and runs it on paths. `report.retry_context` is the text for a model that is to mend it."""
    return _default_pool().validate(source, paths, policy, timeout, memory_mb, explore, scan)


def extract(extractor: StrPath, paths: Iterable[AnyPath]) -> Generator[Row, None, None]:
    """The rows of an extractor, one for each path, in their order and as they come. See Pool.extract()."""
    return _default_pool().extract(extractor, paths)


def admit(document: Any, root: Optional[StrPath] = None, bare: bool = False) -> Dict[str, Any]:
    """Judges a JSON document at the output's trust boundary, and gives the sanitized one. Raises Refused with `errors`."""
    return _default_pool().admit(document, root, bare)


def infer(paths: Iterable[AnyPath], hint: Optional[str] = None) -> Rule:
    """Rules that say what the paths are made of."""
    return _default_pool().infer(paths, hint)
