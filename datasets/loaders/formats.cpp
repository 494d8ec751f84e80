#include "datasets/loaders/formats.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "datasets/input_error.hpp"
#include "datasets/loaders/graphs/csv_graph.hpp"
#include "datasets/loaders/graphs/edge_list.hpp"
#include "datasets/loaders/graphs/igraph.hpp"
#include "datasets/loaders/graphs/labelled_graph.hpp"
#include "datasets/loaders/graphs/matrix_market.hpp"
#include "datasets/loaders/graphs/ntriples.hpp"
#include "datasets/loaders/graphs/triples.hpp"
#include "datasets/loaders/name_numbers.hpp"
#include "datasets/loaders/ratings/csv_ratings.hpp"
#include "datasets/loaders/ratings/libmf.hpp"
#include "datasets/loaders/ratings/movielens.hpp"
#include "datasets/loaders/ratings/netflix.hpp"
#include "datasets/loaders/ratings/rating_rows.hpp"
#include "datasets/loaders/relations/csv.hpp"
#include "datasets/loaders/sets/bag_of_words.hpp"
#include "datasets/loaders/sets/set_rows.hpp"
#include "datasets/loaders/sets/sets_binary.hpp"
#include "datasets/loaders/sets/spmf.hpp"
#include "datasets/loaders/sets/text_lines.hpp"
#include "datasets/loaders/sets/transactions.hpp"
#include "datasets/loaders/vectors/csv_vectors.hpp"
#include "datasets/loaders/vectors/hdf5_vectors.hpp"
#include "datasets/loaders/vectors/idx.hpp"
#include "datasets/loaders/vectors/texmex.hpp"
#include "datasets/loaders/vectors/vector_rows.hpp"
#include "datasets/loaders/vectors/vectors_text.hpp"

