// N-Triples (W3C Recommendation, 2014): RDF with one triple per line, such as DBpedia's dumps and WatDiv's output.
//
//   <subject> <predicate> <object> .        IRIs; subject and object may be blank nodes (_:b), an object a literal
//                                           ("text", "text"@en, "4"^^<type>); # comments; empty lines
//
// The graph: subjects and objects are vertices. A triple is an undirected edge labelled by its predicate (gsi2020's
// graphs have no directions); several predicates between two vertices are one edge with several labels. The objects of
// rdf:type are not vertices but labels of the subject. Types are numbered from 1; a vertex without a type has label 0.
// Literals are dropped (option literals: drop, the default) or become vertices, equal literals the same one (keep).
// Vertices, types and predicates are numbered in the order of their first appearance. Self-loops and repeats are
// dropped and counted.
//
// Reading is strict, with two exceptions: text is not checked to be UTF-8, and IRIs need not be absolute. Escapes
// (\u00E9 in IRIs; \t, \", … in literals too) are resolved, so <a\u0062> and <ab> are one vertex.
#pragma once

#include "datasets/loaders/formats.hpp"

namespace warpbench::datasets {

/// Format `ntriples`. O(bytes) on one thread, then build_labelled_graph; while parsing, each term is stored once.
[[nodiscard]] Content parse_ntriples(const Text& text, const Options& options, int threads);

}  // namespace warpbench::datasets
