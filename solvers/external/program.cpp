#include "solvers/external/program.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <thread>
#include <vector>

#include "solvers/registry.hpp"

namespace warpbench {
namespace {

using Json = nlohmann::json;
using datasets::Descriptor;

constexpr std::chrono::seconds kPatience(5);     // for a program to end after its input has ended
constexpr std::chrono::seconds kEndPatience(1);  // and after its output has ended
constexpr std::chrono::milliseconds kBetweenReads(50);
constexpr std::size_t kLongestLine = std::size_t{1} << 24U;
constexpr const char* kNotAsked = "before it was asked";

/// Becomes the program, or writes the error's number to `errors`. It makes no call that is unsafe after a fork of one
/// thread among several.
[[noreturn]] void become(char* const* arguments, int line, int prints, int errors, pid_t parent) {
  const bool arranged = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::setpgid(0, 0) == 0 &&
                        ::dup2(line, STDIN_FILENO) >= 0 && ::dup2(line, STDOUT_FILENO) >= 0 &&
                        ::dup2(prints, STDERR_FILENO) >= 0;
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);  // the parent ended before the first call
  if (arranged) ::execvp(arguments[0], arguments);
  const int error = errno;
  const ssize_t written = ::write(errors, &error, sizeof(error));
  ::_exit(written == sizeof(error) ? EXIT_FAILURE : EXIT_FAILURE + 1);
}

/// Starts the program, in a process group of its own, with `line` as standard input and output and `prints` as standard
/// error. It is killed when this thread ends, which posix_spawn() cannot arrange. Returns 0 or the error's number.
int start(std::vector<std::string>& words, const Descriptor& line, int prints, pid_t& process) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno;
  const Descriptor errors(ends[0]);
  Descriptor their_errors(ends[1]);
  const pid_t parent = ::getpid();
  process = ::fork();
  if (process < 0) return errno;
  if (process == 0) become(arguments.data(), line.get(), prints, their_errors.get(), parent);
  their_errors.reset();
  int error = 0;
  ssize_t got = 0;
  do {
    got = ::read(errors.get(), &error, sizeof(error));
  } while (got < 0 && errno == EINTR);
  if (got == 0) return 0;  // closed by its start
  const int why = got == sizeof(error) ? error : EIO;
  while (::waitpid(process, nullptr, 0) < 0 && errno == EINTR) continue;
  return why;
}

/// Whether the process has ended before `end`. It stays unreaped, so that nobody else gets its number.
bool ended_before(pid_t process, std::chrono::steady_clock::time_point end) {
  constexpr std::chrono::milliseconds kTick(5);
  for (;;) {
    siginfo_t found{};
    const int result = ::waitid(P_PID, static_cast<id_t>(process), &found, WEXITED | WNOHANG | WNOWAIT);
    if (found.si_pid == process || (result != 0 && errno == ECHILD)) return true;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kTick);
  }
}

}  // namespace

ExternalProgram::ExternalProgram(const std::string& command, std::chrono::milliseconds patience) : command_(command) {
  std::vector<std::string> words = words_of(command);
  if (words.empty()) throw Unsupported("expected the command of an external program, found nothing");
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot speak with an external program");
  }
  line_ = Descriptor(ends[0]);
  Descriptor theirs(ends[1]);
  if (const int error = start(words, theirs, errors_.writing_end(), process_); error != 0) {
    throw Unsupported(fmt::format("the external program {} cannot be started: {}", command_, std::strerror(error)));
  }
  theirs.reset();  // so that its end is seen
  errors_.close_writing_end();
  try {
    const Json said = read_line(Clock::now() + patience);
    if (!said.contains("ready") || !said["ready"].is_string()) fail(said.dump());
    title_ = said["ready"];
    fmt::print(stderr, "external program: {}\n", title_);  // for the log: a failure's record does not name it
  } catch (...) {
    end(std::min<std::chrono::milliseconds>(patience, kPatience));
    throw;
  }
}

ExternalProgram::~ExternalProgram() {
  end(kPatience);
}

void ExternalProgram::end(std::chrono::milliseconds patience) noexcept {
  line_.reset();
  const auto until = Clock::now() + patience;
  bool ended = false;
  do {  // it may wait for a reader of what it prints
    errors_.pass_on();
    ended = ended_before(process_, std::min(until, Clock::now() + kBetweenReads));
  } while (!ended && Clock::now() < until);
  // Fails harmlessly where nothing is left of the group.
  static_cast<void>(::kill(-process_, SIGKILL));
  if (ended || ended_before(process_, Clock::now() + kPatience))
    static_cast<void>(::waitpid(process_, nullptr, WNOHANG));
  errors_.pass_on();
}

