#include "python/guest_code.h"
// After Python.h, which it needs.
#include <marshal.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "python/facade.h"
#include "python/prune.h"
#include "python/sink.h"
#include "python/value_writer.h"

namespace airlock::python {

namespace {

constexpr const char* kModuleName = "extractor";
constexpr std::size_t kMaxErrorBytes = 4096;
constexpr std::size_t kMaxTrace = 20;
// Given back when memory has run out, so that saying so does not need any that is not there.
constexpr std::size_t kReserve = 4 * 1024 * 1024;

// Loaded in the middle of other work; a cell has no files to load them from. With the module whose
// work it is: without that one nobody asks for them. Text can be encoded without any module.
struct LazyModule {
  const char* name;
  const char* needed_by;
};
constexpr const char* kAlways = nullptr;
constexpr LazyModule kLazyModules[] = {{"_strptime", "time"},
                                       {"_strptime", "datetime"},
                                       {"locale", "time"},
                                       {"locale", "datetime"},
                                       {"calendar", "datetime"},
                                       {"heapq", "collections"},
                                       {"encodings.idna", kAlways},
                                       {"encodings.latin_1", kAlways},
                                       {"encodings.ascii", kAlways},
                                       {"encodings.utf_8", kAlways},
                                       {"encodings.utf_16", kAlways},
                                       {"encodings.utf_32", kAlways},
                                       {"encodings.cp1252", kAlways},
                                       {"encodings.hex_codec", kAlways},
                                       {"encodings.base64_codec", kAlways},
                                       {"encodings.rot_13", kAlways},
                                       {"encodings.unicode_escape", kAlways},
                                       {"encodings.raw_unicode_escape", kAlways},
                                       {"encodings.punycode", kAlways},
                                       {"encodings.utf_8_sig", kAlways},
                                       {"encodings.utf_7", kAlways},
                                       {"encodings.iso8859_15", kAlways},
                                       {"encodings.utf_16_le", kAlways},
                                       {"encodings.utf_16_be", kAlways},
                                       {"encodings.cp437", kAlways},
                                       {"traceback", kAlways},
                                       {"linecache", kAlways},
                                       {"stringprep", kAlways},
                                       {"copy", kAlways},
                                       {"decimal", kAlways},
                                       {"quopri", kAlways}};

class Ref {
 public:
  explicit Ref(PyObject* held = nullptr) : object_(held) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  Ref(const Ref&) = delete;
  Ref& operator=(const Ref&) = delete;
  ~Ref() { Py_XDECREF(object_); }
  PyObject* get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  PyObject* object_;
};

std::string bounded(std::string_view text, std::size_t limit) {
  if (text.size() <= limit) return std::string(text);
  std::size_t end = limit;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace

struct GuestCode::State {
  Facades facades;
  Ref builtins;  // the dict that guest code sees as __builtins__
  Ref module;    // the guest's module, in sys.modules: dataclasses look themselves up there
  Ref extract;
  Ref filename{PyUnicode_InternFromString("<extractor>")};
  Sink* output = nullptr;
  Sink* error_output = nullptr;
  std::unique_ptr<char[]> reserve;
};

namespace {

// The guest's import statement. The list is the scan's own; a module that is listed was loaded
// before the walls went up.
PyObject* guarded_import(PyObject* capsule, PyObject* arguments, PyObject* keywords) {
  const auto* facades =
      static_cast<const Facades*>(PyCapsule_GetPointer(capsule, "airlock.facades"));
  PyObject *name = nullptr, *globals = nullptr, *locals = nullptr, *names = nullptr;
  int level = 0;
  static const char* const kNames[] = {"name", "globals", "locals", "fromlist", "level", nullptr};
  if (facades == nullptr || PyArg_ParseTupleAndKeywords(arguments, keywords, "U|OOOi:__import__",
                                                        const_cast<char**>(kNames), &name, &globals,
                                                        &locals, &names, &level) == 0) {
    return nullptr;
  }
  const std::string text(text_of(name));
  if (level != 0) return PyErr_Format(PyExc_ImportError, "Relative imports are not allowed");
  const bool wants_inner = names != nullptr && names != Py_None && PyObject_IsTrue(names) == 1;
  PyObject* face = facades->find(text, wants_inner);
  if (face == nullptr) return PyErr_Format(PyExc_ImportError, "Module '%U' not in whitelist", name);
  Py_INCREF(face);
  return face;
}

PyMethodDef kImportMethod = {
    "__import__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(guarded_import)),
    METH_VARARGS | METH_KEYWORDS, nullptr};

std::string exception_text(PyObject* value) {
  const Ref text(
      PyObject_Str(value));  // the guest's own __str__: it runs in the cell, under the deadline
  if (!text) {
    PyErr_Clear();
    return "(its text could not be had)";
  }
  Py_ssize_t size = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(text.get(), &size)) {
    return bounded({bytes, static_cast<std::size_t>(size)}, kMaxErrorBytes);
  }
  PyErr_Clear();
  const Ref escaped(PyUnicode_AsEncodedString(text.get(), "utf-8", "backslashreplace"));
  if (!escaped) {
    PyErr_Clear();
    return "(its text is not Unicode)";
  }
  return bounded(
      {PyBytes_AS_STRING(escaped.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(escaped.get()))},
      kMaxErrorBytes);
}

void add_trace(GuestOutcome& outcome, PyObject* trace, PyObject* filename) {
  for (auto* at = reinterpret_cast<PyTracebackObject*>(trace); at != nullptr; at = at->tb_next) {
    PyCodeObject* code = PyFrame_GetCode(at->tb_frame);
    const bool is_guest = PyUnicode_Compare(code->co_filename, filename) == 0;
    if (is_guest && at->tb_lineno > 0) {
      outcome.error_line = static_cast<std::uint32_t>(at->tb_lineno);
      outcome.trace.push_back({outcome.error_line, bounded(text_of(code->co_name), 80)});
      // The way in and the place itself matter; a deep recursion in between does not.
      if (outcome.trace.size() > kMaxTrace)
        outcome.trace.erase(outcome.trace.begin() + kMaxTrace / 2);
    }
    Py_DECREF(code);
  }
  PyErr_Clear();
}

GuestOutcome failure(std::string type, std::string message) {
  GuestOutcome outcome;
  outcome.error_type = std::move(type);
  outcome.error = std::move(message);
  return outcome;
}

}  // namespace

GuestCode::GuestCode(std::unique_ptr<State> state) : state_(std::move(state)) {}
GuestCode::~GuestCode() = default;

PyObject* GuestCode::filename() const {
  return state_->filename.get();
}

namespace {

bool is_wanted(const Policy& policy, const char* module) {
  return module == kAlways || std::ranges::any_of(policy.modules, [&](const Surface& surface) {
           return surface.name == module;
         });
}

void import_lazy_parts(const Policy& policy) {
  for (const LazyModule& row : kLazyModules) {
    if (!is_wanted(policy, row.needed_by)) continue;
    const Ref loaded(PyImport_ImportModule(row.name));
    if (!loaded)
      PyErr_Clear();  // not in every build of the interpreter; the guest would see an ImportError
  }
}

// The first use of these fills caches or reads files (the time zone): better here than in a cell.
struct FirstUse {
  const char* module;
  const char* code;
};
constexpr FirstUse kFirstUses[] = {
    {"time", "import time; time.localtime(); time.strptime('2024-01-02', '%Y-%m-%d')"},
    {"datetime",
     "import datetime; datetime.datetime.strptime('01-Jan-2024 10:00:00', '%d-%b-%Y "
     "%H:%M:%S').strftime('%A %B %c'); datetime.datetime.now().astimezone()"},
    {"re",
     "import re; re.compile(r'(?P<a>[a-z]+)[-_]?(\\d{4}|x)*?(?:b|c)$', re.I).sub('', "
     "'abc-2024b')"},
    {"hashlib",
     "import hashlib; hashlib.sha256(b'').hexdigest(), hashlib.md5(b'').hexdigest(), "
     "hashlib.new('sha1').hexdigest(), hashlib.blake2b(b'', digest_size=8).hexdigest(), "
     "hashlib.sha3_256(b'').hexdigest()"},
    {"uuid", "import uuid; uuid.uuid4(), uuid.uuid5(uuid.NAMESPACE_URL, 'a')"},
    {"json", "import json; json.loads(json.dumps({'a': [1, 2.5, None]}))"},
    {"dataclasses",
     "import dataclasses; d = dataclasses.make_dataclass('D', ['a'], order=True); "
     "dataclasses.asdict(d(1)); repr(d(1))"},
    {"enum", "import enum; enum.Enum('E', 'A B')"},
    {"collections", "import collections; collections.namedtuple('N', 'a b')(1, 2)._asdict()"},
    {"typing", "import typing; typing.Optional[typing.Dict[str, int]]"},
    {"pathlib", "import pathlib; pathlib.Path('/a/b.c').suffix"},
    {"base64", "import base64; base64.b64decode('YQ==')"},
    {kAlways,
     "'x'.encode('idna'), 'x'.encode('latin-1'), 'x'.encode('cp1252'), b'x'.decode('utf-16-le', "
     "'ignore')"},
};

void warm_up(const Policy& policy) {
  for (const FirstUse& row : kFirstUses) {
    if (!is_wanted(policy, row.module)) continue;
    const Ref globals(PyDict_New());
    PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins());
    const Ref done(PyRun_String(row.code, Py_file_input, globals.get(), globals.get()));
    PyErr_Clear();
  }
}

}  // namespace

Result<std::unique_ptr<GuestCode>> GuestCode::prepare(const Policy& policy) {
  import_lazy_parts(policy);
  warm_up(policy);
  auto state = std::make_unique<State>();
  auto facades = Facades::make(policy);
  if (!facades) return std::unexpected(std::move(facades).error());
  state->facades = std::move(*facades);

  PyObject* real = PyEval_GetBuiltins();
  state->builtins = Ref(PyDict_New());
  for (const Permit& row : policy.builtins) {
    PyObject* value = PyDict_GetItemString(real, row.name.c_str());
    if (value != nullptr) PyDict_SetItemString(state->builtins.get(), row.name.c_str(), value);
  }
  // What the class and import statements call; the scan refuses them by name.
  PyDict_SetItemString(state->builtins.get(), "__build_class__",
                       PyDict_GetItemString(real, "__build_class__"));
  const Ref capsule(PyCapsule_New(&state->facades, "airlock.facades", nullptr));
  const Ref import(PyCFunction_New(&kImportMethod, capsule.get()));
  PyDict_SetItemString(state->builtins.get(), "__import__", import.get());

  state->output = Sink::install("stdout");
  state->error_output = Sink::install("stderr");
  if (state->output == nullptr || state->error_output == nullptr)
    return fail("make the guest's output streams");
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return fail("make the guest's builtins");
  }
  TRY(prune_types(state->filename.get()));
  // What is alive now stays; a collection in a cell would only copy shared pages.
  const Ref gc(PyImport_ImportModule("gc"));
  for (const char* step : {"collect", "freeze", "enable"}) {
    const Ref done(PyObject_CallMethod(gc.get(), step, nullptr));
  }
  return std::unique_ptr<GuestCode>(new GuestCode(std::move(state)));
}

