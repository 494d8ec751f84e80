#include "datasets/loaders/graphs/ntriples.hpp"

#include <algorithm>
#include <deque>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "datasets/graphs/labelled_edges.hpp"
#include "datasets/input_error.hpp"
#include "datasets/loaders/graphs/ntriples_terms.hpp"
#include "datasets/loaders/line_reader.hpp"

namespace warpbench::datasets {
namespace {

constexpr std::string_view kType = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>";

/// Numbers terms in the order of their first appearance.
class Numbers {
 public:
  explicit Numbers(std::uint32_t first) : first_(first) {}

  std::uint32_t of(const LineReader& reader, Term&& term) {
    const std::string_view name = term.has_escapes() ? std::string_view(term.unescaped) : term.text;
    if (const auto known = numbers_.find(name); known != numbers_.end()) return known->second;
    if (numbers_.size() >= kMaxVertex - first_) reader.fail("at most 4,294,967,294 different terms", "more");
    const auto number = static_cast<std::uint32_t>(first_ + numbers_.size());
    if (term.has_escapes()) {
      numbers_.emplace(kept_.emplace_back(std::move(term.unescaped)), number);
    } else {
      numbers_.emplace(name, number);  // the name is part of the file's text
    }
    return number;
  }
  [[nodiscard]] std::size_t size() const noexcept { return numbers_.size(); }

 private:
  std::uint32_t first_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::deque<std::string> kept_;  // names that differ from the file's text; a deque never moves its elements
};

/// The triples read so far.
struct Rdf {
  Numbers vertices{0};
  Numbers types{1};  // 0 means "no type"
  Numbers predicates{0};
  std::vector<LabelledEdge> edges;
  std::vector<std::pair<Vertex, std::uint32_t>> typings;  // vertex, type
  std::int64_t literals_dropped = 0;
};

void read_triple(const LineReader& reader, bool keep_literals, Rdf& rdf) {
  TermReader terms(reader);
  if (terms.at_end()) return;
  Term subject = terms.term("a subject", true, false);
  Term predicate = terms.term("a predicate", false, false);
  const bool typing = (predicate.has_escapes() ? std::string_view(predicate.unescaped) : predicate.text) == kType;
  Term object = terms.term(typing ? "a type" : "an object", true, !typing);
  terms.end();
  const Vertex source = rdf.vertices.of(reader, std::move(subject));
  if (typing) {
    rdf.typings.emplace_back(source, rdf.types.of(reader, std::move(object)));
    return;
  }
  if (object.kind == TermKind::literal && !keep_literals) {
    ++rdf.literals_dropped;
    return;
  }
  const Vertex target = rdf.vertices.of(reader, std::move(object));
  rdf.edges.push_back({source, target, rdf.predicates.of(reader, std::move(predicate))});
}

/// Sets the types of each vertex, ascending and without repeats; label 0 if it has none.
void label_vertices(Rdf& rdf, LabelledGraph& graph) {
  auto& typings = rdf.typings;
  std::sort(typings.begin(), typings.end());
  typings.erase(std::unique(typings.begin(), typings.end()), typings.end());
  std::vector<std::uint32_t> labels;
  std::vector<std::uint64_t> offsets{0};
  auto typing = typings.begin();
  for (std::size_t v = 0; v < rdf.vertices.size(); ++v) {
    if (typing == typings.end() || typing->first != v) labels.push_back(0);
    for (; typing != typings.end() && typing->first == v; ++typing) labels.push_back(typing->second);
    offsets.push_back(labels.size());
  }
  if (labels.size() != rdf.vertices.size()) graph.vertex_label_offsets = std::move(offsets);
  graph.vertex_labels = std::move(labels);
}

}  // namespace

Content parse_ntriples(const Text& text, const Options& options, int threads) {
  Rdf rdf;
  LineReader reader(text.bytes, text.file);
  while (reader.next()) read_triple(reader, options.at("literals") == "keep", rdf);
  EdgeCounts counts;
  LabelledGraph graph =
      build_labelled_graph(rdf.edges, static_cast<std::int64_t>(rdf.vertices.size()), threads, &counts);
  if (graph.edges() == 0) {
    throw InputError(text.file, reader.number(), "at least one triple that is an edge between two different vertices",
                     "none to the end of the file",
                     rdf.literals_dropped > 0 ? "set literals: keep to make vertices of literals" : "");
  }
  label_vertices(rdf, graph);
  Content content;
  content.data = std::move(graph);
  content.properties = {{"self_loops_dropped", counts.self_loops_dropped},
                        {"duplicates_merged", counts.duplicates_merged},
                        {"literals_dropped", rdf.literals_dropped}};
  return content;
}

}  // namespace warpbench::datasets
