// auto: counts small graphs on the CPU, where a GPU's launches and transfers take longer than the counting, and others
// on the GPU.
//
// The model is of seconds with transfers, fitted to livejournal-like and kronecker of 10^4 to 10^7 edges in a run of
// che2019/choice that was not kept (an H200, 25804752). On graphs that lie in no cache a slot takes bmp two to three
// times as long.
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
constexpr double kGpuSecondsOfASlot = 2.2e-10;
constexpr double kGpuSeconds = 3.8e-4;

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
