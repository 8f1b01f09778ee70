#define PY_SSIZE_T_CLEAN
#include <Python.h>
#define Py_BUILD_CORE 1
#include <internal/pycore_frame.h>
#include <string.h>

#include "python/frames.h"

// CPython 3.11 keeps frames as plain structs on a stack of its own; state->cframe->current_frame is
// the innermost one and `previous` leads outwards. Only memory is read here, nothing is called that
// could allocate or take a lock.
//
// The interpreter interns nothing for us, hence texts are compared too. Compact ASCII is the
// storage of every str that holds ASCII only: its bytes follow the header.
static int is_same_text(PyObject* a, PyObject* b) {
  if (a == b) return 1;
  if (!PyUnicode_IS_COMPACT_ASCII(a) || !PyUnicode_IS_COMPACT_ASCII(b)) return 0;
  if (PyUnicode_GET_LENGTH(a) != PyUnicode_GET_LENGTH(b)) return 0;
  return memcmp(PyUnicode_1BYTE_DATA(a), PyUnicode_1BYTE_DATA(b),
                (size_t)PyUnicode_GET_LENGTH(a)) == 0;
}

static int begins_with(PyObject* text, const char* start, Py_ssize_t size) {
  if (PyUnicode_GET_LENGTH(text) < size) return 0;
  const int kind = PyUnicode_KIND(text);
  const void* data = PyUnicode_DATA(text);
  for (Py_ssize_t i = 0; i < size; ++i) {
    if (PyUnicode_READ(kind, data, i) != (Py_UCS4)start[i]) return 0;
  }
  return 1;
}

static int is_of_a_node(PyObject* filename) {
  return begins_with(filename, "<node ", 6) || begins_with(filename, "<code>", 6);
}

static int line_of(_PyInterpreterFrame* frame) {
  PyCodeObject* code = frame->f_code;
  // A frame that has not begun yet points before its first instruction.
  if (frame->prev_instr < _PyCode_CODE(code)) return code->co_firstlineno;
  // LASTI counts code units (two bytes each); Addr2Line wants bytes.
  return PyCode_Addr2Line(code, _PyInterpreterFrame_LASTI(frame) * (int)sizeof(_Py_CODEUNIT));
}

int airlock_guest_line(void* filename) {
  // From thread-local storage: works without the GIL.
  PyThreadState* state = PyGILState_GetThisThreadState();
  if (state == NULL || state->cframe == NULL || filename == NULL) return 0;
  // Bounded: a signal may come while a frame is being pushed, and the chain must not hold us.
  int steps = 0;
  _PyInterpreterFrame* found = NULL;
  for (_PyInterpreterFrame* frame = state->cframe->current_frame; frame != NULL && steps < 100000;
       frame = frame->previous, ++steps) {
    PyCodeObject* code = frame->f_code;
    if (code == NULL) continue;
    if (is_of_a_node(code->co_filename)) return line_of(frame);
    if (found == NULL && is_same_text(code->co_filename, (PyObject*)filename)) found = frame;
  }
  return found != NULL ? line_of(found) : 0;
}

int airlock_is_importing(void* filename) {
  PyThreadState* state = PyGILState_GetThisThreadState();
  if (state == NULL || state->cframe == NULL || filename == NULL) return 0;
  int steps = 0;
  for (_PyInterpreterFrame* frame = state->cframe->current_frame; frame != NULL && steps < 100000;
       frame = frame->previous, ++steps) {
    PyCodeObject* code = frame->f_code;
    if (code == NULL) continue;
    if (is_of_a_node(code->co_filename) || begins_with(code->co_filename, "<piece ", 7) ||
        is_same_text(code->co_filename, (PyObject*)filename))
      return 0;
    if (begins_with(code->co_filename, "<frozen importlib._bootstrap", 28)) return 1;
  }
  return 0;
}

void airlock_innermost(void** code, void** builtins) {
  *code = NULL;
  *builtins = NULL;
  PyThreadState* state = PyGILState_GetThisThreadState();
  if (state == NULL || state->cframe == NULL || state->cframe->current_frame == NULL) return;
  *code = state->cframe->current_frame->f_code;
  *builtins = state->cframe->current_frame->f_builtins;
}
