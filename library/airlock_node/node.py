"""One code node in its four steps: prep (everything that can be said before), exec (the code, nothing caught), exec_fallback (what
was raised, in words), post (the result judged). run() is their order, with retries around exec."""
import builtins
import keyword
import linecache
import sys
import time
import types

from airlock_node import faults, messages, outer_types, reading, templates, trace
from airlock_node.messages import is_a, kind, refuse

# For "there is none" where None is a value.
MISSING = object()
MOST_SECONDS = 10 * 365 * 86400


class Prepared:
    """What prep found, for the other steps."""
    __slots__ = ("code", "source", "filename", "annotations", "inputs", "module", "timeout", "strict")


class Outcome:
    """What became of a node: `entry` is its place in the store."""
    __slots__ = ("action", "entry", "phase", "error_type", "line")

    def __init__(self, action, entry, phase="", error_type="", line=0):
        self.action, self.entry, self.phase, self.error_type, self.line = action, entry, phase, error_type, line


def check_code(code):
    if not isinstance(code, str) or not code.strip():
        raise refuse(ValueError, "Code parameter cannot be empty",
                     "" if isinstance(code, str) else f"\"code\" is {kind(code)}, expected text",
                     ("Give Python with a typed result: result: int = 1",))
    if len(code) > reading.MOST_BYTES:
        raise refuse(ValueError, f"Code is {len(code)} characters long; the limit is {reading.MOST_BYTES}", "",
                     ("Pass data in with \"inputs\"; code is for what is done with it",))


def check_timeout(timeout):
    is_number = isinstance(timeout, (int, float)) and not isinstance(timeout, bool)
    if not is_number or not 0 < timeout < float("inf"):
        raise refuse(ValueError, f"Timeout must be positive number, got {timeout}", "", ("Give seconds: \"timeout\": 30",))


def check_names(inputs):
    if not isinstance(inputs, dict):
        raise refuse(ValueError, f"Inputs must be an object of names and values, got {kind(inputs)}", "",
                     ("\"inputs\": {\"data\": [1, 2, 3]}",))
    for name in inputs:
        if not name.isidentifier() or keyword.iskeyword(name):
            raise refuse(ValueError, f"Input '{name}' cannot be a variable: it is not a Python name", "",
                         ("Use letters, digits and _: data_1",))


def syntax_problem(error, source):
    line = error.lineno or 1
    column = max((error.offset or 1) - 1, 0)
    shown = trace.marked(trace.line_of(source, line), column, column + 1, keep_indent=True)
    problem = SyntaxError(f"Syntax error at line {line}: {error.msg}")
    problem.more = messages.Refused(f"  line {line}, column {column + 1}\n{shown}",
                                    (f"Mend line {line}, or the line before it",
                                     "A bracket or quote that is never closed is reported where it opens"),
                                    line)
    return problem


def read_code(source, filename):
    try:
        return reading.read(source, filename)
    except SyntaxError as error:
        raise syntax_problem(error, source) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise refuse(SyntaxError, f"Syntax error: the code cannot be read: {error}" if str(error) else
                     "Syntax error: the code cannot be read: it is nested too deeply") from None


def check_declared(names, annotations):
    missing = [name for name in names if name not in annotations]
    for name in missing[:1]:
        others = "".join(f"\n  {one}: <type>" for one in missing[1:])
        raise refuse(ValueError, f"Input '{name}' missing type annotation in code. Add: {name}: <type>",
                     f"These are missing too:{others}" if others else "", (f"Add a line at the top of the code: {name}: list",))
    if "result" not in annotations:
        raise refuse(ValueError, "Code must declare result type annotation: result: <type> = ...", "",
                     ("Where the result is set, say what it is: result: list = ...", "Or declare it at the top: result: list"))


# Types for which a call of their own name converts a value: what a message can suggest.
CONVERSIONS = {name: name + "({0})" for name in ("int", "float", "str", "list", "tuple", "set")}


