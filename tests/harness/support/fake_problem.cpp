#include "fake_problem.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <new>
#include <numeric>
#include <random>
#include <stdexcept>
#include <thread>

#include "datasets/input_error.hpp"
#include "device/buffer.hpp"
#include "device/error.hpp"
#include "solvers/profiled_part.hpp"
#include "solvers/registry.hpp"
#include "solvers/solver.hpp"
#include "tests/harness/support/spin.hpp"

namespace warpbench {
namespace {

using Pause = std::chrono::duration<double, std::micro>;

constexpr std::int64_t kParts = 20;

std::uint64_t sum_of(const FakeProblem::Input& input) {
  const auto ids = input.graph->neighbors.span();
  return std::accumulate(ids.begin(), ids.end(), static_cast<std::uint64_t>(input.add));
}

/// Appends a line to the file that the environment variable names, so that a test can count events in workers.
void tell(const char* variable, const std::string& line) {
  const char* path = std::getenv(variable);
  if (path == nullptr) return;
  std::ofstream(path, std::ios::app) << line + "\n";
}

/// Each solve() calls `misbehave` before it makes the answer, which it may change.
class FakeSolver : public Solver<FakeProblem> {
 public:
  explicit FakeSolver(const Parameters& parameters) { configure_delay(parameters); }

  void prepare(const FakeProblem::Input& input, Phases& phases) override {
    const auto scope = phases.cpu("index");
    input_ = &input;
  }
  void configure(const Parameters& parameters) override {
    configure_delay(parameters);
    tell("FAKE_TRIAL_LOG", fmt::format("{} {}", ::getpid(), parameters.canonical()));
  }
  void solve(Phases& phases) override {
    {
      const auto scope = phases.cpu("think");
      const Pause pause(delay_us_ + jitter_us_ * std::uniform_real_distribution<double>()(random_));
      wait(pause);
    }
    error_ = 0;
    misbehave();
    answer_.sum = sum_of(*input_) + error_;
    answer_.solved = kParts - unsolved_;
    answer_.unverified = unverified_;
  }
  void download(FakeProblem::Answer& answer, Phases& /*phases*/) override { answer = answer_; }
  std::map<std::string, double> counters() const override {
    return {{"bytes_moved", 4.0 * static_cast<double>(input_->graph->slots())},
            {"out_of_memory", static_cast<double>(out_of_memory_)},
            {"out_of_host_memory", static_cast<double>(out_of_host_memory_)}};
  }

 protected:
  virtual void misbehave() {}
  virtual void wait(Pause pause) {
    if (pause.count() > 0) std::this_thread::sleep_for(pause);
  }
  std::uint64_t error_ = 0;
  std::int64_t unsolved_ = 0;
  std::int64_t unverified_ = 0;
  std::int64_t out_of_memory_ = 0;
  std::int64_t out_of_host_memory_ = 0;

 private:
  void configure_delay(const Parameters& parameters) {
    delay_us_ = static_cast<double>(parameters.integer("delay_us"));
    jitter_us_ = static_cast<double>(parameters.integer("jitter_us"));
  }

  const FakeProblem::Input* input_ = nullptr;
  double delay_us_ = 0;
  double jitter_us_ = 0;
  std::mt19937 random_{1};
  FakeProblem::Answer answer_;
};

SolverInfo facts(const std::string& id, Role role = Role::cpu_baseline, Target device = Target::cpu) {
  SolverInfo info;
  info.id = id;
  info.title = "fake solver: " + id;
  info.source = "tests";
  info.role = role;
  info.device = device;
  info.parameters = {parameter("builder", "plain").one_of({"plain", "other"}).means("nothing").at(Stage::prepare),
                     parameter("delay_us", 0).range(0, 60'000'000).in("us").means("sleep in solve()"),
                     parameter("jitter_us", 0).range(0, 60'000'000).in("us").means("random part of the sleep")};
  info.validate = [](const Parameters& parameters) {
    if (parameters.text("builder") == "other" && parameters.integer("delay_us") == 13) {
      throw ParameterError("delay_us", "delay_us: 13 makes no sense with builder: other");
    }
  };
  return info;
}

struct Right final : FakeSolver {
  using FakeSolver::FakeSolver;
};
struct GpuRight final : FakeSolver {
  using FakeSolver::FakeSolver;
};
struct GpuParts final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    error_ = profile_part("core", stream_, [] { return std::uint64_t{0}; });
  }

