// A bundle: one approved extractor as a file (x.airlock) that travels. A person can read it, and a
// program can check it:
//
//   {
//     "airlock_bundle": 1,
//     "name": "sales", "version": 2, …        what was approved, each member on its own line
//     "policy": {"name": …, "text": […]},     text: of a policy that is not built in
//     "receipt": {…},                         the receipt and its parts
//     "samples": […], "answers": […],         hashes alone: paths and answers stay at home
//     "text": ["line", "line", …],
//     "key": "ed25519:…",
//     "fingerprint": "…",
//     "signature": "…"
//   }
//
// (1) What is signed is the file without its last two lines (`head -n -2`), byte for byte.
// (2) There is one way to write a bundle. One that is read is written again, and must be the same
//     bytes: no second key of a name, no unknown member, no other spelling of a value can hide.
// (3) A Bundle that read_bundle() gives out was signed by the key that it names. Whether that key
// is
//     trusted, and whether it may run here, is for share.h to say.
//
// Pure: no files, no clock, no store.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/draft.h"

namespace airlock {

// The largest text, policy and lists, with room for escapes.
inline constexpr std::size_t kMostBundleBytes = std::size_t{16} * 1024 * 1024;
inline constexpr std::size_t kMostPolicyBytes = std::size_t{1024} * 1024;

struct Bundle {
  // Without sample paths. Its policy is a name: of a built-in one, or of the file it was in.
  ApprovedExtractor extractor = {};
  std::string policy_text = {};                 // TOML; empty for a built-in policy and a rule
  std::vector<std::string> sample_hashes = {};  // SHA-256 of each path
  std::string public_key = {};
};

// The whole file. `seed` signs it, and is the private half of `bundle.public_key`. Texts must be
// UTF-8.
std::string write_bundle(const Bundle& bundle, std::string_view seed);

// `bytes` are hostile: any length, any content. An Error (refused) says what is wrong, and where.
Result<Bundle> read_bundle(std::string_view bytes);

// "ed25519:…", as people hand keys to each other; and back: nothing when it is none.
std::string key_word(std::string_view public_key);
Result<std::string> read_key_word(std::string_view word);

}  // namespace airlock
