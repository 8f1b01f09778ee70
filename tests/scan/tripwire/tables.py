"""The rows from which one block of the text tables becomes several. A block that ends in `* BINARY` is made once for each row of
BINARY; the first line of a table names its columns, which are replaced as text."""

_BINARY = [("add", "+"), ("sub", "-"), ("mul", "*"), ("matmul", "@"), ("truediv", "/"), ("floordiv", "//"), ("mod", "%"), ("pow", "**"),
           ("lshift", "<<"), ("rshift", ">>"), ("and", "&"), ("or", "|"), ("xor", "^")]
_PLAIN = ("WORD", "SIGN")

# Attributes of modules that lead out: module, and what is called there.
_MODULES = [
    ("json", "json", "codecs", "open('/x')"),
    ("pathlib", "pathlib", "os", "getcwd()"),
    ("fnmatch", "fnmatch", "os", "getcwd()"),
    ("uuid", "uuid", "os", "getcwd()"),
    ("re", "re", "enum", "sys._getframe()"),
    ("typing", "typing", "sys", "_getframe()"),
    ("dataclasses", "dataclasses", "builtins", "eval('6*7')"),
    ("enum", "enum", "bltns", "eval('6*7')"),
    ("collections", "collections", "_sys", "_getframe()"),
    ("datetime", "datetime", "sys", "_getframe()"),
    ("string", "string", "_re", "enum.sys._getframe()"),
    ("hashlib", "hashlib", "__builtins__", "get('eval')('6*7')"),
]

