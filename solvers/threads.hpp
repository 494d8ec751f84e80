// The parameter `threads` of solvers that run on the CPU with OpenMP.
#pragma once

#include <omp.h>

#include <algorithm>
#include <cstdint>

#include "problems/parameters.hpp"

namespace warpbench {

inline ParameterSpec threads_parameter(int usual = 0) {
  return parameter("threads", usual)
      .range(0, 1024)
      .alias("all", 0)
      .means("CPU threads; 0 or all: as many as OpenMP offers");
}

/// As the parameter `name` says; never more than there are tasks, at least one.
inline int threads_of(const Parameters& parameters, std::int64_t tasks, const char* name = "threads") {
  std::int64_t threads = parameters.integer(name);
  if (threads == 0) threads = omp_get_max_threads();
  return static_cast<int>(std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(1, tasks)));
}

/// Sets the OpenMP thread count of the calling thread for the lifetime of this object.
class ThreadLimit {
 public:
  explicit ThreadLimit(int threads) : before_(omp_get_max_threads()) { omp_set_num_threads(threads); }
  ThreadLimit(const ThreadLimit&) = delete;
  ThreadLimit& operator=(const ThreadLimit&) = delete;
  ~ThreadLimit() { omp_set_num_threads(before_); }

 private:
  int before_;
};

}  // namespace warpbench
