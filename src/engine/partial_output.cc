#include "engine/partial_output.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/row_conversion.h"
#include "os/files.h"
#include "os/interrupts.h"

namespace airlock {

namespace {

constexpr std::size_t kChunk = 256 * 1024;
constexpr std::size_t kMaxState = 1024 * 1024;

Result<void> write_all(const Fd& file, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return fail_errno("write " + name);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

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

void sync_folder_of(const std::string& file) {
  const auto folder = std::filesystem::path(file).parent_path();
  const Fd handle(
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (handle.is_open()) ::fsync(handle.get());
}

bool is_there(const std::string& name) {
  struct stat facts{};
  return ::stat(name.c_str(), &facts) == 0;
}

}  // namespace

std::optional<OutputFormat> output_format(std::string_view file) {
  if (file.ends_with(".ndjson")) return OutputFormat::kNdjson;
  if (file.ends_with(".csv")) return OutputFormat::kCsv;
  if (file.ends_with(".sqlite")) return OutputFormat::kSqlite;
  return std::nullopt;
}

Result<std::unique_ptr<PartialOutput>> PartialOutput::open(const std::string& file,
                                                           const JobFacts& facts,
                                                           Beginning beginning) {
  const auto format = output_format(file);
  if (!format) return fail("write " + file + ": the name must end in .ndjson, .csv or .sqlite");
  std::unique_ptr<PartialOutput> output(new PartialOutput(file, *format));
  TRY(output->open_partial(facts, beginning));
  return output;
}

Result<void> PartialOutput::open_partial(const JobFacts& facts, Beginning beginning) {
  const std::string name = partial_name();
  const bool was_begun = is_there(name);
  if (was_begun && beginning == Beginning::kAnew) {
    return fail(
        "write " + file_ + ": " + name +
        " is there, from a job that has not ended. Use --resume to go on with it, or remove "
        "it to begin anew");
  }
  partial_ = Fd(::open(name.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666));
  if (!partial_.is_open()) return fail_errno("write " + name);
  if (::flock(partial_.get(), LOCK_EX | LOCK_NB) != 0)
    return fail("write " + name + ": another airlock is writing to it");
  // An empty one is as good as none: the job was killed before its first row.
  struct stat now{};
  if (::fstat(partial_.get(), &now) != 0) return fail_errno("write " + name);
  if (now.st_size == 0) return write_state(facts);
  TRY(check_state(facts));
  return find_kept_rows();
}

Result<void> PartialOutput::write_state(const JobFacts& facts) const {
  const std::string name = state_name();
  const Fd state(::open(name.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!state.is_open()) return fail_errno("write " + name);
  TRY(write_all(state, as_json(facts).dump() + "\n", name));
  if (::fsync(state.get()) != 0) return fail_errno("write " + name);
  return {};
}

Result<void> PartialOutput::check_state(const JobFacts& facts) const {
  const std::string doing = "resume " + file_ + ": ";
  const auto bytes = os::read_file(state_name(), kMaxState);
  if (!bytes) return fail(doing + bytes.error().message);
  const auto state = nlohmann::json::parse(bytes->bytes, nullptr, false);
  if (!state.is_object()) return fail(doing + state_name() + " is damaged");
  const nlohmann::json wanted = as_json(facts);
  for (const auto& [key, value] : wanted.items()) {
    if (state.contains(key) && state[key] == value) continue;
    return fail(doing + "the job that was begun is not this one: " + key +
                " differs. Give the same again, or remove " + partial_name() + " to begin anew");
  }
  return {};
}

Result<void> PartialOutput::find_kept_rows() {
  std::string chunk(kChunk, '\0');
  std::uint64_t at = 0;
  std::string line;  // the beginning of the one that has not ended yet
  while (true) {
    const ssize_t got = ::pread(partial_.get(), chunk.data(), chunk.size(), static_cast<off_t>(at));
    if (got < 0) return fail_errno("read " + partial_name());
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
    return fail_errno("cut a torn row off " + partial_name());
  return {};
}

Result<void> PartialOutput::write(std::string_view rows) {
  auto written = write_all(partial_, rows, partial_name());
  if (written) {
    size_ += rows.size();
    return {};
  }
  // What is there stays whole; if even this fails, --resume cuts the torn row off.
  [[maybe_unused]] const int cut = ::ftruncate(partial_.get(), static_cast<off_t>(size_));
  return written;
}

Result<void> PartialOutput::replace_file(const std::string& with) const {
  if (::rename(with.c_str(), file_.c_str()) != 0) return fail_errno("put " + file_ + " in place");
  sync_folder_of(file_);
  return {};
}

Result<void> PartialOutput::finish() {
  if (::fsync(partial_.get()) != 0) return fail_errno("write " + partial_name());
  if (format_ == OutputFormat::kNdjson) {
    TRY(replace_file(partial_name()));
  } else {
    const bool is_csv = format_ == OutputFormat::kCsv;
    const std::string made = partial_name() + (is_csv ? ".csv" : ".sqlite");
    auto converted =
        is_csv ? rows_to_csv(partial_name(), made) : rows_to_sqlite(partial_name(), made);
    if (!converted) {
      ::unlink(made.c_str());
      return converted;
    }
    TRY(replace_file(made));
    ::unlink(partial_name().c_str());
  }
  ::unlink(state_name().c_str());
  return {};
}

}  // namespace airlock
