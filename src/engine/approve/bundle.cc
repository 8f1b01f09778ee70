#include "engine/approve/bundle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "admit/json_members.h"
#include "base/hex.h"
#include "base/json_writer.h"
#include "base/sha256.h"
#include "engine/approve/drafts.h"
#include "engine/approve/ed25519.h"
#include "engine/approve/receipt.h"
#include "model/signing_key.h"

namespace airlock {

namespace {

constexpr int kBundleForm = 1;
constexpr std::size_t kBundleDepth = 3;
constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kLongestInterpreter = 1024;
constexpr std::size_t kLongestPolicyName = 128;
constexpr double kMostWholeNumber = 9e15;  // below 2^53: a double holds it exactly
constexpr std::string_view kKeyPrefix = "ed25519:";

// Writing. Every function adds whole lines, or the value that ends one.

void open_member(std::string& out, std::string_view indent, std::string_view name) {
  out += indent;
  append_json_string(out, name);
  out += ": ";
}

void add_text(std::string& out, std::string_view indent, std::string_view name,
              std::string_view value, std::string_view end = ",\n") {
  open_member(out, indent, name);
  append_json_string(out, value);
  out += end;
}

void add_number(std::string& out, std::string_view name, std::int64_t value) {
  open_member(out, "  ", name);
  append_json_integer(out, value);
  out += ",\n";
}

void add_list(std::string& out, std::string_view indent, std::string_view name,
              const std::vector<std::string>& items, std::string_view end) {
  open_member(out, indent, name);
  out += items.empty() ? "[" : "[\n";
  for (std::size_t i = 0; i < items.size(); ++i) {
    out.append(indent).append("  ");
    append_json_string(out, items[i]);
    out += i + 1 < items.size() ? ",\n" : "\n";
  }
  if (!items.empty()) out += indent;
  out.append("]").append(end);
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (true) {
    const std::size_t end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) return lines;
    text.remove_prefix(end + 1);
  }
}

std::string text_of_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) text.append(i == 0 ? "" : "\n").append(lines[i]);
  return text;
}

void add_policy(std::string& out, const Bundle& bundle) {
  open_member(out, "  ", "policy");
  if (bundle.extractor.policy.empty()) {
    out += "null,\n";
    return;
  }
  out += "{\n";
  add_text(out, "    ", "name", bundle.extractor.policy, bundle.policy_text.empty() ? "\n" : ",\n");
  if (!bundle.policy_text.empty())
    add_list(out, "    ", "text", lines_of(bundle.policy_text), "\n");
  out += "  },\n";
}

void add_receipt(std::string& out, const Receipt& receipt) {
  open_member(out, "  ", "receipt");
  out += "{\n";
  add_text(out, "    ", "sha256", receipt.sha256);
  add_text(out, "    ", "text_sha256", receipt.text_sha256);
  add_text(out, "    ", "policy_sha256", receipt.policy_sha256);
  add_text(out, "    ", "interpreter", receipt.interpreter);
  add_text(out, "    ", "samples_sha256", receipt.samples_sha256, "\n");
  out += "  },\n";
}

// The bytes that are signed.
std::string signed_part(const Bundle& bundle) {
  const ApprovedExtractor& extractor = bundle.extractor;
  std::string out = "{\n";
  add_number(out, "airlock_bundle", kBundleForm);
  add_text(out, "  ", "name", extractor.name);
  add_number(out, "version", extractor.version);
  add_text(out, "  ", "kind", to_string(extractor.kind));
  add_number(out, "approved", extractor.approved);
  add_policy(out, bundle);
  add_receipt(out, extractor.receipt);
  add_list(out, "  ", "samples", bundle.sample_hashes, ",\n");
  add_list(out, "  ", "answers", extractor.answers, ",\n");
  add_list(out, "  ", "text", lines_of(extractor.text), ",\n");
  add_text(out, "  ", "key", key_word(bundle.public_key));
  add_text(out, "  ", "fingerprint", fingerprint_of(bundle.public_key));
  return out;
}

std::string whole_file(std::string signed_bytes, std::string_view signature) {
  add_text(signed_bytes, "  ", "signature", signature, "\n");
  return std::move(signed_bytes) + "}\n";
}

