#include "python/guest_code.h"
// After Python.h, which it needs.
#include <marshal.h>

#include <algorithm>
#include <chrono>
#include <initializer_list>
#include <new>
#include <utility>

#include "python/facade.h"
#include "python/library.h"
#include "python/ref.h"
#include "python/restrict_interpreter.h"
#include "python/sink.h"
#include "python/value_writer.h"
#include "python/warm_up.h"

namespace airlock::python {

namespace {

constexpr const char* kModuleName = "extractor";
// Of an exception's text; and frames of a traceback.
constexpr std::size_t kMaxErrorBytes = 4096;
constexpr std::size_t kMaxTrace = 20;
// Given back when memory has run out, so that saying so does not need any that is not there.
constexpr std::size_t kReserve = 4 * 1024 * 1024;

// Uses what most extractors use: strings, dicts, exceptions, recursion, classes, and of modules
// those that are loaded. Its result is of no interest.
constexpr const char* kTouch = R"(
re, pathlib, datetime = loaded.get('re'), loaded.get('pathlib'), loaded.get('datetime')
def work(path, deep=3):
    parts = [p for p in path.split('/') if p]
    found = {'name': parts[-1], 'n': len(parts), 'year': int(parts[1]), 'f': 1.5}
    try:
        found['missing']
    except KeyError as error:
        found['error'] = f'{error!s:>10} {deep:03d}'
    if deep:
        found.update(work('/b/2024/' + path.upper().lower().strip('/'), deep - 1))
    return dict(sorted(found.items()))
class Thing:
    def __init__(self, path): self.path = path
    def __repr__(self): return '%s' % self.path
work(repr(Thing('/a/2023/c.csv')))
if re:
    for text in (r'^/(?:warm|cold)/([^/]+)/(\d{4})[-_](\d{2})(?:\.(csv|json))?$', r'(?i)\bv(\d+(?:\.\d+)*)\b|Q([1-4])',
                 r'(?P<year>20\d{2})[-_]?(?P<month>0[1-9]|1[0-2])'):
        found = re.compile(text).search('/warm/abc/2024-12.csv v1.2')
        found and (found.groups(), found.groupdict(), found.start())
    [one['year'] for one in re.finditer(r'(?P<year>\d{4})', '2023/2024')], re.match('a', 'b'), re.sub('[-_]+', ' ', 'a_b-c', flags=re.IGNORECASE)
if pathlib:
    place = pathlib.PurePosixPath('/warm/a_2024/b.tar.gz')
    place.name, place.stem, place.suffix, place.suffixes, place.parts, place.parent.name, str(place), [p.name for p in place.parents]
if datetime:
    day = datetime.date(2024, 2, 29)
    day.isoformat(), day.month % 12, (day - datetime.timedelta(days=1)).year
    try:
        datetime.date(2024, 13, 1)
    except ValueError:
        pass
)";

// Cut between characters: not before a continuation byte of UTF-8 (10xxxxxx).
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
  Ref make_answer;               // of a probe: makes the function to call from the module
  Ref touch;                     // compiled; see touch()
  Ref touched;                   // what it uses: modules by name
  bool has_just_loaded = false;  // what was printed meanwhile belongs to the first call
  os::SharedNotes* notes = nullptr;
  Sink* output = nullptr;
  Sink* error_output = nullptr;
  std::unique_ptr<char[]> reserve;
};

namespace {

// The guest's import statement. The list is the scan's own; a module that is listed was loaded
// before the walls went up.
PyObject* guarded_import(PyObject* capsule, PyObject* arguments, PyObject* keywords) {
  // A built-in function is called with its `self` in front; ours is a capsule around the Facades.
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

// What str() of the exception says, as valid UTF-8 of bounded length, whatever the guest does.
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
  // Lone surrogates have no UTF-8.
  const Ref escaped(PyUnicode_AsEncodedString(text.get(), "utf-8", "backslashreplace"));
  if (!escaped) {
    PyErr_Clear();
    return "(its text is not Unicode)";
  }
  return bounded(
      {PyBytes_AS_STRING(escaped.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(escaped.get()))},
      kMaxErrorBytes);
}

// From the outermost frame inwards; the last guest frame is the line that is shown.
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

// The policy's builtins and its import function.
Result<Ref> listed_builtins(const Policy& policy, const Facades& facades) {
  PyObject* real = PyEval_GetBuiltins();
  Ref builtins(PyDict_New());
  for (const Permit& row : policy.builtins) {
    PyObject* value = PyDict_GetItemString(real, row.name.c_str());
    if (value != nullptr) PyDict_SetItemString(builtins.get(), row.name.c_str(), value);
  }
  // What the class and import statements call; the scan refuses them by name.
  // The interpreter looks both up in __builtins__ by these names.
  PyDict_SetItemString(builtins.get(), "__build_class__",
                       PyDict_GetItemString(real, "__build_class__"));
  const Ref capsule(PyCapsule_New(const_cast<Facades*>(&facades), "airlock.facades", nullptr));
  const Ref import(PyCFunction_New(&kImportMethod, capsule.get()));
  PyDict_SetItemString(builtins.get(), "__import__", import.get());
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return fail("make the guest's builtins");
  }
  return builtins;
}

}  // namespace

