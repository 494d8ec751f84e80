// VectorSet and the generators of vectors: validated, described, the same set for any number of threads.
#include "datasets/vectors.hpp"

#include <cmath>
#include <limits>

#include "datasets/generators/generators.hpp"
#include "support.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;
using Facts = std::vector<std::uint32_t>;

const VectorSet& vectors_of(const Content& content) {
  return std::get<VectorSet>(content.data);
}

VectorSet small_set() {
  VectorSet set;
  set.facts = Facts{2, 0};
  set.points = std::vector<float>{0, 1, 2, 3, 4, 5};
  set.queries = std::vector<float>{6, 7};
  return set;
}

std::string refusal(const VectorSet& set) {
  const auto error = error_of([&] {
    set.validate();
    return 0;
  });
  return error ? std::string(error->what()) : "";
}

TEST(Vectors, ShowsRowsAndDescribesThem) {
  const VectorSet set = small_set();
  set.validate();
  EXPECT_EQ(set.count(), 3);
  EXPECT_EQ(set.query_count(), 1);
  EXPECT_EQ(set.point(2)[1], 5.0F);
  EXPECT_EQ(set.query(0)[0], 6.0F);
  EXPECT_EQ(set.describe(), (Properties{{"points", 3}, {"queries", 1}, {"dimension", 2}, {"metric", "euclidean"}}));
  EXPECT_EQ(VectorSet().count(), 0);
}

TEST(Vectors, NamesOfMetrics) {
  for (const std::string& name : metric_names()) EXPECT_EQ(to_string(metric_from_string(name).value()), name);
  EXPECT_FALSE(metric_from_string("angular"));
  EXPECT_EQ(metric_names().size(), 3u);
}

TEST(Vectors, RefusalsNameTheRow) {
  EXPECT_EQ(refusal(VectorSet()), "vectors: expected 2 facts, dimension and metric, found 0");
  VectorSet set = small_set();
  set.facts = Facts{0, 0};
  EXPECT_EQ(refusal(set), "vectors: expected a dimension from 1 to 65536, found 0");
  set.facts = Facts{2, 3};
  EXPECT_EQ(refusal(set), "vectors: expected a known metric, found number 3");
  set.facts = Facts{4, 0};
  EXPECT_EQ(refusal(set), "vectors: expected rows of 4 coordinates, found 6 coordinates of the points");
  set = small_set();
  set.points = std::vector<float>{0, 1, 2, std::nanf("")};
  EXPECT_EQ(refusal(set), "vectors: expected finite coordinates, found nan in row 1 of the points, coordinate 1");
  set = small_set();
  set.queries = std::vector<float>{std::numeric_limits<float>::infinity(), 0};
  EXPECT_EQ(refusal(set), "vectors: expected finite coordinates, found inf in row 0 of the queries, coordinate 0");
}

double intrinsic_dimension(const Content& content) {
  return std::get<double>(describe(content.data).at("intrinsic_dimension"));
}

