#include "present/http/exchange.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace airlock::http {
namespace {

std::string joined(const Exchange::Taken& taken) {
  std::string all;
  for (const std::string& one : taken.bytes) all += one;
  return all;
}

class ExchangeTest : public testing::Test {
 protected:
  std::atomic<int> news_ = 0;
  Exchange exchange_{Exchange::Body::kSent, AfterThis::kKeepAlive, [this] { ++news_; }};
};

TEST_F(ExchangeTest, AWholeAnswerIsTakenAtItsEnd) {
  exchange_.send(json_response("{}"));
  exchange_.finish();
  const auto taken = exchange_.take();
  EXPECT_TRUE(taken.is_over);
  EXPECT_EQ(taken.status, 200);
  EXPECT_TRUE(joined(taken).ends_with("\r\n\r\n{}"));
}

TEST_F(ExchangeTest, WhoAnswersNothingHasFailed) {
  exchange_.finish();
  EXPECT_EQ(exchange_.take().status, 500);
}

TEST_F(ExchangeTest, AStreamEndsWithItsLastChunk) {
  exchange_.begin({.status = 200, .content_type = "text/event-stream", .body = {}});
  EXPECT_TRUE(exchange_.write("abc"));
  exchange_.finish();
  EXPECT_TRUE(joined(exchange_.take()).ends_with("\r\n\r\n3\r\nabc\r\n0\r\n\r\n"));
}

TEST_F(ExchangeTest, AStreamThatIsBrokenOffHasNoEnd) {
  exchange_.begin({.status = 200, .content_type = "text/event-stream", .body = {}});
  EXPECT_TRUE(exchange_.write("abc"));
  exchange_.break_off();
  exchange_.finish();
  const auto taken = exchange_.take();
  EXPECT_TRUE(taken.is_broken);
  EXPECT_FALSE(joined(taken).contains("0\r\n\r\n"));
}

TEST_F(ExchangeTest, AWriterWaitsForAClientThatDoesNotRead) {
  exchange_.begin({.status = 200, .content_type = "text/plain", .body = {}});
  const std::string much(Exchange::kMostQueued, 'a');
  EXPECT_TRUE(exchange_.write(much));
  EXPECT_FALSE(exchange_.has_room());
  std::atomic<bool> is_written = false;
  std::thread writer([&] { is_written = exchange_.write("b"); });
  exchange_.take();
  writer.join();
  EXPECT_TRUE(is_written);
}

TEST_F(ExchangeTest, WhoWaitsForAClientThatHasGoneIsTold) {
  exchange_.begin({.status = 200, .content_type = "text/plain", .body = {}});
  EXPECT_TRUE(exchange_.write(std::string(Exchange::kMostQueued, 'a')));
  std::atomic<bool> is_written = true;
  std::thread writer([&] { is_written = exchange_.write("b"); });
  exchange_.abandon();
  writer.join();
  EXPECT_FALSE(is_written);
  EXPECT_TRUE(exchange_.stop().stop_requested());
}

TEST(Exchange, WhatHasNoBodyHasItsLength) {
  Exchange exchange(Exchange::Body::kLeftOut, AfterThis::kClose, [] {});
  exchange.send(json_response("{\"a\":1}"));
  exchange.finish();
  const std::string text = joined(exchange.take());
  EXPECT_TRUE(text.contains("Content-Length: 7\r\n"));
  EXPECT_TRUE(text.ends_with("\r\n\r\n"));
}

}  // namespace
}  // namespace airlock::http
