// Filtering: what thread H0 does (bellas2022 §4.2.1): it finds candidates on the CPU and writes them to chunks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "algorithms/set_similarity_join/cpu_gpu/candidate_writer.hpp"
#include "problems/parameters.hpp"
#include "solvers/set_similarity_join/group_join.hpp"
#include "solvers/set_similarity_join/pair_sink.hpp"
#include "solvers/set_similarity_join/prefix_index.hpp"
#include "solvers/set_similarity_join/prober.hpp"
#include "solvers/set_similarity_join/verifier.hpp"

namespace warpbench::similarity {

/// Which sets are candidates, and where groups are verified.
struct FilterChoice {
  enum class Groups : std::uint8_t {
    arrays,       ///< the pairs of groups on the device, those that they expand to on the CPU
    map,          ///< all on the device
    first_phase,  ///< as arrays, but without the second phase where no group has two sets
    whole         ///< all on the device, a probing set after the other, which needs no map; beyond the document
  };
  std::optional<Filter> filter;  ///< nothing: GroupJoin
  Groups groups = Groups::arrays;

  [[nodiscard]] bool is_group_join() const { return !filter.has_value(); }
  /// Whether the device verifies all candidates.
  [[nodiscard]] bool sends_all() const { return !is_group_join() || groups == Groups::map || groups == Groups::whole; }
  /// Whether a probing set's candidates are found one by one among those of others.
  [[nodiscard]] bool needs_map() const { return is_group_join() && groups == Groups::map; }
  friend bool operator==(const FilterChoice&, const FilterChoice&) = default;
};
[[nodiscard]] FilterChoice filter_choice_from(const Parameters& parameters);

/// What all threads that filter share.
struct FilterIndex {
  PrefixIndex index;
  Groups groups;  ///< of GroupJoin

  /// In the memory of an earlier one.
  void build(const OrderedSets& sets, const Bounds& bounds, SetRange range, const FilterChoice& choice, int threads);
};

/// What a thread did and how long it took.
struct FilterWork {
  std::uint64_t candidates = 0;  ///< for the device
  std::uint64_t expanded = 0;    ///< pairs that groups expanded to, for either side
  double filter_seconds = 0;
  double serialize_seconds = 0;  ///< without those of waiting
  double expand_seconds = 0;     ///< expansion, and verification on the CPU
  double wait_seconds = 0;       ///< for chunks

  FilterWork& operator+=(const FilterWork& other);
};

/// One thread's filtering.
class FilterThread {
 public:
  /// All outlive it. `sink` takes the similar pairs that are verified on the CPU.
  FilterThread(const OrderedSets& sets, const Bounds& bounds, const FilterChoice& choice, PairSink& sink);

  /// Finds the candidates of the probing sets in `probes` and writes them. `probing`: the groups of the probing sets,
  /// of GroupJoin. Fastest where later calls have later probes.
  void run(const FilterIndex& index, const Groups& probing, SetRange probes, CandidateWriter& writer);

  /// Of all runs since the last call.
  [[nodiscard]] FilterWork take_work();

 private:
  /// A probing set, or the first of a group, and how many candidates of it were found.
  struct Probe {
    std::uint32_t set;
    std::size_t candidates;
  };

  std::int64_t filter(const PrefixIndex& index, const Groups& probing, SetRange probes);
  void write(CandidateWriter& writer);
  void write_whole(const Groups& indexed, const Groups& probing, CandidateWriter& writer);
  void expand(const Groups& indexed, const Groups& probing, CandidateWriter& writer);

  const OrderedSets* sets_;
  FilterChoice choice_;
  PairSink* sink_;
  std::optional<Prober> prober_;
  std::optional<GroupProber> group_prober_;
  Verifier verifier_;
  std::vector<Probe> batch_;
  std::span<const Candidate> found_;  ///< of the batch
  std::vector<Candidate> joined_;     ///< of a probing set, those of the other side
  FilterWork work_;
};

}  // namespace warpbench::similarity
