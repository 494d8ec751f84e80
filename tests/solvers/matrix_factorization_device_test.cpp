// The update by ratings on a device: one warp against the scalar update on the CPU, many against one, segments of P
// and Q, and factors in half precision.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "device/buffer.hpp"
#include "solvers/matrix_factorization/device_update.hpp"
#include "solvers/matrix_factorization/factor_rows.hpp"
#include "tests/problems/support/ratings.hpp"

namespace warpbench::matrix_factorization {
namespace {

constexpr std::uint64_t kSeed = 20234;
constexpr UpdateRule kRule{0.02F, 0.05F, 0.03F};

/// P and Q on the host.
struct Factors {
  FactorRows p;
  FactorRows q;

  Factors(std::int64_t users, std::int64_t items, std::int64_t k) : p(users, k), q(items, k) {
    MatrixFactorization::Input input;
    input.k = k;
    input.mean = 3;
    p.begin(input, 0, same_places(users));
    q.begin(input, 1, same_places(items));
  }
};

void update_on_cpu(Factors& factors, std::span<const Rating> ratings) {
  update_function(kNoSimd)(ratings, {factors.p.all().data(), factors.q.all().data(), factors.p.stride()}, kRule);
}

Buffer<float> on_device(std::span<float> factors, float /*as*/, Stream& stream) {
  return {std::span<const float>(factors), stream};
}
Buffer<Half> on_device(std::span<float> factors, Half /*as*/, Stream& stream) {
  const Buffer<float> single(std::span<const float>(factors), stream);
  Buffer<Half> half(single.size(), stream);
  convert(single.view(), half.view(), stream);
  return half;
}
void to_host(const Buffer<float>& from, std::span<float> to, Stream& stream) {
  from.download(to, stream);
}
void to_host(const Buffer<Half>& from, std::span<float> to, Stream& stream) {
  Buffer<float> single(from.size(), stream);
  convert(from.view(), single.view(), stream);
  single.download(to, stream);
}

/// Updates rows [first_user, …) and [first_item, …) alone, which are all that the device has.
template <typename Factor>
void update(Factors& factors, std::span<const Rating> ratings, std::int64_t workers, std::int64_t first_user = 0,
            std::int64_t first_item = 0) {
  Stream stream;
  const std::int64_t stride = factors.p.stride();
  const std::span<float> p_rows = factors.p.all().subspan(static_cast<std::size_t>(first_user * stride));
  const std::span<float> q_rows = factors.q.all().subspan(static_cast<std::size_t>(first_item * stride));
  const Buffer<Rating> device_ratings(ratings, stream);
  Buffer<Factor> p = on_device(p_rows, Factor{}, stream);
  Buffer<Factor> q = on_device(q_rows, Factor{}, stream);
  update_on_device<Factor>(device_ratings.view(), {p.view(), q.view(), stride, first_user, first_item}, kRule, workers,
                           stream);
  to_host(p, p_rows, stream);
  to_host(q, q_rows, stream);
  stream.synchronize();
}

std::vector<Rating> random_ratings(std::uint32_t users, std::uint32_t items, int count) {
  std::mt19937 random(kSeed);
  std::uniform_int_distribution<std::uint32_t> user(0, users - 1);
  std::uniform_int_distribution<std::uint32_t> item(0, items - 1);
  std::uniform_real_distribution<float> value(1, 5);
  std::vector<Rating> ratings;
  for (int i = 0; i < count; ++i) ratings.push_back({user(random), item(random), value(random)});
  return ratings;
}

void expect_near(std::span<const float> found, std::span<const float> expected, float tolerance,
                 const std::string& what) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_NEAR(found[i], expected[i], tolerance) << what << ", factor " << i << ", seed " << kSeed;
  }
}
void expect_near(Factors& found, Factors& expected, float tolerance, const std::string& what) {
  expect_near(found.p.all(), expected.p.all(), tolerance, what + ", P");
  expect_near(found.q.all(), expected.q.all(), tolerance, what + ", Q");
}

