// Hardware counters: reading ncu's output, and an ncu that fails, hangs or is missing. A shell script stands in for
// ncu, and the trials are those of the fake problem on simt, whose kernels a real ncu could not see.
#include "harness/measure/profile.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <span>
#include <stdexcept>
#include <thread>

#include "harness/plan/plan.hpp"
#include "harness/process/durable.hpp"
#include "harness/record/results_file.hpp"
#include "harness/record/status.hpp"
#include "harness/run/run_options.hpp"
#include "harness/run/runner.hpp"
#include "support/fake_problem.hpp"
#include "support/temporary_directory.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;
using Seconds = std::chrono::duration<double>;

// Not in the order of ncu_arguments(), and with columns that nobody asked for in between.
const std::string kHeader =
    R"("ID","Process ID","Kernel Name","CC","dram__bytes.sum",)"
    R"("l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum","l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",)"
    R"("l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",)"
    R"("l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum","l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",)"
    R"("sm__cycles_active.sum","sm__inst_executed.sum","smsp__inst_executed.sum","smsp__warps_launched.sum",)"
    R"("smsp__cycles_active.sum","smsp__issue_active.sum","smsp__thread_inst_executed.sum",)"
    R"("smsp__warps_active.avg.peak_sustained","smsp__warps_active.sum",)"
    R"("smsp__warps_issue_stalled_lg_throttle.sum","smsp__warps_issue_stalled_long_scoreboard.sum")"
    "\n";
const std::string kUnits =
    R"("","","","","byte","request","request","sector","sector","sector","sector","cycle","inst","inst","warp",)"
    R"("cycle","cycle","inst","warp/cycle","warp","warp","warp")"
    "\n";
const std::string kCount = R"row("0","77","void count<(int)3, P<""x"">>(char *)","9.0","1,024","4",)row"
                           R"row("6","8","100","12","50","2,000","1,000","1,000","10",)row"
                           R"row("8,000","1,000","24,000","16","40,000","1,000","12,000")row"
                           "\n";
const std::string kReduce =
    R"("1","77","reduce","9.0","2976.5","0","0","0","1,234,567","0","0","2000","3,000","3000","40",)"
    R"("2000","1000","72000","16","24000","2000","16000")"
    "\n";
const std::string kGood = "==PROF== Connected to process 77 (/home/x/warpbench)\n==WARNING== clocks are not locked\n" +
                          kHeader + kUnits + kCount + kReduce + "==PROF== Disconnected from process 77\n";

std::string refusal(const std::string& csv) {
  try {
    static_cast<void>(read_ncu(csv));
    return "";
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) throw std::logic_error("not in the text: " + what);
  return text.replace(at, what.size(), by);
}

TEST(ReadNcu, SumsOverRanges) {
  const Numbers sums = read_ncu(kGood);
  EXPECT_EQ(sums.size(), 18U);
  EXPECT_EQ(sums.at("dram__bytes.sum"), 4000.5);
  EXPECT_EQ(sums.at("l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"), 1234667);
  EXPECT_EQ(sums.at("sm__inst_executed.sum"), 4000);
  EXPECT_EQ(sums.at("smsp__warps_active.avg.peak_sustained"), 16) << "what the hardware has room for";
  EXPECT_EQ(read_ncu(kHeader + kCount).at("smsp__warps_launched.sum"), 10) << "without a row of units";
  EXPECT_EQ(read_ncu("text before\n" + kHeader + kCount).at("smsp__warps_launched.sum"), 10);
  std::string dos = kHeader + kUnits + kCount;
  for (std::size_t at = 0; (at = dos.find('\n', at)) != std::string::npos; at += 2) dos.insert(at, "\r");
  EXPECT_EQ(read_ncu(dos).at("smsp__warps_launched.sum"), 10);
}

