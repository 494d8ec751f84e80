// The pool of OS threads; see pool.hpp. Jobs are served strictly in order of arrival: a kernel whose blocks wait for
// each other (no more of them than max_resident_blocks) therefore gets all its threads before a later kernel does.
#include "device/simt/pool.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <string>
#include <thread>

#include "device/backend/accounting.hpp"
#include "device/backend/work_limit.hpp"
#include "device/error.hpp"
#include "device/simt/symbolize.hpp"

namespace warpbench::simt {
namespace {

constexpr int kMaxThreads = 24;
/// How long past the watchdog a block may go on before its OS thread is given up: it never reaches a point where
/// the block could be ended.
constexpr std::chrono::seconds kGrace{3};

struct Job {
  Launch launch;
  std::int64_t blocks = 0;
  std::int64_t multiplier = 1;  ///< of the block permutation
  std::int64_t offset = 0;
  // Guarded by the pool's mutex.
  std::int64_t next = 0;
  std::int64_t done = 0;
  std::string failure;
  bool lost = false;
  std::chrono::steady_clock::time_point last_progress;

  /// The block that runs at `position` of the block order.
  uint3 block_at(std::int64_t position) const {
    std::int64_t index = position;
    if (launch.order.kind == LaneOrder::Kind::kDescending) index = blocks - 1 - position;
    if (launch.order.kind == LaneOrder::Kind::kShuffle) {
      index = static_cast<std::int64_t>((static_cast<std::uint64_t>(position) * static_cast<std::uint64_t>(multiplier) +
                                         static_cast<std::uint64_t>(offset)) %
                                        static_cast<std::uint64_t>(blocks));
    }
    const std::int64_t width = launch.grid.x;
    const std::int64_t height = launch.grid.y;
    return {static_cast<unsigned>(index % width), static_cast<unsigned>(index / width % height),
            static_cast<unsigned>(index / width / height)};
  }
};

/// An affine map of the blocks onto themselves, from the seed.
void permute(Job& job) {
  const std::uint64_t hash = (job.launch.order.seed + 1) * 0x9e3779b97f4a7c15ULL;
  const std::int64_t bound = std::min<std::int64_t>(job.blocks, std::int64_t{1} << 31);
  job.multiplier = 1 + static_cast<std::int64_t>((hash >> 20) % static_cast<std::uint64_t>(bound));
  while (std::gcd(job.multiplier, job.blocks) != 1) ++job.multiplier;
  job.offset = static_cast<std::int64_t>(hash % static_cast<std::uint64_t>(job.blocks));
}

class Pool {
 public:
  static Pool& instance() {
    // Leaked on purpose: its threads run until the process ends.
    static Pool& pool = *std::make_unique<Pool>().release();
    return pool;
  }

  Pool() {
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    const auto wanted = accounting::integer_from_environment("WARPBENCH_SIMT_THREADS");
    threads_ = wanted && *wanted > 0 ? static_cast<int>(std::min<std::int64_t>(*wanted, 256))
                                     : std::clamp(cores, 1, kMaxThreads);
  }

  int threads() const { return threads_; }
  void run(const std::shared_ptr<Job>& job);

 private:
  void work();
  void start_thread() {
    std::thread([this] { work(); }).detach();
  }
  std::shared_ptr<Job> claim(std::int64_t& position);
  bool is_stuck(const Job& job) const;

  int threads_ = 1;
  std::mutex mutex_;
  std::condition_variable work_arrived_;
  std::condition_variable block_done_;
  std::deque<std::shared_ptr<Job>> jobs_;
  int started_ = 0;
};

std::shared_ptr<Job> Pool::claim(std::int64_t& position) {
  std::unique_lock lock(mutex_);
  for (;;) {
    while (!jobs_.empty() && jobs_.front()->next == jobs_.front()->blocks) jobs_.pop_front();
    if (!jobs_.empty()) break;
    work_arrived_.wait(lock);
  }
  position = jobs_.front()->next++;
  return jobs_.front();
}

void Pool::work() {
  kernel_context.runtime_thread = true;
  Executor executor;
  for (;;) {
    std::int64_t position = 0;
    const std::shared_ptr<Job> job = claim(position);
    std::string failure;
    try {
      failure = executor.run(job->launch, job->block_at(position));
    } catch (const std::exception& error) {
      failure = "kernel " + kernel_name(job->launch.call.kernel) + ": " + error.what();
    }
    const std::lock_guard lock(mutex_);
    if (job->lost) return;  // somebody else took this thread's place
    job->last_progress = std::chrono::steady_clock::now();
    ++job->done;
    if (!failure.empty() && job->failure.empty()) {
      job->failure = std::move(failure);
      job->done += job->blocks - job->next;
      job->next = job->blocks;
    }
    if (job->done == job->blocks) block_done_.notify_all();
  }
}

bool Pool::is_stuck(const Job& job) const {
  if (job.launch.watchdog_seconds <= 0 || job.next == job.done) return false;
  const std::chrono::duration<double> quiet = std::chrono::steady_clock::now() - job.last_progress;
  return quiet > std::chrono::duration<double>(job.launch.watchdog_seconds) + kGrace;
}

void Pool::run(const std::shared_ptr<Job>& job) {
  std::unique_lock lock(mutex_);
  while (started_ < std::min<std::int64_t>(threads_, job->blocks)) {
    start_thread();
    ++started_;
  }
  job->last_progress = std::chrono::steady_clock::now();
  jobs_.push_back(job);
  if (job->blocks == 1) {
    work_arrived_.notify_one();
  } else {
    work_arrived_.notify_all();
  }
  while (job->done < job->blocks) {
    block_done_.wait_for(lock, std::chrono::seconds(1));
    if (job->done < job->blocks && is_stuck(*job)) {
      job->lost = true;
      job->failure =
          "kernel " + kernel_name(job->launch.call.kernel) + ": watchdog: " + std::to_string(job->next - job->done) +
          " blocks neither end nor reach a collective, an atomic or a checked access; their OS threads are lost";
      for (std::int64_t i = job->done; i < job->next; ++i) start_thread();
      job->next = job->blocks;
      break;
    }
  }
}

}  // namespace

int pool_threads() {
  return Pool::instance().threads();
}

void run_grid(Launch launch) {
  const auto job = std::make_shared<Job>();
  job->blocks = static_cast<std::int64_t>(launch.grid.x) * launch.grid.y * launch.grid.z;
  job->launch = std::move(launch);
  if (job->launch.order.kind == LaneOrder::Kind::kShuffle) permute(*job);
  Pool::instance().run(job);
  if (job->failure == kGaveUp) throw GaveUp();
  if (!job->failure.empty()) throw DeviceError(job->failure);
}

}  // namespace warpbench::simt
