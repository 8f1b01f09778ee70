// Why a document did not pass the inner door: every mistake with its place, none with its value.
// The value may be a secret, or text made to mislead whoever reads the message; the place is enough
// to find it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace airlock {

// Where a value lies: keys and indexes from the root. Keys are shown as base/printable.h shows
// them, cut when they are long.
using JsonStep = std::variant<std::string, std::size_t>;
using JsonPath = std::vector<JsonStep>;

// "schema_slice.files[3].name"; "(document)" for the root.
std::string to_string(const JsonPath& path);

enum class AdmitErrorType : std::uint8_t {
  kSecretLikelyFieldName,
  kJsonValue,
  kConfidence,
  kUnknownField,
  kMissingField,
  kDepth,
  kSize,
  kEncoding,
  kDuplicateKey,
};

// As the contract spells it: "SecretLikelyFieldNameError".
std::string_view to_string(AdmitErrorType type);

struct AdmitError {
  AdmitErrorType type = AdmitErrorType::kJsonValue;
  JsonPath path;
  std::string message;  // what is wrong and what to do; never a value
};

struct NotAdmitted {
  std::vector<AdmitError> errors;  // in the order of the document; at least one
  std::size_t more = 0;            // errors beyond those that are listed
};

}  // namespace airlock
