"""Code as text to code that runs, and the annotations that its module level declares. The node host puts a reader in the place of
read() that works on the interpreter's own tree; a test compares the two."""
# Statements of the module level that hold statements of the module level. Functions and classes have a level of their own.
BLOCKS = ("If", "For", "While", "With", "Try", "TryStar", "Match", "AsyncFor", "AsyncWith")
MOST_BYTES = 1024 * 1024  # of one node's code


def annotated(statements):
    """Every `name: type` at the module level, in order."""
    import ast  # here and below: a cell that only runs a node starts sooner without it
    for statement in statements:
        if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            yield statement
        elif type(statement).__name__ in BLOCKS:
            for field in ("body", "handlers", "orelse", "finalbody", "cases"):
                inner = getattr(statement, field, [])
                for one in inner:
                    yield from annotated(one.body if isinstance(one, (ast.ExceptHandler, ast.match_case)) else [one])


def text_of(annotation):
    import ast
    is_text = isinstance(annotation, ast.Constant) and isinstance(annotation.value, str)
    return annotation.value if is_text else ast.unparse(annotation)


def read(source, filename):
    """(code object, {name: declared type as text}). Declared types become text in the code too: a name that only stands in a
    declaration need not exist."""
    import ast
    tree = ast.parse(source, filename)
    found = {}
    for statement in annotated(tree.body):
        text = text_of(statement.annotation)
        found[statement.target.id] = text
        statement.annotation = ast.copy_location(ast.Constant(text), statement.annotation)
    return compile(tree, filename, "exec", dont_inherit=True), found
