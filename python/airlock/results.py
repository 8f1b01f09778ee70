"""What the calls give back: plain values with the names that the commands' JSON has."""
import dataclasses
from typing import Any, Dict, List, Optional, TypedDict


class RowError(TypedDict):
    """Why a path has no data: the name of an exception, and what it says."""
    type: str
    message: str


class _EveryRow(TypedDict):
    path: str
    ok: bool


class Row(_EveryRow, total=False):
    """What `extract` gives for a path: `data` where it is ok, else `error`; rules may add `tags`."""
    data: Dict[str, Any]
    error: RowError
    tags: List[str]


@dataclasses.dataclass
class Out:
    """What came of a piece of code, whether it ended well or not."""
    value: Any = None
    """The value of the last expression, when that is JSON (tuples count as lists); else None."""
    shown: Optional[str] = None
    """Its `repr`, at most 64 KiB; None for None, and without an expression."""
    stdout: str = ""
    stderr: str = ""
    calls: List[Dict[str, Any]] = dataclasses.field(default_factory=list)
    """The host functions that were called: `name`, `elapsed_ms`, `ended` (returned, raised, unanswered)."""
    artifacts: Dict[str, bytes] = dataclasses.field(default_factory=dict)
    """Files in /out that are new or changed."""
    denials: List[Dict[str, Any]] = dataclasses.field(default_factory=list)
    """System calls that the kernel refused: `call`, `line`."""
    elapsed_ms: float = 0.0
    state_lost: bool = False
    """The piece was killed and took the names with it, or it is the first one after such a piece."""
    artifacts_left_out: List[Any] = dataclasses.field(default_factory=list)
    """Files in /out that are not among the artifacts, and why."""

    def __repr__(self) -> str:
        parts = [f"value={self.value!r}"]
        if self.shown is not None and self.value is None:
            parts = [f"shown={_short(self.shown)}"]
        parts += [f"{name}={_short(text)}" for name, text in (("stdout", self.stdout), ("stderr", self.stderr)) if text]
        if self.artifacts:
            parts.append(f"artifacts={sorted(self.artifacts)}")
        if self.denials:
            parts.append(f"denials={self.denials}")
        if self.state_lost:
            parts.append("state_lost=True")
        return f"Out({', '.join(parts)})"


@dataclasses.dataclass(frozen=True)
class Check:
    """A judgement of code that was not run."""
    accepted: bool
    stage: str
    """How far it came: syntax, security, signature, complete."""
    findings: List[Dict[str, Any]]
    code: str
    """What was judged."""
    cleaned: bool
    """Whether `code` was taken out of an answer."""
    sha256: str = ""

    def __bool__(self) -> bool:
        return self.accepted


@dataclasses.dataclass(frozen=True)
class Report:
    """A judgement of an extractor that was run on paths; the names are those of `airlock validate --format json`."""
    valid: bool
    stage_reached: str
    retry_context: Optional[str]
    """The text for a model that is to try again; None when it is valid."""
    test_results: Any
    """A dict: passed, failed, results. None when the code was refused, and not run."""
    quality_warnings: List[Any]
    findings: List[Dict[str, Any]]
    code: str
    sha256: str
    walls: List[str]
    elapsed_ms: float

    def __bool__(self) -> bool:
        return self.valid


@dataclasses.dataclass(frozen=True)
class Rule:
    """Rules that were inferred from paths."""
    yaml: str
    confidence: float
    """0 to 100."""
    fields: List[Dict[str, Any]]


def _short(text: str, most: int = 60) -> str:
    return repr(text) if len(text) <= most else repr(text[:most]) + "…"
