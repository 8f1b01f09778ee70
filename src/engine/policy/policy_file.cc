// A user's policy is a built-in one with changes: a copy of the base is made, and each table of the
// file is applied to it. Mistakes are collected on the way, so that one reading reports them all;
// the copy is handed out only when there were none.
//
//   extends = "extractor"
//   name = "tables"
//   remove_modules = ["uuid"]
//   packages = ["numpy"]                     (where the base allows every import)
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
// A cell of a policy with lists imports from the standard library alone, so the names in them are
// held against it here (library_names.h).
#include "engine/policy/policy_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/fd.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "engine/policy/library_names.h"
#include "engine/policy/never_allowed.h"
#include "engine/policy/sorted_rows.h"
#include "engine/policy/toml_reading.h"

namespace airlock {

namespace {

// In its place in the sorted list. What is allowed is no longer refused.
void add_attribute(Surface& surface, const std::string& name) {
  const auto place = std::ranges::lower_bound(surface.attributes, name);
  if (place == surface.attributes.end() || *place != name) surface.attributes.insert(place, name);
  erase_row(surface.refused, name);
}

// Applies one file to a copy of its base. Removals come first, so that a file which removes and
// adds the same name can be told.
class PolicyReader {
 public:
  PolicyReader(std::string_view file, const toml::table& root)
      : file_(file), root_(root), toml_(file) {}

  Result<Policy> policy() {
    toml_.check_keys(root_, "",
                     {"extends", "name", "summary", "modules", "builtins", "limits",
                      "remove_modules", "remove_builtins", "packages"});
    if (read_base()) {
      read_identity();
      if (!base_->has_grant(kAnyPython)) read_lists();
      read_packages();
      read_limits(root_, toml_, policy_.limits);
    }
    if (toml_.has_mistakes()) return std::unexpected(toml_.all_mistakes());
    return std::move(policy_);
  }

 private:
  void read_lists() {
    remove_modules();
    remove_builtins();
    toml_.each_table(root_, "modules",
                     [&](std::string_view name, const toml::key& key, const toml::table& table) {
                       read_module(name, key, table);
                     });
    toml_.each_table(root_, "builtins",
                     [&](std::string_view name, const toml::key& key, const toml::table& table) {
                       read_builtin(name, key, table);
                     });
  }

  // ---- where it starts from, and what it is called ----

  // False: without a base nothing else can be judged.
  bool read_base() {
    const std::vector<std::string_view> known = names_of(builtin_policies());
    const std::string choice =
        fmt::format("name the built-in policy to start from ({})", fmt::join(known, ", "));
    const auto extends = toml_.text_of(root_, "extends", root_.source(), choice);
    if (!extends) return false;
    const Policy* base = find_builtin_policy(*extends);
    if (base == nullptr) {
      std::string hint = did_you_mean(*extends, known);
      if (hint.empty()) hint = "; " + choice;
      toml_.wrong(root_.get("extends")->source(),
                  fmt::format("there is no built-in policy {}{}", quoted_word(*extends), hint));
      return false;
    }
    base_ = base;
    policy_ = *base;
    if (base->has_grant(kAnyPython)) refuse_lists();
    return true;
  }

  // A base that allows every import and builtin has no lists that a file could change.
  void refuse_lists() {
    for (const char* list : {"modules", "builtins", "remove_modules", "remove_builtins"}) {
      if (const toml::node* node = root_.get(list)) {
        toml_.wrong(
            node->source(),
            fmt::format("'{}' has no meaning here: '{}' allows every import and builtin, and the "
                        "kernel's walls alone hold",
                        list, base_->name));
      }
    }
  }

  // ---- what is imported before any cell is made ----

