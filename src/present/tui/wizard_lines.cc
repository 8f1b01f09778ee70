// Reads answers with plain stdio and prints lines, so that it works in a pipe, in an editor's
// terminal and with a screen reader. There is no live display: follow_work() prints one line when
// something changes.
#include "present/tui/wizard_lines.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

#include "base/ascii.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "present/tui/draw/summary.h"
#include "present/tui/draw/words.h"

namespace airlock::tui {

namespace {

using wizard::Event;
using wizard::KeyHelp;
using wizard::KeyPressed;
using wizard::Phase;
using wizard::WizardKey;
using wizard::WizardState;

// A line without its end; nothing at the end of the file.
std::optional<std::string> read_line(std::FILE* in) {
  constexpr std::size_t kLongest = 64 * 1024;  // the rest of a longer one is dropped
  std::string line;
  int byte = std::fgetc(in);
  if (byte == EOF) return {};
  for (; byte != EOF && byte != '\n'; byte = std::fgetc(in)) {
    if (line.size() < kLongest) line += static_cast<char>(byte);
  }
  if (line.ends_with('\r')) line.pop_back();
  return line;
}

std::string trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return std::string(text.substr(begin, text.find_last_not_of(" \t") - begin + 1));
}

// Between blanks and commas.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(" \t,", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_of(" \t,", at), text.size());
    words.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

// What was typed, as far as it is worth repeating.
std::string short_of(std::string_view text) {
  constexpr std::size_t kWorth = 40;
  return text.size() <= kWorth ? std::string(text) : std::string(cut_utf8(text, kWorth)) + "…";
}

// The end of input counts as Esc. Every state is left by fewer of them than this, so the loop ends
// even if nobody can answer.
constexpr std::size_t kMostEnds = 10;

// The same machine and the same words as on the screen; only what is shown at once differs. Facts
// are told once when a state is entered (is_printed_), then each question is one line.
class Lines {
 public:
  Lines(wizard::Session& session, std::FILE* in, std::FILE* out, const ScreenOptions& options)
      : session_(session),
        in_(in),
        out_(out),
        options_(options),
        glyphs_(glyphs_of(options.terminal.charset)) {}

  void run() {
    while (!wizard::is_final(state().phase) && ends_seen_ < kMostEnds) {
      if (const auto request = session_.take_edit_request()) {
        edit(*request);
      } else if (wizard::is_busy(state().phase)) {
        follow_work();
      } else {
        if (!is_printed_ && ends_seen_ == 0) print_facts();
        is_printed_ = true;
        ask();
      }
    }
  }

 private:
  const WizardState& state() const { return session_.state(); }

  void handle(const Event& event) {
    is_printed_ = false;
    session_.handle(event);
  }

  // Every word goes through here: made printable, one line.
  void say(std::string_view text = {}) {
    const std::string line = shown(in_charset(text, glyphs_), glyphs_.charset);
    std::fwrite(line.data(), 1, line.size(), out_);
    std::fputc('\n', out_);
  }

  void say_lines(std::string_view text, std::string_view indent = "    ") {
    for (const std::string& line : lines_of(text)) say(fmt::format("{}{}", indent, line));
  }

  void say_list(std::string_view title, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    say(title);
    for (const std::string& text : texts) say(fmt::format("  {} {}", glyphs_.bullet, text));
  }

  // ---- while something is at work

  std::string work_words() const {
    const wizard::WizardProgress& progress = state().progress;
    switch (state().phase) {
      case Phase::kAnalyzing:
        return fmt::format("Analyzing {}...",
                           count_words(state().samples.size(), "sample path", "sample paths"));
      case Phase::kApproving:
        return fmt::format("Approving {}...", state().name);
      default:
        break;
    }
    if (progress.is_asking) {
      return state().model.empty() ? "Putting it together..." : "Asking " + state().model + "...";
    }
    if (progress.stage == Stage::kComplete) return {};
    return fmt::format("{}: running...", stage_words(progress.stage, state().output));
  }

  // One line for each thing that is new; no line for each path or character.
  void follow_work() {
    std::string last;
    std::string last_note;
    is_printed_ = false;
    std::size_t printed_attempts = state().attempts.size();
    while (wizard::is_busy(state().phase)) {
      if (const std::string now = work_words(); now != last && !now.empty()) {
        say(now);
        last = now;
      }
      if (state().progress.note != last_note) {
        last_note = state().progress.note;
        if (!last_note.empty()) say("  " + last_note);
      }
      std::fflush(out_);
      pollfd waiting = {session_.wake_descriptor(), POLLIN, 0};
      ::poll(&waiting, 1, -1);
      session_.take_events();
      const std::vector<std::string> attempts = attempt_words(state());
      for (; printed_attempts < attempts.size(); ++printed_attempts) {
        say("  attempt " + attempts[printed_attempts]);
      }
    }
  }

