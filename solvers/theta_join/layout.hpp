// How tuples lie in memory (bellas2022 §3.3, Listings 3.1, 3.2 and 3.4).
#pragma once

#include <cstdint>
#include <string>

#include "problems/parameters.hpp"

namespace warpbench::theta {

enum class Layout {
  aos,         ///< an array of structs of 12 bytes
  aos_padded,  ///< … padded to 16, of which two fill a sector of 32 bytes
  soa          ///< an array for each field
};

/// Listing 3.1.
struct Tuple {
  std::int32_t id = 0;
  std::int32_t a = 0;
  std::int32_t x = 0;
};

/// Listing 3.4.
struct alignas(16) PaddedTuple {
  std::int32_t id = 0;
  std::int32_t a = 0;
  std::int32_t x = 0;
  std::int32_t padding = 0;
};

/// The parameter `layout`, of stage prepare.
[[nodiscard]] inline ParameterSpec layout_parameter(const char* default_layout) {
  return parameter("layout", default_layout)
      .one_of({"aos", "aos_padded", "soa"})
      .at(Stage::prepare)
      .means("tuples on the device: structs of 12 bytes, structs padded to 16 bytes, or an array for each field");
}
[[nodiscard]] inline Layout layout_of(const Parameters& parameters) {
  const std::string& name = parameters.text("layout");
  if (name == "soa") return Layout::soa;
  return name == "aos" ? Layout::aos : Layout::aos_padded;
}

}  // namespace warpbench::theta
