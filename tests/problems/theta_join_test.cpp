// The rules of theta_join: predicates, the reference by nested loops against the definition, the one by sorting against
// that by nested loops, and what the judge says.
#include "problems/theta_join/problem.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <functional>

#include "problems/theta_join/reference.hpp"
#include "solvers/external/temporary_folder.hpp"
#include "tests/problems/support/relations.hpp"
#include "tests/support/figure.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::testing {
namespace {

using theta::Int128;
using theta::Row;
using Answer = ThetaJoin::Answer;
using Input = ThetaJoin::Input;
using Output = ThetaJoin::Output;
using Query = ThetaJoin::Query;
using Reference = ThetaJoin::Reference;

constexpr std::uint64_t kSeed = 2022;

Input input_of(const Relations& relations, const std::string& theta, Query query = Query::select,
               Output output = Output::digest) {
  return {&relations, theta::parse(theta), query, output, {}};
}

bool compared(const std::string& sign, std::int32_t r, std::int32_t s) {
  if (sign == "<") return r < s;
  if (sign == "<=") return r <= s;
  if (sign == ">") return r > s;
  if (sign == ">=") return r >= s;
  return (r == s) == (sign == "=");
}

/// θ by its text: "R.a > S.a", "R.a > S.a and R.x < S.x".
bool satisfies(const std::string& theta, const Relations& all, std::size_t i, std::size_t j) {
  const auto condition = [&](const std::string& text) {
    const std::string sign = text.substr(4, text.size() - 8);
    const Relation& r = all.r;
    const Relation& s = all.s;
    return compared(sign, text[2] == 'a' ? r.a[i] : r.x[i], text.back() == 'a' ? s.a[j] : s.x[j]);
  };
  const std::size_t end = theta.find(" and ");
  return condition(theta.substr(0, end)) && (end == std::string::npos || condition(theta.substr(end + 5)));
}

/// The rows, by the definition.
std::vector<Row> rows_of(const std::string& theta, const Relations& all) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < all.r.a.size(); ++i) {
    for (std::size_t j = 0; j < all.s.a.size(); ++j) {
      if (satisfies(theta, all, i, j)) rows.push_back({all.r.a[i], all.s.a[j], all.s.x[j]});
    }
  }
  return rows;
}

theta::Found found_in(const std::vector<Row>& rows) {
  theta::Found found;
  for (const Row& row : rows) found += {row.s_x, 1, digest_of_row(row)};
  return found;
}

std::vector<NamedRelations> cases() {
  std::vector<NamedRelations> all = awkward_relations();
  for (std::uint64_t round = 0; round < usual_or_thorough(20, 200); ++round) {
    const std::uint64_t seed = kSeed + round;
    const std::int32_t range = round % 3 == 0 ? 0 : static_cast<std::int32_t>(3 + 40 * (round % 5));
    all.push_back({"random, seed " + std::to_string(seed),
                   random_relations(seed, 1 + round * 7 % 60, 1 + round * 31 % 200, range)});
  }
  return all;
}

TEST(ThetaPredicate, IsReadAndWritten) {
  for (const std::string& text : kThetas) EXPECT_EQ(theta::to_string(theta::parse(text)), text);
  EXPECT_EQ(theta::to_string(theta::parse("  R.a<=S.x AND R.x!=S.a ")), "R.a <= S.x and R.x != S.a");
  const auto task = [](const char* theta) {
    return Parameters(ThetaJoin::info().task, {{"theta", theta}}).canonical();
  };
  EXPECT_EQ(task("R.a<=S.x AND R.x!=S.a"), task("R.a <= S.x and R.x != S.a")) << "two spellings, one task";
}

TEST(ThetaPredicate, RefusesWhatIsNone) {
  for (const char* text : {"", "R.a", "R.a > S.b", "S.a > R.a", "R.a == S.a", "R.a > S.a and", "R.a > 5",
                           "R.a > S.a or R.x < S.x", "R.a > S.a and R.x < S.x and R.a != S.x", "r.a > s.a"}) {
    try {
      static_cast<void>(theta::parse(text));
      ADD_FAILURE() << text;
    } catch (const std::invalid_argument& error) {
      EXPECT_NE(std::string(error.what()).find("found '" + std::string(text) + "'"), std::string::npos);
    }
  }
  EXPECT_THROW(Parameters(ThetaJoin::info().task, {{"theta", "R.a ? S.a"}}), ParameterError);
  for (const char* output : {"count", "rows", "file"}) {
    const Parameters aggregate(ThetaJoin::info().task, {{"output", output}});
    EXPECT_THROW(ThetaJoin::info().validate(aggregate), ParameterError) << output;
    ThetaJoin::info().validate(Parameters(ThetaJoin::info().task, {{"query", "select"}, {"output", output}}));
  }
}

