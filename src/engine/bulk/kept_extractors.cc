#include "engine/bulk/kept_extractors.h"

#include <algorithm>
#include <utility>

#include "engine/paths/load_rules.h"

namespace airlock {

namespace {

constexpr std::size_t kMostTexts = 32;
// Each is a process, with five descriptors here and some megabytes of its own.
constexpr std::size_t kMostIdleCells = 16;
constexpr std::size_t kMostRuleTexts = 8;
constexpr std::size_t kMostProblemsTold = 5;

bool is_same(const RunLimits& a, const RunLimits& b) {
  return a.timeout_ms == b.timeout_ms && a.memory_bytes == b.memory_bytes &&
         a.result_bytes == b.result_bytes && a.output_bytes == b.output_bytes &&
         a.result_depth == b.result_depth;
}

}  // namespace

// With the lock held. What is found moves to the front.
KeptExtractors::Kept* KeptExtractors::find(ClientId client, const ExtractRequest& request) {
  const auto found = std::ranges::find_if(kept_, [&](const Kept& one) {
    return one.client == client && one.kind == request.kind && one.raw == request.raw &&
           is_same(one.limits, request.limits) && one.policy == request.policy;
  });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  kept_.front().last_used = Clock::now();
  return &kept_.front();
}

std::unique_ptr<LoadedExtractor> KeptExtractors::take_idle(ClientId client,
                                                           const ExtractRequest& request) {
  const std::scoped_lock held(lock_);
  Kept* kept = find(client, request);
  if (kept == nullptr || kept->idle.empty()) return nullptr;
  auto loaded = std::move(kept->idle.back());
  kept->idle.pop_back();
  return loaded;
}

std::optional<Vetted> KeptExtractors::code_of(ClientId client, const ExtractRequest& request) {
  const std::scoped_lock held(lock_);
  const Kept* kept = find(client, request);
  return kept == nullptr ? std::nullopt : std::optional(kept->code);
}

void KeptExtractors::keep_code(ClientId client, const ExtractRequest& request,
                               const PreparedExtractor& prepared) {
  std::list<Kept> given_up;  // its processes end when the lock is free again
  const std::scoped_lock held(lock_);
  if (find(client, request) != nullptr) return;
  kept_.push_front({.client = client,
                    .raw = request.raw,
                    .kind = request.kind,
                    .policy = request.policy,
                    .limits = request.limits,
                    .code = *prepared.code,
                    .sha256 = prepared.sha256,
                    .idle = {},
                    .last_used = Clock::now()});
  if (kept_.size() > kMostTexts) given_up.splice(given_up.begin(), kept_, std::prev(kept_.end()));
}

void KeptExtractors::keep_cell(ClientId client, const ExtractRequest& request,
                               std::unique_ptr<LoadedExtractor> loaded) {
  std::unique_ptr<LoadedExtractor> given_up;
  const std::scoped_lock held(lock_);
  Kept* kept = find(client, request);
  if (kept == nullptr) {
    given_up = std::move(loaded);
    return;
  }
  kept->idle.push_back(std::move(loaded));
  std::size_t idle = 0;
  for (const Kept& one : kept_) idle += one.idle.size();
  if (idle <= kMostIdleCells) return;
  const auto last = std::ranges::find_if(kept_.rbegin(), kept_.rend(),
                                         [](const Kept& one) { return !one.idle.empty(); });
  given_up = std::move(last->idle.front());
  last->idle.erase(last->idle.begin());
}

Result<std::optional<KeptExtractors::RefusedCode>> KeptExtractors::run(ClientId client,
                                                                       ExtractRequest request,
                                                                       PathInput& input,
                                                                       RowSink& sink,
                                                                       const Watcher& watcher) {
  request.supply = &supply_;
  request.host_program = host_program_;
  request.jobs = 1;
  auto loaded = take_idle(client, request);
  std::shared_ptr<run::Chamber> chamber;
  if (!loaded) {
    PreparedExtractor prepared;
    if (auto code = code_of(client, request)) {
      prepared.code = std::move(code);
      prepared.chamber = TRY(supply_.chamber(request.policy, std::nullopt, HashOrder::kUsual));
    } else {
      prepared = TRY(prepare_extractor(request));
      if (!prepared.code)
        return RefusedCode{std::move(prepared.verdict), std::move(prepared.sha256)};
      keep_code(client, request, prepared);
    }
    chamber = prepared.chamber;
    loaded = std::make_unique<LoadedExtractor>(std::move(prepared), request);
  }
  TRY(loaded->run(input, Share{}, sink, watcher, request.stop, LoadedExtractor::AtEnd::kRest));
  if (loaded->can_be_kept()) {
    keep_cell(client, request, std::move(loaded));
  } else if (chamber) {
    // Its zygote has gone: whoever comes next gets a new one.
    supply_.drop_chamber(request.policy, HashOrder::kUsual, chamber);
  }
  return std::nullopt;
}

Result<std::shared_ptr<const rules::Matcher>> KeptExtractors::matcher(const std::string& text) {
  {
    const std::scoped_lock held(lock_);
    const auto found = std::ranges::find(rules_, text, &KeptRules::text);
    if (found != rules_.end()) {
      rules_.splice(rules_.begin(), rules_, found);
      return found->matcher;
    }
  }
  auto loaded = load_rules_text(text);
  if (!loaded.rules) {
    std::string problems;
    for (const auto& one : loaded.rules.error()) {
      if (&one - loaded.rules.error().data() == kMostProblemsTold) break;
      problems += "; line " + std::to_string(one.line) + ": " + one.message;
    }
    return refused("the rules are refused" + problems);
  }
  auto matcher = std::make_shared<const rules::Matcher>(std::move(*loaded.rules));
  const std::scoped_lock held(lock_);
  rules_.push_front({text, matcher});
  if (rules_.size() > kMostRuleTexts) rules_.pop_back();
  return matcher;
}

void KeptExtractors::forget(ClientId client) {
  std::list<Kept> given_up;
  const std::scoped_lock held(lock_);
  for (auto one = kept_.begin(); one != kept_.end();) {
    const auto next = std::next(one);
    if (one->client == client) given_up.splice(given_up.begin(), kept_, one);
    one = next;
  }
}

void KeptExtractors::end_idle(std::chrono::duration<double> longer_than) {
  std::vector<std::unique_ptr<LoadedExtractor>> given_up;
  const std::scoped_lock held(lock_);
  const auto now = Clock::now();
  for (Kept& one : kept_) {
    if (now - one.last_used <= longer_than) continue;
    std::ranges::move(one.idle, std::back_inserter(given_up));
    one.idle.clear();
  }
}

std::size_t KeptExtractors::waiting_cells() {
  const std::scoped_lock held(lock_);
  std::size_t cells = 0;
  for (const Kept& one : kept_) cells += one.idle.size();
  return cells;
}

}  // namespace airlock
