#include "present/report/check_writer.h"

namespace airlock::cli {

namespace {

// For callers that have the whole report at once, and for tests: the same writers, so that both
// ways print the same bytes.
std::string write_all(CheckWriter& writer, const CheckReport& report) {
  std::string out;
  for (const CheckedFile& file : report.files) out += writer.file(file);
  return out + writer.end();
}

}  // namespace

std::string check_as_text(const CheckReport& report, Colour colour) {
  return write_all(*make_text_writer(colour), report);
}

std::string check_as_json(const CheckReport& report) {
  return write_all(*make_json_writer(report.policy), report);
}

std::string check_as_sarif(const CheckReport& report) {
  return write_all(*make_sarif_writer(report.policy), report);
}

std::string check_as_github(const CheckReport& report) {
  return write_all(*make_github_writer(), report);
}

}  // namespace airlock::cli
