// shared-memory: a thread for each tuple of the larger relation and each of B.y parts of the other one (bellas2022
// §3.3.3, Algorithm 3.2). Sums are private to threads, in shared memory, then reduced by block and by a last kernel, so
// that nothing is atomic in the walk.
//
// Open in the document: what the layouts hold once unneeded fields are removed. Here soa has the needed fields alone,
// and the two layouts of structs keep Listing 3.1's 12 bytes and Listing 3.4's 16, since structs without `id` would
// need no padding. Ours: a thread takes four neighbouring tuples at a step, by vector loads, and its sum is in a
// register until the walk ends, as compilers keep the document's. Where S is the larger relation, R is walked and
// matches are counted.
#include <vector>

#include "algorithms/theta_join/shared_memory/walk.cuh"

namespace warpbench::theta {
namespace {

/// θ with its two sides exchanged.
Condition mirrored(const Condition& condition) {
  const auto comparison = [&] {
    switch (condition.comparison) {
      case Comparison::less:
        return Comparison::greater;
      case Comparison::less_equal:
        return Comparison::greater_equal;
      case Comparison::greater:
        return Comparison::less;
      case Comparison::greater_equal:
        return Comparison::less_equal;
      default:
        return condition.comparison;
    }
  }();
  return {condition.s, comparison, condition.r};
}

class SharedMemory final : public AggregateSolver {
 public:
  explicit SharedMemory(const Parameters& parameters) : AggregateSolver(layout_of(parameters)) {
    SharedMemory::configure(parameters);
  }

  void configure(const Parameters& parameters) override { block_ = block_shape_of(parameters); }

 private:
  void pin(const Input& input) override {
    const datasets::Relations& relations = *input.relations;
    Fields r = keys_of_r(relations, predicate());
    Fields s = keys_of_s(relations, predicate());
    s.x = relations.s.x.span();
    walks_r_ = relations.s.count() > relations.r.count();
    const std::vector<std::int32_t> ones(walks_r_ ? relations.r.a.size() : 0, 1);
    if (walks_r_) r.x = ones;
    pin_both(r, s);
  }

  void add_up(View<SumWord> total, Phases& phases) override {
    with_tuples([&](const auto& r, const auto& s) { walk(r, s, total, phases); });
  }

  template <typename Tuples>
  void walk(const Tuples& r, const Tuples& s, View<SumWord> total, Phases& phases) {
    const Tuples& held = walks_r_ ? s : r;
    const Tuples& walked = walks_r_ ? r : s;
    const Predicate& given = predicate();
    const Predicate theta =
        walks_r_ ? Predicate{mirrored(given.first), mirrored(given.second), given.is_conjunction} : given;
    const std::int64_t blocks = ceil_div(held.size(), BlockShape::kColumns);
    const Dim3 threads = block_.threads();
    const Grid grid{blocks, threads, static_cast<std::size_t>(threads.count()) * sizeof(Int128)};
    Buffer<Int128> sums(blocks, stream());
    {
      const auto scope = phases.gpu("kernel", stream());
      with_functor(theta, [&]<typename Theta>(const Theta& functor) {
        launch(walk_other_relation<Theta, Tuples>, grid, stream(), functor, held, walked, walks_r_, sums.view());
      });
    }
    const auto scope = phases.gpu("reduce", stream());
    add_cells(View<const Int128>(sums.view()), total, stream());
  }

  BlockShape block_;
  bool walks_r_ = false;
};

WARPBENCH_SOLVER(ThetaJoin, SharedMemory,
                 {.id = "shared-memory",
                  .title = "A thread holds a tuple of one relation and walks the other one, with private sums",
                  .source = "bellas2022, §3.3.3, Algorithm 3.2",
                  .role = Role::proposed,
                  .device = Target::gpu,
                  .parameters = {layout_parameter("soa"), block_parameter()},
                  .smoke = {{"threads_per_block", 64}},
                  .exact = true})

}  // namespace
}  // namespace warpbench::theta
