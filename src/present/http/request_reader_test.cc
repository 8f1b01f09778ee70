#include "present/http/request_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace airlock::http {
namespace {

const std::string kPost = "POST /v1/check HTTP/1.1\r\nHost: localhost\r\n";

// Everything at once; what is left over is handed back.
struct Outcome {
  int status = 0;  // 0: read, or not whole yet
  bool is_done = false;
  Request request;
  std::string rest;
};

Outcome read_in_pieces(std::string_view text, std::size_t piece, std::uint64_t most = 1000) {
  RequestReader reader;
  std::string buffer;
  while (!reader.is_done()) {
    buffer += text.substr(0, piece);
    text.remove_prefix(std::min(piece, text.size()));
    std::size_t taken = 1;
    while (taken > 0 && !reader.is_done()) {
      const auto read = reader.read(buffer);
      if (!read)
        return {.status = read.error().status, .is_done = false, .request = {}, .rest = {}};
      taken = *read;
      buffer.erase(0, taken);
      if (reader.has_head()) reader.limit_body(most);
    }
    if (text.empty()) break;
  }
  Outcome outcome;
  outcome.is_done = reader.is_done();
  outcome.rest = buffer + std::string(text);
  if (outcome.is_done) outcome.request = reader.take();
  return outcome;
}

// The same however it is cut; but what comes in pieces may be looked at later, when a head is
// whole.
Outcome read_all(std::string_view text) {
  const Outcome whole = read_in_pieces(text, text.size());
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}}) {
    const Outcome cut = read_in_pieces(text, piece);
    EXPECT_TRUE(cut.status == 0 || cut.status == whole.status)
        << text << " in pieces of " << piece << ": " << cut.status;
    EXPECT_EQ(cut.is_done, whole.is_done) << text << " in pieces of " << piece;
    EXPECT_EQ(cut.request.body, whole.request.body);
    EXPECT_EQ(cut.request.head.path, whole.request.head.path);
  }
  return whole;
}

TEST(RequestReader, ARequestIsReadAndWhatFollowsIsLeft) {
  const auto read = read_all(kPost + "Content-Length: 3\r\nX-A: b\r\n\r\nabcGET /");
  ASSERT_TRUE(read.is_done);
  EXPECT_EQ(read.request.body, "abc");
  EXPECT_EQ(read.rest, "GET /");
  EXPECT_EQ(read.request.head.method, Method::kPost);
  EXPECT_EQ(read.request.head.host, "localhost");
  ASSERT_NE(read.request.head.header("x-a"), nullptr);
  EXPECT_EQ(*read.request.head.header("x-a"), "b");
}

