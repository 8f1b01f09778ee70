// Batches and rows come back as they were sent; cut, lengthened and lying ones are refused.
#include "wire/bulk_messages.h"

#include <gtest/gtest.h>

#include <array>

namespace airlock::wire {
namespace {

constexpr std::uint64_t kTicket = 0x0123456789ABCDEFU;

TEST(BulkMessages, ABatchComesBack) {
  const std::array<std::string_view, 3> paths = {"/a", "", "\xFF\0x"};
  const std::string message = encode_batch(kTicket, paths);
  const auto read = decode_batch(message);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->ticket, kTicket);
  EXPECT_EQ(read->paths, std::vector<std::string_view>(paths.begin(), paths.end()));
}

TEST(BulkMessages, RowsComeBackAndTheWriterIsEmptyAgain) {
  RowsWriter writer;
  writer.add_value("{}");
  writer.add_error("OSError", "no");
  const std::string message = writer.take(kTicket);
  const auto read = decode_rows(message);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->ticket, kTicket);
  ASSERT_EQ(read->rows.size(), 2U);
  EXPECT_TRUE(read->rows[0].success);
  EXPECT_EQ(read->rows[0].value, "{}");
  EXPECT_EQ(read->rows[1].error_type, "OSError");
  EXPECT_EQ(read->rows[1].error, "no");
  EXPECT_EQ(writer.count(), 0U);
  EXPECT_EQ(decode_rows(writer.take(kTicket))->rows.size(), 0U);
}

TEST(BulkMessages, EveryCutOrLengthenedMessageIsRefused) {
  RowsWriter writer;
  writer.add_value("{\"a\":1}");
  writer.add_error("E", "m");
  const std::string message = writer.take(kTicket);
  for (std::size_t size = 0; size < message.size(); ++size)
    EXPECT_FALSE(decode_rows(std::string_view(message).substr(0, size))) << size;
  EXPECT_FALSE(decode_rows(message + "x"));
}

TEST(BulkMessages, ACountThatLiesIsRefusedBeforeMemoryIsTaken) {
  EXPECT_FALSE(decode_rows("RTICKET!\xFF\xFF\xFF\xFF"));
  EXPECT_FALSE(decode_batch("MTICKET!\xFF\xFF\xFF\xFF"));
}

TEST(BulkMessages, AnErrorThatIsNotTextIsRefused) {
  RowsWriter writer;
  writer.add_error("E\xFF", "m");
  EXPECT_FALSE(decode_rows(writer.take(kTicket)));
}

}  // namespace
}  // namespace airlock::wire
