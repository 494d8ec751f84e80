// The problem `fake`, for tests of the harness alone: it sums the neighbour ids of a graph. Its solvers are registered
// by the real macros. All but `right` and `gpu_right` misbehave, each in one way:
//
//   right            parameters `builder` (prepare), `delay_us` and `jitter_us` (solve)
//   gpu_right        the same on a (simt) device: role proposed, device gpu
//   gpu_parts        the same; marks the part `core`
//   wrong            always one too large
//   gives_up         all of its parts, for want of time; gives_up_memory for want of device memory,
//                    gives_up_host_memory for want of host memory
//   gives_up_some    6 of its 20 parts
//   wrong_later      right for two samples, then wrong
//   wavers           right, but from the third sample on with another number that nothing verifies
//   lazy             solves once on a (simt) device, and downloads that answer ever after
//   digesting        right, with 200 ms of untimed work in each solve
//   clocked          right; reads a clock around each solve and appends the seconds to $FAKE_CLOCK_LOG
//   gpu_clocked      the same on a device: a kernel that runs for `delay_us` by the device's clock
//   segfault, abort, exit3, loop, eat_memory          in solve()
//   print_a_lot (100 MB), close_stdout, fork_children  before a right answer
//   write_nonsense   writes junk into every descriptor it finds, then solves
//   throw_device, throw_device_memory, throw_host_memory, throw_input, throw_unsupported, throw_error, throw_int
//   prepare_crash, prepare_loop                        in prepare()
//   prepare_picky    right; its preparation does not support a `delay_us` below 10, and crashes with 13
//   prepare_slow     right; its preparation takes 0.5 s
//   missing          registered as unavailable in this build
//
// If $FAKE_TRIAL_LOG names a file, each configure() appends process id and parameters to it, and each prepare() of
// prepare_picky its process id; fork_children appends process ids to $FAKE_PID_LOG.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "datasets/graphs/csr.hpp"
#include "harness/plan/plan.hpp"
#include "problems/rules.hpp"

namespace warpbench {

struct FakeProblem {
  static ProblemInfo info();

  struct Input {
    const datasets::Csr* graph = nullptr;
    std::int64_t add = 0;
    std::string reference;  ///< right, slow (takes an hour) or broken (throws)

    [[nodiscard]] std::map<std::string, double> work() const;
  };
  struct Answer {
    std::uint64_t sum = 0;
    std::int64_t solved = 20;  ///< of 20 parts
    std::int64_t unverified = 0;

    [[nodiscard]] std::uint64_t digest() const;
    void poison() { sum = kPoison; }
  };
  using Reference = std::uint64_t;

  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  static Reference reference(const Input& input);
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

namespace harness {

/// A plan over the fake problem and a small generated graph: one trial for each id, grouped by solver. An id is
/// `solver` or `solver:delay_us`. Trial ids are 16 hex digits, made from position and text.
Plan fake_plan(const std::vector<std::string>& solvers);

}  // namespace harness
}  // namespace warpbench
