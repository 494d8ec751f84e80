// Specs and suites: the exact message that refuses each file of tests/data/bad_specs, and the plans of good ones. The
// home folder of these tests, tests/data/spec_home, has its own registry, configs and claims.
#include "harness/spec/spec.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "datasets/input_error.hpp"
#include "harness/plan/load_plan.hpp"
#include "harness/spec/spec_error.hpp"
#include "problems/problem.hpp"
#include "tests/harness/support/bad_specs.hpp"
#include "tests/harness/support/spec_home.hpp"
#include "tests/support/figure.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

const fs::path kBadSpecs = fs::path(WARPBENCH_SOURCE_DIR) / "tests" / "data" / "bad_specs";

PlanOptions options(std::vector<std::string> overrides = {}) {
  return {"/nonexistent", std::move(overrides), kSpecHome};
}

/// The message of the refusal, without the file's name in front; "" if nothing is refused.
std::string refusal(const fs::path& file, const PlanOptions& with) {
  try {
    static_cast<void>(load_request(file.string(), with));
    return "";
  } catch (const SpecError& error) {
    const std::string text = error.what();
    const std::string prefix = file.string() + ':';
    return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
  }
}

/// A file with this text, removed at the end of the scope.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& text)
      : path_(fs::temp_directory_path() / ("warpbench-spec-" + std::to_string(getpid()) + ".yaml")) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { fs::remove(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// A home folder whose registry is this text, removed at the end of the scope.
class TemporaryHome {
 public:
  explicit TemporaryHome(const std::string& registry)
      : path_(fs::temp_directory_path() /
              ("warpbench-home-" + std::to_string(getpid()) + "-" + std::to_string(homes()++))) {
    fs::create_directories(path_ / "datasets" / "registry");
    std::ofstream(path_ / "datasets" / "registry" / "r.yaml") << registry;
  }
  TemporaryHome(const TemporaryHome&) = delete;
  TemporaryHome& operator=(const TemporaryHome&) = delete;
  ~TemporaryHome() { fs::remove_all(path_); }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  /// Numbers the homes: each test needs its own, because a folder's registry is read only once.
  static int& homes() {
    static int count = 0;
    return count;
  }

  fs::path path_;
};

const std::string kMinimal = "experiment: demo/a\nproblem: spec_probe\ndatasets: [tiny]\n";

/// The known problems depend on what is linked into this program.
std::string with_problems(std::string text) {
  std::string known;
  for (const ProblemEntry& problem : problems()) known += (known.empty() ? "" : ", ") + problem.info.id;
  const auto at = text.find("{problems}");
  return at == std::string::npos ? text : text.replace(at, 10, known);
}

class BadSpec : public ::testing::TestWithParam<BadSpecCase> {};

TEST_P(BadSpec, IsRefusedWithItsPlaceAndReason) {
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(refusal(kBadSpecs / (std::string(GetParam().name) + ".yaml"), options()),
            with_problems(GetParam().message));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

INSTANTIATE_TEST_SUITE_P(Table, BadSpec, ::testing::ValuesIn(kBadSpecCases), [](const auto& parameters) {
  std::string name = parameters.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(BadSpecs, TableAndFolderAgree) {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(kBadSpecs)) {
    ++files;
    const std::string stem = entry.path().stem().string();
    EXPECT_TRUE(std::ranges::any_of(kBadSpecCases, [&](const BadSpecCase& c) { return stem == c.name; })) << stem;
  }
  EXPECT_EQ(files, std::size(kBadSpecCases));
  EXPECT_GE(files, 60U);
  testing::print_figure(std::to_string(files) + " malformed specs");
}

TEST(BadSpecs, FilesThatCannotBeRead) {
  EXPECT_EQ(refusal(kBadSpecs / "no-such.yaml", options()), "1:1: expected a YAML file, found nothing of that name");
  const fs::path directory = fs::temp_directory_path() / ("warpbench-dir-" + std::to_string(getpid()) + ".yaml");
  fs::create_directory(directory);
  EXPECT_EQ(refusal(directory, options()), "1:1: expected a YAML file, found a directory");
  fs::remove(directory);
  EXPECT_EQ(refusal("/dev/null.yaml", options()), "1:1: expected a YAML file, found nothing of that name");
  const TemporaryFile large(kMinimal + std::string(1024 * 1024, '#'));
  EXPECT_EQ(refusal(large.path(), options()), "1:1: expected at most 1048576 bytes, found more");
  const TemporaryFile hidden(kMinimal + "solvers: [plain]\n");
  fs::permissions(hidden.path(), fs::perms::none);
  if (geteuid() != 0) {
    EXPECT_EQ(refusal(hidden.path(), options()), "1:1: cannot be opened: Permission denied");
  }
}

TEST(Spec, ReadsEveryKindOfEntry) {
  const Plan plan = load_plan(kSpecHome / "configs" / "demo" / "table-1.yaml", options());
  EXPECT_EQ(plan.experiment, "demo/table-1");
  EXPECT_EQ(plan.title, "Every kind of entry once");
  EXPECT_EQ(plan.protocol.warmup, 2);
  EXPECT_EQ(plan.protocol.repetitions, 5);
  EXPECT_EQ(plan.protocol.timeout_seconds, 300.0);
  EXPECT_TRUE(plan.protocol.include_transfers);
  EXPECT_FALSE(plan.protocol.profile);
  EXPECT_EQ(plan.protocol.device_memory_bytes, 8.0 * 1024 * 1024 * 1024);
  ASSERT_EQ(plan.datasets.size(), 3U);
  EXPECT_EQ(plan.datasets[2].name, "own");
  EXPECT_EQ(std::get<std::string>(plan.datasets[2].extra.at("queries.file")), "q.txt");
  EXPECT_EQ(std::get<std::int64_t>(plan.datasets[2].extra.at("queries.first")), 2);
  // plain, absent: 1 each; tuned: 2 graphs x 3 ef, plus 2 depths
  EXPECT_EQ(plan.trials.size(), 3U * 2U * (1 + 1 + 6 + 2));
  EXPECT_EQ(plan.left_out, 0);
  std::map<std::string, int> by_solver;
  for (const Trial& trial : plan.trials) ++by_solver[trial.solver];
  EXPECT_EQ(by_solver, (std::map<std::string, int>{{"absent", 6}, {"plain", 6}, {"tuned", 48}}));
}

TEST(Spec, AnOptionOfAFormatMayBeAList) {
  const TemporaryFile spec(
      "experiment: demo/a\nproblem: nearest_neighbors\nsolvers: [exact]\ndatasets:\n"
      "  - {file: p.csv, format: csv_vectors, columns: [2, 3], queries: {file: q.csv}}\n"
      "  - {file: r.csv, format: csv_vectors, options: {columns: [length, 4..5]}, queries: {file: q.csv}}\n");
  const Plan plan = load_plan(spec.path(), options());
  const auto columns = [&](std::size_t i) {
    return std::get<datasets::FileSource>(plan.datasets.at(i).source.from).options.at("columns");
  };
  EXPECT_EQ(columns(0), "2, 3");
  EXPECT_NE(plan.datasets.at(0).name.find("columns=2, 3"), std::string::npos) << plan.datasets.at(0).name;
  EXPECT_EQ(columns(1), "length, 4..5");
}

TEST(Spec, QueriesOfVectorsAreData) {
  const std::string head = "experiment: demo/a\nproblem: nearest_neighbors\nsolvers: [exact]\ndatasets:\n  - ";
  const TemporaryFile spec(head +
                           "{generator: clustered, points: 1000, dimension: 8, queries: 7}\n"
                           "  - {file: p.fvecs, format: fvecs, queries: {file: q.fvecs, first: 2}}\n"
                           "  - {name: digits, queries: {first: 3}}\n");
  PlanOptions with = options();
  const TemporaryHome home("digits: {file: p.idx, format: idx, queries: {file: q.idx}, expected: {queries: 9}}\n");
  with.home = home.path();
  const Plan plan = load_plan(spec.path(), with);
  ASSERT_EQ(plan.datasets.size(), 3U);
  const auto& generator = std::get<datasets::GeneratorSource>(plan.datasets[0].source.from);
  EXPECT_EQ(std::get<std::int64_t>(generator.parameters.at("queries")), 7);
  EXPECT_EQ(plan.datasets[1].source.queries.value().file.path, "q.fvecs");
  EXPECT_EQ(plan.datasets[1].source.queries.value().first, 2);
  EXPECT_EQ(plan.datasets[2].source.queries.value().file.path, "q.idx");
  EXPECT_EQ(plan.datasets[2].source.queries.value().first, 3);
  EXPECT_EQ(plan.datasets[2].name, "digits(queries=3)");
  EXPECT_TRUE(plan.datasets[2].source.expected.empty());
  for (const NamedDataset& dataset : plan.datasets) EXPECT_TRUE(dataset.extra.empty());
  const TemporaryFile bad(head + "{file: p.fvecs, format: fvecs, queries: {file: q.fvecs, frist: 2}}\n");
  EXPECT_EQ(refusal(bad.path(), with),
            "5:61: dataset, queries: unknown key 'frist' (did you mean 'first'?); known: file, format, url, sha256, "
            "member, options, match, first, counts");
}

TEST(Spec, TestRatingsAreData) {
  const std::string head = "experiment: demo/a\nproblem: spec_ratings\nsolvers: [plain]\ndatasets:\n  - ";
  const TemporaryFile spec(
      head +
      "{file: u1.base, format: movielens, test: {file: u1.test}}\n"
      "  - {name: films, test: {first: 3}}\n"
      "  - {file: u.data, format: movielens, transforms: [hold_out_ratings: {test_share: 0.2}]}\n"
      "  - {generator: planted_ratings, users: 9, items: 9, train_ratings: 20, test_ratings: 5}\n");
  PlanOptions with = options();
  const TemporaryHome home("films: {file: a, format: netflix, test: {file: b}, expected: {test_ratings: 9}}\n");
  with.home = home.path();
  const Plan plan = load_plan(spec.path(), with);
  ASSERT_EQ(plan.datasets.size(), 4U);
  EXPECT_EQ(plan.datasets[0].source.queries.value().file.path, "u1.test");
  EXPECT_EQ(plan.datasets[0].source.queries.value().file.format, "movielens");
  EXPECT_EQ(plan.datasets[1].source.queries.value().file.path, "b");
  EXPECT_EQ(plan.datasets[1].source.queries.value().first, 3);
  EXPECT_EQ(plan.datasets[1].name, "films(test=3)");
  EXPECT_TRUE(plan.datasets[1].source.expected.empty());
  const TemporaryFile bad(head + "{file: a, format: movielens, queries: {file: b}}\n");
  EXPECT_EQ(refusal(bad.path(), with),
            "5:34: dataset 'a': expected the key \"test\" beside ratings, found \"queries\"");
}

TEST(Spec, QueryGraphsAreDataAndCanBeChosen) {
  const std::string head = "experiment: demo/a\nproblem: spec_queries\nsolvers: [plain]\ndatasets:\n  - ";
  const TemporaryFile spec(head +
                           "{name: yeast-queries, queries: {match: query_dense_8_, first: 20}}\n"
                           "  - {file: g.graph, format: graph, queries: {file: q, match: s_}}\n"
                           "  - {name: walks, first: 3}\n"
                           "  - {name: bare, transforms: [random_walk_queries: {count: 2, vertices: 4}]}\n");
  PlanOptions with = options();
  const TemporaryHome home(
      "yeast-queries: {file: y.graph, format: graph, queries: {file: q.tar.gz}, expected: {queries: 900}}\n"
      "bare: {generator: watdiv_like, parameters: {vertices: 900, edges: 4000, max_degree: 100}}\n"
      "walks: {generator: watdiv_like, parameters: {vertices: 900, edges: 4000, max_degree: 100},"
      " transforms: [random_walk_queries: {count: 9, vertices: 4}]}\n");
  with.home = home.path();
  const Plan plan = load_plan(spec.path(), with);
  ASSERT_EQ(plan.datasets.size(), 4U);
  const datasets::QueriesSource& chosen = plan.datasets[0].source.queries.value();
  EXPECT_EQ(chosen.file.path, "q.tar.gz");
  EXPECT_EQ(chosen.match, "query_dense_8_");
  EXPECT_EQ(chosen.first, 20);
  EXPECT_EQ(plan.datasets[0].name, "yeast-queries(match=query_dense_8_,queries=20)");
  EXPECT_TRUE(plan.datasets[0].source.expected.empty());
  EXPECT_EQ(plan.datasets[1].source.queries.value().match, "s_");
  EXPECT_EQ(plan.datasets[2].source.transforms.back().name, "first");
  EXPECT_EQ(std::get<std::int64_t>(plan.datasets[2].source.transforms.back().parameters.at("queries")), 3);
  for (const NamedDataset& dataset : plan.datasets) {
    EXPECT_EQ(datasets::kind_of(dataset.source), datasets::Kind::GraphQueries) << dataset.name;
    EXPECT_TRUE(dataset.extra.empty()) << dataset.name;
  }
  const TemporaryFile bare(head + "bare\n");
  EXPECT_NE(refusal(bare.path(), with).find("problem spec_queries accepts graph_queries"), std::string::npos);
}

TEST(Spec, ContentOfAQueryFolderIsPartOfTheIdentity) {
  const TemporaryHome home("unused: {generator: uniform, parameters: {vertices: 9, edges: 9}}\n");
  const std::filesystem::path folder = home.path() / "q";
  std::filesystem::create_directory(folder);
  const auto write = [&](const std::string& name, const std::string& text) { std::ofstream(folder / name) << text; };
  write("a_1.graph", "t 1 0\nv 0 7 0\n");
  write("a_2.graph", "t 1 0\nv 0 8 0\n");
  const TemporaryFile spec("experiment: demo/a\nproblem: spec_queries\nsolvers: [plain]\ndatasets:\n  - {file: " +
                           (folder / "a_1.graph").string() + ", format: graph, queries: {file: " + folder.string() +
                           ", match: a_}}\n");
  PlanOptions with = options();
  with.home = home.path();
  const auto id = [&] { return load_plan(spec.path(), with).trials.at(0).id; };
  const std::string before = id();
  write("README", "no query");
  EXPECT_EQ(id(), before);
  write("a_2.graph", "t 1 0\nv 0 9 0\n");
  EXPECT_NE(id(), before);
}

TEST(Spec, FirstAndLargestSelectAPart) {
  const std::string head = "experiment: demo/a\nproblem: nearest_neighbors\nsolvers: [exact]\ndatasets:\n  - ";
  const TemporaryFile spec(head +
                           "{file: p.fvecs, format: fvecs, first: 5, transforms: [{metric: {metric: cosine}}], "
                           "queries: {file: q.fvecs}}\n"
                           "  - {name: digits, first: 3}\n");
  PlanOptions with = options();
  const TemporaryHome home(
      "digits: {file: p.idx, format: idx, queries: {file: q.idx}, expected: {points: 9}, published: {points: 9}}\n");
  with.home = home.path();
  const Plan plan = load_plan(spec.path(), with);
  ASSERT_EQ(plan.datasets.size(), 2U);
  const datasets::Source& own = plan.datasets[0].source;
  ASSERT_EQ(own.transforms.size(), 2U);
  EXPECT_EQ(own.transforms[0].name, "first");
  EXPECT_EQ(own.transforms[0].parameters, (datasets::Properties{{"points", 5}}));
  EXPECT_EQ(own.transforms[1].name, "metric") << "in the order they stand in";
  EXPECT_EQ(plan.datasets[1].name, "digits(first=3)");
  EXPECT_EQ(own.expected_before, 0U);
  EXPECT_EQ(plan.datasets[1].source.expected, (datasets::Properties{{"points", 9}}));
  EXPECT_EQ(plan.datasets[1].source.expected_before, 0U) << "they are of all points";
  EXPECT_TRUE(plan.datasets[1].source.published.empty());
  const auto refused = [&](const std::string& dataset) { return refusal(TemporaryFile(head + dataset).path(), with); };
  EXPECT_EQ(refused("{generator: set_pair, size: 9, universe: 99, largest: 1}\n"),
            "5:5: dataset 'set_pair(size=9,universe=99,largest=1)' is of kind sets; problem nearest_neighbors accepts "
            "vectors");
  const auto without_queries = [&](const std::string& dataset) {
    return refusal(
        TemporaryFile("experiment: demo/a\nproblem: subgraph_matching\nsolvers: [vf3]\ndatasets:\n  - " + dataset)
            .path(),
        with);
  };
  EXPECT_EQ(without_queries("{file: t.txt, format: triples}\n"),
            "5:5: dataset 't.txt' is of kind labelled_graph; problem subgraph_matching accepts graph_queries (name a "
            "file of queries as 'queries', or add the transform random_walk_queries)");
  EXPECT_TRUE(without_queries("{file: g.txt, format: snap}\n")
                  .ends_with("(add the transforms labels and random_walk_queries)"));
  EXPECT_TRUE(refused("{file: p.fvecs, format: fvecs, largest: 2}\n").starts_with("5:36: dataset 'p.fvecs(largest=2)'"))
      << "points have no size";
  EXPECT_TRUE(refused("{file: g.txt, format: snap, first: 2}\n").find("an option") != std::string::npos);
  EXPECT_EQ(refused("{file: p.fvecs, format: fvecs, first: 0}\n"),
            "5:43: dataset, first: expected a whole number from 1 to 4294967294, found '0'");
}

TEST(Spec, AFileIsWhatIsExpectedBeforeATransformTakesAPart) {
  const auto checked_before = [](const std::string& transforms) {
    const TemporaryFile spec(
        "experiment: demo/a\nproblem: nearest_neighbors\nsolvers: [exact]\ndatasets:\n"
        "  - {file: p.fvecs, format: fvecs, expected: {points: 9}, queries: {file: q.fvecs}, transforms: [" +
        transforms + "]}\n");
    PlanOptions with = options();
    const TemporaryHome home("digits: {file: p.idx, format: idx, queries: {file: q.idx}}\n");
    with.home = home.path();
    return load_plan(spec.path(), with).datasets.at(0).source.expected_before;
  };
  EXPECT_EQ(checked_before("first: {points: 5}"), 0U) << "as with the key `first`";
  EXPECT_EQ(checked_before("metric: {metric: cosine}, first: {points: 5}, first: {points: 2}"), 1U);
  EXPECT_EQ(checked_before("metric: {metric: cosine}"), std::nullopt) << "checked after all of its own";
}

TEST(Spec, ARegisteredDatasetIsWhatIsExpectedBeforeItIsTransformed) {
  const TemporaryFile spec(
      "experiment: demo/a\nproblem: nearest_neighbors\nsolvers: [exact]\ndatasets:\n"
      "  - {name: digits, transforms: [{first: {points: 3}}]}\n  - digits\n");
  PlanOptions with = options();
  const TemporaryHome home(
      "digits: {file: p.idx, format: idx, queries: {file: q.idx}, transforms: [{metric: {metric: cosine}}], "
      "expected: {points: 9}}\n");
  with.home = home.path();
  const Plan plan = load_plan(spec.path(), with);
  for (const NamedDataset& dataset : plan.datasets) {
    EXPECT_EQ(dataset.source.expected, (datasets::Properties{{"points", 9}}));
  }
  EXPECT_EQ(plan.datasets[0].source.expected_before, 1U);
  EXPECT_EQ(plan.datasets[1].source.expected_before, std::nullopt) << "checked after all of its own";
}

TEST(Spec, TextIsCopiedAsWrittenUnlessChanged) {
  const fs::path file = kSpecHome / "configs" / "demo" / "table-2.yaml";
  std::ifstream stream(file);
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_EQ(load_plan(file, options()).spec_text, text);
  const Plan changed = load_plan(file, options({"title=Another"}));
  EXPECT_NE(changed.spec_text, text);
  const TemporaryFile copy(changed.spec_text);  // the recorded text is a spec of the same trials
  const Plan again = load_plan(copy.path(), options());
  EXPECT_EQ(again.title, "Another");
  ASSERT_EQ(again.trials.size(), changed.trials.size());
  EXPECT_EQ(again.trials[0].id, changed.trials[0].id);
}

TEST(Spec, RefusedCombinationsAreLeftOutOfASweep) {
  const TemporaryFile spec(kMinimal + "solvers:\n  - tuned: {ef: [8, 16, 32], explore: [8, 32]}\n");
  const Plan plan = load_plan(spec.path(), options());
  EXPECT_EQ(plan.trials.size(), 4U);
  EXPECT_EQ(plan.left_out, 2);
  EXPECT_EQ(plan.left_out_reason, "solver 'tuned': explore must not exceed ef, found 32 and 8");
}

TEST(Spec, ADatasetMayHaveATaskOfItsOwn) {
  const TemporaryFile spec(
      "experiment: demo/a\nproblem: spec_probe\ntask: {k: 5, threshold: 0.25}\n"
      "datasets: [tiny, {generator: rmat, log2_vertices: 4, name: own, task: {k: [2, 3], mode: multi}}]\nsolvers: "
      "[plain]\n");
  const Plan plan = load_plan(spec.path(), options());
  std::vector<std::string> tasks;
  for (const Trial& trial : plan.trials)
    tasks.push_back(plan.datasets[trial.dataset].name + ": " + trial.task.canonical());
  EXPECT_EQ(tasks,
            (std::vector<std::string>{"tiny: k=5 mode=single threshold=0.25", "own: k=2 mode=multi threshold=0.25",
                                      "own: k=3 mode=multi threshold=0.25"}));
}

TEST(Spec, RefusedTasksAreCountedOnce) {
  const TemporaryFile spec(
      "experiment: demo/a\nproblem: spec_probe\ntask: {k: [1, 2], mode: multi}\n"
      "datasets: [tiny, {generator: rmat, log2_vertices: 4}]\nsolvers: [plain]\n");
  const Plan plan = load_plan(spec.path(), options());
  EXPECT_EQ(plan.trials.size(), 2U);
  EXPECT_EQ(plan.left_out, 1);
}

/// The trials of `solvers:` in order, as the texts of their parameters.
std::vector<std::string> trials_of(const std::string& solvers) {
  const TemporaryFile spec(kMinimal + "solvers:\n" + solvers);
  std::vector<std::string> texts;
  for (const Trial& trial : load_plan(spec.path(), options()).trials)
    texts.push_back(trial.id + " " + trial.parameters.canonical());
  return texts;
}

TEST(Spec, NamesAPointOfASolver) {
  EXPECT_EQ(trials_of("  - tuned: best\n"), trials_of("  - tuned: {ef: 128, fast: true, threads: 0}\n"));
  EXPECT_EQ(trials_of("  - tuned: {point: best}\n"), trials_of("  - tuned: best\n"));
  EXPECT_EQ(trials_of("  - tuned: {depth: [1, 2], point: best, ef: [32, 64]}\n"),
            trials_of("  - tuned: {depth: [1, 2], ef: [32, 64], fast: true, threads: all}\n"))
      << "what stands beside a point replaces its values";
  EXPECT_EQ(trials_of("  - tuned: document\n"), trials_of("  - tuned\n"));
  EXPECT_EQ(trials_of("  - tuned: {point: document, ef: 32}\n"), trials_of("  - tuned: {ef: 32}\n"));
}

TEST(Spec, RefusesPointsThatASolverLacks) {
  const auto refused = [](const std::string& solver) {
    return refusal(TemporaryFile(kMinimal + "solvers:\n" + solver).path(), options());
  };
  EXPECT_EQ(refused("  - tuned: fastest\n"), "5:12: solver 'tuned', point: expected document or best, found 'fastest'");
  EXPECT_EQ(refused("  - tuned: {point: 3}\n"), "5:20: solver 'tuned', point: expected document or best, found '3'");
  EXPECT_EQ(refused("  - wide: best\n"), "5:11: solver 'wide', point: the solver has no point best");
  EXPECT_EQ(refused("  - tuned: best\n  - tuned: {point: best}\n").substr(0, 5), "6:5: ") << "the same trial twice";
}

TEST(Spec, RangesBecomeValues) {
  const TemporaryFile spec(kMinimal +
                           "solvers:\n  - tuned: {ratio: {from: 0.1, to: 0.5, step: 0.1}}\n"
                           "  - tuned: {ef: {from: 32, to: 256, times: 2}, ratio: 0.9}\n");
  const Plan plan = load_plan(spec.path(), options());
  std::vector<double> ratios;
  std::vector<std::int64_t> efs;
  for (const Trial& trial : plan.trials) {
    if (trial.parameters.real("ratio") != 0.9) ratios.push_back(trial.parameters.real("ratio"));
    if (trial.parameters.real("ratio") == 0.9) efs.push_back(trial.parameters.integer("ef"));
  }
  EXPECT_EQ(ratios, (std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5}));
  EXPECT_EQ(efs, (std::vector<std::int64_t>{32, 64, 128, 256}));
}

TEST(Spec, BytesMayBeWrittenAsSizes) {
  const TemporaryFile spec(kMinimal + "solvers:\n  - tuned: {memory: [256MiB, 0.5kB, 4096, all]}\n");
  std::set<std::int64_t> bytes;
  for (const Trial& trial : load_plan(spec.path(), options()).trials) bytes.insert(trial.parameters.integer("memory"));
  EXPECT_EQ(bytes, (std::set<std::int64_t>{0, 500, 4096, 268'435'456}));
  for (const std::string bad : {"1.5MiBs", "0MiB", "0.5B", "MiB"}) {
    const TemporaryFile refused(kMinimal + "solvers:\n  - tuned: {memory: " + bad + "}\n");
    EXPECT_EQ(
        refusal(refused.path(), options()),
        "5:21: solver 'tuned', memory: expected integer 0 to 1000000000 or a size such as 512MiB or all, found '" +
            bad + "'");
  }
}

TEST(Spec, AnchorsAreFine) {
  const TemporaryFile spec(kMinimal +
                           "solvers:\n  - tuned: {ef: &sizes [32, 64]}\n  - tuned: {ef: *sizes, depth: 2}\n");
  EXPECT_EQ(load_plan(spec.path(), options()).trials.size(), 4U);
}

TEST(Spec, MinimumRepetitionsFollowFewerRepetitions) {
  const TemporaryFile spec(kMinimal + "solvers: [plain]\nprotocol: {repetitions: 1}\n");
  EXPECT_EQ(load_plan(spec.path(), options()).protocol.minimum_repetitions, 1);
}

TEST(Overrides, ReplaceAndAdd) {
  const fs::path file = kSpecHome / "configs" / "demo" / "table-1.yaml";
  const Plan plan = load_plan(file, options({"protocol.repetitions=7", "protocol.flush_l2=true",
                                             "protocol.profile=true", "datasets=[tiny]", "task.k=3"}));
  EXPECT_EQ(plan.protocol.repetitions, 7);
  EXPECT_TRUE(plan.protocol.flush_l2);
  EXPECT_TRUE(plan.protocol.profile);
  EXPECT_EQ(plan.protocol.warmup, 2);
  EXPECT_EQ(plan.datasets.size(), 1U);
  for (const Trial& trial : plan.trials) EXPECT_EQ(trial.task.integer("k"), 3);
}

TEST(Overrides, OfTheTaskWinOverThoseOfADataset) {
  const TemporaryFile spec(
      "experiment: demo/a\nproblem: spec_probe\ntask: {k: 5, threshold: 0.25}\nsolvers: [plain]\n"
      "datasets: [tiny, {generator: rmat, log2_vertices: 4, name: own, task: {k: [2, 3], threshold: 0.5}}]\n");
  const auto tasks_with = [&](const std::vector<std::string>& overrides) {
    std::vector<std::string> tasks;
    for (const Trial& trial : load_plan(spec.path(), options(overrides)).trials) {
      tasks.push_back(trial.task.canonical());
    }
    return tasks;
  };
  using Tasks = std::vector<std::string>;
  const Tasks written{"k=5 mode=single threshold=0.25", "k=2 mode=single threshold=0.5",
                      "k=3 mode=single threshold=0.5"};
  EXPECT_EQ(tasks_with({"protocol.repetitions=3"}), written);
  EXPECT_EQ(tasks_with({"task.k=7"}), (Tasks{"k=7 mode=single threshold=0.25", "k=7 mode=single threshold=0.5"}));
  EXPECT_EQ(tasks_with({"task={k: 7, threshold: 0.75}"}), Tasks(2, "k=7 mode=single threshold=0.75"));
  EXPECT_EQ(tasks_with({"task.k=7", "datasets=[{name: tiny, task: {k: 8}}]"}), Tasks{"k=8 mode=single threshold=0.25"})
      << "what is said last";
}

TEST(Overrides, AreRefusedAtTheirPlace) {
  const fs::path file = kSpecHome / "configs" / "demo" / "table-2.yaml";
  EXPECT_EQ(refusal(file, options({"protocol.repetition=7"})),
            "--set protocol.repetition=7:1:1: protocol: unknown key 'repetition' (did you mean 'repetitions'?); known: "
            "warmup, repetitions, minimum_repetitions, preparations, target_half_width, timeout, prepare_timeout, "
            "include_transfers, "
            "flush_l2, pin_threads, profile, profile_transactions, host_memory, device_memory");
  EXPECT_EQ(refusal(file, options({"protocol.repetitions=many"})),
            "--set protocol.repetitions=many:1:1: protocol, repetitions: expected a whole number from 1 to 1000000, "
            "found 'many'");
  EXPECT_EQ(refusal(file, options({"solvers.plain=3"})),
            "--set solvers.plain=3:1:1: 'plain' leads through something that is no map");
  EXPECT_EQ(refusal(file, options({"title"})), "--set title:1:1: expected path=value such as protocol.repetitions=3");
  EXPECT_EQ(refusal(file, options({"title="})), "--set title=:1:1: expected path=value such as protocol.repetitions=3");
  EXPECT_EQ(refusal(file, options({"protocol..warmup=1"})),
            "--set protocol..warmup=1:1:1: expected a path such as protocol.repetitions, found an empty word in it");
}

TEST(Suite, ReplacesDatasetsSolversAndProtocol) {
  const std::vector<Plan> plans = load_request("both", options());
  ASSERT_EQ(plans.size(), 2U);
  EXPECT_EQ(plans[0].experiment, "demo/table-1");
  EXPECT_EQ(plans[0].protocol.repetitions, 3);
  EXPECT_EQ(plans[0].protocol.warmup, 2) << "of the spec";
  EXPECT_EQ(plans[0].trials.size(), 2U) << "two values of k";
  EXPECT_EQ(plans[1].trials.size(), 1U);
}

TEST(Request, IsAPathASuiteAnExperimentOrOneOfASuite) {
  EXPECT_EQ(load_request("demo/table-2", options()).size(), 1U);
  const std::vector<Plan> of_suite = load_request("both/demo/table-1", options());
  ASSERT_EQ(of_suite.size(), 1U);
  EXPECT_EQ(of_suite[0].experiment, "demo/table-1");
  EXPECT_EQ(of_suite[0].protocol.repetitions, 3) << "of the suite";
  EXPECT_EQ(refusal("both/demo/table-3", options()),
            (kSpecHome / "configs" / "suites" / "both.yaml").string() +
                ":1:1: the suite has no experiment 'demo/table-3' (did you mean 'demo/table-1'?)");
  EXPECT_THROW(load_request("both/", options()), datasets::InputError)
      << "a part without a name is not the whole suite";
  EXPECT_EQ(load_request((kSpecHome / "configs" / "suites" / "both.yaml").string(), options()).size(), 2U);
  try {
    static_cast<void>(load_request("demo/table-3", options()));
    FAIL() << "accepted";
  } catch (const datasets::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "demo/table-3: expected a spec file, an experiment or a suite, found nothing of that name "
                 "(did you mean 'demo/table-1'?)");
  }
}

}  // namespace
}  // namespace warpbench::harness
