// gsi: GSI (gsi2020): candidates by vertex signatures, then a breadth-first, vertex-oriented join, a warp a partial
// match. The default parameters are the document's GSI-opt: N = 512, PCSR with GPN = 16, Prealloc-Combine, GPU-friendly
// set operations with a write cache, 4-layer load balance (W1 = 4096, W2 = 1024, W3 = 256), duplicate removal, blocks
// of 1024 threads. Its GSI has `load_balance: none` and `duplicate_removal: false`. Its GSI- also has `neighbors: csr`,
// `output: two_step` and `set_operations: naive`.
//
// Differs from the document: all partitions of the data graph are on the device at once, so that a query copies nothing
// but itself. Offsets have 64 bits. There is no dynamic parallelism: tasks of the first layer are collected for a
// kernel that the host launches (gsi/load_balance.cuh). The last table is not written where only the number of matches
// is asked for. `write_cache` is a part of the GPU-friendly set operations; the naive ones have none.
#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>
#include <numeric>

#include "algorithms/subgraph_matching/gsi/filter.hpp"
#include "algorithms/subgraph_matching/gsi/join_order.hpp"
#include "algorithms/subgraph_matching/gsi/neighbor_store.hpp"
#include "algorithms/subgraph_matching/gsi/vertex_join.hpp"
#include "device/device.hpp"
#include "solvers/profiled_part.hpp"
#include "solvers/solver.hpp"
#include "solvers/subgraph_matching/label_statistics.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"

namespace warpbench::matching::gsi {
namespace {

constexpr std::int64_t kAllBlocks = std::int64_t{1} << 30;

Structure structure_of(const std::string& name) {
  if (name == "csr") return Structure::csr;
  if (name == "basic") return Structure::basic;
  return name == "compressed" ? Structure::compressed : Structure::pcsr;
}

class Gsi final : public QuerySolver {
 public:
  explicit Gsi(const Parameters& parameters)
      : structure_(structure_of(parameters.text("neighbors"))),
        gpn_(static_cast<int>(parameters.integer("gpn"))),
        signature_bits_(static_cast<int>(parameters.integer("signature_bits"))) {
    Gsi::configure(parameters);
  }

  void configure(const Parameters& parameters) override {
    options_.preallocate = parameters.text("output") == "prealloc_combine";
    options_.fused = parameters.text("set_operations") == "fused";
    options_.threads = static_cast<int>(parameters.integer("threads_per_block"));
    options_.max_blocks = parameters.integer("blocks") == 0 ? kAllBlocks : parameters.integer("blocks");
    options_.techniques.write_cache = parameters.flag("write_cache");
    options_.techniques.duplicate_removal = parameters.flag("duplicate_removal");
    options_.techniques.balance = {
        parameters.text("load_balance") == "four_layer", static_cast<std::uint32_t>(parameters.integer("w1")),
        static_cast<std::uint32_t>(parameters.integer("w2")), static_cast<std::uint32_t>(parameters.integer("w3"))};
  }

  void upload(Phases& phases) override {
    const auto scope = phases.gpu("upload", stream_);
    neighbors_->upload(stream_);
    filter_->upload(stream_);
    stream_.synchronize();
  }

 protected:
  void prepare_graph(const Graph& data, Phases& phases) override {
    data_ = &data;
    {
      const auto scope = phases.cpu("build_neighbors");
      neighbors_ = std::make_unique<NeighborStore>(data, structure_, gpn_);
      frequencies_ = neighbors_->frequencies();
    }
    {
      const auto scope = phases.cpu("encode");
      filter_ = std::make_unique<Filter>(data, signature_bits_);
    }
  }

  void match(const Graph& query, const Deadline& deadline, QueryAnswer& answer, Phases& phases) override {
    counters_ = {};
    if (asks_for_missing_labels(query, *data_)) {
      answer.solved = true;
      return;
    }
    const CandidateBitsets candidates = filter(query, phases);
    if (std::ranges::find(candidates.sizes, 0) != candidates.sizes.end()) {
      answer.solved = true;
    } else if (!deadline.passed()) {
      join(query, candidates, deadline, answer, phases);
    }
    counters_["peak_device_bytes"] = static_cast<double>(peak_memory_in_use());
    if (structure_ != Structure::pcsr) return;
    counters_["longest_conflict"] = static_cast<double>(neighbors_->longest_conflict());
    counters_["overflows"] = static_cast<double>(neighbors_->overflows());
  }

  [[nodiscard]] std::map<std::string, double> query_counters() const override { return counters_; }

 private:
  CandidateBitsets filter(const Graph& query, Phases& phases) {
    const auto start = Deadline::Clock::now();
    const auto scope = phases.gpu("filter", stream_);
    CandidateBitsets candidates = filter_->candidates(query, injective(), options_.max_blocks, stream_);
    counters_["filter_s"] = std::chrono::duration<double>(Deadline::Clock::now() - start).count();
    const std::vector<std::int64_t>& sizes = candidates.sizes;
    const std::int64_t sum = std::accumulate(sizes.begin(), sizes.end(), std::int64_t{0});
    counters_["candidates_min"] = static_cast<double>(*std::ranges::min_element(sizes));
    counters_["candidates_mean"] = static_cast<double>(sum) / static_cast<double>(sizes.size());
    return candidates;
  }

