#include "present/cli/bundles.h"

#include <unistd.h>

#include <iostream>

#include "engine/approve/drafts.h"
#include "engine/approve/extractors.h"
#include "engine/approve/share.h"
#include "os/files.h"
#include "os/interrupts.h"
#include "present/cli/judging.h"
#include "present/report/keys_output.h"
#include "present/report/receipt_output.h"

namespace airlock::cli {

namespace {

bool is_import_confirmed(const ImportArguments& arguments, const std::string& name) {
  if (arguments.yes) return true;
  if (arguments.format == Format::kJson || !is_person_there()) return false;
  // Ctrl-C at the question is an answer: reading ends, and nothing was imported.
  os::note_interrupts();
  write_to_error_stream("Import it as " + name + "? [y/N] ");
  std::string answer;
  return os::wait_to_read_unless_interrupted(STDIN_FILENO) && std::getline(std::cin, answer) &&
         (answer == "y" || answer == "Y" || answer == "yes");
}

std::unexpected<Error> nothing_imported(const Error& why) {
  return std::unexpected(Error(why).and_line("Nothing was imported."));
}

}  // namespace

Result<std::string> read_bundle_file(const std::string& file) {
  auto read = TRY(file == "-" ? os::read_standard_input(kMostBundleBytes + 1)
                              : os::read_file(file, kMostBundleBytes + 1));
  return std::move(read.bytes);
}

Result<int> export_bundle(const std::string& name, const Environment& environment) {
  const auto extractor = TRY(find_extractor(environment.user_dirs, name));
  TRY(require_runnable(extractor, environment.host_program));
  return report(TRY(export_extractor(environment.user_dirs, extractor)));
}

Result<int> import_bundle_file(const ImportArguments& arguments, const Environment& environment) {
  if (const std::string trouble = arguments.as ? name_trouble(*arguments.as) : ""; !trouble.empty())
    return bad_request(trouble);
  const auto bytes = TRY(read_bundle_file(arguments.file));
  const auto verified = verify_bundle(environment.user_dirs, bytes, environment.host_program);
  if (!verified) return nothing_imported(Error(verified.error()).within(arguments.file));
  const std::string name = arguments.as.value_or(verified->bundle.extractor.name);
  // Before the question: it is about this.
  if (arguments.format == Format::kText &&
      !write_report(bundle_as_text(*verified, name, environment.colour)))
    return kBadRequest;
  if (!is_import_confirmed(arguments, name)) {
    if (const auto signal = os::pending_interrupt()) {
      write_to_error_stream("\n");
      complain("interrupted; nothing was imported");
      return 128 + *signal;
    }
    return refused("Nothing was imported: nobody said so. With --yes: airlock extractors import " +
                   arguments.file + " --yes");
  }
  const auto imported = import_bundle(environment.user_dirs, *verified, name);
  if (!imported) return nothing_imported(imported.error());
  return report(arguments.format == Format::kJson
                    ? imported_as_json(*imported, *verified)
                    : imported_as_text(*imported, environment.colour));
}

}  // namespace airlock::cli
