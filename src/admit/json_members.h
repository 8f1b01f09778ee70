// A JSON object of a stranger, taken apart into its members. Each value stays the text that it was
// sent as (numbers keep all their digits, objects their order) until somebody asks for it as what
// it should be. As strict as the inner door (strict_json.h): one object on one line, UTF-8, no key
// twice. Pure.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlock {

class JsonMembers {
 public:
  // Nothing: it is no such object, or nested deeper. `text` must outlive what is returned.
  static std::optional<JsonMembers> read(std::string_view text, std::size_t depth);

  // What was only said to us, and is not to be taken for a part of what is asked.
  void leave_out(std::string_view name) {
    if (const auto found = members_.find(name); found != members_.end()) members_.erase(found);
  }

  bool has(std::string_view name) const { return members_.contains(name); }
  // As it was sent; empty when there is none.
  std::string_view raw(std::string_view name) const;
  bool is_null(std::string_view name) const { return raw(name) == "null"; }

  // Nothing: there is none, or it is something else.
  std::optional<std::string> text(std::string_view name) const;
  std::optional<double> number(std::string_view name) const;
  std::optional<bool> flag(std::string_view name) const;
  std::optional<std::vector<std::string>> texts(std::string_view name) const;
  // The elements of a list, as they were sent.
  std::optional<std::vector<std::string_view>> items(std::string_view name) const;

  std::vector<std::string_view> names() const;

 private:
  std::map<std::string, std::string_view, std::less<>> members_;
};

// A JSON string (with its quotes) that strict_json.h has accepted, as text; nothing when it is
// none.
std::optional<std::string> json_string_value(std::string_view raw);

}  // namespace airlock
