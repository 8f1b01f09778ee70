// One thread, the main one: code of nodes runs on it, so that a signal reaches it wherever it
// waits. (1) The clock is outside. `began` says when it starts; when time is up, a signal comes,
// whose handler (airlock_node/host.py) raises in the node; a node that goes on all the same is
// killed. (2) What a node prints lies in two files that airlock made and keeps: nothing is lost
// with this process. (3) A checkpoint is a fork. The copy sleeps with everything as it is now, and
// goes on where this process was when that is killed. The copy is the one without threads: nodes
// run in the first process as long as it lives, and a thread that a node has left there runs on.
// (4) A child that a node forks must not come back here: airlock_node/host.py ends it. (5) This
// process dies with airlock, by the kernel; what nodes have started does not, and a guard
// (os/group_guard.h) ends it.
#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <optional>
#include <utility>

#include "guest/host_exit.h"
#include "guest/roles.h"
#include "jail/steps.h"
#include "os/channel.h"
#include "os/group_guard.h"
#include "os/shared_progress.h"
#include "python/compiled_library.h"
#include "python/node_code.h"
#include "python/ref.h"
#include "python/show_value.h"
#include "wire/messages.h"
#include "wire/node_messages.h"

namespace airlock::guest {

namespace {

using python::Ref;

// Functions of the module _airlock_host have no other way to them.
os::SharedProgress* progress_of_module = nullptr;
pid_t process_of_module = 0;

using Stage = os::SharedProgress::Stage;

PyObject* say_began(PyObject*, PyObject*) {
  progress_of_module->enter(Stage::kRunning);
  Py_RETURN_NONE;
}

// What is left to do is ours, not on the node's time, and not for its trace functions. True in a
// child that the node has forked.
PyObject* say_ended(PyObject*, PyObject*) {
  if (::getpid() != process_of_module) Py_RETURN_TRUE;
  progress_of_module->enter(Stage::kPreparing);
  const PyThreadState* state = PyThreadState_Get();
  if (state->c_tracefunc != nullptr) PyEval_SetTrace(nullptr, nullptr);
  if (state->c_profilefunc != nullptr) PyEval_SetProfile(nullptr, nullptr);
  Py_RETURN_FALSE;
}

PyObject* say_shows(PyObject*, PyObject*) {
  progress_of_module->enter(Stage::kShowing);
  Py_RETURN_NONE;
}

// The end of such a child. Not os._exit, which a node may have replaced.
PyObject* leave(PyObject*, PyObject*) {
  std::fflush(nullptr);
  ::_exit(kDone);
}

PyObject* say_rests(PyObject*, PyObject*) {
  progress_of_module->enter(Stage::kResting);
  Py_RETURN_NONE;
}

// What C code has printed and kept back.
PyObject* flush_all(PyObject*, PyObject*) {
  std::fflush(nullptr);
  Py_RETURN_NONE;
}

PyMethodDef kFunctions[] = {{"began", say_began, METH_NOARGS, nullptr},
                            {"ended", say_ended, METH_NOARGS, nullptr},
                            {"rests", say_rests, METH_NOARGS, nullptr},
                            {"flush", flush_all, METH_NOARGS, nullptr},
                            {"shows", say_shows, METH_NOARGS, nullptr},
                            {"leave", leave, METH_NOARGS, nullptr},
                            {"read_code", python::read_node_code_method, METH_VARARGS, nullptr},
                            {nullptr, nullptr, 0, nullptr}};

PyModuleDef kModule = {PyModuleDef_HEAD_INIT,
                       "_airlock_host",
                       nullptr,
                       -1,
                       kFunctions,
                       nullptr,
                       nullptr,
                       nullptr,
                       nullptr};

Result<void> make_module() {
  const Ref module(PyModule_Create(&kModule));
  if (!module || PyModule_AddIntConstant(module.get(), "TIME_IS_UP", wire::timeout_signal()) != 0 ||
      PyDict_SetItemString(PyImport_GetModuleDict(), "_airlock_host", module.get()) != 0)
    return fail("make the module _airlock_host");
  return {};
}

std::string text_item(PyObject* dict, const char* key) {
  PyObject* found = PyDict_GetItemString(dict, key);
  if (found == nullptr || !PyUnicode_Check(found)) return {};
  const Ref bytes(PyUnicode_AsEncodedString(found, "utf-8", "backslashreplace"));
  if (!bytes) {
    PyErr_Clear();
    return {};
  }
  return {PyBytes_AS_STRING(bytes.get()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get()))};
}

// A node may have closed 0, 1 or 2, and the next descriptor that comes in gets that number.
Fd out_of_the_way(Fd descriptor) {
  if (!descriptor.is_open() || descriptor.get() > 2) return descriptor;
  return Fd(::fcntl(descriptor.get(), F_DUPFD_CLOEXEC, 3));
}

class NodeHost {
 public:
  explicit NodeHost(Fd socket) : channel_(std::move(socket)) {}

