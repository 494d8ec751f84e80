// hsgd-star: CPU and GPU together on blocks of different size (HSGD*; yu2023 §3.2.3, §3.4). Cost models, measured once
// and kept in a file, tell which share α of the ratings the GPU gets (Eq. 3.8). R is cut by rows into R_g and R_c
// (§3.4.2); each iteration has a static phase, in which a side takes its own blocks and the GPU's segment of P stays on
// the device, and a dynamic one, in which a side that has finished helps the other (§3.4.1).
//
// With `dynamic: false` this is HSGD*-M, with `cost_model: qilin` beside it HSGD*-Q. One GPU, n_g = 1. Where the
// document is silent: users and items are dealt out to bands at random, bands have as many ratings each rather than as
// many rows, a thread takes its blocks where most is left, threads see to the GPU between two of their blocks, and the
// GPU opens its row to threads only where they can do more than they hold up.
//
// Ours, not the document's: what the cost models are fitted to. §3.3.1 shuffles the input R and times one thread, and
// the GPU, on prefixes of it. Here ratings are synthetic, so that one file of models serves datasets of about the same
// size; all threads are timed together, on a growing R_c with its own blocks and scheduler, since they wait for memory
// and for each other; and each time is the least of several runs. With `rehearsal: true`, ours too, a few iterations
// correct the share, since beside each other, and on popular items, both sides are slower than the models know.
#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "algorithms/matrix_factorization/hsgd/hybrid_solver.hpp"
#include "algorithms/matrix_factorization/hsgd/measure_costs.hpp"
#include "problems/first_failure.hpp"
#include "solvers/matrix_factorization/cost_file.hpp"
#include "solvers/matrix_factorization/division.hpp"
#include "solvers/matrix_factorization/star_scheduler.hpp"

namespace warpbench::matrix_factorization {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

class HsgdStar final : public HybridSolver {
 public:
  using HybridSolver::HybridSolver;

  [[nodiscard]] std::map<std::string, double> counters() const override {
    if (!scheduler_) return {};
    const TimesTaken taken = scheduler_->times_taken();
    const StarScheduler::Side cpu = scheduler_->cpu();
    const StarScheduler::Side gpu = scheduler_->gpu();
    const auto iterations = static_cast<double>(input().iterations);
    WorkerCounts workers;
    std::int64_t ratings = 0;  // of R_g
    for (std::int64_t column = 0; column < division_.columns(); ++column) {
      const Task task{0, division_.gpu_rows(), column};
      count_workers(task, workers);
      ratings += std::ssize(device_ratings().on_host(task));
    }
    std::map<std::string, double> counters{
        {"threads", threads_had_},
        {"gpu_workers", static_cast<double>(workers.most)},
        {"fewest_gpu_workers", static_cast<double>(workers.fewest)},
        {"share", share_},
        {"gpu_ratings_share", static_cast<double>(ratings) / static_cast<double>(input().ratings->train.count())},
        {"measured_cpu_s", cpu.seconds / iterations},
        {"measured_gpu_s", gpu.seconds / iterations},
        {"cpu_busy_share", seconds_ > 0 ? thread_work_.seconds / (threads_had_ * seconds_) : 0},
        {"blocks_stolen_by_cpu", static_cast<double>(cpu.stolen)},
        {"blocks_stolen_by_gpu", static_cast<double>(gpu.stolen)},
        {"fewest_updates_of_a_block", static_cast<double>(taken.fewest)},
        {"most_updates_of_a_block", static_cast<double>(taken.most)}};
    counters.insert(predictions_.begin(), predictions_.end());
    return counters;
  }

