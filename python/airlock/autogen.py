"""For AutoGen: a CodeExecutor whose blocks run behind walls of the kernel.

    from autogen_agentchat.agents import CodeExecutorAgent
    from airlock.autogen import AirlockCodeExecutor

    async with AirlockCodeExecutor(packages=["numpy"]) as executor:
        agent = CodeExecutorAgent("runner", code_executor=executor)

Names stay from one block to the next, until restart()."""
from __future__ import annotations

import asyncio
import dataclasses
import pathlib
from types import TracebackType
from typing import Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple, Type

from . import _arguments as arguments
from ._arguments import StrPath, wrong
from ._frameworks import loaded, printed, shortened
from .async_pool import AsyncPool, AsyncSession
from .errors import Crashed, Error, GuestError, NoIsolation, SessionLost, Timeout, Usage
from .session import Files, Functions

FRAMEWORK = "autogen_core.code_executor"
LANGUAGES = ("python", "python3", "py", "")  # "": a block that says none
TIMED_OUT = 124  # as timeout(1) has it, and AutoGen's own executors


@dataclasses.dataclass
class CodeBlock:
    """As AutoGen has it; blocks of its own are taken as well."""
    code: str
    language: str


@dataclasses.dataclass
class CodeResult:
    """As AutoGen has it."""
    exit_code: int
    output: str


@dataclasses.dataclass
class AirlockCodeResult(CodeResult):
    """With the files that the blocks wrote to /out: their bytes, and where they are when `output_dir` was given."""
    artifacts: Dict[str, bytes] = dataclasses.field(default_factory=dict)
    output_files: List[pathlib.Path] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class ComponentModel:
    """As AutoGen has it; its own is used where it is loaded."""
    provider: str
    component_type: Optional[str] = None
    version: Optional[int] = None
    component_version: Optional[int] = None
    description: Optional[str] = None
    label: Optional[str] = None
    config: Dict[str, Any] = dataclasses.field(default_factory=dict)


CONFIG = ("policy", "packages", "packages_from", "workers", "timeout", "deadline", "memory_mb", "max_calls", "files", "output_dir")


