// ValueFlow::fold: the text that constants add up to. It is what finds '__imp' + 'ort__'. Bounded
// in depth, length and number; anything else is "not known", which the callers take as harmless or
// as suspicious, each for its own question.
#include <algorithm>
#include <climits>
#include <optional>
#include <string>

#include "base/ascii.h"
#include "base/utf8.h"
#include "vet/facts/flow.h"

namespace airlock::vet {

namespace {

using python::text_of;

// Bytes; no forbidden name is nearly as long, but a format template may be.
constexpr std::size_t kMaxText = 4096;
constexpr int kMaxFoldDepth = 24;
constexpr int kMaxFolds = 100'000;  // in one file

// An integer constant that fits a long, with a minus sign perhaps.
std::optional<long> small_number(expr_ty node) {
  if (node == nullptr) return std::nullopt;
  if (node->kind == UnaryOp_kind && node->v.UnaryOp.op == USub) {
    const auto inner = small_number(node->v.UnaryOp.operand);
    return inner && *inner != LONG_MIN ? std::optional(-*inner) : std::nullopt;
  }
  if (node->kind != Constant_kind || !PyLong_Check(node->v.Constant.value)) return std::nullopt;
  const long value = PyLong_AsLong(node->v.Constant.value);
  if (PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return std::nullopt;
  }
  return value;
}

// By code points: from the end back to the first byte of each character.
std::string reversed(std::string_view text) {
  std::string out;
  std::size_t end = text.size();
  while (end > 0) {
    std::size_t start = end - 1;
    while (start > 0 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80) --start;
    out.append(text.substr(start, end - start));
    end = start;
  }
  return out;
}

// ASCII text only: a slice counts characters.
std::optional<std::string> slice(const std::string& text, expr_ty node) {
  const auto step =
      node->v.Slice.step != nullptr ? small_number(node->v.Slice.step) : std::optional(1L);
  if (!step || *step == 0 || count_code_points(text) != text.size()) {
    const bool is_plain_reverse =
        step && *step == -1 && node->v.Slice.lower == nullptr && node->v.Slice.upper == nullptr;
    return is_plain_reverse ? std::optional(reversed(text)) : std::nullopt;
  }
  const long size = static_cast<long>(text.size());
  const auto bound = [&](expr_ty limit, long otherwise) -> std::optional<long> {
    if (limit == nullptr) return otherwise;
    auto value = small_number(limit);
    if (!value) return std::nullopt;
    // As Python: negative counts from the end; clamped first, so that the sum cannot overflow.
    if (*value < 0) *value = std::max(*value, -size - 1) + size;
    return *step > 0 ? std::clamp(*value, 0L, size) : std::clamp(*value, -1L, size - 1);
  };
  const auto lower = bound(node->v.Slice.lower, *step > 0 ? 0 : size - 1);
  const auto upper = bound(node->v.Slice.upper, *step > 0 ? size : -1);
  if (!lower || !upper) return std::nullopt;
  // A step past either end takes the first character and no other; so short, it cannot overflow.
  const long stride = std::clamp(*step, -size - 1, size + 1);
  std::string out;
  for (long i = *lower; *step > 0 ? i < *upper : i > *upper; i += stride)
    out += text[static_cast<std::size_t>(i)];
  return out;
}

}  // namespace

// 'a' + 'b', 'a' * 3
std::optional<std::string> ValueFlow::fold_sum(expr_ty node, ScopeId scope, int depth) const {
  const auto& v = node->v.BinOp;
  if (v.op == Mult) {
    const auto text = fold(v.left, scope, depth);
    const auto times = small_number(v.right);
    // The product of two numbers of at most 4096 and 64 fits.
    if (!text || !times || *times < 0 || *times > 64 ||
        text->size() * static_cast<std::size_t>(*times) > kMaxText) {
      return std::nullopt;
    }
    std::string out;
    for (long i = 0; i < *times; ++i) out += *text;
    return out;
  }
  if (v.op != Add) return std::nullopt;
  auto left = fold(v.left, scope, depth);
  if (!left) return std::nullopt;
  const auto right = fold(v.right, scope, depth);
  if (!right || left->size() + right->size() > kMaxText) return std::nullopt;
  return *left + *right;
}

// f'a{b}'
std::optional<std::string> ValueFlow::fold_joined(expr_ty node, ScopeId scope, int depth) const {
  std::string out;
  for (expr_ty part : items(node->v.JoinedStr.values)) {
    const bool is_field = part->kind == FormattedValue_kind;
    // {x!r} and {x:>10} change the text; -1 is "no conversion".
    if (is_field && (part->v.FormattedValue.conversion != -1 ||
                     part->v.FormattedValue.format_spec != nullptr)) {
      return std::nullopt;
    }
    const auto text = fold(is_field ? part->v.FormattedValue.value : part, scope, depth);
    if (!text || out.size() + text->size() > kMaxText) return std::nullopt;
    out += *text;
  }
  return out;
}

// chr(97), ''.join(['a', 'b']), 'A'.lower()
std::optional<std::string> ValueFlow::fold_call(expr_ty node, ScopeId scope, int depth) const {
  expr_ty function = node->v.Call.func;
  const auto arguments = items(node->v.Call.args);
  // The builtin chr, not a function of the file with its name.
  if (function->kind == Name_kind && text_of(function->v.Name.id) == "chr" &&
      arguments.size() == 1 && scopes_.resolve(scope, function->v.Name.id) == kNone) {
    const auto code = small_number(arguments[0]);
    if (!code || *code < 0 || *code > 0x10FFFF) return std::nullopt;
    std::string out;
    append_utf8(out, static_cast<char32_t>(*code));
    return out;
  }
  if (function->kind != Attribute_kind) return std::nullopt;
  const std::string_view method = text_of(function->v.Attribute.attr);
  if (method == "join" && arguments.size() == 1) {
    const auto separator = fold(function->v.Attribute.value, scope, depth);
    const bool is_list = arguments[0]->kind == List_kind;
    if (!separator || (!is_list && arguments[0]->kind != Tuple_kind)) return std::nullopt;
    std::string out;
    bool is_first = true;
    for (expr_ty one : items(is_list ? arguments[0]->v.List.elts : arguments[0]->v.Tuple.elts)) {
      const auto text = fold(one, scope, depth);
      if (!text || out.size() + text->size() + separator->size() > kMaxText) return std::nullopt;
      if (!is_first) out += *separator;
      out += *text;
      is_first = false;
    }
    return out;
  }
  if ((method == "lower" || method == "upper") && arguments.empty()) {
    const auto text = fold(function->v.Attribute.value, scope, depth);
    if (!text) return std::nullopt;
    // Of ASCII letters only: no forbidden name has others.
    return method == "lower" ? lower(*text) : upper(*text);
  }
  return std::nullopt;
}

// A name that is bound once, to a value that is known.
std::optional<std::string> ValueFlow::fold_name(expr_ty node, ScopeId scope, int depth) const {
  const SymbolId id = scopes_.resolve(scope, node->v.Name.id);
  if (id == kNone || scopes_.fallback(id) != kNone) return std::nullopt;
  const Symbol& symbol = scopes_.symbol(id);
  // Bound once: with two bindings nobody knows which one is read.
  if (symbol.first == kNone || symbol.first != symbol.last) return std::nullopt;
  // Outside of functions, a name that is not bound yet is the builtin: __doc__ is a text too.
  const ScopeKind where = scopes_.scope(symbol.scope).kind;
  if ((where == ScopeKind::kModule || where == ScopeKind::kClass) &&
      policy_.facts(node->v.Name.id).is_interpreter_builtin)
    return std::nullopt;
  const Binding& only = scopes_.binding(symbol.first);
  if (only.kind != BindingKind::kValue || only.value == nullptr) return std::nullopt;
  return fold(only.value, only.scope, depth);
}

// Each kind folds its parts and joins them as Python would; one part that is not known makes the
// whole unknown. `depth` counts calls inside each other, names that lead to values included.
std::optional<std::string> ValueFlow::fold(expr_ty node, ScopeId scope, int depth) const {
  if (node == nullptr || depth > kMaxFoldDepth || ++folds_ > kMaxFolds) return std::nullopt;
  const auto& v = node->v;
  switch (node->kind) {
    case Constant_kind:
      if (!PyUnicode_Check(v.Constant.value)) return std::nullopt;
      if (const auto text = text_of(v.Constant.value); text.size() <= kMaxText)
        return std::string(text);
      return std::nullopt;
    case BinOp_kind:
      return fold_sum(node, scope, depth + 1);
    case JoinedStr_kind:
      return fold_joined(node, scope, depth + 1);
    case Subscript_kind: {
      if (v.Subscript.slice->kind != Slice_kind) return std::nullopt;
      const auto text = fold(v.Subscript.value, scope, depth + 1);
      return text ? slice(*text, v.Subscript.slice) : std::nullopt;
    }
    case Call_kind:
      return fold_call(node, scope, depth + 1);
    case Name_kind:
      return fold_name(node, scope, depth + 1);
    default:
      return std::nullopt;
  }
}

}  // namespace airlock::vet
