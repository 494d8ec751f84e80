// PrefixJoin: the joins of the document that filter on the CPU by prefixes (bellas2022 §4.1.2, §4.2), of one thread,
// and of several, which share the join in one of two ways:
//   partitions   the document's (§5.5.3): sets are cut into as many partitions as there are threads. Each thread has an
//                equal number of the joins of two partitions, and an index of its own of each partition that it needs.
//                Pairs of partitions whose sizes rule each other out are none of the joins.
//   index        ours: all threads build one index, and take a few probing sets at a time.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "problems/set_similarity_join/problem.hpp"
#include "solvers/set_similarity_join/group_join.hpp"
#include "solvers/set_similarity_join/range_join.hpp"
#include "solvers/set_similarity_join/signatures.hpp"
#include "solvers/solver.hpp"

namespace warpbench::similarity {

class PrefixJoin : public Solver<SetSimilarityJoin> {
 public:
  enum class Method { allpairs, ppjoin, groupjoin };

  /// Those of allpairs and ppjoin; groupjoin has no `signatures`.
  static std::vector<ParameterSpec> parameters(Method method);
  /// The point `best`.
  static std::map<std::string, Value> best(Method method);

  PrefixJoin(Method method, const Parameters& parameters);
  ~PrefixJoin() override;

  void prepare(const SetSimilarityJoin::Input& input, Phases& phases) override;
  void configure(const Parameters& parameters) override;
  void solve(Phases& phases) override;
  void download(SetSimilarityJoin::Answer& answer, Phases& phases) override;
  void forget() override;
  [[nodiscard]] std::map<std::string, double> counters() const override;

 private:
  /// Sets that can be probed.
  struct Indexed {
    PrefixIndex index;
    Groups groups;  ///< groupjoin
  };
  struct Worker;

  [[nodiscard]] bool is_grouped() const { return method_ == Method::groupjoin; }
  [[nodiscard]] SetRange all() const { return {0, sets_.count()}; }
  void take_memory();
  void build(Indexed& indexed, SetRange range, int threads) const;
  void build_signatures();
  void join_by_partitions();
  void join_partitions(Worker& worker, std::span<const BlockPair> joins) const;
  void join_by_index();
  void gather();

  Method method_;
  Parameters parameters_;
  const SetSimilarityJoin::Input* input_ = nullptr;
  OrderedSets sets_;
  Bounds bounds_;
  int threads_ = 0;
  bool shares_index_ = false;
  bool has_signatures_ = false;
  Indexed shared_;
  Signatures signatures_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::unique_ptr<Pair[]> pairs_;  // of several workers, one after the other
  std::size_t room_ = 0;
};

}  // namespace warpbench::similarity
