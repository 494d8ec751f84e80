// DevicePairSink: the memory of a device that takes similar pairs, and their way to the host.
#pragma once

#include <array>
#include <cstdint>
#include <functional>

#include "device/buffer.hpp"
#include "device/stream.hpp"
#include "device/view.hpp"
#include "problems/set_similarity_join/problem.hpp"

namespace warpbench::similarity {

/// atomicAdd()'s type of 64 bits.
using Total = unsigned long long;

/// Where the answers of kernels go.
struct PairSinkView {
  SetSimilarityJoin::Output output;
  Measure measure;
  View<Total> totals;          ///< the number, the digest, and the number of pairs that looked for a place
  View<Pair> pairs;            ///< of Output::pairs; those beyond its end are not written, and the driver asks anew
  bool is_second_try = false;  ///< of a join whose pairs found no room: counters have counted it

  /// Whether take() needs the whole overlap; else one that suffices will do.
  [[nodiscard]] WARPBENCH_HOST_DEVICE bool wants_overlap() const { return output == SetSimilarityJoin::Output::pairs; }
};

/// All with the same stream.
///
///   sink.prepare(output, measure, stream);                                      in prepare()
///   sink.reset(stream);                                                         in solve(), before the first join
///   sink.take([&](const PairSinkView& view) { technique.join(…, view, …); }, stream);     for each join
///   sink.download(answer, stream);                                              when the stream has passed
class DevicePairSink {
 public:
  /// Throws OutOfDeviceMemory.
  void prepare(SetSimilarityJoin::Output output, Measure measure, Stream& stream);
  /// Forgets the answer of the solve before; its room for pairs stays.
  void reset(Stream& stream);
  /// Calls `join`, which enqueues what adds pairs. Of Output::pairs it waits for the stream, and where the pairs did
  /// not find room, it makes room for all and calls `join` again. Throws OutOfDeviceMemory, DeviceError.
  void take(const std::function<void(const PairSinkView&)>& join, Stream& stream);
  /// Waits for the stream. The pairs of the answer are this object's memory, until the next download.
  void download(SetSimilarityJoin::Answer& answer, Stream& stream);

 private:
  [[nodiscard]] PairSinkView view(bool is_second_try);

  SetSimilarityJoin::Output output_ = SetSimilarityJoin::Output::count;
  Measure measure_ = Measure::jaccard;
  Buffer<Total> totals_;
  PinnedBuffer<Total> host_totals_;
  std::array<Total, 3> before_{};  ///< the totals without the join that is being taken
  Buffer<Pair> pairs_;
  PinnedBuffer<Pair> host_pairs_;
};

}  // namespace warpbench::similarity
