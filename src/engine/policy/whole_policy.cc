// The file's tables and the fields that they become:
//
//   name, summary, [limits]                          one each, all required
//   [modules.NAME], [packages.NAME], [[class]]       surfaces: why, [[….allow]], [[….refuse]]
//   [[builtin]], [[refused_module]], [[grant]], …    names that share a reason (kPermits,
//   kRefusals)
//
// What is allowed is read by name, so each list ends up sorted whatever the file's order; only the
// groups of a surface keep it, because people read them.
#include "engine/policy/whole_policy.h"

#include <fmt/format.h>

#include <array>

#include "engine/policy/sorted_rows.h"
#include "engine/policy/toml_reading.h"

namespace airlock {

namespace {

struct PermitTable {
  std::string_view key;
  std::vector<Permit> Policy::* rows;
};

struct RefusalTable {
  std::string_view key;
  std::vector<Refusal> Policy::* rows;
};

constexpr std::array kPermits = {
    PermitTable{"builtin", &Policy::builtins},
    PermitTable{"readable_special", &Policy::readable_special},
    PermitTable{"definable_special", &Policy::definable_special},
    PermitTable{"private_name", &Policy::private_names},
    PermitTable{"grant", &Policy::grants},
};

constexpr std::array kRefusals = {
    RefusalTable{"refused_module", &Policy::refused_modules},
    RefusalTable{"refused_builtin", &Policy::refused_builtins},
    RefusalTable{"introspection", &Policy::introspection},
    RefusalTable{"file_operation", &Policy::file_operations},
};

constexpr std::array kGrants = {kAnyPython,    kPythonFolders, kSharedLibraries, kTimeZones, kFonts,
                                kCertificates, kThreads,       kRepository,      kOwnFolders};

enum class Instead : std::uint8_t { kNever, kMaySay };  // whether an entry may name an alternative
using NameTest = bool (*)(std::string_view);

class WholePolicyReader {
 public:
  WholePolicyReader(std::string_view file, const toml::table& root)
      : file_(file), root_(root), toml_(file) {}

  Result<Policy> policy() {
    check_top_level();
    policy_.name = text_or_empty(root_, "name", root_.source(), "call the policy something");
    policy_.summary = text_or_empty(root_, "summary", root_.source(), "say what it is for");
    require_limits();
    read_limits(root_, toml_, policy_.limits);
    for (const PermitTable& table : kPermits) policy_.*table.rows = permits(table.key);
    for (const RefusalTable& table : kRefusals) policy_.*table.rows = refusals(table.key);
    policy_.modules = surfaces("modules");
    policy_.packages = surfaces("packages");
    policy_.classes = classes();
    check_agreement();
    if (toml_.has_mistakes()) return std::unexpected(toml_.all_mistakes());
    return std::move(policy_);
  }

 private:
  // Names that share a reason, as one table of the file lists them.
  struct Entry {
    Group group;
    std::string instead;
    toml::source_region where;
  };

  void check_top_level() {
    std::vector<std::string_view> known = {"name",    "summary",  "limits",
                                           "modules", "packages", "class"};
    for (const PermitTable& table : kPermits) known.push_back(table.key);
    for (const RefusalTable& table : kRefusals) known.push_back(table.key);
    toml_.check_keys(root_, "", known);
  }

  void require_limits() {
    const toml::table* limits = root_["limits"].as_table();
    for (const std::string_view key : {"source_bytes", "bracket_depth", "tree_depth"}) {
      if (limits == nullptr || !limits->contains(key)) {
        toml_.wrong(limits == nullptr ? root_.source() : limits->source(),
                    fmt::format("'{}' is missing in [limits]", key));
      }
    }
  }

  std::string text_or_empty(const toml::table& table, std::string_view key,
                            const toml::source_region& where, std::string_view purpose) {
    return toml_.text_of(table, key, where, purpose).value_or("");
  }

