// Matrix Market (NIST) coordinate files, as in the SuiteSparse collection, read as graphs.
//
// A square matrix A becomes the undirected pattern of A | A^T without its diagonal: an edge {i, j} wherever A(i, j) or
// A(j, i) is stored. Fields pattern, integer, real and complex are read, their values checked and dropped; a stored
// zero counts as stored. general, symmetric, skew-symmetric and hermitian are accepted; for the latter three all
// entries must be in the lower triangle, as the format demands. Diagonal entries count as self_loops_dropped, a pair
// stored twice as duplicates_merged. `strict: true` refuses both, and so a general matrix that stores both directions.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `matrix_market`. O(bytes), 8 bytes per entry plus build_csr's.
[[nodiscard]] Content parse_matrix_market(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
