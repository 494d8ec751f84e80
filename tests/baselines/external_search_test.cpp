// Solvers of nearest_neighbors that are programs of their own, with a small Python program in their place.
#include "baselines/nearest_neighbors/external.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpbench::nearest_neighbors {
namespace {

using Input = NearestNeighbors::Input;
using Answer = NearestNeighbors::Answer;

/// Compares all pairs, and takes 20 ms to prepare itself. `before_answer` comes between ids and the answer.
std::string program_text(const std::string& before_answer) {
  return R"(import array, json, os, sys, time
def say(message):
    print(json.dumps(message), flush=True)
    if "clock" in message: sys.stdin.readline()  # the clock is confirmed
say({"ready": "fake 1"})
prepare = json.loads(sys.stdin.readline())["prepare"]
folder, d, metric = prepare["folder"], prepare["dimension"], prepare["metric"]
def read(name):
    values = array.array("f")
    with open(f"{folder}/{name}.f32", "rb") as file: values.frombytes(file.read())
    assert len(values) == prepare[name] * d, prepare
    return [values[i:i + d] for i in range(0, len(values), d)]
points, queries = read("points"), read("queries")
assert prepare["problem"] == "nearest_neighbors" and prepare["parameters"] == {"threads": 3}, prepare
def distance(a, b):
    if metric == "inner_product": return -sum(x * y for x, y in zip(a, b))
    return sum((x - y) ** 2 for x, y in zip(a, b))
say({"clock": True}); time.sleep(0.02); say({"clock": False})
say({"prepared": {}})
path = f"{folder}/neighbors.u32"
for line in sys.stdin:
    request = json.loads(line)["solve"]
    k = request["task"]["k"]
    assert not os.path.exists(path) and request["parameters"] == {"threads": 3}, request
    say({"clock": True})
    ids = array.array("I")
    for q in queries:
        near = sorted(range(len(points)), key=lambda i: (distance(q, points[i]), i))[:k]
        ids.extend(near + [2**32 - 1] * (k - len(near)))
    say({"clock": False})
    with open(path, "wb") as file: ids.tofile(file)
)" + before_answer +
         R"(
    say({"answered": {}})
)";
}

class ExternalSearches : public ::testing::Test {
 protected:
  ExternalSearches() {
    vectors_.facts = std::vector<std::uint32_t>{2, 0};
    vectors_.points = std::vector<float>{0, 1, 3, 0, -2, 2, 1, 1, 5, 5, 0.5, -4};
    vectors_.queries = std::vector<float>{1, 0.5, -1, 3};
    input_ = {.vectors = &vectors_, .k = 4};
  }

  void start(const std::string& before_answer = "") {
    std::ofstream(folder_.path() / "program.py") << program_text(before_answer);
    const Parameters parameters({parameter("threads", 3)}, {});
    solver_ = std::make_unique<ExternalSearch>("python3 " + (folder_.path() / "program.py").string(), parameters);
    solver_->prepare(input_, phases_);
  }

  Answer solve() {
    Answer answer;
    solver_->solve_with_transfers(answer, phases_);
    return answer;
  }

  TemporaryFolder folder_;
  datasets::VectorSet vectors_;
  Input input_;
  Phases phases_;
  std::unique_ptr<ExternalSearch> solver_;
};

TEST_F(ExternalSearches, AnswerEachMetric) {
  for (const auto metric : {datasets::Metric::euclidean, datasets::Metric::cosine, datasets::Metric::inner_product}) {
    input_.metric = metric;
    const NearestNeighbors::Reference reference = NearestNeighbors::reference(input_);
    start();
    for (int again = 0; again < 2; ++again) {
      Answer answer = solve();
      EXPECT_EQ(NearestNeighbors::judge(input_, answer, reference).verdict, Verdict::exact);
      answer.poison();
    }
  }
}

TEST_F(ExternalSearches, FillRowsThatAreTooShort) {
  input_.k = 9;
  start();
  EXPECT_EQ(NearestNeighbors::judge(input_, solve(), NearestNeighbors::reference(input_)).verdict, Verdict::exact);
}

TEST_F(ExternalSearches, AreTimedWhileTheirClockRuns) {
  start();
  EXPECT_GE(phases_.seconds().at("build"), 0.018);
  EXPECT_EQ(phases_.seconds().count("load"), 1U);
  static_cast<void>(solve());
  EXPECT_EQ(phases_.seconds().count("search"), 1U);
  EXPECT_EQ(solver_->facts().at("program"), "fake 1");
}

TEST_F(ExternalSearches, RefuseAnAnswerThatIsNone) {
  for (const char* fault :
       {"os.remove(path)", "open(path, 'ab').write(b'1234')", "say({'clock': True}); say({'clock': False})"}) {
    start(std::string("    ") + fault);
    EXPECT_THROW(static_cast<void>(solve()), std::runtime_error) << fault;
  }
}

TEST_F(ExternalSearches, MayBeUnsupported) {
  start("    say({'unsupported': 'x'}); continue");
  EXPECT_THROW(static_cast<void>(solve()), Unsupported);
}

}  // namespace
}  // namespace warpbench::nearest_neighbors
