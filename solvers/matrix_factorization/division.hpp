// The non-uniform division of the matrix of ratings between CPU threads and GPUs (yu2023 §3.4.2): the first rows are
// R_g, the GPUs' part, the others R_c, that of the CPU. Both have the same columns.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/integers.hpp"
#include "solvers/matrix_factorization/rating_grid.hpp"

namespace warpbench::matrix_factorization {

/// The numbers of bands for n_c CPU threads and n_g >= 1 GPUs.
struct Division {
  std::int64_t threads = 1;
  std::int64_t gpus = 1;
  std::int64_t cpu_factor = 1;  ///< R_c has so many times the document's rows

  /// A GPU knows its current and its next block, and one column stays free.
  [[nodiscard]] std::int64_t columns() const { return threads + 2 * gpus + 1; }
  /// Bands of R_c, with one for each GPU that comes to help.
  [[nodiscard]] std::int64_t cpu_rows() const { return cpu_factor * (threads + gpus); }
  /// Bands of a GPU's row, so that there is one for each worker when threads come to help.
  [[nodiscard]] std::int64_t sub_rows() const { return ceil_div(threads + gpus, gpus); }
  /// Bands of R_g.
  [[nodiscard]] std::int64_t gpu_rows() const { return gpus * sub_rows(); }
  [[nodiscard]] std::int64_t rows() const { return gpu_rows() + cpu_rows(); }
};

/// The division for the most threads, up to those wanted, and the greatest factor up to the wanted one, whose bands are
/// no more than users and items and whose blocks are no more than ratings; for one thread where none is. More blocks
/// than that are empty, and only take time to be looked at.
[[nodiscard]] Division fitting(Division wanted, std::int64_t users, std::int64_t items, std::int64_t ratings);

/// The ratings of each row of P or Q: ids[i] is the user or item of rating i, places[id] its row. O(ratings + rows).
[[nodiscard]] std::vector<std::int64_t> ratings_of_places(std::span<const std::uint32_t> ids,
                                                          std::span<const std::uint32_t> places);

/// Where the bands begin that cut rows with so many ratings each into `bands` parts of about as many ratings, and the
/// number of rows: bands + 1 numbers. Some bands are empty where a row has more ratings than a part. O(rows + bands).
[[nodiscard]] std::vector<std::int64_t> weighted_bands(std::span<const std::int64_t> ratings, std::int64_t bands);

/// The bands of users: those of R_g, which has a share α of the ratings as nearly as whole rows allow, then those of
/// R_c. rows() + 1 numbers. O(users + rows).
[[nodiscard]] std::vector<std::int64_t> divided_users(std::span<const std::int64_t> ratings, const Division& division,
                                                      double share);

}  // namespace warpbench::matrix_factorization
