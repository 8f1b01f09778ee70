// A program that passed validation and waits for a person's word, and what it becomes: an approved
// extractor with a receipt. Plain values.
// A draft lives in the database for a day; whoever approves it (engine/approve) turns it into an
// extractor, which lives until somebody disables it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace airlock {

enum class OutputKind : std::uint8_t { kYaml, kPython };

// "yaml", "python": in the database and in JSON.
std::string_view to_string(OutputKind kind);
std::optional<OutputKind> output_kind(std::string_view word);

// A day, in milliseconds; and how many drafts are kept at most, the oldest go first.
inline constexpr std::int64_t kDraftLifeMs = std::int64_t{24} * 60 * 60 * 1000;
inline constexpr std::size_t kMostDrafts = 10;
// What is kept of a draft: a text that is longer is refused, of the samples the first ones stay.
inline constexpr std::size_t kLongestText = std::size_t{1024} * 1024;  // bytes
inline constexpr std::size_t kMostSamples = 1000;
inline constexpr std::size_t kMostSampleBytes = std::size_t{1024} * 1024;

// A rejected draft is kept for its author to see; the oldest beyond these go.
inline constexpr std::size_t kMostRejected = 100;
inline constexpr std::size_t kLongestPrompt = std::size_t{16} * 1024;  // bytes, of what is kept
inline constexpr std::size_t kMostAttempts = 32;

// Who wrote a text, as far as the one who kept it knew; each part may be empty.
struct Authorship {
  std::string author = {};  // "inference", "templates", "model", "person", "file"
  std::string model = {};   // where one was asked: "openai gpt-5"
  std::string prompt = {};  // what was sent to it first, as a person has agreed to it
  std::vector<std::string> attempts = {};  // a sentence each, in their order
};

// A person's word about a draft. Not checked against anything: whoever can decide can also say
// another name.
struct ReviewNote {
  std::string by = {};
  std::string note = {};

  bool operator==(const ReviewNote&) const = default;
};

struct Draft {
  std::string id = {};  // 8 hex digits
  OutputKind kind = OutputKind::kYaml;
  std::string name = {};  // suggested; may be empty
  std::string text = {};  // the rule or the code, cleaned
  std::vector<std::string> samples = {};
  std::string hint = {};
  std::string policy = {};   // its name; Python only
  std::int64_t created = 0;  // ms since 1970; it lives kDraftLifeMs
  Authorship written = {};
};

struct RejectedDraft {
  Draft draft = {};  // without what was sent to a model
  std::int64_t rejected = 0;
  ReviewNote review = {};
};

// The first samples that may be kept, and how many were left out.
// Samples are cut from the end: the user named the important ones first.
std::size_t cut_samples(std::vector<std::string>& samples);

// What was approved, as one hash over the parts, and the parts to say what changed.
struct Receipt {
  std::string sha256 = {};
  std::string text_sha256 = {};
  std::string policy_sha256 = {};
  std::string interpreter = {};  // "CPython 3.11.2 …"; of a rule: the rule engine's version
  std::string samples_sha256 = {};
};

struct ApprovedExtractor {
  std::string name = {};
  std::int64_t version = 1;
  OutputKind kind = OutputKind::kYaml;
  std::string text = {};
  std::vector<std::string> samples = {};
  std::string hint = {};
  std::string policy = {};
  std::int64_t approved = 0;  // ms since 1970
  bool is_disabled = false;
  // The SHA-256 of what it answered to each sample when it was approved, in their order; empty when
  // that was not kept. Hashes alone: answers are for whoever runs it, and not for the store.
  std::vector<std::string> answers = {};
  Receipt receipt = {};
  // Of one that was imported: the public key of its bundle, and what it was called there
  // ("sales@2").
  std::string signed_by = {};
  std::string came_as = {};
  bool is_signer_revoked = false;  // since then
  ReviewNote review = {};          // who approved it, and why
  // Who wrote it, as of Authorship, and the id of the draft that it was.
  std::string author = {};
  std::string model = {};
  std::string draft = {};
};

}  // namespace airlock
