"""Compares our reading of CPython's tree (tests/scan/oracle/tree_dump.cc) with Python's own `ast` and `symtable`.

    oracle.py --tree-dump build/tree_dump --all            the whole standard library and 2,000 generated programs
    oracle.py --tree-dump build/tree_dump --every 4 --programs 300
    oracle.py --tree-dump build/tree_dump FILE…            these files only

Prints every difference and then `N files, N facts, N differences`; the exit code is 1 when there is one. What a fact is
stands on top of tree_dump.cc. A file is left out (and counted) when it is not UTF-8 text without NUL and byte-order
mark: such texts never reach the parser in Airlock. Needs the interpreter that Airlock links, Python 3.11.
"""

import argparse
import ast
import collections
import itertools
import pathlib
import subprocess
import sys
import tempfile
import warnings

import _symtable as st
import generate

STDLIB = pathlib.Path(ast.__file__).parent
PROGRAMS = 2000
COMPREHENSIONS = {ast.ListComp: "listcomp", ast.SetComp: "setcomp", ast.DictComp: "dictcomp", ast.GeneratorExp: "genexpr"}


def shown(node):
    return f"{node.lineno}:{node.col_offset}-{node.end_lineno}:{node.end_col_offset}"


def or_dash(name):
    return "-" if name is None else name


def is_left_out(name):
    """As in tree_dump.cc."""
    return name == "__class__" or (name.startswith("__") and not name.endswith("__"))


class Scope:
    def __init__(self, kind, node, table):
        self.kind = kind
        self.table = table  # None inside an annotation that is never evaluated
        self.name = kind if node is None else f"{kind} {shown(node)}"
        self.children = iter(table.children if table is not None else ())


