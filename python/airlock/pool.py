"""The pool that programs with threads use: one engine, kept warm, and everything that it does."""
import weakref
from types import TracebackType
from typing import Any, Dict, Generator, Iterable, Iterator, Optional, Sequence, Type

from . import _arguments as arguments
from ._arguments import AnyPath, StrPath
from ._engine import Engine
from ._extract import Extraction
from ._steps import drive
from .results import Check, Out, Report, Row, Rule
from .session import Files, Functions, Inputs, OnPrint, Session


class Pool:
    """Keeps an engine warm: one child process, which ends with this program. Safe to use from many threads.

        with airlock.Pool(packages=["numpy"]) as pool:
            with pool.session() as session:
                print(session.run("import numpy\\nint(numpy.arange(4).sum())").value)

    `policy` (a name, or a TOML file) and `packages` (imported once, before the first session) are for sessions; `packages_from` is a
    virtual environment to find packages in; `workers` bounds how much runs at once."""

    def __init__(self, policy: str = "node", packages: Sequence[str] = (), packages_from: Optional[StrPath] = None, workers: Optional[int] = None) -> None:
        self._engine = Engine(policy, packages, packages_from, workers, is_async=False)
        weakref.finalize(self, self._engine.close, False).atexit = False
        drive(self._engine.connected())

    def session(self, timeout: Optional[float] = None, memory_mb: Optional[float] = None, functions: Optional[Functions] = None,
                files: Optional[Files] = None, deadline: Optional[float] = None, output_bytes: Optional[int] = None,
                max_calls: Optional[int] = None, strict: Optional[bool] = None) -> Session:
        """Opens a session.

        Each piece has `timeout` seconds (5; waiting for a host function does not count) and `deadline` seconds (60; everything counts),
        the session `memory_mb` megabytes (256). `functions` are what code inside may call, by name; `files` are there as /data/NAME, to
        read. `output_bytes` of what a piece prints are kept (1 MiB); it may make `max_calls` calls (1000). With `strict` one system call
        that is denied is a failure."""
        return Session(self, functions, files, {"timeout": timeout, "memory_mb": memory_mb, "deadline": deadline, "output_bytes": output_bytes,
                                                        "max_calls": max_calls, "strict": strict})

    def run(self, code: str, inputs: Optional[Inputs] = None, functions: Optional[Functions] = None, files: Optional[Files] = None,
            timeout: Optional[float] = None, memory_mb: Optional[float] = None, on_print: Optional[OnPrint] = None, deadline: Optional[float] = None,
            output_bytes: Optional[int] = None, max_calls: Optional[int] = None, strict: Optional[bool] = None) -> Out:
        """Runs one piece of code in a session of its own, which is closed afterwards.

        `inputs` and `on_print` are those of Session.run(), the other arguments those of session(); help(airlock.run) has them all."""
        return drive(self._engine.run(code, inputs, functions, files, on_print, {
            "timeout": timeout, "memory_mb": memory_mb, "deadline": deadline, "output_bytes": output_bytes, "max_calls": max_calls, "strict": strict}))

    def check(self, source: str, policy: str = "extractor", signature: bool = True) -> Check:
        """Judges code, or the code in a model's answer, without running it."""
        return drive(self._engine.check(source, policy, signature))

    def validate(self, source: str, paths: Iterable[AnyPath], policy: str = "extractor", timeout: float = 5.0, memory_mb: float = 100, explore: int = 0,
                 scan: bool = True) -> Report:
        """Judges an extractor and runs it on paths. `report.retry_context` is the text for a model that is to mend it."""
        return drive(self._engine.validate(source, paths, policy, timeout, memory_mb, explore, scan))

    def extract(self, extractor: StrPath, paths: Iterable[AnyPath]) -> Generator[Row, None, None]:
        """The rows of an extractor, one for each path, in their order and as they come: `{"path", "ok": True, "data"}`, or
        `{"path", "ok": False, "error": {"type", "message"}}`.

        `extractor` is a source (a text with a line end), a file (.py or .yaml) or the name of an approved one. `paths` may be endless:
        only a few batches are in memory. They are taken ahead of their rows, so what gives them must not wait for a row of one that it
        gave; paths that depend on rows are for one extract() after the other, or for AsyncPool.extract().

        Code that is refused runs nothing, and is Refused with the first row. What `paths` raises is raised after the rows of those before.
        Leaving the loop, or close(), ends the work."""
        job = Extraction(self._engine, extractor)
        return self._rows(job, iter(arguments.path_source(paths)))

    def _rows(self, job: Extraction, paths: Iterator[Any]) -> Generator[Row, None, None]:
        try:
            while not job.is_over:
                if job.take(paths):
                    drive(job.send())
                    while job.is_full and not job.is_over:
                        yield from drive(job.rows())
            while job.is_under_way:
                yield from drive(job.rows())
            job.raise_failure()
        finally:
            job.cancel()

    def admit(self, document: Any, root: Optional[StrPath] = None, bare: bool = False) -> Dict[str, Any]:
        """Judges a JSON document at the output's trust boundary, and gives the sanitized one. Raises Refused with `errors`."""
        return drive(self._engine.admit(document, root, bare))

    def infer(self, paths: Iterable[AnyPath], hint: Optional[str] = None) -> Rule:
        """Rules that say what the paths are made of."""
        return drive(self._engine.infer(paths, hint))

    def close(self) -> None:
        """Ends the engine with all its sessions. Whoever still waits for it gets SessionLost."""
        self._engine.close()

    def __enter__(self) -> "Pool":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a pool cannot be pickled: it is a living process. Make one where it is needed; after a fork a pool starts its own engine")
