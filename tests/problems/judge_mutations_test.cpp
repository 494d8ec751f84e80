// The judges of vectors, sets, subgraphs and joins against one list of mutations of right answers, that of factors
// against one of its own, and against right answers that another hand computed. (common_neighbors has a list of its
// own, in common_neighbors_test.cpp.)
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>

#include "problems/matrix_factorization/problem.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "problems/set_containment/problem.hpp"
#include "problems/set_intersection/problem.hpp"
#include "problems/set_similarity_join/problem.hpp"
#include "problems/subgraph_matching/problem.hpp"
#include "problems/theta_join/problem.hpp"
#include "solvers/external/temporary_folder.hpp"
#include "tests/problems/support/ratings.hpp"
#include "tests/problems/support/relations.hpp"
#include "tests/problems/support/sets.hpp"
#include "tests/problems/support/similar_sets.hpp"
#include "tests/problems/support/subgraph_brute_force.hpp"
#include "tests/problems/support/subgraph_cases.hpp"
#include "tests/problems/support/vectors.hpp"
#include "tests/support/figure.hpp"

namespace warpbench::testing {
namespace {

using Numbers = std::vector<std::uint32_t>;

constexpr std::uint64_t kSeed = 20261122;
constexpr std::uint64_t kRightAnswers = 1000;

/// A way to make numbers wrong; all are there, at least one.
struct Mutation {
  const char* name;
  void (*apply)(Numbers&);
};

constexpr Mutation kMutations[] = {
    {"first one more", [](Numbers& all) { ++all.front(); }},
    {"last one more", [](Numbers& all) { ++all.back(); }},
    {"middle one less", [](Numbers& all) { --all[all.size() / 2]; }},
    {"lowest bit", [](Numbers& all) { all[all.size() / 3] ^= 1U; }},
    {"highest bit", [](Numbers& all) { all.back() ^= 0x80000000U; }},
    {"first dropped", [](Numbers& all) { all.erase(all.begin()); }},
    {"last dropped", [](Numbers& all) { all.pop_back(); }},
    {"first twice, last dropped",
     [](Numbers& all) { std::ranges::copy_backward(Numbers(all.begin(), all.end() - 1), all.end()); }},
    {"last twice", [](Numbers& all) { all.push_back(Numbers(all).back()); }},
    {"half", [](Numbers& all) { all.resize(all.size() / 2); }},
    {"nothing", [](Numbers& all) { all.clear(); }},
    {"all twice", [](Numbers& all) { std::ranges::copy(Numbers(all), std::back_inserter(all)); }},
    {"first and last swapped", [](Numbers& all) { std::swap(all.front(), all.back()); }},
    {"rotated", [](Numbers& all) { std::ranges::rotate(all, all.begin() + 1); }},
    {"reversed", [](Numbers& all) { std::ranges::reverse(all); }},
    {"all equal", [](Numbers& all) { std::ranges::fill(all, Numbers(all).front()); }},
    {"all zero", [](Numbers& all) { std::ranges::fill(all, 0U); }},
    {"poison left", [](Numbers& all) { all[all.size() / 2] = 0xdeadbeefU; }},
};

/// Counts wrong answers of `problem`, and expects that each is noticed.
class Mutants {
 public:
  explicit Mutants(std::string problem) : problem_(std::move(problem)) {}

  /// `same` tells whether numbers are another way to write the right answer; `noticed` asks the judge.
  void try_all(const Numbers& right, const std::function<bool(const Numbers&)>& same,
               const std::function<bool(Numbers&)>& noticed) {
    if (right.empty()) return;
    for (const Mutation& mutation : kMutations) {
      Numbers wrong = right;
      mutation.apply(wrong);
      if (same(wrong)) continue;
      ++tried_[mutation.name];
      EXPECT_TRUE(noticed(wrong)) << problem_ << ": " << mutation.name;
    }
  }

  void print() const {
    int all = 0;
    for (const Mutation& mutation : kMutations) {
      EXPECT_TRUE(tried_.contains(mutation.name)) << mutation.name << " never made an answer wrong";
    }
    for (const auto& [name, times] : tried_) all += times;
    print_figure(std::to_string(all) + " wrong answers of " + problem_ + " by " +
                 std::to_string(std::size(kMutations)) + " mutations");
  }

