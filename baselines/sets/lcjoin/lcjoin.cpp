// lcjoin: LCJoin (bellas2022 §6.1.4, §6.3.2; after Deng et al., whose code the document did not have either). A prefix
// tree of the sets, tokens by ascending frequency, is traversed for one candidate superset after the other, and all
// inverted lists of a path are intersected at once (crosscut.hpp). A partition is the sets with one rarest token, a
// subtree of the root; its lists are the whole collection's (global index) or those of the sets that hold that token
// alone (local index, made for the partition). Partitions are shared out to threads. Binary containment only: the
// intersection's size is never known. Differs from the document: unbranched paths are one node. The document does not
// say when a local index is made; here it is made where it has fewer tokens than the tree would meet candidates.
#include <algorithm>
#include <numeric>

#include "baselines/sets/lcjoin/crosscut.hpp"
#include "datasets/transforms/sets.hpp"
#include "problems/first_failure.hpp"
#include "problems/set_containment/problem.hpp"
#include "solvers/sets/all_pairs_values.hpp"
#include "solvers/solver.hpp"
#include "solvers/threads.hpp"

namespace warpbench::cpu_sets {
namespace {

using Numbers = std::span<const std::uint32_t>;

/// The sets that begin with one token: [first, last) of the sorted sets.
struct Partition {
  std::size_t first;
  std::size_t last;
};

/// Lists of the tokens of a partition's tree, of those sets alone that hold its first token, renumbered. Each thread
/// has one, which it refills for every partition.
class LocalIndex {
 public:
  explicit LocalIndex(std::size_t tokens) : slots_(tokens, kNone<std::uint32_t>) {}

  /// By token of each node, as Crosscut wants them. O(tokens of `candidates`).
  [[nodiscard]] std::vector<Numbers> lists(const SetCollection& sets, const PrefixTree& tree, Numbers candidates) {
    std::vector<Token> of_tree;
    for (const PrefixNode& node : tree.nodes()) {
      for (const Token token : sets.set(node.set).subspan(node.begin, node.end - node.begin)) {
        if (slots_[token] != kNone<std::uint32_t>) continue;
        slots_[token] = static_cast<std::uint32_t>(of_tree.size());
        of_tree.push_back(token);
      }
    }
    fill(sets, of_tree.size(), candidates);
    std::vector<Numbers> all;
    for (const PrefixNode& node : tree.nodes()) {
      for (const Token token : sets.set(node.set).subspan(node.begin, node.end - node.begin)) {
        const std::uint32_t slot = slots_[token];
        all.push_back(Numbers(numbers_).subspan(offsets_[slot], offsets_[slot + 1] - offsets_[slot]));
      }
    }
    for (const Token token : of_tree) slots_[token] = kNone<std::uint32_t>;
    return all;
  }

 private:
  void fill(const SetCollection& sets, std::size_t slots, Numbers candidates) {
    offsets_.assign(slots + 1, 0);
    for (const std::uint32_t set : candidates) {
      for (const Token token : sets.set(set)) {
        if (slots_[token] != kNone<std::uint32_t>) ++offsets_[slots_[token] + 1];
      }
    }
    std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
    numbers_.resize(offsets_.back());
    std::vector<std::size_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      for (const Token token : sets.set(candidates[i])) {
        if (slots_[token] != kNone<std::uint32_t>) numbers_[next[slots_[token]]++] = static_cast<std::uint32_t>(i);
      }
    }
  }

  std::vector<std::uint32_t> slots_;  ///< by token: its list's number, while it is in the tree
  std::vector<std::size_t> offsets_;
  std::vector<std::uint32_t> numbers_;
};

class LcJoin final : public Solver<SetContainment> {
 public:
  explicit LcJoin(const Parameters& parameters) : parameters_(parameters) {}

  void configure(const Parameters& parameters) override { parameters_ = parameters; }

  void prepare(const SetContainment::Input& input, Phases& phases) override {
    if (input.output == SetContainment::Output::degree) {
      throw Unsupported("lcjoin finds whether sets are contained, not to which degree: ask output: contained or pairs");
    }
    pairs_alone_ = input.output == SetContainment::Output::pairs;
    const auto scope = phases.cpu("prepare");
    ranked_ = datasets::tokens_by_frequency(*input.sets, datasets::Order::ascending);
    values_ = pairs_alone_ ? AllPairsValues() : AllPairsValues(ranked_.count(), input.limits);
  }

  /// Throws std::bad_alloc.
  void solve(Phases& phases) override {
    threads_ = threads_of(parameters_, ranked_.count());
    const ThreadLimit limit(threads_);
    build(phases);
    join(phases);
    if (pairs_alone_) return;
    auto place = places_.begin();
    values_.make(phases, [&](const pairs::Band& band, std::span<std::uint32_t> values) {
      const auto scope = phases.cpu("values");
      std::ranges::fill(values, 0U);
      for (; place != places_.end() && *place < band.first_place + band.places; ++place) {
        values[*place - band.first_place] = 1;
      }
    });
  }

