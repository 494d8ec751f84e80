#include "algorithms/theta_join/select/select_solver.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "device/device.hpp"
#include "device/digest.cuh"

namespace warpbench::theta {
namespace {

/// Rows of a piece on its way to a file: 48 MB, some milliseconds of the link and the disk each.
constexpr std::int64_t kPieceRows = std::int64_t{1} << 22;

struct DigestOfRows {
  View<const Row> rows;

  __device__ __forceinline__ std::uint64_t operator()(std::int64_t i) const { return digest_of_row(rows[i]); }
};

constexpr std::size_t turn(std::int64_t part) {
  return static_cast<std::size_t>(part % 2);
}

}  // namespace

void SelectSolver::prepare(const Input& input, Phases& phases) {
  output_ = input.output;
  {
    const auto scope = phases.cpu("pin");
    maker_->prepare(input);
  }
  const auto scope = phases.cpu("take_memory");
  for (Buffer<Row>& rows : rows_) rows.reset();
  for (Buffer<DigestWord>& count : counts_) count = Buffer<DigestWord>(1, stream_);
  host_counts_ = PinnedBuffer<DigestWord>(2);
  digest_ = Buffer<DigestWord>(1, stream_);
  maker_->upload(stream_);
  const std::int64_t rows = output_ == Output::rows ? maker_->count_rows(stream_) : 0;
  stream_.synchronize();
  // An eighth is left to the temporary memory of primitives and to the alignment of allocations.
  budget_ = free_memory() / 8 * 7;
  if (output_ == Output::rows) host_rows_ = PinnedBuffer<Row>(rows);
  if (output_ == Output::file) {
    const auto most = static_cast<std::int64_t>(std::min<std::uint64_t>(input.pairs(), kPieceRows));
    host_rows_ = PinnedBuffer<Row>(2 * most);
    file_.emplace();
  }
}

void SelectSolver::upload(Phases& phases) {
  const auto scope = phases.gpu("upload", stream_);
  maker_->upload(stream_);
}

void SelectSolver::take_memory() {
  for (std::int64_t i = 0; i < 2; ++i) {
    Buffer<Row>& rows = rows_[turn(i)];
    const std::int64_t wanted = i < plan_.parts ? plan_.capacity : 0;
    if (rows.size() == wanted) continue;
    rows.reset();
    rows = Buffer<Row>(wanted, stream_);
  }
}

void SelectSolver::enqueue(std::int64_t part, Phases& phases) {
  const std::size_t i = turn(part);
  if (part >= 2) stream_.wait(copied_[i]);
  counts_[i].fill(0, stream_);
  maker_->enqueue(part, rows_[i].view(), counts_[i].view(), stream_, phases);
  counts_[i].download(host_counts_.span().subspan(i, 1), stream_);
  made_[i].record(stream_);
}

void SelectSolver::finish(std::int64_t part, Phases& phases) {
  made_[turn(part)].synchronize();
  const auto rows = static_cast<std::int64_t>(host_counts_.span()[turn(part)]);
  if (rows > plan_.capacity) throw std::logic_error("theta_join: a part has more rows than pairs");
  row_count_ += rows;
  if (output_ == Output::digest) digest(part, rows, phases);
  if (!stays_) bring_down(part, rows, phases);
}

void SelectSolver::digest(std::int64_t part, std::int64_t rows, Phases& phases) {
  const auto scope = phases.untimed("digest");
  digest_.fill(0, stream_);
  add_digests(rows, DigestOfRows{rows_[turn(part)].view()}, digest_.view(), stream_);
  DigestWord sum = 0;
  digest_.download(std::span(&sum, 1), stream_);
  stream_.synchronize();
  row_digest_ += sum;
}

void SelectSolver::bring_down(std::int64_t part, std::int64_t rows, Phases& phases) {
  if (output_ != Output::rows && output_ != Output::file) return;
  const auto scope = phases.gpu("copy", copies_);
  const Buffer<Row>& from = rows_[turn(part)];
  if (output_ == Output::file) {
    write_file(from, rows);
  } else {
    if (rows > host_rows_.size() - rows_down_) throw std::logic_error("theta_join: more rows than were counted");
    const auto place = static_cast<std::size_t>(rows_down_);
    from.download(host_rows_.span().subspan(place, static_cast<std::size_t>(rows)), copies_);
    copied_[turn(part)].record(copies_);
  }
  rows_down_ += rows;
}

void SelectSolver::write_file(const Buffer<Row>& from, std::int64_t rows) {
  const std::size_t piece = host_rows_.span().size() / 2;
  std::array<std::span<Row>, 2> pieces;
  std::array<Event, 2> arrived;
  for (std::int64_t first = 0, number = 0; first < rows; first += static_cast<std::int64_t>(piece), ++number) {
    const std::size_t i = turn(number);
    pieces[i] = host_rows_.span().subspan(i * piece, std::min(piece, static_cast<std::size_t>(rows - first)));
    from.download(pieces[i], copies_, first);
    arrived[i].record(copies_);
    if (number > 0) {
      arrived[1 - i].synchronize();
      file_->append(pieces[1 - i]);
      pieces[1 - i] = {};
    }
  }
  copies_.synchronize();
  for (const std::span<Row> last : pieces) {
    if (!last.empty()) file_->append(last);
  }
}

void SelectSolver::solve(Phases& phases, Rows rows) {
  row_count_ = 0;
  rows_down_ = 0;
  row_digest_ = 0;
  if (file_) file_->start_over();
  plan_ = maker_->begin(budget_, stream_, phases);
  take_memory();
  stays_ = plan_.parts <= 1 && rows == Rows::stay;
  const bool is_digested = output_ == Output::digest;  // untimed, while nothing else runs
  for (std::int64_t part = 0; part < plan_.parts; ++part) {
    enqueue(part, phases);
    if (is_digested) finish(part, phases);
    if (!is_digested && part > 0) finish(part - 1, phases);
  }
  if (!is_digested && plan_.parts > 0) finish(plan_.parts - 1, phases);
  stream_.synchronize();
  copies_.synchronize();
}

void SelectSolver::download(Answer& answer, Phases& phases) {
  if (stays_ && plan_.parts > 0) {
    bring_down(0, row_count_, phases);
    copies_.synchronize();
  }
  stays_ = false;
  answer = {};
  answer.count = static_cast<std::uint64_t>(row_count_);
  answer.row_digest = row_digest_;
  if (output_ == Output::rows) answer.rows = host_rows_.span().first(static_cast<std::size_t>(rows_down_));
  if (file_) answer.file = file_->path();
}

void SelectSolver::solve_with_transfers(Answer& answer, Phases& phases) {
  upload(phases);
  solve(phases, Rows::go_down);
  download(answer, phases);
}

std::map<std::string, double> SelectSolver::counters() const {
  std::map<std::string, double> counters{{"rows", static_cast<double>(row_count_)},
                                         {"parts", static_cast<double>(plan_.parts)},
                                         {"part_rows", static_cast<double>(plan_.capacity)}};
  if (plan_.least_parts > 0) counters["least_parts"] = static_cast<double>(plan_.least_parts);
  return counters;
}

}  // namespace warpbench::theta
