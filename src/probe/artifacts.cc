#include "probe/artifacts.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "base/printable.h"
#include "base/utf8.h"
#include "os/open_beneath.h"

namespace airlock::probe {

namespace {

// Bytes: of one file, of all that one probe names, and of a name.
constexpr std::size_t kLargestArtifact = std::size_t{64} * 1024 * 1024;
// All artifacts of a probe together. The size of the output folder is no bound: a sparse file takes
// no room there and all of its length in our memory.
constexpr std::size_t kAllArtifacts = std::size_t{128} * 1024 * 1024;
constexpr std::size_t kLongestName = 1000;

std::string shown(std::string_view name) {
  return "'" + printable(cut_utf8(name, 200)) + "'";
}

// Exactly `size` bytes: a file that has become shorter meanwhile is an error. It cannot, because
// the probe is gone.
Result<std::string> read_whole(const Fd& file, std::size_t size) {
  std::string bytes(size, '\0');
  for (std::size_t have = 0; have < size;) {
    const ssize_t got = ::read(file.get(), bytes.data() + have, size - have);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return fail("it cannot be read");
    have += static_cast<std::size_t>(got);
  }
  return bytes;
}

// os::open_beneath() follows no link and does not leave the folder, whatever the name says; the
// checks before it only make better messages. `room`: bytes left for this probe.
Result<std::string> read_artifact(const std::string& name, const Fd& folder, std::size_t room) {
  if (!is_inner_name(name)) return fail("it does not lie in the output folder");
  const Fd file = os::open_beneath(folder, name);
  if (!file.is_open()) {
    if (errno == ENOENT) return fail("there is no such file in the output folder");
    return fail("it cannot be opened: " + std::generic_category().message(errno));
  }
  struct stat about{};
  // Asked of the open file, so nothing can be exchanged between the question and the reading.
  if (::fstat(file.get(), &about) != 0 || !S_ISREG(about.st_mode)) return fail("it is no file");
  const auto size = static_cast<std::size_t>(about.st_size);
  if (size > kLargestArtifact) return fail("it is larger than 64 MiB");
  if (size > room) return fail("all artifacts together are larger than 128 MiB");
  return read_whole(file, size);
}

}  // namespace

bool is_inner_name(std::string_view name) {
  if (name.empty() || name.size() > kLongestName || name.contains('\0')) return false;
  for (std::size_t from = 0;;) {
    const std::size_t slash = name.find('/', from);
    const std::string_view part = name.substr(from, slash - from);
    if (part.empty() || part == "." || part == "..") return false;
    if (slash == std::string_view::npos) return true;
    from = slash + 1;
  }
}

std::vector<std::string> artifact_names(const Admitted& output) {
  std::vector<std::string> names;
  // The door has checked that it is a list of texts.
  const auto list = output.document().member("raw_artifacts");
  if (!list) return names;
  list->for_each_item([&](JsonView one) { names.emplace_back(one.text().value_or("")); });
  return names;
}

// Every type is checked although the door has passed it: the text may come from a damaged cache.
OutputFacts facts_of_output(std::string_view json) {
  using Json = nlohmann::json;
  const Json document = Json::parse(json, nullptr, false);
  OutputFacts facts;
  if (!document.is_object()) return facts;
  if (const auto list = document.find("raw_artifacts"); list != document.end() && list->is_array())
    for (const Json& one : *list)
      facts.artifacts.push_back(one.is_string() ? one.get<std::string>() : "");
  if (const auto word = document.find("confidence"); word != document.end() && word->is_string())
    facts.confidence = word->get<std::string>();
  const auto slice = document.find("schema_slice");
  if (slice == document.end() || !slice->is_object()) return facts;
  const auto found = slice->find("detected_languages");
  if (found == slice->end() || !found->is_object()) return facts;
  for (const auto& [name, bytes] : found->items())
    if (bytes.is_number_unsigned()) facts.languages[name] = bytes.get<std::uint64_t>();
  return facts;
}

Result<std::vector<RedactedFile>> read_artifacts(const std::vector<std::string>& names,
                                                 const Fd& folder, FileRedactor& redactor,
                                                 std::chrono::steady_clock::time_point end) {
  if (names.size() > kMostArtifacts)
    return fail("ArtifactError: more than " + std::to_string(kMostArtifacts) + " artifacts");
  std::vector<RedactedFile> files;
  std::set<std::string_view> seen;
  std::size_t room = kAllArtifacts;
  for (const std::string& name : names) {
    if (!seen.insert(name).second)
      return fail("ArtifactError: " + shown(name) + ": it is named twice");
    auto bytes = read_artifact(name, folder, room);
    if (!bytes) return fail("ArtifactError: " + shown(name) + ": " + bytes.error().message);
    room -= bytes->size();
    files.push_back(redactor.redact(name, std::move(*bytes)));
    // Asked between files only: a single one is at most 64 MiB in memory and quickly read.
    if (std::chrono::steady_clock::now() > end)
      return fail("TimeoutError: Its time was up while its artifacts were read");
  }
  return files;
}

}  // namespace airlock::probe
