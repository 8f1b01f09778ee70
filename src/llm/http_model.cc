// One question: headers and body from the provider's row, one exchange, the body fed to an
// AnswerStream as it arrives, then one look at everything that can be wrong (failure_of). A refusal
// that the provider's row can learn from is answered by asking once more in the other dialect.
#include "llm/http_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "base/printable.h"
#include "llm/answer_stream.h"
#include "llm/bounded_json.h"
#include "llm/curl_library.h"
#include "llm/endpoint.h"
#include "llm/http.h"
#include "llm/protocol.h"
#include "llm/providers/providers.h"
#include "llm/troubles.h"

namespace airlock::llm {

namespace {

using Steady = std::chrono::steady_clock;
using std::chrono::duration_cast;
using std::chrono::milliseconds;

constexpr std::size_t kMostErrorBytes = 64 * 1024;       // of a refusal's body that are read
constexpr std::size_t kMostListBytes = 4 * 1024 * 1024;  // of a list of models
constexpr std::size_t kBytesOfAToken = 4;                // about, in English and in code
// A list is asked for beside the question that matters: nobody should wait long for it.
constexpr milliseconds kListTimeout{10000};

std::int64_t seconds_since_1970() {
  return duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::int64_t estimated_tokens(std::size_t bytes) {
  return static_cast<std::int64_t>((bytes + kBytesOfAToken - 1) / kBytesOfAToken);
}

bool is_blank_text(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

class HttpModel final : public Model {
 public:
  HttpModel(ModelSettings settings, Endpoint endpoint)
      : settings_(std::move(settings)), endpoint_(std::move(endpoint)) {}

  std::string describe() const override {
    return fmt::format("{} {} at {}", settings_.provider->name, printable(settings_.model),
                       settings_.endpoint);
  }

  std::expected<ModelAnswer, ModelFailure> ask(const Prompt& prompt,
                                               const AskControl& control) override {
    const auto started = Steady::now();
    if (control.stop.stop_requested())
      return std::unexpected(transport_failure(settings_, {HttpEnd::kCanceled, {}, {}}));
    if (const auto trouble = load()) return std::unexpected(*trouble);
    // Ends: learn() returns true only when it changes a field of dialect_ that it has not changed
    // before, and there are two of them.
    while (true) {
      auto answer = ask_once(prompt, control, started);
      if (answer || !has_learnt_) return answer;
    }
  }

  // What `airlock ai status` asks: no tokens are spent, only the list of models is fetched.
  EndpointReport examine(const std::stop_token& stop) {
    EndpointReport report;
    if (auto trouble = load()) {
      report.failure = *std::move(trouble);
      return report;
    }
    HttpHead head;
    auto names = list_models(stop, head);
    report.answers = head.status != 0;
    if (names) {
      report.models = *std::move(names);
      report.has_model = has_model(*settings_.provider, report.models, settings_.model);
      if (!*report.has_model) report.failure = missing_model(settings_, report.models);
    } else if (head.status != 404 || settings_.provider->must_list_models) {
      report.failure = std::move(names).error();
    }
    return report;
  }

 private:
  // One request. A body with another status than 200 is no answer but the words of a refusal: it is
  // read up to kMostErrorBytes and never reaches the stream.
  std::expected<ModelAnswer, ModelFailure> ask_once(const Prompt& prompt, const AskControl& control,
                                                    Steady::time_point started) {
    has_learnt_ = false;
    AnswerStream stream(*settings_.provider);
    std::string beginning;  // of the body: for errors, and to tell a web page
    HttpRequest request = make_request(settings_.provider->question_url(endpoint_));
    request.is_post = true;
    request.body = question_body(settings_, prompt, dialect_);
    const HttpResult result =
        exchange(*curl_, request, control.stop, [&](const HttpHead& head, std::string_view bytes) {
          keep_beginning(beginning, bytes);
          if (head.status != 200) return beginning.size() < kMostErrorBytes;
          const std::size_t before = stream.characters();
          const bool wants_more = stream.feed(bytes);
          if (control.on_progress && stream.characters() > before)
            control.on_progress(stream.characters());
          return wants_more;
        });
    if (result.end == HttpEnd::kWhole) stream.end();
    if (auto failed = failure_of(result, stream, beginning, control.stop))
      return std::unexpected(*std::move(failed));
    return answer(prompt, stream, duration_cast<milliseconds>(Steady::now() - started));
  }

  // Questions may come from several threads; libcurl's global initialisation must happen once.
  std::optional<ModelFailure> load() {
    const std::scoped_lock lock(loading_);
    if (curl_) return std::nullopt;
    auto curl = CurlLibrary::load();
    if (!curl) return bad_settings(curl.error().message, "apt-get install libcurl4");
    curl_ = *curl;
    return std::nullopt;
  }

  static void keep_beginning(std::string& beginning, std::string_view bytes) {
    if (beginning.size() < kMostErrorBytes)
      beginning += bytes.substr(0, kMostErrorBytes - beginning.size());
  }

  HttpRequest make_request(std::string url) const {
    return {.url = std::move(url),
            .headers = request_headers(settings_),
            .is_loopback = endpoint_.is_loopback,
            .ca_file = settings_.ca_file,
            .connect_timeout = settings_.connect_timeout,
            .first_byte_timeout = settings_.first_byte_timeout,
            .stall_timeout = settings_.stall_timeout,
            .timeout = settings_.timeout};
  }

  // Nothing: there is an answer. From the outside in: canceled, refused by status, broken on the
  // way, and only then what the stream says about the content.
  std::optional<ModelFailure> failure_of(const HttpResult& result, const AnswerStream& stream,
                                         std::string_view beginning, const std::stop_token& stop) {
    const bool has_come = result.end == HttpEnd::kWhole || result.end == HttpEnd::kTakerStopped;
    if (result.end == HttpEnd::kCanceled) return transport_failure(settings_, result);
    if (result.head.status != 0 && result.head.status != 200)
      return refused(result.head, beginning, stop);
    if (!has_come && !stream.has_ended() && stream.trouble() == StreamTrouble::kNone) {
      // The connection broke in the middle of an answer.
      if (result.end == HttpEnd::kBroken && stream.total_bytes() > 0)
        return stream_failure(settings_, stream, result.head, beginning);
      return transport_failure(settings_, result);
    }
    if (stream.trouble() != StreamTrouble::kNone || !stream.has_ended() ||
        is_blank_text(stream.text()))
      return stream_failure(settings_, stream, result.head, beginning);
    return std::nullopt;
  }

  // A 404 means "no such model" with one server and "no such page" with another: the list of models
  // tells them apart. This costs one more request, in a case that has failed already.
  ModelFailure refused(const HttpHead& head, std::string_view beginning,
                       const std::stop_token& stop) {
    const auto document = parse_bounded(beginning);
    const std::string words = document ? error_words(*document) : std::string();
    const auto learn = settings_.provider->learn;
    if (head.status == 400 && learn != nullptr) has_learnt_ = learn(dialect_, words);
    if (head.status != 404) return status_failure(settings_, head, words, seconds_since_1970());
    HttpHead list_head;
    const auto names = list_models(stop, list_head);
    const bool lists =
        names.has_value() && !has_model(*settings_.provider, *names, settings_.model);
    if (lists || words.contains("model"))
      return missing_model(settings_, names.value_or(std::vector<std::string>()));
    return status_failure(settings_, head, words, seconds_since_1970());
  }

  std::expected<std::vector<std::string>, ModelFailure> list_models(const std::stop_token& stop,
                                                                    HttpHead& head) {
    HttpRequest request = make_request(settings_.provider->models_url(endpoint_));
    request.timeout = std::min<milliseconds>(kListTimeout, settings_.timeout);
    std::string body;
    const HttpResult result =
        exchange(*curl_, request, stop, [&](const HttpHead&, std::string_view bytes) {
          body += bytes;
          return body.size() <= kMostListBytes;
        });
    head = result.head;
    if (result.end != HttpEnd::kWhole) return std::unexpected(transport_failure(settings_, result));
    const auto document = parse_bounded(body);
    if (head.status != 200) {
      return std::unexpected(status_failure(settings_, head, document ? error_words(*document) : "",
                                            seconds_since_1970()));
    }
    if (!document) {
      // A list that is no JSON gets the message of an answer that is not the protocol.
      AnswerStream prose(*settings_.provider);
      prose.feed("prose\n");
      return std::unexpected(stream_failure(settings_, prose, head, body));
    }
    return model_names(body);
  }

  // Counts that the server did not send are estimated from sizes: the budget must count something.
  static ModelAnswer answer(const Prompt& prompt, const AnswerStream& stream,
                            milliseconds duration) {
    ModelAnswer answer{
        .text = stream.text(), .usage = {}, .duration = duration, .was_cut = stream.was_cut()};
    const auto asked = stream.prompt_tokens();
    const auto said = stream.answer_tokens();
    answer.usage = {.prompt_tokens =
                        asked.value_or(estimated_tokens(prompt.system.size() + prompt.user.size())),
                    .answer_tokens = said.value_or(estimated_tokens(stream.text().size())),
                    .is_estimated = !asked || !said};
    return answer;
  }

  ModelSettings settings_;
  Endpoint endpoint_;
  std::mutex loading_;
  std::optional<CurlLibrary> curl_;
  Dialect dialect_;
  bool has_learnt_ = false;  // the last refusal has changed the dialect: ask again
};

Result<std::shared_ptr<HttpModel>> make_http_model(const ModelSettings& settings) {
  if (settings.provider == nullptr) return bad_request("no provider of models is set");
  auto endpoint = TRY(within("use the endpoint of the model", parse_endpoint(settings.endpoint)));
  if (!settings.key_trouble.empty()) return bad_request(settings.key_trouble);
  return std::make_shared<HttpModel>(settings, std::move(endpoint));
}

}  // namespace

Result<std::shared_ptr<Model>> make_model(const ModelSettings& settings) {
  if (settings.provider == nullptr) return nullptr;
  return make_http_model(settings);
}

EndpointReport query_endpoint(const ModelSettings& settings, const std::stop_token& stop) {
  const auto model = make_http_model(settings);
  if (model) return (*model)->examine(stop);
  EndpointReport report;
  report.failure = bad_settings(model.error().message, "");
  return report;
}

}  // namespace airlock::llm
