#include "present/report/validate_progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <string_view>

#include "present/report/style.h"

namespace airlock::cli {

namespace {

constexpr auto kRest = std::chrono::milliseconds(40);  // a person sees no more than this
constexpr std::size_t kFew = 200;                      // up to this many samples, each is drawn
// Five lines up (the heading and four stages), then erase to the end of the screen.
constexpr std::string_view kUpAndErase = "\x1b[5F\x1b[0J";

struct ProgressRow {
  Stage stage;
  std::string_view name;
};
constexpr ProgressRow kRows[] = {{Stage::kSyntax, "├─ Syntax check:    "},
                                 {Stage::kSecurity, "├─ Security scan:   "},
                                 {Stage::kSignature, "├─ Signature check: "},
                                 {Stage::kSandbox, "└─ Sandbox tests:   "}};

// Best effort: progress that cannot be written must not fail the validation.
void draw(std::string_view text) {
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

std::string progress_tree(const ValidateProgress& progress, bool is_scanned, Colour colour) {
  std::string out = "Validation progress:\n";
  for (const ProgressRow& row : kRows) {
    out += row.name;
    if (row.stage == Stage::kSecurity && !is_scanned) {
      out += paint("– left out (--no-scan)", Style::kWarning, colour);
    } else if (row.stage < progress.stage) {
      out += paint("✓", Style::kGood, colour);
    } else if (row.stage == progress.stage) {
      out += paint("▶", Style::kLabel, colour);
      out += row.stage == Stage::kSandbox
                 ? fmt::format(" Running ({}/{} paths)...", progress.done, progress.total)
                 : " Running...";
    }
    out += "\n";
  }
  return out;
}

void LiveProgress::show(const ValidateProgress& progress) {
  if (colour_ == Colour::kNever) return;
  const auto now = std::chrono::steady_clock::now();
  if (is_drawn_ && progress.total > kFew && now - drawn_ < kRest) return;
  draw((is_drawn_ ? std::string(kUpAndErase) : "") + progress_tree(progress, is_scanned_, colour_));
  is_drawn_ = true;
  drawn_ = now;
}

void LiveProgress::erase() {
  if (is_drawn_) draw(kUpAndErase);
  is_drawn_ = false;
}

}  // namespace airlock::cli
