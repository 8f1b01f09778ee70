"""The default check: the outer type only. `list[dict]` is a list; what is inside is not looked at, nor is a type that is not in
the table."""
TYPES = {"int": int, "float": (int, float), "str": str, "bool": bool, "list": list, "dict": dict, "set": set, "tuple": tuple,
         "bytes": bytes}
# typing's old names for them.
OLD = {"List": "list", "Dict": "dict", "Set": "set", "Tuple": "tuple"}


def outer_name(declared):
    """`typing.List[int]` -> "list"; "" when the check is to be skipped."""
    name, bracket, rest = declared.partition("[")
    if bracket and rest.rpartition("]")[2].strip():  # list[int] | None
        return ""
    name = name.strip().removeprefix("typing.")
    name = OLD.get(name, name)
    return name if name in TYPES else ""


def fits(value, declared):
    kind = TYPES.get(declared)
    if kind is None:
        name = outer_name(declared)
        if not name:
            return True
        kind = TYPES[name]
    return isinstance(value, kind)


def can_fit(given, declared):
    """Whether a value declared as `given` can be what `declared` asks for, as far as the outer types say."""
    given, wanted = outer_name(given), outer_name(declared)
    if not given or not wanted or given == wanted:
        return True
    if wanted in ("int", "float") and given in ("int", "bool"):
        return True
    return given == "str" and wanted in ("list", "dict")  # it may be JSON, and is then read
