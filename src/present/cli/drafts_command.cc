// airlock drafts list|show|edit|validate|reject|delete|add: what passed validation and waits to be
// approved by a person.
#include <chrono>

#include "engine/approve/drafts.h"
#include "present/cli/drafts_edit.h"
#include "present/cli/judging.h"
#include "present/cli/options.h"
#include "present/cli/program.h"
#include "present/report/drafts_output.h"

namespace airlock::cli {

namespace {

constexpr std::string_view kDraftsExample =
    "airlock drafts\n"
    "  airlock drafts add extractor.py --samples paths.txt --name sales_reports\n"
    "  airlock drafts show 1f00\n"
    "  airlock drafts reject 1f00 --by \"Ann Lee\" --note \"the year is wrong for Q4\"\n\n"
    "A draft lives 24 h, and the 10 newest are kept. Four characters of an id are enough.\n"
    "Exit codes: 0 fine, 1 refused by validation, 2 bad request, 3 no isolation on this host.";

struct DraftsArguments {
  Format format = Format::kText;
  std::string id;
  std::vector<std::string> ids;
  std::string file;
  std::string name;
  std::string policy = "extractor";
  SampleOptions samples;
  ReviewNote review;
  bool all = false;
  bool rejected = false;
};

// Milliseconds since 1970.
std::int64_t now() {
  using std::chrono::duration_cast;
  return duration_cast<std::chrono::milliseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

Result<int> list(Format format, const Environment& environment) {
  const auto drafts = TRY(list_drafts(environment.user_dirs));
  return report(format == Format::kJson ? drafts_as_json(drafts)
                                        : drafts_as_text(drafts, now(), environment.colour));
}

Result<int> list_with_reasons(Format format, const Environment& environment) {
  const auto rejected = TRY(list_rejected(environment.user_dirs));
  return report(format == Format::kJson ? rejected_as_json(rejected)
                                        : rejected_as_text(rejected, environment.colour));
}

Result<int> reject(const DraftsArguments& arguments, Format format,
                   const Environment& environment) {
  const auto draft = TRY(find_draft(environment.user_dirs, arguments.id));
  const auto gone = reject_draft(environment.user_dirs, draft, arguments.review);
  if (!gone) return std::unexpected(Error(gone.error()).and_line("Nothing was rejected."));
  return report(format == Format::kJson
                    ? rejected_as_json({&*gone, 1})
                    : "draft " + gone->draft.id +
                          " is rejected. All that were: airlock drafts --rejected\n");
}

Result<int> show(const DraftsArguments& arguments, Format format, const Environment& environment) {
  const auto draft = TRY(find_draft(environment.user_dirs, arguments.id));
  return report(format == Format::kJson ? draft_as_json(draft)
                                        : draft_as_text(draft, now(), environment.colour));
}

// With other samples, too: a draft can be tried on more paths without being changed.
Result<int> validate_again(const DraftsArguments& arguments, Format format,
                           const Environment& environment) {
  auto draft = TRY(find_draft(environment.user_dirs, arguments.id));
  if (arguments.samples.is_given()) {
    auto samples = TRY(read_samples(arguments.samples));
    draft.samples = std::move(samples);
  }
  const auto judged = TRY(judge(draft, format, environment));
  if (!write_judged(judged, "draft " + draft.id, format, environment)) return kBadRequest;
  return judged.valid ? kAccepted : kRefused;
}

Result<int> remove(const DraftsArguments& arguments, Format format,
                   const Environment& environment) {
  // Neither, or both.
  if (arguments.all == !arguments.ids.empty())
    return bad_request("Say which drafts: their ids, or --all.");
  std::size_t removed = arguments.ids.size();
  if (arguments.all) {
    const auto count = TRY(delete_all_drafts(environment.user_dirs));
    removed = count;
  } else if (const auto done = delete_drafts(environment.user_dirs, arguments.ids); !done) {
    return std::unexpected(Error(done.error()).and_line("Nothing was deleted."));
  }
  return report(format == Format::kJson ? "{\"deleted\": " + std::to_string(removed) + "}\n"
                                        : "deleted " + std::to_string(removed) +
                                              (removed == 1 ? " draft\n" : " drafts\n"));
}

// Only what passes becomes a draft, so the order is: name, samples, text, judgement, storing.
Result<int> add(const DraftsArguments& arguments, Format format, const Environment& environment) {
  if (!arguments.name.empty()) {
    if (const std::string trouble = name_trouble(arguments.name); !trouble.empty())
      return bad_request(trouble);
  }
  auto samples = TRY(read_samples(arguments.samples, arguments.file));
  auto draft = TRY(read_program(arguments.file, arguments.policy, std::move(samples)));
  const auto judged = TRY(judge(draft, format, environment, text_kind_of(arguments.file)));
  if (!judged.valid) {
    if (!write_judged(judged, arguments.file, format, environment)) return kBadRequest;
    return refused("No draft was made: only what passes validation becomes one.");
  }
  draft.text = judged.text;
  draft.name = arguments.name;
  draft.written.author = "file";
  const auto kept = TRY(keep_draft(environment.user_dirs, std::move(draft)));
  if (format == Format::kJson) return report(draft_as_json(kept));
  return report(judged_as_text(judged, arguments.file, environment.colour) + "draft " + kept.id +
                " is kept for 24 h. To approve it: airlock approve " + kept.id + " --name " +
                (kept.name.empty() ? "NAME" : kept.name) + "\n");
}

}  // namespace

Result<int> drafts_command(std::span<const std::string> words, const Environment& environment) {
  DraftsArguments arguments;
  CommandLine line("airlock drafts",
                   "List what waits for your word, show it, edit it, or add a file to it.",
                   kDraftsExample);
  CLI::App& options = line.options();
  options.require_subcommand(0, 1);
  declare_format(options, arguments.format);
  const auto add_command = [&](const char* name, const char* summary, const char* example) {
    CLI::App* command = options.add_subcommand(name, summary);
    declare_format(*command, arguments.format);
    command->footer("Example:\n  airlock drafts " + std::string(example));
    return command;
  };
  CLI::App* listing = add_command("list", "All drafts, the newest first", "list --format json");
  for (CLI::App* command : {&options, listing})
    command->add_flag("--rejected", arguments.rejected,
                      "Those that were rejected, with the reason");
  CLI::App* showing = add_command("show", "One with its text and samples", "show 1f00ab12");
  CLI::App* editing = add_command("edit", "Change one in $VISUAL or $EDITOR; it is validated again",
                                  "edit 1f00ab12");
  CLI::App* validating =
      add_command("validate", "Validate one again", "validate 1f00ab12 --samples more.txt");
  CLI::App* rejecting = add_command("reject", "Say no to one, with the reason",
                                    "reject 1f00ab12 --note \"the year is wrong for Q4\"");
  declare_review(*rejecting, arguments.review, "Who rejects it", "Why, for its author");
  for (CLI::App* command : {showing, editing, validating, rejecting})
    command->add_option("ID", arguments.id, "The draft; the beginning of its id is enough")
        ->required();
  declare_samples(*validating, arguments.samples);
  CLI::App* deleting = add_command("delete", "Forget drafts", "delete 1f00ab12");
  deleting->add_option("ID", arguments.ids, "The drafts");
  deleting->add_flag("--all", arguments.all, "All of them");
  CLI::App* adding = add_command("add", "Validate a file and keep it as a draft",
                                 "add extractor.py --samples paths.txt --name sales_reports");
  adding
      ->add_option("FILE", arguments.file, "A Python file, a model's raw answer, or a rule (.yaml)")
      ->required();
  declare_samples(*adding, arguments.samples);
  adding->add_option("--name", arguments.name, "The name to approve it under")->type_name("NAME");
  declare_policy(*adding, arguments.policy);
  if (const auto code = line.parse(words)) return *code;
  const Format format = arguments.format;
  if (showing->parsed()) return show(arguments, format, environment);
  if (editing->parsed()) return edit_draft(arguments.id, format, environment);
  if (validating->parsed()) return validate_again(arguments, format, environment);
  if (rejecting->parsed()) return reject(arguments, format, environment);
  if (deleting->parsed()) return remove(arguments, format, environment);
  if (adding->parsed()) return add(arguments, format, environment);
  if (arguments.rejected) return list_with_reasons(format, environment);
  return list(format, environment);
}

}  // namespace airlock::cli