  void read_packages() {
    const toml::node* node = root_.get("packages");
    if (node != nullptr && !base_->has_grant(kAnyPython)) {
      toml_.wrong(node->source(),
                  fmt::format("'packages' has no meaning here: '{}' allows what is listed, and "
                              "[modules.NAME] is imported before any cell is made; installed "
                              "packages are for a policy that extends 'node'",
                              base_->name));
      return;
    }
    for (const auto& [name, where] : toml_.names_in(root_, "packages")) {
      if (!is_dotted_name(name) || name == kSessionRuntime || name == kNodeRuntime) {
        toml_.wrong(where, fmt::format("{} is not the name of a package", quoted_word(name)));
      } else {
        policy_.preloaded.push_back(name);
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
          toml_.text_of(root_, "name", root_.source(), "call the policy something").value_or("");
    }
    if (root_.contains("summary")) {
      policy_.summary =
          toml_.text_of(root_, "summary", root_.source(), "say what it is for").value_or("");
    }
    if (find_builtin_policy(policy_.name) != nullptr) {
      const toml::node* node = root_.get("name");
      toml_.wrong(
          node == nullptr ? root_.source() : node->source(),
          fmt::format("'{}' is a built-in policy; give this one a name of its own", policy_.name));
    }
  }

  // ---- what the file takes away ----

  // Takes the rows that the list `key` names off; their names are refused from now on. Returns
  // them.
  template <typename Row>
  std::vector<std::string> remove_rows(std::string_view key, std::vector<Row>& rows,
                                       const std::vector<Row>& of_base,
                                       std::vector<Refusal>& refused) {
    std::vector<std::string> removed;
    for (const auto& [name, where] : toml_.names_in(root_, key)) {
      if (find_row(rows, name) == nullptr) {
        toml_.wrong(where, fmt::format("{} is not on the list of '{}'{}", quoted_word(name),
                                       base_->name, did_you_mean(name, names_of(of_base))));
        continue;
      }
      erase_row(rows, name);
      put_row(refused,
              Refusal{name, fmt::format("Not allowed by the policy '{}'", policy_.name), ""});
      removed.push_back(name);
    }
    return removed;
  }

  void remove_modules() {
    removed_modules_ =
        remove_rows("remove_modules", policy_.modules, base_->modules, policy_.refused_modules);
    for (const std::string& name : removed_modules_) unbind(name);
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
    removed_builtins_ =
        remove_rows("remove_builtins", policy_.builtins, base_->builtins, policy_.refused_builtins);
  }

  // ---- modules that the file adds or widens ----

  // [modules.xml.etree] is a table in a table for TOML, and the module xml.etree for people.
  void read_module(std::string_view name, const toml::key& key, const toml::table& table) {
    if (!is_dotted_name(key.str())) {
      toml_.wrong(key.source(),
                  fmt::format("{} is not the name of a module", quoted_word(key.str())));
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

  // One [modules.NAME] with its reason and its attributes. Submodules inside it are entries of
  // their own.
  void read_module_entry(const std::string& name, const toml::key& key, const toml::table& table) {
    const std::string inside = fmt::format(" in [modules.{}]", name);
    toml::table own;
    for (const auto& [inner, node] : table) {
      if (!node.is_table()) own.insert(inner, node);
    }
    toml_.check_keys(own, inside, {"why", "attributes"});
    if (const Never* never = never_module(name)) {
      toml_.wrong(key.source(), fmt::format("'{}' can never be allowed: {}", name, never->why));
      return;
    }
    if (!is_in_library(name)) {
      toml_.wrong(key.source(),
                  fmt::format("there is no module {} in Python {}'s standard library{}",
                              quoted_word(name), library_version(), did_you_mean_module(name)));
      return;
    }
    if (std::ranges::find(removed_modules_, name) != removed_modules_.end()) {
      toml_.wrong(key.source(), fmt::format("'{}' is removed and added in the same file", name));
    }
    const auto why = toml_.text_of(table, "why", key.source(), "every entry has its reason");
    if (!table.contains("attributes")) {
      toml_.wrong(key.source(),
                  fmt::format("'attributes' is missing{}: list what may be read, or [\"*\"] "
                              "for every public name",
                              inside));
    }
    auto names = toml_.names_in(table, "attributes");
    std::erase_if(names, [&](const auto& row) { return !may_allow(name, row.first, row.second); });
    if (names.size() > 1 &&
        std::ranges::find(names, "*", &TomlReading::Name::first) != names.end()) {
      toml_.wrong(table.get("attributes")->source(),
                  "\"*\" stands alone: it is every public name already");
    }
    if (!why || names.empty()) return;
    std::vector<std::string> attributes;
    for (const auto& row : names) attributes.push_back(row.first);
    std::ranges::sort(attributes);
    add_module(name, *why, attributes);
  }

  // A part of the library that is the host's alone may have modules that nobody here knows: loading
  // tells.
  static bool is_in_library(std::string_view module) {
    if (find_library_module(module) != nullptr) return true;
    const LibraryModule* package = find_library_module(module.substr(0, module.find('.')));
    return package != nullptr && !package->is_carried;
  }

  static bool is_in_module(std::string_view module, std::string_view attribute) {
    const LibraryModule* known = find_library_module(module);
    return known == nullptr || known->attributes.empty() || known->has_attribute(attribute);
  }

  // Whether the attribute may be on a list at all; the reason why not is noted.
  bool may_allow(const std::string& module, const std::string& name,
                 const toml::source_region& where) {
    if (name == "*") return true;
    if (!is_plain_name(name)) {
      toml_.wrong(where, fmt::format("{} is not the name of an attribute", quoted_word(name)));
    } else if (name.starts_with('_')) {
      toml_.wrong(
          where,
          fmt::format("'{}' is private: names with a leading underscore cannot be allowed", name));
    } else if (const Never* never = never_attribute(module, name)) {
      toml_.wrong(where, fmt::format("'{}.{}' can never be allowed: {}", module, name, never->why));
    } else if (is_module_inside(module, name)) {
      toml_.wrong(where,
                  fmt::format("'{0}.{1}' is the module {1} inside {0}; list the module itself",
                              module, name));
    } else if (!is_in_module(module, name)) {
      toml_.wrong(where, fmt::format("the module {} has no '{}'{}", module, name,
                                     did_you_mean_attribute(*find_library_module(module), name)));
    } else {
      return true;
    }
    return false;
  }

  // A module that the base has already gets the new attributes in addition.
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

  // ---- builtins ----

  // Only names that the base knows, allowed or refused: others are no builtins.
  void read_builtin(std::string_view name, const toml::key& key, const toml::table& table) {
    toml_.check_keys(table, fmt::format(" in [builtins.{}]", printable(name)), {"why"});
    if (const Never* never = never_builtin(name)) {
      toml_.wrong(key.source(), fmt::format("'{}' can never be allowed: {}", name, never->why));
      return;
    }
    std::vector<std::string_view> known = names_of(base_->builtins);
    const std::vector<std::string_view> refused = names_of(base_->refused_builtins);
    known.insert(known.end(), refused.begin(), refused.end());
    if (std::ranges::find(known, name) == known.end()) {
      toml_.wrong(key.source(), fmt::format("there is no builtin {}{}", quoted_word(name),
                                            did_you_mean(name, known)));
      return;
    }
    if (std::ranges::find(removed_builtins_, name) != removed_builtins_.end()) {
      toml_.wrong(key.source(), fmt::format("'{}' is removed and added in the same file", name));
    }
    const auto why = toml_.text_of(table, "why", key.source(), "every entry has its reason");
    if (!why) return;
    put_row(policy_.builtins, Permit{std::string(name), *why});
    erase_row(policy_.refused_builtins, name);
  }

  std::string_view file_;
  const toml::table& root_;
  TomlReading toml_;
  const Policy* base_ = nullptr;
  Policy policy_;
  std::vector<std::string> removed_modules_;
  std::vector<std::string> removed_builtins_;
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
    if (text.size() > kMostTomlBytes) return bad_request("it is larger than 1 MiB");
  }
}

}  // namespace

Result<Policy> parse_policy(std::string_view toml, std::string_view file) {
  const toml::table root = TRY(parse_toml(toml, file));
  return PolicyReader(file, root).policy();
}

Result<Policy> load_policy(std::string_view name_or_file) {
  // A word without slash or .toml is a built-in name, never a file: "extractor" must mean the same
  // in every folder.
  if (name_or_file.find('/') == std::string_view::npos && !name_or_file.ends_with(".toml")) {
    if (const Policy* policy = find_builtin_policy(name_or_file)) return *policy;
    const std::vector<std::string_view> known = names_of(builtin_policies());
    return bad_request(fmt::format(
        "there is no policy {}{} (built in: {}; a file's name ends in .toml)",
        quoted_word(name_or_file), did_you_mean(name_or_file, known), fmt::join(known, ", ")));
  }
  const Result<std::string> text = read_whole(std::string(name_or_file));
  if (!text)
    return std::unexpected(
        Error(text.error()).within(fmt::format("read the policy {}", quoted_word(name_or_file))));
  return parse_policy(*text, name_or_file);
}

Result<Policy> load_extractor_policy(std::string_view name_or_file) {
  auto policy = TRY(load_policy(name_or_file));
  TRY(require_for_extractors(policy));
  return policy;
}

Result<void> require_for_extractors(const Policy& policy) {
  if (!policy.has_grant(kRepository)) return {};
  return bad_request("the policy '" + policy.name +
                     "' is for probes of a repository: airlock gather runs them");
}

}  // namespace airlock
