"""Known ways out of Python sandboxes, each a function that returns what it got hold of. tests/hostile/reach_test.py appends this to reach/walk.py and
runs it in cells, a cell for all: the path names the function. In a cell none of them holds what kind_of() knows; in one of the policy `node`
most of them do, which shows that they are what they seem.
"""


def at(thing, *names):
    for name in names:
        thing = getattr(thing, name)
    return thing


class Bound:
    def method(self):
        return self


Method = type(Bound().method)
Function = type(at)


def attack_builtin_self_eval():
    return print.__self__.eval


def attack_builtin_self_import():
    return print.__self__.__import__("os")


def attack_builtin_self_dict():
    return len.__self__.__dict__["open"]


def attack_builtin_self_by_format():
    return "{0.__self__}".format(print), abs.__self__


def attack_builtin_self_by_descriptor():
    return type(print).__dict__["__self__"].__get__(print)


def attack_builtin_self_in_wide_letters():
    return print.__ｓｅｌｆ__


def attack_native_module_loader():
    return math.sin.__self__.__loader__.load_module("posix")


def attack_native_module_spec():
    return time.time.__self__.__spec__.loader


def attack_face_spec():
    return json.__spec__.loader.load_module("os")


def attack_face_loader():
    return re.__loader__


def attack_own_loader():
    return __loader__.load_module("posix")


def attack_subclasses():
    return [one for one in ().__class__.__base__.__subclasses__()
            if one.__name__ in ("_wrap_close", "BuiltinImporter", "FrozenImporter", "FileFinder", "ModuleSpec", "Quitter", "catch_warnings")]


def attack_subclasses_of_type():
    return [one for one in type.__subclasses__(type) + type(type).__subclasses__(object) if one.__module__ in MODULES[:-1] and one.__module__ != "builtins"]


def attack_subclasses_from_an_abstract_class():
    found = []

    class Meta(type(collections.abc.Mapping)):
        __iter__ = map(type.__subclasses__, [object]).__iter__

    class Led(collections.abc.Mapping, metaclass=Meta):
        __subclasshook__ = Method(list.extend, found)
    try:
        issubclass(Led, Led)
    except Exception:
        del Led.__subclasshook__  # the next ones ask Mapping too
    return [one for some in found for one in some if one.__module__ in MODULES and one.__module__ != "builtins"]


def attack_init_globals():
    return collections.UserDict.__init__.__globals__["_sys"]


def attack_function_globals():
    return json.dumps.__globals__["codecs"]


def attack_function_builtins():
    return json.dumps.__builtins__["eval"]


def attack_method_globals():
    return string.Template("").substitute.__func__.__globals__["_re"]


def attack_property_globals():
    return pathlib.PurePath.name.fget.__globals__["os"]


def attack_classmethod_globals():
    return string.Template.__init_subclass__.__func__.__globals__


def attack_copyreg_globals():
    return Bound().__reduce_ex__(2)[0].__globals__["__builtins__"]


def attack_closure():
    return [cell.cell_contents for cell in typing.Optional._getitem.__closure__ or ()] + [typing.List.__getitem__.__closure__[0].cell_contents]


def attack_globals_by_lazy_map():
    return collections.UserList(map(getattr, [json.dumps], ["__globals__"])).data[0]["codecs"]


def attack_code_by_lazy_map():
    return collections.UserList(map(getattr, [at], ["__code__"])).data


def attack_code():
    return (lambda: 0).__code__


def attack_code_of_generator():
    return (x for x in ()).gi_code


def attack_code_of_annotation():
    return typing.Optional["1 + 1"].__args__[0].__forward_code__


def attack_function_from_code():
    code = typing.Optional["().__class__"].__args__[0].__forward_code__
    return Function(code, {}).__globals__["__builtins__"]


def attack_function_from_code_in_a_library_frame():
    code = typing.Optional["__import__('os')"].__args__[0].__forward_code__

    class Led(collections.UserDict, dict):
        __missing__ = Method(Function, code)
    return Led()["name"]()


def attack_code_put_in_place():
    def led():
        return 1
    led.__code__ = (lambda: 2).__code__
    return led.__code__


def attack_annotation_evaluated():
    return typing.Optional["__import__('os')"].__args__[0]._evaluate({}, {}, frozenset())


def attack_annotation_evaluated_in_a_module():
    reference = typing.Optional["sys"].__args__[0]
    reference.__forward_module__ = "typing"
    return reference._evaluate({}, {}, frozenset())


