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
constexpr double kVeryHighThreshold = 0.85;

}  // namespace

std::string technique_by_table(const JoinShape& join) {
  const auto count = static_cast<double>(join.sets);
  const double threshold = join.threshold;
  const bool has_small_sets = join.mean_size < kSmallSet;
  const bool has_few_tokens = static_cast<double>(join.distinct_tokens) < kFewTokens;
  if (threshold < kMediumThreshold) return "sf-gssjoin";
  if (count >= kMediumCollection) {
    const bool is_medium_threshold = threshold < kHighThreshold;
    return is_medium_threshold && !has_small_sets && has_few_tokens ? "fgssjoin" : "cpu-gpu";
  }
  if (count >= kSmallCollection && !has_small_sets) {
    if (threshold < kHighThreshold) return has_few_tokens ? "bitmap" : "fgssjoin";
    if (threshold < kVeryHighThreshold) return has_few_tokens ? "fgssjoin" : "cpu-gpu";
  }
  return "fgssjoin";
}

}  // namespace warpbench::similarity
