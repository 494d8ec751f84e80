// JoinRun: the breadth-first join of one query (gsi2020 §I). A table of partial matches is joined with one query edge
// after the other, by the steps of edge_join/steps.cuh, until it holds the matches.
//
// For outputs count and digest the last table is never written: the first of the two steps has counted it, and the
// second would write rows that nobody reads. The counter unwritten_rows says how many.
#pragma once

#include <optional>

#include "algorithms/subgraph_matching/edge_join/plan.hpp"
#include "algorithms/subgraph_matching/edge_join/steps.cuh"
#include "device/primitives.hpp"
#include "solvers/subgraph_matching/query_solver.hpp"
#include "solvers/subgraph_matching/slices.hpp"

namespace warpbench::matching::edge_join {

template <int kLanes>
Grid grid_of_rows(std::int64_t first, std::int64_t last) {
  return kLanes == 1 ? grid_for(last - first, kThreads) : warp_grid_for(last - first, kThreads);
}

class JoinRun {
 public:
  /// `read_back` is pinned: the sizes of tables come down there.
  JoinRun(const Graph& query, const SubgraphMatching::Input& input, std::uint64_t max_degree, const Deadline& deadline,
          std::span<std::int64_t> read_back, Stream& stream);

  /// The first table: the candidates of query vertex u, a row each. False once the time is up, here and below.
  [[nodiscard]] bool start(Vertex u, View<const Vertex> candidates);

  /// Joins the table with a step, kLanes threads a row; `added`: the query vertex that an extending step matches. At
  /// most `limit` rows are kept.
  template <int kLanes, typename Step>
  [[nodiscard]] bool join(const Step& step, std::optional<Vertex> added, std::int64_t limit = kNoLimit);

  /// The same for the last step: the answer that is asked for.
  template <int kLanes, typename Step>
  void finish(const Step& step, std::optional<Vertex> added, SubgraphMatching::QueryAnswer& answer);

  [[nodiscard]] std::int64_t rows() const { return rows_; }
  /// The column that has query vertex u; -1 where it is not matched.
  [[nodiscard]] std::int64_t column(Vertex u) const;
  [[nodiscard]] std::int64_t largest() const { return largest_; }
  /// Matches that were counted and not written.
  [[nodiscard]] std::uint64_t unwritten() const { return unwritten_; }
  [[nodiscard]] std::span<std::int64_t> read_back() const { return read_back_; }
  [[nodiscard]] const Deadline& deadline() const { return deadline_; }
  [[nodiscard]] Stream& stream() { return stream_; }

 private:
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  [[nodiscard]] MatchTable table() const { return {table_.view(), rows_, static_cast<int>(columns_.size())}; }
  /// A slice's rows, each of which walks a vertex's neighbours. False once the time is up.
  template <typename LaunchSlice>
  [[nodiscard]] bool in_slices_of_rows(const LaunchSlice& launch_slice) {
    return in_slices(rows_, slices_of_lists(static_cast<std::int64_t>(max_degree_)), deadline_, stream_, launch_slice);
  }
  /// rows * width. Throws OutOfDeviceMemory where no memory has so many.
  [[nodiscard]] static std::int64_t vertices_of(std::int64_t rows, std::size_t width);
  /// counts, a zero last, to offsets; the total.
  [[nodiscard]] std::int64_t scan(Buffer<std::int64_t>& counts);
  void replace(Buffer<Vertex> table, std::int64_t rows, std::optional<Vertex> added);
  template <int kLanes, bool kDigest, typename Step>
  void count_matches(const Step& step, std::optional<Vertex> added, SubgraphMatching::QueryAnswer& answer);
  void require_countable() const;

