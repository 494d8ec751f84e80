// The base of the CPU solvers of matrix_factorization.
#pragma once

#include <span>

#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/matrix_factorization/descent_solver.hpp"

namespace warpbench::matrix_factorization {

class CpuSolver : public DescentSolver {
 public:
  explicit CpuSolver(const Parameters& parameters) { take(parameters); }

  void configure(const Parameters& parameters) final { take(parameters); }

 protected:
  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  void update(std::span<const Rating> ratings, const UpdateRule& rule) {
    update_(ratings, {p().all().data(), q().all().data(), p().stride()}, rule);
  }

 private:
  void take(const Parameters& parameters) {
    update_ = update_function(simd_from(parameters.text("simd")));
    parameters_ = parameters;
  }

  Parameters parameters_;
  UpdateFunction update_ = nullptr;
};

inline ParameterSpec update_simd_parameter() {
  return simd_parameter("vector instructions of an update");
}

}  // namespace warpbench::matrix_factorization
