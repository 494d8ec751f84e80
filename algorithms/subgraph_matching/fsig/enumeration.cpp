#include "algorithms/subgraph_matching/fsig/enumeration.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "problems/subgraph_matching/counting.hpp"

namespace warpbench::matching::fsig {
namespace {

using Output = SubgraphMatching::Output;
using QueryAnswer = SubgraphMatching::QueryAnswer;

/// Rows and elements of a chunk stay below it, so that a result's row has 32 bits.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 31;
/// A launch that counts takes so many elements, so that the time limit is seen in between.
constexpr std::int64_t kCountedElements = std::int64_t{1} << 26;
/// Where only some matches are asked for, chunks are small, so that the first of them comes soon.
constexpr std::int64_t kFirstElements = std::int64_t{1} << 20;

/// A chunk's `last` where it is to be extended by all list elements, whose number only the device knows so far.
constexpr std::int64_t kUnread = -1;

/// The way matches are made from the rows of the last table.
enum class Finish {
  rows,    ///< they are the rows
  leaves,  ///< the levels left are independent leaves, whose images are multiplied
  join     ///< the one level left is joined and counted
};

/// Rows in one of the two buffers, to be extended by list elements [first, last).
struct FrontierChunk {
  std::size_t buffer;
  MatchTable table;
  std::int64_t last = kUnread;
  std::int64_t first = 0;

  [[nodiscard]] std::int64_t elements() const { return last - first; }
};

/// Rows that wait, in the memory of parked rows or where the filter left them.
struct WaitingChunk {
  View<const Vertex> rows;
  bool on_device;
  int width;
  std::int64_t first;
  std::int64_t last = kUnread;
  std::optional<ParkedRows::Mark> release;  ///< all rows parked since are done with once these are taken
};

/// The enumeration of one query.
class Enumeration {
 public:
  Enumeration(const EnumerationInput& input, const EnumerationOptions& options, EnumerationMemory& memory,
              Totals totals, const Deadline& deadline, QueryAnswer& answer, Stream& stream)
      : input_(input),
        options_(options),
        memory_(memory),
        totals_(totals),
        deadline_(deadline),
        answer_(answer),
        stream_(stream) {
    choose_finish();
  }

