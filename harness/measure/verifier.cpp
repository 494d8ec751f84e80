#include "harness/measure/verifier.hpp"

#include <fmt/format.h>
#include <omp.h>
#define XXH_INLINE_ALL  // header only: no library to link
#include <xxhash.h>

#include <chrono>
#include <cstring>
#include <new>
#include <optional>
#include <utility>

#include "device/error.hpp"
#include "harness/machine/cpu_affinity.hpp"
#include "harness/process/durable.hpp"

namespace warpbench::harness {
namespace {

// File format: one line with the key, one line `XXH3-64 length`, then the bytes.
std::string header_of(const std::string& key, std::string_view bytes) {
  return fmt::format("{}\n{:016x} {}\n", key, XXH3_64bits(bytes.data(), bytes.size()), bytes.size());
}

/// The bytes of a whole and undamaged file for this key.
std::optional<std::vector<std::byte>> content_of(const std::filesystem::path& file, const std::string& key) {
  std::error_code ignored;  // a folder that cannot be read has no file
  if (!std::filesystem::exists(file, ignored)) return std::nullopt;
  try {
    const std::string content = read_file(file);
    std::size_t start = content.find('\n');
    start = start == std::string::npos ? start : content.find('\n', start + 1);
    if (start == std::string::npos) return std::nullopt;
    const std::string_view payload = std::string_view(content).substr(start + 1);
    if (content.substr(0, start + 1) != header_of(key, payload)) {
      fmt::print(stderr, "{}: a damaged reference; it is computed again\n", file.string());
      return std::nullopt;
    }
    const auto* first = reinterpret_cast<const std::byte*>(payload.data());
    return std::vector<std::byte>(first, first + payload.size());
  } catch (const FileError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return std::nullopt;
  }
}

/// For its lifetime, OpenMP runs on so many threads; 0: all. Then on as many as before, which OMP_NUM_THREADS may say:
/// solvers and their records take them.
class OpenMpThreads {
 public:
  explicit OpenMpThreads(int threads) : before_(omp_get_max_threads()) { set_openmp_threads(threads); }
  OpenMpThreads(const OpenMpThreads&) = delete;
  OpenMpThreads& operator=(const OpenMpThreads&) = delete;
  ~OpenMpThreads() { omp_set_num_threads(before_); }

 private:
  int before_;
};

/// For its lifetime, tells the parent that long work is going on.
class LongWork {
 public:
  explicit LongWork(const std::function<void(bool)>& tell) : tell_(tell) { tell_(true); }
  LongWork(const LongWork&) = delete;
  LongWork& operator=(const LongWork&) = delete;
  ~LongWork() noexcept(false) { tell_(false); }

 private:
  const std::function<void(bool)>& tell_;
};

}  // namespace

ReferenceCache::ReferenceCache(const std::vector<std::filesystem::path>& folders, const std::string& problem,
                               std::string key)
    : key_(std::move(key)) {
  const XXH128_hash_t hash = XXH3_128bits(key_.data(), key_.size());
  const std::string name = fmt::format("{}-{:016x}{:016x}.reference", problem, hash.high64, hash.low64);
  for (const std::filesystem::path& folder : folders) {
    if (!folder.empty()) files_.push_back(folder / "references" / name);
  }
}

std::optional<std::vector<std::byte>> ReferenceCache::load() const {
  for (const std::filesystem::path& file : files_) {
    if (auto reference = content_of(file, key_)) return reference;
  }
  return std::nullopt;
}

bool ReferenceCache::store(const std::vector<std::byte>& reference) const {
  const std::string_view bytes(reinterpret_cast<const char*>(reference.data()), reference.size());
  std::string failure = "there is no folder for it";
  for (const std::filesystem::path& file : files_) {
    try {
      std::filesystem::create_directories(file.parent_path());
      replace_file(file, header_of(key_, bytes) + std::string(bytes));
      return true;
    } catch (const std::exception& error) {
      failure = error.what();
    }
  }
  fmt::print(stderr, "the reference was not cached: {}\n", failure);
  return false;
}

Verifier::Verifier(ProblemInstance& instance, ReferenceRules rules, std::function<void(bool)> long_work)
    : instance_(instance), rules_(std::move(rules)), long_work_(std::move(long_work)) {}

void Verifier::need_reference() {
  if (have_reference_) return;
  have_reference_ = true;
  const auto start = std::chrono::steady_clock::now();
  try {
    if (rules_.failure.empty()) load_or_compute_reference();
  } catch (const DeviceError&) {
    throw;
  } catch (const std::bad_alloc&) {
    rules_.failure = "an allocation of host memory failed";
  } catch (const std::exception& error) {
    rules_.failure = error.what();
  }
  if (!rules_.failure.empty() && instance_.reference_has_limit()) static_cast<void>(instance_.reference_bytes(0));
  reference_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void Verifier::load_or_compute_reference() {
  if (const auto cached = rules_.cache.load()) {
    try {
      instance_.set_reference(*cached);
      reference_cached_ = true;
      return;
    } catch (const std::exception& error) {
      fmt::print(stderr, "a cached reference: {}; it is computed again\n", error.what());
    }
  }
  const OpenMpThreads threads(rules_.threads);
  if (!rules_.cache.store(instance_.reference_bytes(rules_.seconds))) {
    fmt::print(stderr, "this reference will be computed again for the next group\n");
  }
}

Judgement Verifier::judge_in_full(const BoundSolver& solver) const {
  const bool has_reference = rules_.failure.empty() || instance_.reference_has_limit();
  Judgement judgement = has_reference ? solver.judge() : Judgement{Verdict::unverified, {}, ""};
  if (judgement.verdict == Verdict::unverified && !rules_.failure.empty()) {
    judgement.difference = fmt::format("there is no reference: {}", rules_.failure);
  }
  return judgement;
}

const Judgement& Verifier::judge(const BoundSolver& solver) {
  try {
    last_digest_ = solver.digest();
    if (const auto known = right_.find(last_digest_); known != right_.end()) return known->second;
    const LongWork pause(long_work_);
    need_reference();
    Judgement judgement = judge_in_full(solver);
    if (judgement.verdict != Verdict::wrong) return right_.insert_or_assign(last_digest_, judgement).first->second;
    wrong_ = std::move(judgement);
    return wrong_;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const DeviceError&) {
    throw;
  } catch (const FileError&) {
    throw;  // the parent is gone
  } catch (const std::exception& error) {
    throw NotJudged(fmt::format("the answer could not be judged: {}", error.what()));
  }
}

}  // namespace warpbench::harness
