"""Random Python programs that compile, for the oracle: every kind of statement, expression and pattern of the 3.11
grammar, scopes inside scopes, and few names, so that they collide.

    generate.py FOLDER --programs 100 --seed 1

A program is a function of its seed. Each top-level statement is kept only if the program still compiles with it.
"""

import argparse
import ast
import pathlib
import random
import sys
import warnings

NAMES = ["a", "b", "c", "x", "y", "open", "eval", "len", "print", "re", "os", "ünï", "_p", "__q", "__special__"]
ATTRIBUTES = ["x", "name", "__class__", "_private", "__mangled", "read_text", "group"]
MODULES = ["re", "os", "os.path", "collections.abc", "a.b.c", "__future_like"]
CONSTANTS = ["0", "1", "10_000", "0xFF", "1.5", "2j", "'s'", "\"t\"", "b'b'", "'''long\ntext'''", "r'\\d'", "None", "True", "...",
             "'é' 'ü'", "'a' f'{1}'"]
BINARY = ["+", "-", "*", "@", "/", "%", "**", "//", "<<", ">>", "&", "|", "^"]
COMPARE = ["<", "<=", "==", "!=", ">", ">=", "in", "not in", "is", "is not"]


def node_kinds():
    """The names of all node classes that the 3.11 grammar makes."""
    # The deprecated ones (Num, Str …) derive from Constant, not from a family.
    families = (ast.stmt, ast.expr, ast.pattern)
    return {name for name, kind in vars(ast).items() if isinstance(kind, type) and kind.__bases__[0] in families}


