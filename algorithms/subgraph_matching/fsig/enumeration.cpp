#include "algorithms/subgraph_matching/fsig/enumeration.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "problems/subgraph_matching/counting.hpp"

namespace warpbench::matching::fsig {
namespace {

/// Rows and elements of a block stay below it, so that a result's row has 32 bits.
constexpr std::int64_t kMostElements = std::int64_t{1} << 31;
/// A launch that counts takes so many elements, some tenths of a second, so that the time limit is seen in between.
constexpr std::int64_t kCountedElements = std::int64_t{1} << 33;
/// Where only some matches are asked for, blocks are small, so that the first of them comes soon.
constexpr std::int64_t kFirstElements = std::int64_t{1} << 20;

constexpr std::int64_t kVertexBytes = sizeof(Vertex);

}  // namespace

void Enumeration::run(const EnumerationInput& input, const EnumerationOptions& options, Output output,
                      std::uint64_t first, QueryMemory& memory, const Deadline& deadline, QueryAnswer& answer) {
  input_ = &input;
  options_ = options;
  deadline_ = &deadline;
  answer_ = &answer;
  wanted_rows_ = output == Output::first ? first : std::numeric_limits<std::uint64_t>::max();
  timed_out_ = false;
  counters_ = {};
  plan(output);
  totals_ = memory.take<unsigned long long>(3);
  runtime::fill_bytes(totals_.data(), 0, totals_.bytes(), *stream_.handle());
  const std::int64_t bytes = options.table_memory > 0 ? std::min(options.table_memory, memory.left()) : memory.left();
  tables_.begin(bytes, static_cast<std::int64_t>(input.levels.size()), memory);
  push_first();
  while (!waiting_.empty() && !enough() && !out_of_time()) {
    Block block = pop();
    while (advance(block)) {
    }
  }
  read_totals();
  answer.solved = !timed_out_;
}

void Enumeration::plan(Output output) {
  output_ = output;
  const auto levels = static_cast<std::int64_t>(input_->levels.size());
  const auto leaves = static_cast<std::int64_t>(input_->order.independent_leaves);
  finish_ = Finish::rows;
  last_columns_ = levels;
  if (output != Output::count || levels == 1) return;
  finish_ = leaves > 0 ? Finish::leaves : Finish::join;
  last_columns_ = levels - (leaves > 0 && options_.multiply_leaves ? leaves : 1);
}

/// M_1 waits where the filter left it.
void Enumeration::push_first() {
  waiting_.clear();
  const View<Vertex> rows = input_->first;
  const std::int64_t most = std::min(tables_.part(0).most_rows(1), kMostElements);
  const std::int64_t blocks = (rows.size() + most - 1) / most;
  if (blocks > 1 && !options_.pipeline) {
    throw OutOfDeviceMemory(TablePart::bytes(rows.size(), 1), TablePart::bytes(most, 1));
  }
  for (std::int64_t i = blocks; i-- > 0;) {
    const std::int64_t count = std::min(most, rows.size() - i * most);
    waiting_.push_back({rows.data() + i * most, true, count, 1, 0, kUnread, std::nullopt});
  }
}

Enumeration::Block Enumeration::pop() {
  const Waiting next = waiting_.back();
  waiting_.pop_back();
  const Block block{0, tables_.part(0).table(next.count, next.columns), next.last, next.first};
  runtime::copy(block.table.rows.data(), next.rows, block.table.rows.bytes(),
                next.on_device ? runtime::Copy::kDeviceToDevice : runtime::Copy::kUpload, *stream_.handle());
  if (next.release) tables_.parked().release(*next.release);
  ++counters_.leaf_nodes;
  return block;
}

/// One round of Algorithm 8. False where nothing is left to extend.
bool Enumeration::advance(Block& block) {
  if (out_of_time()) return false;
  if (block.table.columns == last_columns_) {
    finish(block);
    return false;
  }
  const View<std::int64_t> bounds = tables_.part(block.part).bounds(block.table);
  scan_bounds(block.table, input_->levels[static_cast<std::size_t>(block.table.columns)], input_->auxiliary, bounds,
              stream_);
  if (block.last == kUnread) block.last = read(bounds.subview(block.table.count, 1));
  if (block.last == block.first) return false;
  const std::int64_t most = most_elements(block);
  if (block.last - block.first > most) split(block, most);
  const std::int64_t rows = join_what_fits(block);
  if (rows == 0) return false;
  const std::size_t other = 1 - block.part;
  const Table next = tables_.part(other).table(rows, block.table.columns + 1);
  write(block, next);
  block = {other, next, kUnread};
  return true;
}

/// The most list elements of a block for which, by the estimate of Eq. 5.6, there is room: res and cnt in their part,
/// alpha times as many rows with their bounds in the other part.
std::int64_t Enumeration::most_elements(const Block& block) const {
  std::int64_t most = std::min(tables_.most_elements(options_.scheme != OutputScheme::two_phase), kMostElements);
  if (!options_.pipeline) return most;
  const auto rows = static_cast<double>(tables_.part(1 - block.part).most_rows(block.table.columns + 1));
  if (options_.alpha * static_cast<double>(most) > rows) most = static_cast<std::int64_t>(rows / options_.alpha);
  if (output_ == Output::first) most = std::min(most, kFirstElements);
  return std::max<std::int64_t>(most, 1);
}

/// Cuts the block after `most` list elements; the rest waits in blocks of as many each.
void Enumeration::split(Block& block, std::int64_t most) {
  if (!options_.pipeline) {
    throw OutOfDeviceMemory((block.last - block.first) * static_cast<std::int64_t>(sizeof(Result)),
                            most * static_cast<std::int64_t>(sizeof(Result)));
  }
  const std::int64_t first = block.first + most;
  const std::int64_t last = block.last;
  const View<BlockStart> device_starts = tables_.block_starts((last - first + most - 1) / most);
  find_block_starts(tables_.part(block.part).bounds(block.table), first, most, device_starts, stream_);
  std::vector<BlockStart> starts(static_cast<std::size_t>(device_starts.size()));
  runtime::copy(starts.data(), device_starts.data(), device_starts.bytes(), runtime::Copy::kDownload,
                *stream_.handle());
  stream_.synchronize();
  ParkedRows& parked = tables_.parked();
  const ParkedRows::Mark mark = parked.mark();
  const std::int64_t columns = block.table.columns;
  const std::int64_t parked_row = starts[0].row;
  const View<Vertex> rows = block.table.rows.subview(parked_row * columns, (block.table.count - parked_row) * columns);
  const ParkedRows::Place place = parked.park(rows, stream_);
  for (std::size_t i = starts.size(); i-- > 0;) {
    const std::int64_t begin = first + static_cast<std::int64_t>(i) * most;
    const bool is_last = i + 1 == starts.size();
    const std::int64_t end = is_last ? last : begin + most;
    // The next block's first row is this one's last where the cut goes through its list.
    const std::int64_t end_row = is_last ? block.table.count : starts[i + 1].row + (end > starts[i + 1].bound ? 1 : 0);
    waiting_.push_back({place.rows + (starts[i].row - parked_row) * columns, place.on_device, end_row - starts[i].row,
                        columns, begin - starts[i].bound, end - starts[i].bound,
                        is_last ? std::optional(mark) : std::nullopt});
  }
  counters_.parked_blocks += static_cast<std::int64_t>(starts.size());
  if (!place.on_device) counters_.host_bytes += rows.bytes();
  block.last = first;
}

/// Joins; where there are more results than the estimate allowed for and there is room for, joins a part of the
/// elements and lets the others wait (the document takes unified memory where little is missing). Returns the rows.
std::int64_t Enumeration::join_what_fits(Block& block) {
  const std::int64_t room = std::min(tables_.part(1 - block.part).most_rows(block.table.columns + 1), kMostElements);
  while (true) {
    const std::int64_t rows = join(block);
    if (rows <= room) return rows;
    const std::int64_t columns = block.table.columns + 1;
    if (!options_.pipeline) throw OutOfDeviceMemory(TablePart::bytes(rows, columns), TablePart::bytes(room, columns));
    const std::int64_t elements = block.last - block.first;
    const double share = 0.9 * static_cast<double>(room) / static_cast<double>(rows);
    const std::int64_t kept =
        std::max<std::int64_t>(static_cast<std::int64_t>(share * static_cast<double>(elements)), 1);
    const std::int64_t last = block.last;
    block.last = block.first + kept;
    Block rest = block;
    rest.last = last;
    split(rest, kept);
  }
}

Join Enumeration::join_of(const Block& block) const {
  return {block.table,
          tables_.part(block.part).bounds(block.table),
          block.first,
          block.last,
          input_->levels[static_cast<std::size_t>(block.table.columns)],
          input_->auxiliary};
}

/// The number of results, which lie in res unless they are found twice.
std::int64_t Enumeration::join(const Block& block) {
  const Join join = join_of(block);
  const std::int64_t tiles = join.tiles();
  const View<std::int64_t> places = tables_.places(tiles);
  if (options_.scheme == OutputScheme::two_phase) {
    count_results(join, places, stream_);
  } else {
    collect_results(join, tables_.results(tiles), places, stream_);
    counters_.res_bytes += (join.last - join.first) * static_cast<std::int64_t>(sizeof(Result));
  }
  return read(places.subview(tiles, 1));
}

void Enumeration::write(const Block& block, const Table& next) {
  const Join join = join_of(block);
  const View<std::int64_t> places = tables_.places(join.tiles());
  switch (options_.scheme) {
    case OutputScheme::two_phase:
      write_by_joining(join, places, next.rows, stream_);
      break;
    case OutputScheme::prealloc_combine:
      write_by_rows(join, tables_.results(join.tiles()), places, next.rows, stream_);
      break;
    case OutputScheme::one_star:
      write_together(join, tables_.results(join.tiles()), places, next.rows, stream_);
      break;
  }
  counters_.rows += next.count;
  counters_.bytes_written += next.rows.bytes();
  note_use(block, next.count);
}

void Enumeration::note_use(const Block& block, std::int64_t next_rows) {
  const std::int64_t elements = block.last - block.first;
  const std::int64_t results = options_.scheme == OutputScheme::two_phase ? 0 : elements * std::int64_t{sizeof(Result)};
  counters_.peak_bytes =
      std::max(counters_.peak_bytes, TablePart::bytes(block.table.count, block.table.columns) +
                                         TablePart::bytes(next_rows, block.table.columns + 1) + results +
                                         tables_.places(tiles_of(elements)).bytes() + tables_.parked().device_bytes());
}

// ---- what becomes of the last table ----

void Enumeration::finish(const Block& block) {
  switch (finish_) {
    case Finish::leaves: {
      const View<const DeviceLevel> levels = input_->device_levels;
      const std::int64_t leaves = static_cast<std::int64_t>(input_->levels.size()) - last_columns_;
      count_leaves(block.table, levels.subview(last_columns_, leaves), input_->auxiliary, totals_, stream_);
      break;
    }
    case Finish::join:
      count_last(block);
      break;
    case Finish::rows:
      if (output_ == Output::digest) digest_rows(block.table, input_->device_order, totals_, stream_);
      if (output_ == Output::matches || output_ == Output::first) {
        take_rows(block.table);
      } else {
        answer_->count = checked_add(answer_->count, static_cast<std::uint64_t>(block.table.count));
      }
      break;
  }
}

/// The last level by joining, of which only the number is kept.
void Enumeration::count_last(const Block& block) {
  const View<std::int64_t> bounds = tables_.part(block.part).bounds(block.table);
  scan_bounds(block.table, input_->levels[static_cast<std::size_t>(block.table.columns)], input_->auxiliary, bounds,
              stream_);
  const std::int64_t elements = read(bounds.subview(block.table.count, 1));
  for (Block counted = block; counted.first < elements && !out_of_time(); counted.first = counted.last) {
    counted.last = std::min(elements, counted.first + kCountedElements);
    count_matches(join_of(counted), totals_, stream_);
    if (counted.last < elements) stream_.synchronize();  // or the clock would be asked ahead of the device
  }
}

/// Rows as the query numbers its vertices, as many as are wanted.
void Enumeration::take_rows(const Table& table) {
  const std::uint64_t wanted = std::min(static_cast<std::uint64_t>(table.count), wanted_rows_ - answer_->count);
  const auto width = static_cast<std::size_t>(table.columns);
  std::vector<Vertex> rows(wanted * width);
  if (rows.empty()) return;
  runtime::copy(rows.data(), table.rows.data(), static_cast<std::int64_t>(rows.size()) * kVertexBytes,
                runtime::Copy::kDownload, *stream_.handle());
  stream_.synchronize();
  const std::size_t begin = answer_->matches.size();
  answer_->matches.resize(begin + rows.size());
  for (std::size_t i = 0; i < rows.size(); i += width) {
    for (std::size_t c = 0; c < width; ++c) {
      answer_->matches[begin + i + input_->order.levels[c].vertex] = rows[i + c];
    }
  }
  answer_->count += wanted;
}

void Enumeration::read_totals() {
  std::array<unsigned long long, 3> totals{};
  runtime::copy(totals.data(), totals_.data(), totals_.bytes(), runtime::Copy::kDownload, *stream_.handle());
  stream_.synchronize();
  if (totals[1] != 0) throw std::overflow_error("more than 2^64 - 1 matches");
  answer_->count = checked_add(answer_->count, totals[0]);
  answer_->digest = totals[2];
}

std::int64_t Enumeration::read(View<const std::int64_t> value) {
  runtime::copy(read_.span().data(), value.data(), value.bytes(), runtime::Copy::kDownload, *stream_.handle());
  stream_.synchronize();
  return read_[0];
}

bool Enumeration::out_of_time() {
  timed_out_ = timed_out_ || deadline_->passed();
  return timed_out_;
}

bool Enumeration::enough() const {
  return output_ == Output::first && answer_->count >= wanted_rows_;
}

}  // namespace warpbench::matching::fsig
