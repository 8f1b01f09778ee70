#include "present/http/rest.h"

#include <gtest/gtest.h>

namespace airlock::http {
namespace {

RequestHead accepting(std::string accept) {
  RequestHead head;
  if (!accept.empty()) head.headers.push_back({"accept", std::move(accept)});
  return head;
}

TEST(Rest, RowsAreLinesUnlessOneDocumentIsWanted) {
  EXPECT_TRUE(wants_one_document(accepting("application/json")));
  EXPECT_TRUE(wants_one_document(accepting("text/html, application/json;q=0.9")));
  for (const char* accept :
       {"", "*/*", "application/x-ndjson", "application/x-ndjson, application/json"})
    EXPECT_FALSE(wants_one_document(accepting(accept))) << accept;
}

TEST(Rest, AnErrorHasTheStatusOfWhoseItIs) {
  const std::stop_token going_on;
  EXPECT_EQ(response_to({"a", ErrorKind::kRequest}, going_on).status, 400);
  EXPECT_EQ(response_to({"a", ErrorKind::kRefused}, going_on).status, 400);
  EXPECT_EQ(response_to({"a", ErrorKind::kIsolation}, going_on).status, 503);
  EXPECT_EQ(response_to({"a", ErrorKind::kOurs}, going_on).status, 500);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_TRUE(response_to({"a"}, stop.get_token()).body.contains("Cancelled"));
}

}  // namespace
}  // namespace airlock::http
