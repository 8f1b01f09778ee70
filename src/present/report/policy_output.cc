// A policy as a page: limits, then each list with its meaning, its number of entries and the reason
// of each. Entries that share a reason share a paragraph, so that a policy of hundreds of names
// stays readable.
#include "present/report/policy_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/utf8.h"
#include "present/report/json_text.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kPolicyColumns = 100;  // columns of a line

// ---- text

// Names that share a reason.
struct Shared {
  std::vector<std::string_view> names;
  std::string_view why;
  std::string_view instead;
};

std::string_view instead_of(const Permit& /*row*/) {
  return {};
}
std::string_view instead_of(const Refusal& row) {
  return row.instead;
}

// In the order in which the reasons first appear.
template <typename Row>
std::vector<Shared> by_reason(const std::vector<Row>& rows) {
  std::vector<Shared> shared;
  for (const Row& row : rows) {
    const auto same = std::ranges::find_if(shared, [&](const Shared& other) {
      return other.why == row.why && other.instead == instead_of(row);
    });
    if (same != shared.end()) {
      same->names.push_back(row.name);
    } else {
      shared.push_back({{row.name}, row.why, instead_of(row)});
    }
  }
  return shared;
}

// A text that grows by sections; each entry is wrapped to kPolicyColumns behind its indent.
class Page {
 public:
  explicit Page(Colour colour) : colour_(colour) {}

  std::string text() && { return std::move(text_); }

  void line(std::size_t indent, std::string_view words, Style style) {
    const std::string wrapped = wrap(printable(words), kPolicyColumns - indent, indent);
    text_.append(indent, ' ');
    text_ += paint(wrapped, style, colour_);
    text_ += '\n';
  }

  void section(std::string_view title, std::size_t count, std::string_view meaning) {
    text_ += fmt::format("\n{} {}\n", paint(title, Style::kHeading, colour_),
                         paint(fmt::format("({})", count), Style::kFaint, colour_));
    line(2, meaning, Style::kFaint);
  }

  void plain(std::size_t indent, std::string_view words) {
    text_.append(indent, ' ');
    text_ += wrap(printable(words), kPolicyColumns - indent, indent);
    text_ += '\n';
  }

  // "label  a, b, c" and, below the names, why and what to use instead.
  void entry(std::size_t indent, std::string_view label, const Shared& shared) {
    const std::size_t inner = indent + (label.empty() ? 0 : label.size() + 2);
    text_.append(indent, ' ');
    if (!label.empty()) text_ += paint(label, Style::kLabel, colour_) + "  ";
    text_ += wrap(printable(fmt::format("{}", fmt::join(shared.names, ", "))),
                  kPolicyColumns - inner, inner);
    text_ += '\n';
    line(inner + 2, shared.why, Style::kFaint);
    if (!shared.instead.empty()) {
      line(inner + 2, fmt::format("Instead: {}", shared.instead), Style::kNote);
    }
  }

  template <typename Row>
  void list(std::string_view title, std::string_view meaning, const std::vector<Row>& rows) {
    if (rows.empty()) return;
    section(title, rows.size(), meaning);
    for (const Shared& shared : by_reason(rows)) entry(2, "", shared);
  }

  // Names without reasons of their own.
  void names(std::string_view title, std::string_view meaning,
             const std::vector<std::string>& names) {
    if (names.empty()) return;
    section(title, names.size(), meaning);
    plain(2, fmt::format("{}", fmt::join(names, ", ")));
  }

  // Neighbours with the same attributes and the same reason are printed as one entry. Only
  // neighbours: the order of the policy is kept.
  void surfaces(std::string_view title, std::string_view meaning,
                const std::vector<Surface>& surfaces) {
    if (surfaces.empty()) return;
    section(title, surfaces.size(), meaning);
    for (auto first = surfaces.begin(); first != surfaces.end();) {
      const auto last = std::find_if(first, surfaces.end(), [&](const Surface& other) {
        return other.why != first->why || other.attributes != first->attributes;
      });
      std::vector<std::string_view> names;
      for (auto row = first; row != last; ++row) names.push_back(row->name);
      surface(names, *first);
      first = last;
    }
  }

 private:
  // `names` are those of neighbours that differ in nothing else.
  void surface(const std::vector<std::string_view>& names, const Surface& surface) {
    text_ += '\n';
    line(2, fmt::format("{}", fmt::join(names, ", ")), Style::kLabel);
    plain(4, surface.why);
    for (const Group& group : surface.groups) {
      entry(4, "allowed", {{group.names.begin(), group.names.end()}, group.why, {}});
    }
    if (surface.groups.empty()) {
      entry(4, "allowed",
            {{surface.attributes.begin(), surface.attributes.end()}, surface.why, {}});
    }
    for (const Shared& shared : by_reason(surface.refused)) entry(4, "refused", shared);
  }

