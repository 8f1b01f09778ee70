#!/usr/bin/env python3
"""Turns src/present/page/assets/* into the C++ table behind assets() (src/present/page/assets.h).

    tools/embed_assets.py --output build/generated/page_assets.cc src/present/page/assets/*
"""
import argparse
import hashlib
import pathlib
import sys

from generated_source import quote, replace_file

TYPES = {".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}


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
    replace_file(arguments.output, "// Made from src/present/page/assets/* by tools/embed_assets.py when the program is built. Edit those.\n"
                 '#include "present/page/assets.h"\n\nnamespace airlock::page {\n\nnamespace {\n\n'
                 "constexpr Asset kAssets[] = {\n" + "\n".join(rows) + "\n};\n\n}  // namespace\n\n"
                 "std::span<const Asset> assets() {\n  return kAssets;\n}\n\n"
                 f'std::string_view asset_version() {{\n  return "{version.hexdigest()[:16]}";\n}}\n\n}}  // namespace airlock::page\n')
    return 0


if __name__ == "__main__":
    sys.exit(main())
