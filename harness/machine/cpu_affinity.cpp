#include "harness/machine/cpu_affinity.hpp"

#include <omp.h>
#include <sched.h>

#include <atomic>
#include <cerrno>
#include <system_error>
#include <vector>

namespace warpbench::harness {

int pin_openmp_threads() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
    throw std::system_error(errno, std::generic_category(), "sched_getaffinity");
  }
  std::vector<int> cores;
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(core, &allowed)) cores.push_back(core);
  }
  std::atomic<int> pinned{0};
#pragma omp parallel
  {
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    if (thread > 0) {
      cpu_set_t own;
      CPU_ZERO(&own);
      CPU_SET(cores[thread % cores.size()], &own);
      if (::sched_setaffinity(0, sizeof own, &own) == 0) ++pinned;
    }
  }
  return pinned;
}

void set_openmp_threads(int threads) {
  omp_set_num_threads(threads > 0 ? threads : omp_get_num_procs());
}

}  // namespace warpbench::harness
