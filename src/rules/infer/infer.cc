#include "rules/infer/infer.h"

#include <algorithm>
#include <array>
#include <set>

#include "base/printable.h"
#include "rules/infer/layouts.h"
#include "rules/infer/token_layout.h"
#include "rules/infer/tokens.h"
#include "rules/infer/vocabulary.h"
#include "rules/match/split_path.h"

namespace airlock::rules {

namespace {

constexpr std::size_t kExamples = 5;  // values shown with a field
constexpr std::size_t kFewPaths = 6;  // paths, from which little is to be concluded

using Values = std::vector<std::string_view>;

// A position of a layout, and how a rule speaks of it.
struct SegmentPosition {
  int index = 0;  // as in segment(N)
  bool is_filename = false;
  Values values;
  ColumnPlan plan;

  std::string from() const {
    return is_filename ? "filename" : "segment(" + std::to_string(index) + ")";
  }
};

// One or two digits each.
bool all_between(const Values& values, int least, int most) {
  return std::ranges::all_of(values, [&](std::string_view value) {
    if (value.size() > 2 || !is_all_digits(value)) return false;
    const int number = value.size() == 2 ? (value[0] - '0') * 10 + value[1] - '0' : value[0] - '0';
    return number >= least && number <= most;
  });
}

bool are_days_of_year(const Values& values) {
  return std::ranges::all_of(values, [](std::string_view value) {
    return value.size() == 3 && is_all_digits(value) && value >= "001" && value <= "366";
  });
}

// Makes one rule of one layout. The order of make() matters: a name that is well founded is never
// replaced by a weaker one, so the surest sources come first, and names by neighbours last, when
// most neighbours have theirs.
class RuleMaker {
 public:
  RuleMaker(std::span<const Segments> paths, const PathLayout& layout,
            std::span<const NameHint> hints)
      : paths_(paths), layout_(layout), hints_(hints) {}

  InferredRule make() {
    find_positions();
    name_calendar();
    name_known_trees();
    for (SegmentPosition& position : positions_) apply_hints(position);
    drop_repeated_fields();
    name_registered_numbers();
    name_tiles();
    name_ranges();
    name_by_neighbours();
    rule_.paths = layout_.members.size();
    rule_.is_deep = layout_.is_deep;
    rule_.glob = glob();
    for (const SegmentPosition& position : positions_) {
      for (const ProposedField& field : position.plan.fields) add(position, field);
    }
    name_package();
    add_what_is_between();
    make_names_unique();
    return std::move(rule_);
  }

  const std::vector<std::string>& notes() const { return notes_; }

 private:
  // Positions from the beginning count up from 0, those from the end are negative: between the two
  // a deep layout may have any number of folders.
  void find_positions() {
    for (std::size_t i = 0; i < layout_.front; ++i) add_position(static_cast<int>(i), i, false);
    for (std::size_t i = layout_.back; i > 0; --i) add_position(-static_cast<int>(i), i, true);
    for (std::size_t i = 0; i < positions_.size(); ++i) plan(i);
  }

  // `at`: from the beginning, counted from 0, or from the end, counted from 1.
  void add_position(int index, std::size_t at, bool is_from_end) {
    SegmentPosition position;
    position.index = index;
    position.is_filename = index == -1;
    for (const std::size_t member : layout_.members) {
      const Segments& path = paths_[member];
      position.values.push_back(is_from_end ? path[path.size() - at] : path[at]);
    }
    positions_.push_back(std::move(position));
  }

  void plan(std::size_t at) {
    SegmentPosition& position = positions_[at];
    ColumnPlace place;
    place.is_filename = position.is_filename;
    // The first position behind the open middle of a deep layout has no fixed folder above it.
    const bool has_neighbour = at > 0 && (at != layout_.front || !layout_.is_deep);
    if (has_neighbour && is_constant(positions_[at - 1].values))
      place.folder_above = positions_[at - 1].values.front();
    if (position.is_filename) {
      for (std::size_t i = 0; i + 1 < positions_.size(); ++i)
        if (!is_constant(positions_[i].values)) place.others.push_back(positions_[i].values);
    }
    position.plan = plan_column(position.values, place);
  }

