#include "engine/policy/policy_hash.h"

#include <algorithm>
#include <vector>

#include "base/sha256.h"

namespace airlock {

namespace {

// Each text with its length before it, so that no two lists read the same.
class CanonicalHash {
 public:
  void add(std::string_view text) {
    hash_.add(std::to_string(text.size()) + ":");
    hash_.add(text);
  }

  // Sorted: the order in which a file lists its entries does not count.
  void add(std::string_view title, std::vector<std::string> names) {
    std::ranges::sort(names);
    add(title);
    add(std::to_string(names.size()));
    for (const std::string& name : names) add(name);
  }

  template <typename Row>
  void add_names(std::string_view title, const std::vector<Row>& rows) {
    std::vector<std::string> names;
    for (const Row& row : rows) names.push_back(row.name);
    add(title, std::move(names));
  }

  void add(std::string_view title, const std::vector<Surface>& surfaces) {
    std::vector<const Surface*> sorted;
    for (const Surface& one : surfaces) sorted.push_back(&one);
    std::ranges::sort(sorted, {}, [](const Surface* one) { return std::string_view(one->name); });
    add(title);
    add(std::to_string(sorted.size()));
    for (const Surface* one : sorted) {
      add(one->name, one->attributes);
      add_names("refused", one->refused);
    }
  }

  std::string hex() { return hash_.hex(); }

 private:
  Sha256 hash_;
};

}  // namespace

std::string policy_hash(const Policy& policy) {
  CanonicalHash hash;
  hash.add("airlock policy 1");
  hash.add("modules", policy.modules);
  hash.add("packages", policy.packages);
  hash.add("classes", policy.classes);
  hash.add_names("refused_modules", policy.refused_modules);
  hash.add_names("builtins", policy.builtins);
  hash.add_names("refused_builtins", policy.refused_builtins);
  hash.add_names("readable_special", policy.readable_special);
  hash.add_names("definable_special", policy.definable_special);
  hash.add_names("private_names", policy.private_names);
  hash.add_names("introspection", policy.introspection);
  hash.add_names("file_operations", policy.file_operations);
  hash.add_names("grants", policy.grants);
  hash.add("limits");
  hash.add(std::to_string(policy.limits.source_bytes));
  hash.add(std::to_string(policy.limits.bracket_depth));
  hash.add(std::to_string(policy.limits.tree_depth));
  // Only where there are any: receipts of policies without stay as they are.
  if (!policy.preloaded.empty()) hash.add("preloaded", policy.preloaded);
  return hash.hex();
}

}  // namespace airlock