  void join(const Graph& query, const CandidateBitsets& candidates, const Deadline& deadline, QueryAnswer& answer,
            Phases& phases) {
    const auto scope = phases.gpu("join", stream_);
    const std::vector<JoinStep> steps = join_order(query, candidates.sizes, frequencies_);
    MatchRequest request{injective(), input().output != Output::count, std::numeric_limits<std::int64_t>::max()};
    if (input().output == Output::first) request.max_rows = static_cast<std::int64_t>(input().first);
    VertexJoin join(*neighbors_, candidates, options_, memory_, stream_);
    // The transactions of Tables V, VI, VII and IX are the join's.
    const std::optional<std::uint64_t> found =
        profile_part("join", stream_, [&] { return join.run(steps, request, deadline); });
    if (found) {
      answer.count = input().output == Output::first ? std::min(*found, input().first) : *found;
      give_matches(join, steps, deadline, answer);
    }
    counters_["rows"] = join.work().rows;
    counters_["gba_bytes"] = join.work().buffer_bytes;
    counters_["table_bytes"] = join.work().table_bytes;
    counters_["set_operation_kernels"] = join.work().set_operation_kernels;
  }

  /// What is asked for beside the number of matches. The query is solved where there is time for that.
  void give_matches(VertexJoin& join, const std::vector<JoinStep>& steps, const Deadline& deadline,
                    QueryAnswer& answer) {
    if (answer.count == 0 || input().output == Output::count) {
      answer.solved = true;
    } else if (input().output == Output::digest) {
      const std::optional<std::uint64_t> digest = join.digest(steps, deadline);
      answer.digest = digest.value_or(0);
      answer.solved = digest.has_value();
    } else {
      answer.solved = join.append_matches(steps, answer.matches, deadline);
    }
  }

  Structure structure_;
  int gpn_;
  int signature_bits_;
  JoinOptions options_;
  Stream stream_;
  const Graph* data_ = nullptr;
  std::vector<std::uint64_t> frequencies_;
  std::unique_ptr<NeighborStore> neighbors_;
  std::unique_ptr<Filter> filter_;
  JoinMemory memory_{stream_};
  std::map<std::string, double> counters_;
};

std::vector<ParameterSpec> gsi_parameters() {
  return {
      parameter("neighbors", "pcsr")
          .one_of({"csr", "basic", "compressed", "pcsr"})
          .means("structure for the neighbours of a vertex by edge label (§IV, Table II)")
          .at(Stage::prepare),
      parameter("gpn", 16).range(2, 16).means("pairs of a group of PCSR").at(Stage::prepare),
      parameter("signature_bits", 512)
          .range(64, 4096)
          .multiple_of(32)
          .in("bits")
          .means("length N of a vertex's signature; the first 32 are for labels")
          .at(Stage::prepare),
      parameter("output", "prealloc_combine")
          .one_of({"two_step", "prealloc_combine"})
          .means("write each result once to memory allocated before, or join to count and again to write (§V)"),
      parameter("set_operations", "fused")
          .one_of({"naive", "fused"})
          .means("naive: a kernel for each of each row; fused: batches in shared memory, bitsets, subtraction with the "
                 "test (§V)"),
      parameter("write_cache", true).means("set_operations: fused writes 128 bytes at a time (Table VII)"),
      parameter("load_balance", "none")
          .one_of({"none", "four_layer"})
          .means("who works at a long neighbour list: its warp, or by w1, w2, w3 (§VI-A)"),
      parameter("w1", 4096).range(1, 1e9).in("neighbours").means("a longer list has a block of a kernel of its own"),
      parameter("w2", 1024).range(1, 1e9).in("neighbours").means("a longer list is the whole block's"),
      parameter("w3", 256).range(1, 1e9).in("neighbours").means("a longer list is shared by the block's warps"),
      parameter("duplicate_removal", false)
          .means("warps of a block that need the same neighbours share one input buffer (§VI-B)"),
      parameter("threads_per_block", 1024).range(32, 1024).multiple_of(32).means("of the join; a warp a row"),
      parameter("blocks", 0)
          .range(0, 1e9)
          .alias("all", 0)
          .means("most blocks of a kernel, to occupy fewer multiprocessors (Fig. 15(b))")};
}

void validate(const Parameters& parameters) {
  require_at_most(parameters, "w2", "w1");
  require_at_most(parameters, "w3", "w2");
  if (parameters.text("set_operations") == "fused") return;
  if (parameters.text("load_balance") != "none") {
    throw ParameterError("load_balance", "set_operations: naive balances no load; say load_balance: none");
  }
  if (parameters.flag("duplicate_removal")) {
    throw ParameterError("duplicate_removal",
                         "set_operations: naive has no input buffers to share; say duplicate_removal: false");
  }
}

}  // namespace

WARPBENCH_SOLVER(SubgraphMatching, Gsi,
                 {.id = "gsi",
                  .title = "GSI: signatures, PCSR, vertex-oriented join by Prealloc-Combine",
                  .source = "gsi2020",
                  .role = Role::proposed,
                  .device = Target::gpu,
                  .parameters = gsi_parameters(),
                  .smoke = {{"load_balance", "four_layer"}, {"duplicate_removal", true}, {"threads_per_block", 64}},
                  .validate = validate})

}  // namespace warpbench::matching::gsi
