#include "present/cli/drafts_edit.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <iostream>

#include "base/fd.h"
#include "base/printable.h"
#include "base/variable.h"
#include "engine/approve/drafts.h"
#include "os/write_all.h"
#include "present/report/drafts_output.h"
#include "wizard/editor.h"

namespace airlock::cli {

namespace {

bool wants_another_try() {
  write_to_error_stream("Edit it again? [Y/n] ");
  std::string answer;
  if (!std::getline(std::cin, answer)) return false;
  return answer.empty() || answer.front() == 'y' || answer.front() == 'Y';
}

// What a person wrote is not thrown away because it does not pass yet: it is kept in a file, whose
// name is said.
void save_refused_text(const Draft& refused) {
  const std::string ending = refused.kind == OutputKind::kPython ? ".py" : ".yaml";
  const std::string place = variable("TMPDIR");
  std::string file = (place.starts_with('/') ? place : "/tmp") + "/airlock-refused-XXXXXX" + ending;
  const Fd out(::mkostemps(file.data(), static_cast<int>(ending.size()), O_CLOEXEC));
  if (!out.is_open()) return;
  if (os::write_all(out.get(), refused.text) == 0) complain("What you wrote is in " + file);
}

Result<int> keep(const Draft& before, const JudgedDraft& judged, Format format,
                 const Environment& environment) {
  const auto kept = TRY(change_draft(environment.user_dirs, before, judged.text));
  if (format == Format::kJson) return write_report(draft_as_json(kept)) ? kAccepted : kBadRequest;
  std::string text = judged_as_text(judged, "draft " + before.id, environment.colour);
  text += "The draft " + kept.id + " is changed. To approve it: airlock approve " + kept.id +
          " --name " + (kept.name.empty() ? "NAME" : printable(kept.name)) + "\n";
  return write_report(text) ? kAccepted : kBadRequest;
}

}  // namespace

Result<int> edit_draft(const std::string& id, Format format, const Environment& environment) {
  const auto before = TRY(find_draft(environment.user_dirs, id));
  const wizard::EditorChoice editor{variable("VISUAL"), variable("EDITOR")};
  Draft now = before;
  // Each round edits the text of the round before; the stored draft changes only when a text
  // passes.
  while (true) {
    auto edited =
        wizard::edit_text(editor, now.text, now.kind == OutputKind::kPython ? ".py" : ".yaml");
    if (!edited)
      return std::unexpected(
          std::move(edited).error().and_line("The draft " + before.id + " is unchanged."));
    if (*edited == before.text) {
      complain("Nothing was changed in the draft " + before.id + ".");
      return format == Format::kJson && !write_report(draft_as_json(before)) ? kBadRequest
                                                                             : kAccepted;
    }
    now.text = *std::move(edited);
    const auto judged = TRY(judge(now, format, environment));
    if (judged.valid) return keep(before, judged, format, environment);
    const bool is_person = format == Format::kText && is_person_there();
    if (!write_judged(judged, "draft " + before.id, format, environment)) return kBadRequest;
    complain("The edited text is refused; the draft " + before.id + " is as it was.");
    if (is_person && wants_another_try()) continue;
    save_refused_text(now);
    return kRefused;
  }
}

}  // namespace airlock::cli