/// Few users and items: neighbours in the list often share one or both. Batches of 32 ratings and a rest.
TEST(DeviceUpdate, OfOneWorkerIsSerialDescent) {
  const std::vector<Rating> ratings = random_ratings(5, 4, 75);
  for (const int k : {1, 3, 16, 33, 128, 200, 300, 600, 1024}) {
    Factors expected(5, 4, k);
    update_on_cpu(expected, ratings);
    Factors single(5, 4, k);
    update<float>(single, ratings, 1);
    expect_near(single, expected, 1e-5F, "single precision, k = " + std::to_string(k));
    Factors half(5, 4, k);
    update<Half>(half, ratings, 1);
    expect_near(half, expected, 1e-2F, "half precision, k = " + std::to_string(k));
  }
}

/// Groups of 6 ratings have two users and two items of their own. The shares of workers are whole groups, which do not
/// meet.
TEST(DeviceUpdate, OfManyWorkersTakesEachRatingOnceAndInOrder) {
  constexpr std::uint32_t kGroups = 600;
  std::vector<Rating> ratings;
  for (std::uint32_t group = 0; group < kGroups; ++group) {
    for (Rating rating : random_ratings(2, 2, 6)) {
      rating.user += 2 * group;
      rating.item += 2 * (kGroups - 1 - group);
      ratings.push_back(rating);
    }
  }
  Factors expected(2 * kGroups, 2 * kGroups, 20);
  update_on_cpu(expected, ratings);
  for (const int workers : {2, 8, 600}) {
    Factors found(2 * kGroups, 2 * kGroups, 20);
    update<float>(found, ratings, workers);
    expect_near(found, expected, 1e-5F, std::to_string(workers) + " workers");
  }
}

TEST(DeviceUpdate, TakesSegmentsOfFactors) {
  std::vector<Rating> ratings = random_ratings(6, 5, 40);
  for (Rating& rating : ratings) {
    rating.user += 10;
    rating.item += 20;
  }
  Factors expected(16, 25, 12);
  update_on_cpu(expected, ratings);
  Factors found(16, 25, 12);
  update<float>(found, ratings, 1, 10, 20);
  expect_near(found, expected, 1e-5F, "segments");
}

TEST(DeviceUpdate, OfNoRatingsChangesNothing) {
  Factors expected(3, 2, 8);
  Factors found(3, 2, 8);
  update<float>(found, {}, 4);
  expect_near(found, expected, 0, "no ratings");
}

TEST(DeviceUpdate, TakesAsManyWorkersAsAreOfUse) {
  EXPECT_EQ(useful_workers<float>(1, 128, 1000, 1000, 100'000), 1);
  EXPECT_EQ(useful_workers<float>(4, 128, 16, 1000, 100'000), 2) << "an eighth of the users";
  EXPECT_EQ(useful_workers<float>(4, 128, 1000, 8, 100'000), 1) << "an eighth of the items";
  EXPECT_EQ(useful_workers<Half>(4, 128, 1000, 1000, 33), 2) << "32 ratings each";
  EXPECT_EQ(useful_workers<Half>(4, 128, 1, 1, 1), 1);
  const std::int64_t all = 1'000'000;
  EXPECT_EQ(useful_workers<Half>(0, 128, all, all, 32 * all), resident_workers<Half>(128));
  EXPECT_EQ(useful_workers<Half>(all, 128, all, all, 32 * all), resident_workers<Half>(128));
}

TEST(DeviceUpdate, ConvertsFactors) {
  Stream stream;
  const std::vector<float> factors{0, 1, -2.5F, 0.1F, 1e-3F, 60000};
  const Buffer<float> single(factors, stream);
  Buffer<Half> half(single.size(), stream);
  convert(single.view(), half.view(), stream);
  const std::vector<Half> halves = half.to_vector(stream);
  Buffer<float> again(single.size(), stream);
  convert(half.view(), again.view(), stream);
  const std::vector<float> back = again.to_vector(stream);
  for (std::size_t i = 0; i < factors.size(); ++i) {
    EXPECT_EQ(halves[i].bits, to_half(factors[i]).bits) << factors[i];
    EXPECT_EQ(back[i], to_float(halves[i])) << factors[i];
  }
}

}  // namespace
}  // namespace warpbench::matrix_factorization
