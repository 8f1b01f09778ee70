// A Python object as JSON text for whoever reads the report: JSON values as they are, everything
// else as its type and a bounded repr. Going through the containers calls no method of theirs; only
// then, when nothing is being walked any more, is anyone asked for a repr.
//
// For node hosts: values are the user's own, and may be of any library's type. value_writer.h is
// the strict sister for guests, which shows nothing that is not JSON.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "python/tree.h"

namespace airlock::python {

struct ShowLimits {
  std::size_t bytes = 0;
  int depth = 60;           // less than what airlock takes for JSON (flow/native_nodes.cc)
  std::size_t reprs = 100;  // of one value; further objects are shown by their type alone
};

struct ShownValue {
  std::string json;
  bool is_exact = true;  // reading the JSON gives an equal value of the same types
  bool is_json = true;   // nothing in it is shown by its type and repr
  // `1 and "1"`: two keys of one dict that are one key in JSON. Empty: there are none.
  std::string doubled = {};
};

// (type, repr) of an object that is no JSON. It may run that object's code.
using Describe = std::function<std::pair<std::string, std::string>(PyObject*)>;

ShownValue show_value(PyObject* value, const ShowLimits& limits, const Describe& describe);

}  // namespace airlock::python
