// The bytes of every message, as the grammars in the headers have them: written out by hand, field
// by field, and compared with what the encoders say. Then each length and each count of them moved
// by one, in either direction, and each field left out: nobody takes a message for another one.
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "model/rule.h"
#include "wire/bulk_messages.h"
#include "wire/bytes.h"
#include "wire/cell_messages.h"
#include "wire/messages.h"
#include "wire/node_messages.h"
#include "wire/session_messages.h"

namespace airlock::wire {
namespace {

constexpr std::uint64_t kTicket = 0x0807060504030201U;

// One field, in bytes. A text is two of them: its length, which can lie, and what it says.
enum class FieldKind { kType, kByte, kNumber, kWide, kLength, kCount, kBody };

struct Field {
  FieldKind kind;
  std::string bytes;
};

using Fields = std::vector<Field>;

std::string little_endian(std::uint64_t value, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xFF);
  return bytes;
}

// Writes a message down as its grammar does.
class ByHand {
 public:
  explicit ByHand(char type) { fields_.push_back({FieldKind::kType, std::string(1, type)}); }
  ByHand& byte(std::uint8_t value) { return add(FieldKind::kByte, little_endian(value, 1)); }
  ByHand& number(std::uint32_t value) { return add(FieldKind::kNumber, little_endian(value, 4)); }
  ByHand& wide(std::uint64_t value) { return add(FieldKind::kWide, little_endian(value, 8)); }
  ByHand& count(std::uint32_t value) { return add(FieldKind::kCount, little_endian(value, 4)); }
  ByHand& text(std::string_view text) {
    add(FieldKind::kLength, little_endian(text.size(), 4));
    return add(FieldKind::kBody, std::string(text));
  }
  Fields fields() const { return fields_; }

