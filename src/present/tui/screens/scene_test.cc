// Every screen compared as text with tests/screens/golden/NAME.WxH.txt. After a change that is
// meant, run with AIRLOCK_WRITE_SCREENS=1, and look at what changed.
#include "present/tui/screens/scene.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "base/utf8.h"
#include "present/tui/interaction.h"
#include "support/wizard_states.h"

namespace airlock::tui {
namespace {

namespace fs = std::filesystem;

Picture picture_of(const wizard::WizardState& state, Size size, Charset charset,
                   const ScreenView& view) {
  return draw({state, wizard::keys_of(state), view, size, charset});
}

Picture picture_of(const wizard::WizardState& state, Size size, Charset charset = Charset::kUtf8) {
  return picture_of(state, size, charset, view_of(state));
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void compare(const std::string& name, const std::string& text) {
  const fs::path path =
      fs::path(AIRLOCK_SOURCE_DIR) / "tests" / "screens" / "golden" / (name + ".txt");
  if (std::getenv("AIRLOCK_WRITE_SCREENS") != nullptr) {
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return;
  }
  EXPECT_EQ(read(path), text) << path;
}

TEST(Screens, LookAsTheyAreKept) {
  for (const auto& [name, state] : test_states()) {
    compare(name + ".80x24", picture_of(state, {80, 24}).canvas.text());
  }
}

// A larger window has one pane more, and plain ASCII has other signs; on every screen they do the
// same, so few of them are kept. What must hold for all sizes and signs is told below.
TEST(Screens, InALargeWindowAndInAsciiLookAsTheyAreKept) {
  for (const auto& [name, state] : test_states()) {
    if (name == "yaml_result") {
      compare(name + ".120x40", picture_of(state, {120, 40}).canvas.text());
    }
    if (name == "python_result" || name == "generating") {
      compare(name + ".80x24.ascii", picture_of(state, {80, 24}, Charset::kAscii).canvas.text());
    }
  }
}

TEST(Screens, HelpLooksAsItIsKept) {
  const wizard::WizardState state = python_result_state();
  ScreenView view = view_of(state);
  view.shows_help = true;
  compare("help.80x24", picture_of(state, {80, 24}, Charset::kUtf8, view).canvas.text());
}

TEST(Screens, ThatAreTooSmallSaySo) {
  for (const Size size : {Size{20, 5}, Size{59, 40}, Size{200, 14}}) {
    std::string text = picture_of(state_in(wizard::Phase::kAnalyzing), size).canvas.text();
    std::erase(text, '\n');
    EXPECT_NE(text.find("larger"), std::string::npos);
  }
  EXPECT_EQ(picture_of(state_in(wizard::Phase::kAnalyzing), {20, 5}).canvas.text(),
            "make the window\nlarger (now 20×5,\nneeds 60×15)\n[Esc] works\n\n");
}

TEST(Screens, ShowEveryKeyThatWorks) {
  for (const auto& [name, state] : test_states()) {
    for (const Size size : {Size{60, 15}, Size{80, 24}, Size{120, 40}}) {
      const std::string text = picture_of(state, size).canvas.text();
      for (const wizard::KeyHelp& key : wizard::keys_of(state)) {
        EXPECT_NE(text.find('[' + std::string(key.cap) + ']'), std::string::npos)
            << name << ' ' << key.cap << ' ' << size.width << '\n'
            << text;
      }
      EXPECT_TRUE(text.find("[?] Help") != std::string::npos ||
                  text.find("[F1] Help") != std::string::npos)
          << name;
    }
  }
}

// What a terminal would obey or misread; every part of it has to be spelt out.
const std::string kHostile =
    std::string(
        "\x1b[2J\x1b]0;owned\x07 \u202Eevil\u2066 \u200B\u200D\xff\xfe\r\b\x7f\u009b31m "
        "\u6771\u4eac\U0001F600 e\u0301\u0301\u0301\u0301\u0301\u0301\u0301 \u0301 \t") +
    std::string(1, '\0') + "\n\v tail";

void poison(wizard::WizardState& state, const std::string& text) {
  for (std::string* field :
       {&state.hint, &state.name, &state.name_trouble, &state.text, &state.progress.note,
        &state.problem.title, &state.problem.stage, &state.problem.detail, &state.problem.fix,
        &state.fallback, &state.draft, &state.model, &state.outgoing, &state.outgoing_retry}) {
    *field = text;
  }
  for (auto* list : {&state.samples, &state.evidence, &state.reasons, &state.notes, &state.warnings,
                     &state.fallback_lost}) {
    *list = {text, text + text};
  }
  state.patterns = {{text, text, text, text, text, true}, {text, text, text, text, "b", false}};
  state.preview = {{text, true, text, {}}, {text + "/x", false, {}, text}};
  state.attempts = {{.number = 1, .error = text, .repairs = {text}}};
}

// Nothing outside of the grid, every row as wide as the grid, nothing that a terminal obeys.
void expect_sound(const Canvas& canvas, const std::string& name) {
  for (int y = 0; y < canvas.size().height; ++y) {
    int columns = 0;
    for (int x = 0; x < canvas.size().width; ++x) {
      const CanvasCell& cell = canvas.at({x, y});
      columns += cell.columns;
      ASSERT_EQ(cell.columns == 0, cell.text.empty()) << name;
      if (cell.text.empty()) continue;
      ASSERT_EQ(shown(cell.text, canvas.charset()), cell.text) << name;
      ASSERT_EQ(columns_of(cell.text, canvas.charset()), cell.columns) << name;
    }
    ASSERT_EQ(columns, canvas.size().width) << name << " row " << y;
  }
}

TEST(Screens, ShowHostileTextSpeltOut) {
  for (auto& [name, state] : test_states()) {
    poison(state, kHostile);
    for (const Charset charset : {Charset::kUtf8, Charset::kAscii}) {
      const Picture picture = picture_of(state, {80, 24}, charset);
      expect_sound(picture.canvas, name);
      const std::string text = picture.canvas.text();
      EXPECT_EQ(text.find('\x1b'), std::string::npos) << name;
      EXPECT_EQ(text.find("\u202E"), std::string::npos) << name;
      if (charset == Charset::kAscii) {
        EXPECT_TRUE(std::ranges::all_of(text, [](char c) { return c == '\n' || c >= ' '; }));
      }
    }
  }
}

std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> kParts = {
      "a", " ",  "\n",   "\xff",    "\u6771", "\u0301", "\x1b[", "\u202e", "\"",        "'''",
      "#", "\\", "word", "{\"a\":", ",",      "def ",   "\t",    "- k: ",  "\U0001F600"};
  std::string text;
  for (std::size_t left = random() % 60; left > 0; --left) text += kParts[random() % kParts.size()];
  return text;
}

TEST(Screens, StaySoundForAnyStateInAnySize) {
  std::mt19937 random(7);  // the same sheets every time
  constexpr Size kSizes[] = {{0, 0}, {1, 1}, {20, 5}, {60, 15}, {61, 16}, {80, 24}, {200, 60}};
  for (int round = 0; round < 40; ++round) {
    for (auto& [name, state] : test_states()) {
      if (round > 0) poison(state, random_text(random));
      state.confidence = static_cast<double>(random() % 300) - 50;
      ScreenView view = view_of(state);
      view.focus = random() % 3;
      view.shows_help = random() % 5 == 0;
      view.row = random() % 4;
      view.tick = random();
      for (PaneScroll& scroll : view.scroll) scroll = {random() % 50, random() % 100};
      const Size any{static_cast<int>(random() % 200) + 1, static_cast<int>(random() % 60) + 1};
      const Charset charset = random() % 2 == 0 ? Charset::kUtf8 : Charset::kAscii;
      expect_sound(picture_of(state, any, charset, view).canvas, name);
      expect_sound(picture_of(state, kSizes[random() % std::size(kSizes)], charset, view).canvas,
                   name);
    }
  }
}

TEST(Screens, TurnTheSpinner) {
  const wizard::WizardState state = generating_state(wizard::Phase::kGenerating);
  ScreenView view = view_of(state);
  const std::string first = picture_of(state, {80, 24}, Charset::kUtf8, view).canvas.text();
  ++view.tick;
  EXPECT_NE(picture_of(state, {80, 24}, Charset::kUtf8, view).canvas.text(), first);
}

}  // namespace
}  // namespace airlock::tui
