#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "solvers/sets/containment_values.cpp"
#include <hwy/foreach_target.h>  // includes this file once for each other target, and goes on with the last
#include <hwy/highway.h>

#include "solvers/sets/containment_values.hpp"

HWY_BEFORE_NAMESPACE();
namespace warpbench::cpu_sets::HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

using Tag = hn::ScalableTag<std::uint32_t>;
using Block = hn::Vec<Tag>;

/// Below 2^31, which the instructions for signed integers round alike.
HWY_INLINE auto as_float(Block numbers) {
  return hn::ConvertTo(hn::RebindToFloat<Tag>(), hn::BitCast(hn::RebindToSigned<Tag>(), numbers));
}

template <SetContainment::Output kOutput>
HWY_INLINE Block value(Block common, Block smaller) {
  const Tag tag;
  if constexpr (kOutput == SetContainment::Output::contained) {
    return hn::IfThenElseZero(hn::Eq(common, smaller), hn::Set(tag, 1U));
  } else {
    const hn::RebindToFloat<Tag> floats;
    const Block degree = hn::BitCast(tag, hn::Div(as_float(common), as_float(smaller)));
    return hn::IfThenElse(hn::Eq(smaller, hn::Zero(tag)), hn::BitCast(tag, hn::Set(floats, 1.0F)), degree);
  }
}

/// As many values as make whole blocks. Returns their number.
template <SetContainment::Output kOutput>
std::size_t make_blocks(std::uint32_t size, std::span<const std::uint32_t> sizes, std::span<std::uint32_t> values) {
  const Tag tag;
  const std::size_t width = hn::Lanes(tag);
  const Block own = hn::Set(tag, size);
  std::size_t i = 0;
  for (; i + width <= values.size(); i += width) {
    const Block smaller = hn::Min(own, hn::LoadU(tag, &sizes[i]));
    hn::StoreU(value<kOutput>(hn::LoadU(tag, &values[i]), smaller), tag, &values[i]);
  }
  return i;
}

std::size_t make_degrees(std::uint32_t size, std::span<const std::uint32_t> sizes, std::span<std::uint32_t> values) {
  return make_blocks<SetContainment::Output::degree>(size, sizes, values);
}
std::size_t make_contained(std::uint32_t size, std::span<const std::uint32_t> sizes, std::span<std::uint32_t> values) {
  return make_blocks<SetContainment::Output::contained>(size, sizes, values);
}

}  // namespace
}  // namespace warpbench::cpu_sets::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace warpbench::cpu_sets {

HWY_EXPORT(make_degrees);
HWY_EXPORT(make_contained);

void make_values(SetContainment::Output output, std::uint32_t size, std::span<const std::uint32_t> sizes,
                 std::span<std::uint32_t> values) {
  constexpr std::uint32_t kLargestSigned = 0x7fffffff;
  std::size_t made = 0;
  if (size <= kLargestSigned) {
    made = output == SetContainment::Output::degree ? HWY_DYNAMIC_DISPATCH(make_degrees)(size, sizes, values)
                                                    : HWY_DYNAMIC_DISPATCH(make_contained)(size, sizes, values);
  }
  for (; made < values.size(); ++made) values[made] = value_of(output, values[made], size, sizes[made]);
}

}  // namespace warpbench::cpu_sets
#endif