 private:
  Stream stream_;
};
struct Wrong final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { error_ = 1; }
};
struct GivesUp final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { unsolved_ = kParts; }
};
struct GivesUpMemory final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    unsolved_ = kParts;
    out_of_memory_ = kParts - 1;
  }
};
struct GivesUpHostMemory final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    unsolved_ = kParts;
    out_of_host_memory_ = kParts - 1;
  }
};
struct GivesUpSome final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { unsolved_ = 6; }
};
struct WrongLater final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { error_ = ++calls_ > 3 ? 1 : 0; }  // one warm-up and two samples are right
  int calls_ = 0;
};
struct Wavers final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { unverified_ = ++calls_ > 3 ? 1 : 0; }
  int calls_ = 0;
};
/// Right in the first process that runs it.
struct RightAtFirst final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    pid_t first = 0;
    if (std::ifstream(std::getenv("FAKE_FIRST_PROCESS")) >> first) {
      error_ = first == ::getpid() ? 0 : 1;
    } else {
      tell("FAKE_FIRST_PROCESS", std::to_string(::getpid()));
    }
  }
};
/// Its answer lies on a device, where it stays from the first time.
struct Lazy final : FakeSolver {
  using FakeSolver::FakeSolver;
  void solve(Phases& phases) override {
    if (!on_device_.empty()) return;
    FakeSolver::solve(phases);
    FakeProblem::Answer answer;
    FakeSolver::download(answer, phases);
    on_device_ = Buffer<std::uint64_t>(std::span<const std::uint64_t>(&answer.sum, 1), stream_);
  }
  void download(FakeProblem::Answer& answer, Phases& /*phases*/) override {
    on_device_.download(std::span(&answer.sum, 1), stream_);
  }

 private:
  Stream stream_;
  Buffer<std::uint64_t> on_device_;
};
struct Digesting final : FakeSolver {
  using FakeSolver::FakeSolver;
  void solve(Phases& phases) override {
    FakeSolver::solve(phases);
    const auto scope = phases.untimed("digest");
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  }
};
struct Clocked final : FakeSolver {
  using FakeSolver::FakeSolver;
  void solve(Phases& phases) override {
    const auto start = std::chrono::steady_clock::now();
    FakeSolver::solve(phases);
    length_ = std::chrono::steady_clock::now() - start;
  }
  void download(FakeProblem::Answer& answer, Phases& phases) override {
    tell("FAKE_CLOCK_LOG", fmt::format("{}", length_.count()));
    FakeSolver::download(answer, phases);
  }

 private:
  std::chrono::duration<double> length_{};
};
/// Its solve is a kernel that runs as long as it is asked to.
struct GpuClocked final : FakeSolver {
  using FakeSolver::FakeSolver;
  void wait(Pause pause) override {
    spin(stream_, static_cast<std::uint64_t>(1e3 * pause.count()), times_);
    stream_.synchronize();
  }
  void download(FakeProblem::Answer& answer, Phases& phases) override {
    const std::vector<std::uint64_t> times = times_.to_vector(stream_);
    tell("FAKE_CLOCK_LOG", fmt::format("{}", 1e-9 * static_cast<double>(times[1] - times[0])));
    FakeSolver::download(answer, phases);
  }

