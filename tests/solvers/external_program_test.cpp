// ExternalProgram against shell scripts that keep the protocol or break it.
#include "solvers/external/program.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>

#include "datasets/io/digest.hpp"
#include "solvers/registry.hpp"

namespace warpbench {
namespace {

using Event = ExternalProgram::Event;

class ExternalPrograms : public ::testing::Test {
 protected:
  ExternalPrograms() {
    std::string name = (std::filesystem::temp_directory_path() / "warpbench-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  ~ExternalPrograms() override { std::filesystem::remove_all(folder_); }

  /// The command of a program that executes `lines`.
  [[nodiscard]] std::string program(const std::string& lines) const {
    std::ofstream(folder_ / "program.sh") << lines;
    return "sh " + (folder_ / "program.sh").string();
  }

  /// What the message of the exception says that a program with these lines causes when it is asked.
  template <typename Exception>
  [[nodiscard]] std::string refusal(const std::string& lines) const {
    try {
      ExternalProgram started(program(lines));
      started.ask({});
      static_cast<void>(started.next());
    } catch (const Exception& error) {
      return error.what();
    }
    return "no refusal";
  }

  std::filesystem::path folder_;
};

constexpr const char* kReady = R"(echo '{"ready": "fake 1"}'
)";

TEST_F(ExternalPrograms, AnswerRequestsAndStartAndStopTheClock) {
  ExternalProgram started(program(std::string(kReady) + R"(while read request; do
  echo "$request" >> )" + (folder_ / "requests").string() +
                                  R"(
  for runs in true false; do echo "{\"clock\": $runs}"; read confirmed; echo "$confirmed" >> )" +
                                  (folder_ / "requests").string() + R"(; done
  echo '{"answered": {"rmse": [1, 0.5], "words": ["a"]}}'
done
)"));
  EXPECT_EQ(started.title(), "fake 1");
  for (int i = 0; i < 2; ++i) {
    started.ask({{"k", i}});
    EXPECT_EQ(started.next(), Event::clock_starts);
    started.confirm_clock(true);
    EXPECT_EQ(started.next(), Event::clock_stops);
    started.confirm_clock(false);
    EXPECT_EQ(started.next(), Event::answered);
    EXPECT_EQ(started.answered_numbers("rmse"), (std::vector<double>{1, 0.5}));
    EXPECT_THROW(static_cast<void>(started.answered_numbers("words")), std::runtime_error);
    EXPECT_THROW(static_cast<void>(started.answered_numbers("none")), std::runtime_error);
  }
  std::ifstream requests(folder_ / "requests");
  for (const char* wanted :
       {R"({"solve":{"k":0}})", R"({"clock":true})", R"({"clock":false})", R"({"solve":{"k":1}})"}) {
    std::string line;
    std::getline(requests, line);
    EXPECT_EQ(line, wanted);
  }
}

TEST_F(ExternalPrograms, ThatDoNotWaitForTheClockAreRefused) {
  ExternalProgram started(
      program(std::string(kReady) + R"(read r; printf '{"clock": true}\n{"clock": false}\n'; read r)"));
  started.ask({});
  EXPECT_EQ(started.next(), Event::clock_starts);
  try {
    started.confirm_clock(true);
    FAIL() << "it need not wait";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("before its clock was confirmed"), std::string::npos) << error.what();
  }
}

/// This process and what it starts share one core until the end of the test.
class OneCore {
 public:
  OneCore() {
    cpu_set_t one;
    CPU_ZERO(&one);
    if (::sched_getaffinity(0, sizeof(before_), &before_) != 0) throw std::runtime_error("no affinity");
    for (int core = 0; core < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++core) {
      if (CPU_ISSET(core, &before_)) CPU_SET(core, &one);
    }
    if (::sched_setaffinity(0, sizeof(one), &one) != 0) throw std::runtime_error("no affinity");
  }
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;
  ~OneCore() { static_cast<void>(::sched_setaffinity(0, sizeof(before_), &before_)); }

 private:
  cpu_set_t before_{};
};

// Woken by the first line, this process would wait for the core until the program ends its time slice.
TEST_F(ExternalPrograms, AreTimedFromTheirFirstInstructionOnASharedCore) {
  const OneCore shared;
  std::ofstream(folder_ / "busy.py") << R"(import json, sys, time
def say(message): print(json.dumps(message), flush=True)
say({"ready": "busy 1"})
for request in sys.stdin:
    say({"clock": True}); sys.stdin.readline()
    end = time.monotonic() + 0.002
    while time.monotonic() < end: pass
    say({"clock": False}); sys.stdin.readline()
    say({"prepared": {}})
)";
  ExternalProgram started("python3 " + (folder_ / "busy.py").string());
  for (int i = 0; i < 20; ++i) EXPECT_GE(started.prepare({}), 0.002);
}

