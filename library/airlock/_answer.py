"""The inside end of `airlock gather`: one question as JSON text, one answer as a dict. Runs in the probe's cell, beside code that may be
hostile: everything said here is checked again outside."""
import asyncio
import inspect
import json
import logging
import os
import pathlib
import time
import types

from airlock import probe as contract

# The attributes of a probe that describe() reports, by their type.
TEXTS = ("name", "version", "schema_version", "layer", "tier", "cache_strategy")
LISTS = ("applies_to_tasks", "applies_to_languages", "requires", "declared_inputs")
MOST_REFUSED = 20  # problems that are listed
DEEPEST = 128  # levels, as the inner door allows outside (src/admit)


class Wrong(Exception):
    """The probe does not keep the contract."""


def find_probe(module):
    found = [value for value in vars(module).values()
             if isinstance(value, type) and issubclass(value, contract.Probe) and value is not contract.Probe
             and value.__module__ == module.__name__]
    # A class that another one in the file derives from is a base of the author's own.
    found = [one for one in found if not any(other is not one and issubclass(other, one) for other in found)]
    if not found:
        raise Wrong("no class in this file derives from airlock.probe.Probe")
    if len(found) > 1:
        raise Wrong(f"{len(found)} probes in this file ({', '.join(sorted(one.__name__ for one in found))}); put each into its own")
    return found[0]()


def text(probe, name):
    value = getattr(probe, name)
    if not isinstance(value, str):
        raise Wrong(f"'{name}' must be text, not {type(value).__name__}")
    return str(value)


def texts(probe, name):
    value = getattr(probe, name)
    if not isinstance(value, (list, tuple, set, frozenset)) or not all(isinstance(one, str) for one in value):
        raise Wrong(f"'{name}' must be a list of texts")
    return sorted(value) if isinstance(value, (set, frozenset)) else list(value)


def has_own(probe, name):
    """Whether the method is another than the contract's, which says nothing."""
    return name in vars(probe) or getattr(type(probe), name) is not getattr(contract.Probe, name)


def awaited(value):
    """What the value is, or becomes when it is waited for."""
    if not inspect.isawaitable(value):
        return value

    async def wait():
        return await value
    return asyncio.run(wait())


def describe(probe):
    seconds = probe.timeout_seconds
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds <= 86400:
        raise Wrong("'timeout_seconds' must be a number above 0, at most 86400")
    return {**{name: text(probe, name) for name in TEXTS}, **{name: texts(probe, name) for name in LISTS},
            "timeout_seconds": seconds, "asks": has_own(probe, "applies") or has_own(probe, "cache_key")}


def members(container):
    """(step, value, whether the step is a key) of a dict or a list."""
    if type(container) is dict:
        return ((key, inner, True) for key, inner in container.items())
    return ((number, inner, False) for number, inner in enumerate(container))


def is_text(text):
    """Whether it can be written at all: half of a surrogate pair cannot."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def problem_of(value):
    """(type of the error, what) for a scalar that is no JSON value."""
    kind = type(value)
    if kind is str:
        return None if is_text(value) else ("EncodingError", "text with half of a surrogate pair, which has no UTF-8: use .encode(errors=\"replace\").decode()")
    if kind is float:
        return ("JSONValueError", "a number that is not finite") if value - value != 0 else None
    return None if value is None or kind is bool or kind is int else ("JSONValueError", kind.__name__)


def not_json(fields):
    """Every place that is no JSON value, as (type of the error, path, what), the first twenty. Iterative, and without a copy: depth and size are
    the guest's choice."""
    refused, path, levels = [], [], [members(fields)]
    while levels:
        for step, value, is_key in levels[-1]:
            if len(refused) == MOST_REFUSED:
                return refused
            if is_key and type(step) is not str:
                refused.append(("JSONValueError", list(path), f"a key of type {type(step).__name__}"))
            elif is_key and not is_text(step):
                refused.append(("EncodingError", list(path), "a key with half of a surrogate pair, which has no UTF-8"))
            elif type(value) in (dict, list):
                path.append(step)
                levels.append(members(value))
                if len(levels) > DEEPEST:
                    return [*refused, ("DepthError", path[:20], f"This is nested more than {DEEPEST} levels deep, or holds itself")]
                break
            elif problem := problem_of(value):
                refused.append((problem[0], [*path, step], problem[1]))
        else:
            levels.pop()
            if path:
                path.pop()
    return refused


def artifact(entry, folder):
    """The name below the output folder, which is how the outside knows it."""
    path = pathlib.PurePosixPath(entry)
    return str(path.relative_to(folder)) if path.is_absolute() and path.is_relative_to(folder) else str(path)


def as_document(output, took, folder):
    if not isinstance(output, contract.ProbeOutput):
        raise Wrong(f"run() returned {type(output).__name__}, expected ProbeOutput")
    fields = {"schema_slice": output.schema_slice, "confidence": output.confidence, "warnings": output.warnings,
              "errors": output.errors}
    duration = output.duration_ms
    fields["duration_ms"] = duration if type(duration) is not int or duration != 0 else took
    if isinstance(output.raw_artifacts, (list, tuple)) and all(isinstance(one, (str, pathlib.PurePath)) for one in output.raw_artifacts):
        fields["raw_artifacts"] = [artifact(one, folder) for one in output.raw_artifacts]
    else:
        fields["raw_artifacts"] = output.raw_artifacts
    refused = not_json(fields)
    if refused:
        return {"refused": [{"type": kind, "path": path, "what": what} for kind, path, what in refused]}
    return {"output": fields}


def snapshot_of(request):
    repo = request["repo"]
    return contract.RepoSnapshot(pathlib.Path(repo["root"]), repo["git_commit"], repo["detected_languages"], repo["config"])


def run(probe, request):
    folders = {name: pathlib.Path(path) for name, path in request["folders"].items()}
    folders["cache_dir"].mkdir(exist_ok=True)
    os.environ["TMPDIR"] = str(folders["workspace"])
    logging.basicConfig(level=logging.INFO, format="%(levelname)s %(message)s")
    context = contract.ProbeContext(folders["cache_dir"], folders["output_dir"], folders["workspace"],
                                    logging.getLogger(probe.name), request["config"])
    started = time.monotonic()
    output = awaited(probe.run(snapshot_of(request), context))
    took = int((time.monotonic() - started) * 1000)
    return as_document(output, took, folders["output_dir"])


def make(module: types.ModuleType):
    """The function that answers for this module's probe."""
    probe = None

    def answer(question):
        nonlocal probe
        request = json.loads(question)
        try:
            probe = probe or find_probe(module)
            task = contract.Task(request["task"]["type"], request["task"]["options"])
            match request["do"]:
                case "describe":
                    return {"probe": describe(probe)}
                case "applies":
                    return {"applies": bool(awaited(probe.applies(snapshot_of(request), task))),
                            "cache_key": str(awaited(probe.cache_key(snapshot_of(request), task)))}
                case "run":
                    return run(probe, request)
            return {"wrong": f"unknown question {request['do']}"}
        except Wrong as error:
            return {"wrong": str(error)}
    return answer
