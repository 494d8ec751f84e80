#include "harness/cli/cli.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <string>
#include <system_error>
#include <vector>

#include "build_info.hpp"
#include "harness/cli/commands.hpp"
#include "harness/cli/doctor.hpp"
#include "harness/machine/shell_words.hpp"
#include "harness/record/compare.hpp"
#include "harness/record/runs/compare_folders.hpp"
#include "harness/spec/home.hpp"
#include "harness/spec/registry.hpp"
#include "problems/parameters.hpp"

namespace warpbench::harness {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> kCommands{"list",    "run",   "plan",   "references", "solve",  "verify",
                                         "compare", "merge", "export", "datasets",   "report", "doctor"};

std::string environment_or(const char* name, const std::string& fallback) {
  const char* value = std::getenv(name);
  return value == nullptr || *value == '\0' ? fallback : value;
}

fs::path default_cache() {
  const std::string home_folder = environment_or("HOME", "/tmp");
  return environment_or("WARPBENCH_CACHE", environment_or("XDG_CACHE_HOME", home_folder + "/.cache") + "/warpbench");
}

/// The arguments of all commands, and the command that was given.
struct Arguments {
  ListCommand list;
  RunCommand run;
  SolveCommand solve;
  DatasetsCommand datasets;
  std::vector<fs::path> runs;
  fs::path old_run;
  fs::path new_run;
  CompareOptions compare;
  MergeCommand merge;
  ExportCommand exported;
  fs::path data;
  fs::path cache = default_cache();
  std::function<int()> chosen;
};

fs::path data_or_default(const fs::path& given) {
  return given.empty() ? fs::path(environment_or("WARPBENCH_DATA", (home() / "data").string())) : given;
}

/// For this process and its children: solvers keep there what they measure of the machine.
void export_cache(const fs::path& cache) {
  const std::string folder = fs::absolute(cache).string();
  if (::setenv("WARPBENCH_CACHE", folder.c_str(), 1) != 0) {
    throw std::system_error(errno, std::generic_category(), "cannot set WARPBENCH_CACHE");
  }
}

int run_with_defaults(RunCommand& run) {
  run.data = data_or_default(run.data);
  if (!run.cache.empty()) export_cache(run.cache);
  return run_requests(run);
}

int references_with_defaults(RunCommand& command) {
  command.data = data_or_default(command.data);
  return compute_references(command);
}

int solve_with_defaults(SolveCommand& command) {
  command.data = data_or_default(command.data);
  if (!command.cache.empty()) export_cache(command.cache);
  return solve_trial(command);
}

int datasets_with_defaults(DatasetsCommand& command) {
  command.data = data_or_default(command.data);
  return datasets_command(command);
}

void add_data(CLI::App& app, fs::path& data) {
  app.add_option("--data", data,
                 "folder of the dataset files (default: $WARPBENCH_DATA, else data/ in the source tree)");
}

void add_overrides(CLI::App& app, std::vector<std::string>& overrides) {
  app.add_option("--set", overrides, "another value in the spec, such as protocol.repetitions=3; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
}

void add_max_inflation(CLI::App& app, std::int64_t& max_inflation) {
  app.add_option("--max-inflation", max_inflation,
                 "a compressed data file may unpack to so many times its size (16 MiB are always allowed)")
      ->capture_default_str()
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000}));
}

void add_cache_and_threads(CLI::App& app, fs::path& cache, int& threads) {
  app.add_option(
      "--cache", cache,
      "folder of converted datasets, references and cost models (default: $WARPBENCH_CACHE, else ~/.cache/warpbench)");
  app.add_option("--threads", threads, "threads for loading and references (default: all)")->check(CLI::Range(0, 4096));
}

void add_list(CLI::App& program, Arguments& arguments) {
  CLI::App& list_app = *program.add_subcommand(
      "list", "What this program knows: solvers, problems and their tasks, datasets, suites, experiments");
  list_app.add_option("WHAT", arguments.list.what, "solvers, problems, tasks, datasets, suites or experiments")
      ->required()
      ->check(CLI::IsMember({"solvers", "problems", "tasks", "datasets", "suites", "experiments"}));
  list_app.add_option("--problem", arguments.list.problem, "only the solvers, or the task, of this problem");
  list_app.add_flag("--json", arguments.list.json, "as JSON, with parameters, defaults and ranges");
  list_app.footer("Example:\n  warpbench list solvers --problem common_neighbors");
  list_app.callback([&] { arguments.chosen = [&] { return list(arguments.list); }; });
}

