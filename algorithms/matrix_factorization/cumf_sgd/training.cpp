#include "algorithms/matrix_factorization/cumf_sgd/training.hpp"

#include <algorithm>
#include <array>

#include "algorithms/matrix_factorization/cumf_sgd/segments.hpp"
#include "device/half.hpp"
#include "solvers/matrix_factorization/device_update.hpp"

namespace warpbench::matrix_factorization {
namespace {

void convert_one(float from, float& to) {
  to = from;
}
void convert_one(float from, Half& to) {
  to = to_half(from);
}
void convert_one(Half from, float& to) {
  to = to_float(from);
}

/// In parallel.
template <typename From, typename To>
void convert_on_host(std::span<const From> from, std::span<To> to) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < std::ssize(from); ++i) {
    convert_one(from[static_cast<std::size_t>(i)], to[static_cast<std::size_t>(i)]);
  }
}

/// Rows that a warp loads and stores in an iteration: one of P or Q for each rating that has not the user, or the item,
/// of the one before it. In parallel.
std::int64_t rows_used(std::span<const Rating> ratings) {
  std::int64_t rows = std::ssize(ratings) > 0 ? 2 : 0;
#pragma omp parallel for schedule(static) reduction(+ : rows)
  for (std::int64_t i = 1; i < std::ssize(ratings); ++i) {
    const Rating& rating = ratings[static_cast<std::size_t>(i)];
    const Rating& before = ratings[static_cast<std::size_t>(i - 1)];
    rows += (rating.user != before.user ? 1 : 0) + (rating.item != before.item ? 1 : 0);
  }
  return rows;
}

template <typename Factor>
class TrainingOn final : public Training {
 public:
  TrainingOn(const TrainingData& data, const TransferPlan& plan)
      : data_(data), plan_(plan), p_(data.user_bands, data.stride), q_(data.item_bands, data.stride) {
    const std::span<const Rating> ratings = data.grid->all();
    bytes_of_iteration_ = static_cast<std::int64_t>(ratings.size_bytes()) +
                          2 * rows_used(ratings) * data.stride * static_cast<std::int64_t>(sizeof(Factor));
  }

  void upload(Phases& phases) override {
    p_.allocate(plan_.p_slots, streams_.in);
    q_.allocate(plan_.q_slots, streams_.in);
    if (data_.resident) {
      if (ratings_.empty()) ratings_ = Buffer<Rating>(std::ssize(data_.grid->all()), streams_.in);
      const auto scope = phases.gpu("upload", streams_.in);
      ratings_.upload(data_.grid->all(), streams_.in);
    } else if (pieces_.front().memory.empty()) {
      for (Piece& piece : pieces_) piece.memory = Buffer<Rating>(plan_.piece, streams_.in);
    }
    streams_.in.synchronize();
  }

  void begin(FactorRows& p, FactorRows& q) override {
    convert_on_host<float, Factor>(p.all(), p_.host());
    convert_on_host<float, Factor>(q.all(), q_.host());
    p_.forget();
    q_.forget();
    workers_ = 0;
    rating_bytes_ = 0;
    factor_bytes_ = 0;
    bytes_moved_ = 0;
    if (!plan_.keeps_factors()) return;
    Phases none;
    for (std::int64_t row = 0; row < plan_.rows; ++row) p_.bring(row, streams_, none);
    for (std::int64_t column = 0; column < plan_.columns; ++column) q_.bring(column, streams_, none);
    streams_.synchronize();
    forget_copied_bytes();
  }

  /// Block by block, a row of them after the other, so that a segment of P stays for a row; each row begins with the
  /// segment of Q with which the one before it ended.
  void iterate(const UpdateRule& rule, std::int64_t workers, Phases& phases) override {
    for (std::int64_t row = 0; row < plan_.rows; ++row) {
      for (std::int64_t i = 0; i < plan_.columns; ++i) {
        update_by_block({row, row % 2 == 0 ? i : plan_.columns - 1 - i}, rule, workers, phases);
      }
    }
    if (!plan_.keeps_factors()) write_back(phases);
    streams_.synchronize();
    bytes_moved_ += bytes_of_iteration_;
    factor_bytes_ += p_.take_copied_bytes() + q_.take_copied_bytes();
  }

