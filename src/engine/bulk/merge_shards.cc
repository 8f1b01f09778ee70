#include "engine/bulk/merge_shards.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "engine/bulk/partial_output.h"
#include "engine/bulk/shard_manifest.h"
#include "os/files.h"
#include "os/interrupts.h"
#include "os/open_file.h"

namespace airlock {

namespace {

constexpr std::size_t kMaxManifest = 64 * 1024;   // bytes
constexpr std::size_t kReadAhead = 64 * 1024;     // bytes of each shard
constexpr std::size_t kMergedChunk = 256 * 1024;  // bytes of merged rows that are written at once
constexpr std::size_t kMostMissingNamed = 20;

struct NamedShard {
  std::string file;
  ShardManifest manifest;
};

std::string shard_text(std::uint64_t index, std::uint64_t count) {
  return std::to_string(index + 1) + "/" + std::to_string(count);
}

std::string lines_of(const std::vector<std::string>& problems) {
  std::string text = "The shards are not merged, and nothing is written:";
  for (const std::string& one : problems) text += "\n  " + one;
  return text;
}

std::vector<NamedShard> read_manifests(const std::vector<std::string>& files,
                                       std::vector<std::string>& problems) {
  std::vector<NamedShard> shards;
  for (const std::string& file : files) {
    if (!file.ends_with(".ndjson")) {
      problems.push_back(file + ": only shards that were written as .ndjson can be merged");
      continue;
    }
    const std::string name = manifest_name(file);
    const auto bytes = os::read_file(name, kMaxManifest);
    if (!bytes) {
      problems.push_back(file + ": its manifest is missing (" + bytes.error().message +
                         "): the shard has not ended, or was not written with --shard");
      continue;
    }
    auto manifest = read_manifest(bytes->bytes, name);
    if (manifest) {
      shards.push_back({file, std::move(*manifest)});
    } else {
      problems.push_back(file + ": " + manifest.error().message);
    }
  }
  return shards;
}

// In what a shard differs from the first one; "" when it is of the same job.
std::string difference(const ShardManifest& first, const ShardManifest& other) {
  if (first.count != other.count)
    return "one of " + std::to_string(other.count) + " shards, and not of " +
           std::to_string(first.count);
  if (first.extractor_sha256 != other.extractor_sha256) return "of another extractor";
  if (first.input_sha256 != other.input_sha256 || first.input_lines != other.input_lines)
    return "of another input (" + std::to_string(other.input_lines) + " lines, and not " +
           std::to_string(first.input_lines) + ", or other ones)";
  if (first.policy != other.policy) return "of another policy";
  if (first.timeout_ms != other.timeout_ms || first.memory_bytes != other.memory_bytes)
    return "of other limits";
  return "";
}

void check_same_job(const std::vector<NamedShard>& shards, std::vector<std::string>& problems) {
  for (const NamedShard& one : shards) {
    const std::string why = difference(shards.front().manifest, one.manifest);
    if (!why.empty())
      problems.push_back(one.file + ": is " + why + ", unlike " + shards.front().file);
  }
}

void check_all_there(const std::vector<NamedShard>& shards, std::vector<std::string>& problems) {
  const std::uint64_t count = shards.front().manifest.count;
  std::map<std::uint64_t, std::string> known;
  for (const NamedShard& one : shards) {
    if (one.manifest.count != count) continue;
    const auto [other, is_new] = known.emplace(one.manifest.index, one.file);
    if (!is_new)
      problems.push_back("shard " + shard_text(one.manifest.index, count) +
                         " is there twice: " + other->second + " and " + one.file);
    if (one.manifest.rows != one.manifest.lines())
      problems.push_back(one.file + ": its manifest tells " + std::to_string(one.manifest.rows) +
                         " rows, and " + std::to_string(one.manifest.lines()) +
                         " lines of the input are its own");
  }
  const std::uint64_t missing = count - known.size();
  std::uint64_t told = 0;
  for (std::uint64_t index = 0; told < std::min<std::uint64_t>(missing, kMostMissingNamed);
       ++index) {
    if (known.contains(index)) continue;
    problems.push_back("shard " + shard_text(index, count) + " is missing");
    ++told;
  }
  if (missing > told)
    problems.push_back("and " + std::to_string(missing - told) + " more shards are missing");
}

// The rows of one shard, one after the other, hashed as they are read.
class ShardRows {
 public:
  static Result<std::unique_ptr<ShardRows>> open(const NamedShard& shard) {
    auto file = TRY(os::open_to_read(shard.file));
    return std::unique_ptr<ShardRows>(new ShardRows(shard, std::move(file)));
  }

