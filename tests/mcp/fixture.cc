// The server of `airlock serve --http` with another offer: the tools, resources and prompts that
// the scenarios of the protocol's conformance suite ask for by name. Everything else of it (the
// address, the gate, the loop, /mcp, the service) is Airlock's.
//   mcp_fixture TOKEN_FILE     serves at a free port, which it says; ends with its standard input
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "base/json_writer.h"
#include "present/http/door.h"
#include "present/mcp/offer.h"

namespace {

using namespace airlock;
using mcp::Tool;
using mcp::ToolCall;
using mcp::ToolResult;

constexpr std::string_view kNoArguments = R"({"type":"object","additionalProperties":false})";
constexpr std::string_view kManyKeywords =
    R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},
"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},
"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false})";

// A pixel, and a sound without a sample.
constexpr std::string_view kPicture =
    R"({"type":"image","mimeType":"image/png","data":"iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="})";
constexpr std::string_view kSound =
    R"({"type":"audio","mimeType":"audio/wav","data":"UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="})";
constexpr std::string_view kEmbedded =
    R"({"type":"resource","resource":{"uri":"test://embedded-resource","mimeType":"text/plain","text":"This is an embedded resource content."}})";

std::string any_object() {
  return R"({"type":"object"})";
}

ToolResult words(std::string text) {
  return {.structured = "{}", .copy = std::move(text)};
}

Result<ToolResult> simple_text(ToolCall& /*call*/) {
  return words("This is a simple text response for testing.");
}

ToolResult with_content(std::string text, std::vector<std::string> content) {
  ToolResult result = words(std::move(text));
  result.other_content = std::move(content);
  return result;
}

Result<ToolResult> picture(ToolCall& /*call*/) {
  return with_content("A picture:", {std::string(kPicture)});
}

Result<ToolResult> sound(ToolCall& /*call*/) {
  return with_content("A sound:", {std::string(kSound)});
}

Result<ToolResult> embedded(ToolCall& /*call*/) {
  return with_content("A resource:", {std::string(kEmbedded)});
}

Result<ToolResult> mixed(ToolCall& /*call*/) {
  return with_content("Multiple content types test:",
                      {std::string(kPicture), std::string(kEmbedded)});
}

Result<ToolResult> error(ToolCall& /*call*/) {
  return bad_request("This tool intentionally returns an error for testing");
}

// Progress is told at most every 100 ms.
Result<ToolResult> progress(ToolCall& call) {
  for (const std::size_t done : {0UL, 50UL, 100UL}) {
    call.on_progress({done, 100});
    if (done < 100) std::this_thread::sleep_for(std::chrono::milliseconds(150));
  }
  return words("It is done.");
}

constexpr std::array kFixtureTools = {
    Tool{"test_simple_text",
         "Text",
         "Says a line.",
         kNoArguments,
         any_object,
         {},
         false,
         simple_text},
    Tool{"test_image_content",
         "Picture",
         "Shows a pixel.",
         kNoArguments,
         any_object,
         {},
         false,
         picture},
    Tool{"test_audio_content",
         "Sound",
         "Plays nothing.",
         kNoArguments,
         any_object,
         {},
         false,
         sound},
    Tool{"test_embedded_resource",
         "Resource",
         "Has a resource in its answer.",
         kNoArguments,
         any_object,
         {},
         false,
         embedded},
    Tool{"test_multiple_content_types",
         "Mixed",
         "Has several kinds of content.",
         kNoArguments,
         any_object,
         {},
         false,
         mixed},
    Tool{"test_error_handling",
         "Error",
         "Fails each time.",
         kNoArguments,
         any_object,
         {},
         false,
         error},
    Tool{"test_tool_with_progress",
         "Progress",
         "Tells how far it is.",
         kNoArguments,
         any_object,
         {},
         false,
         progress},
    // Two that could ask the client, or log, while they run; no tool of this server has a way to.
    Tool{"test_streaming_elicitation",
         "Ask",
         "Asks nothing.",
         kNoArguments,
         any_object,
         {},
         false,
         simple_text},
    Tool{"test_logging_tool",
         "Log",
         "Logs nothing.",
         kNoArguments,
         any_object,
         {},
         false,
         simple_text},
    Tool{"json_schema_2020_12_tool",
         "Schema",
         "Has a schema with many keywords.",
         kManyKeywords,
         any_object,
         {},
         false,
         simple_text},
};

std::string text_message(std::string_view text) {
  return R"({"role":"user","content":{"type":"text","text":)" + json_string(text) + "}}";
}

using Messages = std::expected<std::string, mcp::Fault>;

