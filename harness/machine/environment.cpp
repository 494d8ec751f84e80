#include "harness/machine/environment.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <sstream>
#include <system_error>
#include <thread>

#include "build_info.hpp"
#include "device/device.hpp"
#include "harness/machine/shell_words.hpp"
#include "harness/process/command_output.hpp"

namespace warpbench::harness {
namespace {

std::string first_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  return std::getline(file, line) ? line : "";
}

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

CpuFacts cpu_facts() {
  constexpr std::array kSimd{"sse4_2",       "avx",      "avx2", "avx512f", "avx512bw",
                             "avx512_vbmi2", "amx_tile", "neon", "asimd",   "sve"};
  CpuFacts facts;
  facts.model = "unknown CPU";
  facts.threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  std::ifstream file("/proc/cpuinfo");
  std::set<std::string> cores;
  std::string package;
  for (std::string line; std::getline(file, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = trimmed(line.substr(0, colon));
    const std::string value = trimmed(line.substr(colon + 1));
    if (key == "model name") facts.model = value;
    if (key == "physical id") package = value;
    if (key == "core id") cores.insert(fmt::format("{}/{}", package, value));
    if ((key == "flags" || key == "Features") && facts.simd.empty()) {
      std::istringstream words(value);
      const std::set<std::string> flags{std::istream_iterator<std::string>(words), {}};
      for (const char* name : kSimd) {
        if (flags.contains(name)) facts.simd.emplace_back(name);
      }
    }
  }
  facts.cores = cores.empty() ? facts.threads : static_cast<int>(cores.size());
  return facts;
}

std::int64_t total_memory() {
  const long pages = ::sysconf(_SC_PHYS_PAGES);
  const long page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? std::int64_t{pages} * page : 0;
}

std::string kernel_release() {
  utsname name{};
  if (::uname(&name) != 0) throw std::system_error(errno, std::generic_category(), "uname");
  return fmt::format("{} {}", static_cast<const char*>(name.sysname), static_cast<const char*>(name.release));
}

std::vector<std::string> own_words() {
  std::ifstream file("/proc/self/cmdline");
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

/// The telling words of a product name: "Intel(R) Xeon(R) CPU @ 2.0GHz" gives "xeon".
std::string slug(std::string text) {
  for (const char* mark : {"(R)", "(TM)", "(r)", "(tm)"}) {
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark)) {
      text.replace(at, std::string_view(mark).size(), " ");
    }
  }
  text = text.substr(0, text.find('@'));
  static const std::set<std::string> kEmptyWords{"intel", "amd",     "nvidia",     "cpu", "processor",
                                                 "core",  "geforce", "generation", "gen", "with"};
  std::string result;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    std::string kept;
    for (const char c : word) {
      if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
        kept += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      } else if (!kept.empty() && kept.back() != '-') {
        kept += '-';
      }
    }
    while (!kept.empty() && kept.back() == '-') kept.pop_back();
    if (kept.empty() || kEmptyWords.contains(kept) || kept.ends_with("-core")) continue;
    result += result.empty() ? kept : "-" + kept;
  }
  return result.empty() ? "machine" : result;
}

using Second = std::chrono::sys_seconds;

Second this_second() {
  return std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
}

std::string utc_text(Second time) {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z", fmt::gmtime(time));
}

}  // namespace

std::string machine_name(const CpuFacts& cpu, const std::vector<GpuFacts>& gpus) {
  if (gpus.empty()) return fmt::format("{}-{}c", slug(cpu.model), cpu.threads);
  const std::string name = slug(gpus.front().name);
  return gpus.size() == 1 ? name : fmt::format("{}-x{}", name, gpus.size());
}

std::vector<GpuFacts> device_facts() {
  std::vector<GpuFacts> facts;
  if (backend_name() == "simt") return facts;
  for (const DeviceProperties& device : devices()) {
    facts.push_back({device.name, device.driver, device.memory_bytes,
                     fmt::format("{}.{}", device.compute_major, device.compute_minor), device.multiprocessors});
  }
  return facts;
}

GitFacts git_facts(const std::filesystem::path& source) {
  GitFacts facts;
  // A copy sent to a GPU machine has no repository or an outdated one, so the sender names the revision.
  if (const char* said = std::getenv("WARPBENCH_REVISION"); said != nullptr && *said != '\0') {
    facts.revision = said;
    return facts;
  }
  const std::optional<std::string> revision = output_of({"git", "-C", source.string(), "rev-parse", "HEAD"});
  if (!revision || trimmed(*revision).empty()) return facts;
  facts.revision = trimmed(*revision);
  const std::optional<std::string> changes =
      output_of({"git", "-C", source.string(), "status", "--porcelain", "--untracked-files=no"});
  facts.dirty = !changes || !trimmed(*changes).empty();
  return facts;
}

std::string utc_now() {
  return utc_text(this_second());
}

Environment host_environment() {
  const auto now = this_second();
  Environment environment;
  environment.cpu = cpu_facts();
  environment.memory_bytes = total_memory();
  environment.backend = std::string(backend_name());
  environment.compiler = build_info::kCompiler;
  environment.flags = fmt::format("{} {}", build_info::kBuildType, build_info::kFlags);
  if (*build_info::kSanitizer != '\0') environment.flags += fmt::format(" -fsanitize={}", build_info::kSanitizer);
  environment.toolkit = build_info::kToolkit;
  environment.kernel = kernel_release();
  environment.governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
  environment.git = git_facts(build_info::kSourceDirectory);
  environment.machine = machine_name(environment.cpu, {});
  environment.started_at = utc_text(now);
  environment.run = fmt::format("{:%Y%m%dT%H%M%S}Z-{:08x}", fmt::gmtime(now), std::random_device()());
  environment.command = portable_command(own_words());
  return environment;
}

}  // namespace warpbench::harness
