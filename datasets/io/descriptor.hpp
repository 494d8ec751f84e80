// Descriptor: owns a file descriptor and closes it.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace warpbench::datasets {

/// Errors of close() do not matter: important files are fsynced before.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    if (this != &other) {
      reset();
      fd_ = std::exchange(other.fd_, -1);
    }
    return *this;
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }

  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool open() const noexcept { return fd_ >= 0; }
  /// Gives the descriptor up to the caller, who closes it.
  int release() noexcept { return std::exchange(fd_, -1); }
  /// Closes it. A failed close cannot be repeated, as the descriptor is gone.
  void reset() noexcept {
    if (fd_ >= 0 && ::close(std::exchange(fd_, -1)) != 0) errno = 0;
  }

 private:
  int fd_ = -1;
};

}  // namespace warpbench::datasets
