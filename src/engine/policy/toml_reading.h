// Taking a policy file's TOML apart: known keys, values of the right kind, and a mistake with its
// place for everything else. Goes on after a mistake, so that one reading reports them all: a
// reader that found the wrong kind notes that and gives nothing, as if the key were not there.
//
// Of policies it knows their [limits] only; what else the values mean is said by whoever reads: one
// of ours, whole (whole_policy.h), or a user's changes to one (policy_file.h). Not thread-safe: one
// file, one TomlReading. Nodes and tables must outlive it.
#pragma once

#include <fmt/format.h>
#include <toml++/toml.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/printable.h"
#include "base/result.h"
#include "model/policy.h"

namespace airlock {

inline constexpr std::size_t kMostTomlBytes = 1024 * 1024;  // of a policy file
inline constexpr std::size_t kMostTomlEntries = 1000;       // in one list or section

// In quotes, printable, and cut when it is long.
std::string quoted_word(std::string_view word);

// A Python identifier in ASCII of at most 100 bytes; or several with dots between them ("os.path").
bool is_plain_name(std::string_view text);
bool is_dotted_name(std::string_view text);

// The document's root. Text that is too large, or that would harm toml++ itself, is an Error before
// it is parsed. `file` is only for messages.
Result<toml::table> parse_toml(std::string_view text, std::string_view file);

class TomlReading {
 public:
  // A word of a list, and where it stands.
  using Name = std::pair<std::string, toml::source_region>;

  // `file` is only for messages.
  explicit TomlReading(std::string_view file) : file_(file) {}

  void wrong(const toml::source_region& where, std::string text) {
    mistakes_.push_back({where.begin, std::move(text)});
  }
  bool has_mistakes() const { return !mistakes_.empty(); }
  // All mistakes by place, as one Error of the request; the first ones when there are very many.
  Error all_mistakes();

  // A key that is not `known` is a mistake. `inside` continues "unknown key 'x'": " in [limits]".
  void check_keys(const toml::table& table, std::string_view inside,
                  const std::vector<std::string_view>& known);

  // One line of text; nothing (and a mistake noted) when it is missing, empty or something else.
  // `where` is the place of a missing one, `purpose` says in the message what it is for.
  std::optional<std::string> text_of(const toml::table& table, std::string_view key,
                                     const toml::source_region& where, std::string_view purpose);

  // The names in a list, each with its place; anything else in it, or a name twice, is a mistake.
  // A list that is missing is empty.
  std::vector<Name> names_in(const toml::table& table, std::string_view key);

  // Calls visit(name, key, table) for each [section.NAME]. Entries that are no tables are mistakes.
  template <typename Visit>
  void each_table(const toml::table& root, std::string_view section, Visit visit) {
    const toml::node* node = root.get(section);
    if (node == nullptr) return;
    const toml::table* tables = node->as_table();
    if (tables == nullptr) {
      wrong(node->source(),
            fmt::format("'{0}' must be written as [{0}.NAME] with a reason", section));
      return;
    }
    if (tables->size() > kMostTomlEntries) {
      wrong(node->source(),
            fmt::format("'{}' has more than {} entries", section, kMostTomlEntries));
      return;
    }
    for (const auto& [key, entry] : *tables) {
      if (const toml::table* table = entry.as_table()) {
        visit(key.str(), key, *table);
      } else {
        wrong(key.source(), fmt::format("write [{}.{}] with why = \"…\" below it", section,
                                        printable(key.str())));
      }
    }
  }

  // A whole number from 1 to `most`; `limit` stays as it is when the key is missing or wrong.
  void read_limit(const toml::table& table, std::string_view key, std::int64_t most,
                  std::uint32_t& limit);

 private:
  struct Mistake {
    toml::source_position place{};
    std::string text;
  };

  std::string_view file_;
  std::vector<Mistake> mistakes_;
};

// What [limits] says; each limit stays as it is when the file does not name it.
void read_limits(const toml::table& root, TomlReading& toml, VetLimits& limits);

}  // namespace airlock
