#include "temporary_directory.hpp"

#include <stdlib.h>

#include <iostream>
#include <stdexcept>
#include <string>
#include <system_error>

namespace warpbench::harness {

TemporaryDirectory::TemporaryDirectory() {
  std::string pattern = (std::filesystem::temp_directory_path() / "warpbench-test-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
  path_ = pattern;
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code error;
  std::filesystem::remove_all(path_, error);
  if (error) std::cerr << path_ << ": " << error.message() << '\n';
}

}  // namespace warpbench::harness
