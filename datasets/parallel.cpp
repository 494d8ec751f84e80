#include "datasets/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <limits>
#include <mutex>
#include <thread>
#include <vector>

#include "device/integers.hpp"

namespace warpbench::datasets {

int thread_count(int requested) noexcept {
  if (requested > 0) return requested;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void for_chunks(std::size_t count, std::size_t grain, int threads,
                const std::function<void(std::size_t, std::size_t, std::size_t)>& body) {
  const std::size_t chunks = ceil_div(count, grain);
  if (chunks == 0) return;
  std::atomic<std::size_t> next{0};
  std::mutex failure_mutex;
  std::exception_ptr failure;
  std::size_t failed_chunk = std::numeric_limits<std::size_t>::max();

  const auto work = [&] {
    for (;;) {
      const std::size_t chunk = next.fetch_add(1, std::memory_order_relaxed);
      if (chunk >= chunks) return;
      try {
        body(chunk * grain, std::min(count, (chunk + 1) * grain), chunk);
      } catch (...) {
        const std::lock_guard lock(failure_mutex);
        if (chunk < failed_chunk) {
          failed_chunk = chunk;
          failure = std::current_exception();
        }
        next.store(chunks, std::memory_order_relaxed);
        return;
      }
    }
  };

  const auto workers = std::min(static_cast<std::size_t>(thread_count(threads)), chunks);
  {
    std::vector<std::jthread> pool;
    pool.reserve(workers - 1);
    for (std::size_t i = 1; i < workers; ++i) pool.emplace_back(work);
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace warpbench::datasets
