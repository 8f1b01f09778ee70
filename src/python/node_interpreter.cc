#include "python/node_interpreter.h"

#include "python/ref.h"

namespace airlock::python {

namespace {

// The packages of a virtual environment that is active, before those of the system. It is only
// their folder: the interpreter and its standard library are the ones that this program is made of.
constexpr const char* kVirtualEnvironment = R"(
import os, sys
folder = os.environ.get('VIRTUAL_ENV')
folder = folder and os.path.join(folder, 'lib', f'python{sys.version_info[0]}.{sys.version_info[1]}', 'site-packages')
if folder and os.path.isdir(folder):
    import site
    before = list(sys.path)
    site.addsitedir(folder)
    added = [one for one in sys.path if one not in before]
    at = next((i for i, one in enumerate(before) if one.endswith(('dist-packages', 'site-packages'))), len(before))
    sys.path[:] = before[:at] + added + before[at:]
)";

PyStatus configure(PyConfig& config) {
  // Our arguments are not Python's; and C's streams stay as they are.
  config.parse_argv = 0;
  config.configure_c_stdio = 0;
  // Not searched for in PATH: the standard library must be the one of the version linked here.
  PyStatus status = PyConfig_SetString(&config, &config.program_name, L"/usr/bin/python3.11");
  if (PyStatus_Exception(status) != 0) return status;
  return PyConfig_SetString(&config, &config.executable, L"/usr/bin/python3.11");
}

}  // namespace

Result<void> start_node_interpreter() {
  PyConfig config;
  PyConfig_InitPythonConfig(&config);
  PyStatus status = configure(config);
  if (PyStatus_Exception(status) == 0) status = Py_InitializeFromConfig(&config);
  PyConfig_Clear(&config);
  if (PyStatus_Exception(status) != 0)
    return fail(std::string("start the interpreter: ") +
                (status.err_msg != nullptr ? status.err_msg : "unknown reason"));
  const Ref globals(PyDict_New());
  PyDict_SetItemString(globals.get(), "__builtins__", PyEval_GetBuiltins());
  const Ref done(PyRun_String(kVirtualEnvironment, Py_file_input, globals.get(), globals.get()));
  PyErr_Clear();
  return {};
}

}  // namespace airlock::python
