// MNIST as vectors, for the tests of recall on real data. It is not part of the project: a test skips where it is not.
#pragma once

#include <zlib.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/datasets/support.hpp"
#include "tests/problems/support/vectors.hpp"

namespace warpbench::testing {

/// The first `count` images of an IDX file of the data's folder, 784 bytes each; nothing where there is no such file.
inline std::optional<std::vector<float>> mnist_images(const std::string& name, std::size_t count) {
  const auto data = datasets::testing::data_dir();
  gzFile file = data ? gzopen((*data / "vectors" / name).c_str(), "rb") : nullptr;
  if (file == nullptr) return std::nullopt;
  std::vector<unsigned char> bytes(16 + 784 * count);
  const int read = gzread(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  if (read != static_cast<int>(bytes.size())) throw std::runtime_error(name + " holds fewer images than asked for");
  return std::vector<float>{bytes.begin() + 16, bytes.end()};
}

/// The first training images as points and the first test images as queries; nothing where they are not here.
inline std::optional<VectorSet> mnist(std::size_t points, std::size_t queries) {
  std::optional<std::vector<float>> train = mnist_images("mnist-train-images-idx3-ubyte.gz", points);
  std::optional<std::vector<float>> test = mnist_images("mnist-t10k-images-idx3-ubyte.gz", queries);
  if (!train || !test) return std::nullopt;
  return vectors_of(784, *std::move(train), *std::move(test));
}

}  // namespace warpbench::testing
