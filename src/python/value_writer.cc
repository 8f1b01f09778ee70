#include "python/value_writer.h"

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "base/json_writer.h"

namespace airlock::python {

namespace {

struct TypeHint {
  std::string_view type;
  std::string_view instead;
};

// By tp_name. What people return most often, with the way to JSON.
constexpr std::array kHints = {
    TypeHint{"bytes", "use .decode()"},
    TypeHint{"bytearray", "use bytes(x).decode()"},
    TypeHint{"set", "use sorted(x)"},
    TypeHint{"frozenset", "use sorted(x)"},
    TypeHint{"datetime.datetime", "use .isoformat()"},
    TypeHint{"datetime.date", "use .isoformat()"},
    TypeHint{"datetime.time", "use .isoformat()"},
    TypeHint{"datetime.timedelta", "use .total_seconds()"},
    TypeHint{"pathlib.PosixPath", "use str(x)"},
    TypeHint{"PosixPath", "use str(x)"},
    TypeHint{"PurePosixPath", "use str(x)"},
    TypeHint{"PureWindowsPath", "use str(x)"},
    TypeHint{"UUID", "use str(x)"},
    TypeHint{"re.Match", "use .group() or .groupdict()"},
    TypeHint{"generator", "use list(x)"},
    TypeHint{"map", "use list(x)"},
    TypeHint{"filter", "use list(x)"},
    TypeHint{"zip", "use list(x)"},
    TypeHint{"range", "use list(x)"},
    TypeHint{"dict_keys", "use list(x)"},
    TypeHint{"dict_values", "use list(x)"},
    TypeHint{"dict_items", "use dict(x)"},
    TypeHint{"complex", "use its .real and .imag"},
};

// One container that is being written.
struct WriterLevel {
  PyObject* container;
  bool is_dict;
  Py_ssize_t position = 0;  // for PyDict_Next, or the index of the next item
  bool has_items = false;
  PyObject* key = nullptr;  // of the item being written
};

// Iterative: a value nested a hundred thousand deep must not use our stack.
class ValueWriter {
 public:
  explicit ValueWriter(const ValueLimits& limits) : limits_(limits) {}

  std::expected<std::string, ValueProblem> write(PyObject* value) {
    auto problem = put(value);
    while (!problem && !is_too_large() && !levels_.empty()) problem = step();
    if (problem) return std::unexpected(std::move(*problem));
    if (is_too_large()) {
      return std::unexpected(
          ValueProblem{ValueProblem::Kind::kTooLarge,
                       "The result is larger than " + std::to_string(limits_.bytes) + " bytes"});
    }
    return std::move(out_);
  }

 private:
  using MaybeProblem = std::optional<ValueProblem>;

  bool is_too_large() const { return is_too_large_ || out_.size() > limits_.bytes; }

  MaybeProblem refuse(const std::string& message) const {
    return ValueProblem{ValueProblem::Kind::kNotJson, "Result" + where() + " " + message};
  }

  // ['a'][3]: keys may be anything, so they are shortened.
  std::string where() const {
    std::string path;
    for (const WriterLevel& level : levels_) {
      if (!level.is_dict) {
        // `position` is already that of the next item.
        path += "[" + std::to_string(level.position - 1) + "]";
      } else if (level.key != nullptr && PyUnicode_Check(level.key)) {
        const auto text = utf8(level.key);
        path += "['" + std::string(text ? text->substr(0, 40) : "…") + "']";
      }
    }
    return path.size() > 200 ? path.substr(0, 200) + "…" : path;
  }

  // One item of the innermost container, or its end.
  MaybeProblem step() {
    WriterLevel& level = levels_.back();
    if (level.is_dict) {
      PyObject *key = nullptr, *item = nullptr;
      if (PyDict_Next(level.container, &level.position, &key, &item) == 0) return close('}');
      if (level.has_items) out_ += ',';
      level.has_items = true;
      level.key = nullptr;
      if (!PyUnicode_Check(key)) {
        return refuse(std::string("has a key of type ") + Py_TYPE(key)->tp_name +
                      ": keys must be strings");
      }
      const auto text = utf8(key);
      if (!text) return refuse("has a key with a lone surrogate, which is not text");
      if (text->size() > limits_.key_bytes) {
        return refuse("has a key of " + std::to_string(text->size()) + " bytes; the limit is " +
                      std::to_string(limits_.key_bytes));
      }
      if (limits_.has_plain_keys && text->find_first_of("\n\r") != std::string_view::npos)
        return refuse("has a key with a line end in it");
      level.key = key;
      append_raw_json_string(out_, *text);
      out_ += ':';
      return put(item);
    }
    const bool is_list = PyList_Check(level.container);
    const Py_ssize_t size =
        is_list ? PyList_GET_SIZE(level.container) : PyTuple_GET_SIZE(level.container);
    if (level.position >= size) return close(']');
    if (level.has_items) out_ += ',';
    level.has_items = true;
    PyObject* item = is_list ? PyList_GET_ITEM(level.container, level.position)
                             : PyTuple_GET_ITEM(level.container, level.position);
    ++level.position;
    return put(item);
  }

