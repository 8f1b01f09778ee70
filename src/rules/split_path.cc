#include "rules/split_path.h"

#include <algorithm>
#include <cstring>

namespace airlock::rules {

namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// The length of "s3://" and the like; 0 when there is none.
std::size_t scheme_length(std::string_view path) {
  std::size_t at = 0;
  while (at < path.size() && (is_letter(path[at]) || (path[at] >= '0' && path[at] <= '9') ||
                              path[at] == '+' || path[at] == '-' || path[at] == '.'))
    ++at;
  return at > 1 && path.substr(at).starts_with("://") ? at + 3 : 0;
}

// A query belongs to a page, not to a path. In s3:// and gs:// both characters are part of names.
std::string_view without_query(std::string_view path) {
  if (!path.starts_with("http://") && !path.starts_with("https://")) return path;
  return path.substr(0, path.find_first_of("?#"));
}

}  // namespace

std::size_t root_length(std::string_view path) {
  std::size_t at = 0;
  if (path.starts_with("file://")) {
    at = 7;  // file:///D:/data: the rest is a path of its own
  } else if (path.size() > 4 && path[0] != '/') {
    if (const std::size_t scheme = scheme_length(path); scheme != 0) return scheme;
  }
  while (at < path.size() && path[at] == '/') ++at;
  if (path.size() - at >= 2 && is_letter(path[at]) && path[at + 1] == ':' &&
      (path.size() == at + 2 || path[at + 2] == '/'))
    at += 2;
  while (at < path.size() && path[at] == '/') ++at;
  return at;
}

SplitPath::Form SplitPath::find_segments() {
  spans_.clear();
  const char* const base = text_.data();
  std::size_t start = root_length(text_);
  Form form = Form::kClean;
  while (start < text_.size()) {
    const void* slash = std::memchr(base + start, '/', text_.size() - start);
    const std::size_t end = slash == nullptr
                                ? text_.size()
                                : static_cast<std::size_t>(static_cast<const char*>(slash) - base);
    if (end == start || (end == start + 1 && base[start] == '.')) {
      form = Form::kUntidy;
    } else {
      spans_.push_back({static_cast<std::uint32_t>(start), static_cast<std::uint32_t>(end)});
    }
    if (slash != nullptr && end + 1 == text_.size()) form = Form::kUntidy;
    start = end + 1;
  }
  return form;
}

void SplitPath::tidy(std::string_view path) {
  std::string tidied(path.substr(0, root_length(path)));
  if (!tidied.contains(':') && !tidied.empty()) tidied = "/";
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    if (i > 0) tidied += '/';
    tidied += segment(i);
  }
  scratch_ = std::move(tidied);
  text_ = scratch_;
}

void SplitPath::split(std::string_view path) {
  text_ = without_query(path);
  if (std::memchr(path.data(), '\\', path.size()) != nullptr) {
    scratch_.assign(path);
    std::ranges::replace(scratch_, '\\', '/');
    text_ = without_query(scratch_);
  }
  if (find_segments() == Form::kClean) return;
  tidy(text_);
  find_segments();
}

}  // namespace airlock::rules
