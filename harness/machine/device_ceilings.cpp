// The device's ceilings: best of a few samples on a warm device, timed by events.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "device/buffer.hpp"
#include "device/ceilings.hpp"
#include "device/device.hpp"
#include "harness/machine/ceilings.hpp"

namespace warpbench::harness {
namespace {

constexpr int kSamples = 7;
constexpr int kLaunches = 1000;

/// `amount` per second of device time, best of the samples; the first one warms up and is dropped.
Ceiling best_rate(double amount, const char* unit, Stream& stream, const std::function<void()>& work) {
  Ceiling ceiling{0.0, unit, {}};
  for (int i = 0; i <= kSamples; ++i) {
    Event start;
    Event stop;
    start.record(stream);
    work();
    stop.record(stream);
    stop.synchronize();
    if (i > 0) ceiling.samples.push_back(amount / seconds_between(start, stop));
  }
  ceiling.value = *std::ranges::max_element(ceiling.samples);
  return ceiling;
}

/// The largest power of two of 32-bit words within `bytes`.
std::int64_t power_of_two_words(std::int64_t bytes) {
  std::int64_t count = 1024;
  while (2 * count * 4 <= bytes) count *= 2;
  return count;
}

void measure_memory(Ceilings& ceilings, const DeviceProperties& device, Stream& stream) {
  const std::int64_t large = power_of_two_words(std::min<std::int64_t>(std::int64_t{1} << 30, free_memory() / 4));
  const std::int64_t in_l2 = power_of_two_words(std::max<std::int64_t>(device.l2_bytes / 4, 1 << 20));
  const std::int64_t reads = large / 2;
  Buffer<std::uint32_t> table(large, stream);
  Buffer<std::uint32_t> out(large, stream);
  table.fill(1, stream);
  out.fill(0, stream);
  ceilings["device_copy"] = best_rate(8.0 * static_cast<double>(large), "bytes/s", stream,
                                      [&] { ceiling::copy(table.view(), out.view(), stream); });
  ceilings["device_gather"] = best_rate(4.0 * static_cast<double>(reads), "bytes/s", stream,
                                        [&] { ceiling::gather(table.view(), out.view(), reads, stream); });
  const View<const std::uint32_t> small(table.data(), in_l2);
  ceilings["device_gather_l2"] = best_rate(4.0 * static_cast<double>(reads), "bytes/s", stream,
                                           [&] { ceiling::gather(small, out.view(), reads, stream); });
  const std::int64_t shared_reads = 256 * reads;
  ceilings["device_gather_shared"] = best_rate(4.0 * static_cast<double>(shared_reads), "bytes/s", stream,
                                               [&] { ceiling::gather_shared(out.view(), shared_reads, stream); });
  const std::int64_t adds = std::min<std::int64_t>(large, std::int64_t{16} << 20);
  ceilings["device_atomics_spread"] = best_rate(static_cast<double>(adds), "operations/s", stream,
                                                [&] { ceiling::add_atomically(out.view(), in_l2, adds, stream); });
  ceilings["device_atomics_same"] = best_rate(static_cast<double>(adds), "operations/s", stream,
                                              [&] { ceiling::add_atomically(out.view(), 1, adds, stream); });
}

void measure_link(Ceilings& ceilings, Stream& stream) {
  constexpr std::int64_t kWords = std::int64_t{64} << 20;
  PinnedBuffer<std::uint32_t> host(kWords);
  Buffer<std::uint32_t> device(kWords, stream);
  const double bytes = 4.0 * static_cast<double>(kWords);
  ceilings["link_upload"] = best_rate(bytes, "bytes/s", stream, [&] { device.upload(host.span(), stream); });
  ceilings["link_download"] = best_rate(bytes, "bytes/s", stream, [&] { device.download(host.span(), stream); });
}

void measure_launches(Ceilings& ceilings, Stream& stream) {
  Ceiling rate = best_rate(kLaunches, "s", stream, [&] {
    for (int i = 0; i < kLaunches; ++i) ceiling::launch_nothing(stream);
  });
  for (double& sample : rate.samples) sample = 1.0 / sample;
  rate.value = *std::ranges::min_element(rate.samples);
  ceilings["launch_latency"] = rate;
}

}  // namespace

Ceilings measure_device_ceilings() {
  Ceilings ceilings;
  if (backend_name() == "simt" || devices().empty()) return ceilings;
  Stream stream;
  measure_memory(ceilings, current_device(), stream);
  measure_link(ceilings, stream);
  measure_launches(ceilings, stream);
  return ceilings;
}

}  // namespace warpbench::harness
