// The bugs are of one kind: C code looks up a place in memory, then asks an object of the guest for
// a number, which runs guest code that may free or shrink that memory, and then uses the place.
// Here the types' own functions are wrapped by ones that ask first and look up afterwards. This is
// a list of the bugs that are known, not a proof that there are no others.
//
// A method of a builtin type is found in two ways: by operators through a slot of the type struct,
// and by name through tp_dict. Both are replaced; PyType_Modified() then clears the caches.
#include "python/ref.h"
#include "python/restrict_interpreter.h"
#include "python/tree.h"

namespace airlock::python {

namespace {

// The functions that were in the slots before.
objobjargproc real_set = nullptr;
ssizeobjargproc real_set_at = nullptr;

// An int in the place of whatever has an __index__ of its own.
Ref as_plain_int(PyObject* value) {
  if (value == nullptr || PyLong_CheckExact(value) || PyIndex_Check(value) == 0)
    return Ref(Py_XNewRef(value));
  return Ref(PyNumber_Index(value));
}

// b[place] = value finds the place, then asks the value what number it is; the answer may have made
// b shorter meanwhile, and the byte goes where something else is by then.
int set_item(PyObject* self, PyObject* key, PyObject* value) {
  const Ref place = as_plain_int(key);
  const Ref byte = as_plain_int(value);
  if (PyErr_Occurred() != nullptr) return -1;
  return real_set(self, place.get(), byte.get());
}

int set_item_at(PyObject* self, Py_ssize_t place, PyObject* value) {
  const Ref byte = as_plain_int(value);
  if (PyErr_Occurred() != nullptr) return -1;
  return real_set_at(self, place, byte.get());
}

PyObject* set_item_by_name(PyObject* self, PyObject* arguments) {
  PyObject *key = nullptr, *value = nullptr;
  if (PyArg_UnpackTuple(arguments, "__setitem__", 2, 2, &key, &value) == 0) return nullptr;
  if (set_item(self, key, value) != 0) return nullptr;
  Py_RETURN_NONE;
}

PyMethodDef kSetItem = {"__setitem__", set_item_by_name, METH_VARARGS, nullptr};

// The template parameter is the address of one of these, so that each type has its own wrapper.
reprfunc real_decode_text = nullptr;
reprfunc real_encode_text = nullptr;
reprfunc real_translate_text = nullptr;

// str(error) reads the character that the error is about, and believes that its place is one.
template <reprfunc* real>
PyObject* text_of_error(PyObject* self) {
  auto* error = reinterpret_cast<PyUnicodeErrorObject*>(self);
  if (error->start < 0) error->start = 0;
  return (*real)(self);
}

template <reprfunc* real>
PyObject* text_by_name(PyObject* self, PyObject*) {
  return text_of_error<real>(self);
}

template <reprfunc* real>
bool patch_error(PyObject* exception) {
  static PyMethodDef by_name = {"__str__", text_by_name<real>, METH_NOARGS, nullptr};
  auto& type = *reinterpret_cast<PyTypeObject*>(exception);
  *real = type.tp_str;
  type.tp_str = text_of_error<real>;
  const Ref descriptor(PyDescr_NewMethod(&type, &by_name));
  const bool is_done =
      descriptor && PyDict_SetItemString(type.tp_dict, "__str__", descriptor.get()) == 0;
  PyType_Modified(&type);
  return is_done;
}

// b[i] = x goes through mp_ass_subscript, PySequence_SetItem through sq_ass_item, and
// b.__setitem__(i, x) through tp_dict.
bool patch_bytearray() {
  PyTypeObject& type = PyByteArray_Type;
  real_set = type.tp_as_mapping->mp_ass_subscript;
  real_set_at = type.tp_as_sequence->sq_ass_item;
  type.tp_as_mapping->mp_ass_subscript = set_item;
  type.tp_as_sequence->sq_ass_item = set_item_at;
  const Ref descriptor(PyDescr_NewMethod(&type, &kSetItem));
  const bool is_done =
      descriptor && PyDict_SetItemString(type.tp_dict, "__setitem__", descriptor.get()) == 0;
  PyType_Modified(&type);
  return is_done;
}

}  // namespace

Result<void> patch_interpreter() {
  const bool is_done = patch_bytearray() &&
                       patch_error<&real_decode_text>(PyExc_UnicodeDecodeError) &&
                       patch_error<&real_encode_text>(PyExc_UnicodeEncodeError) &&
                       patch_error<&real_translate_text>(PyExc_UnicodeTranslateError);
  PyErr_Clear();
  if (!is_done) return fail("mend the interpreter's types");
  return {};
}

}  // namespace airlock::python
