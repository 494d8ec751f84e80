#include "harness/measure/profile.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "harness/process/command_output.hpp"
#include "harness/process/durable.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

// These metrics exist since sm_70. A sector is the 32 bytes of one transaction.
constexpr const char* kInstructions = "sm__inst_executed.sum";
constexpr const char* kActiveCycles = "sm__cycles_active.sum";
constexpr const char* kWarpInstructions = "smsp__inst_executed.sum";
constexpr const char* kWarps = "smsp__warps_launched.sum";
constexpr const char* kLoadSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum";
constexpr const char* kStoreSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum";
constexpr const char* kAtomicSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum";
constexpr const char* kReductionSectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum";
constexpr const char* kAtomicRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum";
constexpr const char* kReductionRequests = "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum";
constexpr const char* kDramBytes = "dram__bytes.sum";
// Of the schedulers, of which a multiprocessor has four. A warp is resident, issues or is stalled in each cycle.
constexpr const char* kSchedulerCycles = "smsp__cycles_active.sum";
constexpr const char* kResidentWarps = "smsp__warps_active.sum";
constexpr const char* kMostResidentWarps = "smsp__warps_active.avg.peak_sustained";  // of the hardware, no sum
constexpr const char* kIssueCycles = "smsp__issue_active.sum";
constexpr const char* kLaneInstructions = "smsp__thread_inst_executed.sum";
constexpr const char* kWaitingForData = "smsp__warps_issue_stalled_long_scoreboard.sum";
constexpr const char* kWaitingForQueue = "smsp__warps_issue_stalled_lg_throttle.sum";

constexpr std::array kMetrics{kInstructions,   kActiveCycles,      kWarpInstructions, kWarps,
                              kLoadSectors,    kStoreSectors,      kAtomicSectors,    kReductionSectors,
                              kAtomicRequests, kReductionRequests, kDramBytes,        kSchedulerCycles,
                              kResidentWarps,  kMostResidentWarps, kIssueCycles,      kLaneInstructions,
                              kWaitingForData, kWaitingForQueue};

constexpr std::array kTransactions{kLoadSectors, kStoreSectors};

std::span<const char* const> metrics_of(CounterSet counters) {
  if (counters == CounterSet::transactions) return kTransactions;
  return kMetrics;
}

constexpr double kLanes = 32;

using Row = std::vector<std::string>;

/// The cells of a line. Quoted cells, such as kernel names, may hold commas and doubled quotes.
Row cells_of(std::string_view line) {
  Row cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += line[i++];
    } else if (line[i] == '"') {
      quoted = !quoted;
    } else if (line[i] == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += line[i];
    }
  }
  return cells;
}

struct NcuText {
  std::vector<Row> rows;   ///< of the CSV, header first; empty without a header
  std::string complaints;  ///< ncu's errors and warnings
  bool failed = false;     ///< one of them was an error
};

NcuText split(std::string_view text) {
  NcuText parts;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.starts_with("==ERROR==") || line.starts_with("==WARNING==")) {
      parts.failed = parts.failed || line.starts_with("==ERROR==");
      parts.complaints += fmt::format("; it says: {}", line);
    } else if (!line.empty() && !line.starts_with("==")) {
      Row row = cells_of(line);
      // Lines before the header are not part of the table.
      if (!parts.rows.empty() || std::ranges::find(row, "Kernel Name") != row.end())
        parts.rows.push_back(std::move(row));
    }
  }
  return parts;
}

std::size_t column(const Row& header, const char* name) {
  const auto found = std::ranges::find(header, name);
  if (found == header.end()) throw std::runtime_error(fmt::format("expected a column '{}' of ncu, found none", name));
  return static_cast<std::size_t>(found - header.begin());
}

/// Reads "1234" or "1,234.5", up to the range of a 64-bit counter. Throws std::runtime_error.
double number(const std::string& text, const char* name) {
  std::string digits;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t next = text.find_first_not_of("0123456789", i + 1);
    // In some locales "1,5" means one and a half, so only groups of three digits are accepted.
    const bool groups = text[i] == ',' && i > 0 && std::min(next, text.size()) - i == 4;
    if (!groups) digits += text[i];
  }
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !(value >= 0 && value < 0x1p64))
    throw std::runtime_error(fmt::format("expected a number as ncu's {}, found '{}'", name, text));
  return value;
}

/// Refuses "Kbyte" and "Gbyte": ncu is asked for base units, but an older one may ignore that.
void refuse_scaled_unit(const std::string& unit, const char* name) {
  if (!unit.empty() && unit.front() >= 'A' && unit.front() <= 'Z')
    throw std::runtime_error(fmt::format("expected ncu's {} in a base unit, found it in '{}'", name, unit));
}

void put_ratio(Numbers& counters, const std::string& name, double above, double below) {
  if (below > 0) counters[name] = above / below;
}

}  // namespace

