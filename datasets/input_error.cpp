#include "datasets/input_error.hpp"

#include <utility>

namespace warpbench::datasets {
namespace {

std::string sentence(const std::string& file, std::uint64_t line, std::optional<std::uint64_t> byte,
                     const std::string& expected, const std::string& found, const std::string& fix) {
  std::string text = file;
  if (line != 0) text += ':' + std::to_string(line);
  if (byte) text += ": byte " + std::to_string(*byte);
  text += ": expected " + expected + ", found " + found;
  if (!fix.empty()) text += " (" + fix + ')';
  return text;
}

}  // namespace

InputError::InputError(std::string file, std::uint64_t line, std::string expected, std::string found, std::string fix)
    : InputError(std::move(file), line, std::nullopt, std::move(expected), std::move(found), std::move(fix)) {}

InputError InputError::at_byte(std::string file, std::uint64_t offset, std::string expected, std::string found,
                               std::string fix) {
  return {std::move(file), 0, std::optional<std::uint64_t>{offset}, std::move(expected), std::move(found),
          std::move(fix)};
}

InputError::InputError(std::string file, std::uint64_t line, std::optional<std::uint64_t> byte, std::string expected,
                       std::string found, std::string fix)
    : std::runtime_error(sentence(file, line, byte, expected, found, fix)),
      file_(std::move(file)),
      line_(line),
      byte_(byte),
      expected_(std::move(expected)),
      found_(std::move(found)),
      fix_(std::move(fix)) {}

}  // namespace warpbench::datasets
