// The words of every failure. A message has a subject (PROVIDER at ENDPOINT), says what happened,
// and quotes a server only through quoted_words(), which takes the key out should the server repeat
// it. `fix` is a command or a setting. `is_worth_another_try` is set where the same request may
// work in a moment.
#include "llm/troubles.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/printable.h"
#include "llm/providers/providers.h"

namespace airlock::llm {

namespace {

// In the order of Trouble. They are in the log and in JSON: they never change.
constexpr std::array<std::string_view, 12> kNames = {
    "not_running",  "model_missing", "unauthorized", "rate_limited",
    "server_error", "timeout",       "empty_answer", "broken_answer",
    "too_long",     "over_budget",   "canceled",     "bad_settings"};

// Models that a message lists before it says "and N more".
constexpr std::size_t kNamesShown = 8;

// "PROVIDER at ENDPOINT": how messages call the server.
std::string server_name(const ModelSettings& settings) {
  return fmt::format("{} at {}", name_of(settings.provider), settings.endpoint);
}

// The fix for a wrong setting: both places where it can be set.
std::string fix_by_setting(std::string_view setting, std::string_view variable,
                           const ModelSettings& settings) {
  return fmt::format("change {} in [model] of {}, or {}", setting,
                     printable(settings.settings_file), variable);
}

std::string fix_by_endpoint(const ModelSettings& settings) {
  return fix_by_setting("endpoint", "AIRLOCK_MODEL_ENDPOINT", settings);
}

// Words of a server, with the key taken out should it repeat it.
std::string shown_words(const ModelSettings& settings, std::string_view words) {
  std::string text(words);
  if (settings.key != nullptr) {
    const std::string& key = settings.key->text();
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at))
      text.replace(at, key.size(), "…");
  }
  return printable(text);
}

std::string quoted_words(const ModelSettings& settings, std::string_view words) {
  return words.empty() ? "" : fmt::format(" It says: {}", shown_words(settings, words));
}

ModelFailure failure(Trouble trouble, std::string message, std::string fix) {
  return {.trouble = trouble, .message = std::move(message), .fix = std::move(fix)};
}

ModelFailure worth_another_try(ModelFailure failed) {
  failed.is_worth_another_try = true;
  return failed;
}

ModelFailure not_running(const ModelSettings& settings) {
  const auto& own = settings.provider->own_server;
  return failure(
      Trouble::kNotRunning,
      fmt::format("Nobody listens for {}: the connection was refused.", server_name(settings)),
      own ? fmt::format("start it: {}", own->start)
          : "start the server, or " + fix_by_endpoint(settings));
}

// One of the four timeouts; each names the setting that it comes from.
ModelFailure timed_out(const ModelSettings& settings, std::string_view what,
                       std::chrono::seconds seconds, std::string_view setting,
                       std::string_view variable) {
  return worth_another_try(
      failure(Trouble::kTimeout,
              fmt::format("{} {} within {} s.", server_name(settings), what, seconds.count()),
              fmt::format("raise {} in [model] of {}, or {}; or take a smaller model", setting,
                          printable(settings.settings_file), variable)));
}

// Where the key is kept, never the key; empty when none was named.
std::string key_place(const ModelSettings& settings) {
  if (!settings.key_file.empty()) return "the file " + printable(settings.key_file);
  if (!settings.key_env.empty()) return "the variable " + settings.key_env;
  return {};
}

ModelFailure unauthorized(const ModelSettings& settings, long status) {
  const std::string place = key_place(settings);
  if (settings.key == nullptr) {
    return failure(
        Trouble::kUnauthorized,
        fmt::format("{} wants a key ({}), and none was sent.", server_name(settings), status),
        place.empty()
            ? fmt::format("name the variable that holds it: key_env = \"NAME\" in [model] "
                          "of {}, or a file: key_file = \"PATH\"",
                          printable(settings.settings_file))
            : fmt::format("put the key into {}", place));
  }
  return failure(
      Trouble::kUnauthorized,
      fmt::format("{} does not accept the key from {} ({}).", server_name(settings), place, status),
      status == 403 ? fmt::format("see what that key may do, and whether it may use {}; the key is "
                                  "in {}",
                                  printable(settings.model), place)
                    : fmt::format("put a valid key into {}", place));
}

