// What people call things in paths: names for fields from the folder above, the word in front, or
// the values themselves. Tables, so that a name is added by adding a row. All of it is pure and
// ignores case. Words live in vocabulary.cc, values in value_names.cc, trees and pairs in
// known_trees.cc.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace airlock::rules {

// "custodians" → "custodian", "studies" → "study".
std::string singular(std::string_view word);
// "CLIENT-Name" → "client_name": fit for a field's name. Empty when nothing is left.
std::string as_identifier(std::string_view word);
// data, archive, logs …: folders that say nothing about what is below them.
bool is_container_word(std::string_view word);
// The name that the values themselves suggest: {prod, dev} → environment.
std::optional<std::string_view> name_for_values(std::span<const std::string_view> values);
// customer, stations: what has a name of its own.
bool is_entity_word(std::string_view word);
// Whether a folder of this name says what the folders below it are: customers, station.
bool names_what_is_below(std::string_view folder);
// S01E02 → season, episode; h18v04 → horizontal_tile, vertical_tile; else the letters.
std::pair<std::string, std::string> names_of_counts(std::string_view first,
                                                    std::string_view second);
// val_loss= → val_loss, ses- → session.
std::string name_of_key(std::string_view key);
// For a number or code behind a word: mission → mission_id, part → part, IMG → image_number.
std::string name_behind(std::string_view word);
// s20240151230 … → start_time: one letter followed by more digits than a counter has.
std::optional<std::string_view> name_of_long_count(std::string_view letter);
// Whether name_behind() has a row for this word, rather than making one up.
bool is_known_behind(std::string_view word);
// Below a folder of this name: custodians → custodian; with `is_id` custodian_id.
std::string name_below(std::string_view folder, bool is_id);

// A name for the position `below` a folder of a known tree: below mlruns/ the first is an
// experiment, the second a run.
struct TreeName {
  std::size_t below;
  std::string_view name;
  bool is_certain = false;  // better than what the values suggest
  bool is_text = false;     // made of digits, and yet no number
  bool is_file = false;     // only when the file stands there
};
// Empty for a folder that no known tree begins with.
std::span<const TreeName> names_below_tree(std::string_view folder);

// Names that go together: what follows an exchange is a symbol, what stands before a partition a
// topic. `is_number`: the one that is to be named.
std::optional<std::string_view> name_after(std::string_view name, bool is_number);
std::optional<std::string_view> name_in_front_of(std::string_view name, bool is_number);

}  // namespace airlock::rules