TEST(ReadNcu, RefusesIncompleteOutput) {
  EXPECT_EQ(refusal(""), "expected a table of ncu, found none");
  EXPECT_EQ(refusal("Segmentation fault\n\xff\xfe,\"\n"), "expected a table of ncu, found none");
  EXPECT_EQ(refusal("==PROF== Connected\n==WARNING== No kernels were profiled.\n"),
            "expected a table of ncu, found none; it says: ==WARNING== No kernels were profiled.");
  EXPECT_EQ(refusal(kHeader + kUnits), "ncu saw no work");
  EXPECT_EQ(refusal("==ERROR== ERR_NVGPUCTRPERM - no permission\n" + kHeader + kUnits + kCount),
            "ncu met an error; it says: ==ERROR== ERR_NVGPUCTRPERM - no permission");
  EXPECT_EQ(refusal(replaced(kGood, "\"sm__cycles_active.sum\"", "\"sm__cycles.sum\"")),
            "expected a column 'sm__cycles_active.sum' of ncu, found none");
  EXPECT_EQ(refusal(replaced(kGood, "\"ID\",", "\"No\",")), "expected a column 'ID' of ncu, found none");
  EXPECT_EQ(refusal(replaced(kGood, ",\"12,000\"\n", "\n")), "expected 22 cells in row 2 of ncu's table, found 21");
  EXPECT_EQ(refusal(replaced(kGood, "\"byte\"", "\"Kbyte\"")),
            "expected ncu's dram__bytes.sum in a base unit, found it in 'Kbyte'");
}

TEST(ReadNcu, RefusesValuesThatAreNotCounts) {
  for (const char* bad : {"n/a", "", "-1", "1,5", "1,2345", ",123", "1 000", "0x10", "nan", "inf", "1e400", "12kB",
                          "18446744073709551616"}) {
    EXPECT_EQ(refusal(replaced(kGood, "1,024", bad)),
              std::string("expected a number as ncu's dram__bytes.sum, found '") + bad + "'");
  }
  EXPECT_NE(refusal(replaced(kGood, "1,024", std::string(400, '9'))), "");
}

TEST(CountersOf, AreRatiosOfSums) {
  EXPECT_EQ(counters_of(read_ncu(kGood)), (Numbers{{"ipc", 1.0},
                                                   {"instructions_per_warp", 80.0},
                                                   {"atomic_transactions_per_request", 2.0},
                                                   {"global_load_transactions", 1234667.0},
                                                   {"global_store_transactions", 50.0},
                                                   {"dram_bytes", 4000.5},
                                                   {"warps_launched", 50.0},
                                                   {"achieved_occupancy", 0.4},
                                                   {"eligible_cycles_share", 0.2},
                                                   {"idle_lanes_share", 0.25},
                                                   {"memory_stall_share", 0.5}}));
}

TEST(CountersOf, OmitRatiosWithAZeroDenominator) {
  const Numbers counters = counters_of(read_ncu(kHeader + kUnits + kReduce));
  EXPECT_FALSE(counters.contains("atomic_transactions_per_request"));
  EXPECT_EQ(counters.at("ipc"), 1.5);
}

TEST(NcuArguments, AskForEveryMetricAndEndWithTheCommand) {
  const std::vector<std::string> words = ncu_arguments("/x/ncu", "out/a b.csv", {"/y/warpbench", "solve", "s.yaml"});
  const std::vector<std::string> first{"/x/ncu",        "--csv",           "--page",
                                       "raw",           "--print-units",   "base",
                                       "--replay-mode", "app-range",       "--target-processes",
                                       "all",           "--clock-control", "none",
                                       "--metrics"};
  const std::vector<std::string> last{"--log-file", "out/a b.csv", "/y/warpbench", "solve", "s.yaml"};
  ASSERT_EQ(words.size(), first.size() + 1 + last.size());
  EXPECT_TRUE(std::ranges::equal(first, std::span(words).first(first.size())));
  EXPECT_TRUE(std::ranges::equal(last, std::span(words).last(last.size())));
  const std::string& metrics = words.at(first.size());
  for (const auto& [metric, sum] : read_ncu(kGood)) EXPECT_NE(metrics.find(metric), std::string::npos);
  EXPECT_EQ(std::ranges::count(metrics, ','), 17);
}

TEST(Transactions, AreReadAlone) {
  const std::vector<std::string> words = ncu_arguments("/x/ncu", "log", {"/y/warpbench"}, CounterSet::transactions);
  EXPECT_NE(std::ranges::find(words,
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,"
                              "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum"),
            words.end());
  const Numbers expected{{"global_load_transactions", 1234667.0}, {"global_store_transactions", 50.0}};
  EXPECT_EQ(counters_of(read_ncu(kGood, CounterSet::transactions)), expected);
}

/// A folder with a program `ncu`.
class Ncu : public ::testing::Test {
 protected:
  Ncu() {
    options_.out = directory_.path() / "run";
    options_.data = directory_.path();
    options_.cache = directory_.path() / "cache";
    options_.measure_ceilings = false;
    std::ofstream(directory_.path() / "good.csv") << kGood;
  }

