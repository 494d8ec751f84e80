// auto: counts small graphs on the CPU, where a GPU's launches and transfers take longer than the counting, and others
// on the GPU.
//
// The model is of seconds with transfers. A slot's time on the CPU is that of bmp on three real graphs of some 200,000
// edges (results/h200/real/che2019/real-graphs), on the GPU that of bmp-gpu on three stand-ins of 15 to 36 million
// (results/h200/paper/che2019/counting-peers). The time that the GPU takes for no slots at all is a guess.
#include <omp.h>

#include <vector>

#include "problems/common_neighbors/problem.hpp"
#include "solvers/choosing_solver.hpp"
#include "solvers/solver.hpp"

namespace warpbench {
namespace {

constexpr double kCpuSecondsOfASlotAndThread = 7e-8;
constexpr double kGpuSecondsOfASlot = 4e-10;
constexpr double kGpuSeconds = 5e-4;

class Auto final : public ChoosingSolver<CommonNeighbors> {
 public:
  explicit Auto(const Parameters& parameters) : ChoosingSolver(parameters) {}

 protected:
  [[nodiscard]] std::vector<Candidate> candidates(const Input& input) const override {
    const auto slots = static_cast<double>(input.graph->slots());
    return {{"bmp", {{"range_filter", false}}, 0, slots * kCpuSecondsOfASlotAndThread / omp_get_max_threads()},
            {"bmp-gpu", {}, 0, kGpuSeconds + slots * kGpuSecondsOfASlot, true}};
  }
};

WARPBENCH_SOLVER(CommonNeighbors, Auto,
                 {.id = "auto",
                  .title = "bmp on the CPU or bmp-gpu at its best, as a cost model of the graph's size chooses",
                  .source = "this project",
                  .role = Role::peer,
                  .device = Target::gpu,
                  .ours = true})

}  // namespace
}  // namespace warpbench