 private:
  void before_sort(Phases& phases) override {
    division_ = fitting({threads_for(input()), 1, parameters().integer("cpu_bands")}, input().users(), input().items(),
                        input().ratings->train.count());
    gpu_workers_ =
        block_workers(parameters().flag("half_precision"), parameters().integer("workers"), stride(), input().users(),
                      input().items() / division_.columns(), input().ratings->train.count() / division_.columns());
    share_ = parameters().real("share");
    predictions_.clear();
    predicted_rates_ = {};
    if (share_ > 0) return;
    const CostModels models = cost_models(phases);
    const auto which = parameters().text("cost_model") == "qilin" ? CostModel::qilin : CostModel::tailored;
    const auto items = static_cast<double>(input().items());
    const auto columns = static_cast<double>(division_.columns());
    const IterationWork work{static_cast<double>(input().ratings->train.count()),
                             static_cast<double>(division_.threads), columns,
                             items / columns * static_cast<double>(stride() * std::int64_t{sizeof(float)}),
                             is_resident() ? 0.0 : static_cast<double>(sizeof(Rating))};
    const auto gpu = [&](double share) { return gpu_seconds(models, which, work, share); };
    const auto cpu = [&](double share) { return cpu_seconds(models, which, work, share); };
    share_ = balanced_share(gpu, cpu);
    predictions_["cost_residual"] = largest_residual(models, which);
    const double gpu_s = predictions_["predicted_gpu_s"] = gpu(share_);
    const double cpu_s = predictions_["predicted_cpu_s"] = cpu(1 - share_);
    if (gpu_s > 0) predicted_rates_.gpu = work.ratings * share_ / gpu_s;
    if (cpu_s > 0) predicted_rates_.thread = work.ratings * (1 - share_) / (cpu_s * work.threads);
    // Each side needs a part to be timed by.
    if (parameters().flag("rehearsal")) share_ = std::clamp(share_, kLeastRehearsed, 1 - kLeastRehearsed);
  }

