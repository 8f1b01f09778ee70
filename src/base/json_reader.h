// A stranger's JSON as a value of a JSON library, its keys in the order in which they stand.
//
// The library's own reader compares each key with all keys before it in the same object: 20,000
// keys take seconds, and the megabyte that a cell may answer with takes minutes. Here the members
// of an object are gathered first, and where they are many a tree tells whether a key was there.
// The text itself is the bound: n log n time, memory by its size, no recursion.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace airlock {

// What the library calls a listener (SAX). `Json` keeps its keys in order.
template <typename Json>
class OrderedJsonBuilder final : public Json::json_sax_t {
 public:
  bool null() override { return add(nullptr); }
  bool boolean(bool value) override { return add(value); }
  bool number_integer(typename Json::number_integer_t value) override { return add(value); }
  bool number_unsigned(typename Json::number_unsigned_t value) override { return add(value); }
  bool number_float(typename Json::number_float_t value, const std::string&) override {
    return add(value);
  }
  bool string(std::string& value) override { return add(std::move(value)); }
  bool binary(typename Json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(true); }
  bool start_array(std::size_t) override { return open(false); }
  bool key(std::string& name) override;
  bool end_object() override;
  bool end_array() override;
  bool parse_error(std::size_t, const std::string&, const typename Json::exception&) override {
    return false;
  }

  // After a text that was read to its end.
  Json take() { return std::move(root_); }

 private:
  static constexpr std::size_t kFewKeys = 16;  // up to here they are compared one by one

  struct Frame {
    bool is_object = false;
    std::vector<std::pair<std::string, Json>> members;  // of an object
    std::map<std::string, std::size_t> places;          // of its keys, once there are many
    std::size_t at = 0;                                 // the member whose value comes next
    typename Json::array_t items;                       // of a list
  };

  bool open(bool is_object) {
    frames_.emplace_back().is_object = is_object;
    return true;
  }
  bool add(Json value) {
    if (frames_.empty()) {
      root_ = std::move(value);
    } else if (Frame& frame = frames_.back(); frame.is_object) {
      frame.members[frame.at].second = std::move(value);
    } else {
      frame.items.push_back(std::move(value));
    }
    return true;
  }
  static std::size_t place_of(Frame& frame, const std::string& name);

  std::vector<Frame> frames_;  // the open containers, the outermost first
  Json root_;
};

// Where the key stands, or the end.
template <typename Json>
std::size_t OrderedJsonBuilder<Json>::place_of(Frame& frame, const std::string& name) {
  const std::size_t end = frame.members.size();
  if (end < kFewKeys) {
    std::size_t place = 0;
    while (place < end && frame.members[place].first != name) ++place;
    return place;
  }
  for (std::size_t i = frame.places.size(); i < end; ++i)
    frame.places.emplace(frame.members[i].first, i);
  const auto found = frame.places.find(name);
  return found == frame.places.end() ? end : found->second;
}

// A key that comes again keeps its place and gets the later value, as the library has it.
template <typename Json>
bool OrderedJsonBuilder<Json>::key(std::string& name) {
  Frame& frame = frames_.back();
  frame.at = place_of(frame, name);
  if (frame.at == frame.members.size()) frame.members.emplace_back(std::move(name), Json());
  return true;
}

template <typename Json>
bool OrderedJsonBuilder<Json>::end_object() {
  Json value = Json::object();
  auto& object = value.template get_ref<typename Json::object_t&>();
  object.reserve(frames_.back().members.size());
  for (auto& [name, member] : frames_.back().members)
    object.emplace_back(std::move(name), std::move(member));
  frames_.pop_back();
  return add(std::move(value));
}

template <typename Json>
bool OrderedJsonBuilder<Json>::end_array() {
  Json value(std::move(frames_.back().items));
  frames_.pop_back();
  return add(std::move(value));
}

// As the library reads it; what is no JSON is a discarded value, as there.
template <typename Json>
Json read_ordered_json(std::string_view text) {
  OrderedJsonBuilder<Json> builder;
  return Json::sax_parse(text, &builder) ? builder.take() : Json(Json::value_t::discarded);
}

}  // namespace airlock
