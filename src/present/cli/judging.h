// What the commands share that judge a program or a rule before it is kept (approve, drafts):
// reading it, reading its samples, judging it with a live display, and telling what came out. The
// judging itself is engine/approve/judge_draft.h; here are arguments and words.
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "engine/approve/judge_draft.h"
#include "model/draft.h"
#include "present/cli/options.h"
#include "present/cli/program.h"

namespace airlock::cli {

struct SampleOptions {
  std::vector<std::string> files = {};
  std::vector<std::string> paths = {};

  bool is_given() const { return !files.empty() || !paths.empty(); }
};
void declare_samples(CLI::App& options, SampleOptions& to);

// --by and --note: a person's word.
void declare_review(CLI::App& options, ReviewNote& to, const std::string& by_words,
                    const std::string& note_words);

// As many as may be kept, with a word about those that are left out; none at all is a bad request.
// `program`: the file that is read too; standard input can be only one of both.
Result<std::vector<std::string>> read_samples(const SampleOptions& given,
                                              std::string_view program = {});

// What is in a file, as a draft that is not kept yet. `policy`: a name, or a file, which is kept as
// its full name.
Result<Draft> read_program(const std::string& file, const std::string& policy,
                           std::vector<std::string> samples);

// Both ends of a question: it is asked on stderr and answered on stdin.
bool is_person_there();

// Live on a terminal when the format is text.
Result<JudgedDraft> judge(const Draft& draft, Format format, const Environment& environment,
                          TextKind text_kind = TextKind::kAnswer);

std::string judged_as_text(const JudgedDraft& judged, const std::string& shown, Colour colour);
std::string judged_as_json(const JudgedDraft& judged);
// To stdout, as the format asks.
bool write_judged(const JudgedDraft& judged, const std::string& shown, Format format,
                  const Environment& environment);

}  // namespace airlock::cli
