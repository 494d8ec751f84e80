#include "harness/machine/shell_words.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
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

std::string portable_command(std::span<const std::string> words) {
  constexpr std::array<std::string_view, 3> kFolders{"--out", "--cache", "--data"};
  if (words.empty()) return "";
  std::string command = "warpbench";
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view option = std::string_view(words[i]).substr(0, words[i].find('='));
    if (std::ranges::find(kFolders, option) == kFolders.end()) {
      command += ' ' + quoted(words[i]);
    } else if (option.size() == words[i].size()) {
      ++i;  // its folder
    }
  }
  return command;
}

}  // namespace warpbench::harness
