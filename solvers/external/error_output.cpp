#include "solvers/external/error_output.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <string_view>
#include <system_error>

namespace warpbench {
namespace {

constexpr std::size_t kTail = 4096;
constexpr std::size_t kShown = 200;
constexpr int kRoom = 1 << 20;  // while nobody reads, a program that prints more than this has to wait

/// Whether the byte goes on with a character of UTF-8 that an earlier one began.
bool continues(char byte) {
  return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

std::filesystem::path& log_path() {
  static std::filesystem::path path;
  return path;
}

}  // namespace

ErrorOutput::ErrorOutput() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot read what an external program prints");
  }
  ours_ = datasets::Descriptor(ends[0]);
  theirs_ = datasets::Descriptor(ends[1]);
  if (::fcntl(ours_.get(), F_SETFL, O_NONBLOCK) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot read what an external program prints");
  }
  static_cast<void>(::fcntl(ours_.get(), F_SETPIPE_SZ, kRoom));  // a smaller one will do
}

void ErrorOutput::pass_on() noexcept {
  while (ours_.open()) {
    std::array<char, 4096> block{};
    const ssize_t got = ::read(ours_.get(), block.data(), block.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) {
      ours_.reset();
      return;
    }
    const std::string_view text(block.data(), static_cast<std::size_t>(got));
    std::fwrite(text.data(), 1, text.size(), stderr);
    tail_ += text;
    if (tail_.size() <= kTail) continue;
    tail_.erase(0, tail_.size() - kTail);
    tail_.erase(0, static_cast<std::size_t>(std::ranges::find_if_not(tail_, continues) - tail_.begin()));
  }
}

std::string ErrorOutput::last_line() const {
  const std::size_t end = tail_.find_last_not_of(" \t\r\n");
  if (end == std::string::npos) return "";
  const std::size_t feed = tail_.find_last_of('\n', end);
  std::string line = tail_.substr(feed == std::string::npos ? 0 : feed + 1);
  line.resize(line.find_last_not_of(" \t\r\n") + 1);
  line.resize(cut_text(line, kShown).size());
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return line;
}

std::string_view cut_text(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  while (size > 0 && continues(text[size])) --size;
  return text.substr(0, size);
}

void set_error_log(const std::filesystem::path& log) {
  log_path() = log;
}

const std::filesystem::path& error_log() {
  return log_path();
}

}  // namespace warpbench
