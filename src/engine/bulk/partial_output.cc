#include "engine/bulk/partial_output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/bulk/row_conversion.h"
#include "engine/bulk/shard_manifest.h"
#include "os/files.h"
#include "os/open_file.h"
#include "os/replace_file.h"
#include "os/write_all.h"

namespace airlock {

namespace {

constexpr std::size_t kChunk = 256 * 1024;      // bytes read at a time
constexpr std::size_t kMaxState = 1024 * 1024;  // bytes of a state file

// The state file. check_state() compares it member by member.
nlohmann::json as_json(const JobFacts& facts) {
  std::vector<std::string> inputs;  // names are bytes, and JSON is text
  for (const std::string& name : facts.inputs)
    inputs.push_back(
        nlohmann::json(name).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  return {{"version", 1},
          {"extractor", facts.extractor_sha256},
          {"policy", facts.policy},
          {"timeout", facts.limits.timeout_ms},
          {"memory", facts.limits.memory_bytes},
          {"shard", facts.shard},
          {"paths", inputs},
          {"separator", facts.separator == Separator::kNul ? "nul" : "newline"}};
}

constexpr const char* kPartial = ".partial";
constexpr const char* kState = ".partial.state";

}  // namespace

std::optional<OutputFormat> output_format(std::string_view file) {
  if (file.ends_with(".ndjson")) return OutputFormat::kNdjson;
  if (file.ends_with(".csv")) return OutputFormat::kCsv;
  if (file.ends_with(".sqlite")) return OutputFormat::kSqlite;
  return std::nullopt;
}

Result<std::unique_ptr<PartialOutput>> PartialOutput::open(const std::string& file,
                                                           const JobFacts& facts,
                                                           StartMode beginning) {
  const auto format = output_format(file);
  if (!format)
    return bad_request("write " + file + ": the name must end in .ndjson, .csv or .sqlite");
  std::unique_ptr<PartialOutput> output(new PartialOutput(file, *format));
  TRY(output->open_folder());
  TRY(output->open_partial(facts, beginning));
  return output;
}

// Also checks now that FILE can be put in place: a job of hours must not end with "that is a
// folder".
Result<void> PartialOutput::open_folder() {
  const std::filesystem::path path(file_);
  name_ = path.filename().native();
  const std::string above = path.has_parent_path() ? path.parent_path().native() : ".";
  folder_ = Fd(::open(above.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder_.is_open()) return bad_request_errno("write " + file_);
  struct stat there{};
  if (::fstatat(folder_.get(), name_.c_str(), &there, 0) == 0 && !S_ISREG(there.st_mode))
    return bad_request(
        "write " + file_ + ": it is " +
        std::string(S_ISCHR(there.st_mode) ? "a device" : os::what_instead_of_file(there)) +
        ", not a file");
  return {};
}

bool PartialOutput::is_beside(const std::string& ending) const {
  struct stat there{};
  return ::fstatat(folder_.get(), (name_ + ending).c_str(), &there, AT_SYMLINK_NOFOLLOW) == 0;
}

Result<void> PartialOutput::open_partial(const JobFacts& facts, StartMode beginning) {
  const std::string name = partial_name();
  const bool was_begun = is_beside(kPartial);
  if (was_begun && beginning == StartMode::kFresh) {
    return bad_request(
        "write " + file_ + ": " + name +
        " is there, from a job that has not ended. Use --resume to go on with it, or remove "
        "it to begin anew");
  }
  auto opened =
      TRY(was_begun ? os::open_own_file(folder_.get(), name_ + kPartial, name, O_RDWR | O_APPEND)
                    : make_beside(kPartial));
  partial_ = std::move(opened);
  // Held until the file is closed: two jobs never write to one file.
  if (::flock(partial_.get(), LOCK_EX | LOCK_NB) != 0)
    return bad_request("write " + name + ": another airlock is writing to it");
  // An empty one counts as new: the earlier job was killed before its first row.
  struct stat now{};
  if (::fstat(partial_.get(), &now) != 0) return bad_request_errno("write " + name);
  if (now.st_size == 0) return write_state(facts);
  TRY(check_state(facts));
  return find_kept_rows();
}

// Mode 0600: only this user may read or write it until it is done.
Result<Fd> PartialOutput::make_beside(const std::string& ending) const {
  Fd file(::openat(folder_.get(), (name_ + ending).c_str(),
                   O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file.is_open()) return bad_request_errno("write " + file_ + ending);
  return file;
}

Result<void> PartialOutput::write_state(const JobFacts& facts) const {
  return within("write " + file_,
                os::place_file_beneath(folder_, name_ + kState, as_json(facts).dump() + "\n"));
}

Result<void> PartialOutput::check_state(const JobFacts& facts) const {
  const std::string resume = "resume " + file_;
  const std::string doing = resume + ": ";
  const auto opened = TRY(
      as(ErrorKind::kRequest,
         within(resume, os::open_own_file(folder_.get(), name_ + kState, state_name(), O_RDONLY))));
  const auto bytes = TRY(
      as(ErrorKind::kRequest, within(resume, os::read_opened(opened, kMaxState, state_name()))));
  const auto state = nlohmann::json::parse(bytes.bytes, nullptr, false);
  if (!state.is_object()) return bad_request(doing + state_name() + " is damaged");
  // The first difference is told; a state file of another version differs in "version".
  const nlohmann::json wanted = as_json(facts);
  for (const auto& [key, value] : wanted.items()) {
    if (state.contains(key) && state[key] == value) continue;
    return bad_request(doing + "the job that was begun is not this one: " + key +
                       " differs. Give the same again, or remove " + partial_name() +
                       " to begin anew");
  }
  return {};
}

// Counts whole lines, remembers the last one, and cuts off what follows it: a job that was killed
// may have written half a row.
Result<void> PartialOutput::find_kept_rows() {
  std::string chunk(kChunk, '\0');
  std::uint64_t at = 0;
  std::string line;  // the beginning of the one that has not ended yet
  while (true) {
    const ssize_t got = ::pread(partial_.get(), chunk.data(), chunk.size(), static_cast<off_t>(at));
    if (got < 0) return bad_request_errno("read " + partial_name());
    if (got == 0) break;
    std::string_view rest(chunk.data(), static_cast<std::size_t>(got));
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
      line += rest.substr(0, end);
      last_kept_row_.swap(line);
      line.clear();
      rest.remove_prefix(end + 1);
      ++kept_rows_;
      size_ = at + static_cast<std::uint64_t>(got) - rest.size();
    }
    line += rest;
    at += static_cast<std::uint64_t>(got);
  }
  if (::ftruncate(partial_.get(), static_cast<off_t>(size_)) != 0)
    return bad_request_errno("cut a torn row off " + partial_name());
  return {};
}

Result<void> PartialOutput::write(std::string_view rows) {
  const int why = os::write_all(partial_.get(), rows);
  if (why == 0) {
    size_ += rows.size();
    return {};
  }
  // What is there stays whole; if even this fails, --resume cuts the torn row off.
  [[maybe_unused]] const int cut = ::ftruncate(partial_.get(), static_cast<off_t>(size_));
  errno = why;
  return bad_request_errno("write " + partial_name());
}

// With the mode that a new file of this user would have; it was made with 0600.
Result<void> PartialOutput::put_in_place(const Fd& made, const std::string& ending) const {
  if (::fchmod(made.get(), os::usual_mode()) != 0 || ::fsync(made.get()) != 0)
    return bad_request_errno("write " + file_);
  if (::renameat(folder_.get(), (name_ + ending).c_str(), folder_.get(), name_.c_str()) != 0)
    return bad_request_errno("put " + file_ + " in place");
  // Makes the rename itself durable. If it fails the file is in place all the same.
  ::fsync(folder_.get());
  return {};
}

// What an earlier attempt left is removed first; the lock on the partial file means that no other
// job is using it.
Result<void> PartialOutput::convert(const std::string& ending) const {
  const std::string name = name_ + ending;
  if (::unlinkat(folder_.get(), name.c_str(), 0) != 0 && errno != ENOENT)
    return bad_request_errno("replace " + file_ + ending);
  const auto made = TRY(make_beside(ending));
  const NamedFile rows{partial_, partial_name()};
  const NamedFile to{made, file_ + ending};
  auto done = format_ == OutputFormat::kCsv ? rows_to_csv(rows, to)
                                            : rows_to_sqlite(rows, to, folder_, name);
  if (done) done = put_in_place(made, ending);
  if (!done) ::unlinkat(folder_.get(), name.c_str(), 0);
  return done;
}

// Rows first, to the disk; then the file in place; the state last. Killed at any point, --resume
// finds either a job to go on with or a finished file.
Result<void> PartialOutput::finish() {
  if (::fsync(partial_.get()) != 0) return bad_request_errno("write " + partial_name());
  if (format_ == OutputFormat::kNdjson) {
    TRY(put_in_place(partial_, kPartial));
  } else {
    TRY(convert(format_ == OutputFormat::kCsv ? ".partial.csv" : ".partial.sqlite"));
    ::unlinkat(folder_.get(), (name_ + kPartial).c_str(), 0);
  }
  ::unlinkat(folder_.get(), (name_ + kState).c_str(), 0);
  return {};
}

// A manifest never stands beside a FILE that it does not describe: an earlier one goes first, this
// one comes last.
Result<void> PartialOutput::finish(const MakeManifest& manifest) {
  const std::string text = manifest(TRY(facts_of_rows(partial_, partial_name())));
  const std::string name = manifest_name(name_);
  if (::unlinkat(folder_.get(), name.c_str(), 0) != 0 && errno != ENOENT)
    return bad_request_errno("replace " + manifest_name(file_));
  TRY(finish());
  return within("write " + manifest_name(file_), os::place_file_beneath(folder_, name, text));
}

void PartialOutput::discard() {
  ::unlinkat(folder_.get(), (name_ + kPartial).c_str(), 0);
  ::unlinkat(folder_.get(), (name_ + kState).c_str(), 0);
}

}  // namespace airlock
