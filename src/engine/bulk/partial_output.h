// The rows of a bulk job in a file. While the job runs they stand in FILE.partial, one line of JSON
// each, whatever FILE is to become, and FILE.partial.state says which job it is. At the end FILE is
// made from them (the lines themselves, a CSV table, an SQLite file) and put in place at once.
//
// (1) FILE is whole or not there (or the one that was there before). (2) A job that ended early
// goes on where it was: complete lines are kept, a torn last one is cut off. (3) A job that is not
// the same is refused. (4) The names of the files beside FILE can be guessed, and the folder may be
// anybody's: each is made anew (O_EXCL, no link followed) in the folder as it was opened first, and
// what is found there is gone on with only when it is this user's own file. FILE itself is put in
// place by a rename, which replaces a link and follows none.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.h"
#include "base/result.h"
#include "engine/bulk/extract.h"

namespace airlock {

struct RowFacts;

enum class OutputFormat { kNdjson, kCsv, kSqlite };
// By how the name ends.
std::optional<OutputFormat> output_format(std::string_view file);

// What must be the same for a job to go on.
struct JobFacts {
  std::string extractor_sha256;
  std::string policy;
  RunLimits limits;
  std::string shard;
  std::vector<std::string> inputs;
  Separator separator = Separator::kNewline;
};

// kFresh refuses to touch what an unfinished job has left.
enum class StartMode { kFresh, kResume };

// Owns the open files and the lock; one thread. Without finish(), what was written stays for
// --resume.
class PartialOutput : public RowSink {
 public:
  static Result<std::unique_ptr<PartialOutput>> open(const std::string& file, const JobFacts& facts,
                                                     StartMode beginning);

  Result<void> write(std::string_view rows) override;
  // Makes FILE and removes what it was made from.
  Result<void> finish();

  // The same, with what FILE says about itself beside it (shard_manifest.h): `manifest` makes its
  // text of the rows.
  using MakeManifest = std::function<std::string(const RowFacts&)>;
  Result<void> finish(const MakeManifest& manifest);
  // Nothing is left of it.
  void discard();

  // What a job that was begun before has left.
  std::uint64_t kept_rows() const { return kept_rows_; }
  const std::string& last_kept_row() const { return last_kept_row_; }

  std::string partial_name() const { return file_ + ".partial"; }

 private:
  PartialOutput(std::string file, OutputFormat format) : file_(std::move(file)), format_(format) {}

  std::string state_name() const { return file_ + ".partial.state"; }
  Result<void> open_folder();
  Result<void> open_partial(const JobFacts& facts, StartMode beginning);
  Result<void> check_state(const JobFacts& facts) const;
  Result<void> write_state(const JobFacts& facts) const;
  Result<void> find_kept_rows();
  Result<Fd> make_beside(const std::string& ending) const;
  Result<void> convert(const std::string& ending) const;
  Result<void> put_in_place(const Fd& made, const std::string& ending) const;
  bool is_beside(const std::string& ending) const;

  std::string file_;
  OutputFormat format_;
  Fd folder_;         // that FILE is to stand in
  std::string name_;  // of FILE in it
  Fd partial_;
  std::uint64_t size_ = 0;  // of whole rows
  std::uint64_t kept_rows_ = 0;
  std::string last_kept_row_;
};

}  // namespace airlock