  // 2024/01/15/13: numbers below a year are its month, day and hour, as long as their values allow
  // it.
  void name_calendar() {
    struct Step {
      std::string_view name;
      int least;
      int most;
    };
    constexpr std::array kSteps = {Step{"month", 1, 12}, Step{"day", 1, 31}, Step{"hour", 0, 23}};
    // Which step may come next; kSteps.size() when no calendar has begun.
    std::size_t next = kSteps.size();
    for (SegmentPosition& position : positions_) {
      if (is_named(position, "year")) {
        next = 0;
        continue;
      }
      if (is_named(position, "month")) {
        next = 1;
        continue;
      }
      if (position.plan.fields.size() == 1 && position.plan.fields[0].what == TokenClass::kDate) {
        next = 2;
        continue;
      }
      const Step* step = next < kSteps.size() ? &kSteps[next] : nullptr;
      // Two folders of three digits one below the other are more likely a path and a row than a
      // day.
      const bool is_first_of_two =
          &position != &positions_.back() && are_days_of_year((&position + 1)->values);
      if (next == 0 && !position.is_filename && !is_first_of_two &&
          are_days_of_year(position.values)) {
        name_as(position, "day_of_year");
        next = 2;
        continue;
      }
      if (step != nullptr && position.is_filename)
        name_file_in_calendar(position, step->name, step->least, step->most);
      // A single digit behind a day is an hour only if all are written with two.
      const bool is_odd_hour = next == 2 && !is_two_wide(position.values);
      if (step == nullptr || position.is_filename || is_odd_hour ||
          !all_between(position.values, step->least, step->most)) {
        next = kSteps.size();
        continue;
      }
      name_as(position, step->name);
      ++next;
    }
  }

  // …/2024/01/15/13.json: the file is the hour.
  static void name_file_in_calendar(SegmentPosition& position, std::string_view name, int least,
                                    int most) {
    auto& fields = position.plan.fields;
    if (fields.size() != 1 || fields[0].is_well_named || !is_two_wide(fields[0].values) ||
        !all_between(fields[0].values, least, most))
      return;
    fields[0].name = name;
    fields[0].is_well_named = true;
  }

  static bool is_named(const SegmentPosition& position, std::string_view name) {
    return position.plan.fields.size() == 1 && position.plan.fields[0].name == name;
  }

  // The whole segment becomes one field of this name, whatever was planned for it.
  static void name_as(SegmentPosition& position, std::string_view name) {
    ProposedField field;
    field.name = name;
    field.is_well_named = true;
    field.what = common_class(position.values);
    const bool is_number = field.what == TokenClass::kNumber || field.what == TokenClass::kYear;
    position.plan.glob = is_number && is_two_wide(position.values) ? "??" : "*";
    field.type = is_number ? ValueType::kInteger : ValueType::kString;
    field.values = position.values;
    field.evidence = "by its place";
    position.plan.fields = {std::move(field)};
  }

  static bool is_two_wide(const Values& values) {
    return std::ranges::all_of(values, [](std::string_view value) { return value.size() == 2; });
  }

  void apply_hints(SegmentPosition& position) {
    for (const NameHint& hint : hints_) {
      if (!is_about(hint, position)) continue;
      // A constant position has no field. Who names it wants one.
      if (position.plan.fields.empty()) {
        ProposedField field;
        field.what = common_class(position.values);
        const FieldForm form = form_of(field.what, position.values);
        field.type = form.type;
        field.format = form.format;
        field.values = position.values;
        position.plan.fields.push_back(std::move(field));
        position.plan.glob = "*";
      }
      ProposedField& field = position.plan.fields.front();
      // "the mission" may mean mission_id; segment(-3) = mission is meant to the letter.
      const bool is_id = !hint.is_exact && field.name == hint.name + "_id";
      field.name = is_id ? field.name : hint.name;
      field.is_well_named = true;
      field.evidence = "hint";
    }
  }

