// Profile: the hardware counters of a GPU during one solve. A worker is forked without exec and cannot be profiled, so
// NVIDIA's `ncu` runs `warpbench solve` on the same trial and its output is read here. The counters are never part of a
// time: ncu runs the program once for each few of them. It profiles the whole solve as one range, or
// the part that the solver marks (solvers/profiled_part.hpp) as one range each time: kernel by kernel, its default, a
// solve of hundreds of kernels takes a minute, and queries with a time limit end unsolved.
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

/// Counters to read. ncu repeats the program for every few of them, and takes a tenth of a millisecond for each kernel:
/// transactions of global memory alone are read in one pass, for solves of many thousands of kernels.
enum class CounterSet { all, transactions };

/// The program ncu: in the folders of `path` ($PATH), in /usr/local/cuda/bin, or the newest of
/// /opt/nvidia/nsight-compute; nothing if there is none.
[[nodiscard]] std::optional<std::filesystem::path> find_ncu(std::string_view path);

/// The command line for ncu that counts over the profiled ranges of `command` (program and arguments) and writes CSV to
/// `log`.
[[nodiscard]] std::vector<std::string> ncu_arguments(const std::filesystem::path& ncu, const std::filesystem::path& log,
                                                     const std::vector<std::string>& command,
                                                     CounterSet counters = CounterSet::all);

/// Reads `ncu --csv --page raw --print-units base` and sums its metrics over the ranges. Throws std::runtime_error,
/// with ncu's own error message if there is one, unless there is at least one range and each has every metric that
/// ncu_arguments() requests.
[[nodiscard]] Numbers read_ncu(std::string_view csv, CounterSet counters = CounterSet::all);

/// A record's counters: ipc, instructions_per_warp, atomic_transactions_per_request, global_load_transactions,
/// global_store_transactions, dram_bytes and others, or the transactions alone if `sums` holds no more. A ratio with a
/// zero denominator is left out.
[[nodiscard]] Numbers counters_of(const Numbers& sums);

/// Runs `command` under ncu for at most `limit`. Replaces `log` and keeps it. Throws std::runtime_error with one
/// sentence if that gives no counters.
[[nodiscard]] Numbers profile(const std::filesystem::path& ncu, const std::filesystem::path& log,
                              const std::vector<std::string>& command, std::chrono::duration<double> limit,
                              CounterSet counters = CounterSet::all);

}  // namespace warpbench::harness
