// PathTechnique: the grid level of Intersect Path (diagonals.cuh) around any way to intersect a block's part. All
// pairs: the diagonals of as many rows as memory holds are found at a time, then a block takes the same part of some
// pairs of a row. Memory for C(k, 2) × (blocks + 1) diagonals bounds `blocks`, as the document says.
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
inline constexpr std::int64_t kMaxBlocks = 4096;

struct PathTuning {
  static constexpr std::int64_t kColumns = 32;             ///< of a row, for a block
  static constexpr std::int64_t kMinTokensPerThread = 16;  ///< of a part of a path, where blocks are chosen
};
using PathPieces = RowPieces<PathTuning::kColumns>;

/// This block's share of a pair: the common tokens of its part of the path, in all threads.
template <typename Inside>
__device__ std::uint32_t count_part(const Inside& inside, const PathPart& part, View<std::uint8_t> flags) {
  if (part.empty()) return 0;
  return block::reduce_sum(inside.count(part, CommonFlags{flags, part.a, part.a_begin}));
}

/// A block takes the same part of the path of each pair of a piece of a row.
template <typename Inside>
__global__ void path_pairs_kernel(DeviceSets sets, PairTile tile, Diagonals diagonals, Inside inside) {
  const PathPieces pieces{tile};
  for (const std::int64_t task : grid::per_block(pieces.count() * diagonals.parts)) {
    const std::int64_t place = diagonals.by_parts.quotient(task);
    const std::int64_t i = task - place * diagonals.parts;
    const RowPiece piece = pieces.piece(place);
    for (std::int64_t column = piece.columns.begin; column < piece.columns.end; ++column) {
      const PathPart part = diagonals.part(tile.place(piece.row, column), sets.set(piece.row), sets.set(column), i);
      const std::uint32_t common = count_part(inside, part, {});
      if (common > 0 && block::rank() == 0) atomicAdd(&tile.count(piece.row, column), common);
    }
  }
}

template <typename Inside>
__global__ void path_single_kernel(SingleTask task, Diagonals diagonals, Inside inside) {
  for (const std::int64_t i : grid::per_block(diagonals.parts)) {
    const PathPart part = diagonals.part(0, task.smaller, task.larger, i);
    const std::uint32_t common = count_part(inside, part, task.found);
    if (common > 0 && block::rank() == 0) atomicAdd(&task.common[0], DigestWord{common});
  }
}

