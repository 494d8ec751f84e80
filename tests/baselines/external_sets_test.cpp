// Solvers of set_intersection and set_containment that are programs of their own, with a small Python program in their
// place.
#include "baselines/sets/external.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "solvers/registry.hpp"

namespace warpbench::cpu_sets {
namespace {

/// Answers both problems. `before_answer` comes between its files and the answer.
std::string program_text(const std::string& before_answer) {
  return R"(import array, json, os, sys
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
say({"ready": "fake 1"})
prepare = json.loads(sys.stdin.readline())["prepare"]
folder = prepare["folder"]
offsets, tokens = read("offsets.u64", "Q"), read("tokens.u32", "I")
assert [prepare["sets"], prepare["tokens"]] == [len(offsets) - 1, len(tokens)], prepare
sets = [set(tokens[a:b]) for a, b in zip(offsets, offsets[1:])]
say({"prepared": {}})
for line in sys.stdin:
    request = json.loads(line)["solve"]
    task, answer = request["task"], {}
    say({"clock": True})
    common = [(a, b, len(a & b)) for i, a in enumerate(sets) for b in sets[i + 1:]]
    say({"clock": False})
    if request["problem"] == "set_containment":
        shares = [c / min(len(a), len(b)) if a and b else 1.0 for a, b, c in common]
        if task["output"] == "degree": write("values.u32", "f", shares)
        elif task["output"] == "pairs":
            held = [(a, b) for a in range(len(sets)) for b in range(a + 1, len(sets)) if sets[a] <= sets[b] or sets[b] <= sets[a]]
            answer["count"] = len(held)
            write("pairs.u32", "I", [number for pair in reversed(held) for number in pair])
        else: write("values.u32", "I", [int(share == 1) for share in shares])
    elif task["mode"] == "multi":
        write("values.u32", "I", [c for a, b, c in common])
    else:
        answer["count"] = common[0][2]
        if task["answer"] == "set": write("common.u32", "I", sorted(sets[0] & sets[1]))
)" + before_answer +
         R"(
    say({"answered": answer})
)";
}

template <typename Solver>
class Started {
 public:
  Started(const typename Solver::Input& input, const std::string& before_answer = "") {
    std::ofstream(folder_.path() / "program.py") << program_text(before_answer);
    solver_ = std::make_unique<Solver>("python3 " + (folder_.path() / "program.py").string(), Parameters({}, {}));
    solver_->prepare(input, phases_);
  }
  template <typename Answer>
  void solve(Answer& answer) {
    solver_->solve_with_transfers(answer, phases_);
  }

 private:
  TemporaryFolder folder_;
  Phases phases_;
  std::unique_ptr<Solver> solver_;
};

/// {1, 2, 3}, {2, 3}, {3, 9, 4294967295}.
const datasets::SetCollection kSets{std::vector<std::uint64_t>{0, 3, 5, 8},
                                    std::vector<std::uint32_t>{1, 2, 3, 2, 3, 3, 9, 4294967295}};
const datasets::SetCollection kTwo{std::vector<std::uint64_t>{0, 3, 5}, std::vector<std::uint32_t>{1, 2, 3, 2, 3}};

/// "" where the answer is exact.
template <typename Problem>
std::string fault(const typename Problem::Input& input, const typename Problem::Answer& answer) {
  const Judgement judgement = Problem::judge(input, answer, Problem::reference(input));
  return judgement.verdict == Verdict::exact ? "" : "wrong: " + judgement.difference;
}

TEST(ExternalSets, IntersectAllPairsOrOne) {
  SetIntersection::Input input;
  for (const bool is_single : {false, true}) {
    input.sets = is_single ? &kTwo : &kSets;
    input.mode = is_single ? SetIntersection::Mode::single : SetIntersection::Mode::multi;
    Started<ExternalIntersection> solver(input);
    for (const bool as_set : {false, true}) {
      if (as_set && !is_single) continue;
      input.as_set = as_set;
      SetIntersection::Answer answer;
      for (const bool again : {false, true}) {
        solver.solve(answer);
        EXPECT_EQ(fault<SetIntersection>(input, answer), "") << is_single << as_set << again;
        answer.poison();
      }
    }
  }
}

TEST(ExternalSets, TellContainment) {
  SetContainment::Input input{.sets = &kSets, .output = SetContainment::Output::degree};
  Started<ExternalContainment> solver(input);
  using Output = SetContainment::Output;
  for (const auto output : {Output::degree, Output::contained, Output::pairs, Output::pairs}) {
    input.output = output;
    SetContainment::Answer answer;
    solver.solve(answer);
    EXPECT_EQ(fault<SetContainment>(input, answer), "") << static_cast<int>(output);
    answer.poison();
  }
}

TEST(ExternalSets, RefuseContainedPairsThatAreNone) {
  const SetContainment::Input input{.sets = &kSets, .output = SetContainment::Output::pairs};
  for (const std::string pair : {"[1, 1]", "[1, 0]", "[1, 3]"}) {
    Started<ExternalContainment> solver(input, R"(
    with open(f"{folder}/pairs.u32", "r+b") as file: array.array("I", )" +
                                                   pair + R"().tofile(file))");
    SetContainment::Answer answer;
    EXPECT_THROW(solver.solve(answer), std::runtime_error) << pair;
  }
}

TEST(ExternalSets, AreJudged) {
  const SetIntersection::Input input{.sets = &kSets};
  Started<ExternalIntersection> solver(input, R"(
    with open(f"{folder}/values.u32", "r+b") as file: file.write(bytes([7])))");
  SetIntersection::Answer answer;
  solver.solve(answer);
  EXPECT_NE(fault<SetIntersection>(input, answer), "");
}

TEST(ExternalSets, RefuseAnAnswerThatIsNone) {
  const SetIntersection::Input one{.sets = &kTwo, .mode = SetIntersection::Mode::single, .as_set = true};
  for (const std::string fault : {"answer['count'] = -1", "answer['count'] = 1", "del answer['count']",
                                  "os.remove(f'{folder}/common.u32')", "say({'clock': True}); say({'clock': False})"}) {
    Started<ExternalIntersection> solver(one, "\n    " + fault);
    SetIntersection::Answer answer;
    EXPECT_THROW(solver.solve(answer), std::runtime_error) << fault;
  }
  const SetIntersection::Input all{.sets = &kSets};
  Started<ExternalIntersection> solver(all, "\n    os.remove(f'{folder}/values.u32')");
  SetIntersection::Answer answer;
  EXPECT_THROW(solver.solve(answer), std::runtime_error);
}

TEST(ExternalSets, RefuseMorePairsThanAnAnswerKeeps) {
  const SetIntersection::Input input{.sets = &kSets, .limits = {.kept = 2}};
  EXPECT_THROW(Started<ExternalIntersection>{input}, Unsupported);
}

}  // namespace
}  // namespace warpbench::cpu_sets
