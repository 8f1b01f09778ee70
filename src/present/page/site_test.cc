// The whole review without a transport: signing in, looking, deciding, and everything that is
// refused.
#include "present/page/site.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "engine/approve/extractors.h"

namespace airlock::page {
namespace {

constexpr std::string_view kRule =
    "version: 1\nrules:\n  - name: r\n    glob: \"**/*.csv\"\n"
    "    extract:\n      name: { from: filename }\n";

class SiteTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::path(testing::TempDir()) / ("site_test_" + std::to_string(::getpid()));
    std::filesystem::remove_all(folder_);
    user_dirs_.airlock_home = folder_.native();
    site_.emplace(SiteOptions{.user_dirs = user_dirs_,
                              .host_program = "",
                              .on_new_link = [this](const std::string& path) { link_ = path; }});
    link_ = site_->sign_in_path();
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  PageResponse get(const std::string& path, const std::string& cookies) {
    const std::size_t mark = path.find('?');
    return site_->answer({.method = "GET",
                          .path = path.substr(0, mark),
                          .query = mark == std::string::npos ? "" : path.substr(mark + 1),
                          .cookies = cookies});
  }
  PageResponse post(const std::string& path, const std::string& body, const std::string& cookies) {
    return site_->answer({.method = "POST", .path = path, .cookies = cookies, .body = body});
  }
  static std::string header(const PageResponse& response, std::string_view name) {
    for (const auto& [key, value] : response.headers)
      if (key == name) return value;
    return {};
  }
  // The cookie of somebody who has just followed the link.
  std::string sign_in() {
    const PageResponse response = get(link_, "");
    EXPECT_EQ(response.status, 200);
    const std::string cookie = header(response, "Set-Cookie");
    return cookie.substr(0, cookie.find(';'));
  }
  std::string token_of(const std::string& cookies) {
    const std::string page = get("/", cookies).body;
    const std::size_t at = page.find("name=\"token\" value=\"") + 20;
    return page.substr(at, 64);
  }
  Draft keep(std::string_view text = kRule) {
    return keep_draft(user_dirs_, {.kind = OutputKind::kYaml,
                                   .name = "files",
                                   .text = std::string(text),
                                   .samples = {"/data/a.csv"}})
        .value();
  }
  std::string form(const std::string& cookies, const Draft& draft, const std::string& more) {
    return "token=" + token_of(cookies) + "&" + seen(draft) + "&" + more;
  }
  // Of a rule whose name nobody has approved yet.
  static std::string seen(const Draft& draft) {
    return "seen=" + to_word(seen_draft(draft, nullptr, nullptr));
  }
  static bool has_words(const PageResponse& page, std::string_view words) {
    return page.body.find(words) != std::string::npos;
  }