TEST(ThetaPredicate, FunctorsAreTheComparisons) {
  const Relations all{extreme_tuples(), extreme_tuples()};
  for (const std::string& text : kThetas) {
    const theta::Predicate predicate = theta::parse(text);
    const auto key = [](const Relation& relation, theta::Column column, std::size_t i) {
      return column == theta::Column::a ? relation.a[i] : relation.x[i];
    };
    for (std::size_t i = 0; i < all.r.a.size(); ++i) {
      for (std::size_t j = 0; j < all.s.a.size(); ++j) {
        const theta::Keys r{key(all.r, predicate.first.r, i), key(all.r, predicate.second.r, i)};
        const theta::Keys s{key(all.s, predicate.first.s, j), key(all.s, predicate.second.s, j)};
        EXPECT_EQ(theta::with_functor(predicate, [&](const auto& holds) { return holds(r, s); }),
                  satisfies(text, all, i, j))
            << text << " of " << i << " and " << j;
      }
    }
  }
}

TEST(ThetaJoinReference, IsTheDefinitionByLoopsAndBySorting) {
  int tried = 0;
  for (const auto& [name, relations] : cases()) {
    for (const std::string& text : kThetas) {
      const theta::Found expected = found_in(rows_of(text, relations));
      const theta::Join join{&relations, theta::parse(text)};
      ASSERT_EQ(theta::by_nested_loops(join, true), expected) << name << ", " << text;
      ASSERT_EQ(theta::by_sorting(join, true), expected) << name << ", " << text;
      ASSERT_EQ(theta::by_sorting(join, false).digest, 0U);
      ++tried;
    }
  }
  print_figure("theta_join: " + std::to_string(tried) + " joins by both references");
}

/// More than one block of S and parts of blocks.
TEST(ThetaJoinReference, BySortingIsThatByLoopsOnLargerRelations) {
  for (const std::int32_t range : {0, 1000, 3}) {
    const Relations relations = random_relations(kSeed, 300, 5000, range);
    for (const std::string& text : kThetas) {
      const theta::Join join{&relations, theta::parse(text)};
      EXPECT_EQ(theta::by_sorting(join, true), theta::by_nested_loops(join, true)) << range << ", " << text;
    }
  }
}

TEST(ThetaJoinReference, SumsBeyond64Bits) {
  constexpr std::size_t kTuples = 100'000;
  const Relations relations{equal_tuples(kTuples, 1, 0), equal_tuples(kTuples, 0, kSmallest)};
  Input input = input_of(relations, "R.a > S.a", Query::aggregate);
  input.limits.looped_pairs = 0;
  const Reference reference = ThetaJoin::reference(input);
  EXPECT_EQ(theta::value_of(reference.sum), Int128{kSmallest} * kTuples * kTuples);
  EXPECT_EQ(reference.count, kTuples * kTuples);
}

TEST(ThetaJoinReference, SurvivesTheCache) {
  const Relations relations = random_relations(kSeed, 30, 50, 0);
  const Input input = input_of(relations, "R.a > S.a");
  const Reference reference = ThetaJoin::reference(input);
  EXPECT_LT(reference.sum.high, 1);
  EXPECT_EQ(stored_reference<ThetaJoin>(input, bytes_of(reference)).parts(), reference.parts());
  Reference damaged = reference;
  damaged.count = 1501;
  EXPECT_THROW(static_cast<void>(stored_reference<ThetaJoin>(input, bytes_of(damaged))), std::runtime_error);
}

TEST(ThetaSum, HasTwoHalves) {
  for (const Int128 value : {Int128{0}, Int128{1}, Int128{-1}, Int128{1} << 64, -(Int128{1} << 90) + 17}) {
    EXPECT_EQ(theta::value_of(theta::sum_of(value)), value);
  }
  EXPECT_EQ(theta::sum_of(-1), (theta::Sum{~std::uint64_t{0}, -1}));
}

/// Right answers of a join, which tests make wrong.
class ThetaJoinJudge : public ::testing::Test {
 protected:
  Judgement judged(Output output, const Answer& answer) {
    const Input input = input_of(relations_, kTheta, Query::select, output);
    return ThetaJoin::judge(input, answer, ThetaJoin::reference(input));
  }
  void write(const std::vector<Row>& rows, std::size_t bytes_less = 0) {
    std::ofstream file(file_, std::ios::binary);
    const std::span<const char> bytes(reinterpret_cast<const char*>(rows.data()), rows.size() * theta::kRowBytes);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size() - bytes_less));
  }

  static constexpr const char* kTheta = "R.a > S.a";
  Relations relations_ = random_relations(kSeed, 40, 50, 20);
  std::vector<Row> rows_ = rows_of(kTheta, relations_);
  theta::Found found_ = found_in(rows_);
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "rows";
};

TEST_F(ThetaJoinJudge, KnowsTheSum) {
  const Input input = input_of(relations_, kTheta, Query::aggregate);
  const Reference reference = ThetaJoin::reference(input);
  Answer answer;
  answer.sum = theta::sum_of(found_.sum);
  const Judgement judgement = ThetaJoin::judge(input, answer, reference);
  EXPECT_EQ(judgement.verdict, Verdict::exact);
  EXPECT_FALSE(judgement.metrics.contains("rows"));
  EXPECT_EQ(judgement.metrics.at("selectivity"), static_cast<double>(rows_.size()) / 2000);
  ++answer.sum.high;
  const Judgement refused = ThetaJoin::judge(input, answer, reference);
  EXPECT_EQ(refused.verdict, Verdict::wrong);
  EXPECT_EQ(refused.difference.find("expected the sum "), 0U) << refused.difference;
}

