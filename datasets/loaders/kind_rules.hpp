// Rules of one kind of data: which queries may lie beside it in files, and which part of it a spec may take.
// A new kind that has either brings its QueryRules in a file beside its loaders and a line in kind_rules.cpp.
#pragma once

#include <filesystem>
#include <string>

#include "datasets/source.hpp"

namespace warpbench::datasets {

/// Queries that lie beside the data, ready to be read.
struct LocatedQueries {
  const QueriesSource& source;
  const Options& options;               // of the queries' format, resolved
  std::string where;                    // the dataset, for messages
  const std::filesystem::path& data;    // the file with the data
  const std::filesystem::path& file;    // the file or folder with the queries
  const std::filesystem::path& counts;  // empty: no published counts
};

class QueryRules {
 public:
  QueryRules() = default;
  QueryRules(const QueryRules&) = delete;
  QueryRules& operator=(const QueryRules&) = delete;
  virtual ~QueryRules() = default;

  /// The kind that data with queries are of.
  [[nodiscard]] virtual Kind gives() const = 0;
  /// Checks the source and sets `options` to those of the queries' format. Reads nothing. Throws InputError.
  virtual void resolve(const std::string& where, const QueriesSource& queries, Options& options) const = 0;
  /// The data with their queries. Throws InputError.
  [[nodiscard]] virtual Content add(Content data, const LocatedQueries& queries, const LoadOptions& options) const = 0;
};

struct KindRules {
  Kind kind = Kind::None;
  std::string first{};                  // what `first: N` counts, the parameter of that transform; empty: refused
  std::string largest{};                // likewise of `largest: N`
  const QueryRules* queries = nullptr;  // nullptr: this kind has no queries in files
};

/// The rules of a kind; those of a kind without any are empty.
[[nodiscard]] const KindRules& rules_of(Kind kind);

}  // namespace warpbench::datasets
