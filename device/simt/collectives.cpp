// The rendezvous behind warp collectives and block barriers, and the messages about one that cannot take place.
#include <algorithm>
#include <bit>
#include <cstring>
#include <sstream>

#include "device/simt/executor.hpp"

namespace warpbench::simt {
namespace {

std::string hexadecimal(unsigned mask) {
  std::ostringstream text;
  text << "0x" << std::hex << mask;
  return text.str();
}

std::string text_of(const Location& location) {
  return std::string(location.file_name()) + ":" + std::to_string(location.line());
}

bool same_place(const Location& a, const Location& b) {
  return a.line() == b.line() && a.column() == b.column() && std::strcmp(a.file_name(), b.file_name()) == 0;
}

bool is_shuffle(Operation operation) {
  return operation == Operation::kShuffle || operation == Operation::kShuffleUp ||
         operation == Operation::kShuffleDown || operation == Operation::kShuffleXor;
}

/// One step of a reduction or vote: combines two values.
std::uint64_t combined(Operation operation, std::uint64_t a, std::uint64_t b) {
  const auto u = static_cast<unsigned>(a);
  const auto v = static_cast<unsigned>(b);
  const auto s = static_cast<int>(u);
  const auto t = static_cast<int>(v);
  switch (operation) {
    case Operation::kReduceAddSigned:
    case Operation::kReduceAddUnsigned:
      return u + v;
    case Operation::kReduceMinSigned:
      return static_cast<unsigned>(std::min(s, t));
    case Operation::kReduceMaxSigned:
      return static_cast<unsigned>(std::max(s, t));
    case Operation::kReduceMinUnsigned:
      return std::min(u, v);
    case Operation::kReduceMaxUnsigned:
      return std::max(u, v);
    case Operation::kReduceAnd:
      return a & b;
    case Operation::kReduceOr:
      return a | b;
    default:
      return a ^ b;
  }
}

/// Calls `visit(lane)` for each set bit, lowest first.
template <typename Visit>
void for_each_lane(unsigned mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) visit(std::countr_zero(mask));
}

}  // namespace

const char* operation_name(Operation operation) {
  switch (operation) {
    case Operation::kSyncWarp:
      return "__syncwarp";
    case Operation::kShuffle:
      return "__shfl_sync";
    case Operation::kShuffleUp:
      return "__shfl_up_sync";
    case Operation::kShuffleDown:
      return "__shfl_down_sync";
    case Operation::kShuffleXor:
      return "__shfl_xor_sync";
    case Operation::kBallot:
      return "__ballot_sync";
    case Operation::kAny:
      return "__any_sync";
    case Operation::kAll:
      return "__all_sync";
    case Operation::kMatchAny:
      return "__match_any_sync";
    case Operation::kMatchAll:
      return "__match_all_sync";
    case Operation::kReduceAddSigned:
    case Operation::kReduceAddUnsigned:
      return "__reduce_add_sync";
    case Operation::kReduceMinSigned:
    case Operation::kReduceMinUnsigned:
      return "__reduce_min_sync";
    case Operation::kReduceMaxSigned:
    case Operation::kReduceMaxUnsigned:
      return "__reduce_max_sync";
    case Operation::kReduceAnd:
      return "__reduce_and_sync";
    case Operation::kReduceOr:
      return "__reduce_or_sync";
    case Operation::kReduceXor:
      return "__reduce_xor_sync";
  }
  return "collective";
}

void Executor::check_collective(const Warp& warp, int lane, Operation operation, unsigned mask, int width,
                                const Location& location) {
  const Place place = Place::of(location);
  const char* name = operation_name(operation);
  if (((mask >> lane) & 1U) == 0) {
    fail(place, [&] {
      return std::string(name) + ": the caller, lane " + std::to_string(lane) + ", is not in its own mask " +
             hexadecimal(mask);
    });
  }
  if ((mask & ~warp.exists) != 0) {
    fail(place, [&] {
      return std::string(name) + ": mask " + hexadecimal(mask) + " names lanes " + hexadecimal(mask & ~warp.exists) +
             " that the block does not have";
    });
  }
  if ((mask & warp.exited) != 0) {
    fail(place, [&] {
      return std::string(name) + ": mask " + hexadecimal(mask) + " names lanes " + hexadecimal(mask & warp.exited) +
             " that have left the kernel";
    });
  }
  if ((mask & warp.at_barrier) != 0) {
    fail(place, [&] {
      return std::string(name) + ": mask " + hexadecimal(mask) + " names lanes " + hexadecimal(mask & warp.at_barrier) +
             " that wait at __syncthreads() " + text_of(barrier_location_);
    });
  }
  if (is_shuffle(operation) && (width < 1 || width > kLanes || !std::has_single_bit(static_cast<unsigned>(width)))) {
    fail(place,
         [&] { return std::string(name) + ": width " + std::to_string(width) + " is not a power of two up to 32"; });
  }
}

