// ProfiledRange: marks work for a profiler that was told to wait for it (`ncu --profile-from-start off`). Costs nothing
// without one, and is nothing on simt.
#pragma once

namespace warpbench {

/// Work that this thread launches, on any stream, while the object lives is what such a profiler sees; the work must
/// have been waited for before the object's end. One lives at a time.
class ProfiledRange {
 public:
  /// Throws DeviceError.
  ProfiledRange();
  ProfiledRange(const ProfiledRange&) = delete;
  ProfiledRange& operator=(const ProfiledRange&) = delete;
  ~ProfiledRange();

  /// Whether one lives on this thread.
  [[nodiscard]] static bool open() { return open_; }

 private:
  // NOLINTNEXTLINE(readability-identifier-naming): clang-tidy 16 takes a thread_local member for a variable
  inline static thread_local bool open_ = false;
};

}  // namespace warpbench
