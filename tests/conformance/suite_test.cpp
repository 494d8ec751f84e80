// The suite itself: a sound solver passes all checks, and each kind of broken one fails the check that is for it.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "device/buffer.hpp"
#include "problems/common_neighbors/problem.hpp"
#include "problems/nearest_neighbors/problem.hpp"
#include "tests/algorithms/support/graphs.hpp"
#include "tests/conformance/support/suite.hpp"
#include "tests/problems/support/vectors.hpp"

#if defined(WARPBENCH_SIMT)
#include "device/simt/order.hpp"
#endif

namespace warpbench::conformance {
namespace {

/// Counts by the reference and keeps its answer in device memory, as a solver on a GPU does.
class Sound : public Solver<CommonNeighbors> {
 public:
  explicit Sound(const Parameters& /*parameters*/) {}

  void prepare(const Input& input, Phases& /*phases*/) override { input_ = &input; }
  void upload(Phases& /*phases*/) override { on_device_ = Buffer<std::uint32_t>(input_->graph->slots(), stream_); }
  void solve(Phases& /*phases*/) override { write(CommonNeighbors::reference(*input_)); }
  void download(Answer& answer, Phases& /*phases*/) override {
    counts_.resize(static_cast<std::size_t>(on_device_.size()));
    on_device_.download(counts_, stream_);
    answer.counts = counts_;
  }
  void configure(const Parameters& /*parameters*/) override {}

 protected:
  void write(const std::vector<std::uint32_t>& counts) {
    on_device_.upload(counts, stream_);
    stream_.synchronize();
  }
  const Input* input_ = nullptr;
  std::vector<std::uint32_t> counts_;

 private:
  Stream stream_;
  Buffer<std::uint32_t> on_device_;
};

/// The answer is still there from the first time, so that nobody notices who does not look.
class LazyTheSecondTime final : public Sound {
 public:
  using Sound::Sound;
  void solve(Phases& phases) override {
    if (!solved_) Sound::solve(phases);
    solved_ = true;
  }

 private:
  bool solved_ = false;
};

/// Brings down a copy on the host, which nobody overwrites.
class KeepsItsAnswer final : public Sound {
 public:
  using Sound::Sound;
  void solve(Phases& phases) override {
    Sound::solve(phases);
    kept_ = CommonNeighbors::reference(*input_);
  }
  void download(Answer& answer, Phases& /*phases*/) override {
    counts_ = kept_;
    answer.counts = counts_;
  }

 private:
  std::vector<std::uint32_t> kept_;
};

class WrongByOne final : public Sound {
 public:
  using Sound::Sound;
  void solve(Phases& /*phases*/) override {
    std::vector<std::uint32_t> counts = CommonNeighbors::reference(*input_);
    if (counts.size() > 100) ++counts[100];
    write(counts);
  }
};

/// Its copy of the answer is too old by one solve.
class WrongWithTransfers final : public Sound {
 public:
  using Sound::Sound;
  void solve_with_transfers(Answer& answer, Phases& phases) override {
    upload(phases);
    solve(phases);
    answer.counts = counts_;
  }
};

class BreaksWhenConfigured final : public Sound {
 public:
  using Sound::Sound;
  void configure(const Parameters& /*parameters*/) override { configured_ = true; }
  void solve(Phases& phases) override {
    if (!configured_) return Sound::solve(phases);
    write(std::vector<std::uint32_t>(static_cast<std::size_t>(input_->graph->slots())));
  }

 private:
  bool configured_ = false;
};

/// Goes on without the memory that it did not get.
class WrongWithLittleMemory final : public Sound {
 public:
  using Sound::Sound;
  void solve(Phases& phases) override {
    try {
      const Buffer<std::uint32_t> scratch(100'000, scratch_stream_);
      Sound::solve(phases);
    } catch (const OutOfDeviceMemory&) {
      write(std::vector<std::uint32_t>(static_cast<std::size_t>(input_->graph->slots())));
    }
  }

 private:
  Stream scratch_stream_;
};

class RefusesLargeGraphs final : public Sound {
 public:
  using Sound::Sound;
  void prepare(const Input& input, Phases& phases) override {
    if (input.graph->slots() > 100) throw Unsupported("too large");
    Sound::prepare(input, phases);
  }
};

class PreparesWithoutAName : public Sound {
 public:
  using Sound::Sound;
  void prepare(const Input& input, Phases& phases) override {
    Sound::prepare(input, phases);
    index_.assign(input.graph->neighbors.begin(), input.graph->neighbors.end());
  }

