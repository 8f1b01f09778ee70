#include "engine/approve/drafts.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "base/printable.h"
#include "base/utf8.h"
#include "engine/approve/extractors.h"
#include "engine/approve/judge_draft.h"
#include "engine/approve/reapprove.h"
#include "engine/approve/receipt.h"
#include "engine/policy/policy_file.h"
#include "engine/records/with_store.h"
#include "store/draft_table.h"
#include "store/extractor_table.h"

namespace airlock {

namespace {

constexpr std::size_t kLongestName = 64;  // bytes
constexpr std::size_t kLongestPerson = 100;
constexpr std::size_t kLongestNote = 4000;

bool is_name_letter(char letter) {
  return is_alnum(letter) || letter == '_' || letter == '-' || letter == '.';
}

// Endings that make a word look like a file on the command line; see means_file() in extractors.h.
std::string_view file_suffix(std::string_view name) {
  constexpr std::array<std::string_view, 9> kSuffixes = {
      ".py", ".yaml", ".yml", ".toml", ".json", ".txt", ".md", ".csv", ".airlock"};
  const std::string in_lower = lower(name);
  for (const std::string_view suffix : kSuffixes)
    if (in_lower.ends_with(suffix)) return suffix;
  return {};
}

// One line of characters that show themselves.
bool is_plain_line(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    if (point.bytes == 0 || !shows_itself(point.value)) return false;
    at += point.bytes;
  }
  return true;
}

}  // namespace

Result<Draft> keep_draft(const UserDirs& user_dirs, Draft draft) {
  if (draft.kind == OutputKind::kPython && draft.policy.empty()) draft.policy = "extractor";
  return with_own_store<Draft>(user_dirs, [&](store::Database& database) {
    return store::Drafts(database, store::Clock()).keep(std::move(draft));
  });
}

Result<std::vector<Draft>> list_drafts(const UserDirs& user_dirs) {
  return with_store<std::vector<Draft>>(
      user_dirs, std::vector<Draft>{},
      [](store::Database& database) { return store::Drafts(database, store::Clock()).list(); });
}

Result<Draft> find_draft(const UserDirs& user_dirs, std::string_view id) {
  return with_store<Draft>(
      user_dirs, bad_request("there is no draft '" + std::string(id) + "': none was kept yet"),
      [&](store::Database& database) { return store::Drafts(database, store::Clock()).find(id); });
}

Result<Draft> change_draft(const UserDirs& user_dirs, const Draft& before, std::string text) {
  return with_own_store<Draft>(user_dirs, [&](store::Database& database) {
    return store::Drafts(database, store::Clock()).change(before, std::move(text));
  });
}

Result<void> delete_drafts(const UserDirs& user_dirs, const std::vector<std::string>& ids) {
  return with_store<void>(user_dirs,
                          bad_request("there is no draft '" + (ids.empty() ? "" : ids.front()) +
                                      "': none was kept yet"),
                          [&](store::Database& database) {
                            return store::Drafts(database, store::Clock()).remove(ids);
                          });
}

Result<std::size_t> delete_all_drafts(const UserDirs& user_dirs) {
  return with_store<std::size_t>(user_dirs, std::size_t{0}, [](store::Database& database) {
    return store::Drafts(database, store::Clock()).clear();
  });
}

Result<RejectedDraft> reject_draft(const UserDirs& user_dirs, const Draft& seen,
                                   const ReviewNote& review) {
  if (std::string trouble = review_trouble(review); !trouble.empty())
    return bad_request(std::move(trouble));
  if (is_blank(review.note))
    return bad_request("A reason is missing: its author wants to know why.");
  return with_own_store<RejectedDraft>(user_dirs, [&](store::Database& database) {
    return store::Drafts(database, store::Clock()).reject(seen, review);
  });
}

Result<std::vector<RejectedDraft>> list_rejected(const UserDirs& user_dirs) {
  return with_store<std::vector<RejectedDraft>>(
      user_dirs, std::vector<RejectedDraft>{},
      [](store::Database& database) { return store::Drafts(database, store::Clock()).rejected(); });
}

Result<DraftFate> fate_of_draft(const UserDirs& user_dirs, std::string_view id) {
  return with_store<DraftFate>(
      user_dirs, DraftFate{}, [&](store::Database& database) -> Result<DraftFate> {
        DraftFate fate;
        fate.approved = TRY(store::Extractors(database, store::Clock()).find_by_draft(id));
        if (fate.approved) return fate;
        for (RejectedDraft& one : TRY(store::Drafts(database, store::Clock()).rejected()))
          if (one.draft.id == id) fate.rejected = std::move(one);
        return fate;
      });
}

std::string name_trouble(std::string_view name) {
  if (name.empty())
    return "A name is missing: letters, digits, _, - and . , such as sales_reports.";
  if (name.size() > kLongestName)
    return "The name is too long: at most " + std::to_string(kLongestName) + " characters.";
  if (!is_letter(name.front()))
    return "A name begins with a letter from a to z, such as sales_reports.";
  if (!std::ranges::all_of(name, is_name_letter))
    return "A name has only letters from a to z, digits, _, - and . , such as sales_reports.";
  if (name.ends_with('.')) return "A name does not end with a full stop.";
  if (const std::string_view suffix = file_suffix(name); !suffix.empty())
    return "A name that ends in " + std::string(suffix) +
           " would be taken for a file; leave the ending off.";
  return {};
}