def wrong_input(name, value, declared, given):
    actual = kind(value)
    template = f"Template: {given}\n" if isinstance(given, str) and "${" in given else ""
    fixes = [f"Declare what comes: {name}: {actual}"]
    if template:
        has = f"; this dict has: {templates.quoted_names(value)}" if isinstance(value, dict) else ""
        fixes.append(f"Or point the template at a {declared}{has}")
    if isinstance(value, str) and outer_types.outer_name(declared) in ("list", "dict"):
        fixes.append(f"The text is not JSON for a {outer_types.outer_name(declared)}: parse it in the node that makes it")
    how = f": {CONVERSIONS[declared].format('...')}" if declared in CONVERSIONS else ""
    fixes.append(f"Or convert it in the node that makes it{how}")
    outer = outer_types.outer_name(declared)
    checked = f"\nChecked is the outer type: Input '{name}' expects {outer} but received {actual}" if outer != declared else ""
    return refuse(TypeError, f"Input '{name}' expects {declared} but received {actual}",
                  f"{template}Expected: {declared}\nReceived: {actual}{checked}", fixes)


def from_json(value, declared):
    """A text that is JSON becomes what it says, where a list or a dict is declared."""
    wanted = outer_types.outer_name(declared)
    if not isinstance(value, str) or wanted not in ("list", "dict"):
        return value
    import json
    try:
        read = json.loads(value)
    except (ValueError, RecursionError):
        return value
    return read if outer_types.fits(read, wanted) else value


def check_input(name, value, declared, given, strict):
    if not outer_types.fits(value, declared):
        raise wrong_input(name, value, declared, given)
    if strict:
        from airlock_node import deep_types
        wrong = deep_types.first_mismatch(value, declared, name, {})
        if wrong:
            where, expected, actual = wrong
            raise refuse(TypeError, f"Input '{name}' does not match {declared}: {where}: expected {expected}, got {actual}", "",
                         (f"Mend what makes {where}", f"Or declare what comes: {name}: <type>", "Or leave out \"strict_types\""))


def prep(shared, params, name=""):
    """Raises ValueError, SyntaxError or TypeError: nothing has been run then. Without a store (None) inputs hold no templates."""
    ready = Prepared()
    source = params.get("code", "")
    check_code(source)
    source = source.removeprefix("\ufeff")
    ready.timeout = params.get("timeout", 30)
    check_timeout(ready.timeout)
    inputs = params.get("inputs")
    inputs = {} if inputs is None else inputs
    check_names(inputs)
    ready.source, ready.strict = source, params.get("strict_types") is True
    ready.filename = f"<node {name}>" if name else "<code>"
    ready.code, ready.annotations = read_code(source, ready.filename)
    check_declared(inputs, ready.annotations)
    ready.inputs = {}
    for one, given in inputs.items():
        declared = ready.annotations[one]
        value = given if shared is None else templates.resolve(given, shared)
        value = from_json(value, declared)
        check_input(one, value, declared, given, ready.strict)
        ready.inputs[one] = value
    ready.module = make_module(ready.inputs)
    # For tracebacks that the code prints itself, warnings, inspect: there is no file to read the lines from.
    linecache.cache[ready.filename] = len(source), None, source.splitlines(True), ready.filename
    return ready


def make_module(inputs):
    """A namespace with all builtins and the inputs, and nothing that other code has set: an attempt does not see the one before."""
    module = types.ModuleType("__main__")
    module.__dict__["__builtins__"] = builtins
    # The interpreter makes it where it finds a declaration, and does not look for them in the cases of a `match`.
    module.__dict__["__annotations__"] = {}
    module.__dict__.update(inputs)
    return module


def missing_result():
    return refuse(ValueError, "Code must set 'result' variable. Add: result = <your_value>",
                  "The code ran to its end, and 'result' is not there.",
                  ("Set it on every way through the code", "A declaration alone sets nothing: result: int = 0"))


def doubled_keys(keys):
    """`keys`: `1 and "1"`, two keys of one dict in the result."""
    return refuse(TypeError, f"Result has the keys {keys} in one dict, which are one key in JSON",
                  "The report of a node is JSON, and there keys are text.",
                  ("Make texts of the keys, and see which of the two is meant: {str(key): value for key, value in d.items()}",))


def execute(ready, host):
    """The code. Nothing is caught here: what it raises is for the retries, and then for exec_fallback."""
    sys.modules["__main__"] = ready.module
    host.began(ready.timeout)
    host.armed = True
    try:
        exec(ready.code, ready.module.__dict__)
    finally:
        host.armed = False
        is_too_late = host.ended()
    if is_too_late:  # the code has swallowed it
        raise faults.NodeTimeout
    result = ready.module.__dict__.get("result", MISSING)
    if result is MISSING:
        raise missing_result()
    return result


