#include "llm/interruptible.h"

#include <thread>

#include "os/interrupts.h"

namespace airlock::llm {

namespace {

constexpr std::chrono::milliseconds kLookEvery{20};

}  // namespace

std::expected<ModelAnswer, ModelFailure> ask_until_interrupted(Model& model, const Prompt& prompt) {
  os::note_interrupts();
  std::stop_source cancel;
  const std::jthread watch([&](const std::stop_token& done) {
    while (!done.stop_requested() && os::rest(kLookEvery)) {
    }
    if (os::pending_interrupt()) cancel.request_stop();
  });
  return model.ask(prompt, {cancel.get_token(), {}});
}

}  // namespace airlock::llm
