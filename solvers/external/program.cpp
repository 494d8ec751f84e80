#include "solvers/external/program.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>
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

/// Starts the program with `line` as standard input and output. Returns 0 or the error's number.
int start(std::vector<std::string>& words, const Descriptor& line, pid_t& process) {
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  if (const int error = ::posix_spawn_file_actions_init(&actions); error != 0) return error;
  int error = ::posix_spawn_file_actions_adddup2(&actions, line.get(), STDIN_FILENO);
  if (error == 0) error = ::posix_spawn_file_actions_adddup2(&actions, line.get(), STDOUT_FILENO);
  if (error == 0) error = ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
  const int destroyed = ::posix_spawn_file_actions_destroy(&actions);
  return error != 0 ? error : destroyed;
}

/// Whether the process has ended before `end`.
bool ended_before(pid_t process, std::chrono::steady_clock::time_point end) {
  constexpr std::chrono::milliseconds kTick(5);
  for (;;) {
    const pid_t reaped = ::waitpid(process, nullptr, WNOHANG);
    if (reaped == process || (reaped < 0 && errno == ECHILD)) return true;
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::sleep_for(kTick);
  }
}

}  // namespace

ExternalProgram::ExternalProgram(const std::string& command) : command_(command) {
  std::istringstream stream(command);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
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
    const Json said = read_line();
    if (!said.contains("ready") || !said["ready"].is_string()) fail(said.dump());
    title_ = said["ready"];
    fmt::print(stderr, "external program: {}\n", title_);  // for the log: a record has no place for a version
  } catch (...) {
    end();
    throw;
  }
}

ExternalProgram::~ExternalProgram() {
  end();
}

void ExternalProgram::end() noexcept {
  line_.reset();
  if (ended_before(process_, std::chrono::steady_clock::now() + kPatience)) return;
  static_cast<void>(::kill(process_, SIGKILL));  // fails harmlessly where it has just ended
  static_cast<void>(ended_before(process_, std::chrono::steady_clock::now() + kPatience));
}

void ExternalProgram::ask(const Json& request) {
  const std::string text = Json{{"solve", request}}.dump() + '\n';
  for (std::size_t at = 0; at < text.size();) {
    // Without a signal where the program has ended.
    const ssize_t sent = ::send(line_.get(), text.data() + at, text.size() - at, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0) fail(std::string("no reader of its input: ") + std::strerror(errno));
    at += static_cast<std::size_t>(sent);
  }
}

ExternalProgram::Event ExternalProgram::next() {
  const Json said = read_line();
  if (const auto clock = said.find("clock"); clock != said.end() && clock->is_boolean()) {
    return clock->get<bool>() ? Event::clock_starts : Event::clock_stops;
  }
  const auto answered = said.find("answered");
  if (answered == said.end() || !answered->is_object()) fail(said.dump());
  answer_ = answered->dump();
  return Event::answered;
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

Json ExternalProgram::read_line() {
  std::size_t end = unread_.find('\n');
  while (end == std::string::npos) {
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
  const Json said = Json::parse(line, nullptr, false);
  if (!said.is_object()) fail(line.substr(0, 200));
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

}  // namespace warpbench
