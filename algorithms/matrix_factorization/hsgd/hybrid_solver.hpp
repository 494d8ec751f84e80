// The base of HSGD and HSGD*: threads of the CPU update P and Q in host memory, and a GPU beside them.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/matrix_factorization/hsgd/device_ratings.hpp"
#include "algorithms/matrix_factorization/hsgd/device_side.hpp"
#include "device/buffer.hpp"
#include "device/mix64.hpp"
#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/matrix_factorization/descent_solver.hpp"
#include "solvers/threads.hpp"

namespace warpbench::matrix_factorization {

class HybridSolver : public DescentSolver {
 public:
  explicit HybridSolver(const Parameters& parameters) { take(parameters); }

  void configure(const Parameters& parameters) final { take(parameters); }

  void upload(Phases& phases) final {
    if (!is_resident()) return;
    {
      const auto scope = phases.gpu("upload", uploads_);
      device_ratings_.upload(uploads_);
    }
    uploads_.synchronize();
  }

 protected:
  /// Streams of the input's seed.
  enum : std::uint64_t { kUsers = 2, kItems = 3, kRatings = 4, kTies = 5, kDeviceRatings = 6 };

  void after_sort(Phases& phases) final {
    {
      const auto scope = phases.cpu("copy_ratings");
      device_ratings_ = DeviceRatings(grid(), device_parts(), device_order(), mix64(input().seed, kDeviceRatings));
    }
    {
      const auto scope = phases.cpu("pin");
      pinned_p_.emplace(p().all());
      pinned_q_.emplace(q().all());
    }
    const auto scope = phases.cpu("take_memory");
    device_ = make_device_side(parameters_.flag("half_precision"), factors(), sizes());
  }
  /// The sorted ratings.
  [[nodiscard]] virtual const RatingGrid& grid() const = 0;
  /// Those of DeviceRatings.
  [[nodiscard]] virtual std::vector<std::int64_t> device_parts() const = 0;
  /// What the device takes memory for.
  [[nodiscard]] virtual DeviceSizes sizes() const = 0;

  [[nodiscard]] const Parameters& parameters() const { return parameters_; }
  [[nodiscard]] bool is_resident() const { return parameters_.text("residency") == "resident"; }
  [[nodiscard]] int threads_for(const Input& input) const {
    return threads_of(parameters_, std::min({input.users(), input.items(), input.ratings->train.count()}));
  }
  [[nodiscard]] std::vector<std::uint32_t> places(std::int64_t count, std::uint64_t stream) const {
    return random_places(count, mix64(input().seed, stream));
  }

  /// Of FactorRows.
  [[nodiscard]] std::int64_t stride() const { return FactorRows(0, input().k).stride(); }
  [[nodiscard]] FactorView factors() { return {p().all().data(), q().all().data(), p().stride()}; }
  void update(std::span<const Rating> ratings, const UpdateRule& rule) { update_(ratings, factors(), rule); }
  /// Workers on the GPU, in the tasks with the fewest and the most; zeros without tasks.
  struct WorkerCounts {
    std::int64_t fewest = 0;
    std::int64_t most = 0;
  };
  /// Counts those of one more task, once it is prepared.
  void count_workers(const Task& task, WorkerCounts& counts) const {
    const std::int64_t ratings = std::ssize(device_ratings_.on_host(task));
    if (ratings == 0) return;
    const std::int64_t workers = block_workers(parameters_.flag("half_precision"), parameters_.integer("workers"),
                                               stride(), users_of(task).size(), items_of(task).size(), ratings);
    counts.fewest = counts.most == 0 ? workers : std::min(counts.fewest, workers);
    counts.most = std::max(counts.most, workers);
  }

  /// Queues the work of a block: of users [user_bands[first row], …), items of the column.
  void begin_on_device(const Task& task, bool is_home, const UpdateRule& rule) {
    DeviceBlock block{users_of(task), items_of(task), is_home, {}, {}};
    if (is_resident()) {
      block.on_device = device_ratings_.on_device(task);
    } else {
      block.on_host = device_ratings_.on_host(task);
    }
    device_->begin(block, rule);
  }

  /// Gives back what after_sort() took, before it is called again.
  void release() {
    device_.reset();
    device_ratings_ = {};
  }

  [[nodiscard]] DeviceSide& device() { return *device_; }
  [[nodiscard]] const DeviceRatings& device_ratings() const { return device_ratings_; }
  [[nodiscard]] RatingOrder device_order() const {
    return parameters_.text("order") == "user" ? RatingOrder::user_and_random : RatingOrder::random;
  }

 private:
  [[nodiscard]] static RowRange band(const std::vector<std::int64_t>& bands, std::int64_t first, std::int64_t count) {
    return {bands[static_cast<std::size_t>(first)], bands[static_cast<std::size_t>(first + count)]};
  }
  [[nodiscard]] RowRange users_of(const Task& task) const { return band(plan().user_bands, task.first_row, task.rows); }
  [[nodiscard]] RowRange items_of(const Task& task) const { return band(plan().item_bands, task.column, 1); }

  void take(const Parameters& parameters) {
    update_ = update_function(simd_from(parameters.text("simd")));
    parameters_ = parameters;
  }

  Parameters parameters_;
  UpdateFunction update_ = nullptr;
  Stream uploads_;
  DeviceRatings device_ratings_;
  std::optional<PinnedRegion> pinned_p_;
  std::optional<PinnedRegion> pinned_q_;
  std::unique_ptr<DeviceSide> device_;
};

/// Rows of the largest of the bands first, first + 1, ….
inline std::int64_t largest_band(std::span<const std::int64_t> bands, std::int64_t first = 0) {
  std::int64_t largest = 0;
  for (std::size_t band = static_cast<std::size_t>(first); band + 1 < bands.size(); ++band) {
    largest = std::max(largest, bands[band + 1] - bands[band]);
  }
  return largest;
}

/// Those of both solvers.
inline std::vector<ParameterSpec> hybrid_parameters() {
  return {threads_parameter().at(Stage::prepare),

          parameter("workers", 128)
              .range(0, 1 << 20)
              .alias("all", 0)
              .at(Stage::prepare)
              .means("ratings that the GPU updates by at a time, a warp each; 0 or all: as many as it runs"),
          parameter("half_precision", true)
              .at(Stage::prepare)
              .means("factors on the GPU are fp16; those on the host are fp32"),
          parameter("residency", "streamed")
              .one_of({"streamed", "resident"})
              .document({"streamed"})
              .at(Stage::prepare)
              .means("ratings come to the GPU with each block, or stay there"),
          parameter("order", "random")
              .one_of({"random", "user"})
              .document({"random"})
              .at(Stage::prepare)
              .means("of a block's ratings on the GPU: random, or by user, whose row then stays in registers"),
          simd_parameter("vector instructions of an update on the CPU").at(Stage::prepare)};
}

}  // namespace warpbench::matrix_factorization