TABLES = {
    "BINARY": (_PLAIN, _BINARY),
    "REFLECTED": (_PLAIN, _BINARY),
    "COMPARE": (_PLAIN, [("lt", "<"), ("le", "<="), ("eq", "=="), ("ne", "!="), ("gt", ">"), ("ge", ">=")]),
    "UNARY": (_PLAIN, [("neg", "-"), ("pos", "+"), ("invert", "~")]),
    "CONVERSIONS": (("WORD", "SIGN", "RESULT"), [
        ("bool", "bool(box_N)", "True"), ("int", "int(box_N)", "1"), ("float", "float(box_N)", "1.0"), ("complex", "complex(box_N)", "1j"),
        ("bytes", "bytes(box_N)", "b''"), ("str", "str(box_N)", "''"), ("repr", "ascii(box_N)", "''"), ("format", "format(box_N, '')", "''"),
        ("hash", "hash(box_N)", "1"), ("index", "hex(box_N)", "1"), ("len", "len(box_N)", "1"), ("iter", "list(box_N)", "iter('a')"),
    ]),
    "ANSWERS": (_PLAIN, [
        ("abs", "abs(Box_N(VALUE))"), ("round", "round(Box_N(VALUE))"), ("divmod", "divmod(Box_N(VALUE), 1)"), ("pow", "pow(Box_N(VALUE), 1)"),
        ("rdivmod", "divmod(1, Box_N(VALUE))"), ("enter", "Box_N(VALUE).__enter__()"),
    ]),
    "MATH": (_PLAIN, [("ceil", "ceil"), ("floor", "floor"), ("trunc", "trunc")]),
    "METHODS": (("WORD",), [(word,) for word in (
        "strip", "lower", "upper", "join", "split", "encode", "decode", "title", "replace", "format", "get", "group", "groups", "read", "items",
        "keys", "values", "copy", "pop", "index", "count", "isoformat", "strftime", "as_posix", "hexdigest", "total_seconds", "match", "search")]),
    "ATTRIBUTES": (("WORD",), [(word,) for word in (
        "name", "stem", "suffix", "parent", "parts", "value", "args", "year", "data", "real", "hex", "string", "pattern", "start", "stop")]),
    "BUILTINS": (("WORD",), [(word,) for word in (
        "str", "int", "len", "repr", "bool", "float", "list", "tuple", "format", "sorted", "isinstance", "type", "print", "ord", "min")]),
    "MODULE_FUNCTIONS": (_PLAIN, [("json", "dumps"), ("re", "escape"), ("math", "floor"), ("os", "fspath"), ("string", "capwords"), ("hashlib", "md5")]),
    "CONTAINERS": (("WORD", "SIGN", "PUT", "REST", "TAKE"), [
        (word, made, word + put, put, take) for word, made, put, take in (
            ("append", "[]", "(VALUE)", "pop()"), ("extend", "[]", "([VALUE])", "pop()"), ("insert", "[]", "(0, VALUE)", "pop()"), ("add", "set()", "(VALUE)", "pop()"),
            ("update", "{}", "(k=VALUE)", 'get("k")'), ("setdefault", "{}", '("k", VALUE)', 'pop("k")'),
            ("__setitem__", "{}", '("k", VALUE)', 'get("k")'), ("__init__", "[]", "([VALUE])", "pop()"))]),
    "COMPARED": (_PLAIN, [
        ("list-equality", "[box_N] == [VALUE]"), ("tuple-order", "(box_N,) < (VALUE,)"), ("dict-equality", '{"k": box_N} == {"k": VALUE}'),
        ("sorted", "sorted([VALUE, box_N])"), ("min", "min(VALUE, box_N)"), ("count", "[box_N].count(VALUE)"), ("dataclass-equality", "Row_N(box_N) == Row_N(VALUE)"),
        ("dataclass-order", "Row_N(box_N) < Row_N(VALUE)"), ("dataclass-sorted", "sorted([Row_N(VALUE), Row_N(box_N)])"), ("tuple-in-list", "(VALUE,) in [(box_N,)]"),
    ]),
    "TEXTS": (_PLAIN, [
        ("str", "str(box_N)"), ("repr", "repr(box_N)"), ("format", "format(box_N)"), ("f-string", 'f"{box_N}"'),
        ("match", 're.match("", str(box_N)).string'), ("normcase", "os.path.normcase(str(box_N))"),
        ("unquote", "unquote(str(box_N))"), ("min", "min([str(box_N)])"), ("list", "[str(box_N)][0]"), ("default", '{}.get("a", str(box_N))'),
    ]),
    "FORBIDDEN": (("WORD",), [(word,) for word in (
        "eval", "exec", "compile", "open", "__import__", "input", "breakpoint", "globals", "locals", "vars", "dir", "id")]),
    "SHADOWED": (("WORD", "KIND"), [
        ("eval", "callable"), ("open", "callable"), ("getattr", "reader"), ("type", "metaclass"), ("setattr", "writer")]),
    "NAMES": (_PLAIN, [
        ("literal", '"__self__"'),
        ("plus", '"__se" + "lf__"'),
        ("plus-empty", '"__se" + EMPTY + "lf__"'),
        ("times", '"_" * 2 + "self" + "_" * 2'),
        ("hex", 'bytes.fromhex("5f5f73656c665f5f").decode()'),
        ("characters", '"".join(map(chr, [95, 95, 115, 101, 108, 102, 95, 95]))'),
        ("backwards", '"__fles__"[::-1]'),
        ("reversed", '"".join(reversed("__fles__"))'),
        ("slice", '"a__self__b"[1:-1]'),
        ("percent", '"%sself%s" % ("__", "__")'),
        ("f-string", 'f"{\'_\' * 2}self{\'_\' * 2}"'),
        ("format", '"__{}__".format("self")'),
        ("lower", '"__SELF__".lower()'),
        ("replace", '"-self-".replace("-", "__")'),
        ("split", '"a __self__".split()[1]'),
        ("strip", '" __self__ ".strip()'),
        ("center", '"self".center(8, "_")'),
        ("translate", '"-self-".translate({45: "__"})'),
        ("partition", '"a,__self__".partition(",")[2]'),
        ("number", 'int.to_bytes(6872338435838205791, 8, "big").decode()'),
        ("min", 'min(["__self__"])'),
        ("bytes", 'str(b"__self__", "ascii")'),
        ("bytearray", 'bytearray([95, 95, 115, 101, 108, 102, 95, 95]).decode()'),
        ("adjacent", '"__se" "lf__"'),
        ("escape", '"\\x5f\\u005fself\\137_"'),
        ("full-width", '"__ｓｅｌｆ__".casefold() and "__se" f"lf__"'),
        ("join-generator", '"".join(part for part in ["__se", "lf__"])'),
        ("removeprefix", '"x__self__".removeprefix("x")'),
        ("expandtabs", '"__self__\\t".expandtabs(0)'),
        ("format-builtin", 'format("__self__", "s")'),
        ("repr", 'repr("__self__")[1:-1]'),
        ("function-name", '(lambda: 0).__name__ and "_" * 2 + "self__"'),
    ]),
    "ANNOTATIONS": (_PLAIN, [
        ("times", '"_" * 2 + "annotations" + "_" * 2'),
        ("empty", '"__annota" + EMPTY + "tions__"'),
        ("hex", 'bytes.fromhex("5f5f616e6e6f746174696f6e735f5f").decode()'),
        ("replace", '"-annotations-".replace("-", "__")'),
    ]),
    "TEMPLATES": (_PLAIN, [
        ("literal", '"{0.__self__}"'),
        ("empty", '"{0." + EMPTY + "__self__}"'),
        ("join", '"".join(["{0.", "__self__", "}"])'),
        ("replace", '"{0.NAME}".replace("NAME", "__self__")'),
        ("f-string", 'f"{{0.{\'__self\'}__}}"'),
        ("percent", '"%s0.__self__%s" % ("{", "}")'),
        ("character", 'chr(123) + "0.__self__}"'),
        ("backwards", '"}__fles__.0{"[::-1]'),
        ("hex", 'bytes.fromhex("7b302e5f5f73656c665f5f7d").decode()'),
        ("conversion", '"{0." + EMPTY + "__self__!r}"'),
        ("nested-spec", '"{0.__name__:{0." + EMPTY + "__self__}}"'),
        ("item-then-attribute", '"{0." + EMPTY + "__self__.__dict__[eval]}"'),
        ("made-by-format", '"{{0.{}}}".format("__self__")'),
    ]),
    "FRAMES": (_PLAIN, [
        ("generator", '"{generator.gi_" + EMPTY + "frame.f_globals}"'),
        ("globals", '"{function.__glo" + EMPTY + "bals__}"'),
        ("code", '"{function.__co" + EMPTY + "de__}"'),
        ("builtins", '"{function.__buil" + EMPTY + "tins__}"'),
        ("literal", '"{generator.gi_frame.f_globals}"'),
    ]),
    "PATH_METHODS": (_PLAIN, [
        ("read_text", "read_text()"), ("read_bytes", "read_bytes()"), ("exists", "exists()"), ("open", "open()"), ("iterdir", "iterdir()"),
        ("resolve", "resolve()"), ("replace", 'replace("/tmp/x")'), ("rename", 'rename("/tmp/x")'), ("stat", "stat()"), ("glob", 'glob("*")'),
        ("rglob", 'rglob("*")'), ("unlink", "unlink()"), ("touch", "touch()"), ("mkdir", "mkdir()"), ("owner", "owner()"), ("group", "group()"),
        ("absolute", "absolute()"), ("write_text", 'write_text("a")'), ("samefile", 'samefile("/")'), ("is_file", "is_file()"),
        ("expanduser", "expanduser()"), ("home", "home()"), ("cwd", "cwd()"), ("chmod", "chmod(1)"), ("readlink", "readlink()"),
    ]),
    "MODULES": (("WORD", "SIGN", "USE", "FIRST", "REST"), [
        (word, module, f"{first}.{rest}", first, rest) for word, module, first, rest in _MODULES]),
    "LIBRARY": (("WORD", "MODULE", "SIGN"), [
        ("encoder", "json", "json.JSONEncoder"), ("decoder", "json", "json.JSONDecoder"), ("json", "json", "json"),
        ("template", "string", "string.Template"), ("user-dict", "collections", "collections.UserDict"), ("counter", "collections", "collections.Counter"),
        ("enum", "enum", "enum.Enum"), ("uuid", "uuid", "uuid.UUID"), ("path", "pathlib", "pathlib.PurePath"), ("result", "urllib.parse", "urllib.parse.ParseResult"),
        ("mapping", "collections.abc", "collections.abc.Mapping"), ("flag", "re", "re.RegexFlag"), ("record", "dataclasses", "dataclasses.FrozenInstanceError"),
    ]),
}
