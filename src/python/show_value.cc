#include "python/show_value.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/json_writer.h"
#include "base/utf8.h"
#include "python/ref.h"

namespace airlock::python {

namespace {

std::string described(const std::pair<std::string, std::string>& words) {
  std::string out = "{\"$type\":";
  append_raw_json_string(out, words.first);
  if (!words.second.empty()) {
    out += ",\"repr\":";
    append_raw_json_string(out, words.second);
  }
  return out + "}";
}

PyObject* new_reference(PyObject* object) {
  Py_INCREF(object);
  return object;
}

// One container that is being written.
struct OpenContainer {
  PyObject* container;
  bool is_dict;
  Py_ssize_t position = 0;
  bool has_items = false;
};

// An object that is no JSON, and where in the text it belongs.
struct NonJsonValue {
  std::size_t at;
  Ref object;
};

class ValueShower {
 public:
  explicit ValueShower(const ShowLimits& limits) : limits_(limits) {}

  // False: it is too large.
  bool write(PyObject* value) {
    put(value);
    while (!levels_.empty() && out_.size() <= limits_.bytes) step();
    return out_.size() <= limits_.bytes;
  }

  // After write(): everything in its place.
  ShownValue finish(const Describe& describe) {
    std::string whole;
    std::size_t from = 0;
    std::size_t asked = 0;
    for (const NonJsonValue& other : others_) {
      whole.append(out_, from, other.at - from);
      from = other.at;
      whole += described(asked++ < limits_.reprs ? describe(other.object.get())
                                                 : std::pair<std::string, std::string>(
                                                       Py_TYPE(other.object.get())->tp_name, ""));
    }
    whole.append(out_, from, std::string::npos);
    return {std::move(whole), is_exact_, others_.empty(), std::move(doubled_)};
  }

 private:
  // One item of the innermost container, or its end: no recursion, whatever the depth.
  void step() {
    OpenContainer& level = levels_.back();
    if (level.is_dict) {
      PyObject *key = nullptr, *item = nullptr;
      if (PyDict_Next(level.container, &level.position, &key, &item) == 0) return close('}');
      separate(level);
      put_key(key);
      out_ += ':';
      return put(item);
    }
    const bool is_list = PyList_Check(level.container);
    const Py_ssize_t size =
        is_list ? PyList_GET_SIZE(level.container) : PyTuple_GET_SIZE(level.container);
    if (level.position >= size) return close(']');
    separate(level);
    PyObject* item = is_list ? PyList_GET_ITEM(level.container, level.position)
                             : PyTuple_GET_ITEM(level.container, level.position);
    ++level.position;
    put(item);
  }

  void separate(OpenContainer& level) {
    if (level.has_items) out_ += ',';
    level.has_items = true;
  }

  void close(char bracket) {
    out_ += bracket;
    levels_.pop_back();
  }

  void open(PyObject* container, bool is_dict) {
    // Too deep, a container inside itself, or keys that have no JSON form: shown by type and repr.
    if (levels_.size() >= static_cast<std::size_t>(limits_.depth) ||
        std::ranges::find(levels_, container, &OpenContainer::container) != levels_.end() ||
        (is_dict && !all_keys(container, is_plain_key)))
      return put_other(container);
    if (is_dict && doubled_.empty()) find_doubled(container);
    out_ += is_dict ? '{' : '[';
    levels_.push_back({container, is_dict});
  }

  static bool is_plain_key(PyObject* key) {
    return PyUnicode_Check(key) || PyLong_CheckExact(key) || PyBool_Check(key) || key == Py_None ||
           PyFloat_CheckExact(key);
  }

  static bool is_text(PyObject* key) { return PyUnicode_CheckExact(key); }

  static bool all_keys(PyObject* dict, bool (*fits)(PyObject* key)) {
    PyObject *key = nullptr, *item = nullptr;
    Py_ssize_t position = 0;
    while (PyDict_Next(dict, &position, &key, &item) != 0) {
      if (!fits(key)) return false;
    }
    return true;
  }

  // {1: a, "1": b} would lose one of the two.
  void find_doubled(PyObject* dict) {
    if (all_keys(dict, is_text)) return;
    std::unordered_map<std::string, PyObject*> seen;
    PyObject *key = nullptr, *item = nullptr;
    Py_ssize_t position = 0;
    while (PyDict_Next(dict, &position, &key, &item) != 0) {
      const auto [first, is_new] = seen.emplace(text_of_key(key), key);
      if (is_new) continue;
      doubled_ = shown_key(first->second) + " and " + shown_key(key);
      return;
    }
  }

