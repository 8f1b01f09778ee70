// The four ways to print what `airlock check` found. Each file is written as soon as it is judged,
// so the report may be longer than memory; what a writer keeps of a file is at most its name and
// hash. The bytes are for stdout.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "model/check_report.h"
#include "present/report/style.h"

namespace airlock::cli {

class CheckWriter {
 public:
  virtual ~CheckWriter() = default;
  CheckWriter(const CheckWriter&) = delete;
  CheckWriter& operator=(const CheckWriter&) = delete;

  virtual std::string file(const CheckedFile& file) = 0;
  // Once, after the last file.
  virtual std::string end() = 0;

 protected:
  CheckWriter() = default;
};

// For people: the place in the file on disk, the source line with the place marked, the reason, the
// fix; a summary line. Control characters in quoted source never reach the terminal raw.
std::unique_ptr<CheckWriter> make_text_writer(Colour colour);
// The contract's document; places are in the cleaned code, `raw_line` says where that is in the
// file.
std::unique_ptr<CheckWriter> make_json_writer(std::string_view policy);
// SARIF 2.1.0; places are in the file on disk.
std::unique_ptr<CheckWriter> make_sarif_writer(std::string_view policy);
// GitHub workflow commands, one a line; places are in the file on disk.
std::unique_ptr<CheckWriter> make_github_writer();

// A report that is there as a whole, in the same bytes.
std::string written_by(CheckWriter& writer, const CheckReport& report);
std::string check_as_text(const CheckReport& report, Colour colour);
// One entry of the contract's `files`, on one line.
std::string checked_file_as_json(const CheckedFile& file);

}  // namespace airlock::cli
