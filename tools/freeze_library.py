#!/usr/bin/env python3
"""Makes the standard library that airlock-host carries: every module of it compiled, and native modules as they are, in one file of bytes,
with a table of what stands where (src/python/frozen_library.h).

    tools/freeze_library.py --bytes build/generated/frozen_library.bin --table build/generated/frozen_library.cc
    tools/freeze_library.py --list          what is carried, what is left to the host's Python, and why

It must be run by the interpreter that the host is linked with: compiled code is of one version. The same files make the same hash, whoever
makes it and when: the hash is of sources and native modules, not of what compiling made of them.
"""
import argparse
import hashlib
import marshal
import os
import pathlib
import struct
import sys
import sysconfig

import _imp

# Folders and modules of the library that are not carried. Where the host has the same Python they are found there.
LEFT_OUT = {
    "__hello__ __phello__": "samples of frozen modules",
    "_aix_support _osx_support nturl2path": "of other systems",
    "_bootsubprocess": "builds CPython itself",
    "antigravity": "opens a browser",
    "config-3.11-x86_64-linux-gnu": "for those who link with Python",
    "dist-packages": "installed packages, not the library",
    "distutils _distutils_system_mod": "builds packages with a compiler; deprecated",
    "ensurepip venv": "install packages",
    "idlelib turtledemo": "programs with windows",
    "lib2to3": "reads its grammar from files; deprecated",
    "lib-dynload": "native modules: a table of their own below",
    "pydoc_data": "the manual of help()",
    "sitecustomize": "belongs to the host's configuration",
    "test": "tests of Python itself",
    "tkinter turtle": "windows, through libtk",
}
# The same for native modules that need no library but the C library's own. Those that need more say so themselves.
NATIVE_LEFT_OUT = {
    "_ctypes_test _testbuffer _testcapi _testclinic _testimportmultiple _testinternalcapi _testmultiphase _xxtestfuzz":
        "tests of Python itself",
    "_xxsubinterpreters": "for tests of Python itself; no name of its own in the library",
    "ossaudiodev": "a sound device of other systems",
    "xxlimited xxlimited_35": "samples of native modules",
}
C_LIBRARY = {"libc.so.6", "libm.so.6"}
TEST_FOLDERS = {"test", "tests", "idle_test"}


def reasons(table):
    return {name: why for names, why in table.items() for name in names.split()}


def library_files(folder):
    """(module's name, file, whether it is a package), in the order of names."""
    left_out = reasons(LEFT_OUT)
    built_in = set(_imp._frozen_module_names())  # CPython's own frozen modules start faster than what is made here
    found = []
    for file in folder.rglob("*.py"):
        parts = file.relative_to(folder).with_suffix("").parts
        if parts[0] in left_out or TEST_FOLDERS & set(parts[:-1]) or "__pycache__" in parts:
            continue
        is_package = parts[-1] == "__init__"
        name = ".".join(parts[:-1] if is_package else parts)
        if name not in built_in:
            found.append((name, file, is_package))
    return sorted(found)


def needed_libraries(data):
    """The names in DT_NEEDED of a 64-bit ELF file."""
    section_table, = struct.unpack_from("<Q", data, 0x28)
    size, count = struct.unpack_from("<HH", data, 0x3A)
    sections = [struct.unpack_from("<IIQQQQIIQQ", data, section_table + i * size) for i in range(count)]
    names = []
    for section in sections:
        if section[1] != 6:  # SHT_DYNAMIC
            continue
        texts = sections[section[6]][4]
        for at in range(section[4], section[4] + section[5], 16):
            tag, value = struct.unpack_from("<QQ", data, at)
            if tag == 1:  # DT_NEEDED
                start = texts + value
                names.append(data[start:data.index(b"\0", start)].decode())
    return names


def native_files(folder):
    """(name, bytes, the libraries that it needs beyond the C library's)."""
    left_out = reasons(NATIVE_LEFT_OUT)
    for file in sorted((folder / "lib-dynload").glob("*.so")):
        name = file.name.partition(".")[0]
        if name not in left_out:
            data = file.read_bytes()
            yield name, data, [one for one in needed_libraries(data) if one not in C_LIBRARY]


class Bytes:
    """The file of bytes: each piece at a multiple of sixteen."""

    def __init__(self):
        self.data = bytearray()

    def add(self, piece):
        self.data += bytes(-len(self.data) % 16)
        at = len(self.data)
        self.data += piece
        return at