 private:
  std::string problem_;
  std::map<std::string, int> tried_;
};

/// The collection of each round: few sets or many, small or large.
datasets::SetCollection some_sets(std::uint64_t round) {
  return random_sets(kSeed + round, 2 + round % 30, 1 + round % 40, 5 + static_cast<std::uint32_t>(round % 300));
}

/// The value of a pair by its common tokens and both sizes.
using ValueOf = std::function<std::uint32_t(std::size_t common, std::size_t a, std::size_t b)>;

/// Those of all pairs, by the standard library.
Numbers values_of_pairs(const datasets::SetCollection& sets, const ValueOf& value_of) {
  Numbers values;
  for (std::int64_t i = 0; i < sets.count(); ++i) {
    for (std::int64_t j = i + 1; j < sets.count(); ++j) {
      Tokens common;
      std::ranges::set_intersection(sets.set(i), sets.set(j), std::back_inserter(common));
      values.push_back(value_of(common.size(), sets.set(i).size(), sets.set(j).size()));
    }
  }
  return values;
}

using VerdictOn = std::function<Verdict(Numbers& values)>;

/// All rounds of a problem of pairs. judge_of(sets) judges the values of a collection's pairs.
void judge_pairs(const std::string& problem, const ValueOf& value_of,
                 const std::function<VerdictOn(const datasets::SetCollection&)>& judge_of) {
  Mutants mutants(problem);
  for (std::uint64_t round = 0; round < kRightAnswers; ++round) {
    const datasets::SetCollection sets = some_sets(round);
    const VerdictOn verdict = judge_of(sets);
    Numbers right = values_of_pairs(sets, value_of);
    ASSERT_EQ(verdict(right), Verdict::exact) << "round " << round;
    if (round % 20 != 0) continue;
    mutants.try_all(
        right, [&](const Numbers& values) { return values == right; },
        [&](Numbers& values) { return verdict(values) == Verdict::wrong; });
  }
  mutants.print();
  print_figure(std::to_string(kRightAnswers) + " right answers of " + problem);
}

TEST(JudgeMutations, OfSetIntersection) {
  judge_pairs(
      "set_intersection",
      [](std::size_t common, std::size_t, std::size_t) { return static_cast<std::uint32_t>(common); },
      [](const datasets::SetCollection& sets) {
        const SetIntersection::Input input{&sets, SetIntersection::Mode::multi};
        return [input, reference = SetIntersection::reference(input)](Numbers& values) {
          return SetIntersection::judge(input, {{values, {}}, 0, {}}, reference).verdict;
        };
      });
}

TEST(JudgeMutations, OfSetContainment) {
  judge_pairs(
      "set_containment",
      [](std::size_t common, std::size_t a, std::size_t b) {
        const std::size_t smaller = std::min(a, b);
        return std::bit_cast<std::uint32_t>(smaller == 0 ? 1.0F
                                                         : static_cast<float>(common) / static_cast<float>(smaller));
      },
      [](const datasets::SetCollection& sets) {
        const SetContainment::Input input{&sets, SetContainment::Output::degree};
        return [input, reference = SetContainment::reference(input)](Numbers& values) {
          return SetContainment::judge(input, {{values, {}}}, reference).verdict;
        };
      });
}

TEST(JudgeMutations, OfContainedPairs) {
  Mutants mutants("set_containment, contained pairs");
  for (std::uint64_t round = 0; round < kRightAnswers; ++round) {
    const datasets::SetCollection sets = random_sets(kSeed + round, 2 + round % 30, 1 + round % 6, 12);
    const SetContainment::Input input{&sets, SetContainment::Output::pairs};
    const SetContainment::Reference reference = SetContainment::reference(input);
    Numbers right;
    std::uint32_t place = 0;
    for (std::int64_t a = 0; a < sets.count(); ++a) {
      for (std::int64_t b = a + 1; b < sets.count(); ++b, ++place) {
        const auto holds = [&](std::int64_t one, std::int64_t other) {
          return std::ranges::includes(sets.set(one), sets.set(other));
        };
        if (holds(a, b) || holds(b, a)) right.push_back(place);
      }
    }
    const auto verdict = [&](const Numbers& numbers) {
      std::vector<std::uint64_t> places(numbers.begin(), numbers.end());
      SetContainment::Answer answer;
      answer.places = places;
      return SetContainment::judge(input, answer, reference).verdict;
    };
    ASSERT_EQ(verdict(right), Verdict::exact) << "round " << round;
    if (round % 20 != 0) continue;
    mutants.try_all(
        right, [&](const Numbers& numbers) { return numbers == right; },
        [&](const Numbers& numbers) { return verdict(numbers) == Verdict::wrong; });
  }
  mutants.print();
  print_figure(std::to_string(kRightAnswers) + " right answers of set_containment, contained pairs");
}

/// Pairs come in any order; of each its sets and the bits of its similarity.
TEST(JudgeMutations, OfSetSimilarityJoin) {
  using similarity::Pair;
  using Output = SetSimilarityJoin::Output;
  Mutants mutants("set_similarity_join");
  for (std::uint64_t round = 0; round < kRightAnswers; ++round) {
    const datasets::SetCollection sets = similar_sets(kSeed + round);
    const SetSimilarityJoin::Input input{&sets, 0, similarity::Measure::dice, {1, 2}, Output::pairs, {}};
    const SetSimilarityJoin::Reference reference = SetSimilarityJoin::reference(input);
    Numbers right;
    for (std::uint32_t a = 0; a < sets.count(); ++a) {
      for (std::uint32_t b = a + 1; b < sets.count(); ++b) {
        Tokens common;
        std::ranges::set_intersection(sets.set(a), sets.set(b), std::back_inserter(common));
        const double both = static_cast<double>(sets.size(a) + sets.size(b));
        const double similarity = common.empty() ? 0 : 2 * static_cast<double>(common.size()) / both;
        if (similarity >= 0.5) {
          std::ranges::copy(std::array{a, b, std::bit_cast<std::uint32_t>(static_cast<float>(similarity))},
                            std::back_inserter(right));
        }
      }
    }
    const auto pairs_in = [](const Numbers& numbers) {
      std::vector<Pair> pairs;
      for (std::size_t at = 0; at + 3 <= numbers.size(); at += 3) {
        pairs.push_back(std::bit_cast<Pair>(std::array{numbers[at], numbers[at + 1], numbers[at + 2]}));
      }
      return pairs;
    };
    const auto verdict = [&](const Numbers& numbers) {
      std::vector<Pair> pairs = pairs_in(numbers);
      return SetSimilarityJoin::judge(input, {(numbers.size() + 2) / 3, 0, pairs}, reference).verdict;
    };
    ASSERT_EQ(verdict(right), Verdict::exact) << "round " << round;
    if (round % 20 != 0) continue;
    const auto in_order = [](const Numbers& numbers) {
      std::vector<Numbers> pairs;
      for (std::size_t at = 0; at < numbers.size(); at += 3) {
        pairs.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                           numbers.begin() + static_cast<std::ptrdiff_t>(std::min(at + 3, numbers.size())));
      }
      std::ranges::sort(pairs);
      return pairs;
    };
    mutants.try_all(
        right, [&](const Numbers& numbers) { return in_order(numbers) == in_order(right); },
        [&](const Numbers& numbers) { return verdict(numbers) == Verdict::wrong; });
  }
  mutants.print();
  print_figure(std::to_string(kRightAnswers) + " right answers of set_similarity_join");
}

/// Neighbours come in any order within a row. A miss lowers recall; an id that is none, or is there twice, is wrong.
TEST(JudgeMutations, OfNearestNeighbors) {
  Mutants mutants("nearest_neighbors");
  for (std::uint64_t round = 0; round < kRightAnswers; ++round) {
    const VectorSet set = clustered(20 + round % 40, 3, static_cast<std::uint32_t>(2 + round % 9), kSeed + round);
    const NearestNeighbors::Input input{&set, kMetrics[round % 3], 4};
    const NearestNeighbors::Reference reference = NearestNeighbors::reference(input);
    const auto verdict = [&](Numbers& ids) { return NearestNeighbors::judge(input, {ids}, reference).verdict; };
    const auto in_order = [](Numbers ids) {
      for (std::size_t row = 0; row + 4 <= ids.size(); row += 4) {
        std::ranges::sort(std::span(ids).subspan(row, 4));
      }
      return ids;
    };
    Numbers right = as_answer(input, sorted_by_distance(input));
    ASSERT_EQ(verdict(right), Verdict::exact) << "round " << round;
    if (round % 20 != 0) continue;
    mutants.try_all(
        right, [&](const Numbers& ids) { return in_order(ids) == in_order(right); },
        [&](Numbers& ids) { return verdict(ids) != Verdict::exact; });
  }
  mutants.print();
  print_figure(std::to_string(kRightAnswers) + " right answers of nearest_neighbors");
}

using FactorAnswer = MatrixFactorization::Answer;

/// A way to make factors wrong, or what is reported of them.
struct FactorMutation {
  const char* name;
  void (*apply)(std::vector<float>& p, std::vector<float>& q, FactorAnswer& answer);
};
constexpr FactorMutation kFactorMutations[] = {
    {"factor no number",
     [](auto& p, auto&, FactorAnswer&) { p[p.size() / 2] = std::numeric_limits<float>::quiet_NaN(); }},
    {"factor infinite", [](auto&, auto& q, FactorAnswer&) { q.back() = std::numeric_limits<float>::infinity(); }},
    {"factor 1 more", [](auto& p, auto&, FactorAnswer&) { p.front() += 1; }},
    {"row of zeros", [](auto& p, auto&, FactorAnswer&) { std::fill_n(p.begin(), 4, 0.0F); }},
    {"all zeros", [](auto&, auto& q, FactorAnswer&) { std::ranges::fill(q, 0.0F); }},
    {"rows rotated", [](auto& p, auto&, FactorAnswer&) { std::ranges::rotate(p, p.begin() + 4); }},
    {"columns rotated", [](auto& p, auto&, FactorAnswer&) { std::ranges::rotate(p, p.begin() + 1); }},
    {"reversed", [](auto&, auto& q, FactorAnswer&) { std::ranges::reverse(q); }},
    {"other sign", [](auto& p, auto&, FactorAnswer&) { std::ranges::transform(p, p.begin(), std::negate()); }},
    {"row dropped", [](auto& p, auto&, FactorAnswer&) { p.resize(p.size() - 4); }},
    {"last twice", [](auto&, auto& q, FactorAnswer&) { q.push_back(float{q.back()}); }},
    {"nothing", [](auto& p, auto& q, FactorAnswer&) { p.clear(), q.clear(); }},
    {"RMSE 0.1 % off", [](auto&, auto&, FactorAnswer& answer) { answer.rmse.back() *= 0.999; }},
    {"RMSE of the iteration before",
     [](auto&, auto&, FactorAnswer& answer) { answer.rmse.back() = answer.rmse.front(); }},
    {"no RMSE", [](auto&, auto&, FactorAnswer& answer) { answer.rmse.clear(); }},
    {"iteration dropped",
     [](auto&, auto&, FactorAnswer& answer) { answer.rmse.pop_back(), answer.seconds.pop_back(); }},
    {"no times", [](auto&, auto&, FactorAnswer& answer) { answer.seconds.clear(); }},
};

/// All users rate all items in the test, so that every factor counts. A right answer is any factors with their RMSE.
TEST(JudgeMutations, OfMatrixFactorization) {
  std::vector<OneRating> every;
  for (std::uint32_t pair = 0; pair < 7 * 5; ++pair) {
    every.push_back({pair / 5, pair % 5, static_cast<float>(1 + mix64(kSeed, pair) % 5)});
  }
  const Ratings ratings = ratings_of(7, 5, every, every);
  MatrixFactorization::Input input;
  input.ratings = &ratings;
  input.k = 4;
  input.iterations = 2;
  const MatrixFactorization::Reference reference{{1}, {1, 1}, {2, 2}};
  int tried = 0;
  for (std::uint64_t round = 0; round < kRightAnswers; ++round) {
    std::mt19937_64 random(kSeed + round);
    std::uniform_real_distribution<float> factor(-1, 2);
    std::vector<float> p(7 * 4);
    std::vector<float> q(5 * 4);
    for (float& x : p) x = factor(random);
    for (float& x : q) x = factor(random);
    double squares = 0;
    for (const OneRating& rating : every) {
      const float e = rating.value -
                      std::inner_product(&p[rating.user * 4UL], &p[rating.user * 4UL] + 4, &q[rating.item * 4UL], 0.0F);
      squares += static_cast<double>(e * e);
    }
    const double rmse = std::sqrt(squares / static_cast<double>(every.size()));
    const FactorAnswer right{p, q, {1.5 * rmse, rmse}, {0.5, 1}};
    ASSERT_EQ(MatrixFactorization::judge(input, right, reference).verdict, Verdict::approximate) << "round " << round;
    if (round % 20 != 0) continue;
    for (const FactorMutation& mutation : kFactorMutations) {
      std::vector<float> wrong_p = p;
      std::vector<float> wrong_q = q;
      FactorAnswer wrong = right;
      mutation.apply(wrong_p, wrong_q, wrong);
      wrong.p = wrong_p;
      wrong.q = wrong_q;
      EXPECT_EQ(MatrixFactorization::judge(input, wrong, reference).verdict, Verdict::wrong)
          << "matrix_factorization: " << mutation.name << ", round " << round;
      ++tried;
    }
  }
  print_figure(std::to_string(tried) + " wrong answers of matrix_factorization by " +
               std::to_string(std::size(kFactorMutations)) + " mutations");
  print_figure(std::to_string(kRightAnswers) + " right answers of matrix_factorization");
}

/// The rows of R.a > S.a, three numbers each; and their sum, as two numbers.
struct JoinOf {
  explicit JoinOf(const Relations& relations) {
    theta::Int128 all = 0;
    for (const std::int32_t r : relations.r.a) {
      for (std::size_t j = 0; j < relations.s.a.size(); ++j) {
        if (!(r > relations.s.a[j])) continue;
        for (const std::int32_t value : {r, relations.s.a[j], relations.s.x[j]}) {
          rows.push_back(static_cast<std::uint32_t>(value));
        }
        all += relations.s.x[j];
      }
    }
    sum = theta::sum_of(all);
  }

