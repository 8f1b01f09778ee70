#include "admit/sanitize.h"

#include <map>
#include <set>

#include "admit/document_judge.h"
#include "admit/secret_name.h"
#include "base/json_writer.h"
#include "base/result.h"

namespace airlock {

namespace {

constexpr std::size_t kMostFindings = 100;  // that are listed; the others are counted

// Walks the tape once and writes JSON. An explicit stack, as deep as the document.
class ScrubbingWriter {
 public:
  ScrubbingWriter(const JsonTape& tape, const SecretNames& names, KeyVerdictCache& memory,
                  TextScrubber& scrubber)
      : tape_(tape), names_(names), memory_(memory), scrubber_(scrubber) {}

  std::expected<ScrubbedDocument, NotAdmitted> write();

 private:
  struct Frame {
    std::size_t begin = 0;  // its first word's place
    bool is_object = false;
    std::size_t items = 0;
    std::string_view key;                      // as it was
    std::string shown;                         // as it is written, when that is something else
    std::set<std::string, std::less<>> taken;  // filled once a key of this object has changed
    std::map<std::string, std::size_t, std::less<>> last_number;  // that was put behind a name
  };

  // key() and value() write what stands at `at` of the tape and return the place behind it.
  std::size_t key(std::size_t at);
  void change_key(Frame& frame);
  std::size_t value(std::size_t at);
  void string(std::string_view text);
  void judge_name(std::string_view name);
  std::string unique(const std::string& name, Frame& frame);
  void note(const Scrubbed& scrubbed);
  JsonPath path() const;