 private:
  std::vector<datasets::Vertex> index_;
};

class NamesWhatItPrepares final : public PreparesWithoutAName {
 public:
  using PreparesWithoutAName::PreparesWithoutAName;
  void prepare(const Input& input, Phases& phases) override {
    const auto scope = phases.cpu("index");
    PreparesWithoutAName::prepare(input, phases);
  }
};

/// A new solver can do with two threads.
class RefusesToBeConfigured final : public Sound {
 public:
  using Sound::Sound;
  void configure(const Parameters& parameters) override {
    if (parameters.integer("threads") == 2) throw Unsupported("two threads");
  }
};

class AcceptsByConfigureAlone final : public Sound {
 public:
  explicit AcceptsByConfigureAlone(const Parameters& parameters) : Sound(parameters) {
    if (parameters.integer("threads") == 2) throw Unsupported("two threads");
  }
};

/// Refuses, new or configured, where `Rule` gives a reason.
template <typename Rule>
class Refuses final : public Sound {
 public:
  explicit Refuses(const Parameters& parameters) : Sound(parameters), parameters_(parameters) {}
  void configure(const Parameters& parameters) override { parameters_ = parameters; }
  void solve(Phases& phases) override {
    const std::string reason = Rule()(parameters_);
    if (!reason.empty()) throw Unsupported(reason);
    Sound::solve(phases);
  }

