// Points as delimited text with any columns, and points of interest:
//
//   id,name,lat,lon           a point a line, between commas, semicolons, tabs or blanks
//   17,"Pier 39",37.8,-122.4
//
// Option `columns` names the columns of the coordinates: `lat lon`, `2 3`, `1..784`, or `all`. Unsaid, all columns are
// coordinates, and a table is refused that has a column which is none (words), or which looks like an id: it numbers
// the rows, or its name says so.
//
// A list of check-ins (`user time latitude longitude place`) has a place many times. Option `one_per` names the column
// of the place: only the first row of each place is a point, and repeats_dropped counts the others.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

[[nodiscard]] std::vector<OptionDeclaration> csv_vectors_options();

/// Format `csv_vectors`. O(bytes).
[[nodiscard]] Content parse_csv_vectors(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
