#include "datasets/parameters/property.hpp"

#include <array>
#include <charconv>

namespace warpbench::datasets {

std::string to_string(const Property& value) {
  if (const auto* word = std::get_if<std::string>(&value)) return *word;
  std::array<char, 64> buffer{};
  char* const end = buffer.data() + buffer.size();
  const auto result = std::holds_alternative<double>(value)
                          ? std::to_chars(buffer.data(), end, std::get<double>(value))
                          : std::to_chars(buffer.data(), end, std::get<std::int64_t>(value));
  return {buffer.data(), result.ptr};
}

}  // namespace warpbench::datasets
