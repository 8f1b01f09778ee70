#include "python/session_code.h"
// After Python.h, which it needs.
#include <marshal.h>
#include <poll.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cmath>
#include <ctime>
#include <new>
#include <utility>

#include "base/utf8.h"
#include "python/compiled_library.h"
#include "python/ref.h"
#include "python/value_writer.h"

namespace airlock::python {

namespace {

constexpr std::size_t kMostErrorType = 200;
constexpr std::size_t kMostErrorText = 16 * 1024;
constexpr std::size_t kMostTraceback = 64 * 1024;
// Given back when memory has run out, so that saying so does not need any that is not there.
constexpr std::size_t kSessionReserve = 4 * 1024 * 1024;

// Functions of the module _airlock_session have no other way to them. One session in a process.
HostCalls* calls_of_module = nullptr;
PieceLimits limits_of_module;

// "Result['args'][0] is a set, …" as the caller of a function would say it.
std::string about_arguments(const std::string& name, const std::string& message) {
  constexpr std::string_view kPositional = "Result['args'][";
  constexpr std::string_view kNamed = "Result['kwargs'][";
  if (message.starts_with(kPositional)) {
    const std::size_t end = message.find(']', kPositional.size());
    int index = 0;
    std::from_chars(message.data() + kPositional.size(), message.data() + message.size(), index);
    return name + "(): argument " + std::to_string(index + 1) + message.substr(end + 1);
  }
  if (message.starts_with(kNamed)) {
    const std::size_t end = message.find(']', kNamed.size());
    return name + "(): argument " +
           message.substr(kNamed.size(), end == std::string::npos ? end : end - kNamed.size()) +
           (end == std::string::npos ? "" : message.substr(end + 1));
  }
  constexpr std::string_view kWhole = "The result";
  if (message.starts_with(kWhole))
    return name + "(): what it is called with" + message.substr(kWhole.size());
  return name + "(): " + message;
}

PyObject* module_call(PyObject*, PyObject* arguments) {
  const char* name = nullptr;
  PyObject* given = nullptr;
  int is_waiting = 0;
  if (PyArg_ParseTuple(arguments, "sO!p", &name, &PyDict_Type, &given, &is_waiting) == 0)
    return nullptr;
  if (calls_of_module == nullptr) return PyErr_Format(PyExc_RuntimeError, "no session is open");
  const ValueLimits limits{.bytes = limits_of_module.call_bytes,
                           .depth = static_cast<int>(limits_of_module.depth) + 2,
                           .key_bytes = limits_of_module.call_bytes,
                           .has_plain_keys = false};
  const auto text = write_value(given, limits);
  if (!text) {
    const bool is_type = text.error().kind == ValueProblem::Kind::kNotJson;
    const std::string message = about_arguments(name, text.error().message);
    return PyErr_Format(is_type ? PyExc_TypeError : PyExc_ValueError, "%s", message.c_str());
  }
  const auto call = calls_of_module->call(name, *text, is_waiting != 0);
  if (!call) {
    return PyErr_Format(PyExc_RuntimeError,
                        "%s(): host functions can be called while a piece runs, and at most %u "
                        "times in one piece",
                        name, static_cast<unsigned>(limits_of_module.calls));
  }
  return PyLong_FromUnsignedLong(*call);
}

PyObject* text_object(const std::string& text) {
  return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}

constexpr double kMostSeconds = 1e6;

// None when the time was up, or what came was for nobody. One thread at a time.
PyObject* module_receive(PyObject*, PyObject* timeout) {
  std::optional<double> seconds;
  if (timeout != Py_None) {
    seconds = PyFloat_AsDouble(timeout);
    if (PyErr_Occurred() != nullptr) return nullptr;
  }
  if (calls_of_module == nullptr) return PyErr_Format(PyExc_RuntimeError, "no session is open");
  const auto start = std::chrono::steady_clock::now();
  while (!calls_of_module->has_arrived()) {
    double left = kMostSeconds;
    if (seconds) {
      const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - start;
      left = std::clamp(*seconds - gone.count(), 0.0, kMostSeconds);
    }
    calls_of_module->begin_waiting();
    pollfd waiting{calls_of_module->descriptor(), POLLIN, 0};
    int ready = 0;
    Py_BEGIN_ALLOW_THREADS;
    ready = ::poll(&waiting, 1, static_cast<int>(std::ceil(left * 1e3)));
    Py_END_ALLOW_THREADS;
    if (ready < 0 && PyErr_CheckSignals() != 0) return nullptr;
    if (ready == 0 && seconds) {
      calls_of_module->end_waiting();
      Py_RETURN_NONE;
    }
  }
  const HostCalls::Arrived arrived = calls_of_module->take();
  if (arrived.how == HostCalls::Taken::kGone)
    return PyErr_Format(PyExc_SystemExit, "the session is over");
  if (arrived.how == HostCalls::Taken::kForgotten) Py_RETURN_NONE;
  const CallResult& result = arrived.result;
  return Py_BuildValue("IONNN", static_cast<unsigned>(arrived.call),
                       result.success ? Py_True : Py_False, text_object(result.value),
                       text_object(result.error_type), text_object(result.error));
}

PyObject* module_forget(PyObject*, PyObject* number) {
  const unsigned long call = PyLong_AsUnsignedLong(number);
  if (PyErr_Occurred() != nullptr) return nullptr;
  if (calls_of_module != nullptr) calls_of_module->forget(static_cast<std::uint32_t>(call));
  Py_RETURN_NONE;
}

PyObject* module_sleep(PyObject*, PyObject* timeout) {
  const double seconds = PyFloat_AsDouble(timeout);
  if (PyErr_Occurred() != nullptr) return nullptr;
  const double bounded = std::clamp(seconds, 0.0, kMostSeconds);
  timespec left{
      static_cast<time_t>(bounded),
      static_cast<long>((bounded - static_cast<double>(static_cast<time_t>(bounded))) * 1e9)};
  while (true) {
    int slept = 0;
    int why = 0;
    Py_BEGIN_ALLOW_THREADS;
    slept = ::nanosleep(&left, &left);
    why = errno;
    Py_END_ALLOW_THREADS;
    if (slept == 0 || why != EINTR) Py_RETURN_NONE;
    if (PyErr_CheckSignals() != 0) return nullptr;
  }
}

PyMethodDef kSessionFunctions[] = {{"call", module_call, METH_VARARGS, nullptr},
                                   {"receive", module_receive, METH_O, nullptr},
                                   {"forget", module_forget, METH_O, nullptr},
                                   {"sleep", module_sleep, METH_O, nullptr},
                                   {nullptr, nullptr, 0, nullptr}};

PyModuleDef kSessionModule = {PyModuleDef_HEAD_INIT,
                              "_airlock_session",
                              nullptr,
                              -1,
                              kSessionFunctions,
                              nullptr,
                              nullptr,
                              nullptr,
                              nullptr};

PyObject* function_of_pieces(const char* name) {
  PyObject* module = PyImport_AddModule("airlock_session.pieces");  // borrowed
  return module != nullptr ? PyObject_GetAttrString(module, name) : nullptr;
}

std::string text_item(PyObject* tuple, Py_ssize_t index, std::size_t most) {
  PyObject* item = PyTuple_GetItem(tuple, index);
  if (item == nullptr || !PyUnicode_Check(item)) {
    PyErr_Clear();
    return {};
  }
  const Ref bytes(PyUnicode_AsEncodedString(item, "utf-8", "backslashreplace"));
  if (!bytes) {
    PyErr_Clear();
    return {};
  }
  return std::string(cut_utf8(
      {PyBytes_AS_STRING(bytes.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get()))},
      most));
}

}  // namespace

