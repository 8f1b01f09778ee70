#include "flow/make_flow.h"

#include <gtest/gtest.h>

#include "flow/check_templates.h"
#include "flow/read_document.h"
#include "flow/schedule.h"
#include "flow/template_uses.h"
#include "flow/value_text.h"

namespace airlock::flow {
namespace {

std::string problems_of(const char* text) {
  const auto made = make_flow(Json::parse(text));
  std::string out;
  if (made) return out;
  for (const FlowProblem& problem : made.error())
    out += problem.node + ": " + problem.message + "\n";
  return out;
}

Flow flow_of(const char* text) {
  auto made = make_flow(Json::parse(text));
  EXPECT_TRUE(made) << problems_of(text);
  return made ? std::move(*made) : Flow();
}

// The order in which nodes run when each has this action.
std::string order(const Flow& flow, const std::string& action = "default") {
  Schedule schedule(flow);
  std::string out;
  while (const auto next = schedule.next()) {
    out += flow.nodes[*next].id;
    if (out.size() > 20) break;
    schedule.follow_action(*next, action);
  }
  return out;
}

TEST(MakeFlow, EveryMistakeIsToldAtOnce) {
  const std::string said = problems_of(
      R"({"nodes": [{"id": "a", "type": "cod"}, {"id": "a", "type": "code", "prams": {}}],
          "edges": [{"from": "a", "to": "z"}], "strat": "a"})");
  for (const char* words : {"Did you mean 'code'?", "Two nodes have the id 'a'", "'prams'",
                            "there is no node 'z'", "Did you mean 'start'?"})
    EXPECT_NE(said.find(words), std::string::npos) << words << "\n" << said;
}

// Every value of a document, replaced by everything that a document can hold.
void try_everywhere(const Json& whole, Json& place, std::size_t& tried) {
  static const Json kOdd = [] {
    Json odd = *read_json(
        R"([null, true, 0, -1, 1.5, 1e300, NaN, Infinity, -Infinity, 18446744073709551615,
            -9223372036854775808, 99999999999999999999, "", "x", "${a}", "${a[${b}]}", [], [NaN],
            {}, {"": [-Infinity]}, [99999999999999999999]])");
    odd.push_back(long_integer(std::string(400, '9')));
    return odd;
  }();
  if (place.is_structured()) {
    for (Json& inner : place) try_everywhere(whole, inner, tried);
  }
  const Json before = place;
  for (const Json& odd : kOdd) {
    place = odd;
    ++tried;
    if (const auto made = make_flow(whole)) {
      static_cast<void>(check_templates(*made, Json::object()));
    } else {
      EXPECT_FALSE(made.error().empty()) << json_text(whole);
    }
  }
  place = before;
}

TEST(MakeFlow, NothingThatADocumentHoldsIsTooMuch) {
  std::size_t tried = 0;
  for (const char* text :
       {R"({"nodes": [{"id": "a", "type": "code", "sandbox": true, "description": "d",
                       "params": {"inputs": {"x": "${b}"}, "code": "x", "timeout": 5, "requires": [],
                                  "strict_types": true, "max_retries": 2, "wait": 1}},
                      {"id": "b", "type": "probe", "params": {"repository": ".", "probes": ["p"],
                                                              "task": "t", "timeout": 1}}],
            "edges": [{"from": "a", "to": "b", "action": "default"}], "start": "a", "max_steps": 5,
            "name": "n", "description": "d"})",
        R"({"type": "extractor", "params": {"extractor": "x", "code": "c", "paths": ["a"],
                                            "timeout": 2}})"}) {
    Json document = *read_json(text);
    try_everywhere(document, document, tried);
  }
  EXPECT_GT(tried, 500U);
}

TEST(MakeFlow, WithoutEdgesNodesRunOneAfterTheOther) {
  const Flow flow = flow_of(
      R"({"nodes": [{"id": "a", "type": "code"}, {"id": "b", "type": "code"}, {"id": "c", "type": "code"}]})");
  EXPECT_EQ(order(flow), "abc");
  EXPECT_EQ(order(flow, "error"), "a");
}

