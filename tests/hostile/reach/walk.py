"""A guest that walks over everything it can reach and names what it should not have. tests/hostile/reach_test.py runs it in cells; nobody imports it.

From its namespace, its modules and one object of every kind that it can make it follows attributes (those that objects list, and those of
their classes read as descriptors), items, iteration and calls without arguments, breadth first, and tells what it met by kind with the way there.
With the path /arguments it calls with arguments too, and less deep.
"""
import base64
import collections
import collections.abc
import dataclasses
import datetime
import enum
import fnmatch
import hashlib
import json
import math
import os.path
import pathlib
import re
import string
import time
import typing
import urllib.parse
import uuid

MOST_ITEMS = 400    # of one container or iterator
PLAIN = (str, bytes, int, float, complex, bool, type(None), type(...), type(NotImplemented), range, slice)
# Made anew at every look, and endless: x.__add__.__call__.__call__. Their owners are met elsewhere.
WRAPPERS = ("method-wrapper", "builtin_function_or_method", "method", "wrapper_descriptor", "method_descriptor",
            "getset_descriptor", "member_descriptor", "classmethod_descriptor")
WAYS_OF_WRAPPERS = ("__self__", "__func__", "__objclass__", "__wrapped__", "__module__", "__globals__", "__closure__", "__code__")
# Called without arguments these empty what the walk itself needs, or wait.
NOT_CALLED = ("__setattr__", "__delattr__", "setattr", "delattr", "__setitem__", "__delitem__", "update", "__ior__", "append", "extend", "add", "remove",
              "discard", "insert", "setdefault", "__iadd__", "__init__", "__setstate__", "clear", "pop", "popitem", "popleft", "sleep", "extract", "walk", "reach", "input", "exit", "quit", "_exit", "abort", "fork",
              "forkpty", "pause", "breakpoint", "help", "interrupt_main", "set_trace", "kill", "wait", "release", "_abc_registry_clear",
              "_clear_type_cache", "disable", "collect", "setsid", "sync", "vfork", "register_at_fork", "_abc_caches_clear", "stop_iteration",
              "shutdown", "freeze", "tzset", "repl", "interact", "main", "runctx", "test", "_shutdown", "_run_exitfuncs", "getpass", "license",
              "credits", "copyright", "dump_stats", "unfreeze", "purge")

BUILTINS = ("eval", "exec", "compile", "open", "__import__", "input", "breakpoint", "globals", "locals", "vars")
MODULES = ("os", "posix", "nt", "io", "_io", "sys", "_imp", "marshal", "importlib", "importlib.machinery", "_frozen_importlib",
           "_frozen_importlib_external", "zipimport", "_thread", "threading", "gc", "_socket", "socket", "select", "subprocess",
           "_posixsubprocess", "ctypes", "_ctypes", "inspect", "pickle", "_pickle", "signal", "_signal", "faulthandler", "codecs", "_codecs",
           "tokenize", "linecache", "ast", "dis", "builtins", "site", "_sitebuiltins", "runpy", "pkgutil", "shutil", "tempfile", "mmap", "fcntl")
HARMLESS = ("os.PathLike",)


def text_of(thing, name):
    try:
        found = getattr(thing, name)
    except BaseException:
        return ""
    return found if type(found) is str else ""


def kind_of(thing, own_import, own_module):
    """The kind of forbidden thing that it is, or an empty text."""
    sort = type(thing)
    name, home = text_of(thing, "__name__"), text_of(thing, "__module__")
    if sort.__name__ == "module" and sort.__module__ == "builtins":
        return "" if name == own_module else "module"
    if sort.__name__ in ("frame", "code"):
        return sort.__name__
    if sort.__name__ in ("ModuleSpec", "FileFinder", "SourceFileLoader", "ExtensionFileLoader", "SourcelessFileLoader", "BuiltinImporter"):
        return "importer"
    if sort.__name__ in ("TextIOWrapper", "FileIO", "BufferedReader", "BufferedWriter", "BufferedRandom", "DirEntry", "ScandirIterator", "_Environ"):
        return "file"
    if sort.__name__ == "builtin_function_or_method":
        if thing is own_import:
            return ""
        if name == "__import__" or (home == "builtins" and name in BUILTINS):
            return "builtin"
        return "function" if home in MODULES and home != "builtins" and name != "fspath" else ""
    if issubclass(sort, type):
        if name in ("BuiltinImporter", "FrozenImporter", "PathFinder", "FileFinder", "ModuleSpec"):
            return "importer"
        return "class" if home in MODULES and home != "builtins" and f"{home}.{name}" not in HARMLESS else ""
    if sort.__name__ == "function":
        return "function" if home in MODULES else ""
    if isinstance(thing, dict):
        if "eval" in thing and "open" in thing:
            return "builtins"
        if "posix" in thing and "builtins" in thing and type(thing["posix"]).__name__ == "module":
            return "sys.modules"
    return ""


