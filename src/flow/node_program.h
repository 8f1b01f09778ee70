// The code node as one program for a cell, made from library/airlock_node when airlock is built. It
// defines extract(question) -> answer, both JSON. Our own code, not a guest's; what a node's code
// does to it inside the cell is not to be trusted all the same.
#pragma once

#include <string_view>

namespace airlock::flow {

std::string_view node_program();

}  // namespace airlock::flow
