// A node of type `probe`: probes of a repository, through the inner door. `repository` is a folder,
// `probes` a list of files; both may be templates. The result is the report of `airlock gather`, on
// the same store and cache.
#pragma once

#include <string>

#include "base/result.h"
#include "flow/document.h"
#include "flow/native_nodes.h"
#include "flow/step.h"
#include "model/user_dirs.h"

namespace airlock::flow {

// An Error: this host cannot give the isolation.
Result<Step> run_probe_node(const Node& node, NativeNodes& store, const std::string& host_program,
                            const UserDirs& user_dirs);

// What keeps the node from being run, as a message; empty: nothing that can be said before.
std::string check_probe_node(const Node& node);

}  // namespace airlock::flow
