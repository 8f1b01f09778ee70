#include "present/report/check_writer.h"

namespace airlock::cli {

std::string written_by(CheckWriter& writer, const CheckReport& report) {
  std::string out;
  for (const CheckedFile& file : report.files) out += writer.file(file);
  return out + writer.end();
}

std::string check_as_text(const CheckReport& report, Colour colour) {
  return written_by(*make_text_writer(colour), report);
}

}  // namespace airlock::cli