  int serve() {
    if (auto ready = get_ready(); !ready) {
      channel_.send(wire::encode_trouble(ready.error().message), std::nullopt);
      return kCannotStart;
    }
    if (!channel_.send(wire::encode_ready({}), std::nullopt)) return kPeerGone;
    while (true) {
      const auto message = receive();
      if (!message) return message.error() == os::NoMessage::kClosed ? kDone : kBadRequest;
      if (const int code = answer(*message); code != kDone) return code;
    }
  }

 private:
  // Threads that a node has left may run meanwhile.
  std::expected<std::string, os::NoMessage> receive() {
    PyThreadState* state = PyEval_SaveThread();
    auto message = channel_.receive(wire::kMaxNodeRequest, std::nullopt);
    PyEval_RestoreThread(state);
    return message;
  }

  Result<void> get_ready() {
    supervisor_ = ::getppid();
    process_of_module = ::getpid();
    ::fcntl(channel_.descriptor(), F_SETFD, FD_CLOEXEC);  // not for the programs that nodes start
    TRY(jail::die_with_parent());
    TRY(watch_airlock());
    TRY(os::start_group_guard(airlock_, os::GuardImage::kThisProcess));
    is_guarded_ = true;
    ::setvbuf(stdout, nullptr, _IONBF, 0);  // in order with everything else that is printed
    TRY(python::start_node_interpreter());
    TRY(make_module());
    TRY(python::load_modules(python::node_modules()));
    module_ = Ref(PyImport_ImportModule("airlock_node.host"));
    const auto start = channel_.receive(wire::kMaxNodeRequest, std::nullopt);
    const auto shared = start ? wire::decode_start_nodes(*start) : std::nullopt;
    auto progress = TRY(os::SharedProgress::map(channel_.take_descriptor()));
    progress_.emplace(std::move(progress));
    progress_of_module = &*progress_;
    if (!module_ || !shared) return fail("start the node host: no store to begin with");
    const Ref done(PyObject_CallMethod(module_.get(), "start", "s#", shared->data(),
                                       static_cast<Py_ssize_t>(shared->size())));
    if (done) return {};
    PyErr_Clear();
    return fail("start the node host: the store is not JSON");
  }

  // A parent that is gone already would be somebody else, and never end. Its socket is closed
  // before we get another.
  Result<void> watch_airlock() {
    airlock_ = Fd(static_cast<int>(::syscall(SYS_pidfd_open, supervisor_, 0)));
    if (!airlock_.is_open()) return fail_errno("watch airlock");
    pollfd peer{channel_.descriptor(), POLLRDHUP, 0};
    if (::poll(&peer, 1, 0) != 0 && (peer.revents & (POLLRDHUP | POLLHUP | POLLERR)) != 0)
      return fail("watch airlock: it is gone");
    return {};
  }

