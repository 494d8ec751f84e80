#include "algorithms/sets/engine/all_pairs.hpp"

#include <algorithm>

#include "algorithms/sets/engine/lookup.cuh"
#include "device/device.hpp"
#include "device/digest.cuh"

namespace warpbench::sets {
namespace {

struct ValueTuning {
  static constexpr int kThreads = 256;
  static constexpr std::int64_t kColumns = 4096;  ///< of a row, for a block
  static constexpr int kInFlight = 4;             ///< counts of a thread on their way
};

/// Counts to values: degrees of containment, or whether they are 1 (problems/set_containment/problem.hpp). Sizes have
/// 32 bits, as counts do.
__global__ void __launch_bounds__(ValueTuning::kThreads) value_kernel(DeviceSets sets, PairTile tile, bool degree) {
  const RowPiece piece = RowPieces<ValueTuning::kColumns>{tile}.of_block();
  if (piece.columns.empty()) return;
  const auto own = static_cast<std::uint32_t>(sets.size(piece.row));
  std::uint32_t* const values = &tile.count(piece.row, piece.columns.begin);
  std::uint32_t counts[ValueTuning::kInFlight];
  std::uint32_t others[ValueTuning::kInFlight];
  in_batches<ValueTuning::kInFlight>(
      static_cast<int>(piece.columns.size()), [&](int u, int i) { counts[u] = values[i]; },
      [&](int u, int i) { others[u] = static_cast<std::uint32_t>(sets.size(piece.columns.begin + i)); },
      [&](int u, int i) {
        const std::uint32_t smaller = own < others[u] ? own : others[u];
        if (degree) {
          const float quotient = smaller == 0 ? 1.0F : static_cast<float>(counts[u]) / static_cast<float>(smaller);
          values[i] = __float_as_uint(quotient);
        } else {
          values[i] = counts[u] == smaller ? 1 : 0;
        }
      });
}

/// Values of kBits bits into words, the first in the lowest bits. A thread a word. A value that does not fit, which
/// only a wrong solver makes, becomes the largest one: cut to its lowest bits it could be right by chance.
template <int kBits>
__global__ void __launch_bounds__(ValueTuning::kThreads)
    pack_kernel(View<const std::uint32_t> values, View<std::uint32_t> words) {
  constexpr int kInWord = 32 / kBits;
  constexpr std::uint32_t kLargest = (1U << kBits) - 1;
  for (const std::int64_t word : grid::strided(words.size())) {
    std::uint32_t packed = 0;
#pragma unroll
    for (int i = 0; i < kInWord; ++i) {
      const std::int64_t at = word * kInWord + i;
      if (at < values.size()) packed |= (values[at] < kLargest ? values[at] : kLargest) << (i * kBits);
    }
    words[word] = packed;
  }
}

/// The places of pairs whose count is the smaller set's size.
__global__ void __launch_bounds__(ValueTuning::kThreads) place_kernel(DeviceSets sets, PairTile tile, PlaceSink sink) {
  const RowPiece piece = RowPieces<ValueTuning::kColumns>{tile}.of_block();
  const std::int64_t own = sets.size(piece.row);
  for (const auto [column, inside] : block::rounds<ValueTuning::kThreads>(piece.columns)) {
    bool contained = false;
    if (inside) {
      const std::int64_t other = sets.size(column);
      contained = tile.count(piece.row, column) == (own < other ? own : other);
    }
    sink.add(contained, contained ? pairs::place_of(tile.sets, piece.row, column) : 0);
  }
}

/// The bits that the values of pairs take: counts are at most the largest set's size, degrees are in single precision.
int bits_of(PairValue value, const datasets::SetCollection& sets) {
  constexpr std::int64_t kMostIn8 = 255;
  constexpr std::int64_t kMostIn16 = 65'535;
  if (value == PairValue::contained) return 8;
  if (value != PairValue::count || sets.max_size() > kMostIn16) return 32;
  return sets.max_size() > kMostIn8 ? 16 : 8;
}

}  // namespace

void AllPairs::prepare(const datasets::SetCollection& sets, PairValue value, const pairs::Limits& limits,
                       Phases& phases) {
  value_ = value;
  set_count_ = sets.count();
  {
    const auto scope = phases.cpu("pin");
    sets_.prepare(sets, stream_);
  }
  const auto scope = phases.cpu("take_memory");
  technique_->prepare(sets, stream_);
  if (value_ == PairValue::place) places_.prepare(stream_);
  plan_tiles(limits, bits_of(value_, sets));
  stream_.synchronize();
}

void AllPairs::plan_tiles(const pairs::Limits& limits, int least_bits) {
  const std::uint64_t all = pairs::count(set_count_);
  const bool values = value_ != PairValue::place;
  kept_ = values && all <= limits.kept;
  value_bits_ = kept_ ? kWordBits : least_bits;
  const auto free_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(free_memory(), 1 << 16));
  // Two tiles with some room left, packed ones beside them. Of contained pairs one, which leaves most for their places.
  const int bits = kWordBits + (value_bits_ < kWordBits ? value_bits_ : 0);
  const std::uint64_t most = free_bytes / (values ? 2 : 4) / static_cast<std::uint64_t>(bits) * 7;
  const std::uint64_t max_places = std::min(all, most);
  const std::vector<pairs::Band> bands =
      kept_ || !values ? pairs::one_band(set_count_) : pairs::bands(set_count_, limits.in_band);
  std::vector<pairs::Band> tiles;
  tiles_.clear();
  for (std::size_t band = 0; band < bands.size(); ++band) {
    for (const pairs::Band& rows :
         pairs::bands_of_rows(set_count_, bands[band].first_row, bands[band].last_row, max_places)) {
      tiles_.push_back({rows, band});
      tiles.push_back(rows);
    }
  }
  const auto places = static_cast<std::int64_t>(pairs::max_places(tiles));
  for (std::size_t i = 0; i < 2; ++i) {
    const bool used = i < std::min(tiles_.size(), values ? 2UL : 1UL);
    tile_memory_[i] = Buffer<std::uint32_t>(used ? places : 0, stream_);
    packed_[i] = Buffer<std::uint32_t>(used && value_bits_ < kWordBits ? words_of(places) : 0, stream_);
  }
  host_values_ = PinnedBuffer<std::uint32_t>(kept_    ? static_cast<std::int64_t>(all)
                                             : values ? 2 * words_of(places)
                                                      : 0);
  const auto digests = static_cast<std::int64_t>(kept_ || !values ? 0 : bands.size());
  digests_ = Buffer<DigestWord>(digests, stream_);
  host_digests_ = PinnedBuffer<DigestWord>(digests);
}

