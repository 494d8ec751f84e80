// MatrixMaker: a RowMaker that compares all pairs, a part of the join matrix at a time (bellas2022 §3.2.3). The
// relations are on the device as a whole: they are small beside the rows.
#pragma once

#include <cstdint>

#include "algorithms/theta_join/select/join_view.hpp"
#include "algorithms/theta_join/select/row_maker.hpp"
#include "device/buffer.hpp"
#include "solvers/theta_join/partitioner.hpp"

namespace warpbench::theta {

class MatrixMaker : public RowMaker {
 public:
  void prepare(const ThetaJoin::Input& input) final;
  void upload(Stream& stream) final;
  [[nodiscard]] std::int64_t count_rows(Stream& stream) final;
  RowPlan begin(std::int64_t budget, Stream& stream, Phases& phases) final;
  void enqueue(std::int64_t part, View<Row> rows, View<DigestWord> count, Stream& stream, Phases& phases) final;

 protected:
  explicit MatrixMaker(Layout layout) : layout_(layout) {}

  /// What make_rows() takes beside the rows, for each pair and for each tuple of R.
  struct Extra {
    std::int64_t pair_bytes = 0;
    std::int64_t tuple_bytes = 0;
  };
  [[nodiscard]] virtual Extra extra() const = 0;
  virtual void make_rows(const JoinPart& part, View<Row> rows, View<DigestWord> count, Stream& stream,
                         Phases& phases) = 0;

  [[nodiscard]] JoinView join() const { return {r_.view(), s_.view(), predicate_.first, predicate_.second}; }
  [[nodiscard]] const Predicate& predicate() const { return predicate_; }
  [[nodiscard]] const Partition& parts() const { return partition_; }

 private:
  Layout layout_;
  Predicate predicate_;
  std::int64_t r_count_ = 0;
  std::int64_t s_count_ = 0;
  DeviceTuples r_;
  DeviceTuples s_;
  Partition partition_;
};

/// Enqueues count[0] += the pairs of the part that match.
void count_matches(const JoinView& join, const Predicate& predicate, const JoinPart& part, View<DigestWord> count,
                   Stream& stream);

}  // namespace warpbench::theta
