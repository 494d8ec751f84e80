#include "harness/process/output_log.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>

namespace warpbench::harness {
namespace {
constexpr std::size_t kLoggedBytes = 1U << 20U;
constexpr std::size_t kTailBytes = 4096;
constexpr std::size_t kQuotedBytes = 400;
}  // namespace

void OutputLog::add(std::string_view bytes) {
  tail_ += bytes.substr(bytes.size() - std::min(bytes.size(), kTailBytes));
  if (tail_.size() > kTailBytes) tail_.erase(0, tail_.size() - kTailBytes);
  if (path_.empty() || logged_ >= kLoggedBytes) return;
  const std::string_view part = bytes.substr(0, kLoggedBytes - logged_);
  logged_ += part.size();
  try {
    if (!file_.open()) {
      std::filesystem::create_directories(path_.parent_path());
      file_ = Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644));
      if (!file_.open()) throw FileError(path_, "open", errno);
    }
    write_all(file_.get(), part, path_);
    if (logged_ >= kLoggedBytes) write_all(file_.get(), "\n[the log ends here: 1 MiB a worker]\n", path_);
  } catch (const std::exception& error) {
    // The log is a convenience: without it the run goes on, because results are stored elsewhere.
    fmt::print(stderr, "warpbench: no log of a worker's output: {}\n", error.what());
    path_.clear();
  }
}

std::string OutputLog::tail() const {
  std::string text = tail_.substr(tail_.size() - std::min(tail_.size(), kQuotedBytes));
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) c = ' ';
  }
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace warpbench::harness
