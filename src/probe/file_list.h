// The files of a repository, in the order of the walk (tree_walk.h). Names stand in one piece of
// memory: a million of them is an ordinary number. Filled once by the survey, then only read, by
// any number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace airlock::probe {

class FileList {
 public:
  void add(std::string_view path, bool is_link, bool is_ignored) {
    names_ += path;
    ends_.push_back(names_.size());
    links_.push_back(is_link);
    ignored_.push_back(is_ignored);
  }

  std::size_t size() const { return ends_.size(); }
  std::string_view path(std::size_t index) const {
    const std::size_t from = index == 0 ? 0 : ends_[index - 1];
    return std::string_view(names_).substr(from, ends_[index] - from);
  }
  bool is_link(std::size_t index) const { return links_[index]; }
  bool is_ignored(std::size_t index) const { return ignored_[index]; }

 private:
  std::string names_;
  std::vector<std::size_t> ends_;
  std::vector<bool> links_;
  std::vector<bool> ignored_;
};

}  // namespace airlock::probe