  int answer(const std::string& message) {
    if (const auto request = wire::decode_node(message)) return run_node(*request);
    if (wire::is_checkpoint(message)) return make_checkpoint();
    if (const auto entry = wire::decode_put(message)) return put(entry->first, entry->second);
    if (const auto value = wire::decode_resolve(message)) return resolve(*value);
    return kBadRequest;
  }

  int reply(const std::string& message) {
    return channel_.send(message, std::nullopt) ? kDone : kPeerGone;
  }

  // A mistake of ours in the Python side; nothing that a node does ends here.
  int report_exception(const char* doing) {
    PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
    PyErr_Fetch(&type, &value, &trace);
    const Ref type_ref(type), value_ref(value), trace_ref(trace);
    const Ref text(value != nullptr ? PyObject_Str(value) : nullptr);
    std::string what = type != nullptr ? reinterpret_cast<PyTypeObject*>(type)->tp_name : "nothing";
    if (text) what += ": " + std::string(python::text_of(text.get()));
    PyErr_Clear();
    return reply(wire::encode_trouble(std::string(doing) + ": " + what));
  }

  std::pair<std::string, std::string> describe(PyObject* value) {
    if (!is_showing_) progress_->enter(Stage::kShowing);
    is_showing_ = true;
    const Ref words(PyObject_CallMethod(module_.get(), "describe", "O", value));
    const char *type = nullptr, *text = nullptr;
    if (words && PyArg_ParseTuple(words.get(), "ss", &type, &text) != 0) return {type, text};
    PyErr_Clear();
    progress_->enter(Stage::kPreparing);
    return {Py_TYPE(value)->tp_name, "(no repr)"};
  }

  python::ShownValue show(PyObject* value) {
    is_showing_ = false;
    return python::show_value(value, {.bytes = wire::kNodeResultBytes},
                              [&](PyObject* one) { return describe(one); });
  }

  int run_node(const wire::NodeRequest& request) {
    // The copy has a group of its own from here on. A node may have closed the handle: then it has
    // asked for what it gets.
    if (!is_guarded_ && airlock_.is_open()) [[maybe_unused]]
      const auto guarded = os::start_group_guard(airlock_, os::GuardImage::kThisProgram);
    is_guarded_ = true;
    output_ = out_of_the_way(channel_.take_descriptor());
    error_output_ = out_of_the_way(channel_.take_descriptor());
    if (!output_.is_open() || !error_output_.is_open()) return kBadRequest;
    if (::fcntl(0, F_GETFD) < 0) ::open("/dev/null", O_RDONLY);  // 0 is the lowest that is free
    if (::dup2(output_.get(), 1) != 1 || ::dup2(error_output_.get(), 2) != 2) return kBadRequest;
    const Ref outcome(
        PyObject_CallMethod(module_.get(), "run", "s#s#s#IdiiO", request.name.data(),
                            static_cast<Py_ssize_t>(request.name.size()), request.params.data(),
                            static_cast<Py_ssize_t>(request.params.size()), request.actions.data(),
                            static_cast<Py_ssize_t>(request.actions.size()), request.attempts,
                            static_cast<double>(request.wait_ms) / 1000.0, output_.get(),
                            error_output_.get(), request.goes_on ? Py_True : Py_False));
    if (!outcome) return report_exception("run the node");
    return reply_done(outcome.get());
  }

  int reply_done(PyObject* outcome) {
    const char *action = nullptr, *phase = nullptr, *type = nullptr;
    unsigned int line = 0;
    PyObject* entry = nullptr;
    if (PyArg_ParseTuple(outcome, "sssIO!", &action, &phase, &type, &line, &PyDict_Type, &entry) ==
        0)
      return report_exception("read the outcome");
    wire::NodeDone done{.action = action, .phase = phase, .error_type = type, .line = line};
    if (PyObject* result = PyDict_GetItemString(entry, "result")) {
      python::ShownValue shown = show(result);
      if (!shown.doubled.empty()) return refuse_result(entry, shown.doubled);
      done.has_result = true;
      done.result = std::move(shown.json);
      done.is_exact = shown.is_exact;
    }
    done.error = text_item(entry, "error");
    done.output = text_item(entry, "stdout");
    done.error_output = text_item(entry, "stderr");
    return reply(wire::encode_done(done));
  }

