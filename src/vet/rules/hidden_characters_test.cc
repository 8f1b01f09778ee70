#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

TEST(HiddenCharacters, AreRefusedInTextAndComments) {
  expect_scanned({
      {"x = 1  # \u202e\n", {"AL215 U+202E 1:9"}},
      {"x = '\u2066'\n", {"AL215 U+2066 1:5"}},
      {"x = '\U000E0041\U000E0042'\n", {"AL215 U+E0041 1:5"}},
      {"# \u200f\n# \u200f\n", {"AL215 U+200F 1:2", "AL215 U+200F 2:2"}},
  });
  expect_accepted({"x = '\\u202e'\n", "x = 'é ü 漢 😀'\n"});
}

}  // namespace
}  // namespace airlock::vet::test