namespace {

// New, or null.
PyObject* attribute_of(const char* module, const char* name) {
  const Ref loaded(PyImport_ImportModule(module));
  PyObject* found = loaded ? PyObject_GetAttrString(loaded.get(), name) : nullptr;
  PyErr_Clear();
  return found;
}

// Those that are loaded now.
Ref loaded_of(std::initializer_list<const char*> names) {
  Ref found(PyDict_New());
  for (const char* name : names) {
    PyObject* module = PyDict_GetItemString(PyImport_GetModuleDict(), name);  // borrowed
    if (found && module != nullptr) PyDict_SetItemString(found.get(), name, module);
  }
  return found;
}

}  // namespace

Result<std::unique_ptr<GuestCode>> GuestCode::prepare(const Policy& policy,
                                                      const std::string& place) {
  TRY(warm_up(policy, place));
  auto state = std::make_unique<State>();
  state->output = Sink::install("stdout");
  state->error_output = Sink::install("stderr");
  if (state->output == nullptr || state->error_output == nullptr)
    return fail("make the guest's output streams");
  // input() then says that there is no standard input.
  PySys_SetObject("stdin", Py_None);  // descriptor 0 is the cell's own socket
  if (policy.has_grant(kRepository)) {
    TRY(load_library());
    state->make_answer = Ref(attribute_of("airlock._answer", "make"));
    if (!state->make_answer) return fail("find the inside end of gather");
  }
  if (policy.has_grant(kAnyPython)) {
    state->builtins = Ref(Py_NewRef(PyEval_GetBuiltins()));
  } else {
    auto facades = TRY(Facades::make(policy));
    state->facades = std::move(facades);
    auto builtins = TRY(listed_builtins(policy, state->facades));
    state->builtins = std::move(builtins);
  }
  state->touch = Ref(Py_CompileString(kTouch, "<airlock>", Py_file_input));
  state->touched = loaded_of({"re", "pathlib", "datetime"});
  if (!state->touch || !state->touched) {
    PyErr_Clear();
    return fail("compile what warms a cell");
  }
  // What is alive now stays; a collection in a cell would only copy shared pages. Collecting first
  // would take longer than what it frees is worth.
  // gc.freeze() puts all objects aside for good, so that no collection writes to their headers and
  // forked cells go on sharing the zygote's pages. Both functions are fetched first, because
  // remove_ungranted() takes gc away.
  const Ref freeze(attribute_of("gc", "freeze"));
  const Ref enable(attribute_of("gc", "enable"));
  if (!policy.has_grant(kAnyPython))
    TRY(remove_ungranted(policy, state->facades, state->builtins.get()));
  for (const Ref* step : {&freeze, &enable}) const Ref done(PyObject_CallNoArgs(step->get()));
  return std::unique_ptr<GuestCode>(new GuestCode(std::move(state)));
}

