// A key, read from where the settings say it is (a variable or a private file), once, while the
// settings are loaded (llm/settings.h). From then on it lives in a Secret, which wipes it.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "llm/secret.h"
#include "os/variables.h"

namespace airlock::llm {

// From the variable, which is then forgotten. No message ever holds a part of the key.
Result<std::shared_ptr<const Secret>> key_from_variable(const std::string& name,
                                                        os::Variables& environment);
// From a file: a plain one, ours, readable by nobody else, no symbolic link, one line.
Result<std::shared_ptr<const Secret>> key_from_file(const std::string& path);

}  // namespace airlock::llm
