// rdf: graphs as RDF data make them, after gsi2020 §VIII-A and Table III: watdiv_like (86 edge labels) and dbpedia_like
// (about 57,000), where the real ones cannot be had.
//
// They imitate this: entities have types (the vertex labels), of power-law sizes; predicates (the edge labels) have
// power-law frequencies, each with subjects of its own kind; the objects' popularity is a power law too, up to hub
// objects of degree max_degree, such as a country or a genre; subjects have no hubs.
//
// How: entities stand in a line, those of a type side by side, each as long as its popularity. The predicates, each as
// long as it is frequent, fill a second line of the same length. A draw is a point of the first line, its object, and
// the predicate at that point of the second line, which is turned by a random quarter: degrees and frequencies come
// out as they were asked, an object is reached by about four predicates, and a predicate reaches a few types. Its
// subjects are, by turns, half of the entities, from a random place on, or all.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// The parameters of such a graph, with these labels unless given.
[[nodiscard]] std::vector<ParameterDeclaration> rdf_parameters(std::int64_t vertex_labels, std::int64_t edge_labels,
                                                               double label_exponent);

/// A LabelledGraph of about so many edges (pairs; a pair drawn with several predicates is one edge of several labels).
/// max_degree shrinks in proportion to scale, as a hub's degree does; labels do not. O(edges log max_degree / threads).
[[nodiscard]] Content generate_rdf(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
