#include "present/cli/exit_code.h"

#include <cerrno>

#include "engine/doctor/installation.h"
#include "present/cli/program.h"

namespace airlock::cli {

namespace {

// Says it on stderr; returns `code`, so that a branch is one expression.
int complain_and(int code, const std::string& message) {
  complain(message);
  return code;
}

// A file that cannot be opened because too many are open is no fault of the request.
int end_judged(int code, const Error& error) {
  const auto low = error.number == EMFILE ? limits_trouble(error.message) : std::nullopt;
  return low ? complain_and(kNoIsolation, error.message + "\n" + *low)
             : complain_and(code, error.message);
}

// From the likeliest cause to the least: a limit of this process, an incomplete installation, a
// host that cannot raise a wall. The first two look like missing isolation, and doctor would not
// help.
int end_without_isolation(const std::string& message, const std::string& host_program) {
  if (const auto low = limits_trouble(message))
    return complain_and(kNoIsolation, message + "\n" + *low);
  if (const auto trouble = installation_trouble(host_program))
    return complain_and(kNoIsolation, *trouble + "\nNothing was run.");
  return complain_and(kNoIsolation,
                      message +
                          "\nNo code is run where a wall cannot be raised. See what this host "
                          "offers, and what to change: airlock doctor");
}

// Low limits and a broken installation produce errors that look like ours; they are not bugs.
int end_with_bug(const std::string& message, const std::string& host_program) {
  if (limits_trouble(message) || installation_trouble(host_program))
    return end_without_isolation(message, host_program);
  return complain_and(kOurBug, "This is a bug in airlock, please report it: " + message);
}

}  // namespace

int end_with(const Error& error, const std::string& host_program) {
  switch (error.kind) {
    case ErrorKind::kRefused:
      return end_judged(kRefused, error);
    case ErrorKind::kRequest:
      return end_judged(kBadRequest, error);
    case ErrorKind::kIsolation:
      return end_without_isolation(error.message, host_program);
    case ErrorKind::kOurs:
      break;
  }
  return end_with_bug(error.message, host_program);
}

}  // namespace airlock::cli