void Executor::check_cycle(const Warp& warp, const Group& group, const Location& location) {
  for (int g = 0; g < warp.group_count; ++g) {
    const Group& other = warp.groups[static_cast<std::size_t>(g)];
    if (&other == &group || (other.arrived & group.mask) == 0 || (group.arrived & other.mask) == 0) continue;
    fail(Place::of(location), [&] {
      return std::string(operation_name(group.operation)) + " with mask " + hexadecimal(group.mask) +
             " and a waiting collective name each other's lanes but differ in mask or operation" + waits_text();
    });
  }
}

CollectiveResult Executor::collective(Operation operation, unsigned mask, std::uint64_t input, int bytes,
                                      int lane_argument, int width, const Location& location) {
  Thread& self = *current_;
  const int thread = number(self);
  const int lane = thread % kLanes;
  Warp& warp = warp_of(thread);
  const bool plain = ((mask >> lane) & 1U) != 0 && (mask & ~warp.exists) == 0 &&
                     (mask & (warp.exited | warp.at_barrier)) == 0 && width == kLanes;
  if (!plain) check_collective(warp, lane, operation, mask, width, location);

  self.location = location;
  self.input = input;
  self.lane_argument = lane_argument;
  self.width = width;
  int g = 0;
  while (g < warp.group_count) {
    const Group& group = warp.groups[static_cast<std::size_t>(g)];
    if (group.mask == mask && group.operation == operation && group.bytes == bytes) break;
    ++g;
  }
  Group& group = warp.groups[static_cast<std::size_t>(g)];
  if (g == warp.group_count) {
    group = Group{operation, bytes, mask, 0};
    ++warp.group_count;
  }
  group.arrived |= 1U << lane;
  if (group.arrived == mask) {
    const Group finished = group;
    group = warp.groups[static_cast<std::size_t>(--warp.group_count)];
    complete(thread / kLanes, finished);
    if (finished.mask == 1U << lane) return self.output;
    set_ready(thread / kLanes, finished.mask);
  } else if (warp.group_count > 1) {
    check_cycle(warp, group, location);
  }
  switch_away(Pick::kStay);
  return self.output;
}

int Executor::shuffle_source(Operation operation, const Thread& thread, int lane) const {
  const int segment = lane & ~(thread.width - 1);
  switch (operation) {
    case Operation::kShuffle:
      return segment | (thread.lane_argument & (thread.width - 1));
    case Operation::kShuffleUp: {
      const int source = lane - (thread.lane_argument & (kLanes - 1));
      return source < segment ? lane : source;
    }
    case Operation::kShuffleDown: {
      const int source = lane + (thread.lane_argument & (kLanes - 1));
      return source >= segment + thread.width ? lane : source;
    }
    default: {
      const int source = lane ^ (thread.lane_argument & (kLanes - 1));
      return source >= segment + thread.width ? lane : source;
    }
  }
}

void Executor::complete(int warp, const Group& group) {
  Thread* lanes = &threads_[static_cast<std::size_t>(warp) * kLanes];
  if (group.operation == Operation::kSyncWarp) {
    shadow_.synchronize_warp(warp);
    return;
  }
  if (is_shuffle(group.operation)) {
    for_each_lane(group.mask, [&](int lane) {
      const int source = shuffle_source(group.operation, lanes[lane], lane);
      if (((group.mask >> source) & 1U) == 0) {
        fail(Place::of(lanes[lane].location), [&] {
          return std::string(operation_name(group.operation)) + ": lane " + std::to_string(lane) + " reads lane " +
                 std::to_string(source) + ", which is not in mask " + hexadecimal(group.mask);
        });
      }
      lanes[lane].output.value = lanes[source].input;
    });
    return;
  }
  if (group.operation == Operation::kMatchAny) {
    for_each_lane(group.mask, [&](int lane) {
      unsigned peers = 0;
      for_each_lane(group.mask, [&](int other) {
        if (lanes[other].input == lanes[lane].input) peers |= 1U << other;
      });
      lanes[lane].output.value = peers;
    });
    return;
  }
  unsigned votes = 0;
  bool equal = true;
  const std::uint64_t first = lanes[std::countr_zero(group.mask)].input;
  std::uint64_t total = first;
  for_each_lane(group.mask, [&](int lane) {
    if (lanes[lane].input != 0) votes |= 1U << lane;
    if (lanes[lane].input != first) equal = false;
  });
  for_each_lane(group.mask & (group.mask - 1),
                [&](int lane) { total = combined(group.operation, total, lanes[lane].input); });
  CollectiveResult result{total, 0};
  if (group.operation == Operation::kBallot) result.value = votes;
  if (group.operation == Operation::kAny) result.value = votes != 0 ? 1 : 0;
  if (group.operation == Operation::kAll) result.value = votes == group.mask ? 1 : 0;
  if (group.operation == Operation::kMatchAll) result = {equal ? group.mask : 0, equal ? 1 : 0};
  for_each_lane(group.mask, [&](int lane) { lanes[lane].output = result; });
}