ModelFailure rate_limited(const ModelSettings& settings, const HttpHead& head, std::int64_t now) {
  const auto wait = parse_retry_after(head.retry_after, now);
  ModelFailure failed = worth_another_try(
      failure(Trouble::kRateLimited,
              fmt::format("{} has had too many questions (429){}.", server_name(settings),
                          wait ? fmt::format("; it asks to wait {} s", wait->count()) : ""),
              wait ? fmt::format("ask again in {} s", wait->count())
                   : "ask again in a minute; if it stays so, see the limits of your account"));
  failed.retry_after = wait;
  return failed;
}

ModelFailure redirected(const ModelSettings& settings, const HttpHead& head) {
  return bad_settings(
      fmt::format("{} sends us on to another address ({}){}. Redirects are not followed: the key "
                  "would go there.",
                  server_name(settings), head.status,
                  head.location.empty()
                      ? ""
                      : fmt::format(", '{}'", printable(head.location.substr(0, 200)))),
      "if that is right, " + fix_by_endpoint(settings));
}

}  // namespace

std::string_view to_string(Trouble trouble) {
  return kNames[static_cast<std::size_t>(trouble)];
}

ModelFailure bad_settings(std::string message, std::string fix) {
  return failure(Trouble::kBadSettings, std::move(message), std::move(fix));
}

ModelFailure transport_failure(const ModelSettings& settings, const HttpResult& result) {
  switch (result.end) {
    case HttpEnd::kCanceled:
      return failure(Trouble::kCanceled, "The question was canceled.", "");
    case HttpEnd::kNoListener:
      return not_running(settings);
    case HttpEnd::kNoHost:
      return failure(Trouble::kNotRunning,
                     fmt::format("The host of {} was not found.", server_name(settings)),
                     "see whether the network is there; or " + fix_by_endpoint(settings));
    case HttpEnd::kConnectTimeout:
      return timed_out(settings, "could not be connected to", settings.connect_timeout,
                       "connect_seconds", "AIRLOCK_MODEL_CONNECT_SECONDS");
    case HttpEnd::kFirstByteTimeout:
      return timed_out(settings, "did not begin to answer", settings.first_byte_timeout,
                       "first_byte_seconds", "AIRLOCK_MODEL_FIRST_BYTE_SECONDS");
    case HttpEnd::kStalled:
      return timed_out(settings, "stopped in the middle of its answer and said nothing more",
                       settings.stall_timeout, "stall_seconds", "AIRLOCK_MODEL_STALL_SECONDS");
    case HttpEnd::kTimeout:
      return timed_out(settings, "did not finish its answer", settings.timeout, "timeout_seconds",
                       "AIRLOCK_MODEL_TIMEOUT_SECONDS");
    case HttpEnd::kTls:
      return bad_settings(
          fmt::format("No safe connection to {}: {}.", server_name(settings),
                      printable(result.detail)),
          "for a server with a certificate of your own, name its authority: ca_file = \"PATH\" in "
          "[model] of " +
              printable(settings.settings_file));
    case HttpEnd::kEmptyReply:
      return worth_another_try(
          failure(Trouble::kEmptyAnswer,
                  fmt::format("{} closed the connection without a word.", server_name(settings)),
                  "ask again; if it stays so, see the server's own log"));
    case HttpEnd::kNoHttp:
      return failure(Trouble::kBrokenAnswer,
                     fmt::format("What listens for {} does not speak HTTP.", server_name(settings)),
                     fix_by_endpoint(settings));
    // The last two are no failures of the connection (see the header); a caller that asks
    // nevertheless gets the mildest words.
    case HttpEnd::kBroken:
    case HttpEnd::kWhole:
    case HttpEnd::kTakerStopped:
      return worth_another_try(
          failure(Trouble::kBrokenAnswer,
                  fmt::format("The connection to {} broke{}.", server_name(settings),
                              result.detail.empty() ? "" : ": " + printable(result.detail)),
                  "ask again; if it stays so, see the server's own log"));
    case HttpEnd::kOurs:
      break;
  }
  return bad_settings(
      fmt::format("{} could not be asked: {}.", server_name(settings), printable(result.detail)),
      fix_by_endpoint(settings));
}