  std::vector<const toml::table*> tables_in(const toml::table& parent, std::string_view key) {
    std::vector<const toml::table*> tables;
    const toml::node* node = parent.get(key);
    if (node == nullptr) return tables;
    const toml::array* list = node->as_array();
    if (list == nullptr || !list->is_homogeneous(toml::node_type::table)) {
      toml_.wrong(node->source(), fmt::format("'{0}' must be written as [[{0}]]", key));
      return tables;
    }
    for (const toml::node& item : *list) tables.push_back(item.as_table());
    return tables;
  }

  // At least one name, each a name; sorted.
  std::vector<std::string> names_listed(const toml::table& table, NameTest is_right) {
    std::vector<std::string> names;
    for (const auto& [name, where] : toml_.names_in(table, "names")) {
      if (is_right(name)) {
        names.push_back(name);
      } else {
        toml_.wrong(where, fmt::format("{} is not a name", quoted_word(name)));
      }
    }
    const toml::array* list = table["names"].as_array();
    if (!table.contains("names") || (list != nullptr && list->empty())) {
      toml_.wrong(table.source(), "'names' must be a list of at least one name");
    }
    std::ranges::sort(names);
    return names;
  }

  Entry entry(const toml::table& table, std::string_view inside, NameTest is_right,
              Instead alternative) {
    std::vector<std::string_view> known = {"names", "why"};
    if (alternative == Instead::kMaySay) known.emplace_back("instead");
    toml_.check_keys(table, fmt::format(" in [[{}]]", inside), known);
    Entry made{{names_listed(table, is_right),
                text_or_empty(table, "why", table.source(), "every entry has its reason")},
               "",
               table.source()};
    if (alternative == Instead::kMaySay && table.contains("instead")) {
      made.instead = text_or_empty(table, "instead", table.source(), "say what to use instead");
    }
    return made;
  }

  void add_rows(const Entry& entry, std::vector<Refusal>& rows) {
    for (const std::string& name : entry.group.names) {
      if (find_row(rows, name) != nullptr) {
        toml_.wrong(entry.where, fmt::format("'{}' is listed twice", name));
      } else {
        put_row(rows, Refusal{name, entry.group.why, entry.instead});
      }
    }
  }

  std::vector<Refusal> rows_of(std::string_view key, Instead alternative) {
    std::vector<Refusal> rows;
    for (const toml::table* table : tables_in(root_, key)) {
      add_rows(entry(*table, key, is_dotted_name, alternative), rows);
    }
    return rows;
  }

  std::vector<Refusal> refusals(std::string_view key) { return rows_of(key, Instead::kMaySay); }

  std::vector<Permit> permits(std::string_view key) {
    std::vector<Permit> rows;
    for (Refusal& row : rows_of(key, Instead::kNever)) {
      rows.push_back({std::move(row.name), std::move(row.why)});
    }
    return rows;
  }

  Surface surface(std::string name, std::string_view inside, const toml::table& table) {
    Surface made{std::move(name),
                 text_or_empty(table, "why", table.source(), "every entry has its reason"),
                 {},
                 {},
                 {}};
    std::vector<Refusal> allowed;
    for (const toml::table* group : tables_in(table, "allow")) {
      Entry listed = entry(*group, fmt::format("{}.allow", inside), is_plain_name, Instead::kNever);
      add_rows(listed, allowed);
      made.groups.push_back(std::move(listed.group));
    }
    for (const toml::table* group : tables_in(table, "refuse")) {
      add_rows(entry(*group, fmt::format("{}.refuse", inside), is_plain_name, Instead::kMaySay),
               made.refused);
    }
    for (const Refusal& row : allowed) made.attributes.push_back(row.name);
    if (allowed.empty()) {
      toml_.wrong(table.source(),
                  fmt::format("nothing is allowed in {}: remove it, or refuse the module",
                              quoted_word(made.name)));
    }
    check_disjoint(table.source(), allowed, made.refused);
    return made;
  }

  std::vector<Surface> surfaces(std::string_view section) {
    std::vector<Surface> rows;
    toml_.each_table(
        root_, section, [&](std::string_view name, const toml::key& key, const toml::table& table) {
          const std::string inside = fmt::format("{}.{}", section, name);
          if (!is_dotted_name(name)) {
            toml_.wrong(key.source(),
                        fmt::format("{} is not the name of a module", quoted_word(name)));
          }
          toml_.check_keys(table, fmt::format(" in [{}]", inside), {"why", "allow", "refuse"});
          put_row(rows, surface(std::string(name), inside, table));
        });
    return rows;
  }

