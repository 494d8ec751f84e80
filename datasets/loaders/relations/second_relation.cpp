#include "datasets/loaders/relations/second_relation.hpp"

#include <string>

#include "datasets/input_error.hpp"
#include "datasets/loaders/source_file.hpp"
#include "datasets/transforms/relations.hpp"

namespace warpbench::datasets {
namespace {

class SecondRelationRules final : public QueryRules {
 public:
  Kind gives() const override { return Kind::Relation; }

  void resolve(const std::string& where, const QueriesSource& second, Options& options) const override {
    Options own;
    if (const Kind kind = resolve_file(where, second.file, own); kind != Kind::Relation) {
      throw InputError(where, 0, "kind relation", std::string(to_string(kind)));
    }
    if (!second.file.options.empty()) options = own;
    refuse_keys_of_graphs(where, second);
  }

  Content add(Content data, const LocatedQueries& located, const LoadOptions& options) const override {
    const Content content = parse_file(located.source.file, located.options, located.file, options);
    const Relation& second = std::get<Relations>(content.data).r;
    const std::int64_t first = located.source.first;
    if (second.count() < first) {
      throw InputError(located.file.string(), 0, "at least " + std::to_string(first) + " tuples",
                       std::to_string(second.count()));
    }
    std::get<Relations>(data.data).s = first == 0 ? second : first_tuples(second, first);
    return data;
  }
};

}  // namespace

const QueryRules& second_relation_rules() {
  static const SecondRelationRules kRules;
  return kRules;
}

}  // namespace warpbench::datasets