  /// Writes an ncu that runs the commands `what`. They may use $LOG, ncu's output file, and $HERE.
  fs::path ncu_that(const std::string& what) const {
    fs::path file = directory_.path() / "bin" / "ncu";
    fs::create_directories(file.parent_path());
    std::ofstream(file) << "#!/bin/sh\nHERE='" << directory_.path().string()
                        << "'\necho \"$@\" > \"$HERE/arguments\"\n"
                           "for word; do [ \"$before\" = --log-file ] && LOG=$word; before=$word; done\n"
                        << what << '\n';
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }

  [[nodiscard]] std::string refused(const fs::path& ncu, Seconds limit = Seconds(60)) const {
    try {
      static_cast<void>(profile(ncu, directory_.path() / "logs" / "x.csv", {"warpbench", "solve"}, limit));
      return "";
    } catch (const std::runtime_error& error) {
      return error.what();
    }
  }

  /// Runs `gpu_parts`, `gpu_right` and `right` with this ncu and returns the records by solver.
  std::map<std::string, Record> run_with(const fs::path& ncu, const std::function<void(Protocol&)>& change = {}) {
    Plan plan = fake_plan({"gpu_parts", "gpu_right", "right"});
    plan.protocol.profile = true;
    if (change) change(plan.protocol);
    options_.ncu = ncu;
    run(plan, options_);
    std::map<std::string, Record> records;
    for (const Record& record : read_results(options_.out / "results.jsonl").records)
      records[record.solver.name] = record;
    return records;
  }

  TemporaryDirectory directory_;
  RunOptions options_;
};

constexpr const char* kWritesGood = "cp \"$HERE/good.csv\" \"$LOG\"";

TEST_F(Ncu, IsFoundInPath) {
  const fs::path ncu = ncu_that("");
  const std::string folder = ncu.parent_path().string();
  EXPECT_EQ(find_ncu("/nonexistent::" + folder), ncu);
  fs::create_directories(directory_.path() / "other" / "ncu");
  EXPECT_EQ(find_ncu((directory_.path() / "other").string() + ":" + folder), ncu) << "a folder is no program";
  fs::permissions(ncu, fs::perms::owner_read);
  EXPECT_NE(find_ncu(folder), ncu) << "nor is a file that may not be run";
}

TEST_F(Ncu, IsRunAndRead) {
  const Numbers counters =
      profile(ncu_that(kWritesGood), directory_.path() / "logs" / "x.csv", {"warpbench", "solve"}, Seconds(60));
  EXPECT_EQ(counters, counters_of(read_ncu(kGood)));
}

TEST_F(Ncu, ReportsWhyItFailed) {
  const fs::path ncu = ncu_that(std::string(kWritesGood) + "\nexit 3");
  EXPECT_EQ(refused(ncu), ncu.string() + ": exit code 3; it says: ==WARNING== clocks are not locked");
  EXPECT_NE(refused(ncu_that("kill -SEGV $$")).find("SIGSEGV"), std::string::npos);
  EXPECT_NE(refused(ncu_that("echo '==ERROR== ERR_NVGPUCTRPERM' > \"$LOG\"")).find("ERR_NVGPUCTRPERM"),
            std::string::npos);
  EXPECT_NE(refused("/nonexistent/ncu").find("No such file"), std::string::npos);
}

TEST_F(Ncu, CannotPassOffAnEarlierFile) {
  ASSERT_EQ(refused(ncu_that(kWritesGood)), "");
  EXPECT_EQ(refused(ncu_that("true")), "expected a table of ncu, found none");
}

TEST_F(Ncu, IsKilledWithItsChildrenIfItHangs) {
  const auto start = std::chrono::steady_clock::now();
  // If the child were left alive, it would write the file later.
  const std::string failure = refused(ncu_that("(sleep 1; touch \"$HERE/alive\") &\nsleep 60"), Seconds(0.2));
  EXPECT_NE(failure.find("not done after 0.2 s"), std::string::npos) << failure;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  std::this_thread::sleep_for(std::chrono::milliseconds(1500));
  EXPECT_FALSE(fs::exists(directory_.path() / "alive"));
}

