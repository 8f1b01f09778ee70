#include "llm/prompt_text.h"

#include <utility>

#include "os/files.h"

namespace airlock::llm {

namespace {

constexpr std::size_t kMostBytes = 256 * 1024;  // about 64,000 tokens

}  // namespace

Result<std::string> read_prompt(const std::string& word) {
  std::string text = word;
  if (word == "-") {
    auto input = TRY(os::read_standard_input(kMostBytes));
    text = std::move(input.bytes);
  }
  if (text.size() > kMostBytes) return bad_request("the question is longer than 256 KiB");
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    return bad_request("the question is empty");
  return text;
}

}  // namespace airlock::llm
