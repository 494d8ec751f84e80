// fsig: filtered subgraph isomorphism on the GPU (yu2023 §5, Algorithm 6). It finds candidates by neighbour label
// frequencies, filters them in rounds that look one edge further, makes the auxiliary structure A of data edges between
// candidates, and orders core, forest and leaves by the sizes of A's lists. Enumeration is breadth-first; where memory
// ends, it goes on depth-first, chunk by chunk.
//
// Differences from the document: offsets of A have a place for each candidate, not for each data vertex
// (fsig/auxiliary.hpp). Lists are joined in tiles of equal size (fsig/enumeration/steps.hpp). res and waiting chunks
// have memory of their own (fsig/enumeration/memory.hpp). A chunk with more results than estimated is split once more;
// the document takes unified memory. All steps handle edge labels, several labels a vertex and homomorphism, which the
// document does not have. Counts do not list the last level; nor, with `multiply_leaves`, the independent leaves before
// it. With `small_levels` one block goes through levels of few rows (fsig/enumeration/small_levels.hpp). With `masks`
// the filter keeps a mask of query vertices for each data vertex (fsig/filter/mask_filter.cu). With `query_streams`
// several queries of a set are matched side by side. Where only some matches are asked for, which the document does not
// have, chunks are small at first (fsig/enumeration/chunks.hpp); with `spread` they are samples of their table.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "algorithms/subgraph_matching/fsig/enumeration/enumeration.hpp"
#include "algorithms/subgraph_matching/fsig/graph.hpp"
#include "algorithms/subgraph_matching/fsig/query_matcher.hpp"
#include "device/buffer.hpp"
#include "device/device.hpp"
#include "solvers/solver.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching {
namespace {

using namespace fsig;

constexpr double kMaxTableMemory = 1e15;
constexpr double kMaxQueryStreams = 64;

OutputScheme scheme_of(const std::string& name) {
  if (name == "two_phase") return OutputScheme::two_phase;
  return name == "prealloc_combine" ? OutputScheme::prealloc_combine : OutputScheme::one_star;
}

class Fsig final : public QuerySolver {
 public:
  explicit Fsig(const Parameters& parameters) { configure(parameters); }

  void configure(const Parameters& parameters) override {
    options_.filter_rounds = parameters.integer("filter_rounds");
    options_.masks = parameters.flag("masks");
    EnumerationOptions& enumeration = options_.enumeration;
    enumeration.scheme = scheme_of(parameters.text("output"));
    enumeration.pipeline = parameters.flag("pipeline");
    enumeration.alpha = parameters.real("alpha");
    enumeration.multiply_leaves = parameters.flag("multiply_leaves");
    enumeration.small_levels = parameters.flag("small_levels");
    enumeration.spread = parameters.flag("spread");
    enumeration.table_memory = parameters.integer("table_memory");
    query_streams_ = static_cast<std::size_t>(parameters.integer("query_streams"));
  }

  void upload(Phases& phases) override {
    const auto scope = phases.gpu("upload", stream_);
    graph_.upload(stream_);
    if (!alone_) take_memory();
    stream_.synchronize();
  }

 protected:
  void prepare_graph(const Graph& data, Phases& phases) override { graph_.prepare(data, phases); }

  void match(const Graph& query, const Deadline& deadline, QueryAnswer& answer, Phases& phases) override {
    alone_->match(query, options_, deadline, answer, phases);
  }
  [[nodiscard]] std::map<std::string, double> query_counters() const override { return alone_->counters(); }

  [[nodiscard]] std::size_t places() const override { return query_streams_; }

