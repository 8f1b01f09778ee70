// Every message of every conversation against bytes that nobody's encoder wrote. One property holds
// them together: what a decoder takes, it has understood to the last byte, so encoding it again
// gives the same bytes. Whatever does not pass that is refused as a whole.
#include <gtest/gtest.h>

#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "model/rule.h"
#include "wire/bulk_messages.h"
#include "wire/bytes.h"
#include "wire/cell_messages.h"
#include "wire/messages.h"
#include "wire/node_messages.h"

namespace airlock::wire {
namespace {

constexpr std::uint64_t kTicket = 0x8877665544332211U;

// Nothing: refused. Otherwise what its encoder makes of it.
using Again = std::function<std::optional<std::string>(std::string_view)>;

struct Spoken {
  std::string name;
  std::string bytes;
  Again again;
};

template <typename Decode, typename Encode>
Again by(Decode decode, Encode encode) {
  return [=](std::string_view bytes) -> std::optional<std::string> {
    const auto read = decode(bytes);
    if (!read) return std::nullopt;
    return encode(*read);
  };
}

template <typename Is, typename Encode>
Again by_name(Is is, Encode encode) {
  return [=](std::string_view bytes) -> std::optional<std::string> {
    if (!is(bytes)) return std::nullopt;
    return encode();
  };
}

Policy small_policy() {
  Policy policy;
  policy.name = "p";
  policy.summary = "for a test";
  policy.modules = {{"re", "patterns", {"match", "search"}, {{"template", "old", "compile"}}}};
  policy.refused_modules = {{"os", "files", "os.path"}};
  policy.builtins = {{"len", "counts"}};
  policy.grants = {{"any_python", "a reason"}};
  policy.parts_left_out = {"codecs"};
  policy.folders = {{"/repository", "/home/a\xFF", 0}, {"/output", "", 4096}};
  return policy;
}

Verdict small_verdict() {
  Verdict verdict;
  verdict.decision = Decision::kRefused;
  verdict.stage = Stage::kSecurity;
  verdict.code = "import os\n";
  verdict.lines.lines = {{1, -3}};
  verdict.findings = {{&rule(RuleCode::kForbiddenImport),
                       Severity::kError,
                       {1, 0, 1, 9},
                       "os",
                       "not on the list",
                       "os.path"}};
  return verdict;
}

GuestOutcome small_outcome() {
  GuestOutcome outcome;
  outcome.value = "{}";
  outcome.error_type = "ValueError";
  outcome.error = "no";
  outcome.trace = {{4, "extract"}};
  outcome.output = "a";
  outcome.microseconds = 7;
  return outcome;
}

std::string rows_again(const BulkRows& read) {
  RowsWriter writer;
  for (const BulkRow& row : read.rows) {
    if (row.success) {
      writer.add_value(row.value);
    } else {
      writer.add_error(row.error_type, row.error);
    }
  }
  return writer.take(read.ticket);
}

std::string two_rows() {
  RowsWriter writer;
  writer.add_value("{\"a\":1}");
  writer.add_error("OSError", "no file");
  return writer.take(kTicket);
}

// With the vetter.
std::vector<Spoken> vetter_messages() {
  return {
      {"hello", encode_hello(small_policy()), by(decode_hello, encode_hello)},
      {"ready", encode_ready({"seccomp", "no-dump"}), by(decode_ready, encode_ready)},
      {"vet", encode_vet("x = 1\n", {}, TextKind::kProgram),
       by(decode_vet,
          [](const VetRequest& read) { return encode_vet(read.raw, read.stages, read.kind); })},
      {"verdict", encode_verdict(small_verdict()), by(decode_verdict, encode_verdict)},
      {"trouble", encode_trouble("no seccomp"), by(decode_trouble, encode_trouble)},
      {"mistake", encode_mistake("no module"), by(decode_mistake, encode_mistake)},
  };
}

// With a zygote and a cell.
std::vector<Spoken> cell_messages() {
  return {
      {"cell", encode_cell(), by_name(is_cell, encode_cell)},
      {"own folder", encode_own_folder("/output"), by(decode_own_folder, encode_own_folder)},
      {"reap", encode_reap(77), by(decode_reap, encode_reap)},
      {"forget", encode_forget(77), by(decode_forget, encode_forget)},
      {"born", encode_born(77), by(decode_born, encode_born)},
      {"ended", encode_ended({true, 9, 1024}), by(decode_ended, encode_ended)},
      {"prepare", encode_prepare({1000, 3}), by(decode_prepare, encode_prepare)},
      {"load", encode_load(kTicket, RunLimits{}, std::string_view("\xE3\0\xFF", 3)),
       by(decode_load,
          [](const LoadRequest& read) {
            return encode_load(read.ticket, read.limits, read.compiled);
          })},
      {"path", encode_path(kTicket, "/a/\xFF"),
       by(decode_path,
          [](const PathRequest& read) { return encode_path(read.ticket, read.path); })},
      {"attempt", encode_attempt({"fork", 1, 2, "host", "/etc/passwd"}),
       by(decode_attempt, encode_attempt)},
      {"answer", encode_answer(1), by(decode_answer, encode_answer)},
      {"locked", encode_locked({"seccomp", "limits"}), by(decode_locked, encode_locked)},
      {"outcome", encode_outcome(kTicket, small_outcome()),
       by(decode_outcome,
          [](const Outcome& read) { return encode_outcome(read.ticket, read.outcome); })},
  };
}

// Of the bulk job, and with a node host.
std::vector<Spoken> other_messages() {
  const std::string_view paths[] = {"/a", "", "/b\xFF"};
  return {
      {"batch", encode_batch(kTicket, paths),
       by(decode_batch,
          [](const BatchOfPaths& read) { return encode_batch(read.ticket, read.paths); })},
      {"rows", two_rows(), by(decode_rows, rows_again)},
      {"start", encode_start_nodes("{\"a\":1}"), by(decode_start_nodes, encode_start_nodes)},
      {"node", encode_node({"fetch", "{}", "[]", 3, 250, true}), by(decode_node, encode_node)},
      {"put", encode_put("fetch", "{}"),
       by(decode_put, [](const auto& read) { return encode_put(read.first, read.second); })},
      {"resolve", encode_resolve("[1]"), by(decode_resolve, encode_resolve)},
      {"keep", encode_checkpoint(), by_name(is_checkpoint, encode_checkpoint)},
      {"done", encode_done({.action = "default", .line = 3, .has_result = true, .result = "1"}),
       by(decode_done, encode_done)},
      {"value", encode_value({"1", "", true}), by(decode_value, encode_value)},
      {"kept", encode_checkpoint_ready(4711), by(decode_checkpoint_ready, encode_checkpoint_ready)},
  };
}

std::vector<Spoken> all_messages() {
  std::vector<Spoken> all = vetter_messages();
  for (auto&& more : {cell_messages(), other_messages()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

// Whatever a decoder takes is exactly what its encoder says.
void expect_canonical(const Spoken& spoken, const std::string& bytes, const std::string& how) {
  const auto again = spoken.again(bytes);
  EXPECT_EQ(again.value_or(bytes), bytes) << spoken.name << ": " << how;
}

TEST(HostileBytes, EveryMessageIsTakenAsItWasWritten) {
  for (const Spoken& spoken : all_messages())
    EXPECT_EQ(spoken.again(spoken.bytes), spoken.bytes) << spoken.name;
}

TEST(HostileBytes, NothingIsTakenForEmptyBytes) {
  for (const Spoken& spoken : all_messages()) EXPECT_FALSE(spoken.again("")) << spoken.name;
}

TEST(HostileBytes, AMessageCutAnywhereIsRefused) {
  for (const Spoken& spoken : all_messages()) {
    for (std::size_t size = 0; size < spoken.bytes.size(); ++size)
      EXPECT_FALSE(spoken.again(std::string_view(spoken.bytes).substr(0, size)))
          << spoken.name << " " << size;
  }
}

TEST(HostileBytes, AMessageWithMoreBehindItIsRefused) {
  for (const Spoken& spoken : all_messages()) {
    for (const std::string& more : {std::string(1, '\0'), std::string("x"), spoken.bytes})
      EXPECT_FALSE(spoken.again(spoken.bytes + more)) << spoken.name;
  }
}

TEST(HostileBytes, AMessageWithItsBeginningGoneIsRefused) {
  for (const Spoken& spoken : all_messages()) {
    for (std::size_t from = 1; from < spoken.bytes.size(); ++from)
      expect_canonical(spoken, spoken.bytes.substr(from), "from " + std::to_string(from));
  }
}

TEST(HostileBytes, AnyByteChangedIsRefusedOrUnderstood) {
  for (const Spoken& spoken : all_messages()) {
    for (std::size_t at = 0; at < spoken.bytes.size(); ++at) {
      for (const int other : {0x00, 0x01, 0x02, 0x03, 0x04, 0x10, 0x7F, 0x80, 0xC0, 0xFF}) {
        std::string bytes = spoken.bytes;
        bytes[at] = static_cast<char>(other);
        expect_canonical(spoken, bytes, "byte " + std::to_string(at));
      }
    }
  }
}

TEST(HostileBytes, AnyFourBytesMadeTheLargestNumberAreRefusedOrUnderstood) {
  for (const Spoken& spoken : all_messages()) {
    for (std::size_t at = 0; at + 4 <= spoken.bytes.size(); ++at) {
      for (const std::string_view number :
           {std::string_view("\xFF\xFF\xFF\xFF", 4), std::string_view("\xFF\xFF\xFF\x7F", 4),
            std::string_view("\0\0\0\x80", 4), std::string_view("\0\0\0\0", 4)}) {
        std::string bytes = spoken.bytes;
        bytes.replace(at, 4, number);
        expect_canonical(spoken, bytes, "number at " + std::to_string(at));
      }
    }
  }
}

TEST(HostileBytes, AByteDroppedOrDoubledAnywhereIsRefusedOrUnderstood) {
  for (const Spoken& spoken : all_messages()) {
    for (std::size_t at = 0; at < spoken.bytes.size(); ++at) {
      std::string dropped = spoken.bytes;
      dropped.erase(at, 1);
      expect_canonical(spoken, dropped, "dropped " + std::to_string(at));
      std::string doubled = spoken.bytes;
      doubled.insert(at, 1, spoken.bytes[at]);
      expect_canonical(spoken, doubled, "doubled " + std::to_string(at));
    }
  }
}

TEST(HostileBytes, TheEndOfOneMessageBehindTheBeginningOfAnotherIsRefusedOrUnderstood) {
  const std::vector<Spoken> all = all_messages();
  for (const Spoken& spoken : all) {
    for (const Spoken& other : all) {
      const std::size_t half = spoken.bytes.size() / 2;
      const std::string tail = other.bytes.substr(other.bytes.size() / 2);
      expect_canonical(spoken, spoken.bytes.substr(0, half) + tail,
                       "with the end of " + other.name);
    }
  }
}

TEST(HostileBytes, BytesWithoutAnySenseAreRefusedOrUnderstood) {
  std::mt19937 random(20240131);  // the same bytes every time
  const std::vector<Spoken> all = all_messages();
  for (int round = 0; round < 4000; ++round) {
    std::string bytes(random() % 64, '\0');
    for (char& one : bytes) one = static_cast<char>(random() % (round % 2 == 0 ? 4 : 256));
    for (const Spoken& spoken : all) {
      std::string typed = bytes;
      if (!typed.empty()) typed[0] = spoken.bytes[0];
      expect_canonical(spoken, typed, "round " + std::to_string(round));
    }
  }
}

// ---- the conversations do not leak into each other

TEST(HostileBytes, NoMessageOfOneConversationIsTakenForAnotherOfIt) {
  for (const auto& conversation : {vetter_messages(), cell_messages()}) {
    for (const Spoken& spoken : conversation) {
      for (const Spoken& other : conversation) {
        if (spoken.name == other.name) continue;
        EXPECT_FALSE(spoken.again(other.bytes)) << spoken.name << " took " << other.name;
      }
    }
  }
}

TEST(HostileBytes, WhatACellIsAskedIsNeverTakenForWhatItAnswers) {
  const std::string load = encode_load(kTicket, RunLimits{}, "code");
  const std::string path = encode_path(kTicket, "/a");
  for (const std::string_view question : {std::string_view(load), std::string_view(path)}) {
    EXPECT_FALSE(decode_outcome(question));
    EXPECT_FALSE(decode_rows(question));
    EXPECT_FALSE(decode_locked(question));
    EXPECT_FALSE(decode_trouble(question));
  }
}

TEST(HostileBytes, RowsAreNoOutcomeAndAnOutcomeIsNoRows) {
  EXPECT_FALSE(decode_outcome(two_rows()));
  EXPECT_FALSE(decode_rows(encode_outcome(kTicket, small_outcome())));
}

// ---- counts and lengths that lie

std::string typed(char type) {
  return std::string(1, type);
}

std::string number(std::uint32_t value) {
  MessageWriter out;
  out.put_number(value);
  return out.take();
}

std::string ticket(std::uint64_t value = kTicket) {
  MessageWriter out;
  out.put_wide(value);
  return out.take();
}

TEST(HostileBytes, ACountOfFourThousandMillionTakesNoMemory) {
  const std::string lie = number(0xFFFFFFFF);
  EXPECT_FALSE(decode_ready("R" + lie));
  EXPECT_FALSE(decode_locked("K" + lie));
  EXPECT_FALSE(decode_batch("M" + ticket() + lie));
  EXPECT_FALSE(decode_rows("R" + ticket() + lie));
  EXPECT_FALSE(decode_hello("H" + number(0) + number(0) + lie));
}

TEST(HostileBytes, ACountThatIsOneTooHighIsRefused) {
  EXPECT_TRUE(decode_locked("K" + number(1) + number(0)));
  EXPECT_FALSE(decode_locked("K" + number(2) + number(0)));
  EXPECT_TRUE(decode_batch("M" + ticket() + number(1) + number(0)));
  EXPECT_FALSE(decode_batch("M" + ticket() + number(2) + number(0)));
}

TEST(HostileBytes, ACountThatIsOneTooLowLeavesBytesAndIsRefused) {
  EXPECT_FALSE(decode_locked("K" + number(0) + number(0)));
  EXPECT_FALSE(decode_batch("M" + ticket() + number(0) + number(0)));
  EXPECT_FALSE(decode_ready("R" + number(1) + number(0) + number(0)));
}

TEST(HostileBytes, ATextThatIsSaidToBeLongerThanTheMessageIsRefused) {
  for (const std::uint32_t size : {4U, 5U, 0x7FFFFFFFU, 0xFFFFFFFFU}) {
    EXPECT_FALSE(decode_trouble("T" + number(size) + "abc")) << size;
    EXPECT_FALSE(decode_own_folder("F" + number(size) + "/ab")) << size;
    EXPECT_FALSE(decode_path("P" + ticket() + number(size) + "/ab")) << size;
    EXPECT_FALSE(decode_start_nodes("S" + number(size) + "{ }")) << size;
    EXPECT_FALSE(decode_resolve("V" + number(size) + "[ ]")) << size;
  }
}

TEST(HostileBytes, EmptyTextsAreTexts) {
  EXPECT_EQ(decode_trouble("T" + number(0)), "");
  EXPECT_EQ(decode_own_folder("F" + number(0)), "");
  EXPECT_EQ(decode_path("P" + ticket() + number(0))->path, "");
  EXPECT_EQ(decode_resolve("V" + number(0)), "");
  EXPECT_TRUE(decode_rows("R" + ticket() + number(0))->rows.empty());
}

// ---- bits and kinds that do not exist

TEST(HostileBytes, ARowIsAValueOrAnErrorAndNothingElse) {
  const std::string two_texts = number(0) + number(0);
  EXPECT_TRUE(decode_rows("R" + ticket() + number(1) + typed('\0') + two_texts));
  EXPECT_TRUE(decode_rows("R" + ticket() + number(1) + typed('\1') + number(0)));
  for (int kind = 2; kind < 256; ++kind) {
    const std::string row = typed(static_cast<char>(kind)) + two_texts;
    EXPECT_FALSE(decode_rows("R" + ticket() + number(1) + row)) << kind;
  }
}

TEST(HostileBytes, FlagsOfADoneNodeAreZeroOrOne) {
  const std::string whole = encode_done({});
  ASSERT_TRUE(decode_done(whole));
  for (const std::size_t flag : {std::size_t{17}, std::size_t{18}}) {  // behind three texts, a line
    for (const int value : {2, 3, 128, 255}) {
      std::string bytes = whole;
      bytes[flag] = static_cast<char>(value);
      EXPECT_FALSE(decode_done(bytes)) << flag << " " << value;
    }
  }
}

TEST(HostileBytes, EveryUnknownBitOfAVetRequestIsRefused) {
  const std::string piece_and_text = number(0) + number(0);
  for (int bits = 0; bits < 256; ++bits)
    EXPECT_EQ(decode_vet("V" + typed(static_cast<char>(bits)) + piece_and_text).has_value(),
              bits < 24)
        << bits;
}

TEST(HostileBytes, EveryUnknownBitOfAnOutcomeIsRefused) {
  const std::string whole = encode_outcome(kTicket, small_outcome());
  for (int bits = 0; bits < 256; ++bits) {
    std::string bytes = whole;
    bytes[9] = static_cast<char>(bits);  // behind the type and the ticket
    EXPECT_EQ(decode_outcome(bytes).has_value(), bits < 4) << bits;
  }
}

TEST(HostileBytes, AnEndIsACodeOrASignal) {
  for (int kind = 0; kind < 256; ++kind) {
    const std::string bytes = "E" + typed(static_cast<char>(kind)) + number(9) + number(2);
    EXPECT_EQ(decode_ended(bytes).has_value(), kind < 2) << kind;
  }
}

// ---- text that is none

TEST(HostileBytes, WhatWillBeShownMustBeText) {
  for (const std::string_view bad :
       {"\xFF", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "a\xE2\x82"}) {
    EXPECT_FALSE(decode_trouble(encode_trouble(bad)));
    EXPECT_FALSE(decode_own_folder(encode_own_folder(bad)));
    EXPECT_FALSE(decode_locked(encode_locked({"seccomp", std::string(bad)})));
    EXPECT_FALSE(decode_ready(encode_ready({std::string(bad)})));
    EXPECT_FALSE(decode_attempt(encode_attempt({std::string(bad), 0, 0, "", ""})));
    EXPECT_FALSE(decode_attempt(encode_attempt({"fork", 0, 0, std::string(bad), ""})));
    EXPECT_FALSE(decode_attempt(encode_attempt({"fork", 0, 0, "", std::string(bad)})));
  }
}

TEST(HostileBytes, APolicyWhoseWordsAreNoTextIsRefused) {
  for (const auto& spoil : std::vector<std::function<void(Policy&)>>{
           [](Policy& policy) { policy.name = "\xFF"; },
           [](Policy& policy) { policy.summary = "\xFF"; },
           [](Policy& policy) { policy.modules[0].name = "\xFF"; },
           [](Policy& policy) { policy.modules[0].attributes[1] = "\xFF"; },
           [](Policy& policy) { policy.modules[0].refused[0].instead = "\xFF"; },
           [](Policy& policy) { policy.builtins[0].why = "\xFF"; },
           [](Policy& policy) { policy.grants[0].name = "\xFF"; },
           [](Policy& policy) { policy.folders[1].place = "\xFF"; }}) {
    Policy policy = small_policy();
    spoil(policy);
    EXPECT_FALSE(decode_hello(encode_hello(policy)));
  }
}

TEST(HostileBytes, PathsAndNamesOnTheHostAreBytes) {
  const std::string_view paths[] = {"/\xFF\xFE", std::string_view("/a\0b", 4)};
  const std::string message = encode_batch(kTicket, paths);
  EXPECT_EQ(decode_batch(message)->paths[1].size(), 4U);
  EXPECT_EQ(decode_hello(encode_hello(small_policy()))->folders[0].source, "/home/a\xFF");
}

TEST(HostileBytes, AValueInARowIsNobodysYet) {
  // It is said to be JSON; the inner door looks at it, not the wire.
  RowsWriter writer;
  writer.add_value("\xFF not JSON");
  const std::string message = writer.take(kTicket);
  EXPECT_EQ(decode_rows(message)->rows[0].value, "\xFF not JSON");
}

// ---- lengths at their limits

TEST(HostileBytes, ATraceHasSixtyFourLinesAtMost) {
  for (const std::size_t lines : {std::size_t{0}, std::size_t{63}, std::size_t{64}}) {
    GuestOutcome outcome = small_outcome();
    outcome.trace.assign(lines, {1, "f"});
    EXPECT_EQ(decode_outcome(encode_outcome(kTicket, outcome))->outcome.trace.size(), lines);
  }
  GuestOutcome long_one = small_outcome();
  long_one.trace.assign(65, {1, "f"});
  EXPECT_FALSE(decode_outcome(encode_outcome(kTicket, long_one)));
}

TEST(HostileBytes, TheLargestNumbersComeBack) {
  const std::string ended = encode_ended({false, 0xFFFFFFFF, 0xFFFFFFFF});
  EXPECT_EQ(decode_ended(ended)->peak_kb, 0xFFFFFFFF);
  const std::string prepare = encode_prepare({0xFFFFFFFF, 0xFFFFFFFF});
  EXPECT_EQ(decode_prepare(prepare)->memory_bytes, 0xFFFFFFFF);
  const RunLimits most{0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF};
  const std::string load = encode_load(~std::uint64_t{0}, most, "");
  EXPECT_EQ(decode_load(load)->limits.result_depth, 0xFFFFFFFF);
  EXPECT_EQ(decode_load(load)->ticket, ~std::uint64_t{0});
}

TEST(HostileBytes, AMegabyteOfTextComesBackWhole) {
  const std::string large(1 << 20, 'x');
  EXPECT_EQ(decode_trouble(encode_trouble(large)), large);
  EXPECT_EQ(decode_done(encode_done({.result = large, .output = large}))->output, large);
  GuestOutcome outcome;
  outcome.value = large;
  EXPECT_EQ(decode_outcome(encode_outcome(kTicket, outcome))->outcome.value, large);
}

// ---- what is only pointed to

bool points_into(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

TEST(HostileBytes, WhatIsNotCopiedPointsIntoTheMessage) {
  const std::string load = encode_load(kTicket, RunLimits{}, "compiled");
  const std::string path = encode_path(kTicket, "/a/b");
  const std::string vet = encode_vet("raw", {}, TextKind::kAnswer);
  const std::string rows = two_rows();
  EXPECT_TRUE(points_into(decode_load(load)->compiled, load));
  EXPECT_TRUE(points_into(decode_path(path)->path, path));
  EXPECT_TRUE(points_into(decode_vet(vet)->raw, vet));
  const auto read = decode_rows(rows);
  EXPECT_TRUE(points_into(read->rows[0].value, rows));
  EXPECT_TRUE(points_into(read->rows[1].error, rows));
}

// ---- lies of a vetter: an acceptance cannot be half of one

TEST(HostileBytes, OnlyAWholeAcceptanceWithoutErrorsIsOne) {
  for (int decision = 0; decision < 4; ++decision) {
    for (int stage = 0; stage < 8; ++stage) {
      for (const bool has_error : {false, true}) {
        Verdict verdict = small_verdict();
        if (!has_error) verdict.findings.clear();
        std::string bytes = encode_verdict(verdict);
        bytes[1] = static_cast<char>(decision);
        bytes[2] = static_cast<char>(stage);
        const auto read = decode_verdict(bytes);
        if (!read) continue;
        const bool is_accepted = read->decision == Decision::kAccepted;
        EXPECT_EQ(is_accepted, !has_error);
        EXPECT_EQ(is_accepted, read->stage == Stage::kComplete);
      }
    }
  }
}

TEST(HostileBytes, AFindingOfARuleThatIsNotInTheTableIsRefused) {
  const std::string whole = encode_verdict(small_verdict());
  const std::string code = number(static_cast<std::uint32_t>(RuleCode::kForbiddenImport));
  const std::size_t at = whole.find(code);
  ASSERT_NE(at, std::string::npos);
  int taken = 0;
  for (std::uint32_t wanted = 0; wanted < 1200; ++wanted) {
    std::string bytes = whole;
    bytes.replace(at, 4, number(wanted));
    const bool is_there = find_rule(static_cast<std::uint16_t>(wanted)) != nullptr;
    EXPECT_EQ(decode_verdict(bytes).has_value(), is_there) << wanted;
    taken += is_there ? 1 : 0;
  }
  EXPECT_GT(taken, 20);
}

}  // namespace
}  // namespace airlock::wire
