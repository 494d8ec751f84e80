#include "datasets/generators/ratings/planted_ratings.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "datasets/generators/random.hpp"
#include "datasets/generators/sample.hpp"
#include "datasets/generators/sets/distinct_tokens.hpp"
#include "datasets/generators/sets/token_cells.hpp"
#include "datasets/generators/size.hpp"
#include "datasets/generators/weights.hpp"
#include "datasets/input_error.hpp"
#include "datasets/parallel.hpp"

namespace warpbench::datasets {
namespace {

enum Stream : std::uint64_t { kUserIds = 401, kItemIds, kItems, kUserFactors, kItemFactors, kNoise, kOrder };

constexpr const char* kWhere = "planted_ratings";
constexpr double kLimit = 1e5;  // of the ratings' range: products with kFactorDivisor then fit 64 bits
constexpr std::size_t kUserGrain = 256;

struct RatingsSize {
  std::uint64_t users = 0;
  std::uint64_t items = 0;
  std::uint64_t rated_items = 0;
  std::uint64_t train = 0;
  std::uint64_t test = 0;

  [[nodiscard]] std::uint64_t ratings() const { return train + test; }
  /// The most that one user rates.
  [[nodiscard]] std::uint64_t most() const { return (rated_items + 1) / 2; }
};

std::uint64_t scaled(const Properties& values, const char* name) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(integer(values, name)) * real(values, "scale")));
}

RatingsSize scaled_ratings_size(const Properties& values) {
  RatingsSize size{scaled(values, "users"), scaled(values, "items"), scaled(values, "rated_items"),
                   scaled(values, "train_ratings"), scaled(values, "test_ratings")};
  constexpr auto kMaxIds = static_cast<std::uint64_t>(kMaxRatingIds);
  if (std::min(size.users, size.items) == 0 || std::max(size.users, size.items) > kMaxIds) {
    throw InputError(kWhere, 0, "1 to " + std::to_string(kMaxIds) + " users and items after scaling",
                     std::to_string(size.users) + " and " + std::to_string(size.items));
  }
  size.rated_items =
      integer(values, "rated_items") == 0 ? size.items : std::clamp<std::uint64_t>(size.rated_items, 1, size.items);
  if (size.train == 0) throw InputError(kWhere, 0, "at least one training rating after scaling", "0");
  if (static_cast<double>(size.ratings()) > static_cast<double>(size.users) * static_cast<double>(size.most())) {
    throw InputError(kWhere, 0,
                     "ratings for at most half of all pairs of " + std::to_string(size.users) + " users and " +
                         std::to_string(size.rated_items) + " rated items",
                     std::to_string(size.ratings()));
  }
  return size;
}

/// Where the ratings of each user begin, by rank: as many as its share by Zipf's law, at most size.most().
std::vector<std::uint64_t> rating_offsets(const RatingsSize& size, double exponent, std::uint64_t shift) {
  const std::vector<std::uint32_t> weights =
      power_law_label_weights(static_cast<std::int64_t>(size.users), exponent, shift);
  const auto count = [&](std::uint64_t factor, std::uint32_t weight) {
    return static_cast<std::uint64_t>(std::min<Wide>(size.most(), (static_cast<Wide>(factor) * weight) >> 32U));
  };
  const auto total = [&](std::uint64_t factor) {
    std::uint64_t sum = 0;
    for (const std::uint32_t weight : weights) sum += count(factor, weight);
    return sum;
  };
  // The largest factor that gives no more ratings than wanted; a greater one gives each user at most one more.
  std::uint64_t low = 0;
  std::uint64_t high = std::uint64_t{1} << 63U;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (total(middle) <= size.ratings() ? low : high) = middle;
  }
  std::uint64_t left = size.ratings() - total(low);
  std::vector<std::uint64_t> offsets(size.users + 1, 0);
  for (std::uint64_t i = 0; i < size.users; ++i) {
    std::uint64_t ratings = count(low, weights[i]);
    if (left > 0 && ratings < size.most()) {
      ++ratings;
      --left;
    }
    offsets[i + 1] = offsets[i] + ratings;
  }
  return offsets;
}

