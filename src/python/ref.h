// A reference to a Python object that is given back: takes over the reference that it is made from
// (what CPython's documentation calls a new one; for a borrowed one write Py_NewRef). May be null.
// Needs the GIL wherever it is destroyed.
#pragma once

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

}  // namespace airlock::python
