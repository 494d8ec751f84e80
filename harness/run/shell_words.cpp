#include "harness/run/shell_words.hpp"

#include <algorithm>
#include <string_view>

namespace warpbench::harness {

std::string quoted(const std::string& word) {
  constexpr std::string_view kPlain = "%+,-./0123456789:=@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz";
  const bool plain = std::ranges::all_of(word, [&](char c) { return kPlain.find(c) != std::string_view::npos; });
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + '\'';
}

}  // namespace warpbench::harness
