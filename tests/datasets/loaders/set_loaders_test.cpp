// The formats of sets: each reads back what was written.
#include "datasets/sets.hpp"

#include <cstring>

#include "datasets/source.hpp"
#include "tests/datasets/support.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;
using Sets = std::vector<std::vector<Token>>;

Sets sets_of(const Content& content) {
  validate(content.data);
  const auto& sets = std::get<SetCollection>(content.data);
  Sets all;
  for (I i = 0; i < sets.count(); ++i) all.emplace_back(sets.set(i).begin(), sets.set(i).end());
  return all;
}

Sets read(const std::string& bytes, const std::string& format, const Options& options = {}) {
  return sets_of(parse_string(bytes, format, options));
}

I property(const Content& content, const std::string& name) {
  return std::get<I>(content.properties.at(name));
}

std::string words(const std::vector<std::uint32_t>& values) {
  std::string bytes(values.size() * sizeof(std::uint32_t), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST(TransactionsLoader, ReadsSortsAndMerges) {
  const Content content = parse_string("3 1 2\n7\t7 5 \r\n 0 4294967295 0 0\n9", "transactions");
  EXPECT_EQ(sets_of(content), (Sets{{1, 2, 3}, {5, 7}, {0, 4294967295}, {9}}));
  EXPECT_EQ(property(content, "duplicates_merged"), 3);
  EXPECT_EQ(property(content, "blank_lines_skipped"), 0);
}

TEST(TransactionsLoader, BlankLinesAreSetsOnlyWhenTheOptionSaysSo) {
  const std::string text = "1\n\n \t\r\n2\n\n";
  const Content skipped = parse_string(text, "transactions");
  EXPECT_EQ(sets_of(skipped), (Sets{{1}, {2}}));
  EXPECT_EQ(property(skipped, "blank_lines_skipped"), 3);
  EXPECT_EQ(read(text, "transactions", {{"blank_lines", "empty_set"}}), (Sets{{1}, {}, {}, {2}, {}}));
  EXPECT_EQ(read("\n", "transactions", {{"blank_lines", "empty_set"}}), (Sets{{}}));
}

TEST(TransactionsLoader, DropsTheFirstColumn) {
  const Options drop{{"first_column", "drop"}};
  EXPECT_EQ(read("0 5 4\n1\n\n2 2 2\n", "transactions", drop), (Sets{{4, 5}, {}, {2}})) << "a user alone: no items";
  Options kept = drop;
  kept["blank_lines"] = "empty_set";
  EXPECT_EQ(read("0 5\n\n2 1\n", "transactions", kept), (Sets{{5}, {}, {1}}));
}

TEST(TransactionsLoader, AsksWhatAColumnOfLineNumbersIs) {
  const std::string users = "4 9 2\n5 1\n6\n";  // LightGCN's user item…
  const auto error = error_of([&] { return parse_string(users, "transactions"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->expected(), "a word on the first column, which numbers the lines");
  EXPECT_NE(std::string(error->what()).find("first_column: drop"), std::string::npos) << error->what();
  EXPECT_EQ(read(users, "transactions", {{"first_column", "keep"}}), (Sets{{2, 4, 9}, {1, 5}, {6}}));
  EXPECT_EQ(read(users, "transactions", {{"first_column", "drop"}}), (Sets{{2, 9}, {1}, {}}));
  EXPECT_EQ(read("4 9 2\n5 1\n7\n", "transactions"), (Sets{{2, 4, 9}, {1, 5}, {7}})) << "no numbers of lines";
  EXPECT_EQ(read("4 9 2\n5 1\n", "transactions"), (Sets{{2, 4, 9}, {1, 5}})) << "two lines may be so by chance";
}

/// Whether a file of lists asks what its first column is.
bool asks(const std::string& text, const std::string& format) {
  try {
    static_cast<void>(parse_string(text, format));
  } catch (const InputError& error) {
    return std::string(error.what()).find("first_column: drop") != std::string::npos;
  }
  return false;
}

TEST(TransactionsLoader, AsksWhatARisingFirstColumnIs) {
  for (const char* const format : {"transactions", "spmf"}) {
    EXPECT_TRUE(asks("3 9 2\n5 1 2\n8 9\n20 4\n21 1 9\n", format)) << "users with gaps: items repeat";
    EXPECT_TRUE(asks("21 9 2\n20 1 2\n8 9 8\n5 9\n1 4 9\n", format)) << "falling";
    EXPECT_TRUE(asks("1 11 20\n3 12\n4 13 14\n7 15\n9 16\n", format)) << "below all items";
    EXPECT_FALSE(asks("1 3\n3 4\n4 7 9\n7 8\n9 10 12\n", format)) << "sorted lines in order";
    EXPECT_FALSE(asks("1 30\n2 12 40\n4 14 15\n17 18\n22 33\n", format)) << "classes, each by its smallest member";
    EXPECT_FALSE(asks("3 9 2\n5 1 2\n8 9\n20 4\n", format)) << "four lines may rise by chance";
    EXPECT_FALSE(asks("3\n5\n8\n20\n21\n", format)) << "one token a line";
    EXPECT_FALSE(asks("3 9 2\n5 1 2\n5 9\n20 4\n21 1 9\n", format)) << "one of them twice";
  }
  std::string sorted;  // many lines in order, the first token always the smallest
  for (int i = 0; i < 40; ++i) sorted += std::to_string(3 * i) + " 200 " + std::to_string(3 * i + 1) + '\n';
  EXPECT_TRUE(asks(sorted, "transactions"));
}

TEST(SpmfLoader, DropsTheFirstColumnOfTransactions) {
  const std::string users = "4 9 2\n5 1\n6\n";
  EXPECT_TRUE(asks(users, "spmf")) << "numbers of the lines";
  EXPECT_EQ(read(users, "spmf", {{"first_column", "keep"}}), (Sets{{2, 4, 9}, {1, 5}, {6}}));
  EXPECT_EQ(read(users, "spmf", {{"first_column", "drop"}}), (Sets{{2, 9}, {1}, {}}));
  const auto error = error_of([] { return parse_string("1 -1 -2\n", "spmf", {{"first_column", "drop"}}); });
  ASSERT_TRUE(error);
  EXPECT_NE(std::string(error->what()).find("first_column"), std::string::npos);
}

TEST(SpmfLoader, ReadsSequencesAndTransactions) {
  const Content content =
      parse_string("@CONVERTED_FROM_TEXT\n# clicks\n7 -1 3 -1 7 -1 -2\r\n\n 4294967295 -1 -2", "spmf");
  EXPECT_EQ(sets_of(content), (Sets{{3, 7}, {4294967295}}));
  EXPECT_EQ(property(content, "duplicates_merged"), 1);
  EXPECT_EQ(property(content, "blank_lines_skipped"), 1);
  EXPECT_EQ(read("@ITEM=1=apple\n2 1\n3\n", "spmf"), (Sets{{1, 2}, {3}})) << "transactions";
  EXPECT_EQ(read("-2\n1 -1 -2\n", "spmf"), (Sets{{}, {1}})) << "an empty sequence";
}

TEST(SpmfLoader, AsksWhatBecomesASet) {
  const std::string text = "1 -1 -2\n2 5 -1 2 -1 -2\n";
  const auto error = error_of([&] { return parse_string(text, "spmf"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line(), 2u);
  EXPECT_NE(std::string(error->what()).find("set: sequence"), std::string::npos) << error->what();
  EXPECT_EQ(read(text, "spmf", {{"set", "sequence"}}), (Sets{{1}, {2, 5}}));
  EXPECT_EQ(read(text, "spmf", {{"set", "itemset"}}), (Sets{{1}, {2, 5}, {2}}));
}

TEST(TextLinesLoader, CutsLinesIntoWords) {
  const Content content = parse_string("to be or\tnot  to be\r\n\n not to\nbe to to to", "text_lines");
  // to 0, be 1, or 2, not 3, the second to 4, the second be 5, the third to 6
  EXPECT_EQ(sets_of(content), (Sets{{0, 1, 2, 3, 4, 5}, {0, 3}, {0, 1, 4, 6}}));
  EXPECT_EQ(property(content, "blank_lines_skipped"), 1);
  EXPECT_EQ(property(content, "duplicates_merged"), 0);
  const Content merged = parse_string("to be or not to be\nbe to to to", "text_lines", {{"repeats", "merge"}});
  EXPECT_EQ(sets_of(merged), (Sets{{0, 1, 2, 3}, {0, 1}}));
  EXPECT_EQ(property(merged, "duplicates_merged"), 4);
}

TEST(TextLinesLoader, CutsLinesIntoGrams) {
  const Options two{{"tokens", "2-grams"}};
  // #a 0, ab 1, ba 2, the second ab 3, b# 4
  EXPECT_EQ(read("abab\nab\n", "text_lines", two), (Sets{{0, 1, 2, 3, 4}, {0, 1, 4}}));
  const Options three{{"tokens", "3-grams"}, {"blank_lines", "empty_set"}};
  // ##a 0, #a# 1, a## 2; a blank is a character within a line: ##b 3, #b_ 4, b_c 5, _c# 6, c## 7
  EXPECT_EQ(read("a\n\nb c\n", "text_lines", three), (Sets{{0, 1, 2}, {}, {3, 4, 5, 6, 7}}));
  EXPECT_EQ(read("\xc3\xa9\n", "text_lines", two), (Sets{{0, 1, 2}})) << "of bytes";
}

TEST(TransactionsLoader, ReadsManyChunksOnManyThreads) {
  std::string text;
  Sets wanted;
  for (Token i = 0; text.size() < (std::size_t{9} << 20U); ++i) {  // chunks are 4 MiB
    text += std::to_string(i + 1) + ' ' + std::to_string(i) + '\n';
    wanted.push_back({i, i + 1});
  }
  EXPECT_TRUE(error_of([&] {
    return parse(Text{nullptr, text, "test"}, "transactions", {}, 4);
  })) << "line numbers that go on from chunk to chunk";
  const Options keep{{"first_column", "keep"}};
  EXPECT_EQ(sets_of(parse(Text{nullptr, text, "test"}, "transactions", keep, 4)), wanted);
  text += "x\n";
  const auto error = error_of([&] { return parse(Text{nullptr, text, "test"}, "transactions", keep, 4); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->line(), wanted.size() + 1);
}

TEST(BagOfWordsLoader, ReadsAnyOrderAndEmptyDocuments) {
  const Content content = parse_string("4\n9\n5\n3 9 2\n1 2 7\n1 1 1\r\n3 4 1\n3 9 1", "bag_of_words");
  EXPECT_EQ(sets_of(content), (Sets{{0, 1}, {}, {3, 8}, {}}));
  EXPECT_EQ(property(content, "occurrences"), 12);
  EXPECT_EQ(property(content, "duplicates_merged"), 1);
  EXPECT_EQ(read("2\n4294967296\n1\n2 4294967296 1\n", "bag_of_words"), (Sets{{}, {4294967295}}));
  EXPECT_EQ(read("4096\n1\n0\n", "bag_of_words").size(), 4096u) << "no word at all";
}

TEST(SetsBinaryLoader, ReadsWithAndWithoutNumbers) {
  const Content content = parse_string(words({1, 3, 9, 4, 9, 2, 0, 3, 1, 4294967295}), "sets_binary");
  EXPECT_EQ(sets_of(content), (Sets{{4, 9}, {}, {4294967295}}));
  EXPECT_EQ(property(content, "duplicates_merged"), 1);
  EXPECT_EQ(read(words({3, 9, 4, 9, 0, 1, 7}), "sets_binary", {{"record_id", "absent"}}), (Sets{{4, 9}, {}, {7}}));
}

struct RealFile {
  std::string name;
  std::string file;
  std::string format;
  Options options;
  Properties expected;
};

class RealSets : public ::testing::TestWithParam<RealFile> {};

TEST_P(RealSets, HaveThePublishedSize) {
  const auto data = data_dir();
  if (!data) GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  Source source;
  source.name = GetParam().name;
  source.from = FileSource{"sets/" + GetParam().file, GetParam().format, "", "", "", GetParam().options};
  source.expected = GetParam().expected;
  LoadOptions options;
  options.data_dir = *data;
  if (!is_available(source, options)) GTEST_SKIP() << GetParam().file << " is not in " << *data;
  validate(load(source, options).data);
}

Properties facts(I sets, I tokens, I distinct, I max_size) {
  return {{"sets", sets}, {"tokens", tokens}, {"distinct_tokens", distinct}, {"max_size", max_size}};
}

INSTANTIATE_TEST_SUITE_P(
    All, RealSets,
    ::testing::Values(RealFile{"retail", "retail.dat.gz", "transactions", {}, facts(88'162, 908'576, 16'470, 76)},
                      RealFile{"t10i4d100k", "T10I4D100K.dat", "transactions", {}, facts(100'000, 1'010'228, 870, 29)},
                      RealFile{
                          "bms_webview_1", "BMS-WebView-1.dat", "transactions", {}, facts(59'602, 149'639, 497, 267)},
                      RealFile{"mushroom", "mushroom.dat", "transactions", {}, facts(8'124, 186'852, 119, 23)},
                      RealFile{"chess", "chess.dat", "transactions", {}, facts(3'196, 118'252, 75, 37)},
                      RealFile{"kos",
                               "docword.kos.txt.gz",
                               "bag_of_words",
                               {},
                               {{"sets", 3'430}, {"tokens", 353'160}, {"universe", 6'906}, {"occurrences", 467'714}}},
                      RealFile{"amazon_book",
                               "amazon-book.lightgcn-test.txt.gz",
                               "transactions",
                               {{"first_column", "drop"}},
                               facts(52'643, 603'378, 82'629, 2'631)}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace warpbench::datasets::testing
