#include "present/report/json_text.h"

#include <gtest/gtest.h>

namespace airlock::cli {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonText, LeavesWhatCanBeSeenAlone) {
  EXPECT_EQ(json_text(Json{{"a", "東京 😀 é"}}, -1), "{\"a\":\"東京 😀 é\"}");
  EXPECT_EQ(json_text(Json::array({1, "x"}), 1), "[\n 1,\n \"x\"\n]");
}

TEST(JsonText, EscapesWhatATerminalWouldObeyOrHide) {
  EXPECT_EQ(json_text("\x1b\x7f\u009b\u202e\u200b\U000E0041", -1),
            R"("\u001b\u007f\u009b\u202e\u200b\udb40\udc41")");
}

TEST(JsonText, ReadsBackAsTheSameValue) {
  const std::string text = "a\x7f\u0085\u2066\U000E0041\U0010FFFF\u00a0\\u202e\"z";
  EXPECT_EQ(Json::parse(json_text(text, -1)), Json(text));
}

TEST(JsonText, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(json_text("a\xff", -1), "\"a\uFFFD\"");
}

}  // namespace
}  // namespace airlock::cli
