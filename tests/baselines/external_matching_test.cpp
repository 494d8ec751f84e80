// A solver of subgraph_matching that is a program of its own, with a small Python program in its place.
#include "baselines/subgraph_matching/external.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "tests/problems/support/subgraph_cases.hpp"

namespace warpbench::matching {
namespace {

using testing::clique;
using testing::cycle;
using testing::dataset_of;
using testing::path;
using testing::subgraph_input;
using testing::SubgraphTask;

/// Tries all mappings. `before_answer` comes between its files and the answer.
std::string program_text(const std::string& before_answer) {
  return R"(import array, itertools, json, os, sys
def say(message):
    print(json.dumps(message), flush=True)
    if "clock" in message: sys.stdin.readline()  # the clock is confirmed
def read(name, code):
    values = array.array(code)
    with open(f"{folder}/{name}", "rb") as file: values.frombytes(file.read())
    return values
def write(name, code, values):
    assert not os.path.exists(f"{folder}/{name}")
    with open(f"{folder}/{name}", "wb") as file: array.array(code, values).tofile(file)
class Graph:
    def __init__(self, name, sizes):
        offsets, neighbors = read(f"{name}.offsets.u64", "Q"), read(f"{name}.neighbors.u32", "I")
        edge_labels = read(f"{name}.edge_labels.u32", "I")
        places, labels = read(f"{name}.label_offsets.u64", "Q"), read(f"{name}.labels.u32", "I")
        self.vertices = range(len(offsets) - 1)
        assert sizes == {"vertices": len(offsets) - 1, "slots": len(neighbors), "labels": len(labels)}, sizes
        self.labels = [set(labels[a:b]) for a, b in zip(places, places[1:])]
        self.edges = {(v, neighbors[i], edge_labels[i]) for v in self.vertices for i in range(offsets[v], offsets[v + 1])}
say({"ready": "fake 1"})
prepare = json.loads(sys.stdin.readline())["prepare"]
folder = prepare["folder"]
data = Graph("data", prepare["data"])
queries = [Graph(f"query_{i}", sizes) for i, sizes in enumerate(prepare["queries"])]
say({"prepared": {}})
for line in sys.stdin:
    request = json.loads(line)["solve"]
    task, found = request["task"], []
    for query in queries:
        say({"clock": True})
        matches = [m for m in itertools.product(data.vertices, repeat=len(query.vertices))
                   if (task["semantics"] == "homomorphism" or len(set(m)) == len(m))
                   and all(query.labels[u] <= data.labels[m[u]] for u in query.vertices)
                   and all((m[u], m[v], label) in data.edges for u, v, label in query.edges)]
        if task["output"] == "first": matches = matches[:task["first"]]
        found.append(matches)
        say({"clock": False})
    counts = [len(matches) for matches in found]
    if task["output"] != "count": write("matches.u32", "I", [v for ms in found for m in ms for v in m])
)" + before_answer +
         R"(
    write("counts.u64", "Q", counts)
    say({"answered": {}})
)";
}

class ExternalMatchings : public ::testing::Test {
 protected:
  void start(const SubgraphTask& task, const std::string& before_answer = "") {
    input_ = subgraph_input(dataset_, task);
    std::ofstream(folder_.path() / "program.py") << program_text(before_answer);
    solver_ =
        std::make_unique<ExternalMatching>("python3 " + (folder_.path() / "program.py").string(), Parameters({}, {}));
    solver_->prepare(input_, phases_);
  }
  SubgraphMatching::Answer solve() {
    SubgraphMatching::Answer answer;
    solver_->solve_with_transfers(answer, phases_);
    return answer;
  }
  [[nodiscard]] Judgement judged(const SubgraphMatching::Answer& answer) const {
    return SubgraphMatching::judge(input_, answer, SubgraphMatching::reference(input_));
  }

  TemporaryFolder folder_;
  const datasets::Dataset dataset_ = dataset_of("a square with a diagonal", cycle(4).edge(0, 2), {clique(3), path(3)});
  SubgraphMatching::Input input_;
  Phases phases_;
  std::unique_ptr<ExternalMatching> solver_;
};

TEST_F(ExternalMatchings, AnswerEachOutputAndSemantics) {
  for (const char* const output : {"count", "digest", "matches", "first"}) {
    for (const char* const semantics : {"isomorphism", "homomorphism", "edge_isomorphism"}) {
      start({{"output", output}, {"semantics", semantics}, {"first", 5}});
      for (const bool again : {false, true}) {
        SubgraphMatching::Answer answer = solve();
        const Judgement judgement = judged(answer);
        EXPECT_EQ(judgement.verdict, Verdict::exact) << output << semantics << again << ": " << judgement.difference;
        EXPECT_EQ(judgement.metrics.at("verified"), 2);
        answer.poison();
      }
    }
  }
}

TEST_F(ExternalMatchings, MayLeaveQueriesOpen) {
  start({}, "\n    counts[0] = 2**64 - 1");
  const Judgement judgement = judged(solve());
  EXPECT_EQ(judgement.verdict, Verdict::exact) << judgement.difference;
  EXPECT_EQ(judgement.metrics.at("solved"), 1);
}

TEST_F(ExternalMatchings, AreJudged) {
  start({}, "\n    counts[1] += 1");
  EXPECT_EQ(judged(solve()).difference, "query 1: expected 16 matches, found 17");
  start({{"output", "digest"}}, R"(
    with open(f"{folder}/matches.u32", "r+b") as file: file.write(bytes([3])))");
  EXPECT_EQ(judged(solve()).verdict, Verdict::wrong);
}

TEST_F(ExternalMatchings, RefuseAnAnswerThatIsNone) {
  for (const std::string fault :
       {"counts.pop()", "counts[0] += 1", "counts[0] = 2**63", "os.remove(f'{folder}/matches.u32')"}) {
    start({{"output", "matches"}}, "\n    " + fault);
    EXPECT_THROW(static_cast<void>(solve()), std::runtime_error) << fault;
  }
}

}  // namespace
}  // namespace warpbench::matching
