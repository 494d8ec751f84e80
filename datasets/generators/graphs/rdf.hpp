// rdf: graphs like those of RDF data, after gsi2020 §VIII-A and Table III: watdiv_like (86 edge labels) and
// dbpedia_like (about 57,000), in place of the real ones where these are not available.
//
// They imitate these properties: entities have types (the vertex labels) of power-law sizes. Predicates (the edge
// labels) have power-law frequencies, and each has its own kind of subjects. The popularity of objects is a power law
// too, up to hub objects of degree max_degree, such as a country or a genre. Subjects have no hubs.
//
// Method: entities form a line, those of a type side by side, and the length of each is its popularity. The predicates
// fill a second line of the same length, and the length of each is its frequency. A draw picks a point: the entity
// there on the first line is the object, and the predicate is the one there on the second line, rotated by a random
// number of quarters. So degrees and frequencies come out as requested, an object is reached by about four predicates,
// and a predicate reaches a few types. The subjects of a predicate are, alternately, half of the entities, from a
// random place on, or all of them.
#pragma once

#include <cstdint>
#include <vector>

#include "datasets/dataset.hpp"
#include "datasets/parameters/declared.hpp"

namespace warpbench::datasets {

/// The parameters of such a graph; the arguments are their defaults.
[[nodiscard]] std::vector<ParameterDeclaration> rdf_parameters(std::int64_t vertex_labels, std::int64_t edge_labels,
                                                               double label_exponent);

/// A LabelledGraph of about the requested number of edges (pairs; a pair drawn with several predicates is one edge with
/// several labels). max_degree shrinks in proportion to scale, as a hub's degree does; labels do not. O(edges log
/// max_degree / threads).
[[nodiscard]] Content generate_rdf(const Properties& values, std::uint64_t seed, int threads);

}  // namespace warpbench::datasets
