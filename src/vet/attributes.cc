// Attributes. Behind a module's dot only what that module's list allows. On any other object: no
// special names but a short harmless list, nothing that leads to frames and code, no private names
// of things that the code did not define, and no file operations on what may be a path.
#include <string>

#include "base/nearest.h"
#include "vet/judge.h"

namespace airlock::vet {

namespace {

using python::text_of;

std::string quoted(std::string_view text) {
  return "'" + std::string(text) + "'";
}

void report_foreign_write(Judge& judge, expr_ty node, std::string item) {
  const bool is_delete = node->v.Attribute.ctx == Del;
  judge.report(RuleCode::kForeignWrite, place_of(node), item,
               quoted(item) + " may not be " + (is_delete ? "deleted" : "assigned") +
                   ": it belongs to a library, and changing it changes the program around the code",
               "Keep your own value in a variable or in a class of your own.");
}

// x in module.x, x being wrong.
void report_module_attribute(Judge& judge, expr_ty node, const SurfaceIndex& surface) {
  PyObject* name = node->v.Attribute.attr;
  const std::string& module = surface.surface().name;
  const std::string item = module + "." + std::string(text_of(name));
  std::string message;
  std::string suggestion;
  const Refusal* refusal = surface.refusal(name);
  if (module == "os") {
    message = item + " not allowed (only os.path permitted)";
  } else if (refusal != nullptr) {
    message = quoted(item) + " is not allowed: " + refusal->why;
  } else {
    message = quoted(item) + " is not on the list of what may be used from " + quoted(module);
  }
  if (refusal != nullptr) suggestion = refusal->instead;
  if (suggestion.empty()) {
    const auto& allowed = surface.surface().attributes;
    const std::vector<std::string_view> names(allowed.begin(), allowed.end());
    const std::string_view near = nearest_word(text_of(name), names);
    suggestion = near.empty() ? "See 'airlock policy show' for what " + quoted(module) + " offers."
                              : "Did you mean '" + module + "." + std::string(near) + "'?";
  }
  judge.report(RuleCode::kModuleAttribute, place_of(node), item, std::move(message),
               std::move(suggestion));
}

// Path.replace takes one argument and Path.group none: with more, it is str.replace and
// Match.group.
bool arguments_tell_otherwise(std::string_view name, expr_ty call) {
  if (call == nullptr) return false;
  const auto arguments = items(call->v.Call.args);
  for (expr_ty one : arguments) {
    if (one->kind == Starred_kind) return false;
  }
  const std::size_t count = arguments.size() + items(call->v.Call.keywords).size();
  return (name == "replace" && arguments.size() != 1 && count != 1) ||
         (name == "group" && count > 0);
}

void report_file_operation(Judge& judge, std::string_view name, const Refusal* refusal,
                           Place place) {
  const std::string why =
      refusal != nullptr ? refusal->why : "it is not one of the pure operations on paths";
  const std::string instead = refusal != nullptr && !refusal->instead.empty()
                                  ? refusal->instead
                                  : "Use the path's own parts: name, stem, suffix, parent, parts.";
  judge.report(RuleCode::kFileOperation, place, std::string(name),
               "'" + std::string(name) + "' may not be used on a path: " + why, instead);
}

bool judge_guarded(Judge& judge, PyObject* name, expr_ty receiver, expr_ty call, Place place) {
  if (receiver == nullptr || !judge.policy().any_guarded_class_refuses(name)) return false;
  const std::string_view text = text_of(name);
  if (arguments_tell_otherwise(text, call)) return false;
  const Refusal* refusal = nullptr;
  for (const SurfaceIndex& one : judge.policy().guarded_classes()) {
    if (refusal == nullptr) refusal = one.refusal(name);
  }
  // A name that no guarded class has cannot do anything there.
  if (refusal == nullptr && !text.starts_with('_')) return false;
  if (is_special(text)) return false;
  if (!judge.flow().may_be_guarded(receiver, judge.scope()) &&
      !judge.flow().may_be_guarded_class(receiver, judge.scope())) {
    return false;
  }
  report_file_operation(judge, text, refusal, place);
  return true;
}

}  // namespace

std::optional<Objection> attribute_objection(const Judge& judge, PyObject* name) {
  const std::string_view text = text_of(name);
  const NameFacts& facts = judge.policy().facts(name);
  if (facts.introspection != nullptr)
    return Objection{facts.introspection->why, facts.introspection->instead};
  if (is_special(text)) {
    if (facts.readable_special != nullptr) return std::nullopt;
    return Objection{"special attributes lead from any object into the interpreter",
                     text == "__class__" ? "Use type(x), or type(x).__name__ for its name."
                     : text == "__dict__"
                         ? "Use dataclasses.asdict, or name the fields."
                         : "There is always a way without it: name what you need."};
  }
  if (judge.scopes().spells_private_name(text)) {
    return Objection{"it is how the interpreter spells a private name of a class here",
                     "Use the name with its two underscores, inside the class."};
  }
  if (text.starts_with('_') && facts.private_name == nullptr &&
      !judge.scopes().defines_attribute(name)) {
    return Objection{"it is a private name of something that this code does not define",
                     "Use the documented attributes."};
  }
  return std::nullopt;
}

bool judge_attribute_name(Judge& judge, PyObject* name, expr_ty receiver, expr_ty call,
                          Place place) {
  const std::string_view text = text_of(name);
  if (const auto objection = attribute_objection(judge, name)) {
    judge.report(RuleCode::kIntrospection, place, std::string(text),
                 "The attribute " + quoted(text) + " may not be used: " + objection->why,
                 objection->instead);
    return true;
  }
  if (const Refusal* refusal = judge.policy().facts(name).file_operation;
      refusal != nullptr && !judge.scopes().defines_attribute(name)) {
    report_file_operation(judge, text, refusal, place);
    return true;
  }
  return judge_guarded(judge, name, receiver, call, place);
}

void judge_attribute_of_call(Judge& judge, expr_ty node, expr_ty call) {
  expr_ty value = node->v.Attribute.value;
  PyObject* name = node->v.Attribute.attr;
  const std::string_view text = text_of(name);
  const bool is_read = node->v.Attribute.ctx == Load;
  if (const SurfaceIndex* module = judge.flow().module_of(value, judge.scope());
      module != nullptr) {
    if (!is_read)
      return report_foreign_write(judge, node, module->surface().name + "." + std::string(text));
    if (!module->allows(name)) return report_module_attribute(judge, node, *module);
    if (const SurfaceIndex* inner = judge.flow().module_of(node, judge.scope()); inner != nullptr) {
      judge.report(RuleCode::kModuleAsValue, place_of(node), inner->surface().name,
                   "The module '" + inner->surface().name +
                       "' is used as a value: only what stands behind its dot can be judged",
                   "Use what you need from it directly: " + inner->surface().name + ".name.");
    }
    return;
  }
  const bool is_class_name = (text == "__name__" || text == "__qualname__") &&
                             value->kind == Attribute_kind &&
                             text_of(value->v.Attribute.attr) == "__class__";
  if (is_class_name) return judge.visit(value->v.Attribute.value);  // x.__class__.__name__
  const bool is_reported = judge_attribute_name(judge, name, value, call, place_of(node));
  if (!is_read && !is_reported) {
    if (is_special(text)) {
      judge.report(RuleCode::kSpecialName, place_of(node), std::string(text),
                   "The special attribute " + quoted(text) + " may not be changed",
                   "Define protocol methods in the class body.");
    } else if (judge.flow().may_be_foreign(value, judge.scope())) {
      report_foreign_write(judge, node, std::string(text));
    }
  }
  judge.visit(value);
}

void judge_attribute(Judge& judge, expr_ty node) {
  const std::string_view text = text_of(node->v.Attribute.attr);
  if ((text == "format" || text == "format_map") && node->v.Attribute.ctx == Load)
    judge_format_reference(judge, node);
  judge_attribute_of_call(judge, node, nullptr);
}

}  // namespace airlock::vet
