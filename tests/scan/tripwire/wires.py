"""Runs in a cell of policy node, as an extractor whose paths are programs: `extract(path)` takes a program out of the path, executes it
as the extractor policy would, and tells which wires it tripped.

Where the extractor policy gives nothing there is a wire: a planted object that notes who touched it. A wire answers to the library,
whose code lies in the interpreter's own files, and trips for everybody else, by the innermost frame.
  call    what may not be called: refused builtins in the guest's and in the real builtins, os, sys, Path's file operations
  read    planted functions: a special attribute read from one, by whatever way; getattr and setattr with such a name
  audit   events of the interpreter: compile, exec, open, import, frames, code objects
  class   a class called Laundered…: only a call of a metaclass makes it
  text    the guest's answer holds what only a module, frame, namespace or code object prints
  state   a class or module of the library is not what it was
Facts of the policy stand in POLICY, which the test puts in front of this text."""
import _strptime
import abc
import base64
import builtins
import copy
import gc
import importlib
import os
import pathlib
import posix
import re
import sys
import types

# What the library imports in the middle of its work (src/model/lazy_part.cc): an extractor's cell has it before the guest comes.
for part in ("calendar", "heapq", "locale", *(f"encodings.{name}" for name in (
        "ascii", "base64_codec", "charmap", "cp1252", "hex_codec", "idna", "iso8859_1", "iso8859_15", "latin_1", "punycode", "quopri_codec",
        "raw_unicode_escape", "rot_13", "unicode_escape", "utf_16", "utf_16_be", "utf_16_le", "utf_32", "utf_7", "utf_8", "utf_8_sig"))):
    importlib.import_module(part)

real_frame, real_exec, real_compile, real_getattr, real_setattr = sys._getframe, exec, compile, getattr, setattr
LIBRARY = os.path.dirname(os.__file__) + "/"
OWN = real_frame().f_code.co_filename
TOKEN = "planted-" + "token"
tripped = []
armed = [False]
printed = []


def is_guest():
    """Whether the innermost frame that is not of this file is a guest's. Looking at frames is an event itself: the wires rest
    meanwhile."""
    was, armed[0] = armed[0], False
    frame = real_frame(1)
    while frame.f_code.co_filename == OWN and frame.f_back is not None:
        frame = frame.f_back
    file = frame.f_code.co_filename
    armed[0] = was
    return file != OWN and not file.startswith((LIBRARY, "<frozen "))


def trip(wire):
    if armed[0] and wire not in tripped:
        tripped.append(wire)


class Tripped(Exception):
    """What a guest sees of a wire."""


def wire_call(name, real=None):
    """A callable in the place of a forbidden one."""
    def call(*words, **named):
        if armed[0] and (real is None or is_guest()):
            trip("call:" + name)
            raise Tripped(name)
        return real(*words, **named)
    return call


def is_forbidden(name):
    if not isinstance(name, str):
        return False
    special = name.startswith("__") and name.endswith("__") and len(name) > 4
    return special and name not in POLICY["readable"] or name in POLICY["introspection"]


# What the library itself never reads from a function: a template that it was handed does.
NEVER_READ = ("__self__", "__globals__", "__code__", "__closure__")


class Planted:
    """In the place of a builtin function that is granted: it works, and trips when a special attribute is read from it."""

    def __init__(self, real, call):
        object.__setattr__(self, "real", real)
        object.__setattr__(self, "call", call)

    def __call__(self, *words, **named):
        return object.__getattribute__(self, "call")(*words, **named)

    def __getattribute__(self, name):
        if is_forbidden(name) and (name in NEVER_READ or is_guest()):
            trip("read:" + name)
            raise AttributeError(name)
        return real_getattr(object.__getattribute__(self, "real"), name)

    def __setattr__(self, name, value):
        raise AttributeError(name)

    def __hash__(self):
        return 1

    def __repr__(self):
        return "<built-in function>"

    def __deepcopy__(self, memo):
        return self


def checked_getattr(thing, name, *default):
    if is_forbidden(name) or isinstance(thing, pathlib.Path) and name in POLICY["file"]:
        trip(f"getattr:{name}")
    return real_getattr(thing, name, *default)


def checked_setattr(thing, name, value):
    if is_forbidden(name) and name not in POLICY["definable"]:
        trip(f"setattr:{name}")
    return real_setattr(thing, name, value)


def checked_print(*words, sep=" ", end="\n", file=None, flush=False):
    printed.append((" " if sep is None else sep).join(map(str, words)))
    if file is not None:
        file.write(printed[-1])


def guarded_import(name, scope=None, local=None, names=(), level=0):
    if name == "_strptime":  # time.strptime asks for it, through the builtins of whoever called
        return _strptime
    if name not in POLICY["modules"] and not (names and set(names) <= set(POLICY["packages"].get(name, ()))):
        trip("import:" + name)
        raise ImportError(name)
    return importlib.__import__(name, scope, local, names, level)


CHECKED = {"getattr": checked_getattr, "setattr": checked_setattr, "print": checked_print}


