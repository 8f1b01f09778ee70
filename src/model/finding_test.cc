#include "model/finding.h"

#include <gtest/gtest.h>

namespace airlock {
namespace {

TEST(SuggestedImport, IsTheOneThatWasSuggested) {
  EXPECT_EQ(suggest_import("import re"), "Add 'import re' at the top.");
  for (const char* statement : {"import re", "from os import path", "import a.b"})
    EXPECT_EQ(suggested_import(suggest_import(statement)), statement);
  for (const char* other : {"", "Add '", "Put the import at the top of the file.", "' at the top."})
    EXPECT_EQ(suggested_import(other), std::nullopt) << other;
}

}  // namespace
}  // namespace airlock
