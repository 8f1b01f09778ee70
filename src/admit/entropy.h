// Secrets that no pattern knows: runs of characters that are too random for words. By alphabet,
// because the same randomness gives a hex digit 4 bits and a base64 character 6: one threshold for
// both finds no hex key or takes prose for one. The last resort of secrets.h. Pure.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace airlock {

// Shannon's, in bits per character.
double entropy_of(std::string_view text);

// Offsets of bytes in the text; `end` is behind the run, its = padding included.
struct RandomRun {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view kind;  // "random_hex", "random_base64"
};

// Whether a value under this key is a hash or an identifier by its name: "sha256", "git_commit".
bool names_a_hash(std::string_view key);

// `key`: the name under which the text stands; empty for none. What is no secret although it looks
// random is left alone: paths, URLs, UUIDs, hashes that are named as such (by the key, or by the
// word before them: sha256:…, commit …), public keys, words.
std::vector<RandomRun> find_random_runs(std::string_view text, std::string_view key);

}  // namespace airlock
