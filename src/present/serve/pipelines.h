// The commands as requests: bodies in, the commands' own JSON out. Everything but sessions.
//
// A request names no file of the server's: sources, documents and paths come along, policies are
// those that the server was started with, and an extractor is a source or the name of one that was
// approved here. What was judged and refused is a result; an Error is a request that cannot be
// understood, or our own trouble.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>

#include "base/result.h"
#include "engine/bulk/extract.h"
#include "engine/bulk/kept_extractors.h"
#include "present/serve/request.h"
#include "present/serve/resident.h"

namespace airlock::serve {

// How far a pipeline has come, in paths; said now and then, on the thread that performs it.
struct PipelineProgress {
  std::size_t done = 0;
  std::size_t total = 0;
};
using ProgressListener = std::function<void(const PipelineProgress&)>;

// What came of a request. Any document can be admitted, also one that looks like a refusal: so
// which of both it is stands beside it.
struct Answered {
  Answered() = default;
  Answered(std::string text) : json(std::move(text)) {}  // NOLINT(google-explicit-constructor)
  std::string json = {};                                 // on one line
  std::optional<bool> is_admitted = {};                  // of `admit`
};

// check, validate, admit, infer, extract, schema; drafts, extractors, runs. What is kept between
// batches is kept for `client`. `stop` ends it, with an Error. `on_progress` may be empty.
Result<Answered> perform_pipeline(const Request& request, Resident& resident,
                                  KeptExtractors::ClientId client, const std::stop_token& stop,
                                  const ProgressListener& on_progress = {});

// `extract` with its rows handed over as they come, as lines. Whoever asks holds a slot
// (work_slots.h). Code that is refused runs nothing: what `check` says of it as JSON. Nothing: all
// rows were written.
Result<std::optional<std::string>> extract_rows(const Request& request, Resident& resident,
                                                KeptExtractors::ClientId client,
                                                const std::stop_token& stop, RowSink& rows);

// How the answer to an `extract` begins whose code was refused: what `check` says of it follows.
inline constexpr std::string_view kRefusedRows = "{\"rows\":[],\"refused\":";

}  // namespace airlock::serve
