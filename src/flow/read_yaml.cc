// YAML as its 1.2 core schema reads it: `yes` is a text, `1_000` is one, dates are. Tags that make
// objects do not exist here.
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <sstream>

#include "base/ascii.h"
#include "flow/read_document.h"
#include "flow/value_text.h"

namespace airlock::flow {

namespace {

// What aliases may grow to, all together.
constexpr std::size_t kMostYamlNodes = 1'000'000;
constexpr std::string_view kStringTag = "tag:yaml.org,2002:str";

bool is_number(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  return read.ptr == text.data() + text.size() && read.ec != std::errc::invalid_argument;
}

// Nothing when it is not a number. `too_large`: it is a number that does not fit.
std::optional<Json> number(std::string_view text, bool& too_large) {
  const double infinity = std::numeric_limits<double>::infinity();
  if (text == ".nan" || text == ".NaN" || text == ".NAN")
    return Json(std::numeric_limits<double>::quiet_NaN());
  const bool is_negative = text.starts_with('-');
  std::string_view rest = text;
  if (rest.starts_with('-') || rest.starts_with('+')) rest.remove_prefix(1);
  if (rest == ".inf" || rest == ".Inf" || rest == ".INF")
    return Json(is_negative ? -infinity : infinity);
  if (rest.empty() || (!is_digit(rest[0]) && rest[0] != '.')) return std::nullopt;
  const auto all_of = [&](std::string_view set) {
    return rest.find_first_not_of(set) == std::string_view::npos;
  };
  if (rest.starts_with("0x") || rest.starts_with("0o")) {
    const int base = rest[1] == 'x' ? 16 : 8;
    std::int64_t value = 0;
    const auto read = std::from_chars(rest.data() + 2, rest.data() + rest.size(), value, base);
    if (rest.size() == 2 || read.ptr != rest.data() + rest.size()) return std::nullopt;
    too_large = read.ec != std::errc();
    return Json(is_negative ? -value : value);
  }
  if (all_of("0123456789")) {
    std::int64_t value = 0;
    const auto read = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (read.ec == std::errc()) return Json(is_negative ? -value : value);
    // Leading zeros are no part of the number.
    const std::size_t first = std::min(rest.find_first_not_of('0'), rest.size() - 1);
    return long_integer((is_negative ? "-" : "") + std::string(rest.substr(first)));
  }
  if (!all_of("0123456789.eE+-") || rest == ".") return std::nullopt;
  if (!is_number(rest)) return std::nullopt;
  const double value = std::strtod(std::string(rest).c_str(), nullptr);  // 1e-999 is 0
  too_large = !std::isfinite(value);
  return Json(is_negative ? -value : value);
}

std::string where(const YAML::Node& node) {
  const YAML::Mark mark = node.Mark();
  return mark.is_null() ? std::string()
                        : " at line " + std::to_string(mark.line + 1) + ", column " +
                              std::to_string(mark.column + 1);
}

// Aliases are followed where they stand, so what they grow to is counted value by value.
class Converter {
 public:
  Result<Json> convert(const YAML::Node& node, std::size_t depth) {
    if (++count_ > kMostYamlNodes)
      return bad_request("its aliases make more than " + std::to_string(kMostYamlNodes) +
                         " values of it");
    if (depth > kMaxDepth)
      return bad_request("it is nested deeper than " + std::to_string(kMaxDepth) + " levels");
    // yaml-cpp gives quoted texts the tag "!" and plain values "?"; anything else was written by
    // somebody.
    const std::string& tag = node.Tag();
    if (!tag.empty() && tag != "!" && tag != "?" && tag != kStringTag)
      return bad_request("the tag '" + tag + "'" + where(node) +
                         " is not known here: write plain values");
    if (node.IsSequence()) return sequence(node, depth);
    if (node.IsMap()) return mapping(node, depth);
    if (!node.IsScalar()) return Json();
    return tag == "!" || tag == kStringTag ? Json(node.Scalar()) : plain(node);
  }

 private:
  static Result<Json> plain(const YAML::Node& node) {
    const std::string& text = node.Scalar();
    if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
      return Json();
    if (text == "true" || text == "True" || text == "TRUE") return Json(true);
    if (text == "false" || text == "False" || text == "FALSE") return Json(false);
    bool too_large = false;
    auto found = number(text, too_large);
    if (too_large)
      return bad_request("a number" + where(node) +
                         " is too large: write it in decimal digits, or as text");
    return found ? std::move(*found) : Json(text);
  }

  Result<Json> sequence(const YAML::Node& node, std::size_t depth) {
    Json list = Json::array();
    for (const YAML::Node& item : node) {
      auto value = convert(item, depth + 1);
      if (!value) return value;
      list.push_back(std::move(*value));
    }
    return list;
  }

  Result<Json> mapping(const YAML::Node& node, std::size_t depth) {
    Json object = Json::object();
    for (const auto& item : node) {
      if (!item.first.IsScalar()) return bad_request("a key" + where(item.first) + " is no text");
      const std::string& key = item.first.Scalar();
      // As in JSON: who reads the document would see another value than who runs it.
      if (object.contains(key))
        return bad_request("the key '" + key + "'" + where(item.first) + " is there twice");
      auto value = convert(item.second, depth + 1);
      if (!value) return value;
      object[key] = std::move(*value);
    }
    return object;
  }

  std::size_t count_ = 0;
};

// Reads and forgets: for counting documents without building them.
class IgnoringHandler : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// 0, 1, or 2 for more. Not with LoadAll: there are texts on which it asks for the next document for
// ever and never moves on.
int count_documents(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  IgnoringHandler ignore;
  int count = 0;
  while (count < 2 && parser.HandleNextDocument(ignore)) ++count;
  return count;
}

}  // namespace

Result<Json> read_yaml(std::string_view text) {
  if (text.size() > kMaxYaml)
    return bad_request("it is larger than 16 MiB; what is that large can be written as JSON");
  // yaml-cpp takes some of them for the end of the text, and YAML allows none of them.
  const auto* const control = std::ranges::find_if(
      text, [](char c) { return c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\r'; });
  if (control != text.end())
    return bad_request("a control character (byte " +
                       std::to_string(static_cast<int>(static_cast<unsigned char>(*control))) +
                       ") at line " + std::to_string(1 + std::count(text.begin(), control, '\n')) +
                       ": YAML has none; write it with an escape, in double quotes");
  try {
    const std::string copy(text);
    switch (count_documents(copy)) {
      case 0:
        return bad_request("it is empty");
      case 1:
        return Converter().convert(YAML::Load(copy), 0);
      default:
        return bad_request("it holds more than one document; one is taken");
    }
  } catch (const YAML::Exception& mistake) {
    return bad_request("not YAML at line " + std::to_string(mistake.mark.line + 1) + ", column " +
                       std::to_string(mistake.mark.column + 1) + ": " + mistake.msg);
  }
}

}  // namespace airlock::flow
