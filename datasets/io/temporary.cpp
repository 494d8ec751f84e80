#include "datasets/io/temporary.hpp"

#include <fcntl.h>

#include <string>

namespace warpbench::datasets {

Descriptor create_temporary(const std::filesystem::path& target, std::filesystem::path& name) {
  constexpr int kNames = 100;  // files of killed programs with the same process id may be left
  const std::string stem = target.string() + ".tmp." + std::to_string(::getpid());
  Descriptor file;
  for (int attempt = 0; attempt < kNames && !file.open(); ++attempt) {
    name = attempt == 0 ? stem : stem + '.' + std::to_string(attempt);
    file = Descriptor(::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!file.open() && errno != EEXIST && errno != EINTR) break;
  }
  return file;
}

}  // namespace warpbench::datasets
