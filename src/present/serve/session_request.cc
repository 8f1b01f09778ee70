#include "present/serve/session_request.h"

#include <cmath>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "admit/json_members.h"
#include "engine/session/packages.h"
#include "engine/session/session_files.h"

namespace airlock::serve {

namespace {

constexpr std::size_t kMostFunctions = 1000;

std::uint32_t whole(double number) {
  return static_cast<std::uint32_t>(std::lround(number));
}

// Each {"name", "doc"?, "signature"?, "async"?}.
Result<std::vector<HostFunction>> functions_of(const Request& request) {
  std::vector<HostFunction> functions;
  if (!request.members.has("functions") || request.members.is_null("functions")) return functions;
  const auto items = request.members.items("functions");
  if (!items || items->size() > kMostFunctions)
    return bad_request("'functions' is to be a list of at most 1000 objects with a 'name'");
  for (const std::string_view item : *items) {
    const auto one = JsonMembers::read(item, kRequestDepth);
    if (!one || !one->text("name"))
      return bad_request("'functions' is to be a list of objects with a 'name'");
    functions.push_back(
        {.name = *one->text("name"),
         .doc = one->text("doc").value_or(""),
         .signature = std::string(one->is_null("signature") ? "" : one->raw("signature")),
         .is_async = one->flag("async").value_or(false)});
  }
  return functions;
}

// {"name in /data": "path"}
Result<std::vector<SessionFile>> files_of(const Request& request,
                                          std::span<const std::string> roots,
                                          FilesMayBeNamed may_be_named) {
  constexpr std::size_t kMost = 64;
  std::vector<SessionFile> files;
  if (!request.members.has("files") || request.members.is_null("files")) return files;
  if (roots.empty() && may_be_named == FilesMayBeNamed::kBelowRoots)
    return bad_request(
        "this server was started without --allow-root DIR: no 'files' can be named here");
  const auto named = JsonMembers::read(request.members.raw("files"), kRequestDepth);
  if (!named || named->names().size() > kMost)
    return bad_request("'files' is to be an object of at most 64 names and paths");
  for (const std::string_view name : named->names()) {
    const auto path = named->text(name);
    if (!path) return bad_request("'files' is to be an object of names and paths");
    files.push_back(TRY(roots.empty() ? find_session_file(std::string(name), *path)
                                      : find_session_file_below(roots, std::string(name), *path)));
  }
  return files;
}

Result<PieceLimits> limits_of(const Request& request, bool& has_own_deadline) {
  constexpr double kDay = 86'400;
  PieceLimits limits;
  if (const auto seconds = TRY(maybe_number(request, "timeout", 0.001, kDay)))
    limits.timeout_ms = whole(*seconds * 1000);
  if (const auto seconds = TRY(maybe_number(request, "deadline", 0.001, kDay)))
    limits.deadline_ms = whole(*seconds * 1000);
  has_own_deadline = request.members.has("deadline") && !request.members.is_null("deadline");
  if (const auto megabytes = TRY(maybe_number(request, "memory_mb", 1, 4000)))
    limits.memory_bytes = whole(*megabytes * 1e6);
  if (const auto bytes = TRY(maybe_number(request, "output_bytes", 0, 32 * 1024 * 1024)))
    limits.output_bytes = whole(*bytes);
  if (const auto calls = TRY(maybe_number(request, "max_calls", 0, 1e6)))
    limits.calls = whole(*calls);
  return limits;
}

}  // namespace

Result<SessionOptions> read_session_options(const Request& request, const Resident& resident,
                                            FilesMayBeNamed files) {
  SessionOptions options;
  const auto policy = TRY(maybe_text(request, "policy"));
  options.policy = TRY(
      session_policy(*TRY(resident.policy(policy.value_or("node"))), resident.options().packages));
  options.limits = TRY(limits_of(request, options.has_own_deadline));
  options.functions = TRY(functions_of(request));
  options.files = TRY(files_of(request, resident.options().file_roots, files));
  options.is_strict = TRY(flag_or(request, "strict", false));
  return options;
}

Result<AskedPiece> read_piece(const Request& request) {
  AskedPiece piece{.code = TRY(need_text(request, "code"))};
  if (request.members.has("inputs") && !request.members.is_null("inputs"))
    piece.inputs = request.members.raw("inputs");
  if (const auto seconds = TRY(maybe_number(request, "timeout", 0.001, 86'400)))
    piece.timeout_ms = whole(*seconds * 1000);
  return piece;
}

}  // namespace airlock::serve