namespace {

// Runs `work` between clearing and collecting everything that an outcome holds.
template <typename State, typename Work>
GuestOutcome observe(State& state, const RunLimits& limits, Work&& work) {
  if (state.reserve == nullptr) state.reserve.reset(new (std::nothrow) char[kReserve]);
  state.output->begin(limits.output_bytes);
  state.error_output->begin(limits.output_bytes);
  const auto start = std::chrono::steady_clock::now();
  GuestOutcome outcome = work();
  if (PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_MemoryError) != 0) state.reserve.reset();
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    const Ref type_ref(type), value_ref(value), trace_ref(trace);
    std::string_view name =
        type != nullptr ? reinterpret_cast<PyTypeObject*>(type)->tp_name : "SystemError";
    name = name.substr(name.rfind('.') + 1);
    outcome = failure(bounded(name, 80), value != nullptr ? exception_text(value) : "");
    if (name == "MemoryError" && outcome.error.empty()) {
      outcome.error =
          "Memory limit of " + std::to_string(limits.memory_bytes / 1000000) + " MB reached";
    }
    add_trace(outcome, trace, state.filename.get());
  }
  const auto took = std::chrono::steady_clock::now() - start;
  outcome.microseconds = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  outcome.output_was_cut = state.output->was_cut() || state.error_output->was_cut();
  outcome.output = state.output->take();
  outcome.error_output = state.error_output->take();
  return outcome;
}

}  // namespace

