#include "algorithms/sets/engine/all_pairs.hpp"

#include <algorithm>

#include "device/device.hpp"
#include "device/digest.cuh"

namespace warpbench::sets {
namespace {

struct ValueTuning {
  static constexpr int kThreads = 256;
  static constexpr std::int64_t kColumns = 4096;  ///< of a row, for a block
};

/// Counts to values: degrees of containment, or whether they are 1 (problems/set_containment/problem.hpp).
__global__ void __launch_bounds__(ValueTuning::kThreads) value_kernel(DeviceSets sets, PairTile tile, bool degree) {
  const RowPiece piece = RowPieces<ValueTuning::kColumns>{tile}.of_block();
  const std::int64_t own = sets.size(piece.row);
  for (const std::int64_t column : block::strided<ValueTuning::kThreads>(piece.columns)) {
    const std::int64_t other = sets.size(column);
    const std::int64_t smaller = own < other ? own : other;
    std::uint32_t& value = tile.count(piece.row, column);
    if (degree) {
      const float quotient = smaller == 0 ? 1.0F : static_cast<float>(value) / static_cast<float>(smaller);
      value = __float_as_uint(quotient);
    } else {
      value = value == smaller ? 1 : 0;
    }
  }
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
  plan_tiles(limits);
  stream_.synchronize();
}

void AllPairs::plan_tiles(const pairs::Limits& limits) {
  const std::uint64_t all = pairs::count(set_count_);
  kept_ = all <= limits.kept;
  const auto free_bytes = static_cast<std::uint64_t>(std::max<std::int64_t>(free_memory(), 1 << 16));
  const std::uint64_t half = free_bytes / 2 / sizeof(std::uint32_t) / 8 * 7;  // for two tiles, with some room left
  const std::uint64_t max_places = kept_ && all <= half ? all : half;
  const std::vector<pairs::Band> bands = kept_ ? pairs::one_band(set_count_) : pairs::bands(set_count_, limits.in_band);
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
    tile_memory_[i] = Buffer<std::uint32_t>(i < tiles_.size() ? places : 0, stream_);
  }
  host_values_ = PinnedBuffer<std::uint32_t>(kept_ ? static_cast<std::int64_t>(all) : 2 * places);
  const auto digests = static_cast<std::int64_t>(kept_ ? 0 : bands.size());
  digests_ = Buffer<DigestWord>(digests, stream_);
  host_digests_ = PinnedBuffer<DigestWord>(digests);
}

void AllPairs::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  sets_.upload(stream_);
}

void AllPairs::enqueue(std::size_t t, Phases& phases) {
  const pairs::Band& rows = tiles_[t].rows;
  Buffer<std::uint32_t>& memory = tile_memory_[t % 2];
  const PairTile tile{memory.view().first(static_cast<std::int64_t>(rows.places)), rows.first_row, rows.last_row,
                      set_count_};
  {
    const auto scope = phases.gpu("count", stream_);
    memory.fill(0, stream_);
    technique_->count_pairs(sets_.view(), tile, stream_, phases);
  }
  if (value_ != PairValue::count) {
    const auto scope = phases.gpu("values", stream_);
    launch(value_kernel, Grid{RowPieces<ValueTuning::kColumns>{tile}.blocks(), ValueTuning::kThreads}, stream_,
           sets_.view(), tile, value_ == PairValue::degree);
  }
}

void AllPairs::digest_on_device(std::size_t t, Phases& phases) {
  stream_.synchronize();
  const auto scope = phases.untimed("digest");
  if (t == 0) digests_.fill(0, stream_);
  const auto& [rows, band] = tiles_[t];
  const auto places = static_cast<std::int64_t>(rows.places);
  const View<const std::uint32_t> values = tile_memory_[t % 2].view().first(places);
  add_digests(places, DigestOfValues<std::uint32_t>{values, rows.first_place},
              digests_.view().subview(static_cast<std::int64_t>(band), 1), stream_);
  stream_.synchronize();
}

std::span<std::uint32_t> AllPairs::host_tile(std::size_t t) {
  const pairs::Band& rows = tiles_[t].rows;
  const std::size_t at = kept_ ? rows.first_place : t % 2 * (host_values_.span().size() / 2);
  return host_values_.span().subspan(at, rows.places);
}

void AllPairs::bring_down(std::size_t t, Phases& phases) {
  Event ready;
  ready.record(stream_);
  copies_.wait(ready);
  {
    const auto scope = phases.gpu("copy", copies_);
    tile_memory_[t % 2].download(host_tile(t), copies_);
  }
  copied_[t % 2].record(copies_);
}

void AllPairs::digest_on_host(std::size_t t, Phases& phases) {
  stream_.synchronize();
  copies_.synchronize();
  const auto scope = phases.untimed("digest");
  band_digests_[tiles_[t].band] += pairs::digest_of_band(host_tile(t), tiles_[t].rows.first_place);
}

void AllPairs::solve(Phases& phases, Tiles tiles) {
  {
    const auto scope = phases.gpu("build", stream_);
    technique_->build(sets_.view(), stream_, phases);
  }
  brought_down_ = !kept_ && tiles == Tiles::go_down;
  band_digests_.assign(static_cast<std::size_t>(digests_.size()), 0);
  const bool one_tile = kept_ && tiles_.size() <= 1;
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    if (t >= 2) stream_.wait(copied_[t % 2]);
    enqueue(t, phases);
    // Of what is kept, one tile stays until download(); else one tile goes down while the next is computed.
    if (one_tile) continue;
    if (!kept_ && !brought_down_) {
      digest_on_device(t, phases);
      continue;
    }
    if (brought_down_ && t > 0) digest_on_host(t - 1, phases);
    bring_down(t, phases);
  }
  stream_.synchronize();
  copies_.synchronize();
  if (brought_down_ && !tiles_.empty()) digest_on_host(tiles_.size() - 1, phases);
}

pairs::Answer AllPairs::download(Phases& phases) {
  if (brought_down_) return {{}, band_digests_};
  {
    const auto scope = phases.gpu("download", stream_);
    if (kept_ && tiles_.size() == 1) tile_memory_[0].download(host_values_.span(), stream_);
    digests_.download(host_digests_.span(), stream_);
  }
  stream_.synchronize();
  if (kept_) return {host_values_.span(), {}};
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
  return counters;
}

}  // namespace warpbench::sets
