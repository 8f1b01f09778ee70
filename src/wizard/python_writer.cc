// The program that is written, from top to bottom: imports; one compiled pattern a layout;
// constants of recipes; extract(), which brings the path into one form and then asks each layout in
// turn; and the helpers _find and _hive where they are used. The first layout that matches wins:
// its fields are read, what is computed from them is added, and they are returned. A path that fits
// no layout gives {}.
#include "wizard/python_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/utf8.h"

namespace airlock::wizard {

namespace {

using rules::InferredField;
using rules::ValueType;

constexpr std::size_t kLongestSummary = 400;  // bytes of names in the docstring

// Special in a Python regular expression.
bool is_special(char c) {
  return std::string_view(R"(.^$*+?{}[]\|())").contains(c);
}

// [a-z], as it stands but with ! for ^; the place behind it, or `at` when it is not closed.
std::size_t copy_class(std::string& out, std::string_view glob, std::size_t at) {
  const std::size_t end = glob.find(']', at + 2);
  if (end == std::string_view::npos) return at;
  std::string_view inside = glob.substr(at + 1, end - at - 1);
  out += '[';
  if (inside.starts_with('!') || inside.starts_with('^')) {
    out += '^';
    inside.remove_prefix(1);
  }
  for (const char c : inside) {
    if (c == '\\' || c == '[') out += '\\';
    out += c;
  }
  out += ']';
  return end + 1;
}

// What the program needs of helpers and imports, found while it is written.
struct Needs {
  std::set<std::string> imports;
  std::set<std::string> constants;
  bool find = false;
  bool hive = false;
};

// The Python expression for the part of the path that a field is read from ("segment(-2)",
// "hive(year)"; Hive folders are named key=value).
std::string source_of(const InferredField& field, Needs& needs) {
  const std::string_view from = field.from;
  if (from == "filename") return "parts[-1]";
  if (from.starts_with("segment(")) {
    return fmt::format("parts[{}]", from.substr(8, from.size() - 9));
  }
  if (from.starts_with("hive(")) {
    needs.hive = true;
    return fmt::format("_hive(parts, {})", python_literal(from.substr(5, from.size() - 6)));
  }
  return "\"/\".join(parts)";  // full_path, rel_path
}

// The value as the rule would give it: dates as ISO text, everything else as its JSON type.
std::string typed(const InferredField& field, const std::string& text, Needs& needs) {
  switch (field.type) {
    case ValueType::kInteger:
      return fmt::format("int({})", text);
    case ValueType::kFloat:
      return fmt::format("float({})", text);
    case ValueType::kBoolean:
      return fmt::format("{}.lower() in (\"true\", \"yes\", \"on\", \"1\")", text);
    case ValueType::kDate: {
      needs.imports.insert("import re");
      needs.imports.insert("from datetime import datetime");
      const std::string_view form = field.format == "ordinal" ? "%Y%j" : "%Y%m%d";
      return fmt::format("datetime.strptime(re.sub(r\"\\D\", \"\", {}), \"{}\").date().isoformat()",
                         text, form);
    }
    case ValueType::kDatetime:
      needs.imports.insert("import re");
      needs.imports.insert("from datetime import datetime");
      return fmt::format(
          "datetime.strptime(re.sub(r\"\\D\", \"\", {}).ljust(14, \"0\")[:14], "
          "\"%Y%m%d%H%M%S\").isoformat()",
          text);
    case ValueType::kString:
    case ValueType::kUuid:
      break;
  }
  return text;
}

std::string field_line(const InferredField& field, Needs& needs) {
  std::string text = source_of(field, needs);
  if (!field.pattern.empty()) {
    needs.find = true;
    needs.imports.insert("import re");
    text = fmt::format("_find({}, {})", python_literal(field.pattern), text);
  }
  return fmt::format("fields[{}] = {}", python_literal(field.name), typed(field, text, needs));
}

// Names for the docstring: of the fields, or of what is computed. A computed value that replaces a
// field is one of the fields.
std::string names_of(std::span<const ProgramLayout> layouts, bool computed) {
  std::vector<std::string> names;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  const auto is_field = [&](const std::string& name) {
    return std::ranges::any_of(layouts, [&](const ProgramLayout& layout) {
      return std::ranges::find(layout.rule.fields, name, &InferredField::name) !=
             layout.rule.fields.end();
    });
  };
  for (const ProgramLayout& layout : layouts) {
    if (computed) {
      for (const ComputedPart& part : layout.computation.parts)
        for (const std::string& name : part.outputs)
          if (!is_field(name)) add(name);
    } else {
      for (const InferredField& field : layout.rule.fields) add(field.name);
    }
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  if (text.size() > kLongestSummary) text = std::string(cut_utf8(text, kLongestSummary)) + " …";
  return text;
}

std::string layout_lines(const ProgramLayout& layout, std::size_t number, Needs& needs) {
  std::string out;
  out += fmt::format("    if _LAYOUT_{}.fullmatch(whole):\n", number);
  for (const InferredField& field : layout.rule.fields)
    out += "        " + field_line(field, needs) + "\n";
  for (const ComputedPart& part : layout.computation.parts) {
    for (const std::string& line : part.lines) out += "        " + line + "\n";
    needs.imports.insert(part.imports.begin(), part.imports.end());
    needs.constants.insert(part.constants.begin(), part.constants.end());
  }
  return out + "        return fields\n";
}

// One line for each module: "from datetime import date, datetime".
std::string import_lines(const Needs& needs) {
  std::vector<std::string> plain;
  std::vector<std::pair<std::string, std::set<std::string>>> from;
  for (const std::string& line : needs.imports) {
    if (!line.starts_with("from ")) {
      plain.push_back(line);
      continue;
    }
    const std::size_t middle = line.find(" import ");
    const std::string module = line.substr(5, middle - 5);
    auto known = std::ranges::find(from, module, &decltype(from)::value_type::first);
    if (known == from.end()) known = from.insert(from.end(), {module, {}});
    std::string_view names = std::string_view(line).substr(middle + 8);
    while (!names.empty()) {
      const std::size_t comma = names.find(", ");
      known->second.emplace(names.substr(0, comma));
      names = comma == std::string_view::npos ? std::string_view() : names.substr(comma + 2);
    }
  }
  std::string out;
  for (const std::string& line : plain) out += line + "\n";
  for (const auto& [module, names] : from) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    out += fmt::format("from {} import {}\n", module, list);
  }
  return out;
}

// A rule's pattern that does not match is a failure there; so the program raises here, too.
constexpr std::string_view kFind =
    "\n\ndef _find(pattern: str, text: str) -> str:\n"
    "    found = re.search(pattern, text)\n"
    "    if found is None:\n"
    "        raise ValueError(f\"{text!r} does not fit {pattern!r}\")\n"
    "    return found.group(1) if found.re.groups else found.group()\n";

constexpr std::string_view kHive =
    "\n\ndef _hive(parts: list, key: str) -> str:\n"
    "    for part in parts:\n"
    "        if part.startswith(key + \"=\"):\n"
    "            return part[len(key) + 1:]\n"
    "    raise ValueError(f\"no segment {key}=…\")\n";

}  // namespace

std::string python_literal(std::string_view text) {
  // Characters that a plain or raw literal cannot hold. A raw literal cannot end in a backslash.
  const bool has_odd = std::ranges::any_of(text, [](char c) {
    return c == '"' || c == '\n' || c == '\r' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  const bool has_backslash = text.contains('\\');
  if (!has_odd && !find_invalid_utf8(text) && (!has_backslash || !text.ends_with('\\')))
    return (has_backslash ? "r\"" : "\"") + std::string(text) + "\"";
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    if (point.bytes == 0) {  // as Python itself sees such a byte of a path
      out += fmt::format("\\udc{:02x}", static_cast<unsigned char>(text[at]));
      ++at;
      continue;
    }
    if (point.value == '"' || point.value == '\\') {
      out += '\\';
      out += static_cast<char>(point.value);
    } else if (point.value < 0x20 || point.value == 0x7f) {
      out += fmt::format("\\x{:02x}", static_cast<unsigned>(point.value));
    } else {
      out += text.substr(at, point.bytes);
    }
    at += point.bytes;
  }
  return out + "\"";
}

std::string python_pattern_of_glob(std::string_view glob) {
  std::string out;
  std::size_t braces = 0;
  for (std::size_t at = 0; at < glob.size();) {
    const char c = glob[at];
    const bool begins_segment = at == 0 || glob[at - 1] == '/';
    // "**" stands for any number of whole segments, none included, and only as a segment of its
    // own.
    if (begins_segment && glob.substr(at).starts_with("**/")) {
      out += "(?:.*/)?";
      at += 3;
      continue;
    }
    if (begins_segment && glob.substr(at) == "**") {
      out += ".*";
      break;
    }
    if (c == '[') {
      const std::size_t next = copy_class(out, glob, at);
      if (next != at) {
        at = next;
        continue;
      }
    }
    if (c == '\\' && at + 1 < glob.size()) {
      if (is_special(glob[at + 1])) out += '\\';
      out += glob[at + 1];
      at += 2;
      continue;
    }
    if (c == '*') {
      out += "[^/]*";
    } else if (c == '?') {
      const std::size_t end = std::min(glob.find_first_not_of('?', at), glob.size());
      out += end - at == 1 ? "[^/]" : fmt::format("[^/]{{{}}}", end - at);
      at = end;
      continue;
    } else if (c == '{') {
      out += "(?:";
      ++braces;
    } else if (c == '}' && braces > 0) {
      out += ')';
      --braces;
    } else if (c == ',' && braces > 0) {
      out += '|';
    } else {
      if (is_special(c)) out += '\\';
      out += c;
    }
    ++at;
  }
  return out;
}

std::string write_python(std::span<const ProgramLayout> layouts) {
  Needs needs;
  needs.imports.insert("import re");
  std::string tests;
  std::string patterns;
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    tests += layout_lines(layouts[i], i + 1, needs);
    patterns += fmt::format("_LAYOUT_{} = re.compile({})\n", i + 1,
                            python_literal(python_pattern_of_glob(layouts[i].rule.glob)));
  }
  const std::string computed = names_of(layouts, true);
  std::string out = import_lines(needs) + "\n" + patterns;
  for (const std::string& line : needs.constants) out += line + "\n";
  out += "\n\ndef extract(path: str) -> dict:\n";
  out += fmt::format("    \"\"\"Read {}{}{}.\"\"\"\n", names_of(layouts, false),
                     computed.empty() ? "" : "; compute ", computed);
  out +=
      "    whole = re.sub(r\"^(?:\\w[\\w+.-]*:)?/+\", \"\", re.sub(r\"[/\\\\]+\", \"/\", path))\n"
      "    parts = whole.split(\"/\")\n"
      "    fields = {}\n";
  out += tests;
  out += "    return {}\n";
  if (needs.find) out += kFind;
  if (needs.hive) out += kHive;
  return out;
}

}  // namespace airlock::wizard
