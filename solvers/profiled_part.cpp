#include "solvers/profiled_part.hpp"

#include <stdexcept>
#include <utility>

namespace warpbench {
namespace {

thread_local SolveProfiler* current = nullptr;

/// Sets a flag while it lives.
class Switch {
 public:
  explicit Switch(bool& flag) : flag_(flag) { flag_ = true; }
  Switch(const Switch&) = delete;
  Switch& operator=(const Switch&) = delete;
  ~Switch() { flag_ = false; }

 private:
  bool& flag_;
};

}  // namespace

SolveProfiler::SolveProfiler() : outer_(std::exchange(current, this)) {}

SolveProfiler::~SolveProfiler() {
  current = outer_;
}

void SolveProfiler::profile(const std::function<void()>& solve) {
  if (part_ != kWholeSolve) {
    const Switch on(parts_only_);
    return solve();
  }
  {
    const ProfiledRange range;
    solve();
  }
  // Such as where the time of all queries was up before the part began.
  if (part_ != kWholeSolve)
    throw std::runtime_error("the profiled solve reached its part '" + part_ + "', the one before did not");
}

std::optional<ProfiledRange> profiled_range_of(const char* part, Stream& stream) {
  if (current == nullptr) return std::nullopt;
  current->part_ = part;
  if (!current->parts_only_) return std::nullopt;
  stream.synchronize();
  return std::optional<ProfiledRange>(std::in_place);
}

}  // namespace warpbench
