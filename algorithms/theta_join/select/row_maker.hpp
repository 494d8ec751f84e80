// RowMaker: the method of a solver of select: it makes the rows part by part, in device memory that SelectSolver gives.
#pragma once

#include <cstdint>

#include "device/digest.cuh"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "problems/theta_join/problem.hpp"
#include "solvers/phases.hpp"

namespace warpbench::theta {

/// The parts of a solve.
struct RowPlan {
  std::int64_t parts = 0;
  std::int64_t least_parts = 0;  ///< by the document's formula, of the memory for rows; 0 where it does not apply
  std::int64_t capacity = 0;     ///< rows that a part may have
};

class RowMaker {
 public:
  RowMaker() = default;
  RowMaker(const RowMaker&) = delete;
  RowMaker& operator=(const RowMaker&) = delete;
  virtual ~RowMaker() = default;

  virtual void configure(const Parameters& parameters) = 0;
  /// Pins what upload() copies. `input` outlives this.
  virtual void prepare(const ThetaJoin::Input& input) = 0;
  virtual void upload(Stream& stream) = 0;
  /// The number of all rows, after upload(): for the size of the host's memory alone.
  [[nodiscard]] virtual std::int64_t count_rows(Stream& stream) = 0;

  /// Begins a solve. Device memory for the rows of one part, or of two where there are several, and what this object
  /// takes for itself are together at most `budget` bytes.
  virtual RowPlan begin(std::int64_t budget, Stream& stream, Phases& phases) = 0;
  /// Enqueues a part: its rows, without gaps, and their number in count[0], which is 0 before.
  virtual void enqueue(std::int64_t part, View<Row> rows, View<DigestWord> count, Stream& stream, Phases& phases) = 0;
};

}  // namespace warpbench::theta
