// QuerySolver: base of all solvers of subgraph matching. It takes one query after another, each with its own time
// limit, and reports the times of single queries as counters. A solver supplies prepare_graph() and match(). One that
// can match several queries side by side says so by places(), and supplies open_places() and match_at().
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "problems/subgraph_matching/problem.hpp"
#include "solvers/solver.hpp"
#include "solvers/thread_team.hpp"

namespace warpbench::matching {

/// The end of a query's time.
class Deadline {
 public:
  using Clock = std::chrono::steady_clock;
  explicit Deadline(double seconds);
  /// Asks the clock: not in an inner loop.
  [[nodiscard]] bool passed() const { return Clock::now() >= at_; }
  /// Whether what takes so long ends before it passes.
  [[nodiscard]] bool leaves(double seconds) const {
    return std::chrono::duration<double>(at_ - Clock::now()).count() > seconds;
  }

 private:
  Clock::time_point at_;
};

class QuerySolver : public Solver<SubgraphMatching> {
 public:
  using Answer = SubgraphMatching::Answer;
  using QueryAnswer = SubgraphMatching::QueryAnswer;
  using Output = SubgraphMatching::Output;

  void prepare(const SubgraphMatching::Input& input, Phases& phases) final;
  void solve(Phases& phases) final;
  void download(Answer& answer, Phases& phases) final;
  void forget() final { answer_ = {}; }
  /// Of the times: query_mean_s, query_min_s, query_q1_s, query_median_s, query_q3_s and query_max_s; an unsolved query
  /// counts as query_timeout. `unsolved` counts those queries, `out_of_memory` and `out_of_host_memory` those of them
  /// for which the memory of the device or of the host was too small; solve() throws where it was for all, and where an
  /// allocation failed although the device had room. Of the solved queries: `matches`, their sum, and matches_min …
  /// matches_max. Of query_counters(): means over the queries, or the largest where a name begins with "peak_". A
  /// query whose match() threw, GaveUp or for want of memory, has none of them, and counts in no mean. The time of a
  /// query that was matched side by side with others is the one it took beside them, and where it was asked again, both
  /// together.
  [[nodiscard]] std::map<std::string, double> counters() const final;

 protected:
  /// Called once, for all that depends on the data graph alone. The graph outlives the solver.
  virtual void prepare_graph(const Graph& data, Phases& phases) = 0;
  /// The matches of one query, as input().output asks for them. Returns with answer.solved = false once `deadline` has
  /// passed. A query has at least one vertex and is connected.
  virtual void match(const Graph& query, const Deadline& deadline, QueryAnswer& answer, Phases& phases) = 0;
  /// Counters of the query just matched: candidates, filter_s, rows, bytes, …
  [[nodiscard]] virtual std::map<std::string, double> query_counters() const { return {}; }

  /// The number of queries that may be matched at the same time, each at a place of its own.
  [[nodiscard]] virtual std::size_t places() const { return 1; }
  /// Called before match_at(), for places 0 to `places` - 1: at most places(), and at least 2.
  virtual void open_places(std::size_t /*places*/) {}
  /// match() at one of several places: on a thread of its own, while others are matched. Returns the query's counters.
  /// A query that the place has no memory for, or that takes more than a share of its time, is asked again by match(),
  /// alone.
  virtual std::map<std::string, double> match_at(std::size_t place, const Graph& query, const Deadline& deadline,
                                                 QueryAnswer& answer, Phases& phases);

  [[nodiscard]] const SubgraphMatching::Input& input() const { return *input_; }
  [[nodiscard]] bool injective() const { return input_->injective(); }

 private:
  struct Attempt;
  template <typename Match>
  Attempt attempt(std::size_t query, double allowed_seconds, const Match& match);
  void match_alone(std::size_t query, Attempt& last, Phases& phases);
  void match_side_by_side(std::span<Attempt> attempts, Phases& phases);
  void take(std::size_t query, const Attempt& attempt);

  const SubgraphMatching::Input* input_ = nullptr;
  Answer answer_;
  std::vector<double> seconds_;
  std::map<std::string, double> counters_;
  std::map<std::string, double> sums_;  ///< of the counters that become means
  std::int64_t answered_ = 0;           ///< attempts with counters
  std::int64_t out_of_memory_ = 0;
  std::size_t too_large_ = 0;  ///< queries that the memory of the device or of the host was too small for
  ThreadTeam team_;            ///< of the places but the first
};

}  // namespace warpbench::matching
