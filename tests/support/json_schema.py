"""JSON Schema (2020-12), the part of it that our schemas use. A keyword that is not known here is an error: nothing is passed over."""
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
PLAIN = {"title", "description"}


def is_of(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def listed(value):
    return value if isinstance(value, list) else [value]


CHECKS = {
    "type": lambda value, want: any(is_of(value, name) for name in listed(want)),
    "enum": lambda value, want: value in want,
    "minimum": lambda value, want: not is_of(value, "number") or value >= want,
    "maximum": lambda value, want: not is_of(value, "number") or value <= want,
    "minLength": lambda value, want: not isinstance(value, str) or len(value) >= want,
    "maxLength": lambda value, want: not isinstance(value, str) or len(value) <= want,
    "minItems": lambda value, want: not isinstance(value, list) or len(value) >= want,
    "maxItems": lambda value, want: not isinstance(value, list) or len(value) <= want,
    "maxProperties": lambda value, want: not isinstance(value, dict) or len(value) <= want,
    "required": lambda value, want: not isinstance(value, dict) or all(name in value for name in want),
}


def fits(value, schema):
    try:
        check(value, schema)
    except AssertionError:
        return False
    return True


def check(value, schema, place="$"):
    """Raises where the value is not as the schema says."""
    if not isinstance(schema, dict):
        raise AssertionError(f"{place}: a schema is an object here, not {schema!r}")
    for keyword, want in schema.items():
        if keyword in CHECKS:
            if not CHECKS[keyword](value, want):
                raise AssertionError(f"{place}: {str(value)[:200]!r} is not {keyword} {want!r}")
        elif keyword == "properties":
            for name, part in want.items():
                if isinstance(value, dict) and name in value:
                    check(value[name], part, f"{place}.{name}")
        elif keyword == "anyOf":
            if not any(fits(value, one) for one in want):
                raise AssertionError(f"{place}: {str(value)[:200]!r} is none of {str(want)[:500]}")
        elif keyword == "items":
            for index, one in enumerate(value if isinstance(value, list) else []):
                check(one, want, f"{place}[{index}]")
        elif keyword == "additionalProperties":
            others = set(value) - set(schema.get("properties", {})) if isinstance(value, dict) else set()
            if want is False and others:
                raise AssertionError(f"{place}: {sorted(others)} are not in the schema")
            for name in others if isinstance(want, dict) else ():
                check(value[name], want, f"{place}.{name}")
        elif keyword not in PLAIN:
            raise AssertionError(f"{place}: the keyword {keyword!r} is not known here")


def check_schema(schema, place="$"):
    """Every part of it is a schema, and of the kind that its keywords want."""
    if not isinstance(schema, dict):
        raise AssertionError(f"{place}: a schema is an object here, not {schema!r}")
    for keyword, want in schema.items():
        if keyword == "type":
            assert set(listed(want)) <= {*TYPES, "integer", "number"}, f"{place}: {want}"
        elif keyword == "properties":
            for name, part in want.items():
                check_schema(part, f"{place}.{name}")
        elif keyword == "items" or (keyword == "additionalProperties" and not isinstance(want, bool)):
            check_schema(want, f"{place}.{keyword}")
        elif keyword == "anyOf":
            for index, one in enumerate(want):
                check_schema(one, f"{place}.anyOf[{index}]")
        elif keyword == "required":
            assert set(want) <= set(schema.get("properties", {})), f"{place}: {want} are not all described"
        elif keyword not in CHECKS and keyword not in PLAIN and keyword != "additionalProperties":
            raise AssertionError(f"{place}: the keyword {keyword!r} is not known here")
