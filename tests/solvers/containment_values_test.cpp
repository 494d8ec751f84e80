// make_values() against the problem's rule, value_of(), for any number of values.
#include "solvers/sets/containment_values.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

namespace warpbench::cpu_sets {
namespace {

TEST(ContainmentValues, AreThoseOfTheRule) {
  std::mt19937_64 random(7);
  for (const auto output : {SetContainment::Output::degree, SetContainment::Output::contained}) {
    for (const std::uint32_t size : {0U, 1U, 7U, 300U, 20'000'001U, 2'147'483'647U, 2'147'483'648U, 4'294'967'295U}) {
      for (const std::size_t count : {0, 1, 5, 16, 77}) {
        std::vector<std::uint32_t> sizes(count);
        std::vector<std::uint32_t> values(count);
        std::vector<std::uint32_t> expected(count);
        for (std::size_t i = 0; i < count; ++i) {
          sizes[i] = i % 3 == 0 ? size : static_cast<std::uint32_t>(random() >> (32 + random() % 32));
          const std::uint32_t smaller = std::min(size, sizes[i]);
          values[i] = i % 2 == 0 ? smaller : static_cast<std::uint32_t>(random() % (std::uint64_t{smaller} + 1));
          expected[i] = value_of(output, values[i], size, sizes[i]);
        }
        make_values(output, size, sizes, values);
        EXPECT_EQ(values, expected) << "size " << size << ", " << count << " values";
      }
    }
  }
}

}  // namespace
}  // namespace warpbench::cpu_sets
