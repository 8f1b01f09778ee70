#include "engine/check/root_names.h"

#include <filesystem>

namespace airlock {

std::vector<std::string> root_names(const std::string& root) {
  namespace fs = std::filesystem;
  if (root.empty()) return {};
  std::vector<std::string> names{root};
  const bool is_windows = root.starts_with("\\\\") || (root.size() > 1 && root[1] == ':');
  if (is_windows) return names;
  std::error_code error;
  const fs::path absolute = fs::absolute(root, error);
  if (error) return names;
  names = {absolute.lexically_normal().native()};
  const fs::path real = fs::weakly_canonical(absolute, error);
  if (!error && real != names[0]) names.push_back(real.native());
  return names;
}

}  // namespace airlock