class Facts(ast.NodeVisitor):
    """Visits in the order of CPython's symtable.c, so that the scopes that open are the table's children in order."""

    def __init__(self, text, path):
        self.lines = []
        self.reads = set()
        self.tree = ast.parse(text, path)
        self.future_annotations = any(
            isinstance(node, ast.ImportFrom) and node.module == "__future__" and any(one.name == "annotations" for one in node.names)
            for node in self.tree.body)
        classes = {node.name.lstrip("_") for node in ast.walk(self.tree) if isinstance(node, ast.ClassDef)}
        self.private = tuple(f"_{name}__" for name in classes if name)
        self.in_annotation = 0
        table = st.symtable(text, path, "exec")
        self.bound_in_module = {name for name, flags in table.symbols.items() if flags & st.DEF_BOUND}
        self.find_declared_globals(table)
        self.scope = Scope("module", None, table)
        self.say_scope()
        self.visit_all(self.tree.body)
        self.lines.extend(self.reads)

    def find_declared_globals(self, table):
        for child in table.children:
            for name, flags in child.symbols.items():
                if flags & st.DEF_BOUND and self.where(flags) == st.GLOBAL_EXPLICIT:
                    self.bound_in_module.add(name)
            self.find_declared_globals(child)

    @staticmethod
    def where(flags):
        return (flags >> st.SCOPE_OFF) & st.SCOPE_MASK

    # ---- facts ----------------------------------------------------------------------------------------------------
    def say(self, *words):
        self.lines.append(" ".join(words))

    def say_scope(self):
        self.say("scope", self.scope.name)
        table = self.scope.table
        if table is None:
            return
        if self.scope.kind == "module":
            bound = self.bound_in_module
        else:
            bound = (name for name, flags in table.symbols.items() if self.where(flags) in (st.LOCAL, st.CELL))
        for name in bound:
            # A private name stands in the table as the interpreter spells it; ours are left out too.
            if not is_left_out(name) and name != ".0" and not name.startswith(self.private):
                self.say("binds", self.scope.name, name)

    def say_read(self, name):
        if self.scope.table is None or (self.in_annotation and self.future_annotations) or is_left_out(name):
            return
        where = self.where(self.scope.table.symbols[name])
        if where == st.FREE:
            word = "enclosing"
        elif where in (st.LOCAL, st.CELL):
            word = "global" if self.scope.kind == "module" else "local"
        else:
            word = "global" if name in self.bound_in_module else "builtin"
        self.reads.add(f"read {self.scope.name} {name} {word}")

    # ---- the walk -------------------------------------------------------------------------------------------------
    def visit(self, node):
        if isinstance(node, (ast.stmt, ast.expr, ast.pattern)):
            self.say("node", type(node).__name__, shown(node))
        return super().visit(node)

    def visit_all(self, nodes):
        for node in nodes:
            if node is not None:
                self.visit(node)

    def visit_annotation(self, node):
        if node is not None:
            self.in_annotation += 1
            self.visit(node)
            self.in_annotation -= 1

    def inside(self, kind, name, node, go):
        table = None
        if self.scope.table is not None and not (self.in_annotation and self.future_annotations):
            table = next(self.scope.children)
            assert table.name == name and table.lineno == node.lineno, (table.name, name, table.lineno, node.lineno)
        outer, self.scope = self.scope, Scope(kind, node, table)
        self.say_scope()
        go()
        assert next(self.scope.children, None) is None
        self.scope = outer

    def arguments(self, arguments):
        for one in itertools.chain(arguments.posonlyargs, arguments.args, arguments.kwonlyargs, [arguments.vararg, arguments.kwarg]):
            if one is not None:
                self.say("parameter", one.arg, shown(one))

    def function(self, node, word):
        self.say("define", word, node.name, shown(node))
        arguments = node.args
        self.visit_all(arguments.defaults)
        self.visit_all(arguments.kw_defaults)
        for one in itertools.chain(arguments.posonlyargs, arguments.args, [arguments.vararg, arguments.kwarg], arguments.kwonlyargs):
            self.visit_annotation(one.annotation if one is not None else None)
        self.visit_annotation(node.returns)
        self.visit_all(node.decorator_list)

        def body():
            self.arguments(arguments)
            self.visit_all(node.body)

        self.inside("function", node.name, node, body)

    def visit_FunctionDef(self, node):
        self.function(node, "function")

    def visit_AsyncFunctionDef(self, node):
        self.function(node, "async")

    def visit_ClassDef(self, node):
        self.say("define class", node.name, shown(node))
        self.visit_all(node.bases)
        self.visit_all(node.keywords)
        self.visit_all(node.decorator_list)
        self.inside("class", node.name, node, lambda: self.visit_all(node.body))

    def visit_Lambda(self, node):
        self.visit_all(node.args.defaults)
        self.visit_all(node.args.kw_defaults)

        def body():
            self.arguments(node.args)
            self.visit(node.body)

        self.inside("lambda", "lambda", node, body)

    def comprehension(self, node):
        first, *others = node.generators
        self.visit(first.iter)

        def body():
            for part in node.generators:
                self.say("generator", "async" if part.is_async else "plain", shown(part.target))
            self.visit(first.target)
            self.visit_all(first.ifs)
            for part in others:
                self.visit(part.target)
                self.visit(part.iter)
                self.visit_all(part.ifs)
            if isinstance(node, ast.DictComp):
                self.visit(node.value)
                self.visit(node.key)
            else:
                self.visit(node.elt)

        self.inside("comprehension", COMPREHENSIONS[type(node)], node, body)

    visit_ListComp = visit_SetComp = visit_DictComp = visit_GeneratorExp = comprehension

    def try_block(self, node):
        self.visit_all(node.body)
        self.visit_all(node.orelse)
        self.visit_all(node.handlers)
        self.visit_all(node.finalbody)

    visit_Try = visit_TryStar = try_block

    def visit_ExceptHandler(self, node):
        self.say("handler", or_dash(node.name), shown(node))
        self.generic_visit(node)

    def visit_AnnAssign(self, node):
        self.visit(node.target)
        self.visit_annotation(node.annotation)
        self.visit_all([node.value])

    def visit_Import(self, node):
        for one in node.names:
            self.say("import", one.name, or_dash(one.asname), shown(one))

    def visit_ImportFrom(self, node):
        for one in node.names:
            self.say("from", str(node.level), or_dash(node.module), one.name, or_dash(one.asname), shown(one))

    def visit_Global(self, node):
        for name in node.names:
            self.say("declares global", name, shown(node))

    def visit_Nonlocal(self, node):
        for name in node.names:
            self.say("declares nonlocal", name, shown(node))

    def visit_Name(self, node):
        self.say("name", node.id, type(node.ctx).__name__.lower(), shown(node))
        if isinstance(node.ctx, ast.Load):
            self.say_read(node.id)

    def visit_Attribute(self, node):
        self.say("attribute", node.attr, type(node.ctx).__name__.lower(), shown(node))
        self.visit(node.value)

    def visit_Call(self, node):
        self.say("call", str(len(node.args)), str(len(node.keywords)), shown(node))
        self.generic_visit(node)

    def visit_keyword(self, node):
        self.say("keyword", or_dash(node.arg), shown(node))
        self.visit(node.value)

    def visit_Constant(self, node):
        self.say("constant", type(node.value).__name__, shown(node))

    def captures(self, node):
        name = node.rest if isinstance(node, ast.MatchMapping) else node.name
        if name is not None:
            self.say("capture", name, shown(node))
        self.generic_visit(node)

    visit_MatchAs = visit_MatchStar = visit_MatchMapping = captures

    def visit_MatchClass(self, node):
        for name in node.kwd_attrs:
            self.say("class_pattern", name, shown(node))
        self.generic_visit(node)


