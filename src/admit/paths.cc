// A text is searched for separators. At each that can begin an absolute path (nothing before it
// that would make it part of a word or of a URL), the folders of the table are tried. Characters
// are read through their percent-encoding, at any depth (%2F, %252F), and a row of separators
// counts as one, so paths inside JSON or Python strings (C:\\Users\\ann) are found as well.
#include "admit/paths.h"

#include <algorithm>
#include <array>
#include <span>

#include "base/ascii.h"

namespace airlock {

namespace {

constexpr std::size_t kNotFound = std::string_view::npos;

// One character of the text as it is meant: plain, or percent-encoded.
struct Unit {
  char value = '\0';
  std::size_t bytes = 0;  // 0: the end
};

constexpr int kMostLevels = 8;  // of percent-encoding inside each other

// %2F, %252F, %25252F: each 25 is a percent sign that was encoded once more.
Unit unit_at(std::string_view text, std::size_t at) {
  if (at >= text.size()) return {};
  if (text[at] != '%') return {text[at], 1};
  std::size_t digits = at + 1;
  for (int level = 0; level < kMostLevels && text.substr(digits, 2) == "25"; ++level) digits += 2;
  if (digits + 2 > text.size()) return {'%', 1};
  const int high = hex_value(text[digits]);
  const int low = hex_value(text[digits + 1]);
  if (high < 0 || low < 0) return {'%', 1};
  return {static_cast<char>(high * 16 + low), digits + 2 - at};
}

bool is_separator(Unit unit) {
  return unit.bytes > 0 && (unit.value == '/' || unit.value == '\\');
}

std::size_t skip_separators(std::string_view text, std::size_t at) {
  while (is_separator(unit_at(text, at))) at += unit_at(text, at).bytes;
  return at;
}

// What a folder's name cannot have in it when it stands in running text.
bool ends_name(Unit unit) {
  static constexpr std::string_view kEnds = "\"'`:;,|<>()*?${}[]=&#!";
  return unit.bytes == 0 || is_separator(unit) || static_cast<unsigned char>(unit.value) <= ' ' ||
         unit.value == 0x7F || kEnds.find(unit.value) != kNotFound;
}

std::size_t end_of_name(std::string_view text, std::size_t at) {
  while (!ends_name(unit_at(text, at))) at += unit_at(text, at).bytes;
  return at;
}

// Windows lets user names have blanks: "C:\Users\Ann Lee\x". Only when a backslash follows, or, as
// in URLs, a slash as it is behind blanks that are encoded: "/Users/Ann%20Lee/x".
std::size_t end_of_windows_name(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 64;
  const std::size_t plain = end_of_name(text, at);
  std::size_t end = plain;
  bool is_encoded = true;
  while (unit_at(text, end).value == ' ' && unit_at(text, end).bytes > 0) {
    is_encoded = is_encoded && text[end] == '%';
    const std::size_t next = end_of_name(text, end + unit_at(text, end).bytes);
    if (next == end + unit_at(text, end).bytes || next - at > kLongest) return plain;
    end = next;
  }
  const bool is_followed =
      unit_at(text, end).value == '\\' || (is_encoded && end < text.size() && text[end] == '/');
  return end != plain && is_followed ? end : plain;
}

enum class Case { kExact, kAny };

// Behind `literal` (whose '/' stand for any row of separators), or kNotFound.
std::size_t match(std::string_view text, std::size_t at, std::string_view literal, Case letters) {
  for (const char c : literal) {
    const Unit unit = unit_at(text, at);
    if (unit.bytes == 0) return kNotFound;
    if (c == '/') {
      if (!is_separator(unit)) return kNotFound;
      at = skip_separators(text, at);
      continue;
    }
    if (unit.value != c && !(letters == Case::kAny && lower(unit.value) == lower(c)))
      return kNotFound;
    at += unit.bytes;
  }
  return at;
}

// Folders by their names below the root; * is any one name, @ a drive's letter. One whose last name
// identifies a user or a machine is removed even when nothing follows it.
struct KnownFolder {
  std::string_view names;
  Case letters = Case::kExact;
};
// The longer stand before the shorter that begin alike. Case::kAny where Windows is mounted.
constexpr std::array kFolders = {
    KnownFolder{"private/var/folders/*/*/*"},
    KnownFolder{"var/folders/*/*/*"},
    KnownFolder{"cygdrive/@/Users/*", Case::kAny},
    KnownFolder{"mnt/@/Users/*", Case::kAny},
    KnownFolder{"@/Users/*", Case::kAny},
    KnownFolder{"Volumes/*/Users/*"},
    KnownFolder{"System/Volumes/Data/Users/*"},
    KnownFolder{"private/var/tmp"},
    KnownFolder{"private/var/root"},
    KnownFolder{"private/tmp"},
    KnownFolder{"var/home/*"},
    KnownFolder{"export/home/*"},
    KnownFolder{"usr/home/*"},
    KnownFolder{"mnt/home/*"},
    KnownFolder{"var/tmp"},
    KnownFolder{"var/root"},
    KnownFolder{"run/user/*"},
    KnownFolder{"run/media/*"},
    KnownFolder{"media/*"},
    KnownFolder{"home/*"},
    KnownFolder{"Users/*"},
    KnownFolder{"root"},
    KnownFolder{"tmp"},
    KnownFolder{"mnt"},
};
// Below a drive's letter or a network share.
constexpr std::array kWindowsFolders = {
    KnownFolder{"Users/*", Case::kAny},
    KnownFolder{"Documents and Settings/*", Case::kAny},
    KnownFolder{"home/*", Case::kAny},
};

// Where the rest of the path begins when `folder` stands at `at`, or kNotFound.
std::size_t behind_folder(std::string_view text, std::size_t at, const KnownFolder& folder) {
  std::string_view names = folder.names;
  bool names_somebody = false;
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find('/'));
    names.remove_prefix(std::min(names.size(), name.size() + 1));
    names_somebody = name == "*";
    std::size_t end = at;
    if (name == "*") {
      end = end_of_windows_name(text, at);
      if (end == at || text.substr(at, end - at) == ".." || text.substr(at, end - at) == ".")
        return kNotFound;
    } else if (name == "@") {
      const Unit unit = unit_at(text, at);
      if (unit.bytes == 0 || !is_letter(unit.value)) return kNotFound;
      end = at + unit.bytes;
    } else {
      end = match(text, at, name, folder.letters);
      if (end == kNotFound) return kNotFound;
    }
    const std::size_t next = skip_separators(text, end);
    // Each name must end where the text's name ends: /homes/ann is not below /home.
    if (next == end && (!names.empty() || !ends_name(unit_at(text, end)))) return kNotFound;
    at = next;
  }
  // "/tmp" alone gives nothing away.
  if (!names_somebody && ends_name(unit_at(text, at))) return kNotFound;
  return at;
}

