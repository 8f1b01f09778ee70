// Rooms as a Supply, with real processes.
#include "engine/resident/rooms.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "engine/load/judged_code.h"

namespace airlock {
namespace {

constexpr std::string_view kHonest =
    "def extract(path: str) -> dict:\n    return {'length': len(path)}\n";

const Policy& extractor() {
  return *find_builtin_policy("extractor");
}

class RoomsTest : public testing::Test {
 protected:
  Rooms rooms{AIRLOCK_BINARY_DIR "/airlock-host"};

  std::shared_ptr<run::Chamber> chamber(HashOrder order = HashOrder::kUsual) {
    auto found = rooms.chamber(extractor(), std::nullopt, order);
    EXPECT_TRUE(found.has_value());
    return found.value_or(nullptr);
  }
};

// Cells come when they come.
std::unique_ptr<run::Cell> await_spare(run::Chamber& chamber, const RunLimits& limits) {
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
       std::chrono::steady_clock::now() < end;
       std::this_thread::sleep_for(std::chrono::milliseconds(1))) {
    if (auto cell = chamber.take_spare_cell(limits)) return cell;
  }
  return nullptr;
}

TEST_F(RoomsTest, WhoeverAsksForAPolicyGetsTheSameChamber) {
  const auto first = chamber();
  ASSERT_TRUE(first);
  EXPECT_EQ(chamber(), first);
  EXPECT_NE(chamber(HashOrder::kOther), first);
}

TEST_F(RoomsTest, AChamberThatIsDroppedIsReplacedAndOnlyThatOne) {
  const auto first = chamber();
  rooms.drop_chamber(extractor(), HashOrder::kUsual, first);
  const auto second = chamber();
  EXPECT_NE(second, first);
  rooms.drop_chamber(extractor(), HashOrder::kUsual, first);
  EXPECT_EQ(chamber(), second);
}

TEST_F(RoomsTest, CodeIsJudgedAndRunInWhatIsWarm) {
  const auto screened =
      rooms.screen(extractor(), kHonest, run::Screening::of_extractors(), TextKind::kAnswer);
  ASSERT_TRUE(screened && screened->code);
  const auto warm = chamber();
  ASSERT_TRUE(warm);
  auto loaded = load_cell(*warm, *screened->code, {});
  ASSERT_TRUE(loaded && loaded->cell);
  EXPECT_EQ(ask_cell(*loaded->cell, "/abc", {})->value, "{\"length\":4}");
}

TEST_F(RoomsTest, AProgramThatOnlyCleaningWouldMakePythonIsRefused) {
  const auto verdict =
      rooms.vet(extractor(), "Here it is:\n```python\nx = 1\n```\n", {}, TextKind::kProgram);
  ASSERT_TRUE(verdict.has_value());
  EXPECT_NE(verdict->decision, Decision::kAccepted);
}

TEST_F(RoomsTest, ASpareCellIsForOneSizeOfMemory) {
  const auto warm = chamber();
  ASSERT_TRUE(warm);
  const RunLimits small{.memory_bytes = 50'000'000};
  const RunLimits large{.memory_bytes = 60'000'000};
  EXPECT_FALSE(warm->take_spare_cell(small));
  warm->request_spare_cell(small);
  EXPECT_TRUE(await_spare(*warm, small));
  warm->request_spare_cell(small);
  warm->request_spare_cell(large);
  EXPECT_TRUE(await_spare(*warm, large));
  EXPECT_FALSE(warm->take_spare_cell(large));
  EXPECT_TRUE(await_spare(*warm, small));
}

TEST_F(RoomsTest, ACellLoadsWhileNobodyWaitsForIt) {
  const auto screened =
      rooms.screen(extractor(), kHonest, run::Screening::of_extractors(), TextKind::kAnswer);
  ASSERT_TRUE(screened && screened->code);
  const auto warm = chamber();
  ASSERT_TRUE(warm);
  auto one = begin_load(*warm->make_cell(RunLimits{}), *screened->code, {});
  auto other = begin_load(*warm->make_cell(RunLimits{}), *screened->code, {});
  for (auto* cell : {&other, &one}) {
    auto loaded = finish_load(std::move(*cell), {});
    ASSERT_TRUE(loaded && loaded->cell);
    EXPECT_EQ(ask_cell(*loaded->cell, "/a", {})->value, "{\"length\":2}");
  }
}

TEST_F(RoomsTest, AQuestionThatIsStoppedEndsAtOnce) {
  const auto screened = rooms.screen(
      extractor(),
      "def extract(path: str) -> dict:\n    while path:\n        pass\n    return {}\n",
      run::Screening::of_extractors(), TextKind::kAnswer);
  ASSERT_TRUE(screened && screened->code);
  const auto warm = chamber();
  ASSERT_TRUE(warm);
  const RunLimits limits{.timeout_ms = 600'000};
  auto loaded = load_cell(*warm, *screened->code, limits);
  ASSERT_TRUE(loaded && loaded->cell);
  std::stop_source stop;
  const std::jthread later([&] { stop.request_stop(); });
  const auto answer = ask_cell(*loaded->cell, "/a", limits, Wanted::kObject, stop.get_token());
  ASSERT_TRUE(answer && answer->ending);
  EXPECT_TRUE(std::holds_alternative<Crashed>(*answer->ending));
}

}  // namespace
}  // namespace airlock
