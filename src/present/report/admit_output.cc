// A refusal: every error with its place in the document, its type and a sentence. No value of the
// document is ever repeated, since it may be the secret that it was refused for.
#include "present/report/admit_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "present/report/json_text.h"
#include "present/report/style.h"

namespace airlock::cli {

namespace {

constexpr std::size_t kWidth = 100;      // columns of a line of text
constexpr std::size_t kMostListed = 20;  // secrets, for people

// A path as its steps: keys are strings, indices of arrays are numbers.
nlohmann::ordered_json as_json(const JsonPath& path) {
  nlohmann::ordered_json steps = nlohmann::ordered_json::array();
  for (const JsonStep& step : path) {
    if (const auto* index = std::get_if<std::size_t>(&step))
      steps.push_back(*index);
    else
      steps.push_back(std::get<std::string>(step));
  }
  return steps;
}

}  // namespace

std::string refusal_as_json(const NotAdmitted& refusal) {
  nlohmann::ordered_json document;
  document["admitted"] = false;
  document["errors"] = nlohmann::ordered_json::array();
  for (const AdmitError& error : refusal.errors) {
    nlohmann::ordered_json entry;
    entry["type"] = to_string(error.type);
    entry["path"] = as_json(error.path);
    entry["message"] = error.message;
    document["errors"].push_back(std::move(entry));
  }
  if (refusal.more > 0) document["more_errors"] = refusal.more;
  return json_text(document, -1) + "\n";
}

std::string refusal_as_text(const NotAdmitted& refusal, std::string_view file, Colour colour) {
  std::string text;
  for (const AdmitError& error : refusal.errors) {
    text += paint(printable(to_string(error.path)), Style::kPlace, colour) + "\n    " +
            paint(to_string(error.type), Style::kError, colour) + ": " +
            wrap(printable(error.message), kWidth, 4) + "\n\n";
  }
  if (refusal.more > 0)
    text += fmt::format("… and {} not shown\n\n", counted(refusal.more, "more error"));
  const std::string name = file == "-" ? "standard input" : printable(file);
  text += name + ": " + paint("refused", Style::kError, colour) + " (" +
          counted(refusal.errors.size() + refusal.more, "error") + ")\n";
  return text;
}

// A secret is told by its kind, its place and its fingerprint, never by a part of itself.
std::string changes_as_text(const Sanitized& sanitized, Colour colour) {
  std::string text;
  if (sanitized.rewritten_paths() > 0) {
    text += fmt::format("{} made relative in {}\n",
                        sanitized.rewritten_paths() == 1 ? "a path was" : "paths were",
                        counted(sanitized.rewritten_paths(), "string"));
  }
  const auto& secrets = sanitized.secrets();
  for (std::size_t i = 0; i < secrets.size() && i < kMostListed; ++i) {
    text +=
        fmt::format("{} {} at {}: now fingerprint {}\n", paint("redacted", Style::kWarning, colour),
                    secrets[i].kind, printable(to_string(secrets[i].path)), secrets[i].fingerprint);
  }
  const std::size_t all = secrets.size() + sanitized.more_secrets();
  if (all > kMostListed)
    text += fmt::format("… and {} more\n", counted(all - kMostListed, "secret"));
  return text;
}

}  // namespace airlock::cli