ModelFailure status_failure(const ModelSettings& settings, const HttpHead& head,
                            std::string_view words, std::int64_t now) {
  const long status = head.status;
  if (status == 401 || status == 403) return unauthorized(settings, status);
  if (status == 429) return rate_limited(settings, head, now);
  if (status >= 300 && status < 400) return redirected(settings, head);
  if (status == 404) {
    return bad_settings(
        fmt::format("There is no such page at {} (404).{}", server_name(settings),
                    quoted_words(settings, words)),
        "see whether provider and endpoint belong together; " + fix_by_endpoint(settings));
  }
  if (status >= 500 || status == 408) {
    const auto& own = settings.provider->own_server;
    ModelFailure failed = worth_another_try(
        failure(Trouble::kServerError,
                fmt::format("{} has trouble of its own ({}).{}", server_name(settings), status,
                            quoted_words(settings, words)),
                own ? fmt::format("ask again; if it stays so, see what it says: {}", own->log)
                    : "ask again in a moment"));
    failed.retry_after = parse_retry_after(head.retry_after, now);
    return failed;
  }
  return bad_settings(
      fmt::format("{} did not take the question ({}).{}", server_name(settings), status,
                  quoted_words(settings, words)),
      fmt::format("see the settings of model '{}': airlock ai status", printable(settings.model)));
}

ModelFailure missing_model(const ModelSettings& settings, const std::vector<std::string>& names) {
  const std::string wanted = printable(settings.model);
  std::vector<std::string> bare = names;
  // People leave the usual tag out, so names are compared without it.
  for (std::string& name : bare)
    if (name.ends_with(":latest")) name.resize(name.size() - 7);
  const std::vector<std::string_view> known(bare.begin(), bare.end());
  const std::string_view near = nearest_word(settings.model, known);
  std::string has;
  for (std::size_t i = 0; i < std::min(names.size(), kNamesShown); ++i)
    has += (i == 0 ? "" : ", ") + printable(names[i]);
  if (names.size() > kNamesShown) has += fmt::format(" and {} more", names.size() - kNamesShown);
  const std::string message =
      fmt::format("{} has no model '{}'.{}{}", server_name(settings), wanted,
                  has.empty() ? "" : " It has: " + has + ".",
                  near.empty() ? "" : fmt::format(" Did you mean '{}'?", printable(near)));
  const auto& own = settings.provider->own_server;
  return failure(Trouble::kModelMissing, message,
                 own ? fmt::format("fetch it: {} {}", own->fetch, wanted)
                     : fix_by_setting("model", "AIRLOCK_MODEL", settings));
}