 private:
  Parameters parameters_;
};

using RefusesTwoThreads = Refuses<decltype(
    [](const Parameters& parameters) { return parameters.integer("threads") == 2 ? "two threads" : ""; })>;
using RefusesAllButItsDefault = Refuses<decltype(
    [](const Parameters& parameters) { return parameters.integer("threads") != 1 ? "one thread only" : ""; })>;
using RefusesAFlag =
    Refuses<decltype([](const Parameters& parameters) { return parameters.flag("careful") ? "no care" : ""; })>;
using RefusesAChoice = Refuses<decltype(
    [](const Parameters& parameters) { return parameters.text("simd") == "avx2" ? "no such kernel" : ""; })>;
using LacksInstructions = Refuses<decltype(
    [](const Parameters& parameters) { return parameters.text("simd") == "avx2" ? "this CPU has no avx2" : ""; })>;

#if defined(WARPBENCH_SIMT)
class WrongInOneOrder final : public Sound {
 public:
  using Sound::Sound;
  void solve(Phases& phases) override {
    if (simt::lane_order().kind == simt::LaneOrder::Kind::kAscending) return Sound::solve(phases);
    write(std::vector<std::uint32_t>(static_cast<std::size_t>(input_->graph->slots())));
  }
};
#endif

template <typename Class>
SolverEntry<CommonNeighbors> entry_of() {
  SolverInfo info;
  info.id = "under test";
  info.device = Target::gpu;
  info.parameters = {parameter("threads", 1).range(0, 2).means("has no effect"),
                     parameter("careful", false).means("has no effect"),
                     parameter("simd", "none").one_of({"none", "avx2"}).means("has no effect")};
  return {info, [](const Parameters& parameters) { return std::make_unique<Class>(parameters); }};
}

const Inputs<CommonNeighbors>& few_graphs() {
  static const Inputs<CommonNeighbors> inputs = [] {
    Inputs<CommonNeighbors> made;
    made.all = {case_of<CommonNeighbors>("one edge", testing::graph_of(2, {{0, 1}})),
                case_of<CommonNeighbors>("a clique", testing::complete(20))};
    made.few = made.all;
    made.large = {made.all.back()};
    return made;
  }();
  return inputs;
}

/// The names of the checks that `Class` fails.
template <typename Class>
std::vector<std::string> failed_by() {
  const SolverEntry<CommonNeighbors> entry = entry_of<Class>();
  std::vector<std::string> failed;
  for (const Check<CommonNeighbors>& check : kChecks<CommonNeighbors>) {
    if (!(Checks<CommonNeighbors>(entry, few_graphs()).*check.run)().empty()) failed.emplace_back(check.name);
  }
  return failed;
}

using Names = std::vector<std::string>;

TEST(Suite, PassesASoundSolver) {
  EXPECT_EQ(failed_by<Sound>(), Names{});
}

TEST(Suite, FindsASolverThatWritesNothingTheSecondTime) {
  EXPECT_EQ(failed_by<LazyTheSecondTime>(), (Names{"AnswersAnewEachTime", "TakesNewParameters"}));
}

TEST(Suite, FindsASolverThatStillHasItsAnswer) {
  EXPECT_EQ(failed_by<KeepsItsAnswer>(), Names{"ForgetsItsAnswer"});
}

TEST(Suite, FindsWrongAnswers) {
  EXPECT_EQ(failed_by<WrongByOne>().size(), kChecks<CommonNeighbors>.size() - 3)
      << "it can do with no less memory, prepares nothing, and its answer is lost where it should be";
  EXPECT_EQ(failed_by<WrongWithTransfers>(), Names{"AnswersAnewEachTime"});
  EXPECT_EQ(failed_by<BreaksWhenConfigured>(), Names{"TakesNewParameters"});
}

TEST(Suite, FindsASolverThatIsWrongWithLittleMemory) {
  EXPECT_EQ(failed_by<WrongWithLittleMemory>(), Names{"IsRightOrSaysThatMemoryIsShort"});
}

TEST(Suite, FindsAPreparationThatNamesNoPhase) {
  EXPECT_EQ(failed_by<PreparesWithoutAName>(), Names{"NamesWhatItPrepares"});
  EXPECT_EQ(failed_by<NamesWhatItPrepares>(), Names{});
}

TEST(Suite, AcceptsNoRefusalOfSomeInputsOfATask) {
  EXPECT_EQ(failed_by<RefusesLargeGraphs>().front(), "AnswersEveryInput");
}

TEST(Suite, AcceptsARefusalOfSomeExtremesOnly) {
  EXPECT_EQ(failed_by<RefusesTwoThreads>(), Names{});
  EXPECT_EQ(failed_by<RefusesAllButItsDefault>(), Names{"AnswersAtEveryExtreme"});
}

TEST(Suite, AcceptsNoRefusalOfAFlagOrChoiceUnlessTheMachineLacksSomething) {
  EXPECT_EQ(failed_by<RefusesAFlag>(), Names{"AnswersAtEveryExtreme"});
  EXPECT_EQ(failed_by<RefusesAChoice>(), Names{"AnswersAtEveryExtreme"});
  EXPECT_EQ(failed_by<LacksInstructions>(), Names{});
}

TEST(Suite, FindsAConfigureThatRefusesOtherThanANewSolver) {
  EXPECT_EQ(failed_by<RefusesToBeConfigured>(), Names{"TakesNewParameters"});
  EXPECT_EQ(failed_by<AcceptsByConfigureAlone>(), Names{"TakesNewParameters"});
}

#if defined(WARPBENCH_SIMT)
TEST(Suite, FindsASolverThatIsRightInOneOrderOnly) {
  const LaneOrder lanes("ascending");
  EXPECT_EQ(failed_by<WrongInOneOrder>(), Names{"AnswersInAnyOrderOfThreads"});
}
#endif

/// Gives the first points, or the last, in place of the nearest: never wrong, and of no use. `end` is not looked at
/// again.
class AnyPoints final : public Solver<NearestNeighbors> {
 public:
  explicit AnyPoints(const Parameters& parameters) : end_(parameters.text("end")) {}
  void prepare(const Input& input, Phases& /*phases*/) override { input_ = &input; }
  void solve(Phases& /*phases*/) override {
    ids_.clear();
    for (std::int64_t q = 0; q < input_->queries(); ++q) {
      const std::int64_t first = end_ == "first" ? 0 : input_->points() - input_->k;
      for (std::int64_t i = 0; i < input_->k; ++i) ids_.push_back(static_cast<std::uint32_t>(first + i));
    }
  }
  void download(Answer& answer, Phases& /*phases*/) override { answer.neighbors = ids_; }
  void configure(const Parameters& /*parameters*/) override {}

