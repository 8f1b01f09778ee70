// The standard library that airlock-host carries inside: no file is looked at when a module of it
// is imported, and it runs where no Python is installed. Pure modules are frozen: marshalled code
// in a table that CPython's own FrozenImporter searches. Native modules that need nothing but the C
// library are carried as the shared objects that they are, and started as if they were built in.
// What needs other libraries (_ssl, _sqlite3, _ctypes) is there where the host has the same Python.
// tools/freeze_library.py makes the tables; docs/decisions/0029-frozen-library.md says why.
//
// Not for threads: everything here belongs to the start of a process.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

// CPython's, whose header has its home elsewhere.
struct _frozen;
struct _inittab;
using PyObject = struct _object;

namespace airlock::python {

struct NativeModule {
  const char* name;
  std::span<const unsigned char> bytes;  // a shared object
};

// A native module that is not carried.
struct HostModule {
  const char* name;
  const char* libraries;  // that it needs beyond the C library, with a blank between them
};

// ---- the tables; the first and the third end with an empty row
const struct _frozen* frozen_modules();
std::span<const NativeModule> native_modules();
struct _inittab* native_starts();
std::span<const HostModule> host_modules();
// SHA-256 over all that is carried, as hex: of sources and native modules, so that two builds from
// the same Python have the same.
std::string_view library_hash();
// Where the library was taken from, and where the host has it if it has it: /usr/lib/python3.11.
std::string_view library_folder();

// ---- their use
// Before the interpreter starts, once in a process.
Result<void> carry_library();
// What a built-in module's first function does: a module or its definition, or null with an
// ImportError. Needs /proc, and so has its time before the walls go up.
PyObject* start_native(const NativeModule& module);
// All that are carried and that the host does not have, because behind the walls none of ours can
// be started.
Result<void> load_native_modules();
// From here on what is not carried is looked for in the host's folders as well, if there are any;
// and a native module that is carried too is the host's where it has one: its file can be loaded
// when it is asked for, even behind walls. A native module that is in neither says what it needs.
Result<void> search_host_folders();
// "CPython 3.11.2 (main, …) [GCC 12.2.0], library 5f0c…": what a receipt binds.
std::string interpreter_identity();

}  // namespace airlock::python
