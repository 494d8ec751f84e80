// A named fact about a dataset (vertices, max_degree, …) or a parameter of a generator: a whole
// number, a real number or a word.
#pragma once

#include <concepts>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <variant>

namespace warpbench::datasets {

/// A literal becomes the type it looks like: 2 a whole number, 2.0 a real one, "text" a word.
class Property : public std::variant<std::int64_t, double, std::string> {
 public:
  Property() = default;
  template <std::integral T>
  Property(T value) : variant(static_cast<std::int64_t>(value)) {}
  Property(bool) = delete;
  Property(double value) : variant(value) {}
  Property(std::string value) : variant(std::move(value)) {}
  Property(const char* value) : variant(std::string(value)) {}
};
using Properties = std::map<std::string, Property>;

/// The value as messages and canonical descriptions write it: 12, 0.5, "text". Reals have the shortest form that reads
/// back the same.
[[nodiscard]] std::string to_string(const Property& value);

}  // namespace warpbench::datasets
