#include "datasets/loaders/vectors/query_vectors.hpp"

#include "datasets/input_error.hpp"
#include "datasets/loaders/source_file.hpp"
#include "datasets/transforms/vectors.hpp"

namespace warpbench::datasets {
namespace {

class QueryVectorRules final : public QueryRules {
 public:
  Kind gives() const override { return Kind::Vectors; }

  void resolve(const std::string& where, const QueriesSource& queries, Options& options) const override {
    if (const Kind kind = resolve_file(where, queries.file, options); kind != Kind::Vectors) {
      throw InputError(where, 0, "kind vectors", std::string(to_string(kind)));
    }
    if (queries.file.options.contains("metric")) {
      throw InputError(where, 0, "no option \"metric\", as the points' holds",
                       '"' + queries.file.options.at("metric") + '"');
    }
    refuse_keys_of_graphs(where, queries);
    options["metric"] = to_string(Metric::euclidean);  // any metric will do: only the rows are used
  }

  Content add(Content data, const LocatedQueries& located, const LoadOptions& options) const override {
    auto& points = std::get<VectorSet>(data.data);
    const std::int64_t first = located.source.first;
    const std::string file = located.file.string();
    if (!points.queries.empty()) {
      throw InputError(located.where, 0, "queries from one place",
                       "queries in " + located.data.string() + " and " + file);
    }
    const Content content = parse_file(located.source.file, located.options, located.file, options);
    const auto& queries = std::get<VectorSet>(content.data);
    if (queries.dimension() != points.dimension()) {
      throw InputError(file, 0, "queries of dimension " + std::to_string(points.dimension()) + ", that of the points",
                       std::to_string(queries.dimension()));
    }
    if (queries.count() < first) {
      throw InputError(file, 0, "at least " + std::to_string(first) + " queries", std::to_string(queries.count()));
    }
    points.queries = first == 0 ? queries.points : first_rows(queries.points, queries.dimension(), first);
    return data;
  }
};

}  // namespace

const QueryRules& query_vector_rules() {
  static const QueryVectorRules kRules;
  return kRules;
}

}  // namespace warpbench::datasets
