// simt's device memory: one reserved range of addresses in which every allocation has pages of its own with
// inaccessible pages after it, filled with a poison pattern, and a page table that tells for any address which
// allocation, live or lately freed, it belongs to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace warpbench::simt {

/// The byte that fresh device memory is filled with; as float 0xdbdbdbdb is about -1.2e17.
inline constexpr unsigned char kPoison = 0xdb;

/// Maps `bytes` > 0, poisoned, aligned to a page. Null when the reserved range or the machine's memory is used up.
/// Throws GaveUp where a WorkLimit ends first.
void* map_device_memory(std::int64_t bytes);

/// Ends an allocation; its addresses stay unused for a while so that a late access is told. Returns an error text if
/// `pointer` is no live allocation or bytes past its end were written, else "".
std::string unmap_device_memory(void* pointer);

/// All live allocations, by address. For tests, which look at what a solver left on the device, or overwrite it.
std::vector<std::span<std::byte>> live_device_memory();

/// True for any address inside the reserved range, live or not.
bool is_device_address(const void* address) noexcept;

/// "" if [address, address + bytes) lies in one live allocation (device or pinned); else what is wrong with it.
std::string describe_bad_device_range(const void* address, std::int64_t bytes);

/// The fast form of the same question for an address inside the reserved range.
bool is_live_device_range(const void* address, std::int64_t bytes) noexcept;

/// Host memory that kernels may address and that copies may use asynchronously.
void add_pinned_range(const void* address, std::int64_t bytes);
/// False if `address` was not registered.
bool remove_pinned_range(const void* address) noexcept;
bool is_pinned_range(const void* address, std::int64_t bytes) noexcept;

}  // namespace warpbench::simt
