#include "engine/approve/receipt.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>

#include "base/result.h"
#include "base/sha256.h"
#include "base/utc_time.h"
#include "engine/policy/policy_file.h"
#include "engine/policy/policy_hash.h"
#include "os/channel.h"
#include "os/process.h"

namespace airlock {

namespace {

constexpr auto kInterpreterTimeout = std::chrono::seconds(20);
constexpr std::size_t kLongestAnswer = 1024;  // bytes; a version has about a hundred

// "CPython 3.11.2 (main, …) [GCC 12.2.0]": version, build and compiler, as airlock-host has them in
// it: the python3 on PATH may be another one. On one line; an Error when it cannot be asked.
Result<std::string> interpreter_of(const std::string& host_program) {
  constexpr std::string_view kDoing = "ask which interpreter there is";
  auto sockets = TRY(as(ErrorKind::kIsolation, within(kDoing, os::make_socket_pair())));
  auto process =
      TRY(as(ErrorKind::kIsolation,
             within(kDoing, os::Process::start(host_program, {"interpreter"}, sockets.second))));
  sockets.second.reset();
  os::Channel channel(std::move(sockets.first));
  auto answer =
      channel.receive(kLongestAnswer, std::chrono::steady_clock::now() + kInterpreterTimeout);
  if (!answer || answer->empty()) {
    process.kill();
    return no_isolation(std::string(kDoing) + ": " + host_program + " gave no answer (" +
                        process.wait().describe() + ")");
  }
  // CPython puts a line break before the compiler.
  std::ranges::replace_if(*answer, [](unsigned char letter) { return letter < ' '; }, ' ');
  return *std::move(answer);
}

// To be changed whenever a rule file of the same text would give other answers.
constexpr std::string_view kRuleEngine = "path rules, format 1";

// With its length in front, so that ("ab", "c") and ("a", "bc") differ.
void add(Sha256& hash, std::string_view text) {
  hash.add(std::to_string(text.size()) + ":");
  hash.add(text);
}

std::string hash_of(std::span<const std::string> texts) {
  Sha256 hash;
  for (const std::string& one : texts) add(hash, one);
  return hash.hex();
}

// The parts of the receipt itself; texts and samples count by their hashes, which are among them.
void add_parts(Sha256& hash, const ApprovedExtractor& extractor) {
  const Receipt& parts = extractor.receipt;
  add(hash, to_string(extractor.kind));
  add(hash, parts.text_sha256);
  add(hash, extractor.policy);
  add(hash, parts.policy_sha256);
  add(hash, parts.interpreter);
  add(hash, parts.samples_sha256);
  // Extractors from before answers were kept have none, and keep their receipts.
  if (!extractor.answers.empty()) add(hash, hash_of(extractor.answers));
}

// The third form covers who wrote and who approved it. Where nobody was named, the second one says
// all that there is; receipts from before stay as they are.
std::string whole_hash(const ApprovedExtractor& extractor) {
  const bool names_people =
      extractor.review != ReviewNote{} || !extractor.author.empty() || !extractor.model.empty();
  Sha256 hash;
  add(hash, names_people ? "airlock receipt 3" : "airlock receipt 2");
  add(hash, extractor.name);
  add(hash, std::to_string(extractor.version));
  add_parts(hash, extractor);
  if (names_people) {
    add(hash, extractor.review.by);
    add(hash, extractor.review.note);
    add(hash, extractor.author);
    add(hash, extractor.model);
  }
  return hash.hex();
}

// Receipts of the first form do not cover name and version, so rows could be renamed unnoticed.
std::string first_form(const ApprovedExtractor& extractor) {
  Sha256 hash;
  add(hash, "airlock receipt 1");
  add_parts(hash, extractor);
  return hash.hex();
}

}  // namespace

std::string samples_hash(std::span<const std::string> samples) {
  return hash_of(samples);
}

Result<Conditions> present_conditions(OutputKind kind, const std::string& policy,
                                      const std::string& host_program) {
  if (kind == OutputKind::kYaml) return Conditions{.interpreter = std::string(kRuleEngine)};
  const auto loaded = TRY(load_extractor_policy(policy));
  return present_conditions(loaded, host_program);
}

Result<Conditions> present_conditions(const Policy& policy, const std::string& host_program) {
  auto interpreter = TRY(interpreter_of(host_program));
  return Conditions{policy_hash(policy), std::move(interpreter)};
}

Receipt make_receipt(const ApprovedExtractor& extractor, const Conditions& conditions) {
  ApprovedExtractor sealed = extractor;
  sealed.receipt = {.sha256 = {},
                    .text_sha256 = sha256_hex(extractor.text),
                    .policy_sha256 = conditions.policy_sha256,
                    .interpreter = conditions.interpreter,
                    .samples_sha256 = hash_of(extractor.samples)};
  sealed.receipt.sha256 = whole_hash(sealed);
  return sealed.receipt;
}

bool has_own_receipt(const ApprovedExtractor& extractor) {
  return extractor.receipt.text_sha256 == sha256_hex(extractor.text) &&
         extractor.receipt.sha256 == whole_hash(extractor);
}

ReceiptCheck check_row(const ApprovedExtractor& extractor) {
  const Receipt& approved = extractor.receipt;
  ReceiptCheck check;
  const auto compare = [&](std::string_view what, const std::string& now,
                           const std::string& before) {
    if (now == before) return;
    check.changes.push_back(
        fmt::format("the {} in the store {} not what was approved: sha256 {}, "
                    "approved was {}",
                    what, what == "samples" ? "are" : "is", now, before));
  };
  compare("text", sha256_hex(extractor.text), approved.text_sha256);
  compare("samples", hash_of(extractor.samples), approved.samples_sha256);
  // A receipt of the first form is no sign that the store was altered, but it does not hold either:
  // approving again makes one that does.
  const bool is_first_form = approved.sha256 == first_form(extractor);
  if (!is_first_form && approved.sha256 != whole_hash(extractor))
    check.changes.push_back(
        "the receipt in the store is not the one of " + full_name(extractor) +
        ": it does not fit its own parts (name, version, kind, policy, "
        "interpreter, people and hashes); the row was altered or put in the place of "
        "another");
  check.is_store_altered = !check.changes.empty();
  if (is_first_form)
    check.changes.push_back("the receipt is of the first form, which does not say that it is " +
                            full_name(extractor) + "'s: it cannot show that rows were not swapped");
  if (extractor.is_signer_revoked)
    check.changes.push_back("it was imported as " + extractor.came_as +
                            " with a key that was revoked since (airlock keys show)");
  return check;
}

Result<ReceiptCheck> check_receipt_here(const ApprovedExtractor& extractor,
                                        const std::string& host_program) {
  if (extractor.kind == OutputKind::kPython) {
    // A policy that is gone or broken is a change to report, not an Error: approving again mends
    // it.
    if (const auto policy = load_extractor_policy(extractor.policy); !policy) {
      ReceiptCheck check = check_row(extractor);
      check.changes.push_back("the policy '" + extractor.policy +
                              "' cannot be used any more: " + policy.error().message);
      return check;
    }
  }
  const auto now = TRY(present_conditions(extractor.kind, extractor.policy, host_program));
  return check_receipt(extractor, now);
}

ReceiptCheck check_receipt(const ApprovedExtractor& extractor, const Conditions& now) {
  ReceiptCheck check = check_row(extractor);
  const std::string since =
      " since " + full_name(extractor) + " was approved on " + utc_minute(extractor.approved);
  if (now.policy_sha256 != extractor.receipt.policy_sha256)
    check.changes.push_back("the policy '" + extractor.policy + "' has changed" + since);
  if (now.interpreter != extractor.receipt.interpreter)
    check.changes.push_back("the interpreter has changed" + since + ": it was " +
                            extractor.receipt.interpreter + " and is " + now.interpreter);
  return check;
}

std::string full_name(const ApprovedExtractor& extractor) {
  return extractor.name + "@" + std::to_string(extractor.version);
}

}  // namespace airlock
