#include "harness/record/compare.hpp"
#include "harness/record/readable_duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <sstream>
#include <utility>

#include "harness/record/results_file.hpp"
#include "harness/record/solved.hpp"
#include "harness/record/statistics.hpp"
#include "harness/record/status.hpp"
#include "problems/problem.hpp"

namespace warpbench::harness {
namespace {

std::string label_of(const Record& record) {
  std::string label = fmt::format("{} {} {}", record.problem, record.dataset.name, record.solver.name);
  for (const auto& [name, value] : record.solver.parameters) {
    label += fmt::format(" {}={}", name, warpbench::to_string(value));
  }
  return label;
}

std::string only_value(const std::vector<Record>& records, std::string Record::*field, const char* what) {
  std::set<std::string> values;
  for (const Record& record : records) values.insert(record.*field);
  if (values.size() != 1) throw CompareError(fmt::format("a run with {} different values of {}", values.size(), what));
  return *values.begin();
}

void check_comparable(const std::vector<Record>& old_records, const std::vector<Record>& new_records,
                      const CompareOptions& options) {
  if (old_records.empty() || new_records.empty()) {
    throw CompareError(fmt::format("the {} run has no records", old_records.empty() ? "old" : "new"));
  }
  const std::string old_backend = only_value(old_records, &Record::backend, "backend");
  const std::string new_backend = only_value(new_records, &Record::backend, "backend");
  if (old_backend != new_backend) {
    throw CompareError(fmt::format("the old run was made on backend {}, the new one on {}", old_backend, new_backend));
  }
  if (options.across_machines) return;
  const std::string old_machine = only_value(old_records, &Record::machine, "machine");
  const std::string new_machine = only_value(new_records, &Record::machine, "machine");
  if (old_machine != new_machine) {
    throw CompareError(
        fmt::format("the old run was made on {}, the new one on {}; --across-machines compares them all "
                    "the same",
                    old_machine, new_machine));
  }
}

/// The executions of a trial in one run.
using Executions = std::vector<const Record*>;

/// Of those whose time may be compared.
std::vector<MedianInterval> intervals_of(const Executions& executions) {
  std::vector<MedianInterval> intervals;
  for (const Record* record : executions) {
    if (const std::optional<MedianInterval> time = comparable_time(*record)) intervals.push_back(*time);
  }
  return intervals;
}

std::optional<double> metric_of(const Record& record, const std::string& name) {
  if (!record.outcome.judgement) return std::nullopt;
  const Numbers& metrics = record.outcome.judgement->metrics;
  const auto found = metrics.find(name);
  return found == metrics.end() ? std::nullopt : std::optional(found->second);
}

struct Quality {
  double mean = 0.0;  ///< over executions
  double low = 0.0;   ///< of any execution
  double high = 0.0;
};

/// The metrics that tell how good a problem's answers are; for a problem that this program lacks the two most common
/// ones, of which a record may have either.
std::vector<QualityMetric> quality_metrics(const std::string& problem) {
  if (const ProblemEntry* const known = find_problem(problem)) return known->info.quality;
  return {{.name = "solved", .label = "queries solved", .is_count = true},
          {.name = "recall", .label = "recall", .tolerance = 0.005}};
}

/// A count is a mean over samples. Where it is no whole number, samples differed: there were some on either side of it.
std::optional<Quality> quality_of(const Executions& executions, const QualityMetric& metric) {
  std::vector<double> values;
  for (const Record* record : executions) {
    if (const auto value = metric_of(*record, metric.name)) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  const auto [low, high] = std::ranges::minmax(values);
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  return metric.is_count ? Quality{mean, std::floor(low + kRounding), std::ceil(high - kRounding)}
                         : Quality{mean, low, high};
}

/// Compares the answers. Returns false if they are as good as each other, so that times can be compared. Answers that
/// are worse by one metric are worse.
bool quality_differs(const Executions& old_executions, const Executions& new_executions, Cell& cell) {
  bool differs = false;
  for (const QualityMetric& metric : quality_metrics(new_executions.front()->problem)) {
    const std::optional<Quality> before = quality_of(old_executions, metric);
    const std::optional<Quality> after = quality_of(new_executions, metric);
    if (!before || !after) continue;
    const double tolerance =
        std::max({kRounding, metric.tolerance, metric.relative_tolerance * std::abs(before->mean)});
    if (std::abs(after->mean - before->mean) <= tolerance) continue;
    const bool lower = after->high < before->low - tolerance;
    const bool higher = after->low > before->high + tolerance;
    const bool worse = metric.higher_is_better ? lower : higher;
    if (differs && !worse) continue;
    differs = true;
    cell.change = worse ? Change::worse : lower || higher ? Change::better : Change::ambiguous;
    cell.note = fmt::format("{}: {:.4g} -> {:.4g}{}; times are not compared", metric.label, before->mean, after->mean,
                            lower || higher ? "" : ", but executions of one program differ as much");
    if (worse) break;
  }
  return differs;
}

void compare_times(const Executions& old_executions, const Executions& new_executions, const CompareOptions& options,
                   double typical_difference, Cell& cell) {
  const TimeFacts& before = *old_executions.front()->outcome.time;
  const TimeFacts& after = *new_executions.front()->outcome.time;
  if (before.covers != after.covers || before.threads != after.threads) {
    cell.note = "the times cover different things";
    return;
  }
  for (const Record* record : {old_executions.front(), new_executions.front()}) {
    if (comparable_time(*record)) continue;
    cell.note = fmt::format("{}; times are not compared", to_string(*solved_of(record->outcome)));
    return;
  }
  const std::vector<MedianInterval> old_intervals = intervals_of(old_executions);
  const std::vector<MedianInterval> new_intervals = intervals_of(new_executions);
  const Ratio ratio = ratio_of(old_intervals, new_intervals, {options.assumed_spread, typical_difference});
  cell.ratio = ratio;
  cell.change = change_of(ratio, options.minimum_effect);
  cell.note = fmt::format("{} -> {}", readable_duration(ratio.before), readable_duration(ratio.after));
  if (const std::string remark = remark_on(solved_of(new_executions.front()->outcome)); !remark.empty()) {
    cell.note += remark + ", the others count with their limit";
  }
  if (!ratio.reached) {
    cell.note += fmt::format("; {} and {} samples, 6 are needed for a confidence of 95 %", before.samples.size(),
                             after.samples.size());
  } else if (!ratio.calibrated) {
    cell.note += "; not calibrated";
  }
}

/// None: all are ok.
const Record* first_failed(const Executions& executions) {
  const auto failed =
      std::ranges::find_if(executions, [](const Record* one) { return one->outcome.status != Status::ok; });
  return failed == executions.end() ? nullptr : *failed;
}

Cell compare_cell(const Executions& old_executions, const Executions& new_executions, const CompareOptions& options,
                  double typical_difference) {
  const Record& old_record = *old_executions.front();
  const Record& new_record = *new_executions.front();
  Cell cell{new_record.trial, label_of(new_record), Change::untimed, {}, {}};
  const bool was_ok = old_record.outcome.status == Status::ok;
  const bool is_ok = new_record.outcome.status == Status::ok;
  if (was_ok != is_ok) {
    cell.change = was_ok ? Change::broken : Change::mended;
    cell.note = fmt::format("{} -> {} {}", to_string(old_record.outcome.status), to_string(new_record.outcome.status),
                            was_ok ? new_record.outcome.reason : "");
  } else if (const Record* const failed = first_failed(new_executions); is_ok && failed != nullptr) {
    cell.change = first_failed(old_executions) == nullptr ? Change::broken : Change::ambiguous;
    cell.note = fmt::format("a further execution is {}: {}", to_string(failed->outcome.status), failed->outcome.reason);
  } else if (old_record.dataset.digest != new_record.dataset.digest && old_record.dataset.digest &&
             new_record.dataset.digest) {
    cell.note = "the datasets differ in content";
  } else if (is_ok && quality_differs(old_executions, new_executions, cell)) {
    return cell;
  } else if (!old_record.timed() || !new_record.timed()) {
    cell.note = is_ok ? "times of GPU solvers on simt mean nothing" : to_string(new_record.outcome.status);
  } else {
    compare_times(old_executions, new_executions, options, typical_difference, cell);
  }
  return cell;
}

/// The trials of a run in the order in which they first appear.
struct Trials {
  std::vector<std::string> order;
  std::map<std::string, Executions> executions;
};

Trials trials_of(const std::vector<Record>& records) {
  Trials trials;
  for (const Record& record : records) {
    Executions& executions = trials.executions[record.trial];
    if (executions.empty()) trials.order.push_back(record.trial);
    executions.push_back(&record);
  }
  return trials;
}

/// The median of differences(); 0 if no trial was executed twice.
double typical_difference(const Trials& old_trials, const Trials& new_trials) {
  std::vector<double> all;
  for (const Trials* trials : {&old_trials, &new_trials}) {
    for (const auto& [trial, executions] : trials->executions) {
      const std::vector<double> found = differences(intervals_of(executions));
      all.insert(all.end(), found.begin(), found.end());
    }
  }
  return all.empty() ? 0.0 : median(std::move(all));
}

std::map<Change, int> counts_of(const std::vector<Cell>& cells) {
  std::map<Change, int> counts;
  for (const Cell& cell : cells) ++counts[cell.change];
  return counts;
}

void print_json(const std::vector<Cell>& cells, std::ostream& out) {
  using Json = nlohmann::ordered_json;
  Json json{{"schema", kSchemaVersion}, {"counts", Json::object()}, {"cells", Json::array()}};
  for (const auto& [change, count] : counts_of(cells)) json["counts"][to_string(change)] = count;
  const auto number = [](const std::optional<Ratio>& ratio, double Ratio::*part) {
    return ratio ? Json((*ratio).*part) : Json(nullptr);
  };
  for (const Cell& cell : cells) {
    json["cells"].push_back({{"trial", cell.trial},
                             {"label", cell.label},
                             {"change", to_string(cell.change)},
                             {"ratio", number(cell.ratio, &Ratio::value)},
                             {"ratio_low", number(cell.ratio, &Ratio::low)},
                             {"ratio_high", number(cell.ratio, &Ratio::high)},
                             {"calibrated", cell.ratio ? Json(cell.ratio->calibrated) : Json(nullptr)},
                             {"note", cell.note}});
  }
  out << json.dump(2) << '\n';
}

void print_text(const std::vector<Cell>& cells, const CompareOptions& options, std::ostream& out) {
  for (const Cell& cell : cells) {
    std::string ratio;
    if (cell.ratio)
      ratio = fmt::format("x{:.3f} [{:.3f}, {:.3f}]", cell.ratio->value, cell.ratio->low, cell.ratio->high);
    out << fmt::format("{:<10} {:<24} {}  {}\n", to_string(cell.change), ratio, cell.label, cell.note);
  }
  std::string sum;
  for (const auto& [change, count] : counts_of(cells)) {
    sum += fmt::format("{}{} {}", sum.empty() ? "" : ", ", count, to_string(change));
  }
  out << fmt::format("{} cells: {}\n", cells.size(), sum);
  const auto uncalibrated =
      std::ranges::count_if(cells, [](const Cell& cell) { return cell.ratio && !cell.ratio->calibrated; });
  if (uncalibrated > 0) {
    out << fmt::format("{} cells are not calibrated{}\n", uncalibrated,
                       std::isfinite(options.assumed_spread)
                           ? ""
                           : ": nothing is known of how far runs of the same program differ, so their times have no "
                             "verdict. Make both "
                             "runs with `warpbench run --calibrate`, or assume a spread with --spread.");
  }
}

/// The records of a run's trials, then those of their further executions.
std::vector<Record> records_of(const std::filesystem::path& run) {
  std::vector<Record> records = read_run(run);
  const std::filesystem::path folder = std::filesystem::is_directory(run) ? run : run.parent_path();
  if (folder == run || run.filename() == kResultsFile) {
    std::map<std::string, std::string> revisions;
    for (const Record& record : records) revisions[record.trial] = record.revision;
    for (Record& repeat : read_results(folder / kCalibrationFile).records) {
      // A run that was resumed by another program has executions of both.
      if (revisions[repeat.trial] == repeat.revision) records.push_back(std::move(repeat));
    }
  }
  return records;
}

}  // namespace

std::vector<Cell> compare_records(const std::vector<Record>& old_records, const std::vector<Record>& new_records,
                                  const CompareOptions& options) {
  check_comparable(old_records, new_records, options);
  const Trials old_trials = trials_of(old_records);
  const Trials new_trials = trials_of(new_records);
  const double typical = typical_difference(old_trials, new_trials);
  std::vector<Cell> cells;
  for (const std::string& trial : new_trials.order) {
    const Executions& executions = new_trials.executions.at(trial);
    const auto found = old_trials.executions.find(trial);
    if (found == old_trials.executions.end()) {
      cells.push_back({trial, label_of(*executions.front()), Change::only_new, {}, {}});
    } else {
      cells.push_back(compare_cell(found->second, executions, options, typical));
    }
  }
  const bool nothing_in_common = std::ranges::all_of(cells, [](const Cell& c) { return c.change == Change::only_new; });
  if (nothing_in_common) throw CompareError("the runs have no trial in common");
  for (const std::string& trial : old_trials.order) {
    if (new_trials.executions.contains(trial)) continue;
    cells.push_back({trial, label_of(*old_trials.executions.at(trial).front()), Change::only_old, {}, {}});
  }
  return cells;
}

std::vector<Cell> compare_runs(const std::filesystem::path& old_run, const std::filesystem::path& new_run,
                               const CompareOptions& options) {
  const std::vector<Record> old_records = records_of(old_run);
  return compare_records(old_records, records_of(new_run), options);
}

std::string text_of(const std::vector<Cell>& cells, const CompareOptions& options) {
  std::ostringstream out;
  options.json ? print_json(cells, out) : print_text(cells, options, out);
  return out.str();
}

bool is_worse(const std::vector<Cell>& cells) {
  return std::ranges::any_of(cells, [](const Cell& cell) {
    return cell.change == Change::slower || cell.change == Change::worse || cell.change == Change::broken ||
           cell.change == Change::only_old;
  });
}

int compare(const std::filesystem::path& old_run, const std::filesystem::path& new_run, const CompareOptions& options,
            std::ostream& out, std::ostream& err) {
  try {
    const std::vector<Cell> cells = compare_runs(old_run, new_run, options);
    out << text_of(cells, options);
    return is_worse(cells) ? 1 : 0;
  } catch (const std::runtime_error& error) {  // CompareError, RecordError, FileError
    err << "warpbench compare: " << error.what() << '\n';
    return 2;
  }
}

}  // namespace warpbench::harness