Result<void> load_session_runtime(bool has_threads) {
  const Ref module(PyModule_Create(&kSessionModule));
  if (!module || PyModule_AddIntConstant(module.get(), "has_threads", has_threads ? 1 : 0) != 0 ||
      PyDict_SetItemString(PyImport_GetModuleDict(), "_airlock_session", module.get()) != 0) {
    PyErr_Clear();
    return fail("make the module _airlock_session");
  }
  return load_modules(session_modules());
}

struct SessionCode::State {
  PieceLimits limits;
  Ref run;
  Ref describe;
  Ref name;         // of the piece that runs
  Ref former_name;  // of the one before it
  std::unique_ptr<char[]> reserve;

  PieceOutcome failure();
  void add_value(PieceOutcome& outcome, PyObject* value);
  std::uint32_t number = 0;
};

SessionCode::SessionCode(std::unique_ptr<State> state) : state_(std::move(state)) {}
SessionCode::SessionCode(SessionCode&&) noexcept = default;
SessionCode::~SessionCode() = default;

Result<SessionCode> SessionCode::open(std::span<const HostFunction> functions,
                                      const PieceLimits& limits, HostCalls& calls) {
  calls_of_module = &calls;
  limits_of_module = limits;
  const Ref named(PyList_New(0));
  for (const HostFunction& function : functions) {
    const Ref one(Py_BuildValue("(sssO)", function.name.c_str(), function.doc.c_str(),
                                function.signature.c_str(),
                                function.is_async ? Py_True : Py_False));
    if (!one || PyList_Append(named.get(), one.get()) != 0) break;
  }
  auto state = std::make_unique<State>();
  state->limits = limits;
  state->run = Ref(function_of_pieces("run"));
  state->describe = Ref(function_of_pieces("describe"));
  const Ref open(function_of_pieces("open_session"));
  const Ref opened(open && state->run && state->describe
                       ? PyObject_CallOneArg(open.get(), named.get())
                       : nullptr);
  if (opened && PyErr_Occurred() == nullptr) return SessionCode(std::move(state));
  PyErr_Clear();
  return fail("open the session: a host function's name or signature is not understood");
}