namespace {

template <typename State>
void begin_output(State& state, const RunLimits& limits) {
  state.output->begin(limits.output_bytes);
  state.error_output->begin(limits.output_bytes);
  if (state.notes == nullptr) return;
  state.notes->clear_text(os::SharedNotes::Stream::kOutput);
  state.notes->clear_text(os::SharedNotes::Stream::kError);
}

// Runs `work` between clearing and collecting everything that an outcome holds.
template <typename State, typename Work>
GuestOutcome observe(State& state, const RunLimits& limits, Work&& work) {
  // Taken again if it was given back; without it we go on, and may fail to say why memory ran out.
  if (state.reserve == nullptr) state.reserve.reset(new (std::nothrow) char[kReserve]);
  if (!std::exchange(state.has_just_loaded, false)) begin_output(state, limits);
  const auto start = std::chrono::steady_clock::now();
  GuestOutcome outcome;
  try {
    outcome = work();
  } catch (const std::bad_alloc&) {  // ours: there was no room for what the guest returned
    state.reserve.reset();
    PyErr_NoMemory();
  }
  if (PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_MemoryError) != 0) state.reserve.reset();
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    // All three are ours from here on; normalizing makes an instance of what may be a bare type.
    PyErr_Fetch(&type, &value, &trace);
    PyErr_NormalizeException(&type, &value, &trace);
    const Ref type_ref(type), value_ref(value), trace_ref(trace);
    std::string_view name =
        type != nullptr ? reinterpret_cast<PyTypeObject*>(type)->tp_name : "SystemError";
    // tp_name of a class from C has its module in front: "json.JSONDecodeError".
    name = name.substr(name.rfind('.') + 1);
    outcome = failure(bounded(name, 80), value != nullptr ? exception_text(value) : "");
    // CPython raises it without words.
    if (name == "MemoryError" && outcome.error.empty()) {
      outcome.error =
          "Memory limit of " + std::to_string(limits.memory_bytes / 1000000) + " MB reached";
    }
    add_trace(outcome, trace, state.filename.get());
  }
  const auto took = std::chrono::steady_clock::now() - start;
  outcome.microseconds = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  if (state.has_just_loaded) return outcome;
  outcome.output_was_cut = state.output->was_cut() || state.error_output->was_cut();
  outcome.output = state.output->take();
  outcome.error_output = state.error_output->take();
  return outcome;
}

}  // namespace

void GuestCode::keep_copies(os::SharedNotes* notes) {
  using Stream = os::SharedNotes::Stream;
  state_->notes = notes;
  state_->output->keep_copy([=](std::string_view text) { notes->add_text(Stream::kOutput, text); });
  state_->error_output->keep_copy(
      [=](std::string_view text) { notes->add_text(Stream::kError, text); });
}

void GuestCode::stream_output(const Printed& printed) {
  state_->output->stream_to(
      [=](std::string_view text) { return printed(OutputStream::kOutput, text); });
  state_->error_output->stream_to(
      [=](std::string_view text) { return printed(OutputStream::kError, text); });
}

void GuestCode::touch() {
  const Ref globals(PyDict_New());
  PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins());
  PyDict_SetItemString(globals.get(), "loaded", state_->touched.get());
  const Ref done(PyEval_EvalCode(state_->touch.get(), globals.get(), globals.get()));
  PyErr_Clear();
}

// A success leaves what was printed where it is (has_just_loaded), for the first call to report.
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
    // PyModule_New sets them to None; library code that finds them would expect an importer.
    for (const char* name : {"__spec__", "__loader__", "__package__"})
      PyDict_DelItemString(globals, name);
    PyDict_SetItemString(PyImport_GetModuleDict(), kModuleName, state_->module.get());
    const Ref done(PyEval_EvalCode(code.get(), globals, globals));
    if (!done) return {};
    if (state_->make_answer) {
      state_->extract = Ref(PyObject_CallOneArg(state_->make_answer.get(), state_->module.get()));
      GuestOutcome outcome;
      outcome.success = state_->has_just_loaded = static_cast<bool>(state_->extract);
      return outcome;
    }
    PyObject* extract = PyDict_GetItemString(globals, "extract");
    if (extract == nullptr) return failure("DefinitionError", "extract function not defined");
    if (PyCallable_Check(extract) == 0)
      return failure("DefinitionError", "extract is not a function");
    Py_INCREF(extract);
    state_->extract = Ref(extract);
    GuestOutcome outcome;
    outcome.success = state_->has_just_loaded = true;
    return outcome;
  });
}

GuestOutcome GuestCode::call(std::string_view path, const RunLimits& limits) {
  return observe(*state_, limits, [&]() -> GuestOutcome {
    // As os.fsdecode(): a name of a file may be any bytes.
    const Ref argument(
        PyUnicode_DecodeUTF8(path.data(), static_cast<Py_ssize_t>(path.size()), "surrogateescape"));
    if (!argument) return {};
    const Ref result(PyObject_CallOneArg(state_->extract.get(), argument.get()));
    // An exception is set; observe() turns it into the outcome.
    if (!result) return {};
    if (!PyDict_Check(result.get())) {
      std::string_view name = Py_TYPE(result.get())->tp_name;
      return failure("TypeError", "extract() returned " +
                                      bounded(name.substr(name.rfind('.') + 1), 80) +
                                      ", expected dict");
    }
    const ValueLimits value_limits{limits.result_bytes, static_cast<int>(limits.result_depth), 1024,
                                   !state_->make_answer};
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
