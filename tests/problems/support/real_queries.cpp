#include "tests/problems/support/real_queries.hpp"

#include <algorithm>
#include <fstream>
#include <map>

#include "datasets/source.hpp"
#include "tests/datasets/support.hpp"

namespace warpbench::testing {
namespace {

/// By the query's name, without the file's extension.
std::map<std::string, std::uint64_t> published(const std::filesystem::path& path) {
  std::map<std::string, std::uint64_t> counts;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    const std::size_t end = line.find_first_of(": ");
    if (end != std::string::npos) counts[line.substr(0, line.find_first_of(".: "))] = std::stoull(line.substr(end + 1));
  }
  return counts;
}

}  // namespace

std::optional<CountedQueries> counted_queries(const RealQueries& files, std::size_t queries) {
  const auto folder = datasets::testing::data_dir();
  if (!folder) return std::nullopt;
  const auto graph_file = [](const std::string& path) {
    return datasets::FileSource{"subgraph/" + path, "graph", "", "", "", {}};
  };
  datasets::Source source;
  source.name = files.name;
  source.from = graph_file(files.graph);
  source.queries = datasets::QueriesSource{graph_file(files.queries), 0, files.match};
  datasets::LoadOptions options;
  options.data_dir = *folder;
  if (!datasets::is_available(source, options)) return std::nullopt;
  CountedQueries result;
  result.dataset = datasets::load(source, options);
  const auto all = result.dataset.as<datasets::GraphQueries>();
  const auto names = result.dataset.names_of_queries();
  const auto counts = published(*folder / "subgraph" / files.counts);
  std::vector<datasets::LabelledGraph> kept;
  for (std::size_t i = 0; i < names.size() && kept.size() < queries; ++i) {
    const auto known = counts.find(names[i].substr(0, names[i].find('.')));
    if (known == counts.end()) continue;
    kept.push_back(all.query(static_cast<std::int64_t>(i)));
    result.reference.counts.push_back(known->second);
  }
  result.dataset.data = datasets::with_queries(all.data, kept);
  return result;
}

}  // namespace warpbench::testing
