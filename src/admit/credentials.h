// The table of credentials: what the sanitizer looks for in values. Each row is data: a name, words
// that must be there before the pattern is tried, the pattern, and a recipe for an example.
//
// A recipe writes an example without holding one, so that no scanner takes this project for a leak:
// text stands for itself, {CLASS COUNT} for so many characters of a class, made from a number:
//   {A8} letters and digits   {U8} capitals and digits   {L8} small letters and digits
//   {x8} hex digits   {X8} capital hex digits   {d8} digits   {w8} base64url   {b8} base64
// An example is as short as its pattern allows: one character less is no match.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace airlock {

// What may stand right before the secret.
enum class LeftBoundary : std::uint8_t {
  kAny,   // anything: the pattern is too odd to be part of something else
  kWord,  // the start, no letter or digit, or an escape (%3D, \n, \u003d)
};

// Whether a secret could be found from its fingerprint by hashing likely ones.
enum class Guess : std::uint8_t {
  kUnguessable,  // made by a machine
  kLikely,       // chosen by a person: the fingerprint is that of the kind, not of the text
};

// One row. `words` make the search cheap: a pattern is tried only where one of them stands.
struct CredentialKind {
  std::string_view name;
  std::string_view words;    // separated by spaces, lower case; one of them must be in the text
  std::string_view pattern;  // RE2; its first group is the secret, or all of it without a group
  std::string_view example;  // a recipe
  std::size_t reach = 0;     // how many bytes before the word the pattern may begin
  LeftBoundary edge = LeftBoundary::kAny;
  Guess guess = Guess::kUnguessable;
  double least_entropy = 0;  // bits per character of the secret
};

std::span<const CredentialKind> all_credential_kinds();

}  // namespace airlock
