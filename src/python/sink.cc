#include "python/sink.h"

#include <algorithm>
#include <utility>

namespace airlock::python {

namespace {

struct SinkObject {
  PyObject_HEAD Sink* sink;
};

Sink& sink_of(PyObject* self) {
  return *reinterpret_cast<SinkObject*>(self)->sink;
}

PyObject* sink_write(PyObject* self, PyObject* text) {
  if (!PyUnicode_Check(text))
    return PyErr_Format(PyExc_TypeError, "write() argument must be str, not %.100s",
                        Py_TYPE(text)->tp_name);
  Py_ssize_t size = 0;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(text, &size)) {
    sink_of(self).add(bytes, static_cast<std::size_t>(size));
  } else {  // lone surrogates
    PyErr_Clear();
    PyObject* encoded = PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    if (encoded == nullptr) return nullptr;
    sink_of(self).add(PyBytes_AS_STRING(encoded),
                      static_cast<std::size_t>(PyBytes_GET_SIZE(encoded)));
    Py_DECREF(encoded);
  }
  return PyLong_FromSsize_t(PyUnicode_GET_LENGTH(text));
}

PyObject* sink_flush(PyObject*, PyObject*) {
  Py_RETURN_NONE;
}

PyObject* sink_isatty(PyObject*, PyObject*) {
  Py_RETURN_FALSE;
}

PyMethodDef kMethods[] = {{"write", sink_write, METH_O, nullptr},
                          {"flush", sink_flush, METH_NOARGS, nullptr},
                          {"isatty", sink_isatty, METH_NOARGS, nullptr},
                          {nullptr, nullptr, 0, nullptr}};

PyType_Slot kSlots[] = {{Py_tp_methods, kMethods}, {0, nullptr}};

PyType_Spec kSpec = {"airlock.Sink", sizeof(SinkObject), 0,
                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, kSlots};

}  // namespace

Sink* Sink::install(const char* name) {
  static PyObject* const type = PyType_FromSpec(&kSpec);
  if (type == nullptr) return nullptr;
  auto* self = PyObject_New(SinkObject, reinterpret_cast<PyTypeObject*>(type));
  if (self == nullptr) return nullptr;
  self->sink = new Sink();
  if (PySys_SetObject(name, reinterpret_cast<PyObject*>(self)) != 0) return nullptr;
  return self->sink;
}

void Sink::begin(std::size_t limit) {
  text_.clear();
  limit_ = limit;
  was_cut_ = false;
}

void Sink::add(const char* bytes, std::size_t size) {
  const std::size_t room = limit_ - std::min(limit_, text_.size());
  if (size <= room) {
    text_.append(bytes, size);
    return;
  }
  was_cut_ = true;
  std::size_t end = room;
  while (end > 0 && (static_cast<unsigned char>(bytes[end]) & 0xC0) == 0x80) --end;
  text_.append(bytes, end);
  limit_ = text_.size();
}

}  // namespace airlock::python