class Colour(enum.Enum):
    RED = 1


class Flags(enum.IntFlag):
    A = 1


@dataclasses.dataclass(order=True)
class Record:
    name: str = "x"
    rows: list = dataclasses.field(default_factory=list)


class Named(typing.NamedTuple):
    left: int = 1


class Keys(typing.TypedDict):
    left: int


class Plain:
    """Someone's class."""
    __slots__ = ("slot", "__weakref__")

    def method(self):
        return self

    @property
    def part(self):
        return 1

    @classmethod
    def make(cls):
        return cls()

    @staticmethod
    def still():
        return 1


def generator():
    yield 1


async def coroutine():
    return 1


async def async_generator():
    yield 1


def failures():
    """Exceptions with their tracebacks, from here and from the middle of the library."""
    def read_nothing():
        return json.nothing

    def unknown_module():
        import subprocess
        return subprocess
    tries = (read_nothing, unknown_module, lambda: json.loads("{"), lambda: re.compile("("), lambda: pathlib.Path("/").iterdir(),
             lambda: pathlib.Path("a").relative_to("b"), lambda: datetime.datetime.strptime("x", "%Y"), lambda: "x".encode("nonsense"),
             lambda: Colour(7), lambda: collections.namedtuple("N", "1"), lambda: Named(1, 2, 3), lambda: math.sqrt(-1),
             lambda: uuid.UUID("x"), lambda: typing.Optional["("], lambda: string.Template("$").substitute(), lambda: base64.b64decode("a"),
             lambda: urllib.parse.urlsplit("http://[x"), lambda: object.nothing, lambda: unknown, lambda: next(iter(())))
    found = []
    for one in tries:
        try:
            found.append(one())
        except BaseException as error:
            found.append(error)
    return found


# What the second walk gives to whatever can be called: names of modules, functions, classes, and pairs that getters and makers take.
ARGUMENTS = ((), ("os",), ("sys",), ("typing",), (json.dumps,), (object,), (type,), (json,), ("eval", "sys"), (json.dumps, "__globals__"), (Plain(), "sys"),
             ("E", "typing", lambda name: True), (b"os",), (1,), ([], {}), ("%Y", "sys", {}))


def roots():
    """(way, thing)"""
    yield "__builtins__", __builtins__
    yield "object", object
    yield "type", type
    for module in (base64, collections, collections.abc, dataclasses, datetime, enum, fnmatch, hashlib, json, math, os, os.path, pathlib, re,
                   string, time, typing, urllib, urllib.parse, uuid):
        yield module.__name__, module
    pattern = re.compile("(?P<a>b)")
    awaited = coroutine()
    for thing in (Colour, Flags, Record, Named, Keys, Plain, Plain.part, generator, coroutine, async_generator, Colour.RED, Flags.A, Record(),
                  Named(), Plain(), Plain().method, Plain.make, generator(), awaited, awaited.__await__(), async_generator(), lambda: thing,
                  pattern, pattern.match("b"), pattern.scanner("b"), pattern.finditer("b"), pathlib.Path("/a/b"), pathlib.PurePosixPath("a"),
                  pathlib.PureWindowsPath("a"), pathlib.Path("/a/b").parents, json.JSONEncoder(), json.JSONDecoder(), datetime.datetime(2024, 1, 2),
                  datetime.timezone.utc, datetime.timedelta(1), time.gmtime(0), hashlib.sha256(), hashlib.blake2b(), uuid.uuid4(), string.Template("$a"),
                  collections.Counter("a"), collections.OrderedDict(a=1), collections.deque([1]), collections.defaultdict(list),
                  collections.ChainMap({}), collections.UserDict(), collections.UserList(), collections.UserString("a"), typing.Optional["Row"],
                  typing.Optional["Row"].__args__, typing.Dict[str, int], typing.TypeVar("T"), typing.NewType("N", int), typing.Callable[[int], str],
                  typing.Generic, typing.Protocol, list[int], int | str, memoryview(b"a"), bytearray(b"a"), iter([1]), map(str, [1]), zip([1]),
                  filter(None, [1]), enumerate([1]), reversed([1]), iter(int, 1), super(Plain, Plain()), property(len), classmethod(len),
                  staticmethod(len), {}.keys(), {}.items(), frozenset(), Plain().__reduce_ex__(2), Record().__reduce_ex__(4), Plain.__dict__,
                  urllib.parse.urlsplit("http://a/b"), object().__reduce_ex__(1), len.__reduce__(), [].append.__reduce__()):
        yield type(thing).__name__, thing
    for error in failures():
        yield type(error).__name__, error


