// PairSolver: a solver of set_intersection out of a way to intersect two sets on the CPU (bellas2022 §6.2.3). All
// pairs: rows of the triangle of pairs are shared out dynamically, the longest first, to OpenMP threads. One pair: the
// smaller set is cut into ranges, each thread intersects one with the larger set's tokens of the same range. The
// document runs all pairs on 12 threads and one pair on one (`threads: 1`).
//
// A technique is constructible from const Parameters&, made anew where they change, and has
//   static bool ranked(const SetCollection&)         whether it reads tokens or their ranks
//   void build(const SetLists&)                      helper structures of all sets, for all pairs; measured
//   Worker worker(const SetLists&) const             one thread's state, which has
//     void row(std::int64_t row, std::span<std::uint32_t> counts)              with each later set
//     std::size_t intersect(List smaller, List larger, Token* common)          writes the tokens where not null
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "problems/first_failure.hpp"
#include "problems/set_intersection/problem.hpp"
#include "solvers/sets/all_pairs_values.hpp"
#include "solvers/sets/set_lists.hpp"
#include "solvers/solver.hpp"
#include "solvers/threads.hpp"

namespace warpbench::cpu_sets {

/// Ranges of two sets that hold the same range of tokens; the first of `smaller` is at `first` in the whole set.
struct Piece {
  std::size_t first;
  List smaller;
  List larger;
};

/// Cuts the smaller set evenly and the larger where the tokens say, by binary search. O(pieces log larger).
[[nodiscard]] inline std::vector<Piece> pieces(List a, List b, int count) {
  if (a.size() > b.size()) std::swap(a, b);
  std::vector<Piece> all;
  std::size_t begin = 0;
  std::size_t from = 0;
  for (int i = 1; i <= count; ++i) {
    const std::size_t end = a.size() * static_cast<std::size_t>(i) / static_cast<std::size_t>(count);
    const std::size_t to =
        end == a.size() ? b.size() : static_cast<std::size_t>(std::ranges::lower_bound(b, a[end]) - b.begin());
    all.push_back({begin, a.subspan(begin, end - begin), b.subspan(from, to - from)});
    begin = end;
    from = to;
  }
  return all;
}

template <typename Technique>
class PairSolver final : public Solver<SetIntersection> {
 public:
  explicit PairSolver(const Parameters& parameters) : parameters_(parameters), technique_(parameters) {}

  void configure(const Parameters& parameters) override {
    parameters_ = parameters;
    technique_ = Technique(parameters);
  }

  void prepare(const SetIntersection::Input& input, Phases& phases) override {
    const auto scope = phases.cpu("prepare");
    input_ = &input;
    lists_ = SetLists(*input.sets, Technique::ranked(*input.sets));
    if (input.is_single()) {
      tokens_.resize(input.as_set ? std::min(input.a().size(), input.b().size()) : 0);
    } else {
      counts_ = AllPairsValues(input.sets->count(), input.limits);
    }
  }

  void solve(Phases& phases) override { input_->is_single() ? solve_single(phases) : solve_pairs(phases); }

  void download(SetIntersection::Answer& answer, Phases& /*phases*/) override {
    answer = {};
    if (!input_->is_single()) {
      answer.counts = counts_.answer();
      return;
    }
    answer.common = common_;
    if (input_->as_set) answer.tokens = std::span(tokens_).first(common_);
  }
  void forget() override { common_ = 0; }

  [[nodiscard]] std::map<std::string, double> counters() const override { return {{"threads", threads_}}; }

 private:
  using Worker = decltype(std::declval<const Technique&>().worker(std::declval<const SetLists&>()));

  /// Made before threads start: what a worker needs may not fit into memory.
  [[nodiscard]] std::vector<Worker> workers() const {
    std::vector<Worker> all;
    for (int i = 0; i < threads_; ++i) all.push_back(technique_.worker(lists_));
    return all;
  }

  void solve_pairs(Phases& phases) {
    threads_ = threads_of(parameters_, lists_.count() - 1);
    const ThreadLimit limit(threads_);
    {
      const auto scope = phases.cpu("build");
      technique_.build(lists_);
    }
    std::vector<Worker> all = workers();
    counts_.make(phases, [&](const pairs::Band& band, std::span<std::uint32_t> values) {
      const auto scope = phases.cpu("count");
      FirstFailure failure;
#pragma omp parallel for schedule(dynamic) num_threads(threads_)
      for (std::int64_t row = band.first_row; row < band.last_row; ++row) {
        failure.guard([&] {
          all[static_cast<std::size_t>(omp_get_thread_num())].row(row, row_of(lists_.count(), band, values, row));
        });
      }
      failure.rethrow();
    });
  }

  void solve_single(Phases& phases) {
    const auto scope = phases.cpu("intersect");
    threads_ = threads_of(parameters_, std::min(lists_.size(0), lists_.size(1)));
    const ThreadLimit limit(threads_);
    const std::vector<Piece> parts = pieces(lists_[0], lists_[1], threads_);
    std::vector<Worker> all = workers();
    std::vector<std::size_t> found(parts.size());
    FirstFailure failure;
#pragma omp parallel for schedule(static, 1) num_threads(threads_)
    for (int i = 0; i < threads_; ++i) {
      const auto at = static_cast<std::size_t>(i);
      Token* const common = input_->as_set ? tokens_.data() + parts[at].first : nullptr;
      failure.guard([&] { found[at] = all[at].intersect(parts[at].smaller, parts[at].larger, common); });
    }
    failure.rethrow();
    gather(parts, found);
  }

  /// The pieces' tokens, each at its piece's place, become one set of the collection's tokens.
  void gather(const std::vector<Piece>& parts, const std::vector<std::size_t>& found) {
    common_ = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      for (std::size_t j = 0; input_->as_set && j < found[i]; ++j) {
        tokens_[common_ + j] = lists_.original(tokens_[parts[i].first + j]);
      }
      common_ += found[i];
    }
  }

  Parameters parameters_;
  Technique technique_;
  const SetIntersection::Input* input_ = nullptr;
  SetLists lists_;
  AllPairsValues counts_;
  std::vector<Token> tokens_;
  std::size_t common_ = 0;
  int threads_ = 0;
};

/// A technique that intersects any two sets from nothing but their tokens: `Intersect`, constructible from const
/// Parameters&, is called with (a, b, common) and returns the number of common tokens.
template <typename Intersect>
class MergeTechnique {
 public:
  explicit MergeTechnique(const Parameters& parameters) : intersect_(parameters) {}

  static bool ranked(const SetCollection& /*sets*/) { return false; }
  void build(const SetLists& /*lists*/) {}

  class Worker {
   public:
    Worker(const SetLists& lists, const Intersect& intersect) : lists_(&lists), intersect_(intersect) {}
    void row(std::int64_t row, std::span<std::uint32_t> counts) {
      const List a = (*lists_)[row];
      for (std::uint32_t& count : counts) count = static_cast<std::uint32_t>(intersect_(a, (*lists_)[++row], nullptr));
    }
    std::size_t intersect(List smaller, List larger, Token* common) { return intersect_(smaller, larger, common); }

   private:
    const SetLists* lists_;
    Intersect intersect_;
  };
  [[nodiscard]] Worker worker(const SetLists& lists) const { return {lists, intersect_}; }

 private:
  Intersect intersect_;
};

}  // namespace warpbench::cpu_sets
