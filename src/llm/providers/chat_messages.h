// A prompt as the list of messages that most interfaces take: the system's words first, when there
// are any, then the user's. Used by the rows of providers alone.
#pragma once

#include <nlohmann/json.hpp>

#include "llm/model.h"

namespace airlock::llm {

inline nlohmann::ordered_json chat_message(const char* role, const std::string& text) {
  return {{"role", role}, {"content", text}};
}

inline nlohmann::ordered_json chat_messages(const Prompt& prompt) {
  auto messages = nlohmann::ordered_json::array();
  if (!prompt.system.empty()) messages.push_back(chat_message("system", prompt.system));
  messages.push_back(chat_message("user", prompt.user));
  return messages;
}

}  // namespace airlock::llm