  void edit(const wizard::EditRequest& request) {
    const std::string editor = wizard::editor_command(options_.editor);
    if (!editor.empty()) say("Opening " + editor + "...");
    std::fflush(out_);
    auto edited = wizard::edit_text(options_.editor, request.text,
                                    request.kind == OutputKind::kPython ? ".py" : ".yaml");
    if (edited) {
      handle(wizard::EditorClosed{std::move(*edited)});
    } else {
      handle(wizard::EditorFailed{std::move(edited.error().message)});
    }
  }

  // ---- the facts of a state

  void print_facts() {
    say();
    switch (state().phase) {
      case Phase::kConsent:
        return print_consent();
      case Phase::kRetryConsent:
        return print_retry();
      case Phase::kYamlResult:
      case Phase::kPythonResult:
        return print_result();
      case Phase::kPatterns:
        return print_patterns();
      case Phase::kNaming:
        if (!state().name_trouble.empty()) say(state().name_trouble);
        return;
      case Phase::kEditError:
      case Phase::kAnalysisError:
        return print_problem();
      case Phase::kYamlFallback:
        return print_fallback();
      default:
        return;
    }
  }

  void print_consent() {
    say("Would ask: " + state().model);
    say("Would send this text. Nothing is sent before you press Enter or say s.");
    say_lines(state().outgoing, "  | ");
    say("Retries add: " + retry_words(state()));
  }

  void print_retry() {
    say("Would ask: " + state().model);
    say("Would send the first text again, and behind it this. Nothing is sent before you press "
        "Enter or say a.");
    say_lines(added_text(state()), "  | ");
  }

  void print_result() {
    if (!state().problem.title.empty()) print_problem();
    say(fmt::format("Output: {} {} {}", output_words(state().output), glyphs_.dot,
                    author_words(state())));
    say(fmt::format("Validation: {} {}", glyphs_.check, validation_words(state(), glyphs_)));
    if (has_confidence(state())) {
      say(fmt::format("Confidence: {:.0f} %, {}", state().confidence,
                      confidence_words(state().confidence)));
    }
    say(state().output == OutputKind::kPython ? "Generated code:" : "Generated rule:");
    say_lines(state().text);
    say("Preview:");
    const std::vector<std::string> names = short_names(state().preview);
    for (std::size_t i = 0; i < names.size(); ++i) {
      const wizard::PreviewRow& row = state().preview[i];
      say(fmt::format("  {} {} {} {}", row.ok ? glyphs_.check : glyphs_.cross, names[i],
                      glyphs_.arrow, row.ok ? preview_words(row.data) : row.error));
    }
    say_list("Warnings (they do not block):", state().warnings);
    say_list("Good to know:", state().notes);
    if (has_confidence(state())) say_list("Why this confidence:", state().evidence);
    if (state().output == OutputKind::kPython) say_list("Why Python:", state().reasons);
    say("Extractor name: " + (state().name.empty() ? "(none yet)" : state().name));
    if (!state().name_trouble.empty()) say("  " + state().name_trouble);
  }

  void print_patterns() {
    say("Detected patterns:");
    for (std::size_t i = 0; i < state().patterns.size(); ++i) {
      const wizard::PatternRow& row = state().patterns[i];
      say(fmt::format("  {:>2} {} {} from {}: {} ({})", i + 1, keep_at(i) ? "keep  " : "ignore",
                      row.field, row.from, row.what, row.examples));
    }
  }

  void print_problem() {
    say(state().problem.title);
    if (!state().problem.stage.empty()) {
      say(fmt::format("Last error ({}):", state().problem.stage));
    }
    say_lines(state().problem.detail);
    if (!state().problem.fix.empty()) say("Fix: " + state().problem.fix);
  }

  void print_fallback() {
    say(fallback_words(state()));
    say_lines(state().fallback);
    say_list("It cannot give:", state().fallback_lost);
  }

  // ---- questions

  std::optional<std::string> question(std::string_view text) {
    const std::string prompt = shown(in_charset(text, glyphs_), glyphs_.charset);
    std::fwrite(prompt.data(), 1, prompt.size(), out_);
    std::fputs("> ", out_);
    std::fflush(out_);
    auto line = read_line(in_);
    if (!line) {
      ++ends_seen_;
      std::fputc('\n', out_);
    }
    return line;
  }

