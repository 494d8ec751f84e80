// Small levels of fsig's enumeration, and the count at its end: one block goes through them, one after the other, as
// long as each is small. Nothing like it is in yu2023.
//
// Level by level the host learns two sizes and launches seven kernels, which take some 50 us on an H200 however few
// rows there are. A block alone takes a few microseconds for some hundred rows.
#pragma once

#include <cstdint>

#include "algorithms/subgraph_matching/fsig/enumeration/steps.hpp"

namespace warpbench::matching::fsig {

/// The way matches are made from the rows of the last table.
enum class Finish {
  rows,    ///< they are the rows
  leaves,  ///< the levels left are independent leaves, whose images are multiplied
  join     ///< the one level left is joined and counted
};

/// List elements of a level, and rows, up to which a block alone is faster: 16 rounds of its threads.
inline constexpr std::int64_t kMaxSmallElements = std::int64_t{1} << 13;
/// Query vertices.
inline constexpr std::int64_t kMaxSmallWidth = 64;

struct SmallLevels {
  View<const DeviceLevel> levels;  ///< of the whole order, on the device
  Auxiliary auxiliary;
  View<const Vertex> first_table;  ///< one column; at most max_elements rows
  View<Vertex> tables[2];          ///< that of w columns goes into tables[(w - 1) % 2]; room for max_elements rows
  View<std::int64_t> bounds;       ///< max_elements + 1 of them
  std::int64_t max_elements;       ///< a level with more is not small
  int last_width;                  ///< of the last table
  Finish finish;
};

struct SmallLevelsReport {
  unsigned long long totals[3];       ///< as Totals
  std::int64_t counted;               ///< whether they are those of all matches; else they are 0
  std::int64_t width;                 ///< of the last table that was made
  std::int64_t rows[kMaxSmallWidth];  ///< of the tables of 1, 2, …, width columns
};

/// Enqueues everything.
void extend_small_levels(const SmallLevels& levels, View<SmallLevelsReport> report, Stream& stream);

}  // namespace warpbench::matching::fsig
