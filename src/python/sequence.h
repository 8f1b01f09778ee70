// CPython's typed sequences (asdl_seq) as ranges: a struct with a size and, behind it, as many
// elements, although it is declared with one. A null sequence is an empty one.
#pragma once

#include <cstddef>
#include <span>

#include "python/tree.h"

namespace airlock::python {

template <typename Sequence>
auto items(Sequence* sequence) {
  using Element = std::remove_reference_t<decltype(sequence->typed_elements[0])>;
  if (sequence == nullptr) return std::span<Element>();
  return std::span<Element>(&sequence->typed_elements[0], static_cast<std::size_t>(sequence->size));
}

template <typename Node>
// The tree counts lines from 1 and columns in bytes from 0, as Place does.
Place place_of(const Node* node) {
  const auto number = [](int value) { return static_cast<std::uint32_t>(value < 0 ? 0 : value); };
  return {number(node->lineno), number(node->col_offset), number(node->end_lineno),
          number(node->end_col_offset)};
}

}  // namespace airlock::python