  // A hint may count from the other end; that is the same position only if every path has one
  // depth.
  bool is_about(const NameHint& hint, const SegmentPosition& position) const {
    if (hint.index == position.index) return true;
    if (layout_.is_deep || (hint.index < 0) == (position.index < 0)) return false;
    const auto depth = static_cast<int>(positions_.size());
    const auto from_start = [&](int index) { return index < 0 ? depth + index : index; };
    return from_start(hint.index) == from_start(position.index);
  }

  // Numbers of a registry one below the other, as DICOM files them: a study, its series, their
  // instances.
  void name_registered_numbers() {
    std::vector<ProposedField*> found;
    for (SegmentPosition& position : positions_)
      for (ProposedField& field : position.plan.fields)
        if (field.what == TokenClass::kUid) found.push_back(&field);
    constexpr std::array<std::string_view, 3> kNames = {"study_uid", "series_uid", "instance_uid"};
    if (found.size() < 2 || found.size() > kNames.size()) return;
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i]->name = kNames[i];
      found[i]->is_well_named = true;
    }
  }

  // Map tiles, zoom/x/y.png: three numbers at the end, of which the first is a plausible zoom.
  void name_tiles() {
    if (positions_.size() < 3) return;
    std::array<ProposedField*, 3> found{};
    for (std::size_t i = 0; i < found.size(); ++i) {
      auto& fields = positions_[positions_.size() - found.size() + i].plan.fields;
      if (fields.size() != 1 || fields[0].is_well_named || fields[0].what != TokenClass::kNumber)
        return;
      found[i] = &fields[0];
    }
    constexpr std::size_t kDeepestZoom = 24;
    // Numbers in folders are common; with a picture at the end they are tiles.
    const bool is_picture = is_picture_or_tile(extension_of(positions_.back().values.front()));
    for (const std::string_view zoom : found[0]->values) {
      if (zoom.size() > 2 || (zoom.size() == 2 && zoom > std::to_string(kDeepestZoom))) return;
    }
    if (!is_picture) return;
    constexpr std::array<std::string_view, 3> kNames = {"z", "x", "y"};
    for (std::size_t i = 0; i < found.size(); ++i) {
      found[i]->name = kNames[i];
      found[i]->is_well_named = true;
    }
  }

