#include "python/sink.h"

#include <algorithm>
#include <utility>

namespace airlock::python {

namespace {

// The Python object; `sink` is never null, and outlives it.
struct SinkObject {
  PyObject_HEAD Sink* sink;
};

Sink& sink_of(PyObject* self) {
  return *reinterpret_cast<SinkObject*>(self)->sink;
}

// Far more than is kept: whoever prints this much is not printing for a reader.
constexpr std::uint64_t kFlood = 10 * 1000 * 1000;

// A BaseException: code that prints in a loop with `except Exception` in it would go on for ever.
PyObject* flood_error() {
  static PyObject* const type =
      PyErr_NewException("airlock.OutputLimitError", PyExc_BaseException, nullptr);
  return type;
}

// Counts everything, keeps the beginning; past the flood limit printing itself fails.
PyObject* sink_write(PyObject* self, PyObject* text) {
  if (!PyUnicode_Check(text))
    return PyErr_Format(PyExc_TypeError, "write() argument must be str, not %.100s",
                        Py_TYPE(text)->tp_name);
  Py_ssize_t size = 0;
  bool is_within = false;
  if (const char* bytes = PyUnicode_AsUTF8AndSize(text, &size)) {
    is_within = sink_of(self).add(bytes, static_cast<std::size_t>(size));
  } else {  // lone surrogates
    PyErr_Clear();
    PyObject* encoded = PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    if (encoded == nullptr) return nullptr;
    is_within = sink_of(self).add(PyBytes_AS_STRING(encoded),
                                  static_cast<std::size_t>(PyBytes_GET_SIZE(encoded)));
    Py_DECREF(encoded);
  }
  if (!is_within)
    return PyErr_Format(flood_error(), sink_of(self).is_streamed()
                                           ? "More was printed than anyone reads"
                                           : "More than 10 MB were printed");
  return PyLong_FromSsize_t(PyUnicode_GET_LENGTH(text));
}

PyObject* sink_writelines(PyObject* self, PyObject* lines) {
  PyObject* iterator = PyObject_GetIter(lines);
  if (iterator == nullptr) return nullptr;
  while (PyObject* line = PyIter_Next(iterator)) {
    PyObject* written = sink_write(self, line);
    Py_DECREF(line);
    if (written == nullptr) break;
    Py_DECREF(written);
  }
  Py_DECREF(iterator);
  if (PyErr_Occurred() != nullptr) return nullptr;
  Py_RETURN_NONE;
}

// As far as bytes are text, they are shown as it.
PyObject* sink_write_bytes(PyObject* self, PyObject* bytes) {
  Py_buffer view;
  if (PyObject_GetBuffer(bytes, &view, PyBUF_SIMPLE) != 0) return nullptr;
  PyObject* text = PyUnicode_DecodeUTF8(static_cast<const char*>(view.buf), view.len, "replace");
  const Py_ssize_t size = view.len;
  PyBuffer_Release(&view);
  if (text == nullptr) return nullptr;
  PyObject* written = sink_write(self, text);
  Py_DECREF(text);
  if (written == nullptr) return nullptr;
  Py_DECREF(written);
  return PyLong_FromSsize_t(size);
}

PyObject* sink_fileno(PyObject*, PyObject*) {
  return PyErr_Format(PyExc_OSError, "what is printed here goes to no descriptor");
}

PyObject* sink_true(PyObject*, PyObject*) {
  Py_RETURN_TRUE;
}

PyObject* sink_reconfigure(PyObject*, PyObject*, PyObject*) {
  Py_RETURN_NONE;
}

PyObject* sink_encoding(PyObject*, void*) {
  return PyUnicode_FromString("utf-8");
}

PyObject* sink_errors(PyObject*, void*) {
  return PyUnicode_FromString("backslashreplace");
}

PyObject* sink_closed(PyObject*, void*) {
  Py_RETURN_FALSE;
}

PyObject* sink_buffer(PyObject* self, void*);

PyObject* sink_flush(PyObject*, PyObject*) {
  Py_RETURN_NONE;
}

PyObject* sink_isatty(PyObject*, PyObject*) {
  Py_RETURN_FALSE;
}

PyCFunction with_keywords(PyCFunctionWithKeywords function) {
  return reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function));
}

// What print(), logging and traceback use of a text stream, and what code asks before it prints.
PyMethodDef kMethods[] = {
    {"write", sink_write, METH_O, nullptr},
    {"writelines", sink_writelines, METH_O, nullptr},
    {"flush", sink_flush, METH_NOARGS, nullptr},
    {"isatty", sink_isatty, METH_NOARGS, nullptr},
    {"readable", sink_isatty, METH_NOARGS, nullptr},
    {"seekable", sink_isatty, METH_NOARGS, nullptr},
    {"writable", sink_true, METH_NOARGS, nullptr},
    {"fileno", sink_fileno, METH_NOARGS, nullptr},
    {"reconfigure", with_keywords(sink_reconfigure), METH_VARARGS | METH_KEYWORDS, nullptr},
    {nullptr, nullptr, 0, nullptr}};

PyGetSetDef kProperties[] = {{"encoding", sink_encoding, nullptr, nullptr, nullptr},
                             {"errors", sink_errors, nullptr, nullptr, nullptr},
                             {"closed", sink_closed, nullptr, nullptr, nullptr},
                             {"buffer", sink_buffer, nullptr, nullptr, nullptr},
                             {nullptr, nullptr, nullptr, nullptr, nullptr}};

PyType_Slot kSlots[] = {{Py_tp_methods, kMethods}, {Py_tp_getset, kProperties}, {0, nullptr}};

// sys.stdout.buffer: the same sink, for bytes.
PyMethodDef kByteMethods[] = {{"write", sink_write_bytes, METH_O, nullptr},
                              {"flush", sink_flush, METH_NOARGS, nullptr},
                              {"fileno", sink_fileno, METH_NOARGS, nullptr},
                              {nullptr, nullptr, 0, nullptr}};

PyType_Slot kByteSlots[] = {{Py_tp_methods, kByteMethods}, {0, nullptr}};

PyType_Spec kByteSpec = {"airlock.ByteSink", sizeof(SinkObject), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, kByteSlots};

PyObject* sink_buffer(PyObject* self, void*) {
  static PyObject* const type = PyType_FromSpec(&kByteSpec);
  if (type == nullptr) return nullptr;
  auto* made = PyObject_New(SinkObject, reinterpret_cast<PyTypeObject*>(type));
  if (made != nullptr) made->sink = &sink_of(self);
  return reinterpret_cast<PyObject*>(made);
}

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
  printed_ = 0;
}

bool Sink::add(const char* bytes, std::size_t size) {
  if (stream_) return stream_({bytes, size});
  printed_ += size;
  const std::size_t room = limit_ - std::min(limit_, text_.size());
  if (size <= room) {
    text_.append(bytes, size);
    if (copy_) copy_({bytes, size});
    return printed_ <= kFlood;
  }
  was_cut_ = true;
  std::size_t end = room;
  // Not in the middle of a character.
  while (end > 0 && (static_cast<unsigned char>(bytes[end]) & 0xC0) == 0x80) --end;
  text_.append(bytes, end);
  if (copy_) copy_({bytes, end});
  // From now on nothing more is kept, not even a piece that would fit: what is shown is a
  // beginning.
  limit_ = text_.size();
  return printed_ <= kFlood;
}

}  // namespace airlock::python
