// airlock extractors export, import: an approved extractor as a signed file, and in again. What
// comes in is verified first, then shown, and a person says yes: at the terminal, or with --yes.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "present/cli/options.h"
#include "present/cli/program.h"

namespace airlock::cli {

// Its file, or "-" for standard input. At most one byte more than a bundle may have.
Result<std::string> read_bundle_file(const std::string& file);

// `name`: "sales" or "sales@2". The bundle goes to stdout.
Result<int> export_bundle(const std::string& name, const Environment& environment);

struct ImportArguments {
  std::string file = {};
  std::optional<std::string> as = {};  // nothing: under the name that it has
  bool yes = false;
  Format format = Format::kText;
};
Result<int> import_bundle_file(const ImportArguments& arguments, const Environment& environment);

}  // namespace airlock::cli