  const SubgraphMatching::Input& input_;
  std::uint64_t max_degree_;
  const Deadline& deadline_;
  Stream& stream_;
  std::span<std::int64_t> read_back_;
  Buffer<Vertex> table_;
  std::int64_t rows_ = 0;
  std::int64_t largest_ = 0;
  std::uint64_t unwritten_ = 0;
  std::vector<Vertex> columns_;  ///< their query vertices
  std::vector<std::int64_t> column_of_;
};

template <int kLanes, typename Step>
bool JoinRun::join(const Step& step, std::optional<Vertex> added, std::int64_t limit) {
  require_countable();
  Buffer<std::int64_t> offsets(rows_ + 1, stream_);
  const bool counted = in_slices_of_rows([&](std::int64_t first, std::int64_t last) {
    launch(count_rows_kernel<kLanes, Step>, grid_of_rows<kLanes>(first, last), stream_, step, table(), first, last,
           offsets.view());
  });
  if (!counted) return false;
  const std::int64_t count = std::min(scan(offsets), limit);
  Buffer<Vertex> next(vertices_of(count, columns_.size() + (added ? 1 : 0)), stream_);
  const bool written = in_slices_of_rows([&](std::int64_t first, std::int64_t last) {
    launch(write_rows_kernel<kLanes, Step>, grid_of_rows<kLanes>(first, last), stream_, step, table(), first, last,
           offsets.view(), count, next.view());
  });
  if (written) replace(std::move(next), count, added);
  return written;
}

template <int kLanes, bool kDigest, typename Step>
void JoinRun::count_matches(const Step& step, std::optional<Vertex> added, SubgraphMatching::QueryAnswer& answer) {
  require_countable();
  if (added) columns_.push_back(*added);
  const Buffer<Vertex> columns(std::span<const Vertex>(columns_), stream_);
  if (added) columns_.pop_back();
  Buffer<DigestWord> totals(2, stream_);
  totals.fill(0, stream_);
  answer.solved = in_slices_of_rows([&](std::int64_t first, std::int64_t last) {
    launch(finish_rows_kernel<kLanes, kDigest, Step>, grid_of_rows<kLanes>(first, last), stream_, step, table(), first,
           last, columns.view(), totals.view());
  });
  const std::vector<DigestWord> found = totals.to_vector(stream_);
  answer.count = found[0];
  answer.digest = found[1];
  unwritten_ = found[0];
}

template <int kLanes, typename Step>
void JoinRun::finish(const Step& step, std::optional<Vertex> added, SubgraphMatching::QueryAnswer& answer) {
  using Output = SubgraphMatching::Output;
  if (input_.output == Output::count) return count_matches<kLanes, false>(step, added, answer);
  if (input_.output == Output::digest) return count_matches<kLanes, true>(step, added, answer);
  const std::int64_t limit = input_.output == Output::first ? static_cast<std::int64_t>(input_.first) : kNoLimit;
  if (!join<kLanes>(step, added, limit)) return;
  answer.count = static_cast<std::uint64_t>(rows_);
  answer.solved = append_matches(table(), columns_, answer.matches, deadline_, stream_);
}

/// The time at which a new vertex's conditions are tested.
enum class Testing {
  while_joining,  ///< a row that fails them is never written
  in_passes       ///< on the extended table, in a pass of its own
};

/// Joins all edges of the plan, from the table of its first vertex on. table_of(join): the candidates of an edge;
/// conditions_of(u): the conditions on an image of u. The last join tests them at once, as it may only count.
template <int kLanes, typename TableOf, typename ConditionsOf>
void join_edges(JoinRun& run, const EdgeJoinPlan& plan, Testing testing, const TableOf& table_of,
                const ConditionsOf& conditions_of, SubgraphMatching::QueryAnswer& answer) {
  for (std::size_t i = 0; i < plan.joins.size(); ++i) {
    const EdgeJoin& join = plan.joins[i];
    const Conditions conditions = join.extends ? conditions_of(join.to) : Conditions{};
    const std::optional<Vertex> added = join.extends ? std::optional(join.to) : std::nullopt;
    auto table = table_of(join);
    EdgeStep<decltype(table)> step{table, run.column(join.from), run.column(join.to), conditions};
    if (i + 1 == plan.joins.size()) return run.finish<kLanes>(step, added, answer);
    const bool in_passes = testing == Testing::in_passes && !conditions.none();
    if (in_passes) step.conditions = {};
    if (!run.join<kLanes>(step, added)) return;
    if (in_passes && !run.join<1>(RowTest{conditions}, std::nullopt)) return;
    if (run.rows() == 0) {
      answer.solved = true;
      return;
    }
  }
  run.finish<1>(RowTest{}, std::nullopt, answer);  // a query without edges
}

}  // namespace warpbench::matching::edge_join
