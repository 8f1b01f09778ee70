// A flow or a node as text → JSON values. The text is untrusted: size, depth and what aliases grow
// to are limited before anything is built from them.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "base/result.h"
#include "flow/document.h"

namespace airlock::flow {

// Bytes, but for kMaxDepth, which counts containers inside each other. YAML is read much more
// slowly.
inline constexpr std::size_t kMaxDocument = 256U * 1024 * 1024;
inline constexpr std::size_t kMaxYaml = 16U * 1024 * 1024;
inline constexpr std::size_t kMaxDepth = 200;

// NaN and infinity, which are no JSON, are kept as the numbers they are: whoever takes a number
// says what is wrong with them.
// Errors say what is wrong and where, without the file's name.
Result<Json> read_json(std::string_view text);
Result<Json> read_yaml(std::string_view text);

// By the name: .yaml and .yml are YAML, everything else JSON.
Result<Json> read_document(const std::string& file);

}  // namespace airlock::flow
