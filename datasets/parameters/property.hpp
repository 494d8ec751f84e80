// A named fact about a dataset (vertices, max_degree, …) or a parameter of a generator: a whole
// number, a real number or a word.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace warpbench::datasets {

using Property = std::variant<std::int64_t, double, std::string>;
using Properties = std::map<std::string, Property>;

/// The value as messages and canonical descriptions write it: 12, 0.5, "text". Reals have the shortest form that reads
/// back the same.
[[nodiscard]] std::string to_string(const Property& value);

}  // namespace warpbench::datasets
