// What of an exception may leave this machine. Code that runs in a cell writes its own
// messages, its own classes and its own functions' names, and can put into them whatever it has
// seen; so nothing of it is passed on because it looks harmless, but only what is known:
//
// (1) A message passes as one of the sentences that CPython 3.11, its modules and airlock itself
//     say, listed in message_table.cc. Any other sentence stays here.
// (2) What fills a sentence passes when it stands in the code or in the path of this sample: of
//     texts at least two characters or a whole word, of numbers the whole number or one below ten,
//     names and types when the code or the interpreter has them. Else it is shown as "…".
// (3) The type is one of the interpreter's, or a class that the code defines.
//
// Called by retry_context.cc alone. Pure; linear in the message.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace airlock {

// What the model has seen already.
struct KnownText {
  std::string_view code;
  std::string_view path;
};

// "ValueError", or nothing when it is neither the interpreter's nor a class of the code.
std::optional<std::string_view> known_type(std::string_view type, std::string_view code);

// The message, as far as it may be told; nothing when it is no known sentence.
std::optional<std::string> known_message(std::string_view type, std::string_view message,
                                         const KnownText& known);

// "extract", "Reader.parse", "<lambda>": what the code calls it; nothing when it does not.
std::optional<std::string_view> known_function(std::string_view function, std::string_view code);

}  // namespace airlock
