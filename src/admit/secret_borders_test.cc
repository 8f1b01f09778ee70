// Where a secret begins to be one: lengths one short and exactly right, randomness just below and
// above, what stands before and behind it, names that excuse it and names that do not, and the
// words around an assignment. Everything is said as a table of texts, with the part that must go.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "admit/entropy.h"
#include "admit/scrub_text.h"
#include "admit/secrets.h"
#include "admit/word_finder.h"
#include "base/sha256.h"
#include "support/example_secrets.h"

namespace airlock {
namespace {

// ---- random runs

std::vector<std::string> runs_of(const std::string& text, std::string_view key = {}) {
  std::vector<std::string> runs;
  for (const RandomRun& run : find_random_runs(text, key))
    runs.push_back(text.substr(run.begin, run.end - run.begin));
  return runs;
}

using Runs = std::vector<std::string>;

TEST(SecretBorders, HexIsRandomFromThirtyTwoDigitsOn) {
  const std::string hex = make_example("{x64}", 5);
  for (std::size_t size = 1; size <= 64; ++size)
    EXPECT_EQ(runs_of(hex.substr(0, size)).size(), size >= 32 ? 1U : 0U) << size;
}

TEST(SecretBorders, HexHasDigitsAndLettersAndThreeBits) {
  const auto repeated = [](const std::string& piece, std::size_t size) {
    std::string text;
    while (text.size() < size) text += piece;
    return text.substr(0, size);
  };
  // Eight characters, evenly: three bits exactly.
  EXPECT_DOUBLE_EQ(entropy_of(repeated("0123abcd", 32)), 3.0);
  EXPECT_EQ(runs_of(repeated("0123abcd", 32)).size(), 1U);
  // Seven of them are less.
  EXPECT_LT(entropy_of(repeated("012abcd", 35)), 3.0);
  EXPECT_EQ(runs_of(repeated("012abcd", 35)), Runs{});
  EXPECT_EQ(runs_of(repeated("0123456789", 40)), Runs{}) << "a number";
  EXPECT_EQ(runs_of(repeated("abcdef", 36)), Runs{}) << "letters alone";
}

TEST(SecretBorders, Base64IsRandomFromTwentyFourCharactersOn) {
  // Small letters, capitals and digits in turn: as random as so many characters can be.
  const std::string run = "aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV";
  for (std::size_t size = 1; size <= run.size(); ++size) {
    const std::string part = run.substr(0, size);
    EXPECT_EQ(runs_of(part).size(), size >= 24 && entropy_of(part) >= 4.5 ? 1U : 0U) << size;
  }
  EXPECT_EQ(runs_of(run.substr(0, 24)).size(), 1U) << "24 different ones have 4.58 bits";
}

TEST(SecretBorders, ARunEndsWithItsPaddingAndNoMore) {
  const std::string run = "aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV";
  EXPECT_EQ(runs_of("x: " + run + "= y"), Runs{run + "="});
  EXPECT_EQ(runs_of("x: " + run + "== y"), Runs{run + "=="});
  EXPECT_EQ(runs_of("x: " + run + "=== y"), Runs{run + "=="});
  EXPECT_EQ(runs_of(run + "=" + run), (Runs{run + "=", run}));
  EXPECT_EQ(runs_of(run + " " + run + "\n" + run), (Runs{run, run, run}));
}

TEST(SecretBorders, WhatIsRandomForAReasonStays) {
  const std::string hex = make_example("{x40}", 3);
  const std::string run = "aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV";
  for (const std::string& text : std::vector<std::string>{"commit " + hex,
                                                          "commits: " + hex,
                                                          "sha1:" + hex,
                                                          "sha256=" + make_example("{x64}", 1),
                                                          "HEAD is " + hex.substr(0, 31),
                                                          "tree " + hex,
                                                          "parent " + hex,
                                                          "blob " + hex,
                                                          "etag: \"" + hex + "\"",
                                                          "h1:" + run,
                                                          "sha512-" + run,
                                                          "md5-" + run,
                                                          "https://example.com/" + run,
                                                          "https://example.com/a?b=" + run,
                                                          "data:image/png;base64," + run,
                                                          "AAAAB3NzaC1yc2E" + run,
                                                          "AAAAC3NzaC1" + run,
                                                          "AAAAE2VjZHNh" + run,
                                                          "123e4567-e89b-12d3-a456-426614174000",
                                                          "a/bC1/dE2/fG3/hI4/jK5/lM6/nO7"})
    EXPECT_EQ(runs_of(text), Runs{}) << text;
}

TEST(SecretBorders, AReasonThatIsNoneExcusesNothing) {
  const std::string hex = make_example("{x40}", 3);
  for (const std::string& text : std::vector<std::string>{
           "committed " + hex, "shape " + hex, "hashing " + hex, "x " + hex,
           "commit is far away, and then there is " + hex, "https://example.com/ " + hex,
           "<https://example.com>" + hex, "sha " + std::string("and then ") + hex})
    EXPECT_EQ(runs_of(text), Runs{hex}) << text;
}

TEST(SecretBorders, AKeyThatNamesAHashDoesSoByAWholeWord) {
  for (const char* key :
       {"sha", "sha1", "sha256", "SHA512", "md5", "gitCommit", "commit_id", "digests",
        "file-checksum", "uuid", "parent", "treeHash", "blob.oid", "cid"})
    EXPECT_TRUE(names_a_hash(key)) << key;
  for (const char* key : {"", "_", "shady", "sham", "md", "md55", "committer", "digestive",
                          "shasum2", "hashes2", "trees2", "uuidx", "note", "preference"})
    EXPECT_FALSE(names_a_hash(key)) << key;
}

// ---- the edge before a secret

bool finds_openai_key(const std::string& before, const std::string& after = "") {
  SecretFinder finder;
  const std::string secret = make_example("sk-{A32}", 2);
  for (const FoundSecret& found : finder.find(before + secret + after, ""))
    if (found.kind == "openai_key" && found.begin <= before.size()) return true;
  return false;
}

TEST(SecretBorders, AWordBeginsBehindWhatIsNoLetterOrBehindAnEscape) {
  for (const char* before : {"", " ", "\"", "=", "(", "/", ".", "_", "-", "%3D", "%3d", "\\n",
                             "\\t", "\\u003d", "\xC3\xA9", "%20", "x=", "\\\\n"})
    EXPECT_TRUE(finds_openai_key(before)) << before;
  for (const char* before : {"a", "Z", "0", "di", "ri", "%3", "%zz", "u003d", "3D"})
    EXPECT_FALSE(finds_openai_key(before)) << before;
}

// ---- assignments

struct Assigned {
  std::string text;
  std::string left;  // with [] where the mark stands
};

TEST(SecretBorders, AnAssignedSecretGoesAndItsNameStays) {
  TextScrubber scrubber;
  const auto marked = [&](const std::string& text) {
    std::string left = scrubber.scrubbed(text);
    for (std::size_t at = 0; (at = left.find("<REDACTED:fingerprint=", at)) != std::string::npos;)
      left.replace(at, left.find('>', at) + 1 - at, "[]");
    return left;
  };
  for (const Assigned& one : std::vector<Assigned>{
           {"password=hunter2x", "password=[]"},
           {"password=hunter2", "password=hunter2"},  // one character short
           {"PASSWORD = 'correct horse'", "PASSWORD = 'correct horse'"},
           {"passwd := tr0ub4dor&3", "passwd := []&3"},
           {"db_password=>\"tr0ub4dor3\"", "db_password=>\"[]\""},
           {"api-key=0123456789", "api-key=0123456789"},
           {"api_key=12.34.56.78", "api_key=12.34.56.78"},
           {"apiKey: 'abcd1234efgh'", "apiKey: '[]'"},
           {"\"token\": \"abcd1234efgh\"", "\"token\": \"[]\""},
           {"token: abcd1234efgh", "token: []"},
           {"token: abcdefghijkl", "token: abcdefghijkl"},
           {"token=aaaaaaaaaaaa", "token=aaaaaaaaaaaa"},
           {"token=$MY_TOKEN_FROM_ENV", "token=$MY_TOKEN_FROM_ENV"},
           {"token=%(token_of_config)s", "token=%(token_of_config)s"},
           {"token=get_token()", "token=get_token()"},
           {"token=${TOKEN}", "token=${TOKEN}"},
           {"password=<REDACTED:fingerprint=1a2b3c4d>", "password=[]"},
           {"https://u:pw@h/", "https://u:pw@h/"},
           {"https://u:pwd@h/", "https://u:[]@h/"},
           {"https://u:123@h/", "https://u:123@h/"},
           {"redis://:hunter2@h", "redis://:[]@h"},
           {"curl -u ann:hunter2 https://h", "curl -u ann:[] https://h"},
           {"machine h login ann password abc", "machine h login ann password []"}}) {
    EXPECT_EQ(marked(one.text), one.left) << one.text;
  }
}

// ---- where a secret ends

TEST(SecretBorders, ALongerFormLeavesNoTail) {
  TextScrubber scrubber;
  for (const std::size_t more : {0U, 1U, 100U, 16'000U, 16'383U, 20'000U}) {
    const std::string secret =
        make_example("ghp_{A36}", 1) + make_example("{A" + std::to_string(more) + "}", 2);
    const std::string left = scrubber.scrubbed("x " + secret + " y");
    EXPECT_TRUE(left.starts_with("x <REDACTED:fingerprint=")) << more;
    EXPECT_TRUE(left.ends_with("> y")) << more;
    EXPECT_LT(left.size(), 40U) << more;
  }
}

TEST(SecretBorders, OneShorterThanItsKindAllowsStays) {
  TextScrubber scrubber;
  for (const char* recipe : {"AKIA{U15}", "glpat-{w19}", "npm_{A22}", "hvs.{w20}"})
    EXPECT_FALSE(scrubber.scrub("x " + make_example(recipe, 3) + " y")) << recipe;
}

TEST(SecretBorders, APrivateKeyGoesToItsEndOrToTheTextsEnd) {
  TextScrubber scrubber;
  std::string body;
  for (int i = 0; i < 800; ++i) body += make_example("{b64}", 7) + "\n";  // longer than any window
  for (const char* kind : {"", "RSA ", "EC ", "OPENSSH ", "ENCRYPTED "}) {
    const std::string head = std::string("-----BEGIN ") + kind + "PRIVATE KEY-----\n";
    const std::string tail = std::string("-----END ") + kind + "PRIVATE KEY-----";
    const std::string whole = scrubber.scrubbed("a\n" + head + body + tail + "\nb");
    EXPECT_TRUE(whole.starts_with("a\n<REDACTED") && whole.ends_with(">\nb")) << kind;
    EXPECT_LT(whole.size(), 50U) << kind;
    const std::string cut = scrubber.scrubbed("a\n" + head + body);
    EXPECT_TRUE(cut.starts_with("a\n<REDACTED") && cut.ends_with(">")) << kind;
    EXPECT_LT(cut.size(), 50U) << kind;
  }
  EXPECT_FALSE(scrubber.scrub("-----BEGIN PUBLIC KEY-----\nabc\n-----END PUBLIC KEY-----"));
}

// ---- fingerprints

TEST(SecretBorders, FingerprintsAreKnownValues) {
  const std::string secret = make_example("ghp_{A36}", 1);
  EXPECT_EQ(TextScrubber().scrubbed(secret), redaction_mark(sha256_hex(secret).substr(0, 8)));
  EXPECT_EQ(TextScrubber().scrubbed("password=hunter2x"),
            "password=" + redaction_mark(sha256_hex("assigned_secret").substr(0, 8)));
  // RFC 4231's second case is HMAC-SHA-256 with a short key; ours has the same construction, so a
  // key and its block padded with zeros are one, and a key beyond a block is its hash.
  const auto keyed = [&](const std::string& key) {
    return TextScrubber({{}, key}).scrubbed(secret);
  };
  EXPECT_EQ(keyed("k"), keyed(std::string("k") + std::string(63, '\0')));
  EXPECT_NE(keyed("k"), keyed("k2"));
  const std::string long_key(65, 'k');
  EXPECT_NE(keyed(long_key), keyed(long_key.substr(0, 64)));
}

// ---- words

TEST(SecretBorders, WordsAreFoundInAnyCaseAtAnyPlaceAndSideBySide) {
  const WordFinder finder({"ab", "abc", "c"});
  const auto ends = [&](std::string_view text) {
    std::vector<std::pair<std::size_t, std::size_t>> found;
    finder.find(text, [&](std::size_t word, std::size_t end) { found.emplace_back(word, end); });
    return found;
  };
  using Places = std::vector<std::pair<std::size_t, std::size_t>>;
  EXPECT_EQ(ends("ab"), (Places{{0, 2}}));
  EXPECT_EQ(ends("aAbB"), (Places{{0, 3}}));
  EXPECT_EQ(ends("ABC"), (Places{{0, 2}, {1, 3}, {2, 3}}));
  EXPECT_EQ(ends("cabab"), (Places{{2, 1}, {0, 3}, {0, 5}}));
  EXPECT_EQ(ends(std::string_view("a\0b", 3)), Places{});
  EXPECT_EQ(ends("\xE1\x62"), Places{}) << "no byte beyond ASCII is a letter";
}

TEST(SecretBorders, OneWordTwiceIsFoundTwice) {
  const WordFinder finder({"x", "x"});
  std::vector<std::size_t> found;
  finder.find("x", [&](std::size_t word, std::size_t) { found.push_back(word); });
  EXPECT_EQ(found.size(), 2U);
}

}  // namespace
}  // namespace airlock