  std::filesystem::path folder_;
  UserDirs user_dirs_;
  std::optional<Site> site_;
  std::string link_;
};

TEST_F(SiteTest, WithoutACookieThereIsOnlyHowToSignIn) {
  const Draft draft = keep();
  for (const std::string& path : {std::string("/"), "/drafts/" + draft.id, std::string("/tail"),
                                  std::string("/extractors"), std::string("/nowhere")}) {
    const PageResponse response = get(path, "airlock_x=1");
    EXPECT_EQ(response.status, 401) << path;
    EXPECT_NE(response.body.find("Sign in"), std::string::npos);
    EXPECT_EQ(response.body.find(draft.id), std::string::npos);
  }
  EXPECT_EQ(post("/drafts/" + draft.id + "/approve", "", "").status, 401);
  EXPECT_EQ(get("/assets/page.css", "").status, 200);
  EXPECT_EQ(get("/assets/../site.cc", "").status, 404);
}

TEST_F(SiteTest, ALinkSignsInOnceAndTheNextOneIsMade) {
  const std::string first = link_;
  const PageResponse response = get(first, "");
  const std::string cookie = header(response, "Set-Cookie");
  for (const char* part : {"; HttpOnly", "; SameSite=Strict", "; Path=/"})
    EXPECT_NE(cookie.find(part), std::string::npos) << cookie;
  EXPECT_EQ(cookie.find("Secure"), std::string::npos);
  EXPECT_NE(link_, first);
  EXPECT_EQ(get(first, "").status, 403);
  EXPECT_EQ(get("/", cookie.substr(0, cookie.find(';'))).status, 200);
  const PageResponse secure = site_->answer({.method = "GET",
                                             .path = "/sign-in",
                                             .query = link_.substr(link_.find('?') + 1),
                                             .is_secure = true});
  EXPECT_NE(header(secure, "Set-Cookie").find("; Secure"), std::string::npos);
}

TEST_F(SiteTest, EveryPageHasItsHeaders) {
  const std::string cookies = sign_in();
  for (const char* path : {"/", "/tail", "/runs", "/extractors", "/rejected", "/nowhere"}) {
    const PageResponse response = get(path, cookies);
    EXPECT_NE(header(response, "Content-Security-Policy").find("default-src 'none'"),
              std::string::npos);
    EXPECT_EQ(header(response, "X-Content-Type-Options"), "nosniff");
    EXPECT_EQ(header(response, "Cache-Control"), "no-store");
    EXPECT_EQ(response.status, std::string_view(path) == "/nowhere" ? 404 : 200);
  }
}

TEST_F(SiteTest, ADraftIsApprovedAndTheReceiptIsShown) {
  const Draft draft = keep();
  const std::string cookies = sign_in();
  EXPECT_NE(get("/", cookies).body.find(draft.id), std::string::npos);
  EXPECT_EQ(get("/drafts/" + draft.id, cookies).status, 200);
  const PageResponse done = post("/drafts/" + draft.id + "/approve",
                                 form(cookies, draft, "name=files&by=Ann+Lee&note=fine"), cookies);
  ASSERT_EQ(done.status, 303) << done.body;
  EXPECT_EQ(header(done, "Location"), "/extractors/files%401?approved=now");
  const PageResponse receipt = get(header(done, "Location"), cookies);
  EXPECT_EQ(receipt.status, 200);
  const auto found = find_extractor(user_dirs_, "files").value();
  EXPECT_EQ(found.review, (ReviewNote{.by = "Ann Lee", .note = "fine"}));
  for (const std::string& words : {found.receipt.sha256, std::string("Ann Lee"),
                                   std::string("is approved"), std::string("The receipt holds")})
    EXPECT_NE(receipt.body.find(words), std::string::npos) << words;
  EXPECT_TRUE(list_drafts(user_dirs_)->empty());
}

TEST_F(SiteTest, TheSecondOfTwoSeesWhoWasFirst) {
  const Draft draft = keep();
  const std::string ann = sign_in();
  const std::string bob = sign_in();
  const std::string path = "/drafts/" + draft.id + "/approve";
  EXPECT_EQ(post(path, form(ann, draft, "name=files&by=Ann"), ann).status, 303);
  const PageResponse late = post(path, form(bob, draft, "name=files&by=Bob"), bob);
  EXPECT_EQ(late.status, 409);
  EXPECT_NE(late.body.find("Ann approved the draft"), std::string::npos);
  EXPECT_NE(late.body.find("/extractors/files%401"), std::string::npos);
  EXPECT_EQ(extractor_history(user_dirs_, "files")->size(), 1u);
  EXPECT_EQ(get("/drafts/" + draft.id, bob).status, 410);
}

TEST_F(SiteTest, OfManyAtOnceOneApproves) {
  const Draft draft = keep();
  const std::string cookies = sign_in();
  const std::string body = form(cookies, draft, "name=files&by=Ann");
  std::vector<int> statuses(8, 0);
  {
    std::vector<std::jthread> threads;
    for (int& status : statuses)
      threads.emplace_back(
          [&] { status = post("/drafts/" + draft.id + "/approve", body, cookies).status; });
  }
  EXPECT_EQ(std::ranges::count(statuses, 303), 1);
  EXPECT_EQ(std::ranges::count(statuses, 409), 7);
  EXPECT_EQ(extractor_history(user_dirs_, "files")->size(), 1u);
}

TEST_F(SiteTest, ARejectionNeedsAReasonAndIsKept) {
  const Draft draft = keep();
  const std::string cookies = sign_in();
  const std::string path = "/drafts/" + draft.id + "/reject";
  const PageResponse without = post(path, form(cookies, draft, "by=Ann&note="), cookies);
  EXPECT_EQ(without.status, 422);
  EXPECT_NE(without.body.find("A reason is missing"), std::string::npos);
  EXPECT_EQ(post(path, form(cookies, draft, "by=&note="), cookies).status, 422);
  EXPECT_EQ(post(path, form(cookies, draft, "by=Ann&note=the+year"), cookies).status, 303);
  EXPECT_TRUE(list_drafts(user_dirs_)->empty());
  EXPECT_NE(get("/rejected", cookies).body.find("the year"), std::string::npos);
  EXPECT_NE(get("/drafts/" + draft.id, cookies).body.find("the year"), std::string::npos);
}

TEST_F(SiteTest, AFormThatIsNotOursChangesNothing) {
  const Draft draft = keep();
  const std::string cookies = sign_in();
  const std::string path = "/drafts/" + draft.id + "/approve";
  const std::string words = "&" + seen(draft) + "&name=files&by=Ann";
  EXPECT_EQ(post(path, "token=" + std::string(64, '0') + words, cookies).status, 403);
  EXPECT_EQ(post(path, words.substr(1), cookies).status, 403);
  // The token of somebody else's visit.
  EXPECT_EQ(post(path, "token=" + token_of(sign_in()) + words, cookies).status, 403);
  EXPECT_EQ(post(path, "token=%", cookies).status, 400);
  EXPECT_EQ(site_->answer({.method = "DELETE", .path = path, .cookies = cookies}).status, 405);
  EXPECT_TRUE(find_draft(user_dirs_, draft.id));
}

TEST_F(SiteTest, WhatWasNotSeenOrDoesNotPassIsNotApproved) {
  const Draft draft = keep();
  const std::string cookies = sign_in();
  const std::string path = "/drafts/" + draft.id + "/approve";
  const std::string body = form(cookies, draft, "name=files&by=Ann&note=kept+text");
  ASSERT_TRUE(change_draft(user_dirs_, draft, std::string(kRule) + "# more\n"));
  const PageResponse other = post(path, body, cookies);
  EXPECT_EQ(other.status, 422);
  EXPECT_NE(other.body.find("was changed by somebody else"), std::string::npos);
  EXPECT_NE(other.body.find("kept text"), std::string::npos);
  const Draft bad = keep("rules: 7\n");
  EXPECT_NE(get("/drafts/" + bad.id, cookies).body.find("Does not pass"), std::string::npos);
  const PageResponse invalid =
      post("/drafts/" + bad.id + "/approve", form(cookies, bad, "name=files&by=Ann"), cookies);
  EXPECT_EQ(invalid.status, 422);
  EXPECT_NE(invalid.body.find("is not valid any more"), std::string::npos);
  const PageResponse nameless =
      post(path, form(cookies, find_draft(user_dirs_, draft.id).value(), "name=no+name&by=Ann"),
           cookies);
  EXPECT_EQ(nameless.status, 422);
  EXPECT_EQ(list_drafts(user_dirs_)->size(), 2u);
}

TEST_F(SiteTest, AnApprovedVersionIsComparedWithTheDraft) {
  const std::string cookies = sign_in();
  const Draft first = keep();
  ASSERT_EQ(
      post("/drafts/" + first.id + "/approve", form(cookies, first, "name=files&by=Ann"), cookies)
          .status,
      303);
  std::string changed(kRule);
  changed.replace(changed.find("name: { from"), 4, "file");
  const Draft second = keep(changed);
  const std::string page = get("/drafts/" + second.id, cookies).body;
  for (const char* words : {"files@1", "1 of 1 answer differs", "new</small>", "gone</small>",
                            "added: </span>+</span><code>      file:"})
    EXPECT_NE(page.find(words), std::string::npos) << words;
}

TEST_F(SiteTest, WhoSignsOutIsOut) {
  const std::string cookies = sign_in();
  const PageResponse out = post("/sign-out", "token=" + token_of(cookies), cookies);
  EXPECT_EQ(out.status, 200);
  const std::string cleared = header(out, "Set-Cookie");
  EXPECT_TRUE(cleared.starts_with(cookies.substr(0, cookies.find('=')) + "=;")) << cleared;
  EXPECT_NE(cleared.find("Max-Age=0"), std::string::npos);
  EXPECT_EQ(get("/", cookies).status, 401);
  EXPECT_FALSE(site_->is_signed_in(cookies));
}

// A name with versions is typed where the page said that all of it is new.
TEST_F(SiteTest, ATypedNameIsComparedWithItsNewestVersionFirst) {
  const std::string cookies = sign_in();
  const Draft first = keep();
  const std::string words = "token=" + token_of(cookies) + "&name=files&by=Ann&note=kept+text&";
  ASSERT_EQ(post("/drafts/" + first.id + "/approve", words + seen(first), cookies).status, 303);
  const Draft other = keep_draft(user_dirs_, {.kind = OutputKind::kYaml,
                                              .name = "others",
                                              .text = std::string(kRule) + "# other\n",
                                              .samples = {"/data/b.csv"}})
                          .value();
  EXPECT_TRUE(has_words(get("/drafts/" + other.id, cookies), "All of it is new"));
  const std::string path = "/drafts/" + other.id + "/approve";
  const PageResponse shown = post(path, words + seen(other), cookies);
  EXPECT_EQ(shown.status, 422);
  for (const char* part : {"after files@1, and you saw it compared with nothing", "kept text",
                           "value=\"files\"", "Against <a href=\"/extractors/files%401\"",
                           "other samples", "1 are new, 1 of those are not among them"})
    EXPECT_TRUE(has_words(shown, part)) << part;
  EXPECT_EQ(extractor_history(user_dirs_, "files")->size(), 1u);
  const std::size_t at = shown.body.find("name=\"seen\" value=\"") + 19;
  const std::string now = shown.body.substr(at, shown.body.find('"', at) - at);
  EXPECT_EQ(post(path, words + "seen=" + url_part(now), cookies).status, 303);
  EXPECT_EQ(extractor_history(user_dirs_, "files")->size(), 2u);
}

TEST_F(SiteTest, ABlankIsNoNameAndNotRemembered) {
  const Draft draft = keep();
  const std::string cookies = sign_in();
  for (const char* by : {"", "+", "%20%20", "%C2%A0"}) {
    const PageResponse refused =
        post("/drafts/" + draft.id + "/approve",
             form(cookies, draft, "name=files&by=" + std::string(by)), cookies);
    EXPECT_EQ(refused.status, 422) << by;
    EXPECT_TRUE(has_words(refused, "Say who you are"));
    EXPECT_EQ(post("/drafts/" + draft.id + "/reject",
                   form(cookies, draft, "note=no&by=" + std::string(by)), cookies)
                  .status,
              422);
  }
  EXPECT_EQ(post("/drafts/" + draft.id + "/reject", form(cookies, draft, "note=no&by=a%E2%80%AEb"),
                 cookies)
                .status,
            422);
  EXPECT_FALSE(has_words(get("/drafts/" + draft.id, cookies), "202E"));
}

TEST_F(SiteTest, WhatWasTypedComesBackAsItWasTyped) {
  const Draft draft = keep();
  const std::string cookies = sign_in();
  const PageResponse refused = post(
      "/drafts/" + draft.id + "/approve",
      form(cookies, draft,
           "name=no+name&by=Zo%C3%AB%C2%A0B&note=I+%E2%9D%A4%EF%B8%8F+it,+%3C/textarea%3E%0Abien"),
      cookies);
  EXPECT_EQ(refused.status, 422);
  for (const char* part : {"value=\"no name\"", "value=\"Zo\u00eb\u00a0B\"",
                           "I \u2764\ufe0f it, &lt;/textarea&gt;\nbien</textarea>"})
    EXPECT_TRUE(has_words(refused, part)) << part;
}

TEST_F(SiteTest, WhatIsNotShownWholeIsNotApprovedHere) {
  const Draft draft = keep(std::string(kRule) + "# " + std::string(90000, 'x') + "\n");
  const std::string cookies = sign_in();
  EXPECT_TRUE(has_words(get("/drafts/" + draft.id, cookies), "Not all of it can be shown here"));
  const PageResponse refused =
      post("/drafts/" + draft.id + "/approve", form(cookies, draft, "name=files&by=Ann"), cookies);
  EXPECT_EQ(refused.status, 422);
  EXPECT_TRUE(has_words(refused, "cannot be approved here"));
  EXPECT_TRUE(find_draft(user_dirs_, draft.id));
}

TEST_F(SiteTest, WhenTheServerEndsNothingIsDecided) {
  const Draft draft = keep();
  const std::string cookies = sign_in();
  std::stop_source stop;
  stop.request_stop();
  const std::string path = "/drafts/" + draft.id;
  EXPECT_EQ(
      site_->answer({.method = "GET", .path = path, .cookies = cookies, .stop = stop.get_token()})
          .status,
      503);
  for (const char* verb : {"/approve", "/reject"})
    EXPECT_EQ(site_
                  ->answer({.method = "POST",
                            .path = path + verb,
                            .cookies = cookies,
                            .body = form(cookies, draft, "name=files&by=Ann&note=no"),
                            .stop = stop.get_token()})
                  .status,
              503);
  EXPECT_TRUE(find_draft(user_dirs_, draft.id));
}

// A file that is no database stands for whatever keeps the store from being read.
TEST_F(SiteTest, WhenTheStoreCannotBeReadTheWordsAreKeptAndTheTailSaysSo) {
  const Draft draft = keep();
  const std::string cookies = sign_in();
  const std::string body = form(cookies, draft, "name=files&by=Ann&note=kept+text");
  const std::filesystem::path file = folder_ / "airlock.db";
  std::filesystem::rename(file, folder_ / "airlock.db.aside");
  std::ofstream(file) << std::string(4096, 'x');
  for (const char* verb : {"/approve", "/reject"}) {
    const PageResponse page = post("/drafts/" + draft.id + verb, body, cookies);
    EXPECT_EQ(page.status, 500);
    for (const std::string& part :
         {std::string("kept text"), "action=\"/drafts/" + draft.id + verb + "\"",
          to_word(seen_draft(draft, nullptr, nullptr)), std::string("Nothing was changed")})
      EXPECT_TRUE(has_words(page, part)) << part;
  }
  EXPECT_EQ(get("/", cookies).status, 500);
  const PageResponse tail = get("/tail", cookies);
  EXPECT_EQ(tail.status, 200);
  EXPECT_TRUE(has_words(tail, "is damaged"));
  EXPECT_FALSE(has_words(tail, "Nothing happened yet"));
  std::filesystem::rename(folder_ / "airlock.db.aside", file);
  EXPECT_EQ(post("/drafts/" + draft.id + "/approve", body, cookies).status, 303);
}

}  // namespace
}  // namespace airlock::page
