#include "algorithms/subgraph_matching/fsig/enumeration/enumeration.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "algorithms/subgraph_matching/fsig/enumeration/chunks.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration/match_sink.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration/small_levels.hpp"
#include "device/backend/work_limit.hpp"
#include "device/primitives.hpp"
#include "solvers/subgraph_matching/slices.hpp"

namespace warpbench::matching::fsig {
namespace {

using Output = SubgraphMatching::Output;
using QueryAnswer = SubgraphMatching::QueryAnswer;

/// Rows and elements of a chunk stay below it, so that a result's row has 32 bits.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 31;
/// Launches that give a thread each list element, by tiles; each row one look-up; each row one for every leaf.
constexpr SliceSizes kTileSlices{(std::int64_t{1} << 22) / kTile, (std::int64_t{1} << 27) / kTile};
constexpr SliceSizes kRowSlices{std::int64_t{1} << 24, std::int64_t{1} << 27};
constexpr SliceSizes kLeafSlices{std::int64_t{1} << 20, std::int64_t{1} << 26};

/// The enumeration of one query.
class Enumeration {
 public:
  Enumeration(const EnumerationInput& input, const EnumerationOptions& options, EnumerationMemory& memory,
              View<SmallLevelsReport> report, const Deadline& deadline, QueryAnswer& answer, Stream& stream)
      : input_(input),
        options_(options),
        memory_(memory),
        report_(report),
        totals_(report[0].totals, 3),
        deadline_(deadline),
        answer_(answer),
        stream_(stream),
        sink_(input, totals_, deadline, answer, stream) {
    choose_finish();
  }

  EnumerationCounters run() {
    try {
      if (begins_small()) {
        begin_small();
      } else {
        runtime::fill_bytes(report_.data(), 0, report_.bytes(), *stream_.handle());
        push_first();
      }
      while (!waiting_.empty() && !sink_.is_full()) {
        FrontierChunk chunk = pop();
        extend_to_the_end(chunk);
      }
      answer_.solved = true;
    } catch (const GaveUp&) {
      answer_.solved = false;
      stream_.synchronize();  // before the next query takes the memory
      return counters_;
    }
    if (!is_counted_) sink_.take_totals(memory_.read(report_, stream_));
    return counters_;
  }

 private:
  void choose_finish() {
    const auto levels = static_cast<int>(input_.levels.size());
    const auto leaves = static_cast<int>(input_.order.independent_leaves);
    last_width_ = levels;
    if (input_.output != Output::count || levels == 1) return;
    finish_ = leaves > 0 ? Finish::leaves : Finish::join;
    last_width_ = levels - (leaves > 0 && options_.multiply_leaves ? leaves : 1);
  }

  // ---- small levels ----

  [[nodiscard]] bool begins_small() const {
    const auto levels = static_cast<std::int64_t>(input_.levels.size());
    const std::int64_t first = std::max(input_.first_candidates.size(), input_.second_elements);
    return options_.small_levels && levels > 1 && levels <= kMaxSmallWidth && first <= memory_.max_small_elements();
  }

  /// Goes through the levels up to the first large one, and on from there as usual.
  void begin_small() {
    extend_small_levels(
        memory_.small_levels(input_.device_levels, input_.auxiliary, input_.first_candidates, last_width_, finish_),
        report_, stream_);
    const SmallLevelsReport report = memory_.read(report_, stream_);
    FrontierChunk chunk{0, {input_.first_candidates, report.rows[0], 1}};
    while (chunk.table.width < report.width) {
      const int width = chunk.table.width + 1;
      const FrontierChunk next{1 - chunk.buffer, next_buffer(chunk).table(report.rows[width - 1], width)};
      note_use(chunk.table, next.table, 0);
      chunk = next;
    }
    is_counted_ = report.counted != 0;
    if (is_counted_) {
      ++counters_.leaf_nodes;
      sink_.take_totals(report);
    } else if (report.width == 1) {
      push_first();
    } else {
      ++counters_.leaf_nodes;
      extend_to_the_end(chunk);
    }
  }

  /// M_1 waits where the filter left it.
  void push_first() {
    const View<const Vertex> rows = input_.first_candidates;
    const std::int64_t max_rows = std::min(memory_.buffer(0).max_rows(1), kMaxElements);
    const std::int64_t chunks = ceil_div(rows.size(), max_rows);
    if (chunks > 1) require_pipeline(FrontierBuffer::bytes(rows.size(), 1), FrontierBuffer::bytes(max_rows, 1));
    for (std::int64_t i = chunks; i-- > 0;) {
      const std::int64_t count = std::min(max_rows, rows.size() - i * max_rows);
      waiting_.push_back({i * max_rows, count, 1, 0, kUnread, std::nullopt});
    }
  }