/// A nearly Gaussian number: the sum of the word's four 16-bit quarters less its mean.
std::int64_t gaussian_of(std::uint64_t word) {
  std::int64_t sum = 0;
  for (unsigned quarter = 0; quarter < 4; ++quarter)
    sum += static_cast<std::int64_t>((word >> (16 * quarter)) & 0xffffU);
  return sum - 131'070;
}

constexpr double kGaussianDeviation = 37'837.2;  // √(4 × (2^32 - 1) / 12)
constexpr std::int64_t kFactorDivisor = 64;      // factors are below 2^11

std::vector<std::int16_t> random_factors(std::uint64_t rows, std::uint64_t rank, std::uint64_t seed,
                                         std::uint64_t stream, int threads) {
  std::vector<std::int16_t> factors(rows * rank);
  const Random random(seed, stream);
  for_chunks(factors.size(), std::size_t{1} << 16U, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    for (std::size_t i = begin; i < end; ++i) {
      factors[i] = static_cast<std::int16_t>(gaussian_of(random.at(i)) / kFactorDivisor);
    }
  });
  return factors;
}

/// Turns products of factors and noise into ratings, in whole numbers: 1/65,536 is the unit of ratings.
class RatingScale {
 public:
  explicit RatingScale(const Properties& values)
      : low_(units(real(values, "low"))), high_(units(real(values, "high"))), step_(units(real(values, "step"))) {
    if (high_ <= low_) {
      throw InputError(kWhere, 0, "a high above low: " + to_string(values.at("low")), to_string(values.at("high")));
    }
    const double noise = real(values, "noise");
    const double factor = kGaussianDeviation / static_cast<double>(kFactorDivisor);
    const double product = factor * factor * std::sqrt(static_cast<double>(integer(values, "rank")));
    const double planted = static_cast<double>(high_ - low_) / 5 / std::sqrt(1 + noise * noise) * kWeightOne;
    product_weight_ = std::llround(planted / product);
    noise_weight_ = std::llround(planted * noise / kGaussianDeviation);
  }

  [[nodiscard]] float operator()(std::int64_t product, std::int64_t noise) const {
    const std::int64_t sum =
        (product * product_weight_ + noise * noise_weight_) / static_cast<std::int64_t>(kWeightOne);
    std::int64_t above = std::clamp<std::int64_t>((high_ - low_) / 2 + sum, 0, high_ - low_);
    if (step_ > 0) above = std::min((above + step_ / 2) / step_, (high_ - low_) / step_) * step_;
    return static_cast<float>(low_ + above) * 0x1p-16F;
  }

 private:
  static constexpr double kWeightOne = 16'777'216;  // 2^24

