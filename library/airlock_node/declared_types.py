"""What a declaration stands for, read from its tree. Nothing is evaluated: a declaration is somebody's text, and `x: os.system("…")` is
one too. Names, dotted names, subscripts, `|` and quoted types are read; whatever else stands there is Unknown, and is not checked.

No code of the node's runs here, though its own classes may be named in what its result is declared as: attributes are looked up in
the dictionaries of modules and classes, and a subscript of such a class is written down, not called."""
import ast
import builtins
import collections
import collections.abc
import types
import typing

from airlock_node.messages import is_a

# Characters of a declaration, and levels of nesting: what is longer or deeper is Unknown. Both bound recursion.
MOST_TEXT = 10_000
MOST_DEPTH = 100


class Unknown:
    """A name that nobody has defined, and what is made of it: `np.ndarray`, `Series[int]`. Not checked."""


FORMS = {name: value for name, value in vars(typing).items() if not name.startswith("_")}
KINDS = {name: value for name, value in vars(builtins).items() if isinstance(value, type)}
MODULES = {"typing": typing, "collections": collections}
# Of these the first argument is the type; the others are remarks about it.
REMARKS = (typing.Annotated, typing.Final, typing.ClassVar, typing.Required, typing.NotRequired)
# Taken from `type` itself: reading cls.__mro__ would ask a metaclass of the node's.
MRO, NAMESPACE = type.__dict__["__mro__"], type.__dict__["__dict__"]


# One declaration. Every method returns a type, a form of typing, or Unknown; none raises for what it does not know.
class Reader:
    def __init__(self, namespace):
        self.namespace = namespace
        self.unread = None  # the first part that is no type

    def text(self, text, depth):
        if len(text) > MOST_TEXT:
            return self.unreadable(None)
        try:
            return self.tree(ast.parse(text.strip(), mode="eval").body, depth)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return self.unreadable(None)

    def unreadable(self, tree):
        if self.unread is None:
            self.unread = "" if tree is None else ast.unparse(tree)
        return Unknown

    def tree(self, tree, depth=0):
        if depth > MOST_DEPTH:
            return self.unreadable(None)
        if isinstance(tree, ast.Constant):
            if isinstance(tree.value, str):
                return self.text(tree.value, depth + 1)
            return tree.value if tree.value in (None, Ellipsis) else self.unreadable(tree)
        if isinstance(tree, ast.Name):
            return self.known(self.look_up(tree.id))
        if isinstance(tree, ast.Attribute):
            return self.known(self.attribute(tree, depth))
        if isinstance(tree, ast.BinOp) and isinstance(tree.op, ast.BitOr):
            return union(self.tree(tree.left, depth + 1), self.tree(tree.right, depth + 1))
        if isinstance(tree, ast.Subscript):
            return self.subscript(tree, depth)
        return self.unreadable(tree)

    def look_up(self, name):
        for names in (self.namespace, FORMS, MODULES, KINDS):
            if name in names:
                return names[name]
        return Unknown

    def attribute(self, tree, depth):
        """Out of the dictionaries: no __getattr__, no property."""
        if isinstance(tree.value, ast.Name):
            holder = self.look_up(tree.value.id)
        elif isinstance(tree.value, ast.Attribute) and depth < MOST_DEPTH:
            holder = self.attribute(tree.value, depth + 1)
        else:
            return self.unreadable(tree)
        if type(holder) is types.ModuleType:
            return vars(holder).get(tree.attr, Unknown)
        if is_a(holder, type):
            return next((NAMESPACE.__get__(one)[tree.attr] for one in MRO.__get__(holder) if tree.attr in NAMESPACE.__get__(one)), Unknown)
        return Unknown

    def known(self, value):
        """A type, or a form that typing has made; anything else that bears the name says nothing."""
        if value is None or is_a(value, type, types.GenericAlias, types.UnionType, typing.NewType, typing.ForwardRef):
            return value
        if type(value) is str:  # Tree = "list[Tree]"
            return typing.ForwardRef(value) if is_expression(value) else Unknown
        return value if type(value).__module__ == "typing" and not is_a(value, typing.TypeVar) else Unknown

    def subscript(self, tree, depth):
        outer = self.tree(tree.value, depth + 1)
        inner = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
        if outer is Unknown or outer is None or not inner and outer is not tuple and outer is not typing.Tuple:
            return Unknown
        if outer is typing.Literal:
            return self.literal(inner)
        if any(outer is one for one in REMARKS):
            return self.tree(inner[0], depth + 1)
        if typing.get_args(outer):  # an alias with parameters of its own: Pair[int], where Pair = dict[str, T]
            return outer
        origin = typing.get_origin(outer) or outer
        if origin is collections.abc.Callable or origin is type:
            return origin
        arguments = tuple(self.tree(one, depth + 1) for one in inner)
        if outer is typing.Optional or outer is typing.Union:
            return typing.Union[(*arguments, None)] if outer is typing.Optional else typing.Union[arguments]
        return types.GenericAlias(origin, arguments) if is_a(origin, type) else Unknown

    def literal(self, inner):
        values = [literal_value(one) for one in inner]
        return Unknown if Unknown in values else typing.Literal[tuple(values)]


def literal_value(tree):
    """A constant, or a number below zero; Unknown for names (an enum's member)."""
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub) and isinstance(tree.operand, ast.Constant):
        return -tree.operand.value if isinstance(tree.operand.value, (int, float)) else Unknown
    return tree.value if isinstance(tree, ast.Constant) else Unknown


def is_expression(text):
    try:
        ast.parse(text, mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return len(text) <= MOST_TEXT


def union(left, right):
    """As `left | right` would say it, without asking a metaclass."""
    plain = all(one is None or is_a(one, types.GenericAlias, types.UnionType) or type(one) is type for one in (left, right))
    return left | right if plain and not left is right is None else typing.Union[left, right]


def read(declared, namespace):
    """The type that the text stands for; Unknown when it cannot be told."""
    try:
        return Reader(namespace).text(declared, 0)
    except Exception:  # what typing itself refuses: Union[...] of nothing, list of a list
        return Unknown


def unread_part(declared):
    """The part of a declaration that is no type, or None: a call, a number, an expression."""
    reader = Reader({})
    try:
        reader.text(declared, 0)
    except Exception:
        return declared
    return reader.unread if reader.unread is None else reader.unread or declared
