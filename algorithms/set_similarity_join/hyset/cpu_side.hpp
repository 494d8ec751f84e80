// CpuSide: the threads of HySet that join on the CPU (bellas2022 §5.4.3), each with the similar pairs that it finds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "problems/set_similarity_join/problem.hpp"
#include "solvers/set_similarity_join/pair_sink.hpp"
#include "solvers/set_similarity_join/range_join.hpp"
#include "solvers/thread_team.hpp"

namespace warpbench::similarity {

class CpuSide {
 public:
  struct Worker {
    RangeJoin join;
    PairSink sink;
    double seconds = 0;      ///< that it worked
    std::int64_t taken = 0;  ///< joins of blocks, or probing sets
  };

  /// `sets` outlive it.
  void prepare(const OrderedSets& sets, const SetSimilarityJoin::Input& input, Filter filter, int threads) {
    workers_.clear();
    for (int i = 0; i < threads; ++i) {
      workers_.push_back(
          std::make_unique<Worker>(Worker{RangeJoin(sets, bounds_of(input), filter), PairSink(sets, input), 0, 0}));
    }
  }
  void clear() {
    for (const auto& worker : workers_) {
      worker->join.clear();
      worker->sink.clear();
      worker->seconds = 0;
      worker->taken = 0;
    }
  }

  /// Begins work(worker) for the first `count` workers, each on its thread; as ThreadTeam::start().
  void start(std::size_t count, std::function<void(Worker&)> work) {
    team_.start(count, [this, work = std::move(work)](std::size_t i) { work(*workers_[i]); });
  }
  void wait() { team_.wait(); }

  [[nodiscard]] std::size_t threads() const { return workers_.size(); }
  [[nodiscard]] Worker& worker(std::size_t i) { return *workers_[i]; }
  [[nodiscard]] const std::vector<std::unique_ptr<Worker>>& workers() const { return workers_; }

 private:
  std::vector<std::unique_ptr<Worker>> workers_;
  ThreadTeam team_;  ///< last: its threads use the workers
};

}  // namespace warpbench::similarity
