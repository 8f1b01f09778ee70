#include "present/http/gate.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace airlock::http {
namespace {

const TimePoint kNow{std::chrono::seconds(1000)};

class GateTest : public testing::Test {
 protected:
  GateTest() {
    routes_.add(
        {.method = Method::kPost, .path = "/v1/check", .body = BodyKind::kJson, .perform = {}});
    routes_.add({.method = Method::kPost,
                 .path = "/v1/sessions/{id}/run",
                 .body = BodyKind::kJson,
                 .perform = {}});
    routes_.add({.method = Method::kDelete, .path = "/v1/sessions/{id}", .perform = {}});
    routes_.add(
        {.method = Method::kGet, .path = "/healthz", .access = Access::kOpen, .perform = {}});
    routes_.add({.method = Method::kGet, .path = "/v1/runs", .perform = {}});
  }

  static RequestHead head(Method method, std::string path, std::vector<Header> headers = {}) {
    RequestHead made;
    made.method = method;
    made.method_word = std::string(word_of(method));
    made.path = std::move(path);
    made.host = "localhost:8080";
    made.headers = std::move(headers);
    if (method == Method::kPost) made.length = 2;
    return made;
  }
  static RequestHead check(std::vector<Header> headers = {}) {
    headers.push_back({"authorization", "Bearer " + kToken});
    headers.push_back({"content-type", "application/json"});
    return head(Method::kPost, "/v1/check", std::move(headers));
  }

  // 0: it is let in.
  int status(const RequestHead& asked) {
    const auto judged = gate_.judge(asked, "127.0.0.1", kNow);
    const auto* away = std::get_if<Gate::TurnedAway>(&judged.what);
    return away == nullptr ? 0 : away->response.status;
  }

