// The real files that the registry names, checked against their published sizes. They are not part of the project:
// without $WARPBENCH_DATA the tests are skipped.
#include "datasets/source.hpp"
#include "tests/datasets/support.hpp"

namespace warpbench::datasets::testing {
namespace {

using I = std::int64_t;

struct RealFile {
  std::string name;
  std::string path;
  std::string format;
  Options options;
  I vertices;
  I edges;
  I max_degree;
};

void PrintTo(const RealFile& one, std::ostream* out) {
  *out << one.name;
}

class RealFileNamed : public ::testing::TestWithParam<RealFile> {};

TEST_P(RealFileNamed, HasThePublishedSize) {
  const auto data = data_dir();
  if (!data) GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  const RealFile& one = GetParam();
  Source source;
  source.name = one.name;
  source.from = FileSource{one.path, one.format, "", "", "", one.options};
  source.expected = {{"vertices", one.vertices}, {"edges", one.edges}};
  if (one.max_degree > 0) source.expected["max_degree"] = one.max_degree;
  LoadOptions options;
  options.data_dir = *data;
  if (!is_available(source, options)) GTEST_SKIP() << one.path << " is not in " << *data;
  const Dataset dataset = load(source, options);
  validate(dataset.data);
}

INSTANTIATE_TEST_SUITE_P(
    All, RealFileNamed,
    ::testing::Values(
        RealFile{"email_enron", "graphs/email-Enron.txt", "snap", {{"header", "counts"}}, 36'692, 183'831, 1'383},
        RealFile{
            "ca_astroph", "graphs/ca-AstroPh.edgelist", "edgelist", {{"relabel", "compact"}}, 17'903, 196'972, 504},
        RealFile{"brightkite",
                 "graphs/soc-brightkite.edgelist",
                 "edgelist",
                 {{"relabel", "compact"}},
                 56'739,
                 212'945,
                 1'134},
        RealFile{"deezer_hu", "graphs/deezer_HU_edges.csv", "snap", {{"header", "names"}}, 47'538, 222'887, 112},
        RealFile{"musae_git", "graphs/musae_git_edges.csv", "snap", {{"header", "names"}}, 37'700, 289'003, 9'458},
        RealFile{"bips98_606", "graphs/bips98_606.mtx", "matrix_market", {}, 7'135, 15'190, 0},
        RealFile{"chesapeake", "graphs/chesapeake.mtx", "matrix_market", {}, 39, 170, 0},
        RealFile{"hprd", "subgraph/hprd/HPRD.graph", "graph", {}, 9'460, 34'998, 0},
        RealFile{"yeast", "subgraph/yeast/yeast.graph", "graph", {}, 3'112, 12'519, 0},
        RealFile{"wordnet", "subgraph/wordnet/wordnet.graph", "graph", {}, 76'853, 120'399, 0}),
    [](const auto& one) { return one.param.name; });

TEST(RealFiles, AQueryGraphInsideAnArchive) {
  const auto data = data_dir();
  if (!data) GTEST_SKIP() << "no real data here: set WARPBENCH_DATA";
  const auto archive = *data / "subgraph" / "yeast" / "query_graphs.1-100.tar.gz";
  if (!std::filesystem::exists(archive)) GTEST_SKIP() << archive << " is not here";
  const Content content = parse(read_text(archive, "query_graphs/query_dense_4_1.graph"), "graph");
  EXPECT_EQ(std::get<LabelledGraph>(content.data).vertices(), 4);
}

}  // namespace
}  // namespace warpbench::datasets::testing
