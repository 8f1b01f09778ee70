"""Everything that can be said of a code node without running it. Asked in a cell, of trusted nodes too: what is read here is
somebody's text, and nothing of it is evaluated even there (declared_types)."""
import ast
import json

from airlock_node import declared_types, messages, node, reading, templates


def literal_problem(name, given, annotations, strict):
    """What is wrong with an input that holds no template."""
    if "${" in json.dumps(given):
        return None
    try:
        declared = annotations[name]
        node.check_input(name, node.from_json(given, declared), declared, given, strict)
    except TypeError as error:
        return error
    return None


def told(error):
    outcome = node.failure("prep", error)
    return messages.fit_to_send(outcome.entry["error"]), outcome.line


def lines_of(source):
    """{name: the line on which it is declared last}"""
    return {one.target.id: one.lineno for one in reading.annotated(ast.parse(source).body)}


def unread(annotations, names, source):
    """What a strict check leaves out: declarations that are no types."""
    found = [(name, declared_types.unread_part(annotations[name])) for name in names]
    lines = lines_of(source) if any(part is not None for _, part in found) else {}
    for name, part in found:
        if part is not None:
            yield (f"The type of '{name}' is not checked: '{templates.cut(part)}' is no type that can be read without running it",
                   lines.get(name, 0))


def check(name, params, unchecked=()):
    """([(message, line)], [(warning, line)], {name: declared type}). `unchecked`: inputs that were too large to send."""
    inputs = params.get("inputs")
    inputs = {} if inputs is None else inputs
    try:
        node.check_code(params.get("code", ""))
        node.check_timeout(params.get("timeout", 30))
        node.check_names(inputs)
        source = params["code"].removeprefix("\ufeff")
        _, annotations = node.read_code(source, f"<node {name}>")
        node.check_declared(inputs, annotations)
    except (ValueError, SyntaxError, TypeError) as error:
        return [told(error)], [], {}
    strict = params.get("strict_types") is True
    problems = [literal_problem(one, given, annotations, strict) for one, given in inputs.items() if one not in unchecked]
    warnings = list(unread(annotations, [*inputs, "result"], source)) if strict else []
    return [told(one) for one in problems if one], warnings, annotations
