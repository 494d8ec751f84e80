// The body of all fuzzers: parses any bytes, and either refuses them with InputError or gives data that keep every
// invariant. Anything else (another exception, a sanitizer report, a hang) is a bug.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <string_view>

#include "datasets/input_error.hpp"
#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets::fuzz {

inline void parse_one(std::string_view bytes, const char* format, const Options& options) {
  if (bytes.empty()) return;  // read_text refuses empty files before any parser
  try {
    const Content content = parse(Text{nullptr, bytes, "fuzz"}, format, options, 1);
    validate(content.data);
  } catch (const InputError& error) {
    if (error.expected().empty() || error.found().empty()) std::abort();  // every message must say both
  }
}

inline void fuzz_snap(std::string_view bytes) {
  for (const char* const header : {"none", "counts", "names"}) parse_one(bytes, "snap", {{"header", header}});
  parse_one(bytes, "edgelist", {{"relabel", "compact"}});
  parse_one(bytes, "snap", {{"strict", "true"}});
}

inline void fuzz_matrix_market(std::string_view bytes) {
  parse_one(bytes, "matrix_market", {});
  parse_one(bytes, "matrix_market", {{"strict", "true"}});
}

inline void fuzz_graph(std::string_view bytes) {
  parse_one(bytes, "graph", {});
}

inline void fuzz_igraph(std::string_view bytes) {
  for (const char* const labels : {"one", "several"}) parse_one(bytes, "igraph", {{"labels", labels}});
}

inline void fuzz_triples(std::string_view bytes) {
  for (const char* const order : {"head_tail_relation", "head_relation_tail"})
    parse_one(bytes, "triples", {{"order", order}});
  parse_one(bytes, "triples", {{"order", "head_relation_tail"}, {"ids", "names"}});
}

inline void fuzz_ntriples(std::string_view bytes) {
  for (const char* const literals : {"drop", "keep"}) parse_one(bytes, "ntriples", {{"literals", literals}});
}

inline void fuzz_texmex(std::string_view bytes) {
  for (const char* const format : {"fvecs", "bvecs", "ivecs"}) parse_one(bytes, format, {});
}

inline void fuzz_idx(std::string_view bytes) {
  parse_one(bytes, "idx", {});
}

inline void fuzz_vectors_text(std::string_view bytes) {
  parse_one(bytes, "vectors_text", {});
  parse_one(bytes, "vectors_text", {{"last_column", "drop"}});
  parse_one(bytes, "vectors_text", {{"first_column", "drop"}, {"last_column", "keep"}});
}

inline void fuzz_transactions(std::string_view bytes) {
  parse_one(bytes, "transactions", {});
  parse_one(bytes, "transactions", {{"first_column", "drop"}, {"blank_lines", "empty_set"}});
}

inline void fuzz_spmf(std::string_view bytes) {
  for (const char* const set : {"ask", "sequence", "itemset"}) parse_one(bytes, "spmf", {{"set", set}});
}

inline void fuzz_bag_of_words(std::string_view bytes) {
  parse_one(bytes, "bag_of_words", {});
}

inline void fuzz_sets_binary(std::string_view bytes) {
  for (const char* const id : {"present", "absent"}) parse_one(bytes, "sets_binary", {{"record_id", id}});
}

inline void fuzz_text_lines(std::string_view bytes) {
  parse_one(bytes, "text_lines", {});
  parse_one(bytes, "text_lines", {{"tokens", "3-grams"}, {"repeats", "merge"}, {"blank_lines", "empty_set"}});
}

inline void fuzz_movielens(std::string_view bytes) {
  for (const char* const relabel : {"compact", "none", "from_one"})
    parse_one(bytes, "movielens", {{"relabel", relabel}});
}

inline void fuzz_netflix(std::string_view bytes) {
  parse_one(bytes, "netflix", {});
}

inline void fuzz_libmf(std::string_view bytes) {
  for (const char* const header : {"none", "counts"}) parse_one(bytes, "libmf", {{"header", header}});
  parse_one(bytes, "libmf", {{"relabel", "compact"}});
}

inline void fuzz_csv(std::string_view bytes) {
  for (const char* const separator : {"comma", "semicolon", "tab", "blank"}) {
    parse_one(bytes, "csv", {{"separator", separator}, {"x", "0"}});
  }
  parse_one(bytes, "csv", {{"header", "names"}, {"a", "age"}});
  parse_one(bytes, "csv_graph", {});
  parse_one(bytes, "csv_graph", {{"source", "1"}, {"target", "0"}, {"separator", "blank"}, {"relabel", "compact"}});
  parse_one(bytes, "csv_ratings", {});
  parse_one(bytes, "csv_ratings", {{"user", "1"}, {"item", "0"}, {"rating", "0"}, {"relabel", "from_one"}});
  parse_one(bytes, "csv_vectors", {{"header", "names"}});
  parse_one(bytes, "csv_vectors", {{"columns", "1 0"}, {"one_per", "0"}});
}

}  // namespace warpbench::datasets::fuzz
