// Shared by the loaders of vectors: the metric option, and rows that become a VectorSet.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/loaders/formats.hpp"
#include "datasets/loaders/row_numbers.hpp"

namespace warpbench::datasets {

/// Option `metric`: files do not say for which distance their points are meant.
[[nodiscard]] OptionDeclaration metric_option();

/// The metric that resolved options name.
[[nodiscard]] Metric metric_of(const Options& options);

/// Rows of `dimension` coordinates each.
[[nodiscard]] Content vectors_content(std::size_t dimension, Metric metric, std::vector<float> points,
                                      std::vector<float> queries = {});

/// Why a column of points, which `seen` saw, looks like ids, in words; "" if it does not. It does if it numbers the
/// rows, or if its whole numbers only rise or fall and the other columns have fractions, repeated values or another
/// range. O(points log points) for a column that rises or falls.
[[nodiscard]] std::string why_an_id(std::span<const float> points, std::size_t dimension, std::size_t column,
                                    const RowNumbers& seen);

/// Throws at byte `offset` of the file if there are no rows, or more than vertex ids can name.
void check_rows(const Text& text, std::uint64_t offset, std::uint64_t rows);

/// `value` as a float; throws at byte `offset` if it is not finite or too large for a float.
float finite_coordinate(const Text& text, std::uint64_t offset, double value, std::uint64_t row,
                        std::uint64_t coordinate);

}  // namespace warpbench::datasets
