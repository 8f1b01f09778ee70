"""Everything that can go wrong, as exceptions with fields. All are `airlock.Error`."""
from typing import Any, Dict, List, Optional, Tuple, Type

from .results import Out

DOCTOR = "airlock doctor"


class Error(Exception):
    """What every error of this package is.

    `out` is what the piece printed and made before it failed, where one ran; `for_model()` is the text for a model that is to mend it."""

    def __init__(self, message: str = "", *, out: Optional[Out] = None, type: str = "", line: Optional[int] = None, traceback: str = "",
                 findings: Optional[List[Dict[str, Any]]] = None, errors: Optional[List[Dict[str, Any]]] = None,
                 denials: Optional[List[Dict[str, Any]]] = None, signal: Optional[int] = None, about: Optional[Dict[str, Any]] = None) -> None:
        super().__init__(message)
        self.message = message
        self.out = out
        self.type = type or self.__class__.__name__
        """The name of the exception inside, where there was one."""
        self.line = line
        """In the piece; 1 is the first."""
        self.traceback = traceback
        self.findings: List[Dict[str, Any]] = findings or []
        self.errors: List[Dict[str, Any]] = errors or []
        self.denials: List[Dict[str, Any]] = denials or []
        self.signal = signal
        self._about: Dict[str, Any] = about or {}  # the piece and what it could call, for for_model()

    def for_model(self) -> str:
        """The text for the next prompt: what failed, where, and what to do. At most 8 KiB; foreign text in it is on one line, escaped."""
        from ._model_text import text_for_model
        return text_for_model(self, self._about)

    # Errors travel between processes.
    def __reduce__(self) -> Tuple[Any, ...]:
        fields = {name: getattr(self, name) for name in ("out", "type", "line", "traceback", "findings", "errors", "denials", "signal")}
        return _again, (self.__class__, self.message, {**fields, "about": self._about})


def _again(kind: Type[Error], message: str, fields: Dict[str, Any]) -> Error:
    return kind(message, **fields)


class Usage(Error):
    """The call cannot be understood, or not now: a wrong argument, a closed pool, a session in use."""


class Refused(Error):
    """Judged, and refused. Of code: `findings`; of a document: `errors`."""


class NoIsolation(Error):
    """This host cannot give the walls; nothing untrusted was run. `airlock doctor` says what to change."""

    def __init__(self, message: str = "", **fields: Any) -> None:
        super().__init__(message if DOCTOR in message else f"{message}. `{DOCTOR}` tells what this host lacks, and what to change", **fields)


class SessionLost(Error):
    """The engine itself is gone, and its sessions with it. The next call on the pool starts another one."""


class PieceError(Error):
    """A piece ran, and failed: `out` is what it printed and made before."""
    out: Out

    def __init__(self, message: str = "", *, out: Optional[Out] = None, **fields: Any) -> None:
        super().__init__(message, out=out if out is not None else Out(), **fields)


class GuestError(PieceError):
    """The piece ended with an exception of its own: `type`, `message`, `line`, `traceback`. A SyntaxError, too."""

    def __str__(self) -> str:
        where = f" (line {self.line})" if self.line else ""
        return f"{self.type}: {self.message}{where}" if self.message else f"{self.type}{where}"


class Timeout(PieceError):
    """The piece was killed when its time was up."""


class MemoryLimit(PieceError):
    """The piece needed more memory than it may have."""


class OutputLimit(PieceError):
    """The piece printed more than 32 MiB."""


class Violation(PieceError):
    """The piece ended by a system call that the kernel refused: `denials`."""


class Crashed(PieceError):
    """The piece ended its process: `signal`."""
