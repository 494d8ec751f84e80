// Declared parameters: defaults, types, ranges, aliases, and messages that name what was meant.
#include "problems/parameters.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace warpbench {
namespace {

std::vector<ParameterSpec> specs() {
  return {parameter("threads", 1).range(0, 64).alias("all", 0).in("threads").means("CPU threads"),
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
  const Parameters parameters(specs(), {{"threads", 64}, {"range_filter", false}, {"simd", "none"}});
  EXPECT_EQ(parameters.integer("threads"), 64);
  EXPECT_EQ(parameters.text("simd"), "none");
  EXPECT_FALSE(parameters.flag("range_filter"));
}

TEST(Parameters, AliasesStandForTheirValue) {
  const Parameters all(specs(), {{"threads", "all"}});
  const Parameters zero(specs(), {{"threads", 0}});
  EXPECT_EQ(all.integer("threads"), 0);
  EXPECT_EQ(all.canonical(), zero.canonical()) << "two ways to say one thing are one trial";
}

TEST(Parameters, TextsMayHaveOneSpelling) {
  const std::vector<ParameterSpec> declared{parameter("theta", "a > b").written_as([](const std::string& text) {
    if (text == "refused") throw std::invalid_argument("expected another text");
    return text == "a>b" ? "a > b" : text;
  })};
  EXPECT_EQ(Parameters(declared, {{"theta", "a>b"}}).canonical(), Parameters(declared, {}).canonical());
  try {
    static_cast<void>(Parameters(declared, {{"theta", "refused"}}));
    ADD_FAILURE() << "accepted";
  } catch (const ParameterError& error) {
    EXPECT_EQ(error.name(), "theta");
    EXPECT_EQ(std::string(error.what()), "expected another text");
  }
}

std::vector<std::string>& late_names() {
  static std::vector<std::string> names;
  return names;
}

TEST(Parameters, ChoicesMayBeRegisteredAfterTheDeclaration) {
  late_names() = {"first"};
  const std::vector<ParameterSpec> declared{parameter("search", "first").one_of([] { return late_names(); })};
  EXPECT_THROW(Parameters(declared, {{"search", "second"}}), ParameterError);
  late_names().push_back("second");
  EXPECT_EQ(Parameters(declared, {{"search", "second"}}).text("search"), "second");
  EXPECT_EQ(declared.front().expected(), "one of first, second");
}

TEST(Parameters, ConvertIntegersToRealsButNotBack) {
  EXPECT_EQ(Parameters(specs(), {{"recall", 1}}).real("recall"), 1.0);
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
  EXPECT_EQ(refusal({{"threads", 65}}).first, "parameter 'threads': expected integer 0 to 64 or all, found 65");
  EXPECT_EQ(refusal({{"simd", "sse"}}).first, "parameter 'simd': expected one of auto, none, avx2, found sse");
  EXPECT_EQ(refusal({{"range_filter", "on"}}).first, "parameter 'range_filter': expected true or false, found on");
  EXPECT_EQ(refusal({{"threads", "many"}}).first, "parameter 'threads': expected integer 0 to 64 or all, found many");
  EXPECT_EQ(refusal({{"note", true}}).first, "parameter 'note': expected text, found true");
}

TEST(Value, HasTheTypeOfItsLiteral) {
  EXPECT_EQ(std::get<std::int64_t>(Value(2)), 2);
  EXPECT_EQ(std::get<std::int64_t>(Value(std::size_t{7})), 7);
  EXPECT_EQ(std::get<double>(Value(0.5)), 0.5);
  EXPECT_EQ(std::get<std::string>(Value("true")), "true") << "a text, not a pointer made true";
  EXPECT_TRUE(std::get<bool>(Value(true)));
  static_assert(!std::is_constructible_v<Value, const int*>);
}

TEST(Parameters, MayBeMultiplesOrPowersOfTwo) {
  const std::vector<ParameterSpec> declared{parameter("threads", 64).range(32, 1024).multiple_of(32),
                                            parameter("length", 8).range(8, 512).power_of_two(),
                                            parameter("table", 0).range(0, 64).power_of_two()};
  const auto refused = [&](const std::string& name, std::int64_t value) -> std::string {
    try {
      const Parameters accepted(declared, {{name, value}});
      return "";
    } catch (const ParameterError& error) {
      EXPECT_EQ(error.name(), name);
      return error.what();
    }
  };
  EXPECT_EQ(refused("threads", 96), "");
  EXPECT_EQ(refused("threads", 100), "parameter 'threads': expected integer 32 to 1024, a multiple of 32, found 100");
  EXPECT_EQ(refused("length", 256), "");
  EXPECT_EQ(refused("length", 48), "parameter 'length': expected integer 8 to 512, a power of two, found 48");
  EXPECT_EQ(refused("table", 0), "");
  EXPECT_EQ(refused("table", 3), "parameter 'table': expected integer 0 to 64, 0 or a power of two, found 3");
}

TEST(Parameters, MayBoundEachOther) {
  const std::vector<ParameterSpec> declared{parameter("low", 1), parameter("high", 2)};
  EXPECT_NO_THROW(require_at_most(Parameters(declared, {{"low", 2}}), "low", "high"));
  try {
    require_at_most(Parameters(declared, {{"low", 3}}), "low", "high");
    FAIL() << "3 was taken for at most 2";
  } catch (const ParameterError& error) {
    EXPECT_EQ(error.name(), "low");
    EXPECT_STREQ(error.what(), "low must not exceed high, found 3 and 2");
  }
}

TEST(Parameters, SayWhichValuesAreTheDocuments) {
  const ParameterSpec some = parameter("search", "ganns").document({"ganns", "song"});
  EXPECT_TRUE(some.is_documents("song"));
  EXPECT_FALSE(some.is_documents("pipelined"));
  EXPECT_TRUE(parameter("length", 8).is_documents(99)) << "all values where none is named";
}

TEST(Parameters, SuggestTheNearestKnownName) {
  const auto [message, name] = refusal({{"thread", 2}});
  EXPECT_EQ(name, "thread");
  EXPECT_EQ(message,
            "unknown parameter 'thread' (did you mean 'threads'?); known: threads, simd, recall, range_filter, note");
  EXPECT_EQ(refusal({{"candidates", 2}}).first.find("did you mean"), std::string::npos);
}

TEST(Parameters, UnknownNamesOfASolverWithoutParameters) {
  try {
    const Parameters none({}, {{"k", 1}});
    FAIL() << "accepted " << none.canonical();
  } catch (const ParameterError& error) {
    EXPECT_STREQ(error.what(), "unknown parameter 'k'; known: none");
  }
}

TEST(Parameters, CanonicalTextIsCompleteAndSorted) {
  const Parameters parameters(specs(), {{"threads", 3}, {"recall", 0.1}});
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
