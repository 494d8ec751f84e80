// The binary formats of the TEXMEX corpus (corpus-texmex.irisa.fr: SIFT1M, GIST1M, BIGANN):
//
//   fvecs   per row: int32 dimension, then so many float32
//   bvecs   … uint8
//   ivecs   … int32 (ground truth, mostly; also points)
//
// Little-endian, no header. Rows must all be of one dimension, and the file must end with a whole row.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Formats `fvecs`, `bvecs`, `ivecs`. O(bytes / threads).
[[nodiscard]] Content parse_fvecs(const Text& text, const Options& options, int threads);
[[nodiscard]] Content parse_bvecs(const Text& text, const Options& options, int threads);
[[nodiscard]] Content parse_ivecs(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