double ExternalProgram::prepare(const Json& request) {
  send({{"prepare", request}}, kNotAsked);
  double seconds = 0;
  Event event = next(Event::prepared);
  while (event != Event::prepared) {
    constexpr const char* kOutOfTurn = "clocks that do not start and stop in turn";
    if (event != Event::clock_starts) fail(kOutOfTurn);
    const auto start = Clock::now();
    confirm_clock(true);
    event = next(Event::prepared);
    seconds += std::chrono::duration<double>(Clock::now() - start).count();
    if (event != Event::clock_stops) fail(kOutOfTurn);
    confirm_clock(false);
    event = next(Event::prepared);
  }
  return seconds;
}

void ExternalProgram::ask(const Json& request) {
  send({{"solve", request}}, kNotAsked);
}

void ExternalProgram::confirm_clock(bool runs) {
  send({{"clock", runs}}, "before its clock was confirmed: it waits for the same line");
}

/// A line that comes before its request would pass for a part of the answer, and its clock would time nothing.
void ExternalProgram::refuse_early_line(const char* why) {
  char first = 0;
  if (unread_.empty() && ::recv(line_.get(), &first, 1, MSG_PEEK | MSG_DONTWAIT) <= 0) return;
  fail(fmt::format("{} {}", read_line(Clock::now() + kPatience).dump(), why));
}

void ExternalProgram::send(const Json& message, const char* why_not_earlier) {
  refuse_early_line(why_not_earlier);
  const std::string text = message.dump() + '\n';
  for (std::size_t at = 0; at < text.size();) {
    // Without a signal where the program has ended.
    const ssize_t sent = ::send(line_.get(), text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) fail_at_end();
    at += static_cast<std::size_t>(sent);
  }
}

ExternalProgram::Event ExternalProgram::next() {
  return next(Event::answered);
}

/// A turn of the clock, or the `last` line of what the program was asked for.
ExternalProgram::Event ExternalProgram::next(Event last) {
  const Json said = read_line();
  if (const auto clock = said.find("clock"); clock != said.end() && clock->is_boolean() && said.size() == 1) {
    return clock->get<bool>() ? Event::clock_starts : Event::clock_stops;
  }
  if (last == Event::prepared) {
    if (!said.contains("prepared")) fail(said.dump());
    return last;
  }
  const auto answered = said.find("answered");
  if (answered == said.end() || !answered->is_object()) fail(said.dump());
  answer_ = answered->dump();
  take_facts(*answered);
  take_phases(*answered);
  return last;
}

std::vector<double> ExternalProgram::answered_numbers(const std::string& member) const {
  const Json answer = Json::parse(answer_);
  const auto numbers = answer.find(member);
  std::vector<double> values;
  if (numbers == answer.end() || !numbers->is_array()) fail(fmt::format("an answer without \"{}\"", member));
  for (const Json& number : *numbers) {
    if (!number.is_number() && !number.is_null()) fail(fmt::format("{} in \"{}\"", number.dump(), member));
    values.push_back(number.is_null() ? std::numeric_limits<double>::quiet_NaN() : number.get<double>());
  }
  return values;
}

std::string ExternalProgram::answered_integer(const std::string& member) const {
  const Json answer = Json::parse(answer_);
  const auto found = answer.find(member);
  if (found == answer.end()) fail(fmt::format("an answer without \"{}\"", member));
  std::string digits = found->is_string() ? found->get<std::string>() : found->dump();
  const std::string_view unsigned_part = std::string_view(digits).substr(digits.starts_with('-') ? 1 : 0);
  const bool is_integer = !unsigned_part.empty() &&
                          std::ranges::all_of(unsigned_part, [](char digit) { return digit >= '0' && digit <= '9'; });
  if (!is_integer) fail(fmt::format("{} in \"{}\"", found->dump(), member));
  return digits;
}

std::uint64_t ExternalProgram::answered_count(const std::string& member) const {
  const std::string digits = answered_integer(member);
  std::uint64_t count = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (error != std::errc() || end != digits.data() + digits.size()) fail(fmt::format("{} in \"{}\"", digits, member));
  return count;
}

