#include "tests/problems/support/real_queries.hpp"

#include "datasets/source.hpp"
#include "tests/datasets/support.hpp"

namespace warpbench::testing {

std::optional<datasets::Dataset> counted_queries(const RealQueries& files, std::int64_t queries) {
  const auto folder = datasets::testing::data_dir();
  if (!folder) return std::nullopt;
  const auto file = [](const std::string& path, const std::string& format) {
    return datasets::FileSource{"subgraph/" + path, format, "", "", "", {}};
  };
  datasets::Source source;
  source.name = files.name;
  source.from = file(files.graph, "graph");
  source.queries = datasets::QueriesSource{file(files.queries, "graph"), queries, files.match, file(files.counts, "")};
  datasets::LoadOptions options;
  options.data_dir = *folder;
  if (!datasets::is_available(source, options)) return std::nullopt;
  return datasets::load(source, options);
}

}  // namespace warpbench::testing