// The first folder of the table that stands at `at`.
std::size_t behind_any(std::string_view text, std::size_t at,
                       std::span<const KnownFolder> folders) {
  for (const KnownFolder& folder : folders) {
    if (const std::size_t end = behind_folder(text, at, folder); end != kNotFound) return end;
  }
  return kNotFound;
}

// Whether the two characters before `at` are those of an escape: "\n", "%3D", "\u003d".
bool follows_escape(std::string_view text, std::size_t at) {
  if (at >= 2 && text[at - 2] == '\\' && std::string_view("nrtbf0").find(text[at - 1]) != kNotFound)
    return true;
  if (at >= 3 && text[at - 3] == '%' && hex_value(text[at - 1]) >= 0 &&
      hex_value(text[at - 2]) >= 0)
    return true;
  return at >= 6 && text[at - 6] == '\\' && text[at - 5] == 'u';
}

// "-I/home/ann/include": a letter before the path that is an option's.
bool follows_option(std::string_view text, std::size_t at) {
  constexpr std::size_t kLongest = 16;
  std::size_t begin = at;
  while (begin > 0 && at - begin < kLongest && is_alnum(text[begin - 1])) --begin;
  if (begin == 0 || text[begin - 1] != '-') return false;
  while (begin > 0 && text[begin - 1] == '-') --begin;
  return begin == 0 || !is_alnum(text[begin - 1]);
}

