// Hyset: what both strategies of HySet share (bellas2022 §5.4): the sets on both sides, a thread that drives the device
// and threads that join on the CPU, side by side until all is joined.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "algorithms/set_similarity_join/hyset/calibration.hpp"
#include "algorithms/set_similarity_join/hyset/cpu_side.hpp"
#include "algorithms/set_similarity_join/hyset/device_side.hpp"
#include "algorithms/set_similarity_join/hyset/index_builder.hpp"
#include "device/stream.hpp"
#include "problems/first_failure.hpp"
#include "solvers/solver.hpp"

namespace warpbench::similarity {

/// Probing sets that a thread of the CPU takes at once, where several share them.
inline constexpr std::int64_t kProbesAtOnce = 64;

class Hyset : public Solver<SetSimilarityJoin> {
 public:
  static std::vector<ParameterSpec> parameters();

  explicit Hyset(const Parameters& parameters) : parameters_(parameters) {}

  void configure(const Parameters& parameters) final { parameters_ = parameters; }
  void prepare(const Input& input, Phases& phases) final;
  void upload(Phases& phases) final;
  void solve(Phases& phases) final;
  void download(Answer& answer, Phases& phases) final;
  void forget() final;
  /// `cpu_seconds` and `device_seconds`, that each side worked, of the CPU the longest thread; `idle_share`, of the two
  /// sides' time together; `cpu_taken` and `device_taken`, what each joined; `index_bytes` and `offsets_bytes` of the
  /// CPU's indexes; `single_index_bytes` and `single_offsets_bytes`, those of one index of all sets; the technique's.
  [[nodiscard]] std::map<std::string, double> counters() const override;
  [[nodiscard]] std::map<std::string, std::string> facts() const final;

 protected:
  /// Plans the join and takes the memory of indexes.
  virtual void plan(Phases& phases) = 0;
  /// Builds the CPU's indexes.
  virtual void build_indexes() = 0;
  /// More threads of the CPU would have nothing to do.
  [[nodiscard]] virtual std::int64_t most_cpu_tasks() const = 0;
  /// One thread of the CPU, until nothing is left or has_failed().
  virtual void join_on_cpu(CpuSide::Worker& worker) = 0;
  /// The thread that drives the device, until nothing is left. Returns how many joins it enqueued.
  virtual std::int64_t join_on_device(Phases& phases) = 0;
  [[nodiscard]] virtual std::vector<const PrefixIndex*> indexes() const = 0;

  /// Whether some thread has failed, so that the others may end.
  [[nodiscard]] bool has_failed() const { return failure_ && failure_->has_failed(); }
  [[nodiscard]] const OrderedSets& sets() const { return sets_; }
  [[nodiscard]] const Bounds& bounds() const { return bounds_; }
  [[nodiscard]] const Parameters& given() const { return parameters_; }
  [[nodiscard]] std::int64_t block_size() const { return block_size_; }
  /// Where the join should end soonest, by the costs of both sides; nothing without room to measure them. For plan(),
  /// where there are sets.
  [[nodiscard]] std::optional<Cut> cut_by_cost();
  [[nodiscard]] IndexBuilder& builder() { return builder_; }
  [[nodiscard]] CpuSide& cpu() { return cpu_; }
  [[nodiscard]] DeviceSide& device() { return *device_; }
  [[nodiscard]] SetsView device_sets() const { return device_sets_.view(); }
  [[nodiscard]] Stream& stream() { return stream_; }

 private:
  [[nodiscard]] std::unique_ptr<DeviceSide> side_of(const std::string& gpu);
  /// Made at the first call of a prepare(), as are the CPU's costs: brings the sets to the device.
  [[nodiscard]] Calibration& calibration();
  [[nodiscard]] const std::vector<CostSample>& cpu_cost();
  /// With device(), or nothing where that is too slow to shorten a join of `seconds_to_beat`.
  [[nodiscard]] std::optional<std::vector<Cut>> cuts_under(double seconds_to_beat);
  /// With the memory that it took.
  void drop_calibration();
  /// As the parameters say, or by costs.
  void choose_filter();
  void choose_technique();
  void choose_technique_by_cost();
  void plan_with_one_that_fits(Phases& phases);
  void try_out();
  void join_on_both(Phases& phases);

  Parameters parameters_;
  Input input_;
  OrderedSets sets_;
  Bounds bounds_;
  std::int64_t block_size_ = 0;
  std::string technique_;
  std::string filter_;
  std::optional<Calibration> calibration_;  ///< while prepare() needs it
  std::optional<std::vector<CostSample>> cpu_cost_;
  std::optional<Cut> cut_;  ///< that the technique was chosen for

  std::optional<FirstFailure> failure_;  ///< of the join that goes on
  CpuSide cpu_;
  double cpu_seconds_ = 0;
  double device_seconds_ = 0;
  std::int64_t device_taken_ = 0;
  std::vector<Pair> pairs_;

  DeviceSets device_sets_;
  IndexBuilder builder_;
  std::unique_ptr<DeviceSide> device_;
  Stream stream_;  ///< last, so that it waits for its copies before host memory is freed
};

}  // namespace warpbench::similarity
