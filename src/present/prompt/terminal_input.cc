#include "present/prompt/terminal_input.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>

#include "os/write_all.h"

namespace airlock::prompt {

namespace {

// Pastes come marked as such from now on; and no more.
constexpr std::string_view kMarkPastes = "\x1b[?2004h";
constexpr std::string_view kLeavePastes = "\x1b[?2004l";

bool can_move_its_cursor() {
  const char* kind = std::getenv("TERM");
  return kind != nullptr && *kind != '\0' && std::string_view(kind) != "dumb";
}

std::string moved(std::size_t by, char direction) {
  return by == 0 ? std::string() : "\x1b[" + std::to_string(by) + direction;
}

}  // namespace

TerminalInput::TerminalInput(int input, int output, tui::Signals& signals)
    : input_(input), output_(output), signals_(signals), is_plain_(!can_move_its_cursor()) {}

void TerminalInput::write(std::string_view text) const {
  os::write_all(output_, text);
}

ScreenSize TerminalInput::size() const {
  winsize size{};
  if (::ioctl(output_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return {};
  return {size.ws_col, size.ws_row};
}

// Keys come as they are pressed, unechoed, and Ctrl-C, Ctrl-Z, Ctrl-S are keys. What was typed
// before stays. What we write keeps its line ends.
void TerminalInput::take() {
  signals_.take_stop();
  if (is_plain_ || is_taken_ || ::tcgetattr(input_, &before_) != 0) return;
  crash_guard_.emplace(input_);
  tui::CrashGuard::leave_with(kLeavePastes);
  termios keys = before_;
  keys.c_iflag &= ~static_cast<tcflag_t>(BRKINT | ICRNL | IGNCR | INLCR | ISTRIP | IXON);
  keys.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | IEXTEN | ISIG);
  keys.c_cc[VMIN] = 1;
  keys.c_cc[VTIME] = 0;
  is_taken_ = ::tcsetattr(input_, TCSADRAIN, &keys) == 0;
  write(kMarkPastes);
}

void TerminalInput::give_back() {
  signals_.let_stop();
  if (!is_taken_) return;
  write(kLeavePastes);
  ::tcsetattr(input_, TCSADRAIN, &before_);
  is_taken_ = false;
  crash_guard_.reset();
}

bool TerminalInput::has_more() const {
  if (!waiting_.empty()) return true;
  pollfd typed{input_, POLLIN, 0};
  return ::poll(&typed, 1, 0) > 0 && (typed.revents & POLLIN) != 0;
}

// Draws first when there is time to look at it.
TerminalInput::Heard TerminalInput::wait() {
  if (!is_plain_ && !has_more()) draw();
  std::array<pollfd, 2> watched = {pollfd{input_, POLLIN, 0},
                                   pollfd{signals_.descriptor(), POLLIN, 0}};
  if (::poll(watched.data(), watched.size(), -1) < 0) return Heard::kSignal;
  if (watched[1].revents != 0) return Heard::kSignal;
  std::array<char, 64UL * 1024> bytes{};
  const ssize_t got = ::read(input_, bytes.data(), bytes.size());
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return Heard::kSignal;
  if (got <= 0) return Heard::kClosed;
  waiting_.append(bytes.data(), static_cast<std::size_t>(got));
  return Heard::kBytes;
}

InputLine TerminalInput::read_line(std::string_view prompt) {
  prompt_ = prompt;
  if (is_plain_) {
    write(prompt_);
    return read_plain();
  }
  return read_edited();
}

InputLine TerminalInput::read_edited() {
  while (true) {
    while (!waiting_.empty()) {
      const auto [event, taken] = editor_.feed(waiting_);
      waiting_.erase(0, taken);
      if (event == LineEvent::kNone) break;
      if (auto line = heed(event)) return std::move(*line);
    }
    const Heard heard = wait();
    if (heard == Heard::kClosed) return {};
    if (heard == Heard::kSignal) {
      if (auto end = heed_signals()) return std::move(*end);
    }
  }
}

std::optional<InputLine> TerminalInput::heed(LineEvent event) {
  switch (event) {
    case LineEvent::kEntered:
    case LineEvent::kPasted:
      leave_line();
      return InputLine{event == LineEvent::kPasted ? InputEnd::kPastedLine : InputEnd::kLine,
                       editor_.take(), 0};
    case LineEvent::kInterrupted:
      leave_line();
      editor_.clear();
      waiting_.clear();  // what was typed before is not meant for the next line
      return InputLine{InputEnd::kInterrupted, {}, 0};
    case LineEvent::kEnded:
      leave_line();
      return InputLine{InputEnd::kEndKey, {}, 0};
    case LineEvent::kSuspended:
      suspend();
      return std::nullopt;
    case LineEvent::kCleared:
      write("\x1b[H\x1b[2J");
      drawn_.reset();
      return std::nullopt;
    case LineEvent::kNone:
      break;
  }
  return std::nullopt;
}

// The terminal's own editing; a line comes when it is whole.
InputLine TerminalInput::read_plain() {
  while (true) {
    if (const std::size_t end = waiting_.find('\n'); end != std::string::npos) {
      InputLine line{InputEnd::kLine, waiting_.substr(0, end), 0};
      waiting_.erase(0, end + 1);
      return line;
    }
    const Heard heard = wait();
    if (heard == Heard::kClosed) {
      write("\n");
      return {};
    }
    if (heard == Heard::kSignal) {
      if (auto end = heed_signals()) return std::move(*end);
    }
  }
}

std::optional<InputLine> TerminalInput::heed_signals() {
  while (const auto signal = signals_.take()) {
    switch (*signal) {
      case SIGINT:
        leave_line();
        editor_.clear();
        waiting_.clear();
        if (is_plain_) write("\n");
        return InputLine{InputEnd::kInterrupted, {}, 0};
      case SIGTERM:
      case SIGHUP:
      case SIGQUIT:
        leave_line();
        return InputLine{InputEnd::kToldToEnd, {}, *signal};
      case SIGTSTP:
        suspend();
        break;
      case SIGWINCH:
        if (drawn_) {
          const std::size_t row = cursor_row_after_resize(*drawn_, size().columns);
          drawn_->rows.resize(std::max(row + 1, drawn_->rows.size()));
          drawn_->cursor_row = row;
          draw();
        }
        break;
      default:  // SIGCONT: whoever stopped us has drawn over the line
        break;
    }
  }
  return std::nullopt;
}

void TerminalInput::suspend() {
  leave_line();
  const bool was_taken = is_taken_;
  give_back();
  signals_.stop_here();
  if (was_taken) take();
  if (is_plain_) write(prompt_);
}

void TerminalInput::draw() {
  if (is_plain_) return;
  LineView view = lay_out(prompt_, editor_.text(), editor_.cursor(), size());
  std::string text = drawn_ ? moved(drawn_->cursor_row, 'A') : std::string();
  text += "\r\x1b[J";
  for (const ViewRow& row : view.rows) {
    if (&row != &view.rows.front()) text += "\r\n";
    text += row.text;
  }
  text += moved(view.rows.size() - 1 - view.cursor_row, 'A') + "\r";
  text += moved(view.cursor_column, 'C');
  write(text);
  drawn_ = std::move(view);
}

// The line stays where it is, as it is; what comes next stands below it.
void TerminalInput::leave_line() {
  if (is_plain_) return;
  draw();
  write(moved(drawn_->rows.size() - 1 - drawn_->cursor_row, 'B') + "\r\n");
  drawn_.reset();
}

}  // namespace airlock::prompt
