// What a test counted, as a line of its output that scripts/reliability.sh shows.
#pragma once

#include <iostream>
#include <string>

namespace warpbench::testing {

inline void print_figure(const std::string& figure) {
  std::cout << "figure: " << figure << std::endl;
}

}  // namespace warpbench::testing