  static std::int64_t units(double value) { return std::llround(value * 65'536); }

  std::int64_t low_;
  std::int64_t high_;
  std::int64_t step_;
  std::int64_t product_weight_ = 0;
  std::int64_t noise_weight_ = 0;
};

/// The items that users rate, in ascending order.
class ItemDraw {
 public:
  ItemDraw(const RatingsSize& size, double exponent, std::uint64_t shift, std::uint64_t seed, int threads)
      : items_(size.items),
        draw_(token_cells(size.rated_items, TokenDistribution::zipf, exponent, shift)),
        ids_(shuffled_ids(size.items, seed, kItemIds, threads)),
        random_(seed, kItems) {}

  [[nodiscard]] DistinctTokens memory(std::uint64_t most) const { return {items_, most}; }

  void make(std::uint64_t user, std::uint64_t count, DistinctTokens& distinct, std::uint32_t* out) const {
    constexpr std::uint64_t kDrawsPerItem = 32;
    for (std::uint64_t i = 0; distinct.size() < count && i < kDrawsPerItem * count; ++i) {
      static_cast<void>(distinct.add(ids_[draw_(random_.at((user << 32U) + i))]));
    }
    for (std::uint64_t rank = 0; distinct.size() < count; ++rank) static_cast<void>(distinct.add(ids_[rank]));
    distinct.take(out);
  }

 private:
  std::uint64_t items_;
  TokenDraw draw_;
  std::vector<std::uint32_t> ids_;
  Random random_;
};

/// Lists of a fixed length that threads fill.
struct WritableList {
  explicit WritableList(std::uint64_t count) : users(count), items(count), values(count) {}

  std::vector<std::uint32_t> users;
  std::vector<std::uint32_t> items;
  std::vector<float> values;

  void set(std::uint64_t at, std::uint32_t user, std::uint32_t item, float value) {
    users[at] = user;
    items[at] = item;
    values[at] = value;
  }
  RatingList finished() && { return {std::move(users), std::move(items), std::move(values)}; }
};

}  // namespace

std::vector<ParameterDeclaration> planted_ratings_parameters() {
  constexpr auto kMaxIds = static_cast<double>(kMaxRatingIds);
  return {{"users", 0, 1, kMaxIds, "users at scale 1", true},
          {"items", 0, 1, kMaxIds, "items at scale 1", true},
          {"train_ratings", 0, 1, 1e12, "training ratings at scale 1", true},
          {"test_ratings", 0, 0, 1e12, "test ratings at scale 1", true},
          {"rank", 8, 1, 1024, "factors of a user or an item, at any scale", false},
          {"noise", 0.5, 0.0, 100.0, "standard deviation of the noise over that of the planted part", false},
          {"low", 1.0, -kLimit, kLimit, "the smallest rating", false},
          {"high", 5.0, -kLimit, kLimit, "the largest rating", false},
          {"step", 1.0, 0.0, kLimit, "ratings are low plus a multiple of it, rounded to 1/65536; 0: any", false},
          {"user_exponent", 0.5, 0.0, 16.0, "of the users' Zipf law; 0: all alike", false},
          {"item_exponent", 0.6, 0.0, 16.0, "of the items' Zipf law; 0: all alike", false},
          {"user_shift", 0, 0, kMaxIds, "of the ranks in the users' Zipf law, at scale 1: flattens the first", false},
          {"item_shift", 0, 0, kMaxIds, "of the ranks in the items' Zipf law, at scale 1: flattens the first", false},
          {"rated_items", 0, 0, kMaxIds,
           "items that have ratings, at most, at scale 1; the others are ids alone; 0: all", false},
          scale_parameter()};
}

Content generate_planted_ratings(const Properties& values, std::uint64_t seed, int threads) {
  const RatingsSize size = scaled_ratings_size(values);
  const RatingScale scale(values);
  const auto rank = static_cast<std::uint64_t>(integer(values, "rank"));
  const std::vector<std::uint64_t> offsets =
      rating_offsets(size, real(values, "user_exponent"), scaled(values, "user_shift"));
  const std::vector<std::uint32_t> user_ids = shuffled_ids(size.users, seed, kUserIds, threads);
  const std::vector<std::int16_t> user_factors = random_factors(size.users, rank, seed, kUserFactors, threads);
  const std::vector<std::int16_t> item_factors = random_factors(size.items, rank, seed, kItemFactors, threads);
  const ItemDraw draw(size, real(values, "item_exponent"), scaled(values, "item_shift"), seed, threads);
  const Random noise(seed, kNoise);
  const Permutation place(size.ratings(), seed, kOrder);
  WritableList train(size.train);
  WritableList test(size.test);
  for_chunks(size.users, kUserGrain, threads, [&](std::size_t begin, std::size_t end, std::size_t) {
    std::vector<std::uint32_t> items(offsets[begin + 1] - offsets[begin]);  // the first of a chunk has most
    DistinctTokens distinct = draw.memory(items.size() + 1);
    for (std::size_t i = begin; i < end; ++i) {
      const std::uint32_t user = user_ids[i];
      draw.make(user, offsets[i + 1] - offsets[i], distinct, items.data());
      for (std::uint64_t at = offsets[i]; at < offsets[i + 1]; ++at) {
        const std::uint32_t item = items[at - offsets[i]];
        std::int64_t product = 0;
        for (std::uint64_t f = 0; f < rank; ++f) {
          product += std::int64_t{user_factors[user * rank + f]} * item_factors[item * rank + f];
        }
        const float value = scale(product, gaussian_of(noise.at(at)));
        const std::uint64_t to = place(at);
        to < size.train ? train.set(to, user, item, value) : test.set(to - size.train, user, item, value);
      }
    }
  });
  Ratings ratings;
  ratings.shape = std::vector<std::uint64_t>{size.users, size.items};
  ratings.train = std::move(train).finished();
  ratings.test = std::move(test).finished();
  return {std::move(ratings), {}, {}};
}

}  // namespace warpbench::datasets
