// Set similarity joins (bellas2022 §4, §5): all pairs of sets whose similarity is at least a threshold, of one
// collection (the self-join) or of two. Two collections are one whose first `left` sets are the left one.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>

#include "datasets/sets.hpp"
#include "device/mix64.hpp"
#include "problems/rules.hpp"
#include "problems/set_similarity_join/similarity.hpp"

namespace warpbench {

namespace similarity {

/// Sets `a` < `b` by their numbers in the collection. Without initial values, so that memory for many need not be
/// written twice.
struct Pair {
  std::uint32_t a;
  std::uint32_t b;
  float similarity;

  friend bool operator==(const Pair&, const Pair&) = default;
};
static_assert(sizeof(Pair) == 12 && std::is_trivial_v<Pair>);

/// The digest of pairs is the sum of this over all of them, modulo 2^64, whatever their order. Here the lower number
/// comes first. Similarities are no part of it: a solver may stop at an overlap that suffices.
[[nodiscard]] constexpr std::uint64_t digest_of_pair(std::uint32_t a, std::uint32_t b) {
  return mix64(std::uint64_t{a} << 32U | b);
}

}  // namespace similarity

struct SetSimilarityJoin {
  static ProblemInfo info();

  enum class Output {
    count,   ///< the number of pairs
    digest,  ///< and digest_of_pair() summed over them
    pairs    ///< and the pairs themselves, each with its similarity, in host memory
  };

  /// What the reference does up to which size.
  struct Limits {
    double compared_tokens = 2e8;  ///< of all pairs, by brute force; more by an index
  };

  struct Input {
    const datasets::SetCollection* sets = nullptr;
    std::int64_t left = 0;  ///< pairs have one of the first `left` sets and one of the others; 0: any two
    similarity::Measure measure = similarity::Measure::jaccard;
    similarity::Threshold threshold = {};
    Output output = Output::digest;
    Limits limits = {};

    /// Whether sets a < b are joined at all.
    [[nodiscard]] bool joins(std::int64_t a, std::int64_t b) const { return left == 0 || (a < left && left <= b); }
    [[nodiscard]] bool similar(std::uint32_t overlap, std::int64_t size_a, std::int64_t size_b) const {
      return similarity::similar(measure, threshold, overlap, static_cast<std::uint32_t>(size_a),
                                 static_cast<std::uint32_t>(size_b));
    }
    /// The number of pairs that are joined.
    [[nodiscard]] std::uint64_t pairs() const;
    /// `pairs`; `tokens`, of all sets.
    [[nodiscard]] std::map<std::string, double> work() const;
  };
  struct Answer {
    std::uint64_t count = 0;
    std::uint64_t pair_digest = 0;      ///< Output::digest; the judge digests Output::pairs
    std::span<similarity::Pair> pairs;  ///< Output::pairs: the solver's own memory, in any order

    [[nodiscard]] std::uint64_t digest() const;
    void poison();
  };
  struct Reference {
    std::uint64_t count = 0;
    std::uint64_t pair_digest = 0;
    std::uint64_t similarity_digest = 0;  ///< the sum of mix64(digest_of_pair(), bits of the similarity)

    void add(const similarity::Pair& pair);
    Reference& operator+=(const Reference& other);

    [[nodiscard]] auto parts() const { return std::tie(count, pair_digest, similarity_digest); }
  };

  /// Throws InputError where the left collection is larger than both together.
  static Input input(const datasets::Dataset& dataset, const Parameters& task);
  /// Brute force on all cores; above Limits::compared_tokens by an index of prefixes, which brute force checks on a
  /// sample of sets. Throws std::logic_error where the two differ.
  static Reference reference(const Input& input);
  /// Exact, or wrong with the first false pair where pairs are answered. Metrics: `similar_pairs`, `selectivity` (of
  /// inputs with pairs).
  static Judgement judge(const Input& input, const Answer& answer, const Reference& reference);
  static Reference read_reference(const Input& input, ReferenceReader& stored);
};

}  // namespace warpbench
