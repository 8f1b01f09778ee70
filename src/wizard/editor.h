// A text in the user's own editor: $VISUAL, then $EDITOR, then what the system has. Editors with a
// window of their own get --wait. The text is in a private file that is gone afterwards.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace airlock::wizard {

struct EditorChoice {
  std::string visual;  // VISUAL
  std::string editor;  // EDITOR
};

// What would be started, for the screen: "vim", "code --wait".
std::string editor_command(const EditorChoice& choice);

// The caller has given the terminal away before and takes it back afterwards. An Error keeps the
// original: no editor, it ended with another code than 0, it was killed, or the file is gone.
Result<std::string> edit_text(const EditorChoice& choice, std::string_view text,
                              std::string_view suffix);

}  // namespace airlock::wizard