  // Two dates or times next to each other, the first never later than the second: a range.
  void name_ranges() {
    for (SegmentPosition& position : positions_) {
      auto& fields = position.plan.fields;
      for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
        ProposedField& from = fields[i];
        ProposedField& to = fields[i + 1];
        const bool is_time = from.type == ValueType::kDate || from.type == ValueType::kDatetime ||
                             from.what == TokenClass::kYearMonth;
        if (!is_time || from.type != to.type || from.what != to.what || from.name != to.name)
          continue;
        const bool is_range = std::ranges::equal(
            from.values, to.values, [](std::string_view a, std::string_view b) { return a <= b; });
        if (!is_range) continue;
        const std::string unit = from.what == TokenClass::kYearMonth ? ""
                                 : from.type == ValueType::kDatetime ? "_time"
                                                                     : "_date";
        from.name = "start" + unit;
        to.name = "end" + unit;
      }
    }
  }

  static bool is_picture_or_tile(std::string_view extension) {
    constexpr std::array<std::string_view, 8> kKnown = {".png", ".jpg", ".jpeg",    ".webp",
                                                        ".pbf", ".mvt", ".terrain", ".geojson"};
    return std::ranges::find(kKnown, extension) != kKnown.end();
  }

  // A field without a good name may get one from the field before it or after it.
  void name_by_neighbours() {
    std::vector<ProposedField*> all;
    for (SegmentPosition& position : positions_)
      for (ProposedField& field : position.plan.fields) all.push_back(&field);
    const auto is_number = [](const ProposedField& field) {
      return field.what == TokenClass::kNumber;
    };
    const auto is_taken = [&](std::string_view name) {
      return std::ranges::any_of(all, [&](const ProposedField* one) { return one->name == name; });
    };
    const auto take = [&](ProposedField& field, std::optional<std::string_view> name) {
      if (!name || is_taken(*name)) return;
      field.name = *name;
      field.is_well_named = true;
      field.evidence = "by its neighbour";
    };
    // Forwards first, then backwards. A name given here can give the next field its name in turn.
    const ProposedField* before = nullptr;  // times between do not part neighbours
    for (ProposedField* field : all) {
      if (before != nullptr && !field->is_well_named)
        take(*field, name_after(before->name, is_number(*field)));
      const bool is_time = field->type == ValueType::kDate || field->type == ValueType::kDatetime ||
                           field->what == TokenClass::kYear;
      if (!is_time) before = field;
    }
    for (std::size_t i = all.size(); i > 1; --i)
      if (!all[i - 2]->is_well_named)
        take(*all[i - 2], name_in_front_of(all[i - 1]->name, is_number(*all[i - 2])));
  }

  // Any time may be called timestamp or date; a name such as sensing_time says which one it is.
  static bool is_particular(const ProposedField& field) {
    return field.is_well_named && field.name != "timestamp" && field.name != "date";
  }

  // The same text in two places of every path gives one field, from the folder, under the better of
  // the two names.
  void drop_repeated_fields() {
    std::vector<ProposedField*> seen;
    for (SegmentPosition& position : positions_) {
      std::erase_if(position.plan.fields, [&](const ProposedField& field) {
        const auto same = std::ranges::find_if(
            seen, [&](const ProposedField* one) { return one->values == field.values; });
        if (same == seen.end()) return false;
        ProposedField& kept = **same;
        // Two good names for one text are two things that happen to be equal in this sample, for
        // example a package named after its source. Both stay.
        const bool are_two = is_particular(kept) && is_particular(field) && kept.name != field.name;
        if (are_two || (is_constant(field.values) && kept.name != field.name)) return false;
        if (is_particular(field) && !is_particular(kept)) {
          kept.name = field.name;
          kept.type = field.type;
          kept.format = field.format;
          kept.is_well_named = true;
        }
        return true;
      });
      for (ProposedField& field : position.plan.fields) seen.push_back(&field);
    }
  }

  // Which field of a position gets the name: of several, the first that has none yet ("Heat (1995)"
  // is title and year); in a file's name the last (stg_stripe__payments).
  static ProposedField* field_for(std::vector<ProposedField>& fields, const TreeName& known) {
    // A certain name replaces even a good one.
    if (fields.size() == 1)
      return fields[0].is_well_named && !known.is_certain ? nullptr : &fields[0];
    const auto is_open = [](const ProposedField& field) {
      return !field.is_well_named && field.type == ValueType::kString;
    };
    ProposedField* found = nullptr;
    for (ProposedField& field : fields)
      if (is_open(field) && (found == nullptr || known.is_file)) found = &field;
    return found;
  }

  // Names that a place in a known tree has: the folder below mlruns is an experiment.
  void name_known_trees() {
    for (std::size_t at = 0; at < positions_.size(); ++at) {
      if (!positions_[at].plan.is_constant) continue;
      for (const TreeName& known : names_below_tree(positions_[at].values.front())) {
        const std::size_t below = at + known.below;
        if (below >= positions_.size()) continue;
        if (known.is_file && !positions_[below].is_filename) continue;
        auto& fields = positions_[below].plan.fields;
        // A handful of paths may all have the same value by chance; in a known tree it is a field
        // all the same.
        if (fields.empty() && known.is_certain && positions_[below].plan.is_constant &&
            layout_.members.size() < kFewPaths)
          name_as(positions_[below], known.name);
        ProposedField* field = field_for(fields, known);
        if (field == nullptr) continue;
        field->name = known.name;
        field->is_well_named = true;
        if (known.is_text) field->type = ValueType::kString;
      }
    }
  }

  std::string glob() const {
    std::string text;
    const auto add = [&](std::string_view piece) {
      text += (text.empty() ? "" : "/") + std::string(piece);
    };
    // Roots differ from machine to machine: a rule says what stands at the end.
    const bool begins_anywhere = !layout_.is_deep || layout_.front == 0;
    if (begins_anywhere) add("**");
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      if (layout_.is_deep && i == layout_.front && layout_.front > 0) add("**");
      add(positions_[i].plan.glob);
    }
    return text;
  }

  void add(const SegmentPosition& position, const ProposedField& field) {
    InferredField made;
    made.name = field.name;
    made.from = position.from();
    made.pattern = field.pattern;
    made.type = field.type;
    made.format = field.format;
    made.what = field.what;
    made.is_well_named = field.is_well_named;
    made.evidence = field.evidence;
    if (!field.hive_key.empty()) {
      made.from = "hive(" + field.hive_key + ")";
      made.pattern.clear();
      made.is_optional = true;
    }
    // Sorted, so that the examples do not depend on the order of the paths.
    const std::set<std::string_view> distinct(field.values.begin(), field.values.end());
    made.distinct = distinct.size();
    for (const std::string_view value : distinct) {
      if (made.examples.size() == kExamples) break;
      made.examples.emplace_back(value);
    }
    if (made.type == ValueType::kString) note_mixed(made, distinct);
    rule_.fields.push_back(std::move(made));
  }

  // Numbers or dates with something else among them: the report says so instead of guessing.
  void note_mixed(const InferredField& field, const std::set<std::string_view>& values) {
    for (const TokenClass what : {TokenClass::kNumber, TokenClass::kDate}) {
      std::string_view of_class;
      std::string_view other;
      std::size_t count = 0;
      for (const std::string_view value : values) {
        const bool is_one = is_of_class(value, what);
        count += is_one ? 1U : 0U;
        (is_one ? of_class : other) = value;
      }
      // At least half of them: then the rest looks like an accident that a reader should know of.
      if (count * 2 < values.size() || other.empty() || values.size() < 3) continue;
      notes_.push_back(field.from + " is mostly a " + std::string(name_of(what)) + " ('" +
                       printable(of_class) + "') and sometimes not ('" + printable(other) +
                       "'): '" + field.name + "' is taken as text");
      return;
    }
  }

  // A repository of packages: group folders of any depth, then artifact, version and a file named
  // after both.
  bool is_package() const {
    if (positions_.size() < 3) return false;
    const std::size_t last = positions_.size() - 1;
    return is_named(positions_[last - 1], "version") &&
           repeats(positions_[last].values, positions_[last - 2].values);
  }

  void name_package() {
    if (!is_package()) return;
    const std::string artifact = positions_[positions_.size() - 3].from();
    for (InferredField& field : rule_.fields) {
      if (field.from != artifact) continue;
      field.name = "artifact_id";
      field.is_well_named = true;
    }
  }

  // The folders between a common beginning and a common end, when every path has at least one.
  void add_what_is_between() {
    if (!layout_.is_deep) return;
    const std::size_t ends = layout_.front + layout_.back;
    for (const std::size_t member : layout_.members)
      if (paths_[member].size() <= ends) return;
    InferredField field;
    field.from = "rel_path";
    field.pattern = "^";
    for (std::size_t i = 0; i < layout_.front; ++i) field.pattern += "[^/]+/";
    field.pattern += "(.+)";
    for (std::size_t i = 0; i < layout_.back; ++i) field.pattern += "/[^/]+";
    field.pattern += "$";
    field.name = is_package() ? "group_id" : "subpath";
    field.is_well_named = is_package();
    field.evidence = "between a common beginning and a common end";
    // Where it stands in the path: before the first field that counts from the end.
    const auto at = std::ranges::find_if(rule_.fields, [](const InferredField& one) {
      return one.from.contains('-') || one.from == "filename";
    });
    rule_.fields.insert(at, std::move(field));
  }

  // Path by path, the file's name begins with the folder's.
  static bool repeats(const Values& files, const Values& folders) {
    for (std::size_t i = 0; i < files.size(); ++i)
      if (!files[i].starts_with(folders[i])) return false;
    return true;
  }

  void make_names_unique() {
    std::set<std::string> taken;
    for (InferredField& field : rule_.fields) {
      std::string name = field.name;
      for (int i = 2; !taken.insert(name).second; ++i) name = field.name + "_" + std::to_string(i);
      field.name = name;
    }
  }

  std::span<const Segments> paths_;
  const PathLayout& layout_;
  std::span<const NameHint> hints_;
  std::vector<SegmentPosition> positions_;
  InferredRule rule_;
  std::vector<std::string> notes_;
};

