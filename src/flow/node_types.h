// The types of nodes and what each may be told: one table for reading documents, for messages and
// for the templates' names.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "flow/document.h"

namespace airlock::flow {

// `name` as documents write it; `params` are all that this type knows.
struct NodeTypeRow {
  std::string_view name;
  NodeType type;
  std::span<const std::string_view> params;
};

std::span<const NodeTypeRow> node_types();
const NodeTypeRow& row_of(NodeType type);

// Parameters that may stand beside "params" too.
std::span<const std::string_view> outer_params();

// What a node leaves in the store.
std::span<const std::string_view> entry_keys();

}  // namespace airlock::flow
