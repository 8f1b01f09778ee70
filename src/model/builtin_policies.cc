#include "model/policy_rows.h"

namespace airlock {

namespace {

std::vector<std::string> strings(NameRows names) {
  return {names.begin(), names.end()};
}

std::vector<Permit> permits(std::span<const EntryRow> rows) {
  std::vector<Permit> made;
  made.reserve(rows.size());
  for (const EntryRow& row : rows) made.push_back({row.name, row.why});
  return made;
}

std::vector<Refusal> refusals(std::span<const EntryRow> rows) {
  std::vector<Refusal> made;
  made.reserve(rows.size());
  for (const EntryRow& row : rows) made.push_back({row.name, row.why, row.instead});
  return made;
}

std::vector<Surface> surfaces(std::span<const SurfaceRow> rows) {
  std::vector<Surface> made;
  made.reserve(rows.size());
  for (const SurfaceRow& row : rows) {
    Surface& surface = made.emplace_back();
    surface.name = row.name;
    surface.why = row.why;
    surface.attributes = strings(row.attributes);
    surface.refused = refusals(row.refused);
    for (const GroupRow& group : row.groups)
      surface.groups.push_back({strings(group.names), group.why});
  }
  return made;
}

Policy policy(const PolicyRow& row) {
  Policy made;
  made.name = row.name;
  made.summary = row.summary;
  made.modules = surfaces(row.modules);
  made.packages = surfaces(row.packages);
  made.refused_modules = refusals(row.refused_modules);
  made.classes = surfaces(row.classes);
  made.builtins = permits(row.builtins);
  made.refused_builtins = refusals(row.refused_builtins);
  made.readable_special = permits(row.readable_special);
  made.definable_special = permits(row.definable_special);
  made.private_names = permits(row.private_names);
  made.introspection = refusals(row.introspection);
  made.file_operations = refusals(row.file_operations);
  made.grants = permits(row.grants);
  made.limits = row.limits;
  return made;
}

std::vector<Policy> all_policies() {
  std::vector<Policy> made;
  for (const PolicyRow& row : policy_rows()) made.push_back(policy(row));
  return made;
}

}  // namespace

std::span<const Policy> builtin_policies() {
  static const std::vector<Policy> kBuiltIn = all_policies();
  return kBuiltIn;
}

const Policy* find_builtin_policy(std::string_view name) {
  for (const Policy& policy : builtin_policies()) {
    if (policy.name == name) return &policy;
  }
  return nullptr;
}

}  // namespace airlock
