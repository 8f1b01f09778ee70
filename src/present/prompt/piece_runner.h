// Runs pieces in a session and tells about each: what it prints as it comes, then its value, what
// went wrong, and the files that it left. The same for a person at the prompt and for files.
// Standard output has what the guest says and the values, or a line of JSON for each piece;
// everything else goes to standard error. For one thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "engine/session/session.h"
#include "present/prompt/artifact_folder.h"
#include "present/report/style.h"

namespace airlock::prompt {

enum class Form { kText, kJson };

struct Telling {
  Form form = Form::kText;
  cli::Colour colour = cli::Colour::kNever;  // for standard error: nothing else is coloured
  bool is_conversation = false;              // every piece ends on a line of its own
  std::optional<ArtifactFolder> out;
};

enum class PieceCame { kDone, kFailed, kAskedToEnd, kAskedToFail };

class PieceRunner final : public SessionListener {
 public:
  PieceRunner(Session& session, Telling telling)
      : session_(session), telling_(std::move(telling)) {}

  // An Error: no isolation any more, or standard output takes nothing.
  Result<PieceCame> run(std::string_view code);

  // What a question of ours prints (PieceRun::is_aside), unjudged; nothing when it failed.
  Result<std::optional<std::string>> ask(std::string_view code);

  // Whether a file of a piece could not be written.
  bool has_missed_file() const { return has_missed_file_; }
  // Whether the reader of standard output has gone away.
  bool is_unread() const { return is_unread_; }

  void printed(OutputStream stream, std::string_view text) override;
  void called(const HostCall& call) override;

 private:
  void say(std::string_view text);
  void note(std::string_view text);
  void end_lines();
  void tell(const PieceReport& report);
  void keep_artifacts(const PieceReport& report);

  Session& session_;
  Telling telling_;
  std::string last_;  // byte of what was printed on either stream
  bool is_aside_ = false;
  bool has_missed_file_ = false;
  bool is_unread_ = false;
  int trouble_ = 0;  // errno of standard output
};

}  // namespace airlock::prompt
