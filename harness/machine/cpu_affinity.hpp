// Pins OpenMP's worker threads to cores, one each, for measurements that ask for it.
#pragma once

namespace warpbench::harness {

/// Each thread of OpenMP's pool but the calling one gets a core of its own from those this process may use. The
/// calling thread stays free, because threads that a solver makes itself inherit its mask. Returns how many were
/// pinned.
int pin_openmp_threads();

/// Threads of OpenMP regions from now on; 0 = all that this process may use.
void set_openmp_threads(int threads);

}  // namespace warpbench::harness