 private:
  Stream stream_;
  Buffer<std::uint64_t> times_{2, stream_};
};
struct Segfault final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    // A sanitizer would look up the names of functions for its report, for seconds on a busy machine.
    if (std::signal(SIGSEGV, SIG_DFL) == SIG_ERR) std::abort();
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;  // NOLINT(clang-analyzer-core.NullDereference): the crash is the point
  }
};
struct Abort final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { std::abort(); }
};
struct Exit3 final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { ::_exit(3); }
};
struct Loop final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    // Ignores SIGTERM, so that only SIGKILL ends it.
    if (::signal(SIGTERM, SIG_IGN) == SIG_ERR) std::abort();
    for (;;) asm volatile("");
  }
};
struct EatMemory final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    for (;;) {
      constexpr std::size_t kChunk = 16U << 20U;
      eaten_.emplace_back(kChunk, 'x');
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
  }
  std::vector<std::string> eaten_;
};
struct PrintALot final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    const std::string line = std::string(999, 'p') + "\n";
    for (int i = 0; i < 20'000; ++i) {  // 20 MB a solve, 100 MB a trial
      if (std::fputs(line.c_str(), stdout) < 0) throw std::runtime_error("fputs failed");
    }
  }
};
struct CloseStdout final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    if (::close(STDOUT_FILENO) != 0 || ::close(STDERR_FILENO) != 0) closed_before_ = true;
  }
  bool closed_before_ = false;
};
struct ForkChildren final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    for (int i = 0; i < 3; ++i) {
      const pid_t child = ::fork();
      if (child < 0) throw std::runtime_error("fork failed");
      if (child > 0) {
        tell("FAKE_PID_LOG", std::to_string(child));
        continue;
      }
      // One stays in the group, one leaves it, one ends at once and remains a zombie.
      if (i == 1 && ::setsid() < 0) ::_exit(1);
      if (i == 2) ::_exit(0);
      for (;;) ::pause();
    }
  }
};
struct WriteNonsense final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override {
    for (int fd = 3; fd < 64; ++fd) {
      if (::write(fd, "nonsense", 8) == 8) ++written_;
    }
  }
  int written_ = 0;
};
struct ThrowDevice final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { throw DeviceError("cudaLaunchKernel: an illegal memory access was encountered"); }
};
struct ThrowDeviceMemory final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { throw OutOfDeviceMemory(2'000'000'000, 1'000'000); }
};
struct ThrowHostMemory final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { throw std::bad_alloc(); }
};
struct ThrowInput final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { throw datasets::InputError("graph.txt", 7, "a vertex id", "'x'"); }
};
struct ThrowUnsupported final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { throw Unsupported("no AVX-512 on this machine"); }
};
struct ThrowError final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { throw std::runtime_error("the queue is empty"); }
};
struct ThrowInt final : FakeSolver {
  using FakeSolver::FakeSolver;
  void misbehave() override { throw 42; }
};
struct PrepareCrash final : FakeSolver {
  using FakeSolver::FakeSolver;
  void prepare(const FakeProblem::Input& /*input*/, Phases& /*phases*/) override { std::abort(); }
};
struct PrepareLoop final : FakeSolver {
  using FakeSolver::FakeSolver;
  void prepare(const FakeProblem::Input& /*input*/, Phases& /*phases*/) override {
    std::this_thread::sleep_for(std::chrono::hours(1));
  }
};
struct PreparePicky final : FakeSolver {
  explicit PreparePicky(const Parameters& parameters)
      : FakeSolver(parameters), delay_us_(parameters.integer("delay_us")) {}
  void prepare(const FakeProblem::Input& input, Phases& phases) override {
    tell("FAKE_TRIAL_LOG", fmt::format("{} prepares", ::getpid()));
    if (delay_us_ == 13) std::abort();
    if (delay_us_ < 10) throw Unsupported("a delay below 10 us");
    FakeSolver::prepare(input, phases);
  }

 private:
  std::int64_t delay_us_;
};
struct PrepareSlow final : FakeSolver {
  using FakeSolver::FakeSolver;
  void prepare(const FakeProblem::Input& input, Phases& phases) override {
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
    FakeSolver::prepare(input, phases);
  }
};

