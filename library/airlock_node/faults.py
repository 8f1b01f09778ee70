"""What went wrong while the code ran, in words that a person or a model can act on."""
import errno
import sys

from airlock_node import messages, packages, trace
from airlock_node.messages import is_a, kind

MOST_TEXT = 4000  # characters of an exception's own text


class NodeTimeout(BaseException):
    """Raised in the code when its time is up. No Exception: `except Exception` does not stop it."""


def timed_out(timeout):
    return messages.message(f"Python code execution timed out after {timeout} seconds",
                            "The code was stopped. What it printed until then is kept.",
                            ("Raise the node's limit: \"timeout\": <seconds>",
                             "Look for a loop that never ends, or a call that waits for something that does not come"))


def quoted_in(words):
    """`x` of "name 'x' is not defined"."""
    return words.partition("'")[2].partition("'")[0]


def did_you_mean(name, *groups):
    """The nearest of the first group of names that has one near."""
    from airlock_node.templates import near
    for names in groups:
        close = near(name, names)
        if close:
            return [f"Did you mean '{close}'?"]
    return []


def locals_of(error):
    """The variables of the function in which it was raised."""
    last = None
    for last in trace.frames(error.__traceback__):
        pass
    return list(last.tb_frame.f_locals) if last else []


def missing_name(error, words, detail, namespace):
    name = str(error.name or quoted_in(words) or "?")
    if is_a(error, UnboundLocalError):
        return messages.message(f"Undefined variable '{name}'. Ensure all variables are defined in code or provided as inputs", detail,
                                [f"The function sets '{name}' itself, and reads it before: give it a value first",
                                 f"Or write 'global {name}' in the function, where the one outside is meant"])
    import builtins
    fixes = did_you_mean(name, [one for one in (*locals_of(error), *namespace) if not one.startswith("__")], dir(builtins))
    return messages.message(f"Undefined variable '{name}'. Ensure all variables are defined in code or provided as inputs", detail,
                            [*fixes, f"Define it in the code: {name} = ...",
                             f"Or pass it in: \"inputs\": {{\"{name}\": ...}} and declare {name}: <type>"])


def missing_module(error, words, detail):
    name = str(error.name or quoted_in(words) or words)
    if not is_a(error, ModuleNotFoundError):
        there = dir(sys.modules[name]) if name in sys.modules else []
        return messages.message(f"Code execution failed: {words or 'ImportError'}", detail,
                                [*did_you_mean(quoted_in(words), there),
                                 f"'{name}' is installed but does not have what is imported: look at its version"])
    package = packages.package_of(name, detail)
    fixes = did_you_mean(name, sys.stdlib_module_names) if package == name else []
    fixes += [f"pip install {package}"] + ([f"The module '{name}' is part of the package {package}"] if package != name else [])
    top = name.partition(".")[0]
    brief = f"Module '{name}' not found. Install with: pip install {package}"
    if package != top:
        brief += f" (the package of '{top}')"
    return messages.message(brief, detail, [*fixes, "Or use a module of the standard library"])


def ended_itself(error, detail):
    if is_a(error, KeyboardInterrupt):
        return messages.message("Code execution failed: KeyboardInterrupt was raised in the code", detail)
    return messages.message(f"Code execution failed: the code ended itself with SystemExit({cut(repr(error.code))})", detail,
                            ("A node ends when its code does: leave out sys.exit() and exit()",
                             "To fail on purpose, raise an exception: raise ValueError(\"why\")"))


def hints(error, words):
    """What usually helps."""
    if is_a(error, KeyError):
        return (f"The key {words} is not there: use .get({words}, default), or print the keys that are",)
    if is_a(error, IndexError):
        return ("Check the length first, or use a slice: x[:1] of an empty list is an empty list",)
    if is_a(error, ZeroDivisionError):
        return ("Check for zero before dividing",)
    if is_a(error, AttributeError):
        there = [one for one in dir(error.obj) if not one.startswith("_")] if error.obj is not None else []
        return (*did_you_mean(str(error.name), there), "print(type(x)) shows what the object is; dir(x) what it has",)
    if is_a(error, RecursionError):
        return ("A function calls itself without end: look for the case in which it should stop",)
    if is_a(error, MemoryError):
        return ("Work on the data in parts, or drop what is not needed any more: del x",)
    if is_a(error, EOFError):
        return ("Standard input is empty in a node: pass values in with \"inputs\"",)
    if is_a(error, FileNotFoundError):
        return ("Relative paths start at the folder in which airlock was started",)
    if is_a(error, OSError) and error.errno == errno.EFBIG:
        return ("The limit on the size of a file is low here (ulimit -f); what a node prints is in a file, too",)
    return ("The traceback shows the line; what was printed before it is in stdout",)


def words_of(error):
    """What an exception says of itself; that may be code of the node."""
    try:
        return cut(str(error))
    except NodeTimeout:
        raise
    except BaseException:
        return "(its text could not be had)"


def cut(text):
    text = str.__str__(text)  # of a subclass, too
    return text if len(text) <= MOST_TEXT else text[:MOST_TEXT] + f"… ({len(text)} characters)"


def plain(error, timeout):
    """(message, line) of an exception that lets nobody look at it."""
    if is_a(error, NodeTimeout):
        return timed_out(timeout), 0
    return messages.message(f"Code execution failed: {kind(error)}",
                            "The exception itself raised another one, or took too long, when it was asked for its text.",
                            (f"Look at __str__ and __repr__ of {kind(error)}",)), 0


def describe(error, filename, source, namespace, timeout):
    """(message, line) of what exec raised. This is all that exec_fallback does."""
    words = "" if is_a(error, NodeTimeout) else words_of(error)
    line, detail = trace.of(error, words, filename, source)
    if is_a(error, NodeTimeout):
        return timed_out(timeout), line
    more = error.__dict__.get("more") if type(error) is ValueError else None
    if is_a(more, messages.Refused):
        return messages.message(words, more.detail, more.suggestions), more.line
    if is_a(error, NameError):
        return missing_name(error, words, detail, namespace), line
    if is_a(error, ImportError):
        return missing_module(error, words, detail), line
    if is_a(error, SystemExit, KeyboardInterrupt):
        return ended_itself(error, detail), line
    brief = words or type(error).__name__
    if is_a(error, SyntaxError):  # of code that the code compiled
        brief = f"SyntaxError: {brief}"
    return messages.message(f"Code execution failed: {brief}", detail, hints(error, words)), line
