// Division by a number that is known before a launch, against that of the host.
#include <limits>
#include <vector>

#include "algorithms/sets/ip/divisor.cuh"
#include "device/block.cuh"
#include "tests/device/support.hpp"

namespace warpbench::sets {
namespace {

using Divisors = testing::DeviceTest;

__global__ void divide_kernel(Divisor divisor, View<const std::int64_t> numbers, View<std::int64_t> quotients) {
  for (const std::int64_t i : block::strided(numbers.size())) quotients[i] = divisor.quotient(numbers[i]);
}

/// Numbers around multiples of the divisor of every magnitude: there the quotient changes.
std::vector<std::int64_t> edges(std::int64_t divisor) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  std::vector<std::int64_t> numbers{0, 1, kMost - 1, kMost};
  const auto add_around = [&](std::int64_t number) {
    const std::int64_t multiple = number / divisor * divisor;
    numbers.push_back(multiple);
    if (multiple > 0) numbers.push_back(multiple - 1);
    if (multiple < kMost) numbers.push_back(multiple + 1);
  };
  for (int bit = 0; bit < 63; ++bit) add_around(std::int64_t{1} << bit);
  add_around(kMost);
  return numbers;
}

TEST_F(Divisors, DivideAsTheHostDoes) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  for (const std::int64_t value :
       {std::int64_t{1}, std::int64_t{2}, std::int64_t{3}, std::int64_t{7}, std::int64_t{4096}, std::int64_t{4883},
        (std::int64_t{1} << 31) - 1, (std::int64_t{1} << 32) + 1, kMost / 2, kMost - 1, kMost}) {
    const std::vector<std::int64_t> numbers = edges(value);
    const Buffer<std::int64_t> given(numbers, stream());
    Buffer<std::int64_t> quotients(std::ssize(numbers), stream());
    launch(divide_kernel, Grid{1, 64}, stream(), Divisor(value), given.view(), quotients.view());
    const std::vector<std::int64_t> found = quotients.to_vector(stream());
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      EXPECT_EQ(found[i], numbers[i] / value) << numbers[i] << " by " << value;
    }
  }
}

}  // namespace
}  // namespace warpbench::sets
