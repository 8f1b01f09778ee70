#include "admit/document_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "base/nearest.h"
#include "base/printable.h"
#include "base/utf8.h"

namespace airlock {

namespace {

constexpr std::size_t kShownKey = 64;       // bytes of a key in a message
constexpr std::size_t kScrubbedKey = 8192;  // bytes of a key that are scrubbed before it is cut
constexpr std::size_t kPairwise = 12;       // keys of an object that are compared each with each

enum class ProbeFieldType : std::uint8_t { kObject, kStrings, kConfidence, kDuration };

struct ProbeField {
  std::string_view name;
  ProbeFieldType type;
  std::string_view is;  // "must be …"
};

// The fields of a probe's output. All are required, no other is known.
constexpr std::array kFields = {
    ProbeField{"schema_slice", ProbeFieldType::kObject, "an object"},
    ProbeField{"raw_artifacts", ProbeFieldType::kStrings, "a list of strings"},
    ProbeField{"confidence", ProbeFieldType::kConfidence, "\"high\", \"medium\" or \"low\""},
    ProbeField{"duration_ms", ProbeFieldType::kDuration, "a whole number, 0 or more"},
    ProbeField{"warnings", ProbeFieldType::kStrings, "a list of strings"},
    ProbeField{"errors", ProbeFieldType::kStrings, "a list of strings"},
};
constexpr std::size_t kUnknown = kFields.size();

std::string_view name_of(ValueKind kind) {
  switch (kind) {
    case ValueKind::kObject:
      return "an object";
    case ValueKind::kArray:
      return "a list";
    case ValueKind::kString:
      return "a string";
    case ValueKind::kInteger:
      return "an integer";
    case ValueKind::kNegative:
      return "a negative integer";
    case ValueKind::kReal:
      return "a number with a fraction or an exponent";
    case ValueKind::kTrue:
    case ValueKind::kFalse:
      return "a boolean";
    case ValueKind::kNull:
      return "null";
    case ValueKind::kBroken:
      break;
  }
  return "no JSON value";
}

}  // namespace

// The slow way: asks, and remembers the answer if the key fits into a slot.
bool KeyVerdictCache::learn(std::string_view key, std::uint64_t digest, Slot& slot) {
  const bool answer = question_(key);
  if (key.size() <= kLongest) {
    slot.digest = digest;
    std::ranges::copy(key, slot.text.begin());
    slot.size = static_cast<std::uint8_t>(key.size());
    slot.answer = answer;
  }
  return answer;
}

// Cut first, so that a key of megabytes costs little, then scrubbed, and cut again to what fits in
// a message. Scrubbing must come before the last cut: half a secret is no longer recognized.
std::string shown_key(std::string_view key, TextScrubber& scrubber) {
  const std::string clean = scrubber.scrubbed(cut_utf8(key, kScrubbedKey));
  const std::string_view head = cut_utf8(clean, kShownKey);
  std::string shown = printable(head);
  if (head.size() < clean.size() || key.size() > kScrubbedKey) shown += "…";
  return shown;
}

// The steps from the document to where the reader is: the latest key of each open object, the
// latest index of each open list.
JsonPath DocumentJudge::path(const SeenKey* ending) const {
  JsonPath steps;
  for (std::size_t i = 0; i < frames_.size(); ++i) {
    const Frame& frame = frames_[i];
    const bool is_last = i + 1 == frames_.size();
    // Keys of all open objects stand in one row; those of a frame end where the next frame's begin.
    const std::size_t keys_end = is_last ? keys_.size() : frames_[i + 1].first_key;
    if (!frame.is_object) {
      if (frame.items > 0) steps.emplace_back(std::size_t{frame.items - 1});
    } else if (is_last && ending != nullptr) {
      steps.emplace_back(shown_key(ending->text(), scrubber_));
    } else if (keys_end > frame.first_key) {
      steps.emplace_back(shown_key(keys_[keys_end - 1].text(), scrubber_));
    }
  }
  return steps;
}

// Past the limit complaints are only counted, and their path is not even built: a hostile document
// may have millions.
void DocumentJudge::add(AdmitErrorType type, JsonPath path, std::string message,
                        std::uint64_t order) {
  if (errors_.size() < limits_.errors)
    errors_.push_back({order, {type, std::move(path), std::move(message)}});
  else
    ++more_;
}

void DocumentJudge::complain(AdmitErrorType type, std::string message) {
  if (errors_.size() >= limits_.errors)
    ++more_;
  else
    add(type, path(), std::move(message), order_);
}

// Duplicates are found when an object closes, long after its keys were read: by place again.
NotAdmitted DocumentJudge::refusal() && {
  std::ranges::stable_sort(errors_, {}, &OrderedError::order);
  NotAdmitted refusal;
  refusal.more = more_;
  for (OrderedError& complaint : errors_) refusal.errors.push_back(std::move(complaint.error));
  return refusal;
}

void DocumentJudge::report_secret_name(std::string_view key) {
  complain(
      AdmitErrorType::kSecretLikelyFieldName,
      "'" + shown_key(key, scrubber_) +
          "' looks like the name of a secret. Report facts, not secrets: leave it out, or name "
          "what the fact is about (the rule is for every name that has such a word in it).");
}

void DocumentJudge::report_long_key(std::size_t bytes) {
  complain(AdmitErrorType::kSize,
           fmt::format("This key has {} bytes, at most {} are allowed. Make it a value.", bytes,
                       limits_.key_bytes));
}

void DocumentJudge::report_long_string(std::size_t bytes) {
  complain(AdmitErrorType::kSize,
           fmt::format("This string has {} bytes, at most {} are allowed. Write it to a file and "
                       "name that in raw_artifacts.",
                       bytes, limits_.string_bytes));
}

void DocumentJudge::report_depth() {
  complain(AdmitErrorType::kDepth,
           fmt::format("This is nested more than {} levels deep. Flatten it.", limits_.depth));
}

void DocumentJudge::report_duplicate_key(const SeenKey& key) {
  if (errors_.size() >= limits_.errors) {
    ++more_;
    return;
  }
  add(AdmitErrorType::kDuplicateKey, path(&key),
      "'" + shown_key(key.text(), scrubber_) +
          "' is there more than once in this object. Use each key once.",
      key.order);
}

void DocumentJudge::find_duplicate_keys(const Frame& frame) {
  const std::size_t count = keys_.size() - frame.first_key;
  SeenKey* const first = keys_.data() + frame.first_key;
  if (count <= kPairwise) {
    for (std::size_t i = 1; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (first[i].digest == first[j].digest && first[i].text() == first[j].text()) {
          report_duplicate_key(first[i]);
          break;
        }
      }
    }
    return;
  }
  // An open-addressing table of the keys so far, at most half full. Keys that were made to crowd in
  // it would cost quadratic time: after kCrowd steps they are sorted instead.
  constexpr std::size_t kCrowd = 64;
  const std::size_t slots = std::bit_ceil(2 * count);
  table_.assign(slots, 0);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t slot = first[i].digest & (slots - 1);
    std::size_t steps = 0;
    for (; table_[slot] != 0; slot = (slot + 1) & (slots - 1)) {
      const SeenKey& other = first[table_[slot] - 1];
      const bool is_duplicate = other.digest == first[i].digest && other.text() == first[i].text();
      if (is_duplicate || ++steps > kCrowd) {
        resolve_duplicates(first, count);
        return;
      }
    }
    table_[slot] = static_cast<std::uint32_t>(i + 1);
  }
}

