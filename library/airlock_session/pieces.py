"""Runs one piece after the other among the same names, and says how each ended."""
import inspect
import json
import linecache
import re
import signal
import sys
import traceback
import types

from airlock_session import functions, loop

VALUE = "__airlock_value__"  # where a piece leaves the value of its last expression
MOST_TRACEBACK = 16 * 1024   # characters
MOST_TEXT = 4 * 1024
PLACE = re.compile(r'File "<piece (\d+)>", line')
OURS = ("<airlock_session",)

module = None
runner = loop.Runner()


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
    signal.signal(signal.SIGINT, signal.default_int_handler)  # how a piece is cancelled


def remember(number, source):
    """For tracebacks, the guest's own too."""
    name = f"<piece {number}>"
    linecache.cache[name] = (len(source), None, [line + "\n" for line in source.split("\n")], name)


def run(code, number, source, inputs):
    """The value of the last expression, None without one; raises what the piece raises."""
    functions.unclaimed.clear()  # of calls that nobody waits for any more
    remember(number, source)
    names = module.__dict__
    names.update(json.loads(inputs))
    names.pop(VALUE, None)
    done = eval(code, names)
    if code.co_flags & inspect.CO_COROUTINE:
        runner.run(done)
    return names.pop(VALUE, None)


def of_piece(name):
    return name.startswith("<piece ")


def without_ours(frame):
    """The frames from the first of the guest's on."""
    while frame is not None and frame.tb_frame.f_code.co_filename.startswith(OURS):
        frame = frame.tb_next
    return frame


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
    trace = without_ours(error.__traceback__)
    try:
        shown = "".join(traceback.TracebackException(type(error), error, trace, compact=True).format())
        shown = PLACE.sub(r"piece \1, line", shown)
    except Exception:
        shown = ""
    if isinstance(error, SyntaxError) and of_piece(error.filename or ""):
        return type(error).__name__, text_of(error), error.lineno or 0, shortened(shown, MOST_TRACEBACK)
    return type(error).__name__, text_of(error), line_in(trace, number), shortened(shown, MOST_TRACEBACK)
