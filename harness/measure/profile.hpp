// Profile: what a GPU's hardware counted during one solve. A worker cannot be profiled itself, being forked without
// exec; so NVIDIA's `ncu` runs `warpbench solve` of the same trial, and what it prints is read here. Never part of a
// time: ncu runs the program once for each few counters. Kernel by kernel, which it does otherwise, a solve of hundreds
// of kernels takes a minute, and queries with a time limit end unsolved.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/record/record.hpp"

namespace warpbench::harness {

/// The program ncu: in the folders of `path` ($PATH), in /usr/local/cuda/bin, or the newest of
/// /opt/nvidia/nsight-compute; nothing where there is none.
[[nodiscard]] std::optional<std::filesystem::path> find_ncu(std::string_view path);

/// ncu's command line: the profiled ranges of `command`, a program and its arguments, counted into `log` as CSV.
[[nodiscard]] std::vector<std::string> ncu_arguments(const std::filesystem::path& ncu, const std::filesystem::path& log,
                                                     const std::vector<std::string>& command);

/// Reads `ncu --csv --page raw --print-units base`: its metrics, summed over ranges. Throws std::runtime_error, with
/// ncu's own complaint where it has one, unless every metric that ncu_arguments() asks for is there for every range,
/// and at least one range.
[[nodiscard]] Numbers read_ncu(std::string_view csv);

/// A record's counters: ipc, instructions_per_warp, atomic_transactions_per_request, global_load_transactions,
/// global_store_transactions, dram_bytes. A ratio over nothing is left out.
[[nodiscard]] Numbers counters_of(const Numbers& sums);

/// Runs `command` under ncu, at most `limit` long. `log` is replaced and stays. Throws std::runtime_error with one
/// sentence where that gave no counters.
[[nodiscard]] Numbers profile(const std::filesystem::path& ncu, const std::filesystem::path& log,
                              const std::vector<std::string>& command, std::chrono::duration<double> limit);

}  // namespace warpbench::harness