TEST_F(Ncu, AddsItsCountersToTrialsOfGpuSolvers) {
  const auto records = run_with(ncu_that(kWritesGood));
  const Record& gpu = records.at("gpu_right");
  EXPECT_EQ(gpu.outcome.status, Status::ok);
  EXPECT_EQ(gpu.outcome.counters.at("ipc"), 1.0);
  EXPECT_TRUE(gpu.outcome.counters.contains("bytes_moved")) << "the solver's own";
  EXPECT_TRUE(gpu.protocol.profile);
  EXPECT_FALSE(records.at("right").outcome.counters.contains("ipc"));
  const std::string arguments = read_file(directory_.path() / "arguments");
  const std::string command = fmt::format(
      " {} solve {} {} --digest {:016x} --data {} --cache {} --threads 0 --max-inflation 64 --patience 100\n",
      fs::read_symlink("/proc/self/exe").string(), (options_.out / "spec.yaml").string(), gpu.trial,
      gpu.outcome.judgement.value().digest.value(), options_.data.string(), options_.cache.string());
  EXPECT_TRUE(arguments.ends_with(command)) << arguments;
}

TEST_F(Ncu, ReadsTransactionsAlone) {
  const auto records = run_with(ncu_that(kWritesGood), [](Protocol& protocol) {
    protocol.profile = false;
    protocol.profile_transactions = true;
  });
  const Numbers& counters = records.at("gpu_right").outcome.counters;
  EXPECT_EQ(counters.at("global_load_transactions"), 1234667.0);
  EXPECT_FALSE(counters.contains("ipc"));
  EXPECT_EQ(read_file(directory_.path() / "arguments").find("sm__inst"), std::string::npos);
}

TEST_F(Ncu, SaysWhatItsCountersCover) {
  const auto records = run_with(ncu_that(kWritesGood));
  EXPECT_EQ(records.at("gpu_right").outcome.profile_covers, "solve");
  EXPECT_EQ(records.at("gpu_parts").outcome.profile_covers, "core");
  EXPECT_EQ(records.at("right").outcome.profile_covers, "");
}

TEST_F(Ncu, RunsOnlyOnRequest) {
  const auto records = run_with(ncu_that(kWritesGood), [](Protocol& protocol) { protocol.profile = false; });
  EXPECT_FALSE(records.at("gpu_right").outcome.counters.contains("ipc"));
  EXPECT_FALSE(fs::exists(directory_.path() / "arguments"));
}

TEST_F(Ncu, MayBeAbsent) {
  const auto records = run_with("");
  EXPECT_EQ(records.at("gpu_right").outcome.status, Status::ok);
  EXPECT_FALSE(records.at("gpu_right").outcome.counters.contains("ipc"));
  EXPECT_EQ(records.at("gpu_parts").outcome.profile_covers, "");
  EXPECT_FALSE(fs::exists(options_.out / "logs")) << "nothing was said";
}

TEST_F(Ncu, FailsNoTrialIfItFails) {
  const auto records = run_with(ncu_that("echo '==ERROR== ERR_NVGPUCTRPERM' > \"$LOG\"; exit 1"));
  EXPECT_EQ(records.at("gpu_right").outcome.status, Status::ok);
  EXPECT_FALSE(records.at("gpu_right").outcome.counters.contains("ipc"));
  EXPECT_NE(read_file(options_.out / "logs" / "group-0000.log").find("ERR_NVGPUCTRPERM"), std::string::npos);
}

TEST_F(Ncu, MayTakeLongerThanATrial) {
  const auto records = run_with(ncu_that(std::string("sleep 1.5; ") + kWritesGood),
                                [](Protocol& protocol) { protocol.timeout_seconds = 1.0; });
  EXPECT_EQ(records.at("gpu_right").outcome.status, Status::ok) << records.at("gpu_right").outcome.reason;
  EXPECT_EQ(records.at("gpu_right").outcome.counters.at("ipc"), 1.0);
}

TEST_F(Ncu, FailsNoTrialIfItHangs) {
  const auto start = std::chrono::steady_clock::now();
  const auto records =
      run_with(ncu_that("sleep 60"), [](Protocol& protocol) { protocol.prepare_timeout_seconds = 1.0; });
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
  EXPECT_EQ(records.at("gpu_right").outcome.status, Status::ok) << records.at("gpu_right").outcome.reason;
  EXPECT_EQ(records.at("right").outcome.status, Status::ok);
}

}  // namespace
}  // namespace warpbench::harness
