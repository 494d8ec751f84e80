// Solvers of theta_join that are programs of their own, with a small Python program in their place.
#include "baselines/theta_join/external.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace warpbench::theta {
namespace {

using Input = ThetaJoin::Input;
using Query = ThetaJoin::Query;
using Output = ThetaJoin::Output;
using Values = std::vector<std::int32_t>;

constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

/// Joins by R.a > S.a and takes 20 ms for it. `before_answer` comes between rows and the answer.
std::string program_text(const std::string& before_answer) {
  return R"(import array, json, os, sys, time
def say(message):
    print(json.dumps(message), flush=True)
    if "clock" in message: sys.stdin.readline()  # the clock is confirmed
def read(path):
    values = array.array("i")
    with open(path, "rb") as file: values.frombytes(file.read())
    return values
say({"ready": "fake 1"})
prepare = json.loads(sys.stdin.readline())["prepare"]
folder = prepare["folder"]
r, s = ([read(f"{folder}/{name}_{column}.i32") for column in "ax"] for name in "rs")
assert [prepare["r_tuples"], prepare["s_tuples"]] == [len(r[0]), len(s[0])], prepare
say({"prepared": {}})
for line in sys.stdin:
    request = json.loads(line)["solve"]
    task = request["task"]
    assert request["problem"] == "theta_join" and request["parameters"] == {"threads": 3}, request
    assert task["theta"] == "R.a > S.a", task
    time.sleep(0.02)
    say({"clock": True}); time.sleep(0.02)
    rows = [(a, b, x) for a in r[0] for b, x in zip(*s) if a > b]
    say({"clock": False})
    path = f"{folder}/rows.i32"
    assert not os.path.exists(path)
    if task["query"] == "select" and task["output"] != "count":
        with open(path, "wb") as file: array.array("i", [v for row in rows for v in row]).tofile(file)
    answer = {"sum": str(sum(row[2] for row in rows)), "count": str(len(rows)), "facts": {"query": task["query"]}}
)" + before_answer +
         R"(
    say({"answered": answer})
)";
}

class ExternalJoins : public ::testing::Test {
 protected:
  ExternalJoins() { input_.relations = &relations_; }

  /// Starts a program.
  void start(const std::string& before_answer = "") {
    std::ofstream(folder_.path() / "program.py") << program_text(before_answer);
    const Parameters parameters({parameter("threads", 3)}, {});
    solver_ = std::make_unique<ExternalJoin>("python3 " + (folder_.path() / "program.py").string(), parameters);
    solver_->prepare(input_, phases_);
  }

  ThetaJoin::Answer solve(Query query, Output output) {
    input_.query = query;
    input_.output = output;
    ThetaJoin::Answer answer;
    solver_->solve_with_transfers(answer, phases_);
    return answer;
  }

  /// "" where the answer is exact.
  [[nodiscard]] std::string fault(const ThetaJoin::Answer& answer) const {
    const Judgement judgement = ThetaJoin::judge(input_, answer, ThetaJoin::reference(input_));
    return judgement.verdict == Verdict::exact ? "" : "wrong: " + judgement.difference;
  }

  TemporaryFolder folder_;
  datasets::Relations relations_{{Values{5, -3, 9}, Values{1, 2, 3}},
                                 {Values{4, -3, 100, kLeast}, Values{-7, kMost, 11, kLeast}}};
  Input input_;
  Phases phases_;
  std::unique_ptr<ExternalJoin> solver_;
};

TEST_F(ExternalJoins, AnswerEachQueryAndOutput) {
  start();
  EXPECT_EQ(fault(solve(Query::aggregate, Output::digest)), "");
  for (const Output output : {Output::count, Output::digest, Output::rows, Output::file}) {
    for (const bool again : {false, true}) {
      ThetaJoin::Answer answer = solve(Query::select, output);
      EXPECT_EQ(fault(answer), "") << static_cast<int>(output) << again;
      answer.poison();
    }
  }
}

TEST_F(ExternalJoins, LeaveNoFileBehind) {
  start();
  const ThetaJoin::Answer answer = solve(Query::select, Output::file);
  EXPECT_TRUE(std::filesystem::exists(answer.file));
  solver_.reset();
  EXPECT_FALSE(std::filesystem::exists(answer.file.parent_path()));
}

TEST_F(ExternalJoins, SumIn128Bits) {
  start(R"(
    sums = globals().get("sums") or ["18446744073709551616", "-36893488147419103232", 39 * "9"]
    answer["sum"] = sums.pop(0))");
  const auto sum = [this] { return value_of(solve(Query::aggregate, Output::digest).sum); };
  EXPECT_EQ(sum(), Int128{1} << 64U);
  EXPECT_EQ(sum(), -(Int128{1} << 65U));
  EXPECT_THROW(static_cast<void>(sum()), std::runtime_error);
}

TEST_F(ExternalJoins, AreTimedWhileTheirClockRunsAndTellWhatTheyRan) {
  start();
  static_cast<void>(solve(Query::aggregate, Output::digest));
  EXPECT_GE(phases_.seconds().at("query"), 0.018);
  EXPECT_GE(phases_.untimed_seconds().at("program"), 0.018) << "what it does before";
  EXPECT_EQ(phases_.seconds().count("load"), 1U);
  EXPECT_EQ(solver_->facts().at("program"), "fake 1");
  EXPECT_EQ(solver_->facts().at("query"), "aggregate");
}

TEST_F(ExternalJoins, RefuseAnAnswerThatIsNone) {
  const std::vector<std::pair<Query, std::string>> faults{
      {Query::aggregate, "answer['sum'] = '1.5'"}, {Query::aggregate, "answer['sum'] = ''"},
      {Query::aggregate, "del answer['sum']"},     {Query::select, "answer['count'] = str(2**64)"},
      {Query::select, "answer['count'] = '-1'"},   {Query::select, "open(path, 'a').write('x')"},
      {Query::select, "os.remove(path)"},          {Query::select, "say({'clock': True}); say({'clock': False})"}};
  std::string code = "    faults = globals().get('faults') or [";
  for (const auto& [query, fault] : faults) code += '"' + fault + "\", ";
  start(code + "]\n    exec(faults.pop(0))");
  for (const auto& [query, fault] : faults) {
    EXPECT_THROW(static_cast<void>(solve(query, Output::digest)), std::runtime_error) << fault;
  }
}

TEST_F(ExternalJoins, MayBeUnsupported) {
  start("    say({'unsupported': 'x'}); continue");
  EXPECT_THROW(static_cast<void>(solve(Query::select, Output::rows)), Unsupported);
}

}  // namespace
}  // namespace warpbench::theta
