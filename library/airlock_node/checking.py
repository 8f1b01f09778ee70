"""Everything that can be said of a code node without running it."""
import json

from airlock_node import messages, node


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


def check(name, params):
    """([(message, line)], {name: declared type})."""
    inputs = params.get("inputs")
    inputs = {} if inputs is None else inputs
    try:
        node.check_code(params.get("code", ""))
        node.check_timeout(params.get("timeout", 30))
        node.check_names(inputs)
        _, annotations = node.read_code(params["code"].removeprefix("\ufeff"), f"<node {name}>")
        node.check_declared(inputs, annotations)
    except (ValueError, SyntaxError, TypeError) as error:
        return [told(error)], {}
    strict = params.get("strict_types") is True
    problems = [literal_problem(one, given, annotations, strict) for one, given in inputs.items()]
    return [told(one) for one in problems if one], annotations