TEST_F(ThetaJoinJudge, KnowsCountAndDigest) {
  Answer answer;
  answer.count = rows_.size();
  EXPECT_EQ(judged(Output::count, answer).verdict, Verdict::exact);
  EXPECT_EQ(judged(Output::digest, answer).verdict, Verdict::wrong);
  answer.row_digest = found_.digest;
  const Judgement judgement = judged(Output::digest, answer);
  EXPECT_EQ(judgement.verdict, Verdict::exact);
  EXPECT_EQ(judgement.metrics.at("rows"), static_cast<double>(rows_.size()));
  ++answer.count;
  EXPECT_EQ(judged(Output::count, answer).verdict, Verdict::wrong);
  EXPECT_EQ(judged(Output::digest, answer).verdict, Verdict::wrong);
}

TEST_F(ThetaJoinJudge, ReadsRowsInMemory) {
  std::ranges::reverse(rows_);
  Answer answer{{}, rows_.size(), 0, rows_, {}};
  EXPECT_EQ(judged(Output::rows, answer).verdict, Verdict::exact);
  answer.rows = answer.rows.first(rows_.size() - 1);
  EXPECT_NE(judged(Output::rows, answer).difference.find("rows in memory"), std::string::npos);
}

TEST_F(ThetaJoinJudge, ReadsRowsInAFile) {
  const auto judgement = [this] { return judged(Output::file, {{}, rows_.size(), 0, {}, file_}); };
  EXPECT_NE(judgement().difference.find("none that can be read"), std::string::npos) << judgement().difference;
  write(rows_);
  EXPECT_EQ(judgement().verdict, Verdict::exact) << judgement().difference;
  write(rows_, 1);
  EXPECT_NE(judgement().difference.find("rows of 12 bytes, found "), std::string::npos) << judgement().difference;
  write(rows_, theta::kRowBytes);
  EXPECT_EQ(judgement().verdict, Verdict::wrong);
}

/// More rows than a piece of the judge's reading holds.
TEST_F(ThetaJoinJudge, ReadsLongFilesPieceByPiece) {
  std::vector<Row> rows;
  for (std::int32_t i = 0; i < 2'500'000; ++i) rows.push_back({i, 1, -i});
  write(rows, 5);
  const theta::FileDigest found = theta::digest_of_file(file_);
  EXPECT_EQ(found.bytes, rows.size() * theta::kRowBytes - 5);
  rows.pop_back();
  EXPECT_EQ(found.digest, theta::digest_of_rows(rows));
}

TEST_F(ThetaJoinJudge, NoticesPoison) {
  write(rows_);
  const std::vector<std::pair<Query, Output>> all{{Query::aggregate, Output::digest},
                                                  {Query::select, Output::count},
                                                  {Query::select, Output::digest},
                                                  {Query::select, Output::rows},
                                                  {Query::select, Output::file}};
  for (const auto& [query, output] : all) {
    Answer answer{theta::sum_of(found_.sum), rows_.size(), found_.digest, rows_, file_};
    const Input input = input_of(relations_, kTheta, query, output);
    const Reference reference = ThetaJoin::reference(input);
    ASSERT_EQ(ThetaJoin::judge(input, answer, reference).verdict, Verdict::exact);
    const std::uint64_t right = answer.digest();
    answer.poison();
    EXPECT_NE(answer.digest(), right);
    EXPECT_EQ(ThetaJoin::judge(input, answer, reference).verdict, Verdict::wrong);
    answer.count = rows_.size();  // as a solver would report that wrote no rows
    if (output == Output::rows || output == Output::file) {
      EXPECT_EQ(ThetaJoin::judge(input, answer, reference).verdict, Verdict::wrong);
    }
    rows_ = rows_of(kTheta, relations_);
    write(rows_);
  }
}

TEST_F(ThetaJoinJudge, LeavesTheDigestOfVeryManyRowsOpen) {
  Input input = input_of(relations_, kTheta);
  input.limits.digested_rows = rows_.size() - 1;
  const Reference reference = ThetaJoin::reference(input);
  EXPECT_EQ(reference.row_digest, 0U);
  Answer answer;
  answer.count = rows_.size();
  answer.row_digest = 17;
  const Judgement judgement = ThetaJoin::judge(input, answer, reference);
  EXPECT_EQ(judgement.verdict, Verdict::unverified);
  EXPECT_NE(judgement.difference.find("the number of rows is right"), std::string::npos);
  EXPECT_TRUE(judgement.metrics.contains("unverified_row_digest"));
  --answer.count;
  EXPECT_EQ(ThetaJoin::judge(input, answer, reference).verdict, Verdict::wrong);
  input.output = Output::count;
  answer.count = rows_.size();
  EXPECT_EQ(ThetaJoin::judge(input, answer, reference).verdict, Verdict::exact);
}

}  // namespace
}  // namespace warpbench::testing
