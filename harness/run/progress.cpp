#include "harness/run/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "harness/record/readable_duration.hpp"

namespace warpbench::harness {

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
