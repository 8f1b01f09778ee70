#include "present/http/address.h"

#include <gtest/gtest.h>

#include <vector>

namespace airlock::http {
namespace {

const ListenAddress kLoopback{.host = "127.0.0.1", .port = 8080, .is_version_6 = false};
const ListenAddress kAny{.host = "0.0.0.0", .port = 8080, .is_version_6 = false};

TEST(ListenAddress, APortAloneIsOnThisMachine) {
  for (const char* text : {"8080", ":8080", "localhost:8080", "127.0.0.1:8080"}) {
    const auto address = read_listen_address(text);
    ASSERT_TRUE(address) << text;
    EXPECT_EQ(url_of(*address), "http://127.0.0.1:8080");
    EXPECT_TRUE(address->is_loopback());
  }
}

TEST(ListenAddress, OtherAddressesAreTakenAsTheyAre) {
  EXPECT_EQ(url_of(*read_listen_address("[::1]:0")), "http://[::1]:0");
  EXPECT_TRUE(read_listen_address("[::1]:80")->is_loopback());
  EXPECT_FALSE(read_listen_address("0.0.0.0:80")->is_loopback());
  EXPECT_TRUE(read_listen_address("[::]:80")->is_any());
  EXPECT_EQ(url_here(*read_listen_address("0.0.0.0:80")), "http://127.0.0.1:80");
  EXPECT_EQ(url_here(*read_listen_address("[::]:80")), "http://[::1]:80");
  EXPECT_EQ(url_here(*read_listen_address("192.168.1.5:80")), "http://192.168.1.5:80");
  EXPECT_FALSE(read_listen_address("192.168.1.5:80")->is_loopback());
}

TEST(ListenAddress, WhatIsNoneIsRefused) {
  for (const char* text : {"", "localhost", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536",
                           "127.0.0.1:-1", "example.com:80", "::1:80", "[::1]", "[::1:80",
                           "127.0.0.1:80x", "1.2.3:80", "[127.0.0.1]:80"})
    EXPECT_FALSE(read_listen_address(text)) << text;
}

TEST(Host, LoopbackNamesAndOurOwnAreOurs) {
  for (const char* host :
       {"localhost", "LOCALHOST:8080", "127.0.0.1:8080", "[::1]:8080", "127.0.0.1"})
    EXPECT_TRUE(is_our_host(host, kLoopback, {})) << host;
}

TEST(Host, ANameThatLeadsHereIsNotOurs) {
  for (const char* host :
       {"evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "",
        "10.0.0.5", "localhost:x", "localhost:8080:1", "[::1", "user@localhost", "localhost/",
        "localhost."})
    EXPECT_FALSE(is_our_host(host, kLoopback, {})) << host;
}

TEST(Host, WhatWasAllowedIsOurs) {
  const std::vector<std::string> allowed = {"airlock.example"};
  EXPECT_TRUE(is_our_host("Airlock.Example:443", kLoopback, allowed));
  EXPECT_FALSE(is_our_host("x.airlock.example", kLoopback, allowed));
}

TEST(Host, OnAllAddressesAnyAddressIsOursAndNoName) {
  EXPECT_TRUE(is_our_host("192.168.1.5:8080", kAny, {}));
  EXPECT_TRUE(is_our_host("[fe80::1]:8080", kAny, {}));
  EXPECT_FALSE(is_our_host("evil.example", kAny, {}));
}

TEST(Origin, OnlyWhatCameFromHereIsTheSame) {
  EXPECT_TRUE(is_same_origin("http://localhost:8080", "localhost:8080"));
  EXPECT_TRUE(is_same_origin("http://LOCALHOST", "localhost:80"));
  EXPECT_TRUE(is_same_origin("https://airlock.example", "airlock.example"));
  for (const char* origin :
       {"http://localhost:8081", "http://127.0.0.1:8080", "null", "", "http://evil.example",
        "file://", "http://localhost:8080/", "localhost:8080", "http://localhost:8080@evil.example",
        "http://localhost:8080.evil.example"})
    EXPECT_FALSE(is_same_origin(origin, "localhost:8080")) << origin;
}

}  // namespace
}  // namespace airlock::http
