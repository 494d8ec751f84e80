// ProbeLists: candidates by probing set, as verification takes them: C and C_off (bellas2022 §4.2.2, Figure 4.9).
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/bitmap/pair_list.hpp"
#include "algorithms/set_similarity_join/verification/verification.hpp"
#include "device/buffer.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "solvers/set_similarity_join/blocks.hpp"

namespace warpbench::similarity {

/// All with the same stream. First clear(); then the numbers of candidates go to counts(), and make() puts the
/// candidates in their places.
class ProbeLists {
 public:
  /// Room for so many candidates, of so many probing sets. Throws OutOfDeviceMemory.
  void prepare(std::int64_t probes, std::int64_t candidates, Stream& stream);

  /// Begins the lists of `probes`, which have no candidates yet.
  void clear(const SetRange& probes, Stream& stream);
  /// For each probing set the number of its candidates.
  [[nodiscard]] View<std::uint32_t> counts() { return counts_.view().first(probes_.count()); }
  /// Of flags, a row of `sets` for each probing set.
  void make(View<const std::uint8_t> flags, const SetRange& sets, Stream& stream);
  /// Of pairs in any order, which are counted here.
  void make(const PairListView& list, Stream& stream);

  [[nodiscard]] CandidatesView view() const { return {sets_.view(), entries_.view().first(probes_.count())}; }

 private:
  void make_entries(Stream& stream);

  SetRange probes_;
  Buffer<std::uint32_t> counts_;
  Buffer<std::uint32_t> ends_;
  Buffer<ProbeEntry> entries_;
  Buffer<std::uint32_t> sets_;
};

}  // namespace warpbench::similarity