  // The next row with its line end, until the next call; nothing: there is none.
  Result<std::optional<std::string_view>> next() {
    while (true) {
      const std::size_t end = buffer_.find('\n', std::max(start_, looked_));
      if (end != std::string::npos) {
        const std::string_view row = std::string_view(buffer_).substr(start_, end + 1 - start_);
        start_ = looked_ = end + 1;
        ++rows_;
        return row;
      }
      looked_ = buffer_.size();
      if (!TRY(read_more())) return std::nullopt;
    }
  }

  // When next() gave nothing: what is wrong with what was read; "" when it is what was told.
  std::string trouble() {
    const ShardManifest& told = shard_.manifest;
    if (rows_ != told.rows)
      return shard_.file + ": has changed: there are " + std::to_string(rows_) +
             " rows, and its manifest tells " + std::to_string(told.rows);
    if (hash_.hex() != told.rows_sha256)
      return shard_.file + ": has changed: its SHA-256 is not the one of its manifest";
    return "";
  }

 private:
  ShardRows(const NamedShard& shard, Fd file) : shard_(shard), file_(std::move(file)) {}

  Result<bool> read_more() {
    buffer_.erase(0, start_);
    looked_ -= start_;
    start_ = 0;
    const std::size_t had = buffer_.size();
    buffer_.resize(had + kReadAhead);
    const ssize_t got = ::read(file_.get(), buffer_.data() + had, kReadAhead);
    buffer_.resize(had + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0) return bad_request_errno("read " + shard_.file);
    hash_.add(std::string_view(buffer_).substr(had));
    return got > 0;
  }

  const NamedShard& shard_;
  Fd file_;
  std::string buffer_;
  std::size_t start_ = 0;   // of the next row
  std::size_t looked_ = 0;  // no line end before this place
  std::uint64_t rows_ = 0;
  Sha256 hash_;
};

// One descriptor for each.
void raise_limit_of_open_files() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

// Line n of the input became a row of shard n % N. What is wrong with a shard is told when all have
// been read.
Result<void> merge_rows(const std::vector<NamedShard>& shards, RowSink& output) {
  raise_limit_of_open_files();
  std::vector<std::unique_ptr<ShardRows>> rows;
  for (const NamedShard& shard : shards) rows.push_back(TRY(ShardRows::open(shard)));
  std::string merged;
  bool is_over = false;
  for (std::uint64_t line = 0; !is_over; ++line) {
    if (line % 4096 == 0 && os::pending_interrupt()) return bad_request("interrupted");
    const auto row = TRY(rows[line % rows.size()]->next());
    is_over = !row;
    if (row) merged += *row;
    if (merged.size() < kMergedChunk && !is_over) continue;
    TRY(output.write(merged));
    merged.clear();
  }
  std::vector<std::string> problems;
  for (const auto& one : rows) {
    while (TRY(one->next())) {
    }
    if (auto trouble = one->trouble(); !trouble.empty()) problems.push_back(std::move(trouble));
  }
  if (!problems.empty()) return refused(lines_of(problems));
  return {};
}

}  // namespace

Result<MergedShards> merge_shards(const std::vector<std::string>& files,
                                  const std::string& output) {
  std::vector<std::string> problems;
  auto shards = read_manifests(files, problems);
  if (!shards.empty()) {
    check_same_job(shards, problems);
    check_all_there(shards, problems);
  }
  if (!problems.empty()) return refused(lines_of(problems));
  std::ranges::sort(shards, {}, [](const NamedShard& one) { return one.manifest.index; });
  const ShardManifest& job = shards.front().manifest;
  JobFacts facts;
  facts.extractor_sha256 = job.extractor_sha256;
  facts.policy = job.policy;
  facts.shard = "merge of " + std::to_string(job.count);
  auto merged = TRY(PartialOutput::open(output, facts, StartMode::kFresh));
  if (auto done = merge_rows(shards, *merged); !done) {
    merged->discard();
    return std::unexpected(std::move(done).error());
  }
  if (auto done = merged->finish(); !done) {
    merged->discard();
    return std::unexpected(std::move(done).error());
  }
  MergedShards told{.shards = job.count};
  for (const NamedShard& one : shards) {
    told.rows += one.manifest.rows;
    told.failed += one.manifest.failed;
  }
  return told;
}

}  // namespace airlock
