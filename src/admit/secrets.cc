#include "admit/secrets.h"

#include <re2/re2.h>

#include <algorithm>
#include <optional>

#include "admit/entropy.h"
#include "admit/word_finder.h"
#include "base/ascii.h"

namespace airlock {

namespace {

// Bytes that a pattern may read from where it begins; only that of private keys reads on for
// longer.
constexpr std::size_t kWindow = 16384;
constexpr std::string_view kWholeTextKind = "pem_private_key";
// A text in which words stand so densely that trying them all would cost more than this was made to
// slow us down: all of it is taken as one secret. In bytes that patterns may read.
constexpr std::size_t kFreeTries = 256;
constexpr std::size_t kBudget = 1U << 20;
constexpr std::size_t kBudgetPerByte = 16;
constexpr std::string_view kTooDense = "too_dense_to_search";

// Whether something that begins a word may begin here.
bool is_word_edge(std::string_view text, std::size_t at) {
  if (at == 0 || !is_alnum(text[at - 1])) return true;
  if (at >= 2 && text[at - 2] == '\\') return true;
  if (at >= 3 && text[at - 3] == '%' && is_hex_digit(text[at - 2]) && is_hex_digit(text[at - 1]))
    return true;
  return at >= 6 && text[at - 6] == '\\' && text[at - 5] == 'u';
}

bool is_number(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
}

// A row of the table with its pattern, compiled when it is first needed.
struct CredentialPattern {
  const CredentialKind* kind = nullptr;
  std::unique_ptr<re2::RE2> compiled;
  std::size_t done_until = 0;  // of the text being searched; 0 between texts

  const re2::RE2& pattern() {
    if (!compiled) {
      re2::RE2::Options options;
      options.set_log_errors(false);
      compiled = std::make_unique<re2::RE2>(
          re2::StringPiece(kind->pattern.data(), kind->pattern.size()), options);
    }
    return *compiled;
  }
};

// `row`: in the table; runs that are merely random come behind all rows.
struct Hit {
  FoundSecret secret;
  std::size_t row = 0;
};

// Overlapping ones become one, under the name of the row that stands first in the table.
std::vector<FoundSecret> merged(std::vector<Hit> hits) {
  std::ranges::sort(hits, [](const Hit& a, const Hit& b) {
    return a.secret.begin != b.secret.begin ? a.secret.begin < b.secret.begin : a.row < b.row;
  });
  std::vector<FoundSecret> found;
  std::size_t row = 0;
  for (const Hit& hit : hits) {
    if (found.empty() || hit.secret.begin >= found.back().end) {
      found.push_back(hit.secret);
      row = hit.row;
      continue;
    }
    FoundSecret& last = found.back();
    last.end = std::max(last.end, hit.secret.end);
    if (hit.row >= row) continue;
    row = hit.row;
    last.kind = hit.secret.kind;
    last.guess = hit.secret.guess;
  }
  return found;
}

}  // namespace

struct SecretFinder::Parts {
  std::vector<CredentialPattern> patterns;
  // By the number of a word in `words`.
  std::vector<std::size_t> row_of_word;
  std::vector<std::size_t> size_of_word;
  std::optional<WordFinder> words;

  std::optional<Hit> try_at(std::size_t row, std::string_view text, std::size_t at);
};

// The words of all rows go into one automaton; each remembers its row.
SecretFinder::SecretFinder(std::span<const CredentialKind> kinds)
    : parts_(std::make_unique<Parts>()) {
  std::vector<std::string_view> all;
  for (std::size_t row = 0; row < kinds.size(); ++row) {
    parts_->patterns.push_back({&kinds[row], nullptr, 0});
    std::string_view words = kinds[row].words;
    while (!words.empty()) {
      const std::string_view word = words.substr(0, words.find(' '));
      words.remove_prefix(std::min(words.size(), word.size() + 1));
      all.push_back(word);
      parts_->row_of_word.push_back(row);
      parts_->size_of_word.push_back(word.size());
    }
  }
  parts_->words.emplace(all);
}

SecretFinder::~SecretFinder() = default;
SecretFinder::SecretFinder(SecretFinder&&) noexcept = default;
SecretFinder& SecretFinder::operator=(SecretFinder&&) noexcept = default;

// Whether this row's secret begins exactly at `at`.
std::optional<Hit> SecretFinder::Parts::try_at(std::size_t row, std::string_view text,
                                               std::size_t at) {
  CredentialPattern& pattern = patterns[row];
  const CredentialKind& kind = *pattern.kind;
  if (kind.edge == LeftBoundary::kWord && !is_word_edge(text, at)) return std::nullopt;
  const re2::RE2& regex = pattern.pattern();
  const std::size_t end =
      kind.name == kWholeTextKind ? text.size() : std::min(text.size(), at + kWindow);
  re2::StringPiece groups[2];
  const int wanted = std::min(regex.NumberOfCapturingGroups(), 1) + 1;
  if (!regex.Match(re2::StringPiece(text.data(), text.size()), at, end, re2::RE2::ANCHOR_START,
                   groups, wanted))
    return std::nullopt;
  const re2::StringPiece& group = groups[wanted - 1];
  if (group.data() == nullptr || group.empty()) return std::nullopt;
  const std::string_view secret(group.data(), group.size());
  // max_tokens=4096 is no secret.
  if (kind.guess == Guess::kLikely && is_number(secret)) return std::nullopt;
  if (kind.least_entropy > 0 && entropy_of(secret) < kind.least_entropy) return std::nullopt;
  const auto begin = static_cast<std::size_t>(group.data() - text.data());
  return Hit{{begin, begin + group.size(), kind.name, kind.guess}, row};
}

std::vector<FoundSecret> SecretFinder::find(std::string_view text, std::string_view key) {
  Parts& parts = *parts_;
  std::vector<Hit> hits;
  std::size_t tries = 0;
  std::size_t spent = 0;
  const std::size_t budget = kBudget + kBudgetPerByte * text.size();
  parts.words->find(text, [&](std::size_t word, std::size_t word_end) {
    if (spent > budget) return;
    const std::size_t row = parts.row_of_word[word];
    CredentialPattern& pattern = parts.patterns[row];
    const std::size_t at = word_end - parts.size_of_word[word];
    // The word may stand in the middle of the secret: every place from which the pattern could
    // reach it is tried, but for those inside of what it has found already.
    const std::size_t first = at - std::min(at, pattern.kind->reach);
    for (std::size_t begin = std::max(first, pattern.done_until); begin <= at; ++begin) {
      if (++tries > kFreeTries) {
        const std::string_view rest = text.substr(begin, kWindow);
        spent += std::min(rest.find_first_of(" \n"), rest.size()) + 8;
      }
      if (auto hit = parts.try_at(row, text, begin)) {
        pattern.done_until = hit->secret.end;
        hits.push_back(*hit);
        break;
      }
    }
  });
  // Ready for the next text.
  for (const Hit& hit : hits) parts.patterns[hit.row].done_until = 0;
  if (spent > budget) return {{0, text.size(), kTooDense, Guess::kUnguessable}};
  for (const RandomRun& run : find_random_runs(text, key))
    hits.push_back({{run.begin, run.end, run.kind, Guess::kUnguessable}, parts.patterns.size()});
  return merged(std::move(hits));
}

}  // namespace airlock
