// GENERATING and REGENERATING: the stages as a tree, and what became of the attempts before.
#include <fmt/format.h>

#include <array>

#include "present/tui/draw/words.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

using wizard::WizardProgress;
using wizard::WizardState;

constexpr std::array kPythonStages = {Stage::kSyntax, Stage::kSecurity, Stage::kSignature,
                                      Stage::kSandbox};
// A rule is data: there is nothing to scan and no signature.
constexpr std::array kYamlStages = {Stage::kSyntax, Stage::kSandbox};

// Behind the stage at work all are waiting; while a text is still being written none has begun.
Line stage_line(const Drawing& drawing, Stage stage, std::string_view branch) {
  const WizardProgress& progress = drawing.state().progress;
  const Glyphs& glyphs = drawing.glyphs;
  const std::string label = fmt::format("{}:", stage_words(stage, drawing.state().output));
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

void draw_tree(const Drawing& drawing, ScreenFlow& flow) {
  const bool is_python = drawing.state().output == OutputKind::kPython;
  const std::span<const Stage> stages =
      is_python ? std::span<const Stage>(kPythonStages) : std::span<const Stage>(kYamlStages);
  flow.line({{"Validation progress:"}});
  for (const Stage& stage : stages) {
    const bool is_last = &stage == &stages.back();
    flow.line(
        stage_line(drawing, stage, is_last ? drawing.glyphs.last_branch : drawing.glyphs.branch));
  }
}

std::string asking_words(const WizardState& state) {
  if (state.model.empty()) return "Putting it together from built-in templates";
  if (state.progress.characters == 0) return "Waiting for " + state.model;
  return fmt::format("{} is answering: {} characters so far", state.model,
                     state.progress.characters);
}

void draw_attempts(const Drawing& drawing, ScreenFlow& flow) {
  const WizardState& state = drawing.state();
  if (state.attempts.empty()) return;
  flow.gap();
  flow.line({{"Attempts so far:"}});
  const std::vector<std::string> texts = attempt_words(state);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const bool is_good = state.attempts[i].valid;
    const InkSpan sign{std::string(is_good ? drawing.glyphs.check : drawing.glyphs.cross) + ' ',
                       is_good ? Ink::kGood : Ink::kBad};
    flow.item(sign, texts[i]);
  }
}

}  // namespace

void draw_generating(const Drawing& drawing) {
  const WizardState& state = drawing.state();
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  flow.gap();
  const bool is_again = state.phase == wizard::Phase::kRegenerating;
  Line head = {{drawing.spinner() + ' ', Ink::kTitle},
               {fmt::format("{} {}...", is_again ? "Regenerating" : "Generating",
                            output_words(state.output)),
                Ink::kStrong}};
  if (!state.model.empty() && state.output == OutputKind::kPython) {
    const std::size_t attempt = state.attempts.size() + 1;
    head.push_back(
        {fmt::format("  attempt {} of {}", attempt, attempt + state.retries_left), Ink::kMuted});
  }
  flow.line(head);
  if (state.progress.is_asking) flow.paragraph(asking_words(state), Ink::kMuted, 2);
  if (!state.progress.note.empty()) flow.paragraph(state.progress.note, Ink::kWarning, 2);
  flow.gap();
  draw_tree(drawing, flow);
  draw_attempts(drawing, flow);
  if (state.tokens > 0) {
    flow.gap();
    flow.line({{fmt::format("Tokens used so far: {}", state.tokens), Ink::kMuted}});
  }
}

}  // namespace airlock::tui
