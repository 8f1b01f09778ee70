// The five characters that mean something in HTML, spelt so that they mean themselves: between tags
// and in quoted attributes. What a browser would hide (controls, marks that turn text round) is for
// the caller to make visible first (printable.h).
#pragma once

#include <string>
#include <string_view>

namespace airlock {

inline void append_html_escaped(std::string& out, std::string_view text) {
  for (const char letter : text) {
    switch (letter) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += letter;
    }
  }
}

}  // namespace airlock
