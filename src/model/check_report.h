// What `airlock check` found in all its files; the presenters print it.
// A value without behaviour; it may be large, since it carries the bytes of every file.
#pragma once

#include <string>
#include <vector>

#include "model/verdict.h"

namespace airlock {

struct CheckedFile {
  std::string file;    // as the user named it; "<stdin>" for -
  std::string sha256;  // of the cleaned code, or of the raw bytes when no code could be read
  std::string raw;     // the bytes as they came, for showing lines of the file on disk
  Verdict verdict;
};

struct CheckReport {
  std::string policy;
  std::vector<CheckedFile> files;  // in the order in which they were named or found
};

}  // namespace airlock
