// Dataset: the input of a problem, with its name, content digest and properties.
//
// To add a kind of data (a text):
//   1. a model struct in its own header, made of Arrays, with
//        static constexpr Kind kKind; void validate() const; Properties describe() const;
//        template <…> static void visit_arrays(Self&, Visitor&&)   // names and arrays, in fixed order
//   2. its type in Data below.
// Digest, cache and describe then work for it; loaders go into loaders/formats.cpp, generators into
// generators/generators.cpp.
#pragma once

#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include "datasets/graphs/csr.hpp"
#include "datasets/graphs/graph_queries.hpp"
#include "datasets/graphs/labelled_graph.hpp"
#include "datasets/kind.hpp"
#include "datasets/parameters/property.hpp"
#include "datasets/ratings.hpp"
#include "datasets/relations.hpp"
#include "datasets/sets.hpp"
#include "datasets/vectors.hpp"

namespace warpbench::datasets {

using Data =
    std::variant<std::monostate, Csr, LabelledGraph, GraphQueries, VectorSet, SetCollection, Ratings, Relations>;

/// Data and the facts found while making it; passed from loaders and generators to transforms.
struct Content {
  Data data;
  Properties properties;  // self_loops_dropped, duplicates_merged, …
  // Vertex -> id in the file, set -> number in the file, or of ratings user -> id, then item -> id; empty: as in the
  // file.
  Array<std::uint32_t> original_ids;
  Array<char> query_names{};  // one line for each query's file; empty: the queries came from no files
};

struct Dataset {
  std::string name;
  std::string digest;  // digest_of(data): equal exactly if the data are equal
  bool stand_in = false;
  Kind kind = Kind::None;
  Properties properties;
  Data data;
  Array<std::uint32_t> original_ids;  // as in Content; not part of the digest
  Array<char> query_names{};          // as in Content; not part of the digest

  /// The data as a Model (Csr, LabelledGraph, SetCollection, …); throws InputError that names both kinds if they are of
  /// another. A LabelledGraph also serves as a Csr.
  template <typename Model>
  [[nodiscard]] const Model& as() const {
    if (const auto* exact = std::get_if<Model>(&data)) return *exact;
    if constexpr (std::is_same_v<Model, Csr>) {
      if (const auto* labelled = std::get_if<LabelledGraph>(&data)) return labelled->graph;
    }
    throw_wrong_kind(Model::kKind);
  }

  /// The name of each query's file, without its folder, as published answers use it; empty if there are no names.
  [[nodiscard]] std::vector<std::string> names_of_queries() const;

 private:
  [[noreturn]] void throw_wrong_kind(Kind wanted) const;
};

[[nodiscard]] Kind kind_of(const Data& data) noexcept;

/// XXH3-128 in 32 hex digits over the kind's name and, for every array in canonical order, its name,
/// element size, count and little-endian bytes. O(bytes), about 10 GB/s.
[[nodiscard]] std::string digest_of(const Data& data);

/// Model::describe() of the data.
[[nodiscard]] Properties describe(const Data& data);

/// Model::validate() of the data.
void validate(const Data& data);

}  // namespace warpbench::datasets
