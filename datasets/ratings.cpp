#include "datasets/ratings.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::size_t kRatingGrain = std::size_t{1} << 16U;

[[noreturn]] void refuse_ratings(const std::string& expected, const std::string& found) {
  throw InputError("ratings", 0, expected, found);
}

void check_list(const Ratings& ratings, const RatingList& list, const std::string& name) {
  if (list.users.size() != list.values.size() || list.items.size() != list.values.size()) {
    refuse_ratings(name + " users, items and values of one number", std::to_string(list.users.size()) + ", " +
                                                                        std::to_string(list.items.size()) + " and " +
                                                                        std::to_string(list.values.size()));
  }
  const auto check_id = [&](std::uint32_t id, std::int64_t size, const char* what, std::size_t i) {
    if (id < size) return;
    refuse_ratings(
        "a" + std::string(what) + " below " + std::to_string(size) + " in " + name + " rating " + std::to_string(i),
        std::to_string(id));
  };
  for_chunks(list.values.size(), kRatingGrain, 0, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      check_id(list.users[i], ratings.users(), " user", i);
      check_id(list.items[i], ratings.items(), "n item", i);
      if (!std::isfinite(list.values[i])) {
        refuse_ratings("a finite value in " + name + " rating " + std::to_string(i), std::to_string(list.values[i]));
      }
    }
  });
}

/// The sum of term(value) over the values. Summed in blocks of fixed size, so that threads do not change it.
template <typename Term>
double sum_over(const Array<float>& values, Term term) {
  std::vector<double> sums((values.size() + kRatingGrain - 1) / kRatingGrain);
  for_chunks(values.size(), kRatingGrain, 0, [&](std::size_t begin, std::size_t end, std::size_t block) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += term(static_cast<double>(values[i]));
    sums[block] = sum;
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

/// How ratings spread over users or items.
struct Spread {
  std::int64_t idle = 0;
  double top_share = 0.0;  // of the hundredth (at least one) that has most
  double gini = 0.0;       // Gini coefficient of the numbers of ratings of those that have some
};

Spread spread_of(const Array<std::uint32_t>& ids, std::int64_t size) {
  if (size == 0) return {};
  std::vector<std::uint64_t> counts(static_cast<std::size_t>(size));
  for (const std::uint32_t id : ids) ++counts[id];
  Spread spread;
  spread.idle = std::ranges::count(counts, std::uint64_t{0});
  if (ids.empty()) return spread;
  std::ranges::sort(counts, std::greater<>());
  const auto all = static_cast<double>(ids.size());
  const std::int64_t top = (size + 99) / 100;
  spread.top_share = static_cast<double>(std::accumulate(counts.begin(), counts.begin() + top, std::uint64_t{0})) / all;
  const std::int64_t rated = size - spread.idle;
  double ranks = 0;  // Σ rank × ratings, where 1 is the rank of the least
  for (std::int64_t i = 0; i < rated; ++i) {
    ranks += static_cast<double>(rated - i) * static_cast<double>(counts[static_cast<std::size_t>(i)]);
  }
  const auto number = static_cast<double>(rated);
  spread.gini = (2 * ranks / all - number - 1) / number;
  return spread;
}

}  // namespace

double Ratings::mean() const {
  if (train.count() == 0) return 0;
  return sum_over(train.values, [](double value) { return value; }) / static_cast<double>(train.count());
}

void Ratings::validate() const {
  if (shape.size() != 2) refuse_ratings("two sizes, users and items", std::to_string(shape.size()));
  for (const std::uint64_t size : shape) {
    if (size > static_cast<std::uint64_t>(kMaxRatingIds)) {
      refuse_ratings("at most " + std::to_string(kMaxRatingIds) + " users and items", std::to_string(size));
    }
  }
  check_list(*this, train, "training");
  check_list(*this, test, "test");
}

Properties Ratings::describe() const {
  Spread of_users;
  Spread of_items;
  for_chunks(2, 1, 0, [&](std::size_t side, std::size_t, std::size_t) {
    if (side == 0) of_users = spread_of(train.users, users());
    if (side == 1) of_items = spread_of(train.items, items());
  });
  const double average = mean();
  const double squares = sum_over(test.values, [=](double value) { return (value - average) * (value - average); });
  const auto [smallest, largest] =
      train.count() == 0 ? std::ranges::minmax_result<float>{0.0F, 0.0F} : std::ranges::minmax(train.values.span());
  return {{"users", users()},
          {"items", items()},
          {"train_ratings", train.count()},
          {"test_ratings", test.count()},
          {"mean", average},
          {"smallest", static_cast<double>(smallest)},
          {"largest", static_cast<double>(largest)},
          {"mean_rmse", test.count() == 0 ? 0.0 : std::sqrt(squares / static_cast<double>(test.count()))},
          {"idle_users", of_users.idle},
          {"idle_items", of_items.idle},
          {"top_users_share", of_users.top_share},
          {"top_items_share", of_items.top_share},
          {"users_gini", of_users.gini},
          {"items_gini", of_items.gini}};
}

}  // namespace warpbench::datasets
