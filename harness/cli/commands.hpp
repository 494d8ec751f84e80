// The program's commands, without the parsing of their arguments (cli.cpp). Each returns the exit code: 0 all well, 1 a
// trial or check failed, 2 the request itself was bad. Errors in the request are exceptions, which cli.cpp turns into
// one sentence on stderr and exit code 2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "datasets/source.hpp"
#include "harness/cli/figure_check.hpp"
#include "harness/plan/plan.hpp"
#include "harness/record/status.hpp"

namespace warpbench::harness {

inline constexpr int kAllWell = 0;
inline constexpr int kSomeNotOk = 1;
inline constexpr int kBadRequest = 2;

/// `list solvers|problems|datasets|suites|experiments`.
struct ListCommand {
  std::string what;
  std::string problem;  ///< problem whose solvers are listed; "" = all
  bool json = false;
};
int list(const ListCommand& command);

/// `run` and `plan`.
struct RunCommand {
  std::string line;  ///< the whole command, as a shell reads it
  std::vector<std::string> requests;
  std::filesystem::path
      out;  ///< "" = results/<machine>/<experiment>/<UTC time>, of several results/<machine>/<UTC time>
  std::filesystem::path data;
  std::filesystem::path cache;
  std::vector<std::string> retry;
  std::vector<std::string> overrides;
  std::string shard;            ///< "2/8": the second of eight shares of the groups; "" = all
  std::filesystem::path times;  ///< with `shard`: run directories whose times balance the shares; "" = by trials
  bool dry_run = false;
  bool list_trials = false;  ///< in a dry run, also print every trial with its id
  bool no_ceilings = false;
  bool no_figures = false;  ///< figures that cannot be drawn are no reason not to run
  int threads = 0;
  int calibrations = 0;  ///< further executions of each trial
  std::int64_t max_inflation = datasets::kMaxInflation;
};
int run_requests(const RunCommand& command);

/// `plan`: prints for each plan how many trials it has, by solver and by dataset, how many of them are done in --out,
/// what cannot run, and how long those that are left took on this machine before; a total in the end, and what is wrong
/// with their figures. `asked` experiments share --out. Returns kSomeNotOk if a dataset's files are missing or a figure
/// cannot be drawn. Throws what a run in --out would throw, before anything is printed.
int print_plans(const std::vector<Plan>& plans, const RunCommand& command, std::size_t asked,
                const FigureFaults& faults);
/// The run directory of a plan: `out`, or, where it is one of several `asked` for, a folder of its own in it.
[[nodiscard]] std::filesystem::path directory_of(const std::filesystem::path& out, const Plan& plan, std::size_t asked);
/// The statuses of these names. Throws std::invalid_argument for a name that none has.
[[nodiscard]] std::set<Status> statuses_from(const std::vector<std::string>& names);
/// The plans of the command's requests. Throws std::invalid_argument if one is asked for twice.
[[nodiscard]] std::vector<Plan> load_plans(const RunCommand& command);
/// A sentence for each file that a dataset of the plan lacks under `data`.
std::vector<std::string> missing_files(const Plan& plan, const std::filesystem::path& data);

/// `references REQUEST…`: computes the references of the requests' trials that the cache lacks, and prints a line for
/// each. Returns kSomeNotOk if there is none for one of them. Of `command` it takes the requests, overrides, data,
/// cache, threads and max_inflation.
int compute_references(const RunCommand& command);

/// `solve REQUEST TRIAL`: runs one trial in this process, untimed, and prints its verdict; writes no record.
struct SolveCommand {
  std::string request;
  std::string trial;   ///< first digits of the trial's id; "" = the request has a single trial
  std::string digest;  ///< expected digest of the answer, as in records; "" = any
  std::filesystem::path data;
  std::filesystem::path cache;
  std::vector<std::string> overrides;
  int threads = 0;
  std::int64_t max_inflation = datasets::kMaxInflation;
  double patience = 1;  ///< RunOptions::patience
};
int solve_trial(const SolveCommand& command);

/// `datasets list|info|fetch|verify`.
struct DatasetsCommand {
  std::string what;
  std::vector<std::string> names;
  std::filesystem::path data;
  std::int64_t max_inflation = datasets::kMaxInflation;
  bool measure =
      false;           ///< info: also loads or generates the dataset and sets its statistics beside the published ones
  double scale = 0.0;  ///< with measure: the share of the full size that is generated; 0 = as registered
};
int datasets_command(const DatasetsCommand& command);

/// `verify RUN_DIR…`; a folder of run directories stands for all of them.
int verify_runs(const std::vector<std::filesystem::path>& paths);

/// `merge RUN_DIR… --out DIR`: merge_runs(), or of folders of run directories merge_folders().
struct MergeCommand {
  std::vector<std::filesystem::path> runs;
  std::filesystem::path out;
  std::filesystem::path spec;  ///< of the merged run; "" = that of all directories
  std::filesystem::path data;
  std::string on_conflict = "refuse";
};
int merge(const MergeCommand& command);

/// `export`.
struct ExportCommand {
  std::filesystem::path run;  ///< run directory or results file
  std::filesystem::path out;  ///< "" = standard output
  std::string format;
};
int export_run(const ExportCommand& command);

/// `report …`: replaces this process by the Python module; returns only if that fails.
int report(const std::vector<std::string>& arguments);

/// Rows as columns of text, the first row underlined; the last column is not padded.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows);

/// The kind that a dataset declares, or "-" if it declares none.
[[nodiscard]] std::string kind_text(const datasets::Source& source);

}  // namespace warpbench::harness
