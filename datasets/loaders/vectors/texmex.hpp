// The binary formats of the TEXMEX corpus (corpus-texmex.irisa.fr: SIFT1M, GIST1M, BIGANN):
//
//   fvecs   per row: int32 dimension, then that many float32
//   bvecs   the same with uint8
//   ivecs   the same with int32 (usually ground truth; also points)
//
// Little-endian, no header. All rows must have the same dimension, and the file must end with a whole row.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Formats `fvecs`, `bvecs`, `ivecs`. O(bytes / threads).
[[nodiscard]] Content parse_fvecs(const Text& text, const Options& options, int threads);
[[nodiscard]] Content parse_bvecs(const Text& text, const Options& options, int threads);
[[nodiscard]] Content parse_ivecs(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
