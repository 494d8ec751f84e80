// Rules of one kind of data: which queries its files may have, and which part of it a spec may select. A new kind with
// such rules adds its QueryRules in a file beside its loaders and a line in kind_rules.cpp.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/source.hpp"

namespace warpbench::datasets {

/// Queries in files beside the data, ready to be read.
struct LocatedQueries {
  const QueriesSource& source;
  const Options& options;               // resolved options of the queries' format
  const Options& data_options;          // resolved options of the data's format
  std::string where;                    // name of the dataset, for messages
  const std::filesystem::path& data;    // file with the data
  const std::filesystem::path& file;    // file or folder with the queries
  const std::filesystem::path& counts;  // file with the published counts; empty: none
};

class QueryRules {
 public:
  QueryRules() = default;
  QueryRules(const QueryRules&) = delete;
  QueryRules& operator=(const QueryRules&) = delete;
  virtual ~QueryRules() = default;

  /// The kind of data with queries.
  [[nodiscard]] virtual Kind gives() const = 0;
  /// Checks the source and sets `options`, the resolved ones of the data's file, to those of the queries' file. Reads
  /// nothing. Throws InputError.
  virtual void resolve(const std::string& where, const QueriesSource& queries, Options& options) const = 0;
  /// The data with their queries. Throws InputError.
  [[nodiscard]] virtual Content add(Content data, const LocatedQueries& queries, const LoadOptions& options) const = 0;
};

struct KindRules {
  Kind kind = Kind::None;
  std::string first{};    // the parameter that `first: N` sets in the transform of that name; empty: refused
  std::string largest{};  // the parameter that `largest: N` sets; empty: refused
  const QueryRules* queries = nullptr;  // nullptr: this kind has no queries in files
  std::string queries_key = "queries";  // the key that names their file
};

/// The keys that name a second file in registry entries and specs: those of all kinds.
[[nodiscard]] const std::vector<std::string>& second_file_keys();

/// Refuses `match` and `counts`, which are of query graphs alone.
void refuse_keys_of_graphs(const std::string& where, const QueriesSource& queries);

/// The rules of a kind; empty if it has none.
[[nodiscard]] const KindRules& rules_of(Kind kind);

}  // namespace warpbench::datasets
