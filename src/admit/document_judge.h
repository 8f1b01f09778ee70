// The rules of the door, as a listener to the parts of a document from front to back. Two
// readers speak to it: one walks simdjson's tape (admit.cc), the other reads broken text and says
// where it breaks (invalid_json.h). So both say the same about the same document.
//
// One pass over types, names and sizes, one stack of open containers, no recursion; memory is
// bounded by the document's keys. The inline parts run for every key and value and are kept short;
// whatever reports is in the .cc.
//
// Strings that are handed in must live until the judge is done.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "admit/limits.h"
#include "admit/scrub_text.h"
#include "admit/secret_name.h"
#include "model/admitted.h"
#include "model/not_admitted.h"

namespace airlock {

// What a value is, as far as the rules care.
enum class ValueKind : std::uint8_t {
  kObject,
  kArray,
  kString,
  kInteger,   // ≥ 0
  kNegative,  // an integer < 0
  kReal,
  kTrue,
  kFalse,
  kNull,
  kBroken,  // something was there that is no JSON value; it has been reported
};

// A 64-bit digest of a key: multiply and fold, sixteen bytes at a time. Fast, not cryptographic.
// Collisions cost time only: equal digests are compared by their text.
inline std::uint64_t digest_of(std::string_view key) {
  // Not in the standard; GCC and Clang both have it.
  __extension__ using Wide = unsigned __int128;
  const auto mix = [](std::uint64_t a, std::uint64_t b) {
    const Wide product = Wide{a ^ 0x9E3779B97F4A7C15U} * (b ^ 0xD1B54A32D192ED03U);
    return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
  };
  const auto load = [](const char* from, auto word) {
    std::memcpy(&word, from, sizeof word);
    return std::uint64_t{word};
  };
  const char* at = key.data();
  std::size_t left = key.size();
  std::uint64_t state = left;
  for (; left > 16; left -= 16, at += 16)
    state = mix(state ^ load(at, std::uint64_t{}), load(at + 8, std::uint64_t{}));
  if (left >= 8)
    return mix(state ^ load(at, std::uint64_t{}), load(at + left - 8, std::uint64_t{}));
  if (left >= 4)
    return mix(state ^ load(at, std::uint32_t{}), load(at + left - 4, std::uint32_t{}));
  if (left == 0) return mix(state, 0);
  return mix(state ^ load(at, std::uint8_t{}),
             load(at + left / 2, std::uint8_t{}) << 8 | load(at + left - 1, std::uint8_t{}));
}

// Remembers the answer to one question about a key (does it look like a secret's name?) for keys
// seen lately: documents repeat their keys, and the question costs a regular expression. One slot
// for each digest modulo kSlots; a newcomer replaces what was there. Compared by text, so a
// collision costs time and never gives a wrong answer.
class KeyVerdictCache {
 public:
  explicit KeyVerdictCache(std::function<bool(std::string_view)> question)
      : question_(std::move(question)) {}
  bool ask(std::string_view key, std::uint64_t digest) {
    Slot& slot = slots_[digest % kSlots];
    if (slot.digest == digest && slot.size == key.size() && holds(slot, key)) return slot.answer;
    return learn(key, digest, slot);
  }

 private:
  static constexpr std::size_t kSlots = 512;
  static constexpr std::size_t kLongest = 47;  // bytes; longer keys are asked each time
  struct Slot {
    std::uint64_t digest = 0;
    std::array<char, kLongest> text{};
    std::uint8_t size = 255;  // an empty slot has a size that no key in it has
    bool answer = false;
  };
  // Most keys are of 4 to 16 bytes: two loads that overlap are cheaper than a call.
  static bool holds(const Slot& slot, std::string_view key) {
    const auto differs = [&](std::size_t at, auto word) {
      auto other = word;
      std::memcpy(&word, slot.text.data() + at, sizeof word);
      std::memcpy(&other, key.data() + at, sizeof other);
      return word != other;
    };
    const std::size_t size = key.size();
    if (size >= 8 && size <= 16)
      return !differs(0, std::uint64_t{}) && !differs(size - 8, std::uint64_t{});
    if (size >= 4 && size < 8)
      return !differs(0, std::uint32_t{}) && !differs(size - 4, std::uint32_t{});
    return std::memcmp(slot.text.data(), key.data(), size) == 0;
  }
  bool learn(std::string_view key, std::uint64_t digest, Slot& slot);

  std::function<bool(std::string_view)> question_;
  std::vector<Slot> slots_{kSlots};
};

// One document. The reader calls open/close/key/string/scalar in the order of the text, and
// refusal() at the end when there are complaints.
class DocumentJudge {
 public:
  // All of them must outlive this. `scrubber` makes keys fit to be shown.
  DocumentJudge(Form form, const AdmitLimits& limits, KeyVerdictCache& memory,
                TextScrubber& scrubber)
      : form_(form), limits_(limits), memory_(memory), scrubber_(scrubber) {}

