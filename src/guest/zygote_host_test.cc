// A real zygote, spoken to in bytes: a policy, then cells to fork and to reap. It never sees code.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

#include "guest/roles.h"
#include "support/cell_talk.h"

namespace airlock::guest {
namespace {

using test::CellTalk;
using test::hello;
using test::Host;
using test::Zygote;

// ---- its life

TEST(ZygoteHost, SaysWhichWallsStandAndHandsOverAHandleOnItself) {
  Host host("zygote");
  host.say(hello());
  const auto walls = wire::decode_ready(host.hear().value_or(""));
  ASSERT_TRUE(walls);
  EXPECT_NE(std::ranges::find(*walls, "no-capabilities"), walls->end());
  EXPECT_NE(std::ranges::find(*walls, "no-dump"), walls->end());
  EXPECT_TRUE(host.take_descriptor().is_open());
}

TEST(ZygoteHost, EndsWellWhenNobodyAsksAnything) {
  Host host("zygote");
  host.stop_talking();
  EXPECT_EQ(host.exit_code(), test::kDone);
}

TEST(ZygoteHost, EndsWellWhenNoMoreCellsAreWanted) {
  Zygote zygote;
  zygote.host().stop_talking();
  EXPECT_EQ(zygote.host().exit_code(), test::kDone);
}

TEST(ZygoteHost, MakesOneCellAfterAnother) {
  Zygote zygote;
  std::vector<std::uint32_t> ids;
  for (int i = 0; i < 8; ++i) {
    CellTalk cell = zygote.make_cell();
    ASSERT_TRUE(cell.handle.is_open());
    EXPECT_EQ(std::ranges::find(ids, cell.id), ids.end()) << "all of them live";
    ids.push_back(cell.id);
  }
}

TEST(ZygoteHost, MakesCellsThatWereAskedForTogetherInTheirOrder) {
  Zygote zygote;
  auto first = os::make_socket_pair().value();
  auto second = os::make_socket_pair().value();
  zygote.host().say(wire::encode_cell(), first.second.get());
  zygote.host().say(wire::encode_cell(), second.second.get());
  first.second.reset();
  second.second.reset();
  EXPECT_TRUE(wire::decode_born(zygote.host().hear().value_or("")));
  EXPECT_TRUE(wire::decode_born(zygote.host().hear().value_or("")));
  test::Talk talk(std::move(first.first));
  talk.say("?");
  EXPECT_FALSE(talk.hear()) << "the first cell listens to the first socket, and ends";
}

TEST(ZygoteHost, BothOrdersOfHashesAreZygotes) {
  Host host("zygote-other-order");
  host.say(hello());
  EXPECT_TRUE(wire::decode_ready(host.hear().value_or("")));
}

// ---- how cells end

TEST(ZygoteHost, SaysHowACellThatWasKilledEnded) {
  Zygote zygote;
  CellTalk cell = zygote.make_cell();
  ASSERT_EQ(::syscall(SYS_pidfd_send_signal, cell.handle.get(), SIGKILL, nullptr, 0), 0);
  const auto ended = zygote.reap(cell.id);
  ASSERT_TRUE(ended);
  EXPECT_TRUE(ended->was_signalled);
  EXPECT_EQ(ended->number, static_cast<std::uint32_t>(SIGKILL));
  EXPECT_GT(ended->peak_kb, 1000U);
}

TEST(ZygoteHost, SaysHowACellThatHadNothingToDoEnded) {
  Zygote zygote;
  CellTalk cell = zygote.make_cell();
  cell.talk.stop_talking();
  const auto ended = zygote.reap(cell.id);
  ASSERT_TRUE(ended);
  EXPECT_FALSE(ended->was_signalled);
  EXPECT_EQ(ended->number, static_cast<std::uint32_t>(test::kDone));
}

TEST(ZygoteHost, SaysHowACellThatHeardNonsenseEnded) {
  Zygote zygote;
  CellTalk cell = zygote.make_cell();
  cell.talk.say("nonsense");
  const auto ended = zygote.reap(cell.id);
  ASSERT_TRUE(ended);
  EXPECT_EQ(ended->number, static_cast<std::uint32_t>(test::kBadRequest));
}

TEST(ZygoteHost, AProcessThatIsNoCellOfItsCannotBeReaped) {
  for (const std::uint32_t id : {0U, 1U, 2'000'000'000U, 0xFFFFFFFFU}) {
    Zygote zygote;
    zygote.host().say(wire::encode_reap(id));
    const auto trouble = wire::decode_trouble(zygote.host().hear().value_or(""));
    ASSERT_TRUE(trouble) << id;
    EXPECT_NE(trouble->find("reap a cell"), std::string::npos);
    EXPECT_EQ(zygote.host().exit_code(), test::kCannotStart);
  }
}

TEST(ZygoteHost, ACellCannotBeReapedTwice) {
  Zygote zygote;
  CellTalk cell = zygote.make_cell();
  cell.talk.stop_talking();
  EXPECT_TRUE(zygote.reap(cell.id));
  EXPECT_FALSE(zygote.reap(cell.id));
}

TEST(ZygoteHost, ItsCellsEndWithIt) {
  Zygote zygote;
  CellTalk cell = zygote.make_cell();
  zygote.host().stop_talking();
  EXPECT_EQ(zygote.host().exit_code(), test::kDone);
  EXPECT_FALSE(cell.talk.hear()) << "nobody holds the other end any more";
}

// ---- what ends it

TEST(ZygoteHost, ACellWithoutASocketEndsIt) {
  Zygote zygote;
  EXPECT_EQ(zygote.host().exit_code_after(wire::encode_cell()), test::kBadRequest);
}

TEST(ZygoteHost, AWishBeforeThePolicyEndsIt) {
  for (const std::string& early : {wire::encode_cell(), wire::encode_reap(1), std::string("x")}) {
    Host host("zygote");
    EXPECT_EQ(host.exit_code_after(early), test::kBadRequest);
    EXPECT_FALSE(host.hear());
  }
}

TEST(ZygoteHost, APolicyThatIsCutEndsIt) {
  const std::string whole = hello();
  for (const std::size_t size : {std::size_t{1}, whole.size() / 2, whole.size() - 1}) {
    Host host("zygote");
    EXPECT_EQ(host.exit_code_after(whole.substr(0, size)), test::kBadRequest) << size;
  }
}

TEST(ZygoteHost, ASecondPolicyEndsIt) {
  Zygote zygote;
  EXPECT_EQ(zygote.host().exit_code_after(hello()), test::kBadRequest);
}

TEST(ZygoteHost, CodeIsNothingThatItTakes) {
  for (const std::string& message :
       {wire::encode_load(1, RunLimits{}, "code"), wire::encode_path(1, "/a"),
        wire::encode_vet("x = 1\n", {}, TextKind::kProgram), wire::encode_prepare({1, 1})}) {
    Zygote zygote;
    EXPECT_EQ(zygote.host().exit_code_after(message), test::kBadRequest);
  }
}

TEST(ZygoteHost, ALengthBeyondEveryLimitEndsIt) {
  Zygote zygote;
  zygote.host().say_raw("\xFF\xFF\xFF\xFF");
  zygote.host().stop_talking();
  EXPECT_EQ(zygote.host().exit_code(), test::kBadRequest);
}

TEST(ZygoteHost, APolicyWithAModuleThatDoesNotExistIsSaid) {
  Policy policy = *find_builtin_policy("extractor");
  policy.modules.push_back({"zzz_no_such_module", "for a test", {"x"}, {}});
  Host host("zygote");
  host.say(wire::encode_hello(policy));
  const auto said = host.hear();
  ASSERT_TRUE(said);
  const auto mistake = wire::decode_mistake(*said);
  ASSERT_TRUE(mistake) << "it must not go on without";
  EXPECT_NE(mistake->find("zzz_no_such_module"), std::string::npos);
  EXPECT_EQ(host.exit_code(), test::kCannotStart);
}

TEST(ZygoteHost, AFolderThatCannotBeShownIsSaid) {
  Policy policy = *find_builtin_policy("probe");
  policy.folders = {{"/repository", "/no/such/folder", 0}};
  Host host("zygote");
  host.say(wire::encode_hello(policy));
  const auto said = host.hear();
  ASSERT_TRUE(said);
  EXPECT_TRUE(wire::decode_trouble(*said));
  EXPECT_EQ(host.exit_code(), test::kCannotStart);
}

}  // namespace
}  // namespace airlock::guest
