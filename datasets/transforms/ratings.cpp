#include "datasets/transforms/ratings.hpp"

#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "datasets/generators/random.hpp"
#include "datasets/input_error.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::uint64_t kHeldOutRatings = 98;

/// The ratings whose mark is `wanted`.
RatingList marked(const RatingList& list, const std::vector<bool>& marks, bool wanted, std::int64_t count) {
  const auto chosen = [&](const auto& all) {
    std::vector<typename std::decay_t<decltype(all)>::value_type> kept;
    kept.reserve(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (marks[i] == wanted) kept.push_back(all[i]);
    }
    return kept;
  };
  return {chosen(list.users), chosen(list.items), chosen(list.values)};
}

}  // namespace

Ratings hold_out_ratings(const Ratings& ratings, double share, std::uint64_t seed) {
  const std::string where = "transform hold_out_ratings";
  const std::int64_t count = ratings.train.count();
  const std::int64_t held = std::llround(static_cast<double>(count) * share);
  if (ratings.test.count() > 0) {
    throw InputError(where, 0, "no test ratings", std::to_string(ratings.test.count()));
  }
  if (held == 0 || held >= count) {
    throw InputError(where, 0, "a test_share that leaves ratings to train and to test",
                     std::to_string(held) + " of " + std::to_string(count) + " to test");
  }
  const Permutation permutation(static_cast<std::uint64_t>(count), seed, kHeldOutRatings);
  std::vector<bool> marks(static_cast<std::size_t>(count), false);
  for (std::int64_t i = 0; i < held; ++i) marks[permutation(static_cast<std::uint64_t>(i))] = true;
  return {ratings.shape, marked(ratings.train, marks, false, count - held), marked(ratings.train, marks, true, held)};
}

}  // namespace warpbench::datasets