  FrontierChunk pop() {
    const WaitingChunk next = waiting_.back();
    waiting_.pop_back();
    const FrontierBuffer& buffer = memory_.buffer(0);
    const View<Vertex> rows = buffer.vertices(next.rows, next.width);
    if (next.last == kUnread) {
      runtime::copy(rows.data(), input_.first_candidates.data() + next.place, rows.bytes(),
                    runtime::Copy::kDeviceToDevice, *stream_.handle());
    } else {
      memory_.parked().copy(next.place, rows, deadline_, stream_);
    }
    if (next.release) memory_.parked().release(*next.release);
    ++counters_.leaf_nodes;
    return {0, buffer.table(next.rows, next.width), next.last, next.first};
  }

  void extend_to_the_end(FrontierChunk& chunk) {
    while (advance(chunk)) {
    }
  }

  /// One round of Algorithm 8. False where nothing is left to extend.
  bool advance(FrontierChunk& chunk) {
    if (deadline_.passed()) throw GaveUp();
    if (chunk.table.width == last_width_) {
      finish(chunk);
      return false;
    }
    scan_bounds_of(chunk);
    const bool is_new = chunk.last == kUnread;
    if (is_new) chunk.last = count_elements(chunk);
    if (chunk.elements() == 0) return false;
    if (chunk.elements() > max_elements_of(chunk, 0)) {
      const std::int64_t max_elements = max_elements_of(chunk, chunk.table.vertices.size());
      if (is_new && options_.spread && input_.output == Output::first) spread(chunk);
      split(chunk, max_elements);
    }
    const std::int64_t rows = join_what_fits(chunk);
    const FrontierChunk next{1 - chunk.buffer, next_buffer(chunk).table(rows, chunk.table.width + 1)};
    if (rows > 0) write(chunk, next_buffer(chunk).vertices(rows, chunk.table.width + 1));
    note_use(chunk.table, next.table, result_bytes(chunk));
    chunk = next;
    return rows > 0;
  }

  // ---- upper bounds and splits ----

  [[nodiscard]] const DeviceLevel& level_of(const FrontierChunk& chunk) const {
    return input_.levels[static_cast<std::size_t>(chunk.table.width)];
  }
  [[nodiscard]] View<std::int64_t> bounds_of(const FrontierChunk& chunk) const {
    return memory_.buffer(chunk.buffer).bounds(chunk.table);
  }
  [[nodiscard]] const FrontierBuffer& next_buffer(const FrontierChunk& chunk) const {
    return memory_.buffer(1 - chunk.buffer);
  }
  void scan_bounds_of(const FrontierChunk& chunk) {
    const View<std::int64_t> bounds = bounds_of(chunk);
    launch_slices(chunk.table.rows, kRowSlices, [&](std::int64_t first, std::int64_t last) {
      find_bounds(chunk.table.part(first, last), level_of(chunk), input_.auxiliary,
                  bounds.subview(first, last - first + 1), stream_);
    });
    exclusive_scan(bounds, bounds, stream_);
  }
  /// The list elements of all rows, once their bounds are scanned.
  [[nodiscard]] std::int64_t count_elements(const FrontierChunk& chunk) {
    return memory_.read(bounds_of(chunk).subview(chunk.table.rows, 1), stream_);
  }

  /// The most list elements of the chunk for which there is room: res and cnt in their own memory, alpha times as many
  /// rows with their bounds in the other buffer. `own_vertices` of the chunk's rows are about to wait, too.
  [[nodiscard]] std::int64_t max_elements_of(const FrontierChunk& chunk, std::int64_t own_vertices) const {
    const int width = chunk.table.width + 1;
    const bool keeps = options_.scheme != OutputScheme::two_phase;
    const ChunkRoom room{std::min(memory_.max_elements(keeps), kMaxElements), next_buffer(chunk).max_rows(width),
                         memory_.parked().device_room() - own_vertices, width};
    if (!options_.pipeline) return room.elements;
    return input_.output == Output::first ? max_first_chunk_elements(room, options_.alpha, counters_.leaf_nodes)
                                          : max_chunk_elements(room, options_.alpha);
  }

