#include "algorithms/subgraph_matching/fsig/enumeration/match_sink.hpp"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "device/backend/work_limit.hpp"
#include "problems/subgraph_matching/counting.hpp"
#include "solvers/subgraph_matching/slices.hpp"

namespace warpbench::matching::fsig {
namespace {

using Output = SubgraphMatching::Output;

void in_time(bool is_in_time) {
  if (!is_in_time) throw GaveUp();
}

}  // namespace

void MatchSink::take_rows(const MatchTable& table) {
  if (input_.output == Output::matches || input_.output == Output::first) {
    append_rows(table);
    return;
  }
  if (input_.output == Output::digest) in_time(digest_rows(table, input_.columns, totals_, deadline_, stream_));
  answer_.count = checked_add(answer_.count, static_cast<std::uint64_t>(table.rows));
}

void MatchSink::append_rows(const MatchTable& table) {
  const std::uint64_t wanted = std::min(static_cast<std::uint64_t>(table.rows), input_.max_matches - answer_.count);
  std::vector<Vertex> columns(input_.order.levels.size());
  std::ranges::transform(input_.order.levels, columns.begin(), &Level::vertex);
  in_time(
      append_matches(table.part(0, static_cast<std::int64_t>(wanted)), columns, answer_.matches, deadline_, stream_));
  answer_.count += wanted;
}

void MatchSink::take_totals(const SmallLevelsReport& report) {
  const auto& totals = report.totals;
  if (totals[1] != 0) throw std::overflow_error("more than 2^64 - 1 matches");
  answer_.count = checked_add(answer_.count, totals[0]);
  answer_.digest = totals[2];
}

bool MatchSink::is_full() const {
  return input_.output == Output::first && answer_.count >= input_.max_matches;
}

}  // namespace warpbench::matching::fsig
