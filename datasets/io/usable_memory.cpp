#include "datasets/io/usable_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace warpbench::datasets {

std::int64_t usable_memory_bytes(const std::filesystem::path& cgroup) {
  std::int64_t usable = std::int64_t{::sysconf(_SC_PHYS_PAGES)} * ::sysconf(_SC_PAGESIZE);
  for (const char* const name : {"memory.max", "memory/memory.limit_in_bytes"}) {
    std::ifstream file(cgroup / name);
    // Version 2 writes the word max where there is no limit, and version 1 a number beyond every machine's memory.
    if (std::int64_t limit = 0; file >> limit && limit > 0) usable = std::min(usable, limit);
  }
  return usable;
}

}  // namespace warpbench::datasets