  void open(ValueKind container) {
    value(container);
    frames_.push_back({.first_key = static_cast<std::uint32_t>(keys_.size()),
                       .items = 0,
                       .is_object = container == ValueKind::kObject,
                       .may_have_duplicates = false,
                       .digests = 0});
    if (frames_.size() == limits_.depth + 1) report_depth();
  }
  void close() {
    const Frame& frame = frames_.back();
    if (frame.is_object) {
      if (frame.may_have_duplicates) find_duplicate_keys(frame);
      if (frames_.size() == 1 && form_ == Form::kProbeOutput) report_missing_fields();
      keys_.resize(frame.first_key);
    }
    frames_.pop_back();
  }
  void key(std::string_view text) {
    const std::uint64_t digest = digest_of(text);
    Frame& frame = frames_.back();
    // 64 classes by the digest's top six bits. While no class is met twice there can be no
    // duplicate, and the search at the end is saved: so it is for nearly all small objects.
    const std::uint64_t bit = std::uint64_t{1} << (digest >> 58);
    frame.may_have_duplicates = frame.may_have_duplicates || (frame.digests & bit) != 0;
    frame.digests |= bit;
    keys_.push_back({digest, text.data(), static_cast<std::uint32_t>(text.size()), order_});
    ++order_;
    if (memory_.ask(text, digest)) report_secret_name(text);
    if (text.size() > limits_.key_bytes) report_long_key(text.size());
    if (frames_.size() == 1 && form_ == Form::kProbeOutput) begin_field(text);
  }
  void string(std::string_view text) {
    value(ValueKind::kString, text);
    if (text.size() > limits_.string_bytes) report_long_string(text.size());
  }
  void scalar(ValueKind kind) { value(kind); }

  // The place of the complaint is the key or value told last; before the first, the document
  // itself.
  void complain(AdmitErrorType type, std::string message);

  bool is_in_object() const { return !frames_.empty() && frames_.back().is_object; }
  bool has_complaints() const { return !errors_.empty(); }
  // When there are complaints: all of them, by place.
  NotAdmitted refusal() &&;

 private:
  // An open container.
  struct Frame {
    std::uint32_t first_key = 0;
    std::uint32_t items = 0;
    bool is_object = false;
    bool may_have_duplicates = false;
    std::uint64_t digests = 0;  // a bit for each of 64 classes of keys
  };
  // A key of an open object; needed until the object closes, to find duplicates and to name places.
  struct SeenKey {
    std::uint64_t digest = 0;
    const char* data = nullptr;
    std::uint32_t size = 0;
    std::uint64_t order = 0;  // among all keys of the document
    std::string_view text() const { return {data, size}; }
  };
  struct OrderedError {
    std::uint64_t order = 0;
    AdmitError error;
  };

  void value(ValueKind kind, std::string_view text = {}) {
    if (!frames_.empty() && !frames_.back().is_object) ++frames_.back().items;
    // The form of a probe's output reaches two levels down: its fields, and the items of its lists.
    if (frames_.size() <= 2) check_form(kind, text);
    ++order_;
  }
  void check_form(ValueKind kind, std::string_view text);
  void check_field(ValueKind kind, std::string_view text);
  void begin_field(std::string_view name);
  void report_missing_fields();
  void find_duplicate_keys(const Frame& frame);
  void resolve_duplicates(SeenKey* first, std::size_t count);
  void report_duplicate_key(const SeenKey& key);
  void report_secret_name(std::string_view key);
  void report_long_key(std::size_t bytes);
  void report_long_string(std::size_t bytes);
  void report_depth();
  void add(AdmitErrorType type, JsonPath path, std::string message, std::uint64_t order);
  // The steps of the open containers; `ending`: the last object's key instead of its latest one.
  JsonPath path(const SeenKey* ending = nullptr) const;

  Form form_;
  const AdmitLimits& limits_;
  KeyVerdictCache& memory_;
  TextScrubber& scrubber_;
  std::vector<Frame> frames_;
  std::vector<SeenKey> keys_;         // of all open objects, the outermost first
  std::vector<std::uint32_t> table_;  // for find_duplicate_keys
  std::vector<OrderedError> errors_;
  std::size_t more_ = 0;
  std::uint64_t order_ = 0;
  std::size_t field_ = 0;          // the field of the probe's output that is being read
  std::uint32_t fields_seen_ = 0;  // one bit each
};

// A key as messages and paths show it: scrubbed, printable, and cut when it is long.
std::string shown_key(std::string_view key, TextScrubber& scrubber);

}  // namespace airlock
