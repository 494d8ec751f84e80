#include "algorithms/set_similarity_join/hyset/technique_choice.hpp"

namespace warpbench::similarity {
namespace {

/// Below: few; the geometric means of the document's orders of magnitude.
constexpr double kSmallCollection = 3.16e5;
constexpr double kMediumCollection = 3.16e6;
constexpr double kSmallSet = 10;
constexpr double kFewTokens = 1e5;

/// Of §5.2.5: low, medium (0.5 to 0.7), high (0.8) and very high (0.9), cut half-way between.
constexpr double kMediumThreshold = 0.5;
constexpr double kHighThreshold = 0.75;

}  // namespace

std::string technique_by_table(const OrderedSets& sets, const Bounds& bounds) {
  const auto count = static_cast<double>(sets.count());
  const double threshold = static_cast<double>(bounds.threshold.numerator) / bounds.threshold.denominator;
  const bool has_small_sets = static_cast<double>(sets.sets.total()) < kSmallSet * count;
  const bool is_medium = count >= kSmallCollection && count < kMediumCollection;
  if (threshold < kMediumThreshold) return "sf-gssjoin";
  if (threshold < kHighThreshold && is_medium && !has_small_sets) {
    return static_cast<double>(sets.distinct_tokens) < kFewTokens ? "bitmap" : "fgssjoin";
  }
  return "fgssjoin";
}

}  // namespace warpbench::similarity
