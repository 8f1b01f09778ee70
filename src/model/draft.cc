#include "model/draft.h"

#include <algorithm>

namespace airlock {

std::string_view to_string(OutputKind kind) {
  return kind == OutputKind::kPython ? "python" : "yaml";
}

std::optional<OutputKind> output_kind(std::string_view word) {
  if (word == "yaml") return OutputKind::kYaml;
  if (word == "python") return OutputKind::kPython;
  return std::nullopt;
}

std::size_t cut_samples(std::vector<std::string>& samples) {
  std::size_t bytes = 0;
  const auto past_end = std::ranges::find_if(
      samples, [&](const std::string& path) { return (bytes += path.size()) > kMostSampleBytes; });
  const auto kept = std::min(static_cast<std::size_t>(past_end - samples.begin()), kMostSamples);
  const std::size_t left_out = samples.size() - kept;
  samples.resize(kept);
  return left_out;
}

}  // namespace airlock
