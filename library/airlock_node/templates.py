"""`${node.key[0].sub}`: looked up among native objects. A template that is the whole text keeps the object's type; inside other text it
becomes text. `$${` stands for `${`."""
import re

from airlock_node.messages import kind

# A template or an escaped one; a text that is one template; one inside of another; one step of a path (.name, [0],
# ['name']).
TEMPLATE = re.compile(r"\$(\$\{)|\$\{([^{}]*)\}")
WHOLE = re.compile(r"\$\{([^{}]*)\}")
NESTED = re.compile(r"(?<!\$)\$\{[^{}]*(?<!\$)\$\{[^{}]*\}[^{}]*\}")
STEP = re.compile(r"\.?([^.\[\]\s]+)|\[\s*(-?\d+)\s*\]|\[\s*(?:'([^']*)'|\"([^\"]*)\")\s*\]")


MOST_TEXT = 300  # characters of a path that a message quotes
SCALARS = (str, bytes, int, float, bool, type(None))  # values without parts


class Unresolved(ValueError):
    """A template that leads nowhere."""


def parse(path):
    """`a.b[0]["c d"]` -> ["a", "b", 0, "c d"]; None when it is no path."""
    steps, at, text = [], 0, path.strip()
    while at < len(text):
        found = STEP.match(text, at)
        if not found or (found[1] is not None) != (at == 0 or text[at] == ".") or (at == 0 and text[0] == "."):
            return None
        name, index, single, double = found.groups()
        steps.append(int(index) if index is not None else next(word for word in (name, single, double) if word is not None))
        at = found.end()
    return steps or None


def quoted_names(names, most=12):
    names = [str(name) for name in names]
    return ", ".join(names[:most]) + (f", … ({len(names)} in all)" if len(names) > most else "")


def what_exists(value):
    if isinstance(value, dict):
        return f"it has: {quoted_names(value)}" if value else "it is an empty dict"
    if isinstance(value, (list, tuple)):
        return f"it is a {kind(value)} of {len(value)}"
    if type(value) in (str, bytes):
        return f"its type is {kind(value)}, and a template takes a text whole: cut it in the code"
    return f"its type is {kind(value)}"


def near(name, names):
    import difflib
    found = difflib.get_close_matches(str(name), [str(one) for one in names], 1)
    return found[0] if found else ""


def step_into(value, step):
    """The value one step further. KeyError, IndexError, AttributeError or TypeError when there is none."""
    if isinstance(value, dict):
        return value[step]
    if type(value) in SCALARS:
        raise TypeError(step)
    if isinstance(value, (list, tuple)) and (isinstance(step, int) or step.isdigit()):
        return value[int(step)]
    if isinstance(step, int):
        return value[step]
    if step.startswith("_"):
        raise AttributeError(step)
    if hasattr(type(value), "__getitem__") and not isinstance(value, (str, bytes)) and hasattr(value, "keys") and step in value:
        return value[step]
    return getattr(value, step)


def shown_path(steps):
    text = ""
    for step in steps:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else str(step)
    return text


def cut(path):
    return path if len(path) <= MOST_TEXT else path[:MOST_TEXT] + "…"


def unresolved(path, steps, number, value, error):
    """Why it goes no further than `value`."""
    whole, step = cut(path), steps[number]
    where = f"'{cut(shown_path(steps[:number]))}'" if number else "the store"
    if not isinstance(error, (KeyError, IndexError, AttributeError, TypeError, ValueError)):
        return Unresolved(f"Template ${{{whole}}} could not be resolved: reading {step!r} of {where} raised {kind(error)}")
    close = near(step, list(value) if isinstance(value, dict) else [])
    fix = shown_path([*steps[:number], close, *steps[number + 1:]]) if close else ""
    missing = step if isinstance(step, int) else repr(cut(step))
    return Unresolved(f"Template ${{{whole}}} could not be resolved: there is no {missing} in {where}; {what_exists(value)}"
                      + (f". Did you mean ${{{fix}}}?" if fix else ""))


def look_up(path, shared):
    steps = parse(path)
    if steps is None:
        raise Unresolved(f"Template ${{{cut(path)}}} is not a path. Write ${{node.key[0].sub}}")
    value = shared
    for number, step in enumerate(steps):
        try:
            value = step_into(value, step)
        except Exception as error:  # an attribute may be code of a node
            raise unresolved(path, steps, number, value, error) from None
    return value


def as_text(value):
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, (dict, list)):
        import json
        try:
            return json.dumps(value, ensure_ascii=False)
        except (TypeError, ValueError, RecursionError):
            pass
    return str(value)


def resolve(value, shared):
    """`value` with every template in it replaced, in dicts and lists too. What holds none is given back as it is."""
    if type(value) is str:
        if "${" not in value:
            return value
        nested = NESTED.search(value)
        if nested:
            raise Unresolved(f"Template {cut(nested[0])} holds another template, which is not looked up. "
                             "Give the node both as inputs, and let its code take the one with the other: result: int = a[i]")
        whole = WHOLE.fullmatch(value)
        if whole:
            return look_up(whole[1], shared)
        return TEMPLATE.sub(lambda found: found[1] or as_text(look_up(found[2], shared)), value)
    if type(value) is dict:
        return {key: resolve(inner, shared) for key, inner in value.items()}
    if type(value) is list:
        return [resolve(inner, shared) for inner in value]
    return value