  /// Rows that follow one another often have all but their last vertices in common, and then fail together. So a table
  /// that is to be cut is put into another order before it is joined, and its chunks are samples of it.
  void spread(FrontierChunk& chunk) {
    const int width = chunk.table.width;
    const View<Vertex> rows = next_buffer(chunk).vertices(chunk.table.rows, width);
    launch_slices(chunk.table.rows, kRowSlices, [&](std::int64_t first, std::int64_t last) {
      spread_rows(chunk.table, first, last, rows.subview(first * width, (last - first) * width), stream_);
    });
    note_peak(chunk.table, {rows, chunk.table.rows, width}, 0);
    chunk.table.vertices = rows;
    chunk.buffer = 1 - chunk.buffer;
    scan_bounds_of(chunk);
  }

  /// Cuts the chunk after `step` list elements; the rest waits in chunks of as many each.
  void split(FrontierChunk& chunk, std::int64_t step) {
    constexpr auto kResultBytes = static_cast<std::int64_t>(sizeof(Result));
    require_pipeline(chunk.elements() * kResultBytes, step * kResultBytes);
    const std::int64_t first = chunk.first + step;
    const std::vector<ChunkStart> starts = memory_.chunk_starts(bounds_of(chunk), first, chunk.last, step, stream_);
    const int width = chunk.table.width;
    const std::int64_t parked_row = starts[0].row;
    const View<const Vertex> rows =
        chunk.table.vertices.subview(parked_row * width, (chunk.end_row() - parked_row) * width);
    const std::int64_t on_host = memory_.parked().host_bytes();
    const std::int64_t place = memory_.parked().park(rows, deadline_, stream_);
    const std::vector<WaitingChunk> rest = rest_in_chunks(chunk, first, step, starts, place);
    waiting_.insert(waiting_.end(), rest.rbegin(), rest.rend());
    counters_.parked_chunks += static_cast<std::int64_t>(starts.size());
    counters_.host_bytes += memory_.parked().host_bytes() - on_host;
    chunk.cut(starts[0], first);
  }

  // ---- joins ----

  /// Joins. Where there are more results than the estimate allowed for, and no room for them, joins a part of the
  /// elements and lets the others wait (the document takes unified memory where little is missing). Returns the rows.
  [[nodiscard]] std::int64_t join_what_fits(FrontierChunk& chunk) {
    const int width = chunk.table.width + 1;
    const std::int64_t max_rows = std::min(next_buffer(chunk).max_rows(width), kMaxElements);
    while (true) {
      const std::int64_t rows = join(chunk);
      if (rows <= max_rows) return rows;
      require_pipeline(FrontierBuffer::bytes(rows, width), FrontierBuffer::bytes(max_rows, width));
      const double share = 0.9 * static_cast<double>(max_rows) / static_cast<double>(rows);
      const auto kept = static_cast<std::int64_t>(share * static_cast<double>(chunk.elements()));
      split(chunk, std::max<std::int64_t>(kept, 1));
    }
  }

  [[nodiscard]] TableExtension extension_of(const FrontierChunk& chunk) const {
    return {chunk.table, bounds_of(chunk), chunk.first, chunk.last, level_of(chunk), input_.auxiliary};
  }

  /// The number of results, which lie in res unless they are found twice.
  [[nodiscard]] std::int64_t join(const FrontierChunk& chunk) {
    const TableExtension extension = extension_of(chunk);
    const std::int64_t tiles = extension.tiles();
    const View<std::int64_t> places = memory_.places(tiles);
    const bool keeps = options_.scheme != OutputScheme::two_phase;
    launch_slices(tiles, kTileSlices, [&](std::int64_t first, std::int64_t last) {
      const View<std::int64_t> counts = places.subview(first, last - first + 1);
      if (keeps) {
        collect_results(extension.part(first, last), results_of(tiles, first, last), counts, stream_);
      } else {
        count_results(extension.part(first, last), counts, stream_);
      }
    });
    exclusive_scan(places, places, stream_);
    if (keeps) counters_.res_bytes += extension.elements() * static_cast<std::int64_t>(sizeof(Result));
    return memory_.read(places.subview(tiles, 1), stream_);
  }

  /// Of tiles [first, last) of `tiles`.
  [[nodiscard]] View<Result> results_of(std::int64_t tiles, std::int64_t first, std::int64_t last) const {
    return memory_.results(tiles).subview(first * kTile, (last - first) * kTile);
  }

