#include "model/json_tape.h"

namespace airlock {

std::optional<JsonView> JsonView::member(std::string_view name) const {
  if (!is_object()) return std::nullopt;
  // A key takes one word, so its value begins at the next one.
  for (std::size_t at = at_ + 1; tape_->type(at) != '}'; at = tape_->after(at + 1)) {
    if (tape_->string(at) == name) return JsonView(*tape_, at + 1);
  }
  return std::nullopt;
}

}  // namespace airlock
