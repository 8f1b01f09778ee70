// A whole document made fit to be kept: what changes, what is told about it, and that nothing that
// was scrubbed changes again.
#include "admit/sanitize.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include "admit/admit.h"
#include "admit/credentials.h"
#include "base/json_writer.h"
#include "base/sha256.h"
#include "support/example_secrets.h"

namespace airlock {
namespace {

// Past the validator: what simdjson read, judged by nobody.
JsonTape unjudged(const std::string& text) {
  simdjson::dom::parser parser;
  simdjson::dom::document document;
  EXPECT_FALSE(parser.parse_into_document(document, simdjson::padded_string(text)).error()) << text;
  return {std::move(document.tape), std::move(document.string_buf)};
}

std::string scrubbed(const std::string& text, ScrubOptions options = {}) {
  const auto result = Sanitizer(std::move(options)).scrub(unjudged(text));
  return result ? result->json : "refused";
}

TEST(Sanitize, AnHonestDocumentComesOutAsItWentIn) {
  const std::string text =
      R"({"a":1,"b":-2,"c":1.5,"d":100.0,"e":"x\n\"\\ü😀","f":[],"g":{},"h":[true,false,null],"i":18446744073709551615,"j":1e+300})";
  EXPECT_EQ(scrubbed(text), text);
}

TEST(Sanitize, TheSecondWallHoldsWhenTheFirstIsPassedBy) {
  for (const char* key : {"github_token", "API_KEY", "to\u200Bken", "ｐａｓｓｗｏｒｄ"}) {
    const auto result = Sanitizer().scrub(unjudged("{\"a\":[{\"" + std::string(key) + "\":1}]}"));
    ASSERT_FALSE(result) << key;
    EXPECT_EQ(result.error().errors.at(0).type, AdmitErrorType::kSecretLikelyFieldName);
    EXPECT_EQ(to_string(result.error().errors.at(0).path).substr(0, 5), "a[0].");
  }
  EXPECT_EQ(scrubbed(R"({"references_secrets":["A"]})"), R"({"references_secrets":["A"]})");
}

TEST(Sanitize, PathsInKeysValuesErrorsAndWarningsBecomeRelative) {
  const auto admitted = Admitter().admit(
      R"({"schema_slice":{"/home/ann/r/a.c":["/home/ann/r/b.c","/Users/x/y"]},"raw_artifacts":["/home/ann/r/raw.txt"],)"
      R"("confidence":"low","duration_ms":2,"warnings":["in /home/ann/r/c"],"errors":["C:\\Users\\ann\\d"]})",
      Form::kProbeOutput);
  ASSERT_TRUE(admitted);
  const auto result = Sanitizer({{"/home/ann/r"}, {}}).sanitize(*admitted);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->json(),
            R"({"schema_slice":{"a.c":["b.c","y"]},"raw_artifacts":["raw.txt"],)"
            R"("confidence":"low","duration_ms":2,"warnings":["in c"],"errors":["d"]})");
  EXPECT_EQ(result->rewritten_paths(), 6U);
}

