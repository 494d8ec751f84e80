#include "harness/record/google_benchmark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "harness/record/solved.hpp"

namespace warpbench::harness {
namespace {

using Json = nlohmann::ordered_json;

/// As a part of a name, whose parts are separated by slashes.
std::string part_of(std::string name, const std::map<std::string, Value>& values) {
  for (const auto& [parameter, value] : values) name += fmt::format(",{}:{}", parameter, warpbench::to_string(value));
  std::ranges::replace(name, '/', '_');
  return name;
}

std::string name_of(const Record& record) {
  return fmt::format("{}/{}/{}", part_of(record.solver.name, record.solver.parameters),
                     part_of(record.dataset.name, {}), part_of(record.problem, record.task));
}

Json context_of(const std::optional<Environment>& environment) {
  Json context{{"executable", "warpbench"}, {"caches", Json::array()}, {"load_avg", Json::array()}};
  context["library_build_type"] = "release";
  if (environment) {
    context["date"] = environment->started_at;
    context["host_name"] = environment->machine;
    context["num_cpus"] = environment->cpu.threads;
    context["warpbench_revision"] = environment->git.revision;
  }
  context["json_schema_version"] = 1;
  return context;
}

/// The keys of an entry that are Google Benchmark's, in any of its versions, or cuVS Bench's.
constexpr std::array<std::string_view, 31> kReserved{"name",
                                                     "family_index",
                                                     "per_family_instance_index",
                                                     "run_name",
                                                     "run_type",
                                                     "repetitions",
                                                     "threads",
                                                     "iterations",
                                                     "repetition_index",
                                                     "real_time",
                                                     "cpu_time",
                                                     "time_unit",
                                                     "aggregate_name",
                                                     "aggregate_unit",
                                                     "label",
                                                     "error_occurred",
                                                     "error_message",
                                                     "skipped",
                                                     "skip_message",
                                                     "big_o",
                                                     "rms",
                                                     "cpu_coefficient",
                                                     "real_coefficient",
                                                     "allocs_per_iter",
                                                     "max_bytes_used",
                                                     "total_allocated_bytes",
                                                     "net_heap_growth",
                                                     "items_per_second",
                                                     "bytes_per_second",
                                                     "Recall",
                                                     "Latency"};

/// The key of a number that a solver or judge named.
std::string key_of(const std::string& name) {
  return std::ranges::find(kReserved, name) != kReserved.end() ? "warpbench_" + name : name;
}

/// The fields of an entry that took `seconds`.
void put_time(Json& entry, const Record& record, double seconds) {
  entry["threads"] = record.outcome.time->threads.value_or(1);
  entry["iterations"] = 1;
  entry["real_time"] = 1e9 * seconds;
  entry["cpu_time"] = 1e9 * seconds;
  entry["time_unit"] = "ns";
  for (const Numbers* numbers : {&record.outcome.judgement->metrics, &record.outcome.counters, &record.outcome.work}) {
    for (const auto& [name, value] : *numbers) entry[key_of(name)] = value;
  }
  const Numbers& metrics = record.outcome.judgement->metrics;
  const auto recall = metrics.find("recall");
  const auto queries = record.outcome.work.find("queries");
  if (recall == metrics.end() || queries == record.outcome.work.end()) return;
  entry["Recall"] = recall->second;
  entry["Latency"] = seconds;
  entry["items_per_second"] = queries->second / seconds;
}

}  // namespace

std::string to_google_benchmark(const std::vector<Record>& records, const std::optional<Environment>& environment) {
  Json benchmarks = Json::array();
  std::size_t family = 0;
  for (const Record& record : records) {
    if (!record.timed() || !record.outcome.judgement) continue;
    const std::string name = name_of(record);
    const std::vector<double>& samples = record.outcome.time->samples;
    Json shared{{"family_index", family++},
                {"per_family_instance_index", 0},
                {"run_name", name},
                {"repetitions", samples.size()}};
    const std::optional<Solved> solved = solved_of(record.outcome);
    if (!comparable_time(record)) {
      // An entry without times, which compare.py leaves out.
      Json entry{{"name", name}};
      entry.update(shared);
      entry.update({{"run_type", "iteration"},
                    {"repetition_index", 0},
                    {"error_occurred", true},
                    {"error_message", to_string(*solved)}});
      benchmarks.push_back(std::move(entry));
      continue;
    }
    if (solved && !solved->all()) shared["label"] = to_string(*solved);
    const double more = *seconds_up_to_limits(record);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      Json entry{{"name", name}};
      entry.update(shared);
      entry.update({{"run_type", "iteration"}, {"repetition_index", i}});
      put_time(entry, record, samples[i] + more);
      benchmarks.push_back(std::move(entry));
    }
    Json median{{"name", name + "_median"}};
    median.update(shared);
    median.update({{"run_type", "aggregate"}, {"aggregate_name", "median"}, {"aggregate_unit", "time"}});
    put_time(median, record, record.outcome.time->median + more);
    benchmarks.push_back(std::move(median));
  }
  return Json{{"context", context_of(environment)}, {"benchmarks", std::move(benchmarks)}}.dump(
             2, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

}  // namespace warpbench::harness
