#include "algorithms/set_similarity_join/hyset/calibration.hpp"

#include <algorithm>
#include <chrono>

namespace warpbench::similarity {
namespace {

constexpr std::int64_t kSampledPlaces = 12;
constexpr std::int64_t kSampledProbes = 64;
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
    : sets_(&sets), bounds_(bounds), block_size_(block_size), device_sets_(device_sets), stream_(&stream) {
  const SetRange all{0, sets.count()};
  builder.take_memory(builder.prefixes().tokens(all), stream);
  builder.begin(device_sets_, stream);
  builder.build(index_, all, device_sets_, stream);
}

std::vector<std::int64_t> Calibration::cuts() const {
  std::vector<std::int64_t> cuts;
  for (std::int64_t i = 0; i <= kCuts; ++i) cuts.push_back(sets_->count() * i / kCuts);
  return cuts;
}

std::vector<CostSample> Calibration::samples_of(CpuSide& side) const {
  CpuSide::Worker& worker = side.worker(0);
  std::vector<CostSample> samples;
  for (std::int64_t i = 0; i < kSampledPlaces; ++i) {
    const std::int64_t begin = std::max<std::int64_t>(0, sets_->count() - kSampledProbes) * i / (kSampledPlaces - 1);
    const SetRange probes{begin, std::min(begin + kSampledProbes, sets_->count())};
    const double seconds = timed([&] { worker.join.join(index_, probes, worker.sink); });
    const auto share = static_cast<double>(probes.count()) * static_cast<double>(side.threads());
    samples.push_back({begin + probes.count() / 2, seconds / share});
  }
  side.clear();
  return samples;
}

std::vector<CostSample> Calibration::samples_of(DeviceSide& side) const {
  const std::vector<SetRange> blocks = blocks_of({0, sets_->count()}, block_size_);
  const auto last = static_cast<std::int64_t>(blocks.size()) - 1;
  Phases phases;
  side.begin(device_sets_, *stream_, phases);
  std::vector<CostSample> samples;
  std::int64_t sampled = -1;
  for (std::int64_t i = 0; i < kSampledPlaces; ++i) {
    const std::int64_t at = last * i / (kSampledPlaces - 1);
    if (at == sampled) continue;
    sampled = at;
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

}  // namespace warpbench::similarity
