#include "algorithms/set_similarity_join/hyset/hyset.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <new>
#include <utility>

#include "algorithms/set_similarity_join/bitmap/signature_width.hpp"
#include "algorithms/set_similarity_join/hyset/technique_choice.hpp"
#include "device/error.hpp"
#include "solvers/registry.hpp"
#include "solvers/threads.hpp"

namespace warpbench::similarity {
namespace {

/// Bytes of a chunk of the co-processing join: several are filled, verified and emptied side by side.
constexpr std::int64_t kChunkMemory = std::int64_t{256} << 20;

constexpr double kForever = std::numeric_limits<double>::infinity();

constexpr std::array<const char*, 4> kTechniques = {"fgssjoin", "sf-gssjoin", "bitmap", "cpu-gpu"};

using HysetClock = std::chrono::steady_clock;

double seconds_since(HysetClock::time_point begin) {
  return std::chrono::duration<double>(HysetClock::now() - begin).count();
}

/// Runs work(). False where memory is too small for it, the device's or the host's, or an index would be too large.
template <typename Work>
bool has_room_for(const Work& work) {
  try {
    work();
    return true;
  } catch (const OutOfDeviceMemory&) {
    return false;
  } catch (const std::bad_alloc&) {  // of pinned memory
    return false;
  } catch (const Unsupported&) {
    return false;
  }
}

JoinShape shape_of(const OrderedSets& sets, const Bounds& bounds) {
  const auto count = static_cast<double>(std::max<std::int64_t>(1, sets.count()));
  return {sets.count(), static_cast<double>(sets.sets.total()) / count, sets.distinct_tokens,
          static_cast<double>(bounds.threshold.numerator) / bounds.threshold.denominator};
}

}  // namespace

std::vector<ParameterSpec> Hyset::parameters() {
  return {parameter("block_size", 10'000)
              .range(1, static_cast<double>(datasets::kMaxSets))
              .alias("all", datasets::kMaxSets)
              .in("sets")
              .means("sets of a block; all: one block, with which a queue has nothing to share out")
              .at(Stage::prepare),
          parameter("cpu", "ppjoin")
              .one_of({"ppjoin", "allpairs", "auto"})
              .document({"ppjoin", "allpairs"})
              .means("the CPU's filter; auto: the cheapest by timing a sample")
              .at(Stage::prepare),
          parameter("gpu", "table")
              .one_of({"table", "fgssjoin", "sf-gssjoin", "bitmap", "cpu-gpu", "auto"})
              .document({"table", "fgssjoin", "sf-gssjoin", "bitmap", "cpu-gpu"})
              .means("the device's technique; table: by the sets and the threshold, as Figure 5.16 says; auto: by "
                     "timing a sample, the one with which the join should end soonest if it is cut well")
              .at(Stage::prepare),
          parameter("device_technique", "document")
              .one_of({"document", "all-blocks", "best"})
              .document({"document"})
              .means("document: fgssjoin, sf-gssjoin and bitmap as their documents have them; all-blocks: the same, "
                     "but fgssjoin and sf-gssjoin on as many blocks of threads as run at once, not 15; best: at their "
                     "best, but for signature_bits")
              .at(Stage::prepare),
          signature_bits_parameter().means("size of a signature of gpu: bitmap; auto: by a sample of the pairs"),
          threads_parameter(1).at(Stage::prepare)};
}

void Hyset::prepare(const Input& input, Phases& phases) {
  stream_.synchronize();  // what an earlier prepare() or solve() left, if it failed
  device_.reset();
  drop_calibration();
  cpu_cost_.reset();
  cut_.reset();
  input_ = input;
  bounds_ = bounds_of(input);
  {
    const auto scope = phases.cpu("order");
    sets_ = ordered(input);
  }
  block_size_ = std::clamp<std::int64_t>(sets_.count(), 1, parameters_.integer("block_size"));
  {
    const auto scope = phases.cpu("pin");
    device_sets_.prepare(sets_, stream_);
  }
  builder_.prepare(sets_, bounds_, stream_);
  {
    const auto scope = phases.cpu("choose");
    choose_filter();
    choose_technique();
  }
  if (parameters_.text("gpu") == "auto") {
    plan_with_one_that_fits(phases);
  } else {
    drop_calibration();  // the device's side takes as much as is free
    device_ = side_of(technique_);
    plan(phases);
  }
  calibration_.reset();
  stream_.synchronize();
}

Calibration& Hyset::calibration() {
  if (!calibration_) {
    device_sets_.upload(stream_);
    calibration_.emplace(sets_, bounds_, block_size_, device_sets(), builder_, stream_);
  }
  return *calibration_;
}

std::unique_ptr<DeviceSide> Hyset::side_of(const std::string& gpu) {
  return make_device_side(
      gpu, parameters_.text("device_technique"),
      {{"signature_bits", parameters_.integer("signature_bits")}, {"chunk_memory", kChunkMemory}, {"filter", filter_}},
      sets_, input_, block_size_, stream_);
}

const std::vector<CostSample>& Hyset::cpu_cost() {
  if (!cpu_cost_) cpu_cost_ = calibration().cost_of(cpu_);
  return *cpu_cost_;
}

std::optional<std::vector<Cut>> Hyset::cuts_under(double seconds_to_beat) {
  const std::optional<DeviceCost> device_cost = calibration().cost_of(*device_, seconds_to_beat);
  if (!device_cost) return std::nullopt;
  return calibration().cuts(cpu_cost(), *device_cost);
}

std::optional<Cut> Hyset::cut_by_cost() {
  if (!cut_ && !has_room_for([&] { cut_ = best_cut(cuts_under(kForever).value()); })) drop_calibration();
  return cut_;
}

void Hyset::choose_filter() {
  filter_ = parameters_.text("cpu");
  const int threads = threads_of(parameters_, sets_.count());
  const auto cost_with = [&](Filter filter) {
    cpu_.prepare(sets_, input_, filter, threads);
    return calibration().cost_of(cpu_);
  };
  if (filter_ == "auto") {
    filter_ = "ppjoin";
    const auto measure = [&] {
      std::vector<CostSample> ppjoin = cost_with(Filter::ppjoin);
      std::vector<CostSample> allpairs = cost_with(Filter::allpairs);
      const bool is_allpairs = calibration().seconds_of_all(allpairs) < calibration().seconds_of_all(ppjoin);
      if (is_allpairs) filter_ = "allpairs";
      cpu_cost_ = std::move(is_allpairs ? allpairs : ppjoin);
    };
    if (sets_.count() > 0 && !has_room_for(measure)) drop_calibration();
  }
  cpu_.prepare(sets_, input_, filter_ == "allpairs" ? Filter::allpairs : Filter::ppjoin, threads);
}

/// Waits for what goes on with it.
void Hyset::drop_calibration() {
  stream_.synchronize();
  calibration_.reset();
  builder_.drop_memory();
}

void Hyset::choose_technique() {
  technique_ = parameters_.text("gpu");
  if (technique_ == "table") technique_ = technique_by_table(shape_of(sets_, bounds_));
  if (technique_ == "auto") choose_technique_by_cost();
}

/// The one with which the join should end soonest; of several with which it is best left to the CPU, the one that is
/// soonest with all sets. None where there is no room to measure any.
void Hyset::choose_technique_by_cost() {
  technique_.clear();
  std::string made;
  std::pair best{kForever, kForever};
  for (const char* gpu : kTechniques) {
    if (sets_.count() == 0) break;
    device_.reset();  // the device never holds two
    const auto measure = [&] {
      device_ = side_of(gpu);
      made = gpu;
      const Cut cpu_alone = calibration().cut_of_cpu(cpu_cost());
      const std::optional<std::vector<Cut>> cuts = cuts_under(cut_ ? cut_->seconds() : cpu_alone.seconds());
      const Cut cut = cuts ? best_cut(*cuts) : cpu_alone;
      const std::pair seconds{cut.seconds(), cuts ? cuts->front().seconds() : kForever};
      if (seconds >= best) return;
      best = seconds;
      cut_ = cut;
      technique_ = gpu;
    };
    if (has_room_for(measure)) continue;
    stream_.synchronize();
    device_.reset();
    if (!cpu_cost_) drop_calibration();  // the next one may leave room for it
  }
  if (made != technique_) device_.reset();
  drop_calibration();  // the technique had room beside it, so it has without
}

/// With the technique that was chosen; where that has no room, or nothing could be measured, with the first one that
/// solves the join.
void Hyset::plan_with_one_that_fits(Phases& phases) {
  std::vector<std::string> techniques{kTechniques.begin(), kTechniques.end()};
  const std::string chosen = technique_;
  std::erase(techniques, chosen);
  if (!chosen.empty()) techniques.insert(techniques.begin(), chosen);
  std::exception_ptr missing;
  for (const std::string& gpu : techniques) {
    technique_ = gpu;
    try {
      if (!device_) device_ = side_of(gpu);
      plan(phases);
      if (gpu != chosen) {
        const auto scope = phases.cpu("try_out");
        try_out();
      }
      return;
    } catch (const OutOfDeviceMemory&) {
      if (!missing) missing = std::current_exception();
    } catch (const std::bad_alloc&) {  // of pinned memory
      if (!missing) missing = std::current_exception();
    }
    stream_.synchronize();
    device_.reset();
    drop_calibration();
    cut_.reset();  // it was for this technique
  }
  std::rethrow_exception(missing);
}

/// A solve takes memory besides what is planned.
void Hyset::try_out() {
  Phases phases;
  upload(phases);
  solve(phases);
  forget();
}

void Hyset::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  device_sets_.upload(stream_);
}

void Hyset::solve(Phases& phases) {
  cpu_.clear();
  device_->begin(device_sets(), stream_, phases);
  {
    const auto scope = phases.cpu("cpu_index");  // waits for the upload, too
    builder_.begin(device_sets(), stream_);
    build_indexes();
  }
  join_on_both(phases);
}

void Hyset::join_on_both(Phases& phases) {
  const auto scope = phases.cpu("join");
  failure_.emplace();
  failure_->guard([&] {
    const auto tasks = static_cast<std::size_t>(most_cpu_tasks());
    cpu_.start(std::min(cpu_.threads(), tasks), [this](CpuSide::Worker& worker) {
      const auto begin = HysetClock::now();
      failure_->guard([&] { join_on_cpu(worker); });
      worker.seconds = seconds_since(begin);
    });
    const auto begin = HysetClock::now();
    device_taken_ = join_on_device(phases);
    device_->finish(stream_, phases);
    device_seconds_ = seconds_since(begin);
  });
  cpu_.wait();
  failure_->rethrow();
  cpu_seconds_ = 0;
  for (const auto& worker : cpu_.workers()) cpu_seconds_ = std::max(cpu_seconds_, worker->seconds);
}

void Hyset::download(Answer& answer, Phases& phases) {
  {
    const auto scope = phases.gpu("download", stream_);
    device_->download(answer, stream_);
  }
  const auto scope = phases.cpu("gather");
  pairs_.assign(answer.pairs.begin(), answer.pairs.end());
  for (const auto& worker : cpu_.workers()) {
    answer.count += worker->sink.count();
    answer.pair_digest += worker->sink.digest();
    pairs_.insert(pairs_.end(), worker->sink.pairs().begin(), worker->sink.pairs().end());
  }
  answer.pairs = pairs_;
}

void Hyset::forget() {
  device_->forget();
  for (const auto& worker : cpu_.workers()) worker->sink.clear();
}

std::map<std::string, double> Hyset::counters() const {
  std::map<std::string, double> counters = device_->counters();
  const double longest = std::max(cpu_seconds_, device_seconds_);
  counters["cpu_seconds"] = cpu_seconds_;
  counters["device_seconds"] = device_seconds_;
  counters["idle_share"] = longest > 0 ? 1 - (cpu_seconds_ + device_seconds_) / (2 * longest) : 0;
  counters["device_taken"] = static_cast<double>(device_taken_);
  double cpu_taken = 0;
  for (const auto& worker : cpu_.workers()) cpu_taken += static_cast<double>(worker->taken);
  counters["cpu_taken"] = cpu_taken;
  double index_bytes = 0;
  double offsets_bytes = 0;
  for (const PrefixIndex* index : indexes()) {
    index_bytes += static_cast<double>(index->bytes());
    offsets_bytes += static_cast<double>(std::span(index->offsets).size_bytes());
  }
  counters["index_bytes"] = index_bytes;
  counters["offsets_bytes"] = offsets_bytes;
  const double one_offsets = static_cast<double>(sets_.distinct_tokens + 1) * sizeof(std::uint32_t);
  const auto postings = static_cast<double>(builder_.prefixes().tokens({0, sets_.count()}));
  counters["single_offsets_bytes"] = one_offsets;
  counters["single_index_bytes"] = one_offsets + postings * sizeof(Posting);
  return counters;
}

std::map<std::string, std::string> Hyset::facts() const {
  return {{"cpu", filter_}, {"gpu", technique_}};
}

}  // namespace warpbench::similarity
