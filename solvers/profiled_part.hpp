// The part of a solve that hardware counters cover. A document may count less than a whole solve: GSI's transactions
// are those of its join, without the filter. Its solver runs that part by profile_part(); all other solves are counted
// whole.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "device/profiled_range.hpp"
#include "device/stream.hpp"

namespace warpbench {

/// What the counters cover where a solver marks no part.
inline constexpr const char* kWholeSolve = "solve";

/// Profiles solves of one solver on this thread. It learns from the first solve which part the solver marks.
class SolveProfiler {
 public:
  SolveProfiler();
  SolveProfiler(const SolveProfiler&) = delete;
  SolveProfiler& operator=(const SolveProfiler&) = delete;
  ~SolveProfiler();

  /// The part that the solves of this thread have marked since construction, or kWholeSolve.
  [[nodiscard]] const std::string& part() const { return part_; }
  /// Runs `solve`, which must wait for its work, with a ProfiledRange around part(): one each time it is entered.
  /// Throws std::runtime_error if this solve is the first to mark a part.
  void profile(const std::function<void()>& solve);

 private:
  friend std::optional<ProfiledRange> profiled_range_of(const char* part, Stream& stream);

  SolveProfiler* outer_;
  std::string part_ = kWholeSolve;
  bool parts_only_ = false;  // now, within profile()
};

/// For profile_part(): a range if the thread's SolveProfiler wants one, once `stream` has done what came before.
[[nodiscard]] std::optional<ProfiledRange> profiled_range_of(const char* part, Stream& stream);

/// Runs `work` on `stream` as the part of the solve that hardware counters cover, and returns its result. A solver
/// marks one part, which it may enter often. Only under a profiler does it wait for the stream.
template <typename Work>
auto profile_part(const char* part, Stream& stream, const Work& work) {
  const std::optional<ProfiledRange> range = profiled_range_of(part, stream);
  auto result = work();
  if (range) stream.synchronize();
  return result;
}

}  // namespace warpbench
