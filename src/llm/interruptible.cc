#include "llm/interruptible.h"

#include <thread>

#include "os/interrupts.h"

namespace airlock::llm {

namespace {

// How late an interrupt may be noticed: below what a person feels.
constexpr std::chrono::milliseconds kLookEvery{20};

}  // namespace

std::expected<ModelAnswer, ModelFailure> ask_until_interrupted(Model& model, const Prompt& prompt) {
  os::note_interrupts();
  std::stop_source cancel;
  // A signal handler may not touch a stop_source, so a thread watches the flag that the handler
  // sets. When ask() has returned, the destructor of `watch` stops it; a stop requested after that
  // is unheard.
  const std::jthread watch([&](const std::stop_token& done) {
    while (!done.stop_requested() && os::sleep_unless_interrupted(kLookEvery)) {
    }
    if (os::pending_interrupt()) cancel.request_stop();
  });
  return model.ask(prompt, {cancel.get_token(), {}});
}

}  // namespace airlock::llm
