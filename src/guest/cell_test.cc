// A real cell, spoken to in bytes: limits first, then walls, then code, then one call for each
// path. What comes in another order, or is none of these, ends it; what its code does is an outcome
// with the ticket of the question, and nothing else.
#include "guest/cell.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>
#include <vector>

#include "support/cell_talk.h"

namespace airlock::guest {
namespace {

using test::CellTalk;
using test::compiled;
using test::kTicket;
using test::Zygote;

constexpr std::string_view kHonest = "def extract(path: str) -> dict:\n    return {'path': path}\n";

// The zygote of each policy is shared: what one cell does must not cost another anything.
Zygote& zygote(const std::string& policy = "extractor") {
  static Zygote extractors("extractor");
  static Zygote nodes("node");
  return policy == "node" ? nodes : extractors;
}

CellTalk locked_cell(const std::string& policy = "extractor") {
  CellTalk cell = zygote(policy).make_cell();
  EXPECT_TRUE(cell.lock());
  return cell;
}

CellTalk loaded_cell(std::string_view program, const std::string& policy = "extractor",
                     const RunLimits& limits = {}) {
  CellTalk cell = locked_cell(policy);
  const auto loaded = cell.load(compiled(program), limits);
  EXPECT_TRUE(loaded && loaded->outcome.success) << program;
  return cell;
}

// extract() with this body.
CellTalk cell_with(std::string_view body, const std::string& policy = "extractor",
                   const RunLimits& limits = {}) {
  return loaded_cell("def extract(path: str) -> dict:\n    " + std::string(body) + "\n", policy,
                     limits);
}

int code_of(CellTalk& cell, const std::string& policy = "extractor") {
  const auto ended = zygote(policy).reap(cell.id);
  if (!ended) return -1000;
  const int number = static_cast<int>(ended->number);
  return ended->was_signalled ? -number : number;
}

// ---- the usual

TEST(Cell, SaysItsWallsBeforeAnyCodeArrives) {
  CellTalk cell = zygote().make_cell();
  const auto walls = cell.lock();
  ASSERT_TRUE(walls);
  for (const std::string_view wall : {"seccomp", "limits"})
    EXPECT_NE(std::ranges::find(*walls, wall), walls->end()) << wall;
}

TEST(Cell, AnswersTheLoadAndEveryPathWithItsTicket) {
  CellTalk cell = locked_cell();
  const auto loaded = cell.load(compiled(kHonest), {}, 42);
  ASSERT_TRUE(loaded);
  EXPECT_TRUE(loaded->outcome.success);
  EXPECT_EQ(loaded->ticket, 42U);
  for (const std::uint64_t ticket : {std::uint64_t{0}, kTicket, ~std::uint64_t{0}}) {
    const auto called = cell.call("/a/b", ticket);
    ASSERT_TRUE(called);
    EXPECT_EQ(called->ticket, ticket);
    EXPECT_EQ(called->outcome.value, "{\"path\":\"/a/b\"}");
  }
}

TEST(Cell, NotesEveryPathBeforeItIsBegun) {
  CellTalk cell = loaded_cell(kHonest);
  EXPECT_EQ(cell.notes.paths_begun(), 0U);
  for (std::uint64_t count = 1; count <= 5; ++count) {
    ASSERT_TRUE(cell.call("/a"));
    EXPECT_EQ(cell.notes.paths_begun(), count);
  }
}

TEST(Cell, PathsAreAnyBytes) {
  CellTalk cell = cell_with("return {'n': len(path)}");
  EXPECT_EQ(cell.call("")->outcome.value, "{\"n\":0}");
  EXPECT_EQ(cell.call("/\xFF\xFE")->outcome.value, "{\"n\":3}");
  EXPECT_EQ(cell.call(std::string_view("/a\0b", 4))->outcome.value, "{\"n\":4}");
  EXPECT_EQ(cell.call(std::string(1 << 20, 'x'))->outcome.value, "{\"n\":1048576}");
}

TEST(Cell, EndsWellWhenTheQuestionsAreOver) {
  CellTalk cell = loaded_cell(kHonest);
  ASSERT_TRUE(cell.call("/a"));
  cell.talk.stop_talking();
  EXPECT_EQ(code_of(cell), test::kDone);
}

TEST(Cell, WhatOneCellChangesTheNextDoesNotSee) {
  CellTalk first = cell_with("import json\n    json.seen = path\n    return {}");
  ASSERT_TRUE(first.call("/secret"));
  CellTalk second = cell_with("import json\n    return {'seen': getattr(json, 'seen', None)}");
  EXPECT_EQ(second.call("/b")->outcome.value, "{\"seen\":null}");
}

// ---- questions in the wrong order

TEST(Cell, CodeBeforeTheWallsEndsIt) {
  CellTalk cell = zygote().make_cell();
  EXPECT_FALSE(cell.load(compiled(kHonest)));
  EXPECT_EQ(code_of(cell), test::kBadRequest);
}

TEST(Cell, APathBeforeTheWallsEndsIt) {
  CellTalk cell = zygote().make_cell();
  EXPECT_FALSE(cell.call("/a"));
  EXPECT_EQ(code_of(cell), test::kBadRequest);
}

TEST(Cell, LimitsWithoutTheSharedNotesEndIt) {
  CellTalk cell = zygote().make_cell();
  cell.talk.say(wire::encode_prepare({100'000'000, 60}));
  EXPECT_FALSE(cell.talk.hear());
  EXPECT_EQ(code_of(cell), test::kBadRequest);
}

TEST(Cell, NotesThatAreNoMemoryEndItBeforeTheWalls) {
  CellTalk cell = zygote().make_cell();
  cell.talk.say(wire::encode_prepare({100'000'000, 60}), cell.handle.get());
  EXPECT_FALSE(cell.talk.hear());
  EXPECT_EQ(code_of(cell), 3) << "it cannot lock: our trouble, not the guest's";
}

TEST(Cell, APathBeforeTheCodeEndsIt) {
  CellTalk cell = locked_cell();
  EXPECT_FALSE(cell.call("/a"));
  EXPECT_EQ(code_of(cell), test::kBadRequest);
}

TEST(Cell, WallsAreRaisedOnce) {
  CellTalk cell = locked_cell();
  cell.talk.say(wire::encode_prepare({200'000'000, 60}), cell.notes.descriptor());
  EXPECT_FALSE(cell.talk.hear());
  EXPECT_EQ(code_of(cell), test::kBadRequest);
}

TEST(Cell, CodeIsLoadedOnce) {
  CellTalk cell = loaded_cell(kHonest);
  EXPECT_FALSE(cell.load(compiled(kHonest)));
  EXPECT_EQ(code_of(cell), test::kBadRequest);
}

TEST(Cell, AMessageOfAnotherConversationEndsIt) {
  for (const std::string& other :
       {wire::encode_cell(), wire::encode_reap(1), wire::encode_vet("x", {}, TextKind::kProgram),
        wire::encode_outcome(kTicket, {}), wire::encode_locked({"seccomp"}), std::string("?"),
        std::string()}) {
    CellTalk cell = loaded_cell(kHonest);
    cell.talk.say(other);
    EXPECT_FALSE(cell.talk.hear());
    EXPECT_EQ(code_of(cell), test::kBadRequest);
  }
}

TEST(Cell, AQuestionThatIsCutOrTooLongEndsIt) {
  const std::string whole = wire::encode_path(kTicket, "/a/b");
  for (const std::string& bad :
       {whole.substr(0, 5), whole.substr(0, whole.size() - 1), whole + "x"}) {
    CellTalk cell = loaded_cell(kHonest);
    cell.talk.say(bad);
    EXPECT_FALSE(cell.talk.hear());
    EXPECT_EQ(code_of(cell), test::kBadRequest);
  }
}

TEST(Cell, ALengthBeyondEveryLimitEndsIt) {
  CellTalk cell = loaded_cell(kHonest);
  cell.talk.say_raw("\xFF\xFF\xFF\xFF");
  EXPECT_FALSE(cell.talk.hear());
  EXPECT_EQ(code_of(cell), test::kBadRequest);
}

// ---- code that is none

TEST(Cell, CompiledBytesThatAreNoneAreAFailedLoadAndTheCellIsOver) {
  const std::string whole = compiled(kHonest);
  for (const std::string& bad :
       {std::string(), std::string("\0", 1), std::string("N"), whole.substr(0, whole.size() / 2)}) {
    CellTalk cell = locked_cell();
    const auto loaded = cell.load(bad);
    ASSERT_TRUE(loaded) << bad.size();
    EXPECT_FALSE(loaded->outcome.success);
    EXPECT_EQ(loaded->ticket, kTicket);
    EXPECT_FALSE(cell.call("/a"));
    EXPECT_EQ(code_of(cell), test::kDone);
  }
}

TEST(Cell, CodeThatRaisesWhileItIsLoadedIsAFailedLoad) {
  CellTalk cell = locked_cell();
  const auto loaded = cell.load(compiled("x = 1\nraise ValueError('early')\n"));
  ASSERT_TRUE(loaded);
  EXPECT_FALSE(loaded->outcome.success);
  EXPECT_EQ(loaded->outcome.error_type, "ValueError");
  EXPECT_EQ(loaded->outcome.error_line, 2U);
  EXPECT_FALSE(cell.call("/a"));
}

TEST(Cell, CodeWithoutExtractIsAFailedLoadOrCall) {
  CellTalk cell = locked_cell();
  const auto loaded = cell.load(compiled("x = 1\n"));
  ASSERT_TRUE(loaded);
  if (!loaded->outcome.success) return;
  const auto called = cell.call("/a");
  ASSERT_TRUE(called);
  EXPECT_FALSE(called->outcome.success);
}

// ---- what code does is an outcome

TEST(Cell, AnExceptionIsAnOutcomeWithTypeLineAndTrace) {
  CellTalk cell = loaded_cell(
      "def helper(x):\n    return int(x)\n\ndef extract(path: str) -> dict:\n    return "
      "{'n': helper(path)}\n");
  const auto called = cell.call("/a");
  ASSERT_TRUE(called);
  EXPECT_FALSE(called->outcome.success);
  EXPECT_EQ(called->outcome.error_type, "ValueError");
  EXPECT_EQ(called->outcome.error_line, 2U);
  ASSERT_EQ(called->outcome.trace.size(), 2U);
  EXPECT_EQ(called->outcome.trace[0].function, "extract");
  EXPECT_EQ(called->outcome.trace[1].function, "helper");
  EXPECT_TRUE(cell.call("/b")) << "it goes on";
}

TEST(Cell, EveryWayOutOfPythonIsAnOutcome) {
  for (const std::string_view body :
       {"raise SystemExit(3)", "raise KeyboardInterrupt", "raise GeneratorExit",
        "return extract(path)", "raise MemoryError"}) {
    CellTalk cell = cell_with(body);
    const auto called = cell.call("/a");
    ASSERT_TRUE(called) << body;
    EXPECT_FALSE(called->outcome.success) << body;
    EXPECT_EQ(called->ticket, kTicket + 1);
  }
}

TEST(Cell, WhatIsNoDictIsAnError) {
  for (const std::string_view body : {"return None", "return [1]", "return 'x'", "return {1: 2}",
                                      "return {'a': object()}", "return {'a': float('nan')}"}) {
    CellTalk cell = cell_with(body);
    const auto called = cell.call("/a");
    ASSERT_TRUE(called) << body;
    EXPECT_FALSE(called->outcome.success) << body << " gave " << called->outcome.value;
  }
}

TEST(Cell, ResultsBeyondTheirLimitsAreErrors) {
  const RunLimits limits{.result_bytes = 1000, .result_depth = 10};
  for (const std::string_view body :
       {"return {'x': 'y' * 2000}", "d = {}\n    for _ in range(20): d = {'d': d}\n    return d"}) {
    CellTalk cell = cell_with(body, "extractor", limits);
    const auto called = cell.call("/a");
    ASSERT_TRUE(called) << body;
    EXPECT_FALSE(called->outcome.success) << body;
    EXPECT_LT(called->outcome.value.size(), 1001U);
  }
}

// Each limit met exactly is an answer, and passed by one it is an error or a cut.
TEST(Cell, LimitsOfAResultAreExact) {
  RunLimits limits;
  limits.result_bytes = 64;
  limits.result_depth = 4;
  limits.output_bytes = 16;
  CellTalk cell = cell_with(
      "kind, size = path.split('/')\n    size = int(size)\n"
      "    if kind == 'size': return {'a': 'x' * size}\n"
      "    if kind == 'print': print('x' * size, end='')\n"
      "    value = 1\n"
      "    for _ in range(size if kind == 'depth' else 0): value = [value]\n"
      "    return {'a': value}",
      "extractor", limits);
  const auto ask = [&](const std::string& kind, int size) {
    const auto called = cell.call(kind + "/" + std::to_string(size));
    return called ? called->outcome : GuestOutcome{};
  };
  const int room = 64 - static_cast<int>(std::string_view("{\"a\":\"\"}").size());
  EXPECT_EQ(ask("size", room).value.size(), 64U);
  EXPECT_FALSE(ask("size", room + 1).success);
  EXPECT_TRUE(ask("size", room).success) << "an error costs its own path";
  int deepest = 0;
  while (deepest < 20 && ask("depth", deepest + 1).success) ++deepest;
  EXPECT_GE(deepest, 2);
  EXPECT_LE(deepest, 4);
  EXPECT_EQ(ask("print", 16).output, std::string(16, 'x'));
  EXPECT_FALSE(ask("print", 16).output_was_cut);
  EXPECT_EQ(ask("print", 17).output.size(), 16U);
  EXPECT_TRUE(ask("print", 17).output_was_cut);
}

TEST(Cell, WhatIsPrintedComesAlongUpToItsLimitAndIsInTheNotes) {
  CellTalk cell = cell_with("print('x' * 5000)\n    return {}", "extractor", {.output_bytes = 100});
  const auto called = cell.call("/a");
  ASSERT_TRUE(called);
  EXPECT_TRUE(called->outcome.success);
  EXPECT_TRUE(called->outcome.output_was_cut);
  EXPECT_LE(called->outcome.output.size(), 100U);
  EXPECT_NE(cell.notes.text(os::SharedNotes::Stream::kOutput).find("xxx"), std::string::npos);
}

TEST(Cell, TextThatIsNoUtf8NeverLeavesIt) {
  CellTalk cell = cell_with("print('\\ud800')\n    raise ValueError('\\ud800')");
  EXPECT_TRUE(cell.call("/a")) << "the decoder takes nothing else";
}

TEST(Cell, MemoryBeyondItsLimitIsAnErrorOfTheGuest) {
  CellTalk cell = cell_with("return {'n': len(bytearray(10 ** 9))}");
  const auto called = cell.call("/a");
  ASSERT_TRUE(called);
  EXPECT_EQ(called->outcome.error_type, "MemoryError");
}

// ---- denials

// A module that asks the system for a file; in a plain cell nothing does.
TEST(Cell, ADeniedCallIsNotedWithItsLineAndInNoMessage) {
  Policy policy = *find_builtin_policy("extractor");
  policy.modules.insert(std::ranges::upper_bound(policy.modules, "pwd", {}, &Surface::name),
                        {"pwd", "for a test", {"getpwnam"}, {}});
  test::Host host("zygote");
  host.say(wire::encode_hello(policy));
  ASSERT_TRUE(wire::decode_ready(host.hear().value_or("")));
  host.take_descriptor();
  auto sockets = os::make_socket_pair().value();
  host.say(wire::encode_cell(), sockets.second.get());
  sockets.second.reset();
  ASSERT_TRUE(wire::decode_born(host.hear().value_or("")));
  CellTalk cell{test::Talk(std::move(sockets.first)), host.take_descriptor(), 0,
                os::SharedNotes::make().value()};
  ASSERT_TRUE(cell.lock());
  ASSERT_TRUE(
      cell.load(compiled("import pwd\n\ndef extract(path: str) -> dict:\n    try:\n"
                         "        pwd.getpwnam('root')\n    except Exception:\n"
                         "        pass\n    return {}\n")));
  const auto called = cell.call("/a");
  ASSERT_TRUE(called);
  EXPECT_TRUE(called->outcome.denials.empty());
  ASSERT_GT(cell.notes.noted(), 0U);
  std::set<std::uint32_t> calls;
  for (std::uint64_t i = 0; i < cell.notes.noted(); ++i) {
    EXPECT_EQ(cell.notes.note(i).line, 5U);
    EXPECT_EQ(cell.notes.note(i).path, 1U);
    EXPECT_TRUE(calls.insert(cell.notes.note(i).call).second) << "each call and line once";
  }
}

TEST(Cell, OneThatIsAskedForItsLineSaysIt) {
  CellTalk cell = cell_with("n = 0\n    while path == '/slow': n += 1\n    return {}");
  cell.talk.say(wire::encode_path(kTicket, "/slow"));
  while (cell.notes.paths_begun() == 0) ::sched_yield();
  ASSERT_EQ(::syscall(SYS_pidfd_send_signal, cell.handle.get(), os::kLineRequestSignal, nullptr, 0),
            0);
  while (!cell.notes.has_line()) ::sched_yield();
  EXPECT_LE(cell.notes.line(), 3U);
  ::syscall(SYS_pidfd_send_signal, cell.handle.get(), SIGKILL, nullptr, 0);
  EXPECT_EQ(code_of(cell), -SIGKILL);
}

TEST(Cell, ItsListenerComesWithTheWallsWhereCodeIsNative) {
  CellTalk node = zygote("node").make_cell();
  ASSERT_TRUE(node.lock());
  EXPECT_TRUE(node.talk.take_descriptor().is_open());
  CellTalk plain = locked_cell();
  EXPECT_FALSE(plain.talk.take_descriptor().is_open());
}

// ---- the bulk job

std::optional<wire::BulkRows> ask_for_rows(CellTalk& cell, std::span<const std::string_view> paths,
                                           std::string& message) {
  cell.talk.say(wire::encode_batch(kTicket, paths));
  message = cell.talk.hear().value_or("");
  return wire::decode_rows(message);
}

TEST(Cell, ABatchComesBackAsRowsInOrderWithItsTicket) {
  CellTalk cell = cell_with("return {'n': len(path)}");
  const std::string_view paths[] = {"a", "", "ccc"};
  std::string message;
  const auto rows = ask_for_rows(cell, paths, message);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->ticket, kTicket);
  ASSERT_EQ(rows->rows.size(), 3U);
  EXPECT_EQ(rows->rows[0].value, "{\"n\":1}");
  EXPECT_EQ(rows->rows[1].value, "{\"n\":0}");
  EXPECT_EQ(rows->rows[2].value, "{\"n\":3}");
  EXPECT_EQ(cell.notes.paths_begun(), 3U);
}

// Rows leave when there are enough of them; together they are the batch, in its order.
TEST(Cell, ALargeBatchComesBackInSeveralMessagesOfOneTicket) {
  CellTalk cell = cell_with("return {'p': path, 'x': 'x' * 20000}");
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("/" + std::to_string(i));
  const std::vector<std::string_view> paths(names.begin(), names.end());
  cell.talk.say(wire::encode_batch(kTicket, paths));
  std::size_t messages = 0;
  std::size_t next = 0;
  while (next < names.size()) {
    const std::string message = cell.talk.hear().value_or("");
    const auto rows = wire::decode_rows(message);
    ASSERT_TRUE(rows);
    ASSERT_FALSE(rows->rows.empty());
    EXPECT_EQ(rows->ticket, kTicket);
    for (const wire::BulkRow& row : rows->rows) {
      ASSERT_LT(next, names.size());
      EXPECT_TRUE(row.value.starts_with("{\"p\":\"" + names[next++] + "\"")) << row.value.size();
    }
    ++messages;
  }
  EXPECT_GE(messages, 4U) << "no message waits for more than 48 KiB";
  EXPECT_EQ(cell.notes.paths_begun(), names.size());
}

TEST(Cell, ABatchOfBytesThatAreNoTextIsAnswered) {
  CellTalk cell = cell_with("return {'n': len(path)}");
  const std::string_view paths[] = {"/\xFF", "\xED\xA0\x80", "/\xC3\xA9"};
  std::string message;
  const auto rows = ask_for_rows(cell, paths, message);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->rows.size(), 3U);
  for (const wire::BulkRow& row : rows->rows) EXPECT_TRUE(row.success) << row.error;
  EXPECT_EQ(rows->rows[2].value, "{\"n\":2}");
}

