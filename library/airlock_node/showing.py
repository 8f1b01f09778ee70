"""Objects that are no JSON, as they are shown: their type and a bounded repr. The objects themselves stay in the store as they are."""
import itertools

from airlock_node.messages import fit_to_send

MOST_TEXT = 2000  # characters of one repr
MOST_ITEMS = 20  # elements of one container


def name_of(kind):
    module = getattr(kind, "__module__", "")
    return kind.__qualname__ if module in ("builtins", "__main__", "") else f"{module}.{kind.__qualname__}"


def cut(text):
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + f"… ({len(text)} characters)"


def inner(value):
    """Of an element: containers in containers are only named."""
    if isinstance(value, (dict, list, tuple, set, frozenset)):
        return f"<{type(value).__name__} of {len(value)}>"
    if isinstance(value, (str, bytes)):
        return repr(value[:60])
    return cut(repr(value))


def beginning(value):
    """The first elements of a large container, without going through all of it."""
    more = ", …" if len(value) > MOST_ITEMS else ""
    if isinstance(value, dict):
        items = itertools.islice(value.items(), MOST_ITEMS)
        return "{" + ", ".join(f"{inner(key)}: {inner(one)}" for key, one in items) + more + "}"
    items = ", ".join(inner(one) for one in itertools.islice(value, MOST_ITEMS)) + more
    opening, closing = "[]" if isinstance(value, list) else "()" if isinstance(value, tuple) else "{}"
    return f"{opening}{items}{closing}"


def text_of(value):
    kind = type(value)
    if kind is int:
        return cut(hex(value))  # too long for decimal digits: Python refuses to write them
    if kind in (str, bytes, bytearray):
        return cut(repr(value[:MOST_TEXT]) + (f"… ({len(value)} in all)" if len(value) > MOST_TEXT else ""))
    if kind in (dict, list, tuple, set, frozenset):
        return cut(beginning(value)) if len(value) else repr(value)
    return cut(repr(value))


def describe(value):
    """(type, repr) as text. Runs the object's own __repr__."""
    try:
        text = text_of(value)
    except (Exception, SystemExit, KeyboardInterrupt) as error:
        text = f"(no repr: {type(error).__name__})"
    return fit_to_send(name_of(type(value))), fit_to_send(text)
