#include "algorithms/theta_join/select/join_view.hpp"

#include <vector>

namespace warpbench::theta {

void DeviceTuples::pin(const datasets::Relation& relation, Layout layout) {
  const std::int64_t count = relation.count();
  if (layout == Layout::soa) {
    stride_ = 1;
    a_at_ = 0;
    x_at_ = count;
  } else {
    stride_ = layout == Layout::aos ? 3 : 4;
    a_at_ = 1;
    x_at_ = 2;
  }
  std::vector<std::int32_t> words(static_cast<std::size_t>(layout == Layout::soa ? 2 * count : stride_ * count));
  for (std::int64_t i = 0; i < count; ++i) {
    const auto tuple = static_cast<std::size_t>(i * stride_);
    if (layout != Layout::soa) words[tuple] = static_cast<std::int32_t>(i);
    words[tuple + static_cast<std::size_t>(a_at_)] = relation.a[static_cast<std::size_t>(i)];
    words[tuple + static_cast<std::size_t>(x_at_)] = relation.x[static_cast<std::size_t>(i)];
  }
  words_.pin(words);
}

}  // namespace warpbench::theta