  inline static const std::string kToken = "0123456789abcdef";
  Token token_{kToken};
  RouteTable routes_;
  Gate gate_{{.listens = {.host = "127.0.0.1", .port = 8080, .is_version_6 = false},
              .allowed_hosts = {},
              .requests_per_second = 1000},
             token_,
             routes_};
};

TEST_F(GateTest, WhoHasTheTokenIsLetIn) {
  EXPECT_EQ(status(check()), 0);
  EXPECT_EQ(status(head(Method::kGet, "/healthz")), 0);
  EXPECT_EQ(status(head(Method::kHead, "/healthz")), 0);
}

// Before a length, a type or a byte of the body matters.
TEST_F(GateTest, ARouteMayTurnAwayByTheHeadAlone) {
  routes_.add({.method = Method::kPost,
               .path = "/drafts/{id}/approve",
               .access = Access::kOpen,
               .body = BodyKind::kForm,
               .perform = {},
               .turn_away = [](const RequestHead& asked) -> std::optional<Response> {
                 if (asked.header("cookie") != nullptr) return std::nullopt;
                 return Response{.status = 401, .content_type = "text/html", .body = "who?"};
               }});
  RequestHead asked = head(Method::kPost, "/drafts/1/approve");
  asked.length = 1ULL << 40;
  EXPECT_EQ(status(asked), 401);
  const std::vector<Header> form = {{"content-type", "application/x-www-form-urlencoded"},
                                    {"cookie", "a=1"}};
  EXPECT_EQ(status(head(Method::kPost, "/drafts/1/approve", form)), 0);
}

TEST_F(GateTest, WhoHasNoneIsNot) {
  for (const std::string said :
       {"", "Bearer", "Bearer ", "Bearer 0123456789abcde", "Bearer 0123456789abcdef0",
        "Bearer 0123456789ABCDEF", "Basic 0123456789abcdef", "0123456789abcdef",
        "Bearer 0123456789abcdef, Bearer x"}) {
    RequestHead asked = head(Method::kGet, "/v1/runs", {{"authorization", said}});
    EXPECT_EQ(status(asked), 401) << said;
  }
  EXPECT_EQ(status(head(Method::kGet, "/v1/runs")), 401);
  RequestHead twice = head(Method::kGet, "/v1/runs",
                           {{"authorization", "Bearer " + kToken}, {"authorization", "Bearer x"}});
  EXPECT_EQ(status(twice), 401);
}

TEST_F(GateTest, ARefusalWithoutATokenSaysWhatIsAsked) {
  const auto judged = gate_.judge(head(Method::kGet, "/v1/runs"), "127.0.0.1", kNow);
  const auto& away = std::get<Gate::TurnedAway>(judged.what);
  ASSERT_EQ(away.response.more.size(), 1);
  EXPECT_EQ(away.response.more[0].name, "WWW-Authenticate");
  EXPECT_EQ(judged.label, "/v1/runs");
}

TEST_F(GateTest, AnotherHostOrOriginIsTurnedAwayBeforeTheTokenIsLookedAt) {
  RequestHead rebound = check();
  rebound.host = "evil.example:8080";
  EXPECT_EQ(status(rebound), 403);
  EXPECT_EQ(status(check({{"origin", "http://evil.example"}})), 403);
  EXPECT_EQ(status(check({{"origin", "null"}})), 403);
  EXPECT_EQ(status(check({{"origin", "http://localhost:8080"}})), 0);
  RequestHead health = head(Method::kGet, "/healthz", {{"origin", "http://evil.example"}});
  EXPECT_EQ(status(health), 403);
}

TEST_F(GateTest, RoutesKnowTheirMethods) {
  EXPECT_EQ(status(head(Method::kGet, "/v1/nothing")), 404);
  EXPECT_EQ(status(head(Method::kGet, "/v1/check")), 405);
  EXPECT_EQ(status(head(Method::kOther, "/v1/check")), 405);
  EXPECT_EQ(status(head(Method::kOptions, "/v1/check")), 204);
  EXPECT_EQ(status(head(Method::kOptions, "*")), 204);
  EXPECT_EQ(status(head(Method::kOptions, "/v1/nothing")), 404);
}

TEST_F(GateTest, ABodyIsWhatItShouldBe) {
  RequestHead no_length = check();
  no_length.length.reset();
  EXPECT_EQ(status(no_length), 411);
  RequestHead chunked = no_length;
  chunked.is_chunked = true;
  EXPECT_EQ(status(chunked), 0);
  RequestHead large = check();
  large.length = kMostBody + 1;
  EXPECT_EQ(status(large), 413);
  EXPECT_EQ(status(head(Method::kPost, "/v1/check", {{"authorization", "Bearer " + kToken}})), 415);
  EXPECT_EQ(status(head(Method::kPost, "/v1/check",
                        {{"authorization", "Bearer " + kToken}, {"content-type", "text/plain"}})),
            415);
  EXPECT_EQ(status(check({{"content-encoding", "gzip"}})), 415);
  RequestHead with_body = head(Method::kGet, "/healthz");
  with_body.length = 5;
  EXPECT_EQ(status(with_body), 413);
  EXPECT_EQ(status(check({{"expect", "100-continue"}})), 0);
  EXPECT_EQ(status(check({{"expect", "200-ok"}})), 417);
}

TEST_F(GateTest, WhoAsksTooOftenIsTurnedAway) {
  int refused = 0;
  for (int i = 0; i < 1500; ++i) refused += status(head(Method::kGet, "/healthz")) == 429 ? 1 : 0;
  EXPECT_EQ(refused, 500);
}

TEST_F(GateTest, WrongTokensAreHeldBackAndTheRightOneIsNot) {
  std::size_t delayed = 0;
  std::size_t unheard = 0;
  for (int i = 0; i < 500; ++i) {
    const auto judged = gate_.judge(head(Method::kGet, "/v1/runs", {{"authorization", "Bearer x"}}),
                                    "127.0.0.1", kNow);
    const auto& away = std::get<Gate::TurnedAway>(judged.what);
    if (away.response.status == 429) ++unheard;
    if (away.answer_at && *away.answer_at > kNow) ++delayed;
  }
  EXPECT_EQ(delayed, 40);
  EXPECT_EQ(unheard, 450);
  EXPECT_EQ(status(check()), 0);
}

TEST(MediaType, ParametersDoNotCount) {
  EXPECT_TRUE(is_media_type("application/json", "application/json"));
  EXPECT_TRUE(is_media_type("Application/JSON ; charset=utf-8", "application/json"));
  EXPECT_FALSE(is_media_type("application/jsonx", "application/json"));
  EXPECT_FALSE(is_media_type("", "application/json"));
}

TEST(Routes, PathsAreMatchedPartByPart) {
  EXPECT_EQ(match_path("/a/{id}/b", "/a/1/b"), (std::vector<std::string>{"1"}));
  EXPECT_EQ(match_path("/", "/"), (std::vector<std::string>{}));
  for (const char* path :
       {"/a//b", "/a/1", "/a/1/b/", "/a/1/c", "a/1/b", "", "/a/1/b/c", "//a/1/b"})
    EXPECT_FALSE(match_path("/a/{id}/b", path)) << path;
}

TEST(Routes, ARestIsForWhatHasNoRouteOfItsOwn) {
  EXPECT_EQ(match_path("/assets/{...}", "/assets/a/b.css"), (std::vector<std::string>{"a/b.css"}));
  EXPECT_EQ(match_path("/assets/{...}", "/assets/"), (std::vector<std::string>{""}));
  EXPECT_EQ(match_path("/{...}", "/"), (std::vector<std::string>{""}));
  EXPECT_EQ(match_path("/a/{id}/{...}", "/a/1/b/c"), (std::vector<std::string>{"1", "b/c"}));
  EXPECT_FALSE(match_path("/assets/{...}", "/assets"));
  EXPECT_FALSE(match_path("/assets/{...}", "/asset/a"));
  RouteTable routes;
  routes.add({.method = Method::kGet, .path = "/{...}", .perform = {}});
  routes.add({.method = Method::kPost, .path = "/v1/check", .perform = {}});
  EXPECT_EQ(routes.find(Method::kGet, "/drafts/1").label, "/{...}");
  EXPECT_EQ(routes.find(Method::kGet, "/v1/check").route, nullptr);
  EXPECT_EQ(routes.find(Method::kGet, "/v1/check").allowed, "POST, OPTIONS");
}

}  // namespace
}  // namespace airlock::http
