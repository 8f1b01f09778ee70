// Runs the wizard's machine: effects are carried out on one worker thread, and their events come
// back through a queue.
//
// The owner's thread waits for wake_descriptor() or a key, calls take_events(), and draws state().
// All public functions are called on that thread; the machine is only touched there. The worker
// gets a copy of the state as it was when the effect was requested.
//
// Stopping: StopWork asks the current effect to stop and discards its remaining events (tasks are
// numbered, and events of older tasks are dropped). What an effect throws becomes the event for its
// failure, so that no phase waits for ever. The destructor stops the current effect and joins the
// worker.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "llm/model.h"
#include "model/policy.h"
#include "model/user_dirs.h"
#include "wizard/machine.h"

namespace airlock::wizard {

struct SessionRequest {
  std::vector<std::string> samples;
  std::string hint;
  std::string name;
  WizardOptions settings;
  UserDirs user_dirs;
  std::string host_program;
  Policy policy;
  std::string policy_name;            // a built-in one's, or the absolute name of its file
  std::shared_ptr<llm::Model> model;  // may be null
};

struct EditRequest {
  OutputKind kind = OutputKind::kPython;
  std::string text;
};

class Session {
 public:
  static Result<std::unique_ptr<Session>> begin(SessionRequest request);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  virtual ~Session() = default;  // stops what is at work and waits for it

  virtual const WizardState& state() const = 0;
  virtual void handle(const Event& event) = 0;
  // Takes what has come in meanwhile; true when the state has changed.
  virtual bool take_events() = 0;
  // Readable when take_events() has something to take.
  virtual int wake_descriptor() const = 0;
  // Asked once: then the caller opens the editor (editor.h) and gives EditorClosed or
  // EditorFailed to handle().
  virtual std::optional<EditRequest> take_edit_request() = 0;
  // For callers without a screen: waits until nothing is at work and no event is left.
  virtual void wait_until_idle() = 0;

 protected:
  Session() = default;
};

}  // namespace airlock::wizard