// Reading. A member that is missing or of another kind ends it: `kind` continues "'x' is not ".

std::unexpected<Error> not_as_it_should_be(std::string_view name, std::string_view kind) {
  return refused(fmt::format("the bundle cannot be read: '{}' is not {}", name, kind));
}

Result<std::string> need_string(const JsonMembers& members, std::string_view name,
                                std::size_t longest) {
  auto text = members.text(name);
  if (!text || text->size() > longest)
    return not_as_it_should_be(name, fmt::format("a text of at most {} bytes", longest));
  return *std::move(text);
}

Result<std::string> need_hash(const JsonMembers& members, std::string_view name) {
  auto text = members.text(name);
  if (!text || !is_hex_of(*text, kHashDigits)) return not_as_it_should_be(name, "a SHA-256");
  return *std::move(text);
}

Result<std::int64_t> need_whole_number(const JsonMembers& members, std::string_view name) {
  const auto number = members.number(name);
  if (!number || !(*number >= 0) || *number > kMostWholeNumber || std::floor(*number) != *number)
    return not_as_it_should_be(name, "a whole number");
  return static_cast<std::int64_t>(*number);
}

Result<std::vector<std::string>> need_hashes(const JsonMembers& members, std::string_view name) {
  auto list = members.texts(name);
  if (!list || list->size() > kMostSamples ||
      !std::ranges::all_of(*list, [](const auto& one) { return is_hex_of(one, kHashDigits); }))
    return not_as_it_should_be(name, fmt::format("a list of at most {} SHA-256", kMostSamples));
  return *std::move(list);
}

Result<std::string> need_lines(const JsonMembers& members, std::string_view name,
                               std::size_t longest) {
  const auto lines = members.texts(name);
  if (!lines || lines->empty()) return not_as_it_should_be(name, "a list of lines");
  std::string text = text_of_lines(*lines);
  if (text.size() > longest)
    return not_as_it_should_be(name, fmt::format("a text of at most {} bytes", longest));
  return text;
}

Result<void> read_policy_member(const JsonMembers& members, Bundle& bundle) {
  const bool is_python = bundle.extractor.kind == OutputKind::kPython;
  if (!is_python && members.is_null("policy")) return {};
  const auto policy = JsonMembers::read(members.raw("policy"), kBundleDepth);
  if (!is_python || !policy)
    return not_as_it_should_be("policy", is_python ? "a name, and a text where it is not built in"
                                                   : "null, as it is for a rule");
  bundle.extractor.policy = TRY(need_string(*policy, "name", kLongestPolicyName));
  if (bundle.extractor.policy.empty() || bundle.extractor.policy.contains('/'))
    return not_as_it_should_be("policy.name", "the name of a policy");
  if (!policy->has("text")) return {};
  bundle.policy_text = TRY(need_lines(*policy, "text", kMostPolicyBytes));
  // A name that a built-in policy may have is never the name of one that came along.
  if (!bundle.extractor.policy.ends_with(".toml"))
    return not_as_it_should_be("policy.name",
                               "the name of a TOML file, although its text is there");
  return {};
}

Result<void> read_receipt_member(const JsonMembers& members, Bundle& bundle) {
  const auto parts = JsonMembers::read(members.raw("receipt"), kBundleDepth);
  if (!parts) return not_as_it_should_be("receipt", "an object");
  Receipt& receipt = bundle.extractor.receipt;
  receipt.sha256 = TRY(need_hash(*parts, "sha256"));
  receipt.text_sha256 = TRY(need_hash(*parts, "text_sha256"));
  receipt.samples_sha256 = TRY(need_hash(*parts, "samples_sha256"));
  receipt.interpreter = TRY(need_string(*parts, "interpreter", kLongestInterpreter));
  receipt.policy_sha256 = TRY(need_string(*parts, "policy_sha256", kHashDigits));
  return {};
}