  void write(const FrontierChunk& chunk, View<Vertex> rows) {
    const TableExtension extension = extension_of(chunk);
    const std::int64_t tiles = extension.tiles();
    launch_slices(tiles, kTileSlices, [&](std::int64_t first, std::int64_t last) {
      const TableExtension part = extension.part(first, last);
      const View<std::int64_t> places = memory_.places(tiles).subview(first, last - first + 1);
      switch (options_.scheme) {
        case OutputScheme::two_phase:
          write_by_joining(part, places, rows, stream_);
          break;
        case OutputScheme::prealloc_combine:
          write_by_rows(part, results_of(tiles, first, last), places, rows, stream_);
          break;
        case OutputScheme::one_star:
          write_together(part, results_of(tiles, first, last), places, rows, stream_);
          break;
      }
    });
  }

  void note_use(const MatchTable& table, const MatchTable& next, std::int64_t result_bytes) {
    counters_.rows += next.rows;
    counters_.bytes_written += next.vertices.bytes();
    note_peak(table, next, result_bytes);
  }
  void note_peak(const MatchTable& table, const MatchTable& next, std::int64_t result_bytes) {
    counters_.peak_bytes = std::max(counters_.peak_bytes, FrontierBuffer::bytes(table.rows, table.width) +
                                                              FrontierBuffer::bytes(next.rows, next.width) +
                                                              result_bytes + memory_.parked().device_bytes());
  }
  /// Of res and cnt.
  [[nodiscard]] std::int64_t result_bytes(const FrontierChunk& chunk) const {
    const std::int64_t elements = chunk.elements();
    const std::int64_t results =
        options_.scheme == OutputScheme::two_phase ? 0 : elements * std::int64_t{sizeof(Result)};
    return results + memory_.places(tiles_of(elements)).bytes();
  }

  // ---- the last table ----

  void finish(const FrontierChunk& chunk) {
    switch (finish_) {
      case Finish::leaves: {
        const std::int64_t leaves = input_.device_levels.size() - last_width_;
        launch_slices(chunk.table.rows, kLeafSlices, [&](std::int64_t first, std::int64_t last) {
          count_leaves(chunk.table.part(first, last), input_.device_levels.subview(last_width_, leaves),
                       input_.auxiliary, totals_, stream_);
        });
        break;
      }
      case Finish::join:
        count_last(chunk);
        break;
      case Finish::rows:
        sink_.take_rows(chunk.table);
        break;
    }
  }

  /// Joins the last level, of which only the number is kept.
  void count_last(const FrontierChunk& chunk) {
    scan_bounds_of(chunk);
    FrontierChunk counted = chunk;
    counted.last = count_elements(chunk);
    const TableExtension extension = extension_of(counted);
    launch_slices(extension.tiles(), kTileSlices, [&](std::int64_t first, std::int64_t last) {
      count_matches(extension.part(first, last), totals_, stream_);
    });
  }

  // ---- limits ----

  /// Throws OutOfDeviceMemory where chunks may not be split.
  void require_pipeline(std::int64_t wanted_bytes, std::int64_t free_bytes) const {
    if (!options_.pipeline) throw OutOfDeviceMemory(wanted_bytes, free_bytes);
  }
  static void in_time(bool is_in_time) {
    if (!is_in_time) throw GaveUp();
  }
  template <typename LaunchSlice>
  void launch_slices(std::int64_t elements, const SliceSizes& sizes, const LaunchSlice& launch_slice) {
    in_time(in_slices(elements, sizes, deadline_, stream_, launch_slice));
  }

  const EnumerationInput& input_;
  const EnumerationOptions& options_;
  EnumerationMemory& memory_;
  View<SmallLevelsReport> report_;
  Totals totals_;  ///< of the report
  const Deadline& deadline_;
  QueryAnswer& answer_;
  Stream& stream_;
  MatchSink sink_;
  Finish finish_ = Finish::rows;
  int last_width_ = 0;       ///< of the last table
  bool is_counted_ = false;  ///< the totals have been taken
  std::vector<WaitingChunk> waiting_;
  EnumerationCounters counters_;
};

}  // namespace

EnumerationCounters enumerate(const EnumerationInput& input, const EnumerationOptions& options,
                              EnumerationMemory& memory, Arena& arena, const Deadline& deadline, QueryAnswer& answer,
                              Stream& stream) {
  const View<SmallLevelsReport> report = arena.take<SmallLevelsReport>(1);
  const std::int64_t left = arena.left();
  memory.begin(options.table_memory > 0 ? std::min(options.table_memory, left) : left,
               static_cast<int>(input.levels.size()), options.spill, arena);
  return Enumeration(input, options, memory, report, deadline, answer, stream).run();
}

}  // namespace warpbench::matching::fsig
