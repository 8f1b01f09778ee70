#!/usr/bin/env python3
"""Turns policies/*.toml into the C++ tables behind builtin_policies() (src/model/policy.h).

    tools/embed_policies.py --output build/generated/builtin_policies.cc policies/extractor.toml

The files are checked on the way, all mistakes at once: unknown keys, entries without a reason, names listed twice,
names that are allowed and refused. tools/derive_policy.py reads the policies through load_policy() too, so that what is
checked against the interpreter is what is built in.
"""

import argparse
import dataclasses
import os
import re
import sys
import tomllib

LIST_TABLES = {  # array of tables in the file -> (field of Policy, may it say what to use instead?)
    "refused_module": ("refused_modules", True),
    "builtin": ("builtins", False),
    "refused_builtin": ("refused_builtins", True),
    "readable_special": ("readable_special", False),
    "definable_special": ("definable_special", False),
    "private_name": ("private_names", False),
    "introspection": ("introspection", True),
    "file_operation": ("file_operations", True),
    "grant": ("grants", False),
}
GRANTS = {"any_python", "python_folders", "repository", "own_folders"}  # as in src/model/policy.h
LIMITS = ("source_bytes", "bracket_depth", "tree_depth")
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
DOTTED_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*\Z")


@dataclasses.dataclass
class Surface:
    """What may be read of one module, package or class."""
    name: str
    why: str
    groups: list  # of (sorted names, why)
    refused: dict  # name -> (why, instead)

    @property
    def attributes(self):
        return sorted(name for names, _ in self.groups for name in names)


@dataclasses.dataclass
class Policy:
    """One file of policies/, checked."""
    name: str
    summary: str
    modules: dict  # name -> Surface
    packages: dict
    classes: dict
    lists: dict  # field of src/model/policy.h -> {name: (why, instead)}
    limits: dict


class Mistakes(Exception):
    """Every mistake of one file, each a line."""


