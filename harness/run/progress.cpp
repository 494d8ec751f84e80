#include "harness/run/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "harness/record/readable_duration.hpp"

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

void Progress::begin(const std::string& label) {
  if (!terminal_ || stream_ == nullptr) return;
  clear();
  std::string times = fmt::format(", {} elapsed", whole_seconds(elapsed_seconds()));
  if (const std::string left = remaining(); !left.empty()) times += fmt::format(", about {} left", left);
  // A terminal that is written to in its last column may begin a new line.
  const std::size_t columns = columns_of(stream_) - 1;
  show(fitted(fmt::format("[{}/{}] {}", std::min(ran_ + skipped_ + 1, total_), total_, label), times, columns));
}

void Progress::end(const std::string& label, Status status, const std::string& detail) {
  ++ran_;
  if (terminal_ && status == Status::ok) return;
  line(fmt::format("[{}/{}] {}: {}{}", ran_ + skipped_, total_, label, to_string(status),
                   detail.empty() ? "" : fmt::format(" ({})", detail)));
}

void Progress::note(const std::string& text) {
  line(text);
}

std::string fitted(const std::string& left, const std::string& right, std::size_t columns) {
  const std::string kept = right.size() + kFewestColumns > columns ? "" : right;
  if (left.size() + kept.size() <= columns) return left + kept;
  std::size_t end = columns - kept.size();
  while (end > 0 && (static_cast<unsigned char>(left[end]) & 0xC0U) == 0x80U) --end;
  return left.substr(0, end) + kept;
}

}  // namespace warpbench::harness
