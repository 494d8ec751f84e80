// The shadow of a block's shared memory: for every 4-byte word who wrote and read it last, when, and from where.
// It tells races (two threads, at least one writing, no barrier between) and reads of words that nobody wrote.
//
// Order known to it: __syncthreads() orders the block; any __syncwarp() of a warp orders that warp's lanes (more than
// CUDA promises when its mask is partial, so such a race can be missed). Shuffles and votes order nothing, as in
// CUDA. Atomics never race with atomics; a lock made of atomics orders nothing, so what it guards in shared memory is
// reported.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpbench::simt {

#if defined(WARPBENCH_SIMT_SHADOW)
inline constexpr bool kShadowed = true;
#else
/// Sanitizer builds: kernels are instrumented for the sanitizer, and no access comes here.
inline constexpr bool kShadowed = false;
#endif

/// One access by kernel code.
struct Access {
  const void* address = nullptr;
  int bytes = 0;
  bool write = false;
  bool atomic = false;
  const void* return_address = nullptr;
};

class Shadow {
 public:
  /// Finds this OS thread's static shared memory (the program's thread-local block, without simt's own variables).
  /// `arena` of `arena_bytes` is where dynamic shared memory lies.
  Shadow(const std::byte* arena, std::int64_t arena_bytes);

  /// Forgets everything: a new block begins, with `warps` warps.
  void begin_block();
  void synchronize_block() { ++barrier_epoch_; }
  void synchronize_warp(int warp) { ++warp_epochs_[static_cast<std::size_t>(warp)]; }

  /// True if the address is shared memory; then `problem` is "" or what is wrong with this access by `thread`, with
  /// {0} where the other thread's name belongs, which is `other`.
  bool check(const Access& access, int thread, std::string& problem, int& other);

 private:
  /// Who touched a word last in one way.
  struct Mark {
    std::uint32_t barrier_epoch = 0;
    std::uint32_t warp_epoch = 0;
    const void* return_address = nullptr;
    std::uint16_t thread = 0;
    std::uint8_t byte_mask = 0;  ///< 0: nobody
    bool atomic = false;
  };
  struct Word {
    std::uint32_t block_epoch = 0;
    std::uint8_t written_bytes = 0;
    bool exempt = false;
    Mark writer;
    std::array<Mark, 3> readers;  ///< one, another lane of its warp, one of another warp
  };
  struct Region {
    std::uintptr_t begin = 0;
    std::uintptr_t bytes = 0;
    std::vector<Word> words;
    bool contains(std::uintptr_t address) const { return address - begin < bytes; }
  };

  void exempt(const void* object, std::size_t bytes);
  bool ordered_before_now(const Mark& mark, int thread) const;
  const Mark* conflict(const Word& word, const Access& access, int thread, std::uint8_t byte_mask) const;
  void remember(Word& word, const Access& access, int thread, std::uint8_t byte_mask);
  void remember_reader(Word& word, const Mark& mark);

  Region statics_;
  Region dynamic_;
  std::uint32_t block_epoch_ = 0;
  std::uint32_t barrier_epoch_ = 0;
  std::array<std::uint32_t, 32> warp_epochs_{};
};

class Executor;

/// Judges one access of the running kernel thread: shared memory by the shadow, device memory by the table of
/// allocations, anything else by whether a GPU could address it. Ends the block if it is wrong.
void check_access(Executor& executor, const Access& access);

}  // namespace warpbench::simt
