// Theta joins (bellas2022 §3): the pairs of tuples (r, s) of R × S for which θ holds. Two queries:
//
//   aggregate   SELECT SUM(S.x) FROM R, S WHERE θ             (Listing 3.3; input-bound)
//   select      SELECT R.a, S.a, S.x FROM R, S WHERE θ        (Listing 3.5; output-bound), rows in any order
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <tuple>

#include "datasets/relations.hpp"
#include "problems/rules.hpp"
#include "problems/theta_join/predicate.hpp"
#include "problems/theta_join/rows.hpp"
#include "problems/theta_join/sum.hpp"

namespace warpbench {

struct ThetaJoin {
  static ProblemInfo info();

  enum class Query { aggregate, select };
  /// Of select.
  enum class Output {
    count,   ///< the number of rows
    digest,  ///< and digest_of_row() summed over them
    rows,    ///< and the rows themselves, in host memory
    file     ///< and the rows in a file, 12 bytes each, little-endian, one after the other
  };

  /// What the reference does up to which size.
  struct Limits {
    std::uint64_t looped_pairs = 10'000'000'000;   ///< by nested loops; more by sorting
    std::uint64_t digested_rows = 20'000'000'000;  ///< of more rows it knows the number alone
  };

  struct Input {
    const datasets::Relations* relations = nullptr;
    theta::Predicate predicate;
    Query query = Query::aggregate;
    Output output = Output::digest;
    Limits limits = {};

    [[nodiscard]] std::uint64_t pairs() const {
      return static_cast<std::uint64_t>(relations->r.count()) * static_cast<std::uint64_t>(relations->s.count());
    }
    /// `pairs`: |R| |S|; `tuples`: |R| + |S|.
    [[nodiscard]] std::map<std::string, double> work() const;
  };
  struct Answer {
    theta::Sum sum;                ///< aggregate; 0 of no pairs
    std::uint64_t count = 0;       ///< select: the number of rows
    std::uint64_t row_digest = 0;  ///< Output::digest; the other outputs are digested by the judge
    std::span<theta::Row> rows;    ///< Output::rows: the solver's own memory
    std::filesystem::path file;    ///< Output::file: the solver's own, removed with the solver

    [[nodiscard]] std::uint64_t digest() const;
    /// Empties the file.
    void poison();
  };
  struct Reference {
    theta::Sum sum;           ///< of aggregate
    std::uint64_t count = 0;  ///< of both queries
    std::uint64_t row_digest = 0;

    [[nodiscard]] auto parts() const { return std::tie(sum.low, sum.high, count, row_digest); }
  };

  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// Nested loops on all cores; above Limits::looped_pairs by sorting, which nested loops check on a sample of R's
  /// tuples: O((|R| + |S|) log |S|), of conjunctions O(|R| sqrt(|S|) log |S|), and O(rows) for a digest. Throws
  /// std::logic_error where the two differ.
  static Reference reference(const Input& input);
  /// Exact or wrong; unverified where the number of rows is right and too large for the reference's digest. Metrics:
  /// `rows` (select), `selectivity` (of relations with tuples).
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

}  // namespace warpbench