ModelFailure stream_failure(const ModelSettings& settings, const AnswerStream& stream,
                            const HttpHead& head, std::string_view beginning) {
  switch (stream.trouble()) {
    case StreamTrouble::kTooLong:
      return failure(
          Trouble::kTooLong,
          fmt::format("{} answered with more than we take (1 MiB of text, 16 MiB in all); "
                      "the rest was not read.",
                      server_name(settings)),
          "lower max_tokens in [model] of " + printable(settings.settings_file));
    case StreamTrouble::kServerSaid: {
      ModelFailure failed = failure(Trouble::kServerError,
                                    fmt::format("{} broke its answer off.{}", server_name(settings),
                                                quoted_words(settings, stream.server_words())),
                                    "ask again in a moment");
      failed.is_worth_another_try = stream.is_overloaded() || !settings.provider->errors_have_kinds;
      return failed;
    }
    case StreamTrouble::kInvalidUtf8:
      return failure(
          Trouble::kBrokenAnswer,
          fmt::format("{} answered with bytes that are not UTF-8.", server_name(settings)),
          "see whether provider and endpoint belong together: airlock ai status");
    case StreamTrouble::kBrokenJson:
      return failure(
          Trouble::kBrokenAnswer,
          fmt::format("{} answered with JSON that cannot be read.", server_name(settings)),
          "see whether provider and endpoint belong together: airlock ai status");
    case StreamTrouble::kNotTheProtocol: {
      const bool is_page = head.content_type.contains("html") || beginning.starts_with('<');
      return failure(
          Trouble::kBrokenAnswer,
          is_page
              ? fmt::format("A web page came in place of an answer of {}: another server listens "
                            "there, or a proxy wants a login.",
                            server_name(settings))
              : fmt::format("What came back is not the protocol of {}.", server_name(settings)),
          "see whether provider and endpoint belong together; " + fix_by_endpoint(settings));
    }
    case StreamTrouble::kNone:
      break;
  }
  if (!stream.has_ended() && stream.total_bytes() > 0) {
    return worth_another_try(failure(Trouble::kBrokenAnswer,
                                     fmt::format("The answer of {} broke off after {} characters.",
                                                 server_name(settings), stream.characters()),
                                     "ask again; if it stays so, see the server's own log"));
  }
  return worth_another_try(failure(
      Trouble::kEmptyAnswer, fmt::format("{} gave an empty answer.", server_name(settings)),
      fmt::format("ask again, or take another model than '{}'", printable(settings.model))));
}

// ---- Retry-After

namespace {

constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// All of `text` as a number between the two, or nothing.
std::optional<int> number(std::string_view text, int low, int high) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < low || value > high)
    return std::nullopt;
  return value;
}

// "Sun, 06 Nov 1994 08:49:37 GMT", the one form that servers may send today.
std::optional<std::int64_t> parse_date(std::string_view text) {
  if (text.size() != 29 || text.substr(3, 2) != ", " || !text.ends_with(" GMT") ||
      text[19] != ':' || text[22] != ':')
    return std::nullopt;
  const auto day = number(text.substr(5, 2), 1, 31);
  const auto month = std::ranges::find(kMonths, text.substr(8, 3));
  const auto year = number(text.substr(12, 4), 1970, 9999);
  const auto hour = number(text.substr(17, 2), 0, 23);
  const auto minute = number(text.substr(20, 2), 0, 59);
  const auto second = number(text.substr(23, 2), 0, 60);
  if (!day || month == kMonths.end() || !year || !hour || !minute || !second) return std::nullopt;
  using std::chrono::year_month_day;
  const year_month_day date(std::chrono::year(*year),
                            std::chrono::month(static_cast<unsigned>(month - kMonths.begin()) + 1),
                            std::chrono::day(static_cast<unsigned>(*day)));
  if (!date.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch();
  return std::chrono::seconds(days).count() + *hour * 3600LL + *minute * 60LL + *second;
}

}  // namespace

std::optional<std::chrono::seconds> parse_retry_after(std::string_view text, std::int64_t now) {
  if (!text.empty() && std::ranges::all_of(text, is_digit)) {
    const auto seconds =
        // More than nine digits do not fit an int; every such number is above kLongestWait anyway.
        text.size() > 9 ? std::optional<int>(999999999) : number(text, 0, 999999999);
    return std::min(std::chrono::seconds(seconds.value_or(0)), kLongestWait);
  }
  const auto date = parse_date(text);
  if (!date) return std::nullopt;
  return std::clamp(std::chrono::seconds(*date - now), std::chrono::seconds(0), kLongestWait);
}

}  // namespace airlock::llm
