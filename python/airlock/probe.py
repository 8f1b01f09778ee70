"""The contract between a probe and Airlock: a probe reports facts about a repository, as JSON values.

    from airlock.probe import Probe, ProbeOutput

    class Licences(Probe):
        name = "licences"
        declared_inputs = ["LICENSE*"]

        def run(self, repo, ctx):
            return ProbeOutput({"files": sorted(p.name for p in repo.root.glob("LICENSE*"))})

`run` may be `async def`. What it returns is judged outside: JSON values only, no names that promise secrets, one of three confidences.
"""
from __future__ import annotations

import dataclasses
import logging
import pathlib
from typing import Any, Awaitable

CONFIDENCES = ("high", "medium", "low")


@dataclasses.dataclass(frozen=True)
class RepoSnapshot:
    """The repository as it is now. `root` can be read and not written."""
    root: pathlib.Path
    git_commit: str | None = None
    detected_languages: dict[str, int] = dataclasses.field(default_factory=dict)  # language -> bytes, from the base probes
    config: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class Task:
    """Why the repository is looked at."""
    type: str = "default"
    options: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True)
class ProbeContext:
    """Folders of the probe's own. Artifacts go into `output_dir`; `workspace` and `cache_dir` are gone after the run."""
    cache_dir: pathlib.Path
    output_dir: pathlib.Path
    workspace: pathlib.Path
    logger: logging.Logger
    config: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class ProbeOutput:
    schema_slice: dict[str, Any]
    raw_artifacts: list[Any] = dataclasses.field(default_factory=list)  # files below output_dir, as text or paths
    confidence: str = "high"
    duration_ms: int = 0  # 0: the time that run() took
    warnings: list[str] = dataclasses.field(default_factory=list)
    errors: list[str] = dataclasses.field(default_factory=list)


class Probe:
    """Derive one class from it in a file. All but `name` and `run` has a default."""
    name: str = ""
    version: str = "1"
    schema_version: str = "1"
    layer: str = ""
    tier: str = "task_specific"  # or "base": runs first, and the others see what it reports
    applies_to_tasks: list[str] = ["*"]
    applies_to_languages: list[str] = ["*"]
    requires: list[str] = []  # names of probes that must have an output
    declared_inputs: list[str] = []  # globs below the repository's root; their contents are the cache key
    timeout_seconds: float = 300
    cache_strategy: str = "content"  # or "none"

    def applies(self, repo: RepoSnapshot, task: Task) -> bool:
        """Asked after `applies_to_tasks` and `applies_to_languages` have said yes."""
        return True

    def cache_key(self, repo: RepoSnapshot, task: Task) -> str:
        """Added to the key that Airlock computes; for what the declared inputs do not show."""
        return ""

    def run(self, repo: RepoSnapshot, ctx: ProbeContext) -> ProbeOutput | Awaitable[ProbeOutput]:
        """What the probe reports. `async def run` is fine."""
        raise NotImplementedError("a probe defines run(self, repo, ctx)")
