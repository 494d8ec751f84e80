// Queries from a second file, the transforms of vectors, and the real sets of vectors.
#include <algorithm>
#include <iterator>
#include <set>

#include "datasets/io/digest.hpp"
#include "datasets/transforms/transforms.hpp"
#include "source_fixture.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;
using Floats = std::vector<float>;

FileSource text_file(const std::string& path) {
  return {path, "vectors_text", "", "", "", {}};
}

class VectorSource : public SourceFixture {
 protected:
  VectorSource() : SourceFixture("v", text_file("p.txt")) {
    write_file(folder_ / "p.txt", "0 1\n2 3\n4 5\n");
    write_file(folder_ / "q.txt", "6 7\n8 9\n");
    source_.queries = QueriesSource{text_file("q.txt"), 0};
  }

  VectorSet loaded() { return load(source_, options_).as<VectorSet>(); }
};

TEST_F(VectorSource, TakesQueriesFromTheirFile) {
  EXPECT_EQ(loaded().queries, Array<float>(Floats{6, 7, 8, 9}));
  EXPECT_EQ(loaded().count(), 3);
  source_.queries->first = 1;
  EXPECT_EQ(loaded().queries, Array<float>(Floats{6, 7}));
  EXPECT_EQ(files_of(source_).size(), 2u);
  EXPECT_TRUE(is_available(source_, options_));
}

TEST_F(VectorSource, QueriesArePartOfTheCacheKey) {
  const std::string before = load(source_, options_).digest;
  EXPECT_EQ(load(source_, options_).digest, before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "cache"), {}), 1);
  write_file(folder_ / "q.txt", "6 7\n8 10\n");
  EXPECT_EQ(loaded().query(1)[1], 10.0F);
  source_.queries->first = 1;
  EXPECT_EQ(loaded().query_count(), 1);
  source_.queries->file.options["last_column"] = "drop";
  EXPECT_NE(refusal(), "") << "one dimension is left";
  source_.queries.reset();
  EXPECT_EQ(loaded().query_count(), 0);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "cache"), {}), 4);
}

TEST_F(VectorSource, RefusesQueriesThatDoNotFit) {
  write_file(folder_ / "q.txt", "6 7 8\n");
  EXPECT_EQ(refusal(), at("q.txt") + ": expected queries of dimension 2, that of the points, found 3");
  write_file(folder_ / "q.txt", "6 7\n");
  source_.queries->first = 2;
  EXPECT_EQ(refusal(), at("q.txt") + ": expected at least 2 queries, found 1");
  source_.queries->first = -1;
  EXPECT_EQ(refusal(), "dataset v, queries: expected first: 0 (all) or more, found -1");
  source_.queries = QueriesSource{text_file("none.txt"), 0};
  EXPECT_FALSE(is_available(source_, options_));
  EXPECT_EQ(refusal(), at("none.txt") +
                           ": expected the file of dataset v, found no such file, nor with .gz (set the "
                           "data directory, --data or WARPBENCH_DATA)");
  source_.queries->file.sha256 = "abc";
  EXPECT_NE(refusal().find("a sha256 of 64 hex digits"), std::string::npos);
  source_.queries->file = {"q.txt", "snap", "", "", "", {}};
  EXPECT_EQ(refusal(), "dataset v, queries: expected kind vectors, found graph");
  source_.queries->file = text_file("q.txt");
  source_.queries->file.options["metric"] = "cosine";
  EXPECT_EQ(refusal(), "dataset v, queries: expected no option \"metric\", as the points' holds, found \"cosine\"");
  source_.from = FileSource{"p.txt", "snap", "", "", "", {}};
  EXPECT_EQ(refusal(),
            "dataset v, queries: expected a file of vectors, of ratings, of a relation or of a labelled graph beside "
            "them, found another source");
}

TEST_F(VectorSource, ChecksTheQueriesSha256) {
  if (!has_sha256()) GTEST_SKIP() << "built without OpenSSL";
  source_.queries->file.sha256 = sha256_file(folder_ / "q.txt");
  EXPECT_EQ(loaded().query_count(), 2);
  write_file(folder_ / "q.txt", "6 7\n");
  EXPECT_NE(refusal().find("expected SHA-256"), std::string::npos);
}

Content ten_points() {
  VectorSet set;
  set.facts = std::vector<std::uint32_t>{3, 0};
  Floats points;
  for (int i = 0; i < 30; ++i) points.push_back(static_cast<float>(i));
  set.points = points;
  set.queries = Floats{-1, -2, -3, -4, -5, -6};
  return {std::move(set), {}, {}};
}

