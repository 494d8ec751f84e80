// Times this machine for the cost models of HSGD*: what yu2023, §3.3.1 and Algorithm 3 do with the input's ratings on
// one thread, here with synthetic ones on all threads (see hsgd_star.cpp).
#pragma once

#include <cstdint>
#include <string>

#include "solvers/matrix_factorization/cost_file.hpp"
#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/matrix_factorization/division.hpp"
#include "solvers/matrix_factorization/rating_grid.hpp"
#include "solvers/phases.hpp"

namespace warpbench::matrix_factorization {

/// The size of the ratings by which CPU threads are timed.
struct CpuInput {
  std::int64_t users = 1;
  std::int64_t items = 1;
  std::int64_t ratings = 1;
};

/// What the times depend on beside the machine.
struct CostSetup {
  std::int64_t stride = 0;                  ///< factors of a row
  bool half_precision = true;               ///< of the factors on the GPU
  std::int64_t workers = 0;                 ///< 0: as many as the device runs at the same time
  bool is_resident = false;                 ///< ratings do not come with the blocks
  RatingOrder order = RatingOrder::random;  ///< of a block's ratings on the GPU: random or user_and_random
  UpdateFunction update = nullptr;
  Division division;
  CpuInput cpu;
};

/// Random ratings, arranged as in an iteration: all CPU threads on an R_c of one to ten tenths of the users, and of
/// single tenths, with its blocks and scheduler, since threads wait for memory and for each other; the GPU's kernel on
/// doubling numbers of ratings; copies of doubling numbers of bytes; whole blocks of one size. Each time is the least
/// of several runs; see measured_well() for models that fit badly. Sizes are such that they fit the free device memory.
/// 5 s with 16 threads and 8 million ratings; on simt few ratings, and the models mean nothing. Throws
/// OutOfDeviceMemory.
[[nodiscard]] CostModels measure_costs(const CostSetup& setup);

/// The models in this machine's file for `key`, which names what `setup` depends on. Where there is no file, they are
/// measured (phase `measure_costs`) and written, unless they fit badly. Throws InputError where the file holds no
/// models, and what measure_costs() throws.
[[nodiscard]] CostModels kept_costs(const CostSetup& setup, const std::string& key, Phases& phases);

}  // namespace warpbench::matrix_factorization
