#include "algorithms/theta_join/sort_scan/select.hpp"

#include <algorithm>
#include <vector>

#include "algorithms/theta_join/select/select_solver.hpp"
#include "algorithms/theta_join/sort_scan/places.cuh"
#include "algorithms/theta_join/sort_scan/rank_sort.cuh"
#include "algorithms/theta_join/sort_scan/sorted_rows.cuh"
#include "device/buffer.hpp"
#include "device/error.hpp"
#include "device/primitives.hpp"
#include "device/resident.hpp"

namespace warpbench::theta {
namespace {

const datasets::Array<std::int32_t>& column_of(const datasets::Relation& relation, Column column) {
  return column == Column::a ? relation.a : relation.x;
}

/// O((|R| + |S|) log |S| + rows), of two conditions, too.
class SortedMaker final : public RowMaker {
 public:
  void configure(const Parameters& /*parameters*/) override {}

  void prepare(const ThetaJoin::Input& input) override {
    predicate_ = input.predicate;
    room_ = 0;
    const auto& [r, s] = *input.relations;
    const datasets::Array<std::int32_t> none;
    r_keys_.pin(column_of(r, predicate_.first.r));
    r_second_.pin(predicate_.is_conjunction ? column_of(r, predicate_.second.r) : none);
    r_a_.pin(r.a);
    s_keys_.pin(column_of(s, predicate_.first.s));
    s_second_.pin(predicate_.is_conjunction ? column_of(s, predicate_.second.s) : none);
    std::vector<FieldsOfS> fields(s.a.size());
    for (std::size_t i = 0; i < fields.size(); ++i) fields[i] = {s.a[i], s.x[i]};
    s_.pin(fields);
  }

  /// Also takes the memory that a solve needs beside the rows.
  void upload(Stream& stream) override {
    r_keys_.upload(stream);
    r_second_.upload(stream);
    r_a_.upload(stream);
    s_keys_.upload(stream);
    s_second_.upload(stream);
    s_.upload(stream);
    const std::int64_t has_room_for = predicate_.is_conjunction ? ranked_.size() : sorted_.size();
    if (places_.size() == r_a_.size() + 1 && has_room_for == s_.size()) return;
    if (predicate_.is_conjunction) {
      ranked_ = RankRows(s_.size(), stream);
    } else {
      sorted_keys_ = Buffer<std::int32_t>(s_.size(), stream);
      sorted_ = Buffer<FieldsOfS>(s_.size(), stream);
      starts_ = Buffer<std::int32_t>(r_a_.size(), stream);
    }
    places_ = Buffer<std::int64_t>(r_a_.size() + 1, stream);
    totals_ = Buffer<std::int64_t>(PlacesTuning::blocks(places_.size()), stream);
    total_ = PinnedBuffer<std::int64_t>(1);
  }

  [[nodiscard]] std::int64_t count_rows(Stream& stream) override {
    Phases phases;
    place_rows(stream, phases);
    return total_rows(stream);
  }

  /// Waits for the number of rows only if no earlier solve took memory for all of them. With that memory, enqueue()
  /// reads the number on the device.
  RowPlan begin(std::int64_t budget, Stream& stream, Phases& phases) override {
    place_rows(stream, phases);
    if (room_ > 0) return {1, 0, room_};
    const std::int64_t total = total_rows(stream);
    const auto row_bytes = static_cast<std::int64_t>(kRowBytes);
    if (total <= budget / row_bytes) {
      part_rows_ = std::max<std::int64_t>(total, 1);
    } else {
      // Two parts at a time, of whole tiles.
      part_rows_ = budget / (2 * SortedTuning::kTileBytes) * SortedTuning::kTileRows;
      if (part_rows_ == 0) throw OutOfDeviceMemory(2 * SortedTuning::kTileBytes, budget);
    }
    parts_ = ceil_div(total, part_rows_);
    if (parts_ == 1) room_ = total;
    return {parts_, 0, std::min(total, part_rows_)};
  }

