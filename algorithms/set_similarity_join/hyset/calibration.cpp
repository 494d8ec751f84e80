#include "algorithms/set_similarity_join/hyset/calibration.hpp"

#include <algorithm>
#include <chrono>

namespace warpbench::similarity {
namespace {

constexpr std::int64_t kSampledPlaces = 12;
constexpr std::int64_t kMostPlaces = 96;  ///< where the CPU samples in less than kSamplingSeconds
constexpr double kSamplingSeconds = 0.05;
constexpr std::int64_t kSampledProbes = 64;
constexpr std::int64_t kSampledRests = 6;
constexpr std::int64_t kCuts = 512;

template <typename Work>
double timed(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace

Calibration::Calibration(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size,
                         const SetsView& device_sets, IndexBuilder& builder, Stream& stream)
    : sets_(&sets),
      bounds_(bounds),
      block_size_(block_size),
      device_sets_(device_sets),
      prefixes_(&builder.prefixes()),
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
  const auto all = static_cast<double>(prefixes_->tokens({0, sets_->count()}));
  std::vector<double> seconds;
  for (const std::int64_t cut : cuts()) {
    const auto tokens = static_cast<double>(prefixes_->tokens({0, cut}));
    seconds.push_back(cut == 0 ? 0 : least_index_seconds_ + rest * tokens / all);
  }
  return seconds;
}

std::vector<std::int64_t> Calibration::cuts() const {
  std::vector<std::int64_t> cuts;
  for (std::int64_t i = 0; i <= kCuts; ++i) cuts.push_back(sets_->count() * i / kCuts);
  return cuts;
}

std::vector<CostSample> Calibration::samples_of(CpuSide& side) const {
  std::int64_t places = kSampledPlaces;
  std::vector<CostSample> samples;
  double seconds = timed([&] { samples = samples_at(places, side); });
  while (places < kMostPlaces && 2 * seconds < kSamplingSeconds) {
    places *= 2;
    seconds = timed([&] { samples = samples_at(places, side); });
  }
  side.clear();
  return samples;
}

/// Each in the middle of its share of the sets: the last ones are much larger than those before them. A join has warm
/// caches from the probes before, and so has a sample.
std::vector<CostSample> Calibration::samples_at(std::int64_t places, CpuSide& side) const {
  CpuSide::Worker& worker = side.worker(0);
  std::vector<CostSample> samples;
  for (std::int64_t i = 0; i < places; ++i) {
    const std::int64_t middle = sets_->count() * (2 * i + 1) / (2 * places);
    const std::int64_t begin = std::max<std::int64_t>(0, middle - kSampledProbes / 2);
    const SetRange probes{begin, std::min(begin + kSampledProbes, sets_->count())};
    SetRange near{std::max<std::int64_t>(0, begin - kSampledProbes), begin};
    if (near.count() == 0) near = {probes.end, std::min(probes.end + kSampledProbes, sets_->count())};
    worker.join.join(index_, near.count() > 0 ? near : probes, worker.sink);
    const double seconds = timed([&] { worker.join.join(index_, probes, worker.sink); });
    const auto share = static_cast<double>(probes.count()) * static_cast<double>(side.threads());
    samples.push_back({begin + probes.count() / 2, seconds / share});
  }
  return samples;
}

std::vector<CostSample> Calibration::samples_of(DeviceSide& side) const {
  const std::vector<SetRange> blocks = blocks_of({0, sets_->count()}, block_size_);
  return std::ssize(blocks) < kSampledPlaces ? samples_of_rests(side) : samples_of_blocks(side, blocks);
}

std::vector<CostSample> Calibration::samples_of_blocks(DeviceSide& side, const std::vector<SetRange>& blocks) const {
  const auto last = std::ssize(blocks) - 1;
  Phases phases;
  side.begin(device_sets_, *stream_, phases);
  std::vector<CostSample> samples;
  for (std::int64_t i = 0; i < kSampledPlaces; ++i) {
    const std::int64_t at = last * i / (kSampledPlaces - 1);
    const SetRange probes = blocks[static_cast<std::size_t>(at)];
    std::vector<BlockPair> pairs;
    append_block_pairs(pairs, *sets_, bounds_, {blocks.begin(), blocks.begin() + at + 1});
    const auto join = [&] {
      side.join_probes(probes, pairs, device_sets_, *stream_, phases);
      stream_->synchronize();
    };
    if (samples.empty()) join();  // first launches take longer
    samples.push_back({probes.begin + probes.count() / 2, timed(join) / static_cast<double>(probes.count())});
  }
  return samples;
}

/// A part of one block would take its launches alone, which all of it has but once.
std::vector<CostSample> Calibration::samples_of_rests(DeviceSide& side) const {
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
  std::vector<CostSample> samples;
  double seconds = seconds_behind(0);
  for (std::int64_t i = 0, begin = 0; i < kSampledRests; ++i) {
    const std::int64_t end = count * (i + 1) / kSampledRests;
    if (begin == end) continue;
    const double rest = end < count ? seconds_behind(end) : 0;
    samples.push_back({(begin + end) / 2, (seconds - rest) / static_cast<double>(end - begin)});
    begin = end;
    seconds = rest;
  }
  return samples;
}

}  // namespace warpbench::similarity
