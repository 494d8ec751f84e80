// Training on a device, in fp16 or fp32: where ratings and segments of P and Q are, and what an iteration does.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>

#include "algorithms/matrix_factorization/cumf_sgd/transfer_plan.hpp"
#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/matrix_factorization/factor_rows.hpp"
#include "solvers/matrix_factorization/rating_grid.hpp"
#include "solvers/phases.hpp"

namespace warpbench::matrix_factorization {

enum class Precision { fp16, fp32 };

/// What is trained on. The grid outlives the training; its ratings are pinned.
struct TrainingData {
  const RatingGrid* grid = nullptr;
  std::span<const std::int64_t> user_bands;
  std::span<const std::int64_t> item_bands;
  std::int64_t stride = 0;
  bool resident = false;  ///< all ratings are on the device, in one block
};

class Training {
 public:
  Training() = default;
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;
  virtual ~Training() = default;

  /// Takes the device memory, and brings the ratings where they stay on the device. Throws OutOfDeviceMemory.
  virtual void upload(Phases& phases) = 0;
  /// Begins with these factors. Where all of them stay on the device, they are there when it returns.
  virtual void begin(FactorRows& p, FactorRows& q) = 0;
  /// An update by each rating; returns when it is done. workers: 0 or a number, see useful_workers().
  virtual void iterate(const UpdateRule& rule, std::int64_t workers, Phases& phases) = 0;
  /// The factors as they are.
  virtual void collect(FactorRows& p, FactorRows& q) = 0;
  [[nodiscard]] virtual std::map<std::string, double> counters() const = 0;
};

[[nodiscard]] std::unique_ptr<Training> make_training(Precision precision, const TrainingData& data,
                                                      const TransferPlan& plan);

}  // namespace warpbench::matrix_factorization
