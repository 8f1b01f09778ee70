// The *.py files below a folder, one at a time and in the order of their names; what is held is the
// listing of the folders on the way, however many files there are. Nothing outside of the folder is
// reached: links to folders are not followed, links to files only as long as they stay below it.
// A folder is opened once and everything is reached from that descriptor, so that nobody can put
// another tree in its place while we walk. One thread uses a walk; the files that it found may be
// read in others.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "os/files.h"

namespace airlock::os {

// A file that was found. It is opened below the folder in which it was found, whatever its name
// leads to by then.
class FoundFile {
 public:
  FoundFile(std::shared_ptr<const Fd> folder, std::string shown, std::string below)
      : folder_(std::move(folder)), shown_(std::move(shown)), below_(std::move(below)) {}

  const std::string& name() const { return shown_; }
  // As read_file() does it.
  Result<FileBytes> read(std::size_t limit) const;

 private:
  // Shared with the walk: a file may be read after the walk is gone.
  std::shared_ptr<const Fd> folder_;
  std::string shown_;
  std::string below_;
};

class PythonWalk {
 public:
  // What was passed over, each with a full sentence.
  struct Passed {
    std::vector<Error> unreadable;     // folders that could not be listed
    std::vector<std::string> skipped;  // links that lead out or to a folder, and what is no file
  };

  // `folder` as the user named it.
  static Result<PythonWalk> start(const std::string& folder);

  // Nothing at the end. Hidden folders and __pycache__ are left out.
  std::optional<FoundFile> next(Passed& passed);

 private:
  enum class Kind { kFolder, kFile, kLink };
  struct Entry {
    std::string name;
    Kind kind;
  };
  // A folder on the way; its entries are taken from the back.
  struct Level {
    std::string below;  // "" or "a/b/"
    std::vector<Entry> entries;
  };
  PythonWalk(Fd folder, std::string shown)
      : folder_(std::make_shared<const Fd>(std::move(folder))), shown_(std::move(shown)) {}

  void enter(const std::string& below, Passed& passed);
  std::optional<Kind> kind_of(int descriptor, const std::string& name, unsigned char type,
                              const std::string& below, Passed& passed) const;
  bool leads_to_file(const std::string& below, Passed& passed) const;

  std::shared_ptr<const Fd> folder_;
  std::string shown_;
  bool is_begun_ = false;
  std::vector<Level> levels_;
};

}  // namespace airlock::os
