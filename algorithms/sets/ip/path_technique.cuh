// PathTechnique: the grid level of Intersect Path (diagonals.cuh) around any way to intersect a block's part. All
// pairs: the diagonals of as many rows as memory holds are found at a time, then a block takes the same part of some
// pairs of a row. As the document says, C(k, 2) × (blocks + 1) diagonals bound `blocks` from above.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include "algorithms/sets/engine/set_solver.hpp"
#include "algorithms/sets/ip/diagonals.cuh"
#include "device/block.cuh"
#include "device/device.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {

inline constexpr std::int64_t kAutomaticBlocks = 0;
inline constexpr std::int64_t kMostBlocks = 4096;

/// Blocks of kernels on pairs: (row, part of its columns, block of each pair), by number.
struct PathTasks {
  RowParts parts;
  std::int64_t parts_of_row;
  std::int64_t count;
};

/// This block's share of a pair: the common tokens of its part of the path, in all threads.
template <typename Inside>
__device__ std::uint32_t count_part(const Inside& inside, const PathPart& part, View<std::uint8_t> flags) {
  if (part.empty()) return 0;
  return block::reduce_sum(inside.count(part, Found{flags, part.a, part.a_begin}));
}

template <typename Inside>
__global__ void path_pairs_kernel(DeviceSets sets, PairTable table, Diagonals diagonals, PathTasks tasks,
                                  Inside inside) {
  for (std::int64_t task = blockIdx.x; task < tasks.count; task += gridDim.x) {
    const std::int64_t row_part = task / diagonals.blocks;
    const Part part = part_at(table, tasks.parts, row_part / tasks.parts_of_row, row_part % tasks.parts_of_row);
    for (std::int64_t column = part.begin; column < part.end; ++column) {
      const PathPart own =
          diagonals.part(table.place(part.row, column), sets.set(part.row), sets.set(column), task % diagonals.blocks);
      const std::uint32_t common = count_part(inside, own, {});
      if (common > 0 && threadIdx.x == 0) atomicAdd(&table.count(part.row, column), common);
    }
  }
}

template <typename Inside>
__global__ void path_single_kernel(SingleTask task, Diagonals diagonals, Inside inside) {
  const DeviceSet smaller{task.smaller.data(), task.smaller.size()};
  const DeviceSet larger{task.larger.data(), task.larger.size()};
  for (std::int64_t i = blockIdx.x; i < diagonals.blocks; i += gridDim.x) {
    const std::uint32_t common = count_part(inside, diagonals.part(0, smaller, larger, i), task.found);
    if (common > 0 && threadIdx.x == 0) atomicAdd(&task.common[0], static_cast<unsigned long long>(common));
  }
}

/// What a block does with its part: in kernels count(part, found) of all its threads, each of which returns the common
/// tokens that it found. On the host the class that makes it: from const Parameters&, with shared_bytes(threads), with
/// prepare(most, blocks, stream), where `most` bounds a part's smaller set and `blocks` is what runs at once, and with
/// concurrent_blocks(), which no launch exceeds.
template <typename Maker>
class PathTechnique final : public Technique {
 public:
  using Inside = typename Maker::Inside;

  explicit PathTechnique(const Parameters& parameters) : maker_(parameters) { configure(parameters); }
  void configure(const Parameters& parameters) override {
    threads_ = parameters.integer("threads_per_block");
    asked_blocks_ = parameters.integer("blocks");
  }

  void prepare(const datasets::SetCollection& host, Stream& stream) override {
    require(host.max_size() <= std::numeric_limits<std::uint32_t>::max(), "a set of more than 2^32 - 1 tokens");
    points_.reset();
    const std::int64_t resident = host.count() == 2
                                      ? max_resident_blocks(path_single_kernel<Inside>, threads_, shared_bytes())
                                      : max_resident_blocks(path_pairs_kernel<Inside>, threads_, shared_bytes());
    blocks_ = asked_blocks_ != kAutomaticBlocks ? asked_blocks_ : blocks_for(host, resident);
    // More than a path has tokens would have nothing to do.
    blocks_ = std::clamp<std::int64_t>(2 * host.max_size(), 1, blocks_);
    const std::int64_t most = std::min(host.max_size(), diagonal_at(2 * host.max_size(), blocks_, 1));
    maker_.prepare(most, resident, stream);
    const std::int64_t pairs = pairs_at_a_time(host);
    points_ = Buffer<std::uint32_t>(pairs * (blocks_ + 1), stream);
  }
  void build(const DeviceSets& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) override {}

