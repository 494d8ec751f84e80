// auto: ganns at its point `best`, with the precision and the length of the search that reach a wanted recall in the
// least time. It is ours: documents leave both to the user.
//
// prepare() builds the graph once, for all precisions. For each of them a bisection finds the fewest explored entries e
// whose recall on a query sample is high enough (query_sample.hpp). The list N is the shortest that has room for them:
// a longer one has the same first entries, and costs more. Then all queries are answered with each, and the fastest is
// kept. What else a search has is that of `best`.
//
// All queries are answered each time, the sample's among them, so that there is one prepared solver. Where there are
// too few queries, points are held out for the sample, and the graph is built again with all of them.
#include <algorithm>
#include <bit>
#include <chrono>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "algorithms/nearest_neighbors/auto/fewest.hpp"
#include "algorithms/nearest_neighbors/auto/query_sample.hpp"
#include "solvers/delegating_solver.hpp"

namespace warpbench::nearest_neighbors {
namespace {

using Input = NearestNeighbors::Input;
using Given = std::map<std::string, Value>;

/// The first is what the points are prepared for: the others can follow on the same graph, but not the other way.
constexpr const char* kPrecisions[] = {"int8", "fp16", "fp32"};
constexpr std::int64_t kShortestList = 32;  ///< a candidate a lane
constexpr std::size_t kTimedSolves = 5;

const SolverEntry<NearestNeighbors>& entry_of(std::string_view id) {
  const auto& all = solvers_of<NearestNeighbors>();
  const auto found = std::ranges::find_if(all, [id](const auto& entry) { return entry.info.id == id; });
  if (found == all.end()) throw std::logic_error("auto needs the solver " + std::string(id));
  return *found;
}

/// The most entries that ganns explores.
std::int64_t most_explored() {
  for (const ParameterSpec& spec : entry_of("ganns").info.parameters) {
    if (spec.name == "explore") return static_cast<std::int64_t>(spec.maximum.value());
  }
  throw std::logic_error("ganns has no parameter explore");
}

/// A way of ganns to search, and what was found of it.
struct Setting {
  std::string precision;
  std::int64_t explore = 0;
  double recall = 0;     ///< of the query sample
  bool reaches = false;  ///< the recall that the sample demands
  double seconds = 0;    ///< of a solve of all queries

  [[nodiscard]] std::int64_t candidates(std::int64_t k) const {
    return static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max({explore, k, kShortestList}))));
  }
  [[nodiscard]] Parameters parameters(std::int64_t k) const {
    const SolverInfo& info = entry_of("ganns").info;
    Given given = info.best;
    given["precision"] = precision;
    if (precision == "fp32") given["rerank"] = "none";
    given["explore"] = explore;
    given["candidates"] = candidates(k);
    return {info.parameters, given};
  }
};

/// Those that reach the recall first, by time; then the others, the best recall first.
bool is_better(const Setting& a, const Setting& b) {
  const auto rank = [](const Setting& one) {
    return std::tuple(!one.reaches, one.reaches ? 0 : -one.recall, one.seconds);
  };
  return rank(a) < rank(b);
}

class Auto final : public DelegatingSolver<NearestNeighbors> {
 public:
  explicit Auto(const Parameters& parameters) : DelegatingSolver(parameters) {}
  void configure(const Parameters& /*parameters*/) override {}

  void prepare(const Input& input, Phases& phases) override {
    if (input.k > most_explored()) {
      throw Unsupported("k = " + std::to_string(input.k) + " neighbours do not fit a list of " +
                        std::to_string(most_explored()));
    }
    k_ = input.k;
    delegate_.reset();
    const QuerySample sample = draw(input, phases);
    sampled_queries_ = static_cast<std::int64_t>(sample.rows().size());
    prepare_ganns(sample.batch(), phases);
    find_settings(sample, phases);
    if (sample.is_held_out()) prepare_ganns(input, phases);
    measure_settings(phases);
    chosen_ = *std::ranges::min_element(settings_, is_better);
    delegate_->configure(chosen_.parameters(k_));
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = DelegatingSolver::counters();
    for (const Setting& setting : settings_) {
      counters["explore_" + setting.precision] = static_cast<double>(setting.explore);
      counters["measured_s_" + setting.precision] = setting.seconds;
    }
    counters["chose_" + chosen_.precision] = 1;
    counters["explore"] = static_cast<double>(chosen_.explore);
    counters["candidates"] = static_cast<double>(chosen_.candidates(k_));
    counters["estimated_recall"] = chosen_.recall;
    counters["reached"] = chosen_.reaches ? 1 : 0;
    counters["sampled_queries"] = static_cast<double>(sampled_queries_);
    return counters;
  }