// What begins at `at` is glued to what stands before it, and is no part of that.
bool may_begin(std::string_view text, std::size_t at) {
  return at == 0 || !is_alnum(text[at - 1]) || follows_escape(text, at) || follows_option(text, at);
}

// Where a path that has a separator (or a drive) at `at` begins: there, or before, when steps up
// ("../../home/ann") lead to it. kNotFound: it is part of something longer.
std::size_t begin_of_path(std::string_view text, std::size_t at) {
  if (at == 0) return at;
  const char before = text[at - 1];
  if (is_alnum(before) || before == '_')
    return follows_escape(text, at) || follows_option(text, at) ? at : kNotFound;
  if (before == '~') return kNotFound;
  if (before != '.') return at;
  if (at < 2 || text[at - 2] != '.') return kNotFound;
  constexpr int kMostSteps = 64;  // nobody lives deeper, and a longer row may be a trap
  std::size_t begin = at - 2;
  for (int steps = 0;
       steps < kMostSteps && begin >= 3 && (text[begin - 1] == '/' || text[begin - 1] == '\\') &&
       text.substr(begin - 3, 2) == "..";
       ++steps)
    begin -= 3;
  const bool is_deeper =
      begin > 0 && (text[begin - 1] == '.' || text[begin - 1] == '/' || text[begin - 1] == '\\');
  return !is_deeper && may_begin(text, begin) ? begin : kNotFound;
}

// The next byte that may be a separator, or the end.
std::size_t next_separator(std::string_view text, std::size_t at) {
  while (at < text.size() && text[at] != '/' && text[at] != '\\' && text[at] != '%') ++at;
  return at;
}

// A folder that goes: from `begin` up to the rest of the path at `end`.
struct Found {
  std::size_t begin = kNotFound;  // of what goes
  std::size_t end = 0;
};

// How many bytes before `at` are a colon, as it is or percent-encoded.
std::size_t colon_before(std::string_view text, std::size_t at) {
  if (at >= 1 && text[at - 1] == ':') return 1;
  if (at >= 3 && (text.substr(at - 3, 3) == "%3A" || text.substr(at - 3, 3) == "%3a")) return 3;
  return 0;
}

// Behind the host of a file: URL whose separators stand from `at` to `path` ("file://host/a"), at
// its separator; kNotFound: it has none.
std::size_t behind_host(std::string_view text, std::size_t at, std::size_t path) {
  const std::size_t first = at + unit_at(text, at).bytes;
  if (first + unit_at(text, first).bytes != path) return kNotFound;
  const std::size_t end = end_of_name(text, path);
  return end != path && is_separator(unit_at(text, end)) ? end : kNotFound;
}

// "file:" in front of the separators at `at`: where it begins, or kNotFound.
std::size_t begin_of_scheme(std::string_view text, std::size_t at) {
  const std::size_t colon = colon_before(text, at);
  if (colon == 0 || at < colon + 4) return kNotFound;
  const std::size_t begin = at - colon - 4;
  if (match(text, begin, "file", Case::kAny) != begin + 4) return kNotFound;
  return may_begin(text, begin) ? begin : kNotFound;
}

// A drive in front of the separators at `at`: where it begins, or kNotFound.
std::size_t begin_of_drive(std::string_view text, std::size_t at) {
  const std::size_t colon = colon_before(text, at);
  if (colon == 0 || at < colon + 1 || !is_letter(text[at - colon - 1])) return kNotFound;
  const std::size_t begin = at - colon - 1;
  // "-xhttp://users": no drive, but the end of a URL's scheme.
  const bool is_scheme = begin > 0 && is_alnum(text[begin - 1]) && text.substr(at, 2) == "//";
  return may_begin(text, begin) && !is_scheme ? begin : kNotFound;
}

