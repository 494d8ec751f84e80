// simt's device memory; see memory.hpp.
#include "device/simt/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <shared_mutex>
#include <sstream>

#include "device/backend/work_limit.hpp"
#include "device/integers.hpp"
#include "device/simt/work_limit.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace warpbench::simt {
namespace {

constexpr std::int64_t kPage = 4096;
constexpr std::int64_t kLargestReserve = std::int64_t{256} << 30;
constexpr std::int64_t kSmallestReserve = std::int64_t{1} << 30;
/// Freed allocations whose addresses are not given out again yet.
constexpr std::size_t kQuarantine = 4096;

/// Fills new memory, of which gigabytes take seconds. False if a WorkLimit ends before.
bool poison_in_time(std::span<std::byte> memory) {
  constexpr std::size_t kPiece = std::size_t{16} << 20;
  for (; !memory.empty(); memory = memory.subspan(std::min(kPiece, memory.size()))) {
    const std::span<std::byte> piece = memory.first(std::min(kPiece, memory.size()));
    std::memset(piece.data(), kPoison, piece.size());
    if (piece.size() == kPiece && std::chrono::steady_clock::now() >= end_of_work()) return false;
  }
  return true;
}

struct Allocation {
  std::byte* base = nullptr;
  std::int64_t bytes = 0;
  std::int64_t pages = 0;  ///< with the guard page
  std::atomic<bool> live = true;
};

class Arena {
 public:
  static Arena& instance() {
    // Leaked on purpose: stream threads may free memory while the process ends.
    static Arena& arena = *std::make_unique<Arena>().release();
    return arena;
  }

