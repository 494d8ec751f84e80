// Operations: how many elementary steps an algorithm took. A wall clock cannot tell "less work" from "faster work";
// che2019's "Discussion of MPS and BMP" argues with both, so solvers count when `count_operations` asks.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace warpbench::common_neighbors {

struct Operations {
  std::uint64_t merge_steps = 0;    ///< comparisons of two elements in a scalar merge
  std::uint64_t block_pairs = 0;    ///< pairs of blocks compared in a vectorized merge
  std::uint64_t probes = 0;         ///< list elements compared with a pivot in galloping searches
  std::uint64_t lookups = 0;        ///< elements looked up in an index: BMP's exact min(d_u, d_v) an edge
  std::uint64_t bitmap_reads = 0;   ///< lookups that the range filter let through to the large bitmap
  std::uint64_t indexed = 0;        ///< bits set to build bitmaps
  std::uint64_t intersections = 0;  ///< pairs of lists intersected

  Operations& operator+=(const Operations& other) {
    merge_steps += other.merge_steps;
    block_pairs += other.block_pairs;
    probes += other.probes;
    lookups += other.lookups;
    bitmap_reads += other.bitmap_reads;
    indexed += other.indexed;
    intersections += other.intersections;
    return *this;
  }

  /// The kinds that occurred, as a solver's counters() reports them.
  [[nodiscard]] std::map<std::string, double> counters() const {
    std::map<std::string, double> named;
    const auto put = [&](const char* name, std::uint64_t value) {
      if (value != 0) named[name] = static_cast<double>(value);
    };
    put("merge_steps", merge_steps);
    put("block_pairs", block_pairs);
    put("probes", probes);
    put("lookups", lookups);
    put("bitmap_reads", bitmap_reads);
    put("indexed", indexed);
    put("intersections", intersections);
    return named;
  }
};

/// One thread's tally. Meter<false> compiles to nothing, so that counting costs only those who ask for it.
template <bool kCounting>
class Meter {
 public:
  void add(std::uint64_t Operations::*kind, std::uint64_t amount = 1) {
    if constexpr (kCounting) operations_.*kind += amount;
  }
  [[nodiscard]] const Operations& operations() const { return operations_; }

 private:
  Operations operations_;
};

}  // namespace warpbench::common_neighbors
