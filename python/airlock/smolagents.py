"""For smolagents: a PythonExecutor whose code runs behind walls of the kernel, while the tools run here.

    from smolagents import CodeAgent
    from airlock.smolagents import AirlockExecutor

    agent = CodeAgent(tools=[search], model=model, executor=AirlockExecutor(packages=["numpy"]))

Names stay from one step to the next. Variables, and what goes to tools and comes from them, are JSON values. A step that uses the name of a
tool for something else has it for itself alone: in the next one the tool is there again."""
from __future__ import annotations

import dataclasses
import inspect
import re
from types import TracebackType
from typing import Any, Callable, Dict, List, Mapping, NoReturn, Optional, Sequence, Type

from . import _arguments as arguments
from ._arguments import StrPath, wrong
from ._frameworks import LONGEST_LOG, loaded, printed, raise_as, shortened, value_of
from .errors import Error, GuestError, SessionLost, Usage
from .pool import Pool
from .results import Out
from .session import Files, Session

FRAMEWORK = "smolagents.local_python_executor"
FINAL = "final_answer"
GIVE = "__give_final_answer__"
ENDED = "FinalAnswerException"
BRING_BACK = "__bring_back_tools__"

# Run inside before the first piece of a session: a final answer ends its piece there, past every `except Exception`. One that is no JSON is
# made so: tuples, sets and what numpy and pandas have as lists and numbers, the rest as text.
ANSWERS = f"""
class {ENDED}(BaseException):
    pass

def {FINAL}(*args, **kwargs):
    def plain(value):
        if value is None or isinstance(value, int) or (isinstance(value, float) and value - value == 0):
            return value
        if isinstance(value, str):
            return value.encode("utf-8", "replace").decode()
        if isinstance(value, dict):
            return {{name if isinstance(name, str) else str(name): plain(one) for name, one in value.items()}}
        if isinstance(value, (list, tuple, set, frozenset)):
            return [plain(one) for one in value]
        if hasattr(value, "tolist"):
            return plain(value.tolist())
        return str(value)
    __give(*map(plain, args), **{{name: plain(one) for name, one in kwargs.items()}})
    raise __ended

def __prepare(function, give, ended):
    from types import FunctionType
    return FunctionType(function.__code__, {{"__builtins__": __builtins__, "__give": give, "__ended": ended}}, {FINAL!r})

{FINAL} = __prepare({FINAL}, {GIVE}, {ENDED})
del __prepare
"""

FRAME_OF_OURS = re.compile(r"^  piece \d+, line \d+, in \w+\n    __give\(.*\n(?:[ ~^]*\n)?", re.MULTILINE)

# The tools again, whatever a piece has called by their names.
KEEP = """
def {name}(kept={{one: globals()[one] for one in {names!r}}}):
    globals().update(kept)
"""


@dataclasses.dataclass
class CodeOutput:
    """As smolagents has it; its own is used where it is loaded."""
    output: Any
    logs: str
    is_final_answer: bool


