// skj: the join that leverages relations among sets (bellas2022 §4.1.2; Wang, Qin, Lin, Zhang and Chang, PVLDB 2017).
// Sets look for later ones, by size, through prefixes and positions (scratch_search.hpp), or take the answer of a
// similar set (derivation.hpp). With both kinds of skipping off it is a plain prefix join with positions.
//
// The index is made in prepare(), as the document times this join alone without it, and holds all tokens of all sets.
// The document leaves open how costs are estimated: here an answer is derived where it looks at fewer postings and sets
// than that of the similar set took from scratch. It is derived from one found so, never from one that was derived. On
// several threads, which the document does not have, each has its own state of the index and takes sets in ascending
// order, so that skipping stays right; who claims a set first answers it, by whichever way.
#include <algorithm>
#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "baselines/set_similarity_join/skj/derivation.hpp"
#include "baselines/set_similarity_join/skj/scratch_search.hpp"
#include "baselines/set_similarity_join/skj/size_block_index.hpp"
#include "device/integers.hpp"
#include "problems/first_failure.hpp"
#include "problems/set_similarity_join/problem.hpp"
#include "solvers/set_similarity_join/bounds.hpp"
#include "solvers/set_similarity_join/ordered_sets.hpp"
#include "solvers/set_similarity_join/pair_sink.hpp"
#include "solvers/solver.hpp"
#include "solvers/threads.hpp"

namespace warpbench::similarity::skj {
namespace {

/// Sets that a thread takes at once, so that fewer are not shared out.
constexpr std::int64_t kSetsATime = 64;

/// Which sets some thread answers or has answered.
class Claims {
 public:
  explicit Claims(std::size_t sets) : taken_(sets) {}

  void clear() {
    for (std::atomic<bool>& taken : taken_) taken.store(false, std::memory_order_relaxed);
  }
  [[nodiscard]] bool is_taken(std::uint32_t set) const { return taken_[set].load(std::memory_order_relaxed); }
  /// Whether the caller is the first.
  [[nodiscard]] bool take(std::uint32_t set) {
    return !is_taken(set) && !taken_[set].exchange(true, std::memory_order_relaxed);
  }

 private:
  std::vector<std::atomic<bool>> taken_;
};

struct Skipping {
  bool in_index;
  bool of_answers;
};

/// What one thread does; on cache lines of its own.
class alignas(64) Worker {
 public:
  /// All outlive it.
  Worker(const OrderedSets& sets, const SizeBlockIndex& index, const SetSimilarityJoin::Input& input)
      : scratch_(sets, bounds_of(input), index), derivation_(sets, bounds_of(input), index), sink_(sets, input) {}

  void begin(const Skipping& skipping) {
    skipping_ = skipping;
    scratch_.begin(skipping.in_index, skipping.of_answers || sink_.wants_overlap());
    derivation_.begin(sink_.wants_overlap());
    sink_.clear();
    derived_answers_ = 0;
  }

  void forget() { sink_.clear(); }

  /// Sets come in ascending order.
  void join(std::uint32_t set, Claims& claims) {
    if (!claims.take(set)) return;
    const std::uint64_t before = scratch_.counters().probed_postings;
    const std::span<Similar> answer = scratch_.answer(set);
    const std::uint64_t probed = scratch_.counters().probed_postings - before;
    add(set, answer);
    if (!skipping_.of_answers) return;
    std::ranges::sort(answer, {}, &Similar::set);
    derivation_.from(set, answer);
    for (std::size_t place = 0; place < answer.size(); ++place) {
      const std::uint32_t similar = answer[place].set;
      if (claims.is_taken(similar) || !derivation_.plan(place, probed) || !claims.take(similar)) continue;
      add(similar, derivation_.answer());
      ++derived_answers_;
    }
  }

  [[nodiscard]] const PairSink& sink() const { return sink_; }
  [[nodiscard]] PairSink& sink() { return sink_; }
  [[nodiscard]] ProbeCounters counters() const {
    ProbeCounters counters = scratch_.counters();
    counters.probed_postings += derivation_.probed_postings();
    return counters;
  }
  [[nodiscard]] std::uint64_t derived_answers() const { return derived_answers_; }

 private:
  void add(std::uint32_t set, std::span<const Similar> answer) {
    for (const Similar& similar : answer) sink_.add(set, similar.set, similar.overlap);
  }

  Skipping skipping_{};
  ScratchSearch scratch_;
  Derivation derivation_;
  PairSink sink_;
  std::uint64_t derived_answers_ = 0;
};

class Skj final : public Solver<SetSimilarityJoin> {
 public:
  explicit Skj(const Parameters& parameters) { configure(parameters); }