GuestOutcome GuestCode::load(std::string_view compiled, const RunLimits& limits) {
  return observe(*state_, limits, [&]() -> GuestOutcome {
    const Ref code(
        PyMarshal_ReadObjectFromString(compiled.data(), static_cast<Py_ssize_t>(compiled.size())));
    if (!code || !PyCode_Check(code.get())) {
      PyErr_Clear();
      return failure("CrashError", "The compiled code could not be read");
    }
    state_->module = Ref(PyModule_New(kModuleName));
    PyObject* globals = PyModule_GetDict(state_->module.get());
    PyDict_SetItemString(globals, "__builtins__", state_->builtins.get());
    for (const char* name : {"__spec__", "__loader__", "__package__"})
      PyDict_DelItemString(globals, name);
    PyDict_SetItemString(PyImport_GetModuleDict(), kModuleName, state_->module.get());
    const Ref done(PyEval_EvalCode(code.get(), globals, globals));
    if (!done) return {};
    PyObject* extract = PyDict_GetItemString(globals, "extract");
    if (extract == nullptr) return failure("DefinitionError", "extract function not defined");
    if (PyCallable_Check(extract) == 0)
      return failure("DefinitionError", "extract is not a function");
    Py_INCREF(extract);
    state_->extract = Ref(extract);
    GuestOutcome outcome;
    outcome.success = true;
    return outcome;
  });
}

GuestOutcome GuestCode::call(std::string_view path, const RunLimits& limits) {
  return observe(*state_, limits, [&]() -> GuestOutcome {
    const Ref argument(
        PyUnicode_DecodeUTF8(path.data(), static_cast<Py_ssize_t>(path.size()), "surrogateescape"));
    if (!argument) return {};
    const Ref result(PyObject_CallOneArg(state_->extract.get(), argument.get()));
    if (!result) return {};
    if (!PyDict_Check(result.get())) {
      std::string_view name = Py_TYPE(result.get())->tp_name;
      return failure("TypeError", "extract() returned " +
                                      bounded(name.substr(name.rfind('.') + 1), 80) +
                                      ", expected dict");
    }
    const ValueLimits value_limits{limits.result_bytes, static_cast<int>(limits.result_depth),
                                   1024};
    auto written = write_value(result.get(), value_limits);
    GuestOutcome outcome;
    if (!written) {
      const bool is_too_large = written.error().kind != ValueProblem::Kind::kNotJson;
      return failure(is_too_large ? "OutputLimitError" : "TypeError",
                     std::move(written.error().message));
    }
    outcome.success = true;
    outcome.value = std::move(*written);
    return outcome;
  });
}

}  // namespace airlock::python
