#include "present/http/message.h"

#include <gtest/gtest.h>

namespace airlock::http {
namespace {

constexpr std::int64_t kDate = 1'794'836'446'000;  // 2026-11-16 13:40:46

TEST(Message, AResponseIsWrittenInOneForm) {
  EXPECT_EQ(head_text(json_response("{}"), BodyForm::kWhole, AfterThis::kClose, kDate),
            "HTTP/1.1 200 OK\r\nDate: Mon, 16 Nov 2026 13:40:46 GMT\r\nContent-Type: "
            "application/json\r\nContent-Length: 2\r\nCache-Control: no-store\r\n"
            "X-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n");
}

TEST(Message, WithoutABodyThereIsNoLength) {
  const Response nothing{.status = 204, .content_type = {}, .body = {}};
  EXPECT_FALSE(head_text(nothing, BodyForm::kWhole, AfterThis::kKeepAlive, kDate)
                   .contains("Content-Length"));
}

TEST(Message, WhatARouteSaysOfCachesHolds) {
  const Response kept{.status = 200,
                      .content_type = "text/css",
                      .body = "",
                      .more = {{"Cache-Control", "max-age=60"}}};
  const auto text = head_text(kept, BodyForm::kWhole, AfterThis::kKeepAlive, kDate);
  EXPECT_TRUE(text.contains("max-age=60"));
  EXPECT_FALSE(text.contains("no-store"));
}

TEST(Message, ErrorsAreJson) {
  EXPECT_EQ(error_response(400, "Usage", "a \"b\"").body,
            R"({"error":{"type":"Usage","message":"a \"b\""}})");
}

TEST(Message, ChunksHaveTheirSizeInHex) {
  std::string out;
  append_chunk(out, std::string(26, 'a'));
  EXPECT_EQ(out, "1a\r\n" + std::string(26, 'a') + "\r\n");
}

TEST(Message, LineEndsBetweenValuesAreBlanksAndThoseInStringsStay) {
  EXPECT_EQ(json_on_one_line("{\n \"a\":\r\n1}"), "{  \"a\":  1}");
  EXPECT_EQ(json_on_one_line("{\"a\\\"\n\":1}"), "{\"a\\\"\n\":1}");
  EXPECT_EQ(json_on_one_line("\"\\"), "\"\\");
}

}  // namespace
}  // namespace airlock::http
