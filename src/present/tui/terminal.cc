// ncurses would end the program by itself in initscr(): newterm() says no instead. The locale is
// this thread's own, because others are at work already and setlocale() is for all of them.
#include "present/tui/terminal.h"

#include <langinfo.h>
#include <locale.h>
#include <ncurses.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/utf8.h"
#include "present/tui/crash_guard.h"

namespace airlock::tui {

namespace {

constexpr int kEscapeWait = 25;  // ms that tell Esc from the beginning of another key
// Key codes of our own, behind those of ncurses: define_key() binds them to their sequences below.
constexpr int kPasteBegin = KEY_MAX + 1;
constexpr int kPasteEnd = KEY_MAX + 2;
constexpr int kWordLeft = KEY_MAX + 3;
constexpr int kWordRight = KEY_MAX + 4;
// Bracketed paste: the terminal marks where pasted text begins and ends, so it cannot press keys.
constexpr std::string_view kPastesOn = "\033[?2004h";
constexpr std::string_view kPastesOff = "\033[?2004l";

void write_raw(std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  std::fflush(stdout);
}

// A capability of the terminal that is a string, as bytes; empty when it has none.
std::string capability(const char* name) {
  const char* text = ::tigetstr(name);
  return text == nullptr ? std::string() : std::string(text);
}

bool can_move_cursor() {
  return !capability("cup").empty();
}

// Keys that ncurses knows by name, and our own (define_key below).
Keystroke key_of_code(wint_t code) {
  switch (static_cast<int>(code)) {
    case KEY_ENTER:
      return {Stroke::kEnter};
    case KEY_BACKSPACE:
      return {Stroke::kBackspace};
    case KEY_DC:
      return {Stroke::kDelete};
    case KEY_LEFT:
      return {Stroke::kLeft};
    case KEY_RIGHT:
      return {Stroke::kRight};
    case KEY_UP:
      return {Stroke::kUp};
    case KEY_DOWN:
      return {Stroke::kDown};
    case KEY_PPAGE:
      return {Stroke::kPageUp};
    case KEY_NPAGE:
      return {Stroke::kPageDown};
    case KEY_HOME:
      return {Stroke::kHome};
    case KEY_END:
      return {Stroke::kEnd};
    case KEY_BTAB:
      return {Stroke::kBackTab};
    case KEY_F(1):
      return {Stroke::kHelp};
    case kPasteBegin:
      return {Stroke::kPasteBegin};
    case kPasteEnd:
      return {Stroke::kPasteEnd};
    case kWordLeft:
      return {Stroke::kWordLeft};
    case kWordRight:
      return {Stroke::kWordRight};
    default:
      return {Stroke::kOther};
  }
}

// Control characters by their codes: 01 Ctrl-A, 05 Ctrl-E, 0B Ctrl-K, 0C Ctrl-L, 15 Ctrl-U, 17
// Ctrl-W, as in shells.
Keystroke key_of_character(wint_t character) {
  switch (character) {
    case L'\r':
    case L'\n':
      return {Stroke::kEnter};
    case L'\t':
      return {Stroke::kTab};
    case 0x7F:
    case 0x08:
      return {Stroke::kBackspace};
    case 0x01:
      return {Stroke::kHome};
    case 0x05:
      return {Stroke::kEnd};
    case 0x0B:
      return {Stroke::kEraseEnd};
    case 0x0C:
      return {Stroke::kRedraw};
    case 0x15:
      return {Stroke::kEraseStart};
    case 0x17:
      return {Stroke::kEraseWord};
    default:
      if (character < 0x20) return {Stroke::kOther};
      return {Stroke::kCharacter, static_cast<char32_t>(character)};
  }
}

// After an Esc: alone it is a key. A letter right behind it is Alt, and [ or O begin a sequence
// that ncurses does not know (a mouse, a focus); none of these may be taken for Esc.
Keystroke key_after_escape() {
  wint_t next = 0;
  if (::get_wch(&next) != OK) return {Stroke::kEscape};
  // Esc again at once is Esc, unless it is Alt with a key that begins with one.
  if (next == 0x1B) {
    if (::get_wch(&next) != OK) return {Stroke::kEscape};
    if (next != L'[' && next != L'O') {
      ::unget_wch(static_cast<wchar_t>(next));
      return {Stroke::kEscape};
    }
  }
  if (next == L'[' || next == L'O') {
    constexpr int kLongestSequence = 32;
    for (int i = 0; i < kLongestSequence && ::get_wch(&next) == OK; ++i) {
      // The final byte of a control sequence (ECMA-48); what is before it are parameters.
      if (next >= 0x40 && next <= 0x7E) break;
    }
  }
  return {Stroke::kOther};
}

locale_t locale_from_environment() {
  if (locale_t own = ::newlocale(LC_CTYPE_MASK, "", nullptr); own != nullptr) return own;
  // Named in the environment but not installed, as over ssh.
  return ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
}

// The characters of a cell as ncurses takes them. Where the C library counts other columns than
// Unicode does, a question mark keeps the row in its place.
std::wstring wide_cell(const CanvasCell& cell) {
  std::wstring wide;
  for (std::size_t at = 0; at < cell.text.size();) {
    const CodePoint point = decode_utf8(cell.text, at);
    if (point.bytes == 0) break;
    at += point.bytes;
    const auto character = static_cast<wchar_t>(point.value);
    const int width = ::wcwidth(character);
    if (wide.empty()) {
      if (width != cell.columns) return std::wstring(cell.columns, L'?');
    } else if (width != 0) {
      continue;
    }
    wide += character;
  }
  return wide;
}

}  // namespace

// `attributes` and `pairs` are what each Ink has become on this terminal, by its number.
struct Terminal::State {
  TerminalOptions options;
  SCREEN* screen = nullptr;
  locale_t locale = nullptr;
  locale_t locale_before = nullptr;
  std::array<attr_t, kInkCount> attributes = {};
  std::array<short, kInkCount> pairs = {};
  std::unique_ptr<CrashGuard> crash_guard;