def exec_fallback(ready, error):
    """(message, line)"""
    return faults.describe(error, ready.filename, ready.source, ready.module.__dict__, ready.timeout)


def post(ready, result):
    """Raises TypeError when the result is not what the code declares."""
    declared = ready.annotations["result"]
    if not outer_types.fits(result, declared):
        actual = kind(result)
        fix, outer = CONVERSIONS.get(declared), outer_types.outer_name(declared)
        checked = f"Checked is the outer type: Result declared as {outer} but code returned {actual}" if outer != declared else ""
        raise refuse(TypeError, f"Result declared as {declared} but code returned {actual}", checked,
                     (f"Change the annotation: result: {actual}",
                      f"Or convert the value: result: {declared} = " + (fix.format("value") if fix else "...")))
    if ready.strict:
        from airlock_node import deep_types
        wrong = deep_types.first_mismatch(result, declared, "result", ready.module.__dict__)
        if wrong:
            where, expected, actual = wrong
            raise refuse(TypeError, f"Result declared as {declared} but code returned something else: {where}: expected {expected}, "
                         f"got {actual}", "",
                         (f"Mend what makes {where}", "Or declare what it is: result: <type>", "Or leave out \"strict_types\""))


def chosen_action(ready, actions):
    """`action: str` in the code chooses the edge, where the flow has edges for more than default and error."""
    if not actions or "action" not in ready.annotations:
        return "default"
    action = ready.module.__dict__.get("action", "default")
    if not isinstance(action, str) or not action or not action.isprintable():
        raise refuse(TypeError, f"Action must be text, got {ascii(action) if isinstance(action, str) else kind(action)}",
                     f"The flow has edges for: {', '.join(actions)}", ("action: str = \"default\"",))
    return action


def type_name(error):
    if is_a(error, faults.NodeTimeout):
        return "TimeoutError"
    return "ValueError" if is_a(error, templates.Unresolved) else kind(error)


def failure(phase, error, described=None):
    if described is None:
        more = (error.__dict__.get("more") if type(error) in (ValueError, SyntaxError, TypeError) else None) or messages.Refused()
        described = messages.message(faults.words_of(error), more.detail, more.suggestions), more.line
    return Outcome("error", {"error": described[0]}, phase, type_name(error), described[1])


def try_to_run(ready, host, attempts, wait):
    """(result, None) or (None, what the last attempt raised)."""
    # Code that ends itself on purpose (SystemExit) is not tried again.
    for left in range(attempts - 1, -1, -1):
        try:
            return execute(ready, host), None
        except BaseException as error:
            if left == 0 or is_a(error, SystemExit, KeyboardInterrupt):
                return None, error
            host.failed(error)
        time.sleep(wait)
        ready.module = make_module(ready.inputs)
    return None, None


def run(shared, params, host, name="", actions=(), attempts=1, wait=0):
    """The four steps. Never raises what the node did."""
    try:
        ready = prep(shared, params, name)
    except (ValueError, SyntaxError, TypeError) as error:
        return failure("prep", error)
    except BaseException as error:  # a hook or an object of an earlier node
        return failure("prep", refuse(ValueError, f"Code could not be prepared: {kind(error)}: {faults.words_of(error)}"))
    result, error = try_to_run(ready, host, attempts, wait)
    if error is not None:
        return failure("exec", error, host.watched(exec_fallback, ready, error) or faults.plain(error, ready.timeout))
    watched = unwatched if ready.strict else host.watched  # to go through a large result takes its time
    return watched(judged, ready, result, actions) or failure("post", refuse(
        TypeError, f"Result declared as {ready.annotations['result']} cannot be judged",
        f"The {kind(result)} that the code returned raises an exception, or takes too long, when it is asked for its type.",
        ("Look at __class__ and __instancecheck__ of its class",)))


def unwatched(what, *arguments):
    """The same as Host.watched() without a clock: None whatever it raises."""
    try:
        return what(*arguments)
    except BaseException:
        return None


def judged(ready, result, actions):
    """The last step: the result's type, then the edge that the code chose."""
    try:
        post(ready, result)
        return Outcome(chosen_action(ready, actions), {"result": result})
    except TypeError as problem:
        return failure("post", problem)
