// What every page has around it: head, skip link, navigation, notices, footer. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "present/page/html.h"

namespace airlock::page {

enum class Place : std::uint8_t { kWaiting, kRejected, kExtractors, kRuns, kTail, kNowhere };

// Who looks at it.
struct Viewer {
  std::string form_token = {};  // empty: not signed in
  std::string name = {};        // as it was said the last time
  std::int64_t now = 0;         // ms since 1970

  bool is_signed_in() const { return !form_token.empty(); }
};

struct Frame {
  std::string title = {};
  Place place = Place::kNowhere;
  // A page that is asked for again and again by a browser without JavaScript; 0: it is not.
  int reload_seconds = 0;
  bool goes_to_start = false;  // at once
};

// The whole document.
std::string whole_page(const Frame& frame, const Viewer& viewer, const Html& body);

enum class Tone : std::uint8_t { kGood, kBad, kWarning, kNeutral };

// A coloured word with a sign: nothing is told by colour alone.
Html badge(Tone tone, std::string_view words);
// A box that is read out when the page comes up.
Html notice(Tone tone, std::string_view title, std::string_view words);

// "12 min ago", with the whole time behind it.
Html when(std::int64_t time, std::int64_t now);
// "3 min", "2 h", "5 days": one unit is enough.
std::string age_in_words(std::int64_t milliseconds);

// The hidden field that every form has.
Html form_token_field(const Viewer& viewer);

// Pages of a few words.
std::string sign_in_page(const Viewer& viewer);
std::string signed_in_page(const Viewer& viewer);
std::string link_used_page(const Viewer& viewer);
// `words` may have several lines; `next`: what to do, may be empty.
std::string trouble_page(const Viewer& viewer, std::string_view title, std::string_view words,
                         const Html& next);

}  // namespace airlock::page