  void prepare_inks();
  void draw_cell(int x, int y, const CanvasCell& cell) const;
};

void Terminal::State::prepare_inks() {
  Palette palette = options.palette;
  // start_color() must come before the colours are counted.
  const bool has_colours =
      palette != Palette::kNone && ::has_colors() && ::start_color() == OK && COLORS >= 8;
  if (!has_colours) palette = Palette::kNone;
  if (palette == Palette::kMany && COLORS < 256) palette = Palette::kEight;
  if (has_colours) ::use_default_colors();
  for (std::size_t i = 0; i < kInkCount; ++i) {
    const Look look = look_of(static_cast<Ink>(i), options.background, palette);
    attributes[i] = (look.is_bold ? A_BOLD : 0U) | (look.is_dim ? A_DIM : 0U) |
                    (look.is_reversed ? A_REVERSE : 0U) | (look.is_underlined ? A_UNDERLINE : 0U);
    if (look.colour < 0) continue;
    // Pair 0 is the terminal's own; -1 as background keeps it.
    pairs[i] = static_cast<short>(i + 1);
    ::init_pair(pairs[i], static_cast<short>(look.colour), -1);
  }
}

void Terminal::State::draw_cell(int x, int y, const CanvasCell& cell) const {
  const auto ink = static_cast<std::size_t>(cell.ink);
  const std::wstring wide = wide_cell(cell);
  if (wide.empty()) return;
  cchar_t character{};
  if (wide.size() > 1 && wide[0] == L'?' && cell.columns == 2) {
    ::setcchar(&character, L"?", attributes[ink], pairs[ink], nullptr);
    mvadd_wch(y, x + 1, &character);
  } else if (::setcchar(&character, wide.c_str(), attributes[ink], pairs[ink], nullptr) != OK) {
    ::setcchar(&character, L"?", attributes[ink], pairs[ink], nullptr);
  }
  mvadd_wch(y, x, &character);
}

Terminal::Terminal(std::unique_ptr<State> state) : state_(std::move(state)) {}

Result<std::unique_ptr<Terminal>> Terminal::open(const TerminalOptions& options) {
  if (::isatty(STDIN_FILENO) == 0 || ::isatty(STDOUT_FILENO) == 0) {
    return fail("a screen needs a terminal");
  }
  auto state = std::make_unique<State>();
  state->options = options;
  state->locale = locale_from_environment();
  if (state->locale != nullptr) state->locale_before = ::uselocale(state->locale);
  // Before newterm(), which changes the settings that the guard has to remember.
  state->crash_guard = std::make_unique<CrashGuard>(STDOUT_FILENO);
  state->screen = ::newterm(nullptr, stdout, stdin);
  // From here on the destructor gives everything back.
  std::unique_ptr<Terminal> terminal(new Terminal(std::move(state)));
  if (terminal->state_->screen == nullptr || !can_move_cursor()) {
    const char* name = std::getenv("TERM");
    return fail(std::string("this terminal (TERM=") + (name == nullptr ? "" : name) +
                ") cannot show a screen");
  }
  // Keys one by one and unechoed, Enter as it is typed; read_key() never waits, wait_for_input()
  // does.
  ::cbreak();
  ::noecho();
  ::nonl();
  ::keypad(stdscr, TRUE);
  ::nodelay(stdscr, TRUE);
  ::set_escdelay(kEscapeWait);
  ::define_key("\033[200~", kPasteBegin);
  ::define_key("\033[201~", kPasteEnd);
  ::define_key("\033[1;5D", kWordLeft);
  ::define_key("\033[1;5C", kWordRight);
  terminal->state_->prepare_inks();
  CrashGuard::leave_with(std::string(kPastesOff) + capability("sgr0") + capability("rmkx") +
                         capability("cnorm") + capability("rmcup"));
  write_raw(kPastesOn);
  return terminal;
}

Terminal::~Terminal() {
  // From here on the ordinary way out does its work.
  state_->crash_guard.reset();
  if (state_->screen != nullptr) {
    hand_over();
    ::delscreen(state_->screen);
  }
  if (state_->locale != nullptr) {
    ::uselocale(state_->locale_before);
    ::freelocale(state_->locale);
  }
}

Size Terminal::size() const {
  return {COLS, LINES};
}

void Terminal::show(const Canvas& canvas) {
  // ncurses compares with what is on the screen and sends only the difference.
  ::erase();
  for (int y = 0; y < canvas.size().height; ++y) {
    for (int x = 0; x < canvas.size().width; ++x) {
      const CanvasCell& cell = canvas.at({x, y});
      if (cell.columns > 0) state_->draw_cell(x, y, cell);
    }
  }
  const std::optional<Point> cursor = canvas.cursor();
  ::curs_set(cursor ? 1 : 0);
  if (cursor) ::move(cursor->y, cursor->x);
  ::refresh();
}

std::optional<Keystroke> Terminal::read_key() {
  wint_t character = 0;
  const int kind = ::get_wch(&character);
  if (kind == ERR) return {};
  if (kind == KEY_CODE_YES) return key_of_code(character);
  if (character == 0x1B) return key_after_escape();
  return key_of_character(character);
}

void Terminal::resize() {
  winsize now = {};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &now) != 0) return;
  if (now.ws_row > 0 && now.ws_col > 0) ::resizeterm(now.ws_row, now.ws_col);
  forget();
}

void Terminal::forget() {
  ::clearok(curscr, TRUE);
}

void Terminal::hand_over() {
  write_raw(kPastesOff);
  ::curs_set(1);
  ::endwin();
}

void Terminal::take_back() {
  ::reset_prog_mode();
  write_raw(kPastesOn);
  resize();
  ::refresh();
}

}  // namespace airlock::tui
