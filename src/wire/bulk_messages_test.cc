#include "wire/bulk_messages.h"

#include <gtest/gtest.h>

#include <array>

namespace airlock::wire {
namespace {

TEST(BulkMessages, ABatchComesBack) {
  const std::array<std::string_view, 3> paths = {"/a", "", "\xFF\0x"};
  const std::string message = encode_batch(paths);
  const auto read = decode_batch(message);
  ASSERT_TRUE(read);
  EXPECT_EQ(*read, std::vector<std::string_view>(paths.begin(), paths.end()));
}

TEST(BulkMessages, RowsComeBackAndTheWriterIsEmptyAgain) {
  RowsWriter writer;
  writer.add_value("{}");
  writer.add_error("OSError", "no", std::array{Denial{2, 7}});
  const std::string message = writer.take();
  const auto rows = decode_rows(message);
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 2U);
  EXPECT_TRUE((*rows)[0].success);
  EXPECT_EQ((*rows)[0].value, "{}");
  EXPECT_EQ((*rows)[1].error_type, "OSError");
  EXPECT_EQ((*rows)[1].denials, std::vector{(Denial{2, 7})});
  EXPECT_EQ(writer.count(), 0U);
  EXPECT_EQ(decode_rows(writer.take())->size(), 0U);
}

TEST(BulkMessages, EveryCutOrLengthenedMessageIsRefused) {
  RowsWriter writer;
  writer.add_value("{\"a\":1}");
  writer.add_error("E", "m", std::array{Denial{1, 1}});
  const std::string message = writer.take();
  for (std::size_t size = 0; size < message.size(); ++size)
    EXPECT_FALSE(decode_rows(std::string_view(message).substr(0, size))) << size;
  EXPECT_FALSE(decode_rows(message + "x"));
}

TEST(BulkMessages, ACountThatLiesIsRefusedBeforeMemoryIsTaken) {
  EXPECT_FALSE(decode_rows("R\xFF\xFF\xFF\xFF"));
  EXPECT_FALSE(decode_batch("M\xFF\xFF\xFF\xFF"));
}

TEST(BulkMessages, AnErrorThatIsNotTextIsRefused) {
  RowsWriter writer;
  writer.add_error("E\xFF", "m", {});
  EXPECT_FALSE(decode_rows(writer.take()));
}

}  // namespace
}  // namespace airlock::wire