WARPBENCH_PROBLEM(FakeProblem)
WARPBENCH_SOLVER(FakeProblem, Right, facts("right"))
WARPBENCH_SOLVER(FakeProblem, GpuRight, facts("gpu_right", Role::proposed, Target::gpu))
WARPBENCH_SOLVER(FakeProblem, GpuParts, facts("gpu_parts", Role::proposed, Target::gpu))
WARPBENCH_SOLVER(FakeProblem, Wrong, facts("wrong"))
WARPBENCH_SOLVER(FakeProblem, GivesUp, facts("gives_up"))
WARPBENCH_SOLVER(FakeProblem, GivesUpMemory, facts("gives_up_memory"))
WARPBENCH_SOLVER(FakeProblem, GivesUpHostMemory, facts("gives_up_host_memory"))
WARPBENCH_SOLVER(FakeProblem, GivesUpSome, facts("gives_up_some"))
WARPBENCH_SOLVER(FakeProblem, WrongLater, facts("wrong_later"))
WARPBENCH_SOLVER(FakeProblem, Wavers, facts("wavers"))
WARPBENCH_SOLVER(FakeProblem, RightAtFirst, facts("right_at_first"))
WARPBENCH_SOLVER(FakeProblem, Lazy, facts("lazy", Role::proposed, Target::gpu))
WARPBENCH_SOLVER(FakeProblem, Digesting, facts("digesting"))
WARPBENCH_SOLVER(FakeProblem, Clocked, facts("clocked"))
WARPBENCH_SOLVER(FakeProblem, GpuClocked, facts("gpu_clocked", Role::proposed, Target::gpu))
WARPBENCH_SOLVER(FakeProblem, Segfault, facts("segfault"))
WARPBENCH_SOLVER(FakeProblem, Abort, facts("abort"))
WARPBENCH_SOLVER(FakeProblem, Exit3, facts("exit3"))
WARPBENCH_SOLVER(FakeProblem, Loop, facts("loop"))
WARPBENCH_SOLVER(FakeProblem, EatMemory, facts("eat_memory"))
WARPBENCH_SOLVER(FakeProblem, PrintALot, facts("print_a_lot"))
WARPBENCH_SOLVER(FakeProblem, CloseStdout, facts("close_stdout"))
WARPBENCH_SOLVER(FakeProblem, ForkChildren, facts("fork_children"))
WARPBENCH_SOLVER(FakeProblem, WriteNonsense, facts("write_nonsense"))
WARPBENCH_SOLVER(FakeProblem, ThrowDevice, facts("throw_device", Role::proposed, Target::gpu))
WARPBENCH_SOLVER(FakeProblem, ThrowDeviceMemory, facts("throw_device_memory", Role::proposed, Target::gpu))
WARPBENCH_SOLVER(FakeProblem, ThrowHostMemory, facts("throw_host_memory"))
WARPBENCH_SOLVER(FakeProblem, ThrowInput, facts("throw_input"))
WARPBENCH_SOLVER(FakeProblem, ThrowUnsupported, facts("throw_unsupported"))
WARPBENCH_SOLVER(FakeProblem, ThrowError, facts("throw_error"))
WARPBENCH_SOLVER(FakeProblem, ThrowInt, facts("throw_int"))
WARPBENCH_SOLVER(FakeProblem, PrepareCrash, facts("prepare_crash"))
WARPBENCH_SOLVER(FakeProblem, PrepareLoop, facts("prepare_loop"))
WARPBENCH_SOLVER(FakeProblem, PreparePicky, facts("prepare_picky"))
WARPBENCH_SOLVER(FakeProblem, PrepareSlow, facts("prepare_slow"))
WARPBENCH_SOLVER_UNAVAILABLE(FakeProblem, Missing, "needs libfake (Debian: libfake-dev)", facts("missing"))

}  // namespace

