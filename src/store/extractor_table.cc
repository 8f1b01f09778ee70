#include "store/extractor_table.h"

#include "store/draft_table.h"
#include "store/sample_text.h"

namespace airlock::store {

namespace {

// The order of columns is that of read_extractor().
constexpr std::string_view kSelect =
    "SELECT e.name, e.version, e.kind, e.text, e.samples, e.hint, e.policy, e.approved,"
    " e.receipt, e.text_sha256, e.policy_sha256, e.interpreter, e.samples_sha256, n.is_disabled,"
    " e.answers, e.signed_by, e.came_as, e.approved_by, e.note, e.author, e.model, e.draft,"
    " EXISTS (SELECT 1 FROM signing_keys k WHERE k.public_key = e.signed_by AND k.revoked IS NOT"
    " NULL)"
    " FROM extractors e JOIN extractor_names n ON n.name = e.name ";

ApprovedExtractor read_extractor(const Statement& row) {
  return {.name = row.text(0),
          .version = row.number(1),
          .kind = output_kind(row.text(2)).value_or(OutputKind::kPython),
          .text = row.text(3),
          .samples = split_samples(row.text(4)),
          .hint = row.text(5),
          .policy = row.text(6),
          .approved = row.number(7),
          .is_disabled = row.number(13) != 0,
          .answers = split_samples(row.text(14)),
          .receipt = {.sha256 = row.text(8),
                      .text_sha256 = row.text(9),
                      .policy_sha256 = row.text(10),
                      .interpreter = row.text(11),
                      .samples_sha256 = row.text(12)},
          .signed_by = row.text(15),
          .came_as = row.text(16),
          .is_signer_revoked = row.number(22) != 0,
          .review = {.by = row.text(17), .note = row.text(18)},
          .author = row.text(19),
          .model = row.text(20),
          .draft = row.text(21)};
}

Result<std::vector<ApprovedExtractor>> read_rows(Statement& statement) {
  std::vector<ApprovedExtractor> extractors;
  while (true) {
    const auto more = TRY(statement.step());
    if (!more) return extractors;
    extractors.push_back(read_extractor(statement));
  }
}

}  // namespace

// A version that came meanwhile would be replaced by one that nobody has compared with it.
Result<void> Extractors::require_newest(std::string_view name, std::int64_t version) {
  auto statement = TRY(database_->prepare("SELECT max(version) FROM extractors WHERE name = ?"));
  TRY(statement.bind(1, name).step());
  if (statement.number(0) == version) return {};
  return bad_request("another version of '" + std::string(name) +
                     "' was approved or removed by somebody else meanwhile; nothing was approved. "
                     "Look at it again");
}

Result<std::int64_t> Extractors::next_version(std::string_view name) {
  auto statement = TRY(database_->prepare(
      "INSERT INTO extractor_names (name, last_version) VALUES (?, 1)"
      " ON CONFLICT (name) DO UPDATE SET last_version = last_version + 1 RETURNING last_version"));
  TRY(statement.bind(1, name).step());
  const std::int64_t version = statement.number(0);
  // RETURNING gives a row first; this step finishes the statement.
  TRY(statement.step());
  // Somebody has written a number into the file that overflows or is negative.
  if (version < 1)
    return bad_request("the versions of '" + std::string(name) + "' cannot be counted");
  return version;
}

// The draft goes in the same transaction in which the extractor comes. By id and text: what was
// approved is what the person saw.
Result<void> Extractors::use_up(const Draft& draft) {
  auto statement =
      TRY(database_->prepare("DELETE FROM drafts WHERE id = ? AND text = ? RETURNING created"));
  const auto was_there = TRY(statement.bind(1, draft.id).bind(2, draft.text).step());
  if (!was_there)
    return bad_request("the draft " + draft.id +
                       " is gone or was changed by somebody else meanwhile; nothing was approved");
  const bool is_late = has_expired(statement.number(0), clock_->now());
  TRY(statement.step());
  if (is_late)
    return bad_request("the draft " + draft.id + " has expired meanwhile; nothing was approved");
  return {};
}

Result<void> Extractors::insert(const ApprovedExtractor& extractor) {
  auto statement = TRY(database_->prepare(
      "INSERT INTO extractors (name, version, kind, text, samples, hint, policy, approved, receipt,"
      " text_sha256, policy_sha256, interpreter, samples_sha256, answers,"
      " signed_by, came_as, approved_by, note, author, model, draft)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
  const std::string samples = join_samples(extractor.samples);
  const std::string answers = join_samples(extractor.answers);
  const Receipt& receipt = extractor.receipt;
  statement.bind(1, extractor.name).bind(2, extractor.version);
  statement.bind(3, to_string(extractor.kind)).bind(4, extractor.text).bind(5, samples);
  statement.bind(6, extractor.hint).bind(7, extractor.policy).bind(8, extractor.approved);
  statement.bind(9, receipt.sha256).bind(10, receipt.text_sha256);
  statement.bind(11, receipt.policy_sha256).bind(12, receipt.interpreter);
  statement.bind(13, receipt.samples_sha256).bind(14, answers);
  statement.bind(15, extractor.signed_by).bind(16, extractor.came_as);
  statement.bind(17, extractor.review.by).bind(18, extractor.review.note);
  statement.bind(19, extractor.author).bind(20, extractor.model);
  return statement.bind(21, extractor.draft).run();
}

// In the same transaction: a key that was revoked while a person was reading the question brings in
// nothing.
Result<void> Extractors::require_trusted(std::string_view public_key) {
  auto statement = TRY(
      database_->prepare("SELECT 1 FROM signing_keys WHERE public_key = ? AND revoked IS NULL"));
  const bool is_trusted = TRY(statement.bind(1, public_key).step());
  if (!is_trusted)
    return refused("the key of the bundle is not trusted any more; nothing was imported");
  return {};
}

Result<ApprovedExtractor> Extractors::add(ApprovedExtractor extractor, const Draft* draft,
                                          const Seal& seal, std::optional<std::int64_t> newest) {
  return database_->in_transaction([&]() -> Result<ApprovedExtractor> {
    if (draft != nullptr) TRY(use_up(*draft));
    if (!extractor.signed_by.empty()) TRY(require_trusted(extractor.signed_by));
    if (newest) TRY(require_newest(extractor.name, *newest));
    const auto version = TRY(next_version(extractor.name));
    extractor.version = version;
    extractor.approved = clock_->now();
    if (seal) extractor.receipt = seal(extractor);
    TRY(insert(extractor));
    // As it stands now: whether the name is disabled was not for the caller to know.
    auto kept = TRY(find(extractor.name, extractor.version));
    if (!kept) return bad_request("what was kept cannot be read back");
    return *std::move(kept);
  });
}

Result<std::vector<ApprovedExtractor>> Extractors::list() {
  auto statement = TRY(database_->prepare(
      std::string(kSelect) +
      "WHERE e.version = (SELECT max(version) FROM extractors WHERE name = e.name)"
      " ORDER BY e.name"));
  return read_rows(statement);
}

Result<std::vector<ApprovedExtractor>> Extractors::history(std::string_view name) {
  auto statement =
      TRY(database_->prepare(std::string(kSelect) + "WHERE e.name = ? ORDER BY e.version DESC"));
  statement.bind(1, name);
  return read_rows(statement);
}

Result<std::optional<ApprovedExtractor>> Extractors::find(std::string_view name,
                                                          std::optional<std::int64_t> version) {
  auto statement = TRY(database_->prepare(
      std::string(kSelect) +
      "WHERE e.name = ?1 AND (?2 IS NULL OR e.version = ?2) ORDER BY e.version DESC LIMIT 1"));
  statement.bind(1, name);
  version ? statement.bind(2, *version) : statement.bind_null(2);
  auto rows = TRY(read_rows(statement));
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

Result<std::optional<ApprovedExtractor>> Extractors::find_by_draft(std::string_view id) {
  auto statement =
      TRY(database_->prepare(std::string(kSelect) + "WHERE e.draft = ? ORDER BY e.approved DESC"
                                                    " LIMIT 1"));
  statement.bind(1, id);
  auto rows = TRY(read_rows(statement));
  if (rows.empty()) return std::nullopt;
  return std::move(rows.front());
}

Result<std::size_t> Extractors::count(std::string_view name, std::optional<std::int64_t> version) {
  auto statement = TRY(database_->prepare(
      "SELECT count(*) FROM extractors WHERE name = ?1 AND (?2 IS NULL OR version = ?2)"));
  statement.bind(1, name);
  version ? statement.bind(2, *version) : statement.bind_null(2);
  TRY(statement.step());
  return static_cast<std::size_t>(statement.number(0));
}

Result<std::size_t> Extractors::set_disabled(std::string_view name, bool is_disabled) {
  return database_->in_transaction([&]() -> Result<std::size_t> {
    auto statement =
        TRY(database_->prepare("UPDATE extractor_names SET is_disabled = ? WHERE name = ?"));
    TRY(statement.bind(1, std::int64_t{is_disabled ? 1 : 0}).bind(2, name).run());
    return count(name, std::nullopt);
  });
}

Result<std::size_t> Extractors::remove(std::string_view name, std::optional<std::int64_t> version) {
  return database_->in_transaction([&]() -> Result<std::size_t> {
    const auto removed = count(name, version);
    if (!removed) return removed;
    auto statement = TRY(database_->prepare(
        "DELETE FROM extractors WHERE name = ?1 AND (?2 IS NULL OR version = ?2)"));
    statement.bind(1, name);
    version ? statement.bind(2, *version) : statement.bind_null(2);
    TRY(statement.run());
    // A name without versions is a name that anybody may take again.
    auto left =
        TRY(database_->prepare("UPDATE extractor_names SET is_disabled = 0 WHERE name = ?1"
                               " AND NOT EXISTS (SELECT 1 FROM extractors WHERE name = ?1)"));
    TRY(left.bind(1, name).run());
    return removed;
  });
}

}  // namespace airlock::store
