// The base of the CPU solvers of nearest_neighbors: points and queries in float, the answer's memory, the number of
// threads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "problems/nearest_neighbors/problem.hpp"
#include "solvers/nearest_neighbors/float_space.hpp"
#include "solvers/solver.hpp"
#include "solvers/threads.hpp"

namespace warpbench::nearest_neighbors {

/// The ids of an answer, queries × k.
class AnswerRows {
 public:
  AnswerRows() = default;
  explicit AnswerRows(const NearestNeighbors::Input& input)
      : k_(static_cast<std::size_t>(input.k)), ids_(static_cast<std::size_t>(input.queries()) * k_) {}

  /// Query `query` found `ids`, the nearest first: the first k of them, then kNone.
  template <typename Ids>
  void store(std::int64_t query, const Ids& ids) {
    const std::span<std::uint32_t> row = std::span(ids_).subspan(static_cast<std::size_t>(query) * k_, k_);
    std::size_t place = 0;
    for (const std::uint32_t id : ids) {
      if (place == k_) return;
      row[place++] = id;
    }
    std::ranges::fill(row.subspan(place), kNone<std::uint32_t>);
  }
  [[nodiscard]] std::span<std::uint32_t> all() { return ids_; }

 private:
  std::size_t k_ = 0;
  std::vector<std::uint32_t> ids_;
};

/// A solver adds its index, if it has one, and solve().
class CpuSolver : public Solver<NearestNeighbors> {
 public:
  explicit CpuSolver(const Parameters& parameters) : parameters_(parameters) {}

  void configure(const Parameters& parameters) final { parameters_ = parameters; }
  void prepare(const Input& input, Phases& phases) final {
    input_ = &input;
    {
      const auto scope = phases.cpu("load_points");
      space_ = FloatSpace(input);
      rows_ = AnswerRows(input);
    }
    build(phases);
  }
  void download(Answer& answer, Phases& /*phases*/) final { answer.neighbors = rows_.all(); }

 protected:
  /// Builds the index.
  virtual void build(Phases& /*phases*/) {}

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] const Input& input() const { return *input_; }
  [[nodiscard]] const FloatSpace& space() const { return space_; }
  [[nodiscard]] AnswerRows& rows() { return rows_; }

 private:
  Parameters parameters_;
  const Input* input_ = nullptr;
  FloatSpace space_;
  AnswerRows rows_;
};

}  // namespace warpbench::nearest_neighbors
