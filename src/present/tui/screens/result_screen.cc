// YAML_RESULT and PYTHON_RESULT: the code, what it gives for the samples, and whatever a person
// should know before Enter. Code above; below it the preview or, when it has the focus, the
// details. A terminal that is high enough shows all three, a low one only the pane with the focus.
#include <fmt/format.h>

#include <algorithm>

#include "present/tui/draw/paint_code.h"
#include "present/tui/draw/words.h"
#include "present/tui/screens/screens.h"

namespace airlock::tui {

namespace {

using wizard::WizardState;

enum PaneIndex : std::size_t { kCode, kPreview, kDetails };

constexpr std::size_t kHeadWarnings = 2;  // all of them are in the details
// Rows for the panes, from which on three or two of them are shown at once.
constexpr int kRoomForThree = 30;
constexpr int kRoomForTwo = 13;

// Ten steps of ten per cent, each full from its middle on.
std::string bar(double percent, const Glyphs& glyphs) {
  std::string out;
  for (int step = 0; step < 10; ++step) {
    out += percent >= 10.0 * step + 5 ? glyphs.bar_full : glyphs.bar_empty;
  }
  return out;
}

Ink confidence_ink(double confidence) {
  if (confidence >= 80) return Ink::kGood;
  return confidence >= 50 ? Ink::kWarning : Ink::kBad;
}

Line confidence_line(const WizardState& state, const Glyphs& glyphs) {
  const Ink ink = confidence_ink(state.confidence);
  Line line = fact("Confidence", bar(state.confidence, glyphs), ink);
  line.push_back({fmt::format(" {:.0f} %", state.confidence), ink});
  line.push_back({fmt::format(" {} {}", glyphs.dot, confidence_words(state.confidence))});
  return line;
}

// Something was tried with the result and did not work; the result is still there.
void draw_problem(const Drawing& drawing, ScreenFlow& flow) {
  constexpr std::size_t kMostRows = 3;
  const wizard::WizardProblem& problem = drawing.state().problem;
  if (problem.title.empty()) return;
  std::vector<Line> rows =
      wrapped(in_charset(problem.title + ' ' + problem.detail + ' ' + problem.fix, drawing.glyphs),
              drawing.area.width - 2, drawing.scene.charset, Ink::kBad);
  if (rows.size() > kMostRows) rows.resize(kMostRows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    rows[i].insert(rows[i].begin(),
                   InkSpan{i == 0 ? fmt::format("{} ", drawing.glyphs.cross) : "  ", Ink::kBad});
    flow.line(rows[i]);
  }
}

// Facts in a fixed order, at most two warnings: the panes below need the rows more.
void draw_head(const Drawing& drawing, ScreenFlow& flow) {
  const WizardState& state = drawing.state();
  const Glyphs& glyphs = drawing.glyphs;
  draw_problem(drawing, flow);
  const Charset charset = drawing.scene.charset;
  if (!state.samples.empty()) {
    const std::string more =
        state.samples.size() > 1 ? fmt::format(" (and {} more)", state.samples.size() - 1) : "";
    const std::size_t room = static_cast<std::size_t>(
        std::max(0, drawing.area.width - static_cast<int>(kFactColumns + more.size())));
    Line line =
        fact("Sample path", cut_start(state.samples.front(), room, glyphs.ellipsis, charset));
    line.push_back({more, Ink::kMuted});
    flow.line(line);
  }
  Line output = fact("Output", output_words(state.output), Ink::kStrong);
  const std::size_t used = columns_of(output, charset);
  const std::size_t left = static_cast<std::size_t>(drawing.area.width) - used;
  output.push_back({cut_end(fmt::format(" {} {}", glyphs.dot, author_words(state)), left,
                            glyphs.ellipsis, charset),
                    Ink::kMuted});
  flow.line(output);
  flow.line(fact("Validation", fmt::format("{} {}", glyphs.check, validation_words(state, glyphs)),
                 Ink::kGood));
  if (has_confidence(state)) flow.line(confidence_line(state, glyphs));
  const std::size_t shown_warnings = std::min(kHeadWarnings, state.warnings.size());
  for (std::size_t i = 0; i < shown_warnings; ++i) {
    const std::string more = i + 1 == shown_warnings && state.warnings.size() > shown_warnings
                                 ? fmt::format(" (+{} in Details)", state.warnings.size() - i - 1)
                                 : "";
    const std::size_t room = static_cast<std::size_t>(
        std::max(0, drawing.area.width - static_cast<int>(more.size()) - 2));
    flow.line({{std::string(glyphs.warning) + ' ', Ink::kWarning},
               {cut_end(state.warnings[i], room, glyphs.ellipsis, charset), Ink::kWarning},
               {more, Ink::kMuted}});
  }
}

std::vector<Line> preview_lines(const WizardState& state, const Glyphs& glyphs) {
  constexpr std::size_t kWidestName = 28;
  const Charset charset = glyphs.charset;
  std::vector<std::string> names = short_names(state.preview);
  std::size_t widest = 0;
  for (std::string& name : names) {
    name = cut_start(name, kWidestName, glyphs.ellipsis, charset);
    widest = std::max(widest, columns_of(name, charset));
  }
  std::vector<Line> lines;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const wizard::PreviewRow& row = state.preview[i];
    const std::string padding(widest - columns_of(names[i], charset), ' ');
    lines.push_back(
        {{std::string(row.ok ? glyphs.check : glyphs.cross) + ' ', row.ok ? Ink::kGood : Ink::kBad},
         {names[i] + padding},
         {fmt::format(" {} ", glyphs.arrow), Ink::kMuted},
         row.ok ? InkSpan{preview_words(row.data)} : InkSpan{row.error, Ink::kBad}});
  }
  return lines;
}

void add_section(std::vector<Line>& lines, std::string_view title,
                 const std::vector<std::string>& texts, const Drawing& drawing, int columns) {
  if (texts.empty()) return;
  lines.push_back({InkSpan{std::string(title), Ink::kStrong}});
  for (const std::string& text : texts) {
    bool is_first = true;
    for (Line& row :
         wrapped(in_charset(text, drawing.glyphs), columns - 2, drawing.scene.charset)) {
      row.insert(row.begin(),
                 InkSpan{is_first ? std::string(drawing.glyphs.bullet) + ' ' : "  ", Ink::kMuted});
      is_first = false;
      lines.push_back(std::move(row));
    }
  }
}

std::vector<Line> finding_lines(const Drawing& drawing, int columns) {
  const WizardState& state = drawing.state();
  std::vector<Line> lines;
  const auto add = [&](std::string_view title, const std::vector<std::string>& texts) {
    add_section(lines, title, texts, drawing, columns);
  };
  add("Warnings (they do not block)", state.warnings);
  add("Good to know", state.notes);
  if (has_confidence(state)) add("Why this confidence", state.evidence);
  if (state.output == OutputKind::kPython) add("Why Python and not a rule", state.reasons);
  if (!state.hint.empty()) add("Your hint", {state.hint});
  add("Attempts", attempt_words(state));
  if (!state.draft.empty()) add("Draft", {state.draft + ", kept for 24 hours"});
  if (state.tokens > 0) add("Tokens used", {std::to_string(state.tokens)});
  if (lines.empty()) lines.push_back({InkSpan{"Nothing more to say.", Ink::kMuted}});
  return lines;
}

void draw_name(const Drawing& drawing, const Area& row) {
  const WizardState& state = drawing.state();
  Line line = {{"Extractor name: ", Ink::kMuted}};
  if (state.name.empty()) {
    line.push_back({"(none yet)", Ink::kWarning});
  } else {
    line.push_back({state.name, Ink::kField});
  }
  if (!state.name_trouble.empty()) {
    line.push_back(
        {fmt::format("  {} {}", drawing.glyphs.warning, state.name_trouble), Ink::kWarning});
  }
  drawing.canvas().put(row, {row.left, row.top}, line);
}

// The heights of code, preview and details; 0: not shown.
struct Heights {
  int code = 0;
  int preview = 0;
  int details = 0;
};

// What is in the three panes.
struct PaneRows {
  int code = 0;
  int preview = 0;
  int details = 0;
};

// A short pane leaves its rows to the one that has too few.
void give_spare(int& from, int rows, int& to, int wanted) {
  const int given = std::clamp(wanted + 2 - to, 0, std::max(0, from - (rows + 2)));
  from -= given;
  to += given;
}

// The code gets the most: a fourth goes to the preview, a fifth to the details, and rows that the
// code does not need go back to them. With room for two, the pane with the focus decides which is
// below. Each pane needs two rows for its border.
Heights share(int room, const PaneRows& rows, std::size_t focus) {
  Heights heights;
  if (room < kRoomForTwo) {
    (focus == kDetails   ? heights.details
     : focus == kPreview ? heights.preview
                         : heights.code) = room;
    return heights;
  }
  if (room >= kRoomForThree) {
    heights.preview = std::min(rows.preview + 2, room / 4);
    heights.details = std::min(rows.details + 2, room / 5);
    heights.code = room - heights.preview - heights.details;
    give_spare(heights.code, rows.code, heights.details, rows.details);
    give_spare(heights.code, rows.code, heights.preview, rows.preview);
    return heights;
  }
  int& lower = focus == kDetails ? heights.details : heights.preview;
  const int wanted = focus == kDetails ? rows.details : rows.preview;
  lower = std::clamp(wanted + 2, 4, focus == kCode ? room * 2 / 5 : room / 2);
  heights.code = room - lower;
  give_spare(heights.code, rows.code, lower, wanted);
  return heights;
}

}  // namespace

