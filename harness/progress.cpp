#include "harness/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

namespace warpbench::harness {

std::string readable_duration(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 1.0) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 60.0) return fmt::format("{:.3g} s", seconds);
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 3600) return fmt::format("{} min {} s", whole / 60, whole % 60);
  return fmt::format("{} h {} min", whole / 3600, whole % 3600 / 60);
}

Progress::Progress(std::size_t total, std::FILE* stream)
    : total_(total), stream_(stream), terminal_(stream != nullptr && ::isatty(::fileno(stream)) == 1) {}

Progress::~Progress() {
  clear();
}

// A progress line that cannot be printed (a closed terminal) must not end a run: results of fmt::print are exceptions,
// and they are dropped here, on purpose.
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

std::string Progress::remaining() const {
  if (done_ == 0) return "";
  const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double left = static_cast<double>(total_ - std::min(done_, total_));
  return readable_duration(elapsed / static_cast<double>(done_) * left);
}

void Progress::begin(const std::string& label) {
  if (!terminal_ || stream_ == nullptr) return;
  clear();
  const std::string left = remaining();
  const std::string text =
      fmt::format("[{}/{}] {}{}", done_ + 1, total_, label, left.empty() ? "" : fmt::format(", about {} left", left));
  try {
    fmt::print(stream_, "{}", text.substr(0, 118));
    shown_ = std::fflush(stream_) == 0;
  } catch (const std::system_error&) {
    stream_ = nullptr;
  }
}

void Progress::end(const std::string& label, Status status, const std::string& detail) {
  ++done_;
  line(fmt::format("[{}/{}] {}: {}{}", done_, total_, label, to_string(status),
                   detail.empty() ? "" : fmt::format(" ({})", detail)));
}

void Progress::note(const std::string& text) {
  line(text);
}

}  // namespace warpbench::harness
