// The values of a set's containment in others, and of theirs in it, as vector instructions.
#pragma once

#include <cstdint>
#include <span>

#include "problems/set_containment/problem.hpp"

namespace warpbench::cpu_sets {

/// value_of() in place: values[i] is the number of tokens that a set of `size` tokens has in common with one of
/// sizes[i], and becomes the pair's value. For the widest instructions of this CPU. O(values / width).
void make_values(SetContainment::Output output, std::uint32_t size, std::span<const std::uint32_t> sizes,
                 std::span<std::uint32_t> values);

}  // namespace warpbench::cpu_sets
