#include "present/report/receipt_output.h"

namespace airlock::cli {

// Two cases. Something around the extractor changed (policy, interpreter): approving it again is
// enough. The stored text itself changed: a person must look at it, so approving it by name is not
// offered.
std::string receipt_advice(const ApprovedExtractor& extractor, const ReceiptCheck& check) {
  const std::string name = full_name(extractor);
  if (!check.is_store_altered)
    return "To look at it: airlock extractors show " + name +
           ". To approve it again: airlock extractors reapprove " + name +
           ", which tries it on its samples and shows what is answered otherwise, or airlock "
           "approve " +
           name;
  return "To look at it: airlock extractors show " + name +
         ". When the text is right, write it to a file (airlock extractors show " + name +
         " --code) and approve that; otherwise: airlock extractors remove " + name;
}

std::string broken_receipt(const ApprovedExtractor& extractor, const ReceiptCheck& check) {
  std::string text = "The receipt of " + full_name(extractor) + " does not hold:";
  for (const std::string& change : check.changes) text += "\n  " + change;
  return text + "\n" + receipt_advice(extractor, check);
}

Result<void> require_runnable(const ApprovedExtractor& extractor, const std::string& host_program) {
  if (extractor.is_disabled)
    return refused(full_name(extractor) +
                   " is disabled, and was not run. To use it again: airlock "
                   "extractors enable " +
                   extractor.name);
  const auto check = TRY(check_receipt_here(extractor, host_program));
  if (check.holds()) return {};
  return refused(broken_receipt(extractor, check) + "\nNothing of it was run.");
}

}  // namespace airlock::cli
