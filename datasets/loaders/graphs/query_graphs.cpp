#include "datasets/loaders/graphs/query_graphs.hpp"

#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/loaders/graphs/query_counts.hpp"
#include "datasets/loaders/graphs/query_files.hpp"
#include "datasets/loaders/source_file.hpp"

namespace warpbench::datasets {
namespace {

/// The files at `located.file` that the source selects; with published counts, only those that have one.
std::vector<QueryFile> wanted_files(const LocatedQueries& located, const QueryCounts& counts,
                                    const LoadOptions& options) {
  std::vector<QueryFile> files =
      read_query_files(located.file, located.source.file.member, located.source.match, options.max_inflation);
  if (!located.source.counts) return files;
  std::erase_if(files, [&](const QueryFile& file) { return !counts.contains(stem_of(file.name)); });
  if (files.empty()) {
    throw InputError(located.counts.string(), 0, "counts of queries in " + located.file.string(), "none of any");
  }
  return files;
}

class QueryGraphRules final : public QueryRules {
 public:
  Kind gives() const override { return Kind::GraphQueries; }

  void resolve(const std::string& where, const QueriesSource& queries, Options& options) const override {
    static_cast<void>(resolve_file(where, queries.file, options));
    if (queries.file.format != "graph" && queries.file.format != "igraph") {
      throw InputError(where, 0, "queries in format graph or igraph", '"' + queries.file.format + '"',
                       "say format: graph");
    }
    if (!queries.match.empty() && !queries.file.member.empty()) {
      throw InputError(where, 0, "\"member\", one file of an archive, or \"match\"", "both");
    }
  }

  Content add(Content data, const LocatedQueries& located, const LoadOptions& options) const override {
    const QueriesSource& source = located.source;
    const std::string where = located.file.string();
    if (!std::filesystem::is_directory(located.file)) {
      check_sha256(source.file, located.file, options);
    } else if (!source.file.sha256.empty() || !source.file.member.empty()) {
      throw InputError(where, 0, "of a folder of queries neither \"sha256\" nor \"member\"",
                       source.file.sha256.empty() ? "a member" : "a sha256");
    }
    QueryCounts counts;
    if (source.counts) {
      check_sha256(*source.counts, located.counts, options);
      counts = parse_query_counts(read_text(located.counts, {}, options.max_inflation));
    }
    const std::vector<QueryFile> files = wanted_files(located, counts, options);
    Content with_queries = with_query_files(std::move(std::get<LabelledGraph>(data.data)), files, source.first,
                                            {source.file.format, located.options}, where);
    if (source.counts) {
      auto& graphs = std::get<GraphQueries>(with_queries.data);
      std::vector<std::uint64_t> published;
      for (std::size_t i = 0; i < static_cast<std::size_t>(graphs.count()); ++i) {
        published.push_back(counts.find(stem_of(files[i].name))->second);
      }
      graphs.published_counts = std::move(published);
    }
    data.data = std::move(with_queries.data);
    data.query_names = std::move(with_queries.query_names);
    return data;
  }
};

}  // namespace

const QueryRules& query_graph_rules() {
  static const QueryGraphRules kRules;
  return kRules;
}

}  // namespace warpbench::datasets
