// The rules of the door without a reader: the judge is told a document value by value, and says
// everything that is wrong with it, by place.
#include "admit/document_judge.h"

#include <gtest/gtest.h>

#include <deque>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace airlock {
namespace {

using Type = AdmitErrorType;
using Kind = ValueKind;

// Tells a judge a document, and keeps its strings alive meanwhile.
class Teller {
 public:
  explicit Teller(Form form = Form::kBare, AdmitLimits limits = {})
      : limits_(limits), judge_(form, limits_, memory_, scrubber_) {}

  Teller& object() {
    judge_.open(Kind::kObject);
    return *this;
  }
  Teller& list() {
    judge_.open(Kind::kArray);
    return *this;
  }
  Teller& end() {
    judge_.close();
    return *this;
  }
  Teller& key(std::string text) {
    judge_.key(texts_.emplace_back(std::move(text)));
    return *this;
  }
  Teller& text(std::string text) {
    judge_.string(texts_.emplace_back(std::move(text)));
    return *this;
  }
  Teller& value(Kind kind = Kind::kInteger) {
    judge_.scalar(kind);
    return *this;
  }
  // A key and a plain value.
  Teller& fact(std::string name, Kind kind = Kind::kInteger) {
    return key(std::move(name)).value(kind);
  }

  DocumentJudge& judge() { return judge_; }
  bool is_fine() const { return !judge_.has_complaints(); }
  NotAdmitted refusal() { return std::move(judge_).refusal(); }
  // "type place" would be long: the places alone, in order.
  std::vector<std::string> places() {
    std::vector<std::string> found;
    for (const AdmitError& error : refusal().errors) found.push_back(to_string(error.path));
    return found;
  }
  std::vector<Type> types() {
    std::vector<Type> found;
    for (const AdmitError& error : refusal().errors) found.push_back(error.type);
    return found;
  }