class Reader:
    """Reads one policy and collects what is wrong with it."""

    def __init__(self, file, data):
        self.file, self.data, self.mistakes = file, data, []

    def wrong(self, where, what):
        self.mistakes.append(f"{self.file}: {where}: {what}")

    def only_keys(self, where, table, keys):
        for key in table:
            if key not in keys:
                self.wrong(where, f"unknown key '{key}'; expected {', '.join(keys)}")

    def text(self, where, table, key, required=True):
        value = table.get(key, "")
        if not isinstance(value, str):
            self.wrong(where, f"'{key}' must be text")
            return ""
        if required and not value.strip():
            self.wrong(where, f"'{key}' is missing or empty: every entry has its reason")
        if not value.isprintable():
            self.wrong(where, f"'{key}' must be one line of printable text")
        return value

    def names(self, where, table, pattern):
        names = table.get("names")
        if not isinstance(names, list) or not names:
            self.wrong(where, "'names' must be a list of at least one name")
            return []
        good = []
        for name in names:
            if isinstance(name, str) and pattern.match(name):
                good.append(name)
            else:
                self.wrong(where, f"{name!r} is not a name")
        return good

    def tables(self, where, parent, key):
        tables = parent.get(key, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            self.wrong(where, f"'{key}' must be written as [[{key}]]")
            return []
        return tables

    def entries(self, where, tables, pattern, with_instead):
        """{name: (why, instead)} of tables that each have names, a reason and perhaps an alternative."""
        found = {}
        for number, table in enumerate(tables, 1):
            place = where if len(tables) == 1 else f"{where} #{number}"
            self.only_keys(place, table, ("names", "why") + (("instead",) if with_instead else ()))
            why = self.text(place, table, "why")
            instead = self.text(place, table, "instead", required=False)
            for name in self.names(place, table, pattern):
                if name in found:
                    self.wrong(place, f"'{name}' is listed twice")
                found[name] = (why, instead)
        return found

    def surface(self, where, name, table):
        allowed, groups = {}, []
        for number, group in enumerate(self.tables(where, table, "allow"), 1):
            entries = self.entries(f"{where}.allow #{number}", [group], NAME, with_instead=False)
            for name in sorted(set(allowed) & set(entries)):
                self.wrong(f"{where}.allow #{number}", f"'{name}' is listed twice")
            allowed |= entries
            groups.append((sorted(entries), group.get("why")))
        refused = self.entries(f"{where}.refuse", self.tables(where, table, "refuse"), NAME, with_instead=True)
        if not allowed:
            self.wrong(where, "nothing is allowed: remove it, or refuse the module")
        self.disjoint(where, allowed, refused)
        return Surface(name, self.text(where, table, "why"), groups, refused)

    def disjoint(self, where, allowed, refused):
        for name in sorted(set(allowed) & set(refused)):
            self.wrong(where, f"'{name}' is both allowed and refused")

    def surfaces(self, key):
        found = {}
        tables = self.data.get(key, {})
        if not isinstance(tables, dict):
            self.wrong(key, f"must be written as [{key}.NAME]")
            return found
        for name, table in tables.items():
            where = f"{key}.{name}"
            if not DOTTED_NAME.match(name):
                self.wrong(where, "is not the name of a module")
            if not isinstance(table, dict):
                self.wrong(where, "must be a table")
                continue
            self.only_keys(where, table, ("why", "allow", "refuse"))
            found[name] = self.surface(where, name, table)
        return found

    def classes(self):
        found = {}
        for number, table in enumerate(self.tables("class", self.data, "class"), 1):
            where = f"class #{number}"
            self.only_keys(where, table, ("names", "why", "allow", "refuse"))
            for name in self.names(where, table, DOTTED_NAME):
                if name in found:
                    self.wrong(where, f"'{name}' is listed twice")
                found[name] = self.surface(where, name, table)
        return found

    def limits(self):
        table = self.data.get("limits", {})
        self.only_keys("limits", table, LIMITS)
        for key in LIMITS:
            value = table.get(key)
            if type(value) is not int or not 0 < value < 2**32:
                self.wrong("limits", f"'{key}' must be a whole number above 0")
        return table

    def policy(self):
        self.only_keys("top level", self.data,
                       ("name", "summary", "limits", "modules", "packages", "class", *LIST_TABLES))
        lists = {field: self.entries(table, self.tables(table, self.data, table), DOTTED_NAME, with_instead)
                 for table, (field, with_instead) in LIST_TABLES.items()}
        policy = Policy(self.text("top level", self.data, "name"), self.text("top level", self.data, "summary"),
                        self.surfaces("modules"), self.surfaces("packages"), self.classes(), lists, self.limits())
        for grant in sorted(set(lists["grants"]) - GRANTS):
            self.wrong("grant", f"there is no grant '{grant}'; expected {', '.join(sorted(GRANTS))}")
        if "any_python" in lists["grants"] and (policy.modules or any(lists[field] for field in lists if field != "grants")):
            self.wrong("grant", "'any_python' leaves nothing for the other lists to say")
        self.disjoint("modules", policy.modules, lists["refused_modules"])
        self.disjoint("builtin", lists["builtins"], lists["refused_builtins"])
        for package in policy.packages:
            if package in policy.modules:
                self.wrong(f"packages.{package}", "is importable as a module already")
            if not any(module.startswith(package + ".") for module in policy.modules):
                self.wrong(f"packages.{package}", "no listed module is inside it")
        for name in policy.classes:
            module, _, attribute = name.rpartition(".")
            if module not in policy.modules or attribute not in policy.modules[module].attributes:
                self.wrong("class", f"'{name}' is not an allowed attribute of a listed module")
        if os.path.basename(self.file) != policy.name + ".toml":
            self.wrong("top level", f"'name' is '{policy.name}' and the file is called otherwise")
        if self.mistakes:
            raise Mistakes("\n".join(self.mistakes))
        return policy


def parse_policy(text, file):
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise Mistakes(f"{file}: {error}") from None
    return Reader(file, data).policy()


def load_policy(file):
    try:
        with open(file, encoding="utf-8") as stream:
            text = stream.read()
    except (OSError, UnicodeDecodeError) as error:
        raise Mistakes(f"{file}: {error}") from None
    return parse_policy(text, file)


# ---- C++ ------------------------------------------------------------------------------------------------------------

HEAD = """\
// Made from policies/*.toml by tools/embed_policies.py when the program is built. Edit the TOML.
//
// The tables are constants that the compiler only has to lay down; they become vectors once, at the first question.
#include <array>
#include <span>
#include <string_view>

#include "model/policy.h"

namespace airlock {

namespace {

using Names = std::span<const char* const>;

struct EntryRow {
  const char* name;
  const char* why;
  const char* instead;
};

struct GroupRow {
  Names names;
  const char* why;
};

struct SurfaceRow {
  const char* name;
  const char* why;
  Names attributes;
  std::span<const EntryRow> refused;
  std::span<const GroupRow> groups;
};

struct PolicyRow {
  const char* name;
  const char* summary;
  std::span<const SurfaceRow> modules;
  std::span<const SurfaceRow> packages;
  std::span<const EntryRow> refused_modules;
  std::span<const SurfaceRow> classes;
  std::span<const EntryRow> builtins;
  std::span<const EntryRow> refused_builtins;
  std::span<const EntryRow> readable_special;
  std::span<const EntryRow> definable_special;
  std::span<const EntryRow> private_names;
  std::span<const EntryRow> introspection;
  std::span<const EntryRow> file_operations;
  std::span<const EntryRow> grants;
  VetLimits limits;
};
"""

TAIL = """
std::vector<std::string> strings(Names names) {
  return {names.begin(), names.end()};
}

std::vector<Permit> permits(std::span<const EntryRow> rows) {
  std::vector<Permit> made;
  made.reserve(rows.size());
  for (const EntryRow& row : rows) made.push_back({row.name, row.why});
  return made;
}

std::vector<Refusal> refusals(std::span<const EntryRow> rows) {
  std::vector<Refusal> made;
  made.reserve(rows.size());
  for (const EntryRow& row : rows) made.push_back({row.name, row.why, row.instead});
  return made;
}

std::vector<Surface> surfaces(std::span<const SurfaceRow> rows) {
  std::vector<Surface> made;
  made.reserve(rows.size());
  for (const SurfaceRow& row : rows) {
    Surface& surface = made.emplace_back();
    surface.name = row.name;
    surface.why = row.why;
    surface.attributes = strings(row.attributes);
    surface.refused = refusals(row.refused);
    for (const GroupRow& group : row.groups) surface.groups.push_back({strings(group.names), group.why});
  }
  return made;
}

Policy policy(const PolicyRow& row) {
  Policy made;
  made.name = row.name;
  made.summary = row.summary;
  made.modules = surfaces(row.modules);
  made.packages = surfaces(row.packages);
  made.refused_modules = refusals(row.refused_modules);
  made.classes = surfaces(row.classes);
  made.builtins = permits(row.builtins);
  made.refused_builtins = refusals(row.refused_builtins);
  made.readable_special = permits(row.readable_special);
  made.definable_special = permits(row.definable_special);
  made.private_names = permits(row.private_names);
  made.introspection = refusals(row.introspection);
  made.file_operations = refusals(row.file_operations);
  made.grants = permits(row.grants);
  made.limits = row.limits;
  return made;
}

std::vector<Policy> all_policies() {
  std::vector<Policy> made;
  for (const PolicyRow& row : kPolicies) made.push_back(policy(row));
  return made;
}

}  // namespace

std::span<const Policy> builtin_policies() {
  static const std::vector<Policy> kBuiltIn = all_policies();
  return kBuiltIn;
}

const Policy* find_builtin_policy(std::string_view name) {
  for (const Policy& policy : builtin_policies()) {
    if (policy.name == name) return &policy;
  }
  return nullptr;
}

}  // namespace airlock
"""


def quote(text):
    """A C++ literal. Bytes beyond ASCII are octal escapes, which end after three digits whatever follows."""
    out = []
    for byte in text.encode("utf-8"):
        char = chr(byte)
        out.append("\\" + char if char in '"\\' else char if 32 <= byte < 127 else f"\\{byte:03o}")
    return '"' + "".join(out) + '"'


class Tables:
    """Writes constants and answers with their names; an empty table needs none."""

    def __init__(self):
        self.lines, self.count = [], 0

    def table(self, kind, rows):
        if not rows:
            return "{}"
        self.count += 1
        name = f"k{kind}{self.count}"
        type_name = "const char*" if kind == "Names" else f"{kind}Row"
        self.lines.append(f"\nconstexpr {type_name} {'const ' if kind == 'Names' else ''}{name}[] = {{")
        self.lines += [f"    {row}," for row in rows]
        self.lines.append("};")
        return name

    def names(self, names):
        return self.table("Names", [quote(name) for name in sorted(names)])

    def entries(self, entries):
        return self.table("Entry", [f"{{{quote(name)}, {quote(why)}, {quote(instead)}}}"
                                    for name, (why, instead) in sorted(entries.items())])

    def surface(self, surface):
        groups = self.table("Group", [f"{{{self.names(names)}, {quote(why)}}}" for names, why in surface.groups])
        return (f"{{{quote(surface.name)}, {quote(surface.why)}, {self.names(surface.attributes)}, "
                f"{self.entries(surface.refused)}, {groups}}}")

    def surfaces(self, surfaces):
        return self.table("Surface", [self.surface(surface) for _, surface in sorted(surfaces.items())])

    def policy(self, policy):
        lists = {field: self.entries(entries) for field, entries in policy.lists.items()}
        parts = [quote(policy.name), quote(policy.summary), self.surfaces(policy.modules),
                 self.surfaces(policy.packages), lists["refused_modules"], self.surfaces(policy.classes)]
        parts += [lists[field] for field, _ in LIST_TABLES.values() if field != "refused_modules"]
        parts.append("{" + ", ".join(f".{key} = {policy.limits[key]}" for key in LIMITS) + "}")
        return "{" + ", ".join(parts) + "}"


def generated(policies):
    tables = Tables()
    rows = [tables.policy(policy) for policy in policies]
    tables.lines.append("\nconstexpr PolicyRow kPolicies[] = {")
    tables.lines += [f"    {row}," for row in rows] + ["};"]
    return HEAD + "\n".join(tables.lines) + "\n" + TAIL


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", required=True, metavar="FILE", help="the C++ file to write")
    parser.add_argument("policies", nargs="+", metavar="TOML")
    arguments = parser.parse_args()
    policies, mistakes = [], []
    for file in arguments.policies:
        try:
            policies.append(load_policy(file))
        except Mistakes as error:
            mistakes.append(str(error))
    if mistakes:
        print("\n".join(mistakes), file=sys.stderr)
        return 1
    folder = os.path.dirname(arguments.output)
    if folder:
        os.makedirs(folder, exist_ok=True)
    # Written beside it and moved, so that a build that is stopped leaves no half a file.
    with open(arguments.output + ".new", "w", encoding="utf-8") as stream:
        stream.write(generated(policies))
    os.replace(arguments.output + ".new", arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