void AllPairs::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  sets_.upload(stream_);
}

PairTile AllPairs::tile(std::size_t t) {
  const pairs::Band& rows = tiles_[t].rows;
  return {tile_memory(t).view().first(static_cast<std::int64_t>(rows.places)), rows.first_row, rows.last_row,
          set_count_};
}

void AllPairs::enqueue(std::size_t t, Phases& phases) {
  const PairTile tile = this->tile(t);
  {
    const auto scope = phases.gpu("count", stream_);
    tile_memory(t).fill(0, stream_);
    technique_->count_pairs(sets_.view(), tile, stream_, phases);
  }
  if (value_ == PairValue::degree || value_ == PairValue::contained) {
    const auto scope = phases.gpu("values", stream_);
    launch(value_kernel, Grid{RowPieces<ValueTuning::kColumns>{tile}.blocks(), ValueTuning::kThreads}, stream_,
           sets_.view(), tile, value_ == PairValue::degree);
  }
}

void AllPairs::collect_places(std::size_t t, Phases& phases) {
  const auto scope = phases.gpu("select", stream_);
  const PairTile tile = this->tile(t);
  places_.collect(stream_, [&](const PlaceSink& sink) {
    launch(place_kernel, Grid{RowPieces<ValueTuning::kColumns>{tile}.blocks(), ValueTuning::kThreads}, stream_,
           sets_.view(), tile, sink);
  });
}

void AllPairs::digest_on_device(std::size_t t, Phases& phases) {
  stream_.synchronize();
  const auto scope = phases.untimed("digest");
  if (t == 0) digests_.fill(0, stream_);
  const auto& [rows, band] = tiles_[t];
  const auto places = static_cast<std::int64_t>(rows.places);
  const View<const std::uint32_t> values = tile_memory(t).view().first(places);
  add_digests(places, DigestOfValues<std::uint32_t>{values, rows.first_place},
              digests_.view().subview(static_cast<std::int64_t>(band), 1), stream_);
  stream_.synchronize();
}