void draw_result(const Drawing& drawing) {
  const WizardState& state = drawing.state();
  ScreenFlow flow(drawing.canvas(), drawing.area, drawing.glyphs);
  draw_head(drawing, flow);
  const Area body = flow.rest().without_last(1);
  draw_name(drawing, flow.rest().last_rows(1));

  const std::vector<Line> code = paint_code(state.text, state.output);
  const std::vector<Line> preview = preview_lines(state, drawing.glyphs);
  const std::vector<Line> details = finding_lines(drawing, body.width - 4);
  const PaneRows rows = {static_cast<int>(code.size()), static_cast<int>(preview.size()),
                         static_cast<int>(details.size())};
  const Heights heights = share(body.height, rows, drawing.scene.view.focus);
  Area rest = body;
  const auto take = [&](int height, std::string title, const std::vector<Line>& lines,
                        std::size_t index) {
    if (height <= 0) return;
    drawing.pane(rest.first_rows(height), {std::move(title), lines}, index);
    rest = rest.without_first(height);
  };
  take(heights.code, state.output == OutputKind::kPython ? "Generated code" : "Generated rule",
       code, kCode);
  take(heights.preview, "Preview (sample extractions)", preview, kPreview);
  take(heights.details, "Details", details, kDetails);
}

}  // namespace airlock::tui
