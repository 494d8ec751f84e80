// Bands: how the matches of two blocks are cut into tiles of equal work. A match is a token that is in the prefixes of
// two sets, so the matches of a token are all pairs of its two lists: the smaller block's are rows, the larger block's
// are columns. A band is some rows of a token with those columns that the sizes of their sets allow, and that come
// later in the collection. Tiles cut the columns of a band.
#pragma once

#include <cstdint>

#include "algorithms/set_similarity_join/engine/inverted_lists.hpp"
#include "device/buffer.hpp"
#include "solvers/set_similarity_join/bounds.hpp"

namespace warpbench::similarity {

struct Band {
  std::int64_t first_row;     ///< a place among the postings of the smaller block
  std::int64_t first_column;  ///< and of the larger one
  std::uint32_t rows;
  std::uint32_t columns;
};

struct TileTuning {
  static constexpr std::uint32_t kRows = 64;      ///< of a band
  static constexpr std::uint32_t kColumns = 128;  ///< of a tile
};

struct BandsView {
  View<const Band> bands;
  View<const std::int64_t> tile_ends;  ///< of each band: the tiles of those before it and its own

  [[nodiscard]] WARPBENCH_HOST_DEVICE std::int64_t tiles() const { return tile_ends[tile_ends.size() - 1]; }
};

class Bands {
 public:
  /// For rows of up to `most_rows` postings. Throws OutOfDeviceMemory.
  void prepare(std::int64_t most_rows, std::int64_t distinct_tokens, Stream& stream);
  /// Enqueues the bands of two blocks, by their lists.
  void plan(const SetsView& sets, const Bounds& bounds, const ListsView& rows, const ListsView& columns,
            Stream& stream);

  /// Of the last plan(): room for more bands than there are; the last ones are empty.
  [[nodiscard]] BandsView view() const { return {bands_.view().first(count_), tile_ends_.view().first(count_)}; }
  [[nodiscard]] std::int64_t bytes() const { return bands_.bytes() + tile_ends_.bytes(); }

 private:
  [[nodiscard]] static std::int64_t most_bands(std::int64_t rows, std::int64_t distinct_tokens);

  std::int64_t count_ = 0;
  Buffer<std::int64_t> list_bands_;   ///< of each token's list
  Buffer<std::int64_t> band_starts_;  ///< the bands of the tokens before each, and last of all
  Buffer<Band> bands_;
  Buffer<std::int64_t> tiles_;
  Buffer<std::int64_t> tile_ends_;
};

}  // namespace warpbench::similarity