def attack_alias_by_name():
    alias = typing.List[int]
    alias._name = "sys"
    return alias.__reduce__()[1][0]


class Thief:
    """Keeps what it is compared with."""

    def __bool__(self):
        return True

    def __eq__(self, other):
        FOUND.append(other)
        return True


FOUND = []


def compared(record):
    """What stands in the text of __eq__ beside the field, when the field itself is nothing."""
    one, other = record(), record()
    one.x, other.x = 0, Thief()
    one == other
    return FOUND[-1]


def attack_dataclass_injection():
    class Led:
        pass
    Led.__annotations__ = {"x or __import__('os')": int}
    return compared(dataclasses.dataclass(init=False)(Led))


def attack_dataclass_of_another_module():
    class Led:
        __module__ = "typing"
    Led.__annotations__ = {"x or sys": int}
    return compared(dataclasses.dataclass(init=False)(Led))


def attack_dataclass_fields_that_lie():
    @dataclasses.dataclass(init=False)
    class Base:
        x: int = 0
    Base.__dataclass_fields__["x"].name = "x or [c for c in ().__class__.__base__.__subclasses__() if c.__name__ == 'BuiltinImporter'][0]"

    @dataclasses.dataclass(init=False)
    class Led(Base):
        pass
    return compared(Led)


def attack_named_tuple_injection():
    return collections.namedtuple("N", ["a=__import__('os')"])


def attack_named_tuple_text_that_lies():
    class Text(str):
        def isidentifier(self):
            return True

        def __str__(self):
            return self
    return collections.namedtuple("N", [Text("a=().__class__")]).__new__.__defaults__


def attack_enum_convert():
    return list(enum.Enum._convert_("E", "typing", lambda name: name in ("sys", "types")))[0].value


def attack_enum_convert_of_os():
    return [one.value for one in enum.Enum._convert_("E", "os", lambda name: name in ("sys", "system"))]


def attack_enum_global():
    return type(enum.Enum)._simple_enum


def attack_module_attributes():
    found = []
    for module, name in ((enum, "sys"), (enum, "bltns"), (re, "enum"), (re, "_compiler"), (re, "copyreg"), (json, "codecs"), (json, "decoder"),
                         (pathlib, "os"), (pathlib, "io"), (typing, "sys"), (typing, "types"), (collections, "_sys"), (dataclasses, "builtins"),
                         (dataclasses, "inspect"), (uuid, "os"), (base64, "binascii"), (string, "_re"), (fnmatch, "posixpath"), (os, "sys"),
                         (os, "system"), (os.path, "os"), (urllib, "request"), (urllib.parse, "sys"), (hashlib, "_hashlib"), (datetime, "sys")):
        try:
            found.append(getattr(module, name))
        except AttributeError:
            pass
    return found


def attack_face_dict():
    return [one for one in object.__getattribute__(json, "__dict__").values() if type(one).__name__ == "module"] + [json.__dict__["codecs"]]


def attack_face_by_match():
    match re:
        case object(copyreg=found):
            return found
    return re.functools


def attack_import_statement():
    import subprocess as found
    return found


def attack_import_by_name():
    return __import__("posix")


def attack_import_inner():
    from importlib import import_module as found
    return found


def attack_import_by_codec():
    found = []
    for name in ("os", "sys", "posix", "../os", "encodings.os", "importlib", "x\0y"):
        try:
            found.append("x".encode(name))
        except (LookupError, ValueError):
            pass
    return __import__("encodings")


def attack_strptime_module():
    datetime.datetime.strptime("2024", "%Y")
    return [getattr(__import__("_strptime"), name) for name in ("time", "locale", "_thread_allocate_lock")]


def attack_builtins_dict():
    return (__builtins__ if isinstance(__builtins__, dict) else __builtins__.__dict__)["eval"]


def attack_builtins_of_a_function():
    return attack_builtins_dict.__builtins__["eval"]


def attack_eval():
    return eval("1 + 1 and eval")


def attack_exec():
    exec("global HELD\nHELD = __import__('os')")
    return HELD


def attack_compile():
    return compile("1", "x", "eval")


def attack_open():
    return open("/etc/passwd")


def attack_site_names():
    return [license, credits, help, quit, exit]


def attack_generator_frame():
    return (x for x in ()).gi_frame


def attack_generator_frame_back():
    def look():
        yield running.gi_frame.f_back.f_back.f_builtins
    running = look()
    return next(running)["eval"]


