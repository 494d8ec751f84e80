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
#include <vector>

#include "datasets/relations.hpp"
#include "device/mix64.hpp"
#include "problems/rules.hpp"
#include "problems/theta_join/predicate.hpp"

namespace warpbench {

namespace theta {

/// A row of the select query: 12 bytes, as Listing 3.6.
struct Row {
  std::int32_t r_a = 0;
  std::int32_t s_a = 0;
  std::int32_t s_x = 0;

  friend bool operator==(const Row&, const Row&) = default;
};

/// A 128-bit signed integer in two halves: a sum of S.x over up to 2^62 pairs fits.
struct Sum {
  std::uint64_t low = 0;
  std::int64_t high = 0;

  friend bool operator==(const Sum&, const Sum&) = default;
};

/// The digest of rows is the sum of this over all of them, modulo 2^64, whatever their order.
[[nodiscard]] constexpr std::uint64_t digest_of_row(const Row& row) {
  const auto bits = [](std::int32_t value) { return std::uint64_t{static_cast<std::uint32_t>(value)}; };
  return mix64(bits(row.r_a) << 32U | bits(row.s_a), bits(row.s_x));
}

}  // namespace theta

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

  struct Input {
    const datasets::Relations* relations = nullptr;
    theta::Predicate predicate;
    Query query = Query::aggregate;
    Output output = Output::digest;

    /// `pairs`: |R| |S|; `tuples`: |R| + |S|.
    [[nodiscard]] std::map<std::string, double> work() const;
  };
  struct Answer {
    theta::Sum sum;                ///< aggregate
    std::uint64_t count = 0;       ///< select
    std::uint64_t row_digest = 0;  ///< Output::digest; the other outputs are digested by the judge
    std::span<theta::Row> rows;    ///< Output::rows: the solver's own memory
    std::filesystem::path file;    ///< Output::file: the solver's own, removed with the solver

    [[nodiscard]] std::uint64_t digest() const;
    void poison();
  };
  struct Reference {
    std::vector<std::uint64_t> sum;   ///< low, high; of aggregate
    std::vector<std::uint64_t> rows;  ///< count, digest of rows; of select

    [[nodiscard]] auto parts() const { return std::tie(sum, rows); }
  };

  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// Nested loops on all cores; above 10^10 pairs by sorting, which nested loops check on a sample.
  static Reference reference(const Input& input);
  /// Exact or wrong. Metrics: `rows` (select), `selectivity`.
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

}  // namespace warpbench