  MaybeProblem close(char bracket) {
    out_ += bracket;
    levels_.pop_back();
    return std::nullopt;
  }

  // A container inside itself is found by the same limit: it has no end.
  MaybeProblem open(PyObject* container, bool is_dict) {
    if (levels_.size() >= static_cast<std::size_t>(limits_.depth)) {
      return ValueProblem{ValueProblem::Kind::kTooDeep, "The result is nested deeper than " +
                                                            std::to_string(limits_.depth) +
                                                            " levels (or refers to itself)"};
    }
    out_ += is_dict ? '{' : '[';
    levels_.push_back({container, is_dict});
    return std::nullopt;
  }

  static std::optional<std::string_view> utf8(PyObject* text) {
    Py_ssize_t size = 0;
    const char* bytes = PyUnicode_AsUTF8AndSize(text, &size);
    if (bytes == nullptr) {
      PyErr_Clear();
      return std::nullopt;
    }
    return std::string_view(bytes, static_cast<std::size_t>(size));
  }

  // bool before int: True is an int too.
  MaybeProblem put(PyObject* value) {
    if (value == Py_None) return put_text("null");
    if (value == Py_True) return put_text("true");
    if (value == Py_False) return put_text("false");
    if (PyUnicode_Check(value)) {
      if (static_cast<std::size_t>(PyUnicode_GET_LENGTH(value)) > limits_.bytes) {
        is_too_large_ = true;  // without a copy: there may be no memory left for one
        return std::nullopt;
      }
      const auto text = utf8(value);
      if (!text) return refuse("is text with a lone surrogate, which has no UTF-8");
      append_raw_json_string(out_, *text);
      return std::nullopt;
    }
    if (PyLong_Check(value)) return put_integer(value);
    if (PyFloat_Check(value)) return put_float(PyFloat_AS_DOUBLE(value));
    if (PyDict_Check(value)) return open(value, true);
    if (PyList_Check(value) || PyTuple_Check(value)) return open(value, false);
    return refuse_type(value);
  }

  MaybeProblem put_text(std::string_view text) {
    out_ += text;
    return std::nullopt;
  }

  // The digits themselves: no number of ours is between them and the reader.
  MaybeProblem put_integer(PyObject* value) {
    int overflow = 0;
    const long long small = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow == 0) return put_text(std::to_string(small));
    // int's own repr, in a time that grows with the square of the digits: CPython refuses more than
    // 4300 of them (sys.set_int_max_str_digits).
    PyObject* digits = PyLong_Type.tp_repr(value);
    if (digits == nullptr) {
      PyErr_Clear();
      return refuse("is an integer with more than 4300 digits");
    }
    const auto text = utf8(digits);
    if (text) out_ += *text;
    Py_DECREF(digits);
    return std::nullopt;
  }

  MaybeProblem put_float(double value) {
    if (!std::isfinite(value))
      return refuse(std::string("is ") + (std::isnan(value) ? "NaN" : "infinity") +
                    ", which is not JSON");
    // 'r': the shortest digits that read back as the same number; with ".0" when there is no
    // fraction.
    char* digits = PyOS_double_to_string(value, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);
    if (digits == nullptr) {
      PyErr_Clear();
      return refuse("is a number that cannot be written");
    }
    out_ += digits;
    PyMem_Free(digits);
    return std::nullopt;
  }

  MaybeProblem refuse_type(PyObject* value) {
    const std::string_view type = Py_TYPE(value)->tp_name;
    std::string message = "is a " + std::string(type.substr(0, 80)) + ", which is not JSON";
    for (const TypeHint& hint : kHints) {
      if (hint.type == type) message += ": " + std::string(hint.instead);
    }
    return refuse(message);
  }

  const ValueLimits& limits_;
  std::string out_;
  bool is_too_large_ = false;
  std::vector<WriterLevel> levels_;
};

}  // namespace

std::expected<std::string, ValueProblem> write_value(PyObject* value, const ValueLimits& limits) {
  return ValueWriter(limits).write(value);
}

}  // namespace airlock::python
