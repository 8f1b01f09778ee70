// The four ways to print a CheckReport that is there as a whole; check_writer.h has the same for a
// report that comes file by file. Each is a pure function: the report in, the bytes for stdout out.
#pragma once

#include <string>

#include "model/check_report.h"

namespace airlock::cli {

enum class Colour { kNever, kAlways };

// For people: the place in the file on disk, the source line with the place marked, the reason, the
// fix; a summary line. Control characters in quoted source never reach the terminal raw.
std::string check_as_text(const CheckReport& report, Colour colour);
// The contract's document; places are in the cleaned code, `raw_line` says where that is in the
// file.
std::string check_as_json(const CheckReport& report);
// One entry of its `files`, on one line.
std::string checked_file_as_json(const CheckedFile& file);
// SARIF 2.1.0; places are in the file on disk.
std::string check_as_sarif(const CheckReport& report);
// GitHub workflow commands, one a line; places are in the file on disk.
std::string check_as_github(const CheckReport& report);

}  // namespace airlock::cli