  std::vector<Surface> classes() {
    std::vector<Surface> rows;
    for (const toml::table* table : tables_in(root_, "class")) {
      toml_.check_keys(*table, " in [[class]]", {"names", "why", "allow", "refuse"});
      for (const std::string& name : names_listed(*table, is_dotted_name)) {
        if (find_row(rows, name) != nullptr) {
          toml_.wrong(table->source(), fmt::format("'{}' is listed twice", name));
        }
        put_row(rows, surface(name, "class", *table));
      }
    }
    return rows;
  }

  // ---- what one list says must agree with the others

  void check_agreement() {
    check_grants();
    check_disjoint(root_.source(), policy_.modules, policy_.refused_modules);
    check_disjoint(root_.source(), policy_.builtins, policy_.refused_builtins);
    for (const Surface& package : policy_.packages) check_package(package);
    for (const Surface& guarded : policy_.classes) check_class(guarded);
    if (file_.substr(file_.find_last_of('/') + 1) != policy_.name + ".toml") {
      toml_.wrong(root_.source(),
                  fmt::format("'name' is '{}', and the file is called otherwise", policy_.name));
    }
  }

  template <typename Row>
  void check_disjoint(const toml::source_region& where, const std::vector<Row>& allowed,
                      std::vector<Refusal>& refused) {
    for (const Row& row : allowed) {
      if (find_row(refused, row.name) != nullptr) {
        toml_.wrong(where, fmt::format("'{}' is both allowed and refused", row.name));
      }
    }
  }

  void check_grants() {
    for (const Permit& grant : policy_.grants) {
      if (std::ranges::find(kGrants, grant.name) == kGrants.end()) {
        toml_.wrong(root_["grant"].node()->source(),
                    fmt::format("there is no grant '{}'; expected {}", grant.name,
                                fmt::join(kGrants, ", ")));
      }
    }
    if (policy_.has_grant(kAnyPython) && has_lists()) {
      toml_.wrong(root_["grant"].node()->source(),
                  fmt::format("'{}' leaves nothing for the other lists to say", kAnyPython));
    }
  }

  bool has_lists() const {
    const auto is_filled = [&](const auto& table) { return !(policy_.*table.rows).empty(); };
    return !policy_.modules.empty() || std::ranges::any_of(kRefusals, is_filled) ||
           std::ranges::any_of(kPermits, [&](const PermitTable& table) {
             return table.rows != &Policy::grants && is_filled(table);
           });
  }

  void check_package(const Surface& package) {
    const toml::source_region& where = root_["packages"].node()->source();
    const std::string inside = package.name + ".";
    const auto is_inside = [&](const Surface& row) { return row.name.starts_with(inside); };
    if (find_row(policy_.modules, package.name) != nullptr) {
      toml_.wrong(where, fmt::format("'{}' can be imported as a module already", package.name));
    }
    if (std::ranges::none_of(policy_.modules, is_inside)) {
      toml_.wrong(where, fmt::format("no listed module is inside '{}'", package.name));
    }
  }

  void check_class(const Surface& guarded) {
    const std::size_t dot = guarded.name.rfind('.');
    const Surface* module =
        dot == std::string::npos ? nullptr : find_row(policy_.modules, guarded.name.substr(0, dot));
    if (module == nullptr ||
        !std::ranges::binary_search(module->attributes, guarded.name.substr(dot + 1))) {
      toml_.wrong(root_["class"].node()->source(),
                  fmt::format("'{}' is not an allowed attribute of a listed module", guarded.name));
    }
  }

  std::string_view file_;
  const toml::table& root_;
  TomlReading toml_;
  Policy policy_;
};

}  // namespace

Result<Policy> parse_whole_policy(std::string_view toml, std::string_view file) {
  const toml::table root = TRY(parse_toml(toml, file));
  return WholePolicyReader(file, root).policy();
}

}  // namespace airlock
