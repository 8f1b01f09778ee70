"""Functions as code inside sees them, and as a model reads them: signatures, doc strings and stubs, from `inspect`."""
from __future__ import annotations

import inspect
import keyword
from typing import Any, Callable, Dict, List, Mapping, Optional

from ._functions import is_coroutine_function
from .errors import Usage

KINDS = {inspect.Parameter.POSITIONAL_ONLY: "positional", inspect.Parameter.POSITIONAL_OR_KEYWORD: "ordinary", inspect.Parameter.VAR_POSITIONAL: "rest",
         inspect.Parameter.KEYWORD_ONLY: "named", inspect.Parameter.VAR_KEYWORD: "named_rest"}
LONGEST_DEFAULT = 200  # characters; more is shown as `...`
LONGEST_DOC = 4000


def signature_of(function: Callable[..., Any]) -> Optional[inspect.Signature]:
    """None when Python cannot tell (some functions written in C)."""
    try:
        return inspect.signature(function)
    except (TypeError, ValueError):
        return None


def shown_annotation(annotation: Any) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def shown_default(value: Any) -> str:
    try:
        text = repr(value)
    except Exception:
        return "..."
    return text if len(text) <= LONGEST_DEFAULT and "\n" not in text and not text.startswith("<") else "..."


def doc_of(function: Callable[..., Any]) -> str:
    """Its own: not that of the class of an object that can be called."""
    own = function if inspect.isroutine(function) or inspect.isclass(function) else getattr(function, "func", None) or getattr(type(function), "__call__", function)
    doc = getattr(own, "__doc__", None)  # not one that is inherited: "Call self as a function."
    return inspect.cleandoc(doc)[:LONGEST_DOC] if isinstance(doc, str) else ""


def describe_function(name: str, function: Callable[..., Any]) -> Dict[str, Any]:
    """As the protocol has it."""
    told: Dict[str, Any] = {"name": name, "async": is_coroutine_function(function)}
    doc = doc_of(function)
    if doc:
        told["doc"] = doc.encode("utf-8", "replace").decode()
    signature = signature_of(function)
    if signature is None:
        return told
    parameters: List[Dict[str, str]] = []
    for parameter in signature.parameters.values():
        one = {"name": parameter.name, "kind": KINDS[parameter.kind]}
        if parameter.default is not inspect.Parameter.empty:
            one["default"] = shown_default(parameter.default)
        if parameter.annotation is not inspect.Parameter.empty:
            one["annotation"] = shown_annotation(parameter.annotation)
        parameters.append(one)
    told["signature"] = {"parameters": parameters}
    if signature.return_annotation is not inspect.Signature.empty:
        told["signature"]["returns"] = shown_annotation(signature.return_annotation)
    return told


def head_of(told: Mapping[str, Any]) -> str:
    """`search(query: str, *, limit: int = 10) -> list`"""
    if "signature" not in told:
        return f"{told['name']}(*args, **kwargs)"
    parts: List[str] = []
    is_named = False
    parameters = told["signature"]["parameters"]
    for number, one in enumerate(parameters):
        kind = one["kind"]
        if kind == "named" and not is_named:
            parts.append("*")
        is_named = is_named or kind in ("rest", "named")
        text = {"rest": "*", "named_rest": "**"}.get(kind, "") + one["name"]
        if "annotation" in one:
            text += f": {one['annotation']}"
        if "default" in one:
            text += f" = {one['default']}" if "annotation" in one else f"={one['default']}"
        parts.append(text)
        if kind == "positional" and (number + 1 == len(parameters) or parameters[number + 1]["kind"] != "positional"):
            parts.append("/")
    returns = told["signature"].get("returns")
    return f"{told['name']}({', '.join(parts)})" + (f" -> {returns}" if returns else "")


def stub_of(told: Mapping[str, Any]) -> str:
    """A definition without a body."""
    head = f"{'async def' if told['async'] else 'def'} {head_of(told)}:"
    if not told.get("doc"):
        return f"{head} ..."
    import textwrap
    doc = told["doc"].replace("\\", "\\\\").replace('"""', '\\"\\"\\"')
    end = '\n"""' if "\n" in doc or doc.endswith('"') else '"""'
    return head + "\n" + textwrap.indent(f'"""{doc}{end}', "    ")


def text_about(functions: List[Dict[str, Any]], inputs: Mapping[str, str], files: List[str], packages: List[str], seconds: float, megabytes: int) -> str:
    """What a model may use, for a prompt."""
    parts: List[str] = []
    if functions:
        is_async = any(one["async"] for one in functions)
        parts.append("These functions are there" + (" (await those that are async; await works at top level)" if is_async else "") + ":\n\n"
                     + "\n\n".join(stub_of(one) for one in functions))
    if inputs:
        parts.append("These names are set: " + ", ".join(f"{name} ({kind})" for name, kind in inputs.items()) + ".")
    if files:
        parts.append("These files can be read: " + ", ".join(f"/data/{name}" for name in files) + ".")
    if packages:
        parts.append("Packages that are loaded: " + ", ".join(packages) + ".")
    parts.append("Files that you write to /out are handed over. Names stay from one piece of code to the next. The value of a last expression is the result. "
                 f"There is no network and there are no other files; each piece has {seconds:g} s and {megabytes} MB.")
    return "\n\n".join(parts) + "\n"


def check_names(functions: Mapping[Any, Any]) -> None:
    for name, function in functions.items():
        if not isinstance(name, str) or not name.isidentifier() or keyword.iskeyword(name):
            raise Usage(f"functions: {name!r} is no name for a function; wanted an identifier of Python")
        if not callable(function):
            raise Usage(f"functions[{name!r}] is {type(function).__name__}, which cannot be called; wanted a function")
