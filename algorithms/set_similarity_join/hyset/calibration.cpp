#include "algorithms/set_similarity_join/hyset/calibration.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <span>

#include "device/integers.hpp"
#include "problems/first_failure.hpp"

namespace warpbench::similarity {
namespace {

constexpr double kSamplingSeconds = 0.25;    ///< of the CPU, about
constexpr std::int64_t kSampledPlaces = 12;  ///< a thread of the CPU, or more
constexpr std::int64_t kSampledProbes = 64;  ///< at each of them
constexpr std::int64_t kSampledParts = 12;   ///< of the device, or fewer where several sets fall into one
constexpr std::int64_t kSampledRests = 6;
constexpr double kFirstLaunchSeconds = 0.1;  ///< that the first launches of kernels take longer, at most
constexpr std::int64_t kPlaces = 512;

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
  side.start(std::min(side.threads(), samples.size()),
             [&](CpuSide::Worker& worker) { failure.guard([&] { work(worker); }); });
  side.wait();
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

std::vector<Cut> Calibration::cuts(const std::vector<CostSample>& cpu, const DeviceCost& device) const {
  const std::vector<std::int64_t> at = places();
  const std::vector<double> before = seconds_before(cpu, at);
  const std::vector<double> behind = seconds_behind(device, at);
  std::vector<Cut> cuts;
  for (std::size_t i = 0; i < at.size(); ++i) cuts.push_back({at[i], index_seconds(at[i]), before[i], behind[i]});
  return cuts;
}

/// Even shares of the sets and, unless there are too many, the ends of blocks: a cut within a block makes two of it.
std::vector<std::int64_t> Calibration::places() const {
  std::vector<std::int64_t> places;
  for (std::int64_t i = 0; i <= kPlaces; ++i) places.push_back(sets_->count() * i / kPlaces);
  if (ceil_div(sets_->count(), block_size_) <= kPlaces) {
    for (const SetRange block : blocks_of({0, sets_->count()}, block_size_)) places.push_back(block.begin);
  }
  std::ranges::sort(places);
  places.erase(std::ranges::unique(places).begin(), places.end());
  return places;
}

double Calibration::index_seconds(std::int64_t place) const {
  if (place == 0) return 0;
  const double rest = std::max(0.0, whole_index_seconds_ - least_index_seconds_);
  const auto all = static_cast<double>(builder_->prefixes().tokens({0, sets_->count()}));
  const auto tokens = static_cast<double>(builder_->prefixes().tokens({0, place}));
  return least_index_seconds_ + (all > 0 ? rest * tokens / all : 0);
}

std::vector<double> Calibration::seconds_behind(const DeviceCost& cost, const std::vector<std::int64_t>& places) const {
  std::vector<double> behind;
  if (cost.is_by_pairs) {
    behind = seconds_of_pairs_behind(cost.samples, places);
  } else {
    const std::vector<double> before = seconds_before(cost.samples, places);
    for (const double seconds : before) behind.push_back(before.back() - seconds);
  }
  for (std::size_t i = 0; i < places.size(); ++i) behind[i] += places[i] < sets_->count() ? cost.least_seconds : 0;
  return behind;
}

/// The pairs are known: how many there are changes with the sizes of sets in steps, which samples would miss.
/// O(blocks + places x blocks that are joined with one).
std::vector<double> Calibration::seconds_of_pairs_behind(const std::vector<CostSample>& samples,
                                                         const std::vector<std::int64_t>& places) const {
  const std::vector<SetRange> blocks = blocks_of({0, sets_->count()}, block_size_);
  const auto joins = [&](SetRange smaller, SetRange larger) {
    return can_be_similar(*sets_, bounds_, {smaller, larger});
  };
  const auto seconds_of = [&](SetRange larger, std::size_t pairs) {
    return static_cast<double>(pairs) * seconds_at(samples, static_cast<double>(larger.begin + larger.end) / 2);
  };
  std::vector<std::size_t> first_joined;  // it moves forward with the sizes of sets
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    std::size_t first = i == 0 ? 0 : first_joined.back();
    while (first < i && !joins(blocks[first], blocks[i])) ++first;
    first_joined.push_back(first);
  }
  std::vector<double> behind_block(blocks.size() + 1, 0);
  for (std::size_t i = blocks.size(); i-- > 0;) {
    behind_block[i] = behind_block[i + 1] + seconds_of(blocks[i], i - first_joined[i] + 1);
  }
  std::vector<double> behind;
  for (const std::int64_t place : places) {
    const auto next = static_cast<std::size_t>(ceil_div(place, block_size_));
    behind.push_back(behind_block[next]);
    if (place % block_size_ == 0 || place == sets_->count()) continue;
    const std::size_t cut = next - 1;
    const SetRange before{blocks[cut].begin, place};
    const SetRange rest{place, blocks[cut].end};
    std::size_t first = first_joined[cut];
    while (first < cut && !joins(blocks[first], rest)) ++first;
    behind.back() += seconds_of(rest, 1 + (joins(before, rest) ? 1 + cut - first : 0));
    // The blocks behind are joined with either piece of the one that is cut.
    for (std::size_t i = next; i < blocks.size() && joins(before, blocks[i]); ++i) {
      behind.back() += seconds_of(blocks[i], 1);
    }
  }
  return behind;
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

/// A join keeps its places in the lists of an index, which serve for larger sets only. With a new index it begins anew,
/// as in a solve.
void Calibration::renew_index() {
  builder_->build(index_, {0, sets_->count()}, device_sets_, *stream_);
}

/// All of the CPU's join.
std::vector<CostSample> Calibration::samples_of_join(CpuSide& side) {
  const SetRange all{0, sets_->count()};
  renew_index();
  std::vector<CostSample> samples;
  const double seconds = timed([&] {
    samples = by_all_threads(ceil_div(all.count(), kSampledProbes), side, [&](std::int64_t i, CpuSide::Worker& worker) {
      return timed_join(worker, {i * kSampledProbes, std::min((i + 1) * kSampledProbes, all.end)});
    });
  });
  // The parts add up to less than the join took: threads begin, and wait for the last one.
  const double sum = seconds_of_all(samples);
  for (CostSample& sample : samples) sample.seconds *= sum > 0 ? seconds / sum : 1;
  return samples;
}

/// Ascending, half of them in the middle of equal shares of the sets, half of equal shares of the tokens: the last sets
/// are few, but much larger than those before them.
std::vector<std::int64_t> Calibration::sampled_sets(std::int64_t places) const {
  const auto offsets = sets_->sets.offsets.span();
  std::vector<std::int64_t> sampled;
  for (std::int64_t i = 0; i < places; ++i) {
    const double share = static_cast<double>(2 * i + 1) / static_cast<double>(2 * places);
    if (i % 2 == 0) {
      sampled.push_back(static_cast<std::int64_t>(share * static_cast<double>(sets_->count())));
    } else {
      const auto token = static_cast<std::uint64_t>(share * static_cast<double>(sets_->sets.total()));
      sampled.push_back(std::ranges::upper_bound(offsets, token) - offsets.begin() - 1);
    }
  }
  std::ranges::sort(sampled);
  sampled.erase(std::ranges::unique(sampled).begin(), sampled.end());
  return sampled;
}

/// The last sets are sampled, too. A join has warm caches from the probes before, and so has a sample.
std::vector<CostSample> Calibration::samples_at(std::int64_t places, CpuSide& side) {
  const std::int64_t count = sets_->count();
  const std::int64_t last = std::max<std::int64_t>(0, count - kSampledProbes / 2);
  std::vector<std::int64_t> middles;
  for (const std::int64_t set : sampled_sets(places)) {
    const std::int64_t after = middles.empty() ? 0 : middles.back() + 2 * kSampledProbes;  // no set twice
    if (set >= after && set + 2 * kSampledProbes <= last) middles.push_back(set);
  }
  middles.push_back(last);
  renew_index();
  return by_all_threads(std::ssize(middles), side, [&](std::int64_t i, CpuSide::Worker& worker) {
    const std::int64_t begin = std::max<std::int64_t>(0, middles[static_cast<std::size_t>(i)] - kSampledProbes / 2);
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

std::optional<DeviceCost> Calibration::cost_of(DeviceSide& side, double seconds_to_beat) const {
  std::vector<SetRange> parts = blocks_of({0, sets_->count()}, side.fair_sample());
  if (parts.back().count() < side.fair_sample()) parts.pop_back();  // its sets would seem too dear
  // A side that is slower than this takes as long for an average part as the whole join should take.
  const double most_seconds = static_cast<double>(kSampledParts) * seconds_to_beat;
  return std::ssize(parts) < kSampledParts ? cost_of_rests(side, most_seconds)
                                           : cost_of_parts(side, parts, most_seconds);
}

std::optional<DeviceCost> Calibration::cost_of_parts(DeviceSide& side, const std::vector<SetRange>& parts,
                                                     double most_seconds) const {
  std::vector<BlockPair> pairs;
  const auto join = [&](std::int64_t at) {
    Phases phases;
    pairs.clear();
    append_block_pairs(pairs, *sets_, bounds_, {parts.begin(), parts.begin() + at + 1});
    return timed([&] {
      side.join_probes(parts[static_cast<std::size_t>(at)], pairs, device_sets_, *stream_, phases);
      stream_->synchronize();
    });
  };
  const auto begin_and_join_first = [&] {
    return timed([&] {
      Phases phases;
      side.begin(device_sets_, *stream_, phases);
      join(0);
    });
  };
  if (begin_and_join_first() > most_seconds + kFirstLaunchSeconds) return std::nullopt;
  DeviceCost cost{.least_seconds = begin_and_join_first(), .samples = {}, .is_by_pairs = side.works_by_pairs()};
  join(1);  // so that the index of the first part is made anew
  const std::int64_t last = std::ssize(parts) - 1;
  std::vector<std::int64_t> sampled = {0, last};
  for (const std::int64_t set : sampled_sets(kSampledParts - 2))
    sampled.push_back(std::min(last, set / side.fair_sample()));
  std::ranges::sort(sampled);
  sampled.erase(std::ranges::unique(sampled).begin(), sampled.end());
  double sum = 0;
  for (const std::int64_t at : sampled) {
    if (sum > most_seconds) return std::nullopt;
    const SetRange probes = parts[static_cast<std::size_t>(at)];
    const double seconds = join(at);
    sum += seconds;
    if (at == 0) cost.least_seconds = std::max(0.0, cost.least_seconds - seconds);
    const auto work = static_cast<double>(cost.is_by_pairs ? std::ssize(pairs) : probes.count());
    cost.samples.push_back({probes.begin + probes.count() / 2, seconds / work});
  }
  return cost;
}

/// A part of one block would take its launches alone, which all of it has but once.
std::optional<DeviceCost> Calibration::cost_of_rests(DeviceSide& side, double most_seconds) const {
  const std::int64_t count = sets_->count();
  const auto seconds_of_rest = [&](std::int64_t split) {
    std::vector<BlockPair> pairs;
    if (side.works_by_pairs()) pairs = block_pairs_behind(split, *sets_, bounds_, block_size_);
    return timed([&] {
      Phases phases;
      side.begin(device_sets_, *stream_, phases);
      side.join_probes({split, count}, pairs, device_sets_, *stream_, phases);
      stream_->synchronize();
    });
  };
  static_cast<void>(seconds_of_rest(count - 1));  // first launches take longer
  if (seconds_of_rest(count - count / kSampledRests) > most_seconds + kFirstLaunchSeconds) return std::nullopt;
  if (seconds_of_rest(0) > most_seconds) return std::nullopt;
  DeviceCost cost{.least_seconds = seconds_of_rest(count - 1), .samples = {}, .is_by_pairs = false};
  double seconds = seconds_of_rest(0);
  for (std::int64_t i = 0, begin = 0; i < kSampledRests; ++i) {
    const std::int64_t end = count * (i + 1) / kSampledRests;
    if (begin == end) continue;
    const double rest = end < count ? seconds_of_rest(end) : cost.least_seconds;
    const double each = (seconds - rest) / static_cast<double>(end - begin);
    cost.samples.push_back({(begin + end) / 2, std::max(0.0, each)});
    begin = end;
    seconds = rest;
  }
  return cost;
}

}  // namespace warpbench::similarity
