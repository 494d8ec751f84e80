// bitmap: blocks of sets are joined by their signatures and lengths alone, without an index, and all stays on the
// device (bellas2022 §5.1.1). The filter is Sandes et al.'s, whose own join verifies on the host.
//
// Open in the document: how signatures are made (signatures.cuh), and what the matrix of candidates holds; here flags
// of a byte, which are cleared for each pair of blocks and compacted. Ours: `candidates: tiled`, which needs no matrix,
// and `verification: warp`, a warp a candidate.
#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "algorithms/set_similarity_join/bitmap/candidate_filters.cuh"
#include "algorithms/set_similarity_join/bitmap/pair_list.hpp"
#include "algorithms/set_similarity_join/bitmap/probe_lists.hpp"
#include "algorithms/set_similarity_join/bitmap/signature_filter.cuh"
#include "algorithms/set_similarity_join/bitmap/signature_width.hpp"
#include "algorithms/set_similarity_join/bitmap/strips.hpp"
#include "algorithms/set_similarity_join/engine/device_counters.hpp"
#include "algorithms/set_similarity_join/engine/techniques.hpp"
#include "algorithms/set_similarity_join/verification/verification.hpp"
#include "device/bits.cuh"
#include "device/device.hpp"

namespace warpbench::similarity {
namespace {

/// Places in lists of candidates are 32 bits wide.
constexpr std::int64_t kMaxCandidates = kNone<std::uint32_t>;
/// Of a list: a GPU compares so many pairs in a quarter of a millisecond, against which two launches are little.
constexpr std::int64_t kMaxListed = std::int64_t{1} << 28;

std::vector<ParameterSpec> bitmap_parameters() {
  std::vector<ParameterSpec> all = verification_parameters();
  all[0] = parameter("verification", "b")
               .one_of({"a", "b", "c", "warp"})
               .document({"a", "b", "c"})
               .means(
                   "who verifies: a thread all candidates of a probing set (a), the threads of a block some each (b) "
                   "or each together (c), or a warp any candidate (warp)");
  all.push_back(block_size_parameter());
  all.push_back(signature_bits_parameter());
  all.push_back(
      parameter("candidates", "matrix")
          .one_of({"matrix", "tiled"})
          .document({"matrix"})
          .means("where candidates go: to a matrix of flags of all pairs of two blocks, or, found in tiles of "
                 "pairs, to a list")
          .at(Stage::prepare));
  return all;
}

class Bitmap final : public BlockJoin {
 public:
  explicit Bitmap(const Parameters& parameters)
      : bits_(parameters.integer("signature_bits")), is_tiled_(parameters.text("candidates") == "tiled") {
    Bitmap::configure(parameters);
  }

  void configure(const Parameters& parameters) override {
    by_warps_ = parameters.text("verification") == "warp";
    parameters_ = parameters;
  }

  void prepare(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size, Stream& stream) override {
    sets_ = &sets;
    bounds_ = bounds;
    words_ = static_cast<int>(words_for(bits_ > 0 ? bits_ : cheapest_signature_bits(sets, bounds)));
    signatures_ = Buffer<std::uint32_t>(words_ * sets.count(), stream);
    counters_.prepare(stream);
    capacity_ = block_size >> 16 == 0 ? block_size * block_size : kMaxCandidates;
    if (is_tiled_) {
      constexpr std::int64_t kLeast = std::int64_t{kTileSets} * kTileSets;
      constexpr auto kBytes = static_cast<std::int64_t>(sizeof(ListedPair) + sizeof(std::uint32_t));
      capacity_ = std::min({capacity_, kMaxListed, free_memory() / 2 / kBytes});
      capacity_ = std::max(capacity_, kLeast);
      list_ = Buffer<ListedPair>(capacity_, stream);
      list_length_ = Buffer<Total>(1, stream);
    } else {
      flags_ = Buffer<std::uint8_t>(capacity_, stream);
    }
    lists_.prepare(std::min(block_size, capacity_), capacity_, stream);
  }

  void begin(const SetsView& sets, Stream& stream, Phases& phases) override {
    const auto scope = phases.gpu("signatures", stream);
    counters_.reset(stream);
    bytes_cleared_ = 0;
    parts_ = 0;
    make_signatures(sets, signatures(), stream);
  }

  void join(const BlockPair& pair, const SetsView& sets, const PairSinkView& sink, Stream& stream,
            Phases& phases) override {
    const SignatureFilter filter{sets, signatures(), bounds_};
    const auto sets_of = [&](const SetRange& probes) {
      return is_tiled_ ? similar_by_size(pair, probes, *sets_, bounds_) : pair.smaller;
    };
    for (const Strip& strip : strips_of(pair.larger, capacity_, sets_of)) {
      if (is_tiled_) {
        join_by_tiles(strip, filter, sink, stream, phases);
      } else {
        join_by_flags(strip, filter, sink, stream, phases);
      }
    }
    counters_.download(stream);
  }

