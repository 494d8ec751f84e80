// A solver that is a program of its own, such as a peer in another language: starts it and speaks with it as
// docs/external-programs.md says, in lines of JSON over its standard input and output.
#pragma once

#include <sys/types.h>

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "datasets/io/descriptor.hpp"

namespace warpbench {

class ExternalProgram {
 public:
  /// Starts `command`, words between blanks, and waits until the program is ready. Throws Unsupported where it says so
  /// or cannot be started.
  explicit ExternalProgram(const std::string& command);
  ExternalProgram(const ExternalProgram&) = delete;
  ExternalProgram& operator=(const ExternalProgram&) = delete;
  /// Ends its input, and the program after some seconds if it goes on nevertheless.
  ~ExternalProgram();

  /// What the program calls itself: "implicit 0.7.3".
  [[nodiscard]] const std::string& title() const { return title_; }

  /// Sends {"solve": request}.
  void ask(const nlohmann::json& request);

  enum class Event { clock_starts, clock_stops, answered };
  /// Waits for the next line. Throws Unsupported where the program says so, std::runtime_error where it fails, ends or
  /// says what the protocol does not know.
  [[nodiscard]] Event next();
  /// A member of {"answered": {…}}, which is an array of numbers; after Event::answered. null, which JSON has in place
  /// of numbers that are not finite, becomes NaN. Throws std::runtime_error where it is no such array.
  [[nodiscard]] std::vector<double> answered_numbers(const std::string& member) const;

 private:
  [[nodiscard]] nlohmann::json read_line();
  void end() noexcept;
  [[noreturn]] void fail(const std::string& found) const;

  std::string command_;
  std::string title_;
  pid_t process_ = -1;
  datasets::Descriptor line_;  // its standard input and output
  std::string unread_;
  std::string answer_;
};

}  // namespace warpbench