TEST(Cell, AnErrorCostsItsOwnRow) {
  CellTalk cell = cell_with("return {'n': int(path)}");
  const std::string_view paths[] = {"1", "x", "3"};
  std::string message;
  const auto rows = ask_for_rows(cell, paths, message);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->rows.size(), 3U);
  EXPECT_TRUE(rows->rows[0].success);
  EXPECT_EQ(rows->rows[1].error_type, "ValueError");
  EXPECT_TRUE(rows->rows[2].success);
}

TEST(Cell, AnEmptyBatchHasNoRowsAndTheNextIsAnswered) {
  CellTalk cell = cell_with("return {}");
  cell.talk.say(wire::encode_batch(kTicket, {}));
  const std::string_view paths[] = {"/a"};
  std::string message;
  const auto rows = ask_for_rows(cell, paths, message);
  ASSERT_TRUE(rows);
  EXPECT_EQ(rows->rows.size(), 1U);
}

TEST(Cell, BatchesAndPathsMayFollowEachOther) {
  CellTalk cell = cell_with("return {'p': path}");
  const std::string_view paths[] = {"/a", "/b"};
  std::string message;
  EXPECT_TRUE(ask_for_rows(cell, paths, message));
  EXPECT_EQ(cell.call("/c")->outcome.value, "{\"p\":\"/c\"}");
  EXPECT_TRUE(ask_for_rows(cell, paths, message));
  EXPECT_EQ(cell.notes.paths_begun(), 5U);
}

