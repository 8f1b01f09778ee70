// The templates that stand in a node's parameters, as far as they can be read without the store.
// They are only found here; library/airlock_node/templates.py resolves them, and the two must agree
// on what a template is. Pure.
//
//   template = "${" path "}"      path = name { "." name | "[" index-or-key "]" }
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/document.h"

namespace airlock::flow {

struct TemplateUse {
  std::string text;    // "${fetch.result[0]}"
  std::string root;    // "fetch"; empty when it is no path
  std::string second;  // "result"; empty when there is no name there
  std::string below;   // "[0]": what comes after the two
};

// In the order of the document. `$${` is an escape and no template.
std::vector<TemplateUse> template_uses(const Json& value);

// The template that is all of the text, and so keeps the type of what it names.
std::optional<TemplateUse> whole_template(const Json& value);

// Where "${" stands and no template comes of it, nor an escape: "${a.b", "${a{b}}".
std::optional<std::string> broken_template(const Json& value);

// A template inside of another: "${a[${i}]}". As library/airlock_node/templates.py has it.
std::optional<std::string> nested_template(const Json& value);

// The part of a node's parameters in which templates are looked up; null when it is not there.
Json templated_part(const Node& node);
// Those of templated_part().
std::vector<TemplateUse> template_uses(const Node& node);

}  // namespace airlock::flow