Result<Bundle> read_members(const JsonMembers& members) {
  Bundle bundle;
  ApprovedExtractor& extractor = bundle.extractor;
  extractor.name = TRY(need_string(members, "name", kHashDigits));
  if (!name_trouble(extractor.name).empty())
    return not_as_it_should_be("name", "the name of an extractor");
  extractor.version = TRY(need_whole_number(members, "version"));
  if (extractor.version < 1) return not_as_it_should_be("version", "1 or more");
  const auto kind = output_kind(members.text("kind").value_or(std::string()));
  if (!kind) return not_as_it_should_be("kind", "python or yaml");
  extractor.kind = *kind;
  extractor.approved = TRY(need_whole_number(members, "approved"));
  TRY(read_policy_member(members, bundle));
  TRY(read_receipt_member(members, bundle));
  bundle.sample_hashes = TRY(need_hashes(members, "samples"));
  extractor.answers = TRY(need_hashes(members, "answers"));
  extractor.text = TRY(need_lines(members, "text", kLongestText));
  auto key = read_key_word(members.text("key").value_or(std::string()));
  if (!key) return not_as_it_should_be("key", "a public key: ed25519: and 64 hex digits");
  bundle.public_key = *std::move(key);
  return bundle;
}

// The first line in which they differ, from 1.
std::size_t differing_line(std::string_view one, std::string_view other) {
  const auto at = std::ranges::mismatch(one, other).in1;
  return static_cast<std::size_t>(std::count(one.begin(), at, '\n')) + 1;
}

// The strict reader takes objects on one line. Inside of a string a line end is no JSON, and
// becomes a blank here: comparing what was read with the file finds it.
Result<JsonMembers> members_of(const std::string& on_one_line) {
  auto members = JsonMembers::read(on_one_line, kBundleDepth);
  if (!members || !members->has("airlock_bundle"))
    return refused(
        "this is no bundle: it is not the JSON object that airlock extractors export writes");
  if (members->raw("airlock_bundle") != std::to_string(kBundleForm))
    return refused(fmt::format(
        "the bundle is of a form that this airlock does not know (it reads form {}): it was "
        "written by another version; use that one, or update this one",
        kBundleForm));
  return *std::move(members);
}

}  // namespace

std::string key_word(std::string_view public_key) {
  return std::string(kKeyPrefix) + std::string(public_key);
}

Result<std::string> read_key_word(std::string_view word) {
  if (word.starts_with(kKeyPrefix) && is_hex_of(word.substr(kKeyPrefix.size()), kPublicKeyDigits))
    return std::string(word.substr(kKeyPrefix.size()));
  if (is_hex_of(word, kHashDigits))
    return bad_request(
        "this may be a fingerprint, which is for comparing; a public key begins with ed25519: (its "
        "owner sees it with airlock keys show)");
  return bad_request("a public key is ed25519: and 64 hex digits, as airlock keys show prints it");
}

std::string write_bundle(const Bundle& bundle, std::string_view seed) {
  std::string bytes = signed_part(bundle);
  const std::string signature = signature_of(seed, bytes);
  return whole_file(std::move(bytes), signature);
}

Result<Bundle> read_bundle(std::string_view bytes) {
  if (bytes.size() > kMostBundleBytes)
    return refused(fmt::format("this is no bundle: it has more than {} bytes", kMostBundleBytes));
  std::string on_one_line(bytes);
  std::ranges::replace(on_one_line, '\n', ' ');
  const auto members = TRY(members_of(on_one_line));
  auto bundle = TRY(read_members(members));
  const std::string signature = members.text("signature").value_or(std::string());
  const std::string signed_bytes = signed_part(bundle);
  const std::string again = whole_file(signed_bytes, signature);
  if (again != bytes)
    return refused(
        fmt::format("the bundle is not as airlock writes one, in line {}: it was altered on its "
                    "way. Fetch it again, or have it exported again",
                    differing_line(bytes, again)));
  if (!is_signed_by(bundle.public_key, signed_bytes, signature))
    return refused("the signature of the bundle does not fit: " + full_name(bundle.extractor) +
                   " was altered after it was signed, or was signed with another key than " +
                   fingerprint_of(bundle.public_key) +
                   ". Fetch it again, or have it exported again");
  return bundle;
}

}  // namespace airlock