VectorSet transformed(const std::string& name, const Properties& parameters) {
  const Content content = transform(ten_points(), name, parameters, 2);
  validate(content.data);
  return std::get<VectorSet>(content.data);
}

TEST(VectorTransforms, HoldOutMovesPointsAndLosesNone) {
  const VectorSet set = transformed("hold_out", {{"queries", 4}});
  EXPECT_EQ(set.count(), 6);
  EXPECT_EQ(set.query_count(), 6);
  EXPECT_EQ(set.query(1)[2], -6.0F) << "the queries there were come first";
  std::set<float> seen;
  for (I i = 0; i < 6; ++i) seen.insert(set.point(i)[0]);
  for (I i = 2; i < 6; ++i) seen.insert(set.query(i)[0]);
  EXPECT_EQ(seen.size(), 10u);
  for (I i = 1; i < 6; ++i) EXPECT_LT(set.point(i - 1)[0], set.point(i)[0]) << "the order is kept";
  EXPECT_EQ(transformed("hold_out", {{"queries", 4}}), set);
  EXPECT_NE(transformed("hold_out", {{"queries", 4}, {"seed", 2}}), set);
}

TEST(VectorTransforms, FirstCutsPointsAndQueries) {
  EXPECT_EQ(transformed("first", {}), std::get<VectorSet>(ten_points().data));
  const VectorSet set = transformed("first", {{"points", 2}, {"queries", 1}});
  EXPECT_EQ(set.points, Array<float>(Floats{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(set.queries, Array<float>(Floats{-1, -2, -3}));
}

TEST(VectorTransforms, FirstDimensionsNarrowsPointsAndQueries) {
  const VectorSet set = transformed("first_dimensions", {{"dimensions", 2}});
  EXPECT_EQ(set.dimension(), 2);
  EXPECT_EQ(set.count(), 10);
  EXPECT_EQ(set.point(9)[1], 28.0F);
  EXPECT_EQ(set.queries, Array<float>(Floats{-1, -2, -4, -5}));
}

TEST(VectorTransforms, MetricChangesNothingElse) {
  const VectorSet set = transformed("metric", {{"metric", "cosine"}});
  EXPECT_EQ(set.metric(), Metric::cosine);
  EXPECT_EQ(set.points, std::get<VectorSet>(ten_points().data).points);
}

TEST(VectorTransforms, RefuseBadParametersAndData) {
  const auto fails = [](const std::string& name, const Properties& parameters) {
    const auto error = error_of([&] { return transform(ten_points(), name, parameters); });
    return error ? std::string(error->what()) : "";
  };
  EXPECT_EQ(fails("hold_out", {{"queries", 10}}),
            "transform hold_out: expected fewer queries than the 10 points, found 10");
  EXPECT_EQ(fails("first", {{"points", 11}}), "transform first: expected at least 11 points, found 10");
  EXPECT_EQ(fails("first", {{"queries", 3}}), "transform first: expected at least 3 queries, found 2");
  EXPECT_EQ(fails("first_dimensions", {{"dimensions", 4}}),
            "transform first_dimensions: expected at least 4 dimensions, found 3");
  EXPECT_EQ(fails("drop_isolated", {}), "transform drop_isolated: expected a graph, found vectors");
  EXPECT_EQ(fails("metric", {}),
            "transform metric: expected a value for \"metric\", found none (of the distances asked for)")
      << "a metric has no default here";
}

TEST(RealVectors, MnistAndSift) {
  const auto folder = data_dir();
  if (!folder || !std::filesystem::exists(*folder / "vectors")) GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  Source mnist;
  mnist.name = "mnist";
  mnist.from = FileSource{"vectors/mnist-t10k-images-idx3-ubyte.gz", "idx", "", "", "", {}};
  mnist.expected = {{"points", 10'000}, {"dimension", 784}};
  Source sift;
  sift.name = "sift";
  sift.from = FileSource{"vectors/ngt-sift/sift-dataset-5k.tsv", "vectors_text", "", "", "", {{"last_column", "drop"}}};
  sift.queries = QueriesSource{text_file("vectors/ngt-sift/sift-query-3.tsv"), 0};
  sift.expected = {{"points", 5'000}, {"dimension", 128}, {"queries", 3}};
  LoadOptions options;
  options.data_dir = *folder;
  EXPECT_NO_THROW(static_cast<void>(load(mnist, options)));
  const Dataset dataset = load(sift, options);
  const auto values = dataset.as<VectorSet>().points.span();
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 191.0F);
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), 0.0F);
}

}  // namespace
}  // namespace warpbench::datasets::testing
