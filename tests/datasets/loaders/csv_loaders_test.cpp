// The csv formats of graphs, ratings and vectors: chosen columns of delimited text.
#include <string>
#include <utility>
#include <vector>

#include "tests/datasets/support.hpp"

namespace warpbench::datasets::testing {
namespace {

Content read_table(const std::string& bytes, const std::string& format, const Options& options = {}) {
  Content content = parse_string(bytes, format, options);
  validate(content.data);
  return content;
}

/// Why the bytes are refused, the fix included.
std::string refusal_of(const std::string& bytes, const std::string& format, const Options& options = {}) {
  const auto error = error_of([&] { return parse_string(bytes, format, options); });
  return error ? error->what() : "";
}

std::vector<float> points_of(const Content& content) {
  const auto points = std::get<VectorSet>(content.data).points.span();
  return {points.begin(), points.end()};
}

TEST(CsvGraphLoader, ReadsTwoColumnsAsTheyAreAndOthersByChoice) {
  const Content plain = read_table("0;1\n1;2\n2;2\n1;0\n", "csv_graph", {{"separator", "semicolon"}});
  EXPECT_EQ(std::get<Csr>(plain.data).vertices(), 3);
  EXPECT_EQ(row_of(std::get<Csr>(plain.data), 1), (Ids{0, 2}));
  EXPECT_EQ(std::get<std::int64_t>(plain.properties.at("self_loops_dropped")), 1);
  EXPECT_EQ(std::get<std::int64_t>(plain.properties.at("duplicates_merged")), 1);
  const std::string weighted = "weight\tto\tfrom\n0.5\t70\t10\n\"a b\"\t10\t90\n";
  const Options named{{"separator", "tab"}, {"header", "names"}, {"source", "from"}, {"target", "to"}};
  Options compact = named;
  compact["relabel"] = "compact";
  const Content chosen = read_table(weighted, "csv_graph", compact);
  EXPECT_EQ(row_of(std::get<Csr>(chosen.data), 0), (Ids{1, 2}));
  EXPECT_EQ(std::vector(chosen.original_ids.begin(), chosen.original_ids.end()), (Ids{10, 70, 90}));
  EXPECT_EQ(std::get<Csr>(read_table(weighted, "csv_graph", named).data).vertices(), 91);
  const Options unsaid{{"separator", "tab"}, {"header", "names"}};
  EXPECT_NE(refusal_of(weighted, "csv_graph", unsaid).find("options source, target"), std::string::npos);
}

TEST(CsvRatingsLoader, ReadsThreeColumnsAsTheyAreAndOthersByChoice) {
  const Content plain = read_table("7,20,4.5\n3,10,-1\n", "csv_ratings");
  const auto& ratings = std::get<Ratings>(plain.data);
  EXPECT_EQ(ratings.users(), 2);
  EXPECT_EQ(std::vector(ratings.train.users.begin(), ratings.train.users.end()), (Ids{1, 0}));
  EXPECT_EQ(std::vector(ratings.train.values.begin(), ratings.train.values.end()), (std::vector<float>{4.5F, -1.0F}));
  const std::string books = "\"User-ID\";\"Title\";\"ISBN\";\"Stars\"\n276725;\"A; B\";34;0\n276726;C;155;5\n";
  Options options{{"separator", "semicolon"}, {"header", "names"}};
  EXPECT_NE(refusal_of(books, "csv_ratings", options).find("user, item, rating"), std::string::npos);
  options["user"] = "User-ID";
  options["item"] = "2";
  options["rating"] = "Stars";
  const Content chosen = read_table(books, "csv_ratings", options);
  EXPECT_EQ(std::vector(chosen.original_ids.begin(), chosen.original_ids.end()), (Ids{276725, 276726, 34, 155}));
}

/// Users, items and ratings of three columns under a header.
std::vector<float> values_under(const std::string& header) {
  const Content content = read_table(header + "\n7,20,4\n3,10,5\n", "csv_ratings", {{"header", "names"}});
  const auto values = std::get<Ratings>(content.data).train.values.span();
  return {values.begin(), values.end()};
}

TEST(CsvRatingsLoader, GoesByTheNamesOfTheHeaderWhereTheyTell) {
  EXPECT_EQ(values_under("rating,user,item"), (std::vector<float>{7, 3}));
  EXPECT_EQ(values_under("Item,Rating,User"), (std::vector<float>{20, 10}));
  EXPECT_EQ(values_under("item_id,star_rating,user_id"), (std::vector<float>{20, 10}));
  EXPECT_EQ(values_under("user_id,item_id,user_rating"), (std::vector<float>{4, 5}));
  EXPECT_EQ(values_under("who,what,stars"), (std::vector<float>{4, 5})) << "no word: as they stand";
  EXPECT_EQ(values_under("userId,movieId,rating"), (std::vector<float>{4, 5})) << "what is told is in its place";
  for (const char* const unclear : {"rating,who,what", "what,user,rating", "x,user_item,rating"}) {
    const std::string said = refusal_of(std::string(unclear) + "\n7,20,4\n", "csv_ratings", {{"header", "names"}});
    EXPECT_NE(said.find("user, item, rating"), std::string::npos) << unclear << ": " << said;
    EXPECT_NE(said.find("user: "), std::string::npos) << unclear << ": " << said;
  }
}

TEST(CsvGraphLoader, GoesByTheNamesOfTheHeaderWhereTheyTell) {
  const Options options{{"header", "names"}};
  EXPECT_EQ(std::get<Csr>(read_table("target,source\n0,1\n", "csv_graph", options).data).vertices(), 2);
  EXPECT_NE(refusal_of("target,weight\n0,1\n", "csv_graph", options).find("source: "), std::string::npos);
}

TEST(CsvLoaders, NamesOfColumnsAreText) {
  const std::string nul(1, '\0');
  for (const auto& [header, format] :
       {std::pair{"a" + nul + ",b", "csv_graph"}, std::pair{"user,item,rating" + nul, "csv_ratings"}}) {
    const std::string said = refusal_of(header + "\n1,2,3\n", format, {{"header", "names"}, {"ids", "names"}});
    EXPECT_NE(said.find(":1: expected a line of column names, found a zero byte"), std::string::npos) << said;
  }
}

TEST(CsvLoaders, ReadAnySeparator) {
  const std::vector<float> wanted{1, 2, 3, 4};
  for (const std::string separator : {"|", ":", "::", "/", "\t", ",", ";", "~", "\u00a6"}) {
    const std::string text = "1" + separator + " 2\n3 " + separator + "\"4\"\n";
    EXPECT_EQ(points_of(read_table(text, "csv_vectors", {{"separator", separator}})), wanted) << separator;
  }
  EXPECT_EQ(points_of(read_table("1  2\n3 4\n", "csv_vectors", {{"separator", " "}})), wanted) << "as blank";
  const Content dat = read_table("1::1193::5::978300760\n2::661::3::978302109\n", "csv_ratings",
                                 {{"separator", "::"}, {"user", "0"}, {"item", "1"}, {"rating", "2"}});
  EXPECT_EQ(std::get<Ratings>(dat.data).train.count(), 2);
  for (const std::string bad : {"", "||", "pipe", "x", "7", "\"", ".", "-", "\n", "\xa6", "\u00a6\u00a6"}) {
    const std::string said = refusal_of("1|2\n", "csv_graph", {{"separator", bad}});
    EXPECT_NE(said.find("comma, semicolon, tab, blank"), std::string::npos) << bad << ": " << said;
    EXPECT_NE(said.find("'|'"), std::string::npos) << bad << ": " << said;
  }
}

TEST(CsvGraphLoader, NumbersNamesAsTheyAppear) {
  const Options names{{"ids", "names"}};
  const Content graph = read_table("ann,bob\n\"bob\",carl\n007,ann\n7,ann\n", "csv_graph", names);
  EXPECT_EQ(std::get<Csr>(graph.data).vertices(), 5);
  EXPECT_EQ(row_of(std::get<Csr>(graph.data), 0), (Ids{1, 3, 4}));
  EXPECT_EQ(row_of(std::get<Csr>(graph.data), 1), (Ids{0, 2}));
  EXPECT_NE(refusal_of("ann,bob\n", "csv_graph").find("ids: names"), std::string::npos);
  EXPECT_NE(refusal_of("ann,\n", "csv_graph", names).find("an empty field"), std::string::npos);
}

TEST(CsvRatingsLoader, NumbersNamesAsTheyAppear) {
  const Content content = read_table("ann,B00x,5\nbob,B00x,3\nann,B7,1\n", "csv_ratings", {{"ids", "names"}});
  const auto& ratings = std::get<Ratings>(content.data);
  EXPECT_EQ(std::vector(ratings.train.users.begin(), ratings.train.users.end()), (Ids{0, 1, 0}));
  EXPECT_EQ(std::vector(ratings.train.items.begin(), ratings.train.items.end()), (Ids{0, 0, 1}));
  EXPECT_EQ(ratings.users(), 2);
  EXPECT_NE(refusal_of("ann,B7,1\n", "csv_ratings").find("ids: names"), std::string::npos);
  EXPECT_NE(refusal_of("ann,B7,1\n", "csv_ratings", {{"ids", "names"}, {"relabel", "from_one"}}).find("relabel"),
            std::string::npos);
}

TEST(CsvVectorsLoader, ReadsAllColumnsOrChosenOnes) {
  EXPECT_EQ(points_of(read_table("1.5,2\n-3,4e1\n", "csv_vectors")), (std::vector<float>{1.5F, 2, -3, 40}));
  const std::string iris = "id,length,width,kind\n1,5.1,3.5,setosa\n2,4.9,3,setosa\n3,4.7,3.2,\"versi, color\"\n";
  const Options header{{"header", "names"}};
  EXPECT_NE(refusal_of(iris, "csv_vectors", header).find("option columns"), std::string::npos) << "letters";
  const std::vector<float> wanted{5.1F, 3.5F, 4.9F, 3, 4.7F, 3.2F};
  for (const char* const columns : {"length width", "1 2", "1..2", "length, width"}) {
    Options options = header;
    options["columns"] = columns;
    EXPECT_EQ(points_of(read_table(iris, "csv_vectors", options)), wanted) << columns;
  }
}

TEST(CsvVectorsLoader, RefusesWhatLooksLikeAnIdUntilAWordDecides) {
  const std::string numbered = "5,0.1\n6,0.2\n7,0.4\n";
  EXPECT_NE(refusal_of(numbered, "csv_vectors").find("column 0, which looks like an id"), std::string::npos);
  EXPECT_EQ(points_of(read_table(numbered, "csv_vectors", {{"columns", "1"}})), (std::vector<float>{0.1F, 0.2F, 0.4F}));
  EXPECT_EQ(points_of(read_table(numbered, "csv_vectors", {{"columns", "all"}})).size(), 6u);
  for (const char* const name :
       {"id", "ID", "userId", "place_id", "", "Index", "key", "Label", "class", "Unnamed: 0"}) {
    const std::string named = "x," + std::string(name) + "\n0.5,80\n0.25,12\n";
    EXPECT_NE(refusal_of(named, "csv_vectors", {{"header", "names"}}).find("column 1, which looks like an id"),
              std::string::npos)
        << name;
  }
}

TEST(CsvVectorsLoader, AsksWhatARisingColumnIs) {
  const std::string words = "column 0, which looks like an id";
  const auto asks = [&](const std::string& text) {
    try {
      static_cast<void>(parse_string(text, "csv_vectors"));
    } catch (const InputError& error) {
      return std::string(error.what()).find(words) != std::string::npos;
    }
    return false;
  };
  EXPECT_TRUE(asks("3,0.5,1\n7,0.25,2\n12,0.75,8\n40,0.5,1.5\n41,0.125,9\n")) << "fractions besides";
  EXPECT_TRUE(asks("90,5\n70,5\n50,6\n30,7\n20,6\n")) << "falling, above all others";
  EXPECT_TRUE(asks("1,4\n4,9\n6,4\n8,9\n9,2\n")) << "all different where others repeat";
  EXPECT_FALSE(asks("1,5\n4,3\n6,9\n8,0\n9,7\n")) << "points in the order of their first coordinate";
  EXPECT_FALSE(asks("0,0\n0,1\n1,0\n1,1\n2,0\n2,1\n")) << "a grid";
  EXPECT_FALSE(asks("1.5,4\n4,9\n6,4\n8,9\n9,2\n")) << "no whole number";
  EXPECT_FALSE(asks("1,4\n4,9\n6,4\n8,9\n")) << "four rows may rise by chance";
}

TEST(CsvVectorsLoader, ReadsPlacesOfCheckInsOnce) {
  const std::string gowalla =
      "0\t2010-10-19T23:55:27Z\t30.25\t-97.75\t22847\n"
      "0\t2010-10-18T22:17:43Z\t30.5\t-97.5\t420315\n"
      "1\t2010-10-17T23:42:03Z\t30.25\t-97.75\t22847\n";
  Options options{{"separator", "tab"}, {"columns", "2 3"}};
  EXPECT_EQ(points_of(read_table(gowalla, "csv_vectors", options)).size(), 6u) << "a point a check-in";
  options["one_per"] = "4";
  const Content places = read_table(gowalla, "csv_vectors", options);
  EXPECT_EQ(points_of(places), (std::vector<float>{30.25F, -97.75F, 30.5F, -97.5F}));
  EXPECT_EQ(std::get<std::int64_t>(places.properties.at("repeats_dropped")), 1);
}

TEST(VectorsTextLoader, AsksWhatAColumnOfRowNumbersIs) {
  const std::string last = "0.5 2 7\n0.25 1 8\n0.75 4 9\n";
  EXPECT_NE(refusal_of(last, "vectors_text").find("last_column: drop"), std::string::npos);
  EXPECT_EQ(points_of(read_table(last, "vectors_text", {{"last_column", "keep"}})).size(), 9u);
  EXPECT_EQ(points_of(read_table(last, "vectors_text", {{"last_column", "drop"}})).size(), 6u);
  const std::string first = "0 0.5\n1 0.25\n2 0.5\n";
  EXPECT_NE(refusal_of(first, "vectors_text").find("first_column: drop"), std::string::npos);
  EXPECT_EQ(points_of(read_table("a 0.5\nb 0.25\n", "vectors_text", {{"first_column", "drop"}})),
            (std::vector<float>{0.5F, 0.25F}));
  EXPECT_EQ(points_of(read_table("1\n2\n3\n", "vectors_text")).size(), 3u) << "one column must be a coordinate";
  const std::string gaps = "0.5 2.5 100\n0.25 1.5 107\n0.75 4 109\n0 0 200\n1 1 201\n";
  EXPECT_NE(refusal_of(gaps, "vectors_text").find("last_column: drop"), std::string::npos);
  EXPECT_EQ(points_of(read_table(gaps, "vectors_text", {{"last_column", "keep"}})).size(), 15u);
}

}  // namespace
}  // namespace warpbench::datasets::testing
