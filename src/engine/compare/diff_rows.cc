#include "engine/compare/diff_rows.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>

#include "os/files.h"
#include "os/open_file.h"

namespace airlock {

namespace {

// Tags are answers too; no field of a rule can have this name.
constexpr std::string_view kTags = "tags of the rule";

Answer with_tags(const RowParts& row) {
  Answer answer = answer_of(row);
  if (answer.ok && !row.tags.empty()) answer.fields[std::string(kTags)] = row.tags;
  return answer;
}

Result<void> copy(const std::string& input, Spool& to) {
  const auto opened = TRY(os::open_input(input));
  std::array<char, 65536> buffer{};
  while (true) {
    const ssize_t got = ::read(opened.get(), buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return bad_request_errno("read " + input);
    if (got == 0) return to.flush();
    TRY(to.write({buffer.data(), static_cast<std::size_t>(got)}));
  }
}

}  // namespace

Result<Spool> Spool::make() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) return bad_request_errno("make a file for rows that wait");
  return Spool(file);
}

Result<void> Spool::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) != bytes.size())
    return bad_request_errno("keep rows that wait");
  return {};
}

Result<void> Spool::flush() {
  if (std::fflush(file_.get()) != 0) return bad_request_errno("keep rows that wait");
  return {};
}

Result<std::optional<std::string>> Spool::next_line() {
  if (!is_read_) {
    TRY(flush());
    if (std::fseek(file_.get(), 0, SEEK_SET) != 0) return bad_request_errno("read rows that wait");
    is_read_ = true;
  }
  // getline() allocates; `owner` frees, on every way out.
  char* line = nullptr;
  std::size_t room = 0;
  errno = 0;
  const ssize_t size = ::getline(&line, &room, file_.get());
  const std::unique_ptr<char, decltype(&std::free)> owner(line, &std::free);
  if (size < 0 && errno != 0) return bad_request_errno("read rows that wait");
  if (size < 0) return std::nullopt;
  std::string text(line, static_cast<std::size_t>(size));
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string Spool::name() const {
  return "/proc/self/fd/" + std::to_string(::fileno(file_.get()));
}

// Standard input and pipes are copied; a plain file is simply opened twice.
Result<std::vector<std::string>> readable_twice(const std::vector<std::string>& inputs,
                                                std::vector<Spool>& spools) {
  std::vector<std::string> names;
  for (const std::string& input : inputs) {
    if (input != "-") {
      const auto kind = TRY(os::kind_of_path(input));
      if (kind == os::PathKind::kFile) {
        names.push_back(input);
        continue;
      }
      if (kind == os::PathKind::kFolder) return bad_request("read " + input + ": it is a folder");
    }
    auto spool = TRY(Spool::make());
    TRY(copy(input, spool));
    names.push_back(spool.name());
    spools.push_back(std::move(spool));
  }
  return names;
}

Result<void> DiffingSink::write(std::string_view rows) {
  while (!rows.empty()) {
    const std::size_t end = rows.find('\n');
    const auto after = take_apart(rows.substr(0, end));
    const auto line = TRY(before_.next_line());
    const auto before = line ? take_apart(*line) : std::nullopt;
    // Both jobs read the same files, so row must follow row; anything else means the files changed.
    if (!after || !before || after->path != before->path)
      return bad_request(
          "compare rows: the two did not answer the same paths; the input has changed "
          "meanwhile");
    pairs_.add(after->path, with_tags(*before), with_tags(*after));
    if (end == std::string_view::npos) break;
    rows.remove_prefix(end + 1);
  }
  return {};
}

}  // namespace airlock
