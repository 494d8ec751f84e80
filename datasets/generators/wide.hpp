// The 128-bit product of two 64-bit words, which the standard has no name for.
#pragma once

namespace warpbench::datasets {

__extension__ using Wide = unsigned __int128;

}  // namespace warpbench::datasets