  void count_pairs(const DeviceSets& sets, const PairTable& table, Stream& stream, Phases& /*phases*/) override {
    for (std::int64_t row = table.first_row; row < table.last_row;) {
      std::int64_t last = row + 1;
      const auto pairs = [&] { return table.row_begin(last) - table.row_begin(row); };
      while (last < table.last_row && (pairs() + table.sets - last - 1) * (blocks_ + 1) <= points_.size()) ++last;
      const View<std::uint32_t> counts = table.counts.subview(table.row_begin(row), pairs());
      count_rows(sets, {counts, row, last, table.sets}, stream);
      row = last;
    }
  }

  void intersect(const SingleTask& task, Stream& stream, Phases& /*phases*/) override {
    find_diagonals(task, diagonals(), stream);
    launch(path_single_kernel<Inside>, grid(blocks_), stream, task, diagonals(), maker_.inside());
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"blocks", static_cast<double>(blocks_)}, {"diagonal_bytes", static_cast<double>(points_.bytes())}};
  }

 private:
  static constexpr RowParts kParts{32};

  static void require(bool holds, const std::string& otherwise) {
    if (!holds) throw Unsupported(otherwise);
  }

  /// So many that all that the device runs at once have work, but each 16 tokens a thread; 1 for many small sets.
  [[nodiscard]] std::int64_t blocks_for(const datasets::SetCollection& host, std::int64_t resident) const {
    const std::int64_t sets = std::max<std::int64_t>(host.count(), 2);
    const std::int64_t tasks = std::max(sets - 1, sets * (sets - 1) / 2 / kParts.columns);
    const std::int64_t useful = 2 * host.total() / sets / (threads_ * 16);
    return std::clamp<std::int64_t>(std::min((resident + tasks - 1) / tasks, useful), 1, kMostBlocks);
  }

  /// For how many pairs diagonals are kept: all, or what leaves as much room for two tables of as many pairs.
  [[nodiscard]] std::int64_t pairs_at_a_time(const datasets::SetCollection& host) const {
    const auto all = static_cast<std::int64_t>(pairs::count(host.count()));
    const std::int64_t of_pair = (blocks_ + 1 + 2) * static_cast<std::int64_t>(sizeof(std::uint32_t));
    const std::int64_t free = free_memory() / 8 * 7;
    const std::int64_t longest_row = std::max<std::int64_t>(host.count() - 1, 0);
    require(longest_row <= free / of_pair, "the diagonals of " + std::to_string(longest_row) +
                                               " pairs, the longest row, at " + std::to_string(blocks_) +
                                               " blocks a pair need " + std::to_string(longest_row * of_pair) +
                                               " bytes with the row's counts, and " + std::to_string(free) +
                                               " are free on the device; ask for fewer blocks");
    return std::min(all, free / of_pair);
  }

  void count_rows(const DeviceSets& sets, const PairTable& rows, Stream& stream) {
    find_diagonals(sets, rows, diagonals(), stream);
    const std::int64_t parts = kParts.count(rows);
    const PathTasks tasks{kParts, parts, rows.rows() * parts * blocks_};
    launch(path_pairs_kernel<Inside>, grid(tasks.count), stream, sets, rows, diagonals(), tasks, maker_.inside());
  }

  [[nodiscard]] Diagonals diagonals() { return {points_.view(), blocks_}; }
  [[nodiscard]] std::size_t shared_bytes() const { return maker_.shared_bytes(threads_); }
  [[nodiscard]] Grid grid(std::int64_t blocks) const {
    return {std::min(blocks, maker_.concurrent_blocks()), threads_, shared_bytes()};
  }

  Maker maker_;
  std::int64_t threads_ = 256;
  std::int64_t asked_blocks_ = kAutomaticBlocks;
  std::int64_t blocks_ = 1;
  Buffer<std::uint32_t> points_;
};

/// A Maker whose Inside needs no memory of its own: any number of blocks.
template <typename InsideClass>
class PlainMaker {
 public:
  using Inside = InsideClass;
  explicit PlainMaker(const Parameters& /*parameters*/) {}
  void prepare(std::int64_t /*most*/, std::int64_t /*blocks*/, Stream& /*stream*/) {}
  [[nodiscard]] static std::size_t shared_bytes(std::int64_t threads) { return Inside::shared_bytes(threads); }
  [[nodiscard]] static std::int64_t concurrent_blocks() { return std::numeric_limits<std::int32_t>::max(); }
  [[nodiscard]] static Inside inside() { return {}; }
};

/// How many diagonals there are and how much memory they take depends on both.
inline std::vector<ParameterSpec> path_parameters() {
  return {parameter("blocks", kAutomaticBlocks)
              .range(kAutomaticBlocks, kMostBlocks)
              .alias("auto", kAutomaticBlocks)
              .in("blocks")
              .means("parts that a pair's path is cut into; auto: as many as the device runs at once, fewer for "
                     "small sets and many pairs")
              .at(Stage::prepare),
          threads_per_block().at(Stage::prepare)};
}

}  // namespace warpbench::sets
