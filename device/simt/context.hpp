// The executor as kernel code sees it: the built-in variables and the entry points behind __shfl_sync,
// __syncthreads, atomics and dynamic_shared. device/simt/language/cuda.hpp gives them their CUDA names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <source_location>

#include "device/simt/language/vector_types.hpp"

namespace warpbench::simt {

using Location = std::source_location;

/// threadIdx and friends of the kernel thread that runs on this OS thread.
struct Builtins {
  uint3 thread_index;
  uint3 block_index;
  uint3 block_extent;
  uint3 grid_extent;
};
extern constinit thread_local Builtins builtins;

/// The warp-wide operations; a rendezvous needs all named lanes to come with the same one.
enum class Operation : std::uint8_t {
  kSyncWarp,
  kShuffle,
  kShuffleUp,
  kShuffleDown,
  kShuffleXor,
  kBallot,
  kAny,
  kAll,
  kMatchAny,
  kMatchAll,
  kReduceAddSigned,
  kReduceAddUnsigned,
  kReduceMinSigned,
  kReduceMinUnsigned,
  kReduceMaxSigned,
  kReduceMaxUnsigned,
  kReduceAnd,
  kReduceOr,
  kReduceXor,
};

/// CUDA's name of an operation.
const char* operation_name(Operation operation);

struct CollectiveResult {
  std::uint64_t value;
  int predicate;  ///< of __match_all_sync
};

/// The rendezvous of the lanes named in `mask`. `input`: this lane's value of `bytes` bytes; `lane_argument` and
/// `width` as in the shuffles. Returns when all named lanes came; ends the block with a DeviceError if they cannot.
CollectiveResult collective(Operation operation, unsigned mask, std::uint64_t input, int bytes, int lane_argument,
                            int width, const Location& location);

enum class Barrier : std::uint8_t { kPlain, kAnd, kOr, kCount };

/// __syncthreads() and its reductions over `predicate`.
int barrier(Barrier kind, int predicate, const Location& location);

/// Checks an atomic's address and lets other threads run: always under shuffle order, else now and then.
void atomic_point(const void* address, int bytes, const Location& location);

/// Lets other threads of the block run (__nanosleep).
void yield_thread();

/// The lanes that a schedule may see converged with the caller: on simt the caller alone, which CUDA permits.
unsigned active_mask();

/// Address of byte `offset` of the block's dynamic shared memory.
void* dynamic_shared_bytes(std::size_t offset, std::size_t alignment, const Location& location);

/// Ends the block, as the failed assert and __trap() do on a GPU; on the host it throws DeviceError.
[[noreturn]] void kernel_failure(const char* text, const Location& location);

/// Ends the block if `address` is not a multiple of `alignment`.
void check_alignment(const void* address, std::size_t alignment, const Location& location);

unsigned long long clock_ticks();

}  // namespace warpbench::simt
