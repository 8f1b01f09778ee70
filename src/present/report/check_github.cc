// GitHub workflow commands: a line that starts with :: becomes an annotation on the file.
//   ::error file=x.py,line=3,col=8,endLine=3,endColumn=10,title=AL201 …::message%0Asuggestion
// The runner reads the properties up to the next ::, splits them at commas and undoes %25 %0D %0A
// %3A %2C; the message ends with the line. What would end a part early is escaped, and everything
// foreign is made printable first: a message that could start a line of its own could also set a
// variable or mask the log. Columns are only understood within one line, so a place over several
// lines is given by its lines alone.
#include <fmt/format.h>

#include <iterator>

#include "base/printable.h"
#include "model/rule.h"
#include "present/report/check_place.h"
#include "present/report/check_writer.h"

namespace airlock::cli {

namespace {

std::string_view command(Severity severity) {
  return severity == Severity::kNote ? "notice" : to_string(severity);
}

// Only % is left to escape: printable() has taken line ends out before.
std::string escape_data(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '%') {
      out += "%25";
    } else {
      out += c;
    }
  }
  return out;
}

std::string escape_property(std::string_view text) {
  std::string out;
  for (const char c : escape_data(text)) {
    if (c == ':') {
      out += "%3A";
    } else if (c == ',') {
      out += "%2C";
    } else {
      out += c;
    }
  }
  return out;
}

// One line of a message; line ends within it are shown as \n by printable().
std::string data(std::string_view text) {
  return escape_data(printable(text));
}

std::string property(std::string_view text) {
  return escape_property(printable(text));
}

std::string message_of(const Finding& finding) {
  std::string out = data(finding.message.empty() ? finding.rule->title : finding.message);
  if (finding.suggestion.empty()) return out;
  TextLines lines(finding.suggestion);
  for (std::uint32_t number = 1; number <= lines.count(); ++number) {
    out += "%0A" + data(lines.line(number));
  }
  return out;
}

void append_command(std::string& out, const std::string& file, const Finding& finding,
                    const CharacterPlace& place) {
  fmt::format_to(std::back_inserter(out), "::{} file={},line={}", command(finding.severity), file,
                 place.line);
  if (place.line == place.end_line)
    fmt::format_to(std::back_inserter(out), ",col={}", place.column);
  fmt::format_to(std::back_inserter(out), ",endLine={}", place.end_line);
  if (place.line == place.end_line) {
    fmt::format_to(std::back_inserter(out), ",endColumn={}", place.end_column);
  }
  const std::string title = fmt::format("{} {}", finding.rule->name, finding.rule->title);
  fmt::format_to(std::back_inserter(out), ",title={}::{}\n", property(title), message_of(finding));
}

class GithubWriter : public CheckWriter {
 public:
  std::string file(const CheckedFile& file) override {
    std::string out;
    TextLines disk(file.raw);
    CharacterCounter counter(disk);
    const std::string name = property(file.file);
    for (const Finding& finding : file.verdict.findings) {
      const Place place = disk.fit(place_on_disk(file, finding.place));
      append_command(out, name, finding, counter.count(place));
    }
    return out;
  }
  std::string end() override { return {}; }
};

}  // namespace

std::unique_ptr<CheckWriter> make_github_writer() {
  return std::make_unique<GithubWriter>();
}

}  // namespace airlock::cli
