// NameNumbers: numbers for ids that are names, shared by the loaders that read such.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "datasets/loaders/formats.hpp"
#include "datasets/loaders/line_reader.hpp"

namespace warpbench::datasets {

/// Numbers names from 0 in the order of their first appearance.
class NameNumbers {
 public:
  std::uint32_t number_of(std::string_view name) {
    return numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(numbers_.size())).first->second;
  }
  [[nodiscard]] std::uint64_t size() const { return numbers_.size(); }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

/// Throws InputError at a line with a zero byte: names are text.
inline void refuse_zero_byte(const LineReader& line) {
  if (line.line().find('\0') != std::string_view::npos) line.fail("a line of names", "a zero byte");
}

/// The fix where an id is no number.
inline constexpr const char* kSayNames = "set ids: names if ids are names";

/// Option `ids`; `what` has them, in words.
[[nodiscard]] inline OptionDeclaration ids_option(const std::string& what) {
  return {"ids", {"numbers", "names"}, "names: " + what + " are numbered as they first appear"};
}

}  // namespace warpbench::datasets
