// A question to a language model: as it happened (ModelExchange, whole texts, never kept), and as
// the log keeps it (ModelCall: hashes and beginnings). Plain values.
// What is sent to a model may hold a user's file names and code, so the log keeps hashes to compare
// and short beginnings to recognize, never the whole.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace airlock {

// Code points of a beginning, and bytes of what a retry added.
inline constexpr std::size_t kLoggedCharacters = 500;
inline constexpr std::size_t kLoggedRetry = 16 * 1024;

struct ModelExchange {
  std::string provider = {};
  std::string model = {};
  std::string endpoint = {};
  std::string sent = {};     // all of it
  std::string retry = {};    // the part of it that a retry added; empty: it was none
  std::string answer = {};   // all of it; empty when there is none
  std::int64_t started = 0;  // milliseconds since 1970
  std::int64_t duration_ms = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t answer_tokens = 0;
  // The provider counted no tokens: the numbers above are a guess from the length.
  bool is_estimated = false;
  std::string outcome = "answered";  // or the name of the trouble: "timeout"
  std::string message = {};          // of the trouble
};

struct ModelCall {
  std::string id = {};
  std::int64_t started = 0;
  std::int64_t duration_ms = 0;
  std::string provider = {};
  std::string model = {};
  std::string endpoint = {};
  std::string sent_sha256 = {};
  std::int64_t sent_bytes = 0;
  std::string sent_start = {};  // at most kLoggedCharacters, without secrets and controls
  std::string retry = {};       // what a retry added to it, at most kLoggedRetry bytes; likewise
  std::string answer_sha256 = {};
  std::int64_t answer_bytes = 0;
  std::string answer_start = {};
  std::int64_t prompt_tokens = 0;
  std::int64_t answer_tokens = 0;
  bool is_estimated = false;
  std::string outcome = {};
  std::string message = {};
};

}  // namespace airlock
