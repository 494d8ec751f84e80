// Fibers for simt: a stack each and a switch of about 10 ns, on Boost.Context's fcontext. This interface hides the
// library and the annotations that AddressSanitizer and ThreadSanitizer need to follow a switch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace warpbench::simt {

/// One stack of control. The default-constructed Fiber stands for the OS thread's own stack.
struct Fiber {
  void* context = nullptr;         ///< where to continue; null: not begun
  std::byte* stack_low = nullptr;  ///< lowest usable byte; null for the OS thread's own stack
  std::size_t stack_bytes = 0;
  int number = 0;
  void* asan_fake_stack = nullptr;
  void* tsan_fiber = nullptr;

  bool holds(const void* address) const {
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(stack_low);
    return offset < stack_bytes;
  }
};

/// The fibers of one OS thread. Not thread-safe: fibers never leave the thread that made them.
class FiberPool {
 public:
  using Entry = void (*)();  ///< must never return

  explicit FiberPool(Entry entry);
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// A fiber that nobody uses. Throws std::bad_alloc when no stack can be mapped.
  Fiber* acquire();
  /// Gives back a fiber that is parked inside its entry function, for another acquire().
  void park(Fiber* fiber) { idle_.push_back(fiber); }
  /// Forgets what all fibers were doing: their frames are dropped without unwinding.
  void abandon_all();

  Fiber& main() { return main_; }

  /// Continues `to`, leaving `from`, which must be the running fiber. Returns when someone switches back to `from`.
  void switch_to(Fiber& from, Fiber& to);

  /// The owner of `address` among all stacks, or null.
  const Fiber* find(const void* address) const;

  /// False if the fiber has run over the end of its stack's last guard words.
  static bool stack_intact(const Fiber& fiber);

 private:
  void prepare(Fiber& fiber);

  Entry entry_;
  Fiber main_;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
};

}  // namespace warpbench::simt