  Colour colour_;
  std::string text_;
};

// ---- JSON

Json as_json(const Permit& row) {
  return {{"name", row.name}, {"why", row.why}};
}

Json as_json(const Refusal& row) {
  return {{"name", row.name},
          {"why", row.why},
          {"instead", row.instead.empty() ? Json(nullptr) : Json(row.instead)}};
}

Json as_json(const Group& group) {
  return {{"names", group.names}, {"why", group.why}};
}

template <typename Row>
Json rows_as_json(const std::vector<Row>& rows);

Json as_json(const Surface& surface) {
  return {{"name", surface.name},
          {"why", surface.why},
          {"attributes", surface.attributes},
          {"groups", rows_as_json(surface.groups)},
          {"refused", rows_as_json(surface.refused)}};
}

template <typename Row>
Json rows_as_json(const std::vector<Row>& rows) {
  Json out = Json::array();
  for (const Row& row : rows) out.push_back(as_json(row));
  return out;
}

std::string document(const Json& json) {
  return json_page(json);
}

}  // namespace

std::string policy_list_as_text(std::span<const Policy> policies, Colour colour) {
  std::size_t widest = 0;
  for (const Policy& policy : policies) widest = std::max(widest, count_code_points(policy.name));
  std::string out;
  for (const Policy& policy : policies) {
    const std::size_t gap = widest - count_code_points(policy.name) + 2;
    const std::size_t indent = widest + 2;
    out += paint(printable(policy.name), Style::kLabel, colour);
    out.append(gap, ' ');
    out += wrap(printable(policy.summary), kPolicyColumns - std::min(indent, kPolicyColumns / 2),
                indent);
    out += '\n';
  }
  return out;
}

std::string policy_list_as_json(std::span<const Policy> policies) {
  Json out = Json::array();
  for (const Policy& policy : policies) {
    out.push_back({{"name", policy.name}, {"summary", policy.summary}});
  }
  return document(out);
}

std::string policy_as_text(const Policy& policy, Colour colour) {
  Page page(colour);
  page.line(0, policy.name, Style::kHeading);
  page.plain(2, policy.summary);
  page.plain(2, fmt::format("Limits: source of {} bytes, {} brackets deep, tree {} deep",
                            policy.limits.source_bytes, policy.limits.bracket_depth,
                            policy.limits.tree_depth));
  page.list("Grants", "Opened beyond memory, clocks and the answer itself", policy.grants);
  page.names("Packages imported", "Once, before any cell is made", policy.preloaded);
  page.surfaces("Modules", "May be imported; only the attributes named here may be read",
                policy.modules);
  page.surfaces("Packages", "Bound when a module inside is imported; cannot be imported themselves",
                policy.packages);
  page.surfaces("Guarded classes", "On their instances, only the attributes named here may be read",
                policy.classes);
  page.list("Builtins", "May be used by name", policy.builtins);
  page.list("Special names to read", "May follow a dot: x.__name__", policy.readable_special);
  page.list("Special names to define", "May be defined in a class or a file",
            policy.definable_special);
  page.list("Private names to read", "Documented in spite of their underscore",
            policy.private_names);
  page.list("Refused modules",
            "All that is not listed is refused; these have a reason of their own",
            policy.refused_modules);
  page.list("Refused builtins",
            "All that is not listed is refused; these have a reason of their own",
            policy.refused_builtins);
  page.list("Refused on any object", "Attributes that lead into the interpreter",
            policy.introspection);
  page.list("Refused on any object that the code did not define", "Attributes that ask for files",
            policy.file_operations);
  return std::move(page).text();
}

std::string policy_as_json(const Policy& policy) {
  return document({{"name", policy.name},
                   {"summary", policy.summary},
                   {"limits",
                    {{"source_bytes", policy.limits.source_bytes},
                     {"bracket_depth", policy.limits.bracket_depth},
                     {"tree_depth", policy.limits.tree_depth}}},
                   {"grants", rows_as_json(policy.grants)},
                   {"preloaded", policy.preloaded},
                   {"modules", rows_as_json(policy.modules)},
                   {"packages", rows_as_json(policy.packages)},
                   {"refused_modules", rows_as_json(policy.refused_modules)},
                   {"classes", rows_as_json(policy.classes)},
                   {"builtins", rows_as_json(policy.builtins)},
                   {"refused_builtins", rows_as_json(policy.refused_builtins)},
                   {"readable_special", rows_as_json(policy.readable_special)},
                   {"definable_special", rows_as_json(policy.definable_special)},
                   {"private_names", rows_as_json(policy.private_names)},
                   {"introspection", rows_as_json(policy.introspection)},
                   {"file_operations", rows_as_json(policy.file_operations)}});
}

}  // namespace airlock::cli