namespace warpbench::datasets {
namespace {

OptionDeclaration strict_option() {
  return {"strict", {"false", "true"}, "refuse self-loops and repeated edges instead of dropping and counting them"};
}

std::vector<OptionDeclaration> edge_list_options(const std::string& trailing, const std::string& other) {
  return {{"header",
           {"none", "counts", "names"},
           "the first line that is no comment: an edge; `vertices edges`; or column names"},
          {"relabel",
           {"none", "compact"},
           "keep ids (vertices = highest id + 1), or number the ids that occur from 0, ascending"},
          {"trailing", {trailing, other}, "what to do with fields after the two ids"},
          strict_option()};
}

std::vector<Format> vector_formats() {
  const std::string meaning =
      "drop: it is the object's id, no coordinate; ask: keep, but refuse one that looks like it";
  const OptionDeclaration first{"first_column", {"ask", "keep", "drop"}, meaning};
  const OptionDeclaration last{"last_column", {"ask", "keep", "drop"}, meaning};
  return {
      {"fvecs", Kind::Vectors, "TEXMEX: int32 dimension, then float32, per row", {metric_option()}, &parse_fvecs, true},
      {"bvecs", Kind::Vectors, "TEXMEX: int32 dimension, then uint8, per row", {metric_option()}, &parse_bvecs, true},
      {"ivecs", Kind::Vectors, "TEXMEX: int32 dimension, then int32, per row", {metric_option()}, &parse_ivecs, true},
      {"idx",
       Kind::Vectors,
       "IDX of MNIST; the sizes after the first are one dimension",
       {metric_option()},
       &parse_idx,
       true},
      {"vectors_text",
       Kind::Vectors,
       "a point a line, coordinates separated by blanks, tabs or commas",
       {metric_option(), first, last},
       &parse_vectors_text},
      {"hdf5",
       Kind::Vectors,
       "HDF5 of ann-benchmarks: tables train and test, attribute distance",
       {hdf5_metric_option()},
       &parse_hdf5,
       true}};
}

std::vector<Format> set_formats() {
  return {{"transactions",
           Kind::Sets,
           "a set a line, its tokens as whole numbers separated by blanks (FIMI)",
           {first_column_option(), {"blank_lines", {"skip", "empty_set"}, "what a line without tokens is"}},
           &parse_transactions},
          {"bag_of_words",
           Kind::Sets,
           "UCI docword: documents, words, lines; then `document word count` per line",
           {},
           &parse_bag_of_words},
          {"sets_binary",
           Kind::Sets,
           "32-bit words: a number, a size, then so many tokens, per set",
           {{"record_id", {"present", "absent"}, "whether each set has its number before its size"}},
           &parse_sets_binary,
           true},
          {"spmf",
           Kind::Sets,
           "SPMF: a sequence a line, -1 after each itemset, -2 at the end; or a transaction a line",
           {{"set",
             {"ask", "sequence", "itemset"},
             "what becomes a set; ask: the sequence, unless its itemsets have several items"},
            first_column_option()},
           &parse_spmf},
          {"text_lines",
           Kind::Sets,
           "a set a line of text: its words, or the pieces of q adjacent characters",
           {{"tokens", {"words", "2-grams", "3-grams", "4-grams"}, "what a line is cut into"},
            {"repeats", {"count", "merge"}, "count: a line's second \"a\" is another token than its first"},
            {"blank_lines", {"skip", "empty_set"}, "what a line without text is"}},
           &parse_text_lines}};
}

std::vector<Format> rating_formats() {
  return {{"movielens",
           Kind::Ratings,
           "MovieLens: user, item, rating and time between :: (ratings.dat), commas (ratings.csv) or tabs (u.data)",
           {relabel_option(RatingIds::compact)},
           &parse_movielens},
          {"netflix",
           Kind::Ratings,
           "Netflix Prize: a line `movie:`, then `customer,rating,day` a rating",
           {relabel_option(RatingIds::compact)},
           &parse_netflix},
          {"libmf",
           Kind::Ratings,
           "LIBMF: `row column value` a rating",
           {relabel_option(RatingIds::none),
            {"header", {"none", "counts"}, "the first line: a rating; or `rows columns entries`"}},
           &parse_libmf}};
}

/// Delimited text as data of each kind that may come so.
std::vector<Format> csv_formats() {
  return {{"csv_graph", Kind::Graph, "delimited text: an edge a line, two columns of ids are read", csv_graph_options(),
           &parse_csv_graph},
          {"csv_ratings", Kind::Ratings, "delimited text: a rating a line, columns of user, item and rating are read",
           csv_ratings_options(), &parse_csv_ratings},
          {"csv_vectors", Kind::Vectors, "delimited text: a point a line, chosen columns are its coordinates",
           csv_vectors_options(), &parse_csv_vectors},
          {"csv", Kind::Relation, "delimited text: a tuple a line, two columns of numbers are read", csv_options(),
           &parse_csv}};
}

std::vector<Format> make_formats() {
  std::vector<Format> all{
      {"snap", Kind::Graph, "edge list of SNAP: `u v` or `u,v` per line, # and % comments",
       edge_list_options("refuse", "ignore"), &parse_edge_list},
      {"edgelist", Kind::Graph, "edge list of NetworkX: `u v {…}` per line; what follows the ids is ignored",
       edge_list_options("ignore", "refuse"), &parse_edge_list},
      {"matrix_market",
       Kind::Graph,
       "square coordinate matrix A, read as the undirected pattern of A | A^T",
       {strict_option()},
       &parse_matrix_market},
      {"graph",
       Kind::LabelledGraph,
       "labelled graph: `t V E`, `v id label[,label…] degree`, `e u v [label]`",
       {},
       &parse_labelled_graph},
      {"igraph",
       Kind::LabelledGraph,
       "labelled graph without degrees: `t # 0`, `v id label`, `e u v [label]`",
       {{"labels", {"one", "several"}, "several: all numbers after a vertex's id are labels"}},
       &parse_igraph},
      {"triples",
       Kind::LabelledGraph,
       "a triple a line, perhaps after their number; edges labelled by relations",
       {{"order",
         {"ask", "head_tail_relation", "head_relation_tail"},
         "of a line's three parts; ask: head_tail_relation after a line with a count, otherwise refuse"},
        ids_option("entities and relations")},
       &parse_triples},
      {"ntriples",
       Kind::LabelledGraph,
       "N-Triples: edges labelled by predicates, vertices by their rdf:type",
       {{"literals", {"drop", "keep"}, "keep: they are vertices"}},
       &parse_ntriples},
  };
  for (Format& format : vector_formats()) all.push_back(std::move(format));
  for (Format& format : set_formats()) all.push_back(std::move(format));
  for (Format& format : rating_formats()) all.push_back(std::move(format));
  for (Format& format : csv_formats()) all.push_back(std::move(format));
  std::sort(all.begin(), all.end(), [](const Format& a, const Format& b) { return a.name < b.name; });
  return all;
}

}  // namespace

std::span<const Format> formats() {
  static const std::vector<Format> all = make_formats();
  return all;
}

const Format& format_named(const std::string& where, const std::string& name) {
  std::vector<std::string> names;
  for (const Format& format : formats()) {
    if (format.name == name) return format;
    names.push_back(format.name);
  }
  throw_unknown(where, "a file format", name, names);
}

Content parse(const Format& format, const Text& text, const Options& resolved, int threads) {
  constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";
  if (format.binary || !text.bytes.starts_with(kByteOrderMark)) return format.parse(text, resolved, threads);
  Text rest = text;
  rest.bytes.remove_prefix(kByteOrderMark.size());
  if (rest.bytes.empty()) throw InputError(text.file, 0, "data", "a byte order mark only");
  return format.parse(rest, resolved, threads);
}

Content parse(const Text& text, const std::string& format, const Options& options, int threads) {
  const Format& known = format_named(text.file, format);
  return parse(known, text, resolve_options(text.file + " as " + format, known.options, options), threads);
}

}  // namespace warpbench::datasets
