// ErrorOutput: what an external program prints to its standard error. It goes on to that of this process, and its last
// line is kept, for the message of a failure.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "datasets/io/descriptor.hpp"

namespace warpbench {

class ErrorOutput {
 public:
  /// Throws std::system_error.
  ErrorOutput();

  /// The end that the program writes to. To be closed here once the program has it, so that its end is seen.
  [[nodiscard]] int writing_end() const { return theirs_.get(); }
  void close_writing_end() { theirs_.reset(); }
  /// Can be polled; -1 once the program has closed it.
  [[nodiscard]] int reading_end() const { return ours_.open() ? ours_.get() : -1; }
  /// Reads what is there, without waiting, and prints it.
  void pass_on() noexcept;
  /// Without control characters, at most some 200 of them; "" if nothing was printed. Of a line of more than 4 KiB only
  /// the end is known.
  [[nodiscard]] std::string last_line() const;

 private:
  datasets::Descriptor ours_;
  datasets::Descriptor theirs_;
  std::string tail_;
};

/// The first bytes of UTF-8, at most `size` of them, without a part of a character at their end.
[[nodiscard]] std::string_view cut_text(std::string_view text, std::size_t size);

/// Where the standard error of this process ends up, for messages; "" if that is not known, as on a terminal.
void set_error_log(const std::filesystem::path& log);
[[nodiscard]] const std::filesystem::path& error_log();

}  // namespace warpbench
