// A solver for each problem from outside: this file is all that was added. It answers by the problem's reference.
#include "problems/common_neighbors/problem.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "problems/set_containment/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "problems/subgraph_matching/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench {
namespace {

CommonNeighbors::Answer answer_of(const CommonNeighbors::Input& /*input*/, CommonNeighbors::Reference& reference) {
  return {reference};
}

/// Rows of k places, of which the reference has those that hold a point.
NearestNeighbors::Answer answer_of(const NearestNeighbors::Input& input, NearestNeighbors::Reference& reference) {
  std::vector<std::uint32_t>& ids = reference.neighbors;
  const std::vector<std::uint32_t> unused(static_cast<std::size_t>(input.k - input.places()), kNone<std::uint32_t>);
  for (std::int64_t q = 0; q < input.queries() && !unused.empty(); ++q) {
    ids.insert(ids.begin() + q * input.k + input.places(), unused.begin(), unused.end());
  }
  return {ids};
}

SetContainment::Answer answer_of(const SetContainment::Input& /*input*/, SetContainment::Reference& reference) {
  return {{reference.kept, reference.band_digests}, reference.places};
}

SetIntersection::Answer answer_of(const SetIntersection::Input& /*input*/, SetIntersection::Reference& reference) {
  return {{reference.counts.kept, reference.counts.band_digests}, reference.common, reference.tokens};
}

/// Of each query the number of matches and their digest, which is what a reference has.
SubgraphMatching::Answer answer_of(const SubgraphMatching::Input& /*input*/, SubgraphMatching::Reference& reference) {
  SubgraphMatching::Answer answer;
  for (std::size_t i = 0; i < reference.counts.size(); ++i) {
    answer.queries.push_back({true, reference.counts[i], reference.digests.empty() ? 0 : reference.digests[i], {}});
  }
  return answer;
}

template <typename Input>
void refuse_what_no_reference_holds(const Input& /*input*/) {}
void refuse_what_no_reference_holds(const SubgraphMatching::Input& input) {
  using Output = SubgraphMatching::Output;
  if (input.output != Output::count && input.output != Output::digest) throw Unsupported("it lists no matches");
}

template <typename Problem>
class ByReference final : public Solver<Problem> {
 public:
  using typename Solver<Problem>::Answer;
  using typename Solver<Problem>::Input;

  explicit ByReference(const Parameters& /*parameters*/) {}

  void prepare(const Input& input, Phases& /*phases*/) override {
    refuse_what_no_reference_holds(input);
    input_ = &input;
  }
  void solve(Phases& /*phases*/) override {
    reference_ = Problem::reference(*input_);
    answer_ = answer_of(*input_, reference_);
  }
  void download(Answer& answer, Phases& /*phases*/) override { answer = answer_; }
  void forget() override { answer_ = {}; }
  void configure(const Parameters& /*parameters*/) override {}

 private:
  const Input* input_ = nullptr;
  typename Problem::Reference reference_;
  Answer answer_{};
};

[[maybe_unused]] const bool registered =
    register_for<ByReference, CommonNeighbors, NearestNeighbors, SetContainment, SetIntersection, SubgraphMatching>(
        {.id = "from-outside",
         .title = "The reference as a solver",
         .source = "none",
         .role = Role::peer,
         .device = Target::cpu,
         .ours = true});

}  // namespace
}  // namespace warpbench
