#!/usr/bin/env python3
"""Writes src/wire/identity.h's one value: a hash over the files that say what airlock and airlock-host send to each other.

    tools/identify_wire.py build/generated/wire_identity.cc src/wire/*.h src/wire/*.cc src/model/*.h
"""
import hashlib
import os
import pathlib
import sys


def main():
    target, *files = map(pathlib.Path, sys.argv[1:])
    digest = hashlib.sha256()
    for file in sorted(files, key=lambda one: one.name):
        digest.update(file.name.encode() + b"\0" + file.read_bytes() + b"\0")
    text = ('#include "wire/identity.h"\n\nnamespace airlock::wire {\n\nstd::string_view identity() {\n'
            f'  return "{digest.hexdigest()[:16]}";\n}}\n\n}}  // namespace airlock::wire\n')
    target.parent.mkdir(parents=True, exist_ok=True)
    new = target.with_suffix(".new")
    new.write_text("// Made by tools/identify_wire.py when the program is built.\n" + text, encoding="utf-8")
    os.replace(new, target)


if __name__ == "__main__":
    main()
