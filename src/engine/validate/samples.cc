#include "engine/validate/samples.h"

#include "os/files.h"

namespace airlock {

namespace {

// Bytes, lines, and bytes of a line.
constexpr std::size_t kMaxSamplesFile = 16 * 1024 * 1024;
constexpr std::size_t kMaxSamples = 10000;
constexpr std::size_t kMaxPath = 1024 * 1024;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

Result<std::vector<std::string>> read_samples(const std::string& file) {
  const auto bytes = TRY(file == "-" ? os::read_standard_input(kMaxSamplesFile)
                                     : os::read_file(file, kMaxSamplesFile));
  if (bytes.size > kMaxSamplesFile)
    return bad_request(
        "read " + file +
        ": more than 16 MiB is too much for samples; use 'airlock extract' for bulk work");
  std::vector<std::string> paths;
  std::string_view rest = bytes.bytes;
  if (rest.starts_with(kByteOrderMark)) rest.remove_prefix(kByteOrderMark.size());
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::size_t end = rest.find('\n');
    std::string_view line = rest.substr(0, end);
    rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    const std::string where = "read " + file + ": line " + std::to_string(number);
    if (line.find('\0') != std::string_view::npos)
      return bad_request(
          where + " has a NUL byte, which no path can have; write one path a line, as UTF-8");
    if (line.size() > kMaxPath)
      return bad_request(where + " is longer than 1 MiB, which no path is");
    if (!line.empty()) paths.emplace_back(line);
  }
  if (paths.empty())
    return bad_request("read " + file + ": there is no path in it; write one path a line");
  if (paths.size() > kMaxSamples)
    return bad_request("read " + file +
                       ": more than 10,000 samples; a handful is enough to judge an extractor");
  return paths;
}

}  // namespace airlock