  /// About as large as the input, so that datasets of about the same size share a file of models: to the nearest power
  /// of two. A part of the users where there are more ratings than need be timed.
  [[nodiscard]] CpuInput timed_input() const {
    constexpr std::int64_t kMostRatings = std::int64_t{1} << 24;
    const auto power = [](std::int64_t size) {
      const std::int64_t half_more = std::max<std::int64_t>(1, size + size / 2);
      return static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(half_more)));
    };
    CpuInput size{power(input().users()), power(input().items()), power(input().ratings->train.count())};
    for (; size.ratings > kMostRatings && size.users > 1; size.ratings /= 2) size.users /= 2;
    return size;
  }

  [[nodiscard]] CostModels cost_models(Phases& phases) const {
    const bool half_precision = parameters().flag("half_precision");
    const Simd simd = simd_from(parameters().text("simd"));
    const CostSetup setup{stride(),       half_precision,        gpu_workers_, is_resident(),
                          device_order(), update_function(simd), division_,    timed_input()};
    const std::string key = fmt::format("k{} {} {} threads {} bands {} ratings {} of {} x {} workers {} {} {}",
                                        stride(), half_precision ? "fp16" : "fp32", to_string(simd), division_.threads,
                                        division_.cpu_factor, setup.cpu.ratings, setup.cpu.users, setup.cpu.items,
                                        setup.workers, parameters().text("residency"), parameters().text("order"));
    return kept_costs(setup, key, phases);
  }

  GridPlan sort(const Input& input) override {
    GridPlan plan{places(input.users(), kUsers), places(input.items(), kItems), {}, {}};
    const datasets::RatingList& train = input.ratings->train;
    plan.user_bands = divided_users(ratings_of_places(train.users.span(), plan.user_places), division_, share_);
    plan.item_bands = weighted_bands(ratings_of_places(train.items.span(), plan.item_places), division_.columns());
    grid_ = RatingGrid(train, plan, RatingOrder::user, mix64(input.seed, kRatings));
    return plan;
  }

  /// Corrects the cost models' share by a few iterations of both sides, each with its own part alone.
  bool rehearse(Phases& phases) override {
    if (!parameters().flag("rehearsal") || predictions_.empty()) return false;
    const auto scope = phases.cpu("rehearse");
    Phases own;
    upload(own);
    begin_factors();
    start_over();
    scheduler_ = std::make_unique<StarScheduler>(division_, grid_.counts(), false);
    const UpdateRule rule{input().rate_of(0), static_cast<float>(input().lambda_p),
                          static_cast<float>(input().lambda_q)};
    for (int iteration = 0; iteration < kRehearsals; ++iteration) {
      iterate(rule, own);
      (void)current_rmse();  // as between two iterations of a solve: threads find other caches after it
    }
    const double cpu_ratings = kRehearsals * static_cast<double>(input().ratings->train.count()) - gpu_work_.ratings;
    const double cpu_s = scheduler_->cpu().seconds;
    const double gpu_s = scheduler_->gpu().seconds;
    if (cpu_s <= 0 || gpu_s <= 0) return false;  // a side had nothing to do
    const double cpu_rate = cpu_ratings / cpu_s;
    const double gpu_rate = gpu_work_.ratings / gpu_s;
    const double corrected = gpu_rate / (gpu_rate + cpu_rate);
    const bool changes = std::abs(corrected - share_) > kShareTolerance;
    predictions_["predicted_gpu_s"] = predictions_["predicted_cpu_s"] =
        static_cast<double>(input().ratings->train.count()) / (gpu_rate + cpu_rate);
    predicted_rates_ = {gpu_rate, cpu_rate / static_cast<double>(division_.threads)};
    if (!changes) return false;
    share_ = corrected;
    release();
    grid_ = {};
    return true;
  }

  [[nodiscard]] const RatingGrid& grid() const override { return grid_; }
  [[nodiscard]] std::vector<std::int64_t> device_parts() const override {
    std::vector<std::int64_t> parts{0, division_.gpu_rows()};
    if (parameters().flag("dynamic")) {  // else the GPU takes none of the others
      for (std::int64_t row = division_.gpu_rows(); row < division_.rows(); ++row) parts.push_back(row + 1);
    }
    return parts;
  }

  [[nodiscard]] DeviceSizes sizes() const override {
    const std::vector<std::int64_t>& users = plan().user_bands;
    return {.workers = parameters().integer("workers"),
            .home_users = {0, users[static_cast<std::size_t>(division_.gpu_rows())]},
            .visited_users = parameters().flag("dynamic") ? largest_band(users) : 0,
            .items = largest_band(plan().item_bands),
            .ratings = is_resident() ? 0 : device_ratings().largest_task()};
  }

  void start_over() override {
    scheduler_ = std::make_unique<StarScheduler>(division_, grid_.counts(), parameters().flag("dynamic"));
    scheduler_->set_rates(predicted_rates_);
    gpu_work_ = {};
    thread_work_ = {};
    seconds_ = 0;
    is_home_on_device_ = false;
    if (sizes().home_users.size() > 0) load_home();
  }

  void iterate(const UpdateRule& rule, Phases& /*phases*/) override {
    scheduler_->begin_iteration();
    begun_.clear();
    is_gpu_through_ = false;
    iteration_start_ = Clock::now();
    own_seconds_ = 0;
    FirstFailure failure;
#pragma omp parallel num_threads(static_cast <int>(division_.threads))
    {
      if (omp_get_thread_num() == 0) threads_had_ = omp_get_num_threads();
      failure.guard([&] { work(rule); });
    }
    failure.rethrow();
    seconds_ += seconds_since(iteration_start_);
    gpu_work_.seconds += own_seconds_;
    // A side that had no work of its own keeps what was predicted.
    scheduler_->set_rates({gpu_work_.seconds > 0 ? gpu_work_.rate() : predicted_rates_.gpu,
                           thread_work_.seconds > 0 ? thread_work_.rate() : predicted_rates_.thread,
                           2 * load_seconds_});
  }

  void collect() override {
    if (is_home_on_device_) device().store_home();
  }

  /// Updates on a thread; between two blocks it sees to the GPU, so that no thread is kept for that alone.
  void work(const UpdateRule& rule) {
    Work own;
    for (;;) {
      see_to_gpu(rule);
      if (const std::optional<Task> task = scheduler_->take()) {
        const auto start = Clock::now();
        const std::span<const Rating> ratings = grid_.ratings({task->first_row, task->column});
        update(ratings, rule);
        own.ratings += static_cast<double>(ratings.size());
        own.seconds += seconds_since(start);
        scheduler_->give_back(*task);
      } else if (is_gpu_through_ && scheduler_->is_over()) {
        break;
      } else {
        StarScheduler::nap();
      }
    }
    const std::lock_guard lock(work_mutex_);
    thread_work_.ratings += own.ratings;
    thread_work_.seconds += own.seconds;
  }

  /// Gives the GPU its next block, or takes one back that is done; nothing while another thread does.
  void see_to_gpu(const UpdateRule& rule) {
    const std::unique_lock lock(gpu_mutex_, std::try_to_lock);
    if (!lock || is_gpu_through_) return;
    try {
      while (begun_.size() < DeviceSide::kDepth && begin_next(rule)) {
      }
      if (begun_.empty()) {
        is_gpu_through_ = scheduler_->is_over(0);
      } else if (device().has_finished()) {
        finish_first();
        while (begun_.size() < DeviceSide::kDepth && begin_next(rule)) {
        }
      }
    } catch (...) {
      is_gpu_through_ = true;
      scheduler_->stop();  // or threads would wait for the GPU's bands
      throw;
    }
  }

  /// While the GPU updates by one block, the next one is on its way. False where there is none now.
  bool begin_next(const UpdateRule& rule) {
    if (begun_.empty() && scheduler_->should_open(0)) open_row();
    const std::optional<Task> task = begun_.empty() ? scheduler_->take_for_gpu(0) : scheduler_->take_next(0);
    if (!task) return false;
    begun_.push_back(*task);
    begin(*task, rule);
    return true;
  }

  void finish_first() {
    device().finish();
    if (is_home(begun_.front())) {
      gpu_work_.ratings += static_cast<double>(device_ratings().on_host(begun_.front()).size());
      own_seconds_ = seconds_since(iteration_start_);
    }
    scheduler_->give_back(begun_.front());
    begun_.pop_front();
  }

  /// The GPU's whole row in a column.
  [[nodiscard]] static bool is_home(const Task& task) {
    return task.rows > 1;
  }

  void begin(const Task& task, const UpdateRule& rule) {
    if (is_home(task) && !is_home_on_device_) load_home();
    begin_on_device(task, is_home(task), rule);
  }

  void load_home() {
    const auto start = Clock::now();
    device().load_home();
    load_seconds_ = seconds_since(start);
    is_home_on_device_ = true;
  }

  void open_row() {
    collect();
    is_home_on_device_ = false;
    scheduler_->open(0);
  }

  static constexpr int kRehearsals = 3;
  static constexpr double kLeastRehearsed = 0.05;  ///< of the ratings, for each side
  static constexpr double kShareTolerance = 0.005;

  struct Work {
    double ratings = 0;
    double seconds = 0;

    [[nodiscard]] double rate() const { return ratings / seconds; }
  };

  Division division_;
  std::int64_t gpu_workers_ = 1;  ///< in a column of mean size
  int threads_had_ = 0;           ///< OpenMP may give fewer than it is asked for
  double share_ = 0;              ///< asked for; whole users of R_g may have another one
  std::map<std::string, double> predictions_;
  StarScheduler::Rates predicted_rates_;
  RatingGrid grid_;
  std::unique_ptr<StarScheduler> scheduler_;
  bool is_home_on_device_ = false;  ///< the GPU's segment of P
  double load_seconds_ = 0;         ///< of load_home(), the last time
  Work gpu_work_;                   ///< in its own row
  Work thread_work_;                ///< of all threads
  double seconds_ = 0;              ///< of all iterations
  std::mutex work_mutex_;
  std::mutex gpu_mutex_;  ///< of the thread that sees to the GPU, and what follows
  std::deque<Task> begun_;
  Clock::time_point iteration_start_;
  double own_seconds_ = 0;  ///< until the GPU's last block of its own in this iteration
  std::atomic<bool> is_gpu_through_ = false;
};

