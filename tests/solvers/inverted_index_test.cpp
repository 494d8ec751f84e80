// InvertedIndex against lists that are filled set by set, on several numbers of threads.
#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "solvers/sets/set_lists.hpp"
#include "solvers/threads.hpp"

namespace warpbench::cpu_sets {
namespace {

SetCollection collection(const std::vector<std::vector<Token>>& sets) {
  std::vector<std::uint64_t> offsets{0};
  std::vector<Token> tokens;
  for (const std::vector<Token>& set : sets) {
    tokens.insert(tokens.end(), set.begin(), set.end());
    offsets.push_back(tokens.size());
  }
  return {std::move(offsets), std::move(tokens)};
}

/// Small tokens are in many sets, large ones in few; some sets are empty.
std::vector<std::vector<Token>> skewed_sets(std::uint64_t seed, std::size_t count, Token universe) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> share(0.0, 1.0);
  std::vector<std::vector<Token>> sets(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i % 7 == 3) continue;
    for (Token token = 0; token < universe; ++token) {
      if (share(random) < 1.0 / (1.0 + 0.2 * token)) sets[i].push_back(token);
    }
  }
  return sets;
}

TEST(InvertedIndex, HoldsTheSetsOfEachTokenOnAnyNumberOfThreads) {
  for (const std::size_t count : {0, 1, 5, 300}) {
    const auto sets = skewed_sets(count, count, 200);
    const SetCollection data = collection(sets);
    const SetLists lists(data, false);
    std::vector<std::vector<std::uint32_t>> expected(static_cast<std::size_t>(lists.universe()));
    for (std::size_t i = 0; i < sets.size(); ++i) {
      for (const Token token : sets[i]) expected[token].push_back(static_cast<std::uint32_t>(i));
    }
    for (const int threads : {1, 2, 3, 16, 300}) {
      const ThreadLimit limit(threads);
      const InvertedIndex index(lists);
      ASSERT_EQ(index.tokens(), expected.size());
      for (std::size_t token = 0; token < expected.size(); ++token) {
        const auto list = index[static_cast<Token>(token)];
        EXPECT_EQ(std::vector(list.begin(), list.end()), expected[token])
            << count << " sets, " << threads << " threads, token " << token;
      }
    }
  }
}

}  // namespace
}  // namespace warpbench::cpu_sets
