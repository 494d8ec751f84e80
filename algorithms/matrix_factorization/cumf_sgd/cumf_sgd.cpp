// cumf-sgd: stochastic gradient descent on a GPU (cuMF_SGD, GPU-Only of yu2023 §2.1.2, §3.5). Warps update side by side
// without locks (Hogwild), each by consecutive ratings of a randomly ordered block. Ratings and factors come from
// pinned memory on three streams, or are on the device all the time.
//
// The document does not print the grid. By default P and Q are cut only where they do not fit the device, and only
// ratings are copied. Ours: `order: user` takes a user's ratings one after the other, so that their row of P stays in
// registers and is written by one warp at a time.
#include <optional>

#include "algorithms/matrix_factorization/cumf_sgd/training.hpp"
#include "device/buffer.hpp"
#include "device/device.hpp"
#include "device/mix64.hpp"
#include "solvers/matrix_factorization/descent_solver.hpp"
#include "solvers/matrix_factorization/device_update.hpp"

namespace warpbench::matrix_factorization {
namespace {

/// Streams of the input's seed.
enum : std::uint64_t { kUsers = 2, kItems = 3, kRatings = 4 };

/// Of the free device memory; the rest is left to the driver.
constexpr double kUsableShare = 0.95;

class CumfSgd final : public DescentSolver {
 public:
  explicit CumfSgd(const Parameters& parameters) : parameters_(parameters) {}

  void configure(const Parameters& parameters) override { parameters_ = parameters; }
  void upload(Phases& phases) override { training_->upload(phases); }

  [[nodiscard]] std::map<std::string, double> counters() const override { return training_->counters(); }

 private:
  GridPlan sort(const Input& input) override {
    transfers_ = {};
    if (!is_resident()) {
      const auto factor_bytes =
          static_cast<std::int64_t>(precision() == Precision::fp16 ? sizeof(Half) : sizeof(float));
      const auto usable = static_cast<std::int64_t>(kUsableShare * static_cast<double>(free_memory()));
      transfers_ = plan_transfers({.users = input.users(),
                                   .items = input.items(),
                                   .ratings = input.ratings->train.count(),
                                   .row_bytes = stride() * factor_bytes,
                                   .row_bands = parameters_.integer("grid_rows"),
                                   .column_bands = parameters_.integer("grid_columns")},
                                  usable);
    }
    GridPlan plan{random_places(input.users(), mix64(input.seed, kUsers)),
                  random_places(input.items(), mix64(input.seed, kItems)), even_bands(input.users(), transfers_.rows),
                  even_bands(input.items(), transfers_.columns)};
    const RatingOrder order = parameters_.text("order") == "user" ? RatingOrder::user_and_random : RatingOrder::random;
    training_.reset();
    pinned_.reset();
    grid_ = RatingGrid(input.ratings->train, plan, order, mix64(input.seed, kRatings));
    return plan;
  }

  void after_sort(Phases& phases) override {
    {
      const auto scope = phases.cpu("pin");
      pinned_.emplace(grid_.all());
    }
    const auto scope = phases.cpu("take_memory");
    training_ =
        make_training(precision(), {&grid_, plan().user_bands, plan().item_bands, stride(), is_resident()}, transfers_);
  }

  [[nodiscard]] Precision precision() const {
    return parameters_.flag("half_precision") ? Precision::fp16 : Precision::fp32;
  }
  [[nodiscard]] bool is_resident() const { return parameters_.text("residency") == "resident"; }
  /// Of FactorRows.
  [[nodiscard]] std::int64_t stride() const { return FactorRows(0, input().k).stride(); }

  void start_over() override { training_->begin(p(), q()); }
  void iterate(const UpdateRule& rule, Phases& phases) override {
    training_->iterate(rule, parameters_.integer("workers"), phases);
  }
  void collect() override { training_->collect(p(), q()); }

  Parameters parameters_;
  TransferPlan transfers_;
  RatingGrid grid_;
  std::optional<PinnedRegion> pinned_;  ///< the ratings
  std::unique_ptr<Training> training_;
};

WARPBENCH_SOLVER(
    MatrixFactorization, CumfSgd,
    {.id = "cumf-sgd",
     .title = "Stochastic gradient descent on a GPU, a warp a rating (cuMF_SGD, GPU-Only)",
     .source = "yu2023, §2.1.2, §3.5",
     .role = Role::gpu_baseline,
     .device = Target::gpu,
     .parameters = {parameter("half_precision", true)
                        .at(Stage::prepare)
                        .means("factors are stored in fp16; an update computes in fp32"),
                    parameter("workers", 128)
                        .range(0, 1 << 20)
                        .alias("all", 0)
                        .means("warps that update at the same time; 0: as many as the device runs. Never more than "
                               "that, than an eighth of the users or items, or than a 32nd of the ratings"),
                    parameter("residency", "streamed")
                        .one_of({"streamed", "resident"})
                        .at(Stage::prepare)
                        .means("streamed: from pinned memory while kernels run; resident: all on the device"),
                    parameter("grid_rows", 0)
                        .range(0, 1024)
                        .at(Stage::prepare)
                        .means("bands of users where streamed; 0: as few as fit the device"),
                    parameter("grid_columns", 0)
                        .range(0, 1024)
                        .at(Stage::prepare)
                        .means("bands of items where streamed; 0: as few as fit the device"),
                    parameter("order", "random")
                        .one_of({"random", "user"})
                        .document({"random"})
                        .at(Stage::prepare)
                        .means("of a block's ratings: random, or by user, whose row then stays in registers")},
     .smoke = {{"workers", 8}},
     .best = {{"workers", 0}, {"residency", "resident"}, {"order", "user"}}})

}  // namespace
}  // namespace warpbench::matrix_factorization
