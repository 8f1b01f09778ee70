#include "present/tui/interaction.h"

#include <gtest/gtest.h>

#include "base/utf8.h"
#include "support/wizard_states.h"

namespace airlock::tui {
namespace {

using wizard::Event;
using wizard::KeyPressed;
using wizard::Phase;
using wizard::WizardKey;

// A state of the wizard with a person in front of it.
class Desk {
 public:
  explicit Desk(wizard::WizardState state, Size size = {80, 24})
      : state_(std::move(state)), size_(size), view_(view_of(state_)) {}

  std::optional<Event> press(Keystroke key) {
    return tui::press(view_, state_, wizard::keys_of(state_), picture(), key);
  }
  std::optional<Event> press(Stroke stroke) { return press(Keystroke{stroke}); }
  void type(std::u32string_view text) {
    for (const char32_t letter : text) press({Stroke::kCharacter, letter});
  }
  ScreenView& view() { return view_; }
  Picture picture() const {
    return draw({state_, wizard::keys_of(state_), view_, size_, Charset::kUtf8});
  }
  std::string text() const { return picture().canvas.text(); }

 private:
  wizard::WizardState state_;
  Size size_;
  ScreenView view_;
};

std::optional<WizardKey> key_in(const std::optional<Event>& event) {
  if (!event) return {};
  const auto* pressed = std::get_if<KeyPressed>(&*event);
  return pressed == nullptr ? std::optional<WizardKey>() : pressed->key;
}

TEST(Keys, OfTheMachineAreTheirCaps) {
  Desk desk(python_result_state());
  EXPECT_EQ(key_in(desk.press(Stroke::kEnter)), WizardKey::kEnter);
  EXPECT_EQ(key_in(desk.press(Stroke::kEscape)), WizardKey::kEscape);
  EXPECT_EQ(key_in(desk.press({Stroke::kCharacter, U'h'})), WizardKey::kHint);
  EXPECT_EQ(key_in(desk.press({Stroke::kCharacter, U'R'})), WizardKey::kRegenerate);
  EXPECT_FALSE(desk.press({Stroke::kCharacter, U'z'}));
  EXPECT_FALSE(desk.press({Stroke::kCharacter, U'w'}));
}

TEST(Keys, ThatAreNotOfferedDoNothing) {
  Desk desk(state_in(Phase::kAnalyzing));
  EXPECT_FALSE(desk.press(Stroke::kEnter));
  EXPECT_FALSE(desk.press({Stroke::kCharacter, U'h'}));
}

TEST(Scrolling, StaysInsideWhatThereIs) {
  Desk desk(python_result_state());
  for (int i = 0; i < 100; ++i) desk.press(Stroke::kDown);
  const std::size_t bottom = desk.view().scroll[0].top;
  EXPECT_GT(bottom, 0U);
  EXPECT_LT(bottom, 20U);
  desk.press(Stroke::kUp);
  EXPECT_EQ(desk.view().scroll[0].top, bottom - 1);
  desk.press(Stroke::kHome);
  EXPECT_EQ(desk.view().scroll[0].top, 0U);
  desk.press(Stroke::kEnd);
  EXPECT_EQ(desk.view().scroll[0].top, bottom);
}

TEST(Scrolling, IsThatOfThePaneWithTheFocus) {
  Desk desk(python_result_state());
  desk.press(Stroke::kTab);
  desk.press(Stroke::kRight);
  EXPECT_EQ(desk.view().scroll[0].left, 0U);
  EXPECT_GT(desk.view().scroll[1].left, 0U);
  desk.press(Stroke::kTab);
  EXPECT_NE(desk.text().find("Details"), std::string::npos);
  desk.press(Stroke::kTab);
  EXPECT_EQ(desk.view().focus, 0U);
  desk.press(Stroke::kBackTab);
  EXPECT_EQ(desk.view().focus, 2U);
}

TEST(Scrolling, BeginsBelowTheCommentsOfAnInferredRule) {
  wizard::WizardState state = state_in(Phase::kYamlResult);
  state.text = "# Inferred from 5 paths.\n#   5 of 5\n" + state.text;
  Desk desk(state);
  EXPECT_EQ(desk.text().find("# Inferred"), std::string::npos);
  EXPECT_NE(desk.text().find("version: 1"), std::string::npos);
  desk.press(Stroke::kHome);
  EXPECT_NE(desk.text().find("# Inferred"), std::string::npos);
}

TEST(Help, OpensAndTakesEveryKeyUntilItCloses) {
  Desk desk(python_result_state());
  desk.press({Stroke::kCharacter, U'?'});
  EXPECT_NE(desk.text().find("Keys (Esc closes this)"), std::string::npos);
  EXPECT_FALSE(desk.press({Stroke::kCharacter, U'r'}));
  EXPECT_FALSE(desk.press(Stroke::kEscape));
  EXPECT_EQ(desk.text().find("Keys (Esc closes this)"), std::string::npos);
}

TEST(Help, IsBehindF1WhereAQuestionMarkIsText) {
  Desk desk(python_state(Phase::kHintInput));
  desk.press({Stroke::kCharacter, U'?'});
  EXPECT_FALSE(desk.view().shows_help);
  EXPECT_TRUE(desk.view().editor.text().ends_with('?'));
  desk.press(Stroke::kHelp);
  EXPECT_TRUE(desk.view().shows_help);
}

TEST(Hints, AreTypedAndGiven) {
  wizard::WizardState state = python_state(Phase::kHintInput);
  state.hint.clear();
  Desk desk(state);
  desk.type(U"größer 東京");
  EXPECT_NE(desk.text().find("9/500"), std::string::npos) << desk.text();
  const auto event = desk.press(Stroke::kEnter);
  ASSERT_TRUE(event);
  EXPECT_EQ(std::get<wizard::HintGiven>(*event).text, "größer 東京");
  EXPECT_EQ(key_in(desk.press(Stroke::kEscape)), WizardKey::kEscape);
}

TEST(Hints, EndAtTheirLimit) {
  Desk desk(python_state(Phase::kHintInput));
  desk.type(std::u32string(600, U'x'));
  EXPECT_EQ(desk.view().editor.length(), wizard::kLongestHint);
  EXPECT_NE(desk.text().find("500/500"), std::string::npos);
}

TEST(Names, AreTypedAndGiven) {
  Desk desk(state_in(Phase::kNaming));
  desk.press(Stroke::kEraseStart);
  desk.type(U"sales");
  const auto event = desk.press(Stroke::kEnter);
  ASSERT_TRUE(event);
  EXPECT_EQ(std::get<wizard::NameGiven>(*event).text, "sales");
}

TEST(Pastes, GoIntoAFieldOrNowhere) {
  Desk result(python_result_state());
  result.press(Stroke::kPasteBegin);
  EXPECT_FALSE(result.press(Stroke::kEnter));
  EXPECT_FALSE(result.press({Stroke::kCharacter, U'r'}));
  EXPECT_FALSE(result.press(Stroke::kEscape));
  result.press(Stroke::kPasteEnd);
  EXPECT_EQ(key_in(result.press(Stroke::kEnter)), WizardKey::kEnter);

  Desk naming(state_in(Phase::kNaming));
  naming.press(Stroke::kEraseStart);
  naming.press(Stroke::kPasteBegin);
  naming.type(U"a");
  EXPECT_FALSE(naming.press(Stroke::kEnter));
  naming.type(U"b");
  naming.press(Stroke::kPasteEnd);
  EXPECT_EQ(naming.view().editor.text(), "a b");
}

TEST(Patterns, AreKeptOrIgnoredOneByOne) {
  Desk desk(state_in(Phase::kPatterns));
  desk.press(Stroke::kUp);
  desk.press({Stroke::kCharacter, U' '});
  desk.press(Stroke::kDown);
  desk.press(Stroke::kDown);
  desk.press({Stroke::kCharacter, U' '});
  for (int i = 0; i < 9; ++i) desk.press(Stroke::kDown);
  EXPECT_EQ(desk.view().row, 3U);
  const auto event = desk.press(Stroke::kEnter);
  ASSERT_TRUE(event);
  EXPECT_EQ(std::get<wizard::PatternsChosen>(*event).keep,
            (std::vector<bool>{false, true, true, true}));
}

TEST(Patterns, OfALongListKeepTheCursorInSight) {
  wizard::WizardState state = state_in(Phase::kPatterns);
  for (int i = 0; i < 60; ++i) {
    state.patterns.push_back({"field" + std::to_string(i), "filename", "free", "x", "b", true});
  }
  Desk desk(state);
  for (int i = 0; i < 50; ++i) desk.press(Stroke::kDown);
  EXPECT_NE(desk.text().find("field46"), std::string::npos) << desk.text();
  EXPECT_NE(desk.picture().canvas.cursor(), std::nullopt);
}

// ---- the line that is typed into

std::string typed(std::u32string_view text, std::initializer_list<Stroke> strokes) {
  LineEditor editor("", 100);
  for (const char32_t letter : text) editor.press({Stroke::kCharacter, letter});
  for (const Stroke stroke : strokes) editor.press({stroke});
  editor.press({Stroke::kCharacter, U'|'});
  return editor.text();
}

TEST(LineEditor, MovesOverWholeCharacters) {
  EXPECT_EQ(typed(U"ab", {Stroke::kLeft}), "a|b");
  EXPECT_EQ(typed(U"ae\u0301", {Stroke::kLeft}), "a|e\u0301");
  EXPECT_EQ(typed(U"\u6771\u4eac", {Stroke::kLeft}), "\u6771|\u4eac");
  EXPECT_EQ(typed(U"ab", {Stroke::kHome, Stroke::kRight}), "a|b");
  EXPECT_EQ(typed(U"ab", {Stroke::kLeft, Stroke::kLeft, Stroke::kLeft}), "|ab");
  EXPECT_EQ(typed(U"ab", {Stroke::kRight}), "ab|");
}

TEST(LineEditor, ErasesWholeCharacters) {
  EXPECT_EQ(typed(U"ae\u0301", {Stroke::kBackspace}), "a|");
  EXPECT_EQ(typed(U"a\u6771", {Stroke::kBackspace}), "a|");
  EXPECT_EQ(typed(U"", {Stroke::kBackspace, Stroke::kDelete}), "|");
  EXPECT_EQ(typed(U"ae\u0301b", {Stroke::kHome, Stroke::kRight, Stroke::kDelete}), "a|b");
}

TEST(LineEditor, KnowsWords) {
  EXPECT_EQ(typed(U"one two ", {Stroke::kEraseWord}), "one |");
  EXPECT_EQ(typed(U"one two", {Stroke::kWordLeft}), "one |two");
  EXPECT_EQ(typed(U"one two", {Stroke::kHome, Stroke::kWordRight}), "one| two");
  EXPECT_EQ(typed(U"one two", {Stroke::kWordLeft, Stroke::kEraseStart}), "|two");
  EXPECT_EQ(typed(U"one two", {Stroke::kWordLeft, Stroke::kEraseEnd}), "one |");
}

TEST(LineEditor, TakesOnlyWhatCanBeSeen) {
  EXPECT_EQ(typed(U"a\u202e\u200b\x1b\u0007z", {}), "az|");
}

TEST(LineEditor, MendsWhatItBeginsWith) {
  const LineEditor editor(
      "a\xff\n\x1b\u202e"
      "b",
      100);
  EXPECT_EQ(editor.text(), "a\uFFFD b");
  EXPECT_EQ(LineEditor("abcdef", 3).text(), "abc");
}

}  // namespace
}  // namespace airlock::tui
