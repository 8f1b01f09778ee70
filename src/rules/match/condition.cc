#include "rules/match/condition.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <compare>
#include <optional>

#include "base/ascii.h"
#include "base/nearest.h"

namespace airlock::rules {

namespace {

// Far more than anybody writes. It bounds the recursion of the reader and the stack of holds().
constexpr std::size_t kMostSteps = 100;

bool is_field_start(char c) {
  return is_letter(c) || c == '_';
}

bool is_name_part(char c) {
  return is_field_start(c) || is_digit(c);
}

// Numbers by value, times by the clock (without an offset: as UTC), text by bytes; unordered when
// the kinds differ. `text` is the text of `b`: a step cannot borrow its own (see Condition::Step).
std::partial_ordering order(const FieldValue& a, const FieldValue& b, std::string_view text) {
  using Kind = FieldValue::Kind;
  if (a.kind == Kind::kInteger && b.kind == Kind::kInteger) return a.integer <=> b.integer;
  const auto number = [](const FieldValue& v) {
    return v.kind == Kind::kInteger ? static_cast<double>(v.integer) : v.real;
  };
  const auto is_number = [](const FieldValue& v) {
    return v.kind == Kind::kInteger || v.kind == Kind::kFloat;
  };
  const auto is_time = [](const FieldValue& v) {
    return v.kind == Kind::kDate || v.kind == Kind::kDatetime;
  };
  if (is_number(a) && is_number(b)) return number(a) <=> number(b);
  if (a.kind == Kind::kBoolean && b.kind == Kind::kBoolean) return a.boolean <=> b.boolean;
  if (a.kind == Kind::kText && b.kind == Kind::kText) return a.text <=> text;
  if (!is_time(a) || !is_time(b)) return std::partial_ordering::unordered;
  const auto key = [](const FieldValue& v) {
    const CivilTime& t = v.time;
    const std::int64_t minutes =
        days_from_civil(t.year, t.month, t.day) * 1440 + t.hour * 60 + t.minute - t.offset_minutes;
    return (minutes * 60 + t.second) * 1000000 + t.microsecond;
  };
  return key(a) <=> key(b);
}

}  // namespace

// Recursive descent: or, and, not, comparison. Depth is limited by the number of steps.
class ConditionReader {
 public:
  ConditionReader(std::string_view text, std::span<const ConditionField> fields)
      : text_(text), fields_(fields) {}

  std::expected<Condition, ConditionError> read() {
    if (!read_or(0)) return std::unexpected(std::move(error_));
    skip_spaces();
    if (at_ != text_.size()) {
      complain("expected 'and', 'or' or the end");
      return std::unexpected(std::move(error_));
    }
    return std::move(made_);
  }

 private:
  using Step = Condition::Step;

  // The first complaint is the cause; what follows from it is dropped. Always false, to be
  // returned.
  bool complain(std::string message) {
    if (error_.message.empty()) error_ = {at_, std::move(message)};
    return false;
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
      ++at_;
  }

