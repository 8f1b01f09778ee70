#include "support/vetting.h"

namespace airlock::vet::test {
namespace {

TEST(Forms, AsyncCodeIsRefusedInEveryForm) {
  expect_scanned({
      {"async def f():\n    pass\n", {"AL211 async def 1:0"}},
      {"async def f(x):\n    await x\n", {"AL211 async def 1:0", "AL211 await 2:4"}},
      {"async def f(x):\n    async for y in x:\n        pass\n",
       {"AL211 async def 1:0", "AL211 async for 2:4"}},
      {"async def f(x):\n    async with x:\n        pass\n",
       {"AL211 async def 1:0", "AL211 async with 2:4"}},
      {"async def f(x):\n    return [y async for y in x]\n",
       {"AL211 async def 1:0", "AL211 async for 2:29"}},
  });
}

TEST(Forms, AnAsyncExtractIsLeftToTheSignature) {
  expect_accepted({"async def extract(path):\n    return {}\n"});
  EXPECT_EQ(errors_of(vet("async def extract(path):\n    return {}\n")),
            (std::vector<std::string>{"AL303 extract 1:0"}));
}

TEST(Forms, ExceptStarIsRefused) {
  EXPECT_EQ(errors_of(scan("try:\n    x = 1\nexcept* ValueError:\n    pass\n")),
            (std::vector<std::string>{"AL211 except* 1:0"}));
}

TEST(Forms, WhatIsInsideARefusedFormIsStillJudged) {
  EXPECT_EQ(errors_of(scan("async def f():\n    return eval\n")),
            (std::vector<std::string>{"AL211 async def 1:0", "AL203 eval 2:11"}));
}

}  // namespace
}  // namespace airlock::vet::test
