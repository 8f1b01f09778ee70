// A user's policy is a built-in one with changes: a copy of the base is made, and each table of the
// file is applied to it. Mistakes are collected on the way, so that one reading reports them all;
// the copy is handed out only when there were none.
//
//   extends = "extractor"
//   name = "tables"
//   remove_modules = ["uuid"]
//   [modules.csv]
//   why = "paths with comma-separated segments"
//   attributes = ["reader"]
//   [builtins.id]
//   why = "…"
//   [limits]
//   source_bytes = 65536
//
// A file can widen the scan, and the kernel's walls stay where they are. Still, some entries would
// make the scan pointless (eval, os, importlib): those are refused whatever the reason given.
#include "engine/policy/policy_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <toml++/toml.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

#include "base/fd.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "engine/policy/never_allowed.h"

namespace airlock {

namespace {

constexpr std::size_t kMostBytes = 1024 * 1024;
// toml++ 3.3 makes a table inside a table for every dot and frees them by recursion: half a million
// dots in one key end the process. Files of people have a few dozen.
constexpr std::size_t kMostKeyDots = 4096;
constexpr std::size_t kLongestText = 500;
constexpr std::size_t kMostEntries = 1000;  // in one list or section
constexpr std::size_t kMostMistakes = 50;   // that are shown

bool is_name(std::string_view text) {
  const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  const auto fits = [&](char c) { return c == '_' || is_letter(c) || (c >= '0' && c <= '9'); };
  return !text.empty() && text.size() <= 100 && (text[0] == '_' || is_letter(text[0])) &&
         std::ranges::all_of(text, fits);
}

std::string quoted(std::string_view text) {
  return "'" + printable(text.substr(0, 100)) + (text.size() > 100 ? "…'" : "'");
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view near = nearest_word(word, candidates);
  return near.empty() ? "" : fmt::format("; did you mean '{}'?", near);
}

template <typename Rows>
std::vector<std::string_view> names_of(const Rows& rows) {
  std::vector<std::string_view> names;
  for (const auto& row : rows) names.push_back(row.name);
  return names;
}

template <typename Row>
Row* find_row(std::vector<Row>& rows, std::string_view name) {
  const auto found = std::ranges::find(rows, name, &Row::name);
  return found == rows.end() ? nullptr : &*found;
}

template <typename Row>
void erase_row(std::vector<Row>& rows, std::string_view name) {
  std::erase_if(rows, [&](const Row& row) { return row.name == name; });
}

// Keeps the order of the names; an older row of the same name gives way.
template <typename Row>
Row& put_row(std::vector<Row>& rows, Row row) {
  erase_row(rows, row.name);
  const auto place = std::ranges::lower_bound(rows, row.name, {}, &Row::name);
  return *rows.insert(place, std::move(row));
}

void add_attribute(Surface& surface, const std::string& name) {
  const auto place = std::ranges::lower_bound(surface.attributes, name);
  if (place == surface.attributes.end() || *place != name) surface.attributes.insert(place, name);
  erase_row(surface.refused, name);
}

// How many dots stand in keys (and numbers): outside strings and comments.
std::size_t count_key_dots(std::string_view toml) {
  std::size_t dots = 0;
  for (std::size_t at = 0; at < toml.size(); ++at) {
    const char c = toml[at];
    if (c == '.') ++dots;
    if (c == '#') at = std::min(toml.find('\n', at), toml.size());
    if (c != '"' && c != '\'') continue;
    const std::string_view fence = toml.substr(at, 3);
    const bool is_long = fence == "\"\"\"" || fence == "'''";
    for (at += is_long ? 3 : 1; at < toml.size(); ++at) {
      if (c == '"' && toml[at] == '\\') {
        ++at;
      } else if (is_long ? toml.substr(at, 3) == fence : toml[at] == c || toml[at] == '\n') {
        at += is_long ? 2 : 0;
        break;
      }
    }
  }
  return dots;
}

class PolicyReader {
 public:
  PolicyReader(std::string_view file, const toml::table& root) : file_(file), root_(root) {}

