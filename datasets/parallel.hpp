// Parallel loops for this folder, on plain threads.
//
// Plain threads rather than OpenMP: exceptions reach the caller, ThreadSanitizer sees every synchronisation, and the
// number of threads is an argument. A body writes only to places that its index range determines, so results never
// depend on the number of threads.
#pragma once

#include <cstddef>
#include <functional>

namespace warpbench::datasets {

/// `requested`, or the number of the machine's cores if it is 0 or less.
[[nodiscard]] int thread_count(int requested) noexcept;

/// Calls body(begin, end, chunk) for each of the ceil_div(count, grain) chunks of [0, count), on up to `threads`
/// threads (0 = all cores), in any order. Rethrows the exception of the lowest chunk that threw; which chunks ran after
/// a failure is not defined.
void for_chunks(std::size_t count, std::size_t grain, int threads,
                const std::function<void(std::size_t begin, std::size_t end, std::size_t chunk)>& body);

/// A grain for loops over rows of graphs, vectors and sets.
inline constexpr std::size_t kRowGrain = 1 << 10;

}  // namespace warpbench::datasets
