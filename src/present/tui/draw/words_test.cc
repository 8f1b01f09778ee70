#include "present/tui/draw/words.h"

#include <gtest/gtest.h>

#include "present/tui/draw/summary.h"
#include "present/tui/draw/theme.h"
#include "support/wizard_states.h"

namespace airlock::tui {
namespace {

const Glyphs& kSigns = glyphs_of(Charset::kUtf8);

TEST(Words, ShowDataWithoutTheQuotesOfItsKeys) {
  EXPECT_EQ(preview_words(R"({"a":"x, \"y:","b c":[1,2],"d":{"e":null}})"),
            R"({a: "x, \"y:", "b c": [1, 2], d: {e: null}})");
  EXPECT_EQ(preview_words(R"({"a)"), R"({"a)");
  EXPECT_EQ(preview_words("\""), "\"");
  EXPECT_EQ(preview_words(R"("\)"), R"("\)");
}

TEST(Words, NamePathsByWhatTellsThemApart) {
  const auto names = [](std::vector<std::string> paths) {
    std::vector<wizard::PreviewRow> rows;
    for (std::string& path : paths) rows.push_back({std::move(path), true});
    return short_names(rows);
  };
  EXPECT_EQ(names({"/a/x.csv", "/a/y.csv"}), (std::vector<std::string>{"x.csv", "y.csv"}));
  EXPECT_EQ(names({"/a/x.csv", "/b/x.csv"}), (std::vector<std::string>{"/a/x.csv", "/b/x.csv"}));
  EXPECT_EQ(names({"C:\\a\\x", "C:\\b\\x"}), (std::vector<std::string>{"a\\x", "b\\x"}));
  EXPECT_EQ(names({"x", "x"}), (std::vector<std::string>{"x", "x"}));
  EXPECT_EQ(names({"", "/"}).size(), 2U);
}

TEST(Words, SayHowItWasValidated) {
  wizard::WizardState state = python_result_state();
  EXPECT_EQ(validation_words(state, kSigns), "Passed (5/5 paths, avg 2.3ms)");
  state.warnings = {"x"};
  state.mean_ms = 0.004;
  EXPECT_EQ(validation_words(state, kSigns), "Passed with warnings (5/5 paths, avg 4µs)");
}

TEST(Words, TellAttemptsInOneLineEach) {
  const auto words = attempt_words(python_result_state());
  ASSERT_EQ(words.size(), 2U);
  EXPECT_EQ(words[0],
            "1. model: failed at the security scan: line 1: import of 'os' is not allowed; use "
            "pathlib.PurePosixPath");
  EXPECT_EQ(words[1], "2. model: passed; mended: added the missing import re");
}

TEST(Words, OfOursHaveAnAsciiForm) {
  EXPECT_EQ(in_charset("a … b → 3×4 ✓", glyphs_of(Charset::kAscii)), "a ... b -> 3x4 ok");
  EXPECT_EQ(in_charset("a … b", kSigns), "a … b");
}

TEST(Summary, SaysWhatWasApproved) {
  wizard::WizardState state = python_result_state();
  state.phase = wizard::Phase::kApproved;
  state.approved_version = 2;
  EXPECT_EQ(summary_of(state, {}, kSigns),
            "✓ Approved: client_reports, version 2 (Python extractor, 5/5 paths).\n"
            "  airlock extract client_reports PATHS\n");
  EXPECT_EQ(exit_code_of(state, {}), 0);
}

TEST(Summary, SaysWhichDraftWaitsAndHowToGoOn) {
  wizard::WizardState state = python_result_state();
  state.phase = wizard::Phase::kCanceled;
  EXPECT_EQ(summary_of(state, {}, kSigns),
            "Canceled. The draft 1a2b3c4d waits for 24 hours. To go on:\n"
            "  airlock approve 1a2b3c4d --name client_reports\n");
  EXPECT_EQ(exit_code_of(state, {}), 1);
  EXPECT_EQ(exit_code_of(state, 2), 130);
  EXPECT_TRUE(summary_of(state, 2, kSigns).starts_with("Interrupted. The draft"));
}

TEST(Summary, SaysWhyItWasGivenUp) {
  wizard::WizardState state = error_state();
  state.phase = wizard::Phase::kClosed;
  EXPECT_EQ(summary_of(state, {}, kSigns),
            "✗ AI could not generate a valid extractor after 3 attempts to correct it.\nNothing "
            "was kept.\n");
}

TEST(Theme, TakesTheBackgroundFromTheTerminal) {
  EXPECT_EQ(background_from("15;0"), Background::kDark);
  EXPECT_EQ(background_from("0;15"), Background::kLight);
  EXPECT_EQ(background_from("0;default;7"), Background::kLight);
  EXPECT_EQ(background_from(""), Background::kDark);
  EXPECT_EQ(background_from("0;default"), Background::kDark);
  EXPECT_EQ(background_from("15;8"), Background::kDark);
}

TEST(Theme, HasColoursOnlyWhereTheyAreWanted) {
  for (std::size_t i = 0; i < kInkCount; ++i) {
    const Ink ink = static_cast<Ink>(i);
    EXPECT_EQ(look_of(ink, Background::kDark, Palette::kNone).colour, -1);
    EXPECT_LT(look_of(ink, Background::kLight, Palette::kEight).colour, 8);
    EXPECT_LT(look_of(ink, Background::kLight, Palette::kMany).colour, 256);
  }
  EXPECT_TRUE(look_of(Ink::kSelected, Background::kDark, Palette::kNone).is_reversed);
  EXPECT_NE(look_of(Ink::kGood, Background::kDark, Palette::kMany),
            look_of(Ink::kGood, Background::kLight, Palette::kMany));
}

}  // namespace
}  // namespace airlock::tui