// Behind "X:" and its separators, when a drive stands at `at`; kNotFound otherwise.
std::size_t behind_drive(std::string_view text, std::size_t at) {
  const Unit letter = unit_at(text, at);
  if (letter.bytes == 0 || !is_letter(letter.value)) return kNotFound;
  const Unit colon = unit_at(text, at + letter.bytes);
  if (colon.bytes == 0 || (colon.value != ':' && colon.value != '|')) return kNotFound;
  const std::size_t end = at + letter.bytes + colon.bytes;
  const std::size_t next = skip_separators(text, end);
  return next == end ? kNotFound : next;
}

// \\server\share\rest. Two backslashes, then single ones; or four, then double ones, as in code. A
// regular expression (\\s\\d) has neither.
std::size_t behind_share(std::string_view text, std::size_t at) {
  std::size_t leading = 0;
  while (unit_at(text, at).bytes > 0 && unit_at(text, at).value == '\\') {
    at += unit_at(text, at).bytes;
    ++leading;
  }
  if (leading != 2 && leading != 4) return kNotFound;
  if (const Unit mark = unit_at(text, at);
      mark.bytes > 0 && (mark.value == '?' || mark.value == '.')) {
    const std::size_t inner = skip_separators(text, at + mark.bytes);
    const std::size_t share = match(text, inner, "UNC/", Case::kAny);
    if (share == kNotFound) {
      const std::size_t path = behind_drive(text, inner);
      return path == kNotFound ? kNotFound : behind_any(text, path, kWindowsFolders);
    }
    at = share;
  }
  const auto name = [&](std::size_t from) {
    const auto fits = [](Unit unit) {
      return unit.bytes > 0 &&
             (is_alnum(unit.value) || std::string_view("._-$@").find(unit.value) != kNotFound ||
              static_cast<unsigned char>(unit.value) >= 0x80);
    };
    std::size_t end = from;
    while (fits(unit_at(text, end))) end += unit_at(text, end).bytes;
    return end - from >= 2 ? end : kNotFound;
  };
  const auto gap = [&](std::size_t from) {
    std::size_t count = 0;
    while (unit_at(text, from).bytes > 0 && unit_at(text, from).value == '\\') {
      from += unit_at(text, from).bytes;
      ++count;
    }
    return count == leading / 2 ? from : kNotFound;
  };
  // Below the share stand the same folders as below a drive; they go, too.
  const std::size_t server = name(at);
  const std::size_t share = server == kNotFound ? kNotFound : gap(server);
  if (share == kNotFound) return kNotFound;
  if (const std::size_t end = behind_any(text, share, kWindowsFolders); end != kNotFound)
    return end;
  const std::size_t share_end = name(share);
  if (share_end == kNotFound) return kNotFound;
  const std::size_t rest = gap(share_end);
  if (rest == kNotFound) return ends_name(unit_at(text, share_end)) ? share_end : kNotFound;
  const std::size_t deeper = behind_any(text, rest, kWindowsFolders);
  return deeper == kNotFound ? rest : deeper;
}

// "/home/ann//home/bob/x": what follows a row of separators can be absolute again.
std::size_t behind_next_folders(std::string_view text, std::size_t at) {
  const auto is_plain = [&](std::size_t place) {
    return text[place] == '/' || text[place] == '\\';
  };
  while (at >= 2 && is_plain(at - 1) && is_plain(at - 2)) {
    const std::size_t next = behind_any(text, at, kFolders);
    if (next == kNotFound) break;
    at = next;
  }
  return at;
}

}  // namespace

PathScrubber::PathScrubber(const std::vector<std::string>& roots) {
  for (const std::string& given : roots) {
    Root root;
    root.is_windows = given.size() >= 2 && is_letter(given[0]) && given[1] == ':';
    for (const char c : given) {
      // On Unix a backslash may be part of a name; on Windows it separates.
      const bool is_gap = c == '/' || (c == '\\' && (root.is_windows || given.starts_with("\\\\")));
      if (!is_gap)
        root.path += c;
      else if (!root.path.ends_with('/'))
        root.path += '/';
    }
    if (root.path.ends_with('/')) root.path.pop_back();
    const std::size_t least = root.is_windows ? 3 : 1;
    if (root.path.size() > least) roots_.push_back(std::move(root));
  }
  // The longest first: a root inside another is the nearer one.
  std::ranges::stable_sort(roots_, std::ranges::greater(),
                           [](const Root& root) { return root.path.size(); });
}

