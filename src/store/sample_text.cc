#include "store/sample_text.h"

namespace airlock::store {

std::string join_samples(std::span<const std::string> samples) {
  std::string text;
  for (const std::string& path : samples) {
    text += path;
    text += '\0';
  }
  return text;
}

std::vector<std::string> split_samples(std::string_view text) {
  std::vector<std::string> samples;
  while (!text.empty()) {
    const std::size_t end = text.find('\0');
    samples.emplace_back(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  return samples;
}

}  // namespace airlock::store
