#include "model/not_admitted.h"

#include <array>

namespace airlock {

std::string to_string(const JsonPath& path) {
  if (path.empty()) return "(document)";
  std::string text;
  for (const JsonStep& step : path) {
    if (const auto* index = std::get_if<std::size_t>(&step)) {
      text += "[" + std::to_string(*index) + "]";
    } else {
      if (!text.empty()) text += ".";
      text += std::get<std::string>(step);
    }
  }
  return text;
}

std::string_view to_string(AdmitErrorType type) {
  // In the order of the enum.
  static constexpr std::array<std::string_view, 9> kNames = {
      "SecretLikelyFieldNameError", "JSONValueError", "ConfidenceError", "UnknownFieldError",
      "MissingFieldError",          "DepthError",     "SizeError",       "EncodingError",
      "DuplicateKeyError"};
  return kNames[static_cast<std::size_t>(type)];
}

}  // namespace airlock
