// The text goes into a file of mode 0600 in a folder of mode 0700 that is made for it and removed
// afterwards, whatever the editor left there (backups, swap files). What EDITOR says is split into
// words as a shell would, and no shell sees it.
#include "wizard/editor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>
#include <vector>

#include "base/fd.h"
#include "base/utf8.h"
#include "os/files.h"
#include "os/terminal_program.h"
#include "os/write_all.h"

namespace airlock::wizard {

namespace {

constexpr std::size_t kLongestText = std::size_t{1024} * 1024;  // bytes

// Editors with a window of their own hand the file to it and end at once, unless they are asked to
// wait.
struct WaitFlag {
  std::string_view program;
  std::string_view flag;
  std::string_view short_flag;
};
constexpr std::array kWaitFlags = {
    WaitFlag{"code", "--wait", "-w"},         WaitFlag{"code-insiders", "--wait", "-w"},
    WaitFlag{"code-oss", "--wait", "-w"},     WaitFlag{"codium", "--wait", "-w"},
    WaitFlag{"vscodium", "--wait", "-w"},     WaitFlag{"cursor", "--wait", "-w"},
    WaitFlag{"windsurf", "--wait", "-w"},     WaitFlag{"zed", "--wait", "-w"},
    WaitFlag{"zeditor", "--wait", "-w"},      WaitFlag{"subl", "--wait", "-w"},
    WaitFlag{"sublime_text", "--wait", "-w"}, WaitFlag{"atom", "--wait", "-w"},
    WaitFlag{"pulsar", "--wait", "-w"},       WaitFlag{"mate", "--wait", "-w"},
    WaitFlag{"bbedit", "--wait", "-w"},       WaitFlag{"gedit", "--wait", "-w"},
    WaitFlag{"xed", "--wait", "-w"},          WaitFlag{"idea", "--wait", "--wait"},
    WaitFlag{"pycharm", "--wait", "--wait"},  WaitFlag{"charm", "--wait", "--wait"},
    WaitFlag{"kate", "--block", "-b"},        WaitFlag{"gvim", "--nofork", "-f"},
    WaitFlag{"mvim", "--nofork", "-f"},       WaitFlag{"gnome-text-editor", "--standalone", "-s"},
};

// What there may be when nobody has said anything, the friendliest first.
constexpr std::array<std::string_view, 5> kUsualEditors = {"editor", "nano", "vim", "vi", "ed"};

constexpr bool is_blank(char letter) {
  return letter == ' ' || letter == '\t' || letter == '\n';
}

// Words between blanks; quotes hold them together, a backslash takes the next letter as it is.
// Nothing: a quote is not closed.
std::optional<std::vector<std::string>> split_words(std::string_view text) {
  std::vector<std::string> words;
  std::optional<std::string> word;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quote == 0 && is_blank(letter)) {
      if (word) words.push_back(*word);
      word.reset();
      continue;
    }
    if (!word) word.emplace();
    if (letter == quote) {
      quote = 0;
    } else if (quote == 0 && (letter == '\'' || letter == '"')) {
      quote = letter;
    } else if (letter == '\\' && quote != '\'' && i + 1 < text.size()) {
      *word += text[++i];
    } else {
      *word += letter;
    }
  }
  if (quote != 0) return std::nullopt;
  if (word) words.push_back(*std::move(word));
  return words;
}

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

// Adds the flag behind the program's name, unless the user has given it in either form.
void ask_to_wait(std::vector<std::string>& words) {
  const auto* row = std::ranges::find(kWaitFlags, last_part(words.front()), &WaitFlag::program);
  if (row == kWaitFlags.end()) return;
  const bool is_asked = std::ranges::any_of(
      words, [&](const std::string& word) { return word == row->flag || word == row->short_flag; });
  if (!is_asked) words.insert(words.begin() + 1, std::string(row->flag));
}

