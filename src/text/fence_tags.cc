// The first word of a fence's info string, as models write it. What is not in the table (a title, a
// language nobody thought of) counts as untagged: the block's content decides.
#include <algorithm>
#include <array>

#include "text/fences.h"
#include "text/line_scan.h"

namespace airlock::text {

namespace {

struct Tag {
  std::string_view name;
  BlockKind kind;
};

// kOther: known not to be Python, so such a block is chosen only when no other defines extract.
constexpr std::array kTags = {
    Tag{"python", BlockKind::kPython},
    Tag{"py", BlockKind::kPython},
    Tag{"python3", BlockKind::kPython},
    Tag{"py3", BlockKind::kPython},
    Tag{"python2", BlockKind::kPython},
    Tag{"pycon", BlockKind::kPython},
    Tag{"ipython", BlockKind::kPython},
    Tag{"ipython3", BlockKind::kPython},
    Tag{"pyi", BlockKind::kPython},
    Tag{"python-repl", BlockKind::kPython},
    Tag{"tool_code", BlockKind::kPython},
    Tag{"json", BlockKind::kJson},
    Tag{"jsonc", BlockKind::kJson},
    Tag{"json5", BlockKind::kJson},
    Tag{"markdown", BlockKind::kMarkdown},
    Tag{"md", BlockKind::kMarkdown},
    Tag{"diff", BlockKind::kDiff},
    Tag{"patch", BlockKind::kDiff},
    Tag{"bash", BlockKind::kShell},
    Tag{"sh", BlockKind::kShell},
    Tag{"shell", BlockKind::kShell},
    Tag{"zsh", BlockKind::kShell},
    Tag{"console", BlockKind::kShell},
    Tag{"terminal", BlockKind::kShell},
    Tag{"powershell", BlockKind::kShell},
    Tag{"cmd", BlockKind::kShell},
    Tag{"shell-session", BlockKind::kShell},
    Tag{"text", BlockKind::kOther},
    Tag{"txt", BlockKind::kOther},
    Tag{"plaintext", BlockKind::kOther},
    Tag{"plain", BlockKind::kOther},
    Tag{"output", BlockKind::kOther},
    Tag{"out", BlockKind::kOther},
    Tag{"log", BlockKind::kOther},
    Tag{"yaml", BlockKind::kOther},
    Tag{"yml", BlockKind::kOther},
    Tag{"toml", BlockKind::kOther},
    Tag{"ini", BlockKind::kOther},
    Tag{"xml", BlockKind::kOther},
    Tag{"html", BlockKind::kOther},
    Tag{"css", BlockKind::kOther},
    Tag{"csv", BlockKind::kOther},
    Tag{"sql", BlockKind::kOther},
    Tag{"javascript", BlockKind::kOther},
    Tag{"js", BlockKind::kOther},
    Tag{"typescript", BlockKind::kOther},
    Tag{"ts", BlockKind::kOther},
    Tag{"java", BlockKind::kOther},
    Tag{"c", BlockKind::kOther},
    Tag{"cpp", BlockKind::kOther},
    Tag{"c++", BlockKind::kOther},
    Tag{"rust", BlockKind::kOther},
    Tag{"go", BlockKind::kOther},
    Tag{"ruby", BlockKind::kOther},
    Tag{"mermaid", BlockKind::kOther},
    Tag{"tree", BlockKind::kOther},
    Tag{"regex", BlockKind::kOther},
    Tag{"dockerfile", BlockKind::kOther},
    Tag{"makefile", BlockKind::kOther},
    Tag{"traceback", BlockKind::kOther},
    Tag{"pytb", BlockKind::kOther},
    Tag{"error", BlockKind::kOther},
};

}  // namespace

BlockKind kind_of_tag(std::string_view tag) {
  // No tag of the table is longer; an info string may be of any length.
  const std::string name = lower(tag.substr(0, 64));
  if (name.ends_with(".py")) return BlockKind::kPython;
  const auto found = std::ranges::find(kTags, name, &Tag::name);
  return found == kTags.end() ? BlockKind::kUntagged : found->kind;
}

}  // namespace airlock::text
