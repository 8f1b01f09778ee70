#include "present/report/keys_output.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/printable.h"
#include "base/utc_time.h"
#include "engine/approve/bundle.h"
#include "engine/approve/ed25519.h"
#include "engine/approve/receipt.h"
#include "present/report/drafts_output.h"
#include "present/report/json_text.h"

namespace airlock::cli {

namespace {

constexpr std::size_t kFactLabel = 13;  // columns

// A fact that is not there has no line.
std::string fact(std::string_view label, std::string_view value, Colour colour) {
  if (value.empty()) return {};
  return paint(padded(label, kFactLabel), Style::kLabel, colour) + printable(value) + "\n";
}

std::string_view state_of(const KnownKey& key) {
  if (key.revoked) return "revoked";
  return key.is_own ? "own" : "trusted";
}

nlohmann::ordered_json key_facts(const KnownKey& key) {
  using Value = nlohmann::ordered_json;
  return {{"name", key.name.empty() ? Value() : Value(key.name)},
          {"state", state_of(key)},
          {"key", key_word(key.public_key)},
          {"fingerprint", fingerprint_of(key.public_key)},
          {"trusted", key.trusted == 0 ? Value() : Value(utc_for_programs(key.trusted))},
          {"why", key.why.empty() ? Value() : Value(key.why)},
          {"revoked", key.revoked ? Value(utc_for_programs(*key.revoked)) : Value()},
          {"revoked_why", key.revoked_why.empty() ? Value() : Value(key.revoked_why)}};
}

std::string key_as_text(const KnownKey& key, Colour colour) {
  const Style style = key.revoked ? Style::kError : Style::kGood;
  std::string out =
      paint(printable(key.name.empty() ? "(no name)" : key.name), Style::kPlace, colour) + "  " +
      paint(state_of(key), style, colour) + "\n" + fact("  key", key_word(key.public_key), colour) +
      fact("  fingerprint", fingerprint_of(key.public_key), colour);
  if (key.trusted != 0)
    out += fact(key.is_own ? "  made" : "  trusted", utc_for_people(key.trusted) + " UTC", colour);
  if (!key.is_own) out += fact("  why", key.why, colour);
  if (key.revoked)
    out += fact("  revoked",
                utc_for_people(*key.revoked) + " UTC" +
                    (key.revoked_why.empty() ? "" : ": " + key.revoked_why),
                colour);
  return out;
}

std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) out += (i == 0 ? "" : ", ") + words[i];
  return out;
}

}  // namespace

std::string keys_as_text(std::span<const KnownKey> keys, Colour colour) {
  std::string out;
  bool has_own = false;
  for (const KnownKey& key : keys) {
    out += key_as_text(key, colour);
    has_own = has_own || (key.is_own && !key.revoked);
  }
  if (keys.empty()) out += "No key is trusted here.\n";
  if (!has_own)
    out += "You have no key of your own: airlock extractors export NAME makes one when it signs.\n";
  return out;
}

std::string keys_as_json(std::span<const KnownKey> keys) {
  auto list = nlohmann::ordered_json::array();
  for (const KnownKey& key : keys) list.push_back(key_facts(key));
  return json_page({{"keys", list}});
}

std::string trusted_as_text(const KnownKey& key, Colour colour) {
  return key_as_text(key, colour) +
         "Bundles that it has signed are taken from now on. To end that: airlock keys revoke " +
         printable(key.name) + "\n";
}

std::string trusted_as_json(const KnownKey& key) {
  return json_page(key_facts(key));
}

std::string revoked_as_text(const RevokedKey& revoked, Colour colour) {
  std::string out = key_as_text(revoked.key, colour);
  if (revoked.extractors.empty()) return out + "No extractor was imported with it.\n";
  return out + "Imported with it, and not run any more: " + printable(listed(revoked.extractors)) +
         "\nTo go on with one: airlock extractors show NAME@V, then airlock approve NAME@V "
         "--samples "
         "FILE. To forget it: airlock extractors remove NAME@V\n";
}

std::string revoked_as_json(const RevokedKey& revoked) {
  auto out = key_facts(revoked.key);
  out["extractors"] = revoked.extractors;
  return json_page(out);
}

std::string bundle_as_text(const VerifiedBundle& verified, std::string_view name, Colour colour) {
  const ApprovedExtractor& extractor = verified.bundle.extractor;
  std::string policy = extractor.policy;
  if (!policy.empty())
    policy += verified.bundle.policy_text.empty() ? ", built in" : ", comes with the bundle";
  std::string out =
      fact("bundle", full_name(extractor) + ", " + std::string(to_string(extractor.kind)), colour) +
      fact("approved", utc_for_people(extractor.approved) + " UTC", colour) +
      fact("policy", policy, colour) + fact("runs on", extractor.receipt.interpreter, colour) +
      fact("samples", counted(verified.bundle.sample_hashes.size(), "path"), colour) +
      fact("key", verified.key.name + ", " + std::string(state_of(verified.key)), colour) +
      fact("fingerprint", fingerprint_of(verified.bundle.public_key), colour) +
      fact("import as", name, colour);
  return out + "\n" + text_for_terminal(extractor.text) + "\n";
}

std::string imported_as_text(const ApprovedExtractor& extractor, Colour colour) {
  return paint("✓", Style::kGood, colour) + " " + printable(full_name(extractor)) +
         " is imported\nTo run it: airlock extract " + printable(extractor.name) + " PATHS\n";
}

std::string imported_as_json(const ApprovedExtractor& extractor, const VerifiedBundle& verified) {
  using Value = nlohmann::ordered_json;
  return json_page({{"name", extractor.name},
                    {"version", extractor.version},
                    {"output", to_string(extractor.kind)},
                    {"came_as", extractor.came_as},
                    {"policy", extractor.policy.empty() ? Value() : Value(extractor.policy)},
                    {"interpreter", extractor.receipt.interpreter},
                    {"receipt", extractor.receipt.sha256},
                    {"key", key_facts(verified.key)}});
}

}  // namespace airlock::cli