class AirlockCodeExecutor:
    """Takes AutoGen's code blocks. The engine starts with start() or the first block, and ends with stop() or the program.

    `pool` shares a pool of yours; without it `policy`, `packages`, `packages_from` and `workers` are those of `airlock.AsyncPool`. `functions`
    and the limits are those of `AsyncPool.session()`. Files that blocks write to /out are in the result's `artifacts`, and in `output_dir`
    when that is given."""

    def __init__(self, pool: Optional[AsyncPool] = None, *, policy: str = "node", packages: Sequence[str] = (), packages_from: Optional[StrPath] = None,
                 workers: Optional[int] = None, timeout: Optional[float] = None, deadline: Optional[float] = None, memory_mb: Optional[float] = None,
                 max_calls: Optional[int] = None, functions: Optional[Functions] = None, files: Optional[Files] = None,
                 output_dir: Optional[StrPath] = None) -> None:
        self._given = pool
        self._own: Optional[AsyncPool] = None
        self._options: Dict[str, Any] = {"policy": policy, "packages": packages, "packages_from": packages_from, "workers": workers}
        self._session_options: Dict[str, Any] = {"timeout": timeout, "deadline": deadline, "memory_mb": memory_mb, "max_calls": max_calls,
                                                 "functions": functions, "files": files}
        arguments.adapter_options(pool, AsyncPool, self._options, self._session_options)
        self.output_dir = None if output_dir is None else pathlib.Path(arguments.file_path("output_dir", output_dir))
        self._session: Optional[AsyncSession] = None
        self._turn: Optional[asyncio.Lock] = None
        self._loop: Optional[asyncio.AbstractEventLoop] = None

    # As a component of AutoGen: what it is made of can be written down, and made again.
    component_type = "code_executor"
    component_version = 1
    component_provider_override = "airlock.autogen.AirlockCodeExecutor"
    component_description: Optional[str] = "Runs Python behind walls of the kernel."

    def dump_component(self) -> ComponentModel:
        """What makes such an executor again, as AutoGen's own has it: for load_component(), and for tools and agents that are dumped with
        it. Functions and a pool that is shared are of this process, and cannot be dumped."""
        if self._given is not None or self._session_options["functions"]:
            raise Usage(f"{'a pool' if self._given is not None else 'functions'} that an executor was given cannot be dumped: that belongs to this process")
        config: Dict[str, Any] = {**self._options, **self._session_options, "output_dir": self.output_dir}
        for name in ("packages_from", "output_dir"):
            config[name] = None if config[name] is None else arguments.path_text(name, config[name])
        config["packages"] = list(config["packages"] or ())
        config["files"] = {name: arguments.path_text(name, path) for name, path in (config["files"] or {}).items()}
        kind: Type[ComponentModel] = loaded("autogen_core", "ComponentModel") or ComponentModel
        return kind(provider=self.component_provider_override, component_type=self.component_type, version=self.component_version,
                    component_version=self.component_version, description=self.component_description, label=type(self).__name__,
                    config={name: value for name, value in config.items() if value not in (None, [], {})})

    @classmethod
    def load_component(cls, model: Any, expected: Any = None) -> "AirlockCodeExecutor":
        """The executor that dump_component() told of: its model, or that as a dict."""
        told = model if isinstance(model, Mapping) else getattr(model, "__dict__", {})
        config = told.get("config")
        if not isinstance(config, Mapping) or told.get("provider") != cls.component_provider_override:
            raise wrong("model", model, f"what dump_component() gave, with the provider {cls.component_provider_override}")
        unknown = [str(name) for name in config if name not in CONFIG]
        if unknown:
            raise Usage(f"model: {', '.join(unknown)} in its config is unknown; known are: {', '.join(CONFIG)}")
        return cls(**config)

    async def execute_code_blocks(self, code_blocks: Sequence[Any], cancellation_token: Any = None) -> AirlockCodeResult:
        """Runs the blocks one after the other, up to the first that fails: a CodeResult with what they printed, the values of their last
        expressions, and of the one that failed the text for a model; `artifacts` and `output_files` beside them.

        The exit code is 0, that of sys.exit(), 124 when the time was up, 128 and the signal of a crash, else 1. A cancelled token ends
        the block that runs and raises CancelledError; the session stays."""
        if isinstance(code_blocks, (str, bytes)) or not isinstance(code_blocks, Iterable):
            raise wrong("code_blocks", code_blocks, "a list of code blocks")
        blocks = [block_of(number, one) for number, one in enumerate(code_blocks)]
        async with self._lock():
            task = asyncio.ensure_future(self._run(blocks))
            if cancellation_token is not None:
                cancellation_token.link_future(task)
            return await task

    def _lock(self) -> asyncio.Lock:
        """One for each loop: several loops, one after the other, may use an executor."""
        loop = asyncio.get_running_loop()
        if self._turn is None or self._loop is not loop:
            self._turn, self._loop = asyncio.Lock(), loop
        return self._turn

    async def _run(self, blocks: List[Tuple[str, str]]) -> AirlockCodeResult:
        outputs: List[str] = []
        artifacts: Dict[str, bytes] = {}
        exit_code = 0
        for language, code in blocks:
            if language.strip().lower() not in LANGUAGES:
                exit_code = 1
                outputs.append(f"unknown language {language!r}: this executor runs Python (```python)")
            else:
                exit_code, output, made = await self._run_one(code)
                outputs.append(output)
                artifacts.update(made)
            if exit_code != 0:
                break
        return result_of(exit_code, "\n".join(output for output in outputs if output), artifacts, self._save(artifacts))

    async def _run_one(self, code: str) -> Tuple[int, str, Dict[str, bytes]]:
        await self.start()
        assert self._session is not None
        try:
            out = await self._session.run(code)
            return 0, joined(printed(out), out.shown), out.artifacts
        except SessionLost:
            self._session = None  # the next block begins a new one
            raise
        except (Usage, NoIsolation):
            raise
        except Error as error:
            code_of_exit, text = ending_of(error)
            return code_of_exit, joined(printed(error.out) if error.out else "", text), error.out.artifacts if error.out else {}

    def _save(self, artifacts: Dict[str, bytes]) -> List[pathlib.Path]:
        """Into the folder that was given; the names are the guest's, and lead nowhere else."""
        if self.output_dir is None:
            return []
        root = self.output_dir.resolve()
        saved: List[pathlib.Path] = []
        for name, content in artifacts.items():
            path = (root / name).resolve()
            if root not in path.parents:
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
            saved.append(path)
        return saved

    async def start(self) -> None:
        """Opens the session, and the engine before it. Twice is once."""
        if self._session is not None:
            return
        if self._given is None and self._own is None:
            self._own = AsyncPool(**self._options)
        pool = self._given or self._own
        assert pool is not None
        session = pool.session(**self._session_options)
        await session.__aenter__()
        self._session = session

    async def stop(self) -> None:
        """Ends the session, and the engine unless it is that of a pool that was given."""
        session, self._session = self._session, None
        own, self._own = self._own, None
        if session is not None:
            await session.close()
        if own is not None:
            await own.close()

    async def restart(self) -> None:
        """A new session, without the names of the old one. The engine stays warm."""
        session, self._session = self._session, None
        if session is not None:
            await session.close()
        await self.start()

    async def __aenter__(self) -> "AirlockCodeExecutor":
        await self.start()
        return self

    async def __aexit__(self, kind: Optional[Type[BaseException]], error: Optional[BaseException], traceback: Optional[TracebackType]) -> None:
        await self.stop()


def block_of(number: int, block: Any) -> Tuple[str, str]:
    """(language, code) of whatever has both."""
    code, language = getattr(block, "code", None), getattr(block, "language", None)
    if not isinstance(code, str) or not isinstance(language, str):
        raise wrong(f"code_blocks[{number}]", block, "a block with the texts `code` and `language`")
    return language, code


def result_of(exit_code: int, output: str, artifacts: Dict[str, bytes], files: List[pathlib.Path]) -> AirlockCodeResult:
    """With AutoGen's own CodeResult as its base where that is loaded."""
    base = loaded(FRAMEWORK, "CodeResult")
    kind: Type[AirlockCodeResult] = AirlockCodeResult if base is None else dataclasses.make_dataclass("AirlockCodeResult", [
        ("artifacts", Dict[str, bytes], dataclasses.field(default_factory=dict)),
        ("output_files", List[pathlib.Path], dataclasses.field(default_factory=list))], bases=(base,))
    return kind(exit_code=exit_code, output=output, artifacts=artifacts, output_files=files)


def ending_of(error: Error) -> Tuple[int, str]:
    """The exit code that a program would have had, and what to say."""
    if isinstance(error, GuestError) and error.type == "SystemExit":
        if error.message in ("", "None"):
            return 0, ""
        if error.message.lstrip("-").isdigit():
            return int(error.message) & 0xFF, ""
        return 1, error.message
    if isinstance(error, Timeout):
        return TIMED_OUT, error.for_model()
    if isinstance(error, Crashed) and error.signal:
        return 128 + error.signal, error.for_model()
    return 1, error.for_model()


def joined(*texts: Optional[str]) -> str:
    """Each on lines of its own."""
    return shortened("\n".join(text.rstrip("\n") for text in texts if text))