Buffer<std::uint32_t>& AllPairs::tile_memory(std::size_t t) {
  return tile_memory_[value_ == PairValue::place ? 0 : t % 2];
}

std::span<std::uint32_t> AllPairs::host_tile(std::size_t t) {
  const pairs::Band& rows = tiles_[t].rows;
  const std::size_t at = kept_ ? rows.first_place : t % 2 * (host_values_.span().size() / 2);
  return host_values_.span().subspan(at, static_cast<std::size_t>(words_of(static_cast<std::int64_t>(rows.places))));
}

void AllPairs::bring_down(std::size_t t, Phases& phases) {
  const bool packed = value_bits_ < kWordBits;
  if (packed) {
    const auto scope = phases.gpu("pack", stream_);
    const auto places = static_cast<std::int64_t>(tiles_[t].rows.places);
    const View<const std::uint32_t> values = tile_memory(t).view().first(places);
    const View<std::uint32_t> words = packed_[t % 2].view().first(words_of(places));
    launch(value_bits_ == 8 ? pack_kernel<8> : pack_kernel<16>, grid_for(words.size(), ValueTuning::kThreads), stream_,
           values, words);
  }
  Event ready;
  ready.record(stream_);
  copies_.wait(ready);
  {
    const auto scope = phases.gpu("copy", copies_);
    (packed ? packed_[t % 2] : tile_memory(t)).download(host_tile(t), copies_);
  }
  copied_[t % 2].record(copies_);
}

void AllPairs::digest_on_host(std::size_t t, Phases& phases) {
  stream_.synchronize();
  copies_.synchronize();
  const auto scope = phases.untimed("digest");
  const pairs::Band& rows = tiles_[t].rows;
  band_digests_[tiles_[t].band] +=
      value_bits_ < kWordBits ? pairs::digest_of_packed_band(host_tile(t), value_bits_, rows.places, rows.first_place)
                              : pairs::digest_of_band(host_tile(t), rows.first_place);
}

void AllPairs::solve(Phases& phases, Tiles tiles) {
  {
    const auto scope = phases.gpu("build", stream_);
    technique_->build(sets_.view(), stream_, phases);
  }
  const bool place = value_ == PairValue::place;
  if (place) places_.clear(stream_);
  brought_down_ = !kept_ && !place && tiles == Tiles::go_down;
  band_digests_.assign(static_cast<std::size_t>(digests_.size()), 0);
  const bool one_tile = kept_ && tiles_.size() <= 1;
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    if (t >= 2 && !place) stream_.wait(copied_[t % 2]);
    enqueue(t, phases);
    if (place) {
      collect_places(t, phases);
      continue;
    }
    // Of what is kept, one tile stays until download(); else one tile goes down while the next is computed.
    if (one_tile) continue;
    if (!kept_ && !brought_down_) {
      digest_on_device(t, phases);
      continue;
    }
    if (brought_down_ && t > 0) digest_on_host(t - 1, phases);
    bring_down(t, phases);
  }
  if (place) {
    const auto scope = phases.gpu("select", stream_);
    places_.sort(set_count_, stream_);
  }
  stream_.synchronize();
  copies_.synchronize();
  if (brought_down_ && !tiles_.empty()) digest_on_host(tiles_.size() - 1, phases);
}

pairs::Answer AllPairs::download(Phases& phases) {
  if (brought_down_) return {{}, band_digests_};
  {
    const auto scope = phases.gpu("download", stream_);
    if (value_ == PairValue::place) places_.download(stream_);
    if (kept_ && tiles_.size() == 1) tile_memory_[0].download(host_values_.span(), stream_);
    digests_.download(host_digests_.span(), stream_);
  }
  stream_.synchronize();
  if (kept_) return {host_values_.span(), {}};
  if (value_ == PairValue::place) return {};
  band_digests_.assign(host_digests_.span().begin(), host_digests_.span().end());
  return {{}, band_digests_};
}

pairs::Answer AllPairs::solve_with_transfers(Phases& phases) {
  upload(phases);
  solve(phases, Tiles::go_down);
  return download(phases);
}

std::map<std::string, double> AllPairs::counters() const {
  std::map<std::string, double> counters = technique_->counters();
  counters["upload_bytes"] = static_cast<double>(sets_.bytes());
  counters["tables"] = static_cast<double>(tiles_.size());
  counters["value_bits"] = value_bits_;
  return counters;
}

}  // namespace warpbench::sets
