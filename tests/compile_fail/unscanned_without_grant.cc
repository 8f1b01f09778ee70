// Must not compile: code past the scan without saying why (run/grant).
#include "run/vetter_client.h"

airlock::run::Screening smuggled() {
  return airlock::run::Screening({.security = false, .signature = false});
}