bool is_only_blanks(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

struct Editor {
  std::vector<std::string> words;
  std::string variable;  // who named it; empty: nobody did
};

Result<Editor> find_editor(const EditorChoice& choice) {
  const bool has_visual = !is_only_blanks(choice.visual);
  const std::string& said = has_visual ? choice.visual : choice.editor;
  if (!is_only_blanks(said)) {
    Editor editor{.words = {}, .variable = has_visual ? "VISUAL" : "EDITOR"};
    // A program in a folder with a blank in its name, written without quotes.
    if (said.contains('/') && os::is_program(said)) {
      editor.words = {said};
    } else if (auto words = split_words(said);
               words && !words->empty() && !words->front().empty()) {
      editor.words = *std::move(words);
    } else {
      return bad_request(editor.variable + " is '" + said +
                         "': a quote in it is not closed. Set it to a program, such as nano");
    }
    ask_to_wait(editor.words);
    return editor;
  }
  for (const std::string_view name : kUsualEditors) {
    if (os::is_program(std::string(name)))
      return Editor{.words = {std::string(name)}, .variable = {}};
  }
  return bad_request("there is no editor: set VISUAL or EDITOR to one, for example EDITOR=nano");
}

// A folder of our own, gone with everything in it at the end.
class TemporaryFolder {
 public:
  // Only an absolute TMPDIR counts: a relative one would mean another place in every working
  // directory.
  static Result<TemporaryFolder> make() {
    const char* place = std::getenv("TMPDIR");
    std::string name = place != nullptr && *place == '/' ? place : "/tmp";
    name += "/airlock-edit-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr)
      return bad_request_errno("make a folder for the text to edit in " + name);
    return TemporaryFolder(std::move(name));
  }
  TemporaryFolder(TemporaryFolder&& other) noexcept : name_(std::exchange(other.name_, {})) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!name_.empty()) std::filesystem::remove_all(name_, ignored);
  }

  const std::string& name() const { return name_; }

 private:
  explicit TemporaryFolder(std::string name) : name_(std::move(name)) {}

  std::string name_;
};

Result<void> write_text(const std::string& file, std::string_view text) {
  const Fd out(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!out.is_open()) return bad_request_errno("write the text to edit, " + file);
  errno = os::write_all(out.get(), text);
  if (errno != 0) return bad_request_errno("write the text to edit, " + file);
  return {};
}

Result<std::string> read_back(const std::string& file, const std::string& editor) {
  struct stat facts{};
  // lstat: a symbolic link in place of the file would make us read whatever it points to.
  if (::lstat(file.c_str(), &facts) != 0)
    return bad_request(editor + " has removed the file; the text is as it was");
  if (!S_ISREG(facts.st_mode))
    return bad_request(editor +
                       " has put something else in place of the file; the text is as it was");
  auto read = TRY(os::read_file(file, kLongestText));
  if (read.size > kLongestText)
    return bad_request(
        "the text is longer than 1 MiB now, which no extractor is; it stays as it was");
  if (is_only_blanks(read.bytes))
    return bad_request("the file is empty now; the text stays as it was");
  if (const auto at = find_invalid_utf8(read.bytes)) {
    const auto line = 1 + std::count(read.bytes.begin(),
                                     read.bytes.begin() + static_cast<std::ptrdiff_t>(*at), '\n');
    return bad_request("the text is not UTF-8 any more (line " + std::to_string(line) +
                       "); it stays as it was");
  }
  return std::move(read.bytes);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace

std::string editor_command(const EditorChoice& choice) {
  const auto editor = find_editor(choice);
  return editor ? joined(editor->words) : std::string();
}

Result<std::string> edit_text(const EditorChoice& choice, std::string_view text,
                              std::string_view suffix) {
  auto editor = TRY(find_editor(choice));
  const std::string program = editor.words.front();
  if (!os::is_program(program))
    return bad_request("there is no editor '" + program + "'" +
                       (editor.variable.empty() ? "" : ", which " + editor.variable + " names") +
                       ": set VISUAL or EDITOR to one that is installed, for example EDITOR=nano");
  auto folder = TRY(TemporaryFolder::make());
  const std::string file = folder.name() + "/extractor" + std::string(suffix);
  TRY(write_text(file, text));
  editor.words.push_back(file);
  const auto status = TRY(os::run_on_terminal(editor.words));
  if (status.was_signalled)
    return bad_request(program + " was ended by " + status.describe() + "; the text is as it was");
  if (status.number != 0)
    return bad_request(program + " ended with " + status.describe() + "; the text is as it was");
  return read_back(file, program);
}

}  // namespace airlock::wizard
