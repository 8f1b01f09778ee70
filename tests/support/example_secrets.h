// Examples of credentials, made from the recipes of admit/credentials.h: text that looks like a
// secret and is none.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace airlock {

// The classes of a recipe, as credentials.h lists them.
inline std::string_view recipe_alphabet(char name) {
  switch (name) {
    case 'A':
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
    case 'U':
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    case 'L':
      return "abcdefghijklmnopqrstuvwxyz0123456789";
    case 'x':
      return "0123456789abcdef";
    case 'X':
      return "0123456789ABCDEF";
    case 'd':
      return "0123456789";
    case 'w':
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    default:
      return "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  }
}

// Sebastiano Vigna's splitmix64: small, and the same everywhere, so an example has one form for
// good.
inline std::uint64_t next_random(std::uint64_t& state) {
  std::uint64_t z = state += 0x9E3779B97F4A7C15U;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

// The example of a recipe; another `number`, another example.
inline std::string make_example(std::string_view recipe, std::uint64_t number) {
  std::string text;
  std::uint64_t state = number;
  while (!recipe.empty()) {
    const std::size_t end = recipe[0] == '{' ? recipe.find('}') : std::string_view::npos;
    if (end == std::string_view::npos) {
      text += recipe[0];
      recipe.remove_prefix(1);
      continue;
    }
    // {A16}: the class, then how many.
    std::size_t count = 0;
    for (const char digit : recipe.substr(2, end - 2))
      count = 10 * count + static_cast<std::size_t>(digit - '0');
    const std::string_view letters = recipe_alphabet(recipe[1]);
    for (; count > 0; --count) text += letters[next_random(state) % letters.size()];
    recipe.remove_prefix(end + 1);
  }
  return text;
}

}  // namespace airlock
