#include "base/glob.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>

namespace airlock {
namespace {

bool fits(const char* pattern, const char* path) {
  const auto glob = Glob::parse(pattern);
  EXPECT_TRUE(glob) << pattern;
  return glob && glob->matches(path);
}

TEST(Glob, StarsStayInTheirSegment) {
  EXPECT_TRUE(fits("*.py", "a.py"));
  EXPECT_TRUE(fits("*.py", ".py"));
  EXPECT_FALSE(fits("*.py", "src/a.py"));
  EXPECT_TRUE(fits("src/*/x", "src/a/x"));
  EXPECT_FALSE(fits("src/*/x", "src/a/b/x"));
  EXPECT_TRUE(fits("a?c", "abc"));
  EXPECT_FALSE(fits("a?c", "a/c"));
}

TEST(Glob, TwoStarsAreAnyNumberOfSegments) {
  for (const char* path : {"a.py", "x/a.py", "x/y/z/a.py"})
    EXPECT_TRUE(fits("**/*.py", path)) << path;
  EXPECT_FALSE(fits("**/a.py", "xa.py"));
  EXPECT_TRUE(fits("src/**", "src/a/b"));
  EXPECT_FALSE(fits("src/**", "src"));
  EXPECT_TRUE(fits("a/**/b", "a/b"));
  EXPECT_TRUE(fits("a/**/b", "a/x/y/b"));
  EXPECT_FALSE(fits("a/**/b", "axb"));
  EXPECT_TRUE(fits("**", "anything/at/all"));
}

TEST(Glob, SetsAndBraces) {
  EXPECT_TRUE(fits("[a-c]x", "bx"));
  EXPECT_FALSE(fits("[!a-c]x", "bx"));
  EXPECT_FALSE(fits("[!a]", "/"));
  EXPECT_TRUE(fits("[]]", "]"));
  EXPECT_TRUE(fits("*.{yml,yaml}", "a.yaml"));
  EXPECT_TRUE(fits("{a,b{c,d}}e", "bde"));
  EXPECT_FALSE(fits("{a,b}", "c"));
  EXPECT_TRUE(fits("\\*", "*"));
  EXPECT_FALSE(fits("\\*", "a"));
}

TEST(Glob, BracesInBracketsAreCharacters) {
  for (const char* path : {"{", "}", ",", "a"}) EXPECT_TRUE(fits("[{a,}]", path)) << path;
  EXPECT_FALSE(fits("[{a,}]", "b"));
  EXPECT_TRUE(fits("{[,],b}c", ",c"));
  EXPECT_TRUE(fits("{[,],b}c", "bc"));
  EXPECT_FALSE(fits("{[,],b}c", "]c"));
  EXPECT_TRUE(fits("x[}]{a,b}", "x}b"));
  EXPECT_EQ(*expand_braces("[{]{a,b}"), (std::vector<std::string>{"[{]a", "[{]b"}));
}

TEST(Glob, WhereBracesMeanNothingTheyAreCharacters) {
  const auto glob = Glob::parse("{a,b}", Braces::kPlain);
  ASSERT_TRUE(glob);
  EXPECT_TRUE(glob->matches("{a,b}"));
  EXPECT_FALSE(glob->matches("a"));
  EXPECT_TRUE(Glob::parse("a{", Braces::kPlain)->matches("a{"));
}

// Whether two stars are a whole segment is told in each form alone.
TEST(Glob, StarsAtTheBorderOfBraces) {
  EXPECT_TRUE(fits("{a/,b}**/c", "a/x/y/c"));
  EXPECT_FALSE(fits("{a/,b}**/c", "bx/y/c"));
  EXPECT_TRUE(fits("{a/,b}**/c", "bx/c"));
  EXPECT_TRUE(fits("{*,a}*/b", "x/y/b"));
  EXPECT_TRUE(fits("src/**{/x,}", "src/a/x"));
  EXPECT_TRUE(fits("src/**{/x,}", "src/q/r"));
  EXPECT_TRUE(fits("{**/,}a", "a"));
}

TEST(Glob, SaysWhatIsWrong) {
  for (const char* pattern : {"", "[a", "{a", "a\\", "{[}"})
    EXPECT_FALSE(Glob::parse(pattern)) << pattern;
  EXPECT_FALSE(Glob::parse("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"));
  EXPECT_FALSE(Glob::parse(std::string(5000, 'a')));
  EXPECT_FALSE(Glob::parse(std::string(40, '{') + std::string(40, '}')));
}

// ── Against a slow one ───────────────────────────────────────────────────────────────────────

// The first brace group outside of brackets, taken apart by counting; one form after the other.
struct Group {
  std::size_t open = std::string::npos, close = std::string::npos;
  std::vector<std::string> forms;
};

std::optional<Group> first_group(const std::string& pattern) {
  Group group;
  int depth = 0;
  std::string form;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    std::string text(1, pattern[i]);
    if (pattern[i] == '[') {
      const std::size_t inside = i + 1 + (pattern.substr(i + 1, 1).find_first_of("!^") == 0);
      const std::size_t close = pattern.find(']', inside + 1);
      if (close == std::string::npos) return std::nullopt;
      text = pattern.substr(i, close - i + 1);
      i = close;
    } else if (pattern[i] == '{' && depth++ == 0) {
      group.open = i;
      continue;
    } else if (pattern[i] == '}' && depth > 0 && --depth == 0) {
      group.forms.push_back(form);
      group.close = i;
      return group;
    } else if (pattern[i] == ',' && depth == 1) {
      group.forms.push_back(form);
      form.clear();
      continue;
    }
    if (depth > 0) form += text;
  }
  return group;
}

bool form_fits(std::string_view form, std::string_view path, bool begins_segment);

bool rest_fits(std::string_view form, std::string_view path, std::size_t read) {
  return form_fits(form.substr(read), path, form[read - 1] == '/');
}

// By trying everything, as the header says it in words.
bool form_fits(std::string_view form, std::string_view path, bool begins_segment) {
  if (form.empty()) return path.empty();
  if (begins_segment && form == "**") return !path.empty();
  if (begins_segment && form.starts_with("**/")) {
    if (form_fits(form.substr(3), path, true)) return true;
    for (std::size_t i = 0; i < path.size(); ++i) {
      if (path[i] == '/' && form_fits(form.substr(3), path.substr(i + 1), true)) return true;
    }
    return false;
  }
  if (form[0] == '*') {
    const std::size_t stars = form.find_first_not_of('*');
    const std::string_view behind = stars == std::string::npos ? "" : form.substr(stars);
    for (std::size_t i = 0;; ++i) {
      if (form_fits(behind, path.substr(i), false)) return true;
      if (i == path.size() || path[i] == '/') return false;
    }
  }
  if (path.empty()) return false;
  if (form[0] == '?') return path[0] != '/' && rest_fits(form, path.substr(1), 1);
  if (form[0] == '[') {
    const bool is_negated = form[1] == '!' || form[1] == '^';
    const std::size_t from = is_negated ? 2 : 1;
    const std::size_t close = form.find(']', from + 1);
    bool is_in = false;
    for (std::size_t i = from; i < close; ++i) {
      const bool is_range = i + 2 < close && form[i + 1] == '-';
      is_in = is_in || (form[i] <= path[0] && path[0] <= form[is_range ? i + 2 : i]);
      if (is_range) i += 2;
    }
    return path[0] != '/' && is_in != is_negated &&
           form_fits(form.substr(close + 1), path.substr(1), false);
  }
  return form[0] == path[0] && rest_fits(form, path.substr(1), 1);
}

// Nothing: no pattern.
std::optional<bool> slow_fits(const std::string& pattern, std::string_view path) {
  const auto group = first_group(pattern);
  if (!group) return std::nullopt;
  if (group->open == std::string::npos) return form_fits(pattern, path, true);
  if (group->close == std::string::npos) return std::nullopt;
  bool any = false;
  for (const std::string& form : group->forms) {
    const auto one =
        slow_fits(pattern.substr(0, group->open) + form + pattern.substr(group->close + 1), path);
    if (!one) return std::nullopt;
    any = any || *one;
  }
  return any;
}

TEST(Glob, AgreesWithASlowOneOnWhateverComes) {
  std::mt19937 random(20);
  const auto some = [&](std::string_view letters, std::size_t most) {
    std::string text;
    for (std::size_t left = random() % (most + 1); left > 0; --left)
      text += letters[random() % letters.size()];
    return text;
  };
  int fitted = 0;
  int judged = 0;
  for (int round = 0; round < 300'000; ++round) {
    const std::string pattern =
        random() % 2 == 0 ? some("ab/**?", 7) : some("ab//***?{{,}}[]!-", 12);
    const std::string path = some("aab/b,{", 7);
    const auto glob = Glob::parse(pattern);
    const auto wanted = pattern.empty() ? std::nullopt : slow_fits(pattern, path);
    ASSERT_EQ(glob.has_value(), wanted.has_value()) << pattern;
    if (!wanted) continue;
    ++judged;
    fitted += *wanted ? 1 : 0;
    ASSERT_EQ(glob->matches(path), *wanted) << "'" << pattern << "' on '" << path << "'";
  }
  EXPECT_GT(judged, 100'000);
  EXPECT_GT(fitted, 2'000);
}

// Long enough for more than one machine word.
TEST(Glob, LongPatternsAgreeToo) {
  std::mt19937 random(21);
  for (int round = 0; round < 2000; ++round) {
    std::string pattern;
    std::string path;
    for (int i = 0; i < 150; ++i) {
      const char letter = "abc/"[random() % 4];
      path += letter;
      const auto how = random() % 12;
      if (how == 0) {
        pattern += std::string("{x,") + letter + "}";
      } else if (how == 1 && letter != '/') {
        pattern += '?';
      } else if (how == 2 && i % 40 == 0) {
        pattern += std::string("*") + letter;
      } else {
        pattern += letter;
      }
    }
    if (random() % 2 == 0) path[random() % path.size()] = 'd';
    const auto glob = Glob::parse(pattern);
    if (!glob) continue;  // more than 256 forms
    ASSERT_EQ(glob->matches(path), *slow_fits(pattern, path)) << pattern << "\n" << path;
  }
}

// The steps are counted in words: what takes a second here would take minutes if forms were copied
// or ways tried one after the other.
TEST(Glob, NoPatternTakesLong) {
  std::string stars;
  for (int i = 0; i < 200; ++i) stars += "*a";
  const auto glob = Glob::parse(stars + "b");
  ASSERT_TRUE(glob);
  EXPECT_FALSE(glob->matches(std::string(5000, 'a')));

  std::string forms;
  for (int i = 0; i < 8; ++i) forms += "{,}";
  for (int i = 0; i < 230; ++i) forms += "*?";
  std::vector<Glob> all;
  for (int i = 0; i < 200; ++i) all.push_back(*Glob::parse(forms + "z?" + std::to_string(i)));
  std::string path;
  for (int i = 0; i < 8; ++i) path += std::string(200, 'x') + "/";
  for (const Glob& one : all) EXPECT_FALSE(one.matches(path + "f.txt"));
}

}  // namespace
}  // namespace airlock
