// DeviceCounters: numbers that kernels add up during a solve, for its record.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/set_similarity_join/engine/device_pair_sink.hpp"
#include "device/buffer.hpp"
#include "device/stream.hpp"

namespace warpbench::similarity {

class DeviceCounters {
 public:
  explicit DeviceCounters(std::vector<std::string> names) : names_(std::move(names)) {}

  /// Throws OutOfDeviceMemory.
  void prepare(Stream& stream) {
    device_ = Buffer<Total>(static_cast<std::int64_t>(names_.size()), stream);
    host_ = PinnedBuffer<Total>(device_.size());
  }
  /// Also on the host: a solve may join nothing.
  void reset(Stream& stream) {
    device_.fill(0, stream);
    download(stream);
  }
  /// A number for each name.
  [[nodiscard]] View<Total> view() { return device_.view(); }
  /// Enqueues their way to the host.
  void download(Stream& stream) { device_.download(host_.span(), stream); }

  /// As they were when the stream passed the last download().
  [[nodiscard]] std::map<std::string, double> values() const {
    std::map<std::string, double> values;
    for (std::size_t i = 0; i < host_.span().size(); ++i) values[names_[i]] = static_cast<double>(host_.span()[i]);
    return values;
  }

 private:
  std::vector<std::string> names_;
  Buffer<Total> device_;
  PinnedBuffer<Total> host_;
};

}  // namespace warpbench::similarity
