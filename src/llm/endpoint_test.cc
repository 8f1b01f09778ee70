#include "llm/endpoint.h"

#include <gtest/gtest.h>

namespace airlock::llm {
namespace {

TEST(Endpoint, AnAddressIsTakenApart) {
  const Endpoint endpoint = parse_endpoint("HTTPS://Models.example:8443/base/v1/").value();
  EXPECT_TRUE(endpoint.is_tls);
  EXPECT_EQ(endpoint.host, "Models.example");
  EXPECT_EQ(endpoint.port, 8443);
  EXPECT_EQ(endpoint.path, "/base/v1");
  EXPECT_EQ(endpoint.text(), "https://Models.example:8443/base/v1");
  EXPECT_FALSE(endpoint.is_loopback);
  EXPECT_EQ(parse_endpoint("http://[::1]:11434").value().host, "[::1]");
}

TEST(Endpoint, OnlyThisMachineIsLoopback) {
  for (const char* text : {"http://localhost:1", "http://LOCALHOST", "http://127.0.0.1",
                           "http://127.255.3.4:80/x", "http://[::1]", "http://a.localhost"})
    EXPECT_TRUE(parse_endpoint(text).value().is_loopback) << text;
  for (const char* text :
       {"http://127.0.0.1.example", "http://127.1", "http://127.0.0.256", "http://127.0.0.01",
        "http://localhost.example", "http://0x7f.0.0.1", "http://128.0.0.1", "http://[::2]",
        "http://127.0.0.1.", "http://notlocalhost"})
    EXPECT_FALSE(parse_endpoint(text).value().is_loopback) << text;
}

TEST(Endpoint, WhatCannotBeReadIsRefused) {
  for (const char* text : {"",
                           "localhost:11434",
                           "ftp://host",
                           "http://",
                           "http:///path",
                           "http://host:0",
                           "http://host:65536",
                           "http://host:1x",
                           "http://host:",
                           "http://ho st",
                           "http://host/a b",
                           "http://host?x",
                           "http://host/#x",
                           "http://host\n",
                           "http://-host",
                           "http://[::1",
                           "http://[",
                           "http://[]",
                           "http://host/../x",
                           "file:///etc/passwd",
                           "http://h\xc3\xb6st"})
    EXPECT_FALSE(parse_endpoint(text)) << text;
  EXPECT_FALSE(parse_endpoint("http://" + std::string(3000, 'a')));
}

TEST(Endpoint, AKeyInAnAddressIsRefusedAndNotRepeated) {
  const auto endpoint = parse_endpoint("https://me:hunter2@host");
  ASSERT_FALSE(endpoint);
  EXPECT_EQ(endpoint.error().message.find("hunter2"), std::string::npos);
}

}  // namespace
}  // namespace airlock::llm
