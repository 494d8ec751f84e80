// A solver that is a program of its own, such as a peer in another language: starts it and speaks with it as
// docs/external-programs.md says, in lines of JSON over its standard input and output.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "datasets/io/descriptor.hpp"
#include "solvers/external/command.hpp"
#include "solvers/external/error_output.hpp"

namespace warpbench {

class ExternalProgram {
 public:
  static constexpr std::chrono::seconds kReadyPatience{60};

  /// Starts `command`, words between blanks, and waits until the program is ready. Throws Unsupported where it says so
  /// or cannot be started, std::runtime_error where it is not ready within `patience`. The program is killed when the
  /// calling thread ends, however that comes.
  explicit ExternalProgram(const std::string& command, std::chrono::milliseconds patience = kReadyPatience);
  ExternalProgram(const ExternalProgram&) = delete;
  ExternalProgram& operator=(const ExternalProgram&) = delete;
  /// Ends its input, then the program after some seconds if it goes on nevertheless, and what it has started.
  ~ExternalProgram();

  /// What the program calls itself: "implicit 0.7.3".
  [[nodiscard]] const std::string& title() const { return title_; }

  /// Sends {"prepare": request} and waits for {"prepared": {}}. Returns the seconds that the program's clock ran
  /// meanwhile, by this process's own. Throws as next() does.
  double prepare(const nlohmann::json& request);
  /// Sends {"solve": request}.
  void ask(const nlohmann::json& request);

  enum class Event { clock_starts, clock_stops, prepared, answered };
  /// Tells the program, which waits for it, that the clock runs or has been stopped: to be called after the moment of
  /// the start has been noted, or that of the end. A program that did not wait would be in the way of this thread where
  /// they share a core, and the clock would start too late. Throws std::runtime_error where the program did not wait.
  void confirm_clock(bool runs);
  /// Waits for the next line; one of the clock is to be confirmed before another is waited for. Throws Unsupported
  /// where the program says so, std::runtime_error where it fails, ends or says what the protocol does not know.
  [[nodiscard]] Event next();
  /// A member of {"answered": {…}}, which is an array of numbers; after Event::answered. null, which JSON has in place
  /// of numbers that are not finite, becomes NaN. Throws std::runtime_error where it is no such array.
  [[nodiscard]] std::vector<double> answered_numbers(const std::string& member) const;
  /// A member that is an integer, digit by digit: it may have more than 64 bits, which JSON has in quotes. Throws
  /// std::runtime_error where it is none.
  [[nodiscard]] std::string answered_integer(const std::string& member) const;
  /// The same of one that counts something. Throws std::runtime_error where it is negative or exceeds 64 bits.
  [[nodiscard]] std::uint64_t answered_count(const std::string& member) const;
  /// The answer's {"facts": {…}}, which are texts; and the program's title as "program", its command as "command", and
  /// the SHA-256 of the files that the command names as "sha256".
  [[nodiscard]] const std::map<std::string, std::string>& facts() const { return facts_; }
  /// The answer's {"phases": {…}}: seconds by the program's own clock.
  [[nodiscard]] const std::map<std::string, double>& phases() const { return phases_; }

 private:
  using Clock = std::chrono::steady_clock;

  void send(const nlohmann::json& message, const char* why_not_earlier);
  void refuse_early_line(const char* why);
  [[nodiscard]] Event next(Event last);
  void take_facts(const nlohmann::json& answer);
  void take_phases(const nlohmann::json& answer);
  [[nodiscard]] nlohmann::json read_line(Clock::time_point deadline = Clock::time_point::max());
  void await_input(Clock::time_point deadline);
  void end(std::chrono::milliseconds patience) noexcept;
  [[noreturn]] void fail_at_end();
  [[noreturn]] void fail(const std::string& found) const;

  std::string command_;
  std::string title_;
  pid_t process_ = -1;
  datasets::Descriptor line_;  // its standard input and output
  ErrorOutput errors_;
  std::string unread_;
  std::string answer_;
  std::string files_;  // SHA-256 of those that the command names, once they were asked for
  std::map<std::string, std::string> facts_;
  std::map<std::string, double> phases_;
};

}  // namespace warpbench
