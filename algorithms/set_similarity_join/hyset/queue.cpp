// HySet's concurrent queue (bellas2022 §5.4.2, Algorithm 5.1): the pairs of blocks wait in a lock-free queue, from
// which the thread that drives the device and the thread of the CPU take one after the other until it is empty. The CPU
// has an index of each block. Several threads of the CPU, which are ours, join one pair together, some probing sets
// each at a time: else the device would wait at the end for a pair that a single thread has just begun.
//
// Differs from the document: the device makes its own index of a block again where a technique needs one, in place of
// copying it back from the host.
#include <algorithm>
#include <atomic>
#include <mutex>

#include "algorithms/set_similarity_join/hyset/hyset.hpp"
#include "device/integers.hpp"

namespace warpbench::similarity {
namespace {

class HysetQueue final : public Hyset {
 public:
  using Hyset::Hyset;

 protected:
  void plan(Phases& /*phases*/) override {
    pairs_ = block_pairs(sets(), bounds(), block_size());
    const std::vector<SetRange> blocks = blocks_of({0, sets().count()}, block_size());
    indexes_.resize(blocks.size());
    builder().take_memory(builder().prefixes().most_tokens(block_size()), stream());
    for (std::size_t i = 0; i < blocks.size(); ++i) builder().reserve(indexes_[i], blocks[i]);
  }

  void build_indexes() override {
    const std::vector<SetRange> blocks = blocks_of({0, sets().count()}, block_size());
    for (std::size_t i = 0; i < blocks.size(); ++i) builder().build(indexes_[i], blocks[i], device_sets(), stream());
    next_ = 0;
    shared_ = nullptr;
    probes_ = cpu().threads() > 1 ? kProbesAtOnce : block_size();
  }

  [[nodiscard]] std::int64_t most_cpu_tasks() const override {
    return std::ssize(pairs_) * ceil_div(block_size(), kProbesAtOnce);
  }

  void join_on_cpu(CpuSide::Worker& worker) override {
    while (true) {
      const BlockPair part = take_part(worker);
      if (part.larger.count() == 0) return;
      worker.join.join(index_of(part.smaller), part.larger, worker.sink);
    }
  }

  std::int64_t join_on_device(Phases& phases) override {
    std::int64_t taken = 0;
    for (; const BlockPair* pair = pop(); ++taken) device().join(*pair, device_sets(), stream(), phases);
    return taken;
  }

  [[nodiscard]] std::vector<const PrefixIndex*> indexes() const override {
    std::vector<const PrefixIndex*> all;
    all.reserve(indexes_.size());
    for (const PrefixIndex& index : indexes_) all.push_back(&index);
    return all;
  }

 private:
  /// The next pair of the queue; nullptr where it is empty, or a side has failed.
  [[nodiscard]] const BlockPair* pop() {
    if (has_failed()) return nullptr;
    const std::size_t place = next_.fetch_add(1, std::memory_order_relaxed);
    return place < pairs_.size() ? &pairs_[place] : nullptr;
  }
  /// The next probing sets of the pair that the CPU's threads join; none where the queue is empty, too. The thread that
  /// begins a pair has `taken` it.
  [[nodiscard]] BlockPair take_part(CpuSide::Worker& worker) {
    const std::scoped_lock lock(parts_);
    if (has_failed()) return {};
    if (shared_ == nullptr) {
      shared_ = pop();
      if (shared_ == nullptr) return {};
      probed_ = shared_->larger.begin;
      ++worker.taken;
    }
    const std::int64_t begin = probed_;
    probed_ = std::min(begin + probes_, shared_->larger.end);
    const BlockPair part{shared_->smaller, {begin, probed_}};
    if (probed_ == shared_->larger.end) shared_ = nullptr;
    return part;
  }
  [[nodiscard]] const PrefixIndex& index_of(SetRange block) const {
    return indexes_[static_cast<std::size_t>(block.begin / block_size())];
  }

  std::vector<BlockPair> pairs_;
  std::vector<PrefixIndex> indexes_;
  std::atomic<std::size_t> next_ = 0;

  std::mutex parts_;
  const BlockPair* shared_ = nullptr;  ///< that the CPU's threads join
  std::int64_t probed_ = 0;            ///< the first of its probing sets that no thread has taken
  std::int64_t probes_ = 0;            ///< that a thread takes at once
};

WARPBENCH_SOLVER(SetSimilarityJoin, HysetQueue,
                 {.id = "hyset-queue",
                  .title = "HySet: CPU and device take pairs of blocks from one queue",
                  .source = "bellas2022 §5.4, Algorithm 5.1",
                  .role = Role::proposed,
                  .device = Target::hybrid,
                  .parameters = Hyset::parameters(),
                  .smoke = {{"block_size", 100}, {"device_technique", "best"}},
                  .best = {{"device_technique", "best"},
                           {"signature_bits", "auto"},
                           {"gpu", "auto"},
                           {"cpu", "auto"},
                           {"threads", "all"}},
                  .exact = true})

}  // namespace
}  // namespace warpbench::similarity