void ExternalProgram::take_facts(const Json& answer) {
  if (files_.empty()) files_ = digests_of(command_);
  facts_ = {{"program", title_}, {"command", command_}};
  if (!files_.empty()) facts_["sha256"] = files_;
  const auto told = answer.find("facts");
  if (told == answer.end()) return;
  if (!told->is_object()) fail(fmt::format("{} in \"facts\"", told->dump()));
  for (const auto& [name, text] : told->items()) {
    if (!text.is_string()) fail(fmt::format("{} in \"facts\"", text.dump()));
    facts_[name] = text.get<std::string>();
  }
}

void ExternalProgram::take_phases(const Json& answer) {
  phases_.clear();
  const auto told = answer.find("phases");
  if (told == answer.end()) return;
  if (!told->is_object()) fail(fmt::format("{} in \"phases\"", told->dump()));
  for (const auto& [name, seconds] : told->items()) {
    const bool named = !name.empty() && name.find_first_of(" \t\r\n") == std::string::npos;
    if (!named || !seconds.is_number() || !(seconds.get<double>() >= 0)) {
      fail(fmt::format("{}: {} in \"phases\", which are words and seconds", Json(name).dump(), seconds.dump()));
    }
    phases_[name] = seconds.get<double>();
  }
}

void ExternalProgram::await_input(Clock::time_point deadline) {
  for (;;) {
    int wait = -1;
    if (deadline != Clock::time_point::max()) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) fail("no whole line in the time that it has");
      wait = static_cast<int>(left);
    }
    std::array<pollfd, 2> watched{{{line_.get(), POLLIN, 0}, {errors_.reading_end(), POLLIN, 0}}};
    if (::poll(watched.data(), watched.size(), wait) < 0 && errno != EINTR) fail(std::strerror(errno));
    if (watched[1].revents != 0) errors_.pass_on();
    if (watched[0].revents != 0) return;  // input, or its end, which read() finds
  }
}

Json ExternalProgram::read_line(Clock::time_point deadline) {
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    await_input(deadline);
    std::array<char, 4096> block{};
    const ssize_t got = ::read(line_.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail_at_end();
    const std::size_t before = unread_.size();
    unread_.append(block.data(), static_cast<std::size_t>(got));
    end = unread_.find('\n', before);
    if (unread_.size() > kLongestLine && end == std::string::npos) fail("a line of more than 16 MiB");
  }
  const std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  Json said = Json::parse(line, nullptr, false);
  if (!said.is_object()) fail(line.empty() ? "an empty line" : std::string(cut_text(line, 200)));
  if (const auto why = said.find("unsupported"); why != said.end() && why->is_string()) {
    throw Unsupported(why->get<std::string>());
  }
  if (const auto why = said.find("failed"); why != said.end() && why->is_string()) {
    throw std::runtime_error(fmt::format("the external program {} failed: {}", command_, why->get<std::string>()));
  }
  return said;
}

/// Says how the program ended, and what it printed last.
void ExternalProgram::fail_at_end() {
  std::string message = fmt::format("the external program {} ", command_);
  errors_.pass_on();  // it may wait for a reader
  siginfo_t found{};
  if (!ended_before(process_, Clock::now() + kEndPatience) ||
      ::waitid(P_PID, static_cast<id_t>(process_), &found, WEXITED | WNOHANG | WNOWAIT) != 0) {
    message += "closed its input or output and went on";
  } else if (found.si_code == CLD_EXITED) {
    message += fmt::format("ended with exit code {} instead of the next line of the protocol", found.si_status);
  } else {
    const char* const name = ::sigabbrev_np(found.si_status);
    message += name != nullptr ? fmt::format("was killed by SIG{}", name)
                               : fmt::format("was killed by signal {}", found.si_status);
  }
  errors_.pass_on();
  if (const std::string last = errors_.last_line(); last.empty()) {
    message += ", and printed nothing to standard error";
  } else {
    message += fmt::format("; the last line of its standard error is \"{}\"", last);
    if (!error_log().empty()) message += fmt::format(", and all of it is in {}", error_log().string());
  }
  throw std::runtime_error(message);
}

void ExternalProgram::fail(const std::string& found) const {
  throw std::runtime_error(
      fmt::format("expected a line of the protocol (docs/external-programs.md) from the external program {}, found {}",
                  command_, found));
}

}  // namespace warpbench
