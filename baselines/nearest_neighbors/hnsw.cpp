// hnsw: hnswlib, the HNSW of Malkov and Yashunin by its authors: the state of the art on a CPU, in the place of
// GraphCon_HNSW (yu2023 §4.4), which is the same algorithm in NMSLIB. Differs from the document: points are inserted by
// `threads` threads where its builder has one, and then the graph depends on their timing; one thread gives the same
// graph every time. Distances are the project's own, which use the widest instruction set of this CPU: hnswlib's
// are chosen when it is compiled.
#include "baselines/nearest_neighbors/cpu_solver.hpp"
#include "problems/first_failure.hpp"

#if defined(WARPBENCH_HAS_HNSWLIB)
#if defined(__SANITIZE_ADDRESS__)
#define NO_MANUAL_VECTORIZATION  // hnswlib prefetches behind the end of a list: harmless, but reported
#endif
#include <hnswlib/hnswlib.h>

#include <memory>
#endif

namespace warpbench::nearest_neighbors {
namespace {

SolverInfo facts() {
  return {.id = "hnsw",
          .title = "hnswlib: hierarchical navigable small world graph (GraphCon_HNSW)",
          .source = "yu2023, §4.4; https://github.com/nmslib/hnswlib",
          .role = Role::cpu_baseline,
          .device = Target::cpu,
          .parameters = {parameter("m", 16)
                             .range(2, 512)
                             .at(Stage::prepare)
                             .means("links of a new vertex on a layer; twice as many fit on the lowest"),
                         parameter("ef_construction", 64)
                             .range(1, 65536)
                             .at(Stage::prepare)
                             .means("candidates of a search while building; at least m are kept"),
                         parameter("ef", 64).range(1, 65536).means("candidates of a search; at least k are kept"),
                         parameter("build_threads", 1)
                             .range(0, 1024)
                             .alias("all", 0)
                             .document({1})
                             .at(Stage::prepare)
                             .means("CPU threads that build; 0 or all: as many as OpenMP offers"),
                         threads_parameter()},
          .smoke = {{"threads", 2}, {"m", 8}}};
}

#if defined(WARPBENCH_HAS_HNSWLIB)

/// The distances of a FloatSpace in hnswlib's form.
class Space final : public hnswlib::SpaceInterface<float> {
 public:
  explicit Space(const FloatSpace& space) : space_(space), function_(pair_function(space.form())) {}

  std::size_t get_data_size() override { return static_cast<std::size_t>(space_.dimension()) * sizeof(float); }
  hnswlib::DISTFUNC<float> get_dist_func() override {
    return [](const void* a, const void* b, const void* self) {
      const auto& space = *static_cast<const Space*>(self);
      return space.space_.key(
          space.function_(static_cast<const float*>(a), static_cast<const float*>(b), space.space_.dimension()));
    };
  }
  void* get_dist_func_param() override { return this; }

 private:
  const FloatSpace& space_;
  PairFunction function_;
};

class Hnsw final : public CpuSolver {
 public:
  using CpuSolver::CpuSolver;

  void solve(Phases& phases) override {
    const auto scope = phases.cpu("search");
    index_->setEf(static_cast<std::size_t>(parameters().integer("ef")));
    threads_ = in_parallel(0, input().queries(), "threads", [this](std::int64_t query) { search(query); });
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"threads", threads_}, {"layers", static_cast<double>(index_->maxlevel_ + 1)}};
  }

 private:
  using Index = hnswlib::HierarchicalNSW<float>;
  static constexpr std::size_t kSeed = 100;  // hnswlib's own default

  void build(Phases& phases) override {
    const auto scope = phases.cpu("build");
    hnsw_space_ = std::make_unique<Space>(space());
    index_ = std::make_unique<Index>(hnsw_space_.get(), static_cast<std::size_t>(input().points()),
                                     static_cast<std::size_t>(parameters().integer("m")),
                                     static_cast<std::size_t>(parameters().integer("ef_construction")), kSeed);
    insert(0);  // the first one alone: it becomes the entry
    in_parallel(1, input().points(), "build_threads", [this](std::int64_t point) { insert(point); });
  }

  void insert(std::int64_t point) { index_->addPoint(space().point(point), static_cast<std::size_t>(point)); }

  void search(std::int64_t query) {
    auto found = index_->searchKnn(space().query(query), static_cast<std::size_t>(input().k));
    std::vector<std::uint32_t> ids(found.size());
    for (std::size_t place = ids.size(); place > 0; found.pop()) {  // the farthest comes first
      ids[--place] = static_cast<std::uint32_t>(found.top().second);
    }
    rows().store(query, ids);
  }

  /// Calls work(i) for first <= i < last on as many threads as the parameter says, and returns that number. An
  /// exception of a call, such as hnswlib's lack of memory, is thrown when all threads have ended.
  template <typename Work>
  int in_parallel(std::int64_t first, std::int64_t last, const char* parameter, const Work& work) {
    const int threads = threads_of(parameters(), last - first, parameter);
    FirstFailure failure;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::int64_t i = first; i < last; ++i) failure.guard([&] { work(i); });
    failure.rethrow();
    return threads;
  }

  std::unique_ptr<Space> hnsw_space_;
  std::unique_ptr<Index> index_;
  int threads_ = 0;
};

WARPBENCH_SOLVER(NearestNeighbors, Hnsw, facts())

#else

WARPBENCH_SOLVER_UNAVAILABLE(NearestNeighbors, Hnsw, "needs hnswlib (Debian: libhnswlib-dev)", facts())

#endif

}  // namespace
}  // namespace warpbench::nearest_neighbors
