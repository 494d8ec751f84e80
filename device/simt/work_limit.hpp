// The WorkLimit of the calling thread, for what it launches.
#pragma once

#include <chrono>
#include <cstdint>

namespace warpbench::simt {

/// time_point::max() without a limit.
std::chrono::steady_clock::time_point end_of_work() noexcept;
/// A number that no other limit of this process has; 0 without a limit.
std::uint64_t current_limit() noexcept;
/// The limit of that number has not ended yet.
bool is_living_limit(std::uint64_t limit);

}  // namespace warpbench::simt
