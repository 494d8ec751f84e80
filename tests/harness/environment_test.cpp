// The machine's facts, its name, ceilings and the doctor.
#include "harness/machine/environment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <regex>
#include <sstream>

#include "harness/cli/doctor.hpp"
#include "harness/process/processes.hpp"
#include "harness/record/ceiling_share.hpp"
#include "harness/record/environment_json.hpp"
#include "harness/record/record.hpp"
#include "harness/record/status.hpp"
#include "harness/run/group_run.hpp"
#include "harness/run/probe.hpp"
#include "support/temporary_directory.hpp"

namespace warpbench::harness {
namespace {

TEST(MachineName, NamesOnlyTheGpuOrTheCpu) {
  CpuFacts cpu;
  cpu.model = "Intel(R) Xeon(R) Processor @ 2.70GHz";
  cpu.threads = 2;
  EXPECT_EQ(machine_name(cpu, {}), "xeon-2c");
  cpu.model = "AMD EPYC 7742 64-Core Processor";
  cpu.threads = 128;
  EXPECT_EQ(machine_name(cpu, {}), "epyc-7742-128c");
  cpu.model = "11th Gen Intel(R) Core(TM) i7-1165G7 @ 2.80GHz";
  cpu.threads = 8;
  EXPECT_EQ(machine_name(cpu, {}), "11th-i7-1165g7-8c");
  cpu.model = "@";
  EXPECT_EQ(machine_name(cpu, {}), "machine-8c");
  EXPECT_EQ(machine_name(cpu, {{"NVIDIA H200", "", 0, "9.0", 132}}), "h200");
  EXPECT_EQ(machine_name(cpu, {{"NVIDIA H200", "", 0, "9.0", 132}, {"NVIDIA H200", "", 0, "9.0", 132}}), "h200-x2");
  EXPECT_EQ(machine_name(cpu, {{"NVIDIA GeForce RTX 4090", "", 0, "8.9", 128}}), "rtx-4090");
  EXPECT_TRUE(std::regex_match(machine_name(), std::regex("[a-z0-9][a-z0-9-]*")));
  EXPECT_EQ(machine_name(), machine_name()) << "stable";
}

TEST(HostEnvironment, HasTheFieldsOfTheSchema) {
  const Environment environment = host_environment();
  EXPECT_GE(environment.cpu.threads, 1);
  EXPECT_GE(environment.cpu.cores, 1);
  EXPECT_FALSE(environment.cpu.model.empty());
  EXPECT_GT(environment.memory_bytes, std::int64_t{1} << 28);
  EXPECT_TRUE(std::regex_match(environment.started_at, std::regex(R"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ)")));
  EXPECT_TRUE(std::regex_match(environment.run, std::regex("[A-Za-z0-9][A-Za-z0-9-]*"))) << environment.run;
  EXPECT_FALSE(environment.command.empty());
  EXPECT_NE(environment.run, host_environment().run);
  const std::string json = to_json(environment);
  EXPECT_EQ(to_json(environment_from(json)), json);
  EXPECT_THROW(environment_from("{}"), RecordError);
  EXPECT_THROW(environment_from("half a"), RecordError);
}

TEST(HostMemoryLimit, LeavesAnEighthUnlessTheProtocolSaysMore) {
  Protocol protocol;
  EXPECT_EQ(host_memory_limit(protocol, 8000), 7000.0);
  protocol.host_memory_bytes = 9000;
  EXPECT_EQ(host_memory_limit(protocol, 8000), 9000.0);
}

TEST(GitFacts, AreUnknownOutsideARepository) {
  const TemporaryDirectory directory;
  ::unsetenv("WARPBENCH_REVISION");  // which would speak for the repository
  EXPECT_EQ(git_facts(directory.path()).revision, "unknown");
  EXPECT_FALSE(git_facts(directory.path()).dirty);
}

TEST(GitFacts, ComeFromTheSenderOfACopy) {
  ::setenv("WARPBENCH_REVISION", "feedc0de", 1);
  EXPECT_EQ(git_facts(".").revision, "feedc0de");
  ::unsetenv("WARPBENCH_REVISION");
  EXPECT_NE(git_facts(".").revision, "feedc0de");
}

TEST(Probe, MeasuresTheHostsCeilingsInAChild) {
  const ProbeResult result = probe(true);
  EXPECT_TRUE(result.notes.empty()) << result.notes.front();
  ASSERT_TRUE(result.ceilings.contains("host_copy"));
  ASSERT_TRUE(result.ceilings.contains("host_gather"));
  for (const auto& [name, ceiling] : result.ceilings) {
    EXPECT_GT(ceiling.value, 0.0) << name;
    EXPECT_GE(ceiling.samples.size(), 3U) << name;
  }
  EXPECT_EQ(thread_count(), 1) << "the parent must stay without threads";
}

TEST(CeilingShare, IsTheCountedRateOverTheCeilingOfTheSolversSide) {
  Record record;
  record.backend = "cuda";
  record.solver.device = "gpu";
  record.outcome.status = Status::ok;
  record.outcome.time = TimeFacts{};
  record.outcome.time->median = 0.5;
  record.outcome.counters = {{"bytes_moved", 100.0}};
  const Ceilings ceilings{{"device_copy", {400.0, "bytes/s", {400.0}}}, {"host_copy", {100.0, "bytes/s", {100.0}}}};
  ASSERT_TRUE(ceiling_share(record, ceilings).has_value());
  EXPECT_EQ(ceiling_share(record, ceilings)->name, "device_copy");
  EXPECT_DOUBLE_EQ(ceiling_share(record, ceilings)->share.value_or(0), 0.5);
  record.outcome.counters = {{"gather_bytes", 100.0}};
  EXPECT_FALSE(ceiling_share(record, ceilings).has_value()) << "no such ceiling";
  record.outcome.counters = {{"gather_shared_bytes", 100.0}, {"bytes_moved", 100.0}};
  const Ceilings shared{{"device_gather", {10.0, "bytes/s", {10.0}}},
                        {"device_gather_shared", {800.0, "bytes/s", {800.0}}}};
  EXPECT_EQ(ceiling_share(record, shared)->name, "device_gather_shared");
  EXPECT_DOUBLE_EQ(ceiling_share(record, shared)->share.value_or(0), 0.25) << "not of what device memory gives";
  record.outcome.counters = {{"gather_shared_bytes", 100.0}, {"gather_bytes", 3.0}};
  EXPECT_EQ(ceiling_share(record, shared)->name, "device_gather") << "it is nearer to that one";
  EXPECT_DOUBLE_EQ(ceiling_share(record, shared)->share.value_or(0), 0.6);
  record.outcome.counters = {{"bytes_moved", 100.0}};
  record.backend = "simt";
  EXPECT_FALSE(ceiling_share(record, ceilings).has_value()) << "a GPU solver on simt";
}

/// A result on a GPU in a second.
Record counted(const Numbers& counters) {
  Record record;
  record.backend = "cuda";
  record.solver.device = "gpu";
  record.outcome.status = Status::ok;
  record.outcome.time = TimeFacts{};
  record.outcome.time->median = 1.0;
  record.outcome.counters = counters;
  return record;
}

TEST(CeilingShare, OfATableInTheL2CacheIsThatOfTheL2Cache) {
  const Ceilings ceilings{{"device_gather", {10.0, "bytes/s", {10.0}}},
                          {"device_gather_l2", {40.0, "bytes/s", {40.0}}}};
  const std::optional<CeilingShare> share = ceiling_share(counted({{"gather_l2_bytes", 20.0}}), ceilings);
  ASSERT_TRUE(share.has_value());
  EXPECT_EQ(share->name, "device_gather_l2");
  EXPECT_DOUBLE_EQ(share->share.value_or(0), 0.5);
}

TEST(CeilingShare, NamesACeilingThatIsExceeded) {
  const Ceilings ceilings{{"device_gather", {10.0, "bytes/s", {10.0}}}, {"device_copy", {40.0, "bytes/s", {40.0}}}};
  const std::optional<CeilingShare> one = ceiling_share(counted({{"gather_bytes", 65.5}}), ceilings);
  ASSERT_TRUE(one.has_value());
  EXPECT_EQ(one->name, "device_gather");
  EXPECT_FALSE(one->share.has_value());
  const std::optional<CeilingShare> two =
      ceiling_share(counted({{"gather_bytes", 65.5}, {"bytes_moved", 50.0}}), ceilings);
  ASSERT_TRUE(two.has_value());
  EXPECT_EQ(two->name, "device_copy") << "it exceeds that one less";
  EXPECT_FALSE(two->share.has_value());
}

TEST(Doctor, ReportsFindingsAndRemedies) {
  std::ostringstream out;
  const TemporaryDirectory directory;
  EXPECT_EQ(doctor(directory.path() / "absent", out), 0);
  for (const char* subject :
       {"backend", "GPU driver", "CUDA toolkit", "CPU", "memory", "CPU governor", "data", "plots", "site"}) {
    EXPECT_NE(out.str().find(subject), std::string::npos) << subject;
  }
  EXPECT_NE(out.str().find("absent is not a folder"), std::string::npos);
  EXPECT_EQ(out.str().find("pandas"), std::string::npos) << "nothing needs it";
  for (const Finding& finding : examine(directory.path())) {
    EXPECT_TRUE(finding.level == Finding::Level::good || !finding.remedy.empty()) << finding.subject;
  }
}

}  // namespace
}  // namespace warpbench::harness
