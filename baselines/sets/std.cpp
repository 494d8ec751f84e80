// std: std::set_intersection of the C++ library (bellas2022 §6.2.3), the scalar merge. Counting writes nothing: its
// output iterator only counts.
#include <algorithm>
#include <iterator>

#include "baselines/sets/pair_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench::cpu_sets {
namespace {

/// An output iterator that forgets what it is given, and counts.
class Count {
 public:
  using iterator_category = std::output_iterator_tag;
  using value_type = void;
  using difference_type = std::ptrdiff_t;
  using pointer = void;
  using reference = void;

  Count& operator*() { return *this; }
  Count& operator=(Token /*token*/) { return *this; }
  Count& operator++() {
    ++number_;
    return *this;
  }
  [[nodiscard]] std::size_t number() const { return number_; }

 private:
  std::size_t number_ = 0;
};

/// O(|a| + |b|).
struct Merge {
  explicit Merge(const Parameters& /*parameters*/) {}

  std::size_t operator()(List a, List b, Token* common) const {
    if (common == nullptr) {
      return std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), Count()).number();
    }
    return static_cast<std::size_t>(std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), common) - common);
  }
};

using StdSolver = PairSolver<MergeTechnique<Merge>>;

WARPBENCH_SOLVER(SetIntersection, StdSolver,
                 {.id = "std",
                  .title = "std::set_intersection: the scalar merge",
                  .source = "bellas2022 §6.2.3",
                  .role = Role::cpu_baseline,
                  .device = Target::cpu,
                  .parameters = {threads_parameter()},
                  .smoke = {{"threads", 2}}})

}  // namespace
}  // namespace warpbench::cpu_sets
