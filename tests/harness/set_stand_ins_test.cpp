// The stand-ins of the collections for similarity joins, at a small scale: mean sizes near the published ones, and
// similar pairs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>

#include "datasets/sets.hpp"
#include "datasets/source.hpp"
#include "harness/spec/registry.hpp"

namespace warpbench::harness {
namespace {

double number(const datasets::Property& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

/// The pairs among the first `count` sets that share at least half of their tokens, by brute force.
std::int64_t similar_pairs(const datasets::SetCollection& sets, std::int64_t count) {
  std::int64_t found = 0;
  for (std::int64_t i = 0; i < std::min(count, sets.count()); ++i) {
    for (std::int64_t j = 0; j < i; ++j) {
      const auto a = sets.set(i);
      const auto b = sets.set(j);
      std::size_t common = 0;
      for (std::size_t x = 0, y = 0; x < a.size() && y < b.size();) {
        const datasets::Token left = a[x];
        const datasets::Token right = b[y];
        common += left == right ? 1 : 0;
        x += left <= right ? 1 : 0;
        y += right <= left ? 1 : 0;
      }
      found += 3 * common >= a.size() + b.size() ? 1 : 0;
    }
  }
  return found;
}

TEST(SetStandIns, HaveThePublishedMeanSizesAndSimilarPairs) {
  constexpr double kTokens = 500'000;
  const std::filesystem::path home = WARPBENCH_SOURCE_DIR;
  int tested = 0;
  for (const auto& [name, entry] : read_registry(home / "datasets" / "registry")) {
    if (!entry.stand_in || entry.kind != datasets::Kind::Sets || !entry.published.contains("distinct_tokens")) continue;
    SCOPED_TRACE(name);
    const double published = number(entry.published.at("mean_size"));
    datasets::Source small = entry;
    auto& generator = std::get<datasets::GeneratorSource>(small.from);
    generator.parameters["scale"] = kTokens / published / number(entry.published.at("sets"));
    const datasets::Dataset made = datasets::load(small, datasets::LoadOptions{});
    EXPECT_NEAR(number(made.properties.at("mean_size")), published, 0.2 * published);
    EXPECT_NEAR(number(made.properties.at("tokens")), kTokens, 0.3 * kTokens);
    EXPECT_GT(similar_pairs(made.as<datasets::SetCollection>(), 500), 0);
    ++tested;
  }
  EXPECT_EQ(tested, 27) << "of Tables 5.2, 5.4 and 5.6 of bellas2022";
}

}  // namespace
}  // namespace warpbench::harness
