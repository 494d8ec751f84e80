// Points for nearest-neighbour search: clusters like those of real descriptors, and uniform points.
//
// Coordinates are sums of whole numbers that doubles hold exactly, so a set is bitwise the same on any number of
// threads and any machine, with or without fused multiply-add.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/array_room.hpp"
#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// points, queries, dimension, metric and scale.
[[nodiscard]] std::vector<ParameterDeclaration> vector_parameters();
/// clusters, intrinsic_dimension, spread.
[[nodiscard]] std::vector<ParameterDeclaration> cluster_parameters();

/// `clustered`: each of `clusters` clusters is a linear map of Gaussian points of `intrinsic_dimension` dimensions into
/// `dimension` ones, plus noise of 1/16 of their size. Half of each map's variance comes from a map that all clusters
/// share. The centres lie in the image of that map, `spread` times as far apart as two points of one cluster, so
/// clusters overlap, and points between them have neighbours in several, as in real descriptors. Cluster sizes fall as
/// (k + 1)^-0.3. Queries are drawn like points. A coordinate's standard deviation within a cluster is about 1.
/// O((points + queries + clusters) × dimension × intrinsic_dimension / threads).
[[nodiscard]] Content generate_clustered(const Properties& values, std::uint64_t seed, int threads);
/// The same, with points and queries drawn straight into room of the caller.
[[nodiscard]] Content generate_clustered_into(const Properties& values, std::uint64_t seed, int threads,
                                              const MakeRoom& make_room);

/// `uniform_vectors`: points and queries uniform in [0, 1)^dimension, in multiples of 2^-24.
[[nodiscard]] Content generate_uniform_vectors(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