  EnumerationCounters run() {
    runtime::fill_bytes(totals_.data(), 0, totals_.bytes(), *stream_.handle());
    push_first();
    while (!waiting_.empty() && !enough() && !out_of_time()) {
      FrontierChunk chunk = pop();
      while (advance(chunk)) {
      }
    }
    read_totals();
    answer_.solved = !timed_out_;
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

  /// M_1 waits where the filter left it.
  void push_first() {
    const View<const Vertex> rows = input_.first_candidates;
    const std::int64_t max_rows = std::min(memory_.buffer(0).max_rows(1), kMaxElements);
    const std::int64_t chunks = ceil_div(rows.size(), max_rows);
    if (chunks > 1) require_pipeline(FrontierBuffer::bytes(rows.size(), 1), FrontierBuffer::bytes(max_rows, 1));
    for (std::int64_t i = chunks; i-- > 0;) {
      const std::int64_t count = std::min(max_rows, rows.size() - i * max_rows);
      waiting_.push_back({rows.subview(i * max_rows, count), true, 1, 0, kUnread, std::nullopt});
    }
  }

  FrontierChunk pop() {
    const WaitingChunk next = waiting_.back();
    waiting_.pop_back();
    const FrontierBuffer& buffer = memory_.buffer(0);
    const std::int64_t rows = next.rows.size() / next.width;
    runtime::copy(buffer.vertices(rows, next.width).data(), next.rows.data(), next.rows.bytes(),
                  next.on_device ? runtime::Copy::kDeviceToDevice : runtime::Copy::kUpload, *stream_.handle());
    if (next.release) memory_.parked().release(*next.release);
    ++counters_.leaf_nodes;
    return {0, buffer.table(rows, next.width), next.last, next.first};
  }

  /// One round of Algorithm 8. False where nothing is left to extend.
  bool advance(FrontierChunk& chunk) {
    if (out_of_time()) return false;
    if (chunk.table.width == last_width_) {
      finish(chunk);
      return false;
    }
    scan_bounds_of(chunk);
    if (chunk.last == kUnread) chunk.last = count_elements(chunk);
    if (chunk.elements() == 0) return false;
    const std::int64_t max_elements = max_elements_of(chunk);
    if (chunk.elements() > max_elements) split(chunk, max_elements);
    const std::int64_t rows = join_what_fits(chunk);
    if (rows == 0) return false;
    const FrontierChunk next{1 - chunk.buffer, next_buffer(chunk).table(rows, chunk.table.width + 1)};
    write(chunk, next_buffer(chunk).vertices(rows, chunk.table.width + 1));
    note_use(chunk, next.table);
    chunk = next;
    return true;
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
    scan_bounds(chunk.table, level_of(chunk), input_.auxiliary, bounds_of(chunk), stream_);
  }
  /// The list elements of all rows, once their bounds are scanned.
  [[nodiscard]] std::int64_t count_elements(const FrontierChunk& chunk) {
    return memory_.read(bounds_of(chunk).subview(chunk.table.rows, 1), stream_);
  }

  /// The most list elements of a chunk for which, by the estimate of Eq. 5.6, there is room: res and cnt in their own
  /// memory, alpha times as many rows with their bounds in the other buffer.
  [[nodiscard]] std::int64_t max_elements_of(const FrontierChunk& chunk) const {
    std::int64_t elements = std::min(memory_.max_elements(options_.scheme != OutputScheme::two_phase), kMaxElements);
    if (!options_.pipeline) return elements;
    const auto rows = static_cast<double>(next_buffer(chunk).max_rows(chunk.table.width + 1));
    if (options_.alpha * static_cast<double>(elements) > rows) {
      elements = static_cast<std::int64_t>(rows / options_.alpha);
    }
    if (input_.output == Output::first) elements = std::min(elements, kFirstElements);
    return std::max<std::int64_t>(elements, 1);
  }

  /// The beginnings of the chunks of `step` list elements from `first` on, as many as there is room for.
  [[nodiscard]] std::vector<ChunkStart> chunk_starts(const FrontierChunk& chunk, std::int64_t first,
                                                     std::int64_t step) {
    const View<ChunkStart> device_starts = memory_.chunk_starts(ceil_div(chunk.last - first, step));
    find_chunk_starts(bounds_of(chunk), first, step, device_starts, stream_);
    std::vector<ChunkStart> starts(static_cast<std::size_t>(device_starts.size()));
    runtime::copy(starts.data(), device_starts.data(), device_starts.bytes(), runtime::Copy::kDownload,
                  *stream_.handle());
    stream_.synchronize();
    return starts;
  }

  /// Cuts the chunk after `step` list elements; the rest waits in chunks of as many each.
  void split(FrontierChunk& chunk, std::int64_t step) {
    constexpr auto kResultBytes = static_cast<std::int64_t>(sizeof(Result));
    require_pipeline(chunk.elements() * kResultBytes, step * kResultBytes);
    const std::int64_t first = chunk.first + step;
    const std::vector<ChunkStart> starts = chunk_starts(chunk, first, step);
    const ParkedRows::Mark mark = memory_.parked().mark();
    const int width = chunk.table.width;
    const std::int64_t parked_row = starts[0].row;
    const View<const Vertex> rows =
        chunk.table.vertices.subview(parked_row * width, (chunk.table.rows - parked_row) * width);
    const ParkedRows::Place place = memory_.parked().park(rows, stream_);
    const View<const Vertex> parked(place.rows, rows.size());
    for (std::size_t i = starts.size(); i-- > 0;) {
      const std::int64_t begin = first + static_cast<std::int64_t>(i) * step;
      const bool is_last = i + 1 == starts.size();
      const std::int64_t end = is_last ? chunk.last : begin + step;
      // The next chunk's first row is this one's last where the cut goes through its list.
      const std::int64_t end_row = is_last ? chunk.table.rows : starts[i + 1].row + (end > starts[i + 1].bound ? 1 : 0);
      waiting_.push_back({parked.subview((starts[i].row - parked_row) * width, (end_row - starts[i].row) * width),
                          place.on_device, width, begin - starts[i].bound, end - starts[i].bound,
                          is_last ? std::optional(mark) : std::nullopt});
    }
    counters_.parked_chunks += static_cast<std::int64_t>(starts.size());
    if (!place.on_device) counters_.host_bytes += rows.bytes();
    chunk.last = first;
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
    if (options_.scheme == OutputScheme::two_phase) {
      count_results(extension, places, stream_);
    } else {
      collect_results(extension, memory_.results(tiles), places, stream_);
      counters_.res_bytes += extension.elements() * static_cast<std::int64_t>(sizeof(Result));
    }
    return memory_.read(places.subview(tiles, 1), stream_);
  }

  void write(const FrontierChunk& chunk, View<Vertex> rows) {
    const TableExtension extension = extension_of(chunk);
    const View<std::int64_t> places = memory_.places(extension.tiles());
    switch (options_.scheme) {
      case OutputScheme::two_phase:
        write_by_joining(extension, places, rows, stream_);
        break;
      case OutputScheme::prealloc_combine:
        write_by_rows(extension, memory_.results(extension.tiles()), places, rows, stream_);
        break;
      case OutputScheme::one_star:
        write_together(extension, memory_.results(extension.tiles()), places, rows, stream_);
        break;
    }
  }

  void note_use(const FrontierChunk& chunk, const MatchTable& next) {
    counters_.rows += next.rows;
    counters_.bytes_written += next.vertices.bytes();
    const std::int64_t elements = chunk.elements();
    const std::int64_t results =
        options_.scheme == OutputScheme::two_phase ? 0 : elements * std::int64_t{sizeof(Result)};
    counters_.peak_bytes = std::max(counters_.peak_bytes, FrontierBuffer::bytes(chunk.table.rows, chunk.table.width) +
                                                              FrontierBuffer::bytes(next.rows, next.width) + results +
                                                              memory_.places(tiles_of(elements)).bytes() +
                                                              memory_.parked().device_bytes());
  }

  // ---- the last table ----

  void finish(const FrontierChunk& chunk) {
    switch (finish_) {
      case Finish::leaves: {
        const std::int64_t leaves = input_.device_levels.size() - last_width_;
        count_leaves(chunk.table, input_.device_levels.subview(last_width_, leaves), input_.auxiliary, totals_,
                     stream_);
        break;
      }
      case Finish::join:
        count_last(chunk);
        break;
      case Finish::rows:
        if (input_.output == Output::digest) digest_rows(chunk.table, input_.columns, totals_, stream_);
        if (input_.output == Output::matches || input_.output == Output::first) {
          take_rows(chunk.table);
        } else {
          answer_.count = checked_add(answer_.count, static_cast<std::uint64_t>(chunk.table.rows));
        }
        break;
    }
  }

  /// Joins the last level, of which only the number is kept.
  void count_last(const FrontierChunk& chunk) {
    scan_bounds_of(chunk);
    const std::int64_t elements = count_elements(chunk);
    for (FrontierChunk counted = chunk; counted.first < elements && !out_of_time(); counted.first = counted.last) {
      counted.last = std::min(elements, counted.first + kCountedElements);
      count_matches(extension_of(counted), totals_, stream_);
      if (counted.last < elements) stream_.synchronize();  // or the clock would be asked ahead of the device
    }
  }

  /// Copies rows to the answer in the query's numbering, as many as are wanted.
  void take_rows(const MatchTable& table) {
    const std::uint64_t wanted = std::min(static_cast<std::uint64_t>(table.rows), input_.max_matches - answer_.count);
    const auto width = static_cast<std::size_t>(table.width);
    std::vector<Vertex> rows(wanted * width);
    if (rows.empty()) return;
    runtime::copy(rows.data(), table.vertices.data(), static_cast<std::int64_t>(rows.size() * sizeof(Vertex)),
                  runtime::Copy::kDownload, *stream_.handle());
    stream_.synchronize();
    const std::size_t begin = answer_.matches.size();
    answer_.matches.resize(begin + rows.size());
    for (std::size_t i = 0; i < rows.size(); i += width) {
      for (std::size_t c = 0; c < width; ++c) {
        answer_.matches[begin + i + input_.order.levels[c].vertex] = rows[i + c];
      }
    }
    answer_.count += wanted;
  }

  void read_totals() {
    std::array<unsigned long long, 3> totals{};
    runtime::copy(totals.data(), totals_.data(), totals_.bytes(), runtime::Copy::kDownload, *stream_.handle());
    stream_.synchronize();
    if (totals[1] != 0) throw std::overflow_error("more than 2^64 - 1 matches");
    answer_.count = checked_add(answer_.count, totals[0]);
    answer_.digest = totals[2];
  }

  // ---- limits ----

  /// Throws OutOfDeviceMemory where chunks may not be split.
  void require_pipeline(std::int64_t wanted_bytes, std::int64_t free_bytes) const {
    if (!options_.pipeline) throw OutOfDeviceMemory(wanted_bytes, free_bytes);
  }
  bool out_of_time() {
    timed_out_ = timed_out_ || deadline_.passed();
    return timed_out_;
  }
  [[nodiscard]] bool enough() const { return input_.output == Output::first && answer_.count >= input_.max_matches; }

  const EnumerationInput& input_;
  const EnumerationOptions& options_;
  EnumerationMemory& memory_;
  Totals totals_;
  const Deadline& deadline_;
  QueryAnswer& answer_;
  Stream& stream_;
  Finish finish_ = Finish::rows;
  int last_width_ = 0;  ///< of the last table
  std::vector<WaitingChunk> waiting_;
  EnumerationCounters counters_;
  bool timed_out_ = false;
};

}  // namespace

EnumerationCounters enumerate(const EnumerationInput& input, const EnumerationOptions& options,
                              EnumerationMemory& memory, Arena& arena, const Deadline& deadline, QueryAnswer& answer,
                              Stream& stream) {
  const Totals totals = arena.take<unsigned long long>(3);
  const std::int64_t left = arena.left();
  memory.begin(options.table_memory > 0 ? std::min(options.table_memory, left) : left,
               static_cast<int>(input.levels.size()), arena);
  return Enumeration(input, options, memory, totals, deadline, answer, stream).run();
}

}  // namespace warpbench::matching::fsig
