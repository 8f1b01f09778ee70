// SHA-256, as 64 lower-case hex digits: the name of a blob in the store, the fingerprint of code
// that was approved, of a policy, of a file that was judged. libmd does the work.
#pragma once

#include <sha2.h>

#include <string>
#include <string_view>

namespace airlock {

std::string sha256_hex(std::string_view bytes);

// The same for what comes in pieces.
class Sha256 {
 public:
  Sha256() { SHA256Init(&context_); }
  void add(std::string_view bytes);
  std::string hex();  // once: the state is used up

 private:
  SHA2_CTX context_{};
};

}  // namespace airlock
