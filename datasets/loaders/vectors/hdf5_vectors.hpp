// HDF5 files of ann-benchmarks (Aumüller, Bernhardsson, Faithfull 2020): a table `train` of points, a table `test` of
// queries, and an attribute `distance`: euclidean, angular (cosine) or dot (inner product).
//
// The HDF5 library reads the file out of memory, so that compressed files serve too. What could lead it elsewhere or
// make it give more than the file holds (external and soft links, external storage, virtual tables, tables never
// written) is refused.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// `metric`: `file` takes the attribute's.
[[nodiscard]] OptionDeclaration hdf5_metric_option();

/// Whether this program was built with the HDF5 library.
[[nodiscard]] bool has_hdf5() noexcept;

/// Format `hdf5`. Throws InputError that names the Debian package where the program was built without HDF5. O(bytes).
[[nodiscard]] Content parse_hdf5(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
