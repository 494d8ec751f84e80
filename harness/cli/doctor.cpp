#include "harness/cli/doctor.hpp"

#include <fmt/format.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <ostream>
#include <sstream>

#include "build_info.hpp"
#include "harness/machine/environment.hpp"
#include "harness/process/command_output.hpp"
#include "harness/process/processes.hpp"
#include "harness/run/probe.hpp"
#include "harness/spec/home.hpp"
#include "harness/spec/registry.hpp"

namespace warpbench::harness {
namespace {

using Level = Finding::Level;
namespace fs = std::filesystem;

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;

std::string first_line_of(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

void examine_gpu(std::vector<Finding>& findings) {
  const bool cuda = std::string_view(build_info::kBackend) == "cuda";
  const auto driver =
      output_of({"nvidia-smi", "--query-gpu=name,driver_version,memory.total", "--format=csv,noheader"});
  const bool seen = driver && !driver->empty();
  findings.push_back({Level::good, "backend",
                      cuda ? fmt::format("cuda, {}", build_info::kToolkit)
                           : "simt: kernels run on the CPU; answers count, times of GPU solvers do not",
                      !cuda && seen ? "build with `cmake --preset cuda` to use the GPU of this machine" : ""});
  if (seen) {
    findings.push_back({Level::good, "GPU driver", first_line_of(*driver), ""});
  } else {
    findings.push_back({Level::advice, "GPU driver", "nvidia-smi finds no GPU",
                        "none is needed for simt; for times of GPU solvers install NVIDIA's driver"});
  }
  if (!cuda) return;
  const std::vector<GpuFacts> gpus = query_gpus();
  for (const GpuFacts& gpu : gpus) {
    findings.push_back({Level::good, "GPU",
                        fmt::format("{}, {:.0f} GiB, compute capability {}, driver {}", gpu.name,
                                    static_cast<double>(gpu.memory_bytes) / kGiB, gpu.compute_capability, gpu.driver),
                        ""});
  }
  if (gpus.empty()) {
    findings.push_back({Level::bad, "GPU", "the CUDA runtime finds none; trials of GPU solvers end as no_device",
                        "check nvidia-smi and CUDA_VISIBLE_DEVICES, or build with `cmake --preset simt`"});
  }
}

void examine_toolkit(std::vector<Finding>& findings) {
  const auto version = output_of({"nvcc", "--version"});
  std::string release;
  std::istringstream lines(version.value_or(""));
  for (std::string line; std::getline(lines, line);) {
    if (line.find("release") != std::string::npos) release = line;
  }
  if (release.empty()) {
    findings.push_back({Level::advice, "CUDA toolkit", "no nvcc in PATH",
                        "none is needed for simt; for backend cuda install the CUDA toolkit, or add its bin to PATH"});
  } else {
    findings.push_back({Level::good, "CUDA toolkit", release, ""});
  }
}

void examine_cpu(std::vector<Finding>& findings, const Environment& environment) {
  findings.push_back({Level::good, "CPU",
                      fmt::format("{}, {} cores, {} threads, {}", environment.cpu.model, environment.cpu.cores,
                                  environment.cpu.threads, fmt::join(environment.cpu.simd, " ")),
                      ""});
  const double memory = static_cast<double>(environment.memory_bytes) / kGiB;
  const bool small = memory < 4.0;
  findings.push_back({small ? Level::advice : Level::good, "memory", fmt::format("{:.1f} GiB", memory),
                      small ? "the suite `quick` wants about 4 GiB; use `smoke`" : ""});
  if (environment.governor.empty()) {
    findings.push_back({Level::good, "CPU governor", "not under the system's control (a virtual machine?)", ""});
  } else if (environment.governor != "performance") {
    findings.push_back({Level::advice, "CPU governor", environment.governor + ": CPU times will vary",
                        "sudo cpupower frequency-set -g performance"});
  } else {
    findings.push_back({Level::good, "CPU governor", environment.governor, ""});
  }
}

void examine_build(std::vector<Finding>& findings, const Environment& environment) {
  const bool slow = std::string_view(build_info::kBuildType) == "Debug" || *build_info::kSanitizer != '\0';
  findings.push_back(
      {slow ? Level::advice : Level::good, "build",
       fmt::format("warpbench {}, {}, {}", build_info::kVersion, environment.compiler, environment.flags),
       slow ? "measure with the simt or cuda preset, not with a debug or sanitizer build" : ""});
  if (environment.git.revision == "unknown") {
    findings.push_back({Level::advice, "revision", "unknown: no git, or no repository",
                        "results will not say which source made them; work in a git clone"});
  } else if (environment.git.dirty) {
    findings.push_back({Level::advice, "revision", environment.git.revision + ", with uncommitted changes",
                        "commit before measuring what others shall repeat"});
  } else {
    findings.push_back({Level::good, "revision", environment.git.revision, ""});
  }
  std::istringstream missing(build_info::kMissingLibraries);
  for (std::string line; std::getline(missing, line);) {
    if (line.empty()) continue;
    const std::size_t first = line.find('|');
    const std::size_t second = line.find('|', first + 1);
    if (second == std::string::npos) continue;
    findings.push_back(
        {Level::advice, "without " + line.substr(0, first), "no " + line.substr(second + 1),
         fmt::format("sudo apt install {}, then build again", line.substr(first + 1, second - first - 1))});
  }
}

void examine_folders(std::vector<Finding>& findings, const fs::path& data) {
  fs::path source;
  try {
    source = home();
    findings.push_back({Level::good, "configs", source.string(), ""});
  } catch (const std::exception& error) {
    findings.push_back({Level::bad, "configs", error.what(), "set WARPBENCH_HOME to the source tree"});
  }
  std::error_code error;
  if (!fs::is_directory(data, error) || ::access(data.c_str(), R_OK | X_OK) != 0) {
    findings.push_back(
        {Level::advice, "data", data.string() + " is not a folder that can be read: generated datasets only",
         "create it or name another one (--data, $WARPBENCH_DATA), then `warpbench datasets fetch NAME`"});
  } else {
    struct statvfs system {};
    const bool known = ::statvfs(data.c_str(), &system) == 0;
    const double free = known ? static_cast<double>(system.f_bavail) * static_cast<double>(system.f_frsize) / kGiB : 0;
    findings.push_back({Level::good, "data", fmt::format("{}, {:.1f} GiB free", data.string(), free), ""});
  }
  const std::string python = (source / ".venv/bin/python").string();  // the one that `report` uses
  const bool plots = output_of({python, "-c", "import matplotlib, jsonschema, yaml"}).has_value();
  findings.push_back({plots ? Level::good : Level::advice, "plots",
                      plots ? python : python + " is missing, or lacks matplotlib, jsonschema or PyYAML",
                      plots ? "" : "`make setup`: without, no figures and no report"});
  const bool site = output_of({python, "-c", "import jinja2, plotly"}).has_value();
  findings.push_back({site ? Level::good : Level::advice, "site",
                      site ? "Jinja2 and plotly" : python + " is missing, or lacks Jinja2 or plotly",
                      site ? "" : "`make setup`: `make site` alone needs them"});
}

}  // namespace

std::vector<Finding> examine(const fs::path& data) {
  std::vector<Finding> findings;
  const Environment environment = host_environment();
  examine_gpu(findings);
  examine_toolkit(findings);
  examine_cpu(findings, environment);
  examine_build(findings, environment);
  examine_folders(findings, data);
  return findings;
}

int doctor(const fs::path& data, std::ostream& out) {
  const std::vector<Finding> findings = examine(data);
  for (const Finding& finding : findings) {
    const char* mark = finding.level == Level::good ? "ok" : finding.level == Level::advice ? "note" : "BAD";
    out << fmt::format("{:<5} {:<14} {}\n", mark, finding.subject, finding.found);
    if (!finding.remedy.empty()) out << fmt::format("{:<20} -> {}\n", "", finding.remedy);
  }
  const auto bad = std::ranges::count(findings, Level::bad, &Finding::level);
  out << (bad == 0 ? "This machine can run warpbench.\n" : "This machine cannot run this build as it is.\n");
  return bad == 0 ? 0 : 1;
}

}  // namespace warpbench::harness