def guest_builtins():
    made = {"__import__": guarded_import, "__build_class__": builtins.__build_class__, "__name__": "builtins", "planted": TOKEN}
    for name in POLICY["builtins"]:
        real = real_getattr(builtins, name)
        made[name] = Planted(real, CHECKED.get(name, real)) if isinstance(real, types.BuiltinFunctionType) else real
    return made | {name: wire_call(name) for name in POLICY["refused"] if name not in made}


def plant():
    """Puts the wires into the modules themselves, for whoever gets there by another way."""
    for module in POLICY["modules"]:
        importlib.import_module(module)
    # What a first use of the library imports or fills.
    copy.deepcopy(pathlib.Path("a")), re.sub("a", "b", "a")
    for name in ("eval", "exec", "compile", "open", "input", "breakpoint", "__import__"):
        real_setattr(builtins, name, wire_call(name, real_getattr(builtins, name)))
    sys._getframe = wire_call("sys._getframe", sys._getframe)
    for name in POLICY["system"]:
        for module in (os, posix):
            if hasattr(module, name):
                real_setattr(module, name, wire_call("os." + name, real_getattr(module, name)))
    for name in POLICY["file"]:
        if hasattr(pathlib.Path, name):
            real_setattr(pathlib.Path, name, wire_call("Path." + name))
    for name in ("exists", "isfile", "isdir", "realpath", "abspath", "getsize", "expanduser"):
        real_setattr(os.path, name, wire_call("os.path." + name, real_getattr(os.path, name)))
    abc.ABCMeta.register = wire_call("register", abc.ABCMeta.register)


GUEST_EVENTS = ("compile", "exec", "object.__getattr__", "object.__setattr__", "object.__delattr__", "sys._getframe", "code.__new__", "function.__new__",
                "builtins.id", "builtins.input", "gc.", "marshal.", "cpython.", "sys.")
ALL_EVENTS = ("open", "os.", "import", "subprocess.", "socket.", "ctypes.", "shutil.", "pty.", "fcntl.", "signal.", "mmap.")


def listen(event, arguments):
    if armed[0] and (event.startswith(GUEST_EVENTS) and is_guest() or event.startswith(ALL_EVENTS)):
        trip("audit:" + event)



def library_places():
    """Every namespace of the library that a program could write to, as (name, object)."""
    places = []
    for name in POLICY["modules"]:
        module = sys.modules[name]
        places.append((name, module))
        for key, value in vars(module).items():
            if isinstance(value, type) and real_getattr(value, "__module__", "").partition(".")[0] not in ("builtins", "__main__"):
                places.append((f"{name}.{key}", value))
    return list({id(place): (name, place) for name, place in places}.values())


def snapshot(place):
    return {key: value for key, value in vars(place).items() if key not in ("_value2member_map_", "__abstractmethods__", "_abc_impl")}


def find_changes(before):
    """Names of what changed; and changes it back, so that one program costs only itself."""
    changes = []
    for name, place, kept, keys, identities in before:
        now = snapshot(place)
        if tuple(now) == keys and tuple(map(id, now.values())) == identities:
            continue
        for key in now.keys() - kept.keys():
            changes.append(f"{name}.{key}")
            type.__delattr__(place, key) if isinstance(place, type) else delattr(place, key)
        for key, value in kept.items():
            if now.get(key, changes) is not value:
                changes.append(f"{name}.{key}")
                type.__setattr__(place, key, value) if isinstance(place, type) else real_setattr(place, key, value)
    return changes


def record():
    rows = []
    for name, place in library_places():
        kept = snapshot(place)
        rows.append((name, place, kept, tuple(kept), tuple(map(id, kept.values()))))
    return rows


TELLING = re.compile(rf"{TOKEN}|<module '|<frame at |<frame object|<code object|__newobj__|'__import__'")


def laundered_classes():
    return [thing.__name__ for thing in gc.get_objects(0) if isinstance(thing, type) and thing.__name__.startswith("Laundered")]


plant()
BUILTINS = guest_builtins()
STATE = record()
sys.addaudithook(listen)
gc.disable()
gc.collect()
gc.freeze()


def run(text):
    """How the program ended, in a word. Wires are armed while it is loaded and while it is called."""
    scope = {"__builtins__": dict(BUILTINS), "__name__": "extractor", "__doc__": None, "planted": TOKEN}
    code = real_compile(text, "<program>", "exec", dont_inherit=True)
    answer = None
    armed[0] = True
    try:
        real_exec_loaded(code, scope)
        answer = scope["extract"]("/data/CLIENT/2024/report.csv")
        ended = "returned"
    except BaseException as error:  # noqa: BLE001
        ended = f"{type(error).__name__}: {str(error)[:80]}"
    finally:
        armed[0] = False
    if TELLING.search(str(answer) + "".join(printed)):
        tripped.append("text")
    return ended


def real_exec_loaded(code, scope):
    types.FunctionType(code, scope)()


def extract(path: str) -> dict:
    del tripped[:], printed[:]
    ended = run(base64.b64decode(path).decode())
    tripped.extend("state:" + change for change in find_changes(STATE))
    if laundered_classes():
        tripped.append("class")
    gc.collect()
    return {"tripped": list(tripped), "ended": ended}
