// The 128-bit product of two 64-bit words, for which the standard has no type.
#pragma once

namespace warpbench::datasets {

__extension__ using Wide = unsigned __int128;

}  // namespace warpbench::datasets