class AirlockExecutor:
    """What `CodeAgent(executor=…)` takes. The engine starts with the first piece and ends with cleanup(), or with the program.

    `pool` shares a pool of yours; without it `policy`, `packages`, `packages_from` and `workers` are those of `airlock.Pool`. The other
    arguments are those of `Pool.session()`; `additional_functions` are there beside the agent's tools."""

    def __init__(self, pool: Optional[Pool] = None, *, policy: str = "node", packages: Sequence[str] = (), packages_from: Optional[StrPath] = None,
                 workers: Optional[int] = None, timeout: Optional[float] = None, deadline: Optional[float] = None, memory_mb: Optional[float] = None,
                 max_calls: Optional[int] = None, files: Optional[Files] = None, additional_functions: Optional[Mapping[str, Callable[..., Any]]] = None,
                 max_print_outputs_length: int = LONGEST_LOG) -> None:
        self._given = pool
        self._own: Optional[Pool] = None
        self._options: Dict[str, Any] = {"policy": policy, "packages": packages, "packages_from": packages_from, "workers": workers}
        self._limits: Dict[str, Any] = {"timeout": timeout, "deadline": deadline, "memory_mb": memory_mb, "max_calls": max_calls, "files": files}
        arguments.adapter_options(pool, Pool, self._options, {**self._limits, "functions": additional_functions})
        self._additional = dict(additional_functions or {})
        self._most = arguments.whole("max_print_outputs_length", max_print_outputs_length, 0, 32 * 1024 * 1024)
        self._tools: Dict[str, Any] = dict(self._additional)
        self._told: Any = None  # how the functions of the open session were described
        self._session: Optional[Session] = None
        self._is_prepared = False  # the prelude and the variables are inside
        self._variables: Dict[str, Any] = {}
        self._waiting: Dict[str, Any] = {}  # those of the variables that are not inside yet
        self._is_hidden = False  # a piece may have used the name of a tool for something else
        self._answers: List[Any] = []  # what this piece gave as final
        self.state: Dict[str, Any] = {"_print_outputs": ""}  # smolagents reads it when a piece has failed

    def send_tools(self, tools: Mapping[str, Any]) -> None:
        """What code inside may call. Tools with other names or signatures than before begin a new session, without the names of the old one."""
        if not isinstance(tools, Mapping):
            raise wrong("tools", tools, "a dict of names and tools")
        found = {**tools, **self._additional}
        functions = {name: self._function(name, tool) for name, tool in found.items()}
        _, told = arguments.functions(functions)
        self._tools = found
        if told != self._told:
            self._close_session()
            self._told = told

    def _function(self, name: str, tool: Any) -> Any:
        """With the signature and description of the tool. Which tool it is, is asked at each call: an agent sends new ones for each run."""
        if not callable(tool):
            return tool  # the pool says what is wrong with it

        def call(*args: Any, **kwargs: Any) -> Any:
            value = self._tools[name](*args, **kwargs)
            if name == FINAL:
                self._answers.append(value)
                return None  # it need not be JSON: it never goes inside
            return value
        forward = getattr(tool, "forward", None)
        call.__name__ = name
        call.__doc__ = getattr(tool, "description", None) or inspect.getdoc(tool)
        try:
            call.__signature__ = inspect.signature(forward if callable(forward) else tool)  # type: ignore[attr-defined]
        except (TypeError, ValueError):
            pass  # Python cannot tell
        return call

    def send_variables(self, variables: Mapping[str, Any]) -> None:
        """Names that the next piece finds, and those after it."""
        arguments.inputs(variables)
        self._variables.update(variables or {})
        self._waiting.update(variables or {})

    def __call__(self, code_action: str) -> CodeOutput:
        """Runs a piece: its CodeOutput. What fails is smolagents' InterpreterError with the text for a model, or where it is not loaded an
        airlock.Error; what was printed before is in `state["_print_outputs"]`."""
        arguments.text("code_action", code_action)
        self.state["_print_outputs"] = ""
        self._answers.clear()
        try:
            session = self._ready()
            self._is_hidden = any(re.search(rf"\b{name}\b(?!\s*\()|\b(?:def|class)\s+{name}\b", code_action) for name in self._tools)
            out = session.run(code_action)
        except GuestError as error:
            if error.type != ENDED or not self._answers:
                self._fail(error)
            return self._output(self._answers[-1], error.out, True)
        except Usage:
            raise
        except Error as error:
            self._fail(error)
        return self._output(value_of(out), out, False)

    def _ready(self) -> Session:
        """The session, with the prelude and all variables inside."""
        if self._session is None:
            self._own = self._own or (None if self._given else Pool(**self._options))
            pool = self._given or self._own
            assert pool is not None
            functions = {GIVE if name == FINAL else name: self._function(name, tool) for name, tool in self._tools.items()}
            self._session, self._is_prepared = pool.session(functions=functions, **self._limits), False
        if not self._is_prepared:
            self._session.run((ANSWERS if FINAL in self._tools else "") + KEEP.format(name=BRING_BACK, names=list(self._tools)), self._variables)
            self._is_prepared, self._is_hidden = True, False
        elif self._is_hidden:
            self._session.run(f"{BRING_BACK}()", self._waiting)
            self._is_hidden = False
        elif self._waiting:
            self._session.run("pass", self._waiting)  # not with the piece: one that is no Python would bring nothing
        self._waiting = {}
        return self._session

    def _fail(self, error: Error) -> NoReturn:
        if error.out is not None:
            self.state["_print_outputs"] = shortened(printed(error.out), self._most)
            self._is_prepared = self._is_prepared and not error.out.state_lost
        if isinstance(error, SessionLost):
            self._close_session()
        error.message = error.message.replace(GIVE, FINAL)
        error.args, error.traceback = (error.message,), FRAME_OF_OURS.sub("", error.traceback).replace(GIVE, FINAL)
        error._about["functions"] = [{**one, "name": FINAL} if one["name"] == GIVE else one for one in error._about.get("functions", [])]
        error._about["defined"] = [one for one in error._about.get("defined", []) if one not in (FINAL, ENDED, BRING_BACK)]
        raise_as(error, FRAMEWORK, "InterpreterError")

    def _output(self, value: Any, out: Out, is_final: bool) -> CodeOutput:
        logs = self.state["_print_outputs"] = shortened(printed(out), self._most)
        kind: Type[CodeOutput] = (loaded(FRAMEWORK, "CodeOutput") or CodeOutput)
        return kind(output=value, logs=logs, is_final_answer=is_final)

    def _close_session(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.close()

    def cleanup(self) -> None:
        """Ends the session, and the engine unless it is that of a pool that was given. A later piece begins again."""
        self._close_session()
        own, self._own = self._own, None
        if own is not None:
            own.close()

    def __enter__(self) -> "AirlockExecutor":
        return self

    def __exit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        self.cleanup()
