// nested-loop beyond the conformance suite: every instruction set and number of threads, sums beyond 64 bits, tiles of
// S, and a file for which there is no room.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "problems/theta_join/problem.hpp"
#include "solvers/simd.hpp"
#include "solvers/solver.hpp"
#include "tests/problems/support/file_size_limit.hpp"
#include "tests/problems/support/relations.hpp"

namespace warpbench::testing {
namespace {

using Input = ThetaJoin::Input;
using Output = ThetaJoin::Output;
using Query = ThetaJoin::Query;

constexpr std::uint64_t kSeed = 33;

/// nested-loop on an input.
class Solved {
 public:
  Solved(const Input& input, const std::map<std::string, Value>& given) {
    const auto& all = solvers_of<ThetaJoin>();
    const auto entry = std::ranges::find(all, "nested-loop", [](const auto& e) { return e.info.id; });
    solver_ = entry->make(Parameters(entry->info.parameters, given));
    solver_->prepare(input, phases_);
    solver_->upload(phases_);
    solve();
  }

  void solve() {
    solver_->solve(phases_);
    solver_->download(answer, phases_);
  }

  ThetaJoin::Answer answer;

 private:
  Phases phases_;
  std::unique_ptr<Solver<ThetaJoin>> solver_;
};

std::vector<std::string> instruction_sets() {
  std::vector<std::string> all{"none", "auto"};
  for (const char* name : {"avx2", "avx512"}) {
    try {
      static_cast<void>(simd_from(name));
      all.emplace_back(name);
    } catch (const Unsupported&) {  // not on this machine
    }
  }
  return all;
}

/// More than one tile of S, and parts of vectors.
TEST(NestedLoop, AgreesWithTheReferenceWithAllInstructionSets) {
  const Relations relations = random_relations(kSeed, 37, 5003, 300);
  for (const std::string& theta : kThetas) {
    for (const Output output : {Output::digest, Output::rows, Output::file}) {
      const Input input{&relations, theta::parse(theta), Query::select, output, {}};
      const ThetaJoin::Reference reference = ThetaJoin::reference(input);
      for (const std::string& simd : instruction_sets()) {
        for (const int threads : {1, 3}) {
          const Solved solved(input, {{"simd", simd}, {"threads", threads}});
          const Judgement judgement = ThetaJoin::judge(input, solved.answer, reference);
          ASSERT_EQ(judgement.verdict, Verdict::exact)
              << theta << ", " << simd << ", " << threads << " threads: " << judgement.difference;
        }
      }
    }
  }
}

TEST(NestedLoop, SumsBeyond64Bits) {
  constexpr std::size_t kTuples = 70'000;
  for (const std::int32_t x : {kSmallest, kLargest}) {
    const Relations relations{equal_tuples(kTuples, kLargest, 0), equal_tuples(kTuples, kSmallest, x)};
    const Input input{&relations, theta::parse("R.a > S.a"), Query::aggregate, Output::digest, {}};
    const Solved solved(input, {});
    EXPECT_EQ(theta::value_of(solved.answer.sum), theta::Int128{x} * kTuples * kTuples);
  }
}

TEST(NestedLoop, LeavesNoFileHalfWrittenWhereThereIsNoRoom) {
  const Relations relations = random_relations(kSeed, 500, 500, 0);
  const Input input{&relations, theta::parse("R.a > S.a"), Query::select, Output::file, {}};
  Solved solved(input, {{"threads", 2}});
  const std::filesystem::path file = solved.answer.file;
  const std::uintmax_t bytes = std::filesystem::file_size(file);
  ASSERT_EQ(bytes, solved.answer.count * theta::kRowBytes);
  {
    const FileSizeLimit limit(bytes - 1);
    EXPECT_THROW(solved.solve(), Unsupported);
    EXPECT_EQ(std::filesystem::file_size(file), 0U);
  }
  solved.solve();
  EXPECT_EQ(std::filesystem::file_size(file), bytes);
}

}  // namespace
}  // namespace warpbench::testing
