// Phases: the named parts of a run. CPU phases are timed by a steady clock, GPU phases by two events on the stream,
// whose difference is read only after the run, so that naming a phase never synchronizes. Untimed work is none of the
// solve's, though it must happen in its midst: its time is taken off the run's.
#pragma once

#include <chrono>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "device/stream.hpp"

namespace warpbench {

class Phases {
 public:
  /// Adds to the phase's total; a phase entered twice counts both times.
  void add(const std::string& name, double seconds) { seconds_[name] += seconds; }

  /// Times the enclosing scope on the CPU.
  class CpuScope {
   public:
    CpuScope(std::map<std::string, double>& totals, std::string name)
        : totals_(&totals), name_(std::move(name)), start_(std::chrono::steady_clock::now()) {}
    CpuScope(const CpuScope&) = delete;
    CpuScope& operator=(const CpuScope&) = delete;
    ~CpuScope() {
      (*totals_)[name_] += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    }

   private:
    std::map<std::string, double>* totals_;
    std::string name_;
    std::chrono::steady_clock::time_point start_;
  };

  /// Times what is enqueued on `stream` within the scope, by events.
  class GpuScope {
   public:
    GpuScope(Phases& phases, std::string name, Stream& stream)
        : phases_(&phases), name_(std::move(name)), stream_(&stream) {
      start_.record(stream);
    }
    GpuScope(const GpuScope&) = delete;
    GpuScope& operator=(const GpuScope&) = delete;
    ~GpuScope() noexcept(false) {
      Event stop;
      stop.record(*stream_);
      phases_->pending_.push_back({name_, std::move(start_), std::move(stop)});
    }

   private:
    Phases* phases_;
    std::string name_;
    Stream* stream_;
    Event start_;
  };

  [[nodiscard]] CpuScope cpu(std::string name) { return {seconds_, std::move(name)}; }
  /// Takes the time of the enclosing scope off the run's. Nothing of the solve may go on meanwhile, neither on another
  /// thread nor on the device.
  [[nodiscard]] CpuScope untimed(std::string name) { return {untimed_, std::move(name)}; }
  [[nodiscard]] GpuScope gpu(std::string name, Stream& stream) { return {*this, std::move(name), stream}; }

  /// Adds the phases of work that went on at the same time, on a thread with Phases of its own. Of such work the sum of
  /// all phases may exceed the run's time.
  void take(Phases&& other) {
    for (const auto& [name, seconds] : other.seconds_) seconds_[name] += seconds;
    for (const auto& [name, seconds] : other.untimed_) untimed_[name] += seconds;
    pending_.insert(pending_.end(), std::move_iterator(other.pending_.begin()),
                    std::move_iterator(other.pending_.end()));
    other = {};
  }

  /// Seconds by phase. Waits for GPU phases that have not ended yet.
  [[nodiscard]] const std::map<std::string, double>& seconds() {
    for (Pending& p : pending_) {
      p.stop.synchronize();
      add(p.name, seconds_between(p.start, p.stop));
    }
    pending_.clear();
    return seconds_;
  }

  /// Seconds of untimed work by name.
  [[nodiscard]] const std::map<std::string, double>& untimed_seconds() const { return untimed_; }

 private:
  struct Pending {
    std::string name;
    Event start;
    Event stop;
  };
  std::map<std::string, double> seconds_;
  std::map<std::string, double> untimed_;
  std::vector<Pending> pending_;
};

}  // namespace warpbench
