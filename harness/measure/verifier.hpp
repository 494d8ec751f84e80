// Verifier: judges the answer of every timed sample, outside the timed region. The first answer of a group is judged in
// full against the reference. Later answers with the digest of a right one are right; all others are judged in full.
// The reference is computed when first needed, is in no measured time, and is cached on disk, at least for the run. A
// reference that failed is not tried again: answers are then unverified.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "problems/problem.hpp"
#include "solvers/bound_solver.hpp"

namespace warpbench::harness {

/// A cached reference answer: key, checksum and bytes in one file, replaced atomically.
class ReferenceCache {
 public:
  /// `key` names everything the reference depends on. The file lies in the first of `folders` that can be written;
  /// empty paths are none.
  ReferenceCache(const std::vector<std::filesystem::path>& folders, const std::string& problem, std::string key);

  /// The bytes, if a whole and undamaged file for this key exists.
  [[nodiscard]] std::optional<std::vector<std::byte>> load() const;
  /// Returns whether the reference was written. Failure is harmless: without a cache the next group is only slower.
  [[nodiscard]] bool store(const std::vector<std::byte>& reference) const;

 private:
  std::vector<std::filesystem::path> files_;  // one a folder
  std::string key_;
};

/// The judge failed, so the answer is neither right nor wrong.
class NotJudged : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How the reference is computed.
struct ReferenceRules {
  ReferenceCache cache;
  int threads = 0;       ///< 0: all
  double seconds = 0.0;  ///< after which one that has a limit leaves the rest open
  std::string failure;   ///< why it failed before in this run; "": it is computed
};

class Verifier {
 public:
  /// `long_work(true)` is called before a full judgement, `long_work(false)` after it: the trial's clock pauses.
  Verifier(ProblemInstance& instance, ReferenceRules rules, std::function<void(bool)> long_work);

  /// Loads or computes the reference, if that was not tried before. Throws DeviceError.
  void need_reference();
  /// Judges the answer that `solver` holds. Throws NotJudged, std::bad_alloc.
  const Judgement& judge(const BoundSolver& solver);

  /// Seconds spent computing the reference or reading it from the cache; 0 until it is first needed.
  [[nodiscard]] double reference_seconds() const { return reference_seconds_; }
  [[nodiscard]] bool reference_cached() const { return reference_cached_; }
  /// Why there is no reference; "" where there is one, or none was needed yet.
  [[nodiscard]] const std::string& reference_failure() const { return rules_.failure; }
  [[nodiscard]] std::uint64_t last_digest() const { return last_digest_; }

 private:
  void load_or_compute_reference();
  [[nodiscard]] Judgement judge_in_full(const BoundSolver& solver) const;

  ProblemInstance& instance_;
  ReferenceRules rules_;
  std::function<void(bool)> long_work_;
  bool have_reference_ = false;
  bool reference_cached_ = false;
  double reference_seconds_ = 0.0;
  std::uint64_t last_digest_ = 0;
  std::map<std::uint64_t, Judgement> right_;
  Judgement wrong_;
};

}  // namespace warpbench::harness