 private:
  ByHand& add(FieldKind kind, std::string bytes) {
    fields_.push_back({kind, std::move(bytes)});
    return *this;
  }
  Fields fields_;
};

std::string joined(const Fields& fields) {
  std::string bytes;
  for (const Field& field : fields) bytes += field.bytes;
  return bytes;
}

struct GrammarRow {
  const char* name;
  Fields fields;
  std::string encoded;
  std::function<bool(std::string_view)> is_taken;
};

template <typename Decode>
std::function<bool(std::string_view)> taken_by(Decode decode) {
  return [=](std::string_view bytes) { return static_cast<bool>(decode(bytes)); };
}

GuestOutcome an_outcome() {
  GuestOutcome outcome;
  outcome.output_was_cut = true;
  outcome.error_type = "KeyError";
  outcome.error = "'a'";
  outcome.error_line = 3;
  outcome.trace = {{2, "extract"}, {3, "f"}};
  outcome.output = "out";
  outcome.error_output = "err";
  outcome.microseconds = 70;
  return outcome;
}

Verdict a_refusal() {
  Verdict verdict;
  verdict.decision = Decision::kRefused;
  verdict.stage = Stage::kSecurity;
  verdict.code = "import os\n";
  verdict.has_sets = true;
  verdict.lines.lines = {{1, -1}, {2, 4}};
  verdict.findings = {{&rule(RuleCode::kForbiddenImport),
                       Severity::kError,
                       {1, 0, 1, 9},
                       "os",
                       "not on the list",
                       ""}};
  return verdict;
}

std::string some_rows() {
  RowsWriter writer;
  writer.add_value("{}");
  writer.add_error("OSError", "no");
  return writer.take(kTicket);
}

std::vector<GrammarRow> vetter_rows() {
  const auto code = static_cast<std::uint32_t>(RuleCode::kForbiddenImport);
  return {
      {"ready", ByHand('R').count(2).text("a").text("").fields(), encode_ready({"a", ""}),
       taken_by(decode_ready)},
      {"vet", ByHand('V').byte(1 | 4 | 8).number(0).text("x\n").fields(),
       encode_vet("x\n", {.security = true, .signature = false, .compile = true},
                  TextKind::kProgram),
       taken_by(decode_vet)},
      {"vet of a piece", ByHand('V').byte(1 | 4 | 16).number(9).text("x\n").fields(),
       encode_vet("x\n", {.security = true, .signature = false, .compile = true, .piece = 9},
                  TextKind::kPiece),
       taken_by(decode_vet)},
      {"verdict",
       ByHand('D')
           .byte(static_cast<std::uint8_t>(Decision::kRefused))
           .byte(static_cast<std::uint8_t>(Stage::kSecurity))
           .text("import os\n")
           .text("")
           .byte(1)
           .count(2)
           .number(1)
           .number(0xFFFFFFFF)
           .number(2)
           .number(4)
           .count(1)
           .number(code)
           .byte(static_cast<std::uint8_t>(Severity::kError))
           .number(1)
           .number(0)
           .number(1)
           .number(9)
           .text("os")
           .text("not on the list")
           .text("")
           .fields(),
       encode_verdict(a_refusal()), taken_by(decode_verdict)},
      {"trouble", ByHand('T').text("no").fields(), encode_trouble("no"), taken_by(decode_trouble)},
      {"mistake", ByHand('M').text("no").fields(), encode_mistake("no"), taken_by(decode_mistake)},
  };
}

std::vector<GrammarRow> cell_rows() {
  const RunLimits limits{1, 2, 3, 4, 5};
  const std::array<std::string_view, 2> paths = {"/a", "/b\xFF"};
  return {
      {"reap", ByHand('W').number(7).fields(), encode_reap(7), taken_by(decode_reap)},
      {"forget", ByHand('G').number(7).fields(), encode_forget(7), taken_by(decode_forget)},
      {"born", ByHand('B').number(7).fields(), encode_born(7), taken_by(decode_born)},
      {"own folder", ByHand('F').text("/output").fields(), encode_own_folder("/output"),
       taken_by(decode_own_folder)},
      {"ended", ByHand('E').byte(1).number(9).number(2048).fields(), encode_ended({true, 9, 2048}),
       taken_by(decode_ended)},
      {"prepare",
       ByHand('R')
           .number(1000)
           .number(3)
           .number(64)
           .count(1)
           .text("a.csv")
           .text("/h/a.csv")
           .wide(5)
           .wide(6)
           .fields(),
       encode_prepare({1000, 3, 64, {{"a.csv", "/h/a.csv", 5, 6}}}), taken_by(decode_prepare)},
      {"load",
       ByHand('L')
           .wide(kTicket)
           .number(1)
           .number(2)
           .number(3)
           .number(4)
           .number(5)
           .text("pyc")
           .fields(),
       encode_load(kTicket, limits, "pyc"), taken_by(decode_load)},
      {"path", ByHand('P').wide(kTicket).text("/a").fields(), encode_path(kTicket, "/a"),
       taken_by(decode_path)},
      {"attempt", ByHand('X').text("fork").number(1).number(2).text("host").text("/f").fields(),
       encode_attempt({"fork", 1, 2, "host", "/f"}), taken_by(decode_attempt)},
      {"answer", ByHand('A').number(13).fields(), encode_answer(13), taken_by(decode_answer)},
      {"locked", ByHand('K').count(1).text("seccomp").fields(), encode_locked({"seccomp"}),
       taken_by(decode_locked)},
      {"outcome",
       ByHand('O')
           .wide(kTicket)
           .byte(2)
           .text("")
           .text("KeyError")
           .text("'a'")
           .number(3)
           .count(2)
           .number(2)
           .text("extract")
           .number(3)
           .text("f")
           .text("out")
           .text("err")
           .number(70)
           .fields(),
       encode_outcome(kTicket, an_outcome()), taken_by(decode_outcome)},
      {"batch", ByHand('M').wide(kTicket).count(2).text("/a").text("/b\xFF").fields(),
       encode_batch(kTicket, paths), taken_by(decode_batch)},
      {"rows",
       ByHand('R')
           .wide(kTicket)
           .count(2)
           .byte(1)
           .text("{}")
           .byte(0)
           .text("OSError")
           .text("no")
           .fields(),
       some_rows(), taken_by(decode_rows)},
  };
}

PieceOutcome a_piece() {
  PieceOutcome outcome;
  outcome.value = "1";
  outcome.error_type = "KeyError";
  outcome.error = "'a'";
  outcome.error_line = 2;
  outcome.traceback = "tb";
  outcome.microseconds = 70;
  return outcome;
}

std::vector<GrammarRow> session_rows() {
  PieceLimits limits;
  limits.output_bytes = 1;
  limits.flood_bytes = 2;
  limits.value_bytes = 3;
  limits.shown_bytes = 4;
  limits.call_bytes = 5;
  limits.calls = 6;
  limits.depth = 7;
  limits.memory_bytes = 8;
  ByHand open('S');
  for (std::uint32_t number = 1; number <= 8; ++number) open.number(number);
  open.count(1).text("f").text("doc").text("{}").byte(1);
  return {
      {"open", open.fields(), encode_open({limits, {{"f", "doc", "{}", true}}}),
       taken_by(decode_open)},
      {"piece", ByHand('I').wide(kTicket).number(2).text("pyc").text("x").text("{}").fields(),
       encode_piece({kTicket, 2, "pyc", "x", "{}"}), taken_by(decode_piece)},
      {"result", ByHand('a').number(3).byte(0).text("").text("OSError").text("no").fields(),
       encode_result(3, {false, "", "OSError", "no"}), taken_by(decode_result)},
      {"opened", ByHand('s').fields(), encode_opened(), taken_by(is_opened)},
      {"waiting", ByHand('w').fields(), encode_waiting(), taken_by(is_waiting)},
      {"printed", ByHand('o').text("records").fields(), encode_printed("records"),
       taken_by(decode_printed)},
      {"call", ByHand('c').number(3).byte(1).text("f").text("{}").fields(),
       encode_call({3, true, "f", "{}"}), taken_by(decode_call)},
      {"piece outcome",
       ByHand('d')
           .wide(kTicket)
           .byte(2)
           .text("1")
           .text("")
           .text("KeyError")
           .text("'a'")
           .number(2)
           .text("tb")
           .number(70)
           .text("records")
           .fields(),
       encode_piece_outcome({kTicket, a_piece(), "records"}), taken_by(decode_piece_outcome)},
  };
}

std::vector<GrammarRow> node_rows() {
  return {
      {"start", ByHand('S').text("{}").fields(), encode_start_nodes("{}"),
       taken_by(decode_start_nodes)},
      {"node", ByHand('N').text("n").text("{}").text("[]").number(3).number(250).byte(1).fields(),
       encode_node({"n", "{}", "[]", 3, 250, true}), taken_by(decode_node)},
      {"put", ByHand('P').text("n").text("{}").fields(), encode_put("n", "{}"),
       taken_by(decode_put)},
      {"resolve", ByHand('V').text("[]").fields(), encode_resolve("[]"), taken_by(decode_resolve)},
      {"done",
       ByHand('D')
           .text("default")
           .text("post")
           .text("TypeError")
           .number(7)
           .byte(1)
           .byte(0)
           .text("1")
           .text("e")
           .text("out")
           .text("err")
           .fields(),
       encode_done({"default", "post", "TypeError", 7, true, false, "1", "e", "out", "err"}),
       taken_by(decode_done)},
      {"value", ByHand('J').text("1").text("").byte(1).fields(), encode_value({"1", "", true}),
       taken_by(decode_value)},
      {"checkpoint ready", ByHand('W').number(4711).fields(), encode_checkpoint_ready(4711),
       taken_by(decode_checkpoint_ready)},
  };
}

std::vector<GrammarRow> all_rows() {
  std::vector<GrammarRow> rows = vetter_rows();
  for (const auto& more : {cell_rows(), session_rows(), node_rows()})
    rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

TEST(Grammar, EveryMessageIsWrittenAsItsGrammarSays) {
  for (const GrammarRow& row : all_rows()) {
    EXPECT_EQ(row.encoded, joined(row.fields)) << row.name;
    EXPECT_TRUE(row.is_taken(row.encoded)) << row.name;
  }
  EXPECT_EQ(encode_cell(), "C");
  EXPECT_EQ(encode_checkpoint(), "K");
}

TEST(Grammar, AMessageCutInsideAnyFieldOrBetweenTwoIsRefused) {
  for (const GrammarRow& row : all_rows()) {
    for (std::size_t size = 0; size < row.encoded.size(); ++size) {
      // A copy of its own size, so that a byte read behind it is noticed.
      const std::vector<char> cut(row.encoded.begin(),
                                  row.encoded.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_FALSE(row.is_taken({cut.data(), cut.size()})) << row.name << " " << size;
    }
  }
}

TEST(Grammar, AMessageWithoutOneOfItsFieldsIsRefused) {
  for (const GrammarRow& row : all_rows()) {
    for (std::size_t gone = 0; gone < row.fields.size(); ++gone) {
      if (row.fields[gone].bytes.empty()) continue;
      Fields fields = row.fields;
      fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(gone));
      EXPECT_FALSE(row.is_taken(joined(fields))) << row.name << " without field " << gone;
    }
  }
}

TEST(Grammar, ALengthOrACountThatIsOneOffIsRefused) {
  for (const GrammarRow& row : all_rows()) {
    for (std::size_t at = 0; at < row.fields.size(); ++at) {
      const FieldKind kind = row.fields[at].kind;
      if (kind != FieldKind::kLength && kind != FieldKind::kCount) continue;
      for (const int by : {-1, 1}) {
        Fields fields = row.fields;
        const auto low = static_cast<unsigned char>(fields[at].bytes[0]);
        if (by < 0 && low == 0) continue;
        fields[at].bytes[0] = static_cast<char>(low + by);
        EXPECT_FALSE(row.is_taken(joined(fields))) << row.name << " field " << at << " by " << by;
      }
    }
  }
}

TEST(Grammar, ALengthOrACountBeyondTheMessageIsRefused) {
  for (const GrammarRow& row : all_rows()) {
    for (std::size_t at = 0; at < row.fields.size(); ++at) {
      const FieldKind kind = row.fields[at].kind;
      if (kind != FieldKind::kLength && kind != FieldKind::kCount) continue;
      for (const std::uint32_t lie : {0x100U, 0x10000U, 0x7FFFFFFFU, 0x80000000U, 0xFFFFFFFFU}) {
        Fields fields = row.fields;
        fields[at].bytes = little_endian(lie, 4);
        EXPECT_FALSE(row.is_taken(joined(fields))) << row.name << " field " << at << ": " << lie;
      }
    }
  }
}

TEST(Grammar, NumbersAreTakenWhateverTheyAre) {
  for (const GrammarRow& row : all_rows()) {
    if (row.name == std::string_view("verdict")) continue;  // one of its numbers names a rule
    for (std::size_t at = 0; at < row.fields.size(); ++at) {
      const FieldKind kind = row.fields[at].kind;
      if (kind != FieldKind::kNumber && kind != FieldKind::kWide) continue;
      Fields fields = row.fields;
      for (const char byte : {'\0', '\x7F', '\x80', '\xFF'}) {
        fields[at].bytes.assign(fields[at].bytes.size(), byte);
        EXPECT_TRUE(row.is_taken(joined(fields))) << row.name << " field " << at;
      }
    }
  }
}

TEST(Grammar, TheFirstByteIsTheTypeAndNoOtherIsTaken) {
  for (const GrammarRow& row : all_rows()) {
    for (int type = 0; type < 256; ++type) {
      std::string bytes = row.encoded;
      bytes[0] = static_cast<char>(type);
      EXPECT_EQ(row.is_taken(bytes), bytes == row.encoded) << row.name << " " << type;
    }
  }
}

TEST(Grammar, OfTheVettersTypesThereAreSix) {
  const std::string known = "HRVDTM";
  for (int type = 0; type < 256; ++type) {
    const std::string message(1, static_cast<char>(type));
    EXPECT_EQ(type_of(message).has_value(), known.find(message) != std::string::npos) << type;
  }
}

// ---- the reader alone

TEST(Grammar, AReaderThatHasFailedGivesNothingMore) {
  const std::string bytes = little_endian(2, 4) + "ab" + little_endian(1, 4) + "c";
  for (const auto& spoil : std::vector<std::function<void(MessageReader&)>>{
           [](MessageReader& in) { in.fail(); }, [](MessageReader& in) { in.count(100); },
           [](MessageReader& in) {
             in.wide();
             in.wide();
           }}) {
    MessageReader in(bytes);
    spoil(in);
    EXPECT_FALSE(in.ok());
    EXPECT_EQ(in.byte(), 0);
    EXPECT_EQ(in.number(), 0U);
    EXPECT_EQ(in.wide(), 0U);
    EXPECT_EQ(in.text(), "");
    EXPECT_EQ(in.clean_text(), "");
    EXPECT_EQ(in.count(1), 0U);
    EXPECT_FALSE(in.is_finished());
  }
}

TEST(Grammar, ACountIsMeasuredByWhatIsLeft) {
  for (const std::size_t each : {1U, 4U, 5U, 8U, 33U}) {
    for (const std::uint32_t count : {0U, 1U, 2U, 7U}) {
      const std::string head = little_endian(count, 4);
      MessageReader fits(head);
      EXPECT_EQ(fits.count(each), 0U);
      EXPECT_EQ(fits.ok(), count == 0);
      const std::string exact = head + std::string(count * each, 'x');
      MessageReader enough(exact);
      EXPECT_EQ(enough.count(each), count);
      EXPECT_TRUE(enough.ok());
      if (count == 0) continue;
      const std::string less = exact.substr(0, exact.size() - 1);
      MessageReader lacking(less);
      EXPECT_EQ(lacking.count(each), 0U);
      EXPECT_FALSE(lacking.ok());
    }
  }
}

TEST(Grammar, AWideNumberIsEightBytesAndNoneLess) {
  const std::string bytes = little_endian(0xFEDCBA9876543210U, 8);
  MessageReader whole(bytes);
  EXPECT_EQ(whole.wide(), 0xFEDCBA9876543210U);
  EXPECT_TRUE(whole.is_finished());
  for (std::size_t size = 0; size < 8; ++size) {
    MessageReader in(std::string_view(bytes).substr(0, size));
    in.wide();
    EXPECT_FALSE(in.ok()) << size;
  }
}

TEST(Grammar, AWriterThatWasEmptiedBeginsAnew) {
  MessageWriter out = begin_message('Q');
  out.put_wide(kTicket);
  EXPECT_EQ(out.size(), 9U);
  EXPECT_EQ(out.take(), "Q" + little_endian(kTicket, 8));
  EXPECT_EQ(out.size(), 0U);
  out.put_text("x");
  EXPECT_EQ(out.take(), little_endian(1, 4) + "x");
  RowsWriter rows;
  rows.add_value("{}");
  EXPECT_EQ(rows.count(), 1U);
  EXPECT_EQ(rows.bytes(), 1U + 4 + 2);
  rows.take(1);
  EXPECT_EQ(rows.bytes(), 0U);
  EXPECT_EQ(rows.take(2), joined(ByHand('R').wide(2).count(0).fields()));
}

}  // namespace
}  // namespace airlock::wire
