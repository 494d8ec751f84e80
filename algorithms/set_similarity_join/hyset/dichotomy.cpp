// HySet's dichotomy (bellas2022 §5.4.2, Algorithm 5.2): the probing sets are split in two. The CPU joins those before
// the splitting point, by an index that is built beforehand; the device joins the others with all sets, block by block,
// and makes indexes as it goes.
//
// The splitting point is a share of the sets, which are ordered by size. `auto` is ours: prepare() times some probing
// sets of either side and the CPU's index, and cuts where the join should end soonest (split_model.hpp).
#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>

#include "algorithms/set_similarity_join/hyset/hyset.hpp"
#include "device/integers.hpp"

namespace warpbench::similarity {
namespace {

constexpr double kAutomaticSplit = -1;

std::vector<ParameterSpec> dichotomy_parameters() {
  std::vector<ParameterSpec> all = Hyset::parameters();
  all.push_back(parameter("split", 0.5)
                    .range(kAutomaticSplit, 1)
                    .alias("auto", kAutomaticSplit)
                    .means("the CPU's share of the probing sets, 0 to 1; auto: by timing a sample of both sides, "
                           "or 0 without room for it")
                    .at(Stage::prepare));
  return all;
}

void validate_split(const Parameters& parameters) {
  const double split = parameters.real("split");
  if (split < 0 && split != kAutomaticSplit)
    throw ParameterError("split", "a share is not below 0; say 0 to 1, or auto");
}

class HysetDichotomy final : public Hyset {
 public:
  using Hyset::Hyset;

  /// Of `split: auto` also what it was chosen for: `expected_seconds` of the join, and of either side.
  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = Hyset::counters();
    const auto count = static_cast<double>(sets().count());
    counters["split"] = count > 0 ? static_cast<double>(split_) / count : 0;
    counters["delegated"] = split_ == 0 || split_ == sets().count() ? 1 : 0;
    if (expected_) {
      counters["expected_seconds"] = expected_->seconds();
      counters["expected_cpu_seconds"] = expected_->cpu_seconds;
      counters["expected_device_seconds"] = expected_->device_seconds;
    }
    return counters;
  }

 protected:
  void plan(Phases& phases) override {
    const double share = given().real("split");
    expected_.reset();
    split_ = static_cast<std::int64_t>(std::llround(std::max(0.0, share) * static_cast<double>(sets().count())));
    if (share < 0 && sets().count() > 0) {
      const auto scope = phases.cpu("calibrate");
      expected_ = cut_by_cost();
      split_ = expected_ ? expected_->set : 0;
    }
    if (split_ > 0) {
      builder().take_memory(builder().prefixes().tokens({0, split_}), stream());
    } else {
      builder().drop_memory();
    }
    builder().reserve(index_, {0, split_});
    pairs_ = block_pairs_behind(split_, sets(), bounds(), block_size());
  }

  void build_indexes() override {
    if (split_ > 0) builder().build(index_, {0, split_}, device_sets(), stream());
    next_ = 0;
  }

  [[nodiscard]] std::int64_t most_cpu_tasks() const override { return ceil_div(split_, kProbesAtOnce); }

  void join_on_cpu(CpuSide::Worker& worker) override {
    while (!has_failed()) {
      const std::int64_t begin = next_.fetch_add(kProbesAtOnce, std::memory_order_relaxed);
      if (begin >= split_) return;
      const SetRange probes{begin, std::min(begin + kProbesAtOnce, split_)};
      worker.join.join(index_, probes, worker.sink);
      worker.taken += probes.count();
    }
  }

  std::int64_t join_on_device(Phases& phases) override {
    if (!pairs_.empty()) device().join_probes({split_, sets().count()}, pairs_, device_sets(), stream(), phases);
    return static_cast<std::int64_t>(pairs_.size());
  }

  [[nodiscard]] std::vector<const PrefixIndex*> indexes() const override { return {&index_}; }

 private:
  std::int64_t split_ = 0;  ///< the CPU has the probing sets before it
  std::optional<Cut> expected_;
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
                  .smoke = {{"block_size", 100}, {"device_technique", "best"}},
                  .best = {{"device_technique", "best"},
                           {"signature_bits", "auto"},
                           {"block_size", "all"},
                           {"gpu", "auto"},
                           {"cpu", "auto"},
                           {"threads", "all"},
                           {"split", "auto"}},
                  .exact = true,
                  .validate = validate_split})

}  // namespace
}  // namespace warpbench::similarity
