// GENERATING and REGENERATING: the stages as a tree, and what became of the attempts before.
#include <fmt/format.h>

#include <array>

#include "present/tui/draw/words.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

using wizard::Progress;
using wizard::Sheet;

constexpr std::array kPythonStages = {Stage::kSyntax, Stage::kSecurity, Stage::kSignature,
                                      Stage::kSandbox};
constexpr std::array kYamlStages = {Stage::kSyntax, Stage::kSandbox};

Line stage_line(const Drawing& drawing, Stage stage, std::string_view branch) {
  const Progress& progress = drawing.sheet().progress;
  const Glyphs& glyphs = drawing.glyphs;
  const std::string label = fmt::format("{}:", stage_words(stage, drawing.sheet().output));
  Line line = {{std::string(branch) + ' ', Ink::kBorder}, {fmt::format("{:<17}", label)}};
  if (progress.is_asking || stage > progress.stage) {
    line.push_back({std::string(glyphs.waiting), Ink::kMuted});
  } else if (stage < progress.stage) {
    line.push_back({std::string(glyphs.check), Ink::kGood});
  } else {
    const std::string paths =
        progress.total > 0 ? fmt::format(" ({}/{} paths)", progress.done, progress.total) : "";
    line.push_back({fmt::format("{} Running{}...", glyphs.running, paths), Ink::kTitle});
  }
  return line;
}

void draw_tree(const Drawing& drawing, Flow& flow) {
  const bool is_python = drawing.sheet().output == OutputKind::kPython;
  const std::span<const Stage> stages =
      is_python ? std::span<const Stage>(kPythonStages) : std::span<const Stage>(kYamlStages);
  flow.line({{"Validation progress:"}});
  for (const Stage& stage : stages) {
    const bool is_last = &stage == &stages.back();
    flow.line(
        stage_line(drawing, stage, is_last ? drawing.glyphs.last_branch : drawing.glyphs.branch));
  }
}

std::string asking_words(const Sheet& sheet) {
  if (sheet.model.empty()) return "Putting it together from built-in templates";
  if (sheet.progress.characters == 0) return "Waiting for " + sheet.model;
  return fmt::format("{} is answering: {} characters so far", sheet.model,
                     sheet.progress.characters);
}

void draw_attempts(const Drawing& drawing, Flow& flow) {
  const Sheet& sheet = drawing.sheet();
  if (sheet.attempts.empty()) return;
  flow.gap();
  flow.line({{"Attempts so far:"}});
  const std::vector<std::string> texts = attempt_words(sheet);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool is_good = sheet.attempts[i].valid;
    const Span sign{std::string(is_good ? drawing.glyphs.check : drawing.glyphs.cross) + ' ',
                    is_good ? Ink::kGood : Ink::kBad};
    flow.item(sign, texts[i]);
  }
}

}  // namespace

void draw_generating(const Drawing& drawing) {
  const Sheet& sheet = drawing.sheet();
  Flow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.gap();
  const bool is_again = sheet.state == wizard::State::kRegenerating;
  Line head = {{drawing.spinner() + ' ', Ink::kTitle},
               {fmt::format("{} {}...", is_again ? "Regenerating" : "Generating",
                            output_words(sheet.output)),
                Ink::kStrong}};
  if (!sheet.model.empty() && sheet.output == OutputKind::kPython) {
    const std::size_t attempt = sheet.attempts.size() + 1;
    head.push_back(
        {fmt::format("  attempt {} of {}", attempt, attempt + sheet.retries_left), Ink::kMuted});
  }
  flow.line(head);
  if (sheet.progress.is_asking) flow.paragraph(asking_words(sheet), Ink::kMuted, 2);
  if (!sheet.progress.note.empty()) flow.paragraph(sheet.progress.note, Ink::kWarning, 2);
  flow.gap();
  draw_tree(drawing, flow);
  draw_attempts(drawing, flow);
  if (sheet.tokens > 0) {
    flow.gap();
    flow.line({{fmt::format("Tokens used so far: {}", sheet.tokens), Ink::kMuted}});
  }
}

}  // namespace airlock::tui