std::vector<ParameterSpec> star_parameters() {
  std::vector<ParameterSpec> all = hybrid_parameters();
  all.push_back(parameter("cost_model", "tailored")
                    .one_of({"qilin", "tailored"})
                    .at(Stage::prepare)
                    .means("what tells the GPU's share: Qilin's lines, or models of copies and kernel"));
  all.push_back(parameter("dynamic", true)
                    .at(Stage::prepare)
                    .means("a side that has finished its blocks takes some of the other's"));
  all.push_back(parameter("share", 0.0)
                    .range(0, 1)
                    .document({0.0})
                    .at(Stage::prepare)
                    .means("of the ratings that are the GPU's; 0: as the cost model says"));
  all.push_back(parameter("rehearsal", false)
                    .document({false})
                    .at(Stage::prepare)
                    .means("three iterations on the ratings correct the cost model's share"));
  all.push_back(parameter("cpu_bands", 1)
                    .range(1, 16)
                    .document({1})
                    .at(Stage::prepare)
                    .means("bands of users in the CPU's part: so many times threads + 1"));
  return all;
}

WARPBENCH_SOLVER(MatrixFactorization, HsgdStar,
                 {.id = "hsgd-star",
                  .title = "CPU and GPU on blocks of different size, shared by cost models (HSGD*)",
                  .source = "yu2023, §3.2.3, §3.3, §3.4",
                  .role = Role::proposed,
                  .device = Target::hybrid,
                  .parameters = star_parameters(),
                  .smoke = {{"threads", 2}, {"share", 0.5}},
                  .best = {{"workers", 0}, {"residency", "resident"}, {"order", "user"}, {"rehearsal", true}}})

}  // namespace
}  // namespace warpbench::matrix_factorization
