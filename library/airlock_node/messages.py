"""The form of every message: what is wrong, the details, what to do."""


# Taken from `type` itself: reading cls.__name__ could run a metaclass of the node's.
NAME = type.__dict__["__name__"]


def kind(value):
    """The name of a value's type, whatever its metaclass says of itself."""
    return NAME.__get__(type(value))


def is_a(value, *kinds):
    """isinstance() that asks nothing of the value: `__class__` may be code of the node."""
    return issubclass(type(value), kinds)


def message(brief, detail="", suggestions=()):
    """`brief` is one line; the other parts are left out when they are empty."""
    text = brief if brief.startswith("Error: ") else f"Error: {brief}"
    if detail:
        text += f"\n\n{detail}"
    if suggestions:
        text += "\n\n💡 Suggestions:\n" + "\n".join(f"  - {one}" for one in suggestions)
    return text


def fit_to_send(text):
    """Without what has no place in UTF-8 or in a C string."""
    return text.encode("utf-8", "backslashreplace").decode().replace("\0", "\\x00")


class Refused(Exception):
    """What prep and post raise inside of their own exceptions: the parts of a message that str() does not show."""

    def __init__(self, detail="", suggestions=(), line=0):
        super().__init__(detail)
        self.detail, self.suggestions, self.line = detail, tuple(suggestions), line


def refuse(kind, brief, detail="", suggestions=(), line=0):
    """An exception of type `kind` whose text is `brief`, and which carries the rest of its message."""
    problem = kind(brief)
    problem.more = Refused(detail, suggestions, line)
    return problem
