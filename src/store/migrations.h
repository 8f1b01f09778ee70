// The tables of airlock.db, as the steps that lead to them. Step n turns version n into version
// n + 1 (PRAGMA user_version); a step that was ever released is never changed.
// All steps that are missing run in one transaction (Database::migrate).
#pragma once

#include <array>

namespace airlock::store {

// Times are milliseconds since 1970. A run's repository is a name, never a place on a host.
// WITHOUT ROWID: the primary key is the order on the disk. ON DELETE CASCADE needs the pragma
// foreign_keys, which every connection of ours sets.
inline constexpr std::array kMigrations = {
    "CREATE TABLE cache ("
    " key TEXT PRIMARY KEY, blob TEXT NOT NULL, size INTEGER NOT NULL, created INTEGER NOT NULL,"
    " last_used INTEGER NOT NULL, probe TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX cache_by_blob ON cache (blob);"
    "CREATE INDEX cache_by_use ON cache (last_used, size);"
    "CREATE TABLE runs ("
    " id TEXT PRIMARY KEY, started INTEGER NOT NULL, finished INTEGER, repository TEXT NOT NULL,"
    " task TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE executions ("
    " id INTEGER PRIMARY KEY, run TEXT NOT NULL REFERENCES runs (id) ON DELETE CASCADE,"
    " probe TEXT NOT NULL, status TEXT NOT NULL, key TEXT, reason TEXT,"
    " duration_ms INTEGER NOT NULL, UNIQUE (run, probe));"
    "CREATE TABLE findings ("
    " id INTEGER PRIMARY KEY,"
    " execution INTEGER NOT NULL REFERENCES executions (id) ON DELETE CASCADE,"
    " fingerprint TEXT NOT NULL, pattern TEXT NOT NULL);"
    "CREATE INDEX findings_by_execution ON findings (execution);",
    // Runs of flows: what is needed to resume one.
    "CREATE TABLE flow_runs ("
    " run TEXT PRIMARY KEY REFERENCES runs (id) ON DELETE CASCADE, shared TEXT NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE TABLE flow_steps ("
    " run TEXT NOT NULL REFERENCES flow_runs (run) ON DELETE CASCADE, number INTEGER NOT NULL,"
    " node TEXT NOT NULL, node_hash TEXT NOT NULL, action TEXT NOT NULL,"
    " duration_us INTEGER NOT NULL, entry TEXT, why_not TEXT NOT NULL,"
    " PRIMARY KEY (run, number)) WITHOUT ROWID;",
    // Drafts, and what they became. Samples are paths, each with a NUL after it. A removed
    // extractor leaves its row in extractor_names, so that no number of a version ever means two
    // things.
    "CREATE TABLE drafts ("
    " number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, name TEXT NOT NULL,"
    " text TEXT NOT NULL, samples TEXT NOT NULL, hint TEXT NOT NULL, policy TEXT NOT NULL,"
    " created INTEGER NOT NULL);"
    "CREATE TABLE extractor_names ("
    " name TEXT PRIMARY KEY, last_version INTEGER NOT NULL,"
    " is_disabled INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;"
    "CREATE TABLE extractors ("
    " name TEXT NOT NULL REFERENCES extractor_names (name), version INTEGER NOT NULL,"
    " kind TEXT NOT NULL, text TEXT NOT NULL, samples TEXT NOT NULL, hint TEXT NOT NULL,"
    " policy TEXT NOT NULL, approved INTEGER NOT NULL, receipt TEXT NOT NULL,"
    " text_sha256 TEXT NOT NULL, policy_sha256 TEXT NOT NULL, interpreter TEXT NOT NULL,"
    " samples_sha256 TEXT NOT NULL, PRIMARY KEY (name, version)) WITHOUT ROWID;",
    // Questions to models: what was sent as hash and beginning, never whole.
    "CREATE TABLE model_calls ("
    " id TEXT PRIMARY KEY, started INTEGER NOT NULL, duration_ms INTEGER NOT NULL,"
    " provider TEXT NOT NULL, model TEXT NOT NULL, endpoint TEXT NOT NULL,"
    " sent_sha256 TEXT NOT NULL, sent_bytes INTEGER NOT NULL, sent_start TEXT NOT NULL,"
    " answer_sha256 TEXT NOT NULL, answer_bytes INTEGER NOT NULL, answer_start TEXT NOT NULL,"
    " prompt_tokens INTEGER NOT NULL, answer_tokens INTEGER NOT NULL,"
    " is_estimated INTEGER NOT NULL, outcome TEXT NOT NULL, message TEXT NOT NULL)"
    " WITHOUT ROWID;"
    "CREATE INDEX model_calls_by_start ON model_calls (started);",
    // What a retry added to the first prompt.
    "ALTER TABLE model_calls ADD COLUMN retry TEXT NOT NULL DEFAULT '';",
    // The hashes of what an extractor answered to its samples, each with a NUL after it.
    "ALTER TABLE extractors ADD COLUMN answers TEXT NOT NULL DEFAULT '';",
    // Bundles: whose are taken, and which extractors came with which. Keys are never deleted: one
    // that was revoked must be known for ever. `came_as` is name and version on the other side.
    "CREATE TABLE signing_keys ("
    " public_key TEXT PRIMARY KEY, name TEXT NOT NULL, why TEXT NOT NULL, is_own INTEGER NOT NULL,"
    " trusted INTEGER NOT NULL, revoked INTEGER, revoked_why TEXT NOT NULL) WITHOUT ROWID;"
    "ALTER TABLE extractors ADD COLUMN signed_by TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE extractors ADD COLUMN came_as TEXT NOT NULL DEFAULT '';",
    // Who wrote a draft, and who decided about it. Attempts are sentences, each with a NUL after
    // it. A draft that was rejected stays for its author to see.
    "ALTER TABLE drafts ADD COLUMN author TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE drafts ADD COLUMN model TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE drafts ADD COLUMN prompt TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE drafts ADD COLUMN attempts TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE extractors ADD COLUMN approved_by TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE extractors ADD COLUMN note TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE extractors ADD COLUMN author TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE extractors ADD COLUMN model TEXT NOT NULL DEFAULT '';"
    "ALTER TABLE extractors ADD COLUMN draft TEXT NOT NULL DEFAULT '';"
    "CREATE TABLE rejected_drafts ("
    " number INTEGER PRIMARY KEY, id TEXT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,"
    " text TEXT NOT NULL, samples TEXT NOT NULL, hint TEXT NOT NULL, policy TEXT NOT NULL,"
    " created INTEGER NOT NULL, author TEXT NOT NULL, model TEXT NOT NULL, prompt TEXT NOT NULL,"
    " attempts TEXT NOT NULL, rejected INTEGER NOT NULL, rejected_by TEXT NOT NULL,"
    " note TEXT NOT NULL);",
};

inline constexpr int kSchemaVersion = static_cast<int>(kMigrations.size());
// In the file's header, so that `file airlock.db` and we know whose it is: "ALck".
inline constexpr int kApplicationId = 0x414c636b;

}  // namespace airlock::store
