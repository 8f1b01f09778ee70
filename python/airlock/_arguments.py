"""Arguments are looked at when the call is made: a wrong one is a Usage that says which, what was given and what is wanted."""
from __future__ import annotations

import keyword
import math
import os
import re
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple, Union

from ._describe import check_names, describe_function
from ._functions import is_coroutine_function
from ._values import NotJson, as_json
from .errors import Usage

StrPath = Union[str, "os.PathLike[str]"]
AnyPath = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]  # as the file system has it: bytes that are no UTF-8, too


def shown(value: Any) -> str:
    """`'text' (str)`, short."""
    try:
        text = repr(value)
    except Exception:
        text = "…"
    return f"{text if len(text) <= 60 else text[:60] + '…'} ({type(value).__name__})"


def wrong(name: str, value: Any, wanted: str) -> Usage:
    return Usage(f"{name} is {shown(value)}; wanted {wanted}")


def text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise wrong(name, value, "a str")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise wrong(name, value, "text that can be written as UTF-8: it has half of a surrogate pair") from None
    return str(value)


def maybe_text(name: str, value: Any) -> Optional[str]:
    return None if value is None else text(name, value)


def flag(name: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise wrong(name, value, "True or False")
    return value


def number(name: str, value: Any, least: float = 0, most: float = math.inf, above: bool = True) -> float:
    """Above `least`, or from `least` on."""
    bounds = f"a number {'above' if above else 'from'} {least:g}" + (f"{', at most' if above else ' to'} {most:g}" if most < math.inf else "")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise wrong(name, value, bounds)
    try:
        told = float(value)
    except OverflowError:
        raise wrong(name, value, bounds + ", and one that fits into a float") from None
    if not math.isfinite(told) or told < least or (above and told == least) or told > most:
        raise wrong(name, value, bounds)
    return value


def whole(name: str, value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise wrong(name, value, f"a whole number from {least} to {most}")
    return int(value)


def path_text(name: str, value: Any) -> str:
    """A str, or what os.fspath makes one of."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return os.fsdecode(value)
    try:
        told = os.fspath(value)
    except TypeError:
        raise wrong(name, value, "a path: str, bytes or os.PathLike") from None
    return os.fsdecode(told)


def file_path(name: str, value: Any) -> str:
    """Of something that is to be opened."""
    told = path_text(name, value)
    if "\0" in told:
        raise wrong(name, value, "a path: it has a NUL byte, which no path can have")
    return told


def names(name: str, value: Any) -> List[str]:
    """A list of texts; one text is a common mistake."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise wrong(name, value, f"a list of names, such as {name}=['numpy']")
    found = [text(f"{name}[{index}]", one) for index, one in enumerate(value)]
    for one in found:
        if not re.fullmatch(r"\w+(\.\w+)*", one):
            raise wrong(name, one, "names of packages")
    return found


def paths(name: str, value: Any, most: int) -> List[str]:
    """All of them, for what looks at all at once."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise wrong(name, value, "a list of paths")
    found: List[str] = []
    for one in value:
        if len(found) == most:
            raise Usage(f"{name} has more than {most:,}")
        found.append(text(f"{name}[{len(found)}]", path_text(f"{name}[{len(found)}]", one)))
        if "\0" in found[-1]:
            raise wrong(f"{name}[{len(found) - 1}]", found[-1], "a path: it has a NUL byte, which no path can have")
    if not found:
        raise Usage(f"{name} is empty; wanted at least one path")
    return found


def path_source(value: Any) -> Iterable[Any]:
    """For what takes them one by one; each is looked at when its turn comes."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise wrong("paths", value, "paths: a list, or what can be iterated")
    return value


def inputs(value: Any) -> Tuple[Optional[str], Dict[str, str]]:
    """As JSON text, and the type of each, for who describes them."""
    if value is None:
        return None, {}
    if not isinstance(value, Mapping):
        raise wrong("inputs", value, "a dict of names and values")
    for name in value:
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise wrong("a name in inputs", name, "an identifier of Python")
    try:
        told = as_json(dict(value))
    except NotJson as problem:
        raise Usage(f"inputs: {problem}; wanted JSON values (dict, list, str, int, float, bool, None)") from None
    return told, {name: type(one).__name__ for name, one in value.items()}


def functions(value: Any) -> Tuple[Dict[str, Callable[..., Any]], List[Dict[str, Any]]]:
    """By name, and as the protocol tells them."""
    if value is None:
        return {}, []
    if not isinstance(value, Mapping):
        raise wrong("functions", value, "a dict of names and functions")
    check_names(value)
    return dict(value), [describe_function(name, one) for name, one in value.items()]


def files(value: Any, are_there: bool = True) -> Dict[str, str]:
    """By name; `are_there`: looked for."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise wrong("files", value, "a dict of names in /data and paths")
    found: Dict[str, str] = {}
    for name, path in value.items():
        if not isinstance(name, str) or not name or "/" in name or name in (".", ".."):
            raise wrong("a name in files", name, "the name of a file, without a folder")
        found[text("a name in files", name)] = text(f"files[{name!r}]", os.path.abspath(file_path(f"files[{name!r}]", path)))
        if are_there and not os.path.isfile(found[name]):
            raise Usage(f"files[{name!r}]: there is no file {found[name]}")
    return found


def on_print(value: Any) -> Optional[Callable[[str], Any]]:
    if value is not None and (not callable(value) or is_coroutine_function(value)):
        raise wrong("on_print", value, "a function of one text (no coroutine function)")
    found: Optional[Callable[[str], Any]] = value
    return found


def policy_name(policy: Any) -> str:
    """What the engine calls it: of a file, the name in it, else that of the file."""
    told = policy_text(policy)
    if not told.endswith(".toml"):
        return told
    try:
        with open(told, encoding="utf-8") as file:
            head = re.split(r"^\s*\[", file.read(), maxsplit=1, flags=re.MULTILINE)[0]
    except (OSError, UnicodeDecodeError) as error:
        raise Usage(f"policy: {told} cannot be read: {error}") from None
    own = re.search(r"""^\s*name\s*=\s*(["'])(.*?)\1""", head, re.MULTILINE)
    return str(own[2]) if own else os.path.basename(told)[:-len(".toml")]


def policy_text(policy: Any) -> str:
    told = text("policy", policy)
    if "\0" in told:
        raise wrong("policy", policy, "the name of a policy, or a TOML file: it has a NUL byte")
    return told


def pool_options(policy: Any, packages: Any, packages_from: Any, workers: Any) -> Tuple[List[str], List[str]]:
    """The names of packages, and what the engine is started with."""
    found = names("packages", packages if packages is not None else ())
    options = ["--policies", ",".join(dict.fromkeys(("node", "extractor", policy_text(policy))))]
    if found:
        options += ["--packages", ",".join(found)]
    if packages_from is not None:
        options += ["--packages-from", os.path.abspath(file_path("packages_from", packages_from))]
    if workers is not None:
        options += ["--workers", str(whole("workers", workers, 1, 1024))]
    return found, options


# What a session can be told, by name: {name of the argument: what looks at it}. None stands for the engine's own default.
LIMITS: Dict[str, Callable[[str, Any], Any]] = {
    "timeout": number,
    "deadline": number,
    "memory_mb": lambda name, value: number(name, value, 1, 4000, above=False),
    "output_bytes": lambda name, value: whole(name, value, 0, 32 * 1024 * 1024),
    "max_calls": lambda name, value: whole(name, value, 0, 1_000_000),
    "strict": flag,
}


def adapter_options(pool: Any, kind: type, options: Mapping[str, Any], session: Mapping[str, Any]) -> None:
    """What an adapter is made with: `options` of a pool, `session` of its sessions. Files may come later."""
    if pool is not None and not isinstance(pool, kind):
        raise wrong("pool", pool, f"an airlock.{kind.__name__}")
    pool_options(**options)
    policy_name(options["policy"])
    limits(session)
    functions(session.get("functions"))
    files(session.get("files"), are_there=False)


def limits(given: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: look(name, given[name]) for name, look in LIMITS.items() if given.get(name) is not None}
