// CoProcessing: joins whose filtering the host does and whose verification the device does, side by side (bellas2022
// §4.2). The solver cpu-gpu is one of them, of all sets; HySet has several, of blocks.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/set_similarity_join/cpu_gpu/chunk.hpp"
#include "algorithms/set_similarity_join/cpu_gpu/device_chunk.hpp"
#include "algorithms/set_similarity_join/cpu_gpu/filtering.hpp"
#include "algorithms/set_similarity_join/cpu_gpu/pipeline.hpp"
#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/stream.hpp"
#include "problems/set_similarity_join/problem.hpp"
#include "solvers/phases.hpp"
#include "solvers/thread_team.hpp"

namespace warpbench::similarity {

/// Those of the solver cpu-gpu.
[[nodiscard]] std::vector<ParameterSpec> co_processing_parameters();

///   co.prepare(sets, input, stream);                                                      in prepare()
///   co.begin(stream);                                                                     in solve()
///   index.build(sets, bounds, range, co.choice(), co.threads());
///   co.join(index, index.groups, probes, device_sets.view(), stream);                     once or several times
///   co.finish(phases);
///   co.download(answer);
class CoProcessing {
 public:
  /// As co_processing_parameters() declares them.
  explicit CoProcessing(const Parameters& parameters) : parameters_(parameters) {}

  /// New values of all parameters.
  void configure(const Parameters& parameters) { parameters_ = parameters; }
  /// Takes the memory. The sets outlive this. Throws OutOfDeviceMemory.
  void prepare(const OrderedSets& sets, const SetSimilarityJoin::Input& input, Stream& stream);

  [[nodiscard]] FilterChoice choice() const { return filter_choice_from(parameters_); }
  /// That filter.
  [[nodiscard]] int threads() const;

  /// Forgets the answer of the solve before. Takes other memory where parameters have changed that it depends on.
  void begin(Stream& stream);
  /// Finds the similar pairs of a set of the index and one of `probes` with a larger number. `probing`: the groups of
  /// the probing sets, of GroupJoin. Returns when all are found. The calling thread copies and waits for the device.
  void join(const FilterIndex& index, const Groups& probing, SetRange probes, const SetsView& sets, Stream& stream);
  /// After the last join: completes the answer and adds the phases filtering, serialization, expansion (of GroupJoin),
  /// copy, verification and post_processing.
  void finish(Phases& phases);
  /// The pairs are this object's, until the next solve.
  void download(SetSimilarityJoin::Answer& answer);
  /// Drops the answer, so that download() has none.
  void forget();
  /// `chunks`; `candidates` that the device verified, and their `candidate_bytes`; `expansion_candidates` of groups;
  /// `hidden_share` of the verification: the part that took none of the joins' time.
  [[nodiscard]] std::map<std::string, double> counters() const { return counters_; }

 private:
  /// What memory depends on.
  struct Setup {
    std::int64_t chunk_memory = 0;
    Serialization serialization = Serialization::arrays;
    FilterChoice choice;
    int threads = 1;

    friend bool operator==(const Setup&, const Setup&) = default;
  };
  /// Of all joins since begin().
  struct Work {
    std::int64_t chunks = 0;
    std::uint64_t similar_pairs = 0;  ///< that the device counted
    double copy_seconds = 0;
    double verify_seconds = 0;
    double post_process_seconds = 0;
    double after_filtering_seconds = 0;  ///< on which joins waited for the device
  };

  [[nodiscard]] Setup setup() const;
  [[nodiscard]] bool wants_flags() const { return input_.output != SetSimilarityJoin::Output::count; }
  void take_memory(Stream& stream);
  void filter(std::size_t rank, const FilterIndex& index, const Groups& probing, SetRange probes,
              const ChunkExchange& exchange);
  void verify(Chunk& chunk, const Verification& how, const SetsView& sets, Stream& stream);
  void post_process(const Chunk& chunk);

  Parameters parameters_;
  SetSimilarityJoin::Input input_;
  const OrderedSets* sets_ = nullptr;
  Bounds bounds_;
  std::int64_t most_candidates_ = 0;

  std::optional<Setup> setup_;
  ChunkPlan plan_;
  std::vector<Chunk> chunks_;
  std::vector<PairSink> sinks_;  ///< of each thread that filters, and of H2
  std::vector<FilterThread> filters_;
  DeviceChunk device_chunk_;

  std::atomic<std::int64_t> next_probe_ = 0;
  Work work_;
  std::vector<Pair> pairs_;
  std::map<std::string, double> counters_;
  ThreadTeam team_;
};

}  // namespace warpbench::similarity
