// Real data graphs with queries whose numbers of matches others have published, for the tests of subgraph_matching.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "datasets/dataset.hpp"

namespace warpbench::testing {

/// Files under $WARPBENCH_DATA/subgraph.
struct RealQueries {
  std::string name;
  std::string graph;
  std::string queries;  ///< a folder or .tar.gz
  std::string counts;   ///< lines `query count` or `query:count`
  std::string match;    ///< of the queries those whose file's name begins so; "": all
};

inline void PrintTo(const RealQueries& one, std::ostream* out) {
  *out << one.name;
}

inline const RealQueries kRealQueries[] = {
    {"hprd_dense_16", "hprd/HPRD.graph", "hprd/query_graph", "hprd/expected_output.res", ""},
    {"yeast_dense_4", "yeast/yeast.graph", "yeast/query_graphs.1-100.tar.gz", "yeast/yeast_ans.txt", "query_dense_4_"},
    {"yeast_dense_8", "yeast/yeast.graph", "yeast/query_graphs.1-100.tar.gz", "yeast/yeast_ans.txt", "query_dense_8_"},
    {"yeast_sparse_8", "yeast/yeast.graph", "yeast/query_graphs.1-100.tar.gz", "yeast/yeast_ans.txt",
     "query_sparse_8_"},
    {"yeast_dense_16", "yeast/yeast.graph", "yeast/query_graphs.1-100.tar.gz", "yeast/yeast_ans.txt",
     "query_dense_16_"},
    {"yeast_dense_32", "yeast/yeast.graph", "yeast/query_graphs.1-100.tar.gz", "yeast/yeast_ans.txt",
     "query_dense_32_"},
    {"human", "human/human.graph.gz", "human/query_graphs.1-20.tar.gz", "human/counts-of-five.res", ""}};

/// The first `queries` of those whose number of matches is published, and those numbers; nothing where the files are
/// not there.
[[nodiscard]] std::optional<datasets::Dataset> counted_queries(const RealQueries& files, std::int64_t queries);

}  // namespace warpbench::testing
