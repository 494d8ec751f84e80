#include "datasets/loaders/formats.hpp"

#include <algorithm>

#include "datasets/loaders/edge_list.hpp"
#include "datasets/loaders/labelled_graph.hpp"
#include "datasets/loaders/matrix_market.hpp"

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
       "labelled graph: `t V E`, `v id label degree`, `e u v [label]`",
       {},
       &parse_labelled_graph},
  };
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

Content parse(const Text& text, const std::string& format, const Options& options, int threads) {
  const Format& known = format_named(text.file, format);
  return known.parse(text, resolve_options(text.file + " as " + format, known.options, options), threads);
}

}  // namespace warpbench::datasets
