"""Sessions of a pool, as programs with threads use them."""
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Mapping, Optional, Type

from ._arguments import StrPath
from ._engine import SessionCore
from ._steps import drive
from .results import Out

if TYPE_CHECKING:
    from .pool import Pool

Functions = Mapping[str, Callable[..., Any]]
Files = Mapping[str, StrPath]
Inputs = Mapping[str, Any]
OnPrint = Callable[[str], Any]


class Session:
    """One live cell: names, functions, classes and modules of one piece of code are there for the next. Made by `Pool.session()`.

        with pool.session(functions={"search": search}) as session:
            out = session.run("rows = search('tea')\\nlen(rows)")

    It runs one piece at a time; threads take a session each."""

    def __init__(self, pool: "Pool", functions: Optional[Functions], files: Optional[Files], limits: Mapping[str, Any]) -> None:
        self._pool = pool  # which ends its engine when nobody has it any more
        self._core = SessionCore(pool._engine, functions, files, limits)
        drive(self._core.open())

    def run(self, code: str, inputs: Optional[Inputs] = None, timeout: Optional[float] = None, on_print: Optional[OnPrint] = None) -> Out:
        """Runs a piece of code and gives what came of it. What fails is raised, with `.out`.

        `inputs` become names inside, and stay. `timeout` is for this piece alone. `on_print(text)` is called once a line while the piece
        runs, for both streams in their order."""
        return drive(self._core.run(code, inputs, timeout, on_print))

    def describe(self) -> str:
        """What code in this session may use, as text for a model: the functions as stubs with their doc strings, names, files, limits."""
        return self._core.describe()

    def close(self) -> None:
        """Ends the cell; a piece that another thread runs in it, too."""
        drive(self._core.close())

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        self.close()

    def __reduce__(self) -> Any:
        raise TypeError("a session cannot be pickled: it is a living process. Open one where it is needed")
