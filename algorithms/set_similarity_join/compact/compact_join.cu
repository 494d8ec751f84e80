#include "algorithms/set_similarity_join/compact/compact_join.cuh"

#include <utility>

#include "algorithms/set_similarity_join/engine/device_pair_sink.cuh"
#include "algorithms/set_similarity_join/engine/warp_overlap.cuh"
#include "device/search.cuh"

namespace warpbench::similarity {
namespace {

constexpr int kSignatureThreads = 256;

__global__ void __launch_bounds__(kSignatureThreads)
    sign_sets(SetsView sets, View<Signature> signatures, View<WideSignature> wide_signatures) {
  __shared__ std::uint32_t words[kSignatureThreads / kWarpSize][signature::kWideWords];
  for (const std::int64_t i : grid::per_warp<kSignatureThreads>(sets.count())) {
    signature::make(sets.set(i), words[block::warp_rank<kSignatureThreads>()], signatures[i], wide_signatures[i]);
  }
}

/// For sets with fewer tokens together 128 bits suffice: 63 random tokens differ in some 40 of them.
constexpr std::int64_t kFewTokens = 64;

/// The rows of a warp's tile, in shared memory.
struct TileRows {
  Signature signatures[TileTuning::kRows];
  int max_distances[TileTuning::kRows];  ///< of similar sets among the tile's columns, or below 0
  Posting postings[TileTuning::kRows];
};

struct JoinView {
  SetsView sets;
  Bounds bounds;
  View<const Signature> signatures;
  View<const WideSignature> wide_signatures;
  View<const Posting> rows;
  View<const Posting> columns;
};

/// The columns of a tile among all of them.
__device__ __forceinline__ Extent<std::int64_t> columns_of(const BandsView& bands, std::int64_t band,
                                                           std::int64_t tile) {
  const std::int64_t first_tile = band == 0 ? 0 : bands.tile_ends[band - 1];
  const Band& own = bands.bands[band];
  const std::int64_t begin = own.first_column + (tile - first_tile) * TileTuning::kColumns;
  const std::int64_t end = own.first_column + own.columns;
  return {begin, begin + TileTuning::kColumns < end ? begin + TileTuning::kColumns : end};
}

/// What two similar sets can differ in at most: tokens of either that are not in the other.
__device__ __forceinline__ int max_distance(const Bounds& bounds, std::uint32_t size, std::uint32_t min_partner,
                                            std::uint32_t max_partner) {
  const std::int64_t distance =
      std::int64_t{size} + max_partner - 2 * std::int64_t{bounds.min_overlap(size, min_partner)};
  return static_cast<int>(distance < -1 ? -1 : distance > 128 ? 128 : distance);
}

__device__ __forceinline__ void load_rows(const JoinView& join, const Band& band, Extent<std::int64_t> columns,
                                          TileRows& rows) {
  const std::uint32_t min_partner = join.sets.size(join.columns[columns.begin].set);
  const std::uint32_t max_partner = join.sets.size(join.columns[columns.end - 1].set);
  __syncwarp();  // the tile before is done
  for (const std::uint32_t r : warp::strided(band.rows)) {
    const Posting posting = join.rows[band.first_row + r];
    rows.postings[r] = posting;
    rows.signatures[r] = join.signatures[posting.set];
    rows.max_distances[r] = max_distance(join.bounds, join.sets.size(posting.set), min_partner, max_partner);
  }
  __syncwarp();
}

/// Whether a match passes the filters: order, sides, lengths, signatures and positions. The last supposes that the
/// match is the first of its pair, as no other counts.
__device__ __forceinline__ bool is_candidate(const JoinView& join, const Posting& row, const Posting& column,
                                             int distance) {
  if (row.set >= column.set || !join.sets.joins(row.set, column.set)) return false;
  const std::uint32_t smaller = join.sets.size(row.set);
  const std::uint32_t larger = join.sets.size(column.set);
  const std::uint32_t required = join.bounds.min_overlap(smaller, larger);
  const std::uint32_t left_of_smaller = smaller - row.position;
  const std::uint32_t left_of_larger = larger - column.position;
  const std::int64_t tokens = std::int64_t{smaller} + larger;
  const std::int64_t max_distance = tokens - 2 * std::int64_t{required};
  if ((left_of_smaller < left_of_larger ? left_of_smaller : left_of_larger) < required || distance > max_distance) {
    return false;
  }
  if (tokens < kFewTokens) return true;
  return signature::wide_distance(join.wide_signatures[row.set], join.wide_signatures[column.set]) <= max_distance;
}

/// By a warp: verifies a candidate from its match on, unless the pair has an earlier one.
__device__ __forceinline__ void verify_match(const JoinView& join, const PairSinkView& sink, const Posting& row,
                                             const Posting& column, PairTally& tally) {
  const View<const datasets::Token> smaller = join.sets.set(row.set);
  const View<const datasets::Token> larger = join.sets.set(column.set);
  if (warp_overlap(smaller.first(row.position), larger.first(column.position), 1, false) > 0) return;
  const std::uint32_t required =
      join.bounds.min_overlap(static_cast<std::uint32_t>(smaller.size()), static_cast<std::uint32_t>(larger.size()));
  const auto behind = [](View<const datasets::Token> set, std::uint32_t position) {
    const std::int64_t from = std::int64_t{position} + 1;
    return set.subview(from, set.size() - from);
  };
  const std::uint32_t overlap = 1 + warp_overlap(behind(smaller, row.position), behind(larger, column.position),
                                                 required - 1, sink.wants_overlap());
  if (overlap >= required && warp::lane() == 0) tally.take(sink, join.sets, row.set, column.set, overlap);
}

/// Rows [first, first + count) whose signatures are near enough to a column's: a bit each. No branch, so that loads and
/// population counts of several rows are under way.
__device__ __forceinline__ unsigned near_rows(const TileRows& rows, std::uint32_t first, std::uint32_t count,
                                              const Signature& column) {
  unsigned near = 0;
#pragma unroll 4
  for (std::uint32_t r = 0; r < count; ++r) {
    const int distance = signature::distance(column, rows.signatures[first + r]);
    near |= (distance <= rows.max_distances[first + r] ? 1U : 0U) << r;
  }
  return near;
}

/// By a warp, a column a lane: verifies what passes the filters; lanes have their near rows from `first` on. Returns
/// the number of candidates.
__device__ __forceinline__ int verify_near(const JoinView& join, const PairSinkView& sink, const TileRows& rows,
                                           std::uint32_t first, unsigned near, const Posting& column,
                                           const Signature& column_signature, PairTally& tally) {
  int count = 0;
  for (unsigned left = warp::reduce(near, warp::Or{}); left != 0; left &= left - 1) {
    const int r = __ffs(static_cast<int>(left)) - 1;
    const std::uint32_t place = first + static_cast<std::uint32_t>(r);
    const Posting row = rows.postings[place];
    const int distance = signature::distance(column_signature, rows.signatures[place]);
    const bool passes = (near >> r & 1U) != 0 && is_candidate(join, row, column, distance);
    unsigned candidates = __ballot_sync(kFullMask, passes ? 1 : 0);
    count += __popc(candidates);
    for (; candidates != 0; candidates &= candidates - 1) {
      const int lane = __ffs(static_cast<int>(candidates)) - 1;
      const Posting candidate{__shfl_sync(kFullMask, column.set, lane), __shfl_sync(kFullMask, column.position, lane)};
      verify_match(join, sink, row, candidate, tally);
    }
  }
  return count;
}

/// A warp a tile at a time.
__global__ void __launch_bounds__(LaunchShape::kMaxThreads)
    join_tiles(JoinView join, BandsView bands, PairSinkView sink, View<Total> counters) {
  TileRows& rows = dynamic_shared<TileRows>()[block::warp_rank()];
  PairTally tally;
  Total matches = 0;
  Total candidates = 0;
  for (const std::int64_t tile : grid::per_warp(bands.tiles())) {
    const std::int64_t place = warp::lower_bound(bands.tile_ends.data(), bands.tile_ends.size(), tile + 1);
    const Band band = bands.bands[place];
    const Extent<std::int64_t> columns = columns_of(bands, place, tile);
    load_rows(join, band, columns, rows);
    if (warp::lane() == 0) matches += static_cast<Total>(columns.size()) * band.rows;
    for (const auto [c, inside] : warp::rounds(columns)) {
      const Posting column = inside ? join.columns[c] : Posting{};
      const Signature signature = inside ? join.signatures[column.set] : Signature{};
      for (std::uint32_t first = 0; first < band.rows; first += kWarpSize) {
        const std::uint32_t count = band.rows - first < kWarpSize ? band.rows - first : kWarpSize;
        const unsigned near = inside ? near_rows(rows, first, count, signature) : 0;
        const int found = verify_near(join, sink, rows, first, near, column, signature, tally);
        if (warp::lane() == 0) candidates += static_cast<Total>(found);
      }
    }
  }
  tally.finish(sink);
  if (sink.is_second_try) return;
  block::accumulate(counters[0], matches);
  block::accumulate(counters[1], candidates);
}

}  // namespace

void CompactJoin::prepare(const OrderedSets& sets, const Bounds& bounds, std::int64_t block_size, Stream& stream) {
  bounds_ = bounds;
  row_starts_.prepare(sets, bounds, stream);
  column_starts_.prepare(sets, bounds, stream);
  const std::int64_t most_rows = row_starts_.most_tokens(block_size);
  rows_.prepare(most_rows, sets.distinct_tokens, stream);
  columns_.prepare(column_starts_.most_tokens(block_size), sets.distinct_tokens, stream);
  bands_.prepare(most_rows, sets.distinct_tokens, stream);
  signatures_ = Buffer<Signature>(sets.count(), stream);
  wide_signatures_ = Buffer<WideSignature>(sets.count(), stream);
  counters_.prepare(stream);
}

void CompactJoin::begin(const SetsView& sets, Stream& stream, Phases& phases) {
  const auto scope = phases.gpu("index", stream);
  row_starts_.compute(sets, stream);
  column_starts_.compute(sets, stream);
  launch(sign_sets, warp_grid_for(sets.count(), kSignatureThreads), stream, sets, signatures_.view(),
         wide_signatures_.view());
  in_columns_.reset();
  counters_.reset(stream);
}

void CompactJoin::join(const BlockPair& pair, const SetsView& sets, const PairSinkView& sink, Stream& stream,
                       Phases& phases) {
  {
    const auto scope = phases.gpu("index", stream);
    if (in_columns_ != pair.larger) columns_.build(sets, pair.larger, column_starts_, stream);
    in_columns_ = pair.larger;
    rows_.build(sets, pair.smaller, row_starts_, stream);
    bands_.plan(sets, bounds_, rows_.view(), columns_.view(), stream);
  }
  const auto scope = phases.gpu("filter", stream);
  const JoinView join{
      sets, bounds_, signatures_.view(), wide_signatures_.view(), rows_.view().postings, columns_.view().postings};
  const BandsView bands = bands_.view();
  const std::int64_t warps = shape_.threads / kWarpSize;
  const std::size_t shared_bytes = static_cast<std::size_t>(warps) * sizeof(TileRows);
  const std::int64_t most_tiles =
      bands.bands.size() * ceil_div(join.columns.size(), std::int64_t{TileTuning::kColumns});
  launch(join_tiles, shape_.row_grid(join_tiles, ceil_div(most_tiles, warps), shared_bytes), stream, join, bands, sink,
         counters_.view());
  counters_.download(stream);
}

std::map<std::string, double> CompactJoin::counters() const {
  std::map<std::string, double> counters = counters_.values();
  counters["index_bytes"] = static_cast<double>(rows_.bytes() + columns_.bytes() + bands_.bytes());
  counters["signature_bytes"] = static_cast<double>(signatures_.bytes() + wide_signatures_.bytes());
  return counters;
}

}  // namespace warpbench::similarity
