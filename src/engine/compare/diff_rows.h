// Two extractors on the same paths, one after the other: the rows of the first wait in a file
// without a name, and are compared with those of the second as they come. Memory stays flat. One
// after the other, because both want all processors.
//
// readable_twice() → job 1 into KeepingSink → job 2 into DiffingSink → result().
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "engine/bulk/extract.h"
#include "engine/compare/compare_rules.h"

namespace airlock {

// A file without a name; gone with it.
// Written once, then read once. Removed by the kernel when it is closed, even if we are killed.
class Spool {
 public:
  static Result<Spool> make();

  Result<void> write(std::string_view bytes);
  // From the beginning; write no more after this. Nothing at the end. Without its newline.
  Result<std::optional<std::string>> next_line();
  // A name under which it can be opened again, as long as it lives.
  std::string name() const;
  Result<void> flush();

 private:
  explicit Spool(std::FILE* file) : file_(file) {}

  StdioFile file_;
  bool is_read_ = false;
};

// The inputs as files that can be read twice: what is no plain file is copied into `spools`.
Result<std::vector<std::string>> readable_twice(const std::vector<std::string>& inputs,
                                                std::vector<Spool>& spools);

// For the job of the first.
class KeepingSink : public RowSink {
 public:
  explicit KeepingSink(Spool& spool) : spool_(spool) {}
  Result<void> write(std::string_view rows) override { return spool_.write(rows); }

 private:
  Spool& spool_;
};

// For the job of the second.
class DiffingSink : public RowSink {
 public:
  DiffingSink(Spool& before, std::size_t shown) : before_(before), pairs_(shown) {}
  Result<void> write(std::string_view rows) override;
  const Comparison& result() const { return pairs_.result(); }

 private:
  Spool& before_;
  AnswerPairs pairs_;
};

}  // namespace airlock
