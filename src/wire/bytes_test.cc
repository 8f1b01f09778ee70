// The fields of a message: numbers, texts and counts, and a reader that gives nothing after its
// first mismatch.
#include "wire/bytes.h"

#include <gtest/gtest.h>

namespace airlock::wire {
namespace {

std::string number_bytes(std::uint32_t value) {
  MessageWriter out;
  out.put_number(value);
  return out.take();
}

TEST(Bytes, NumbersAreLittleEndian) {
  EXPECT_EQ(number_bytes(0x01020304), std::string("\x04\x03\x02\x01"));
}

TEST(Bytes, WhatIsWrittenIsRead) {
  MessageWriter out;
  out.put_byte(255);
  out.put_number(0xFFFFFFFF);
  out.put_text(std::string_view("a\0b", 3));
  out.put_text("");
  const std::string bytes = out.take();
  MessageReader in(bytes);
  EXPECT_EQ(in.byte(), 255);
  EXPECT_EQ(in.number(), 0xFFFFFFFF);
  EXPECT_EQ(in.text(), std::string_view("a\0b", 3));
  EXPECT_EQ(in.text(), "");
  EXPECT_TRUE(in.is_finished());
}

TEST(Bytes, BytesThatAreLeftAreNotFinished) {
  MessageReader in("ab");
  in.byte();
  EXPECT_TRUE(in.ok());
  EXPECT_FALSE(in.is_finished());
}

TEST(Bytes, ATextLongerThanWhatIsLeftIsAFailure) {
  const std::string bytes = number_bytes(4) + "abc";
  MessageReader in(bytes);
  EXPECT_EQ(in.text(), "");
  EXPECT_FALSE(in.ok());
}

TEST(Bytes, AfterAFailureEverythingIsEmpty) {
  MessageReader in("ab");
  EXPECT_EQ(in.number(), 0u);
  EXPECT_EQ(in.byte(), 0) << "the two bytes are there, but nobody knows what they are";
  EXPECT_EQ(in.text(), "");
  EXPECT_EQ(in.count(1), 0u);
  EXPECT_FALSE(in.is_finished());
}

TEST(Bytes, ACountThatCannotBeThereIsAFailure) {
  const std::string bytes = number_bytes(3) + std::string(11, 'x');
  MessageReader too_many(bytes);
  EXPECT_EQ(too_many.count(4), 0u);
  EXPECT_FALSE(too_many.ok());
  MessageReader fits(bytes);
  EXPECT_EQ(fits.count(3), 3u);
  EXPECT_TRUE(fits.ok());
}

TEST(Bytes, TheLargestCountIsNotMultipliedIntoASmallOne) {
  const std::string bytes = number_bytes(0xFFFFFFFF) + std::string(64, 'x');
  MessageReader in(bytes);
  EXPECT_EQ(in.count(33), 0u);
  EXPECT_FALSE(in.ok());
}

}  // namespace
}  // namespace airlock::wire