  void configure(const Parameters& parameters) override {
    parameters_ = parameters;
    if (input_ != nullptr) take_memory();
  }

  void prepare(const SetSimilarityJoin::Input& input, Phases& phases) override {
    input_ = &input;
    {
      const auto scope = phases.cpu("order");
      sets_ = ordered(input);
    }
    const auto scope = phases.cpu("index");
    index_ = size_block_index(sets_, bounds_of(input));
    claims_.emplace(static_cast<std::size_t>(sets_.count()));
    take_memory();
  }

  void solve(Phases& phases) override {
    {
      const auto scope = phases.cpu("join");
      join();
    }
    if (input_->output != SetSimilarityJoin::Output::pairs || workers_.size() == 1) return;
    const auto scope = phases.cpu("gather");
    pairs_.clear();
    for (const Worker& worker : workers_) {
      pairs_.insert(pairs_.end(), worker.sink().pairs().begin(), worker.sink().pairs().end());
    }
  }

  void download(SetSimilarityJoin::Answer& answer, Phases& /*phases*/) override {
    answer = {};
    for (const Worker& worker : workers_) {
      answer.count += worker.sink().count();
      answer.pair_digest += worker.sink().digest();
    }
    if (input_->output != SetSimilarityJoin::Output::pairs) return;
    answer.pairs = workers_.size() == 1 ? workers_.front().sink().pairs() : std::span(pairs_);
  }

  void forget() override {
    for (Worker& worker : workers_) worker.forget();
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    ProbeCounters probes;
    std::uint64_t derived_answers = 0;
    std::uint64_t similar_pairs = 0;
    for (const Worker& worker : workers_) {
      const ProbeCounters of_worker = worker.counters();
      probes.probed_postings += of_worker.probed_postings;
      probes.skipped_postings += of_worker.skipped_postings;
      probes.skipped_blocks += of_worker.skipped_blocks;
      derived_answers += worker.derived_answers();
      similar_pairs += worker.sink().count();
    }
    return {{"threads", static_cast<double>(workers_.size())},
            {"probed_postings", static_cast<double>(probes.probed_postings)},
            {"skipped_postings", static_cast<double>(probes.skipped_postings)},
            {"skipped_blocks", static_cast<double>(probes.skipped_blocks)},
            {"derived_answers", static_cast<double>(derived_answers)},
            {"index_bytes", static_cast<double>(index_.bytes())},
            {"similar_pairs", static_cast<double>(similar_pairs)}};
  }

 private:
  void take_memory() {
    const auto threads = static_cast<std::size_t>(threads_of(parameters_, ceil_div(sets_.count(), kSetsATime)));
    if (workers_.size() == threads) return;
    workers_.clear();
    workers_.reserve(threads);
    for (std::size_t i = 0; i < threads; ++i) workers_.emplace_back(sets_, index_, *input_);
  }

  /// Chunks of sets come to each thread in ascending order, as its search demands.
  void join() {
    const auto threads = static_cast<int>(workers_.size());
    const Skipping skipping{parameters_.flag("index_skipping"),
                            parameters_.flag("answer_skipping") && sets_.is_self_join()};
    const ThreadLimit limit(threads);
    claims_->clear();
    FirstFailure failure;
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static, 1)
      for (int i = 0; i < threads; ++i) workers_[static_cast<std::size_t>(i)].begin(skipping);
      Worker& worker = workers_[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(monotonic : dynamic, kSetsATime)
      for (std::int64_t set = 0; set < sets_.count(); ++set) {
        failure.guard([&] { worker.join(static_cast<std::uint32_t>(set), *claims_); });
      }
    }
    failure.rethrow();
  }

  Parameters parameters_;
  const SetSimilarityJoin::Input* input_ = nullptr;
  OrderedSets sets_;
  SizeBlockIndex index_;
  std::optional<Claims> claims_;
  std::vector<Worker> workers_;
  std::vector<Pair> pairs_;  // of several workers
};

WARPBENCH_SOLVER(SetSimilarityJoin, Skj,
                 {.id = "skj",
                  .title = "SKJ: prefix join that skips postings and derives answers from those of similar sets",
                  .source = "bellas2022 §4.1.2, §5.5.1",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {threads_parameter(1).document({1}),
                                 parameter("index_skipping", true)
                                     .document({true})
                                     .means("a posting that fails the positional filter ends its block, for good"),
                                 parameter("answer_skipping", true)
                                     .document({true})
                                     .means("answers derived from those of similar sets where it pays (self-joins)")},
                  .smoke = {{"threads", 2}},
                  .best = {{"threads", "all"}},
                  .exact = true})

}  // namespace
}  // namespace warpbench::similarity::skj
