// Pins OpenMP's worker threads to cores, one each, for measurements that ask for it.
#pragma once

namespace warpbench::harness {

/// Pins each thread of OpenMP's pool, except the calling one, to a core of its own among those this process may use.
/// The calling thread stays unpinned, because threads that a solver creates inherit its mask. Returns the number of
/// pinned threads.
int pin_openmp_threads();

/// Sets the number of threads of later OpenMP regions; 0 = all that this process may use.
void set_openmp_threads(int threads);

}  // namespace warpbench::harness
