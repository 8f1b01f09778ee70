// A reference to a Python object that is given back: takes over the reference that it is made from
// (what CPython's documentation calls a new one; for a borrowed one write Py_NewRef). May be null.
// Needs the GIL wherever it is destroyed.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "python/tree.h"

namespace airlock::python {

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

// The one object that CPython keeps for a text. Names of the tree, the scopes and the policy are
// such objects and are compared by address; a text from a constant is found among them only after
// this.
inline Ref interned(PyObject* text) {
  PyObject* name = Py_NewRef(text);
  PyUnicode_InternInPlace(&name);
  return Ref(name);
}

// Null, with an exception set, when there is no memory.
inline Ref interned(std::string_view text) {
  PyObject* name = PyUnicode_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()));
  if (name != nullptr) PyUnicode_InternInPlace(&name);
  return Ref(name);
}

// What the exception that is set says, and none is set afterwards. Of our own or the library's
// code: it runs the exception's __str__.
inline std::string take_exception_text() {
  PyObject *type = nullptr, *value = nullptr, *trace = nullptr;
  PyErr_Fetch(&type, &value, &trace);
  const Ref type_ref(type), value_ref(value), trace_ref(trace);
  const Ref words(value != nullptr ? PyObject_Str(value) : nullptr);
  PyErr_Clear();
  std::string said(words ? text_of(words.get()) : "");
  const char* const name =
      type != nullptr ? reinterpret_cast<PyTypeObject*>(type)->tp_name : "SystemError";
  // Of an import that failed, the words are enough; other exceptions say little without their name.
  if (type != nullptr && PyErr_GivenExceptionMatches(type, PyExc_ImportError) != 0) return said;
  return said.empty() ? std::string(name) : std::string(name) + ": " + said;
}

}  // namespace airlock::python
