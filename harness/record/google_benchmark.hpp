// GoogleBenchmark: records as the JSON that Google Benchmark writes, for tools that read it: its own compare.py, and
// cuVS Bench's for searches of nearest neighbours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/machine/environment.hpp"
#include "harness/record/record.hpp"

namespace warpbench::harness {

/// A benchmark for each record whose time counts, named `solver,parameter:value,…/dataset/problem,task:value,…`; other
/// records are left out. Each sample is a repetition of one iteration, and an aggregate holds the median. Metrics,
/// counters and work are user counters. Records of nearest neighbours also have those that cuVS Bench reads: Recall,
/// Latency (seconds of the whole batch of queries) and items_per_second. CPU time is not measured: cpu_time is
/// real_time.
std::string to_google_benchmark(const std::vector<Record>& records, const std::optional<Environment>& environment);

}  // namespace warpbench::harness