 private:
  [[nodiscard]] QuerySample draw(const Input& input, Phases& phases) const {
    const auto scope = phases.cpu("find_exact");
    const SolverEntry<NearestNeighbors>& exact = entry_of("exact-gpu");
    return {input, parameters().integer("query_sample"), *exact.make(Parameters(exact.info.parameters, {}))};
  }

  void prepare_ganns(const Input& input, Phases& phases) {
    const Setting first{kPrecisions[0], most_explored()};
    delegate_.reset();
    delegate_ = entry_of("ganns").make(first.parameters(k_));
    delegate_->prepare(input, phases);
    Phases unnamed;
    delegate_->upload(unnamed);
  }

  /// The setting of each precision.
  void find_settings(const QuerySample& sample, Phases& phases) {
    const auto scope = phases.cpu("choose");
    const double demanded = demanded_recall(parameters().real("recall"), sample.places());
    settings_.clear();
    for (const char* const precision : kPrecisions) settings_.push_back(cheapest(precision, sample, demanded));
  }

  /// The fewest entries whose recall is `demanded`, as it rises with them; else as many as there may be.
  Setting cheapest(const char* precision, const QuerySample& sample, double demanded) {
    return fewest(most_explored(), [&](std::int64_t explore) {
      Setting setting{precision, explore};
      setting.recall = recall(setting, sample);
      setting.reaches = setting.recall >= demanded;
      return setting;
    });
  }

  double recall(const Setting& setting, const QuerySample& sample) {
    Phases unnamed;
    NearestNeighbors::Answer answer;
    delegate_->configure(setting.parameters(k_));
    delegate_->solve(unnamed);
    delegate_->download(answer, unnamed);
    return sample.recall(answer);
  }

  /// The median of a few solves of all queries with each setting.
  void measure_settings(Phases& phases) {
    const auto scope = phases.cpu("choose");
    for (Setting& setting : settings_) {
      delegate_->configure(setting.parameters(k_));
      std::vector<double> seconds(kTimedSolves);
      for (double& one : seconds) {
        Phases unnamed;
        const auto start = std::chrono::steady_clock::now();
        delegate_->solve(unnamed);
        one = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      }
      const auto middle = seconds.begin() + kTimedSolves / 2;
      std::ranges::nth_element(seconds, middle);
      setting.seconds = *middle;
    }
  }

  std::int64_t k_ = 0;
  std::int64_t sampled_queries_ = 0;
  std::vector<Setting> settings_;  ///< one of each precision
  Setting chosen_;
};

void validate(const Parameters& parameters) {
  if (!(parameters.real("recall") > 0))
    throw ParameterError("recall", "every search has a recall of 0; say more, up to 1");
}

WARPBENCH_SOLVER(
    NearestNeighbors, Auto,
    {.id = "auto",
     .title = "ganns with the precision and list that reach a wanted recall in the least time",
     .source = "this project",
     .role = Role::peer,
     .device = Target::gpu,
     .parameters = {parameter("recall", 0.95).range(0, 1).at(Stage::prepare).means("the wanted recall, above 0"),
                    parameter("query_sample", 2000)
                        .range(1, 1'000'000)
                        .at(Stage::prepare)
                        .in("queries")
                        .means("queries by which the recall is estimated; points that are held out where "
                               "there are fewer queries")},
     .smoke = {{"query_sample", 4}},
     .ours = true,
     .validate = validate})

}  // namespace
}  // namespace warpbench::nearest_neighbors
