#include "algorithms/matrix_factorization/hsgd/device_side.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>
#include <type_traits>

#include "device/buffer.hpp"
#include "device/half.hpp"
#include "device/stream.hpp"
#include "solvers/matrix_factorization/device_update.hpp"

namespace warpbench::matrix_factorization {
namespace {

using namespace std::chrono_literals;

constexpr auto kPause = 20us;
/// Of single-precision factors that are converted at a time.
constexpr std::int64_t kStagedFactors = std::int64_t{1} << 22;

/// Memory for rows of P or Q on the device, as Factor.
template <typename Factor>
class DeviceRows {
 public:
  DeviceRows() = default;
  DeviceRows(std::int64_t factors, Stream& stream) : rows_(factors, stream) {
    if constexpr (kIsStaged) staged_ = Buffer<float>(std::min(factors, kStagedFactors), stream);
  }

  [[nodiscard]] View<Factor> view() { return rows_.view(); }

  /// Copies in stream order.
  void load(std::span<const float> host, Stream& stream) {
    if constexpr (kIsStaged) {
      in_pieces(host, [&](std::span<const float> piece, View<float> staged, View<Factor> rows) {
        staged_.upload(piece, stream);
        convert(View<const float>(staged), rows, stream);
      });
    } else {
      rows_.upload(host, stream);
    }
  }
  void store(std::span<float> host, Stream& stream) {
    if constexpr (kIsStaged) {
      in_pieces(host, [&](std::span<float> piece, View<float> staged, View<Factor> rows) {
        convert(View<const Factor>(rows), staged, stream);
        staged_.download(piece, stream);
      });
    } else {
      rows_.download(host, stream);
    }
  }

 private:
  static constexpr bool kIsStaged = !std::is_same_v<Factor, float>;

  template <typename Float, typename Body>
  void in_pieces(std::span<Float> host, const Body& body) {
    for (std::int64_t at = 0; at < std::ssize(host); at += staged_.size()) {
      const std::int64_t count = std::min(staged_.size(), std::ssize(host) - at);
      body(host.subspan(static_cast<std::size_t>(at), static_cast<std::size_t>(count)), staged_.view().first(count),
           rows_.view().subview(at, count));
    }
  }

  Buffer<Factor> rows_;
  Buffer<float> staged_;
};

template <typename Factor>
std::int64_t workers_of(std::int64_t workers, std::int64_t stride, std::int64_t users, std::int64_t items,
                        std::int64_t ratings) {
  return useful_workers<Factor>(workers, stride, 2 * users, 2 * items, ratings);
}

template <typename Factor>
class DeviceSideOf final : public DeviceSide {
 public:
  DeviceSideOf(const FactorView& host, const DeviceSizes& sizes)
      : host_(host), workers_(sizes.workers), has_core_(sizes.has_core), home_users_(sizes.home_users) {
    home_ = DeviceRows<Factor>(factors(home_users_.size()), in_);
    for (Slot& slot : slots_) {
      slot.ratings = Buffer<Rating>(sizes.ratings, in_);
      slot.p = DeviceRows<Factor>(factors(sizes.visited_users), in_);
      slot.q = DeviceRows<Factor>(factors(sizes.items), in_);
    }
    in_.synchronize();  // other streams use the memory
  }
  DeviceSideOf(const DeviceSideOf&) = delete;
  DeviceSideOf& operator=(const DeviceSideOf&) = delete;
  /// Memory goes back in the order of one stream, and may be in use by the others.
  ~DeviceSideOf() override {
    for (Stream* stream : {&in_, &kernels_, &out_}) {
      try {
        stream->synchronize();
      } catch (const DeviceError&) {  // was thrown by finish(), or is that of work nobody waits for
      }
    }
  }

  void load_home() override {
    home_.load(p_rows(home_users_), kernels_);
    kernels_.synchronize();
  }
  void store_home() override {
    home_.store(p_rows(home_users_), kernels_);
    kernels_.synchronize();
  }

  void begin(const DeviceBlock& block, const UpdateRule& rule) override {
    Slot& slot = slots_[begun_++ % kDepth];
    const bool is_resident = !block.on_device.empty();
    if (!is_resident) slot.ratings.upload(block.on_host, in_);
    slot.q.load(q_rows(block.items), in_);
    if (!block.is_home) slot.p.load(p_rows(block.users), in_);
    slot.loaded.record(in_);

    kernels_.wait(slot.loaded);
    const View<const Rating> ratings = is_resident ? block.on_device : brought(slot, block);
    const DeviceFactors<Factor> on_device{block.is_home ? home_.view() : slot.p.view(), slot.q.view(), host_.stride,
                                          block.is_home ? home_users_.begin : block.users.begin, block.items.begin};
    const std::int64_t workers =
        workers_of<Factor>(workers_, host_.stride, block.users.size(), block.items.size(), ratings.size());
    update_on_device(ratings, on_device, rule, workers, kernels_);
    slot.updated.record(kernels_);

    out_.wait(slot.updated);
    slot.q.store(q_rows(block.items), out_);
    if (!block.is_home) slot.p.store(p_rows(block.users), out_);
    slot.stored.record(out_);
  }

  [[nodiscard]] bool has_finished() const override { return slots_[finished_ % kDepth].stored.ready(); }

  void finish() override {
    Slot& slot = slots_[finished_++ % kDepth];
    while (!slot.stored.ready()) {
      if (has_core_) {
        std::this_thread::yield();
      } else {
        std::this_thread::sleep_for(kPause);
      }
    }
    slot.stored.synchronize();  // throws what went wrong
  }

 private:
  struct Slot {
    Buffer<Rating> ratings;
    DeviceRows<Factor> p;
    DeviceRows<Factor> q;
    Event loaded;
    Event updated;
    Event stored;
  };

  [[nodiscard]] std::int64_t factors(std::int64_t rows) const { return rows * host_.stride; }
  [[nodiscard]] std::span<float> rows_of(float* factors, const RowRange& rows) const {
    return {factors + rows.begin * host_.stride, static_cast<std::size_t>(rows.size() * host_.stride)};
  }
  [[nodiscard]] std::span<float> p_rows(const RowRange& rows) const { return rows_of(host_.p, rows); }
  [[nodiscard]] std::span<float> q_rows(const RowRange& rows) const { return rows_of(host_.q, rows); }
  [[nodiscard]] static View<const Rating> brought(Slot& slot, const DeviceBlock& block) {
    return slot.ratings.view().first(std::ssize(block.on_host));
  }

  FactorView host_;
  std::int64_t workers_;
  bool has_core_;
  RowRange home_users_;
  Stream in_;
  Stream kernels_;
  Stream out_;
  DeviceRows<Factor> home_;
  std::array<Slot, kDepth> slots_;
  std::size_t begun_ = 0;
  std::size_t finished_ = 0;
};

}  // namespace

std::int64_t block_workers(bool half_precision, std::int64_t workers, std::int64_t stride, std::int64_t users,
                           std::int64_t items, std::int64_t ratings) {
  return half_precision ? workers_of<Half>(workers, stride, users, items, ratings)
                        : workers_of<float>(workers, stride, users, items, ratings);
}

std::unique_ptr<DeviceSide> make_device_side(bool half_precision, const FactorView& host, const DeviceSizes& sizes) {
  if (half_precision) return std::make_unique<DeviceSideOf<Half>>(host, sizes);
  return std::make_unique<DeviceSideOf<float>>(host, sizes);
}

}  // namespace warpbench::matrix_factorization
