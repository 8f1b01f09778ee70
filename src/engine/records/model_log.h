// The log of questions to models, as the commands and the wizard use it. What was sent and what
// came back are kept as a hash and a beginning, what a retry added to a first prompt is kept whole;
// secrets and control characters are gone from all of it. So a user can see what left the machine,
// and the log itself is no leak.
//
// A store that is not there yet is empty; looking at it does not make it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/model_call.h"
#include "model/user_dirs.h"

namespace airlock {

// What the log would keep of it; without an id. Pure.
ModelCall logged_form(const ModelExchange& exchange);

// Older rows than `retention_days` go, and the oldest beyond 10000.
Result<void> record_model_call(const UserDirs& user_dirs, const ModelExchange& exchange,
                               std::int64_t retention_days);

// The newest first.
Result<std::vector<ModelCall>> list_model_calls(const UserDirs& user_dirs, std::size_t most);
// `id`: whole, or a beginning that only one has.
Result<ModelCall> show_model_call(const UserDirs& user_dirs, std::string_view id);
// Each of them, the oldest first.
Result<void> export_model_calls(const UserDirs& user_dirs,
                                const std::function<Result<void>(const ModelCall&)>& take);
// How many are gone.
Result<std::int64_t> prune_model_calls(const UserDirs& user_dirs, std::int64_t older_than_days);

}  // namespace airlock