TEST(RequestReader, ChunksAreOneBody) {
  const auto read =
      read_all(kPost + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n");
  ASSERT_TRUE(read.is_done);
  EXPECT_EQ(read.request.body, "abcde");
}

TEST(RequestReader, NoChunksAreAnEmptyBody) {
  const auto read = read_all(kPost + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET");
  ASSERT_TRUE(read.is_done);
  EXPECT_EQ(read.request.body, "");
  EXPECT_EQ(read.rest, "GET");
}

TEST(RequestReader, WhatHasTwoLengthsIsRefused) {
  for (const std::string lengths :
       {"Content-Length: 3\r\nContent-Length: 4\r\n", "Content-Length: 3\r\nContent-Length: 3\r\n",
        "Content-Length: 3, 3\r\n", "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n",
        "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", "Content-Length: +3\r\n",
        "Content-Length: 0x3\r\n", "Content-Length: \r\n",
        "Content-Length: 99999999999999999999\r\n", "Content-Length : 3\r\n",
        "Transfer-Encoding : chunked\r\n", "X: a\r\n Content-Length: 3\r\n",
        "Transfer-Encoding:\r\n chunked\r\n", "X: a\rContent-Length: 3\r\n"})
    EXPECT_EQ(read_all(kPost + lengths + "\r\nabc").status, 400) << lengths;
  for (const std::string coding : {"xchunked", "identity", "gzip, chunked", "chunked, gzip"})
    EXPECT_EQ(read_all(kPost + "Transfer-Encoding: " + coding + "\r\n\r\n0\r\n\r\n").status, 501)
        << coding;
}

TEST(RequestReader, NonsenseInChunksIsRefused) {
  for (const std::string chunks :
       {"-3\r\nabc\r\n0\r\n\r\n", "0x3\r\nabc\r\n0\r\n\r\n", "xyz\r\n", "2\r\nabc\r\n0\r\n\r\n",
        "fffffffffffffffff\r\n", "3 \r\nabc\r\n0\r\n\r\n", "3\r\nabc\r\n0\r\nX-Trailer: a\r\n\r\n"})
    EXPECT_EQ(read_all(kPost + "Transfer-Encoding: chunked\r\n\r\n" + chunks).status, 400)
        << chunks;
}

TEST(RequestReader, OnlyOneVersionIsSpoken) {
  EXPECT_EQ(read_all("GET / HTTP/1.0\r\nHost: x\r\n\r\n").status, 505);
  EXPECT_EQ(read_all("GET / HTTP/1.2\r\nHost: x\r\n\r\n").status, 505);
  EXPECT_EQ(read_all("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n").status, 505);
  EXPECT_EQ(read_all("GET /\r\n\r\n").status, 400);
  EXPECT_EQ(read_all("GET / HTTP/1.1\nHost: x\n\n").status, 400);
}

TEST(RequestReader, AHostIsThereOnce) {
  EXPECT_EQ(read_all("GET / HTTP/1.1\r\n\r\n").status, 400);
  EXPECT_EQ(read_all("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n").status, 400);
  EXPECT_EQ(read_all("GET http://a/x?y HTTP/1.1\r\nHost: b\r\n\r\n").status, 400);
  const auto whole = read_all("GET http://a/x?y HTTP/1.1\r\nHost: a\r\n\r\n");
  ASSERT_TRUE(whole.is_done);
  EXPECT_EQ(whole.request.head.path, "/x");
  EXPECT_EQ(whole.request.head.query, "y");
}

TEST(RequestReader, HeadsAndBodiesHaveTheirLimits) {
  EXPECT_EQ(read_all(kPost + "X: " + std::string(kMostHeadBytes, 'a') + "\r\n\r\n").status, 431);
  std::string many;
  for (std::size_t i = 0; i < kMostHeaders + 1; ++i) many += "X: a\r\n";
  EXPECT_EQ(read_all(kPost + many + "\r\n").status, 431);
  std::string long_ones;
  for (int i = 0; i < 20; ++i) long_ones += "X: " + std::string(1000, 'a') + "\r\n";
  EXPECT_EQ(read_all(kPost + long_ones + "\r\n").status, 431);
  EXPECT_EQ(read_all("GET /" + std::string(5000, 'a') + " HTTP/1.1\r\nHost: x\r\n\r\n").status,
            414);
  EXPECT_EQ(read_all(kPost + "Content-Length: 2000\r\n\r\n" + std::string(2000, 'a')).status, 413);
  EXPECT_EQ(read_all(kPost + "Transfer-Encoding: chunked\r\n\r\n7d0\r\n").status, 413);
  EXPECT_EQ(read_all(kPost + "Transfer-Encoding: chunked\r\n\r\n" + std::string(5000, 'a') + "\r\n")
                .status,
            400);
}

TEST(RequestReader, HalfARequestIsNone) {
  EXPECT_FALSE(read_all("").is_done);
  EXPECT_FALSE(read_all("POST /v1/ch").is_done);
  EXPECT_FALSE(read_all(kPost).is_done);
  EXPECT_FALSE(read_all(kPost + "Content-Length: 3\r\n\r\nab").is_done);
  EXPECT_FALSE(read_all(kPost + "Transfer-Encoding: chunked\r\n\r\n3\r\nab").is_done);
}

TEST(RequestReader, ABodyThatLooksLikeAFoldIsABody) {
  const auto read = read_all(kPost + "Content-Length: 6\r\n\r\n\r\n \r\n\t");
  ASSERT_TRUE(read.is_done);
  EXPECT_EQ(read.request.body, "\r\n \r\n\t");
}

}  // namespace
}  // namespace airlock::http
