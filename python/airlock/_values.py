"""JSON values: what may go through the inner door, found out before it is sent.

A line that the engine cannot read belongs to no request, so nothing may be sent that is no JSON, has a key twice or is too deep.
The walk asks for the types of a whole list at once, in C, and looks closer only where there is another list or dict."""
from __future__ import annotations

import json
import math
from typing import Any, Callable, Dict, List, Mapping, Tuple

SCALARS = frozenset((str, int, float, bool, type(None)))
MOST_LEVELS = 64  # of arguments, results and inputs, as the inner door allows
MOST_LINE = 64 * 1024 * 1024 - 4096  # bytes of a line to the engine
MOST_PROBLEMS = 20

# (type of the error, steps to the place, what is wrong)
Problem = Tuple[str, List[Any], str]

_encode: Callable[[Any], str] = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode


class NotJson(ValueError):
    """`str()` says what, and where."""

    def __init__(self, problems: List[Problem]) -> None:
        self.problems = problems
        _, path, what = problems[0]
        super().__init__(what + (f" at {place(path)}" if path else ""))


def place(path: List[Any]) -> str:
    """['a'][0]"""
    return "".join(f"[{step!r}]" if isinstance(step, (str, int)) else "[…]" for step in path)


def as_json(value: Any, levels: int = MOST_LEVELS, tuples: bool = True) -> str:
    """The value as text. Raises NotJson."""
    if type(value) not in SCALARS:
        problems = problems_of(value, levels, tuples)
        if problems:
            raise NotJson(problems)
    try:
        text = _encode(value)
        if not text.isascii():
            text.encode()
    except UnicodeEncodeError:
        raise NotJson([("EncodingError", [], "text with half of a surrogate pair, which has no UTF-8")]) from None
    except ValueError as error:  # a number that is not finite, or an integer of more digits than Python writes
        raise NotJson(endless_numbers(value) or [("JSONValueError", [], str(error))]) from None
    return text


def endless_numbers(value: Any) -> List[Problem]:
    """The first number that is not finite; the value has no other problem."""
    todo: List[Tuple[Any, List[Any]]] = [(value, [])]
    while todo:
        one, path = todo.pop()
        if isinstance(one, dict):
            todo.extend((inner, [*path, str(key)]) for key, inner in one.items())
        elif isinstance(one, (list, tuple)):
            todo.extend((inner, [*path, number]) for number, inner in enumerate(one))
        elif isinstance(one, float) and not math.isfinite(one):
            return [("JSONValueError", path, "a number that is not finite")]
    return []


def problems_of(value: Any, levels: int, tuples: bool) -> List[Problem]:
    """Every place that is no JSON value, the first twenty."""
    found: List[Problem] = []
    todo: List[Tuple[Any, List[Any]]] = [(value, [])]
    while todo and len(found) < MOST_PROBLEMS:
        one, path = todo.pop()
        if len(path) > levels:
            return [*found, ("DepthError", path[:20], f"this is nested more than {levels} levels deep, or holds itself")]
        if isinstance(one, dict):
            wrong_keys = {kind for kind in set(map(type, one)) if not issubclass(kind, str)}
            if wrong_keys:
                found.append(("JSONValueError", path, f"a key of type {min(kind.__name__ for kind in wrong_keys)}"))
                continue
            if not SCALARS.issuperset(map(type, one.values())):
                todo.extend((inner, [*path, str(key)]) for key, inner in one.items() if type(inner) not in SCALARS)
        elif isinstance(one, list) or (tuples and isinstance(one, tuple)):
            if not SCALARS.issuperset(map(type, one)):
                todo.extend((inner, [*path, number]) for number, inner in enumerate(one) if type(inner) not in SCALARS)
        elif not isinstance(one, (str, int, float)) and one is not None:
            found.append(("JSONValueError", path, f"{type(one).__name__} is not a JSON value"))
    return found


def line_of(members: Mapping[str, Any], texts: Mapping[str, str] = {}) -> bytes:
    """A message of ours as a line; `texts` are members that are JSON text already. Raises NotJson when it cannot be sent."""
    text = _encode(members)
    if texts:
        text = text[:-1] + "".join(f',"{name}":{one}' for name, one in texts.items()) + "}"
    try:
        line = text.encode() + b"\n"
    except UnicodeEncodeError:
        raise NotJson([("EncodingError", [], "text with half of a surrogate pair, which has no UTF-8")]) from None
    if len(line) > MOST_LINE:
        raise NotJson([("SizeError", [], f"this has {len(line):,} bytes, and at most {MOST_LINE:,} can be sent at once")])
    return line
