// Kernels that do one thing as fast as a device can; harness/ measures the machine's ceilings with them. All are queued
// on the stream; the caller times them by events.
#pragma once

#include <cstdint>

#include "device/stream.hpp"
#include "device/view.hpp"

namespace warpbench::ceiling {

/// to[i] = from[i]; sizes equal and a multiple of 4 (16-byte accesses).
void copy(View<const std::uint32_t> from, View<std::uint32_t> to, Stream& stream);

/// `reads` reads of `table` (a power of two of words) at random places; sums go to `sums`, one a thread.
void gather(View<const std::uint32_t> table, View<std::uint32_t> sums, std::int64_t reads, Stream& stream);

/// `reads` reads of tables of 8 KiB in shared memory, a table a block, at random places; sums as above.
void gather_shared(View<std::uint32_t> sums, std::int64_t reads, Stream& stream);

/// `adds` atomic additions to the first `targets` counters (a power of two), spread at random; 1: all to the same.
void add_atomically(View<std::uint32_t> counters, std::int64_t targets, std::int64_t adds, Stream& stream);

/// A kernel of one thread that does nothing.
void launch_nothing(Stream& stream);

}  // namespace warpbench::ceiling
