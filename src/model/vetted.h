// Code that a cell may load: compiled by the vetter from the tree that it judged and accepted.
// There is one maker, the client of a live vetter (run/vetter_client.h), and cells load nothing
// else: code that nobody has judged cannot be run, it does not compile.
//
// "A live vetter": the process answered in this run, over a socket that only it has. A Vetted is
// never read from a disk, so nobody can put one there.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace airlock {

namespace run {
class VetterClient;
}

class Vetted {
 public:
  class Key {
    friend class run::VetterClient;
    explicit Key() {}  // NOLINT(modernize-use-equals-default): or `{}` would make one
  };
  Vetted(Key, std::string compiled) : compiled_(std::move(compiled)) {}

  // In the interpreter's own format; only the interpreter that compiled it can read it.
  std::string_view compiled() const { return compiled_; }

 private:
  std::string compiled_;
};

}  // namespace airlock