TEST_F(ExternalPrograms, PrepareThemselvesAndTellFacts) {
  ExternalProgram started(
      program(std::string(kReady) + R"(read request; echo "$request" > )" + (folder_ / "request").string() + R"(
echo '{"prepared": {}}'
read request
echo '{"answered": {"sum": "-170141183460469231731687303715884105728", "count": 18446744073709551615, "share": 0.5,
  "facts": {"query": "SELECT 1"}, "phases": {"filter": 0.5, "join": 2}}}' | tr -d '\n'; echo)"));
  started.prepare({{"k", 1}});
  std::ifstream request(folder_ / "request");
  std::string line;
  std::getline(request, line);
  EXPECT_EQ(line, R"({"prepare":{"k":1}})");
  started.ask({});
  EXPECT_EQ(started.next(), Event::answered);
  EXPECT_EQ(started.answered_integer("sum"), "-170141183460469231731687303715884105728");
  EXPECT_EQ(started.answered_integer("count"), "18446744073709551615");
  EXPECT_THROW(static_cast<void>(started.answered_integer("share")), std::runtime_error);
  EXPECT_THROW(static_cast<void>(started.answered_integer("none")), std::runtime_error);
  std::map<std::string, std::string> facts = started.facts();
  EXPECT_EQ(facts["command"], "sh " + (folder_ / "program.sh").string());
  if (datasets::has_sha256()) {
    const std::string file = datasets::sha256_file(folder_ / "program.sh");
    EXPECT_NE(facts["sha256"].find(", program.sh " + file), std::string::npos) << facts["sha256"];
    EXPECT_TRUE(facts["sha256"].starts_with("sh ")) << facts["sha256"];
  }
  facts.erase("sha256");
  facts.erase("command");
  EXPECT_EQ(facts, (std::map<std::string, std::string>{{"program", "fake 1"}, {"query", "SELECT 1"}}));
  EXPECT_EQ(started.phases(), (std::map<std::string, double>{{"filter", 0.5}, {"join", 2}}));
  ExternalProgram cannot(program(std::string(kReady) + "read r; echo '{\"unsupported\": \"no room\"}'"));
  EXPECT_THROW(cannot.prepare({}), Unsupported);
}

TEST_F(ExternalPrograms, ThatCannotBeHadAreUnsupported) {
  EXPECT_THROW(ExternalProgram(""), Unsupported);
  EXPECT_THROW(ExternalProgram("/nowhere/program x"), Unsupported);
  EXPECT_EQ(refusal<Unsupported>(R"(echo '{"unsupported": "no such library: pip install it"}')"),
            "no such library: pip install it");
  EXPECT_EQ(refusal<Unsupported>(std::string(kReady) + R"(read r; echo '{"unsupported": "no ratings below 0"}')"),
            "no ratings below 0");
}

TEST_F(ExternalPrograms, ThatFailAreNamed) {
  const auto says = [&](const std::string& lines, const std::string& words) {
    const std::string message = refusal<std::runtime_error>(lines);
    EXPECT_NE(message.find(words), std::string::npos) << message;
    EXPECT_NE(message.find("program.sh"), std::string::npos) << message;
  };
  says("exit 3", "ended with exit code 3 instead of the next line of the protocol, and printed nothing");
  says("echo hello", "found hello");
  says("echo '{\"answered\": {}}'", "found {\"answered\":{}}");
  says(std::string(kReady) + "read r; exit 0", "ended with exit code 0");
  says(std::string(kReady) + "read r; echo first >&2; echo 'no room: 3' >&2; echo >&2; exit 4",
       "ended with exit code 4 instead of the next line of the protocol; the last line of its standard error is \"no "
       "room: 3\"");
  says(std::string(kReady) + "read r; kill -SEGV $$", "was killed by SIGSEGV");
  says(std::string(kReady) + "read r; exec >/dev/null </dev/null; sleep 2", "closed its input or output and went on");
  says(std::string(kReady) + "read r; echo '{\"failed\": \"no memory\"}'", "failed: no memory");
  says(std::string(kReady) + "read r; echo '{\"clock\": 1}'", "found {\"clock\":1}");
  says(std::string(kReady) + "read r; echo '{\"answered\": {\"facts\": {\"query\": 1}}}'", "found 1 in \"facts\"");
  says(std::string(kReady) + "read r; echo '{\"answered\": {\"facts\": [\"a\"]}}'", "found [\"a\"] in \"facts\"");
  says(std::string(kReady) + "read r; echo '{\"answered\": {\"phases\": [1]}}'", "found [1] in \"phases\"");
  for (const char* const bad :
       {R"("filter": "1")", R"("filter": -1)", R"("two words": 1)", R"("": 1)", R"("a": null)"}) {
    says(std::string(kReady) + "read r; echo '{\"answered\": {\"phases\": {" + bad + "}}}'", "in \"phases\"");
  }
  says(std::string(kReady) + "read r; printf '[1'", "ended with exit code 0");
  says(std::string(kReady) + "read r; echo '[1]'", "found [1]");
}

