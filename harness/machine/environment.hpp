// Environment: the machine and software of a run, stored in environment.json (results/schema/environment-1.0.json). It
// omits the host's name on purpose: results are published.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/machine/ceilings.hpp"

namespace warpbench::harness {

struct CpuFacts {
  std::string model;
  int cores = 1;
  int threads = 1;
  std::vector<std::string> simd;  ///< sse4_2, avx2, avx512f, …
};

struct GpuFacts {
  std::string name;
  std::string driver;
  std::int64_t memory_bytes = 0;
  std::string compute_capability;
  int multiprocessors = 0;
};

struct GitFacts {
  std::string revision = "unknown";
  bool dirty = false;
};

struct Environment {
  std::string run;          ///< id of the run directory, made once
  std::int64_t trials = 0;  ///< of the run's plan; 0 in older files
  /// Trials with records that the run's spec had before it was changed, and has no more.
  std::vector<std::string> outside = {};
  std::vector<std::string> merged = {};  ///< ids of the runs that `warpbench merge` put together
  std::string spec_crc32 = {};           ///< of spec.yaml as the run left it, 8 hex digits; "" in older files
  std::string machine;
  CpuFacts cpu;
  std::int64_t memory_bytes = 0;
  std::vector<GpuFacts> gpus;
  std::string backend;
  std::string compiler;
  std::string flags;
  std::string toolkit;
  std::string kernel;
  std::string governor;  ///< "" if the system has none
  GitFacts git;
  Ceilings ceilings;
  std::string started_at;  ///< UTC, 2025-01-31T23:59:59Z
  std::string command;
};

/// CPU, memory, kernel, governor, git and build facts; touches no GPU. O(ms).
Environment host_environment();

/// The time now as 2025-01-31T23:59:59Z.
std::string utc_now();

/// The devices of the backend. Touches the GPU: call it in a child process, as probe() does.
std::vector<GpuFacts> device_facts();

/// A stable, readable id of a machine: `h200`, `h200-x2`, `xeon-platinum-8481c-2c`.
std::string machine_name(const CpuFacts& cpu, const std::vector<GpuFacts>& gpus);

/// The revision and dirty flag of the source tree, from git; `unknown` without git or a repository.
GitFacts git_facts(const std::filesystem::path& source);

}  // namespace warpbench::harness