Messages simple_prompt(const JsonMembers& /*arguments*/, const serve::Resident& /*resident*/) {
  return "[" + text_message("This is a simple prompt for testing.") + "]";
}

Messages prompt_with_arguments(const JsonMembers& arguments, const serve::Resident& /*resident*/) {
  return "[" +
         text_message("Prompt with arguments: arg1='" + arguments.text("arg1").value_or("") +
                      "', arg2='" + arguments.text("arg2").value_or("") + "'") +
         "]";
}

Messages prompt_with_resource(const JsonMembers& arguments, const serve::Resident& /*resident*/) {
  return R"([{"role":"user","content":{"type":"resource","resource":{"uri":)" +
         json_string(arguments.text("resourceUri").value_or("")) +
         R"(,"mimeType":"text/plain","text":"Embedded resource content for testing."}}},)" +
         text_message("Please process the embedded resource above.") + "]";
}

Messages prompt_with_picture(const JsonMembers& /*arguments*/,
                             const serve::Resident& /*resident*/) {
  return R"([{"role":"user","content":)" + std::string(kPicture) + "}," +
         text_message("Please analyze the image above.") + "]";
}

constexpr std::array kTwoArguments = {mcp::PromptArgument{"arg1", "First test argument", true},
                                      mcp::PromptArgument{"arg2", "Second test argument", true}};
constexpr std::array kOneArgument = {
    mcp::PromptArgument{"resourceUri", "URI of the resource to embed", true}};
constexpr std::array kFixturePrompts = {
    mcp::Prompt{"test_simple_prompt", "Simple", "Says a line.", {}, simple_prompt},
    mcp::Prompt{"test_prompt_with_arguments", "Arguments", "Repeats its arguments.", kTwoArguments,
                prompt_with_arguments},
    mcp::Prompt{"test_prompt_with_embedded_resource", "Resource", "Has a resource in it.",
                kOneArgument, prompt_with_resource},
    mcp::Prompt{
        "test_prompt_with_image", "Picture", "Has a picture in it.", {}, prompt_with_picture},
};

Result<std::string> list_fixtures(const serve::Resident& /*resident*/) {
  return R"("resources":[{"uri":"test://static-text","name":"static-text","description":"A text.","mimeType":"text/plain"},
{"uri":"test://static-binary","name":"static-binary","description":"A pixel.","mimeType":"image/png"}])";
}

std::string fixture_templates() {
  return R"("resourceTemplates":[{"uriTemplate":"test://template/{id}/data","name":"template","description":"Repeats its id.","mimeType":"application/json"}])";
}

Result<std::optional<mcp::ReadResource>> read_fixture(std::string_view uri,
                                                      const serve::Resident& /*resident*/) {
  constexpr std::string_view kBefore = "test://template/";
  constexpr std::string_view kAfter = "/data";
  const auto found = [uri](std::string_view mime, std::string_view member, std::string_view value) {
    return mcp::ReadResource{"\"contents\":[{\"uri\":" + json_string(uri) + ",\"mimeType\":\"" +
                                 std::string(mime) + "\",\"" + std::string(member) +
                                 "\":" + json_string(value) + "}]",
                             mcp::kFixed};
  };
  if (uri == "test://static-text")
    return found("text/plain", "text", "This is the content of the static text resource.");
  if (uri == "test://static-binary") return found("image/png", "blob", "iVBORw0KGgo=");
  if (!uri.starts_with(kBefore) || !uri.ends_with(kAfter)) return std::nullopt;
  const std::string_view id =
      uri.substr(kBefore.size(), uri.size() - kBefore.size() - kAfter.size());
  return found("application/json", "text", "{\"id\":" + json_string(id) + "}");
}

Result<void> serve_fixtures(const std::string& token_file) {
  const auto resident = TRY(serve::Resident::make({.host_program = "",
                                                   .user_dirs = {},
                                                   .policies = {"extractor"},
                                                   .packages = {},
                                                   .workers = 2,
                                                   .idle_seconds = 600}));
  const auto door = TRY(http::HttpDoor::open(
      *resident, {.address = TRY(http::read_listen_address("0")),
                  .token_file = token_file,
                  .allowed_hosts = {},
                  .offer = {.tools = kFixtureTools,
                            .prompts = kFixturePrompts,
                            .resources = {list_fixtures, fixture_templates, read_fixture}}}));
  door->serve(STDIN_FILENO);
  return {};
}

}  // namespace

int main(int count, char** words) {
  if (count != 2) return 2;
  const auto served = serve_fixtures(words[1]);
  if (served) return 0;
  std::fprintf(stderr, "mcp_fixture: %s\n", served.error().message.c_str());
  return 2;
}
