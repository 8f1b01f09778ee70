// The folder of --out: what pieces left in /out is written there. Names come from the guest, so
// only plain relative ones are taken, no link on the way is followed, and a file that was there
// before is left alone.
#pragma once

#include <set>
#include <string>

#include "base/fd.h"
#include "base/result.h"
#include "model/piece.h"

namespace airlock::prompt {

class ArtifactFolder {
 public:
  // Made if it is missing.
  static Result<ArtifactFolder> open(const std::string& path);

  // Whole or not at all; over one of our own, but over no other. An Error says why not.
  Result<void> write(const Artifact& artifact);

  // Where the artifact is, for people.
  std::string place_of(const Artifact& artifact) const;

 private:
  ArtifactFolder(std::string path, Fd folder)
      : path_(std::move(path)), folder_(std::move(folder)) {}

  std::string path_;
  Fd folder_;
  std::set<std::string> ours_;  // names that we have written
};

// Whether a name of the guest's is one that a user can be given: relative, every part with glyphs
// and none of them "." or "..".
bool is_plain_artifact_name(std::string_view name);

}  // namespace airlock::prompt
