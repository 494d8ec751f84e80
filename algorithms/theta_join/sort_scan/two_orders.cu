#include "algorithms/theta_join/sort_scan/two_orders.cuh"

#include "algorithms/theta_join/sort_scan/wavelet.cuh"
#include "device/primitives.hpp"

namespace warpbench::theta {

TwoOrders::TwoOrders(std::int64_t size, Stream& stream)
    : first(size, stream),
      second(size, stream),
      places(size, stream),
      ranks(size, stream),
      numbers_(size, stream),
      unsorted_(size, stream),
      places_of_ranks_(size, stream) {}

void TwoOrders::sort(View<const std::int32_t> first_keys, View<const std::int32_t> second_keys, Stream& stream) {
  iota(numbers_.view(), stream);
  sort_pairs(first_keys, first.view(), numbers_.view(), places.view(), stream);
  gather(places.view(), second_keys, unsorted_.view(), stream);
  sort_pairs(unsorted_.view(), second.view(), numbers_.view(), places_of_ranks_.view(), stream);
  ranks_of_places(places_of_ranks_.view(), ranks.view(), stream);
}

}  // namespace warpbench::theta