  /// All places have the same share of the memory. A query for which that is too little is asked again alone, before it
  /// would use memory of the host.
  void open_places(std::size_t places) override {
    shared_options_ = options_;
    shared_options_.enumeration.spill = false;
    const auto count = static_cast<std::int64_t>(places);
    std::int64_t& tables = shared_options_.enumeration.table_memory;
    if (tables > 0) tables = std::max<std::int64_t>(tables / count, 1);
    if (places_.size() == places) return;
    places_.clear();
    const std::int64_t bytes = memory_.size() / count / kAlignment * kAlignment;
    for (std::int64_t place = 0; place < count; ++place) {
      places_.emplace_back(graph_, input(), memory_.view().subview(place * bytes, bytes),
                           pinned_sizes(input().queries()));
    }
  }
  std::map<std::string, double> match_at(std::size_t place, const Graph& query, const Deadline& deadline,
                                         QueryAnswer& answer, Phases& phases) override {
    places_[place].match(query, shared_options_, deadline, answer, phases);
    return places_[place].counters();
  }

 private:
  static constexpr std::int64_t kAlignment = 256;

  /// Takes all that the device has left, but for a sixteenth, which the scans need.
  void take_memory() {
    const std::int64_t free = free_memory();
    std::int64_t bytes = free - free / 16;
    // simt writes every byte of new memory, and its tests are small.
    if (backend_name() == "simt") bytes = std::min(bytes, std::int64_t{1} << 24);
    memory_ = Buffer<std::byte>(bytes, stream_);
    alone_.emplace(graph_, input(), memory_.view(), pinned_sizes(input().queries()));
  }

  Stream stream_;  ///< of uploads
  MatcherOptions options_;
  MatcherOptions shared_options_;  ///< where several queries share the memory
  std::size_t query_streams_ = 1;
  ResidentGraph graph_;
  Buffer<std::byte> memory_;           ///< of all queries; taken at the first upload
  std::optional<QueryMatcher> alone_;  ///< with all of it
  std::deque<QueryMatcher> places_;    ///< with a part of it each
};

}  // namespace

WARPBENCH_SOLVER(
    SubgraphMatching, Fsig,
    {.id = "fsig",
     .title = "candidates filtered along edges, extended breadth-first, then depth-first by blocks",
     .source = "yu2023 §5",
     .role = Role::proposed,
     .device = Target::gpu,
     .parameters =
         {parameter("filter_rounds", 3).range(0, 16).means("rounds of the filter after neighbour label frequencies"),
          parameter("masks", false)
              .document({false})
              .means("the filter keeps a mask a data vertex; false, and for more than 32 query vertices or with edge "
                     "labels: a bitmap a query vertex"),
          parameter("output", "one_star")
              .one_of({"two_phase", "prealloc_combine", "one_star"})
              .means("how a level is written: after joining twice, a thread a row, or side by side from shared memory"),
          parameter("pipeline", true)
              .means("where a level would not fit, go on depth-first by blocks; false: out of device memory"),
          parameter("alpha", 0.6)
              .range(0, 1)
              .means("rows that an element of the joined lists is expected to make, to size blocks by"),
          parameter("multiply_leaves", false)
              .document({false})
              .means("counts: multiply the numbers of all independent leaves; false: list all but the last level"),
          parameter("small_levels", false)
              .document({false})
              .means("one block goes through the levels up to the first large one; false: the host waits for each"),
          parameter("spread", false)
              .document({false})
              .means("where only some matches are asked for, a block takes rows from all over its table; false: rows "
                     "that follow one another"),
          parameter("table_memory", 0)
              .range(0, kMaxTableMemory)
              .in("B")
              .alias("all", 0)
              .means("device memory for partial matches; all: what the graph and the candidates leave"),
          parameter("query_streams", 1)
              .range(1, kMaxQueryStreams)
              .document({1})
              .means("queries matched side by side, each on a stream with a part of the memory; one that needs more is "
                     "matched again alone")},
     .smoke = {{"filter_rounds", 1}, {"masks", true}},
     .best = {
         {"multiply_leaves", true}, {"small_levels", true}, {"masks", true}, {"spread", true}, {"query_streams", 8}}})

}  // namespace warpbench::matching
