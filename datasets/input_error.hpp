// InputError: the error for all input from outside: a file, a spec, a registry entry.
//
// A reader must be able to correct the input without our source. So an InputError always names the place, the expected,
// the found and, if known, the remedy.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace warpbench::datasets {

class InputError : public std::runtime_error {
 public:
  /// `line` is 1-based; 0 = the place has no line (the file as a whole, a parameter, …).
  /// what() is one sentence: `FILE:LINE: expected X, found Y (fix)`.
  InputError(std::string file, std::uint64_t line, std::string expected, std::string found, std::string fix = {});

  /// For binary files: `FILE: byte N: expected X, found Y (fix)`. `offset` is 0-based.
  [[nodiscard]] static InputError at_byte(std::string file, std::uint64_t offset, std::string expected,
                                          std::string found, std::string fix = {});

  [[nodiscard]] const std::string& file() const noexcept { return file_; }
  [[nodiscard]] std::uint64_t line() const noexcept { return line_; }
  [[nodiscard]] std::optional<std::uint64_t> byte() const noexcept { return byte_; }
  [[nodiscard]] const std::string& expected() const noexcept { return expected_; }
  [[nodiscard]] const std::string& found() const noexcept { return found_; }
  [[nodiscard]] const std::string& fix() const noexcept { return fix_; }

 private:
  InputError(std::string file, std::uint64_t line, std::optional<std::uint64_t> byte, std::string expected,
             std::string found, std::string fix);

  std::string file_;
  std::uint64_t line_ = 0;
  std::optional<std::uint64_t> byte_;
  std::string expected_;
  std::string found_;
  std::string fix_;
};

}  // namespace warpbench::datasets
