// SetEngine: what all GPU solvers of set_intersection and set_containment do around a technique: the sets up, the pairs
// a table at a time, their values or digests, and the answers down.
//
// The pairs of all sets are one table where that fits into the device's memory beside the technique's helper
// structures; else tables of whole rows follow each other (the document's tiles, §6.2.1), each brought down while
// the next is computed. Answers that no memory keeps are digested on the device, band by band
// (problems/sets/pairs.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/sets/engine/technique.hpp"
#include "device/buffer.hpp"
#include "problems/sets/pairs.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {

/// What becomes of a pair's count.
enum class ValueKind { count, degree, contained };

class SetEngine {
 public:
  explicit SetEngine(std::unique_ptr<Technique> technique) : technique_(std::move(technique)) {}

  void configure(const Parameters& parameters) { technique_->configure(parameters); }
  /// Pinned copies of the sets, and memory for one pair (`single`; `as_set`: and its tokens), or for all.
  void prepare(const datasets::SetCollection& sets, bool single, bool as_set, ValueKind kind);
  void upload(Phases& phases);
  /// `bring_down`: answers that are not kept on the device go to the host as they are made, as download() would.
  void solve(Phases& phases, bool bring_down);
  void download(Phases& phases);

  /// After download(): of all pairs; of a single one.
  [[nodiscard]] pairs::Answer pairs_answer();
  [[nodiscard]] std::uint64_t common() const { return host_common_.span()[0]; }
  [[nodiscard]] std::span<std::uint32_t> tokens();
  [[nodiscard]] std::map<std::string, double> counters() const;

 private:
  void plan_tables();
  void solve_pairs(Phases& phases, bool bring_down);
  void solve_single(Phases& phases);
  [[nodiscard]] DeviceSets device_sets() const;

  std::unique_ptr<Technique> technique_;
  Stream stream_;
  Stream copies_;
  const datasets::SetCollection* sets_ = nullptr;
  bool single_ = false;
  bool as_set_ = false;
  ValueKind kind_ = ValueKind::count;

  PinnedBuffer<std::uint64_t> host_offsets_;
  PinnedBuffer<std::uint32_t> host_tokens_;
  Buffer<std::uint64_t> offsets_;
  Buffer<std::uint32_t> tokens_;

  /// A table and the band of the answer that it is a part of.
  struct Table {
    pairs::Band rows;
    std::size_t band;
  };
  void enqueue_table(const Table& table, Buffer<std::uint32_t>& memory, Phases& phases);

  bool kept_ = false;  ///< the answer is kept whole on the host
  std::vector<Table> tables_;
  Buffer<std::uint32_t> table_memory_[2];
  PinnedBuffer<std::uint32_t> host_values_;  ///< all, or two tables in turn
  Buffer<unsigned long long> digests_;
  PinnedBuffer<unsigned long long> host_digests_;
  std::vector<std::uint64_t> band_digests_;

  Buffer<unsigned long long> common_;
  PinnedBuffer<unsigned long long> host_common_;
  Buffer<std::uint8_t> found_;
  Buffer<std::uint32_t> common_tokens_;
  Buffer<std::int64_t> common_size_;
  PinnedBuffer<std::uint32_t> host_common_tokens_;
};

}  // namespace warpbench::sets
