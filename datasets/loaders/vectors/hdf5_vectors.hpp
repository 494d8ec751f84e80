// HDF5 files of ann-benchmarks (Aumüller, Bernhardsson, Faithfull 2020): a table `train` of points, a table `test` of
// queries, and an attribute `distance`: euclidean, angular (cosine) or dot (inner product).
//
// The HDF5 library reads the file from memory, so that compressed files work too, and in a process of its own, because
// damaged files crash it. Features that refer to other files or yield more than the file holds (external and soft
// links, external storage, virtual tables, tables and chunks never written) are refused.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Option `metric`; its value `file` takes the file's attribute.
[[nodiscard]] OptionDeclaration hdf5_metric_option();

/// Whether this program was built with the HDF5 library.
[[nodiscard]] bool has_hdf5() noexcept;

/// Format `hdf5`. In a program built without HDF5 throws InputError that names the Debian package. O(bytes).
[[nodiscard]] Content parse_hdf5(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