std::optional<std::string> PathScrubber::relative(std::string_view text) const {
  // `at`: the first separator of a row. `path`: behind it.
  // Steps up lead to a root only when it is more than one name: "../output" is a neighbour.
  const auto behind_root = [&](std::size_t at, bool is_windows, bool has_steps_up = false) {
    for (const Root& root : roots_) {
      if (root.is_windows != is_windows || (has_steps_up && root.path.rfind('/') == 0)) continue;
      const std::size_t end = match(text, at, root.path, is_windows ? Case::kAny : Case::kExact);
      if (end == kNotFound) continue;
      const std::size_t next = skip_separators(text, end);
      if (next != end || ends_name(unit_at(text, end))) return next;
    }
    return kNotFound;
  };
  // What begins at this row of separators, in the order: file: URL, drive, and then plain paths,
  // the caller's roots before the folders of the tables.
  const auto look = [&](std::size_t at, std::size_t path) -> Found {
    const std::size_t scheme = begin_of_scheme(text, at);
    if (scheme != kNotFound) {
      std::size_t inner = path;
      std::size_t slash = at;
      if (const std::size_t host = match(text, path, "localhost/", Case::kAny); host != kNotFound) {
        slash = path + 9;
        inner = host;
      }
      if (const std::size_t end = behind_root(slash, false); end != kNotFound) return {scheme, end};
      if (const std::size_t end = behind_root(inner, true); end != kNotFound) return {scheme, end};
      const std::size_t drive = behind_drive(text, inner);
      const std::size_t end = drive != kNotFound ? behind_any(text, drive, kWindowsFolders)
                                                 : behind_any(text, inner, kFolders);
      if (end != kNotFound) return {scheme, end};
      if (const std::size_t host = behind_host(text, at, path); host != kNotFound) {
        const std::size_t rest = behind_any(text, skip_separators(text, host), kFolders);
        if (rest != kNotFound) return {scheme, rest};
      }
    }
    if (const std::size_t drive = begin_of_drive(text, at); drive != kNotFound) {
      if (const std::size_t end = behind_root(drive, true); end != kNotFound) return {drive, end};
      if (const std::size_t end = behind_any(text, path, kWindowsFolders); end != kNotFound)
        return {drive, end};
    }
    const std::size_t begin = begin_of_path(text, at);
    if (begin == kNotFound) return {};
    if (const std::size_t end = behind_root(at, false, begin != at); end != kNotFound)
      return {begin, end};
    if (const std::size_t drive = behind_drive(text, path); drive != kNotFound) {
      if (const std::size_t end = behind_any(text, drive, kWindowsFolders); end != kNotFound)
        return {begin, end};
    }
    if (const std::size_t end = behind_share(text, at); end != kNotFound) return {begin, end};
    if (const std::size_t end = behind_any(text, path, kFolders); end != kNotFound)
      return {begin, end};
    return {};
  };

  std::string out;
  std::size_t kept = 0;  // text before this has been dealt with
  for (std::size_t at = next_separator(text, 0); at < text.size();) {
    const std::size_t path = skip_separators(text, at);
    if (path == at) {  // a percent sign that is no separator
      at = next_separator(text, at + 1);
      continue;
    }
    const Found found = look(at, path);
    if (found.begin == kNotFound || found.begin < kept) {
      at = next_separator(text, path);
      continue;
    }
    out += text.substr(kept, found.begin - kept);
    kept = behind_next_folders(text, found.end);
    // Nothing is left of the path: it was the folder itself, and "." is its relative name.
    if (ends_name(unit_at(text, kept))) out += '.';
    at = next_separator(text, kept);
  }
  if (kept == 0) return std::nullopt;
  out += text.substr(kept);
  return out;
}

}  // namespace airlock