  void download(SetContainment::Answer& answer, Phases& /*phases*/) override {
    answer = {};
    if (pairs_alone_) {
      answer.places = places_;
    } else {
      answer = {values_.answer(), {}};
    }
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"threads", threads_},
            {"partitions", static_cast<double>(partitions_.size())},
            {"local_indices", static_cast<double>(local_indices_)},
            {"searches", static_cast<double>(searches_)},
            {"contained", static_cast<double>(places_.size())}};
  }

 private:
  /// The results and the counters of one thread.
  struct Worker {
    explicit Worker(std::size_t tokens) : local(tokens) {}
    LocalIndex local;
    std::vector<std::uint64_t> places;
    std::uint64_t searches = 0;
    std::int64_t local_indices = 0;
  };

  void build(Phases& phases) {
    const auto scope = phases.cpu("index");
    index_ = InvertedIndex(SetLists(ranked_, false));
    order_.resize(static_cast<std::size_t>(ranked_.count()));
    std::iota(order_.begin(), order_.end(), 0U);
    std::ranges::sort(order_, [&](std::uint32_t a, std::uint32_t b) {
      return std::ranges::lexicographical_compare(ranked_.set(a), ranked_.set(b));
    });
    partitions_.clear();
    std::size_t at = 0;
    while (at < order_.size() && ranked_.size(order_[at]) == 0) ++at;
    empty_sets_ = at;
    while (at < order_.size()) {
      const std::size_t first = at;
      while (at < order_.size() && ranked_.set(order_[at])[0] == ranked_.set(order_[first])[0]) ++at;
      partitions_.push_back({first, at});
    }
  }

  void join(Phases& phases) {
    const auto scope = phases.cpu("join");
    std::vector<Worker> workers(static_cast<std::size_t>(threads_), Worker(index_.tokens()));
    const auto count = static_cast<std::int64_t>(partitions_.size());
    FirstFailure failure;
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
    for (std::int64_t i = 0; i < count; ++i) {
      failure.guard([&] {
        join_partition(partitions_[static_cast<std::size_t>(i)],
                       workers[static_cast<std::size_t>(omp_get_thread_num())]);
      });
    }
    failure.rethrow();
    gather(workers);
  }

  void join_partition(const Partition& partition, Worker& worker) const {
    const PrefixTree tree(ranked_, Numbers(order_).subspan(partition.first, partition.last - partition.first));
    const Numbers candidates = index_[ranked_.set(tree.order()[0])[0]];
    const bool local = parameters_.flag("partitioned") && local_pays(tree, candidates);
    Crosscut crosscut(tree, local ? worker.local.lists(ranked_, tree, candidates) : global_lists(tree));
    crosscut([&](const PrefixNode& node, std::uint32_t number) {
      const std::uint32_t superset = local ? candidates[number] : number;
      for (const std::uint32_t set : tree.order().subspan(node.first_ending, node.last_ending - node.first_ending)) {
        // Of equal sets each holds the other.
        const bool again = set >= superset && ranked_.size(set) == ranked_.size(superset);
        if (!again) worker.places.push_back(place_of(set, superset));
      }
    });
    worker.searches += crosscut.searches();
    worker.local_indices += local ? 1 : 0;
  }

  [[nodiscard]] std::vector<Numbers> global_lists(const PrefixTree& tree) const {
    std::vector<Numbers> all;
    for (const PrefixNode& node : tree.nodes()) {
      for (const Token token : ranked_.set(node.set).subspan(node.begin, node.end - node.begin)) {
        all.push_back(index_[token]);
      }
    }
    return all;
  }

  /// Whether a local index has fewer tokens than a traversal can have meetings of a node with a candidate.
  [[nodiscard]] bool local_pays(const PrefixTree& tree, Numbers candidates) const {
    std::int64_t tokens = 0;
    for (const std::uint32_t set : candidates) tokens += ranked_.size(set);
    return static_cast<std::uint64_t>(tokens) < tree.nodes().size() * candidates.size();
  }

  [[nodiscard]] std::uint64_t place_of(std::uint32_t a, std::uint32_t b) const {
    return pairs::place_of(ranked_.count(), a, b);
  }

  /// The places of all pairs found, and of those of the empty sets with any; ascending: 8 bytes each, twice
  /// while they are gathered.
  void gather(std::vector<Worker>& workers) {
    places_.clear();
    searches_ = 0;
    local_indices_ = 0;
    for (Worker& worker : workers) {
      places_.insert(places_.end(), worker.places.begin(), worker.places.end());
      worker.places = {};
      searches_ += worker.searches;
      local_indices_ += worker.local_indices;
    }
    for (std::size_t i = 0; i < empty_sets_; ++i) {
      for (std::size_t j = i + 1; j < order_.size(); ++j) places_.push_back(place_of(order_[i], order_[j]));
    }
    std::ranges::sort(places_);
  }

  Parameters parameters_;
  bool pairs_alone_ = false;
  SetCollection ranked_;  ///< tokens by ascending frequency
  AllPairsValues values_;
  InvertedIndex index_;
  std::vector<std::uint32_t> order_;
  std::size_t empty_sets_ = 0;
  std::vector<Partition> partitions_;
  std::vector<std::uint64_t> places_;
  std::uint64_t searches_ = 0;
  std::int64_t local_indices_ = 0;
  int threads_ = 0;
};

WARPBENCH_SOLVER(SetContainment, LcJoin,
                 {.id = "lcjoin",
                  .title = "LCJoin: inverted lists crosscut on a prefix tree",
                  .source = "bellas2022 §6.1.4, §6.3.2",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {threads_parameter(1).document({1}),
                                 parameter("partitioned", true)
                                     .means("a local index for a partition where it pays; false: always the global")},
                  .smoke = {{"threads", 2}},
                  .best = {{"threads", "all"}}})

}  // namespace
}  // namespace warpbench::cpu_sets
