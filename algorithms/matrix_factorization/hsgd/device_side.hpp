// What a GPU does in HSGD and HSGD*: brings a block's ratings and its segments of P and Q to the device, updates them,
// and brings the segments back, on three streams (yu2023 §3.3.2, Fig. 3.7). P and Q are in host memory, in single
// precision; in half precision they are converted on the device.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "device/view.hpp"
#include "solvers/matrix_factorization/cpu_update.hpp"
#include "solvers/matrix_factorization/rating_grid.hpp"

namespace warpbench::matrix_factorization {

/// Consecutive rows of P or of Q.
struct RowRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;

  [[nodiscard]] std::int64_t size() const { return end - begin; }
};

/// What to take memory for.
struct DeviceSizes {
  std::int64_t workers = 0;        ///< 0: as many as the device runs at the same time
  RowRange home_users{};           ///< the segment of P that stays on the device; may be empty
  std::int64_t visited_users = 0;  ///< rows of the largest other segment of P
  std::int64_t items = 0;          ///< rows of the largest segment of Q
  bool has_core = false;           ///< the calling thread has a core of its own, and may wait busily
  std::int64_t ratings = 0;        ///< of the largest block that is brought to the device
};

/// Ratings and the users and items that they are of.
struct DeviceBlock {
  RowRange users;
  RowRange items;
  bool is_home = false;             ///< users are in the segment that stays on the device
  std::span<const Rating> on_host;  ///< pinned
  View<const Rating> on_device;     ///< used instead where it is not empty
};

class DeviceSide {
 public:
  /// Blocks that may be in progress at a time.
  static constexpr int kDepth = 2;

  DeviceSide() = default;
  DeviceSide(const DeviceSide&) = delete;
  DeviceSide& operator=(const DeviceSide&) = delete;
  virtual ~DeviceSide() = default;

  /// The segment that stays: to the device, and back to the host. They return when that is done.
  virtual void load_home() = 0;
  virtual void store_home() = 0;

  /// Queues all of a block's work. The host's rows of it belong to the device until finish().
  virtual void begin(const DeviceBlock& block, const UpdateRule& rule) = 0;
  /// Whether the block that was begun first is done.
  [[nodiscard]] virtual bool has_finished() const = 0;
  /// Waits for the block that was begun first: busily where the thread has a core of its own, else with naps, so that
  /// the core is free for an updating thread.
  virtual void finish() = 0;
};

/// Warps that update by a block of so many users, items and ratings where `workers` are asked for: useful_workers() of
/// a matrix of twice as many rows, since a block has few items, and workers meet there for a part of the iteration
/// only.
[[nodiscard]] std::int64_t block_workers(bool half_precision, std::int64_t workers, std::int64_t stride,
                                         std::int64_t users, std::int64_t items, std::int64_t ratings);

/// `host` is pinned. Throws OutOfDeviceMemory.
[[nodiscard]] std::unique_ptr<DeviceSide> make_device_side(bool half_precision, const FactorView& host,
                                                           const DeviceSizes& sizes);

}  // namespace warpbench::matrix_factorization
