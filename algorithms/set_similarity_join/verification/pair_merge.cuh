// PairMerge: one thread merges a probing set with a candidate, and ends as soon as the overlap that it takes is reached
// or out of reach (bellas2022 §4.2). It can pause, so that the probing set may come in parts.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/device_sets.hpp"
#include "device/kernel.hpp"

namespace warpbench::similarity {

class PairMerge {
 public:
  /// Nothing to merge.
  __device__ PairMerge() : PairMerge(0, 0, 1, false) {}
  /// Of sets of these sizes. `whole`: goes on after `required` common tokens, to find all of them.
  __device__ PairMerge(std::uint32_t probe_size, std::uint32_t set_size, std::uint32_t required, bool whole)
      : enough_(whole ? kNone<std::uint32_t> : required),
        required_(required),
        probe_size_(probe_size),
        set_size_(set_size),
        open_(required <= probe_size && required <= set_size) {}

  /// Merges the probing set's tokens from `begin` to `end`, which lie at `part`, with those of `set` that are left.
  __device__ void go_on(const datasets::Token* part, std::uint32_t begin, std::uint32_t end,
                        const datasets::Token* set) {
    // Tokens without a partner: more than this many of a set, and too few are left.
    const std::uint32_t probe_slack = probe_size_ - required_;
    const std::uint32_t set_slack = set_size_ - required_;
    while (open_ && probe_at_ < end && set_at_ < set_size_) {
      const datasets::Token of_probe = part[probe_at_ - begin];
      const datasets::Token of_set = set[set_at_];
      overlap_ += of_probe == of_set ? 1 : 0;
      probe_at_ += of_probe <= of_set ? 1 : 0;
      set_at_ += of_set <= of_probe ? 1 : 0;
      open_ = overlap_ < enough_ && probe_at_ - overlap_ <= probe_slack && set_at_ - overlap_ <= set_slack;
    }
  }

  /// Whether the verdict is still unknown.
  [[nodiscard]] __device__ bool is_open() const { return open_; }
  [[nodiscard]] __device__ bool is_similar() const { return overlap_ >= required_; }
  /// The whole one where that was asked for and the sets are similar.
  [[nodiscard]] __device__ std::uint32_t overlap() const { return overlap_; }

 private:
  std::uint32_t enough_;
  std::uint32_t required_;
  std::uint32_t probe_size_;
  std::uint32_t set_size_;
  std::uint32_t probe_at_ = 0;
  std::uint32_t set_at_ = 0;
  std::uint32_t overlap_ = 0;
  bool open_;
};

}  // namespace warpbench::similarity