int Executor::barrier(Barrier kind, int predicate, const Location& location) {
  Thread& self = *current_;
  const int thread = number(self);
  const int lane = thread % kLanes;
  Warp& warp = warp_of(thread);
  const Place place = Place::of(location);
  // CUDA (sm_70 and later) waits for the threads that are still there only; older devices and the programming
  // guide's rule want all threads of the block, and a kernel that relies on less is almost always wrong.
  if (exited_count_ > 0) {
    fail(place, [&] {
      return "__syncthreads() after " + std::to_string(exited_count_) + " of " + std::to_string(thread_count_) +
             " threads have left the kernel: a barrier must be reached by all threads of the block";
    });
  }
  if (barrier_arrived_ > 0 && (kind != barrier_kind_ || !same_place(location, barrier_location_))) {
    fail(place, [&] {
      return "__syncthreads() here while " + std::to_string(barrier_arrived_) + " threads wait at another one, " +
             text_of(barrier_location_) + ": a barrier must be reached by all threads of the block";
    });
  }
  for (int g = 0; g < warp.group_count; ++g) {
    const Group& group = warp.groups[static_cast<std::size_t>(g)];
    if (((group.mask >> lane) & 1U) != 0) {
      fail(place, [&] {
        return "__syncthreads() although a collective that waits in the same warp names this lane" + waits_text();
      });
    }
  }
  if (barrier_arrived_++ == 0) {
    barrier_kind_ = kind;
    barrier_location_ = location;
    barrier_votes_ = 0;
  }
  if (predicate != 0) ++barrier_votes_;
  self.location = location;
  warp.at_barrier |= 1U << lane;
  if (barrier_arrived_ < thread_count_) {
    switch_away(Pick::kStay);
    return barrier_result_;
  }
  barrier_arrived_ = 0;
  switch (kind) {
    case Barrier::kPlain:
      barrier_result_ = 0;
      break;
    case Barrier::kAnd:
      barrier_result_ = barrier_votes_ == thread_count_ ? 1 : 0;
      break;
    case Barrier::kOr:
      barrier_result_ = barrier_votes_ > 0 ? 1 : 0;
      break;
    case Barrier::kCount:
      barrier_result_ = barrier_votes_;
      break;
  }
  shadow_.synchronize_block();
  for (int w = 0; w < warp_count_; ++w) {
    Warp& each = warps_[static_cast<std::size_t>(w)];
    each.at_barrier = 0;
    set_ready(w, each.exists);
  }
  switch_away(Pick::kRestart);
  return barrier_result_;
}

void Executor::report_deadlock() {
  fail(Place::of(current_->location), [&] { return "deadlock: no thread of the block can go on" + waits_text(); });
}

std::string Executor::waits_text() const {
  std::string text;
  constexpr std::size_t kEnough = 2000;
  for (int w = 0; w < warp_count_ && text.size() < kEnough; ++w) text += warp_waits_text(w);
  if (barrier_arrived_ > 0) {
    text += "\n  " + std::to_string(barrier_arrived_) + " of " + std::to_string(thread_count_) +
            " threads wait at __syncthreads() " + text_of(barrier_location_);
  }
  return text;
}

std::string Executor::warp_waits_text(int w) const {
  const Warp& warp = warps_[static_cast<std::size_t>(w)];
  std::string text;
  for (int g = 0; g < warp.group_count; ++g) {
    const Group& group = warp.groups[static_cast<std::size_t>(g)];
    const int waiting = w * kLanes + std::countr_zero(group.arrived);
    const unsigned missing = group.mask & ~group.arrived;
    text += "\n  warp " + std::to_string(w) + ": lanes " + hexadecimal(group.arrived) + " wait at " +
            operation_name(group.operation) + "(" + hexadecimal(group.mask) + ") " +
            text_of(threads_[static_cast<std::size_t>(waiting)].location) + " for lanes " + hexadecimal(missing);
    if ((missing & warp.at_barrier) != 0)
      text += ", of which " + hexadecimal(missing & warp.at_barrier) + " wait at a barrier";
    if ((missing & warp.exited) != 0) text += ", of which " + hexadecimal(missing & warp.exited) + " left the kernel";
  }
  return text;
}

}  // namespace warpbench::simt
