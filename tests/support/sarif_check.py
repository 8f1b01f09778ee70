#!/usr/bin/env python3
"""Holds a SARIF log to the rules of 2.1.0 that Airlock's logs use.

    sarif_check.py [FILE]        (stdin without FILE); exit 0: holds, 1: says what does not, 2: cannot be read

Each object is described by a table: every property that may appear with its check, and those that must. A property
that is in no table is an error, as it is in the official schema, so a new one has to be described here first. Beyond
the schema it follows references: a result's ruleId, ruleIndex and artifact index must lead to the thing they name.
Standard library only.
"""
import json
import re
import sys

LEVELS = ("none", "note", "warning", "error")
ROLES = ("analysisTarget", "attachment", "responseFile", "resultFile", "standardStream", "tracedFile")
COLUMN_KINDS = ("utf16CodeUnits", "unicodeCodePoints")
# RFC 3986: a scheme when there is one, then only characters that a URI may hold, % with two hex digits.
URI_REFERENCE = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.-]*:)?(?:[A-Za-z0-9._~!$&'()*+,;=:@/?#-]|%[0-9A-Fa-f]{2})*")
ABSOLUTE_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:.+")
SEMANTIC_VERSION = re.compile(r"\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?")

problems = []


def wrong(where, what):
    problems.append(f"{where}: {what}")


# ---- checks of one value: each takes (value, where) ----------------------------------------------------------------

def text(value, where):
    if not isinstance(value, str):
        wrong(where, "is not a string")
        return False
    if any(0xD800 <= ord(c) <= 0xDFFF for c in value):
        wrong(where, "holds half a surrogate pair")
        return False
    return True


def filled(value, where):
    if text(value, where) and not value.strip():
        wrong(where, "is empty")


def boolean(value, where):
    if not isinstance(value, bool):
        wrong(where, "is not a boolean")


def at_least(minimum):
    def check(value, where):
        if not isinstance(value, int) or isinstance(value, bool):
            wrong(where, "is not an integer")
        elif value < minimum:
            wrong(where, f"is {value}, less than {minimum}")
    return check


def one_of(*words):
    def check(value, where):
        if value not in words:
            wrong(where, f"is {value!r}, not one of {', '.join(words)}")
    return check


def matching(pattern, what):
    def check(value, where):
        if text(value, where) and not pattern.fullmatch(value):
            wrong(where, f"{value!r} is not {what}")
    return check


def uri_reference(value, where):
    matching(URI_REFERENCE, "a URI reference")(value, where)
    if isinstance(value, str) and not value:
        wrong(where, "is empty")


def absolute_uri(value, where):
    uri_reference(value, where)
    matching(ABSOLUTE_URI, "an absolute URI")(value, where)


def list_of(check_item, least=0, unique=False):
    def check(value, where):
        if not isinstance(value, list):
            wrong(where, "is not an array")
            return
        if len(value) < least:
            wrong(where, f"has {len(value)} items, needs {least}")
        if unique and len({json.dumps(item, sort_keys=True) for item in value}) != len(value):
            wrong(where, "has the same item twice")
        for index, item in enumerate(value):
            check_item(item, f"{where}[{index}]")
    return check


def dictionary(check_item):
    def check(value, where):
        if not isinstance(value, dict):
            wrong(where, "is not an object")
            return
        for key, item in value.items():
            check_item(item, f"{where}.{key}")
    return check


def shaped(required=(), also=None, **properties):
    """An object with these properties and no others. `also` sees the whole object afterwards."""
    def check(value, where):
        if not isinstance(value, dict):
            wrong(where, "is not an object")
            return
        for name in required:
            if name not in value:
                wrong(where, f"has no {name!r}")
        for name, item in value.items():
            if name in properties:
                properties[name](item, f"{where}.{name}")
            else:
                wrong(where, f"has an unknown property {name!r}")
        if also:
            also(value, where)
    return check


# ---- the objects ---------------------------------------------------------------------------------------------------

def in_order(region, where):
    lines = [region.get("startLine"), region.get("endLine", region.get("startLine"))]
    if not all(isinstance(line, int) for line in lines):
        return
    if lines[1] < lines[0]:
        wrong(where, "ends on a line before it starts")
    columns = [region.get("startColumn"), region.get("endColumn")]
    if lines[0] == lines[1] and all(isinstance(c, int) for c in columns) and columns[1] < columns[0]:
        wrong(where, "ends in a column before it starts")


def based(location, where):
    uri = location.get("uri")
    if not isinstance(uri, str):
        return
    if ABSOLUTE_URI.fullmatch(uri):
        if "uriBaseId" in location:
            wrong(where, "has an absolute uri and a uriBaseId")
    elif "uriBaseId" not in location:
        wrong(where, "has a relative uri and no uriBaseId")
    elif uri.startswith("/"):
        wrong(where, "has a uri that starts with / and a uriBaseId")


def security_severity(value, where):
    if text(value, where) and not (re.fullmatch(r"\d+(\.\d+)?", value) and float(value) <= 10):
        wrong(where, f"{value!r} is not a number from 0 to 10")


def tagged_security(properties, where):
    if "security-severity" in properties and "security" not in properties.get("tags", []):
        wrong(where, "has a security-severity without the tag 'security'")


anything = lambda value, where: None
property_bag = dictionary(anything)
message = shaped(("text",), text=filled, markdown=filled)
multiformat = shaped(("text",), text=filled, markdown=filled)
artifact_location = shaped((), based, uri=uri_reference, uriBaseId=filled, index=at_least(0), description=message)
region = shaped(("startLine",), in_order, startLine=at_least(1), startColumn=at_least(1), endLine=at_least(1),
                endColumn=at_least(1), snippet=shaped(("text",), text=text))
physical_location = shaped(("artifactLocation",), artifactLocation=artifact_location, region=region)
result = shaped(("message", "ruleId", "ruleIndex", "level", "locations", "partialFingerprints"),
                ruleId=filled, ruleIndex=at_least(0), level=one_of(*LEVELS), message=message,
                locations=list_of(shaped(("physicalLocation",), physicalLocation=physical_location), least=1),
                partialFingerprints=dictionary(filled), properties=property_bag)
rule_properties = shaped(("tags", "problem.severity"), tagged_security, **{
    "tags": list_of(filled, unique=True),
    "problem.severity": one_of("error", "warning", "recommendation"),
    "security-severity": security_severity})
rule = shaped(("id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration"), id=filled,
              name=matching(re.compile(r"(?:[A-Z][a-z0-9]*)+"), "PascalCase"), shortDescription=multiformat,
              fullDescription=multiformat, help=shaped(("text", "markdown"), text=filled, markdown=filled),
              defaultConfiguration=shaped(("level",), level=one_of(*LEVELS)), properties=rule_properties)
driver = shaped(("name", "version", "semanticVersion", "rules"), name=filled, version=filled,
                semanticVersion=matching(SEMANTIC_VERSION, "a semantic version"), informationUri=absolute_uri,
                rules=list_of(rule, unique=True))
artifact = shaped(("location", "hashes"), location=artifact_location, length=at_least(0),
                  roles=list_of(one_of(*ROLES), unique=True),
                  hashes=shaped(("sha-256",), **{
                      "sha-256": matching(re.compile("[0-9a-f]{64}"), "64 lower-case hex digits")}))
invocation = shaped(("executionSuccessful",), executionSuccessful=boolean)


def references(run, where):
    rules = run["tool"]["driver"]["rules"]
    artifacts = run["artifacts"]
    bases = run.get("originalUriBaseIds", {})
    if len({item["id"] for item in rules}) != len(rules):
        wrong(f"{where}.tool.driver.rules", "has the same id twice")
    for index, item in enumerate(run["results"]):
        here = f"{where}.results[{index}]"
        number = item["ruleIndex"]
        if number >= len(rules) or rules[number]["id"] != item["ruleId"]:
            wrong(f"{here}.ruleIndex", f"does not lead to {item['ruleId']}")
        for place in item["locations"]:
            location = place["physicalLocation"]["artifactLocation"]
            if location["index"] >= len(artifacts):
                wrong(here, "names an artifact that does not exist")
                continue
            known = artifacts[location["index"]]["location"]
            if any(known.get(key) != location.get(key) for key in ("uri", "uriBaseId")):
                wrong(here, "names one artifact by uri and another by index")
            if "uriBaseId" in location and location["uriBaseId"] not in bases:
                wrong(here, f"has the uriBaseId {location['uriBaseId']!r}, which is not in originalUriBaseIds")


def run_references(run, where):
    if not problems:  # a run with the wrong shape cannot be followed
        references(run, where)


run = shaped(("tool", "results", "artifacts", "invocations", "columnKind"), run_references,
             tool=shaped(("driver",), driver=driver), results=list_of(result), artifacts=list_of(artifact),
             invocations=list_of(invocation, least=1), columnKind=one_of(*COLUMN_KINDS),
             originalUriBaseIds=dictionary(shaped((), uri=absolute_uri, description=message)),
             properties=property_bag)
log = shaped(("$schema", "version", "runs"), **{
    "$schema": absolute_uri, "version": one_of("2.1.0"), "runs": list_of(run, least=1)})


def main(arguments):
    try:
        stream = open(arguments[0], "rb") if arguments else sys.stdin.buffer
        with stream:
            document = json.loads(stream.read().decode("utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        print(f"cannot be read: {error}", file=sys.stderr)
        return 2
    log(document, "$")
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
