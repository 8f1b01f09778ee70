#include "engine/paths/load_rules.h"

#include "base/sha256.h"
#include "os/files.h"
#include "rules/file/rule_file.h"

namespace airlock {

bool is_rule_file_name(std::string_view name) {
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

Result<LoadedRules> load_rules(const std::string& file) {
  // One byte more than is allowed, so that the reader of rules sees, and says, that it is too
  // large.
  auto bytes = TRY(file == "-" ? os::read_standard_input(rules::kMaxYamlBytes + 1)
                               : os::read_file(file, rules::kMaxYamlBytes + 1));
  return load_rules_text(std::move(bytes.bytes));
}

LoadedRules load_rules_text(std::string text) {
  auto read = rules::read_rule_file(text);
  std::string sha256 = sha256_hex(text);
  return {std::move(text), std::move(sha256), std::move(read)};
}

}  // namespace airlock