  Result<Policy> policy() {
    check_keys(root_, "",
               {"extends", "name", "summary", "modules", "builtins", "limits", "remove_modules",
                "remove_builtins"});
    if (read_base()) {
      read_identity();
      if (!base_->has_grant(kAnyPython)) read_lists();
      read_limits();
    }
    if (!mistakes_.empty()) return std::unexpected(all_mistakes());
    return std::move(policy_);
  }

 private:
  void read_lists() {
    remove_modules();
    remove_builtins();
    each_table("modules", [&](std::string_view name, const toml::key& key,
                              const toml::table& table) { read_module(name, key, table); });
    each_table("builtins", [&](std::string_view name, const toml::key& key,
                               const toml::table& table) { read_builtin(name, key, table); });
  }

  struct Mistake {
    toml::source_position place{};
    std::string text;
  };

  using Name = std::pair<std::string, toml::source_region>;

  void wrong(const toml::source_region& where, std::string text) {
    mistakes_.push_back({where.begin, std::move(text)});
  }

  Error all_mistakes() {
    std::ranges::stable_sort(mistakes_, [](const Mistake& a, const Mistake& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    std::string all;
    if (mistakes_.size() > 1) {
      all = fmt::format("{}: {} mistakes in this policy\n", printable(file_), mistakes_.size());
    }
    const std::size_t hidden = mistakes_.size() - std::min(mistakes_.size(), kMostMistakes);
    mistakes_.resize(mistakes_.size() - hidden);
    for (const Mistake& mistake : mistakes_) {
      if (&mistake != &mistakes_.front()) all += '\n';
      all += fmt::format("{}:{}:{}: {}", printable(file_), mistake.place.line, mistake.place.column,
                         mistake.text);
    }
    if (hidden > 0) all += fmt::format("\n… and {} more", hidden);
    return Error{std::move(all), ErrorKind::kRequest};
  }

  void check_keys(const toml::table& table, std::string_view inside,
                  const std::vector<std::string_view>& known) {
    for (const auto& [key, node] : table) {
      if (std::ranges::find(known, key.str()) != known.end()) continue;
      std::string hint = did_you_mean(key.str(), known);
      if (hint.empty()) hint = fmt::format("; expected {}", fmt::join(known, ", "));
      wrong(key.source(), fmt::format("unknown key {}{}{}", quoted(key.str()), inside, hint));
    }
  }

  // One line of text; nothing (and a mistake noted) when it is missing, empty or something else.
  std::optional<std::string> text_of(const toml::table& table, std::string_view key,
                                     const toml::source_region& where, std::string_view purpose) {
    const toml::node* node = table.get(key);
    if (node == nullptr) {
      wrong(where, fmt::format("'{}' is missing: {}", key, purpose));
      return std::nullopt;
    }
    const toml::value<std::string>* value = node->as_string();
    if (value == nullptr) {
      wrong(node->source(), fmt::format("'{}' must be text: {}", key, purpose));
      return std::nullopt;
    }
    const std::string& text = value->get();
    if (text.find_first_not_of(" \t") == std::string::npos) {
      wrong(node->source(), fmt::format("'{}' is empty: {}", key, purpose));
    } else if (text.size() > kLongestText || printable(text) != text) {
      wrong(node->source(), fmt::format("'{}' must be one line of at most {} bytes without control "
                                        "characters",
                                        key, kLongestText));
    } else {
      return text;
    }
    return std::nullopt;
  }

  // The names in a list, each with its place; anything else in it is a mistake.
  std::vector<Name> names_in(const toml::table& table, std::string_view key) {
    std::vector<Name> names;
    const toml::node* node = table.get(key);
    if (node == nullptr) return names;
    const toml::array* list = node->as_array();
    if (list == nullptr) {
      wrong(node->source(), fmt::format("'{}' must be a list of names, such as [\"reader\"]", key));
      return names;
    }
    if (list->size() > kMostEntries) {
      wrong(node->source(), fmt::format("'{}' has more than {} names", key, kMostEntries));
      return names;
    }
    for (const toml::node& item : *list) {
      const toml::value<std::string>* name = item.as_string();
      if (name == nullptr) {
        wrong(item.source(), fmt::format("'{}' must hold names in quotes", key));
      } else if (std::ranges::find(names, name->get(), &Name::first) != names.end()) {
        wrong(item.source(), fmt::format("{} is listed twice", quoted(name->get())));
      } else {
        names.emplace_back(name->get(), item.source());
      }
    }
    return names;
  }

  bool read_base() {
    const std::vector<std::string_view> known = names_of(builtin_policies());
    const std::string choice =
        fmt::format("name the built-in policy to start from ({})", fmt::join(known, ", "));
    const auto extends = text_of(root_, "extends", root_.source(), choice);
    if (!extends) return false;
    const Policy* base = find_builtin_policy(*extends);
    if (base == nullptr) {
      std::string hint = did_you_mean(*extends, known);
      if (hint.empty()) hint = "; " + choice;
      wrong(root_.get("extends")->source(),
            fmt::format("there is no built-in policy {}{}", quoted(*extends), hint));
      return false;
    }
    base_ = base;
    policy_ = *base;
    if (base->has_grant(kAnyPython)) refuse_lists();
    return true;
  }

  // Lists say what code may use; a base that lets it use everything has none to change.
  void refuse_lists() {
    for (const char* list : {"modules", "builtins", "remove_modules", "remove_builtins"}) {
      if (const toml::node* node = root_.get(list)) {
        wrong(node->source(),
              fmt::format("'{}' has no meaning here: '{}' allows every import and builtin, and the "
                          "kernel's walls alone hold",
                          list, base_->name));
      }
    }
  }

  // Without a name of its own a policy is called after its file.
  void read_identity() {
    const std::string_view name = file_.substr(file_.find_last_of('/') + 1);
    policy_.name = printable(name.substr(0, name.rfind(".toml")));
    policy_.summary = fmt::format("{}, with the changes in {}", base_->name, printable(name));
    if (root_.contains("name")) {
      policy_.name =
          text_of(root_, "name", root_.source(), "call the policy something").value_or("");
    }
    if (root_.contains("summary")) {
      policy_.summary =
          text_of(root_, "summary", root_.source(), "say what it is for").value_or("");
    }
    if (find_builtin_policy(policy_.name) != nullptr) {
      const toml::node* node = root_.get("name");
      wrong(
          node == nullptr ? root_.source() : node->source(),
          fmt::format("'{}' is a built-in policy; give this one a name of its own", policy_.name));
    }
  }

  std::string removed_words() const {
    return fmt::format("Not allowed by the policy '{}'", policy_.name);
  }

  void remove_modules() {
    for (const auto& [name, where] : names_in(root_, "remove_modules")) {
      if (find_row(policy_.modules, name) == nullptr) {
        wrong(where, fmt::format("{} is not on the list of '{}'{}", quoted(name), base_->name,
                                 did_you_mean(name, names_of(base_->modules))));
        continue;
      }
      erase_row(policy_.modules, name);
      put_row(policy_.refused_modules, Refusal{name, removed_words(), ""});
      removed_modules_.push_back(name);
      unbind(name);
    }
  }

  // The package of a removed module no longer leads to it.
  void unbind(std::string_view module) {
    const std::size_t dot = module.rfind('.');
    if (dot == std::string_view::npos) return;
    for (std::vector<Surface>* surfaces : {&policy_.packages, &policy_.modules}) {
      if (Surface* parent = find_row(*surfaces, module.substr(0, dot))) {
        std::erase(parent->attributes, module.substr(dot + 1));
        for (Group& group : parent->groups) std::erase(group.names, module.substr(dot + 1));
        std::erase_if(parent->groups, [](const Group& group) { return group.names.empty(); });
      }
    }
    const std::string inside = std::string(module.substr(0, dot)) + ".";
    const auto is_inside = [&](const Surface& row) { return row.name.starts_with(inside); };
    if (std::ranges::none_of(policy_.modules, is_inside)) {
      erase_row(policy_.packages, module.substr(0, dot));
    }
  }

  void remove_builtins() {
    for (const auto& [name, where] : names_in(root_, "remove_builtins")) {
      if (find_row(policy_.builtins, name) == nullptr) {
        wrong(where, fmt::format("{} is not on the list of '{}'{}", quoted(name), base_->name,
                                 did_you_mean(name, names_of(base_->builtins))));
        continue;
      }
      erase_row(policy_.builtins, name);
      put_row(policy_.refused_builtins, Refusal{name, removed_words(), ""});
      removed_builtins_.push_back(name);
    }
  }

  template <typename Visit>
  void each_table(std::string_view section, Visit visit) {
    const toml::node* node = root_.get(section);
    if (node == nullptr) return;
    const toml::table* tables = node->as_table();
    if (tables == nullptr) {
      wrong(node->source(),
            fmt::format("'{0}' must be written as [{0}.NAME] with a reason", section));
      return;
    }
    if (tables->size() > kMostEntries) {
      wrong(node->source(), fmt::format("'{}' has more than {} entries", section, kMostEntries));
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

  // [modules.xml.etree] is a table in a table for TOML, and the module xml.etree for people.
  void read_module(std::string_view name, const toml::key& key, const toml::table& table) {
    if (!is_name(key.str()) && !is_dotted(key.str())) {
      wrong(key.source(), fmt::format("{} is not the name of a module", quoted(key.str())));
      return;
    }
    bool has_inner = false;
    for (const auto& [inner, node] : table) {
      if (const toml::table* submodule = node.as_table()) {
        has_inner = true;
        read_module(fmt::format("{}.{}", name, inner.str()), inner, *submodule);
      }
    }
    if (!has_inner || table.contains("why") || table.contains("attributes")) {
      read_module_entry(std::string(name), key, table);
    }
  }

  static bool is_dotted(std::string_view name) {
    for (;;) {
      const std::size_t dot = name.find('.');
      if (!is_name(name.substr(0, dot))) return false;
      if (dot == std::string_view::npos) return true;
      name.remove_prefix(dot + 1);
    }
  }

  void read_module_entry(const std::string& name, const toml::key& key, const toml::table& table) {
    const std::string inside = fmt::format(" in [modules.{}]", name);
    toml::table own;
    for (const auto& [inner, node] : table) {
      if (!node.is_table()) own.insert(inner, node);
    }
    check_keys(own, inside, {"why", "attributes"});
    if (const Never* never = never_module(name)) {
      wrong(key.source(), fmt::format("'{}' can never be allowed: {}", name, never->why));
      return;
    }
    if (std::ranges::find(removed_modules_, name) != removed_modules_.end()) {
      wrong(key.source(), fmt::format("'{}' is removed and added in the same file", name));
    }
    const auto why = text_of(table, "why", key.source(), "every entry has its reason");
    if (!table.contains("attributes")) {
      wrong(key.source(),
            fmt::format("'attributes' is missing{}: list what may be read, or [\"*\"] "
                        "for every public name",
                        inside));
    }
    auto names = names_in(table, "attributes");
    std::erase_if(names, [&](const auto& row) { return !may_allow(name, row.first, row.second); });
    if (names.size() > 1 && std::ranges::find(names, "*", &Name::first) != names.end()) {
      wrong(table.get("attributes")->source(),
            "\"*\" stands alone: it is every public name already");
    }
    if (!why || names.empty()) return;
    std::vector<std::string> attributes;
    for (const auto& row : names) attributes.push_back(row.first);
    std::ranges::sort(attributes);
    add_module(name, *why, attributes);
  }

  bool may_allow(const std::string& module, const std::string& name,
                 const toml::source_region& where) {
    if (name == "*") return true;
    if (!is_name(name)) {
      wrong(where, fmt::format("{} is not the name of an attribute", quoted(name)));
    } else if (name.starts_with('_')) {
      wrong(where, fmt::format("'{}' is private: names with a leading underscore cannot be allowed",
                               name));
    } else if (const Never* never = never_attribute(module, name)) {
      wrong(where, fmt::format("'{}.{}' can never be allowed: {}", module, name, never->why));
    } else if (is_module_inside(module, name)) {
      wrong(where, fmt::format("'{0}.{1}' is the module {1} inside {0}; list the module itself",
                               module, name));
    } else {
      return true;
    }
    return false;
  }

  void add_module(const std::string& name, const std::string& why,
                  const std::vector<std::string>& attributes) {
    Surface* surface = find_row(policy_.modules, name);
    if (surface == nullptr) surface = &put_row(policy_.modules, Surface{name, why, {}, {}, {}});
    surface->groups.push_back({attributes, why});
    if (attributes.front() == "*") {
      surface->attributes = {"*"};
      close_inner_modules(*surface);
    } else if (surface->attributes != std::vector<std::string>{"*"}) {
      for (const std::string& attribute : attributes) add_attribute(*surface, attribute);
    }
    erase_row(policy_.refused_modules, name);
    bind(name, why);
  }

  // "*" is for what a module offers, not for the modules that it happens to import.
  static void close_inner_modules(Surface& surface) {
    for (const std::string_view inner : modules_inside()) {
      if (!is_module_inside(surface.name, inner) || find_row(surface.refused, inner) != nullptr)
        continue;
      put_row(surface.refused,
              Refusal{std::string(inner), "Another module inside " + surface.name,
                      "import the module under its own name if the policy lists it"});
    }
    for (const Never& never : never_attributes()) {
      const std::size_t dot = never.name.rfind('.');
      if (never.name.substr(0, dot) != surface.name) continue;
      put_row(surface.refused, Refusal{std::string(never.name.substr(dot + 1)),
                                       fmt::format("Can never be allowed: {}", never.why), ""});
    }
  }

  // import a.b.c binds a, through which b and then c may be read.
  void bind(std::string_view module, const std::string& why) {
    for (std::size_t dot = module.rfind('.'); dot != std::string_view::npos;
         module = module.substr(0, dot), dot = module.rfind('.')) {
      const std::string package(module.substr(0, dot));
      Surface* parent = find_row(policy_.modules, package);
      if (parent == nullptr) parent = find_row(policy_.packages, package);
      if (parent == nullptr) parent = &put_row(policy_.packages, Surface{package, why, {}, {}, {}});
      if (parent->attributes != std::vector<std::string>{"*"}) {
        add_attribute(*parent, std::string(module.substr(dot + 1)));
      }
    }
  }

  void read_builtin(std::string_view name, const toml::key& key, const toml::table& table) {
    check_keys(table, fmt::format(" in [builtins.{}]", printable(name)), {"why"});
    if (const Never* never = never_builtin(name)) {
      wrong(key.source(), fmt::format("'{}' can never be allowed: {}", name, never->why));
      return;
    }
    std::vector<std::string_view> known = names_of(base_->builtins);
    const std::vector<std::string_view> refused = names_of(base_->refused_builtins);
    known.insert(known.end(), refused.begin(), refused.end());
    if (std::ranges::find(known, name) == known.end()) {
      wrong(key.source(),
            fmt::format("there is no builtin {}{}", quoted(name), did_you_mean(name, known)));
      return;
    }
    if (std::ranges::find(removed_builtins_, name) != removed_builtins_.end()) {
      wrong(key.source(), fmt::format("'{}' is removed and added in the same file", name));
    }
    const auto why = text_of(table, "why", key.source(), "every entry has its reason");
    if (!why) return;
    put_row(policy_.builtins, Permit{std::string(name), *why});
    erase_row(policy_.refused_builtins, name);
  }

  void read_limits() {
    const toml::node* node = root_.get("limits");
    if (node == nullptr) return;
    const toml::table* table = node->as_table();
    if (table == nullptr) {
      wrong(node->source(), "'limits' must be written as [limits]");
      return;
    }
    check_keys(*table, " in [limits]", {"source_bytes", "bracket_depth", "tree_depth"});
    // The parser's time and memory grow with the first; CPython's tokenizer stops at 200 brackets;
    // the scan is recursive, and its stack was tried up to the last.
    read_limit(*table, "source_bytes", 4 * 1024 * 1024, policy_.limits.source_bytes);
    read_limit(*table, "bracket_depth", 200, policy_.limits.bracket_depth);
    read_limit(*table, "tree_depth", 1000, policy_.limits.tree_depth);
  }

  void read_limit(const toml::table& table, std::string_view key, std::int64_t most,
                  std::uint32_t& limit) {
    const toml::node* node = table.get(key);
    if (node == nullptr) return;
    const toml::value<std::int64_t>* number = node->as_integer();
    if (number == nullptr || number->get() < 1 || number->get() > most) {
      wrong(node->source(), fmt::format("'{}' must be a whole number from 1 to {}", key, most));
      return;
    }
    limit = static_cast<std::uint32_t>(number->get());
  }

  std::string_view file_;
  const toml::table& root_;
  const Policy* base_ = nullptr;
  Policy policy_;
  std::vector<std::string> removed_modules_;
  std::vector<std::string> removed_builtins_;
  std::vector<Mistake> mistakes_;
};

// Never waits: a pipe or a device in the place of a file is refused, not read.
Result<std::string> read_whole(const std::string& path) {
  const Fd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (!fd.is_open() && errno == ENXIO)
    return bad_request("it is not an ordinary file");  // a socket
  if (!fd.is_open()) return bad_request_errno("open it");
  struct stat about = {};
  if (::fstat(fd.get(), &about) != 0) return bad_request_errno("look at it");
  if (S_ISDIR(about.st_mode)) return bad_request("it is a folder, not a file");
  if (!S_ISREG(about.st_mode)) return bad_request("it is not an ordinary file");
  std::string text;
  std::array<char, 16384> part{};
  for (;;) {
    const ssize_t got = ::read(fd.get(), part.data(), part.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return bad_request_errno("read it");
    if (got == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(got));
    if (text.size() > kMostBytes) return bad_request("it is larger than 1 MiB");
  }
}

}  // namespace

Result<Policy> parse_policy(std::string_view toml, std::string_view file) {
  if (toml.size() > kMostBytes) {
    return bad_request(fmt::format("{}: it is larger than 1 MiB", printable(file)));
  }
  if (count_key_dots(toml) > kMostKeyDots) {
    return bad_request(fmt::format("{}: more than {} dots in keys", printable(file), kMostKeyDots));
  }
  try {
    const toml::table root = toml::parse(toml, std::string_view());
    return PolicyReader(file, root).policy();
  } catch (const toml::parse_error& error) {
    const toml::source_position place = error.source().begin;
    return bad_request(fmt::format("{}:{}:{}: {}", printable(file), place.line, place.column,
                                   printable(error.description())));
  }
}

Result<Policy> load_policy(std::string_view name_or_file) {
  if (name_or_file.find('/') == std::string_view::npos && !name_or_file.ends_with(".toml")) {
    if (const Policy* policy = find_builtin_policy(name_or_file)) return *policy;
    const std::vector<std::string_view> known = names_of(builtin_policies());
    return bad_request(fmt::format(
        "there is no policy {}{} (built in: {}; a file's name ends in .toml)", quoted(name_or_file),
        did_you_mean(name_or_file, known), fmt::join(known, ", ")));
  }
  const Result<std::string> text = read_whole(std::string(name_or_file));
  if (!text)
    return std::unexpected(
        Error(text.error()).within(fmt::format("read the policy {}", quoted(name_or_file))));
  return parse_policy(*text, name_or_file);
}

Result<Policy> load_extractor_policy(std::string_view name_or_file) {
  auto policy = load_policy(name_or_file);
  if (policy && policy->has_grant(kRepository))
    return bad_request("the policy '" + policy->name +
                       "' is for probes of a repository: airlock gather runs them");
  return policy;
}

}  // namespace airlock
