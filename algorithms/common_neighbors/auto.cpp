// auto: counts small graphs on the CPU, where a GPU's launches and transfers take longer than the counting, and others
// on the GPU.
//
// The model is of seconds with transfers. A slot takes the CPU's bmp what it took on three real graphs of some 200,000
// edges (results/h200/real/che2019/real-graphs), and the GPU what it took on three stand-ins of 15 to 36 million edges
// (results/h200/paper/che2019/counting-peers), on which bmp took 2.4 to 6 times as long for a slot: they lie in no
// cache. What the GPU takes for no slots at all is a guess.
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "problems/common_neighbors/problem.hpp"
#include "solvers/choosing_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench {
namespace {

constexpr double kCpuSecondsOfASlot = 7e-8;       ///< and thread, of a graph that the caches hold
constexpr double kCpuSecondsOfAFarSlot = 1.7e-7;  ///< of another
constexpr double kCachedSlots = 8e6;
constexpr double kCpuTask = 6000;  ///< slots that a thread takes at a time
constexpr double kGpuSecondsOfASlot = 4e-10;
constexpr double kGpuSeconds = 5e-4;

double cpu_seconds(double slots) {
  const double tasks_of_a_thread = std::ceil(slots / kCpuTask / omp_get_max_threads());
  return tasks_of_a_thread * std::min(slots, kCpuTask) *
         (slots < kCachedSlots ? kCpuSecondsOfASlot : kCpuSecondsOfAFarSlot);
}

class Auto final : public ChoosingSolver<CommonNeighbors> {
 public:
  explicit Auto(const Parameters& parameters) : ChoosingSolver(parameters) {}

 protected:
  [[nodiscard]] std::vector<Candidate> candidates(const Input& input) const override {
    const auto slots = static_cast<double>(input.graph->slots());
    return {{"bmp", {{"range_filter", false}}, 0, cpu_seconds(slots)},
            {"bmp-gpu", {}, 0, kGpuSeconds + slots * kGpuSecondsOfASlot, true}};
  }
};

WARPBENCH_SOLVER(CommonNeighbors, Auto,
                 {.id = "auto",
                  .title = "bmp on the CPU or bmp-gpu at its best, as a cost model of the graph's size chooses",
                  .source = "this project",
                  .role = Role::peer,
                  .device = Target::hybrid,
                  .ours = true})

}  // namespace
}  // namespace warpbench