  // As json.dumps does: numbers, booleans and None become text.
  static std::string text_of_key(PyObject* key) {
    if (key == Py_None || key == Py_True || key == Py_False)
      return key == Py_None ? "null" : key == Py_True ? "true" : "false";
    const Ref number(PyUnicode_Check(key) ? nullptr : PyObject_Repr(key));
    const Ref bytes(
        PyUnicode_Check(key) || number
            ? PyUnicode_AsEncodedString(number ? number.get() : key, "utf-8", "backslashreplace")
            : nullptr);
    if (bytes)
      return {PyBytes_AS_STRING(bytes.get()),
              static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.get()))};
    PyErr_Clear();
    return "(a number too long to write)";
  }

  static std::string shown_key(PyObject* key) {
    constexpr std::size_t kMost = 60;
    if (key == Py_None || key == Py_True || key == Py_False)
      return key == Py_None ? "None" : key == Py_True ? "True" : "False";
    std::string text(cut_utf8(text_of_key(key), kMost));
    if (!PyUnicode_Check(key)) return text;
    std::string quoted;
    append_raw_json_string(quoted, text);
    return quoted;
  }

  void put_key(PyObject* key) {
    if (PyUnicode_Check(key)) return put_string(key);
    is_exact_ = false;
    append_raw_json_string(out_, text_of_key(key));
  }

  void put_string(PyObject* value) {
    if (!PyUnicode_CheckExact(value)) is_exact_ = false;
    if (static_cast<std::size_t>(PyUnicode_GET_LENGTH(value)) > limits_.bytes) {
      // Larger than the limit, so that write() stops.
      out_.resize(limits_.bytes + 1);
      return;
    }
    Py_ssize_t size = 0;
    if (const char* bytes = PyUnicode_AsUTF8AndSize(value, &size))
      return append_raw_json_string(out_, {bytes, static_cast<std::size_t>(size)});
    PyErr_Clear();  // lone surrogates
    is_exact_ = false;
    const Ref escaped(PyUnicode_AsEncodedString(value, "utf-8", "backslashreplace"));
    if (!escaped) PyErr_Clear();
    append_raw_json_string(
        out_, escaped ? std::string_view(PyBytes_AS_STRING(escaped.get()),
                                         static_cast<std::size_t>(PyBytes_GET_SIZE(escaped.get())))
                      : std::string_view());
  }

  // By the base type: an instance of a subclass is shown as its base, and then is not exact.
  void put(PyObject* value) {
    if (value == Py_None || value == Py_True || value == Py_False) {
      out_ += value == Py_None ? "null" : value == Py_True ? "true" : "false";
    } else if (PyUnicode_Check(value)) {
      put_string(value);
    } else if (PyLong_Check(value)) {
      put_integer(value);
    } else if (PyFloat_Check(value)) {
      put_float(value);
    } else if (PyDict_Check(value)) {
      if (!PyDict_CheckExact(value)) is_exact_ = false;
      open(value, true);
    } else if (PyList_Check(value) || PyTuple_Check(value)) {
      if (!PyList_CheckExact(value)) is_exact_ = false;
      open(value, false);
    } else {
      put_other(value);
    }
  }

  void put_integer(PyObject* value) {
    if (!PyLong_CheckExact(value)) is_exact_ = false;
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow == 0) {
      out_ += std::to_string(small);
      return;
    }
    // int's own repr: a subclass may have another, and it is not asked.
    const Ref digits(PyLong_Type.tp_repr(value));
    if (!digits) {  // more digits than Python writes
      PyErr_Clear();
      return put_other(value);
    }
    out_ += text_of(digits.get());
  }

  void put_float(PyObject* value) {
    const double number = PyFloat_AS_DOUBLE(value);
    char* digits = std::isfinite(number)
                       ? PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr)
                       : nullptr;
    if (digits == nullptr) {
      PyErr_Clear();
      return put_other(value);
    }
    if (!PyFloat_CheckExact(value)) is_exact_ = false;
    out_ += digits;
    PyMem_Free(digits);
  }

  void put_other(PyObject* value) {
    is_exact_ = false;
    others_.push_back({out_.size(), Ref(new_reference(value))});
    // Each will take some bytes of text later; so many cannot fit.
    if (others_.size() > limits_.bytes / 16) out_.resize(limits_.bytes + 1);
  }

  const ShowLimits& limits_;
  std::string out_;
  std::vector<OpenContainer> levels_;
  std::vector<NonJsonValue> others_;
  std::string doubled_;
  bool is_exact_ = true;
};

}  // namespace

// The shower is gone before `describe` is asked about the whole, and with it all references.
ShownValue show_value(PyObject* value, const ShowLimits& limits, const Describe& describe) {
  {
    ValueShower shower(limits);
    if (shower.write(value)) return shower.finish(describe);
  }
  return {described(describe(value)), false, false};
}

}  // namespace airlock::python