TEST(Cell, ABatchThatIsCutEndsIt) {
  const std::string_view paths[] = {"/a", "/b"};
  const std::string whole = wire::encode_batch(kTicket, paths);
  CellTalk cell = loaded_cell(kHonest);
  cell.talk.say(whole.substr(0, whole.size() - 1));
  EXPECT_FALSE(cell.talk.hear());
  EXPECT_EQ(code_of(cell), test::kBadRequest);
}

TEST(Cell, AfterMemoryHasRunOutTheRowLeavesAtOnce) {
  CellTalk cell = cell_with("return {'n': len(bytearray(10 ** 9 if path == '/big' else 1))}");
  const std::string_view paths[] = {"/a", "/big", "/c"};
  std::string message;
  const auto rows = ask_for_rows(cell, paths, message);
  ASSERT_TRUE(rows);
  ASSERT_GE(rows->rows.size(), 2U);
  EXPECT_EQ(rows->rows[1].error_type, "MemoryError");
  EXPECT_EQ(rows->rows.size(), 2U) << "who asks will take another cell for the rest";
}

// ---- the doctor's

TEST(Cell, ACrimeThatNobodyKnowsEndsIt) {
  CellTalk cell = zygote().make_cell();
  cell.talk.say(wire::encode_attempt({"no-such-crime", 0, 0, "", ""}));
  EXPECT_FALSE(cell.talk.hear());
  EXPECT_EQ(code_of(cell), test::kBadRequest);
}

TEST(Cell, ACrimeIsCommittedBehindTheWallsAndAnsweredWithWhatTheKernelSaid) {
  for (const auto& [crime, error] : {std::pair{"map-gigabyte", ENOMEM}, {"mount", EPERM}}) {
    CellTalk cell = zygote().make_cell();
    cell.talk.say(wire::encode_attempt({crime, 0, 0, "", ""}));
    EXPECT_TRUE(wire::decode_locked(cell.talk.hear().value_or(""))) << crime;
    const auto answer = wire::decode_answer(cell.talk.hear().value_or(""));
    ASSERT_TRUE(answer) << crime;
    EXPECT_EQ(*answer, static_cast<std::uint32_t>(error)) << crime;
    EXPECT_EQ(code_of(cell), test::kDone);
  }
}

}  // namespace
}  // namespace airlock::guest
