"""Runs Python that you did not write: behind walls of the kernel, with the functions that you give it.

    import airlock

    def search(query: str, limit: int = 10) -> list:
        "Finds teas."
        return ["Assam", "Darjeeling"][:limit]

    with airlock.Pool() as pool:
        with pool.session(functions={"search": search}) as session:
            out = session.run("rows = search('tea', limit=n)\\nlen(rows)", inputs={"n": 3})
            print(out.value)                     # 2
            try:
                session.run("open('/etc/passwd')")
            except airlock.Error as error:
                print(error.for_model())         # what a model needs to mend it

Code that is sent runs in a cell: no network, no processes, no files but those that you name. `session.describe()` is the text that tells a
model what it may call.

Pool, AsyncPool     an engine that is kept warm (one child process, which ends with the program), and its sessions
run                 one piece of code in a session of its own
check, validate     judge code: without running it, and on sample paths
extract             rows of many paths, in their order, in bounded memory
admit               judges a JSON document; infer: rules for paths
probe               what probes of repositories are made of

All errors are airlock.Error, with `.for_model()`. Those of a piece that ran are airlock.PieceError, with `.out`: GuestError, Timeout, MemoryLimit,
OutputLimit, Violation, Crashed. The others: Refused (judged), SessionLost, NoIsolation (the engine, the host), Usage (the call).
"""
from typing import TYPE_CHECKING, Any

from ._connection import VERSION as __version__
from ._default import admit, check, extract, infer, run, validate
from .async_pool import AsyncPool, AsyncSession
from .errors import (Crashed, Error, GuestError, MemoryLimit, NoIsolation, OutputLimit, PieceError, Refused, SessionLost, Timeout, Usage, Violation)
from .pool import Pool
from .results import Check, Out, Report, Row, RowError, Rule
from .session import Session

if TYPE_CHECKING:
    from . import probe

__all__ = ["AsyncPool", "AsyncSession", "Check", "Crashed", "Error", "GuestError", "MemoryLimit", "NoIsolation", "Out", "OutputLimit", "PieceError", "Pool", "Refused",
           "Report", "Row", "RowError", "Rule", "Session", "SessionLost", "Timeout", "Usage", "Violation", "admit", "check", "extract", "infer", "probe", "run", "validate",
           "__version__"]


def __getattr__(name: str) -> Any:
    """What few programs need is loaded when it is asked for."""
    if name == "probe":
        import importlib
        return importlib.import_module(".probe", __name__)
    raise AttributeError(f"module 'airlock' has no attribute '{name}'")