  Numbers rows;
  theta::Sum sum;
};

/// Rows come in any order, in a file or, where they are whole, in memory.
TEST(JudgeMutations, OfThetaJoin) {
  using Output = ThetaJoin::Output;
  using theta::Row;
  Mutants mutants("theta_join");
  const TemporaryFolder folder;
  const std::filesystem::path path = folder.path() / "rows";
  for (std::uint64_t round = 0; round < kRightAnswers; ++round) {
    const Relations relations = random_relations(kSeed + round, 5 + round % 20, 3 + round % 11, 0);
    const JoinOf join(relations);
    ThetaJoin::Input input{&relations, theta::parse("R.a > S.a"), ThetaJoin::Query::select, Output::file, {}};
    const ThetaJoin::Reference reference = ThetaJoin::reference(input);
    const auto in_file = [&](const Numbers& numbers, std::uint64_t count) {
      const std::span<const char> bytes(reinterpret_cast<const char*>(numbers.data()), numbers.size() * 4);
      std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
      input.output = Output::file;
      return ThetaJoin::judge(input, {{}, count, 0, {}, path}, reference).verdict;
    };
    const auto in_memory = [&](const Numbers& numbers, std::uint64_t count) {
      std::vector<Row> rows;
      for (std::size_t at = 0; at + 3 <= numbers.size(); at += 3) {
        rows.push_back(std::bit_cast<Row>(std::array{numbers[at], numbers[at + 1], numbers[at + 2]}));
      }
      input.output = Output::rows;
      return ThetaJoin::judge(input, {{}, count, 0, rows, {}}, reference).verdict;
    };
    const std::uint64_t count = join.rows.size() / 3;
    ASSERT_EQ(in_memory(join.rows, count), Verdict::exact) << "round " << round;
    if (round % 20 != 0) continue;
    ASSERT_EQ(in_file(join.rows, count), Verdict::exact) << "round " << round;
    const auto in_order = [](const Numbers& numbers) {
      std::vector<Numbers> rows;
      for (std::size_t at = 0; at < numbers.size(); at += 3) {
        rows.emplace_back(numbers.begin() + static_cast<std::ptrdiff_t>(at),
                          numbers.begin() + static_cast<std::ptrdiff_t>(std::min(at + 3, numbers.size())));
      }
      std::ranges::sort(rows);
      return rows;
    };
    mutants.try_all(
        join.rows, [&](const Numbers& numbers) { return in_order(numbers) == in_order(join.rows); },
        [&](const Numbers& numbers) {
          // With the right number of rows, and with that of the rows that are there.
          const std::uint64_t there = numbers.size() / 3;
          const bool noticed = in_file(numbers, count) == Verdict::wrong && in_file(numbers, there) == Verdict::wrong;
          if (numbers.size() % 3 != 0) return noticed;
          return noticed && in_memory(numbers, count) == Verdict::wrong && in_memory(numbers, there) == Verdict::wrong;
        });
    input.query = ThetaJoin::Query::aggregate;
    const theta::Int128 sum = theta::value_of(join.sum);
    for (const theta::Int128 wrong : {sum + 1, sum - 1, -sum - 1, sum ^ theta::Int128{1} << 63,
                                      sum ^ theta::Int128{1} << 64, theta::Int128{kPoison}}) {
      ThetaJoin::Answer answer;
      answer.sum = theta::sum_of(wrong);
      EXPECT_EQ(ThetaJoin::judge(input, answer, reference).verdict, Verdict::wrong) << "round " << round;
    }
    ThetaJoin::Answer answer;
    answer.sum = join.sum;
    EXPECT_EQ(ThetaJoin::judge(input, answer, reference).verdict, Verdict::exact) << "round " << round;
  }
  mutants.print();
  print_figure(std::to_string(kRightAnswers) + " right answers of theta_join");
}

/// Matches come in any order.
TEST(JudgeMutations, OfSubgraphMatching) {
  Mutants mutants("subgraph_matching");
  std::uint64_t right_answers = 0;
  for (std::uint64_t round = 0; right_answers < kRightAnswers; ++round) {
    RandomGraphs how;
    how.vertices = 5 + round % 3;
    how.degree = 2;
    how.vertex_labels = 1 + static_cast<std::uint32_t>(round % 2);
    how.query_vertices = 3;
    how.queries = 10;
    const datasets::Dataset dataset = random_subgraph_case(kSeed + round, how);
    const auto& graphs = dataset.as<datasets::GraphQueries>();
    const SubgraphMatching::Input input = subgraph_input(dataset, {{"output", "matches"}});
    const SubgraphMatching::Reference reference = SubgraphMatching::reference(input);
    SubgraphMatching::Answer right;
    for (std::int64_t q = 0; q < graphs.count(); ++q) {
      const std::vector<Map> all = all_matches(graphs, q, "isomorphism");
      SubgraphMatching::QueryAnswer one{true, all.size(), digest_of(all), {}};
      for (const Map& match : all) one.matches.insert(one.matches.end(), match.begin(), match.end());
      right.queries.push_back(std::move(one));
      ++right_answers;
    }
    ASSERT_EQ(SubgraphMatching::judge(input, right, reference).verdict, Verdict::exact) << "round " << round;
    const std::size_t width = input.queries()[0].vertices();
    const auto rows = [width](const Numbers& matches) {
      std::vector<Numbers> sorted;
      for (std::size_t at = 0; at < matches.size(); at += width) {
        sorted.emplace_back(matches.begin() + static_cast<std::ptrdiff_t>(at),
                            matches.begin() + static_cast<std::ptrdiff_t>(std::min(at + width, matches.size())));
      }
      std::ranges::sort(sorted);
      return sorted;
    };
    const Numbers matches(right.queries[0].matches.begin(), right.queries[0].matches.end());
    mutants.try_all(
        matches, [&](const Numbers& changed) { return rows(changed) == rows(matches); },
        [&](const Numbers& changed) {
          SubgraphMatching::Answer wrong = right;
          wrong.queries[0].matches.assign(changed.begin(), changed.end());
          return SubgraphMatching::judge(input, wrong, reference).verdict == Verdict::wrong;
        });
  }
  mutants.print();
  print_figure(std::to_string(right_answers) + " right answers of subgraph_matching");
}

}  // namespace
}  // namespace warpbench::testing