  void ask() {
    switch (state().phase) {
      case Phase::kNaming:
        return ask_text("Extractor name (an empty line: back)",
                        [](std::string text) { return Event{wizard::NameGiven{std::move(text)}}; });
      case Phase::kHintInput:
        return ask_text("Hint, at most 500 characters (an empty line: back)",
                        [](std::string text) { return Event{wizard::HintGiven{std::move(text)}}; });
      case Phase::kPatterns:
        return ask_patterns();
      default:
        return ask_key();
    }
  }

  void escape() { handle(KeyPressed{WizardKey::kEscape}); }

  void ask_text(std::string_view prompt, Event (*event)(std::string)) {
    const auto line = question(prompt);
    if (!line || trimmed(*line).empty()) return escape();
    const std::string text = trimmed(*line);
    const std::size_t length = count_code_points(text);
    if (state().phase == Phase::kHintInput && length > wizard::kLongestHint)
      return say(fmt::format("That has {} characters, and a hint has at most {}.", length,
                             wizard::kLongestHint));
    handle(event(text));
  }

  bool keep_at(std::size_t index) const {
    return index < keep_.size() ? keep_[index] : state().patterns[index].keep;
  }

  // Numbers toggle fields until an empty line applies them; a line with a mistake changes nothing.
  void ask_patterns() {
    const auto line = question("Numbers keep or ignore those fields, [Enter] apply, [q] back ");
    if (!line || trimmed(*line) == "q") {
      keep_.clear();
      return escape();
    }
    std::vector<bool> keep;
    for (std::size_t i = 0; i < state().patterns.size(); ++i) keep.push_back(keep_at(i));
    if (trimmed(*line).empty()) {
      if (std::ranges::find(keep, true) == keep.end()) return say(kKeepOne);
      keep_.clear();
      handle(wizard::PatternsChosen{std::move(keep)});
      return;
    }
    for (const std::string& word : words_of(*line)) {
      std::size_t number = 0;
      const auto read = std::from_chars(word.data(), word.data() + word.size(), number);
      const bool is_whole = read.ec == std::errc() && read.ptr == word.data() + word.size();
      if (!is_whole || number < 1 || number > keep.size())
        return say(
            fmt::format("'{}' is none of the numbers; nothing was changed.", short_of(word)));
      keep[number - 1] = !keep[number - 1];
    }
    is_printed_ = false;
    keep_ = std::move(keep);
  }

  // Esc cannot be typed into a line: q stands for it.
  static std::string_view cap_of(const KeyHelp& key) {
    return key.key == WizardKey::kEscape ? "q" : key.cap;
  }

  void ask_key() {
    const std::vector<KeyHelp> keys = wizard::keys_of(state());
    std::string prompt;
    for (const KeyHelp& key : keys) prompt += fmt::format("[{}] {}, ", cap_of(key), key.action);
    const auto line = question(prompt + "[?] Help ");
    if (!line) return escape();
    std::string word = lower(trimmed(*line));
    if (word == "?") {
      for (const KeyHelp& key : keys) say(fmt::format("  {:<6} {}", cap_of(key), key.help));
      return;
    }
    // People type the key, its cap or its word.
    if (word == "esc" || word == "quit" || word == "exit") word = "q";
    for (const KeyHelp& key : keys) {
      const bool is_enter = key.key == WizardKey::kEnter && (word.empty() || word == "enter");
      const bool is_said = word == cap_of(key) || word == lower(key.action);
      // An empty line is Enter and nothing else: it must not match an action by accident.
      if (is_enter || (!word.empty() && is_said)) {
        handle(KeyPressed{key.key});
        return;
      }
    }
    say(fmt::format("'{}' is none of the keys.", short_of(*line)));
  }

  wizard::Session& session_;
  std::FILE* in_;
  std::FILE* out_;
  const ScreenOptions& options_;
  const Glyphs& glyphs_;
  std::vector<bool> keep_ = {};
  bool is_printed_ = false;  // what there is to know before the next question
  std::size_t ends_seen_ = 0;
};

}  // namespace

int run_wizard_lines(wizard::Session& session, std::FILE* in, std::FILE* out,
                     const ScreenOptions& options) {
  Lines(session, in, out, options).run();
  const std::string words =
      '\n' + summary_of(session.state(), {}, glyphs_of(options.terminal.charset));
  std::fwrite(words.data(), 1, words.size(), out);
  std::fflush(out);
  return exit_code_of(session.state(), {});
}

}  // namespace airlock::tui
