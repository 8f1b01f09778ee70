#include "engine/bulk/row_listener.h"

namespace airlock {

namespace {

class ListeningSink : public RowSink {
 public:
  explicit ListeningSink(const RowListener& listener) : listener_(listener) {}

  Result<void> write(std::string_view rows) override {
    while (!rows.empty()) {
      const std::size_t end = rows.find('\n');
      if (end == std::string_view::npos) break;
      const auto parts = take_apart(rows.substr(0, end));
      if (!parts) return fail("a row of the extractor cannot be read back");
      listener_(*parts);
      rows.remove_prefix(end + 1);
    }
    return {};
  }

 private:
  const RowListener& listener_;
};

}  // namespace

Result<JobEnd> run_with_listener(PreparedExtractor extractor, const ExtractRequest& request,
                                 PathInput& input, const RowListener& listener) {
  ListeningSink sink(listener);
  return run_extractor(std::move(extractor), request, input, Share{}, sink,
                       [](const JobProgress&) {});
}

}  // namespace airlock
