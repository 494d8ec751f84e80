// Declared parameters: defaults, types, ranges, aliases, and messages that name what was meant.
#include "problems/parameters.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace warpbench {
namespace {

std::vector<ParameterSpec> specs() {
  return {parameter("threads", 1).range(0, 64).alias("all", std::int64_t{0}).in("threads").means("CPU threads"),
          parameter("simd", "auto").one_of({"auto", "none", "avx2"}), parameter("recall", 0.5).range(0, 1),
          parameter("range_filter", true).at(Stage::prepare), parameter("note", "")};
}

/// The message and the name of the ParameterError that `given` causes.
std::pair<std::string, std::string> refusal(const std::map<std::string, Value>& given) {
  try {
    const Parameters accepted(specs(), given);
    return {"accepted: " + accepted.canonical(), ""};
  } catch (const ParameterError& error) {
    return {error.what(), error.name()};
  }
}

TEST(Parameters, TakeDefaultsWhereNothingIsGiven) {
  const Parameters parameters(specs(), {});
  EXPECT_EQ(parameters.integer("threads"), 1);
  EXPECT_EQ(parameters.text("simd"), "auto");
  EXPECT_EQ(parameters.real("recall"), 0.5);
  EXPECT_TRUE(parameters.flag("range_filter"));
}

TEST(Parameters, TakeGivenValuesOverDefaults) {
  const Parameters parameters(specs(), {{"threads", std::int64_t{64}}, {"range_filter", false}, {"simd", "none"}});
  EXPECT_EQ(parameters.integer("threads"), 64);
  EXPECT_EQ(parameters.text("simd"), "none");
  EXPECT_FALSE(parameters.flag("range_filter"));
}

TEST(Parameters, AliasesStandForTheirValue) {
  const Parameters all(specs(), {{"threads", "all"}});
  const Parameters zero(specs(), {{"threads", std::int64_t{0}}});
  EXPECT_EQ(all.integer("threads"), 0);
  EXPECT_EQ(all.canonical(), zero.canonical()) << "two ways to say one thing are one trial";
}

TEST(Parameters, ConvertIntegersToRealsButNotBack) {
  EXPECT_EQ(Parameters(specs(), {{"recall", std::int64_t{1}}}).real("recall"), 1.0);
  EXPECT_EQ(refusal({{"threads", 2.0}}).second, "threads");
}

TEST(Parameters, RangesAreInclusive) {
  for (const std::int64_t inside : {0, 64}) EXPECT_NO_THROW(Parameters(specs(), {{"threads", inside}}));
  for (const std::int64_t outside : {-1, 65}) EXPECT_EQ(refusal({{"threads", outside}}).second, "threads");
  for (const double inside : {0.0, 1.0}) EXPECT_NO_THROW(Parameters(specs(), {{"recall", inside}}));
  for (const double outside : {-0.001, 1.001}) EXPECT_EQ(refusal({{"recall", outside}}).second, "recall");
}

TEST(Parameters, RefuseNumbersThatAreNone) {
  using Limits = std::numeric_limits<double>;
  for (const double bad : {Limits::quiet_NaN(), Limits::infinity(), -Limits::infinity()}) {
    EXPECT_EQ(refusal({{"recall", bad}}).second, "recall");
    EXPECT_THROW(Parameters({parameter("unbounded", 0.5)}, {{"unbounded", bad}}), ParameterError) << bad;
  }
}

TEST(Parameters, SayWhatWasExpectedAndFound) {
  EXPECT_EQ(refusal({{"threads", std::int64_t{65}}}).first,
            "parameter 'threads': expected integer 0 to 64 or all, found 65");
  EXPECT_EQ(refusal({{"simd", "sse"}}).first, "parameter 'simd': expected one of auto, none, avx2, found sse");
  EXPECT_EQ(refusal({{"range_filter", "on"}}).first, "parameter 'range_filter': expected true or false, found on");
  EXPECT_EQ(refusal({{"threads", "many"}}).first, "parameter 'threads': expected integer 0 to 64 or all, found many");
  EXPECT_EQ(refusal({{"note", true}}).first, "parameter 'note': expected text, found true");
}

TEST(Parameters, SuggestTheNearestKnownName) {
  const auto [message, name] = refusal({{"thread", std::int64_t{2}}});
  EXPECT_EQ(name, "thread");
  EXPECT_EQ(message,
            "unknown parameter 'thread' (did you mean 'threads'?); known: threads, simd, recall, range_filter, note");
  EXPECT_EQ(refusal({{"candidates", std::int64_t{2}}}).first.find("did you mean"), std::string::npos);
}

TEST(Parameters, UnknownNamesOfASolverWithoutParameters) {
  try {
    const Parameters none({}, {{"k", std::int64_t{1}}});
    FAIL() << "accepted " << none.canonical();
  } catch (const ParameterError& error) {
    EXPECT_STREQ(error.what(), "unknown parameter 'k'; known: none");
  }
}

TEST(Parameters, CanonicalTextIsCompleteAndSorted) {
  const Parameters parameters(specs(), {{"threads", std::int64_t{3}}, {"recall", 0.1}});
  EXPECT_EQ(parameters.canonical(), "note= range_filter=true recall=0.1 simd=auto threads=3");
}

TEST(Parameters, PartByStage) {
  const Parameters parameters(specs(), {});
  EXPECT_EQ(parameters.at(Stage::prepare, specs()).canonical(), "range_filter=true");
  EXPECT_EQ(parameters.at(Stage::solve, specs()).canonical(), "note= recall=0.5 simd=auto threads=1");
}

TEST(Parameters, AskingForWhatWasNeverDeclaredIsABug) {
  const Parameters parameters(specs(), {});
  EXPECT_THROW((void)parameters.integer("thread"), std::logic_error);
  EXPECT_THROW((void)parameters.real("threads"), std::logic_error) << "another type";
}

TEST(NearestName, TakesSlipsAndLeavesStrangers) {
  const std::vector<std::string> known = {"ganns", "song", "hnsw", "exact-gpu"};
  EXPECT_EQ(nearest_name("gans", known), "ganns");
  EXPECT_EQ(nearest_name("gnans", known), "ganns");
  EXPECT_EQ(nearest_name("gas", known), "ganns") << "two letters left out";
  EXPECT_EQ(nearest_name("hsnw", known), "hnsw");
  EXPECT_EQ(nearest_name("exact_gpu", known), "exact-gpu");
  EXPECT_EQ(nearest_name("matrix", known), "");
  EXPECT_EQ(nearest_name("anything", {}), "");
}

TEST(ValueText, ReadsBackTheSame) {
  EXPECT_EQ(to_string(Value{true}), "true");
  EXPECT_EQ(to_string(Value{std::int64_t{-3}}), "-3");
  EXPECT_EQ(to_string(Value{0.1}), "0.1");
  EXPECT_EQ(to_string(Value{std::string("text")}), "text");
}

}  // namespace
}  // namespace warpbench
