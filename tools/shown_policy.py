"""A built-in policy as `airlock policy show NAME --format json` prints it: what is looked at is what is in the program."""

import dataclasses
import json
import pathlib
import subprocess

AIRLOCK = pathlib.Path(__file__).resolve().parents[1] / "build" / "airlock"
# The fields of src/model/policy.h that are lists of names, each with its reason.
LISTS = ("grants", "refused_modules", "builtins", "refused_builtins", "readable_special", "definable_special", "private_names",
         "introspection", "file_operations")


@dataclasses.dataclass
class Surface:
    name: str
    groups: list  # of (names, why)
    refused: dict  # name -> (why, instead)

    @property
    def attributes(self):
        return sorted(name for names, _ in self.groups for name in names)


@dataclasses.dataclass
class Policy:
    name: str
    modules: dict  # name -> Surface
    packages: dict
    classes: dict
    lists: dict  # one of LISTS -> {name: (why, instead)}


def entries(rows):
    return {row["name"]: (row["why"], row.get("instead") or "") for row in rows}


def surfaces(rows):
    return {row["name"]: Surface(row["name"], [(group["names"], group["why"]) for group in row["groups"]], entries(row["refused"]))
            for row in rows}


def from_document(document):
    return Policy(document["name"], surfaces(document["modules"]), surfaces(document["packages"]), surfaces(document["classes"]),
                  {field: entries(document[field]) for field in LISTS})


def document(name, airlock=AIRLOCK):
    shown = subprocess.run([str(airlock), "policy", "show", name, "--format", "json"], capture_output=True, text=True, check=True)
    return json.loads(shown.stdout)


def load(name, airlock=AIRLOCK):
    return from_document(document(name, airlock))