// At most two words that stand in the glob as they are: "hl7 inbound". Without containers (data,
// archive), which say little, unless `with_containers`.
std::string words_of(const InferredRule& rule, bool with_containers) {
  std::string name;
  std::size_t start = 0;
  std::size_t words = 0;
  while (start < rule.glob.size() && words < 2) {
    const std::size_t end = std::min(rule.glob.find('/', start), rule.glob.size());
    const std::string_view piece = std::string_view(rule.glob).substr(start, end - start);
    start = end + 1;
    if (piece.find_first_of("*?[]{}=\\") != std::string_view::npos || end == rule.glob.size())
      continue;
    if (as_identifier(piece).empty() || (!with_containers && is_container_word(piece))) continue;
    name += (name.empty() ? "" : " ") + printable(piece);
    ++words;
  }
  return name;
}

// By what says most: a word of the layout, what the first well-named field is of, a word that says
// little, a number.
std::string name_for(const InferredRule& rule, std::size_t number) {
  std::string name = words_of(rule, false);
  const auto field = std::ranges::find(rule.fields, true, &InferredField::is_well_named);
  if (name.empty() && field != rule.fields.end()) {
    name = field->name;
    if (name.ends_with("_id")) name.resize(name.size() - 3);
  }
  if (name.empty()) name = words_of(rule, true);
  return name.empty() ? "layout " + std::to_string(number) : name;
}

}  // namespace

