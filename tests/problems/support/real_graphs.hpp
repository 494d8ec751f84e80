// Real graphs for the tests of solvers, where their files are here.
#pragma once

#include <optional>
#include <string>

#include "datasets/source.hpp"
#include "tests/datasets/support.hpp"

namespace warpbench::testing {

/// A graph of $WARPBENCH_DATA/graphs; nothing where it is not there.
inline std::optional<datasets::Csr> real_graph(const std::string& file, const std::string& format) {
  const auto data = datasets::testing::data_dir();
  if (!data) return std::nullopt;
  datasets::Source source;
  source.name = file;
  source.from = datasets::FileSource{"graphs/" + file, format, "", "", "", {}};
  datasets::LoadOptions options;
  options.data_dir = *data;
  if (!datasets::is_available(source, options)) return std::nullopt;
  return datasets::load(source, options).as<datasets::Csr>();
}

}  // namespace warpbench::testing
