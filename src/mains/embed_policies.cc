// Writes policies/*.toml as C++ tables (model/policy_rows.h), when Airlock is built:
//
//   embed_policies OUTPUT policies/extractor.toml policies/node.toml …
//
// It reads with the reader that tests and Airlock have, so there is one idea of what a policy says;
// and a mistake in a policy stops the build, not a user.
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "engine/policy/whole_policy.h"
#include "model/policy_rows.h"

namespace airlock {

// Those that this program writes are not in it.
std::span<const PolicyRow> policy_rows() {
  return {};
}

namespace {

// A C++ literal. Bytes beyond ASCII are octal escapes, which end after three digits whatever
// follows.
std::string literal(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (c >= ' ' && c <= '~') {
      out += c;
    } else {
      out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    }
  }
  return out + '"';
}

// Writes constants, each before it is named.
class Tables {
 public:
  // The name of the table; an empty one needs none.
  std::string table(std::string_view type, std::string_view kind,
                    const std::vector<std::string>& rows) {
    if (rows.empty()) return "{}";
    const std::string name = fmt::format("k{}{}", kind, ++count_);
    text_ += fmt::format("\nconstexpr {} {}[] = {{\n", type, name);
    for (const std::string& row : rows) text_ += fmt::format("    {},\n", row);
    text_ += "};\n";
    return name;
  }

  std::string names(const std::vector<std::string>& names) {
    std::vector<std::string> rows;
    for (const std::string& name : names) rows.push_back(literal(name));
    return table("const char* const", "Names", rows);
  }

  std::string entries(const std::vector<Permit>& permits) {
    std::vector<std::string> rows;
    for (const Permit& row : permits) rows.push_back(entry(row.name, row.why, ""));
    return table("EntryRow", "Entry", rows);
  }

  std::string entries(const std::vector<Refusal>& refusals) {
    std::vector<std::string> rows;
    for (const Refusal& row : refusals) rows.push_back(entry(row.name, row.why, row.instead));
    return table("EntryRow", "Entry", rows);
  }

  std::string surfaces(const std::vector<Surface>& surfaces) {
    std::vector<std::string> rows;
    for (const Surface& row : surfaces) rows.push_back(surface(row));
    return table("SurfaceRow", "Surface", rows);
  }

  std::string policy(const Policy& policy) {
    // Whoever adds a field of Policy adds it to PolicyRow, in the same place, and here.
    const std::vector<std::string> fields = {
        literal(policy.name),
        literal(policy.summary),
        surfaces(policy.modules),
        surfaces(policy.packages),
        entries(policy.refused_modules),
        surfaces(policy.classes),
        entries(policy.builtins),
        entries(policy.refused_builtins),
        entries(policy.readable_special),
        entries(policy.definable_special),
        entries(policy.private_names),
        entries(policy.introspection),
        entries(policy.file_operations),
        entries(policy.grants),
        fmt::format("{{{}, {}, {}}}", policy.limits.source_bytes, policy.limits.bracket_depth,
                    policy.limits.tree_depth)};
    return fmt::format("{{{}}}", fmt::join(fields, ", "));
  }

  const std::string& text() const { return text_; }

 private:
  static std::string entry(std::string_view name, std::string_view why, std::string_view instead) {
    return fmt::format("{{{}, {}, {}}}", literal(name), literal(why), literal(instead));
  }

  std::string surface(const Surface& surface) {
    std::vector<std::string> groups;
    for (const Group& group : surface.groups) {
      groups.push_back(fmt::format("{{{}, {}}}", names(group.names), literal(group.why)));
    }
    const std::string attributes = names(surface.attributes);
    const std::string refused = entries(surface.refused);
    return fmt::format("{{{}, {}, {}, {}, {}}}", literal(surface.name), literal(surface.why),
                       attributes, refused, table("GroupRow", "Group", groups));
  }

  std::string text_;
  int count_ = 0;
};

std::string as_cpp(std::span<const Policy> policies) {
  Tables tables;
  std::vector<std::string> rows;
  for (const Policy& policy : policies) rows.push_back(tables.policy(policy));
  const std::string all = tables.table("PolicyRow", "Policy", rows);
  return fmt::format(
      "// Written by src/mains/embed_policies.cc from policies/*.toml. Edit those.\n"
      "#include \"model/policy_rows.h\"\n\nnamespace airlock {{\n\nnamespace {{\n{}\n"
      "}}  // namespace\n\nstd::span<const PolicyRow> policy_rows() {{\n  return {};\n}}\n\n"
      "}}  // namespace airlock\n",
      tables.text(), all);
}

Result<Policy> read_policy(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return bad_request(file + ": it cannot be read");
  return parse_whole_policy(text, file);
}

// Beside it and then moved: a build that is stopped leaves no half a file.
bool write_whole(const std::filesystem::path& output, const std::string& text) {
  std::error_code error;
  std::filesystem::create_directories(output.parent_path(), error);
  const std::filesystem::path beside = output.string() + ".new";
  std::ofstream stream(beside, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) return false;
  std::filesystem::rename(beside, output, error);
  return !error;
}

int embed_policies(const std::string& output, std::span<char*> files) {
  std::vector<Policy> policies;
  bool is_sound = true;
  for (const char* file : files) {
    Result<Policy> policy = read_policy(file);
    if (policy) {
      policies.push_back(*std::move(policy));
    } else {
      fmt::print(stderr, "{}\n", policy.error().message);
      is_sound = false;
    }
  }
  if (!is_sound) return 1;
  if (write_whole(output, as_cpp(policies))) return 0;
  fmt::print(stderr, "{}: it cannot be written\n", output);
  return 1;
}

}  // namespace

}  // namespace airlock

int main(int count, char** words) {
  if (count < 3) {
    fmt::print(stderr, "usage: embed_policies OUTPUT TOML…\n");
    return 2;
  }
  return airlock::embed_policies(words[1], {words + 2, words + count});
}