void add_run_options(CLI::App& app, RunCommand& run, const std::string& out, const std::string& times) {
  app.add_option(
         "REQUEST", run.requests,
         "spec files, experiments (che2019/table-4-techniques), suites (quick) or parts of them (paper/yu2023/fig-4.4)")
      ->required();
  app.add_option("--out", run.out, out);
  add_data(app, run.data);
  add_overrides(app, run.overrides);
  app.add_option("--shard", run.shard, "only the I-th of N shares of the trials, as I/N; `merge` joins the parts");
  app.add_option("--times", run.times,
                 "a folder of run directories of any machine: " + times +
                     "shares take equally long by its times (default: they have equally many trials); the same for "
                     "all shares");
}

void add_run(CLI::App& program, Arguments& arguments) {
  RunCommand& run = arguments.run;
  CLI::App& app =
      *program.add_subcommand("run", "Run experiments or suites; what is finished in the run directory is kept");
  add_run_options(app, run,
                  "run directory (default: results/<machine>/<experiment>/<UTC time>); one that holds results is "
                  "resumed or extended. Of several experiments: the folder of theirs (default: "
                  "results/<machine>/<UTC time>)",
                  "");
  app.get_option("--times")->needs(app.get_option("--shard"));
  add_cache_and_threads(app, run.cache, run.threads);
  add_max_inflation(app, run.max_inflation);
  app.add_option("--retry", run.retry, "run finished trials with these statuses again, such as timeout,crash")
      ->delimiter(',')
      ->allow_extra_args(false);
  app.add_flag("--calibrate{1}", run.calibrations,
               "execute every trial once more, interleaved, so that `compare` knows how far executions of the same "
               "program differ; --calibrate=3: three times more");
  app.add_flag("--dry-run", run.dry_run, "print the plan and stop");
  app.add_flag("--no-ceilings", run.no_ceilings, "do not measure what this machine can do at most");
  app.add_flag("--no-figures", run.no_figures, "run although the spec's figures cannot be drawn; `plan` names them");
  app.footer("Example:\n  warpbench run che2019/table-4-techniques --set protocol.repetitions=3 --out /tmp/table-4");
  app.callback([&] { arguments.chosen = [&] { return run_with_defaults(arguments.run); }; });
}

void add_plan(CLI::App& program, Arguments& arguments) {
  CLI::App& app = *program.add_subcommand("plan", "What `run` would do, and how long it may take; runs nothing");
  add_run_options(app, arguments.run,
                  "say how many trials are done in this run directory, or why `run` refuses it; of several "
                  "experiments: in the folder of theirs (default: none are done)",
                  "how long trials may take that this machine has not measured; with --shard, ");
  app.add_flag("--trials", arguments.run.list_trials, "list every trial with its id, too");
  app.footer("Example:\n  warpbench plan paper --times results/h200");
  app.callback([&] {
    arguments.run.dry_run = true;
    arguments.chosen = [&] { return run_with_defaults(arguments.run); };
  });
}

void add_references(CLI::App& program, Arguments& arguments) {
  RunCommand& run = arguments.run;
  CLI::App& app = *program.add_subcommand(
      "references", "Compute what a run's answers are judged by, without a GPU, so that the run finds it in the cache");
  app.add_option("REQUEST", run.requests, "as in `run`")->required();
  add_data(app, run.data);
  add_overrides(app, run.overrides);
  add_cache_and_threads(app, run.cache, run.threads);
  add_max_inflation(app, run.max_inflation);
  app.footer(
      "They lie in the folder `references` of the cache, and serve on other machines, too. Counting matches ends after "
      "0.8 of prepare_timeout: a slower machine leaves more of them open.\n"
      "Example:\n  warpbench references paper/che2019/table-4-techniques");
  app.callback([&] { arguments.chosen = [&] { return references_with_defaults(arguments.run); }; });
}

