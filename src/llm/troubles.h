// What went wrong with a question, in words, with what mends it: every way in which asking can fail
// ends in one of these functions, so wizard and commands say the same. The words name the setting,
// the variable or the command, never a key and never an answer's text. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "llm/answer_stream.h"
#include "llm/http.h"
#include "llm/model.h"
#include "llm/settings.h"

namespace airlock::llm {

// "not_running", "rate_limited": in the log and in JSON.
std::string_view to_string(Trouble trouble);

// The connection failed: HttpEnd is neither kWhole nor kTakerStopped.
ModelFailure transport_failure(const ModelSettings& settings, const HttpResult& result);
// The server answered with another status than 200. `words`: of its error, maybe empty.
ModelFailure status_failure(const ModelSettings& settings, const HttpHead& head,
                            std::string_view words, std::int64_t now);
// 404, and the list of models was asked for: `names` are those it has.
ModelFailure missing_model(const ModelSettings& settings, const std::vector<std::string>& names);
// 200, and the answer is not one. `beginning`: of the body.
ModelFailure stream_failure(const ModelSettings& settings, const AnswerStream& stream,
                            const HttpHead& head, std::string_view beginning);
ModelFailure bad_settings(std::string message, std::string fix);

// The header Retry-After: a number of seconds, or a date. It comes from a server that is not
// trusted, so it is bounded: nobody can make us wait for a year. Between 0 and kLongestWait;
// nothing when it is neither. `now`: seconds since 1970.
inline constexpr std::chrono::seconds kLongestWait{3600};
std::optional<std::chrono::seconds> parse_retry_after(std::string_view text, std::int64_t now);

}  // namespace airlock::llm