/// The work of a block inside its part is an Inside: count(part, flags) of all its threads returns the common tokens
/// that each found. kWantsShortParts: a token costs less in a part of the length that suits a block than in a longer
/// one. Its Maker, on the host, is made from const Parameters&. It has shared_bytes(threads), inside(),
/// tokens_of_part(threads), of both sets together, that suit a block, concurrent_blocks(), which no launch exceeds, and
/// prepare(max_tokens, blocks, stream): max_tokens bounds a part's smaller set, `blocks` is the number that runs at
/// once.
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
    const auto room = static_cast<std::size_t>(current_device().shared_bytes_per_block);
    require(shared_bytes() <= room, "a block takes " + std::to_string(shared_bytes()) +
                                        " bytes of shared memory and may have " + std::to_string(room) +
                                        "; ask for fewer threads_per_block or buckets");
    points_.reset();
    const std::int64_t resident = host.count() == 2
                                      ? max_resident_blocks(path_single_kernel<Inside>, threads_, shared_bytes())
                                      : max_resident_blocks(path_pairs_kernel<Inside>, threads_, shared_bytes());
    blocks_ = asked_blocks_ != kAutomaticBlocks ? asked_blocks_ : blocks_for(host, resident);
    // More than a path has tokens would have nothing to do.
    blocks_ = std::clamp<std::int64_t>(2 * host.max_size(), 1, blocks_);
    min_tokens_ = asked_blocks_ != kAutomaticBlocks ? 1 : maker_.tokens_of_part(threads_);
    const std::int64_t max_tokens =
        std::min(host.max_size(), std::max(min_tokens_, diagonal_at(2 * host.max_size(), blocks_, std::int64_t{1})));
    maker_.prepare(max_tokens, resident, stream);
    const std::int64_t pairs = pairs_at_a_time(host);
    points_ = Buffer<std::uint32_t>(pairs * (blocks_ + 1), stream);
  }
  void build(const DeviceSets& /*sets*/, Stream& /*stream*/, Phases& /*phases*/) override {}

  void count_pairs(const DeviceSets& sets, const PairTile& tile, Stream& stream, Phases& /*phases*/) override {
    for (std::int64_t row = tile.first_row; row < tile.last_row;) {
      std::int64_t last = row + 1;
      const auto pairs = [&] { return tile.row_begin(last) - tile.row_begin(row); };
      while (last < tile.last_row && (pairs() + tile.sets - last - 1) * (blocks_ + 1) <= points_.size()) ++last;
      count_rows(sets, tile.part(row, last), stream);
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
  static void require(bool holds, const std::string& otherwise) {
    if (!holds) throw Unsupported(otherwise);
  }

  /// One pair, and all pairs where the work inside wants it: as many as make parts of the length that suits a block.
  /// Else as many as give all blocks that the device runs at once work, of at least 16 tokens a thread. 1 for many
  /// small sets.
  [[nodiscard]] std::int64_t blocks_for(const datasets::SetCollection& host, std::int64_t resident) const {
    if (host.count() == 2) {
      return std::max<std::int64_t>(1, ceil_div(host.total(), maker_.tokens_of_part(threads_)));
    }
    const std::int64_t sets = std::max<std::int64_t>(host.count(), 2);
    const std::int64_t of_pair = 2 * host.total() / sets;
    if constexpr (Inside::kWantsShortParts) {
      return std::clamp<std::int64_t>(ceil_div(of_pair, maker_.tokens_of_part(threads_)), 1, kMaxBlocks);
    }
    const std::int64_t tasks = std::max(sets - 1, sets * (sets - 1) / 2 / PathTuning::kColumns);
    const std::int64_t useful = of_pair / (threads_ * PathTuning::kMinTokensPerThread);
    return std::clamp<std::int64_t>(std::min(ceil_div(resident, tasks), useful), 1, kMaxBlocks);
  }

  /// The number of pairs whose diagonals are kept: all, or as many as fit beside two tables of their counts,
  /// which are packed for their way down in half as many words at most.
  [[nodiscard]] std::int64_t pairs_at_a_time(const datasets::SetCollection& host) const {
    const auto all = static_cast<std::int64_t>(pairs::count(host.count()));
    const std::int64_t of_pair = (blocks_ + 1 + 3) * static_cast<std::int64_t>(sizeof(std::uint32_t));
    const std::int64_t free = free_memory() / 8 * 7;
    const std::int64_t longest_row = std::max<std::int64_t>(host.count() - 1, 0);
    require(longest_row <= free / of_pair, "the diagonals of " + std::to_string(longest_row) +
                                               " pairs, the longest row, at " + std::to_string(blocks_) +
                                               " blocks a pair need " + std::to_string(longest_row * of_pair) +
                                               " bytes with the row's counts, and " + std::to_string(free) +
                                               " are free on the device; ask for fewer blocks");
    return std::min(all, free / of_pair);
  }

  void count_rows(const DeviceSets& sets, const PairTile& rows, Stream& stream) {
    find_diagonals(sets, rows, diagonals(), stream);
    launch(path_pairs_kernel<Inside>, grid(PathPieces{rows}.count() * blocks_), stream, sets, rows, diagonals(),
           maker_.inside());
  }

  [[nodiscard]] Diagonals diagonals() { return {points_.view(), blocks_, Divisor(blocks_), min_tokens_}; }
  [[nodiscard]] std::size_t shared_bytes() const { return maker_.shared_bytes(threads_); }
  [[nodiscard]] Grid grid(std::int64_t blocks) const {
    return {std::min(blocks, maker_.concurrent_blocks()), threads_, shared_bytes()};
  }

  Maker maker_;
  std::int64_t threads_ = 256;
  std::int64_t asked_blocks_ = kAutomaticBlocks;
  std::int64_t blocks_ = 1;
  std::int64_t min_tokens_ = 1;  ///< of a part
  Buffer<std::uint32_t> points_;
};

/// A Maker whose Inside needs no memory of its own: any number of blocks.
template <typename InsideClass>
class PlainMaker {
 public:
  using Inside = InsideClass;
  explicit PlainMaker(const Parameters& /*parameters*/) {}
  void prepare(std::int64_t /*max_tokens*/, std::int64_t /*blocks*/, Stream& /*stream*/) {}
  [[nodiscard]] static std::size_t shared_bytes(std::int64_t threads) { return Inside::shared_bytes(threads); }
  [[nodiscard]] static std::int64_t tokens_of_part(std::int64_t threads) { return Inside::tokens_of_part(threads); }
  [[nodiscard]] static std::int64_t concurrent_blocks() { return std::numeric_limits<std::int32_t>::max(); }
  [[nodiscard]] static Inside inside() { return {}; }
};

/// Both decide how many diagonals are kept in memory.
inline std::vector<ParameterSpec> path_parameters(std::int64_t usual_threads = 256) {
  return {parameter("blocks", kAutomaticBlocks)
              .range(kAutomaticBlocks, kMaxBlocks)
              .alias("auto", kAutomaticBlocks)
              .in("blocks")
              .means("parts that a pair's path is cut into; auto: parts that suit a block; for all pairs of ip as many "
                     "as the device runs at once, fewer for small sets")
              .at(Stage::prepare),
          threads_per_block(usual_threads).at(Stage::prepare)};
}

}  // namespace warpbench::sets
