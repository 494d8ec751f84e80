// The end of fsig's enumeration: rows and totals become the query's answer.
#pragma once

#include "algorithms/subgraph_matching/fsig/enumeration/enumeration.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration/small_levels.hpp"
#include "algorithms/subgraph_matching/fsig/enumeration/steps.hpp"

namespace warpbench::matching::fsig {

class MatchSink {
 public:
  /// `totals` are the device's sums, of which the digest of rows is one.
  MatchSink(const EnumerationInput& input, Totals totals, const Deadline& deadline,
            SubgraphMatching::QueryAnswer& answer, Stream& stream)
      : input_(input), totals_(totals), deadline_(deadline), answer_(answer), stream_(stream) {}

  /// Takes the rows of the table of all levels, as many as are wanted. Throws GaveUp, std::overflow_error.
  void take_rows(const MatchTable& table);
  /// Adds the count and takes the digest. Throws std::overflow_error.
  void take_totals(const SmallLevelsReport& report);
  /// Whether as many matches as are wanted have been found.
  [[nodiscard]] bool is_full() const;

 private:
  void append_rows(const MatchTable& table);

  const EnumerationInput& input_;
  Totals totals_;
  const Deadline& deadline_;
  SubgraphMatching::QueryAnswer& answer_;
  Stream& stream_;
};

}  // namespace warpbench::matching::fsig