 private:
  AdmitLimits limits_;
  SecretNames names_;
  KeyVerdictCache memory_{[this](std::string_view key) { return names_.looks_secret(key); }};
  TextScrubber scrubber_;
  std::deque<std::string> texts_;
  DocumentJudge judge_;
};

// ---- bare documents

TEST(DocumentJudge, AnEmptyObjectIsFine) {
  EXPECT_TRUE(Teller().object().end().is_fine());
}

TEST(DocumentJudge, ADocumentThatIsNoObjectIsRefused) {
  for (const Kind kind : {Kind::kString, Kind::kInteger, Kind::kNegative, Kind::kReal, Kind::kTrue,
                          Kind::kFalse, Kind::kNull}) {
    Teller teller;
    teller.value(kind);
    EXPECT_EQ(teller.types(), std::vector<Type>{Type::kJsonValue});
  }
  Teller list;
  list.list().end();
  EXPECT_EQ(list.types(), std::vector<Type>{Type::kJsonValue});
}

TEST(DocumentJudge, ValuesOfEveryKindAreFineInside) {
  Teller teller;
  teller.object();
  int number = 0;
  for (const Kind kind :
       {Kind::kInteger, Kind::kNegative, Kind::kReal, Kind::kTrue, Kind::kFalse, Kind::kNull})
    teller.fact("k" + std::to_string(number++), kind);
  teller.key("list").list().value().text("x").object().end().end().end();
  EXPECT_TRUE(teller.is_fine());
}

TEST(DocumentJudge, WhatABareDocumentIsCalledIsItsOwnBusiness) {
  Teller teller;
  teller.object().fact("confidence").fact("extra").fact("schema_slice").end();
  EXPECT_TRUE(teller.is_fine());
}

// ---- places

TEST(DocumentJudge, APlaceIsTheWayFromTheDocument) {
  Teller teller;
  teller.object().key("a").list().value().object().key("b").list().list().object().fact("token");
  teller.end().end().end().end().end().end();
  EXPECT_EQ(teller.places(), std::vector<std::string>{"a[1].b[0][0].token"});
}

TEST(DocumentJudge, ComplaintsComeByPlaceWhateverTheOrderOfFinding) {
  Teller teller;
  // Keys that come twice are found at the end of their object, names at once.
  teller.object().fact("a").fact("a").fact("token").key("o").object().fact("x").fact("x").end();
  teller.fact("password").end();
  EXPECT_EQ(teller.places(), (std::vector<std::string>{"a", "token", "o.x", "password"}));
}

TEST(DocumentJudge, AComplaintOfAReaderStandsWhereTheReaderIs) {
  Teller teller;
  teller.object().key("a").list().value().value(Kind::kBroken);
  teller.judge().complain(Type::kJsonValue, "said by a reader");
  const NotAdmitted refusal = teller.refusal();
  ASSERT_EQ(refusal.errors.size(), 1U);
  EXPECT_EQ(to_string(refusal.errors[0].path), "a[1]");
  EXPECT_EQ(refusal.errors[0].message, "said by a reader");
}

TEST(DocumentJudge, BeforeTheFirstValueAComplaintIsTheDocuments) {
  Teller teller;
  teller.judge().complain(Type::kEncoding, "nothing was read");
  EXPECT_EQ(teller.places(), std::vector<std::string>{"(document)"});
}

// ---- keys that come twice

TEST(DocumentJudge, EveryFurtherTwinIsAComplaint) {
  for (const int count : {2, 3, 7, 13, 40}) {
    Teller teller;
    teller.object();
    for (int i = 0; i < count; ++i) teller.fact("same");
    teller.end();
    EXPECT_EQ(teller.types().size(), static_cast<std::size_t>(count - 1)) << count;
  }
}

TEST(DocumentJudge, OneKeyInTwoObjectsIsNoTwin) {
  Teller teller;
  teller.object().fact("x").key("a").object().fact("x").end().key("b").list();
  for (int i = 0; i < 20; ++i) teller.object().fact("x").fact("y").end();
  teller.end().end();
  EXPECT_TRUE(teller.is_fine());
}

TEST(DocumentJudge, AfterAnInnerObjectTheOuterOneRemembersItsKeys) {
  Teller teller;
  teller.object().fact("x").key("a").object().fact("x").fact("y").end().fact("x").end();
  EXPECT_EQ(teller.places(), std::vector<std::string>{"x"});
}

TEST(DocumentJudge, TwinsAreFoundAmongAnyNumberOfKeys) {
  for (const int count : {1, 2, 11, 12, 13, 63, 64, 65, 1000, 20000}) {
    for (const bool has_twin : {false, true}) {
      Teller teller;
      teller.object();
      for (int i = 0; i < count; ++i) teller.fact("n" + std::to_string(i));
      if (has_twin) teller.fact("n" + std::to_string(count / 2));
      teller.end();
      EXPECT_EQ(teller.is_fine(), !has_twin) << count;
    }
  }
}

TEST(DocumentJudge, KeysThatDifferInOneByteAreNoTwins) {
  Teller teller;
  teller.object();
  for (int size = 1; size < 60; ++size) {
    const std::string same(static_cast<std::size_t>(size), 'k');
    teller.fact(same + "a").fact(same + "b").fact("a" + same).fact("b" + same);
  }
  teller.end();
  EXPECT_TRUE(teller.is_fine());
}

// ---- digests

TEST(DocumentJudge, DigestsOfKeysThatDifferDiffer) {
  std::set<std::uint64_t> seen;
  std::size_t keys = 0;
  for (int i = 0; i < 50'000; ++i) {
    seen.insert(digest_of("key" + std::to_string(i)));
    ++keys;
  }
  for (std::size_t size = 0; size < 100; ++size) {
    seen.insert(digest_of(std::string(size, 'a')));
    ++keys;
  }
  EXPECT_EQ(seen.size(), keys);
}

TEST(DocumentJudge, ADigestIsOfTheWholeKey) {
  for (std::size_t size = 1; size < 70; ++size) {
    const std::string plain(size, 'x');
    for (std::size_t at = 0; at < size; ++at) {
      std::string other = plain;
      other[at] = 'y';
      EXPECT_NE(digest_of(other), digest_of(plain)) << size << " " << at;
    }
  }
}

TEST(DocumentJudge, AMemoryOfKeysAsksOnceAndNeverMixesThemUp) {
  int asked = 0;
  KeyVerdictCache memory([&](std::string_view key) {
    ++asked;
    return key.ends_with('1');
  });
  std::mt19937 random(2);
  for (int i = 0; i < 100'000; ++i) {
    const std::string key(1 + random() % 60, static_cast<char>('a' + random() % 4));
    const std::string with = key + (random() % 2 == 0 ? "0" : "1");
    ASSERT_EQ(memory.ask(with, digest_of(with)), with.ends_with('1')) << with;
  }
  EXPECT_LT(asked, 90'000) << "most of them were known";
  EXPECT_EQ(memory.ask("", digest_of("")), false);
}

TEST(DocumentJudge, AMemoryIsNotFooledByEqualDigests) {
  KeyVerdictCache memory([](std::string_view key) { return key == "bad"; });
  EXPECT_TRUE(memory.ask("bad", 7));
  EXPECT_FALSE(memory.ask("fine", 7));
  EXPECT_FALSE(memory.ask("dab", 7));
  EXPECT_TRUE(memory.ask("bad", 7));
}

// ---- limits

TEST(DocumentJudge, KeysAndStringsHaveALength) {
  AdmitLimits limits;
  limits.key_bytes = 4;
  limits.string_bytes = 4;
  Teller fine(Form::kBare, limits);
  fine.object().key("abcd").text("abcd").end();
  EXPECT_TRUE(fine.is_fine());
  Teller both(Form::kBare, limits);
  both.object().key("abcde").text("abcde").end();
  EXPECT_EQ(both.types(), (std::vector<Type>{Type::kSize, Type::kSize}));
}

TEST(DocumentJudge, DepthIsSaidOnceForEachPlaceWhereItBegins) {
  AdmitLimits limits;
  limits.depth = 2;
  Teller teller(Form::kBare, limits);
  teller.object().key("a").list().list().list().end().end().end();
  teller.key("b").object().key("c").object().end().end().end();
  EXPECT_EQ(teller.types(), (std::vector<Type>{Type::kDepth, Type::kDepth}));
}

TEST(DocumentJudge, ComplaintsBeyondTheirLimitAreCounted) {
  AdmitLimits limits;
  limits.errors = 2;
  Teller teller(Form::kBare, limits);
  teller.object();
  for (int i = 0; i < 5; ++i) teller.fact("token" + std::to_string(i));
  teller.fact("same").fact("same").end();
  const NotAdmitted refusal = teller.refusal();
  EXPECT_EQ(refusal.errors.size(), 2U);
  EXPECT_EQ(refusal.more, 4U);
}

// ---- the output of a probe

Teller& tell_probe(Teller& teller, const std::string& without = "") {
  const auto has = [&](const char* name) { return without != name; };
  teller.object();
  if (has("schema_slice")) teller.key("schema_slice").object().fact("n").end();
  if (has("raw_artifacts")) teller.key("raw_artifacts").list().text("a.txt").end();
  if (has("confidence")) teller.key("confidence").text("high");
  if (has("duration_ms")) teller.key("duration_ms").value();
  if (has("warnings")) teller.key("warnings").list().end();
  if (has("errors")) teller.key("errors").list().end();
  return teller;
}

TEST(DocumentJudge, AProbesOutputHasItsSixFields) {
  Teller teller(Form::kProbeOutput);
  tell_probe(teller).end();
  EXPECT_TRUE(teller.is_fine());
}

TEST(DocumentJudge, EachFieldThatIsMissingIsNamedWithWhatItMustBe) {
  for (const char* name :
       {"schema_slice", "raw_artifacts", "confidence", "duration_ms", "warnings", "errors"}) {
    Teller teller(Form::kProbeOutput);
    tell_probe(teller, name).end();
    const NotAdmitted refusal = teller.refusal();
    ASSERT_EQ(refusal.errors.size(), 1U) << name;
    EXPECT_EQ(refusal.errors[0].type, Type::kMissingField);
    EXPECT_EQ(to_string(refusal.errors[0].path), name);
    EXPECT_NE(refusal.errors[0].message.find("must be"), std::string::npos);
  }
}

TEST(DocumentJudge, AFieldThatNobodyKnowsIsNamedWithTheNearestOne) {
  Teller teller(Form::kProbeOutput);
  tell_probe(teller).fact("confidense").fact("something_else").end();
  const NotAdmitted refusal = teller.refusal();
  ASSERT_EQ(refusal.errors.size(), 2U);
  EXPECT_NE(refusal.errors[0].message.find("Did you mean 'confidence'?"), std::string::npos);
  EXPECT_NE(refusal.errors[1].message.find("schema_slice"), std::string::npos);
}

TEST(DocumentJudge, ConfidenceIsOneOfThreeWords) {
  for (const char* word : {"high", "medium", "low"}) {
    Teller teller(Form::kProbeOutput);
    tell_probe(teller, "confidence").key("confidence").text(word).end();
    EXPECT_TRUE(teller.is_fine()) << word;
  }
  for (const char* word : {"", "High", "very high", "hig", "unknown"}) {
    Teller teller(Form::kProbeOutput);
    tell_probe(teller, "confidence").key("confidence").text(word).end();
    EXPECT_EQ(teller.types(), std::vector<Type>{Type::kConfidence}) << word;
  }
}

TEST(DocumentJudge, DurationIsAWholeNumberThatIsNotNegative) {
  for (const Kind kind : {Kind::kNegative, Kind::kReal, Kind::kTrue, Kind::kNull}) {
    Teller teller(Form::kProbeOutput);
    tell_probe(teller, "duration_ms").fact("duration_ms", kind).end();
    EXPECT_EQ(teller.types(), std::vector<Type>{Type::kJsonValue});
  }
}

TEST(DocumentJudge, ListsOfStringsHoldStringsAlone) {
  for (const char* name : {"raw_artifacts", "warnings", "errors"}) {
    Teller teller(Form::kProbeOutput);
    tell_probe(teller, name).key(name).list().text("fine").value().list().end().end().end();
    EXPECT_EQ(teller.types(), (std::vector<Type>{Type::kJsonValue, Type::kJsonValue})) << name;
  }
}

TEST(DocumentJudge, FieldsOfTheSliceAreNoFieldsOfTheOutput) {
  Teller teller(Form::kProbeOutput);
  teller.object().key("schema_slice").object().fact("confidence").fact("extra").end();
  teller.key("raw_artifacts").list().end().key("confidence").text("low").fact("duration_ms");
  teller.key("warnings").list().end().key("errors").list().end().end();
  EXPECT_TRUE(teller.is_fine());
}

// ---- keys as they are shown

TEST(DocumentJudge, KeysAreShownPrintableScrubbedAndCut) {
  TextScrubber scrubber;
  EXPECT_EQ(shown_key("plain", scrubber), "plain");
  EXPECT_EQ(shown_key("", scrubber), "");
  EXPECT_EQ(shown_key("/home/ann/x", scrubber), "x");
  EXPECT_EQ(shown_key("a\x1b[2J", scrubber).find('\x1b'), std::string::npos);
  EXPECT_LT(shown_key(std::string(100'000, 'x'), scrubber).size(), 80U);
  EXPECT_TRUE(shown_key(std::string(100, 'x'), scrubber).ends_with("…"));
  EXPECT_FALSE(shown_key(std::string(64, 'x'), scrubber).ends_with("…"));
}

}  // namespace
}  // namespace airlock