// Called when the object is complete, so its keys may be sorted in place.
void DocumentJudge::resolve_duplicates(SeenKey* first, std::size_t count) {
  std::sort(first, first + count, [](const SeenKey& a, const SeenKey& b) {
    if (a.digest != b.digest) return a.digest < b.digest;
    const int order = a.text().compare(b.text());
    return order != 0 ? order < 0 : a.order < b.order;
  });
  for (std::size_t i = 1; i < count; ++i) {
    if (first[i].digest == first[i - 1].digest && first[i].text() == first[i - 1].text())
      report_duplicate_key(first[i]);
  }
}

void DocumentJudge::begin_field(std::string_view name) {
  // Only the names at the top of a probe's output are fixed; below them a probe may write what it
  // likes.
  const auto* row = std::ranges::find(kFields, name, &ProbeField::name);
  field_ = static_cast<std::size_t>(row - kFields.begin());
  if (field_ != kUnknown) {
    fields_seen_ |= 1U << field_;
    return;
  }
  std::vector<std::string_view> known;
  for (const ProbeField& field : kFields) known.push_back(field.name);
  std::string message = "'" + shown_key(name, scrubber_) + "' is no field of a probe's output.";
  if (const auto near = nearest_word(cut_utf8(name, kShownKey), known); !near.empty())
    message += " Did you mean '" + std::string(near) + "'?";
  else
    message += " Put it into schema_slice.";
  complain(AdmitErrorType::kUnknownField, std::move(message));
}

void DocumentJudge::report_missing_fields() {
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    if ((fields_seen_ >> i & 1U) != 0) continue;
    const ProbeField& field = kFields[i];
    add(AdmitErrorType::kMissingField, {std::string(field.name)},
        fmt::format("The field '{}' is missing. It must be {}.", field.name, field.is), order_);
  }
}

// Only asked of the two outermost levels. Outside a known field there is nothing to hold a value
// to.
void DocumentJudge::check_form(ValueKind kind, std::string_view text) {
  if (kind == ValueKind::kBroken) return;
  if (frames_.empty()) {
    if (kind != ValueKind::kObject) {
      complain(AdmitErrorType::kJsonValue,
               fmt::format("The document is {}; {} must be an object.", name_of(kind),
                           form_ == Form::kBare ? "a schema slice" : "a probe's output"));
    }
    return;
  }
  if (form_ == Form::kProbeOutput && frames_[0].is_object && field_ != kUnknown)
    check_field(kind, text);
}

void DocumentJudge::check_field(ValueKind kind, std::string_view text) {
  const ProbeField& field = kFields[field_];
  if (frames_.size() == 2) {
    // The second level: only items of the lists of strings are checked. A field that is no list at
    // all was reported one level above, and its contents are not reported again.
    if (field.type == ProbeFieldType::kStrings && !frames_[1].is_object &&
        kind != ValueKind::kString) {
      complain(AdmitErrorType::kJsonValue,
               fmt::format("'{}' must be {}; this is {}.", field.name, field.is, name_of(kind)));
    }
    return;
  }
  bool fits = false;
  switch (field.type) {
    case ProbeFieldType::kObject:
      fits = kind == ValueKind::kObject;
      break;
    case ProbeFieldType::kStrings:
      fits = kind == ValueKind::kArray;
      break;
    case ProbeFieldType::kDuration:
      fits = kind == ValueKind::kInteger;
      break;
    case ProbeFieldType::kConfidence:
      if (kind == ValueKind::kString && (text == "high" || text == "medium" || text == "low"))
        return;
      complain(AdmitErrorType::kConfidence,
               fmt::format("confidence must be {}, spelt exactly so{}.", field.is,
                           kind == ValueKind::kString ? std::string()
                                                      : "; this is " + std::string(name_of(kind))));
      return;
  }
  if (!fits) {
    complain(AdmitErrorType::kJsonValue,
             fmt::format("'{}' must be {}; this is {}.", field.name, field.is, name_of(kind)));
  }
}

}  // namespace airlock