  Arena() {
    for (std::int64_t bytes = kLargestReserve; bytes >= kSmallestReserve; bytes /= 2) {
      void* memory =
          mmap(nullptr, static_cast<std::size_t>(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (memory == MAP_FAILED) continue;
      base_ = static_cast<std::byte*>(memory);
      bytes_ = bytes;
      break;
    }
    const std::int64_t pages = bytes_ / kPage;
    void* table = mmap(nullptr, static_cast<std::size_t>(pages) * sizeof(Slot) + 1, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (table == MAP_FAILED) throw std::bad_alloc();
    // All-zero bytes are null pointers: the pages come zeroed and are touched only where allocations are.
    table_ = static_cast<Slot*>(table);
    if (pages > 0) free_ranges_[0] = pages;
  }

  bool contains(const void* address) const noexcept {
    const auto offset = reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(base_);
    return offset < static_cast<std::uintptr_t>(bytes_);
  }

  const Allocation* find(const void* address) const noexcept {
    const std::int64_t offset = static_cast<const std::byte*>(address) - base_;
    return table_[offset / kPage].load(std::memory_order_acquire);
  }

  void* map(std::int64_t bytes);
  std::string unmap(void* pointer);
  std::string describe(const void* address, std::int64_t bytes);
  std::vector<std::span<std::byte>> live();

 private:
  using Slot = std::atomic<const Allocation*>;

  std::int64_t take_range(std::int64_t pages);
  void give_range(std::int64_t first, std::int64_t pages);
  void recycle_oldest();
  void set_slots(const Allocation& allocation, const Allocation* value) {
    const std::int64_t first = (allocation.base - base_) / kPage;
    for (std::int64_t page = 0; page < allocation.pages; ++page) {
      table_[first + page].store(value, std::memory_order_release);
    }
  }

  std::mutex mutex_;
  std::byte* base_ = nullptr;
  std::int64_t bytes_ = 0;
  Slot* table_ = nullptr;
  std::map<std::int64_t, std::int64_t> free_ranges_;  ///< first page -> pages, coalesced
  std::map<const void*, std::unique_ptr<Allocation>> live_;
  std::deque<std::unique_ptr<Allocation>> quarantine_;
};

std::int64_t Arena::take_range(std::int64_t pages) {
  for (auto range = free_ranges_.begin(); range != free_ranges_.end(); ++range) {
    if (range->second < pages) continue;
    const std::int64_t first = range->first;
    const std::int64_t rest = range->second - pages;
    free_ranges_.erase(range);
    if (rest > 0) free_ranges_[first + pages] = rest;
    return first;
  }
  return -1;
}

void Arena::give_range(std::int64_t first, std::int64_t pages) {
  auto next = free_ranges_.lower_bound(first);
  if (next != free_ranges_.end() && next->first == first + pages) {
    pages += next->second;
    next = free_ranges_.erase(next);
  }
  if (next != free_ranges_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == first) {
      before->second += pages;
      return;
    }
  }
  free_ranges_[first] = pages;
}

void Arena::recycle_oldest() {
  const Allocation& oldest = *quarantine_.front();
  set_slots(oldest, nullptr);
  give_range((oldest.base - base_) / kPage, oldest.pages);
  quarantine_.pop_front();
}

void* Arena::map(std::int64_t bytes) {
  const std::int64_t data_pages = ceil_div(bytes, kPage);
  auto allocation = std::make_unique<Allocation>();
  allocation->bytes = bytes;
  allocation->pages = data_pages + 1;
  {
    const std::lock_guard lock(mutex_);
    while (quarantine_.size() > kQuarantine) recycle_oldest();
    std::int64_t first = take_range(allocation->pages);
    while (first < 0 && !quarantine_.empty()) {
      recycle_oldest();
      first = take_range(allocation->pages);
    }
    if (first < 0) return nullptr;
    allocation->base = base_ + first * kPage;
    if (mprotect(allocation->base, static_cast<std::size_t>(data_pages * kPage), PROT_READ | PROT_WRITE) != 0) {
      give_range(first, allocation->pages);
      return nullptr;
    }
  }
  std::byte* base = allocation->base;
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(base, static_cast<std::size_t>(data_pages * kPage));
#endif
  if (!poison_in_time(std::span(base, static_cast<std::size_t>(data_pages * kPage)))) {
    const std::lock_guard lock(mutex_);
    (void)madvise(base, static_cast<std::size_t>(data_pages * kPage), MADV_DONTNEED);
    (void)mprotect(base, static_cast<std::size_t>(data_pages * kPage), PROT_NONE);
    give_range((base - base_) / kPage, allocation->pages);
    throw GaveUp();
  }
#if defined(__SANITIZE_ADDRESS__)
  ASAN_POISON_MEMORY_REGION(base + bytes, static_cast<std::size_t>(data_pages * kPage - bytes));
#endif
  const std::lock_guard lock(mutex_);
  set_slots(*allocation, allocation.get());
  live_[base] = std::move(allocation);
  return base;
}

std::string Arena::unmap(void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto found = live_.find(pointer);
  if (found == live_.end()) return "freeing memory that is not a live allocation";
  std::unique_ptr<Allocation> allocation = std::move(found->second);
  live_.erase(found);
  const auto mapped = static_cast<std::size_t>((allocation->pages - 1) * kPage);
  std::string problem;
#if defined(__SANITIZE_ADDRESS__)
  ASAN_UNPOISON_MEMORY_REGION(allocation->base, mapped);
#endif
  const auto is_poison = [](std::byte value) { return value == std::byte{kPoison}; };
  if (!std::all_of(allocation->base + allocation->bytes, allocation->base + mapped, is_poison)) {
    problem = "bytes past the end of an allocation of " + std::to_string(allocation->bytes) + " bytes were written";
  }
  allocation->live = false;
  // Back to no access and no storage; the page table still knows whose addresses these were.
  (void)madvise(allocation->base, mapped, MADV_DONTNEED);
  (void)mprotect(allocation->base, mapped, PROT_NONE);
  quarantine_.push_back(std::move(allocation));
  return problem;
}

std::string Arena::describe(const void* address, std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  std::ostringstream text;
  if (const Allocation* allocation = find(address)) {
    const std::int64_t offset = static_cast<const std::byte*>(address) - allocation->base;
    if (!allocation->live) {
      text << "use after free: byte " << offset << " of a freed allocation of " << allocation->bytes << " bytes";
    } else if (offset + bytes > allocation->bytes) {
      text << "out of bounds: bytes [" << offset << ", " << offset + bytes << ") of an allocation of "
           << allocation->bytes << " bytes";
    }
    return text.str();
  }
  const auto after = live_.upper_bound(address);
  if (after != live_.end()) {
    text << "out of bounds: " << static_cast<const std::byte*>(after->first) - static_cast<const std::byte*>(address)
         << " bytes before an allocation of " << after->second->bytes << " bytes";
  } else if (!live_.empty()) {
    const Allocation& last = *std::prev(live_.end())->second;
    text << "out of bounds: " << static_cast<const std::byte*>(address) - last.base - last.bytes
         << " bytes past the end of an allocation of " << last.bytes << " bytes";
  } else {
    text << "out of bounds: no device memory is allocated";
  }
  return text.str();
}

std::vector<std::span<std::byte>> Arena::live() {
  const std::lock_guard lock(mutex_);
  std::vector<std::span<std::byte>> all;
  for (const auto& [base, allocation] : live_) {
    all.emplace_back(allocation->base, static_cast<std::size_t>(allocation->bytes));
  }
  return all;
}

/// Pinned ranges are few and change rarely, but kernels and copies ask often.
class PinnedRanges {
 public:
  static PinnedRanges& instance() {
    static PinnedRanges& ranges = *std::make_unique<PinnedRanges>().release();
    return ranges;
  }
  void add(const void* address, std::int64_t bytes) {
    const std::unique_lock lock(mutex_);
    ranges_[static_cast<const std::byte*>(address)] = bytes;
  }
  bool remove(const void* address) noexcept {
    const std::unique_lock lock(mutex_);
    return ranges_.erase(static_cast<const std::byte*>(address)) > 0;
  }
  bool contains(const void* address, std::int64_t bytes) noexcept {
    const std::shared_lock lock(mutex_);
    const auto* begin = static_cast<const std::byte*>(address);
    auto range = ranges_.upper_bound(begin);
    if (range == ranges_.begin()) return false;
    --range;
    return begin + bytes <= range->first + range->second;
  }

 private:
  std::shared_mutex mutex_;
  std::map<const std::byte*, std::int64_t> ranges_;
};

}  // namespace

void* map_device_memory(std::int64_t bytes) {
  return Arena::instance().map(bytes);
}

std::string unmap_device_memory(void* pointer) {
  return Arena::instance().unmap(pointer);
}

std::vector<std::span<std::byte>> live_device_memory() {
  return Arena::instance().live();
}

bool is_device_address(const void* address) noexcept {
  return Arena::instance().contains(address);
}

bool is_live_device_range(const void* address, std::int64_t bytes) noexcept {
  const Allocation* allocation = Arena::instance().find(address);
  if (allocation == nullptr || !allocation->live.load(std::memory_order_relaxed)) return false;
  return static_cast<const std::byte*>(address) + bytes <= allocation->base + allocation->bytes;
}

std::string describe_bad_device_range(const void* address, std::int64_t bytes) {
  if (is_device_address(address)) {
    return is_live_device_range(address, bytes) ? "" : Arena::instance().describe(address, bytes);
  }
  if (is_pinned_range(address, bytes)) return "";
  std::ostringstream text;
  text << address << " is neither device memory nor pinned host memory";
  return text.str();
}

void add_pinned_range(const void* address, std::int64_t bytes) {
  PinnedRanges::instance().add(address, bytes);
}

bool remove_pinned_range(const void* address) noexcept {
  return PinnedRanges::instance().remove(address);
}

bool is_pinned_range(const void* address, std::int64_t bytes) noexcept {
  return PinnedRanges::instance().contains(address, bytes);
}

}  // namespace warpbench::simt