class Library:
    def __init__(self, folder):
        self.folder = folder
        self.bytes = Bytes()
        self.frozen, self.native, self.hosts = [], [], []
        self.hash = hashlib.sha256()
        self.add_hash(sys.version)

    def add_hash(self, *parts):
        for part in parts:
            part = part if isinstance(part, bytes) else part.encode()
            self.hash.update(b"%d:" % len(part) + part)

    def add_module(self, name, file, is_package):
        source = file.read_bytes()
        self.add_hash(name, source)
        # The file's name is the one that tracebacks have always shown; where the host has that file, they show its line as well.
        code = marshal.dumps(compile(source, str(file), "exec", dont_inherit=True, optimize=0))
        self.frozen.append((name, self.bytes.add(code), len(code), is_package))

    def add_native(self, name, data, libraries):
        if libraries:
            self.hosts.append((name, " ".join(libraries)))
            return
        self.add_hash(name, data)
        self.native.append((name, self.bytes.add(data), len(data)))


def read_library():
    folder = pathlib.Path(sysconfig.get_path("stdlib"))
    library = Library(folder)
    for module in library_files(folder):
        library.add_module(*module)
    for module in native_files(folder):
        library.add_native(*module)
    return library


TABLE = """// Made from {folder} by tools/freeze_library.py when the program is built.
#include <Python.h>

#include "python/frozen_library.h"

asm(".pushsection .rodata\\n"
    ".balign 16\\n"
    "airlock_library_bytes:\\n"
    ".incbin \\"{bytes}\\"\\n"
    ".popsection\\n");
extern "C" const unsigned char airlock_library_bytes[];

namespace airlock::python {{

namespace {{

const unsigned char* const at = airlock_library_bytes;

const struct _frozen kFrozen[] = {{
{frozen}
    {{nullptr, nullptr, 0, 0, nullptr}},
}};

const NativeModule kNatives[] = {{
{native}
}};

{starts}

struct _inittab kStarts[] = {{
{start_rows}
    {{nullptr, nullptr}},
}};

constexpr HostModule kHosts[] = {{
{hosts}
}};

}}  // namespace

const struct _frozen* frozen_modules() {{ return kFrozen; }}
std::span<const NativeModule> native_modules() {{ return kNatives; }}
struct _inittab* native_starts() {{ return kStarts; }}
std::span<const HostModule> host_modules() {{ return kHosts; }}
std::string_view library_hash() {{ return "{hash}"; }}
std::string_view library_folder() {{ return "{folder}"; }}

}}  // namespace airlock::python
"""


def table_of(library, bytes_file):
    return TABLE.format(
        folder=library.folder, bytes=bytes_file, hash=library.hash.hexdigest(),
        frozen="\n".join(f'    {{"{name}", airlock_library_bytes + {at}, {size}, {int(is_package)}, nullptr}},' for name, at, size, is_package in library.frozen),
        native="\n".join(f'    {{"{name}", {{at + {place}, {size}}}}},' for name, place, size in library.native),
        starts="\n".join(f"PyObject* start_{name}() {{ return start_native(kNatives[{i}]); }}" for i, (name, _, _) in enumerate(library.native)),
        start_rows="\n".join(f'    {{"{name}", start_{name}}},' for name, _, _ in library.native),
        hosts="\n".join(f'    {{"{name}", "{libraries}"}},' for name, libraries in library.hosts))


def write(path, data):
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_bytes(data)
    os.replace(new, path)


def show(library):
    print(f"{len(library.frozen)} modules and {len(library.native)} native modules, {len(library.bytes.data)} bytes, sha256 {library.hash.hexdigest()}")
    print("native, carried:", *(name for name, _, _ in library.native))
    for name, libraries in library.hosts:
        print(f"native, the host's: {name} needs {libraries}")
    for name, why in sorted((reasons(LEFT_OUT) | reasons(NATIVE_LEFT_OUT)).items()):
        print(f"left out: {name}: {why}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bytes", type=pathlib.Path)
    parser.add_argument("--table", type=pathlib.Path)
    parser.add_argument("--list", action="store_true")
    arguments = parser.parse_args()
    library = read_library()
    if arguments.list:
        show(library)
        return 0
    if not arguments.bytes or not arguments.table:
        parser.error("--bytes and --table, or --list")
    write(arguments.bytes, bytes(library.bytes.data))
    write(arguments.table, table_of(library, arguments.bytes.resolve()).encode())
    return 0


if __name__ == "__main__":
    sys.exit(main())
