"""The strict check (`strict_types`): generics, unions, literals, typed dicts and tuple shapes to the bottom, with the path of the
first element that does not fit. A part of a declaration that this does not know is not checked."""
import collections
import collections.abc
import types
import typing

from airlock_node import declared_types
from airlock_node.declared_types import Unknown

MOST_DEPTH = 100  # levels; what lies deeper is not checked


def shown(expected):
    if expected is None or expected is type(None):
        return "None"
    if isinstance(expected, type) and not typing.get_args(expected):
        return expected.__name__
    return str(expected).replace("typing.", "").replace(f"{declared_types.__name__}.Unknown", "Any")


def wrong(path, expected, value):
    return path, shown(expected), "None" if value is None else type(value).__name__


def first(found):
    return next((one for one in found if one), None)


def check_union(value, expected, path, depth):
    deeper = None
    for one in typing.get_args(expected):
        found = check(value, one, path, depth + 1)  # once: unions in unions would double it at each level
        if found is None:
            return None
        # The alternative whose outer type fits is the one that was meant: its own mismatch says more.
        deeper = deeper or (found if found[0] != path else None)
    return deeper or wrong(path, expected, value)


def check_dict(value, arguments, path, depth):
    if len(arguments) == 1 and isinstance(value, collections.Counter):
        arguments = (*arguments, int)
    if len(arguments) != 2:
        return None
    for key, inner in value.items():
        found = (check(key, arguments[0], f"{path} key {key!r}", depth + 1)
                 or check(inner, arguments[1], f"{path}[{key!r}]", depth + 1))
        if found:
            return found
    return None


def check_tuple(value, arguments, path, depth):
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return first(check(one, arguments[0], f"{path}[{at}]", depth + 1) for at, one in enumerate(value))
    if len(value) != len(arguments):
        return path, f"tuple of {len(arguments)}", f"tuple of {len(value)}"
    return first(check(one, kind, f"{path}[{at}]", depth + 1) for at, (one, kind) in enumerate(zip(value, arguments)))


def check_typed_dict(value, expected, path, depth):
    if not isinstance(value, dict):
        return wrong(path, expected, value)
    for key in sorted(expected.__required_keys__):
        if key not in value:
            return path, f"{expected.__name__} with the key '{key}'", "dict without it"
    fields = expected.__annotations__
    for key, inner in value.items():
        if key not in fields:
            return path, f"{expected.__name__}, which has no key {key!r}", "dict with it"
        found = check(inner, fields[key], f"{path}[{key!r}]", depth + 1)
        if found:
            return found
    return None


def check_plain(value, expected, path):
    if expected is float:
        return None if isinstance(value, (int, float)) and not isinstance(value, bool) else wrong(path, expected, value)
    if expected is int and isinstance(value, bool):
        return None  # as Python has it
    if isinstance(expected, type):
        try:
            return None if isinstance(value, expected) else wrong(path, expected, value)
        except TypeError:
            return None
    return None


def check_elements(value, arguments, path, depth):
    if len(arguments) != 1:
        return None
    return first(check(one, arguments[0], f"{path}[{at}]", depth + 1) for at, one in enumerate(value))


def check(value, expected, path, depth=0):
    """None, or (path, expected, actual) of the first mismatch."""
    if expected is typing.Any or expected is object or expected is Unknown or depth > MOST_DEPTH:
        return None
    if isinstance(expected, (str, typing.ForwardRef)):  # a name inside of a type: list["Tree"]
        text = expected if isinstance(expected, str) else expected.__forward_arg__
        return check(value, declared_types.read(text, names[-1]), path, depth + 1)
    if expected is None:
        expected = type(None)
    origin, arguments = typing.get_origin(expected), typing.get_args(expected)
    if origin in (typing.Union, types.UnionType):
        return check_union(value, expected, path, depth)
    if origin is typing.Literal:
        is_one = any(value == one and type(value) is type(one) for one in arguments)
        return None if is_one else (path, shown(expected), repr(value)[:60])
    if origin in (typing.Annotated, typing.Required, typing.NotRequired, typing.Final, typing.ClassVar):
        return check(value, arguments[0], path, depth + 1)
    if typing.is_typeddict(expected):
        return check_typed_dict(value, expected, path, depth)
    if isinstance(expected, typing.NewType):
        return check(value, expected.__supertype__, path, depth + 1)
    if origin is None:
        return check_plain(value, expected, path)
    outer = check_plain(value, origin, path)
    if outer:
        return wrong(path, expected, value)
    if origin is tuple and expected is not typing.Tuple:
        return check_tuple(value, arguments, path, depth)
    if isinstance(value, (dict, collections.abc.Mapping)):
        return check_dict(value, arguments, path, depth)
    if isinstance(value, (list, set, frozenset, collections.deque)):
        return check_elements(value, arguments, path, depth)
    return None  # an iterator is not used up for this


names = []  # of the code whose declaration is being checked, for those that are written as text


def first_mismatch(value, declared, name, namespace):
    names.append(namespace)
    try:
        return check(value, declared_types.read(declared, namespace), name)
    finally:
        names.pop()
