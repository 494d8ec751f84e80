// The checks that the primitives of both backends share.
#include "device/primitives.hpp"

#include <stdexcept>
#include <string>

namespace warpbench::detail {

void require_size(const char* primitive, const char* view, std::int64_t have, std::int64_t need) {
  if (have >= need) return;
  throw std::length_error(std::string(primitive) + ": " + view + " has " + std::to_string(have) + " elements, needs " +
                          std::to_string(need));
}

}  // namespace warpbench::detail