ProblemInfo FakeProblem::info() {
  ProblemInfo info;
  info.id = "fake";
  info.title = "sum of neighbour ids";
  info.source = "tests";
  info.task = {parameter("add", 0).range(0, 1000).means("added to the sum"),
               parameter("reference", "right").one_of({"right", "slow", "broken"}).means("slow: takes an hour")};
  info.accepts = {datasets::Kind::Graph};
  info.work_unit = "slots";
  return info;
}

std::map<std::string, double> FakeProblem::Input::work() const {
  return {{"slots", static_cast<double>(graph->slots())}, {"queries", static_cast<double>(kParts)}};
}

std::uint64_t FakeProblem::Answer::digest() const {
  return mix64(mix64(mix64(sum) + static_cast<std::uint64_t>(solved)) + static_cast<std::uint64_t>(unverified));
}

FakeProblem::Input FakeProblem::input(const datasets::Dataset& dataset, const Parameters& task) {
  return {&dataset.as<datasets::Csr>(), task.integer("add"), task.text("reference")};
}

FakeProblem::Reference FakeProblem::reference(const Input& input) {
  tell("FAKE_REFERENCE_LOG", input.reference);
  if (input.reference == "slow") std::this_thread::sleep_for(std::chrono::hours(1));
  if (input.reference == "broken") throw std::runtime_error("the fake reference is broken");
  return sum_of(input);
}

Judgement FakeProblem::judge(const Input& /*input*/, const Answer& answer, const Reference& reference) {
  Judgement judgement;
  judgement.verdict = answer.sum == reference ? Verdict::exact : Verdict::wrong;
  judgement.metrics["sum"] = static_cast<double>(answer.sum);
  judgement.metrics["solved"] = static_cast<double>(answer.solved);
  judgement.metrics["unverified_parts"] = static_cast<double>(answer.unverified);
  if (answer.sum != reference) judgement.difference = fmt::format("expected {}, found {}", reference, answer.sum);
  return judgement;
}

FakeProblem::Reference FakeProblem::read_reference(const Input& /*input*/, ReferenceReader& stored) {
  return stored.take<Reference>(1)[0];
}

namespace harness {

Plan fake_plan(const std::vector<std::string>& solvers) {
  Plan plan;
  plan.experiment = "tests/fake";
  plan.title = "fake";
  plan.spec_file = "fake.yaml";
  plan.spec_text = "experiment: tests/fake\nproblem: fake\n";
  plan.protocol.repetitions = 4;
  plan.protocol.timeout_seconds = 20;
  plan.protocol.prepare_timeout_seconds = 20;
  NamedDataset dataset;
  dataset.name = "tiny";
  dataset.source.name = "tiny";
  dataset.source.stand_in = true;
  dataset.source.from = datasets::GeneratorSource{"uniform", {{"vertices", 100}, {"edges", 300}}, 1};
  plan.datasets.push_back(dataset);
  const ProblemEntry* problem = find_problem("fake");
  for (std::size_t i = 0; i < solvers.size(); ++i) {
    const std::size_t colon = solvers[i].find(':');
    Trial trial;
    trial.solver = solvers[i].substr(0, colon);
    const SolverInfo* solver = find_solver(*problem, trial.solver);
    if (solver == nullptr) throw std::logic_error("no fake solver " + trial.solver);
    std::map<std::string, Value> given;
    if (colon != std::string::npos) given["delay_us"] = std::stol(solvers[i].substr(colon + 1));
    trial.id = fmt::format("{:016x}", mix64(std::hash<std::string>()(solvers[i]) + i));
    trial.problem = "fake";
    trial.task = Parameters(problem->info.task, {});
    trial.parameters = Parameters(solver->parameters, given);
    if (i == 0 || plan.trials.back().solver != trial.solver) plan.groups.emplace_back();
    plan.groups.back().trials.push_back(i);
    plan.trials.push_back(trial);
  }
  return plan;
}

}  // namespace harness
}  // namespace warpbench