def names_of(thing):
    found = set()
    for lister in (object.__dir__, type.__dir__):
        try:
            found.update(lister(thing))
        except BaseException:
            pass
    try:
        for sort in type(thing).__mro__:
            found.update(sort.__dict__)
    except BaseException:
        pass
    return [name for name in found if type(name) is str]


def neighbours(thing, calls):
    """(step, thing) for all that is one step away."""
    sort = type(thing)
    is_wrapper = sort.__name__ in WRAPPERS
    for name in WAYS_OF_WRAPPERS if is_wrapper else names_of(thing):
        for read in (getattr,) if not issubclass(sort, type) else (getattr, type.__getattribute__):
            try:
                yield "." + name, read(thing, name)
            except BaseException:
                pass
    if issubclass(sort, type):
        try:
            yield from ((f".__dict__[{name!r}]", one) for name, one in list(thing.__dict__.items()))
        except BaseException:
            pass
    if isinstance(thing, (dict, type(type.__dict__))):
        try:
            yield from ((f"[{key!r:.40}]", one) for key, one in list(thing.items())[:MOST_ITEMS])
            yield from ((".key", key) for key in list(thing)[:MOST_ITEMS])
        except BaseException:
            pass
    elif not is_wrapper:
        try:
            for count, one in enumerate(thing):
                if count >= MOST_ITEMS:
                    break
                yield f"[{count}]", one
        except BaseException:
            pass
    if callable(thing) and text_of(thing, "__name__") not in NOT_CALLED:
        for given in calls:
            try:
                yield f"(){given!r:.30}", thing(*given)
            except BaseException as error:
                yield "() raised", error


def reach(arguments, most, deep):
    """What was found, by kind: how often, and the first ways; and how much was seen."""
    own_import, own_module = __builtins__["__import__"] if isinstance(__builtins__, dict) else None, __name__
    seen, kept, found, calls, done = set(), [], {}, 0, 0
    waiting = collections.deque()

    def add(way, thing, called):
        sort = type(thing)
        if sort in PLAIN or len(kept) >= most:
            return
        key = object.__hash__(thing)
        if sort.__name__ in WRAPPERS:
            key = (sort.__name__, text_of(thing, "__name__"), object.__hash__(getattr(thing, "__self__", None)),
                   object.__hash__(getattr(thing, "__objclass__", None)))
        if key not in seen:
            seen.add(key)
            kept.append(thing)  # alive, so that no other has its address
            waiting.append((way, thing, called))

    for way, thing in roots():
        add(way, thing, 0)
    while waiting:
        way, thing, called = waiting.popleft()
        done += 1
        sort = type(thing)
        kind = kind_of(thing, own_import, own_module)
        if kind:
            ways = found.setdefault(kind, {"count": 0, "ways": []})
            ways["count"] += 1
            if len(ways["ways"]) < 12:
                ways["ways"].append(f"{way} is {text_of(thing, '__module__')} {text_of(thing, '__name__')} ({sort.__name__})")
            continue  # what lies behind it is forbidden too
        if thing is seen or thing is kept or thing is waiting or thing is found or len(way) > 300:
            continue
        for step, one in neighbours(thing, arguments):
            is_call = step.startswith("()")
            calls += is_call
            if called + is_call <= deep:
                add(way + step, one, called + is_call)
    return {"objects": done, "calls": calls, "found": found, "is_whole": len(kept) < most}


def extract(path: str) -> dict:
    found = reach(ARGUMENTS, 30000, 1) if path == "/arguments" else reach([()], 100000, 2)
    print(json.dumps(found))  # told even where a call into the system was denied meanwhile
    return {}