Inference infer_rules(std::span<const std::string_view> paths, std::span<const NameHint> hints,
                      std::size_t least) {
  // Kept until the end: the segments point into them.
  std::vector<SplitPath> split(paths.size());
  std::vector<Segments> segments(paths.size());
  for (std::size_t i = 0; i < paths.size(); ++i) {
    split[i].split(paths[i]);
    for (std::size_t at = 0; at < split[i].size(); ++at)
      segments[i].push_back(split[i].segment(at));
    if (segments[i].empty()) segments[i].emplace_back("");
  }
  Inference inference;
  const std::vector<PathLayout> layouts = find_layouts(segments);
  for (const PathLayout& layout : layouts) {
    const std::size_t size = layout.members.size();
    // Unless the caller says how many are enough: one or two paths among many others are strays.
    const bool is_few =
        least > 0 ? size < least : size < 3 && layouts.size() > 1 && size * 5 < paths.size();
    if (is_few || inference.rules.size() == kMostInferredRules) continue;
    RuleMaker maker(segments, layout, hints);
    InferredRule rule = maker.make();
    if (rule.fields.empty() && layouts.size() > 1) continue;
    std::ranges::copy(maker.notes(), std::back_inserter(inference.notes));
    rule.name = name_for(rule, inference.rules.size() + 1);
    rule.says_something = !words_of(rule, true).empty() ||
                          std::ranges::any_of(rule.fields, &InferredField::is_well_named);
    inference.rules.push_back(std::move(rule));
  }
  return inference;
}

}  // namespace airlock::rules