  bool take(std::string_view sign) {
    skip_spaces();
    if (!text_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }

  // In any case, and as a whole word: `order` does not begin with `or`.
  bool take_word(std::string_view word) {
    skip_spaces();
    const std::string_view rest = text_.substr(at_);
    if (rest.size() > word.size() && is_name_part(rest[word.size()])) return false;
    if (!equal_ignoring_case(rest.substr(0, word.size()), word)) return false;
    at_ += word.size();
    return true;
  }

  bool add(Step step) {
    if (made_.steps_.size() >= kMostSteps) return complain("the condition is too long");
    made_.steps_.push_back(step);
    return true;
  }

  bool add_join(Step::Kind kind) {
    Step step;
    step.kind = kind;
    return add(step);
  }

  bool read_or(std::size_t depth) {
    if (!read_and(depth)) return false;
    while (take_word("or") || take("||")) {
      if (!read_and(depth) || !add_join(Step::Kind::kOr)) return false;
    }
    return true;
  }

  bool read_and(std::size_t depth) {
    if (!read_not(depth)) return false;
    while (take_word("and") || take("&&")) {
      if (!read_not(depth) || !add_join(Step::Kind::kAnd)) return false;
    }
    return true;
  }

  bool read_not(std::size_t depth) {
    if (depth > kMostSteps) return complain("nested too deeply");
    if (take_word("not")) return read_not(depth + 1) && add_join(Step::Kind::kNot);
    if (!take("(")) return read_comparison();
    if (!read_or(depth + 1)) return false;
    return take(")") || complain("a parenthesis is not closed");
  }

  bool read_comparison() {
    Step step;
    ValueType type = ValueType::kString;
    if (!read_field(step, type)) return false;
    const auto how = read_operator();
    if (!how) {
      // A boolean alone is a condition.
      if (type != ValueType::kBoolean)
        return complain("expected one of = != < <= > >= after the field");
      step.wanted.kind = FieldValue::Kind::kBoolean;
      step.wanted.boolean = true;
      return add(step);
    }
    step.how = *how;
    return read_value(step, type) && add(step);
  }

  std::string_view read_name() {
    const std::size_t start = at_;
    if (at_ < text_.size() && is_field_start(text_[at_])) {
      while (at_ < text_.size() && is_name_part(text_[at_])) ++at_;
    }
    return text_.substr(start, at_ - start);
  }

  bool read_field(Step& step, ValueType& type) {
    skip_spaces();
    const std::size_t start = at_;
    const std::string_view name = read_name();
    if (name.empty()) return complain("expected the name of a field");
    const auto found = std::ranges::find(fields_, name, &ConditionField::name);
    if (found == fields_.end()) {
      at_ = start;
      return complain("there is no field '" + std::string(name) + "'" + near_field(name));
    }
    step.field = static_cast<std::size_t>(found - fields_.begin());
    type = found->type;
    return !take(".") || read_part(step, type);
  }

  std::string near_field(std::string_view name) const {
    std::vector<std::string_view> names;
    for (const ConditionField& field : fields_) names.push_back(field.name);
    return did_you_mean(name, names);
  }

  bool read_part(Step& step, ValueType& type) {
    struct NamedPart {
      std::string_view name;
      Condition::TimePart part;
    };
    constexpr std::array kParts = {NamedPart{"year", Condition::TimePart::kYear},
                                   NamedPart{"month", Condition::TimePart::kMonth},
                                   NamedPart{"day", Condition::TimePart::kDay},
                                   NamedPart{"hour", Condition::TimePart::kHour},
                                   NamedPart{"minute", Condition::TimePart::kMinute},
                                   NamedPart{"quarter", Condition::TimePart::kQuarter}};
    const std::string_view name = read_name();
    const auto found = std::ranges::find(kParts, name, &NamedPart::name);
    if (found == kParts.end())
      return complain("'." + std::string(name) +
                      "' is not known: a date has .year .month .day .quarter, a datetime .hour and "
                      ".minute too");
    if (type != ValueType::kDate && type != ValueType::kDatetime)
      return complain("only a date or datetime has ." + std::string(name));
    // From here on the comparison is with a number.
    step.part = found->part;
    type = ValueType::kInteger;
    return true;
  }

  std::optional<Condition::Operator> read_operator() {
    using enum Condition::Operator;
    // Longer signs first: <= begins with <.
    if (take("!=") || take("<>")) return kUnequal;
    if (take("<=")) return kAtMost;
    if (take(">=")) return kAtLeast;
    if (take("==") || take("=")) return kEqual;
    if (take("<")) return kLess;
    if (take(">")) return kGreater;
    return std::nullopt;
  }

  bool read_value(Step& step, ValueType type) {
    skip_spaces();
    if (take_word("null")) {
      step.wanted.kind = FieldValue::Kind::kNull;
      return step.how == Condition::Operator::kEqual || step.how == Condition::Operator::kUnequal ||
             complain("null is only = or !=");
    }
    const std::size_t start = at_;
    std::string text;
    const bool is_quoted = at_ < text_.size() && (text_[at_] == '"' || text_[at_] == '\'');
    if (is_quoted ? !read_quoted(text) : !read_bare(text)) return false;
    // `count > 2.5` is fair for an integer. A UUID may be compared with any text.
    const ValueType wanted = type == ValueType::kInteger && text.contains('.') ? ValueType::kFloat
                             : type == ValueType::kUuid                        ? ValueType::kString
                                                                               : type;
    const auto value = convert(text, wanted, nullptr);
    // Quotes around a number are nearly always a mistake about the field's type, so they are told.
    if (!value || (is_quoted && (type == ValueType::kInteger || type == ValueType::kFloat))) {
      at_ = start;
      return complain("the field is of type " + std::string(name_of(type)) + ", and '" + text +
                      "' is not");
    }
    step.wanted = *value;
    // It would point into `text`, which moves; the step finds it by its index.
    step.wanted.text = {};
    step.text = made_.texts_.size();
    made_.texts_.push_back(std::move(text));
    return true;
  }

  bool read_quoted(std::string& to) {
    const char quote = text_[at_];
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return complain("a quote is not closed");
    to = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  bool read_bare(std::string& to) {
    const std::size_t start = at_;
    while (at_ < text_.size() && !std::string_view(" \t\n()=<>!&|").contains(text_[at_])) ++at_;
    to = text_.substr(start, at_ - start);
    return !to.empty() || complain("expected a value to compare with");
  }

  std::string_view text_;
  std::span<const ConditionField> fields_;
  std::size_t at_ = 0;
  Condition made_;
  ConditionError error_;
};

std::expected<Condition, ConditionError> Condition::parse(std::string_view text,
                                                          std::span<const ConditionField> fields) {
  return ConditionReader(text, fields).read();
}

bool Condition::compare(const Step& step, const FieldValue& value) const {
  using Kind = FieldValue::Kind;
  if (step.wanted.kind == Kind::kNull)
    return (value.kind == Kind::kNull) == (step.how == Operator::kEqual);
  if (value.kind == Kind::kNull) return false;
  FieldValue side = value;
  if (step.part != TimePart::kWhole) {
    // In the order of TimePart. Quarters count from 1.
    side.kind = Kind::kInteger;
    const CivilTime& time = value.time;
    const std::array<int, 7> parts = {0,         time.year,   time.month,          time.day,
                                      time.hour, time.minute, (time.month + 2) / 3};
    side.integer = parts[static_cast<std::size_t>(step.part)];
  }
  const std::partial_ordering found = order(side, step.wanted, texts_[step.text]);
  switch (step.how) {
    case Operator::kEqual:
      return found == 0;
    case Operator::kUnequal:
      return found != 0;
    case Operator::kLess:
      return found < 0;
    case Operator::kAtMost:
      return found <= 0;
    case Operator::kGreater:
      return found > 0;
    case Operator::kAtLeast:
      return found >= 0;
  }
  return false;
}

bool Condition::holds(std::span<const FieldValue> values) const {
  // Cannot overflow: at most one entry for each step.
  std::array<bool, kMostSteps> stack{};
  std::size_t depth = 0;
  for (const Step& step : steps_) {
    switch (step.kind) {
      case Step::Kind::kCompare:
        stack[depth++] = compare(step, values[step.field]);
        break;
      case Step::Kind::kNot:
        stack[depth - 1] = !stack[depth - 1];
        break;
      case Step::Kind::kAnd:
        --depth;
        stack[depth - 1] = stack[depth - 1] && stack[depth];
        break;
      case Step::Kind::kOr:
        --depth;
        stack[depth - 1] = stack[depth - 1] || stack[depth];
        break;
    }
  }
  return depth > 0 && stack[0];
}

}  // namespace airlock::rules
