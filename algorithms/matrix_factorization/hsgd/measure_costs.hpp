// Times this machine for the cost models of HSGD* (yu2023, Algorithm 3).
#pragma once

#include <cstdint>
#include <string>

#include "solvers/matrix_factorization/cost_file.hpp"
#include "solvers/matrix_factorization/cpu_update.hpp"

namespace warpbench::matrix_factorization {

/// What the times depend on beside the machine.
struct CostSetup {
  std::int64_t stride = 0;   ///< factors of a row
  std::string precision;     ///< "fp16" or "fp32"
  std::int64_t workers = 0;  ///< 0: as many as the device runs at the same time
  bool is_resident = false;  ///< ratings do not come with the blocks
  UpdateFunction update = nullptr;
};

/// Random ratings of 65,536 users and items: one CPU thread on growing prefixes of 10 parts and on single parts, the
/// GPU's kernel on doubling numbers of ratings, copies of doubling numbers of bytes; each time is the mean of several
/// runs. Seconds on a GPU; on simt few ratings, and the models mean nothing. Throws OutOfDeviceMemory.
[[nodiscard]] CostModels measure_costs(const CostSetup& setup);

}  // namespace warpbench::matrix_factorization
