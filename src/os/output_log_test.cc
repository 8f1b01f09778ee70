// What is printed in a session comes through, once and in order, however the looks of the reader
// and the messages of the writer fall; and a log that somebody has scribbled on gives no more than
// nonsense.
#include "os/output_log.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

namespace airlock::os {
namespace {

struct Printed {
  std::string all;  // "o:text|e:text|"
  OutputReader::Take take() {
    return [this](std::uint8_t stream, std::string_view text) {
      all += (stream == 0 ? "o:" : "e:") + std::string(text) + "|";
    };
  }
};

class OutputLog : public testing::Test {
 protected:
  std::unique_ptr<OutputLogPage> page_ = std::make_unique<OutputLogPage>();
  std::vector<std::string> sent_;
  OutputWriter writer_{*page_, [this](std::string_view records) { sent_.emplace_back(records); }};
  OutputReader reader_;
  Printed printed_;
};

TEST_F(OutputLog, ALookSeesWhatWasPrinted) {
  writer_.write(0, "a");
  reader_.look(*page_, printed_.take());
  reader_.look(*page_, printed_.take());
  writer_.write(1, "b");
  reader_.look(*page_, printed_.take());
  EXPECT_EQ(printed_.all, "o:a|e:b|");
}

TEST_F(OutputLog, WhatWasSeenIsNotTakenAgainFromTheMessage) {
  writer_.write(0, "a");
  reader_.look(*page_, printed_.take());
  writer_.write(0, "b");
  EXPECT_TRUE(reader_.receive(writer_.take(), printed_.take()));
  writer_.write(0, "c");
  reader_.look(*page_, printed_.take());
  EXPECT_EQ(printed_.all, "o:a|o:b|o:c|");
}

TEST_F(OutputLog, ALookBetweenTwoGenerationsSeesNothing) {
  writer_.write(0, "old");
  const std::string message = writer_.take();
  writer_.write(0, "new");
  reader_.look(*page_, printed_.take());
  EXPECT_EQ(printed_.all, "");
  EXPECT_TRUE(reader_.receive(message, printed_.take()));
  reader_.look(*page_, printed_.take());
  EXPECT_EQ(printed_.all, "o:old|o:new|");
}

TEST_F(OutputLog, TextsOfOneStreamAreOneText) {
  for (const char* text : {"a", "b"}) writer_.write(0, text);
  writer_.write(1, "c");
  writer_.write(0, "d");
  reader_.look(*page_, printed_.take());
  EXPECT_EQ(printed_.all, "o:ab|e:c|o:d|");
}

TEST_F(OutputLog, AFullLogIsSentAndNoCharacterIsCut) {
  std::string text;
  while (text.size() < 3 * OutputLogPage::kBytes) text += "aé€😀";
  writer_.write(0, text);
  std::string got;
  const auto take = [&](std::uint8_t, std::string_view part) {
    EXPECT_FALSE((static_cast<unsigned char>(part.front()) & 0xC0) == 0x80);
    got += part;
  };
  EXPECT_GE(sent_.size(), 3U);
  for (const std::string& records : sent_) EXPECT_TRUE(reader_.receive(records, take));
  reader_.look(*page_, take);
  EXPECT_EQ(got, text);
}

TEST_F(OutputLog, ArbitraryLooksLoseAndDoubleNothing) {
  std::mt19937 random(7);
  std::string wanted;
  std::string got;
  const auto take = [&](std::uint8_t, std::string_view part) { got += part; };
  std::size_t received = 0;
  for (int i = 0; i < 20'000; ++i) {
    const std::string text(random() % 40, static_cast<char>('a' + i % 26));
    wanted += text;
    writer_.write(0, text);
    if (random() % 200 == 0) sent_.push_back(writer_.take());
    if (random() % 3 == 0) {
      for (; received < sent_.size(); ++received)
        EXPECT_TRUE(reader_.receive(sent_[received], take));
    }
    if (random() % 2 == 0) reader_.look(*page_, take);
  }
  for (; received < sent_.size(); ++received) EXPECT_TRUE(reader_.receive(sent_[received], take));
  reader_.look(*page_, take);
  EXPECT_EQ(got, wanted);
}

TEST_F(OutputLog, MessagesThatAreNoRecordsAreRefused) {
  const std::string cases[] = {
      std::string("\x02\x01\x00\x00\x00x", 6),          // a stream that there is not
      std::string("\x00\x02\x00\x00\x00x", 6),          // longer than what is there
      std::string("\x00\xff\xff\xff\xff", 5),           // a lie
      std::string("\x00\x01\x00\x00\x00x\x00\x01", 8),  // half of a header
  };
  for (const std::string& records : cases) {
    OutputReader reader;
    EXPECT_FALSE(reader.receive(records, printed_.take()));
  }
  OutputReader reader;
  EXPECT_TRUE(reader.receive("", printed_.take()));
}

TEST_F(OutputLog, AMessageThatIsShorterThanWhatWasSeenIsRefused) {
  writer_.write(0, "abc");
  reader_.look(*page_, printed_.take());
  EXPECT_FALSE(reader_.receive("", printed_.take()));
}

TEST_F(OutputLog, AScribbledPageGivesNothing) {
  page_->used = ~std::uint32_t{0};
  reader_.look(*page_, printed_.take());
  page_->used = 3;
  reader_.look(*page_, printed_.take());
  page_->used = 6;
  page_->bytes = {0, 100, 0, 0, 0, 'x'};
  reader_.look(*page_, printed_.take());
  EXPECT_EQ(printed_.all, "");
}

TEST_F(OutputLog, AWriterWithAScribbledPageGoesOn) {
  page_->used = ~std::uint32_t{0};
  writer_.write(0, "still here");
  EXPECT_EQ(sent_.size(), 1U);
  EXPECT_EQ(sent_[0].size(), OutputLogPage::kBytes);
}

}  // namespace
}  // namespace airlock::os