 private:
  std::string end_;
  const Input* input_ = nullptr;
  std::vector<std::uint32_t> ids_;
};

TEST(Suite, AsksForQualityAndThatConfigureTakesEffect) {
  SolverInfo info;
  info.id = "under test";
  info.parameters = {parameter("end", "first").one_of({"first", "last"}).means("which points are given")};
  const SolverEntry<NearestNeighbors> entry{
      info, [](const Parameters& parameters) { return std::make_unique<AnyPoints>(parameters); }};
  Inputs<NearestNeighbors> inputs;
  inputs.all = inputs.few = {case_of<NearestNeighbors>("clustered", testing::clustered(50, 5, 4, 1))};
  inputs.is_approximate = true;
  inputs.complaint = [](const auto&, const Judgement& judgement) { return judgement.difference; };
  Checks<NearestNeighbors> checks(entry, inputs);
  EXPECT_EQ(checks.answers_every_input(), Faults{});
  EXPECT_EQ(checks.takes_new_parameters().size(), 1U) << "last";
  inputs.quality = [](const auto&, const Judgement& judgement) {
    return judgement.metrics.at("recall") < 0.9 ? "recall" : "";
  };
  EXPECT_EQ(checks.answers_every_input().size(), 1U);
  inputs.quality_of["another"] = [](const auto&...) { return ""; };
  EXPECT_EQ(checks.answers_every_input().size(), 1U);
  inputs.quality_of["under test"] = inputs.quality_of.at("another");
  EXPECT_EQ(checks.answers_every_input(), Faults{});
}

/// Right or wrong, its answer is another one each time, as those of threads that race may be.
class VariesFromRunToRun final : public Solver<NearestNeighbors> {
 public:
  explicit VariesFromRunToRun(const Parameters& /*parameters*/) {}
  void prepare(const Input& input, Phases& /*phases*/) override { input_ = &input; }
  void solve(Phases& /*phases*/) override {
    static std::uint32_t solves = 0;
    ids_.assign(static_cast<std::size_t>(input_->queries() * input_->k), kNone<std::uint32_t>);
    ids_.front() = solves++ % static_cast<std::uint32_t>(input_->points());
  }
  void download(Answer& answer, Phases& /*phases*/) override { answer.neighbors = ids_; }
  void configure(const Parameters& /*parameters*/) override {}

 private:
  const Input* input_ = nullptr;
  std::vector<std::uint32_t> ids_;
};

TEST(Suite, ComparesNoDigestsWhereAnswersVary) {
  SolverInfo info;
  info.id = "under test";
  const SolverEntry<NearestNeighbors> entry{
      info, [](const Parameters& parameters) { return std::make_unique<VariesFromRunToRun>(parameters); }};
  Inputs<NearestNeighbors> inputs;
  inputs.few = {case_of<NearestNeighbors>("clustered", testing::clustered(50, 5, 4, 1))};
  inputs.is_approximate = true;
  inputs.complaint = [](const auto&, const Judgement& judgement) { return judgement.difference; };
  Checks<NearestNeighbors> checks(entry, inputs);
  EXPECT_EQ(checks.answers_anew_each_time().size(), 2U);
  EXPECT_EQ(checks.takes_new_parameters().size(), 1U) << "configured back";
  inputs.answers_vary = true;
  EXPECT_EQ(checks.answers_anew_each_time(), Faults{});
  EXPECT_EQ(checks.takes_new_parameters(), Faults{});
}

}  // namespace
}  // namespace warpbench::conformance
