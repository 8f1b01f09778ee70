// Bytes that have been through the sanitizer: the only ones that the cache takes. Whoever holds one
// holds the proof, because there is one maker; a compile-failure test shows that there is no other.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace airlock {

namespace admit {
class Sanitizer;
}
namespace store::test {
struct SanitizedForTests;
}

class SanitizedBytes {
 public:
  std::string_view bytes() const { return bytes_; }

 private:
  friend class admit::Sanitizer;
  friend struct store::test::SanitizedForTests;  // defined beside the tests of the store only
  explicit SanitizedBytes(std::string bytes) : bytes_(std::move(bytes)) {}

  std::string bytes_;
};

}  // namespace airlock
