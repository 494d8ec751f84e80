// A solver of set_similarity_join that is a program of its own, with a small Python program in its place.
#include "baselines/set_similarity_join/external.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpbench::similarity {
namespace {

using Input = SetSimilarityJoin::Input;
using Output = SetSimilarityJoin::Output;

/// Joins by brute force. `before_answer` comes between the pairs and the answer.
std::string program_text(const std::string& before_answer) {
  return R"(import array, fractions, json, os, struct, sys
def say(message):
    print(json.dumps(message), flush=True)
    if "clock" in message: sys.stdin.readline()  # the clock is confirmed
def read(name, code):
    values = array.array(code)
    with open(f"{folder}/{name}", "rb") as file: values.frombytes(file.read())
    return values
say({"ready": "fake 1"})
prepare = json.loads(sys.stdin.readline())["prepare"]
folder = prepare["folder"]
offsets, tokens = read("offsets.u64", "Q"), read("tokens.u32", "I")
assert [prepare["sets"], prepare["tokens"]] == [len(offsets) - 1, len(tokens)], prepare
sets = [set(tokens[a:b]) for a, b in zip(offsets, offsets[1:])]
say({"prepared": {}})
for line in sys.stdin:
    request = json.loads(line)["solve"]
    task = request["task"]
    assert request["problem"] == "set_similarity_join" and task["similarity"] == "jaccard", request
    say({"clock": True})
    found = []
    for b in range(len(sets)):
        for a in range(b):
            if task["left"] and not a < task["left"] <= b: continue
            common, union = len(sets[a] & sets[b]), len(sets[a] | sets[b])
            if common and fractions.Fraction(common, union) >= fractions.Fraction(*task["threshold"]):
                found.append((a, b, common / union))
    say({"clock": False})
    path = f"{folder}/pairs.bin"
    assert not os.path.exists(path)
    if task["output"] != "count":
        with open(path, "wb") as file: file.write(b"".join(struct.pack("<IIf", *pair) for pair in found))
    answer = {"count": str(len(found))}
)" + before_answer +
         R"(
    say({"answered": answer})
)";
}

class ExternalSimilarityJoins : public ::testing::Test {
 protected:
  ExternalSimilarityJoins() {
    input_.sets = &sets_;
    input_.threshold = {2, 3};
  }

  void start(const std::string& before_answer = "") {
    std::ofstream(folder_.path() / "program.py") << program_text(before_answer);
    solver_ = std::make_unique<ExternalSimilarityJoin>("python3 " + (folder_.path() / "program.py").string(),
                                                       Parameters({}, {}));
    solver_->prepare(input_, phases_);
  }

  SetSimilarityJoin::Answer solve(Output output) {
    input_.output = output;
    SetSimilarityJoin::Answer answer;
    solver_->solve_with_transfers(answer, phases_);
    return answer;
  }

  /// "" where the answer is exact.
  [[nodiscard]] std::string fault(const SetSimilarityJoin::Answer& answer) const {
    const Judgement judgement = SetSimilarityJoin::judge(input_, answer, SetSimilarityJoin::reference(input_));
    return judgement.verdict == Verdict::exact ? "" : "wrong: " + judgement.difference;
  }

  TemporaryFolder folder_;
  // {1, 2, 3}, {}, {1, 2}, {1, 2, 3, 9}, {7}: similar are 0 and 2 (2/3), and 0 and 3 (3/4).
  datasets::SetCollection sets_{std::vector<std::uint64_t>{0, 3, 3, 5, 9, 10},
                                std::vector<std::uint32_t>{1, 2, 3, 1, 2, 1, 2, 3, 9, 7}};
  Input input_;
  Phases phases_;
  std::unique_ptr<ExternalSimilarityJoin> solver_;
};

TEST_F(ExternalSimilarityJoins, AnswerEachOutputOfOneCollectionOrTwo) {
  start();
  for (const std::int64_t left : {0, 3}) {
    input_.left = left;
    for (const Output output : {Output::count, Output::digest, Output::pairs}) {
      for (const bool again : {false, true}) {
        SetSimilarityJoin::Answer answer = solve(output);
        EXPECT_EQ(answer.count, left == 0 ? 2U : 1U);
        EXPECT_EQ(fault(answer), "") << left << static_cast<int>(output) << again;
        answer.poison();
      }
    }
  }
  EXPECT_EQ(solver_->facts().at("program"), "fake 1");
}

TEST_F(ExternalSimilarityJoins, AreJudged) {
  start(R"(
    with open(path, "r+b") as file: file.write(struct.pack("<I", 1)))");
  EXPECT_NE(fault(solve(Output::digest)), "");
  EXPECT_NE(fault(solve(Output::pairs)), "");
}

TEST_F(ExternalSimilarityJoins, RefuseAnAnswerThatIsNone) {
  for (const std::string fault :
       {"answer['count'] = '-1'", "answer['count'] = '3'", "del answer['count']", "open(path, 'a').write('x')",
        "os.remove(path)", "answer['count'] = str(2**62)", "say({'clock': True}); say({'clock': False})"}) {
    start("\n    " + fault);
    EXPECT_THROW(static_cast<void>(solve(Output::digest)), std::runtime_error) << fault;
  }
}

}  // namespace
}  // namespace warpbench::similarity