  // Two keys of one dict are one in JSON: what would be shown is not the result.
  int refuse_result(PyObject* entry, const std::string& keys) {
    const Ref outcome(PyObject_CallMethod(module_.get(), "refuse_result", "Os#", entry, keys.data(),
                                          static_cast<Py_ssize_t>(keys.size())));
    return outcome ? reply_done(outcome.get()) : report_exception("refuse the result");
  }

  int put(const std::string& name, const std::string& entry) {
    const Ref done(PyObject_CallMethod(module_.get(), "put", "s#s#", name.data(),
                                       static_cast<Py_ssize_t>(name.size()), entry.data(),
                                       static_cast<Py_ssize_t>(entry.size())));
    return done ? reply(wire::encode_ready({})) : report_exception("put an entry into the store");
  }

  int resolve(const std::string& value) {
    const Ref found(PyObject_CallMethod(module_.get(), "resolve", "s#", value.data(),
                                        static_cast<Py_ssize_t>(value.size())));
    PyObject* object = nullptr;
    const char* problem = nullptr;
    if (!found || PyArg_ParseTuple(found.get(), "Os", &object, &problem) == 0)
      return report_exception("resolve the templates");
    wire::ResolvedValue resolved;
    resolved.problem = problem;
    if (resolved.problem.empty()) {
      python::ShownValue shown = show(object);
      resolved.json = std::move(shown.json);
      resolved.is_json = shown.is_json;
      if (!shown.doubled.empty())
        resolved.problem =
            "An input has the keys " + shown.doubled + " in one dict, which are one key in JSON";
    }
    return reply(wire::encode_value(resolved));
  }

  // Two forks, so that the copy is no child of ours: code that waits for its children must not find
  // it. It becomes airlock's (which takes in orphans).
  int make_checkpoint() {
    Fd socket = out_of_the_way(channel_.take_descriptor());
    if (!socket.is_open()) return kBadRequest;
    PyOS_BeforeFork();
    const pid_t between = ::fork();
    if (between == 0) {
      const pid_t parent = ::getpid();
      const pid_t copy = ::fork();
      if (copy != 0) ::_exit(copy < 0 ? kCannotStart : kDone);
      return become_copy(std::move(socket), parent);
    }
    PyOS_AfterFork_Parent();
    int status = 0;
    while (between > 0 && ::waitpid(between, &status, 0) < 0 && errno == EINTR) {
    }
    return kDone;  // who waits for the copy in vain notices that its socket is closed
  }

  int become_copy(Fd socket, pid_t parent) {
    process_of_module = ::getpid();
    PyOS_AfterFork_Child();
    ::setpgid(0, 0);
    is_guarded_ = false;
    channel_ = os::Channel(std::move(socket));
    constexpr timespec kMoment{0, 50'000};
    for (int i = 0; i < 20'000 && ::getppid() == parent; ++i) ::nanosleep(&kMoment, nullptr);
    // Only now: the one that is between us and airlock was to end.
    if (::getppid() == supervisor_) ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    const Ref moved(PyObject_CallMethod(module_.get(), "moved", nullptr));
    if (!moved) return kCannotStart;
    return reply(wire::encode_checkpoint_ready(static_cast<std::uint32_t>(::getpid())));
  }

  os::Channel channel_;
  std::optional<os::SharedProgress> progress_;
  pid_t supervisor_ = 0;
  Fd airlock_;  // the handle of that process
  bool is_guarded_ = false;
  Ref module_;                // airlock_node.host
  Fd output_, error_output_;  // of the node that ran last
  bool is_showing_ = false;
};

}  // namespace

int run_node_host(Fd socket) {
  // Never taken down: Python would be finalized after the socket is gone.
  auto* host = new NodeHost(std::move(socket));
  return host->serve();
}

}  // namespace airlock::guest
