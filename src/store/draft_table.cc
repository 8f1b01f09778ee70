#include "store/draft_table.h"

#include <algorithm>

#include "base/ascii.h"
#include "base/nearest.h"
#include "base/utf8.h"
#include "os/random.h"
#include "store/sample_text.h"

namespace airlock::store {

namespace {

// The order of columns is that of read_draft() and bind_draft().
constexpr std::string_view kColumns =
    "id, kind, name, text, samples, hint, policy, created, author, model, prompt, attempts";
constexpr int kColumnCount = 12;
// Of randomness: eight hex digits, short enough to type.
constexpr std::size_t kDraftIdBytes = 4;
// Fewer letters are a slip of a finger, and would name a draft by chance.
constexpr std::size_t kShortestBeginning = 4;
constexpr std::size_t kLongestName = 256;  // bytes, of a name that is only suggested
constexpr std::size_t kLongestHint = 4096;
constexpr std::size_t kLongestAttempt = 500;

std::string hex(std::string_view bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const char one : bytes) {
    const auto byte = static_cast<unsigned char>(one);
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

Draft read_draft(const Statement& row) {
  return {.id = row.text(0),
          .kind = output_kind(row.text(1)).value_or(OutputKind::kPython),
          .name = row.text(2),
          .text = row.text(3),
          .samples = split_samples(row.text(4)),
          .hint = row.text(5),
          .policy = row.text(6),
          .created = row.number(7),
          .written = {.author = row.text(8),
                      .model = row.text(9),
                      .prompt = row.text(10),
                      .attempts = split_samples(row.text(11))}};
}

// A Draft as the values of kColumns: lists are joined once, and live as long as the statement.
struct DraftValues {
  const Draft& draft;
  std::string samples;
  std::string attempts;

  explicit DraftValues(const Draft& one)
      : draft(one),
        samples(join_samples(one.samples)),
        attempts(join_samples(one.written.attempts)) {}

  void bind_to(Statement& statement) const {
    statement.bind(1, draft.id).bind(2, to_string(draft.kind)).bind(3, draft.name);
    statement.bind(4, draft.text).bind(5, samples).bind(6, draft.hint);
    statement.bind(7, draft.policy).bind(8, draft.created);
    statement.bind(9, draft.written.author).bind(10, draft.written.model);
    statement.bind(11, draft.written.prompt).bind(12, attempts);
  }
};

// "?, ?, ?".
std::string places(int count) {
  std::string text = "?";
  for (int i = 1; i < count; ++i) text += ", ?";
  return text;
}

// What is kept of it: each part bounded, none with a byte that would split it.
void bound_authorship(Authorship& written) {
  const auto bound = [](std::string& text, std::size_t most) {
    std::erase(text, '\0');
    text = std::string(cut_utf8(text, most));
  };
  bound(written.author, kLongestName);
  bound(written.model, kLongestName);
  bound(written.prompt, kLongestPrompt);
  if (written.attempts.size() > kMostAttempts) written.attempts.resize(kMostAttempts);
  for (std::string& attempt : written.attempts) bound(attempt, kLongestAttempt);
}

// All that there are, the newest first, also those that have expired.
Result<std::vector<Draft>> read_all(Database& database) {
  auto statement = TRY(
      database.prepare("SELECT " + std::string(kColumns) + " FROM drafts ORDER BY number DESC"));
  std::vector<Draft> drafts;
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return drafts;
    drafts.push_back(read_draft(statement));
  }
}

std::string not_there(std::string_view id, const std::vector<Draft>& drafts) {
  std::vector<std::string_view> ids;
  for (const Draft& draft : drafts) ids.push_back(draft.id);
  const std::string_view near = nearest_word(id, ids);
  std::string message = "there is no draft '" + std::string(id) + "'";
  // Ids are random, but a person copies them by hand.
  if (!near.empty()) message += "; did you mean " + std::string(near) + "?";
  if (near.empty()) message += ".";
  return message + " A draft lives 24 h, and the " + std::to_string(kMostDrafts) +
         " newest are kept. All of them: airlock drafts";
}

// "0a1b2c3d (sales), 0a1b9e55": what a person tells them apart by.
std::string listed(const std::vector<const Draft*>& drafts) {
  std::string text;
  for (const Draft* draft : drafts) {
    text += (text.empty() ? "" : ", ") + draft->id;
    if (!draft->name.empty()) text += " (" + draft->name + ")";
  }
  return text;
}

// A whole id, or a beginning; each kind of failure has words of its own.
Result<Draft> choose(std::vector<Draft> drafts, std::string_view id, std::int64_t now) {
  const std::string beginning = lower(id);
  std::erase_if(drafts, [&](const Draft& one) {
    // One that was named in full is kept here, to say that it has expired.
    return has_expired(one.created, now) && one.id != beginning;
  });
  std::vector<const Draft*> found;
  for (const Draft& one : drafts) {
    if (!beginning.empty() && one.id.starts_with(beginning)) found.push_back(&one);
  }
  if (!beginning.empty() && beginning.size() < kShortestBeginning)
    return bad_request("there is no draft '" + std::string(id) +
                       "': an id is given with at least " + std::to_string(kShortestBeginning) +
                       " of its characters." +
                       (found.empty() ? "" : " With these begin: " + listed(found) + ".") +
                       " All of them: airlock drafts");
  if (found.empty()) return bad_request(not_there(id, drafts));
  if (found.size() > 1)
    return bad_request("more than one draft begins with '" + std::string(id) +
                       "'. Give more of its id; they are: " + listed(found));
  if (has_expired(found.front()->created, now))
    return bad_request(
        "the draft " + found.front()->id +
        " has expired: a draft lives 24 h. Make it again, or look for others: airlock "
        "drafts");
  return *found.front();
}

}  // namespace

bool has_expired(std::int64_t created, std::int64_t now) {
  // In whichever order: a tampered number must not overflow the difference.
  const auto [earlier, later] = std::minmax(created, now);
  return earlier <= later - kDraftLifeMs;
}

Result<std::string> Drafts::free_id() {
  while (true) {
    std::string id = hex(os::random_bytes(kDraftIdBytes));
    auto statement = TRY(database_->prepare("SELECT 1 FROM drafts WHERE id = ?"));
    const auto is_taken = TRY(statement.bind(1, id).step());
    if (!is_taken) return id;
  }
}

Result<void> Drafts::tidy(std::int64_t now) {
  // The same rule as has_expired(), in SQL.
  auto expired = TRY(database_->prepare("DELETE FROM drafts WHERE created <= ? OR created >= ?"));
  TRY(expired.bind(1, now - kDraftLifeMs).bind(2, now + kDraftLifeMs).run());
  auto surplus =
      TRY(database_->prepare("DELETE FROM drafts WHERE number NOT IN"
                             " (SELECT number FROM drafts ORDER BY number DESC LIMIT ?)"));
  return surplus.bind(1, static_cast<std::int64_t>(kMostDrafts)).run();
}

Result<Draft> Drafts::keep(Draft draft) {
  if (draft.text.size() > kLongestText)
    return bad_request("keep a draft: its text is longer than 1 MiB, which no extractor is");
  cut_samples(draft.samples);
  if (draft.name.size() > kLongestName) draft.name.clear();
  draft.hint.resize(std::min(draft.hint.size(), kLongestHint));
  bound_authorship(draft.written);
  draft.created = clock_->now();
  return database_->in_transaction([&]() -> Result<Draft> {
    auto id = TRY(free_id());
    draft.id = std::move(id);
    auto statement = TRY(database_->prepare("INSERT INTO drafts (" + std::string(kColumns) +
                                            ") VALUES (" + places(kColumnCount) + ")"));
    const DraftValues values(draft);
    values.bind_to(statement);
    TRY(statement.run());
    TRY(tidy(draft.created));
    return draft;
  });
}

Result<std::vector<Draft>> Drafts::list() {
  auto drafts = read_all(*database_);
  if (!drafts) return drafts;
  const std::int64_t now = clock_->now();
  std::erase_if(*drafts, [&](const Draft& one) { return has_expired(one.created, now); });
  if (drafts->size() > kMostDrafts) drafts->resize(kMostDrafts);
  return drafts;
}

Result<Draft> Drafts::find(std::string_view id) {
  auto drafts = TRY(read_all(*database_));
  return choose(std::move(drafts), id, clock_->now());
}

Result<Draft> Drafts::change(const Draft& before, std::string text) {
  if (text.size() > kLongestText)
    return bad_request("keep a draft: its text is longer than 1 MiB, which no extractor is");
  Draft after = before;
  after.text = std::move(text);
  after.created = clock_->now();
  after.written.attempts.emplace_back("A person changed the text by hand.");
  bound_authorship(after.written);
  return database_->in_transaction([&]() -> Result<Draft> {
    auto statement =
        TRY(database_->prepare("UPDATE drafts SET text = ?, created = ?, attempts = ?"
                               " WHERE id = ? AND text = ? RETURNING id"));
    const std::string attempts = join_samples(after.written.attempts);
    statement.bind(1, after.text).bind(2, after.created).bind(3, attempts);
    statement.bind(4, before.id).bind(5, before.text);
    const auto was_there = TRY(statement.step());
    if (!was_there)
      return bad_request("the draft " + before.id +
                         " is gone or was changed by somebody else meanwhile; nothing was kept");
    // A second step ends the statement: with RETURNING, the first one gives a row.
    TRY(statement.step());
    return after;
  });
}

Result<void> Drafts::remove(const std::vector<std::string>& ids) {
  return database_->in_transaction([&]() -> Result<void> {
    std::vector<std::string> whole;
    for (const std::string& id : ids) {
      auto found = TRY(find(id));
      whole.push_back(std::move(found.id));
    }
    for (const std::string& id : whole) {
      auto statement = TRY(database_->prepare("DELETE FROM drafts WHERE id = ?"));
      TRY(statement.bind(1, id).run());
    }
    return {};
  });
}

Result<RejectedDraft> Drafts::reject(const Draft& seen, const ReviewNote& review) {
  return database_->in_transaction([&]() -> Result<RejectedDraft> {
    auto found = TRY(database_->prepare("SELECT " + std::string(kColumns) +
                                        " FROM drafts WHERE id = ? AND text = ?"));
    const bool is_there = TRY(found.bind(1, seen.id).bind(2, seen.text).step());
    if (!is_there)
      return bad_request(
          "the draft " + seen.id +
          " is gone or was changed by somebody else meanwhile; nothing was rejected");
    RejectedDraft gone{.draft = read_draft(found), .rejected = clock_->now(), .review = review};
    gone.draft.written.prompt.clear();
    TRY(found.step());
    auto removal = TRY(database_->prepare("DELETE FROM drafts WHERE id = ?"));
    TRY(removal.bind(1, gone.draft.id).run());
    auto insertion = TRY(database_->prepare(
        "INSERT INTO rejected_drafts (" + std::string(kColumns) +
        ", rejected, rejected_by, note) VALUES (" + places(kColumnCount + 3) + ")"));
    const DraftValues values(gone.draft);
    values.bind_to(insertion);
    insertion.bind(kColumnCount + 1, gone.rejected).bind(kColumnCount + 2, gone.review.by);
    TRY(insertion.bind(kColumnCount + 3, gone.review.note).run());
    auto surplus = TRY(
        database_->prepare("DELETE FROM rejected_drafts WHERE number NOT IN"
                           " (SELECT number FROM rejected_drafts ORDER BY number DESC LIMIT ?)"));
    TRY(surplus.bind(1, static_cast<std::int64_t>(kMostRejected)).run());
    return gone;
  });
}

Result<std::vector<RejectedDraft>> Drafts::rejected() {
  auto statement = TRY(database_->prepare("SELECT " + std::string(kColumns) +
                                          ", rejected, rejected_by, note FROM rejected_drafts"
                                          " ORDER BY number DESC"));
  std::vector<RejectedDraft> list;
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return list;
    list.push_back({.draft = read_draft(statement),
                    .rejected = statement.number(kColumnCount),
                    .review = {.by = statement.text(kColumnCount + 1),
                               .note = statement.text(kColumnCount + 2)}});
  }
}

Result<std::size_t> Drafts::clear() {
  return database_->in_transaction([&]() -> Result<std::size_t> {
    const auto drafts = TRY(list());
    TRY(database_->run("DELETE FROM drafts"));
    return drafts.size();
  });
}

}  // namespace airlock::store