def attack_coroutine_frame():
    return coroutine().cr_frame


def attack_async_generator_frame():
    return async_generator().ag_frame


def attack_await_frame():
    async def outer():
        await coroutine()
    running = outer()
    return running.cr_frame


def attack_traceback_frame():
    try:
        raise ValueError
    except ValueError as error:
        return error.__traceback__.tb_frame


def attack_traceback_frame_of_the_library():
    try:
        json.loads("{")
    except ValueError as error:
        trace = error.__traceback__
        while trace.tb_next:
            trace = trace.tb_next
        return trace.tb_frame.f_globals


def attack_traceback_by_format():
    try:
        raise ValueError
    except ValueError as error:
        text = "{0.__traceback__.tb_frame}".format(error)
        return error.__traceback__.tb_frame if text else None


def attack_attribute_error_object():
    try:
        "{0.nothing}".format(json)
    except AttributeError as error:
        return [one for one in (error.obj, error.__dict__.get("obj")) if one is not None][0]


def attack_attribute_error_of_the_library():
    for one in (lambda: list(pathlib.Path("/").iterdir()), lambda: uuid.getnode(), lambda: pathlib.Path("~").expanduser(), lambda: hashlib.nothing):
        try:
            one()
        except AttributeError as error:
            return error.obj
        except Exception:
            pass
    return pathlib.PurePath.__new__.__globals__


def attack_path_flavour():
    return pathlib.PurePath("a")._flavour.pathmod.os


def attack_path_flavour_of_windows():
    return pathlib.PureWindowsPath("a")._flavour.ntpath.os


def attack_path_open():
    return pathlib.Path("/etc/passwd").open()


def attack_path_open_by_object():
    return object.__getattribute__(pathlib.Path("/usr/lib"), "iterdir")().gi_frame


def attack_path_open_by_class():
    return type.__getattribute__(pathlib.PosixPath, "open")(pathlib.Path("/usr/bin/python3.11"), "rb")


def attack_path_subclass():
    class Led(type(pathlib.Path())):
        pass
    return Led("/usr/bin/python3.11").open("rb")


def attack_path_scandir():
    return pathlib.Path("/usr")._scandir()


def attack_type_dict_by_comparison():
    type.__dict__ == Thief()
    return [one for one in FOUND[-1]["__subclasses__"](object) if one.__name__ == "_wrap_close"]


def attack_function_dict_by_comparison():
    Function.__dict__ == Thief()
    return FOUND[-1]["__globals__"].__get__(json.dumps)["codecs"]


def attack_module_type():
    return type(json)("posix").__loader__


def attack_face_class_changed():
    class Led:
        def __getattr__(self, name):
            return name
    json.__class__ = Led
    return json.__dict__["codecs"]


def attack_build_class():
    return (__builtins__ if isinstance(__builtins__, dict) else __builtins__.__dict__)["__build_class__"].__self__


def attack_wrapped():
    return fnmatch.filter.__globals__["_compile_pattern"].__wrapped__.__globals__["os"]


def attack_hash_constructor():
    return hashlib.new.__globals__["__builtins__"]


def attack_stdout():
    held = []

    class Thief:
        def write(self, text):
            held.append(text)
    collections.abc.Mapping._dump_registry(Thief()) if hasattr(collections.abc.Mapping, "_dump_registry") else None
    return print.__self__.__dict__["__import__"]("sys").stdout


def attack_weak_reference():
    return collections.abc.Mapping.__weakref__.__callback__ or collections.OrderedDict.__init__.__self__.__loader__


def attack_repeated_reduce():
    return [one for some in (iter([1]).__reduce__(), [].append.__reduce__(), map(str, [1]).__reduce__(), object().__reduce_ex__(1))
            for one in some if type(one).__name__ == "module"] + [[].append.__reduce__()[0].__self__.eval]


def extract(path: str) -> dict:
    try:
        got = ATTACKS[path]()
    except BaseException as error:
        return {"held": "", "what": f"{type(error).__name__}: {error}"[:200]}
    parts = [got, *(got.values() if isinstance(got, dict) else got if isinstance(got, (list, tuple)) else ())]
    own = __builtins__["__import__"] if isinstance(__builtins__, dict) else None
    kinds = [kind_of(one, own, __name__) for one in parts]
    return {"held": next((kind for kind in kinds if kind), ""), "what": f"{got!r:.200}"}

