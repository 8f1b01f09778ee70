"""Runs one piece after the other among the same names, and says how each ended."""
import inspect
import linecache
import os
import re
import signal
import sys
import traceback
import types
from json import loads  # the guest may put another one into its module

from airlock_session import functions, loop

VALUE = "__airlock_value__"  # where a piece leaves the value of its last expression
MOST_TRACEBACK = 16 * 1024   # characters
MOST_TEXT = 4 * 1024
PLACE = re.compile(r'File "<piece (\d+)>", line')
OURS = ("<airlock_session",)
module = None
runner = loop.Runner()


class Places:
    """Tells a library, when it is first imported, where it finds what it needs and where it may keep things: until then the environment is
    empty. What lies in /out/.cache is no artifact."""

    VARIABLES = {"matplotlib": {"MPLCONFIGDIR": "/out/.cache/matplotlib", "MATPLOTLIBRC": "/usr/share/matplotlib/mpl-data"}}

    def __init__(self):
        for name in self.VARIABLES.keys() & sys.modules.keys():  # of packages that were imported before
            self.find_spec(name)

    def find_spec(self, name, path=None, target=None):
        os.environ.update(self.VARIABLES.get(name, {}))


def reseed():
    """A package that was loaded before all cells has drawn its chance there: each session gets its own, when its cell is made."""
    random = sys.modules.get("numpy.random")
    if random is not None:
        random.seed()


os.register_at_fork(after_in_child=reseed)  # as the module random does for itself


def open_session(named):
    """`named`: (name, doc, signature, is asynchronous) of each host function."""
    global module
    module = types.ModuleType("__main__")
    for name in ("__spec__", "__loader__", "__package__"):
        module.__dict__.pop(name, None)
    module.__dict__["__builtins__"] = sys.modules["builtins"]
    sys.modules["__main__"] = module
    for one in named:
        module.__dict__[one[0]] = functions.make(*one)
    loop.install()
    sys.meta_path.insert(0, Places())
    signal.signal(signal.SIGINT, signal.default_int_handler)  # how a piece is cancelled


def remember(number, source):
    """For tracebacks, the guest's own too."""
    name = f"<piece {number}>"
    try:
        linecache.cache[name] = (len(source), None, [line + "\n" for line in source.split("\n")], name)
    except Exception:  # of a guest that has put something else there: its tracebacks have no source
        pass


def run(code, number, source, inputs):
    """The value of the last expression, None without one; raises what the piece raises."""
    remember(number, source)
    names = module.__dict__
    names.update(loads(inputs))
    names.pop(VALUE, None)
    try:
        done = eval(code, names)
        if code.co_flags & inspect.CO_COROUTINE:
            runner.run(done)
    finally:
        functions.end_piece()
    value = names.pop(VALUE, None)
    if value is not None:
        sys.modules["builtins"]._ = value  # as at Python's own prompt
    return value


def of_piece(name):
    return name.startswith("<piece ")


def of_ours(name):
    return name.startswith(OURS)


def guests_own(stack):
    """Of the frames of a traceback those that are the guest's business: from its first one on, without ours and what ours have called."""
    first = next((i for i, frame in enumerate(stack) if of_piece(frame.filename)), None)
    if first is None:  # it was caught before it came to the guest: where it came from is all there is to say
        return [frame for frame in stack if not of_ours(frame.filename)]
    shown, is_hidden = [], False
    for frame in stack[first:]:
        if of_ours(frame.filename):
            is_hidden = True
        elif of_piece(frame.filename):
            is_hidden = False
        if not is_hidden:
            shown.append(frame)
    return shown


def hide_ours(told):
    """In this exception, and in those that it came of."""
    waiting, seen = [told], set()
    while waiting:
        one = waiting.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        one.stack[:] = guests_own(one.stack)
        waiting += [one.__cause__, one.__context__, *(one.exceptions or ())]


def shortened(text, most):
    if len(text) <= most:
        return text
    return text[:most // 2] + "\n  […]\n" + text[-most // 2:]


def line_in(trace, number):
    """The innermost line of this piece; 0 when none of it was at work."""
    line, name = 0, f"<piece {number}>"
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == name:
            line = trace.tb_lineno or 0
        trace = trace.tb_next
    return line


def text_of(error):
    try:
        return shortened(str(error), MOST_TEXT)
    except Exception as second:
        return f"(its text could not be had: {type(second).__name__})"


def describe(error, number):
    """(type, text, line in the piece, traceback) of what a piece raised."""
    trace = error.__traceback__
    try:
        told = traceback.TracebackException(type(error), error, trace, compact=True)
        hide_ours(told)
        shown = "".join(told.format())
        shown = PLACE.sub(r"piece \1, line", shown)
    except Exception:
        shown = ""
    if isinstance(error, SyntaxError) and of_piece(error.filename or ""):
        return type(error).__name__, text_of(error), error.lineno or 0, shortened(shown, MOST_TRACEBACK)
    return type(error).__name__, text_of(error), line_in(trace, number), shortened(shown, MOST_TRACEBACK)
