#include "harness/run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "harness/record/readable_duration.hpp"
#include "harness/run/progress_line.hpp"

namespace warpbench::harness {
namespace {

constexpr std::size_t kFewestColumns = 20;
constexpr std::size_t kUsualColumns = 80;

std::size_t columns_of(std::FILE* terminal) {
  winsize size{};
  const bool known = ::ioctl(::fileno(terminal), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? std::max<std::size_t>(size.ws_col, kFewestColumns) : kUsualColumns;
}

std::string whole_seconds(double seconds) {
  return seconds < 60 ? fmt::format("{} s", std::lround(seconds)) : readable_duration(seconds);
}

}  // namespace

Progress::Progress(std::size_t total, std::FILE* stream)
    : total_(total), stream_(stream), terminal_(stream != nullptr && ::isatty(::fileno(stream)) == 1) {}

Progress::~Progress() {
  clear();
}

// Prints a progress line. fmt::print throws at a closed terminal. A run must not end for that, so the exception is
// dropped.
void Progress::line(const std::string& text) {
  if (stream_ == nullptr) return;
  clear();
  try {
    fmt::print(stream_, "{}\n", text);
  } catch (const std::system_error&) {
    stream_ = nullptr;
  }
}

void Progress::clear() {
  if (!shown_ || stream_ == nullptr) return;
  shown_ = false;
  try {
    fmt::print(stream_, "\r\033[K");
  } catch (const std::system_error&) {
    stream_ = nullptr;
  }
}

double Progress::elapsed_seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

std::string Progress::remaining() const {
  if (ran_ == 0) return "";
  const double left = static_cast<double>(total_ - std::min(ran_ + skipped_, total_));
  return whole_seconds(elapsed_seconds() / static_cast<double>(ran_) * left);
}

void Progress::show(const std::string& text) {
  try {
    fmt::print(stream_, "{}", text);
    shown_ = std::fflush(stream_) == 0;
  } catch (const std::system_error&) {
    stream_ = nullptr;
  }
}

/// How long the run has taken, and how long it will, in words that get shorter.
std::vector<std::string> Progress::times() const {
  const std::string elapsed = whole_seconds(elapsed_seconds());
  const std::string left = remaining();
  if (left.empty()) return {fmt::format(", {} elapsed", elapsed), fmt::format(", {}", elapsed)};
  return {fmt::format(", {} elapsed, about {} left", elapsed, left), fmt::format(", {} left", left)};
}

void Progress::begin(const TrialLabel& trial, const std::string& state) {
  if (!terminal_ || stream_ == nullptr) return;
  clear();
  // A terminal that is written to in its last column may begin a new line.
  const std::size_t columns = columns_of(stream_) - 1;
  show(
      fitted({fmt::format("[{}/{}] ", std::min(ran_ + skipped_ + 1, total_), total_), trial, state, times()}, columns));
}

void Progress::begin(const std::string& work) {
  begin(TrialLabel{"", "", true, work});
}

void Progress::end(const TrialLabel& trial, Status status, const std::string& detail) {
  ++ran_;
  if (terminal_ && status == Status::ok) return;
  line(fmt::format("[{}/{}] {}: {}{}", ran_ + skipped_, total_, trial.text(), to_string(status),
                   detail.empty() ? "" : fmt::format(" ({})", detail)));
}

void Progress::note(const std::string& text) {
  line(text);
}

}  // namespace warpbench::harness
