#include "algorithms/set_similarity_join/hyset/calibration.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "device/integers.hpp"
#include "problems/first_failure.hpp"

namespace warpbench::similarity {
namespace {

constexpr double kSamplingSeconds = 0.1;     ///< of the CPU, about
constexpr std::int64_t kSampledPlaces = 12;  ///< a thread of the CPU, or more
constexpr std::int64_t kSampledProbes = 64;  ///< at each of them
constexpr std::int64_t kSampledParts = 12;   ///< for the device
constexpr std::int64_t kSampledRests = 6;
constexpr std::int64_t kCuts = 512;

template <typename Work>
double timed(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// sample(i, worker) for each i below `count`, by all threads at once, since they share caches and memory in a join.
/// Seconds are divided by the number of threads.
template <typename Sample>
std::vector<CostSample> by_all_threads(std::int64_t count, CpuSide& side, const Sample& sample) {
  std::vector<CostSample> samples(static_cast<std::size_t>(count));
  std::atomic<std::int64_t> next = 0;
  FirstFailure failure;
  const auto work = [&](CpuSide::Worker& worker) {
    for (std::int64_t i = next++; i < count && !failure.has_failed(); i = next++) {
      samples[static_cast<std::size_t>(i)] = sample(i, worker);
    }
  };
  {
    std::vector<std::jthread> threads;
    failure.guard([&] {
      for (std::size_t k = 0; k < std::min(side.threads(), samples.size()); ++k) {
        threads.emplace_back([&, &worker = side.worker(k)] { failure.guard([&] { work(worker); }); });
      }
    });
  }
  failure.rethrow();
  for (CostSample& each : samples) each.seconds /= static_cast<double>(side.threads());
  return samples;
}

}  // namespace

Calibration::Calibration(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size,
                         const SetsView& device_sets, IndexBuilder& builder, Stream& stream)
    : sets_(&sets),
      bounds_(bounds),
      block_size_(block_size),
      device_sets_(device_sets),
      builder_(&builder),
      stream_(&stream) {
  const SetRange all{0, sets.count()};
  builder.take_memory(builder.prefixes().tokens(all), stream);
  builder.begin(device_sets_, stream);
  const auto build = [&](SetRange indexed) { builder.build(index_, indexed, device_sets_, stream); };
  build(all);  // the first one takes memory, and first launches take longer
  least_index_seconds_ = timed([&] { build({0, 1}); });
  whole_index_seconds_ = timed([&] { build(all); });
}

std::vector<double> Calibration::index_seconds() const {
  const double rest = std::max(0.0, whole_index_seconds_ - least_index_seconds_);
  const auto all = static_cast<double>(builder_->prefixes().tokens({0, sets_->count()}));
  std::vector<double> seconds;
  for (const std::int64_t cut : cuts()) {
    const auto tokens = static_cast<double>(builder_->prefixes().tokens({0, cut}));
    seconds.push_back(cut == 0 ? 0 : least_index_seconds_ + (all > 0 ? rest * tokens / all : 0));
  }
  return seconds;
}

std::vector<std::int64_t> Calibration::cuts() const {
  std::vector<std::int64_t> cuts;
  for (std::int64_t i = 0; i <= kCuts; ++i) cuts.push_back(sets_->count() * i / kCuts);
  return cuts;
}

std::vector<CostSample> Calibration::cost_of(CpuSide& side) {
  const std::int64_t most = std::max<std::int64_t>(1, sets_->count() / (2 * kSampledProbes));
  std::int64_t places = std::min(most, kSampledPlaces * static_cast<std::int64_t>(side.threads()));
  std::vector<CostSample> samples;
  double seconds = timed([&] { samples = samples_at(places, side); });
  if (seconds_of_all(samples) < kSamplingSeconds) {
    samples = samples_of_join(side);
  } else {
    while (places < most && 2 * seconds < kSamplingSeconds) {
      places = std::min(most, 2 * places);
      seconds = timed([&] { samples = samples_at(places, side); });
    }
  }
  side.clear();
  return samples;
}

/// All of the CPU's join, as a solve has it: with an index that was just made.
std::vector<CostSample> Calibration::samples_of_join(CpuSide& side) {
  const SetRange all{0, sets_->count()};
  builder_->build(index_, all, device_sets_, *stream_);
  std::vector<CostSample> samples;
  const double seconds = timed([&] {
    samples = by_all_threads(ceil_div(all.count(), kSampledProbes), side, [&](std::int64_t i, CpuSide::Worker& worker) {
      return timed_join(worker, {i * kSampledProbes, std::min((i + 1) * kSampledProbes, all.end)});
    });
  });
  // The parts add up to less than the join took: threads start, and wait for the last one.
  const double sum = seconds_of_all(samples);
  for (CostSample& sample : samples) sample.seconds *= sum > 0 ? seconds / sum : 1;
  return samples;
}

/// In the middle of equal shares of the sets, and at their end: the last sets are much larger than those before them. A
/// join has warm caches from the probes before, and so has a sample.
std::vector<CostSample> Calibration::samples_at(std::int64_t places, CpuSide& side) const {
  const std::int64_t count = sets_->count();
  return by_all_threads(places + 1, side, [&](std::int64_t i, CpuSide::Worker& worker) {
    const std::int64_t middle = i < places ? count * (2 * i + 1) / (2 * places) : count - kSampledProbes / 2;
    const std::int64_t begin = std::max<std::int64_t>(0, middle - kSampledProbes / 2);
    const SetRange probes{begin, std::min(begin + kSampledProbes, count)};
    SetRange near{std::max<std::int64_t>(0, begin - kSampledProbes), begin};
    if (near.count() == 0) near = {probes.end, std::min(probes.end + kSampledProbes, count)};
    worker.join.join(index_, near.count() > 0 ? near : probes, worker.sink);
    return timed_join(worker, probes);
  });
}

CostSample Calibration::timed_join(CpuSide::Worker& worker, SetRange probes) const {
  const double seconds = timed([&] { worker.join.join(index_, probes, worker.sink); });
  return {probes.begin + probes.count() / 2, seconds / static_cast<double>(probes.count())};
}

DeviceCost Calibration::cost_of(DeviceSide& side) const {
  std::vector<SetRange> parts = blocks_of({0, sets_->count()}, side.fair_sample());
  if (parts.back().count() < side.fair_sample()) parts.pop_back();  // its sets would seem too dear
  return std::ssize(parts) < kSampledParts ? cost_of_rests(side) : cost_of_parts(side, parts);
}

DeviceCost Calibration::cost_of_parts(DeviceSide& side, const std::vector<SetRange>& parts) const {
  Phases phases;
  const auto join = [&](std::int64_t at) {
    std::vector<BlockPair> pairs;
    append_block_pairs(pairs, *sets_, bounds_, {parts.begin(), parts.begin() + at + 1});
    return timed([&] {
      side.join_probes(parts[static_cast<std::size_t>(at)], pairs, device_sets_, *stream_, phases);
      stream_->synchronize();
    });
  };
  const auto begin_and_join_first = [&] {
    return timed([&] {
      side.begin(device_sets_, *stream_, phases);
      join(0);
    });
  };
  static_cast<void>(begin_and_join_first());  // first launches take longer
  DeviceCost cost{.least_seconds = begin_and_join_first(), .samples = {}};
  join(1);  // so that the index of the first part is made anew
  const auto last = std::ssize(parts) - 1;
  for (std::int64_t i = 0; i < kSampledParts; ++i) {
    const std::int64_t at = last * i / (kSampledParts - 1);
    const SetRange probes = parts[static_cast<std::size_t>(at)];
    const double seconds = join(at);
    if (i == 0) cost.least_seconds = std::max(0.0, cost.least_seconds - seconds);
    cost.samples.push_back({probes.begin + probes.count() / 2, seconds / static_cast<double>(probes.count())});
  }
  return cost;
}

/// A part of one block would take its launches alone, which all of it has but once.
DeviceCost Calibration::cost_of_rests(DeviceSide& side) const {
  const std::int64_t count = sets_->count();
  const auto seconds_behind = [&](std::int64_t split) {
    const std::vector<BlockPair> pairs = block_pairs_behind(split, *sets_, bounds_, block_size_);
    return timed([&] {
      Phases phases;
      side.begin(device_sets_, *stream_, phases);
      side.join_probes({split, count}, pairs, device_sets_, *stream_, phases);
      stream_->synchronize();
    });
  };
  static_cast<void>(seconds_behind(0));  // first launches take longer
  DeviceCost cost{.least_seconds = seconds_behind(count - 1), .samples = {}};
  double seconds = seconds_behind(0);
  for (std::int64_t i = 0, begin = 0; i < kSampledRests; ++i) {
    const std::int64_t end = count * (i + 1) / kSampledRests;
    if (begin == end) continue;
    const double rest = end < count ? seconds_behind(end) : cost.least_seconds;
    const double each = (seconds - rest) / static_cast<double>(end - begin);
    cost.samples.push_back({(begin + end) / 2, std::max(0.0, each)});
    begin = end;
    seconds = rest;
  }
  return cost;
}

}  // namespace warpbench::similarity
