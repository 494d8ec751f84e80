// The format csv reads back what was written. Then the real file, where it is.
#include <iostream>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "datasets/relations.hpp"
#include "datasets/source.hpp"
#include "tests/datasets/support.hpp"
#include "tests/support/thorough.hpp"

namespace warpbench::datasets::testing {
namespace {

using Tuples = std::vector<std::pair<std::int32_t, std::int32_t>>;

Tuples tuples_of(const Relation& relation) {
  Tuples tuples;
  for (std::size_t i = 0; i < relation.a.size(); ++i) tuples.emplace_back(relation.a[i], relation.x[i]);
  return tuples;
}

Tuples read_csv(const std::string& bytes, const Options& options = {}, int threads = 1) {
  const Content content = parse(Text{nullptr, bytes, "test"}, "csv", options, threads);
  validate(content.data);
  const auto& relations = std::get<Relations>(content.data);
  EXPECT_EQ(relations.s, relations.r) << "one file is both";
  return tuples_of(relations.r);
}

TEST(CsvLoader, ReadsTwoColumnsWithinTheirLimits) {
  EXPECT_EQ(read_csv("1,2\n-2147483648,2147483647\r\n2147483647,-2147483648"),
            (Tuples{{1, 2}, {kLeast, kMost}, {kMost, kLeast}}));
  EXPECT_EQ(read_csv("-0,007\n"), (Tuples{{0, 7}}));
}

TEST(CsvLoader, ChoosesColumnsByNumber) {
  const std::string text = "39, State-gov, 77516, 13\n50, Self-emp, 83311, 9\n";
  EXPECT_EQ(read_csv(text, {{"x", "3"}}), (Tuples{{39, 13}, {50, 9}}));
  EXPECT_EQ(read_csv(text, {{"a", "2"}, {"x", "0"}}), (Tuples{{77516, 39}, {83311, 50}}));
  EXPECT_EQ(read_csv(text, {{"a", "3"}, {"x", "3"}}), (Tuples{{13, 13}, {9, 9}})) << "one column may be both";
}

TEST(CsvLoader, ChoosesColumnsByName) {
  const std::string text = "# people\n\n age , \"hours-per-week\" ,sex\n39,40,m\n50,13,f\n";
  const Options options{{"header", "names"}, {"a", "hours-per-week"}, {"x", "age"}};
  EXPECT_EQ(read_csv(text, options), (Tuples{{40, 39}, {13, 50}}));
  EXPECT_EQ(read_csv("7,age\n1,2\n", {{"header", "names"}, {"a", "age"}, {"x", "0"}}), (Tuples{{2, 1}}))
      << "digits are a number, also where a name is 7";
}

std::string refusal_of(const std::string& bytes, const Options& options = {}) {
  const auto error = error_of([&] { return parse_string(bytes, "csv", options); });
  return error ? error->what() : "";
}

TEST(CsvLoader, AsksForColumnsThatNoWordChose) {
  for (const Options& options : {Options{}, Options{{"header", "names"}}}) {
    const std::string said = refusal_of("rowid,age,hours\n1,39,40\n", options);
    EXPECT_NE(said.find("options a, x"), std::string::npos) << said;
  }
  const Options half{{"header", "names"}, {"x", "hours"}};
  EXPECT_NE(refusal_of("id,age,hours\n1,39,40\n", half).find("looks like an id"), std::string::npos);
  EXPECT_EQ(read_csv("age,id,hours\n39,1,40\n", half), (Tuples{{39, 40}}));
  EXPECT_EQ(read_csv("id,age,hours\n1,39,40\n", {{"header", "names"}, {"a", "id"}, {"x", "hours"}}), (Tuples{{1, 40}}));
  EXPECT_EQ(read_csv("id,age\n1,39\n", {{"header", "names"}}), (Tuples{{1, 39}})) << "there is no other choice";
  EXPECT_NE(refusal_of("1,39\n", {{"a", "1"}}).find("column 1 is that of option a"), std::string::npos);
  EXPECT_NE(refusal_of("age,hours\n39,40\n", {{"header", "names"}, {"x", "age"}}).find("name the column as option a"),
            std::string::npos);
}

TEST(CsvLoader, ScalesDecimals) {
  const std::string places = "30.2359091167,-97.7951395833\n-0.00000005,1e-7\n3,0.25\n";
  EXPECT_EQ(read_csv(places, {{"scale", "1e7"}}), (Tuples{{302359091, -977951396}, {-1, 1}, {30000000, 2500000}}));
  EXPECT_EQ(read_csv("1.5,2\n", {{"scale", "2"}}), (Tuples{{3, 4}}));
  EXPECT_NE(refusal_of("1,300\n", {{"scale", "1e7"}}).find("scale"), std::string::npos) << "out of range";
  EXPECT_NE(refusal_of("1,x\n", {{"scale", "10"}}).find("a finite number"), std::string::npos);
  EXPECT_NE(refusal_of("1,nan\n", {{"scale", "10"}}).find("a finite number"), std::string::npos);
  EXPECT_NE(refusal_of("1,2.5\n").find("scale: "), std::string::npos) << "decimals without a word";
  for (const char* const bad : {"0", "-1", "x", "1e400", "nan", ""})
    EXPECT_NE(refusal_of("1,2\n", {{"scale", bad}}).find("option scale"), std::string::npos) << bad;
}

TEST(CsvLoader, SkipsCommentsAndBlankLines) {
  EXPECT_EQ(read_csv("% head\n1,2\n\n  # tail\n \t\n3,4\n\n"), (Tuples{{1, 2}, {3, 4}}));
  EXPECT_EQ(read_csv("\t9\t8\n# c\n\t7\t6\n", {{"separator", "tab"}, {"a", "1"}, {"x", "2"}}), (Tuples{{9, 8}, {7, 6}}))
      << "a tab at the begin of a line ends an empty field";
}

TEST(CsvLoader, ReadsEverySeparator) {
  const Tuples wanted{{1, 2}, {3, 4}};
  EXPECT_EQ(read_csv("1;2\n3 ; 4\n", {{"separator", "semicolon"}}), wanted);
  EXPECT_EQ(read_csv("1\t2\n 3\t4 \n", {{"separator", "tab"}}), wanted);
  EXPECT_EQ(read_csv("1 2\n\t3 \t 4  \n", {{"separator", "blank"}}), wanted);
}

TEST(CsvLoader, ReadsQuotedFields) {
  EXPECT_EQ(read_csv("\"1\",\"a, b\",2\n 3 ,\"say \"\"no\"\"\", \"4\" \n5,\"\",6\n", {{"x", "2"}}),
            (Tuples{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(read_csv("\"two words\" 5 6\n", {{"separator", "blank"}, {"a", "1"}, {"x", "2"}}), (Tuples{{5, 6}}));
  EXPECT_EQ(read_csv("5'\" tall,1,2\n", {{"a", "1"}, {"x", "2"}}), (Tuples{{1, 2}})) << "a quote inside a plain field";
}

/// Writes random tables in all forms, each over some chunks if it is long.
TEST(CsvLoader, ReadsBackRandomTables) {
  const std::uint64_t seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::cout << "seed " << seed << '\n';
  std::mt19937_64 random(seed);
  const auto below = [&random](std::uint64_t bound) { return random() % bound; };
  const std::vector<std::pair<std::string, std::string>> separators{
      {"comma", ","}, {"semicolon", ";"}, {"tab", "\t"}, {"blank", " "}};
  const std::uint64_t rounds = warpbench::testing::usual_or_thorough(60, 1'000);
  for (std::uint64_t round = 0; round < rounds; ++round) {
    const auto& [word, separator] = separators[below(separators.size())];
    const std::uint64_t columns = 2 + below(4);
    const std::uint64_t a = below(columns);
    const std::uint64_t x = below(columns);
    const std::uint64_t rows = round == 0 ? 400'000 : 1 + below(40);  // the first takes more than one chunk
    Tuples wanted;
    std::string text;
    for (std::uint64_t row = 0; row < rows; ++row) {
      if (below(8) == 0) text += below(2) == 0 ? "\n" : "# 1,2\n";
      const auto key = static_cast<std::int32_t>(random());
      const auto value = a == x ? key : static_cast<std::int32_t>(random());
      for (std::uint64_t column = 0; column < columns; ++column) {
        std::string field = column == a   ? std::to_string(key)
                            : column == x ? std::to_string(value)
                                          : std::string(below(3) == 0 ? "word" : "-");
        if (below(4) == 0) field.insert(0, 1, '"').push_back('"');
        if (column > 0) text += separator;
        text.append(below(2), ' ');
        text += field;
      }
      text += below(5) == 0 ? "\r\n" : "\n";
      wanted.emplace_back(key, value);
    }
    ASSERT_EQ(read_csv(text, {{"separator", word}, {"a", std::to_string(a)}, {"x", std::to_string(x)}}, 2), wanted)
        << "round " << round << ' ' << word;
  }
}

TEST(CsvLoader, RefusesAColumnThatIsNoneInOneSentence) {
  const auto error = error_of([] {
    return parse_string("age,hours\n1,2\n", "csv", {{"header", "names"}, {"a", "agee"}});
  });
  ASSERT_TRUE(error);
  EXPECT_STREQ(error->what(),
               "test:1: expected column \"agee\", as option a asks, found \"age\", \"hours\" (did you mean \"age\"?)");
}

TEST(CsvLoader, TheFixNamesTheHeader) {
  const auto fix = [](const std::string& text) {
    const auto error = error_of([&text] { return parse_string(text, "csv"); });
    return error ? error->fix() : "";
  };
  EXPECT_EQ(fix("age,hours\n1,2\n"),
            "set header: names if this line names the columns, else choose another column as option a, or convert this "
            "one");
  EXPECT_EQ(fix("1,2\n1,word\n"), "choose another column as option x, or convert this one");
  EXPECT_EQ(fix("1,2\n1,2.5\n"),
            "set scale: 1e7 to read decimals times 1e7, or choose another column as option x, or convert this one");
}

TEST(CsvLoader, ReadsUciAdult) {
  const auto data = data_dir();
  if (!data) GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  Source source;
  source.name = "adult";
  source.from = FileSource{"relations/adult.data", "csv", "", "", "", {{"a", "0"}, {"x", "12"}}};
  LoadOptions options;
  options.data_dir = *data;
  if (!is_available(source, options)) GTEST_SKIP() << "relations/adult.data is not in " << *data;
  const Dataset dataset = load(source, options);
  validate(dataset.data);
  const auto& relations = dataset.as<Relations>();
  EXPECT_EQ(relations.r.count(), 32'561);
  EXPECT_EQ(relations.s, relations.r);
  EXPECT_EQ(tuples_of(relations.r)[0], (std::pair<std::int32_t, std::int32_t>(39, 40)));
  EXPECT_EQ(dataset.properties.at("r_a_smallest"), Property(17));
  EXPECT_EQ(dataset.properties.at("r_a_largest"), Property(90));
  EXPECT_EQ(dataset.properties.at("r_x_smallest"), Property(1));
  EXPECT_EQ(dataset.properties.at("r_x_largest"), Property(99));
}

}  // namespace
}  // namespace warpbench::datasets::testing
