#include "harness/cli/earlier_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <exception>
#include <numeric>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "device/device.hpp"
#include "harness/record/results_file.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

/// Of each preparation; older records have the time of their only one alone.
std::vector<double> seconds_of(const PrepareFacts& prepare) {
  return prepare.samples.empty() ? std::vector<double>{prepare.median} : prepare.samples;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

/// 0 of none.
double mean_of(const std::vector<double>& values) {
  return values.empty() ? 0.0 : sum_of(values) / static_cast<double>(values.size());
}

/// The limit at which a trial ended: that of its solves if it came to them.
double limit_of(const Record& record) {
  const Outcome& outcome = record.outcome;
  const bool solved = outcome.prepare || outcome.reason.find("while solving") != std::string::npos;
  return solved ? record.protocol.timeout_seconds : record.protocol.prepare_timeout_seconds;
}

/// A longer time between two records, beyond what the clocks of the second say, is a pause of the run.
constexpr double kPauseSeconds = 300.0;

/// Seconds since 1970 of "2025-01-31T23:59:59Z".
std::optional<double> seconds_of_utc(const std::string& text) {
  std::tm time{};
  const char* const end = ::strptime(text.c_str(), "%Y-%m-%dT%H:%M:%SZ", &time);
  if (end == nullptr || *end != '\0') return std::nullopt;
  return static_cast<double>(::timegm(&time));
}

/// From the end of the trial `before`; none where that is not known or cannot be, as between the parts of a merged run.
std::optional<double> whole_of(const Record& record, const std::string& before, const Earlier& took) {
  const std::optional<PrepareFacts>& prepare = record.outcome.prepare;
  const auto from = seconds_of_utc(before);
  const auto to = seconds_of_utc(record.made_at);
  if (!from || !to) return std::nullopt;
  const double seconds = *to - *from;
  const double preparing = prepare ? sum_of(seconds_of(*prepare)) : 0.0;
  const double pause = took.solving + preparing + took.reference + kPauseSeconds;
  if (seconds < 0.0 || seconds + 1.0 < took.solving || seconds > pause) return std::nullopt;
  return seconds;
}

/// Throws std::exception where the file cannot be read.
void add_earlier(const fs::path& file, const std::optional<std::string>& machine, EarlierTrials& earlier) {
  std::string before;  // when the trial before ended
  for (const Record& record : read_results(file).records) {
    const std::string end_of_last = std::exchange(before, record.made_at);
    if ((machine && record.machine != *machine) || record.backend != backend_name()) continue;
    const Outcome& outcome = record.outcome;
    Earlier took;
    if (outcome.prepare) took.preparing = mean_of(seconds_of(*outcome.prepare));
    if (outcome.time) {
      took.solving = static_cast<double>(record.protocol.warmup) * outcome.time->median;
      took.solving += sum_of(outcome.time->samples);
    } else if (outcome.status == Status::timeout) {
      took.solving = limit_of(record);
    } else {
      continue;
    }
    if (const auto found = record.outcome.extra.find("reference_s"); found != record.outcome.extra.end()) {
      took.reference = found->second;
    }
    took.whole = whole_of(record, end_of_last, took);
    earlier[record.trial] = took;
  }
}

/// Sorted, so that of two records of a trial the same one wins wherever this is asked.
std::vector<fs::path> results_files(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  fs::recursive_directory_iterator entries(folder, fs::directory_options::skip_permission_denied, error);
  for (; !error && entries != fs::recursive_directory_iterator(); entries.increment(error)) {
    if (entries->path().filename() == "results.jsonl") files.push_back(entries->path());
  }
  std::ranges::sort(files);
  return files;
}

}  // namespace

void add_earlier_trials(const fs::path& folder, const std::optional<std::string>& machine, EarlierTrials& earlier) {
  std::error_code error;
  if (folder.empty() || !fs::is_directory(folder, error)) return;
  for (const fs::path& file : results_files(folder)) {
    try {
      add_earlier(file, machine, earlier);
    } catch (const std::exception&) {
      // An estimate must not fail on a damaged or foreign file; `verify` reports those.
    }
  }
}

EarlierTrials trials_of_times(const fs::path& folder) {
  EarlierTrials earlier;
  if (folder.empty()) return earlier;
  const std::vector<fs::path> files = fs::is_directory(folder) ? results_files(folder) : std::vector<fs::path>();
  if (files.empty()) {
    throw std::invalid_argument(
        fmt::format("--times: expected a folder of run directories, found none at '{}'", folder.string()));
  }
  // Shares by these times must be the same on all machines, so nothing is left out.
  for (const fs::path& file : files) add_earlier(file, std::nullopt, earlier);
  return earlier;
}

Estimate& Estimate::operator+=(const Estimate& other) {
  trials += other.trials;
  known += other.known;
  seconds += other.seconds;
  reference_seconds += other.reference_seconds;
  known_whole += other.known_whole;
  whole_seconds += other.whole_seconds;
  all_seconds += other.all_seconds;
  return *this;
}

Estimate estimate(const Plan& plan, const Group& group, const EarlierTrials& earlier,
                  const std::set<std::string>& done) {
  Estimate sum;
  double solving = 0.0;
  double preparing = 0.0;
  std::vector<double> besides;  // seconds of each trial besides its solves
  for (const std::size_t trial : group.trials) {
    if (done.contains(plan.trials[trial].id)) continue;
    ++sum.trials;
    const auto found = earlier.find(plan.trials[trial].id);
    if (found == earlier.end()) continue;
    ++sum.known;
    const Earlier& took = found->second;
    solving += took.solving;
    // The ends of trials are whole seconds, so that trials of milliseconds may seem to take none.
    if (took.whole) besides.push_back(std::max(0.0, *took.whole - took.solving));
    preparing = std::max(preparing, took.preparing);
    sum.reference_seconds = std::max(sum.reference_seconds, took.reference);
  }
  sum.seconds = solving + preparing * static_cast<double>(plan.protocol.preparations);
  sum.known_whole = besides.size();
  if (sum.known == 0) return sum;

  // The trial that took longest is taken to be the one that also prepared and waited for the reference.
  const double once = sum.seconds - solving + sum.reference_seconds;
  const auto longest = std::ranges::max_element(besides);
  if (longest != besides.end() && *longest >= once) *longest -= once;
  const double each = mean_of(besides);
  const double known = static_cast<double>(sum.known);
  sum.whole_seconds = solving + once + each * known;
  sum.all_seconds = sum.whole_seconds + (static_cast<double>(sum.trials) - known) * (solving / known + each);
  return sum;
}

}  // namespace warpbench::harness