TEST(Vectors, IntrinsicDimensionMatchesTheShape) {
  // Uniform points: the estimate is the dimension itself, except near the cube's faces.
  for (const I dimension : {1, 2, 5}) {
    const Content cube =
        generate("uniform_vectors", {{"points", 20'000}, {"dimension", dimension}, {"queries", 0}}, 1, 2);
    EXPECT_NEAR(intrinsic_dimension(cube), static_cast<double>(dimension), 0.1 * static_cast<double>(dimension));
  }
  VectorSet set;  // a line in space, every point twice: copies must not count
  set.facts = Facts{3, 0};
  std::vector<float> points;
  for (int i = 0; i < 4000; ++i) {
    const auto at = static_cast<float>(i / 2);
    points.insert(points.end(), {at, 2 * at, -at});
  }
  set.points = points;
  EXPECT_NEAR(std::get<double>(set.describe().at("intrinsic_dimension")), 1.0, 0.15);
  set.points = std::vector<float>(3 * 4000, 1.0F);
  EXPECT_FALSE(set.describe().contains("intrinsic_dimension")) << "all points are one";
  set.points = std::vector<float>(points.begin(), points.begin() + 3 * 999);
  EXPECT_FALSE(set.describe().contains("intrinsic_dimension")) << "too few points";
}

TEST(Vectors, HubnessGrowsWithTheDimension) {
  const auto hubness = [](I dimension) {
    const Content cube =
        generate("uniform_vectors", {{"points", 4'000}, {"dimension", dimension}, {"queries", 0}}, 1, 2);
    return std::get<double>(describe(cube.data).at("hubness"));
  };
  EXPECT_NEAR(hubness(2), 0.0, 0.3) << "no point of the plane is near to many";
  EXPECT_GT(hubness(64), 1.5);
  VectorSet few;
  few.facts = Facts{1, 0};
  few.points = std::vector<float>(999, 1.0F);
  EXPECT_FALSE(few.describe().contains("hubness")) << "too few points";
}

TEST(Vectors, CosineMeasuresDirections) {
  // Directions in the plane form a circle, whatever the lengths; as points they fill the plane.
  const Properties plane{{"points", 20'000}, {"dimension", 2}, {"queries", 0}};
  Properties directions = plane;
  directions["metric"] = "cosine";
  EXPECT_NEAR(intrinsic_dimension(generate("uniform_vectors", directions, 1, 2)), 1.0, 0.15);
  EXPECT_NEAR(intrinsic_dimension(generate("uniform_vectors", plane, 1, 2)), 2.0, 0.2);
}

struct Case {
  std::string generator;
  Properties parameters;
  std::string digest;
};

std::vector<Case> cases() {
  const Properties size{{"points", 3'000}, {"queries", 70}, {"dimension", 37}};
  Properties clusters = size;
  clusters.insert({{"clusters", 20}, {"intrinsic_dimension", 9}, {"metric", "cosine"}});
  return {{"clustered", clusters, "c000e77de2f4010db07ab8cfb7997610"},
          {"uniform_vectors", size, "d6a7d2b182689a9bff56025fda81d5e7"}};
}

// If a digest changes, old names mean other datasets: raise kGeneratorVersion with it.
TEST(VectorGenerators, DependOnTheSeedAndNotOnThreadsOrMachine) {
  std::size_t tested = 0;
  for (const Generator& generator : generators()) tested += generator.kind == Kind::Vectors ? 1 : 0;
  EXPECT_EQ(tested, cases().size());
  for (const Case& one : cases()) {
    SCOPED_TRACE(one.generator);
    const Content first = generate(one.generator, one.parameters, 7, 1);
    validate(first.data);
    EXPECT_EQ(vectors_of(first).count(), 3'000);
    EXPECT_EQ(vectors_of(first).query_count(), 70);
    EXPECT_EQ(vectors_of(first).dimension(), 37);
    EXPECT_EQ(digest_of(first.data), one.digest);
    EXPECT_EQ(digest_of(generate(one.generator, one.parameters, 7, 4).data), one.digest);
    EXPECT_NE(digest_of(generate(one.generator, one.parameters, 8, 2).data), one.digest);
    EXPECT_NE(vectors_of(first).point(0)[0], vectors_of(first).query(0)[0]) << "queries are points of their own";
  }
  EXPECT_EQ(vectors_of(generate("clustered", cases()[0].parameters)).metric(), Metric::cosine);
}

TEST(VectorGenerators, ScaleCutsPointsAndKeepsQueries) {
  for (const Case& one : cases()) {
    Properties tenth = one.parameters;
    tenth["scale"] = 0.1;
    const Content small = generate(one.generator, tenth, 7);
    const Content whole = generate(one.generator, one.parameters, 7);
    EXPECT_EQ(vectors_of(small).count(), 300);
    EXPECT_EQ(vectors_of(small).queries, vectors_of(whole).queries);
    EXPECT_EQ(vectors_of(small).point(299)[36], vectors_of(whole).point(299)[36]);
  }
}

TEST(VectorGenerators, ClustersHaveTheSizeAndIntrinsicDimensionOfDescriptors) {
  const Content content = generate("clustered", {{"points", 100'000}, {"dimension", 128}});
  EXPECT_NEAR(intrinsic_dimension(content), 23.8, 1.0) << "19.0 at 1,000,000 points";
  double squares = 0;
  for (const float value : vectors_of(content).points.span()) squares += double{value} * double{value};
  EXPECT_NEAR(squares / static_cast<double>(vectors_of(content).points.size()), 1.0 + 0.8 * 0.8, 0.1);
}

TEST(VectorGenerators, ParametersAreChecked) {
  const auto fails = [](const std::string& generator, const Properties& parameters) {
    const auto error = error_of([&] { return generate(generator, parameters); });
    return error ? std::string(error->what()) : "";
  };
  const Properties size{{"points", 10}, {"dimension", 4}};
  const auto with = [&size](Properties more) {
    more.insert(size.begin(), size.end());
    return more;
  };
  EXPECT_EQ(fails("clustered", with({{"metric", "cosin"}})),
            "generator clustered: expected a word for \"metric\" (one of euclidean, cosine, inner_product), found "
            "\"cosin\" (did you mean \"cosine\"?)");
  EXPECT_EQ(fails("uniform_vectors", with({{"scale", 0.01}})),
            "uniform_vectors: expected 1 to 2^32 - 2 points after scaling, found 0");
  EXPECT_EQ(fails("clustered", with({{"clusters", 10'000'000}, {"intrinsic_dimension", 256}})),
            "clustered: expected clusters × dimension × intrinsic_dimension of at most 2147483648, found 40960000000");
  EXPECT_EQ(fails("uniform_vectors", with({{"dimension", 0}})),
            "generator uniform_vectors: expected a whole number from 1 to 65536, found dimension: 0 (coordinates of a "
            "point)");
}

}  // namespace
}  // namespace warpbench::datasets::testing
