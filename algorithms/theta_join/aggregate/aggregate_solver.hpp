// The base of the solvers of theta_join's aggregate on a GPU: both relations lie on the device as long as the solver
// lives, and so does the sum, in 128 bits.
#pragma once

#include <array>
#include <map>
#include <string>

#include "device/buffer.hpp"
#include "device/stream.hpp"
#include "problems/theta_join/problem.hpp"
#include "solvers/solver.hpp"
#include "solvers/theta_join/device_relation.hpp"

namespace warpbench::theta {

/// atomicAdd()'s type of 64 bits. A total is two of them: the low and the high half of a two's complement.
using SumWord = unsigned long long;

class AggregateSolver : public Solver<ThetaJoin> {
 public:
  /// Throws Unsupported for another query.
  void prepare(const Input& input, Phases& phases) final;
  /// Throws OutOfDeviceMemory.
  void upload(Phases& phases) final;
  void solve(Phases& phases) final;
  void download(Answer& answer, Phases& phases) final;

  [[nodiscard]] std::map<std::string, double> counters() const override;

 protected:
  explicit AggregateSolver(Layout layout) : layout_(layout) {}

  /// Gives pin_both() what add_up() needs: by default R's keys, and S's with x.
  virtual void pin(const Input& input);
  /// Enqueues total += the sum of S.x over the matching pairs; `total` has two words, 0 at first.
  virtual void add_up(View<SumWord> total, Phases& phases) = 0;

  [[nodiscard]] const Predicate& predicate() const { return predicate_; }
  [[nodiscard]] Stream& stream() { return stream_; }
  [[nodiscard]] const DeviceRelation& r() const { return r_; }
  [[nodiscard]] const DeviceRelation& s() const { return s_; }
  void pin_both(const Fields& r, const Fields& s);
  /// body(tuples of R, tuples of S) on the device, in the layout's type.
  template <typename Body>
  void with_tuples(const Body& body) const {
    if (layout_ == Layout::soa) return body(r_.soa(), s_.soa());
    if (layout_ == Layout::aos) return body(r_.aos(), s_.aos());
    body(r_.padded(), s_.padded());
  }

 private:
  Layout layout_;
  Predicate predicate_;
  Stream stream_;
  DeviceRelation r_;
  DeviceRelation s_;
  Buffer<SumWord> total_;
};

}  // namespace warpbench::theta
