"""What went wrong while the code ran, in words that a person or a model can act on."""
from airlock_node import messages, packages, trace

MOST_TEXT = 4000


class NodeTimeout(BaseException):
    """Raised in the code when its time is up. No Exception: `except Exception` does not stop it."""


def timed_out(timeout):
    return messages.message(f"Python code execution timed out after {timeout} seconds",
                            "The code was stopped. What it printed until then is kept.",
                            ("Raise the node's limit: \"timeout\": <seconds>",
                             "Look for a loop that never ends, or a call that waits for something that does not come"))


def missing_name(error, detail, namespace):
    name = getattr(error, "name", None) or str(error).partition("'")[2].partition("'")[0]
    from airlock_node.templates import near
    known = [one for one in namespace if not one.startswith("__")]
    import builtins
    close = near(name, [*known, *dir(builtins)])
    fixes = [f"Did you mean '{close}'?"] if close else []
    return messages.message(f"Undefined variable '{name}'. Ensure all variables are defined in code or provided as inputs", detail,
                            [*fixes, f"Define it in the code: {name} = ...",
                             f"Or pass it in: \"inputs\": {{\"{name}\": ...}} and declare {name}: <type>"])


def missing_module(error, detail):
    name = error.name or str(error).partition("'")[2].partition("'")[0] or str(error)
    if not isinstance(error, ModuleNotFoundError):
        return messages.message(f"Code execution failed: {error}", detail,
                                (f"'{name}' is installed but does not have what is imported: look at its version",))
    package = packages.package_of(name)
    fixes = [f"pip install {package}"] + ([f"The module '{name}' is part of the package {package}"] if package != name else [])
    top = name.partition(".")[0]
    brief = f"Module '{name}' not found. Install with: pip install {package}"
    if package != top:
        brief += f" (the package of '{top}')"
    return messages.message(brief, detail, [*fixes, "Or use a module of the standard library"])


def ended_itself(error, detail):
    if isinstance(error, KeyboardInterrupt):
        return messages.message("Code execution failed: KeyboardInterrupt was raised in the code", detail)
    return messages.message(f"Code execution failed: the code ended itself with SystemExit({error.code!r})", detail,
                            ("A node ends when its code does: leave out sys.exit() and exit()",
                             "To fail on purpose, raise an exception: raise ValueError(\"why\")"))


def hints(error):
    """What usually helps."""
    if isinstance(error, KeyError):
        return (f"The key {error} is not there: use .get({error}, default), or print the keys that are",)
    if isinstance(error, IndexError):
        return ("Check the length first, or use a slice: x[:1] of an empty list is an empty list",)
    if isinstance(error, ZeroDivisionError):
        return ("Check for zero before dividing",)
    if isinstance(error, AttributeError):
        return ("print(type(x)) shows what the object is; dir(x) what it has",)
    if isinstance(error, RecursionError):
        return ("A function calls itself without end: look for the case in which it should stop",)
    if isinstance(error, MemoryError):
        return ("Work on the data in parts, or drop what is not needed any more: del x",)
    if isinstance(error, EOFError):
        return ("Standard input is empty in a node: pass values in with \"inputs\"",)
    if isinstance(error, FileNotFoundError):
        return ("Relative paths start at the folder in which airlock was started",)
    return ("The traceback shows the line; what was printed before it is in stdout",)


def words_of(error):
    try:
        text = str(error)
    except Exception:
        text = "(its text could not be had)"
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + "…"


def describe(error, filename, source, namespace, timeout):
    """(message, line) of what exec raised. This is all that exec_fallback does."""
    line, detail = trace.of(error, filename, source)
    if isinstance(error, NodeTimeout):
        return timed_out(timeout), line
    if hasattr(error, "more") and isinstance(error.more, messages.Refused):
        return messages.message(str(error), error.more.detail, error.more.suggestions), error.more.line
    if isinstance(error, NameError):
        return missing_name(error, detail, namespace), line
    if isinstance(error, ImportError):
        return missing_module(error, detail), line
    if isinstance(error, (SystemExit, KeyboardInterrupt)):
        return ended_itself(error, detail), line
    words = words_of(error) or type(error).__name__
    if isinstance(error, SyntaxError):  # of code that the code compiled
        words = f"SyntaxError: {words}"
    return messages.message(f"Code execution failed: {words}", detail, hints(error)), line
