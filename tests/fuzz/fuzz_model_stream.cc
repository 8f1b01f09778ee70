// What a model's server sends is hostile: any bytes, cut anywhere. The first byte chooses the
// provider, the second how the rest is cut. What must hold:
// (1) the limits hold, and nothing recurses or throws;
// (2) the text is UTF-8, and as long as is said;
// (3) the same bytes in one piece give the same answer;
// (4) lists of models and dates in headers are read or refused.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/utf8.h"
#include "llm/answer_stream.h"
#include "llm/endpoint.h"
#include "llm/protocol.h"
#include "llm/providers/providers.h"
#include "llm/troubles.h"
#include "require.h"

namespace {

using airlock::llm::AnswerStream;
using airlock::llm::Provider;
using airlock::llm::StreamLimits;
using airlock::llm::StreamTrouble;

constexpr StreamLimits kLimits{.answer_bytes = 4096, .line_bytes = 8192, .total_bytes = 65536};

AnswerStream read(const Provider& provider, std::string_view bytes, std::size_t piece) {
  AnswerStream stream(provider, kLimits);
  for (std::size_t at = 0; at < bytes.size(); at += piece)
    if (!stream.feed(bytes.substr(at, piece))) break;
  stream.end();
  return stream;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  constexpr auto& kAll = airlock::llm::providers::kAll;
  const Provider& provider = *kAll[data[0] % kAll.size()];
  const std::size_t piece = 1 + data[1] % 64;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 2, size - 2);
  const AnswerStream stream = read(provider, bytes, piece);
  airlock::fuzz::require(stream.text().size() <= kLimits.answer_bytes);
  airlock::fuzz::require(!airlock::find_invalid_utf8(stream.text()));
  airlock::fuzz::require(airlock::count_code_points(stream.text()) == stream.characters());
  airlock::fuzz::require(!airlock::find_invalid_utf8(stream.server_words()));
  airlock::fuzz::require(stream.prompt_tokens().value_or(0) >= 0 &&
                         stream.answer_tokens().value_or(0) >= 0);
  if (bytes.size() <= kLimits.total_bytes) {
    const AnswerStream whole = read(provider, bytes, bytes.size() + 1);
    airlock::fuzz::require(whole.text() == stream.text());
    airlock::fuzz::require(whole.trouble() == stream.trouble());
    airlock::fuzz::require(whole.has_ended() == stream.has_ended());
  }
  airlock::llm::model_names(bytes);
  const auto wait = airlock::llm::parse_retry_after(bytes, 1700000000);
  airlock::fuzz::require(!wait || (wait->count() >= 0 && *wait <= airlock::llm::kLongestWait));
  if (const auto endpoint = airlock::llm::parse_endpoint(bytes))
    airlock::fuzz::require(airlock::llm::parse_endpoint(endpoint->text()).has_value());
  return 0;
}