std::optional<fs::path> find_ncu(std::string_view path) {
  std::vector<fs::path> candidates;
  while (!path.empty()) {
    const std::string_view folder = path.substr(0, path.find(':'));
    path.remove_prefix(std::min(path.size(), folder.size() + 1));
    if (!folder.empty()) candidates.push_back(fs::path(folder) / "ncu");
  }
  candidates.emplace_back("/usr/local/cuda/bin/ncu");
  std::error_code error;
  std::vector<fs::path> versions;
  for (const auto& entry : fs::directory_iterator("/opt/nvidia/nsight-compute", error))
    versions.push_back(entry.path());
  std::ranges::sort(versions, std::greater<>());
  for (const fs::path& version : versions) candidates.push_back(version / "ncu");
  const auto found = std::ranges::find_if(candidates, [&error](const fs::path& file) {
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
  });
  return found == candidates.end() ? std::nullopt : std::optional(*found);
}

std::vector<std::string> ncu_arguments(const fs::path& ncu, const fs::path& log,
                                       const std::vector<std::string>& command, CounterSet counters) {
  const std::string metrics = fmt::format("{}", fmt::join(metrics_of(counters), ","));
  // By default ncu holds the GPU at its base clock, and a killed one may leave it there for the trials that follow.
  std::vector<std::string> words{ncu.string(),         "--csv", "--page",          "raw",
                                 "--print-units",      "base",  "--replay-mode",   "app-range",
                                 "--target-processes", "all",   "--clock-control", "none",
                                 "--metrics",          metrics, "--log-file",      log.string()};
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

Numbers read_ncu(std::string_view csv, CounterSet counters) {
  const NcuText text = split(csv);
  if (text.failed) throw std::runtime_error("ncu met an error" + text.complaints);
  if (text.rows.empty()) throw std::runtime_error("expected a table of ncu, found none" + text.complaints);
  const Row& header = text.rows.front();
  const std::size_t id = column(header, "ID");
  Numbers sums;
  std::int64_t ranges = 0;
  for (const char* metric : metrics_of(counters)) {
    const std::size_t at = column(header, metric);
    double& sum = sums[metric];
    ranges = 0;
    for (std::size_t r = 1; r < text.rows.size(); ++r) {
      const Row& row = text.rows[r];
      if (row.size() != header.size())
        throw std::runtime_error(
            fmt::format("expected {} cells in row {} of ncu's table, found {}", header.size(), r, row.size()));
      if (row[id].empty()) {  // the row of units
        refuse_scaled_unit(row[at], metric);
        continue;
      }
      const double value = number(row[at], metric);
      sum = std::string_view(metric) == kMostResidentWarps ? std::max(sum, value) : sum + value;
      ++ranges;
    }
  }
  if (ranges == 0) throw std::runtime_error("ncu saw no work" + text.complaints);
  return sums;
}

Numbers counters_of(const Numbers& sums) {
  const auto sum = [&sums](const char* metric) { return sums.at(metric); };
  Numbers counters{{"global_load_transactions", sum(kLoadSectors)}, {"global_store_transactions", sum(kStoreSectors)}};
  if (!sums.contains(kWarps)) return counters;
  counters["dram_bytes"] = sum(kDramBytes);
  counters["warps_launched"] = sum(kWarps);
  put_ratio(counters, "ipc", sum(kInstructions), sum(kActiveCycles));
  put_ratio(counters, "instructions_per_warp", sum(kWarpInstructions), sum(kWarps));
  put_ratio(counters, "atomic_transactions_per_request", sum(kAtomicSectors) + sum(kReductionSectors),
            sum(kAtomicRequests) + sum(kReductionRequests));
  put_ratio(counters, "achieved_occupancy", sum(kResidentWarps), sum(kSchedulerCycles) * sum(kMostResidentWarps));
  put_ratio(counters, "eligible_cycles_share", sum(kIssueCycles), sum(kSchedulerCycles));
  const double lanes = kLanes * sum(kWarpInstructions);
  put_ratio(counters, "idle_lanes_share", lanes - sum(kLaneInstructions), lanes);
  put_ratio(counters, "memory_stall_share", sum(kWaitingForData) + sum(kWaitingForQueue),
            sum(kResidentWarps) - sum(kIssueCycles));
  return counters;
}

Numbers profile(const fs::path& ncu, const fs::path& log, const std::vector<std::string>& command,
                std::chrono::duration<double> limit, CounterSet counters) {
  fs::create_directories(log.parent_path());
  fs::remove(log);  // an earlier run's log must not pass for this one's
  const std::string failure = run_program(ncu_arguments(ncu, log, command, counters), limit);
  const std::string csv = fs::exists(log) ? read_file(log) : "";
  if (!failure.empty()) throw std::runtime_error(fmt::format("{}: {}{}", ncu.string(), failure, split(csv).complaints));
  return counters_of(read_ncu(csv, counters));
}

}  // namespace warpbench::harness
