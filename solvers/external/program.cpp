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
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
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

constexpr std::chrono::seconds kPatience(5);  // for a program to end after its input has ended
constexpr std::size_t kLongestLine = std::size_t{1} << 24U;
constexpr const char* kNotAsked = "before it was asked";

std::vector<std::string> words_of(const std::string& command) {
  std::istringstream stream(command);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

/// Becomes the program, or writes the error's number to `errors`. It makes no call that is unsafe after a fork of one
/// thread among several.
[[noreturn]] void become(char* const* arguments, int line, int errors, pid_t parent) {
  const bool arranged = ::prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && ::setpgid(0, 0) == 0 &&
                        ::dup2(line, STDIN_FILENO) >= 0 && ::dup2(line, STDOUT_FILENO) >= 0;
  if (::getppid() != parent) ::_exit(EXIT_FAILURE);  // the parent ended before the first call
  if (arranged) ::execvp(arguments[0], arguments);
  const int error = errno;
  const ssize_t written = ::write(errors, &error, sizeof(error));
  ::_exit(written == sizeof(error) ? EXIT_FAILURE : EXIT_FAILURE + 1);
}

/// Starts the program, in a process group of its own, with `line` as standard input and output. It is killed when this
/// thread ends, which posix_spawn() cannot arrange. Returns 0 or the error's number.
int start(std::vector<std::string>& words, const Descriptor& line, pid_t& process) {
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
  if (process == 0) become(arguments.data(), line.get(), their_errors.get(), parent);
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
  if (const int error = start(words, theirs, process_); error != 0) {
    throw Unsupported(fmt::format("the external program {} cannot be started: {}", command_, std::strerror(error)));
  }
  theirs.reset();  // so that its end is seen
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
  const bool ended = ended_before(process_, Clock::now() + patience);
  // Fails harmlessly where nothing is left of the group.
  static_cast<void>(::kill(-process_, SIGKILL));
  if (ended || ended_before(process_, Clock::now() + kPatience))
    static_cast<void>(::waitpid(process_, nullptr, WNOHANG));
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
    if (sent < 0) fail(std::string("no reader of its input: ") + std::strerror(errno));
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
  facts_ = {{"program", title_}};
  const auto told = answer.find("facts");
  if (told == answer.end()) return;
  if (!told->is_object()) fail(fmt::format("{} in \"facts\"", told->dump()));
  for (const auto& [name, text] : told->items()) {
    if (!text.is_string()) fail(fmt::format("{} in \"facts\"", text.dump()));
    facts_[name] = text.get<std::string>();
  }
}

void ExternalProgram::await_input(Clock::time_point deadline) const {
  pollfd watched{line_.get(), POLLIN, 0};
  while (deadline != Clock::time_point::max()) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) fail("no whole line in the time that it has");
    const int ready = ::poll(&watched, 1, static_cast<int>(left));
    if (ready > 0) return;  // or its end, which read() finds
    if (ready < 0 && errno != EINTR) fail(std::strerror(errno));
  }
}

Json ExternalProgram::read_line(Clock::time_point deadline) {
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos) {
    await_input(deadline);
    std::array<char, 4096> block{};
    const ssize_t got = ::read(line_.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) fail("its end: what it printed to standard error says why");
    const std::size_t before = unread_.size();
    unread_.append(block.data(), static_cast<std::size_t>(got));
    end = unread_.find('\n', before);
    if (unread_.size() > kLongestLine && end == std::string::npos) fail("a line of more than 16 MiB");
  }
  const std::string line = unread_.substr(0, end);
  unread_.erase(0, end + 1);
  Json said = Json::parse(line, nullptr, false);
  if (!said.is_object()) fail(line.empty() ? "an empty line" : line.substr(0, 200));
  if (const auto why = said.find("unsupported"); why != said.end() && why->is_string()) {
    throw Unsupported(why->get<std::string>());
  }
  if (const auto why = said.find("failed"); why != said.end() && why->is_string()) {
    throw std::runtime_error(fmt::format("the external program {} failed: {}", command_, why->get<std::string>()));
  }
  return said;
}

void ExternalProgram::fail(const std::string& found) const {
  throw std::runtime_error(
      fmt::format("expected a line of the protocol (docs/external-programs.md) from the external program {}, found {}",
                  command_, found));
}

std::string program_of(const std::string& command) {
  const std::vector<std::string> words = words_of(command);
  return words.empty() ? "" : words.front();
}

bool is_program(const std::string& name) {
  const auto executable = [](const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored) && ::access(path.c_str(), X_OK) == 0;
  };
  if (name.find('/') != std::string::npos) return executable(name);
  const char* const folders = std::getenv("PATH");
  std::istringstream stream(folders == nullptr ? "" : folders);
  for (std::string folder; std::getline(stream, folder, ':');) {
    if (executable(std::filesystem::path(folder) / name)) return true;
  }
  return false;
}

}  // namespace warpbench
