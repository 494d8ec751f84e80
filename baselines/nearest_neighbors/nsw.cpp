// nsw: beam search on an NSW graph on the CPU (yu2023, Algorithm 4; GraphCon_NSW of §4.4, which is the SONG authors'
// code and single-threaded). The graph is built by one thread in prepare(); queries run in parallel, each on one
// thread. Differs from the document: a sorted list instead of two heaps (beam_search.hpp), a stamp per vertex instead
// of a hash table.
#include <ranges>

#include "baselines/nearest_neighbors/threads.hpp"
#include "solvers/nearest_neighbors/beam_search.hpp"
#include "solvers/solver.hpp"

namespace warpbench::nearest_neighbors {
namespace {

class Nsw final : public Solver<NearestNeighbors> {
 public:
  explicit Nsw(const Parameters& parameters) : parameters_(parameters) {}

  void configure(const Parameters& parameters) override { parameters_ = parameters; }

  void prepare(const NearestNeighbors::Input& input, Phases& phases) override {
    input_ = &input;
    space_ = FloatSpace(input);
    rows_ = AnswerRows(input);
    const auto scope = phases.cpu("build");
    graph_ = build_nsw(input, parameters_.integer("d_min"), parameters_.integer("d_max"),
                       parameters_.integer("ef_construction"));
    searches_.clear();
    quality_.clear();
  }

  void solve(Phases& phases) override {
    const auto scope = phases.cpu("search");
    const std::int64_t queries = input_->queries();
    const std::int64_t ef = std::max(parameters_.integer("ef"), input_->k);
    threads_ = threads_of(parameters_, queries);
    while (searches_.size() < static_cast<std::size_t>(threads_)) searches_.emplace_back(input_->points());
    for (BeamSearch& search : searches_) search.reset_counts();
#pragma omp parallel num_threads(threads_)
    {
      BeamSearch& search = searches_[static_cast<std::size_t>(omp_get_thread_num())];
#pragma omp for schedule(dynamic)
      for (std::int64_t query = 0; query < queries; ++query) {
        const KeysFrom keys(space_, space_.query(query), graph_.point_of);
        rows_.store(query, search.search(graph_, ef, keys) |
                               std::views::transform([&](const Visited& found) { return graph_.point(found.vertex); }));
      }
    }
  }

  void download(NearestNeighbors::Answer& answer, Phases& /*phases*/) override {
    answer.neighbors = rows_.all();
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    if (quality_.empty()) quality_ = quality(graph_, *input_);
    std::map<std::string, double> counters = quality_;
    counters["threads"] = threads_;
    for (const BeamSearch& search : searches_) {
      counters["distances"] += static_cast<double>(search.distances());
      counters["hops"] += static_cast<double>(search.explored());
    }
    return counters;
  }

 private:
  Parameters parameters_;
  const NearestNeighbors::Input* input_ = nullptr;
  FloatSpace space_;
  ProximityGraph graph_;
  AnswerRows rows_;
  int threads_ = 0;
  std::vector<BeamSearch> searches_;  // one a thread
  mutable std::map<std::string, double> quality_;
};

/// A row holds the d_min neighbours that its vertex found.
void validate(const Parameters& parameters) {
  require_at_most(parameters, "d_min", "d_max");
}

WARPBENCH_SOLVER(
    NearestNeighbors, Nsw,
    {.id = "nsw",
     .title = "Beam search on an NSW graph (Algorithm 4, GraphCon_NSW)",
     .source = "yu2023, §4.1.2, §4.4",
     .role = Role::cpu_baseline,
     .device = Target::cpu,
     .parameters = {parameter("d_min", 16).range(1, 512).at(Stage::prepare).means("links of a new vertex"),
                    parameter("d_max", 32).range(1, 1024).at(Stage::prepare).means("links a vertex may have"),
                    parameter("ef_construction", 64)
                        .range(1, 65536)
                        .at(Stage::prepare)
                        .means("candidates of a search while building; at least d_min are kept"),
                    parameter("ef", 64).range(1, 65536).means("candidates of a search; at least k are kept"),
                    threads_parameter()},
     .smoke = {{"threads", 2}, {"d_min", 8}, {"d_max", 16}},
     .validate = validate})

}  // namespace
}  // namespace warpbench::nearest_neighbors
