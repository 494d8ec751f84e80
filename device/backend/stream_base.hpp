// Part of the streams of both backends.
#pragma once

#include <exception>
#include <mutex>

namespace warpbench::runtime {

/// The device of a stream, and the first error of its work, kept until a synchronize() throws it.
class StreamBase {
 public:
  explicit StreamBase(int device) : device_(device) {}
  StreamBase(const StreamBase&) = delete;
  StreamBase& operator=(const StreamBase&) = delete;

  int device() const { return device_; }

  /// Later errors are dropped.
  void keep_error(const std::exception_ptr& error) noexcept {
    const std::lock_guard lock(mutex_);
    if (error_ == nullptr) error_ = error;
  }
  std::exception_ptr error() const {
    const std::lock_guard lock(mutex_);
    return error_;
  }
  void forget_error() noexcept {
    const std::lock_guard lock(mutex_);
    error_ = nullptr;
  }
  void rethrow_error() const {
    if (const std::exception_ptr first = error(); first != nullptr) std::rethrow_exception(first);
  }

 protected:
  ~StreamBase() = default;

 private:
  int device_;
  mutable std::mutex mutex_;
  std::exception_ptr error_;
};

}  // namespace warpbench::runtime
