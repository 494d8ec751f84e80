// Shared by the tests of datasets/: the data folder, a temporary folder, text as loaders see it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "datasets/input_error.hpp"
#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets::testing {

inline std::filesystem::path source_dir() {
  return WARPBENCH_SOURCE_DIR;
}

/// $WARPBENCH_DATA; nothing where it is not set, and then the tests of real files are skipped.
inline std::optional<std::filesystem::path> data_dir() {
  const char* const named = std::getenv("WARPBENCH_DATA");
  if (named == nullptr || *named == '\0') return std::nullopt;
  return named;
}

class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "warpbench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  ASSERT_TRUE(file.flush().good()) << path;
}

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline Content parse_string(const std::string& bytes, const std::string& format, const Options& options = {}) {
  return parse(Text{nullptr, bytes, "test"}, format, options, 1);
}

/// The InputError that `action` throws; if it throws none, fails and returns nothing.
template <typename Action>
std::optional<InputError> error_of(Action&& action) {
  try {
    static_cast<void>(action());
  } catch (const InputError& error) {
    return error;
  }
  ADD_FAILURE() << "no InputError was thrown";
  return std::nullopt;
}

inline std::vector<std::uint32_t> row_of(const Csr& graph, Vertex v) {
  const auto row = graph.row(v);
  return {row.begin(), row.end()};
}

using Ids = std::vector<std::uint32_t>;

inline constexpr std::int32_t kLeast = std::numeric_limits<std::int32_t>::min();
inline constexpr std::int32_t kMost = std::numeric_limits<std::int32_t>::max();

inline Ids labels_of(const LabelledGraph& graph, Vertex v) {
  const auto labels = graph.labels(v);
  return {labels.begin(), labels.end()};
}

/// The labels of each edge of v, in the order of its neighbours.
inline std::vector<Ids> labels_of_row(const LabelledGraph& graph, Vertex v) {
  std::vector<Ids> all;
  for (std::uint64_t slot = graph.graph.offsets[v]; slot < graph.graph.offsets[v + std::size_t{1}]; ++slot) {
    const auto labels = graph.slot_labels(slot);
    all.emplace_back(labels.begin(), labels.end());
  }
  return all;
}

}  // namespace warpbench::datasets::testing
