#include "harness/run/prepared_group.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "build_info.hpp"
#include "datasets/source.hpp"
#include "device/device.hpp"
#include "device/stream.hpp"
#include "harness/machine/cpu_affinity.hpp"
#include "harness/process/processes.hpp"
#include "harness/record/statistics.hpp"
#include "harness/run/failure.hpp"
#include "solvers/external/own_program.hpp"

namespace warpbench::harness {
namespace {

/// Of prepare_timeout, which ends a judgement: the rest is left to what else a judgement does.
constexpr double kReferenceShare = 0.8;
/// Of prepare_timeout, which ends all preparations together: the rest is left to examining the last one's index.
constexpr double kPreparationsShare = 0.8;
/// A preparation may take so many times as long as those before it.
constexpr double kPrepareSlack = 2;

}  // namespace

PreparedGroup::PreparedGroup(const Plan& plan, const Trial& first, const RunOptions& options)
    : plan_(plan),
      first_(first),
      options_(options),
      problem_(*find_problem(first.problem)),
      solver_(*find_solver(problem_, first.solver)) {}

void PreparedGroup::need_device() const {
  if (plan_.protocol.device_memory_bytes > 0) {
    set_memory_limit(static_cast<std::int64_t>(plan_.protocol.device_memory_bytes));
  }
  if (solver_.device == Target::cpu) return;
  if (devices().empty()) throw NoDevice("no GPU was found by the CUDA runtime");
  // The first stream creates the GPU context. That takes a good part of a second, which must not count as the solver's.
  Stream().synchronize();
}

DatasetFacts PreparedGroup::load() {
  const NamedDataset& planned = plan_.datasets.at(first_.dataset);
  datasets::LoadOptions load_options;
  load_options.data_dir = options_.data;
  load_options.cache_dir = options_.cache;
  load_options.threads = options_.threads;
  load_options.max_inflation = options_.max_inflation;
  load_options.notice = [](const std::string& text) { fmt::print(stderr, "{}\n", text); };
  dataset_ = std::make_shared<const datasets::Dataset>(datasets::load(planned.source, load_options));
  DatasetFacts facts;
  facts.name = planned.name;
  facts.digest = dataset_->digest;
  facts.stand_in = dataset_->stand_in;
  facts.properties = dataset_->properties;
  return facts;
}

void PreparedGroup::make_instance(const std::string& reference_failure, std::function<void(bool)> long_work) {
  std::string key = fmt::format("warpbench {} reference of {} {} on {}", build_info::kVersion, first_.problem,
                                first_.task.canonical(), dataset_->digest);
  for (const auto& [name, value] : plan_.datasets.at(first_.dataset).extra)
    key += fmt::format(" {}={}", name, warpbench::to_string(value));
  instance_ = problem_.instance(std::move(dataset_), first_.task);
  instance_->stretch_limits(options_.patience);
  const double seconds = kReferenceShare * plan_.protocol.prepare_timeout_seconds;
  if (instance_->reference_has_limit()) key += fmt::format(" within {} s", seconds);
  ReferenceRules rules{ReferenceCache({options_.cache, options_.spare}, first_.problem, key), options_.threads, seconds,
                       reference_failure};
  verifier_ = std::make_unique<Verifier>(*instance_, std::move(rules), std::move(long_work));
}

const Verifier& PreparedGroup::need_reference() {
  verifier_->need_reference();
  return *verifier_;
}

void PreparedGroup::make_solver(const Parameters& parameters) {
  // The solver is unavailable as such where no program has a name; a spec's own name says more.
  if (const std::string why = why_no_own_program(first_.solver, parameters); !why.empty()) throw Unsupported(why);
  if (bound_ != nullptr) {  // that of another trial, which could not be prepared
    bound_.reset();
    start_ = std::chrono::steady_clock::now();
  }
  bound_ = bind_solver(problem_, first_.solver, *instance_, parameters);
  parameters_ = parameters;
}

PrepareFacts PreparedGroup::prepare() {
  if (plan_.protocol.pin_threads) fmt::print(stderr, "pinned {} threads\n", pin_openmp_threads());
  PrepareFacts facts;
  std::map<std::string, std::vector<double>> phases;
  while (true) {
    facts.memory = prepare_once(facts.samples, phases);
    if (!is_prepared_again(facts.samples)) break;
    bound_.reset();  // before there is another, which may take as much memory
    bound_ = bind_solver(problem_, first_.solver, *instance_, parameters_);
  }
  const MedianInterval interval = median_interval(facts.samples);
  facts.median = interval.median;
  facts.low = interval.low;
  facts.high = interval.high;
  for (const auto& [name, seconds] : phases) facts.phases[name] = median(seconds);
  bound_->examine_index();
  return facts;
}

/// Adds what a preparation took, in all and by phase; returns its memory.
MemoryFacts PreparedGroup::prepare_once(std::vector<double>& samples,
                                        std::map<std::string, std::vector<double>>& phases) {
  Phases measured;
  reset_peak_memory_use();
  reset_peak_memory();
  const auto start = std::chrono::steady_clock::now();
  bound_->prepare(measured);
  samples.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  for (const auto& [name, seconds] : measured.seconds()) phases[name].push_back(seconds);
  MemoryFacts memory;
  memory.host_peak = peak_memory_use();
  if (solver_.device != Target::cpu) memory.device_peak = peak_memory_in_use();
  return memory;
}

/// Not where another might end after its share of prepare_timeout: those made would be lost with it.
bool PreparedGroup::is_prepared_again(const std::vector<double>& samples) const {
  if (static_cast<std::int64_t>(samples.size()) >= plan_.protocol.preparations) return false;
  const double passed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  return passed + kPrepareSlack * std::ranges::max(samples) <
         kPreparationsShare * plan_.protocol.prepare_timeout_seconds;
}

TrialContext PreparedGroup::context(const Trial& trial) const {
  return {plan_.protocol, trial, solver_, *bound_, *verifier_, instance_->work()};
}

}  // namespace warpbench::harness
