#include "harness/record/compare.hpp"
#include "harness/record/readable_duration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "harness/record/results_file.hpp"
#include "harness/record/status.hpp"

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

Cell compare_cell(const Record& old_record, const Record& new_record, double minimum_effect) {
  Cell cell{new_record.trial, label_of(new_record), Change::untimed, {}, {}, {}, {}};
  const bool was_ok = old_record.outcome.status == Status::ok;
  const bool is_ok = new_record.outcome.status == Status::ok;
  const std::optional<TimeFacts>& before = old_record.outcome.time;
  const std::optional<TimeFacts>& after = new_record.outcome.time;
  if (was_ok != is_ok) {
    cell.change = was_ok ? Change::broken : Change::mended;
    cell.note = fmt::format("{} -> {} {}", to_string(old_record.outcome.status), to_string(new_record.outcome.status),
                            was_ok ? new_record.outcome.reason : "");
  } else if (old_record.dataset.digest != new_record.dataset.digest && old_record.dataset.digest &&
             new_record.dataset.digest) {
    cell.note = "the datasets differ in content";
  } else if (!before || !after || !old_record.timed() || !new_record.timed()) {
    cell.note = is_ok ? "times of GPU solvers on simt mean nothing" : to_string(new_record.outcome.status);
  } else {
    if (before->covers != after->covers || before->threads != after->threads) {
      cell.note = "the times cover different things";
      return cell;
    }
    cell.change = change_of(*before, *after, minimum_effect);
    cell.ratio = after->median / before->median;
    cell.ratio_low = after->low / before->high;
    cell.ratio_high = after->high / before->low;
    cell.note = fmt::format("{} -> {}", readable_duration(before->median), readable_duration(after->median));
  }
  return cell;
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
  const auto number = [](const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); };
  for (const Cell& cell : cells) {
    json["cells"].push_back({{"trial", cell.trial},
                             {"label", cell.label},
                             {"change", to_string(cell.change)},
                             {"ratio", number(cell.ratio)},
                             {"ratio_low", number(cell.ratio_low)},
                             {"ratio_high", number(cell.ratio_high)},
                             {"note", cell.note}});
  }
  out << json.dump(2) << '\n';
}

void print_text(const std::vector<Cell>& cells, std::ostream& out) {
  for (const Cell& cell : cells) {
    std::string ratio;
    if (cell.ratio && cell.ratio_low && cell.ratio_high) {
      ratio = fmt::format("x{:.3f} [{:.3f}, {:.3f}]", *cell.ratio, *cell.ratio_low, *cell.ratio_high);
    }
    out << fmt::format("{:<10} {:<24} {}  {}\n", to_string(cell.change), ratio, cell.label, cell.note);
  }
  std::string sum;
  for (const auto& [change, count] : counts_of(cells)) {
    sum += fmt::format("{}{} {}", sum.empty() ? "" : ", ", count, to_string(change));
  }
  out << fmt::format("{} cells: {}\n", cells.size(), sum);
}

std::vector<Record> records_of(const std::filesystem::path& run) {
  const std::filesystem::path file = std::filesystem::is_directory(run) ? run / "results.jsonl" : run;
  if (!std::filesystem::exists(file)) throw CompareError(fmt::format("{}: no such file", file.string()));
  return latest_records(read_results(file).records);
}

}  // namespace

const char* to_string(Change change) {
  switch (change) {
    case Change::same:
      return "same";
    case Change::faster:
      return "faster";
    case Change::slower:
      return "slower";
    case Change::ambiguous:
      return "ambiguous";
    case Change::broken:
      return "broken";
    case Change::mended:
      return "mended";
    case Change::untimed:
      return "untimed";
    case Change::only_old:
      return "only_old";
    case Change::only_new:
      return "only_new";
  }
  return "";
}

Change change_of(const TimeFacts& old_time, const TimeFacts& new_time, double minimum_effect) {
  const double ratio = new_time.median / old_time.median;
  const bool disjoint = new_time.low > old_time.high || new_time.high < old_time.low;
  const bool matters = ratio >= 1.0 + minimum_effect || ratio <= 1.0 / (1.0 + minimum_effect);
  if (disjoint && matters) return ratio > 1.0 ? Change::slower : Change::faster;
  const bool excluded = new_time.high / old_time.low < 1.0 + minimum_effect &&
                        new_time.low / old_time.high > 1.0 / (1.0 + minimum_effect);
  return disjoint || excluded ? Change::same : Change::ambiguous;
}

std::vector<Cell> compare_records(const std::vector<Record>& old_records, const std::vector<Record>& new_records,
                                  const CompareOptions& options) {
  check_comparable(old_records, new_records, options);
  std::map<std::string, const Record*> old_by_trial;
  for (const Record& record : old_records) old_by_trial[record.trial] = &record;
  std::vector<Cell> cells;
  for (const Record& record : new_records) {
    const auto found = old_by_trial.find(record.trial);
    if (found == old_by_trial.end()) {
      cells.push_back({record.trial, label_of(record), Change::only_new, {}, {}, {}, {}});
    } else {
      cells.push_back(compare_cell(*found->second, record, options.minimum_effect));
      old_by_trial.erase(found);
    }
  }
  const bool nothing_in_common = std::ranges::all_of(cells, [](const Cell& c) { return c.change == Change::only_new; });
  if (nothing_in_common) throw CompareError("the runs have no trial in common");
  for (const Record& record : old_records) {
    if (old_by_trial.contains(record.trial)) {
      cells.push_back({record.trial, label_of(record), Change::only_old, {}, {}, {}, {}});
    }
  }
  return cells;
}

int compare(const std::filesystem::path& old_run, const std::filesystem::path& new_run, const CompareOptions& options,
            std::ostream& out, std::ostream& err) {
  try {
    const std::vector<Record> old_records = records_of(old_run);
    const std::vector<Cell> cells = compare_records(old_records, records_of(new_run), options);
    options.json ? print_json(cells, out) : print_text(cells, out);
    const bool worse = std::ranges::any_of(cells, [](const Cell& cell) {
      return cell.change == Change::slower || cell.change == Change::broken || cell.change == Change::only_old;
    });
    return worse ? 1 : 0;
  } catch (const std::runtime_error& error) {  // CompareError, RecordError, FileError
    err << "warpbench compare: " << error.what() << '\n';
    return 2;
  }
}

}  // namespace warpbench::harness