/// The é of each line, two bytes long, lies across the place where it is cut.
TEST_F(ExternalPrograms, HaveTheirTextCutBetweenCharacters) {
  const std::string head(199, 'x');
  const std::string at_end =
      refusal<std::runtime_error>(std::string(kReady) + "read r; echo " + head + "é >&2; exit 4");
  EXPECT_TRUE(at_end.ends_with("is \"" + head + '"')) << at_end;
  const std::string line = refusal<std::runtime_error>("echo " + head + "é");
  EXPECT_TRUE(line.ends_with("found " + head)) << line;
  // Of a line of more than 4 KiB the end is shown, which begins in the midst of a character.
  const std::string tail(4094, 'y');
  const std::string at_start =
      refusal<std::runtime_error>(std::string(kReady) + "read r; echo xé" + tail + " >&2; exit 4");
  EXPECT_TRUE(at_start.ends_with("is \"" + tail.substr(0, 200) + '"')) << at_start;
}

TEST_F(ExternalPrograms, MayNotAnswerBeforeTheyAreAsked) {
  const std::string early = R"(printf '{"ready": "fake 1"}\n{"clock": true}\n'; read r)";
  const std::string message = refusal<std::runtime_error>(early);
  EXPECT_NE(message.find("found {\"clock\":true} before it was asked"), std::string::npos) << message;
  const std::string cannot = R"(printf '{"ready": "fake 1"}\n{"unsupported": "no GPU"}\n'; read r)";
  EXPECT_EQ(refusal<Unsupported>(cannot), "no GPU");
}

TEST_F(ExternalPrograms, ThatAreNeverReadyAreGivenUp) {
  try {
    const ExternalProgram started(program("exec sleep 60"), std::chrono::milliseconds(50));
    FAIL() << "it is ready";
  } catch (const std::runtime_error& error) {
    EXPECT_NE(std::string(error.what()).find("found no whole line in the time"), std::string::npos) << error.what();
  }
}

/// The state of a process, such as 'S', or 'Z' for a zombie; '-' if there is none.
char state_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t name_end = line.rfind(')');
  return name_end == std::string::npos ? '-' : line.at(name_end + 2);
}

TEST_F(ExternalPrograms, EndWithWhatTheyHaveStarted) {
  const std::filesystem::path number = folder_ / "number";
  { const ExternalProgram started(program("sleep 600 & echo $! > " + number.string() + "\n" + kReady + "read r")); }
  pid_t process = 0;
  std::ifstream(number) >> process;
  ASSERT_GT(process, 0);
  const auto gone = [&] { return state_of(process) == '-' || state_of(process) == 'Z'; };
  for (int i = 0; i < 100 && !gone(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_TRUE(gone());
}

TEST_F(ExternalPrograms, AreFoundAsTheShellFindsThem) {
  EXPECT_EQ(program_of("  python3 /x/y.py z"), "python3");
  EXPECT_EQ(program_of(" "), "");
  EXPECT_TRUE(is_program("sh"));
  EXPECT_TRUE(is_program("/bin/sh"));
  EXPECT_FALSE(is_program("no-such-program-anywhere"));
  EXPECT_FALSE(is_program("/nowhere/sh"));
  EXPECT_FALSE(is_program("/tmp")) << "a folder";
  static_cast<void>(program(""));
  EXPECT_FALSE(is_program((folder_ / "program.sh").string())) << "not executable";
}

/// A request to it must not end this process by SIGPIPE.
TEST_F(ExternalPrograms, ThatEndedTakeNoRequest) {
  ExternalProgram started(program(kReady));
  EXPECT_THROW(
      {
        for (int i = 0; i < 1000; ++i) started.ask({{"i", i}});
        static_cast<void>(started.next());
      },
      std::runtime_error);
}

}  // namespace
}  // namespace warpbench
