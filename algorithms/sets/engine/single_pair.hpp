// SinglePair: the GPU solver of set_intersection for one pair of sets, around a technique.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>

#include "algorithms/sets/engine/device_collection.hpp"
#include "algorithms/sets/engine/technique.hpp"
#include "device/buffer.hpp"
#include "problems/set_intersection/problem.hpp"
#include "solvers/solver.hpp"

namespace warpbench::sets {

class SinglePair final : public Solver<SetIntersection> {
 public:
  explicit SinglePair(std::unique_ptr<Technique> technique) : technique_(std::move(technique)) {}

  void configure(const Parameters& parameters) override { technique_->configure(parameters); }
  void prepare(const Input& input, Phases& phases) override;
  void upload(Phases& phases) override;
  void solve(Phases& phases) override;
  void download(Answer& answer, Phases& phases) override;
  [[nodiscard]] std::map<std::string, double> counters() const override;

 private:
  [[nodiscard]] SingleTask task();

  std::unique_ptr<Technique> technique_;
  bool as_set_ = false;  ///< the tokens are asked for too
  DeviceCollection sets_;
  std::int64_t sizes_[2] = {0, 0};
  Buffer<DigestWord> common_;
  Buffer<std::uint8_t> found_;
  Buffer<std::uint32_t> common_tokens_;
  Buffer<std::int64_t> common_size_;
  PinnedBuffer<DigestWord> host_common_;
  PinnedBuffer<std::uint32_t> host_tokens_;
  Stream stream_;  ///< last, so that it waits for its copies before their host memory is freed
};

}  // namespace warpbench::sets