TEST(MakeFlow, ANodeAloneIsAFlowOfOne) {
  const Flow flow = flow_of(R"({"type": "code", "strict_types": true, "params": {"code": "x"}})");
  EXPECT_TRUE(flow.is_single_node);
  EXPECT_EQ(flow.nodes[0].params["strict_types"], true);
}

TEST(Schedule, BranchesRunInOrderAndMeetOnce) {
  const Flow flow = flow_of(
      R"({"nodes": [{"id": "a", "type": "code"}, {"id": "b", "type": "code"}, {"id": "c", "type": "code"},
                    {"id": "d", "type": "code"}, {"id": "e", "type": "code"}],
          "edges": [{"from": "a", "to": "b"}, {"from": "a", "to": "c"}, {"from": "b", "to": "d"},
                    {"from": "d", "to": "e"}, {"from": "c", "to": "e"}]})");
  EXPECT_EQ(order(flow), "abdce");
}

TEST(Schedule, ACircleGoesOn) {
  const Flow flow = flow_of(
      R"({"nodes": [{"id": "a", "type": "code"}, {"id": "b", "type": "code"}],
          "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "a"}], "start": "b"})");
  EXPECT_EQ(order(flow).substr(0, 6), "bababa");
}

TEST(TemplateUses, AreFoundWhereverTheyStand) {
  const auto uses = template_uses(
      Json::parse(R"(["${a.result[0].x}", {"k": "x ${ b } $${c} ${d.stdout}"}, "${e", "${}", 5])"));
  ASSERT_EQ(uses.size(), 4U);
  EXPECT_EQ(uses[0].root, "a");
  EXPECT_EQ(uses[0].second, "result");
  EXPECT_EQ(uses[1].root, "b");
  EXPECT_EQ(uses[2].text, "${d.stdout}");
  EXPECT_EQ(uses[3].root, "");
}

TEST(CheckTemplates, ATemplateInATemplateIsRefusedWhereverItStands) {
  for (const char* node :
       {R"({"id": "a", "type": "code", "params": {"inputs": {"x": ["t ${a[${i}]}"]}}})",
        R"({"type": "code", "params": {"inputs": {"x": "${a[${i}]}"}}})",
        R"({"id": "a", "type": "extractor", "params": {"code": "x", "paths": ["${a[${i}]}"]}})",
        R"({"id": "a", "type": "probe", "params": {"repository": "${a[${i}]}"}})"}) {
    const std::string text = node;
    const bool is_alone = text.find("\"id\"") == std::string::npos;
    const Flow flow = flow_of((is_alone ? text : "{\"nodes\": [" + text + "]}").c_str());
    const auto problems = check_templates(flow, Json::parse(R"({"i": 1, "a": [1, 2]})"));
    ASSERT_EQ(problems.size(), 1U) << text;
    EXPECT_NE(problems[0].message.find("${a[${i}]} holds another"), std::string::npos);
  }
  EXPECT_FALSE(nested_template("${ and ${b}"));
  EXPECT_FALSE(nested_template("$${a[${b}]}"));
  EXPECT_FALSE(nested_template("${a}{${b}}"));
  EXPECT_EQ(nested_template("${a[${b[${c}]}]}"), "${b[${c}]}");
}

TEST(CheckTemplates, ALongCircleIsFoundOnce) {
  const Flow flow = flow_of(
      R"({"nodes": [{"id": "a", "type": "code", "params": {"inputs": {"x": "${c.result}"}}},
                    {"id": "b", "type": "code", "params": {"inputs": {"x": "${a.result}"}}},
                    {"id": "c", "type": "code", "params": {"inputs": {"x": "${b.result}"}}}],
          "edges": [{"from": "a", "to": "b"}, {"from": "b", "to": "c"}, {"from": "c", "to": "a"}]})");
  const auto problems = check_templates(flow, Json::object());
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_NE(problems[0].message.find("'a' uses 'c' uses 'b' uses 'a'"), std::string::npos)
      << problems[0].message;
  EXPECT_TRUE(check_templates(flow, Json::parse(R"({"c": {"result": 0}})")).empty());
}

}  // namespace
}  // namespace airlock::flow