  void enqueue(std::int64_t part, View<Row> rows, View<DigestWord> count, Stream& stream, Phases& phases) override {
    const auto scope = phases.gpu("kernel", stream);
    const PartOfRows wanted{part * part_rows_, part_rows_, part + 1 == parts_};
    const View<const std::int64_t> places = places_.view();
    if (predicate_.is_conjunction) {
      const Grid grid = warp_grid_for(r_a_.size(), SortedTuning::kThreads, SortedTuning::kMaxBlocks);
      launch(copy_runs_kernel, grid, stream, ranked_join(), places, wanted, rows, count);
      return;
    }
    const std::int64_t most = std::min(part_rows_, rows.size());
    const Grid grid{ceil_div(most, SortedTuning::kWarps * SortedTuning::kWarpRows), SortedTuning::kThreads,
                    static_cast<std::size_t>(SortedTuning::kWarps * SortedTuning::kTileBytes)};
    launch(rows_kernel, grid, stream, join(), places, wanted, rows, count);
  }

 private:
  [[nodiscard]] SortedJoin join() const { return {r_a_.view(), sorted_.view(), starts_.view()}; }
  [[nodiscard]] RankedJoin ranked_join() const {
    return {predicate_, r_a_.view(), r_keys_.view(), r_second_.view(), ranked_.view()};
  }

  void sort_tuples(Stream& stream) {
    if (s_.size() > RankSortTuning::kMostTuples) {
      sort_pairs(s_keys_.view(), sorted_keys_.view(), s_.view(), sorted_.view(), stream);
      return;
    }
    launch(rank_sort_kernel, warp_grid_for(s_.size(), RankSortTuning::kThreads), stream, s_keys_.view(), s_.view(),
           sorted_keys_.view(), sorted_.view());
  }

  /// Sorts S and finds where the rows of each tuple of R begin.
  void place_rows(Stream& stream, Phases& phases) {
    {
      const auto scope = phases.gpu("sort", stream);
      if (predicate_.is_conjunction) {
        ranked_.build(s_keys_.view(), s_second_.view(), s_.view(), stream);
      } else {
        sort_tuples(stream);
      }
    }
    const Grid grid = grid_for(places_.size(), PlacesTuning::kThreads);
    {
      const auto scope = phases.gpu("search", stream);
      if (predicate_.is_conjunction) {
        launch(place_in_block_kernel<RunsOfTuple>, grid, stream, RunsOfTuple{ranked_join()}, places_.view(),
               totals_.view());
      } else {
        const RangeOfTuple range{predicate_.first.comparison, r_keys_.view(), sorted_keys_.view(), starts_.view()};
        launch(place_in_block_kernel<RangeOfTuple>, grid, stream, range, places_.view(), totals_.view());
      }
    }
    const auto scope = phases.gpu("scan", stream);
    launch(scan_totals_kernel, Grid{1, PlacesTuning::kThreadsOfTotals}, stream, totals_.view());
    launch(add_totals_kernel, grid, stream, totals_.view(), places_.view());
  }

  /// Waits for place_rows().
  std::int64_t total_rows(Stream& stream) {
    places_.download(total_.span(), stream, r_a_.size());
    stream.synchronize();
    return total_[0];
  }

  Predicate predicate_;
  Resident<std::int32_t> r_keys_;
  Resident<std::int32_t> r_second_;
  Resident<std::int32_t> r_a_;
  Resident<std::int32_t> s_keys_;
  Resident<std::int32_t> s_second_;
  Resident<FieldsOfS> s_;
  RankRows ranked_;  ///< of two conditions
  Buffer<std::int32_t> sorted_keys_;
  Buffer<FieldsOfS> sorted_;
  Buffer<std::int32_t> starts_;
  Buffer<std::int64_t> places_;
  Buffer<std::int64_t> totals_;  ///< of the blocks that count
  PinnedBuffer<std::int64_t> total_;
  std::int64_t part_rows_ = 1;
  std::int64_t parts_ = 0;
  std::int64_t room_ = 0;  ///< rows of the only part of an earlier solve; 0 before it
};

}  // namespace

std::unique_ptr<Solver<ThetaJoin>> make_sorted_select(const Parameters& /*parameters*/) {
  return std::make_unique<SelectSolver>(std::make_unique<SortedMaker>());
}

}  // namespace warpbench::theta