  /// `candidates`; `pairs_compared`, by their signatures; `signature_bytes`; `signature_bits`; `bytes_cleared`, of the
  /// matrix; `parts`, in which pairs of blocks were joined because their candidates might not find room.
  [[nodiscard]] std::map<std::string, double> counters() const override {
    std::map<std::string, double> counters = counters_.values();
    counters["signature_bytes"] = static_cast<double>(signatures_.bytes());
    counters["signature_bits"] = static_cast<double>(words_) * kBitsPerWord;
    counters["bytes_cleared"] = static_cast<double>(bytes_cleared_);
    counters["parts"] = static_cast<double>(parts_);
    return counters;
  }

 private:
  [[nodiscard]] SignaturesView signatures() { return {signatures_.view(), sets_->count(), words_}; }
  [[nodiscard]] FilterCounters counters_for(const PairSinkView& sink) {
    return {counters_.view(), !sink.is_second_try};
  }

  void join_by_flags(const Strip& strip, const SignatureFilter& filter, const PairSinkView& sink, Stream& stream,
                     Phases& phases) {
    if (!sink.is_second_try) ++parts_;
    {
      const auto scope = phases.gpu("clear", stream);
      flags_.fill(0, stream);
      lists_.clear(strip.probes, stream);
      if (!sink.is_second_try) bytes_cleared_ += flags_.bytes();
    }
    {
      const auto scope = phases.gpu("filter", stream);
      flag_candidates(filter, strip, flags_.view(), lists_.counts(), counters_for(sink), stream);
    }
    {
      const auto scope = phases.gpu("compact", stream);
      lists_.make(flags_.view(), strip.sets, stream);
    }
    const auto scope = phases.gpu("verify", stream);
    take_similar(verification_of(parameters_, *sets_, bounds_), filter.sets, lists_.view(), sink, stream);
  }

  void join_by_tiles(const Strip& strip, const SignatureFilter& filter, const PairSinkView& sink, Stream& stream,
                     Phases& phases) {
    if (!sink.is_second_try) ++parts_;
    const PairListView list{list_.view().first(strip.pairs()), list_length_.view()};
    {
      const auto scope = phases.gpu("filter", stream);
      list_length_.fill(0, stream);
      list_candidates(filter, strip, list, counters_for(sink), stream);
    }
    if (by_warps_) {
      const auto scope = phases.gpu("verify", stream);
      verify_by_warps(list, filter.sets, bounds_, sink, stream);
    } else {
      {
        const auto scope = phases.gpu("compact", stream);
        lists_.clear(strip.probes, stream);
        lists_.make(list, stream);
      }
      const auto scope = phases.gpu("verify", stream);
      take_similar(verification_of(parameters_, *sets_, bounds_), filter.sets, lists_.view(), sink, stream);
    }
  }

  std::int64_t bits_;  ///< 0: by the sets
  bool is_tiled_;
  int words_ = 0;  ///< of a signature
  bool by_warps_ = false;
  Parameters parameters_;
  const OrderedSets* sets_ = nullptr;
  Bounds bounds_;
  std::int64_t capacity_ = 0;  ///< candidates
  Buffer<std::uint32_t> signatures_;
  Buffer<std::uint8_t> flags_;  ///< a row for each probing set
  Buffer<ListedPair> list_;
  Buffer<Total> list_length_;
  ProbeLists lists_;
  DeviceCounters counters_{{"candidates", "pairs_compared"}};
  std::int64_t bytes_cleared_ = 0;
  std::int64_t parts_ = 0;  ///< in which pairs of blocks were joined
};

[[maybe_unused]] const bool registered_bitmap = register_technique<Bitmap>(
    {.id = "bitmap",
     .title = "Blocks of sets by bitmap signatures instead of an index, everything on the GPU",
     .source = "bellas2022, §5.1.1 (bitmap filter of Sandes et al.)",
     .role = Role::gpu_baseline,
     .device = Target::gpu,
     .parameters = bitmap_parameters(),
     .smoke = {{"block_size", 1000}},
     .best = {{"candidates", "tiled"}, {"verification", "warp"}, {"block_size", "all"}, {"signature_bits", "auto"}},
     .exact = true,
     .validate = [](const Parameters& parameters) {
       if (parameters.text("verification") == "warp" && parameters.text("candidates") != "tiled") {
         throw ParameterError("verification",
                              "'verification: warp' takes candidates from a list: set 'candidates: tiled'");
       }
     }});

}  // namespace
}  // namespace warpbench::similarity