def expected_facts(path):
    """A Counter of lines, or None for a text that never reaches the parser in Airlock."""
    data = path.read_bytes()
    if data.startswith(b"\xef\xbb\xbf") or b"\0" in data:
        return None
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    try:
        return collections.Counter(Facts(text, str(path)).lines)
    except SyntaxError:
        return collections.Counter(["unreadable"])


def dumped_facts(program, paths):
    """Yields a Counter for each path, in order."""
    with tempfile.TemporaryFile() as names:
        names.write("".join(f"{path}\n" for path in paths).encode())
        names.seek(0)
        with subprocess.Popen([program], stdin=names, stdout=subprocess.PIPE, text=True) as process:
            for path in paths:
                line = process.stdout.readline()
                assert line == f"file {path}\n", f"tree_dump said {line!r} for {path}"
                facts = collections.Counter()
                while (line := process.stdout.readline()) != "end\n":
                    assert line, f"tree_dump ended in {path}"
                    facts[line[:-1]] += 1
                yield facts
        assert process.returncode == 0, f"tree_dump ended with {process.returncode}"


def compare(program, paths, show):
    files = facts = differences = left_out = 0
    for path, said in zip(paths, dumped_facts(program, paths)):
        expected = expected_facts(path)
        if expected is None:
            left_out += 1
            continue
        files += 1
        facts += expected.total()
        for sign, lines in (("only in ast/symtable", expected - said), ("only in tree_dump", said - expected)):
            for line in sorted(lines):
                differences += 1
                if differences <= show:
                    print(f"{path}: {sign}: {line}")
    return files, facts, differences, left_out


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tree-dump", required=True)
    parser.add_argument("--every", type=int, default=1, help="only every Nth file of the standard library")
    parser.add_argument("--programs", type=int, default=PROGRAMS, help="how many programs to generate")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help=f"every file and at least {PROGRAMS} programs")
    parser.add_argument("--show", type=int, default=40, help="how many differences to print")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    if sys.version_info[:2] != (3, 11):
        sys.exit("oracle.py compares with Python 3.11; this is another one")
    if options.all:
        options.every, options.programs = 1, max(options.programs, PROGRAMS)
    warnings.simplefilter("ignore")
    sys.setrecursionlimit(20000)
    with tempfile.TemporaryDirectory() as folder:
        paths = options.files
        if not paths:
            paths = sorted(STDLIB.rglob("*.py"))[:: options.every]
            paths += generate.write_programs(pathlib.Path(folder), options.programs, options.seed)
        files, facts, differences, left_out = compare(options.tree_dump, paths, options.show)
    if left_out:
        print(f"{left_out} files left out: not UTF-8, or with a byte-order mark")
    print(f"{files} files, {facts} facts, {differences} differences")
    return 1 if differences or not files else 0


if __name__ == "__main__":
    sys.exit(main())