class Generator:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.is_async = False
        self.in_function = False
        self.in_loop = False
        self.functions = 0  # around this place

    def chance(self, of):
        return self.random.random() < of

    def pick(self, options):
        return self.random.choice(options)

    def name(self, _=0):
        return self.pick(NAMES)

    def constant(self, _=0):
        return self.pick(CONSTANTS)

    def some(self, make, least=0, most=3):
        return [make() for _ in range(self.random.randint(least, most))]

    # ---- expressions ----------------------------------------------------------------------------------------------
    def expression(self, depth=3):
        if depth <= 0:
            return self.pick([self.name, self.name, self.constant])()
        make = self.pick([
            self.name, self.constant, self.bool_op, self.named, self.bin_op, self.unary, self.lambda_, self.if_exp,
            self.dict, self.set, self.comprehension, self.comprehension, self.comprehension, self.await_, self.yield_, self.compare,
            self.call, self.call, self.f_string, self.attribute, self.subscript, self.list, self.tuple, self.call_of_generator])
        return make(depth - 1)

    def name_or(self, depth):
        return self.name() if self.chance(0.5) else f"({self.expression(depth)})"

    def bool_op(self, depth):
        word = self.pick([" and ", " or "])
        return "(" + word.join(self.some(lambda: self.expression(depth), 2, 3)) + ")"

    def named(self, depth):
        return f"({self.name()} := {self.expression(depth)})"

    def bin_op(self, depth):
        return f"({self.expression(depth)} {self.pick(BINARY)} {self.expression(depth)})"

    def unary(self, depth):
        return f"({self.pick(['-', '+', '~', 'not '])}{self.expression(depth)})"

    def lambda_(self, depth):
        outer = self.in_function, self.is_async
        parameters = self.parameters(depth, annotated=False)
        self.in_function, self.is_async = True, False
        body = self.expression(depth)
        self.in_function, self.is_async = outer
        return f"(lambda {parameters}: {body})"

    def if_exp(self, depth):
        return f"({self.expression(depth)} if {self.expression(depth)} else {self.expression(depth)})"

    def dict(self, depth):
        def item():
            return f"**{self.name_or(depth)}" if self.chance(0.2) else f"{self.expression(depth)}: {self.expression(depth)}"

        return "{" + ", ".join(self.some(item)) + "}"

    def element(self, depth):
        return f"*{self.name_or(depth)}" if self.chance(0.2) else self.expression(depth)

    def set(self, depth):
        return "{" + ", ".join(self.some(lambda: self.element(depth), 1)) + "}"

    def list(self, depth):
        return "[" + ", ".join(self.some(lambda: self.element(depth))) + "]"

    def tuple(self, depth):
        return "(" + "".join(f"{one}, " for one in self.some(lambda: self.element(depth))) + ")"

    def for_parts(self, depth):
        parts = []
        for _ in range(self.random.randint(1, 3)):
            word = "async for" if self.is_async and self.chance(0.3) else "for"
            parts.append(f"{word} {self.target(1)} in {self.name_or(depth)}")
            parts.extend(f"if {self.name_or(depth)}" for _ in range(self.random.randint(0, 2)))
        return " ".join(parts)

    def comprehension(self, depth):
        parts = self.for_parts(depth)
        open_, close = self.pick(["[]", "{}", "()", "{:"])
        if close == ":":
            return f"{{{self.expression(depth)}: {self.expression(depth)} {parts}}}"
        return f"{open_}{self.expression(depth)} {parts}{close}"

    def call_of_generator(self, depth):
        return f"{self.name()}({self.expression(depth)} {self.for_parts(depth)})"

    def await_(self, depth):
        return f"(await {self.expression(depth)})" if self.is_async else self.name()

    def yield_(self, depth):
        if not self.in_function:
            return self.name()
        return self.pick(["(yield)", f"(yield {self.expression(depth)})",
                          f"(yield from {self.expression(depth)})" if not self.is_async else "(yield)"])

    def compare(self, depth):
        rest = " ".join(f"{self.pick(COMPARE)} {self.expression(depth)}" for _ in range(self.random.randint(1, 2)))
        return f"({self.name_or(depth)} {rest})"

    def arguments(self, depth):
        positional = self.some(lambda: self.element(depth))
        words = [f"**{self.name_or(depth)}" if self.chance(0.2) else f"{name}={self.expression(depth)}"
                 for name in self.random.sample(NAMES, self.random.randint(0, 2))]
        return ", ".join(positional + words)

    def call(self, depth):
        return f"{self.pick([self.name, lambda: self.attribute(depth)])()}({self.arguments(depth)})"

    def f_string(self, depth):
        def field(inner):
            value = self.pick([self.name(), f"{self.name()}.{self.pick(ATTRIBUTES)}", f" {{{self.name()}}} ", f"({self.name()} or 1)",
                               f"[{self.name()} for {self.name()} in {self.name()}]", f"(lambda: {self.name()})()"])
            conversion = self.pick(["", "!r", "!s", "!a"])
            spec = f":>{{{self.name()}}}.{{{self.name()}}}" if inner and self.chance(0.4) else ""
            return "{" + value + self.pick(["", "="]) + conversion + spec + "}"

        quote = self.pick(["'", '"', '"""', "'''"])
        text = "".join(self.pick(["text", "{{", "}}", "é", field(True), field(False)]) for _ in range(self.random.randint(1, 5)))
        return f"{self.pick(['f', 'F', 'rf'])}{quote}{text}{quote}"

    def attribute(self, depth):
        return f"{self.name_or(depth)}.{self.pick(ATTRIBUTES)}"

    def subscript(self, depth):
        def part():
            if self.chance(0.5):
                return self.element(depth)
            return ":".join(self.pick(["", self.expression(depth)]) for _ in range(self.random.randint(2, 3)))

        return f"{self.name_or(depth)}[{', '.join(self.some(part, 1, 2))}]"

    # ---- targets and parameters -----------------------------------------------------------------------------------
    def target(self, depth):
        kind = self.random.randint(0, 6 if depth > 0 else 3)
        if kind <= 2:
            return self.name()
        if kind == 3:
            return f"{self.name()}.{self.pick(ATTRIBUTES)}"
        if kind == 4:
            return f"{self.name()}[{self.expression(1)}]"
        inner = self.some(lambda: self.target(depth - 1), 1, 3)
        if self.chance(0.3):
            inner[self.random.randrange(len(inner))] = f"*{self.name()}"
        return f"[{', '.join(inner)}]" if kind == 5 else "(" + "".join(f"{one}, " for one in inner) + ")"

    def parameters(self, depth, annotated=True):
        names = self.random.sample(NAMES, self.random.randint(0, 5))

        def one(name, with_default):
            note = f": {self.expression(depth - 1)}" if annotated and self.chance(0.3) else ""
            return name + note + (f"={self.expression(depth)}" if with_default else "")

        words, has_default = [], False
        cut = self.random.randint(0, len(names))
        for index, name in enumerate(names[:cut]):
            has_default = has_default or self.chance(0.3)
            words.append(one(name, has_default))
            if index + 1 < cut and self.chance(0.15) and "/" not in words:
                words.append("/")
        rest = names[cut:]
        if rest:
            star = "*" if len(rest) > 1 and self.chance(0.5) else "*" + one(rest.pop(0), False)
            words.append(star)
            last = rest.pop() if rest and (star != "*" or len(rest) > 1) and self.chance(0.5) else None
            words.extend(one(name, self.chance(0.5)) for name in rest)
            if last is not None:
                words.append("**" + one(last, False))
        return ", ".join(words)

    # ---- patterns -------------------------------------------------------------------------------------------------
    def pattern(self, depth=2):
        simple = [lambda: self.pick(["0", "-1", "1+2j", "'s'", "b'b'", "a.b", "os.path.sep"]),
                  lambda: self.pick(["None", "True", "False"]), lambda: "_", self.name]
        if depth <= 0:
            return self.pick(simple)()
        inner = lambda: self.pattern(depth - 1)  # noqa: E731
        star = lambda: self.pick(["*_", f"*{self.name()}", inner()])  # noqa: E731
        return self.pick(simple + [
            lambda: "[" + ", ".join(self.some(star)) + "]",
            lambda: "(" + "".join(f"{one}, " for one in self.some(star, 1)) + ")",
            lambda: "{" + ", ".join([f"{self.pick(['1', repr('k'), 'a.b'])}: {inner()}" for _ in range(self.random.randint(0, 1))]
                                    + self.pick([[], [f"**{self.name()}"]])) + "}",
            lambda: f"{self.pick(['str', 'a', 'a.b'])}({', '.join(self.some(inner, 0, 2) + [f'{self.pick(ATTRIBUTES)}={inner()}'] * self.random.randint(0, 1))})",
            lambda: f"({inner()} as {self.name()})",
            self.or_pattern,
            self.or_pattern,
        ])()

    def or_pattern(self):
        first, second = self.random.sample(["1", "'s'", "None", "a.b", "[]", "{'k': 1}", "str(x=1)"], 2)
        if self.chance(0.5):
            return f"({first} | {second} | -1)"
        name = self.name()
        return f"([{first}, {name}] | str({second}, x={name}))"

    # ---- statements -----------------------------------------------------------------------------------------------
    def statement(self, depth):
        simple = [self.assign, self.assign, self.aug_assign, self.ann_assign, self.ann_assign, self.delete, self.raise_, self.assert_,
                  self.import_, self.import_from, self.expr, self.expr, self.expr, self.leave]
        compound = [self.function, self.function, self.function, self.class_, self.class_, self.for_, self.while_, self.if_, self.with_,
                    self.match, self.try_, self.try_star]
        return self.pick(simple if depth <= 0 or self.chance(0.45) else compound)(depth)

    def suite(self, depth):
        lines = ["pass"] if self.chance(0.1) else []
        for _ in range(self.random.randint(1, 4)):
            lines.extend(self.statement(depth - 1))
        return ["    " + line for line in self.kept_whole(lines)]

    @staticmethod
    def kept_whole(lines):
        """Text that spans lines is indented with them, which changes it and does no harm."""
        return [part for line in lines for part in line.split("\n")]

    def assign(self, _):
        return [" = ".join(self.some(lambda: self.target(2), 1, 2) + [self.expression()])]

    def aug_assign(self, _):
        left = self.pick([self.name(), f"{self.name()}.{self.pick(ATTRIBUTES)}", f"{self.name()}[0]"])
        return [f"{left} {self.pick(BINARY)}= {self.expression()}"]

    def ann_assign(self, _):
        left = self.pick([self.name(), self.name(), f"({self.name()})", f"{self.name()}.{self.pick(ATTRIBUTES)}", f"{self.name()}[0]"])
        return [f"{left}: {self.expression(2)}" + (f" = {self.expression(2)}" if self.chance(0.5) else "")]

    def delete(self, _):
        return ["del " + self.pick([self.name(), f"{self.name()}.x, {self.name()}[0]", f"({self.name()}, [{self.name()}])"])]

    def raise_(self, _):
        return [self.pick(["raise", f"raise {self.expression(2)}", f"raise {self.expression(2)} from {self.expression(1)}"])]

    def assert_(self, _):
        return [f"assert {self.expression(2)}" + (f", {self.expression(1)}" if self.chance(0.4) else "")]

    def alias(self, name):
        return name + (f" as {self.name()}" if self.chance(0.4) else "")

    def import_(self, _):
        return ["import " + ", ".join(self.some(lambda: self.alias(self.pick(MODULES)), 1, 2))]

    def import_from(self, _):
        origin = self.pick(MODULES + [".", "..a", "...", ".a.b"])
        if self.functions == 0 and self.chance(0.15):
            return [f"from {origin} import *"]
        return [f"from {origin} import " + ", ".join(self.some(lambda: self.alias(self.name()), 1, 2))]

    def declare(self, _):
        word = "nonlocal" if self.functions > 1 and self.chance(0.6) else "global"
        return [f"{word} {', '.join(self.random.sample(NAMES, self.random.randint(1, 2)))}"]

    def expr(self, _):
        return [self.expression(4)]

    def leave(self, _):
        options = ["pass"]
        if self.in_loop:
            options += ["break", "continue"]
        if self.in_function:
            options += ["return", "return " + self.expression(2)]
        return [self.pick(options)]

    def decorators(self):
        return [f"@{self.expression(2)}" for _ in range(self.random.randint(0, 2))] if self.chance(0.4) else []

    def function(self, depth):
        outer = self.is_async, self.in_function, self.in_loop
        head = self.decorators()
        parameters = self.parameters(2)
        returns = f" -> {self.expression(2)}" if self.chance(0.3) else ""
        self.is_async, self.in_function, self.in_loop = self.chance(0.25), True, False
        self.functions += 1
        word = "async def" if self.is_async else "def"
        # Declarations come first, or most of them would come after a use and not compile; and what is nonlocal is bound
        # around the function, before it or after it.
        first, before, after = [], [], []
        if self.functions > 1 and self.chance(0.6):
            name = self.name()
            first = [f"    nonlocal {name}"]
            self.pick([before, after]).append(self.pick([f"{name} = 0", f"for {name} in (): pass", f"import re as {name}"]))
        elif self.chance(0.3):
            first = [f"    global {self.name()}"]
        body = first + self.suite(depth)
        self.functions -= 1
        self.is_async, self.in_function, self.in_loop = outer
        return before + head + [f"{word} {self.name()}({parameters}){returns}:"] + body + after

    def class_(self, depth):
        outer = self.is_async, self.in_function, self.in_loop
        head = self.decorators()
        bases = f"({self.arguments(2)})" if self.chance(0.5) else ""
        self.is_async = self.in_function = self.in_loop = False
        first = ["    " + line for line in self.declare(0)] if self.chance(0.2) else []
        body = first + self.suite(depth)
        self.is_async, self.in_function, self.in_loop = outer
        return head + [f"class {self.name()}{bases}:"] + body

    def looped(self, depth):
        outer, self.in_loop = self.in_loop, True
        body = self.suite(depth)
        self.in_loop = outer
        return body + (["else:"] + self.suite(depth) if self.chance(0.2) else [])

    def async_word(self):
        return "async " if self.is_async and self.chance(0.5) else ""

    def for_(self, depth):
        return [f"{self.async_word()}for {self.target(2)} in {self.element(2)}, {self.expression(1)}:"] + self.looped(depth)

    def while_(self, depth):
        return [f"while {self.expression()}:"] + self.looped(depth)

    def if_(self, depth):
        lines = [f"if {self.expression()}:"] + self.suite(depth)
        for _ in range(self.random.randint(0, 2)):
            lines += [f"elif {self.expression(2)}:"] + self.suite(depth)
        return lines + (["else:"] + self.suite(depth) if self.chance(0.4) else [])

    def with_(self, depth):
        def item():
            return self.name_or(2) + (f" as {self.target(1)}" if self.chance(0.6) else "")

        items = ", ".join(self.some(item, 1, 2))
        return [f"{self.async_word()}with " + (f"({items})" if self.chance(0.5) else items) + ":"] + self.suite(depth)

    def match(self, depth):
        lines = [f"match {self.expression(2)}:"]
        for _ in range(self.random.randint(1, 3)):
            guard = f" if {self.expression(2)}" if self.chance(0.3) else ""
            lines += [f"    case {self.pattern(3)}{guard}:"] + ["    " + line for line in self.suite(depth)]
        return lines

    def handlers(self, depth, word, least):
        lines = []
        for _ in range(self.random.randint(least, 2)):
            lines += [f"{word} {self.name_or(1)}" + (f" as {self.name()}" if self.chance(0.5) else "") + ":"] + self.suite(depth)
        return lines

    def try_(self, depth):
        handlers = self.handlers(depth, "except", 0)
        if self.chance(0.2):
            handlers += ["except:"] + self.suite(depth)
        lines = ["try:"] + self.suite(depth) + handlers
        if handlers and self.chance(0.3):
            lines += ["else:"] + self.suite(depth)
        if not handlers or self.chance(0.3):
            lines += ["finally:"] + self.suite(depth)
        return lines

    def try_star(self, depth):
        outer = self.in_loop, self.in_function
        body = ["try:"] + self.suite(depth)
        self.in_loop = self.in_function = False  # neither break nor return may leave an except*
        lines = body + self.handlers(depth, "except*", 1)
        self.in_loop, self.in_function = outer
        return lines

    def program(self, length=8):
        lines = ["from __future__ import annotations"] if self.chance(0.15) else []
        for _ in range(length):
            for _ in range(5):
                more = self.kept_whole(self.statement(3))
                if compiles("\n".join(lines + more) + "\n"):
                    lines += more
                    break
        return "\n".join(lines or ["pass"]) + "\n"


def compiles(text):
    try:
        compile(text, "<generated>", "exec", dont_inherit=True)
        return True
    except (SyntaxError, ValueError):
        return False


def write_programs(folder, count, seed):
    """The paths of `count` programs; together they hold every kind of node when there are enough of them."""
    missing = node_kinds()
    paths = []
    for index in range(count):
        text = Generator(seed * 1_000_003 + index).program()
        path = folder / f"program_{seed}_{index}.py"
        path.write_text(text, encoding="utf-8")
        paths.append(path)
        if missing:
            missing -= {type(node).__name__ for node in ast.walk(ast.parse(text))}
    assert count < 200 or not missing, f"no generated program has {sorted(missing)}"
    return paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--programs", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    options.folder.mkdir(parents=True, exist_ok=True)
    write_programs(options.folder, options.programs, options.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
