// UntouchedMemory: addresses of more memory than a machine has, of which only what is written takes any.
#pragma once

#include <sys/mman.h>

#include <cstddef>

namespace warpbench::testing {

class UntouchedMemory {
 public:
  /// Zeros; data() is nullptr where the system refuses so many addresses.
  explicit UntouchedMemory(std::size_t bytes) : bytes_(bytes) {
    constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void* const data = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
    data_ = data == MAP_FAILED ? nullptr : data;
  }
  UntouchedMemory(const UntouchedMemory&) = delete;
  UntouchedMemory& operator=(const UntouchedMemory&) = delete;
  ~UntouchedMemory() {
    if (data_ != nullptr) static_cast<void>(::munmap(data_, bytes_));
  }

  [[nodiscard]] void* data() const { return data_; }

 private:
  std::size_t bytes_;
  void* data_ = nullptr;
};

}  // namespace warpbench::testing
