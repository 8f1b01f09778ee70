#!/usr/bin/env python3
"""Turns src/present/page/assets/* into the C++ table behind assets() (src/present/page/assets.h).

    tools/embed_assets.py --output build/generated/page_assets.cc src/present/page/assets/*
"""
import argparse
import hashlib
import os
import pathlib
import sys

TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


def quote(text):
    """A C++ literal, a line of it for each line of the text."""
    lines = []
    for line in text.splitlines():
        out = "".join("\\" + char if char in '"\\' else char if " " <= char <= "~" else
                      "".join(f"\\{byte:03o}" for byte in char.encode()) for char in line)
        lines.append(f'     "{out}\\n"')
    return "\n".join(lines) or '     ""'


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    rows, version = [], hashlib.sha256()
    for path in sorted(arguments.files):
        text = path.read_text(encoding="utf-8")
        version.update(f"{path.name} {len(text)} {text}".encode())
        rows.append(f'    {{"{path.name}", "{TYPES[path.suffix]}",\n{quote(text)}}},')
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    new = arguments.output.with_suffix(".new")
    new.write_text("// Made from src/present/page/assets/* by tools/embed_assets.py when the program is built. Edit those.\n"
                   '#include "present/page/assets.h"\n\nnamespace airlock::page {\n\nnamespace {\n\n'
                   "constexpr Asset kAssets[] = {\n" + "\n".join(rows) + "\n};\n\n}  // namespace\n\n"
                   "std::span<const Asset> assets() {\n  return kAssets;\n}\n\n"
                   f'std::string_view asset_version() {{\n  return "{version.hexdigest()[:16]}";\n}}\n\n}}  // namespace airlock::page\n',
                   encoding="utf-8")
    os.replace(new, arguments.output)
    return 0


if __name__ == "__main__":
    sys.exit(main())