TEST(Sanitize, KeysThatBecomeEqualAreToldApart) {
  const std::string once =
      scrubbed(R"({"/home/ann/x":1,"/home/bob/x":2,"x":3,"x#2":4,"/tmp/y":5})");
  EXPECT_EQ(once, R"({"x#3":1,"x#4":2,"x":3,"x#2":4,"y":5})");
  EXPECT_EQ(scrubbed(once), once);
}

TEST(Sanitize, NumbersBehindKeysPassByThoseThatAreTaken) {
  struct Row {
    const char* text;
    const char* kept;
  };
  for (const Row& row :
       {Row{R"({"/home/a/x":1})", R"({"x":1})"},
        Row{R"({"/home/a/x":1,"/home/b/x":2,"/home/c/x":3})", R"({"x":1,"x#2":2,"x#3":3})"},
        Row{R"({"x":0,"/home/a/x":1})", R"({"x":0,"x#2":1})"},
        Row{R"({"x":0,"x#2":0,"x#3":0,"/home/a/x":1})", R"({"x":0,"x#2":0,"x#3":0,"x#4":1})"},
        Row{R"({"/home/a/x":{"/home/b/x":1,"x":2}})", R"({"x":{"x#2":1,"x":2}})"},
        Row{R"([{"/home/a/x":1},{"/home/a/x":2}])", R"([{"x":1},{"x":2}])"},
        Row{R"({"/home/a/":1,"/home/b":2,".":3})", R"({".#2":1,".#3":2,".":3})"}}) {
    EXPECT_EQ(scrubbed(row.text), row.kept) << row.text;
    EXPECT_EQ(scrubbed(row.kept), row.kept) << row.text;
  }
}

TEST(Sanitize, AThousandKeysThatBecomeOneAreToldApartInGoodTime) {
  std::string text = "{";
  for (int i = 0; i < 5000; ++i)
    text += (i > 0 ? ",\"/home/u" : "\"/home/u") + std::to_string(i) + "/x\":1";
  const std::string kept = scrubbed(text + "}");
  EXPECT_NE(kept.find("\"x#5000\":1"), std::string::npos);
  EXPECT_EQ(kept.find("x#5001"), std::string::npos);
  EXPECT_EQ(scrubbed(kept), kept);
}

TEST(Sanitize, SecretsBeyondTheListAreCounted) {
  const std::string secret = make_example("ghp_{A36}", 1);
  for (const std::size_t count : {99U, 100U, 101U, 350U}) {
    std::string text = "{\"a\":[0";
    for (std::size_t i = 0; i < count; ++i) text += ",\"" + secret + "\"";
    const auto result = Sanitizer().scrub(unjudged(text + "]}"));
    ASSERT_TRUE(result);
    EXPECT_EQ(result->secrets.size(), std::min<std::size_t>(count, 100)) << count;
    EXPECT_EQ(result->secrets.size() + result->more_secrets, count) << count;
    EXPECT_EQ(to_string(result->secrets.back().path),
              "a[" + std::to_string(result->secrets.size()) + "]");
    EXPECT_EQ(result->json.find(secret), std::string::npos) << count;
  }
}

TEST(Sanitize, AStringIsJudgedUnderTheNearestKeyAboveIt) {
  const std::string hash = sha256_hex("x");
  for (const auto& [before, after, stays] : {std::tuple{"{\"sha256\":\"", "\"}", true},
                                             {"{\"sha256\":[[\"", "\"]]}", true},
                                             {"{\"note\":\"", "\"}", false},
                                             {"{\"sha256\":{\"note\":\"", "\"}}", false},
                                             {"{\"note\":{\"commit\":[\"", "\"]}}", true},
                                             {"[\"", "\"]", false}}) {
    const std::string text = before + hash + after;
    EXPECT_EQ(scrubbed(text) == text, stays) << text;
  }
}

TEST(Sanitize, EverySecretBecomesAFingerprint) {
  for (const CredentialKind& kind : all_credential_kinds()) {
    const std::string example = make_example(kind.example, 23);
    std::string text = "{\"note\":";
    append_json_string(text, "before " + example + " after");
    text += "}";
    const auto result = Sanitizer().scrub(unjudged(text));
    ASSERT_TRUE(result) << kind.name;
    EXPECT_NE(result->json.find("<REDACTED:fingerprint="), std::string::npos)
        << kind.name << result->json;
    ASSERT_FALSE(result->secrets.empty()) << kind.name;
    EXPECT_EQ(to_string(result->secrets[0].path), "note");
    EXPECT_EQ(scrubbed(result->json), result->json) << kind.name;
  }
}

TEST(Sanitize, EqualSecretsHaveEqualFingerprints) {
  const std::string secret = make_example("ghp_{A36}", 1);
  const auto result = Sanitizer().scrub(unjudged("{\"a\":\"" + secret + "\",\"b\":[\"x " + secret +
                                                 "\",\"" + make_example("ghp_{A36}", 2) + "\"]}"));
  ASSERT_TRUE(result);
  ASSERT_EQ(result->secrets.size(), 3U);
  EXPECT_EQ(result->secrets[0].fingerprint, sha256_hex(secret).substr(0, 8));
  EXPECT_EQ(result->secrets[0].fingerprint, result->secrets[1].fingerprint);
  EXPECT_NE(result->secrets[0].fingerprint, result->secrets[2].fingerprint);
  EXPECT_EQ(result->secrets[1].kind, "github_personal_token");
  EXPECT_EQ(to_string(result->secrets[1].path), "b[0]");
}

// A short hash of a password is the password, to somebody who tries likely ones.
TEST(Sanitize, WhatAPersonChoseCannotBeGuessedFromItsFingerprint) {
  const auto fingerprint = [](const std::string& password, ScrubOptions options) {
    const auto result = Sanitizer(std::move(options))
                            .scrub(unjudged("{\"a\":\"postgres://ann:" + password + "@db/x\"}"));
    return result && !result->secrets.empty() ? result->secrets[0].fingerprint : "none";
  };
  EXPECT_EQ(fingerprint("hunter2", {}), fingerprint("letmein", {}));
  EXPECT_NE(fingerprint("hunter2", {}), sha256_hex("hunter2").substr(0, 8));
  // With a key of its owner's, they can be told apart again.
  EXPECT_NE(fingerprint("hunter2", {{}, "key"}), fingerprint("letmein", {{}, "key"}));
  EXPECT_EQ(fingerprint("hunter2", {{}, "key"}), fingerprint("hunter2", {{}, "key"}));
  EXPECT_NE(fingerprint("hunter2", {{}, "key"}), fingerprint("hunter2", {{}, "other"}));
}

TEST(Sanitize, ScrubbingTwiceChangesNothing) {
  TextScrubber scrubber({{"/srv/r"}, {}});
  const std::string a = make_example("AKIA{U16}", 1);
  const std::string b = make_example("ghp_{A36}", 2);
  for (const std::string& text : std::vector<std::string>{
           a + b, b + a, a + "/home/ann/" + b, "/home/ann//home/bob/x", "/tmp//tmp//tmp/x",
           "/home/ann/../../home/bob/x", "//home/ann/x", "/home//home/ann/x",
           "file:///file:///home/ann/x", "/mnt/mnt/home/ann/x", "/mnt//mnt//home/ann/x",
           "%2Fhome%2Fann%2F%2Fhome%2Fbob%2Fx", "password=" + a + " token=" + b,
           "C:\\Users\\C:\\Users\\ann\\x", "/srv/r/srv/r/x", "/srv/r//srv/r/x",
           "\\\\srv\\share\\\\\\srv\\share\\x", "/home/ann/home/bob",
           "-----BEGIN RSA PRIVATE KEY-----x"}) {
    const std::string once = scrubber.scrubbed(text);
    EXPECT_EQ(scrubber.scrubbed(once), once) << text;
  }
}

TEST(Sanitize, TextThatIsMadeToCostIsTakenWhole) {
  std::string dense;
  for (int i = 0; i < 300000; ++i) dense += "eyJ";
  TextScrubber scrubber;
  const auto result = scrubber.scrub(dense);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->redactions.at(0).kind, "too_dense_to_search");
  EXPECT_LT(result->text.size(), 40U);
}

TEST(Sanitize, OrdinaryTextStays) {
  TextScrubber scrubber;
  for (const char* text : {"unexpected token: identifier",
                           "max_tokens=4096",
                           "tokens: 12",
                           "the password is stored in a vault",
                           "password = get_password()",
                           "token_type: bearer",
                           "secret: see the wiki",
                           "See https://example.org/a?b=c#d",
                           "Bearer authentication is required",
                           "basic authentication",
                           "uses 123e4567-e89b-12d3-a456-426614174000",
                           "sk-learn is installed",
                           "xoxo",
                           "ghp_short",
                           "AKIA",
                           "key-value",
                           "v1.0-rc1",
                           "dp.html",
                           "hf_hub",
                           "pattern.match",
                           "-----BEGIN CERTIFICATE-----",
                           "postgres://localhost:5432/db",
                           "git@github.com:a/b.git",
                           "npm_config_cache",
                           "http://user@host/x",
                           "SG.UU",
                           "pypi-server",
                           "a://b:c",
                           "1//0"}) {
    EXPECT_FALSE(scrubber.scrub(text)) << text << " → " << scrubber.scrubbed(text);
  }
}

TEST(Sanitize, TheOutputIsSafeForTerminals) {
  EXPECT_EQ(scrubbed("{\"a\":\"\\u009b31m\\u202e\\u2028\\u007f\\ufeff\\u001b\"}"),
            "{\"a\":\"\\u009b31m\\u202e\\u2028\\u007f\\ufeff\\u001b\"}");
}

}  // namespace
}  // namespace airlock
