#include "present/tui/screens/drafts_screen.h"

#include <gtest/gtest.h>

#include "support/wizard_states.h"

namespace airlock::tui {
namespace {

constexpr std::int64_t kNow = 1'700'000'000'000;
constexpr std::int64_t kHour = 60 * 60 * 1000;

std::vector<Draft> some_drafts() {
  Draft one;
  one.id = "1a2b3c4d";
  one.kind = OutputKind::kPython;
  one.name = "client_reports";
  one.text = kTestPython;
  one.samples = state_in(wizard::Phase::kAnalyzing).samples;
  one.hint = "Quarter folder should compute start/end month";
  one.created = kNow - kHour;
  Draft other;
  other.id = "0badcafe";
  other.text = kTestYaml;
  other.samples = {"/a/b"};
  other.created = kNow - 24 * kHour + 12 * 60 * 1000;
  return {one, other};
}

Picture picture_of(const std::vector<Draft>& drafts, const DraftsView& view) {
  return draw_drafts(drafts, view, kNow, {80, 24}, Charset::kUtf8);
}

TEST(DraftsScreen, ListsThemWithTheTimeThatTheyHave) {
  const std::string text = picture_of(some_drafts(), {}).canvas.text();
  EXPECT_NE(text.find("1a2b3c4d  Python extractor  client_reports"), std::string::npos) << text;
  EXPECT_NE(text.find("23 h left   5 paths"), std::string::npos) << text;
  EXPECT_NE(text.find("(no name)               12 min left 1 path"), std::string::npos) << text;
  EXPECT_NE(text.find("import re"), std::string::npos) << text;
  EXPECT_NE(text.find("[a] Approve   [d] Delete"), std::string::npos) << text;
}

TEST(DraftsScreen, ShowsTheOneUnderTheCursor) {
  const std::vector<Draft> drafts = some_drafts();
  DraftsView view;
  const Picture picture = picture_of(drafts, view);
  EXPECT_EQ(press(view, drafts, picture, {Stroke::kDown}), DraftsAct::kNone);
  EXPECT_EQ(press(view, drafts, picture, {Stroke::kDown}), DraftsAct::kNone);
  EXPECT_EQ(view.row, 1U);
  EXPECT_NE(picture_of(drafts, view).canvas.text().find("version: 1"), std::string::npos);
}

TEST(DraftsScreen, DeletesOnlyWhenAskedTwice) {
  const std::vector<Draft> drafts = some_drafts();
  DraftsView view;
  const Picture picture = picture_of(drafts, view);
  EXPECT_EQ(press(view, drafts, picture, {Stroke::kCharacter, U'd'}), DraftsAct::kNone);
  EXPECT_NE(picture_of(drafts, view).canvas.text().find("Delete 1a2b3c4d?"), std::string::npos);
  EXPECT_EQ(press(view, drafts, picture, {Stroke::kEscape}), DraftsAct::kNone);
  EXPECT_EQ(press(view, drafts, picture, {Stroke::kCharacter, U'd'}), DraftsAct::kNone);
  EXPECT_EQ(press(view, drafts, picture, {Stroke::kCharacter, U'd'}), DraftsAct::kDelete);
}

TEST(DraftsScreen, CanBeEmptyAndBeLeft) {
  DraftsView view;
  const Picture picture = picture_of({}, view);
  EXPECT_NE(picture.canvas.text().find("There are no drafts."), std::string::npos);
  EXPECT_EQ(press(view, {}, picture, {Stroke::kCharacter, U'd'}), DraftsAct::kNone);
  EXPECT_EQ(press(view, {}, picture, {Stroke::kCharacter, U'a'}), DraftsAct::kNone);
  EXPECT_EQ(press(view, {}, picture, {Stroke::kEscape}), DraftsAct::kLeave);
}

TEST(DraftsScreen, FitsEverySize) {
  std::vector<Draft> drafts;
  for (int i = 0; i < 12; ++i) drafts.push_back(some_drafts()[static_cast<std::size_t>(i % 2)]);
  drafts[3].name = "\x1b[2J\u202e\u6771";
  for (int width = 1; width < 130; width += 9) {
    for (int height = 1; height < 50; height += 3) {
      DraftsView view;
      view.row = 11;
      const Picture picture = draw_drafts(drafts, view, kNow, {width, height}, Charset::kAscii);
      EXPECT_EQ(picture.canvas.text().find('\x1b'), std::string::npos);
    }
  }
}

}  // namespace
}  // namespace airlock::tui