  void collect(FactorRows& p, FactorRows& q) override {
    Phases none;
    write_back(none);
    streams_.synchronize();
    forget_copied_bytes();
    convert_on_host<Factor, float>(p_.host(), p.all());
    convert_on_host<Factor, float>(q_.host(), q.all());
  }

  [[nodiscard]] std::map<std::string, double> counters() const override {
    return {{"workers", static_cast<double>(workers_)},
            {"grid_rows", static_cast<double>(plan_.rows)},
            {"grid_columns", static_cast<double>(plan_.columns)},
            {"rating_bytes_in", static_cast<double>(rating_bytes_)},
            {"factor_bytes_moved", static_cast<double>(factor_bytes_)},
            {"bytes_moved", static_cast<double>(bytes_moved_)}};
  }

 private:
  /// Ratings on their way through the device.
  struct Piece {
    Buffer<Rating> memory;
    Event ready;  ///< copied in
    Event used;   ///< the kernel is done
  };

  void update_by_block(Block block, const UpdateRule& rule, std::int64_t workers, Phases& phases) {
    const std::span<const Rating> ratings = data_.grid->ratings(block);
    if (ratings.empty()) return;
    const DeviceFactors<Factor> factors{p_.bring(block.row, streams_, phases), q_.bring(block.column, streams_, phases),
                                        data_.stride, p_.first_row(block.row), q_.first_row(block.column)};
    const auto update_by = [&](View<const Rating> some) {
      const std::int64_t useful =
          useful_workers<Factor>(workers, data_.stride, p_.rows(block.row), q_.rows(block.column), some.size());
      workers_ = std::max(workers_, useful);
      const auto scope = phases.gpu("update", streams_.kernels);
      update_on_device(some, factors, rule, useful, streams_.kernels);
    };
    if (data_.resident) {
      update_by(ratings_.view());
    } else {
      for (std::span<const Rating> left = ratings; !left.empty();) {
        const auto some = left.first(std::min(left.size(), static_cast<std::size_t>(plan_.piece)));
        left = left.subspan(some.size());
        Piece& piece = copied_in(some, phases);
        update_by(std::as_const(piece.memory).view().first(std::ssize(some)));
        piece.used.record(streams_.kernels);
      }
    }
    p_.used(block.row, streams_);
    q_.used(block.column, streams_);
  }

  /// The ratings on the device, for work that is queued on streams_.kernels from now on.
  Piece& copied_in(std::span<const Rating> ratings, Phases& phases) {
    Piece& piece = pieces_[next_piece_];
    next_piece_ = (next_piece_ + 1) % pieces_.size();
    streams_.in.wait(piece.used);
    {
      const auto scope = phases.gpu("copy_in", streams_.in);
      piece.memory.upload(ratings, streams_.in);
    }
    piece.ready.record(streams_.in);
    streams_.kernels.wait(piece.ready);
    rating_bytes_ += static_cast<std::int64_t>(ratings.size_bytes());
    return piece;
  }

  /// Copies for RMSEs and answers are none of the training's.
  void forget_copied_bytes() {
    (void)p_.take_copied_bytes();
    (void)q_.take_copied_bytes();
  }
  void write_back(Phases& phases) {
    p_.write_back(streams_, phases);
    q_.write_back(streams_, phases);
  }

  TrainingData data_;
  TransferPlan plan_;
  Segments<Factor> p_;
  Segments<Factor> q_;
  Buffer<Rating> ratings_;
  std::array<Piece, kPieceSlots> pieces_;
  std::size_t next_piece_ = 0;
  std::int64_t workers_ = 0;  ///< the most that updated at a time
  std::int64_t rating_bytes_ = 0;
  std::int64_t factor_bytes_ = 0;
  std::int64_t bytes_of_iteration_ = 0;  ///< that kernels read and write
  std::int64_t bytes_moved_ = 0;
  Streams streams_;  ///< last, so that they wait for their copies before host memory is freed
};

}  // namespace

std::unique_ptr<Training> make_training(Precision precision, const TrainingData& data, const TransferPlan& plan) {
  if (precision == Precision::fp16) return std::make_unique<TrainingOn<Half>>(data, plan);
  return std::make_unique<TrainingOn<float>>(data, plan);
}

}  // namespace warpbench::matrix_factorization
