"""Whether what one node declares can be what another asks for, from the declared types alone. What is not known here may fit."""
import ast

from airlock_node import outer_types, templates

# Types whose one argument is that of their elements, and types whose second argument is that of their values.
LISTS = ("list", "set", "frozenset", "Sequence", "Iterable", "Collection", "deque")
DICTS = ("dict", "Mapping", "MutableMapping", "defaultdict", "OrderedDict")


class Declared:
    """A declared type, taken apart: `dict[str, int]` is "dict" and its two arguments. `name` is "" when nobody knows."""
    __slots__ = ("name", "arguments", "members")

    def __init__(self, name="", arguments=(), members=()):
        self.name, self.arguments, self.members = name, arguments, members


def read(text):
    try:
        return taken_apart(ast.parse(text.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return Declared()


def name_of(tree):
    if isinstance(tree, ast.Attribute):
        return tree.attr
    return tree.id if isinstance(tree, ast.Name) else ""


def taken_apart(tree):
    if isinstance(tree, ast.Constant):
        return Declared("None") if tree.value is None else read(tree.value) if isinstance(tree.value, str) else Declared()
    if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.BitOr):
        return union([taken_apart(tree.left), taken_apart(tree.right)])
    if not isinstance(tree, ast.Subscript):
        name = name_of(tree)
        return Declared(outer_types.OLD.get(name, name))
    name = outer_types.OLD.get(name_of(tree.value), name_of(tree.value))
    inner = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
    if name == "Annotated":
        return taken_apart(inner[0])
    if name in ("Optional", "Union"):
        return union([*map(taken_apart, inner), *([Declared("None")] if name == "Optional" else [])])
    is_open = len(inner) == 2 and isinstance(inner[1], ast.Constant) and inner[1].value is Ellipsis
    if name == "tuple" and is_open:
        return Declared("tuple")
    return Declared(name, tuple(map(taken_apart, inner)) if name in (*LISTS, *DICTS, "tuple") else ())


def union(kinds):
    return Declared(members=tuple(member for kind in kinds for member in kind.members or (kind,)))


def step_into(kind, step):
    """What lies below: `[0]` of list[int] is an int."""
    if kind.name in LISTS and isinstance(step, int) and len(kind.arguments) == 1:
        return kind.arguments[0]
    if kind.name == "tuple" and isinstance(step, int) and -len(kind.arguments) <= step < len(kind.arguments):
        return kind.arguments[step]
    return kind.arguments[1] if kind.name in DICTS and isinstance(step, str) and len(kind.arguments) == 2 else Declared()


def fit(given, wanted, strict):
    if given.members or wanted.members:  # one that fits is enough: which one comes is seen when it runs
        return any(fit(one, other, strict) for one in given.members or (given,) for other in wanted.members or (wanted,))
    if wanted.name == "None" or given.name == "None":
        known = outer_types.TYPES
        return given.name == wanted.name or not (given.name in known or wanted.name in known)
    if not outer_types.can_fit(given.name, wanted.name):
        return False
    if not strict or given.name != wanted.name or not given.arguments or len(given.arguments) != len(wanted.arguments):
        return not (strict and given.name == wanted.name == "tuple" and given.arguments and wanted.arguments)
    return all(fit(one, other, True) for one, other in zip(given.arguments, wanted.arguments))


def can_fit(given, path, declared, strict):
    """`given` is the type of a node's output, `path` the template's way below it (`[0].name`)."""
    kind = read(given)
    for step in (templates.parse("x" + path) or ["x"])[1:]:
        kind = step_into(kind, step)
    return fit(kind, read(declared), strict)
