// HySet's dichotomy (bellas2022 §5.4.2, Algorithm 5.2): the probing sets are split in two. The CPU joins those before
// the splitting point, by an index that is built beforehand; the device joins the others with all sets, block by block,
// and makes indexes as it goes.
//
// The splitting point is a share of the sets, which are ordered by size. `auto` is ours: prepare() times some probing
// sets of either side, and the cut is where both sides should end together (split_model.hpp).
#include <algorithm>
#include <atomic>
#include <cmath>

#include "algorithms/set_similarity_join/hyset/hyset.hpp"
#include "algorithms/set_similarity_join/hyset/split_model.hpp"

namespace warpbench::similarity {
namespace {

constexpr double kAutomaticSplit = -1;
/// Probing sets that a thread takes at once.
constexpr std::int64_t kProbesAtOnce = 64;
/// Places at which either side's cost is sampled, and at which the join may be cut.
constexpr std::int64_t kSampledPlaces = 12;
constexpr std::int64_t kCuts = 512;

std::vector<ParameterSpec> dichotomy_parameters() {
  std::vector<ParameterSpec> all = Hyset::parameters();
  all.push_back(parameter("split", 0.5)
                    .range(kAutomaticSplit, 1)
                    .alias("auto", kAutomaticSplit)
                    .means("the CPU's share of the probing sets, 0 to 1; auto: by timing a sample of both sides")
                    .at(Stage::prepare));
  return all;
}

class HysetDichotomy final : public Hyset {
 public:
  using Hyset::Hyset;

  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = Hyset::counters();
    const auto count = static_cast<double>(sets().count());
    counters["split"] = count > 0 ? static_cast<double>(split_) / count : 0;
    counters["delegated"] = split_ == 0 || split_ == sets().count() ? 1 : 0;
    return counters;
  }

 protected:
  void plan(Phases& phases) override {
    const double share = given().real("split");
    split_ = static_cast<std::int64_t>(std::llround(std::max(0.0, share) * static_cast<double>(sets().count())));
    if (share < 0 && sets().count() > 0) {
      const auto scope = phases.cpu("calibrate");
      builder().take_memory(builder().prefixes().tokens({0, sets().count()}), stream());
      split_ = measured_split();
    }
    builder().take_memory(builder().prefixes().tokens({0, split_}), stream());
    pairs_ = device_pairs(split_);
  }

  void build_indexes() override {
    if (split_ > 0) builder().build(index_, {0, split_}, device_sets(), stream());
    next_ = 0;
  }

  void join_on_cpu(CpuSide::Worker& worker) override {
    while (true) {
      const std::int64_t begin = next_.fetch_add(kProbesAtOnce, std::memory_order_relaxed);
      if (begin >= split_) return;
      const SetRange probes{begin, std::min(begin + kProbesAtOnce, split_)};
      worker.join.join(index_, probes, worker.sink);
      worker.taken += probes.count();
    }
  }

  std::int64_t join_on_device(Phases& phases) override {
    for (const BlockPair& pair : pairs_) device().join(pair, device_sets(), stream(), phases);
    return static_cast<std::int64_t>(pairs_.size());
  }

  [[nodiscard]] std::vector<const PrefixIndex*> indexes() const override { return {&index_}; }

 private:
  /// Those whose larger block lies behind `split`.
  [[nodiscard]] std::vector<BlockPair> device_pairs(std::int64_t split) const {
    std::vector<SetRange> before = blocks_of({0, split}, block_size());
    std::vector<BlockPair> pairs;
    for (const SetRange& larger : blocks_of({split, sets().count()}, block_size())) {
      before.push_back(larger);
      append_pairs(pairs, before);
    }
    return pairs;
  }
  /// Of the last block with itself and those before.
  void append_pairs(std::vector<BlockPair>& pairs, const std::vector<SetRange>& blocks) const {
    for (auto smaller = blocks.rbegin(); smaller != blocks.rend(); ++smaller) {
      const BlockPair pair{*smaller, blocks.back()};
      if (!can_be_similar(sets(), bounds(), pair)) return;
      pairs.push_back(pair);
    }
  }

  [[nodiscard]] std::int64_t measured_split() {
    Phases phases;
    upload(phases);
    builder().begin(device_sets(), stream());
    device().begin(device_sets(), stream(), phases);
    builder().build(index_, {0, sets().count()}, device_sets(), stream());
    std::vector<std::int64_t> cuts;
    for (std::int64_t i = 0; i <= kCuts; ++i) cuts.push_back(sets().count() * i / kCuts);
    const std::vector<CostSample> on_cpu = sampled_cpu();
    const std::vector<CostSample> on_device = sampled_device(phases);
    cpu().clear();
    return best_cut(on_cpu, on_device, cuts);
  }

  /// Of all threads, which share the probing sets evenly.
  [[nodiscard]] std::vector<CostSample> sampled_cpu() {
    CpuSide::Worker& worker = cpu().worker(0);
    std::vector<CostSample> samples;
    for (std::int64_t i = 0; i < kSampledPlaces; ++i) {
      const std::int64_t begin = std::max<std::int64_t>(0, sets().count() - kProbesAtOnce) * i / (kSampledPlaces - 1);
      const SetRange probes{begin, std::min(begin + kProbesAtOnce, sets().count())};
      const double seconds = timed([&] { worker.join.join(index_, probes, worker.sink); });
      const auto sets_taken = static_cast<double>(probes.count()) * static_cast<double>(cpu().threads());
      samples.push_back({probes.begin + probes.count() / 2, seconds / sets_taken});
    }
    return samples;
  }

  /// Whole blocks of probing sets, with all that lie before.
  [[nodiscard]] std::vector<CostSample> sampled_device(Phases& phases) {
    const std::vector<SetRange> blocks = blocks_of({0, sets().count()}, block_size());
    const auto last = static_cast<std::int64_t>(blocks.size()) - 1;
    std::vector<CostSample> samples;
    for (std::int64_t i = 0; i < kSampledPlaces; ++i) {
      const auto at = static_cast<std::size_t>(last * i / (kSampledPlaces - 1));
      if (!samples.empty() && blocks[at].begin + blocks[at].count() / 2 == samples.back().set) continue;
      std::vector<BlockPair> pairs;
      append_pairs(pairs, {blocks.begin(), blocks.begin() + static_cast<std::ptrdiff_t>(at) + 1});
      const auto join_all = [&] {
        for (const BlockPair& pair : pairs) device().join(pair, device_sets(), stream(), phases);
        stream().synchronize();
      };
      if (samples.empty()) join_all();  // first launches take longer
      samples.push_back(
          {blocks[at].begin + blocks[at].count() / 2, timed(join_all) / static_cast<double>(blocks[at].count())});
    }
    return samples;
  }

  template <typename Work>
  [[nodiscard]] static double timed(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  std::int64_t split_ = 0;  ///< the CPU has the probing sets before it
  std::vector<BlockPair> pairs_;
  PrefixIndex index_;
  std::atomic<std::int64_t> next_ = 0;
};

WARPBENCH_SOLVER(SetSimilarityJoin, HysetDichotomy,
                 {.id = "hyset-dichotomy",
                  .title = "HySet: the CPU joins the smaller sets, the device the larger ones with all",
                  .source = "bellas2022 §5.4, Algorithm 5.2",
                  .role = Role::proposed,
                  .device = Target::hybrid,
                  .parameters = dichotomy_parameters(),
                  .smoke = {{"block_size", 100}},
                  .best = {{"device_technique", "best"}, {"threads", "all"}, {"split", "auto"}},
                  .exact = true})

}  // namespace
}  // namespace warpbench::similarity