// The exception that is set, as the guest would be told of it. Its text and its traceback are made
// by code that the guest may have changed: what cannot be had is left out.
PieceOutcome SessionCode::State::failure() {
  if (PyErr_ExceptionMatches(PyExc_MemoryError) != 0) reserve.reset();
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  const Ref type_ref(type), value_ref(value), trace_ref(trace);
  if (value != nullptr && trace != nullptr) PyException_SetTraceback(value, trace);
  PieceOutcome outcome;
  const std::string_view full =
      type != nullptr ? reinterpret_cast<PyTypeObject*>(type)->tp_name : "SystemError";
  outcome.error_type = std::string(cut_utf8(full.substr(full.rfind('.') + 1), kMostErrorType));
  const Ref told(value != nullptr ? PyObject_CallFunction(describe.get(), "OI", value, number)
                                  : nullptr);
  if (told && PyTuple_Check(told.get()) && PyTuple_GET_SIZE(told.get()) == 4) {
    outcome.error_type = text_item(told.get(), 0, kMostErrorType);
    outcome.error = text_item(told.get(), 1, kMostErrorText);
    const long line = PyLong_AsLong(PyTuple_GET_ITEM(told.get(), 2));
    outcome.error_line = line > 0 ? static_cast<std::uint32_t>(line) : 0;
    outcome.traceback = text_item(told.get(), 3, kMostTraceback);
  }
  PyErr_Clear();
  if (outcome.error_type == "MemoryError" && outcome.error.empty()) {
    outcome.error =
        "Memory limit of " + std::to_string(limits.memory_bytes / 1000000) + " MB reached";
  }
  return outcome;
}