bool is_blank(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(text, at);
    if (point.bytes == 0 || (point.value != ' ' && shows_itself(point.value))) return false;
    at += point.bytes;
  }
  return true;
}

std::string review_trouble(const ReviewNote& review) {
  if (review.by.size() > kLongestPerson)
    return "The name of a person is too long: at most " + std::to_string(kLongestPerson) +
           " bytes.";
  if (!review.by.empty() && is_blank(review.by))
    return "The name of a person is blank: say who it is.";
  if (!is_plain_line(review.by))
    return "The name of a person is one line of letters that can be seen.";
  if (review.note.size() > kLongestNote)
    return "The note is too long: at most " + std::to_string(kLongestNote) + " bytes.";
  if (review.note.contains('\0') || find_invalid_utf8(review.note))
    return "The note is not a text: it has a NUL, or bytes that are not UTF-8.";
  return {};
}

namespace {

// Everything has been judged. `newest`: the version that must still be the newest of the name, 0
// for none; nothing: whichever is.
Result<ApprovedExtractor> keep_approved(const UserDirs& user_dirs, const Draft& valid,
                                        std::span<const SampleResult> results,
                                        const Approval& approval, const Draft* draft,
                                        const Conditions& conditions,
                                        std::optional<std::int64_t> newest) {
  ApprovedExtractor extractor{
      .name = approval.name,
      .kind = valid.kind,
      .text = valid.text,
      .samples = valid.samples,
      .hint = valid.hint,
      .policy = valid.kind == OutputKind::kPython ? valid.policy : std::string(),
      .answers = answer_hashes(results),
      .receipt = {},
      .review = approval.review,
      .author = valid.written.author,
      .model = valid.written.model,
      .draft = draft == nullptr ? std::string() : draft->id};
  cut_samples(extractor.samples);
  // What was not answered one by one cannot be held against anything later.
  if (extractor.answers.size() < extractor.samples.size()) extractor.answers.clear();
  extractor.answers.resize(std::min(extractor.answers.size(), extractor.samples.size()));
  // The store gives the version and calls `seal` in the same transaction, so the receipt covers it.
  const auto seal = [&](const ApprovedExtractor& one) { return make_receipt(one, conditions); };
  return with_own_store<ApprovedExtractor>(user_dirs, [&](store::Database& database) {
    return store::Extractors(database, store::Clock())
        .add(std::move(extractor), draft, seal, newest);
  });
}

std::string trouble_of(const Approval& approval) {
  std::string trouble = name_trouble(approval.name);
  return trouble.empty() ? review_trouble(approval.review) : trouble;
}

}  // namespace

Result<ApprovedExtractor> approve_judged(const UserDirs& user_dirs, const Draft& valid,
                                         std::span<const SampleResult> results,
                                         const Approval& approval, const Draft* draft,
                                         const std::string& host_program) {
  if (std::string trouble = trouble_of(approval); !trouble.empty())
    return bad_request(std::move(trouble));
  const auto conditions = TRY(present_conditions(valid.kind, valid.policy, host_program));
  return keep_approved(user_dirs, valid, results, approval, draft, conditions, std::nullopt);
}

Result<ApprovedExtractor> approve_draft(const UserDirs& user_dirs, const ApproveRequest& request) {
  if (std::string trouble = trouble_of(request.approval); !trouble.empty())
    return bad_request(std::move(trouble));
  const auto draft = TRY(find_draft(user_dirs, request.draft));
  // Read once: what is compared with what was seen is what it is judged and sealed under.
  std::optional<Policy> policy;
  if (draft.kind == OutputKind::kPython) policy = TRY(load_extractor_policy(draft.policy));
  const Policy* loaded = policy ? &*policy : nullptr;
  std::optional<std::int64_t> newest;
  if (request.seen) {
    const auto before = TRY(look_up_extractor(user_dirs, request.approval.name));
    const std::string changes =
        unseen_changes(*request.seen, seen_draft(draft, loaded, before ? &*before : nullptr));
    if (!changes.empty())
      return bad_request("the draft " + draft.id + " is not what you saw: " + changes +
                         ". Nothing was approved; look at it again");
    newest = before ? before->version : 0;
  }
  // Approving means that it was seen to work, so there must be something to see it on.
  if (draft.samples.empty())
    return bad_request("the draft " + draft.id + " has no sample paths to be tried on");
  auto judged = TRY(judge_draft({.kind = draft.kind,
                                 .text = draft.text,
                                 .samples = draft.samples,
                                 .policy = draft.policy,
                                 .loaded_policy = loaded,
                                 .host_program = request.host_program,
                                 .supply = request.supply,
                                 .stop = request.stop}));
  if (!judged.valid)
    return bad_request("the draft " + draft.id +
                       " is not valid any more, and was not approved: " + why_invalid(judged));
  if (request.stop.stop_requested()) return fail("approve the draft: it was stopped");
  Draft valid = draft;
  // What was judged is what is kept: for Python the cleaned code, not the answer around it.
  valid.text = std::move(judged.text);
  const auto conditions =
      TRY(loaded == nullptr ? present_conditions(draft.kind, draft.policy, request.host_program)
                            : present_conditions(*loaded, request.host_program));
  return keep_approved(user_dirs, valid, judged.validation.results, request.approval, &draft,
                       conditions, newest);
}

}  // namespace airlock
