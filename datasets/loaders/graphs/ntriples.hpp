// N-Triples (W3C Recommendation, 2014): RDF, a triple a line, such as DBpedia's dumps and WatDiv's output.
//
//   <subject> <predicate> <object> .        IRIs; subject and object may be blank nodes (_:b), an object a literal
//                                           ("text", "text"@en, "4"^^<type>); # comments; empty lines
//
// The graph: subjects and objects are vertices, a triple an undirected edge labelled by its predicate
// (gsi2020's graphs have no directions); several predicates between two vertices are one edge of several labels. The
// objects of rdf:type are no vertices but labels of the subject; a vertex of no type has label 0 ("none"), types are
// numbered from 1. Literals are dropped (option literals: drop, the default) or vertices, the same literal the same
// vertex (keep). Vertices, types and predicates are numbered in the order of their first appearance. Self-loops and
// repeats are dropped and counted.
//
// Read strictly but for two things: text is not checked to be UTF-8, and IRIs need not be absolute. Escapes (\u00E9 in
// IRIs; \t, \", … in literals too) mean what they stand for, so that <a\u0062> and <ab> are one vertex.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `ntriples`. O(bytes) on one thread, then build_labelled_graph; terms are kept once while it runs.
[[nodiscard]] Content parse_ntriples(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