void add_solve(CLI::App& program, Arguments& arguments) {
  SolveCommand& solve = arguments.solve;
  CLI::App& app = *program.add_subcommand(
      "solve", "One trial in this process, untimed and not recorded: for debuggers and profilers");
  app.add_option(
         "REQUEST", solve.request,
         "spec file, experiment (che2019/table-4-techniques), suite (quick) or part of it (paper/yu2023/fig-4.4)")
      ->required();
  app.add_option("TRIAL", solve.trial, "first digits of the trial's id (`plan --trials`); needless where there is one");
  app.add_option("--digest", solve.digest,
                 "exit with 1 unless the answer has this digest (`judgement.digest` of records)");
  add_data(app, solve.data);
  add_overrides(app, solve.overrides);
  add_cache_and_threads(app, solve.cache, solve.threads);
  add_max_inflation(app, solve.max_inflation);
  app.add_option("--patience", solve.patience,
                 "allow parts of the answer so many times their time, such as query_timeout: a debugger or a profiler "
                 "slows the solver down")
      ->check(CLI::PositiveNumber);
  app.footer("Example:\n  warpbench solve smoke 83e7");
  app.callback([&] { arguments.chosen = [&] { return solve_with_defaults(arguments.solve); }; });
}

void add_verify(CLI::App& program, Arguments& arguments) {
  CLI::App& app = *program.add_subcommand("verify", "Check run directories: checksums, records, judged samples");
  app.add_option("RUN_DIR", arguments.runs, "run directories, or folders of them")->required();
  app.footer("Example:\n  warpbench verify results/h200/paper/che2019/table-4-techniques");
  app.callback([&] { arguments.chosen = [&] { return verify_runs(arguments.runs); }; });
}

void add_compare(CLI::App& program, Arguments& arguments) {
  CLI::App& app = *program.add_subcommand(
      "compare", "Two runs of the same trials: faster, slower, same or ambiguous; better or worse answers");
  app.add_option("OLD", arguments.old_run, "run directory, results file, or a suite's folder")->required();
  app.add_option("NEW", arguments.new_run, "the same")->required();
  app.add_option("--minimum-effect", arguments.compare.minimum_effect,
                 "smaller relative changes are `same` (default: 0.02)")
      ->check(CLI::Range(0.0, 1.0));
  app.add_option("--spread", arguments.compare.assumed_spread,
                 "how far two runs of the same program may differ, for trials that neither run calibrated; without it "
                 "their times are ambiguous. 0.3 covers 95 % of pairs of runs on a quiet H200")
      ->check(CLI::Range(0.0, 10.0));
  app.add_flag("--across-machines", arguments.compare.across_machines, "compare although the machines differ");
  app.add_flag("--json", arguments.compare.json, "as JSON");
  app.footer(
      "Times below a confidence of 95 % (fewer than 6 samples) are `ambiguous`. Times of better or worse answers are "
      "not "
      "compared.\n`warpbench run --calibrate` measures the spread that the verdict allows for.\nExample:\n  warpbench "
      "compare old/results.jsonl new/results.jsonl");
  app.callback([&] {
    arguments.chosen = [&] {
      return compare_folders(arguments.old_run, arguments.new_run, arguments.compare, std::cout, std::cerr);
    };
  });
}

void add_merge(CLI::App& program, Arguments& arguments) {
  MergeCommand& command = arguments.merge;
  CLI::App& app =
      *program.add_subcommand("merge", "Run directories, made on one machine, as a single one for each experiment");
  app.add_option("RUN_DIR", command.runs, "run directories, or folders of them: each experiment is merged by itself")
      ->required();
  app.add_option("--out", command.out,
                 "the new run directory, or of folders the folder of the new ones; must not exist")
      ->required();
  app.add_option("--on-conflict", command.on_conflict,
                 "if two directories have the same trial: refuse (default), or take the record that was made last "
                 "(newest) or that of the directory named first")
      ->check(CLI::IsMember({"refuse", "newest", "first"}));
  app.add_option("--spec", command.spec,
                 "spec file of the merged run, where those of the directories differ; not for folders of them");
  add_data(app, command.data);
  app.footer("Example:\n  warpbench merge mine/part-1 mine/part-2 --out mine/whole");
  app.callback([&] {
    arguments.merge.data = data_or_default(arguments.merge.data);
    arguments.chosen = [&] { return merge(arguments.merge); };
  });
}

void add_export(CLI::App& program, Arguments& arguments) {
  ExportCommand& command = arguments.exported;
  CLI::App& app = *program.add_subcommand("export", "A run in the format of another program's results");
  app.add_option("RUN", command.run, "run directory or results file")->required();
  app.add_option("--format", command.format, "google-benchmark: JSON for its compare.py, and for cuVS Bench")
      ->required()
      ->check(CLI::IsMember({"google-benchmark"}));
  app.add_option("--out", command.out, "file (default: standard output)");
  app.footer("Example:\n  warpbench export --format google-benchmark results/before --out before.json");
  app.callback([&] { arguments.chosen = [&] { return export_run(arguments.exported); }; });
}