namespace {

// "<int without repr: ValueError: Exceeds the limit ...>", of the error that is set.
Ref without_repr(PyObject* value) {
  PyObject *type = nullptr, *error = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &error, &trace);
  PyErr_NormalizeException(&type, &error, &trace);
  const Ref held_type(type), held_error(error), held_trace(trace);
  Ref words(error != nullptr ? PyObject_Str(error) : nullptr);
  if (!words) {
    PyErr_Clear();
    words = Ref(PyUnicode_FromString(""));
  }
  return Ref(PyUnicode_FromFormat("<%.80s without repr: %.80s: %.200U>", Py_TYPE(value)->tp_name,
                                  Py_TYPE(error)->tp_name, words.get()));
}

}  // namespace

// Of a value that is not None: its repr, and itself where it is JSON.
void SessionCode::State::add_value(PieceOutcome& outcome, PyObject* value) {
  if (value == Py_None) return;
  const ValueLimits as_json{.bytes = limits.value_bytes,
                            .depth = static_cast<int>(limits.depth),
                            .key_bytes = limits.value_bytes,
                            .has_plain_keys = false};
  auto json = write_value(value, as_json);
  if (json) {
    outcome.value = std::move(*json);
  } else if (json.error().kind != ValueProblem::Kind::kNotJson) {
    PySys_FormatStderr("[the value of the last line is not given: %s]\n",
                       json.error().message.c_str());
  }
  Ref shown(PyObject_Repr(value));  // the guest's own code, on the piece's time
  // The work is done: that its result cannot be shown is no failure of it.
  if (!shown && PyErr_ExceptionMatches(PyExc_Exception) != 0 &&
      PyErr_ExceptionMatches(PyExc_MemoryError) == 0)
    shown = without_repr(value);
  if (!shown) return;
  const Ref bytes(PyUnicode_AsEncodedString(shown.get(), "utf-8", "backslashreplace"));
  if (!bytes) return;
  const std::string_view text(PyBytes_AS_STRING(bytes.get()),
                              static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get())));
  const std::string_view cut = cut_utf8(text, limits.shown_bytes);
  outcome.shown = std::string(cut) + (cut.size() < text.size() ? "…" : "");
}

PyObject* SessionCode::name_piece(std::uint32_t number) {
  Ref named(PyUnicode_FromFormat("<piece %u>", static_cast<unsigned>(number)));
  if (!named) PyErr_Clear();
  // The handlers still look at the old one.
  std::swap(state_->name, named);
  state_->former_name = std::move(named);
  return state_->name.get();
}

void SessionCode::forget_signals() {
  if (PyErr_CheckSignals() != 0) PyErr_Clear();
}

PieceOutcome SessionCode::run(std::string_view compiled, std::uint32_t number,
                              std::string_view source, std::string_view inputs) {
  State& state = *state_;
  if (state.reserve == nullptr) state.reserve.reset(new (std::nothrow) char[kSessionReserve]);
  state.number = number;
  const auto start = std::chrono::steady_clock::now();
  PieceOutcome outcome;
  try {
    const Ref code(
        PyMarshal_ReadObjectFromString(compiled.data(), static_cast<Py_ssize_t>(compiled.size())));
    const Ref value(
        code && PyCode_Check(code.get())
            ? PyObject_CallFunction(state.run.get(), "OIs#s#", code.get(), number, source.data(),
                                    static_cast<Py_ssize_t>(source.size()), inputs.data(),
                                    static_cast<Py_ssize_t>(inputs.size()))
            : nullptr);
    if (value) state.add_value(outcome, value.get());
  } catch (const std::bad_alloc&) {  // ours: there was no room for what it said
    state.reserve.reset();
    PyErr_NoMemory();
  }
  if (PyErr_Occurred() != nullptr) {
    outcome = state.failure();
  } else {
    outcome.success = true;
  }
  // What the piece has set to watch its own lines is not for what comes between two pieces.
  PyEval_SetTrace(nullptr, nullptr);
  PyEval_SetProfile(nullptr, nullptr);
  const auto took = std::chrono::steady_clock::now() - start;
  outcome.microseconds = static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  return outcome;
}

}  // namespace airlock::python
