// What a person can ask at the prompt besides running code: `?` for what is there, `NAME?` for help
// on a name. The answers come out of the cell, from small pieces of ours that leave no name behind;
// so they are the guest's word, and are shown like anything else that it says.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace airlock::prompt {

// "NAME?" or "a.b.NAME?": the name. Nothing for any other line.
std::optional<std::string_view> asked_name(std::string_view line);

// Code that prints what the session holds: names, and files in /out.
std::string code_that_lists_names();
// Code that prints the signature of what the name stands for, and its documentation.
std::string code_that_explains(std::string_view name);

}  // namespace airlock::prompt