  const JsonTape& tape_;
  const SecretNames& names_;
  KeyVerdictCache& memory_;
  TextScrubber& scrubber_;
  std::vector<Frame> frames_;
  ScrubbedDocument document_;
  NotAdmitted refusal_;
};

JsonPath ScrubbingWriter::path() const {
  JsonPath steps;
  for (const Frame& frame : frames_) {
    if (!frame.is_object)
      steps.emplace_back(frame.items - 1);
    else
      steps.emplace_back(shown_key(frame.shown.empty() ? frame.key : frame.shown, scrubber_));
  }
  return steps;
}

void ScrubbingWriter::note(const Scrubbed& scrubbed) {
  document_.rewritten_paths += scrubbed.has_rewritten_paths ? 1 : 0;
  for (const Redaction& redaction : scrubbed.redactions) {
    if (document_.secrets.size() < kMostFindings)
      document_.secrets.push_back({std::string(redaction.kind), redaction.fingerprint, path()});
    else
      ++document_.more_secrets;
  }
}

// The second wall: the door has refused such names already, unless it was passed by.
void ScrubbingWriter::judge_name(std::string_view name) {
  if (!names_.looks_secret(name)) return;
  if (refusal_.errors.size() >= kMostFindings) {
    ++refusal_.more;
    return;
  }
  refusal_.errors.push_back(
      {AdmitErrorType::kSecretLikelyFieldName, path(),
       "'" + shown_key(name, scrubber_) + "' looks like the name of a secret."});
}

// Two keys that differed may be equal once a path or secret is gone. All keys of the object count
// as taken, the changed one's own original too, so that no number depends on the order of keys.
std::string ScrubbingWriter::unique(const std::string& name, Frame& frame) {
  if (frame.taken.empty()) {
    for (std::size_t at = frame.begin + 1; tape_.type(at) != '}'; at = tape_.after(at + 1))
      frame.taken.emplace(tape_.string(at));
  }
  std::string candidate = name;
  std::size_t& number = frame.last_number.try_emplace(name, 1).first->second;
  while (!frame.taken.insert(candidate).second) candidate = name + "#" + std::to_string(++number);
  return candidate;
}

// Judged before and after: scrubbing may bring a secret's name to light.
void ScrubbingWriter::change_key(Frame& frame) {
  judge_name(frame.key);
  auto scrubbed = scrubber_.scrub(frame.key);
  if (!scrubbed) return;
  frame.shown = unique(scrubbed->text, frame);
  judge_name(frame.shown);
  note(*scrubbed);
}

std::size_t ScrubbingWriter::key(std::size_t at) {
  Frame& frame = frames_.back();
  if (frame.items++ > 0) document_.json += ',';
  frame.key = tape_.string(at);
  frame.shown.clear();
  // Nearly always no: then the key is written as it is.
  if (memory_.ask(frame.key, digest_of(frame.key))) change_key(frame);
  append_json_string(document_.json, frame.shown.empty() ? frame.key : frame.shown);
  document_.json += ':';
  return at + 1;
}

void ScrubbingWriter::string(std::string_view text) {
  // The nearest key above: items of a list stand under the list's name.
  std::string_view key;
  for (std::size_t i = frames_.size(); i > 0 && key.empty(); --i)
    if (frames_[i - 1].is_object) key = frames_[i - 1].key;
  const auto scrubbed = scrubber_.scrub(text, key);
  if (scrubbed) note(*scrubbed);
  append_json_string(document_.json, scrubbed ? std::string_view(scrubbed->text) : text);
}

// Behind the value, or behind the bracket that opens it.
std::size_t ScrubbingWriter::value(std::size_t at) {
  if (!frames_.empty() && !frames_.back().is_object && frames_.back().items++ > 0)
    document_.json += ',';
  switch (const char type = tape_.type(at)) {
    case '{':
    case '[':
      document_.json += type;
      frames_.push_back({at, type == '{', 0, {}, {}, {}, {}});
      return at + 1;
    case '"':
      string(tape_.string(at));
      break;
    case 'l':
      append_json_integer(document_.json, tape_.integer(at));
      break;
    case 'u':
      append_json_natural(document_.json, tape_.natural(at));
      break;
    case 'd':
      append_json_number(document_.json, tape_.number(at));
      break;
    default:
      document_.json += type == 't' ? "true" : type == 'f' ? "false" : "null";
      break;
  }
  return tape_.after(at);
}

std::expected<ScrubbedDocument, NotAdmitted> ScrubbingWriter::write() {
  const std::size_t end = tape_.end();
  for (std::size_t at = JsonTape::kRoot; at < end;) {
    const char type = tape_.type(at);
    if (type == '}' || type == ']') {
      document_.json += type;
      frames_.pop_back();
      ++at;
      continue;
    }
    if (!frames_.empty() && frames_.back().is_object) at = key(at);
    at = value(at);
  }
  if (!refusal_.errors.empty()) return std::unexpected(std::move(refusal_));
  return std::move(document_);
}

}  // namespace

struct Sanitizer::Parts {
  explicit Parts(ScrubOptions options) : scrubber(std::move(options)) {}

  SecretNames names;
  TextScrubber scrubber;
  // Whether a key has to be looked at: it looks secret, or scrubbing changes it.
  KeyVerdictCache memory{[this](std::string_view key) {
    return names.looks_secret(key) || scrubber.scrub(key).has_value();
  }};
};

Sanitizer::Sanitizer(ScrubOptions options) : parts_(std::make_unique<Parts>(std::move(options))) {}
Sanitizer::~Sanitizer() = default;
Sanitizer::Sanitizer(Sanitizer&&) noexcept = default;
Sanitizer& Sanitizer::operator=(Sanitizer&&) noexcept = default;

std::expected<ScrubbedDocument, NotAdmitted> Sanitizer::scrub(const JsonTape& tape) {
  return ScrubbingWriter(tape, parts_->names, parts_->memory, parts_->scrubber).write();
}

std::expected<Sanitized, NotAdmitted> Sanitizer::sanitize(const Admitted& admitted) {
  auto scrubbed = TRY(scrub(admitted.tape()));
  return Sanitized(Sanitized::Key(), std::move(scrubbed.json), std::move(scrubbed.secrets),
                   scrubbed.more_secrets, scrubbed.rewritten_paths);
}

}  // namespace airlock