void add_datasets(CLI::App& program, Arguments& arguments) {
  CLI::App& app = *program.add_subcommand("datasets", "The datasets of the registry: list, info, fetch, verify");
  app.add_option("ACTION", arguments.datasets.what, "list, info, fetch or verify")
      ->required()
      ->check(CLI::IsMember({"list", "info", "fetch", "verify"}));
  app.add_option("NAME", arguments.datasets.names, "names of the registry");
  CLI::Option* measure = app.add_flag("--measure", arguments.datasets.measure,
                                      "info: load or generate the dataset and compare it with what is published");
  app.add_option("--scale", arguments.datasets.scale, "info --measure: generate only this share of the full size")
      ->needs(measure)
      ->check(CLI::PositiveNumber);
  add_data(app, arguments.datasets.data);
  add_max_inflation(app, arguments.datasets.max_inflation);
  app.footer("Example:\n  warpbench datasets info livejournal-like --measure --scale 0.001");
  app.callback([&] { arguments.chosen = [&] { return datasets_with_defaults(arguments.datasets); }; });
}

void add_report(CLI::App& program, Arguments& arguments) {
  CLI::App& app =
      *program.add_subcommand("report", "Figures, claims and one HTML report of runs (Python; see `make setup`)");
  app.allow_extras();
  app.footer(
      "Everything after `report` goes to `python -m warpbench_plots report`.\nExample:\n  warpbench report "
      "results/h200/paper/che2019/table-4-techniques --out report.html");
  app.callback([&] { arguments.chosen = [&app] { return report(app.remaining()); }; });
}

void add_doctor(CLI::App& program, Arguments& arguments) {
  CLI::App& app = *program.add_subcommand("doctor", "What this machine can and cannot do, and what to do about it");
  add_data(app, arguments.data);
  app.footer("Example:\n  warpbench doctor --data /data");
  app.callback([&] { arguments.chosen = [&] { return doctor(data_or_default(arguments.data), std::cout); }; });
}

int complain(const std::string& message) {
  std::cerr << "warpbench: " << message << '\n';
  return kBadRequest;
}

/// Catches an unknown command: CLI11 would only say that it was not expected.
std::string unknown_command(int argc, const char* const* argv) {
  const std::string word = argc > 1 ? argv[1] : "";
  if (word.empty() || word.starts_with('-') || std::ranges::find(kCommands, word) != kCommands.end()) return {};
  const std::string near = nearest_name(word, kCommands);
  return fmt::format("unknown command '{}'{}; known: {}", word,
                     near.empty() ? "" : fmt::format(" (did you mean '{}'?)", near), fmt::join(kCommands, ", "));
}

}  // namespace

int command_line(int argc, const char* const* argv) {
  CLI::App program("Warpbench: a benchmark harness for GPU algorithms on irregular data", "warpbench");
  Arguments arguments;
  arguments.run.cache = arguments.cache;
  for (int i = 0; i < argc; ++i) arguments.run.line += (i > 0 ? " " : "") + quoted(argv[i]);
  arguments.solve.cache = arguments.cache;
  program.set_version_flag("--version", fmt::format("warpbench {} ({})", build_info::kVersion, build_info::kBackend));
  program.require_subcommand(1);
  program.footer(
      "Exit codes: 0 all well, 1 some trial or check not ok, 2 the request itself was bad.\nExample:\n  warpbench run "
      "quick");
  add_list(program, arguments);
  add_run(program, arguments);
  add_plan(program, arguments);
  add_references(program, arguments);
  add_solve(program, arguments);
  add_verify(program, arguments);
  add_compare(program, arguments);
  add_merge(program, arguments);
  add_export(program, arguments);
  add_datasets(program, arguments);
  add_report(program, arguments);
  add_doctor(program, arguments);
  try {
    if (const std::string complaint = unknown_command(argc, argv); !complaint.empty()) return complain(complaint);
    try {
      program.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
      if (error.get_exit_code() == 0) return program.exit(error);  // --help, --version
      return complain(fmt::format("{}; `warpbench --help` explains", error.what()));
    }
    return arguments.chosen();
  } catch (const std::exception& error) {
    return complain(error.what());
  }
}

}  // namespace warpbench::harness
